"""Block programs: what `kernels.codegen.cuda` prints, lowered from a body.

A program is a list of passes, one kernel each, that run one after another over the frames of a batch. In a pass a block
of threads owns a box of bx x by pixels and marches over the frames. A frame is a row of stages with a barrier between
them; a stage is one or more loops over vectors of neighbouring pixels, and what it makes for others to look at goes
into tiles of shared memory, with a halo: pixels outside the box that later stages need are made by every block that
needs them. Recurrences keep their state in registers while the block marches, the halo's too.

Nothing is ever computed outside the image. Where a tile sticks out of it, its border is filled after its stage; so all
looks are plain, and only blocks at the edge of the image do that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kernels.fusion.blocks_plan import Extent, Thing
from kernels.fusion.normal import Normal
from kernels.ir.body import Body
from kernels.ir.expr import Expr, Size
from kernels.ir.planes import Border

Tile = tuple[int, int]
"""Pixels that a block owns: (bx, by)."""


def steps(across: int, down: int, threads: int) -> tuple[int, int]:
    """(times that a thread computes a vector of a box of across x down vectors, rows from one to its next).

    By whole rows, so that a thread stays in its column, where that takes no more times: some threads at the end then
    have none. Else 0: threads go on with the next vectors, row by row.

    >>> steps(18, 22, 256), steps(16, 16, 256), steps(40, 3, 32)
    ((2, 14), (1, 0), (4, 0))
    """
    times, rows = -(-across * down // threads), threads // across
    return times, rows if times > 1 and rows and -(-down // rows) <= times else 0


@dataclass(frozen=True, slots=True)
class Region:
    """A tile of shared memory.

    Args:
        name: in the text.
        plane: what it holds.
        border: how it goes on outside the image; None where nothing looks there.
        extent: its halo.
        source: the region of the same plane that is made by the stage itself; None if this is it.
        offset: bytes from the start of the shared memory.
        rows: of the tile.
        pitch: pixels of one of them. Nothing lies between rows: then neighbouring threads have neighbouring cells, from
            one row to the next too, and no two of those that go together want the same bank.
        double: whether two of them take turns, frame by frame.
        vector: pixels of the vectors by which it is made; its rows hold whole ones.
    """

    name: str
    plane: Expr
    border: Border | None
    extent: Extent
    source: str | None
    offset: int
    rows: int
    pitch: int
    double: bool
    vector: int

    @property
    def cells(self) -> int:
        """Of one copy: a vector before the first and one behind the last are read with them."""
        item = self.plane.dtype.itemsize
        return -(-(self.rows * self.pitch + 2 * self.vector) * item // 16) * 16 // item


@dataclass(frozen=True, slots=True)
class Loop:
    """One loop over vectors of `vector` pixels: things by halo, the widest first.

    `rings`: inputs whose past its threads keep in registers as they march, and how many frames of it.
    """

    extent: Extent
    groups: tuple[tuple[Extent, tuple[Thing, ...]], ...]
    vector: int
    rings: tuple[tuple[int, int], ...] = ()

    @property
    def things(self) -> tuple[Thing, ...]:
        return tuple(thing for _, things in self.groups for thing in things)


@dataclass(frozen=True, slots=True)
class BlockPass:
    """One kernel.

    Args:
        size: (height, width) of the image over which its blocks lie.
        stages: the loops between two barriers.
        regions: the tiles.
        made: planes made here -> their thing; images that are copied into a tile among them.
        frames: planes that it leaves in memory for later passes.
        halo: the widest of all loops and tiles.
        shared: bytes of shared memory.
        last_barrier: whether a barrier must be at the end of a frame.
        alternates: whether a double tile takes turns.
    """

    size: Size
    stages: tuple[tuple[Loop, ...], ...]
    regions: tuple[Region, ...]
    made: dict[Expr, Thing]
    frames: tuple[Expr, ...]
    halo: Extent
    shared: int
    last_barrier: bool
    alternates: bool

    @property
    def things(self) -> Iterable[Thing]:
        return (thing for loops in self.stages for loop in loops for thing in loop.things)

    def region(self, plane: Expr, border: Border | None = None) -> Region | None:
        """The tile of `plane` for looks beyond the image by `border`; any of it for None."""
        return next((r for r in self.regions if r.plane is plane and border in (None, r.border)), None)


@dataclass(frozen=True, slots=True)
class BlockProgram:
    """Passes, and what they share.

    Args:
        body: the body.
        normal: its normal form.
        passes: in the order in which they run.
        tile: pixels that a block owns: (bx, by).
        vector: pixels that a thread computes together; loops that only copy an image into tiles may take more.
        threads: of a block.
        delays: planes whose past is kept in registers, and how many frames of it.
        back: inputs that are looked at back in time, and how many frames.
        frames: planes that are in memory between passes, with their sizes.
    """

    body: Body
    normal: Normal
    passes: tuple[BlockPass, ...]
    tile: Tile
    vector: int
    threads: int
    delays: dict[Expr, int]
    back: dict[int, int]
    frames: dict[Expr, Size]

    @property
    def computed(self) -> set[Expr]:
        """The planes that are made, not copied from an image."""
        return {t.plane for p in self.passes for t in p.things if t.plane is not None and t.kind == "plane"}
