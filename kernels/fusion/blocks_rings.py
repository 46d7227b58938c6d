"""The past of an image in registers: what a block has loaded of this frame is what it asks for in the next ones.

A block that marches over the frames of a batch then loads every frame once; only the frames before the batch come from
memory besides, when its march begins. Computed planes are kept so without being asked for: they stand nowhere else.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from kernels.fusion.blocks_model import Loop
from kernels.fusion.blocks_plan import Thing, is_image
from kernels.ir.body import ValueType
from kernels.ir.expr import Expr
from kernels.ir.image import ImageType

WORD = 4
"""Bytes of a register."""

MOVES = 4
"""Times that a word may go from one register to the next for each load that it saves."""


def when(plane: Expr) -> tuple[int, int]:
    """(input, frames back) of the image in memory that a plane is."""
    source = plane if plane.op == "input" else plane.src[0]
    return source.arg.index, 0 if source is plane else -plane.arg.dt


def from_memory(thing: Thing, here: Collection[Expr]) -> Iterator[Expr]:
    """The planes in memory of which a thing takes its own pixels; `here`: those in tiles or registers."""
    if thing.kind == "copy":
        yield thing.roots[0]
    else:
        yield from (use.target for use in thing.uses if use.kind == "at" and use.target not in here)


def rings(loop: Loop, here: Collection[Expr]) -> tuple[tuple[int, int], ...]:
    """The inputs of which a loop takes this frame's pixels and earlier ones in its whole box; and how many frames."""
    widest, first = loop.groups[0]
    if widest != loop.extent:  # one thing has its halo here, another there: no pixel of the box is everybody's
        return ()

    def read(things: Iterable[Thing]) -> set[tuple[int, int]]:
        planes = [p for t in things for p in from_memory(t, here) if is_image(p) and p.dtype.itemsize <= WORD]
        return {when(p) for p in planes}

    everywhere: dict[int, set[int]] = {}
    for index, back in sorted(read(loop.things)):
        everywhere.setdefault(index, set()).add(back)
    whole = read(first)
    return tuple((index, max(backs)) for index, backs in everywhere.items()
                 if (index, 0) in whole and any((index, back) in whole for back in backs if back)
                 and max(backs) <= MOVES * (len(backs) - 1))  # fmt: skip


def ring_words(image: ValueType | None, vector: int) -> int:
    """Registers of a frame of an image's past, for a vector of pixels."""
    assert isinstance(image, ImageType)
    return vector * image.channels * image.dtype.itemsize // WORD

