"""Row kernels of Winograd's minimal filtering (`kernels.fusion.winograd`): a 3x3 layer as products of tiles.

A step makes a row of tiles. `TilesIn` writes what tiles are at the points: group after group (a pair of
points each), the tiles of a group side by side as pixels of all channels, so that each group is a product with a matrix
of its own, made by the register tiles of `kernels.codegen.layers_dense`; `grouped_driver` goes through the groups.
`TilesOut` makes the rows of pixels of a row of tiles, epilogue included. Lanes are channels throughout.

The order of all operations is of the code and of the tiles' places in the picture: whatever the schedule and the
threads, the bits are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from kernels.codegen.layers_dense import segments
from kernels.codegen.layers_epilogue import NOTHING, Epilogue
from kernels.codegen.layers_record import CHANNELS
from kernels.codegen.layers_rows import Function, RowWriter
from kernels.codegen.layers_target import Target, fused
from kernels.codegen.writer import splat, vector
from kernels.fusion.layers_schedule import NO_ROW
from kernels.fusion.winograd import FILTERINGS
from kernels.ir.image import F32

GROUPED_DRIVER = "grouped"


@dataclass(frozen=True, slots=True)
class TilesIn:
    """A row kernel that reads tiles at the points.

    Args:
        outputs: pixels that a tile makes, each way.
        channels: of a pixel, with its room.
        pixel: values from pixel to pixel of what is looked at.
        group: values from group to group of what is made.
    """

    outputs: int
    channels: int
    pixel: int = 0
    group: int = 0
    epilogue: Epilogue = NOTHING

    @property
    def groups(self) -> int:
        """Pairs of points."""
        return FILTERINGS[self.outputs].groups

    @property
    def name(self) -> str:
        return f"tiles_in_{self.outputs}_{self.channels}_{self.pixel}_{self.group}"


@dataclass(frozen=True, slots=True)
class TilesOut:
    """A row kernel that makes the pixels of tiles; its step says where each of their rows goes, and for each further
    operand where it finds these.

    Args:
        outputs: pixels that a tile makes, each way.
        channels: of a pixel, with its room.
        rest: pixels of the last tile that are in the picture, fewer than it makes; 0 where all are.
        group: values from group to group of what is looked at.
        steps: see `RowWriter`.
    """

    outputs: int
    channels: int
    rest: int
    epilogue: Epilogue = NOTHING
    group: int = 0
    steps: tuple[int, ...] = ()

    @property
    def groups(self) -> int:
        """Pairs of points."""
        return FILTERINGS[self.outputs].groups

    @property
    def name(self) -> str:
        numbers = map(str, (self.outputs, self.channels, self.rest, self.group, *self.steps))
        return "_".join(("tiles_out", *numbers, self.epilogue.name))


def grouped_driver() -> Function:
    """The row kernel of the products: every group in turn, with weights, sums and tiles of its own.

    What is made of a group lies `group_out` values and the channels of a pixel behind that of the one before: channels
    are counted on from group to group, for each has a bias of its own.
    """
    row = RowWriter(Target(CHANNELS, 1, 1, True), NOTHING)
    w = row.w
    room = row.runs()
    steps, by, each = row.field("run_last"), row.field("group_in"), row.field("group_weights")
    begin = w.op(f"load ptr, ptr {room}, align 8")
    first = w.op(f"load i32, ptr {w.op('getelementptr i32, ptr %step, i64 1')}, align 4")
    out = w.op(f"trunc i64 {row.field('group_out')} to i32")
    own = w.op("alloca [2 x i32], align 4")
    place = w.op(f"getelementptr i32, ptr {own}, i64 1")
    carried = [("ptr", begin), ("i32", first), ("ptr", row.field("weights", "ptr")), ("i64", "0")]
    with w.turns("group", row.field("groups"), carried) as group:
        looked, made, weights, channel = group.values
        w.line(f"store ptr {looked}, ptr {room}, align 8")
        w.line(f"store i32 {made}, ptr {place}, align 4")
        _, behind = segments(row, weights, channel, steps, own)
        group.next = [row.floats(looked, by), w.op(f"add i32 {made}, {out}"), row.floats(weights, each), behind]
    w.line("ret void")
    return row.function(GROUPED_DRIVER)


def tiles_in(kernel: TilesIn, target: Target) -> Function:
    """The row kernel."""
    row = RowWriter(target, kernel.epilogue)
    w, outputs, tile = row.w, kernel.outputs, FILTERINGS[kernel.outputs].tile
    bank = row.bank("bank_in")
    out = row.row(row.bank("bank_out"), "1")
    rows = [row.row(bank, str(2 + j)) for j in range(tile)]
    with w.loop("tile", "0", row.field("width")) as x:
        at = w.op(f"mul i64 {x}, {outputs * kernel.pixel}")
        there = row.floats(out, w.op(f"mul i64 {x}, {kernel.channels}"))

        def vectors(channel: str, lanes: int) -> None:
            offset = w.op(f"add i64 {at}, {channel}")
            begin = [row.floats(one, offset) for one in rows]
            place = row.floats(there, channel)

            def looked(j: int, i: int) -> str:
                return row.load(row.floats(begin[j], str(i * kernel.pixel)), lanes)

            for some in FILTERINGS[outputs].pairs:  # what is at hand of these finds room in registers
                columns = [_read(row, outputs, lanes, partial(looked, i=i), some) for i in range(tile)]
                for j, line in zip(some, zip(*columns, strict=True), strict=True):
                    for others in FILTERINGS[outputs].pairs:
                        values = _read(row, outputs, lanes, line.__getitem__, others)
                        for i, value in zip(others, values, strict=True):
                            here = row.floats(place, str((j * tile + i) * kernel.group))
                            w.line(f"store {vector(lanes, 'float')} {value}, ptr {here}, align 4")

        _channels(row, kernel.channels, vectors)
    w.line("ret void")
    return row.function(kernel.name)


def tiles_out(kernel: TilesOut, target: Target) -> Function:
    """The row kernel."""
    row = RowWriter(target, kernel.epilogue, kernel.steps)
    w, outputs, tile = row.w, kernel.outputs, FILTERINGS[kernel.outputs].tile
    source = row.row(row.bank("bank_in"), str(1 + outputs))
    rows = _rows_made(row, outputs)
    row.constants()

    def pixels(number: str, count: int) -> None:
        place = row.floats(source, w.op(f"mul i64 {number}, {kernel.channels}"))
        first, results = w.op(f"mul i64 {number}, {outputs}"), []
        for one in rows:
            row.beside = one.beside
            results.append(row.results(first, count, one.out, row.step_out))

        def vectors(channel: str, lanes: int) -> None:
            here = row.floats(place, channel)

            def looked(j: int, i: int) -> str:
                return row.load(row.floats(here, str((j * tile + i) * kernel.group)), lanes)

            for parity in range(2):  # rows of one share sums, or differences; what is at hand finds room in registers
                some = range(parity, outputs, 2)
                down = [_Made(row, lanes, outputs, partial(looked, i=i)) for i in range(tile)]
                columns = [[one.pixel(r) for r in some] for one in down]
                for r, line in zip(some, zip(*columns, strict=True), strict=True):
                    with w.when(rows[r].there, "row"):
                        along = _Made(row, lanes, outputs, line.__getitem__)
                        for x, result in enumerate(results[r]):
                            row.finish(along.pixel(x), lanes, result, channel)

        _channels(row, kernel.channels, vectors)

    whole = w.op(f"udiv i64 {row.field('width')}, {outputs}")
    with w.loop("tile", "0", whole) as number:
        pixels(number, outputs)
    if kernel.rest:
        pixels(whole, kernel.rest)
    w.line("ret void")
    return row.function(kernel.name)


@dataclass(frozen=True, slots=True)
class _Row:
    """A row that is made: whether it is one of the map's (i1), where it begins, and each further operand of it as
    `RowWriter.beside` has it."""

    there: str
    out: str
    beside: list[tuple[str, str]]


def _rows_made(row: RowWriter, outputs: int) -> list[_Row]:
    w, epilogue = row.w, row.epilogue
    bank, besides = row.bank("bank_out"), [row.bank(f"bank_beside{k}") for k in range(epilogue.beside)]
    found = []
    for r in range(outputs):
        number = w.op(f"load i32, ptr {w.op(f'getelementptr i32, ptr %step, i64 {1 + r}')}, align 4")
        beside = []
        for k, other in enumerate(besides):
            place = row.row(other, str(2 + outputs * (1 + k) + r), epilogue.type_of(k + 1))
            beside.append((place, row.step_beside(k)))
        found.append(_Row(w.op(f"icmp ne i32 {number}, {NO_ROW}"), row.row(bank, str(1 + r), epilogue.root.dtype),
                          beside))  # fmt: skip
    return found


def _channels(row: RowWriter, channels: int, write: Callable[[str, int], None]) -> None:
    """All channels of a pixel: full vectors, and what is left as a shorter one."""
    lanes = row.target.lanes
    whole = channels // lanes * lanes
    if whole:
        with row.w.loop("channel", "0", str(whole), lanes) as channel:
            write(channel, lanes)
    if whole < channels:
        write(str(whole), channels - whole)


def _read(
    row: RowWriter, outputs: int, lanes: int, value: Callable[[int], str], points: Sequence[int]
) -> list[str]:  # fmt: skip
    """The rows of B^T of some points, one of `Filtering.pairs`, times values."""
    filtering, w, type_ = FILTERINGS[outputs], row.w, vector(lanes, "float")

    def weighted(factors: Sequence[int], first: int) -> str:
        """Of every other value, of which the last has factor 1."""
        total = value(first + 2 * (len(factors) - 1))
        for k in reversed(range(len(factors) - 1)):
            total = _added(row, lanes, total, value(first + 2 * k), factors[k])
        return total

    if len(points) == 1:
        return [weighted(filtering.even(), 1 if points[0] else 0)]
    p = filtering.points[points[0] // 2]
    # B^T is made of polynomials in the points; those of p and -p share the even and the odd part, so that a pair costs
    # one sum and one difference more.
    factors = filtering.even(p)
    even, odd = weighted(factors, 2), weighted(factors, 1)
    if p == 1:
        return [w.op(f"fadd {type_} {even}, {odd}"), w.op(f"fsub {type_} {even}, {odd}")]
    return [_added(row, lanes, even, odd, p), _added(row, lanes, even, odd, -p)]


class _Made:
    """A^T times values, a row at a time; sums and differences of those of two points are shared by its rows.

    Args:
        value: the one of a point.
    """

    def __init__(self, row: RowWriter, lanes: int, outputs: int, value: Callable[[int], str]) -> None:
        self.row, self.lanes, self.filtering, self.value = row, lanes, FILTERINGS[outputs], value
        self.known: dict[tuple[int, str], str] = {}

    def pixel(self, r: int) -> str:
        """The sum for pixel r of a tile."""
        w, type_ = self.row.w, vector(self.lanes, "float")
        total = self._of(0) if r == 0 else ""
        # Row r of A^T has p^r at the point p and (-p)^r at -p: even rows take the sum of the pair, odd ones the
        # difference, times p^r.
        for k, p in enumerate(self.filtering.points):
            both = self._both(k, "fsub" if r % 2 else "fadd")
            total = _added(self.row, self.lanes, total, both, p**r) if total else both
        if r == self.filtering.outputs - 1:
            total = w.op(f"fadd {type_} {total}, {self._of(self.filtering.tile - 1)}")
        return total

    def _of(self, point: int) -> str:
        return self._kept((point, ""), lambda: self.value(point))

    def _both(self, k: int, op: str) -> str:
        a, b = self._of(1 + 2 * k), self._of(2 + 2 * k)
        return self._kept((k, op), lambda: self.row.w.op(f"{op} {vector(self.lanes, 'float')} {a}, {b}"))

    def _kept(self, key: tuple[int, str], make: Callable[[], str]) -> str:
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]


def _added(row: RowWriter, lanes: int, total: str, value: str, factor: int) -> str:
    """total + value * factor, rounded once."""
    if factor == 1:
        return row.w.op(f"fadd {vector(lanes, 'float')} {total}, {value}")
    return fused(row.w, row.target, lanes, value, splat(factor, F32), total)
