"""The skeleton of an animal: what its key points are called, and which of them are joined by a line ("edges", as in
SLEAP and COCO).
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from kernels.errors import DefinitionError


@dataclass(frozen=True, slots=True)
class Skeleton:
    """Names and edges.

    Args:
        names: of the points in the network's order; points beyond have none.
        edges: pairs of points, counted from 0.
    """

    names: tuple[str, ...] = ()
    edges: tuple[tuple[int, int], ...] = ()

    def name(self, point: int) -> str:
        """What a point is called, "" if nothing."""
        return self.names[point] if point < len(self.names) else ""


def skeleton(names: str, edges: str) -> Skeleton:
    """A skeleton as it is written in a pipeline.

    Args:
        names: separated by commas.
        edges: pairs, separated by commas; a pair is two names or numbers of points with a hyphen between them.

    Raises:
        DefinitionError: an edge is no pair of points, or joins a point with itself.

    >>> skeleton("nose, left-ear, tail", "nose - left-ear, 0-2").edges
    ((0, 1), (0, 2))
    """
    known = tuple(name.strip() for name in names.split(",")) if names.strip() else ()
    found = []
    for text in filter(None, (part.strip() for part in edges.split(","))):
        ends = [(text[:k].strip(), text[k + 1 :].strip()) for k, letter in enumerate(text) if letter == "-"]
        pairs = [pair for pair in ends if all(end in known or end.isdecimal() for end in pair)]
        if len(pairs) != 1:
            raise DefinitionError(f"the edge {text!r} of a skeleton is no pair of points: write two of their names or "
                                  f"numbers with a hyphen between them, such as 0-1{_near(ends, known)}")  # fmt: skip
        a, b = (known.index(end) if end in known else int(end) for end in pairs[0])
        if a == b:
            raise DefinitionError(f"the edge {text!r} of a skeleton joins a point with itself")
        found.append((a, b))
    return Skeleton(known, tuple(dict.fromkeys(found)))


def _near(ends: list[tuple[str, str]], known: tuple[str, ...]) -> str:
    """What was meant by a name that is none."""
    for end in (end for pair in ends for end in pair if end not in known and not end.isdecimal()):
        if near := difflib.get_close_matches(end, known, n=1):
            return f"; did you mean {near[0]} by {end}?"
    return ""
