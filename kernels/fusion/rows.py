"""The row program: what `kernels.fusion.lower` makes of a body and `kernels.codegen` prints.

A program is a list of passes that run one after another over the frames of a batch. A pass marches down the rows of a
strip; in every step each of its groups works on one full-width row, `lead` rows ahead of the step, so that what it
makes is there just in time. A group is one loop over x; what its items share stays in registers.

Rows live in stores, padded on both sides so that a look beyond the image's edge is a plain load: rings (just as many
rows as are needed), states (all rows of the strip, kept from frame to frame) and whole frames (for what later passes
look at).
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass

from kernels.ir.expr import Expr, Size
from kernels.ir.ops import OPS
from kernels.ir.planes import Border

ALIGN = 64
"""Bytes to which rows are aligned, and of a vector."""

LANES = 16
"""Pixels of the shortest vector that the code works with, of any type."""

MIXED = 32
"""Pixels of a vector where 16-bit arithmetic meets wider types: short in neither."""


def loop_of(roots: Iterable[Expr], kept: Container[Expr]) -> tuple[set[Expr], int]:
    """What a loop computes, down to the planes that are kept, and its pixels a vector: 64 bytes of the widest type, but
    LANES at least; MIXED with 16-bit arithmetic."""
    stack = list(roots)
    own, seen = set(stack), set[Expr]()
    widest, short = 1, False
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        widest = max(widest, node.dtype.itemsize)
        short = short or (node.op in OPS and node.src[0].dtype.itemsize == 2)
        if node.op not in ("load", "input") and (node in own or node not in kept):
            stack += node.src
    return seen, max(MIXED if short else LANES, ALIGN // widest)


@dataclass(frozen=True, slots=True)
class Store:
    """Rows of a plane in memory.

    Args:
        name: unique in the program.
        kind: "ring" (of the strip, `rows` rows), "state" (of the strip, all its rows), "frame" (of all strips).
        plane: what is kept; its type is the type in memory (bool takes a byte).
        size: (height, width).
        border: how the row goes on in its padding; None where nothing looks there.
        left, right: pixels of padding that are filled in.
        rows: capacity of a ring; row r lies in slot r mod rows.
    """

    name: str
    kind: str
    plane: Expr
    size: Size
    border: Border | None
    left: int
    right: int
    rows: int

    @property
    def lead_in(self) -> int:
        """Pixels before x = 0: a vector at least, where there is padding."""
        return -(-max(self.left, self.right > 0) // MIXED) * max(MIXED, ALIGN // self.plane.dtype.itemsize)

    @property
    def pitch(self) -> int:
        """Pixels from row to row: a vector may be read or written beyond the end, from the last pixel on."""
        item = self.plane.dtype.itemsize
        width = self.lead_in + -(-self.size[1] // 64) * 64 + self.right + MIXED
        return -(-(width * item + ALIGN) // ALIGN) * ALIGN // item


@dataclass(frozen=True, slots=True)
class Access:
    """A whole image that a pass touches: kind "input", "output" (index: which) or "frame" (index: which store), and
    how many frames back."""

    kind: str
    index: int
    dt: int = 0


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that a group makes.

    Args:
        kind: "plane" (kept in `stores`), "output" (an image, a root a channel), "reduction" or "candidates".
        roots: the expressions.
        stores: where a plane goes.
        index: the number of the output.
    """

    kind: str
    roots: tuple[Expr, ...]
    stores: tuple[Store, ...] = ()
    index: int = -1


@dataclass(frozen=True, slots=True)
class Group:
    """A loop over one row.

    Args:
        lead: rows ahead of the pass's step.
        up, down: rows beyond the strip that it must make for others.
        lanes: pixels a vector.
        items: what it makes; a table is alone in its group.
        states: names of the recurrences whose states it sees (all of them are its own).
        left, right: columns beside a block of columns that it must make for others.
        joined: not None where it may work in the loop of the group before it, whose newest row it then takes from
            registers: from which row on. The oldest row that it looks at is overwritten in that very loop.
    """

    lead: int
    up: int
    down: int
    lanes: int
    items: tuple[Item, ...]
    states: tuple[str, ...]
    joined: int | None = None
    left: int = 0
    right: int = 0


@dataclass(frozen=True, slots=True)
class Pass:
    """A march down the rows of images of one size.

    Args:
        groups: in the order in which they work in each step.
        stores: its rings and states.
        seen: the store in which a plane is looked at, by (plane, border of a look to the side, or None).
        columns: where the blocks begin that a strip is worked on in, each for itself, and where the last ends; nothing
            for whole rows (see `kernels.fusion.columns`).
    """

    size: Size
    groups: tuple[Group, ...]
    stores: tuple[Store, ...]
    seen: dict[tuple[Expr, Border | None], Store]
    columns: tuple[int, ...] = ()

    def strip(self, first: int, last: int) -> tuple[int, int]:
        """The rows [from, to) that a strip of the rows [first, last) works on."""
        up, down = max(g.up for g in self.groups), max(g.down for g in self.groups)
        return max(0, first - up), min(self.size[0], last + down)


@dataclass(frozen=True, slots=True)
class RowProgram:
    """A lowered body.

    Args:
        passes: in order.
        frames: the whole-frame stores, numbered as in `Access`.
        depth: how many frames back each of `frames` is looked at.
        inputs_back: the same for the inputs, by index.
        firsts: recurrence -> expression of its state in the first frame, if plain_start.
        plain_start: whether no first value needs more than its pixel, so that the passes can start by themselves.
    """

    passes: tuple[Pass, ...]
    frames: tuple[Store, ...]
    depth: tuple[int, ...]
    inputs_back: dict[int, int]
    firsts: dict[str, Expr]
    plain_start: bool
