"""How many pixels a thread takes together where it only fills tiles from memory: as many as one access holds.

What it computes is then little, and what lies in a tile need not stay with the thread that put it there. So the length
of such vectors does not follow from the registers that the other loops of a block have for a pixel.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kernels.fusion.blocks_banks import wavefronts
from kernels.fusion.blocks_model import Loop, Tile
from kernels.fusion.blocks_plan import Extent, Thing, is_image
from kernels.ir.expr import Expr, Size, postorder

ACCESS = 16
"""Bytes of the longest access to memory."""

WARP = 32

LOOP = 12.0
"""Operations of a loop over vectors besides those on its pixels, for each turn of a thread."""

SECTOR = 32
"""Bytes of memory that come together."""


def up(value: int, step: int) -> int:
    """`value` rounded up to a multiple of `step`."""
    return -(-value // step) * step


@dataclass(frozen=True, slots=True)
class Filled:
    """A tile that a loop makes: its halo, bytes of a pixel, operations for one, and the loops that look at it."""

    extent: Extent
    item: int
    operations: int
    looks: tuple[Extent, ...]


def fills(thing: Thing, here: Collection[Expr]) -> bool:
    """Whether a thing is made from the pixels of images in memory at its own place; `here`: planes that are not."""
    if thing.kind not in ("copy", "plane") or thing.plane is None or thing.plane.op == "recur":
        return False
    return all(use.kind == "at" and use.target not in here for use in thing.uses)


def operations(thing: Thing) -> int:
    """For a pixel of a thing that `fills` a tile."""
    return 0 if thing.kind == "copy" else sum(bool(node.src) and not is_image(node) for node in postorder(thing.roots))


def longest(
    loop: Loop, reads: Sequence[int], tiles: Sequence[Filled], tile: Tile, size: Size, v: int, threads: int
) -> int:
    """Pixels of the vectors of a loop that only fills tiles: `v`, twice or four times as many.

    So many that its loads take ACCESS bytes, where rows of the image and of blocks are aligned to that. Not where a
    vector would be stored by several accesses (those of neighbouring threads meet in banks; to send every second four
    of them the other way round takes the instructions that the loads save), where blocks would touch more sectors,
    where the halo's whole vectors would be more work than the loop saves, or where those who look at the tiles would
    meet in more banks, for its rows get longer.

    Args:
        loop: which.
        reads: bytes of a pixel of each image that it takes from memory.
        tiles: what it fills.
        tile, size: pixels of a block and of the image.
        v: pixels of the vectors of the other loops.
        threads: of a block.
    """
    best = v
    # `less` compares with the best so far, all else with the plain length.
    for more in (2 * v, 4 * v):
        aligned = not (tile[0] % more or size[1] % more)
        single = all(more * t.item <= ACCESS for t in tiles)
        # In whole vectors the halo must not begin in another sector.
        near = all(up(up(side, more) * item, SECTOR) == up(up(side, v) * item, SECTOR)
                   for item in reads for side in (loop.extent.left, loop.extent.right))  # fmt: skip
        apart = all(_goes(t, tile, v, more, threads) <= _goes(t, tile, v, v, threads) for t in tiles)
        less = _work(loop, tiles, tile, more) < _work(loop, tiles, tile, best)
        if aligned and single and near and apart and less and any(piece(best * i) < piece(more * i) for i in reads):
            best = more
    return best


def piece(size: int) -> int:
    """Bytes of each access to `size` bytes.

    >>> piece(4), piece(12), piece(64)
    (4, 4, 16)
    """
    return min(ACCESS, size & -size)


def _work(loop: Loop, tiles: Sequence[Filled], tile: Tile, v: int) -> float:
    """Operations of a loop in vectors of `v` pixels, those of lanes without one too."""
    e = loop.extent
    vectors = (up(e.left, v) + tile[0] + up(e.right, v)) // v * (e.up + tile[1] + e.down)
    # By whole warps: lanes without a vector wait as long as the others.
    return up(vectors, WARP) * (LOOP + sum(v * t.operations + v * t.item / ACCESS for t in tiles))


def _goes(filled: Filled, tile: Tile, v: int, long: int, threads: int) -> int:
    """Wavefronts of one look of each who looks at a tile made by vectors of `long` pixels."""
    e = filled.extent
    pitch = (up(e.left, long) + tile[0] + up(e.right, long)) * filled.item
    return sum(wavefronts((up(o.left, v) + tile[0] + up(o.right, v)) // v, o.up + tile[1] + o.down, threads, pitch,
                          v * filled.item) for o in filled.looks)  # fmt: skip
