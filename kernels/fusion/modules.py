"""Layers of networks as fused modules for a GPU: which values a kernel keeps, for which tiles, in which memory.

A body with volumes becomes *kept values*: what is summed over channels, what neighbours look at, what several others
take, what leaves. Each is made of others by one contraction at most, with the point-wise expressions around it. A
*module* is a run of kept values that one kernel makes, block by block: a block owns a tile of the last value, and so,
through strides, tiles of those before it; what it needs of them beyond its own it makes again (halo), in shared memory.
Depthwise, point-wise, both in either order, inverted residuals and longer chains are such runs, not kinds of kernels.

Where modules end is chosen by dynamic programming over the values' order: the least sum of bytes moved and operations.

Sources: fused convolutional modules (Qararyah et al. 2024, FusePlanner); ConvFusion (Waeijen et al. 2021), for the
accesses that follow from a tile. Here they are bytes, weights are read again by every block, and no layer stands twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body
from kernels.ir.expr import Expr, Size, postorder, select
from kernels.ir.image import ImageType
from kernels.ir.ops import OPS
from kernels.ir.planes import coord, spread
from kernels.ir.volumes import Contract, stack

SHARED = 48 * 1024
"""Bytes of shared memory that every block may have without asking."""
THREADS = 256
"""Of a block."""
TILES: tuple[Size, ...] = (
    (16, 32), (16, 16), (8, 32), (8, 16), (8, 8), (4, 32), (4, 16), (4, 8), (2, 16), (2, 8), (4, 4), (1, 8), (1, 1),
)  # fmt: skip
"""(rows, columns) of the last value that a block may own."""
LONGEST = 12
"""Values of a module, at most: planning time grows with it, and halos make longer ones dear."""
MACS = 8.0
"""Multiply-adds in the time in which a byte comes from memory, on common cards, as these kernels reach them."""
CACHED = 0.25
"""What a byte of weights costs that every block reads: most find it in the second cache."""
ASKED = 0.1
"""What a byte costs that the first cache gives."""
SECTOR = 32
"""Bytes that are read where a thread asks for one."""
WIDE = 8
"""Channels that a thread sums together, mostly."""
LAUNCH = 100_000
"""Bytes in the time that a launch of a kernel costs a batch."""
BATCH = 8
"""Frames of a batch for which modules are compared."""
BLOCKS = 128
"""Blocks of a launch that keep the larger cards at work."""
INLINE = 48
"""Operations from which on a value that is looked at from other places is kept, not computed for every look."""
OFTEN = 8
"""Looks of a contraction at each value from which on these are copied to shared memory."""


@dataclass(frozen=True, slots=True)
class Axis:
    """Which places a value looks at along an axis: for place i those from (stride*i + low) // up to (stride*i + high)
    // up; `whole` for any."""

    stride: int = 1
    low: int = 0
    high: int = 0
    up: int = 1
    whole: bool = False

    def inside(self, stride: int, low: int, high: int, up: int = 1) -> Axis:
        """A look from there on."""
        if self.whole or (self.up > 1 and (stride, low, high, up) != (1, 0, 0, 1)):
            return Axis(whole=True)
        return Axis(self.stride * stride, self.low * stride + low, self.high * stride + high, up * self.up)

    def joined(self, other: Axis) -> Axis:
        """Both looks."""
        if self.whole or other.whole or (self.stride, self.up) != (other.stride, other.up):
            return Axis(whole=True)
        return Axis(self.stride, min(self.low, other.low), max(self.high, other.high), self.up)

    def bordered(self, mode: str) -> Axis:
        """A look that may be folded back into the image: under other rules than a constant it may end anywhere."""
        still = (self.stride, self.low, self.high, self.up) == (1, 0, 0, 1)
        return self if mode == "constant" or still else Axis(whole=True)


Looks = Mapping[Expr | int, tuple[Axis, Axis]]
"""(rows, columns) that are looked at of other kept values, and of inputs by their number."""


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A value that stands in memory.

    Args:
        node: what it is.
        core: the contraction in it; None without.
        looks: at what it is made of.
        outputs: names of the body's outputs that it is.
    """

    node: Expr
    core: Expr | None
    looks: Looks
    outputs: tuple[str, ...] = ()

    @property
    def size(self) -> Size:
        """(height, width), px."""
        assert self.node.size is not None
        return self.node.size

    @property
    def macs(self) -> int:
        """Multiply-adds of a pixel."""
        return 0 if self.core is None else int(self.core.arg.macs) // math.prod(self.core.arg.size)


@dataclass(frozen=True, slots=True)
class Tile:
    """What a block has of a value, (rows, columns): block b owns places b*owned to (b+1)*owned - 1 along an axis, and
    makes those from b*owned + low to b*owned + high."""

    owned: Size
    low: Size
    high: Size

    @property
    def rows(self) -> int:
        return self.high[0] - self.low[0] + 1

    @property
    def columns(self) -> int:
        return self.high[1] - self.low[1] + 1

    @property
    def pixels(self) -> int:
        return self.rows * self.columns

    @property
    def pitch(self) -> int:
        """Values from channel to channel: odd, so that a pixel's channels are in different banks."""
        return self.pixels | 1


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What a block makes between two barriers.

    Args:
        node: the value.
        kept: how it is made; None if it is copied from memory.
        tile: what there is of it.
        offset: bytes from the start of shared memory; -1 if it goes to memory alone.
        stored: whether it leaves for memory.
        fill: what stands in the tile beyond the image; None if nobody looks there without asking.
        last: number, in the module, of the last value that looks at the tile.
    """

    node: Expr
    kept: Kept | None
    tile: Tile
    offset: int
    stored: bool = False
    fill: float | None = None
    last: int = 0

    @property
    def room(self) -> int:
        """Bytes of the tile in shared memory: a plane a channel."""
        return -(-self.tile.pitch * self.node.channels * self.node.dtype.itemsize // 16) * 16


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """A kernel.

    Args:
        steps: in their order.
        blocks: (down, across).
        shared: bytes.
        moved: bytes of a frame that come from memory and go there, weights left out; each of a block once.
        asked: bytes, in sectors, that threads ask for where they sum what is not in shared memory.
        weights: bytes of weights that a block reads.
        macs: multiply-adds of a frame, those done again included, and an operation for each value.
    """

    steps: tuple[Step, ...]
    blocks: Size
    shared: int
    moved: float
    asked: float
    weights: int
    macs: float

    @property
    def kept(self) -> tuple[Kept, ...]:
        """The values that it makes."""
        return tuple(step.kept for step in self.steps if step.kept is not None)

    @property
    def cost(self) -> float:
        """In bytes of memory: see `MACS`, `ASKED`, `CACHED`, `LAUNCH`."""
        blocks = math.prod(self.blocks)
        idle = max(1.0, BLOCKS / (blocks * BATCH))
        cached = ASKED * self.asked + CACHED * self.weights * blocks
        return self.moved + cached + idle * self.macs / MACS + LAUNCH / BATCH


@dataclass(frozen=True, slots=True, eq=False)
class ModuleProgram:
    """Modules that make a body's outputs, one after another.

    Attributes:
        back, delays, recurrences, histories: empty: it has no memory of earlier frames.
    """

    body: Body
    kept: tuple[Kept, ...]
    modules: tuple[Module, ...]
    back: Mapping[int, int] = field(default_factory=dict)
    delays: Mapping[Expr, int] = field(default_factory=dict)
    recurrences: Mapping[str, Expr] = field(default_factory=dict)
    histories: tuple[tuple[Expr, int], ...] = ()

    @property
    def normal(self) -> ModuleProgram:
        """Its recurrences and histories, where `kernels.fusion.normal.Normal` has them."""
        return self


def lower_modules(
    body: Body, cuts: Sequence[int] | None = None, tile: Size | None = None, shared: int = SHARED
) -> ModuleProgram:
    """The modules of a body with volumes.

    Args:
        body: images only, without memory of earlier frames.
        cuts: numbers of the kept values before which a module ends; None for the cheapest.
        tile: of the last value of every module, (rows, columns); None for the cheapest.
        shared: bytes of shared memory a block may have.

    Raises:
        Unsupported: it has a construct that modules do not hold, or a module as asked for does not fit; says which.
    """
    kept = kept_values(body)
    planner = _Planner(kept, shared, TILES if tile is None else (tile,))
    ends = planner.best() if cuts is None else [*sorted({c for c in cuts if 0 < c < len(kept)}), len(kept)]
    modules, first = [], 0
    for end in ends:
        made = planner.module(first, end)
        if made is None:
            raise Unsupported(f"values {first} to {end - 1} of a network do not fit one module")
        modules.append(made)
        first = end
    return ModuleProgram(body, kept, tuple(modules))


def is_pointwise(node: Expr) -> bool:
    """Whether a node looks at its operands at its own pixel and channel."""
    return node.op in OPS or node.op == "convert"


def source_of(volume: Expr) -> tuple[Expr, int]:
    """The value of which a volume is some channels, and the first of these."""
    first = 0
    while volume.op == "part":
        first += volume.arg[0]
        volume = volume.src[0]
    return volume, first


def key_of(source: Expr) -> Expr | int:
    """How `Kept.looks` names a value."""
    return int(source.arg.index) if source.op == "input" else source


# Kept values


def kept_values(body: Body) -> tuple[Kept, ...]:
    """What a body's kernels keep, each after those that it is made of.

    Raises:
        Unsupported: tables, or a memory of earlier frames.
    """
    if body.updates:
        raise Unsupported("layers of a network beside recurrences")
    roots: dict[str, Expr] = {}
    for output in body.outputs:
        if output.table is not None or not isinstance(output.type, ImageType):
            raise Unsupported("a table is made of what a network gives")
        size = output.type.height, output.type.width
        root = spread(stack(output.planes), size)
        # An input unchanged is made like other values.
        roots[output.name] = select(coord("x", size) >= 0, root, root) if root.op == "input" else root
    nodes = list(postorder(roots.values()))
    if any(n.op in ("state", "recur") or (n.op == "load" and n.arg.dt < 0) for n in nodes):
        raise Unsupported("layers of a network beside a memory of earlier frames")
    chosen = _chosen(nodes, list(roots.values()))
    made: list[Kept] = []
    for node in nodes:
        if node in chosen:
            names = tuple(name for name, root in roots.items() if root is node)
            made.append(Kept(node, next(iter(_cores(node, chosen)), None), _looks(node, chosen), names))
    return tuple(made)


def _chosen(nodes: Sequence[Expr], roots: Sequence[Expr]) -> set[Expr]:
    chosen = set(roots)
    for node in nodes:
        if node.op == "contract" and (source := source_of(node.src[0])[0]).op != "input":
            chosen.add(source)
    operations: dict[Expr, float] = {}  # to compute a value at one place
    for node in nodes:
        looks = 1
        if node.op == "window":
            looks = (node.arg.y1 - node.arg.y0 + 1) * (node.arg.x1 - node.arg.x0 + 1)
        if node.op in ("load", "gather", "window", "mosaic", "stack"):
            limit = math.inf if node.op in ("stack", "mosaic") else INLINE
            for s in node.src if node.op in ("stack", "mosaic") else node.src[:1]:
                if s.op != "input" and looks * operations[s] >= limit:
                    chosen.add(s)
        inner = sum(1.0 if s in chosen else operations[s] for s in node.src)
        operations[node] = 1.0 if node in chosen else math.inf if node.op == "contract" else looks * (1.0 + inner)
    while True:
        owners: dict[Expr, set[Expr]] = {}
        for node in chosen:
            for core in _cores(node, chosen):
                owners.setdefault(core, set()).add(node)
        more = {core for core, some in owners.items() if len(some) > 1}
        if not more:  # one contraction a value, seen through point-wise operations alone
            for node in chosen:
                cores = _cores(node, chosen)
                same = [c for c in cores if (c.channels, c.size) == (node.channels, node.size)
                        and _pointwise_to(node, c, chosen)]  # fmt: skip
                most = max(same, key=lambda c: c.arg.macs, default=None)
                more |= {core for core in cores if core is not most}
        if not more:
            return chosen
        chosen |= more


def _cores(node: Expr, chosen: set[Expr]) -> list[Expr]:
    """Contractions that are computed with a kept value: it itself, and those below it before the next kept value."""
    return [n for n in _below(node, chosen) if n.op == "contract"]


def _below(node: Expr, chosen: set[Expr]) -> Iterator[Expr]:
    seen: set[Expr] = set()
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one in seen or (one is not node and one in chosen):
            continue
        seen.add(one)
        yield one
        waiting += one.src[1:] if one.op == "contract" else one.src


def _pointwise_to(node: Expr, core: Expr, chosen: set[Expr]) -> bool:
    """Whether every way from a kept value to a contraction is point-wise."""
    reached = {core}
    for one in postorder([node], {core, *(chosen - {node})}):
        if one is core or not any(s in reached for s in one.src):
            continue
        if not is_pointwise(one):
            return False
        reached.add(one)
    return True


def _looks(node: Expr, chosen: set[Expr]) -> dict[Expr | int, tuple[Axis, Axis]]:
    """At which places of other values one is looked at from a pixel."""
    found: dict[Expr | int, tuple[Axis, Axis]] = {}
    waiting: list[tuple[Expr, Axis, Axis]] = [(node, Axis(), Axis())]
    seen: set[tuple[Expr, Axis, Axis]] = set()
    while waiting:
        one, down, along = waiting.pop()
        if (one, down, along) in seen:
            continue
        seen.add((one, down, along))
        if (one in chosen and one is not node) or one.op == "input":
            before = found.get(key_of(one))
            both = (down, along) if before is None else (before[0].joined(down), before[1].joined(along))
            found[key_of(one)] = both
            continue
        arg = one.arg
        match one.op:
            case "load":
                mode = arg.border.mode
                waiting.append((one.src[0], down.inside(arg.stride_y, arg.dy, arg.dy).bordered(mode),
                                along.inside(arg.stride_x, arg.dx, arg.dx).bordered(mode)))  # fmt: skip
            case "window":
                mode = arg.border.mode
                waiting.append((one.src[0], down.inside(1, arg.y0, arg.y1).bordered(mode),
                                along.inside(1, arg.x0, arg.x1).bordered(mode)))  # fmt: skip
            case "gather":
                waiting.append((one.src[0], Axis(whole=True), Axis(whole=True)))
                waiting += [(s, down, along) for s in one.src[1:]]
            case "mosaic":
                waiting += [(s, down.inside(1, 0, 0, arg[0]), along.inside(1, 0, 0, arg[1])) for s in one.src]
            case "contract":
                reach = [(n - 1) * d for n, d in zip(arg.taps, arg.dilation, strict=True)]
                waiting.append((source_of(one.src[0])[0],
                                down.inside(arg.stride[0], arg.y0, arg.y0 + reach[0], arg.up[0]),
                                along.inside(arg.stride[1], arg.x0, arg.x0 + reach[1], arg.up[1])))  # fmt: skip
            case _:
                waiting += [(s, down, along) for s in one.src]
    return found


# Modules


class _Planner:
    """Modules of runs of values, and the cheapest runs."""

    def __init__(self, kept: Sequence[Kept], shared: int, tiles: Sequence[Size]) -> None:
        self.kept, self.shared, self.tiles = kept, shared, tiles
        number = {one.node: k for k, one in enumerate(kept)}
        self.last_use = list(range(len(kept)))
        for k, one in enumerate(kept):
            for source in one.looks:
                if isinstance(source, Expr):
                    self.last_use[number[source]] = k
        self._known: dict[tuple[int, int], Module | None] = {}

    def best(self) -> list[int]:
        """Where the modules of the cheapest partition end."""
        count = len(self.kept)
        cost, before = [0.0] + [math.inf] * count, [0] * (count + 1)
        for first in range(count):
            for end in range(first + 1, min(count, first + LONGEST) + 1):
                made = self.module(first, end)
                if made is not None and cost[first] + made.cost < cost[end]:
                    cost[end], before[end] = cost[first] + made.cost, first
        if cost[count] == math.inf:
            raise Unsupported("a value of a network does not fit any module")
        ends, at = list[int](), count
        while at:
            ends.append(at)
            at = before[at]
        return ends[::-1]

    def module(self, first: int, end: int) -> Module | None:
        """The cheapest module of a run; None if none fits."""
        if (first, end) not in self._known:
            made = [m for tile in self.tiles if (m := self._module(first, end, tile)) is not None]
            self._known[first, end] = min(made, key=lambda m: m.cost, default=None)
        return self._known[first, end]

    def _module(self, first: int, end: int, tile: Size) -> Module | None:
        run = self.kept[first:end]
        tiles = self._tiles(first, run, tile)
        if tiles is None:
            return None
        down, across = (-(-n // t) for n, t in zip(run[-1].size, tiles[-1].owned, strict=True))
        for one, own in zip(run, tiles, strict=True):  # blocks of the last value cover what else is stored
            if one.size[0] > down * own.owned[0] or one.size[1] > across * own.owned[1]:
                return None
        steps = self._placed(first, run, tiles)
        if steps is None:
            return None
        moved = asked = macs = 0.0
        weights = 0
        inside = {key_of(step.node) for step in steps}
        for step in steps:
            item, made = step.node.channels * step.node.dtype.itemsize, step.kept
            if made is None:
                moved += down * across * _sectors(step)
                continue
            macs += down * across * step.tile.pixels * (made.macs + step.node.channels)
            moved += math.prod(made.size) * item if step.stored else 0
            moved += down * across * sum(_seen(made, step.tile, s) for s in made.looks if s not in inside)
            far = made.core is not None and _summed(made) not in inside
            asked += down * across * _asked(made, step.tile) if far else 0
            weights += made.core.arg.weights.array.nbytes if made.core is not None else 0
        bottom = max((step.offset + step.room for step in steps if step.offset >= 0), default=0)
        return Module(tuple(steps), (down, across), bottom, moved, asked, weights, macs)

    def _tiles(self, first: int, run: Sequence[Kept], tile: Size) -> list[Tile] | None:
        """The tiles of a run's values; None where they do not go together."""
        size = run[-1].size
        tile = min(tile[0], size[0]), min(tile[1], size[1])
        found: dict[int, Tile] = {}
        for k in reversed(range(len(run))):
            one = run[k]
            stored = self._stored(first + k, first + len(run))
            axes = []
            for axis in (0, 1):
                seen = [_through(found[j], axis, run[j].looks[one.node][axis]) for j in range(k + 1, len(run))
                        if one.node in run[j].looks]  # fmt: skip
                if None in seen:
                    return None
                spans = [span for span in seen if span is not None]
                if spans:
                    owned = spans[0][0]
                else:
                    owned, rest = divmod(tile[axis] * one.size[axis], size[axis])
                    if rest:
                        return None
                if owned < 1 or any(span[0] != owned for span in spans):
                    return None
                spans += [(owned, 0, owned - 1)] if stored or not spans else []
                axes.append((owned, min(span[1] for span in spans), max(span[2] for span in spans)))
            down, along = axes
            found[k] = Tile((down[0], along[0]), (down[1], along[1]), (down[2], along[2]))
        return [found[k] for k in range(len(run))]

    def _stored(self, number: int, end: int) -> bool:
        return bool(self.kept[number].outputs) or self.last_use[number] >= end

    def _copies(self, run: Sequence[Kept], tiles: Sequence[Tile]) -> dict[int, Step]:
        """What is copied to shared memory before a value of the run is made: what it contracts with taps or often.
        Others share a copy, where one holds all that every value looks at while it is there."""
        own = {one.node for one in run}
        found: dict[int, Step] = {}
        first: dict[Expr, int] = {}

        def copied(source: Expr, since: int, until: int) -> Tile | None:
            """All that values of the run look at of a source."""
            tile: Tile | None = None
            for one, made in zip(run[since : until + 1], tiles[since : until + 1], strict=True):
                if (looks := one.looks.get(key_of(source))) is None:
                    continue
                spans = [_through(made, axis, look) for axis, look in enumerate(looks)]
                if None in spans:
                    return None
                (rows, top, bottom), (columns, left, right) = (span for span in spans if span is not None)
                seen = Tile((rows, columns), (top, left), (bottom, right))
                if tile is not None and tile.owned != seen.owned:
                    return None
                tile = seen if tile is None else _both(tile, seen)
            return tile

        for k, one in enumerate(run):
            if one.core is None:
                continue
            how: Contract = one.core.arg
            source = source_of(one.core.src[0])[0]
            tile = copied(source, k, k)
            if source in own or math.prod(how.taps) * how.features // how.groups < OFTEN or tile is None:
                continue
            before = first.get(source)
            both = None if before is None else copied(source, before, k)
            if before is not None and both is not None:
                found[before] = replace(found[before], tile=both, last=k)
            else:
                found[k] = Step(source, None, tile, 0, fill=how.outside, last=k)
                first[source] = k
        return found

    def _placed(self, first: int, run: Sequence[Kept], tiles: Sequence[Tile]) -> list[Step] | None:
        """The steps of a run with their places in shared memory; None where it is too small. A copy that has no place
        is left out, the largest first: its reader reads memory."""
        copies = self._copies(run, tiles)
        while True:
            made = self._with(first, run, tiles, copies)
            if made is None or all(s.offset + s.room <= self.shared for s in made if s.offset >= 0):
                return made
            if not copies:
                return None
            del copies[max(copies, key=lambda k: copies[k].room)]

    def _with(
        self, first: int, run: Sequence[Kept], tiles: Sequence[Tile], copies: Mapping[int, Step]
    ) -> list[Step] | None:
        taken: list[tuple[int, int, int]] = []  # (last moment that needs it, first byte, end)

        def placed(step: Step, now: int, last: int) -> Step:
            at = 0
            for begin, stop in sorted((begin, stop) for until, begin, stop in taken if until >= now):
                if begin - at >= step.room:
                    break
                at = max(at, stop)
            taken.append((last, at, at + step.room))
            return replace(step, offset=at)

        steps: list[Step] = []
        for k, (one, tile) in enumerate(zip(run, tiles, strict=True)):
            if k in copies:
                steps.append(placed(copies[k], 2 * k - 1, 2 * copies[k].last))
            readers = [j for j in range(k + 1, len(run)) if one.node in run[j].looks]
            stored = self._stored(first + k, first + len(run))
            if not readers and not stored:
                return None
            fills = [core.arg.outside for j in readers if (core := run[j].core) is not None
                     and source_of(core.src[0])[0] is one.node]  # fmt: skip
            step = Step(one.node, one, tile, -1, stored, fills[0] if fills else None, max(readers, default=k))
            steps.append(placed(step, 2 * k, 2 * step.last) if readers else step)
        return steps


def _both(one: Tile, other: Tile) -> Tile:
    """What is in either of two tiles of the same blocks."""
    low = min(one.low[0], other.low[0]), min(one.low[1], other.low[1])
    high = max(one.high[0], other.high[0]), max(one.high[1], other.high[1])
    return Tile(one.owned, low, high)


def _summed(one: Kept) -> Expr | int | None:
    """What a value's contraction looks at, as `Kept.looks` names it."""
    return key_of(source_of(one.core.src[0])[0]) if one.core is not None else None


def _sectors(step: Step) -> int:
    """Bytes of the sectors that a block's copy touches: rows of a plane, or of whole pixels where it is an input."""
    tile, item = step.tile, step.node.dtype.itemsize
    item, planes = (item * step.node.channels, 1) if step.node.op == "input" else (item, step.node.channels)
    begin = (tile.owned[1] + tile.low[1]) * item
    end = begin + tile.columns * item
    return planes * tile.rows * (-(-end // SECTOR) - begin // SECTOR) * SECTOR


def _asked(one: Kept, tile: Tile) -> float:
    """Bytes of sectors that a block's threads ask for where they sum what is not in shared memory."""
    assert one.core is not None
    how: Contract = one.core.arg
    source = source_of(one.core.src[0])[0]
    looks = tile.pixels * how.weights.array[0].size * -(-how.features // WIDE if how.groups == 1 else -how.features)
    apart = source.op == "input" and source.channels > 1  # pixel by pixel in memory, and threads are pixels
    return float(looks * (min(SECTOR, source.channels * source.dtype.itemsize) if apart else source.dtype.itemsize))


def _through(tile: Tile, axis: int, look: Axis) -> tuple[int, int, int] | None:
    """(owned, low, high) of what a look sees from a tile; None where blocks do not meet pixels."""
    owned = tile.owned[axis] * look.stride
    if look.whole or owned % look.up:
        return None
    low, high = tile.low[axis] * look.stride + look.low, tile.high[axis] * look.stride + look.high
    return owned // look.up, low // look.up, high // look.up


def _seen(one: Kept, tile: Tile, source: Expr | int) -> float:
    """Bytes that a block reads of a value in memory, each pixel once."""
    pixels = 1
    for axis, look in enumerate(one.looks[source]):
        span = _through(tile, axis, look)
        places = (tile.rows, tile.columns)[axis]
        if span is not None:
            places = min(span[2] - span[1] + 1, places * (look.high - look.low + 1))
        pixels *= places
    volume = source_of(one.core.src[0])[0] if one.core is not None else None
    if volume is None or key_of(volume) != source:
        if not isinstance(source, Expr):
            return pixels * 4.0 * one.node.channels  # planes of an input, of some type
        volume = source
    return float(pixels * volume.channels * volume.dtype.itemsize)
