"""What a block program asks of global memory, in sectors of 32 bytes: the cost model of CUDA blocks, in bytes a pixel.

A block reads each sector that its boxes touch, halo included, once a frame (a state: once a batch) if its L1 holds the
rows that it works on, and writes each that it owns. A *request* is what a warp's load or store asks for at once; the
sectors of requests are more than those of blocks where warps share sectors. Both follow from the addresses, so both
are counted as the text has them. Not predicted, for it depends on the pixels: what gathers touch (each pixel once is
assumed), the atomics of regional tables, the values of candidates and their list.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kernels.fusion.blocks_model import BlockPass, BlockProgram, Loop, Tile, steps
from kernels.fusion.blocks_plan import Extent, Thing, is_far, is_image
from kernels.fusion.blocks_rings import when
from kernels.fusion.normal import is_strided
from kernels.ir.expr import Expr, Size, postorder
from kernels.ir.image import ImageType
from kernels.ir.table import Candidates, Reduction

SECTOR = 32
LIST_ROWS = 8
"""Rows of an image that a block of a list kernel takes."""
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Moved:
    """Bytes a frame and pixel, whole sectors counted.

    Args:
        loaded, stored: distinct sectors of each block.
        asked, given: sectors of each request of a warp, loads and stores.
    """

    loaded: float = 0.0
    stored: float = 0.0
    asked: float = 0.0
    given: float = 0.0

    @property
    def bytes(self) -> float:
        """Loaded and stored by blocks."""
        return self.loaded + self.stored

    def __add__(self, other: Moved) -> Moved:
        return Moved(self.loaded + other.loaded, self.stored + other.stored, self.asked + other.asked,
                     self.given + other.given)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Access:
    """A vector of pixels of one array, by every vector of a loop's box: `item` bytes a pixel; `times` a frame.

    `array` names it; planes by their identity, for == of expressions is an expression. `times` a frame it takes
    sectors that the block has not met yet, `often` a frame it asks.
    """

    array: object
    item: int
    access: int
    box: Extent
    loop: Loop
    stores: bool
    times: float
    often: float
    shift: tuple[int, int] = (0, 0)
    stride: tuple[int, int] = (1, 1)
    size: tuple[int, int] = (0, 0)


def moved(program: BlockProgram, frames: int, requests: bool = True) -> tuple[Moved, ...]:
    """What each pass moves, a frame and pixel, in a batch of `frames` frames that is not the stream's first.

    Without `requests` those of warps are left out, which takes most of the time.

    >>> from kernels.fusion.blocks import lower_blocks
    >>> from kernels.ir.body import Body, Output
    >>> from kernels.ir.planes import Border, input_plane, load
    >>> from kernels.ir.image import U8
    >>> image = ImageType(U8, 64, 128)
    >>> x = input_plane(0, 0, U8, (64, 128))
    >>> body = Body((image,), (Output("out", image, (load(x, Border(), 0, 1),)),), {}, {})
    >>> moved(lower_blocks(body, (64, 16)), 4)[0].stored
    1.0
    """
    return tuple(_moved(p, program, frames, requests) for p in program.passes)


def _moved(plan: BlockPass, program: BlockProgram, frames: int, requests: bool) -> Moved:
    total = Moved()
    boxes: dict[object, list[_Access]] = {}
    for access in _accesses(plan, program, frames):
        boxes.setdefault((access.array, access.stores, access.shift), []).append(access)
        sectors = _requests(access, plan, program) * access.often if requests else 0.0
        total += Moved(asked=0.0 if access.stores else sectors, given=sectors if access.stores else 0.0)
    for accesses in boxes.values():  # one box holds the others: what is loaded for a narrower halo is there already
        whole = Extent()
        for access in accesses:
            # Requests count each access for itself; sectors of a block count once for all accesses to the same pixels.
            whole = whole.union(access.box)
        sectors = _blocks(accesses[0], whole, plan, program) * max(a.times for a in accesses)
        beyond = _wrapped(accesses[0], whole, plan, program)
        total += Moved(beyond, 0.0, beyond)
        stores = accesses[0].stores
        total += Moved(0.0 if stores else sectors, sectors if stores else 0.0)
    for thing in plan.things:
        table = None if thing.plane is not None else program.body.outputs[thing.index].table
        if isinstance(table, Candidates):
            total += _mask(plan, program)
    total += _live(plan, program, frames)
    scale = SECTOR / (plan.size[0] * plan.size[1])
    return Moved(total.loaded * scale, total.stored * scale, total.asked * scale, total.given * scale)


def _live(plan: BlockPass, program: BlockProgram, frames: int) -> Moved:
    """Sectors, of one frame, of the live parameters that blocks read before their first frame: eight bytes each, which
    every warp asks for (`kernels.codegen.cuda_launch.with_live`)."""
    body = program.body
    roots = [root for thing in plan.things for root in thing.roots]
    roots += [thing.plane.src[1] for thing in plan.things if thing.plane is not None and thing.plane.op == "recur"]
    # Only what the pass computes with is read; live parameters lie side by side in one array, after them the counts.
    read = {("param", n.arg) for n in postorder(roots) if n.op == "param"}  # or what is computed from it
    listed = [("param", name) for name in body.params]
    for number, output in enumerate(body.outputs):
        if isinstance(output.table, Reduction):
            listed.append(("count", output.name))
            boxes = output.table.regions.kind == "boxes"
            read |= {listed[-1]} if boxes and any(t.plane is None and t.index == number for t in plan.things) else set()
    sectors = len({8 * listed.index(one) // SECTOR for one in read})
    (height, width), (bx, by) = plan.size, program.tile
    blocks = -(-width // bx) * -(-height // by) / (frames if _marching(plan, program) else 1)
    return Moved(loaded=blocks * sectors, asked=blocks * len(read) * program.threads / 32)


def _accesses(plan: BlockPass, program: BlockProgram, frames: int) -> Iterator[_Access]:
    """Every load and store of a vector that the text has."""
    for stage in plan.stages:
        for loop in stage:
            v = loop.vector
            held: set[object] = set()  # what the first group has loaded, and what is in registers
            for index, depth in loop.rings:
                type_ = program.body.inputs[index]
                assert isinstance(type_, ImageType)
                item = type_.dtype.itemsize * type_.channels
                for back in range(1, depth + 1):
                    held.add(("input", index, back))
                    yield _Access(("input", index, back), item, _piece(plan.size[1], v, item), loop.extent, loop, False,
                                  1 / frames, 1 / frames)  # fmt: skip
            for extent, things in loop.groups:
                found: set[object] = set()
                for key, item, size, times, use in _reads(things, plan, program, frames):
                    # Vectors of the group before, and those that stay in registers, are not asked for again.
                    if use is None and (key in held or key in found):
                        continue
                    found.add(key)
                    access = _piece(plan.size[1], v, item) if use is None else item
                    tap = use.arg if use is not None and use.op == "load" else None
                    shift = (tap.dx, tap.dy) if tap is not None else (0, 0)
                    stride = (tap.stride_x, tap.stride_y) if use is not None and tap and is_strided(use) else (1, 1)
                    yield _Access(key, item, access, extent, loop, False, times, 1.0, shift, stride, size)
                # Only what the widest box has loaded is there for every vector that comes later.
                held |= found if extent == loop.extent else set()
                for key, item, times in _writes(things, plan, program):
                    yield _Access(key, item, _piece(plan.size[1], v, item), Extent(), loop, True, times, times)
            yield from _states(loop, plan, program, frames)


def _reads(
    things: tuple[Thing, ...], plan: BlockPass, program: BlockProgram, frames: int
) -> Iterator[tuple[object, int, tuple[int, int], float, Expr | None]]:
    """(array, bytes of a pixel, size, times a frame, the look if it is no vector) of what a group takes from memory."""
    marching = _marching(plan, program)
    for thing in things:
        listed = [(thing.roots[0], "copy", None)] if thing.kind == "copy" else [
            (u.target, u.kind, u.node) for u in thing.uses
            if u.target not in plan.made or u.kind in ("gather", "strided") or (u.kind == "load" and is_far(u.node))
        ]  # fmt: skip
        for plane, kind, node in listed:
            size = plane.size or plan.size
            times = 1.0
            if is_image(plane):
                index, back = when(plane)
                type_ = program.body.inputs[index]
                assert isinstance(type_, ImageType)
                item = type_.dtype.itemsize * type_.channels
                key: object = ("input", index, back)
                if marching and back:  # the block has met these pixels as those of this frame
                    # Marching over frames a block has met a pixel of `back` frames ago, but for the first `back` frames
                    # of the batch.
                    times = min(1.0, back / frames)
            elif plane in program.frames:
                item, key = plane.dtype.itemsize, ("frame", id(plane))
            else:
                continue
            vector = kind in ("at", "copy")
            yield (key if vector else (key, id(node))), item, size, times, None if vector else node


def _writes(
    things: tuple[Thing, ...], plan: BlockPass, program: BlockProgram
) -> Iterator[tuple[object, int, float]]:
    for thing in things:
        if thing.plane is not None:
            if thing.plane in plan.frames:
                yield ("frame", id(thing.plane)), thing.plane.dtype.itemsize, 1.0
            continue
        output = program.body.outputs[thing.index]
        if output.table is None:
            assert isinstance(output.type, ImageType)
            yield ("output", thing.index), output.type.dtype.itemsize * output.type.channels, 1.0


def _states(loop: Loop, plan: BlockPass, program: BlockProgram, frames: int) -> Iterator[_Access]:
    for thing in loop.things:
        plane = thing.plane
        if plane is None or thing.kind == "state" or (thing.kind == "copy" and not is_image(plane)):
            continue
        depth = int(plane.op == "recur") + program.delays.get(plane, 0)
        item = plane.dtype.itemsize
        access = _piece(plan.size[1], loop.vector, item)
        # States are read at the batch's start and written at its end: once in `frames` frames.
        for k in range(depth):
            yield _Access(("was", id(plane), k), item, access, loop.extent, loop, False, 1 / frames, 1 / frames)
            yield _Access(("state", id(plane), k), item, access, Extent(), loop, True, 1 / frames, 1 / frames)


def marches(program: BlockProgram) -> bool:
    """Whether blocks march over the frames of a batch: a state or the past stays in their registers."""
    return any(_marching(plan, program) for plan in program.passes)


def holds_states(program: BlockProgram) -> bool:
    """Whether what stays in registers is computed: a recurrence, or the past of a plane."""
    return bool(program.delays) or any(t.kind == "state" for p in program.passes for t in p.things)


def _marching(plan: BlockPass, program: BlockProgram) -> bool:
    rings = any(loop.rings for stage in plan.stages for loop in stage)
    return rings or any(t.kind == "state" or t.plane in program.delays for t in plan.things)


def _piece(width: int, vector: int, item: int) -> int:
    """Bytes of one access to a vector of pixels."""
    size = math.gcd(width, vector) * item
    # Vectors of rows whose width is no multiple of theirs begin anywhere: the largest power of two that divides all
    # places.
    return min(16, size & -size)


def _up(value: int, step: int) -> int:
    return -(-value // step) * step


def _spans(low: int, high: int, length: int, tile: int) -> tuple[Ints, Ints]:
    """First pixel of each block's box along an axis and the one behind its last, inside the image."""
    start = np.arange(-(-length // tile), dtype=np.int64) * tile
    return np.maximum(start - low, 0), np.minimum(np.minimum(start + tile, length) + high, length)


def _blocks(access: _Access, box: Extent, plan: BlockPass, program: BlockProgram) -> float:
    """Distinct sectors of every block, summed, of one frame."""
    size = access.size if access.size != (0, 0) else plan.size
    return _sectors(access.item, access.shift, access.stride, size, box, access.loop.vector, program.tile, plan.size)


@lru_cache(maxsize=4096)  # many planes are read alike
def _sectors(
    item: int, shift: tuple[int, int], stride: tuple[int, int], size: Size, box: Extent, vector: int, tile: Tile,
    of: Size,
) -> float:  # fmt: skip
    (dx, dy), (sx, sy), (high, wide) = shift, stride, size
    x0, x1 = _spans(_up(box.left, vector), _up(box.right, vector), of[1], tile[0])
    y0, y1 = _spans(box.up, box.down, of[0], tile[1])
    # In pixels of the plane that is looked at: scaled by the stride, shifted, held within it.
    first, last = np.clip(x0 * sx + dx, 0, wide - 1), np.clip((x1 - 1) * sx + dx, 0, wide - 1)
    # Rows begin at the same place in a sector every `period` rows.
    period = SECTOR // math.gcd(wide * item, SECTOR)
    place = np.arange(period)[:, None] * (wide * item)
    # Sectors from that of the first byte to that of the last, both included.
    row = ((place + (last + 1) * item - 1) // SECTOR - (place + first * item) // SECTOR + 1).sum(axis=1)
    if sy == 1:  # the rows of a block follow one another
        # Prefix sums over rows: each block's rows are one stretch.
        below = np.concatenate(([0], np.cumsum(row[np.arange(high) % period])))
        ends = np.clip(y1 - 1 + dy, 0, high - 1) + 1
        return float((below[ends] - below[np.clip(y0 + dy, 0, high - 1)]).sum())
    # With a stride the clamped rows may coincide: each counts once.
    rows = [np.unique(np.clip(np.arange(a, b) * sy + dy, 0, high - 1)) for a, b in zip(y0, y1, strict=True)]
    return float(sum(int(row[listed % period].sum()) for listed in rows))


def _wrapped(access: _Access, box: Extent, plan: BlockPass, program: BlockProgram) -> float:
    """Sectors that blocks read beyond their own, of one frame, to go on at the image's other side."""
    regions = [r for r in plan.regions if r.border is not None and r.border.mode == "wrap"]
    if access.stores or not any(_array(r.plane) == access.array for r in regions):
        return 0.0
    looks = Extent()
    for region in regions:
        looks = looks.union(region.extent if _array(region.plane) == access.array else Extent())
    whole = _around_all(access.item, box, looks, access.loop.vector, program.tile, plan.size)
    return max(0.0, whole - _blocks(access, box, plan, program))


@lru_cache(maxsize=256)
def _around_all(item: int, box: Extent, looks: Extent, vector: int, tile: Tile, of: Size) -> float:
    """Sectors of every block with those at the image's other side, summed, of one frame."""
    (bx, by), (height, width) = tile, of
    rows = sum(len(_around(y, by, box.up, box.down, looks.up, looks.down, height)) for y in range(0, height, by))
    across = 0.0
    # Averaged over the places in a sector at which rows begin.
    offsets = np.unique(np.arange(SECTOR) * width * item % SECTOR)  # where rows begin in a sector
    for x in range(0, width, bx):
        left, right = _up(box.left, vector), _up(box.right, vector)
        columns = _around(x, bx, left, right, looks.left, looks.right, width) * item
        across += sum(len(np.unique((columns + o) // SECTOR)) for o in offsets) / len(offsets)
    return across * rows


def _around(start: int, tile: int, low: int, high: int, before: int, behind: int, length: int) -> Ints:
    """Pixels along an axis that a block takes: its own with a halo, and from the other side those of looks beyond."""
    own = np.arange(max(0, start - low), min(start + tile + high, length))
    # Pixels left of the image and right of it, as far as looks go; modulo the length they are on the other side.
    beyond = np.r_[np.arange(start - before, 0), np.arange(length, min(start + tile, length) + behind)]
    return np.unique(np.r_[own, beyond % length])


def _array(plane: Expr) -> object:
    if not is_image(plane):
        return "frame", id(plane)
    return "input", *when(plane)


def _requests(access: _Access, plan: BlockPass, program: BlockProgram) -> float:
    """Sectors of the requests of every warp, summed, of one frame; a warp takes 32 vectors of the loop's box."""
    v, (bx, by), (height, width) = access.loop.vector, program.tile, plan.size
    loop, box = access.loop.extent, access.box
    left = _up(loop.left, v)
    across = (left + bx + _up(loop.right, v)) // v
    down = loop.up + by + loop.down
    index = np.arange(across * down)
    # Vectors are numbered along rows; threads take them in turn, 32 to a warp.
    row, column, warp = index // across, index % across, index // 32
    rows = steps(across, down, program.threads)[1]
    # Threads that go on by whole rows begin each step anew: no warp runs on from one step into the next.
    if rows:
        warp = row // rows * program.threads + (row % rows * across + column) // 32
    # A request is cut where a row or a warp ends.
    starts = np.flatnonzero(np.r_[True, (np.diff(row) != 0) | (np.diff(warp) != 0)])
    ends = np.r_[starts[1:], len(index)] - 1
    # pieces of rows that one warp takes, in pixels from the block's own first
    y = row[starts] - loop.up
    low = np.maximum(column[starts] * v - left, -_up(box.left, v))
    high = np.minimum((column[ends] + 1) * v - left, bx + _up(box.right, v))
    kept = (y >= -box.up) & (y < by + box.down) & (low < high)
    y, low, high = y[kept], low[kept], high[kept]
    bx0 = np.arange(-(-width // bx)) * bx
    by0 = np.arange(-(-height // by)) * by
    sx, sy = access.stride
    high_, wide = access.size if access.size != (0, 0) else plan.size
    total = 0.0
    lanes = max(1, v * access.item // access.access)  # accesses of one vector
    for first in by0:
        inside = (first + y >= 0) & (first + y < height)
        # Pieces within the image, for all blocks of this row of blocks at once.
        a = np.maximum(bx0[:, None] + low[inside], 0)
        b = np.minimum(bx0[:, None] + high[inside], width)
        some = a < b
        place = np.clip((first + y[inside]) * sy + access.shift[1], 0, high_ - 1) * (wide * access.item)
        start = place + np.clip(a * sx + access.shift[0], 0, wide - 1) * access.item
        end = place + (np.clip((b - 1) * sx + access.shift[0], 0, wide - 1) + 1) * access.item - 1
        sectors = end // SECTOR - start // SECTOR + 1
        # Vectors wider than a sector, taken in several accesses, ask for no more sectors than vectors.
        total += float(np.where(some, np.minimum(sectors, np.maximum(1, (b - a) // v)) if lanes > 1 and
                                v * access.item > SECTOR else sectors, 0).sum())  # fmt: skip
    return total * lanes


def listed(program: BlockProgram, index: int) -> Moved:
    """What the kernel moves that lists the candidates of output `index`, a frame and pixel, where there are none."""
    table = program.body.outputs[index].table
    assert isinstance(table, Candidates)
    size = next(t.size for p in program.passes for t in p.things if t.plane is None and t.index == index)
    blocks = -(-size[0] // LIST_ROWS)  # each warp adds the counts of the rows above its own
    scale = SECTOR / (size[0] * size[1])
    # Block k reads the counts of all before it: 1 + 2 + ... in all.
    return Moved(blocks * (blocks + 1) / 2 * scale, scale)


def _mask(plan: BlockPass, program: BlockProgram) -> Moved:
    """Sectors of the marks of candidates: a byte a vector."""
    v, (height, width) = program.vector, plan.size
    x0, x1 = _spans(0, 0, width, program.tile[0])
    first, last = (np.arange(height)[:, None] * -(-width // v) + x for x in (x0 // v, (x1 - 1) // v))
    sectors = float((last // SECTOR - first // SECTOR + 1).sum())
    return Moved(0.0, sectors, 0.0, sectors)
