"""What groups of stages are called where there is little room: layers of a network are counted, not listed."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import groupby

LISTED = 2
"""So many layers of a network, one after the other, are listed; more of them are counted."""
WIDTH = 100
"""Letters in a line of a tip, which Qt does not break."""


def owner(name: str) -> str:
    """The node of the pipeline's file that a node of a plan belongs to.

    >>> owner("face/conv_0"), owner("gray")
    ('face', 'gray')
    """
    return name.partition("/")[0].removesuffix("*")


def brief(names: Sequence[str]) -> str:
    """A group in a few words.

    Args:
        names: of its nodes; one with a "*" behind it keeps that.

    >>> brief(["gray", "smooth"])
    'gray + smooth'
    >>> brief(["gray", "face/input", "face/conv_0", "face/conv_1", "face", "faces"])
    'gray + face/input … (4 layers) + faces'
    """
    return " + ".join(_parts(names))


def listed(names: Sequence[str]) -> str:
    """A group with all of its nodes, in lines that a tip has room for."""
    return textwrap.fill(" + ".join(names), WIDTH, break_long_words=False, break_on_hyphens=False)


def _parts(names: Sequence[str]) -> Iterator[str]:
    for _, run in groupby(names, owner):
        layers = list(run)
        if len(layers) > LISTED:
            yield f"{layers[0]} … ({len(layers)} layers)"
        else:
            yield from layers
