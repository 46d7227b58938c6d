"""Layers of networks as fused modules for a GPU: which values a kernel keeps, for which tiles, in which memory.

A body with volumes becomes *kept values*: what is summed over channels, what neighbours look at, what several others
take, what leaves. Each is made of others by one contraction at most, with the point-wise expressions around it. A
*module* is a run of kept values that one kernel makes, block by block: a block owns a tile of the last value, and so,
through strides, tiles of those before it; what it needs of them beyond its own it makes again (halo), in shared memory.
Depthwise, point-wise, both in either order, inverted residuals and longer chains are such runs, not kinds of kernels.

Which values share a module is chosen by dynamic programming over the down-sets of their graph
(`kernels.fusion.down_sets`): the least sum of bytes moved and operations over all partitions into modules of `LONGEST`
values at most that hold together, residual branches and joins included.

Sources: fused convolutional modules (Qararyah et al. 2024, FusePlanner); ConvFusion (Waeijen et al. 2021), for the
accesses that follow from a tile. Here they are bytes, weights are read again by every block, and no layer stands twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from kernels.fusion.down_sets import Rules, bits, down_sets, in_order
from kernels.fusion.normal import Unsupported
from kernels.fusion.occupancy import SHARED
from kernels.ir.body import Body
from kernels.ir.expr import Expr, Size, postorder, select
from kernels.ir.image import I8, I32, U8, ImageType
from kernels.ir.ops import OPS
from kernels.ir.planes import coord, spread
from kernels.ir.volumes import Contract, stack

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
TENSOR_WIDE = 4
"""Eights of channels that a warp makes together by tensor cores: what it reads of the pixels serves them all."""
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
        # Looks compose as affine maps, (stride i + low) // up; behind a division by `up` > 1 another stride or offset
        # is no such map any more, and the whole axis is taken.
        if self.whole or (self.up > 1 and (stride, low, high, up) != (1, 0, 0, 1)):
            return Axis(whole=True)
        return Axis(self.stride * stride, self.low * stride + low, self.high * stride + high, up * self.up)

    def joined(self, other: Axis) -> Axis:
        """Both looks."""
        if self.whole or other.whole or (self.stride, self.up) != (other.stride, other.up):
            return Axis(whole=True)
        return Axis(self.stride, min(self.low, other.low), max(self.high, other.high), self.up)

    def bordered(self, mode: str, grown: bool = False) -> Axis:
        """A look that may be folded back into the image: under other rules than a constant it may end anywhere.

        Args:
            grown: whether there are more places than the image has pixels, so that also those which are looked at where
                they are lie beyond it.
        """
        still = (self.stride, self.low, self.high, self.up) == (1, 0, 0, 1) and not grown
        return self if mode == "constant" or still else Axis(whole=True)


Span = tuple[int, int, int]
"""Along an axis: what a block owns, and from where to where it makes values, as `Tile` has them."""
Looks = Mapping[Expr | int, tuple[Axis, Axis]]
"""(rows, columns) that are looked at of other kept values, and of inputs by their number."""


@dataclass(frozen=True, slots=True, eq=False)
class Kept:
    """A value that is in memory.

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

    @property
    def operations(self) -> float:
        """Of a pixel: one for each value, and its multiply-adds; four of bytes are one dp4a."""
        whole = self.core is not None and self.core.dtype == I32 and self.core.arg.weights.array.shape[3] > 1
        return self.node.channels + self.macs / (4 if whole else 1)


@dataclass(frozen=True, slots=True)
class Tile:
    """What a block has of a value, (rows, columns): block b owns places b*owned to (b+1)*owned - 1 along an axis, and
    makes those from b*owned + low to b*owned + high."""

    owned: Size
    low: Size
    high: Size

    @property
    def spans(self) -> tuple[Span, Span]:
        """(down, along)."""
        return (self.owned[0], self.low[0], self.high[0]), (self.owned[1], self.low[1], self.high[1])

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
        fill: what is in the tile beyond the image; None if nothing looks there without asking.
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
        """Bytes of the tile in shared memory: a plane a channel, or four (`in_words`)."""
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
        operations: of a frame, those done again included (see `Kept.operations`).
    """

    steps: tuple[Step, ...]
    blocks: Size
    shared: int
    moved: float
    asked: float
    weights: int
    operations: float

    @property
    def kept(self) -> tuple[Kept, ...]:
        """The values that it makes."""
        return tuple(step.kept for step in self.steps if step.kept is not None)

    @property
    def cost(self) -> float:
        """In bytes of memory: see `MACS`, `ASKED`, `CACHED`, `LAUNCH`."""
        return sum(self._parts) + LAUNCH / BATCH

    @property
    def _parts(self) -> tuple[float, float]:
        """What comes and goes, and what is computed."""
        blocks = math.prod(self.blocks)
        # A launch of fewer blocks than the card runs at once leaves multiprocessors idle: its computing takes as many
        # times longer.
        idle = max(1.0, BLOCKS / (blocks * BATCH))
        cached = ASKED * self.asked + CACHED * self.weights * blocks
        return self.moved + cached, idle * self.operations / MACS

    def taking(self, resident: int) -> float:
        """`cost` where a multiprocessor holds `resident` blocks: max(M, C) + min(M, C) / resident + the launch, M of
        memory and C of computing. While one block waits for memory others compute, so that of the shorter one a
        block's share remains; a block alone does one after the other."""
        return max(self._parts) + min(self._parts) / max(resident, 1) + LAUNCH / BATCH


@dataclass(frozen=True, slots=True, eq=False)
class ModuleProgram:
    """Modules that make a body's outputs, one after another.

    Args:
        gap: by which share of its cost another partition may be cheaper; 0 if none is.

    Attributes:
        back, delays, recurrences, histories: empty: it has no memory of earlier frames.
    """

    body: Body
    kept: tuple[Kept, ...]
    modules: tuple[Module, ...]
    gap: float = 0.0
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
    if cuts is None:
        modules, gap = planner.best()
        return ModuleProgram(body, kept, tuple(modules), gap)
    modules, first = [], 0
    for end in [*sorted({c for c in cuts if 0 < c < len(kept)}), len(kept)]:
        made = planner.module(range(first, end))
        if made is None:
            raise Unsupported(f"values {first} to {end - 1} of a network do not fit one module")
        modules.append(made)
        first = end
    return ModuleProgram(body, kept, tuple(modules))


def joined(program: ModuleProgram, number: int, shared: int = SHARED) -> Module | None:
    """The cheapest module of what a module and the next one hold together; None where none fits."""
    at = {one.node: k for k, one in enumerate(program.kept)}
    both = program.modules[number].kept + program.modules[number + 1].kept
    return _Planner(program.kept, shared, TILES).module(sorted(at[one.node] for one in both))


def hold_together(one: Module, other: Module) -> bool:
    """Whether a module looks at what another makes, or both look at the same: others share no kernel."""
    own = [{key_of(kept.node) for kept in module.kept} for module in (one, other)]
    looks = [{source for kept in module.kept for source in kept.looks} for module in (one, other)]
    return bool(own[0] & looks[1] or own[1] & looks[0] or looks[0] & looks[1])


def retiled(program: ModuleProgram, number: int, held: Callable[[int], int]) -> Module:
    """A module with the tile by which it takes least (`Module.taking`).

    Args:
        held: from the shared memory of a block, bytes, to the blocks that a multiprocessor holds; 0: it holds none.
    """
    at = {one.node: k for k, one in enumerate(program.kept)}
    old = program.modules[number]
    run = _Planner(program.kept, SHARED, TILES).run(sorted(at[one.node] for one in old.kept))
    # The old tile stays unless another is faster; a tile of which a multiprocessor holds no block is no choice.
    best = old.taking(held(old.shared)) if held(old.shared) else math.inf, old
    for made in run.every():
        if held(made.shared) and made.taking(held(made.shared)) < best[0]:
            best = made.taking(held(made.shared)), made
    return best[1]


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


def in_words(node: Expr) -> bool:
    """Whether four channels of a pixel of a kept value, or of a copy, lie side by side: bytes, as dp4a takes them."""
    return node.dtype in (U8, I8) and node.channels % 4 == 0


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
    # A contraction sums over a tile of its source that several threads read: that source has to be in memory, unless it
    # is an input and is there already.
    for node in nodes:
        if node.op == "contract" and (source := source_of(node.src[0])[0]).op != "input":
            chosen.add(source)
    # What is looked at from several places is computed once for each look, unless it is kept: above INLINE operations
    # memory is cheaper.
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
    # A kernel computes one contraction a value, and each contraction belongs to one value: keep those that two values
    # would share, then those that are not the last step of theirs, until nothing changes.
    while True:
        owners: dict[Expr, set[Expr]] = {}
        for node in chosen:
            for core in _cores(node, chosen):
                owners.setdefault(core, set()).add(node)
        # Shared by two values: computed by neither, kept by itself.
        more = {core for core, some in owners.items() if len(some) > 1}
        if not more:  # one contraction a value, seen through point-wise operations alone
            for node in chosen:
                cores = _cores(node, chosen)
                same = [c for c in cores if (c.channels, c.size) == (node.channels, node.size)
                        and _pointwise_to(node, c, chosen)]  # fmt: skip
                # Of those with the value's own size and channels the one of most work stays with it; the others are
                # kept.
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
        # What a contraction sums is another kernel's; only its start is computed here.
        waiting += one.src[1:] if one.op == "contract" else one.src


def _pointwise_to(node: Expr, core: Expr, chosen: set[Expr]) -> bool:
    """Whether every way from a kept value to a contraction is point-wise."""
    reached = {core}
    # Operands first: a node that reaches the contraction by any way must be point-wise.
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
    # Depth first with the places so far: the same node may be looked at by several ways, whose places are joined.
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
                mode, (source,) = arg.border.mode, one.src
                grown = [n > have for n, have in zip(one.size or (0, 0), source.size or (0, 0), strict=True)]
                waiting.append((source, down.inside(arg.stride_y, arg.dy, arg.dy).bordered(mode, grown[0]),
                                along.inside(arg.stride_x, arg.dx, arg.dx).bordered(mode, grown[1])))  # fmt: skip
            case "window":
                mode = arg.border.mode
                waiting.append((one.src[0], down.inside(1, arg.y0, arg.y1).bordered(mode),
                                along.inside(1, arg.x0, arg.x1).bordered(mode)))  # fmt: skip
            case "gather":
                # A gather's places depend on pixels: any pixel.
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
    """Modules of sets of values (their numbers, ascending), and the cheapest partition into such."""

    def __init__(self, kept: Sequence[Kept], shared: int, tiles: Sequence[Size]) -> None:
        self.kept, self.shared, self.tiles = kept, shared, tiles
        number = {one.node: k for k, one in enumerate(kept)}
        self.readers: list[dict[int, tuple[Axis, Axis]]] = [{} for _ in kept]
        for k, one in enumerate(kept):
            for source, looks in one.looks.items():
                if isinstance(source, Expr):
                    self.readers[number[source]][k] = looks
        self._runs: dict[tuple[int, ...], _Run] = {}

    def best(self) -> tuple[list[Module], float]:
        """The modules of the cheapest partition, and by which share another may be cheaper: 0 if none is."""
        units = self._units()
        before, rules = self._rules(units)

        def run(group: int) -> _Run:
            return self.run(sorted(k for u in bits(group) for k in units[u]))

        def cost(group: int, limit: float) -> float:
            return run(group).cost(limit)

        def least(group: int) -> float:
            return self.least([k for u in bits(group) for k in units[u]])

        sets, gap = down_sets(before, rules), 0.0
        if sets is not None:
            found = sets.cheapest(cost, least)
        else:
            found = in_order(len(units), cost, LONGEST)
            # The partition in order against a bound that holds for all: by so much another may be cheaper.
            gap = found.cost / self.least(range(len(self.kept))) - 1
        if not found.groups:
            raise Unsupported("a value of a network does not fit any module")
        return [module for group in found.groups if (module := run(group).module()) is not None], gap

    def _units(self) -> list[tuple[int, ...]]:
        """The values, together those that are moved only, from the same ones to the same ones: parts of a map, which
        any order suits."""
        alike: dict[object, list[int]] = {}
        for k, one in enumerate(self.kept):
            moved = one.core is None and not one.outputs
            # Copies alone, with the same sources and readers, go together; all others are units by themselves.
            key = (frozenset(one.looks), frozenset(self.readers[k]), one.size) if moved else k
            alike.setdefault(key, []).append(k)
        return sorted(tuple(unit[at : at + LONGEST]) for unit in alike.values() for at in range(0, len(unit), LONGEST))

    def _rules(self, units: Sequence[tuple[int, ...]]) -> tuple[list[int], Rules]:
        """What each unit needs, and which may be together: those that look at one another or at the same, but not at
        any place of one another."""
        owner = {k: u for u, unit in enumerate(units) for k in unit}
        before, apart, linked = ([0] * len(units) for _ in range(3))
        looking: dict[Expr | int, int] = {}
        for k, one in enumerate(self.kept):
            for source in one.looks:
                looking[source] = looking.get(source, 0) | 1 << owner[k]
            for reader, looks in self.readers[k].items():
                u, v = owner[k], owner[reader]
                before[v] |= 1 << u
                for a, b in ((u, v), (v, u)):
                    linked[a] |= 1 << b
                    # Who looks at any place of another needs all of it, thus a launch in between.
                    apart[a] |= any(look.whole for look in looks) << b
        # Readers of one value hold together, too: they share what they read.
        for some in looking.values():
            for u in bits(some):
                linked[u] |= some
        return before, Rules(LONGEST, [len(unit) for unit in units], apart, linked)

    def least(self, numbers: Iterable[int]) -> float:
        """What modules of some values cost together at least: everything is made once, what comes from others read
        once, what others take written once."""
        inside = set(numbers)
        found = LAUNCH / BATCH + self.entering(inside)
        for k in inside:
            one = self.kept[k]
            pixels, channels = math.prod(one.size), one.node.channels
            # Bytes are the unit of cost: operations and weights are counted as the bytes that take as long.
            found += pixels * one.operations / MACS + _weights(one) * CACHED
            if one.outputs or self.readers[k].keys() - inside:
                found += pixels * channels * one.node.dtype.itemsize
        return found

    def entering(self, numbers: Collection[int]) -> float:
        """Bytes that a module of some values reads of others at least. What several look at may have been copied by one
        that sums it, for all."""
        own = {self.kept[k].node for k in numbers}
        found: dict[Expr | int, tuple[bool, float]] = {}
        for k in numbers:
            one = self.kept[k]
            for source, looks in one.looks.items():
                if source not in own:
                    # A stride skips pixels that no tap covers; zoomed sources have `up` times fewer.
                    share = math.prod(min(a.stride, a.high - a.low + 1) / a.up for a in looks if not a.whole)
                    seen = _summed(one) == source, math.prod(one.size) * share * _pixel(one, source)
                    # A contraction reads it first (True > False), and its copy serves the others.
                    found[source] = max(found.get(source, (False, 0.0)), seen)
        return sum(seen for _, seen in found.values())

    def run(self, numbers: Sequence[int]) -> _Run:
        """The modules of some values."""
        key = tuple(numbers)
        if key not in self._runs:
            self._runs[key] = _Run(self, key)
        return self._runs[key]

    def module(self, numbers: Sequence[int]) -> Module | None:
        """The cheapest module of some values; None if none fits."""
        return self.run(numbers).module()


_Shape = tuple[Module, Sequence[Span], Sequence[Span]]
"""A module without its steps and what it reads, and what a block has of its values, (down, along)."""


class _Run:
    """The values of a module, for all its tiles."""

    def __init__(self, planner: _Planner, numbers: Sequence[int]) -> None:
        self.planner = planner
        self.run = [planner.kept[k] for k in numbers]
        at = {number: k for k, number in enumerate(numbers)}
        own = {one.node for one in self.run}
        self.inner: list[dict[int, tuple[Axis, Axis]]] = []
        self.stored: list[bool] = []
        for number, one in zip(numbers, self.run, strict=True):
            readers = planner.readers[number]
            self.inner.append({at[j]: looks for j, looks in readers.items() if j in at})
            # To memory goes what is an output or what another module reads.
            self.stored.append(bool(one.outputs) or len(self.inner[-1]) < len(readers))
        self.copied: list[tuple[int, Expr, Contract]] = []
        for k, one in enumerate(self.run):
            if one.core is not None:
                # Each value of an input goes into so many products (taps times features of its group): if they are many
                # it is copied to shared memory first.
                how: Contract = one.core.arg
                source = source_of(one.core.src[0])[0]
                if source not in own and math.prod(how.taps) * how.features // how.groups >= OFTEN:
                    self.copied.append((k, source, how))
        self.weights = sum(map(_weights, self.run))
        self.entering = planner.entering(numbers)
        self.best: tuple[float, int, Module | None] = (math.inf, 0, None)
        self.waiting: list[tuple[float, int, _Shape]] | None = None

    def module(self) -> Module | None:
        """The cheapest; None if no tile fits."""
        self.cost(math.inf)
        return self.best[2]

    def every(self) -> Iterator[Module]:
        """One for each tile that fits."""
        for _, _, shape in self._shapes():
            if (made := self._filled(shape)) is not None:
                yield made

    def cost(self, limit: float) -> float:
        """What the cheapest costs, or at least, if that is the limit or more. Tiles are tried in the order of what they
        cost at least."""
        if self.waiting is None:
            self.waiting = sorted(self._shapes(), key=lambda one: one[:2], reverse=True)
        # Branch and bound: tiles by rising lower bound, until none can beat the best, or the limit is reached.
        while self.waiting and self.waiting[-1][0] <= self.best[0]:
            if self.waiting[-1][0] >= limit:
                return self.waiting[-1][0]
            _, n, shape = self.waiting.pop()
            made = self._filled(shape)
            if made is not None and (made.cost, n) < self.best[:2]:
                self.best = made.cost, n, made
        return self.best[0]

    def _shapes(self) -> Iterator[tuple[float, int, _Shape]]:
        """Those of the tiles that go together: what each costs at least, its number, what it is."""
        # A value that nobody in the module looks at and that does not leave it has no place.
        if not all(inner or stored for inner, stored in zip(self.inner, self.stored, strict=True)):
            return
        height, width = self.run[-1].size
        sizes = dict.fromkeys((min(rows, height), min(columns, width)) for rows, columns in self.planner.tiles)
        ways = [{n: self._spans(axis, n) for n in {size[axis] for size in sizes}} for axis in (0, 1)]
        each = [one.operations for one in self.run]
        pixels = [math.prod(one.size) * one.node.channels * one.node.dtype.itemsize for one in self.run]
        moved = float(sum(n for n, stored in zip(pixels, self.stored, strict=True) if stored))
        for number, (rows, columns) in enumerate(sizes):
            down, along = ways[0][rows], ways[1][columns]
            if down is None or along is None:
                continue
            blocks = -(-height // down[-1][0]), -(-width // along[-1][0])
            # Halos are made again by each block.
            operations = sum(n * (high - low + 1) * (right - left + 1) for n, (_, low, high), (_, left, right)
                             in zip(each, down, along, strict=True)) * math.prod(blocks)  # fmt: skip
            bare = Module((), blocks, 0, moved, 0.0, self.weights, float(operations))
            yield bare.cost + self.entering, number, (bare, down, along)

    def _spans(self, axis: int, length: int) -> list[Span] | None:
        """What a block has of each value along an axis, of `length` of the last one; None where that does not go, or
        where blocks of the last value do not cover all."""
        size = self.run[-1].size[axis]
        found: list[Span] = [(0, 0, 0)] * len(self.run)
        # From the last value back: what is looked at of each, as (owned a block, first, last) along the axis.
        for k in reversed(range(len(self.run))):
            one, owned, low, high = self.run[k], 0, 0, -1
            for j, looks in self.inner[k].items():
                span = _through(found[j], looks[axis])
                # Two readers must cut it into blocks of the same length.
                if span is None or (owned and span[0] != owned):
                    return None
                low, high = (min(low, span[1]), max(high, span[2])) if owned else span[1:]
                owned = span[0]
            # Nobody inside looks at it: its blocks are a share of its own length, which must come out even.
            if not owned:
                owned, rest = divmod(length * one.size[axis], size)
                if rest or not owned:
                    return None
                low, high = 0, owned - 1
            # What leaves is written by its owner wholly.
            elif self.stored[k]:
                low, high = min(low, 0), max(high, owned - 1)
            found[k] = owned, low, high
        blocks = -(-size // found[-1][0])
        # All blocks together must own every pixel of every value.
        covered = all(one.size[axis] <= blocks * span[0] for one, span in zip(self.run, found, strict=True))
        return found if covered else None

    def _filled(self, shape: _Shape) -> Module | None:
        """The module of a shape; None where shared memory is too small."""
        bare, down, along = shape
        steps = self._placed([Tile((y[0], x[0]), (y[1], x[1]), (y[2], x[2])) for y, x in zip(down, along, strict=True)])
        if steps is None:
            return None
        count = math.prod(bare.blocks)
        moved, asked = bare.moved, 0.0
        inside = {key_of(step.node) for step in steps}
        for step in steps:
            made = step.kept
            if made is None:
                moved += count * _sectors(step)
                continue
            moved += count * sum(_seen(made, step.tile, s) for s in made.looks if s not in inside)
            # Sums over what is not in shared memory: each thread asks for its own.
            far = made.core is not None and _summed(made) not in inside
            asked += count * _asked(made, step.tile) if far else 0
        bottom = max((step.offset + step.room for step in steps if step.offset >= 0), default=0)
        return replace(bare, steps=tuple(steps), shared=bottom, moved=moved, asked=asked)

    def _copies(self, tiles: Sequence[Tile]) -> dict[int, Step]:
        """What is copied to shared memory before a value is made: what it contracts with taps or often. Others share a
        copy, where one holds all that every value looks at while it is there."""
        found: dict[int, Step] = {}
        first: dict[Expr, int] = {}

        def copied(source: Expr, since: int, until: int) -> Tile | None:
            """All that values look at of a source."""
            tile: Tile | None = None
            for one, made in zip(self.run[since : until + 1], tiles[since : until + 1], strict=True):
                if (looks := one.looks.get(key_of(source))) is None:
                    continue
                spans = [_through(span, look) for span, look in zip(made.spans, looks, strict=True)]
                if None in spans:
                    return None
                (rows, top, bottom), (columns, left, right) = (span for span in spans if span is not None)
                seen = Tile((rows, columns), (top, left), (bottom, right))
                # One copy for all needs blocks of one length.
                if tile is not None and tile.owned != seen.owned:
                    return None
                tile = seen if tile is None else _both(tile, seen)
            return tile

        for k, source, how in self.copied:
            tile = copied(source, k, k)
            if tile is None:
                continue
            before = first.get(source)
            both = None if before is None else copied(source, before, k)
            # The earlier copy grows and stays until its last reader.
            if before is not None and both is not None:
                found[before] = replace(found[before], tile=both, last=k)
            else:
                found[k] = Step(source, None, tile, 0, fill=how.outside, last=k)
                first[source] = k
        return found

    def _placed(self, tiles: Sequence[Tile]) -> list[Step] | None:
        """The steps with their places in shared memory; None where it is too small. A copy that has no place is left
        out, the largest first: its reader reads memory."""
        copies = self._copies(tiles)
        while True:
            made = self._with(tiles, copies)
            if all(s.offset + s.room <= self.planner.shared for s in made if s.offset >= 0):
                return made
            if not copies:
                return None
            del copies[max(copies, key=lambda k: copies[k].room)]

    def _with(self, tiles: Sequence[Tile], copies: Mapping[int, Step]) -> list[Step]:
        taken: list[tuple[int, int, int]] = []  # (last moment that needs it, first byte, end)

        def placed(step: Step, now: int, last: int) -> Step:
            at, room = 0, step.room
            # First fit among what is still needed at this moment; moments are 2 k - 1 for a copy and 2 k for the value
            # k.
            for begin, stop in sorted((begin, stop) for until, begin, stop in taken if until >= now):
                if begin - at >= room:
                    break
                at = max(at, stop)
            taken.append((last, at, at + room))
            return replace(step, offset=at)

        steps: list[Step] = []
        for k, (one, tile) in enumerate(zip(self.run, tiles, strict=True)):
            if k in copies:
                steps.append(placed(copies[k], 2 * k - 1, 2 * copies[k].last))
            readers = sorted(self.inner[k])
            # What lies outside the image, as the contractions that read it have it.
            fills = [core.arg.outside for j in readers if (core := self.run[j].core) is not None
                     and source_of(core.src[0])[0] is one.node]  # fmt: skip
            step = Step(one.node, one, tile, -1, self.stored[k], fills[0] if fills else None, max(readers, default=k))
            steps.append(placed(step, 2 * k, 2 * step.last) if readers else step)
        return steps


def _weights(one: Kept) -> int:
    """Bytes; of tensor cores with what fills their fragments up."""
    if one.core is None:
        return 0
    how: Contract = one.core.arg
    features, rows, columns, channels = how.weights.array.shape
    if not how.tensor:
        return int(how.weights.array.nbytes)
    # Fragments are padded to whole tiles of features and of channels.
    wide = 8 * min(TENSOR_WIDE, -(-features // 8))
    deep, item = {"tf32": (8, 4), "f16": (8, 2), "int8": (16, 1)}[how.tensor]
    return int(-(-features // wide) * wide * rows * columns * -(-channels // deep) * deep * item)


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
    lanes = step.node.channels if step.node.op == "input" else 4 if in_words(step.node) else 1
    item, planes = item * lanes, step.node.channels // lanes
    # Alignment as it is at the second block of a row; sectors are counted whole.
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


def _through(span: Span, look: Axis) -> Span | None:
    """What a look sees from there; None where blocks do not meet pixels."""
    owned, up = span[0] * look.stride, look.up
    # Blocks of a zoomed source must end at its pixels.
    if look.whole or owned % up:
        return None
    return owned // up, (span[1] * look.stride + look.low) // up, (span[2] * look.stride + look.high) // up


def _seen(one: Kept, tile: Tile, source: Expr | int) -> float:
    """Bytes that a block reads of a value in memory, each pixel once."""
    pixels = 1
    for axis, look in enumerate(one.looks[source]):
        span = _through(tile.spans[axis], look)
        places = (tile.rows, tile.columns)[axis]
        if span is not None:
            places = min(span[2] - span[1] + 1, places * (look.high - look.low + 1))
        pixels *= places
    return pixels * _pixel(one, source)


def _pixel(one: Kept, source: Expr | int) -> float:
    """Bytes that a value takes of a pixel of another."""
    volume = source_of(one.core.src[0])[0] if one.core is not None else None
    if volume is None or key_of(volume) != source:
        if not isinstance(source, Expr):
            return 4.0 * one.node.channels  # planes of an input, of some type
        volume = source
    return float(volume.channels * volume.dtype.itemsize)
