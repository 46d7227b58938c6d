"""What is to be drawn of a pipeline; plain values, without Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.desk.pipeline.graph_layout import Layout


@dataclass(frozen=True)
class GroupLook:
    """A group as it is drawn.

    Args:
        names: its stages.
        words: above it, left and right of the wire into it: what it takes; `tip` says more.
        number: gives it its colour.
        faint: it does not run (yet).
        host: a function on the host, which nothing is fused with.
    """

    names: tuple[str, ...]
    words: tuple[str, str]
    tip: str
    number: int
    faint: bool = False
    host: bool = False


@dataclass(frozen=True)
class BoxLook:
    """A box as it is drawn: two lines, and what is special about it."""

    title: str
    line: str
    tip: str
    selected: bool = False
    bad: bool = False
    shown: bool = False
    tapped: bool = False


@dataclass(frozen=True)
class Drawn:
    """All that is drawn.

    Args:
        placed: where.
        boxes: how each box looks, by name.
        groups: hulls.
        pins: "fuse" or "cut" by (producer, consumer).
        tips: words about wires, by (producer, consumer).
    """

    placed: Layout
    boxes: Mapping[str, BoxLook]
    groups: Sequence[GroupLook] = ()
    pins: Mapping[tuple[str, str], str] = field(default_factory=dict)
    tips: Mapping[tuple[str, str], str] = field(default_factory=dict)

    @property
    def but_words(self) -> Drawn:
        """All but how groups look, which changes while the pipeline runs."""
        return replace(self, groups=[GroupLook(group.names, ("", ""), "", group.number) for group in self.groups])
