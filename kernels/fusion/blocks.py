"""Lowering: a body becomes a block program (`kernels.fusion.blocks_model`), with the tile that costs least."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from kernels.fusion.blocks_model import BlockPass, BlockProgram, Tile
from kernels.fusion.blocks_pass import PassLayout, TooLargeError
from kernels.fusion.blocks_plan import Thing, Things
from kernels.fusion.blocks_traffic import holds_states, marches, moved
from kernels.fusion.blocks_vectors import LOOP
from kernels.fusion.normal import Normal, Unsupported, normalise
from kernels.ir.body import Body
from kernels.ir.expr import Expr, Size, postorder
from kernels.ir.image import ImageType
from kernels.ir.table import Candidates

TILES: tuple[Tile, ...] = ((64, 16), (64, 32), (128, 16), (32, 32), (32, 16), (64, 8), (32, 8), (32, 4), (16, 4))
"""What is tried when the caller leaves the choice, best first."""

SHARED = 48 * 1024
"""Bytes of shared memory that every block may have without asking."""

BYTE = 16.0
"""Operations in the time in which a byte comes from memory, on common cards."""

ENOUGH = 1.05
"""How far the tile that is taken may lie above the least cost, so that the order of TILES counts."""

BLOCKS = 256
"""Blocks of a launch that keep the larger cards at work, two a multiprocessor: tiles of more than USUAL pixels are
taken only where there are as many."""

USUAL_THREADS = 256
"""Of a block."""

USUAL = 64 * 16
"""Pixels of a tile: one vector of 4 for each of 256 threads."""

BATCH = 8
"""Frames of a batch for which tiles are compared."""

SHAPES = ((16, 64), (8, 128), (8, 256), (4, 256))
"""(pixels of a vector, threads of a block) that are tried when the caller leaves the choice."""

WIDE = 16
"""Bytes of one access: planes of which a vector takes more have no longer vectors, for lanes would skip banks."""

MARKS = 8
"""Pixels whose candidates are in a byte."""

SHARE = 96
"""Bytes of shared memory a thread up to which a multiprocessor has threads enough, though they take longer vectors."""

CUTS = 2.0
"""Work with halos over that without, from which it may pay to keep a plane for a later pass."""


def lower_blocks(
    body: Body, tile: Tile | None = None, vector: int | None = None, threads: int | None = None, shared: int = SHARED,
    cuts: Collection[Expr] = (), rings: bool | None = None,
) -> BlockProgram:  # fmt: skip
    """The block program of a body of expressions.

    Args:
        body: what to compute.
        tile: pixels that a block owns; bx a multiple of `vector`. None: one of TILES; and where halos would cost more
            than memory, a plane is kept for whole frames and looked at by another pass.
        vector: pixels that a thread computes together: 4, 8 or 16. None: 4, or with no tile and threads what suits.
        threads: of a block, a multiple of 32. None: 256, or what suits.
        shared: most bytes of shared memory a block may have.
        cuts: with a tile: planes (see `computed` of a program without) that are kept for whole frames, so that who
            looks at them from other pixels is in a later pass.
        rings: whether the past of images is kept in registers while blocks march over a batch, where loops ask for
            it (`kernels.fusion.blocks_rings`). None: where that moves less and leaves blocks enough.

    Raises:
        Unsupported: it has a construct that blocks cannot hold, or no tile fits; says which.
    """
    if body.host is not None:
        raise Unsupported("an opaque body has no expressions")
    return _lowered(_Layouts(body, normalise(body)), tile, vector, threads, shared, cuts, rings)


def _lowered(
    layouts: _Layouts, tile: Tile | None, vector: int | None, threads: int | None, shared: int,
    cuts: Collection[Expr], rings: bool | None,
) -> BlockProgram:  # fmt: skip
    if tile is None and vector is None and threads is None:
        return _shaped(layouts, shared, rings)
    body = layouts.body
    vector, threads = vector or 4, threads or 256
    if vector not in (4, 8, 16) or threads % 32 or not 32 <= threads <= 1024:
        raise Unsupported(f"blocks of {threads} threads with {vector} pixels each are not made")
    if vector > MARKS and any(isinstance(output.table, Candidates) for output in body.outputs):
        raise Unsupported(f"candidates are marked by a bit a pixel, {MARKS} together")
    if tile is not None and (tile[0] % vector or min(tile) < 1):
        raise Unsupported(f"a box of {tile[0]}x{tile[1]} pixels is no multiple of {vector} wide")
    if tile is not None:
        try:
            return layouts.program(tile, vector, threads, shared, cuts, rings)
        except TooLargeError as large:
            raise Unsupported(str(large)) from None
    found, reason = _tried(layouts, (), vector, threads, shared, rings)
    # Halos that double the work, or no tile at all: one plane may be kept for a later pass instead.
    if not found or min(work(p) for p in found) > CUTS:
        for plane in _cuts(layouts):
            found += _tried(layouts, (plane,), vector, threads, shared, rings)[0]
    if not found:
        raise Unsupported(reason)
    # Large tiles only where the launch has blocks enough for the card.
    found = [p for p in found if p.tile[0] * p.tile[1] <= USUAL or blocks(p) >= BLOCKS] or found
    costs = [cost(program) for program in found]
    # TILES is in the order of preference: the first that is nearly as cheap as the best.
    return next(p for p, c in zip(found, costs, strict=True) if c <= ENOUGH * min(costs))


def _shaped(layouts: _Layouts, shared: int, rings: bool | None) -> BlockProgram:
    """The program of the shape that costs least."""
    *others, last = SHAPES
    best = _lowered(layouts, None, *last, shared, (), rings)
    for vector, threads in others:
        try:
            made = _lowered(layouts, None, vector, threads, shared, (), rings)
        except Unsupported:
            continue
        if suits(made) and cost(made) + turns(made) < cost(best) + turns(best):
            best = made
    return best


def suits(program: BlockProgram) -> bool:
    """Whether its vectors are no wider than an access, and its blocks small enough for few threads."""
    planes = [r.plane.dtype.itemsize for p in program.passes for r in p.regions]
    planes += [plane.dtype.itemsize for plane in program.frames]
    given = [t.dtype.itemsize * t.channels for t in program.body.inputs if isinstance(t, ImageType)]
    planes += [o.type.dtype.itemsize * o.type.channels for o in program.body.outputs if isinstance(o.type, ImageType)]
    narrow = program.vector * max(planes, default=1) <= WIDE and program.vector * max(given, default=1) <= 2 * WIDE
    if any(output.table is not None for output in program.body.outputs):
        return False  # sums over regions take a register a pixel, or two
    if program.vector > 8 and (holds_states(program) or any(p.regions for p in program.passes)):
        return False  # halos are whole vectors
    return narrow and all(p.shared <= SHARE * program.threads for p in program.passes)


def turns(program: BlockProgram) -> float:
    """Operations a pixel of the loops themselves."""
    (bx, by), total = program.tile, 0
    for plan in program.passes:
        for loop in (loop for stage in plan.stages for loop in stage):
            e, v = loop.extent, loop.vector
            # Rounded up to whole turns of all threads.
            vectors = (-(-e.left // v) + bx // v + -(-e.right // v)) * (e.up + by + e.down)
            total += -(-vectors // program.threads) * program.threads
    return LOOP * total / (bx * by)


def _tried(
    layouts: _Layouts, cuts: Collection[Expr], vector: int, threads: int, shared: int, rings: bool | None
) -> tuple[list[BlockProgram], str]:
    """The programs of every tile that fits, and why the last one did not."""
    found, reason = [], ""
    for tile in TILES:
        try:
            found.append(layouts.program(tile, vector, threads, shared, cuts, rings))
        except TooLargeError as large:
            reason = str(large)
    return found, reason


def _cuts(layouts: _Layouts) -> Iterator[Expr]:
    """Planes that may be kept for a later pass: those that are in tiles."""
    try:
        # Shared memory without end: what would be in tiles if its size were no matter.
        whole = layouts.program(TILES[-1], 4, 1024, 1 << 30)
    except TooLargeError:
        return
    planes = [r.plane for p in whole.passes for r in p.regions if r.source is None]
    yield from [plane for plane in planes if plane in whole.computed][:12]


def cost(program: BlockProgram) -> float:
    """Operations a pixel, a byte of memory (of whole sectors) counted as BYTE of them: to compare a body's tiles."""
    return sum(_ops(p, program, byte=0.0) for p in program.passes) + BYTE * _bytes(program)


def _bytes(program: BlockProgram) -> float:
    """Of memory, a pixel of a batch."""
    return sum(m.bytes for m in moved(program, BATCH, False))


def blocks(program: BlockProgram) -> int:
    """Of the launch of a batch; of the pass that has fewest."""
    bx, by = program.tile
    frames = 1 if marches(program) else BATCH
    return min(-(-p.size[1] // bx) * -(-p.size[0] // by) for p in program.passes) * frames


def work(program: BlockProgram) -> float:
    """Operations over those without any halo."""
    own = sum(_ops(p, program, False) for p in program.passes)
    return sum(_ops(p, program) for p in program.passes) / max(own, 1.0)


def _ops(plan: BlockPass, program: BlockProgram, halo: bool = True, byte: float = BYTE) -> float:
    bx, by = program.tile
    total = 0.0
    for thing in plan.things:
        e = thing.extent
        area = (bx + e.left + e.right) * (by + e.up + e.down) / (bx * by) if halo else 1.0
        total += area * _weight(thing, plan, program, byte)
    return total


def _weight(thing: Thing, plan: BlockPass, program: BlockProgram, byte: float) -> float:
    """Operations of one pixel of a thing; what comes from memory counts as its bytes, `byte` each."""
    if thing.kind == "copy":
        return 1.0 + byte * thing.roots[0].dtype.itemsize
    kept = {*plan.made, *program.frames}
    count = 1.0
    seen: set[Expr] = set()
    # From the roots down to what lies in memory or in tiles; shared parts count once.
    stack = list(thing.roots if thing.plane is None or thing.plane.op != "recur" else thing.plane.src[1:])
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        count += 1
        if node.op == "input" or node in program.frames:
            count += 0 if node in plan.made else byte * node.dtype.itemsize
        elif node.op not in ("load", "state", "recur") and (node not in kept or node is thing.plane):
            stack += node.src[1:] if node.op == "gather" else node.src
    return count


@dataclass(eq=False)
class _Layouts:
    """A body laid out in passes; what is the same for many tiles is made once."""

    body: Body
    normal: Normal
    _known: dict[tuple[object, ...], tuple[Things, dict[Expr, Size], list[PassLayout]]] = field(default_factory=dict)

    @cached_property
    def sizes(self) -> set[Size]:
        """Of all images."""
        return {n.size for n in postorder(self.normal.roots) if n.size is not None}

    def program(
        self, tile: Tile, vector: int, threads: int, shared: int, cuts: Collection[Expr] = (),
        rings: bool | None = False,
    ) -> BlockProgram:  # fmt: skip
        """The program of a tile; with `rings` None the better of both.

        Raises:
            TooLargeError: what a block needs does not fit.
        """
        if rings is not None:
            return self._laid_out(tile, vector, threads, shared, cuts, rings)
        plain = self._laid_out(tile, vector, threads, shared, cuts, False)
        if not plain.back:
            return plain
        try:
            held = self._laid_out(tile, vector, threads, shared, cuts, True)
        except TooLargeError:
            return plain
        enough = marches(plain) or blocks(held) * threads >= BLOCKS * USUAL_THREADS
        less = _bytes(held) < _bytes(plain) or (marches(plain) and _bytes(held) == _bytes(plain))
        return held if marches(held) and enough and less and work(held) <= work(plain) else plain

    def _laid_out(
        self, tile: Tile, vector: int, threads: int, shared: int, cuts: Collection[Expr], rings: bool
    ) -> BlockProgram:
        # What is the same for all tiles: the passes, but for images that one block spans (they have no halo).
        alone = frozenset(size for size in self.sizes if tile[0] >= size[1]), frozenset(
            size for size in self.sizes if tile[1] >= size[0])  # fmt: skip
        key = (tuple(cuts), rings, alone)
        if key not in self._known:
            self._known[key] = self._placed(cuts, rings, tile)
        placed, frames, layouts = self._known[key]
        passes = tuple(layout.build(tile, vector, threads, shared) for layout in layouts)
        back: dict[int, int] = {}
        for plane, depth in self.normal.histories:
            if plane.op == "input":
                back[plane.arg.index] = max(back.get(plane.arg.index, 0), depth)
        return BlockProgram(self.body, self.normal, passes, tile, vector, threads, placed.delays, back, frames)

    def _placed(
        self, cuts: Collection[Expr], rings: bool, tile: Tile
    ) -> tuple[Things, dict[Expr, Size], list[PassLayout]]:
        """Things, planes in memory between passes, and the passes, for tiles that span the same images."""
        placed = Things(self.body, self.normal, cuts)
        places = sorted({(t.level, t.size) for t in placed.things})
        frames: dict[Expr, Size] = {}
        for thing in placed.things:
            for use in thing.uses:
                maker = placed.maker.get(use.target)
                if maker is not None and (maker.level, maker.size) != (thing.level, thing.size):
                    frames[use.target] = maker.size
        layouts = []
        for level, size in places:
            things = [t for t in placed.things if (t.level, t.size) == (level, size)]
            layouts.append(PassLayout(things, size, placed, frames, rings, (tile[0] >= size[1], tile[1] >= size[0])))
        return placed, frames, layouts
