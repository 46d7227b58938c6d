"""Regional reductions as LLVM IR, row by row; their order does not matter: whole numbers modulo 2**64, extrema.

A region holds, for each of its columns of pixels, what a block of its rows comes to: extrema, and sums T0 += v,
T1 += T0, T2 += T1 of a summand v. At the block's end the columns are folded. With d = 1 for the block's last row, 2 for
the one before it, ..., T0, T1, T2 are the sums of v, d v, d (d + 1) / 2 v, of which those of y v and y**2 v follow; x
is the same all the way down a column. So powers of coordinates cost nothing a pixel, and one plane serves all moments.
A block is short, so that the sums of short numbers stay short.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from kernels.codegen import arithmetic
from kernels.codegen.fold import Addresses
from kernels.codegen.loop import Loop
from kernels.codegen.reduction_state import BEGINS, BLOCK, COLUMNS, ENDS, FLAGS, PLACE, ColumnState, Scheme, scheme_of
from kernels.codegen.writer import Writer, element, mask, vector
from kernels.fusion.rows import Item
from kernels.ir.body import Body
from kernels.ir.image import BOOL, I64, DType
from kernels.ir.table import Column, Reduction, joint_table_size, table_type

_FOLDED = 8
"""Columns that are folded at once, as i64."""
_WIDE = vector(_FOLDED, "i64")


def slot(at: Addresses, name: str, type_: str = "ptr") -> str:
    """The value of a slot of the argument block."""
    at.w.comment(name)
    place = at.w.op(f"getelementptr i8, ptr %args, i64 {8 * at.layout.slot(name)}")
    return at.w.op(f"load {type_}, ptr {place}, align 8")


def reduction(at: Addresses, loop: Loop, item: Item, body: Body, t: str) -> None:
    """Add one row to every region that it crosses.

    rows:N[r] .. rows:N[r + 1] are the places in list:N where the row's regions stand, FLAGS * number + flags;
    spans:N has PLACE numbers for each region; hold:N is memory for running values; table:N:COLUMN is that column of
    the first of the table's rows, one for each frame and region.
    """
    w = at.w
    table = body.outputs[item.index].table
    assert isinstance(table, Reduction)
    assert loop.lanes <= COLUMNS, "a region's part of hold:N is as long as its vectors"
    scheme = scheme_of(table, item.roots, {plane for plane, border in loop.seen if border is None})
    type_ = table_type(table, joint_table_size(table))
    regions, size = type_.capacity, type_.numpy.itemsize
    loop.x = f"%{w.fresh('x')}"
    inner: list[str] = []
    record = f"%{w.fresh('record')}"
    with w.into(inner):
        for one in scheme.held:
            _take(w, loop, one, record)
    rows, listed, spans, hold = (slot(at, f"{name}:{item.index}") for name in ("rows", "list", "spans", "hold"))
    first, last = _long(w, rows, at.r), _long(w, rows, w.op(f"add i64 {at.r}, 1"))
    with w.when(w.op(f"icmp slt i64 {first}, {last}"), "crossed"):
        w.lines += at.head
        # A strip's first and last rows open and close blocks, too: other threads fold the rows above and below.
        below = w.op(f"add i64 {at.r}, 1")
        opens = w.op(f"zext i1 {w.op(f'icmp eq i64 {at.r}, %first_row')} to i64")
        closes = w.op(f"select i1 {w.op(f'icmp eq i64 {below}, %last_row')}, i64 {ENDS}, i64 0")
        strip = w.op(f"or i64 {opens}, {closes}")
        # Flags stand in the low bits of the place, so that one load says all about a region in this row.
        with w.loop("region", first, last) as k:
            entry = _long(w, listed, k)
            flags = w.op(f"or i64 {entry}, {strip}")
            place = w.op(f"getelementptr i8, ptr {spans}, i64 {w.op(f'and i64 {entry}, {-FLAGS}')}")
            start, stop, apart, top = (_long(w, place, str(i)) for i in range(PLACE))
            base = w.op(f"getelementptr i8, ptr {hold}, i64 {w.op(f'mul i64 {apart}, {scheme.bytes}')}")
            part_ = _Part(at, scheme, loop.lanes, start, stop, base)
            with w.when(w.op(f"icmp ne i64 {w.op(f'and i64 {flags}, {BEGINS}')}, 0"), "begin"):
                part_.clear()
            with part_.across(loop.x, record):
                w.lines += inner
            with w.when(w.op(f"icmp ne i64 {w.op(f'and i64 {flags}, {ENDS}')}, 0"), "end"):
                region = w.op(f"lshr i64 {entry}, {FLAGS.bit_length() - 1}")
                cell = w.op(f"add i64 {w.op(f'mul i64 {t}, {regions}')}, {region}")
                part = w.op(f"add i64 {start}, {apart}")
                part_.fold(_cells(at, item, scheme, w.op(f"mul i64 {cell}, {size}")), below, _tall(w, at.r, part, top))


def _long(w: Writer, base: str, index: str) -> str:
    return w.op(f"load i64, ptr {w.op(f'getelementptr i64, ptr {base}, i64 {index}')}, align 8")


def _cells(at: Addresses, item: Item, scheme: Scheme, cell: str) -> list[str]:
    """Where the columns of a row of the table stand, `cell` bytes behind those of the first."""
    tables = [slot(at, f"table:{item.index}:{column.name}") for column, *_ in scheme.columns]
    return [at.w.op(f"getelementptr i8, ptr {table}, i64 {cell}") for table in tables]


def _tall(w: Writer, r: str, part: str, top: str) -> str:
    """The rows of a block that ends with row r."""
    inside = w.op(f"and i64 {w.op(f'sub i64 {r}, {top}')}, {BLOCK - 1}")
    above = w.call("i64", "llvm.smin.i64", ("i64", inside), ("i64", w.op(f"sub i64 {r}, %first_row")))
    alone = w.op(f"icmp eq i64 {part}, 0")
    return w.op(f"add i64 {w.op(f'select i1 {alone}, i64 0, i64 {above}')}, 1")


def _extremum(w: Writer, kind: str, dtype: DType, lanes: int, a: str, b: str) -> str:
    """Of two vectors; of a NaN in `a`, b stays."""
    return arithmetic.choose(w, dtype, lanes, arithmetic.compare(w, kind, dtype, lanes, a, b), a, b)


def _take(w: Writer, loop: Loop, one: ColumnState, record: str) -> None:
    """One vector of pixels into a running value. Pixels beyond the region go into columns that are not folded."""
    lanes, given = loop.lanes, one.expr.dtype
    value, type_ = loop.value(one.expr), vector(lanes, one.type)
    if one.kind == "sum":
        source, bits = element(given), 1 if given == BOOL else given.bits
        if bits != one.bits:
            # A type longer than the sums is so for numbers that are not.
            step = "trunc" if bits > one.bits else "sext" if given.kind == "i" else "zext"
            value = w.op(f"{step} {vector(lanes, source)} {value} to {type_}")
    # T0 += v, T1 += T0, T2 += T1: the sum just made is what the next one adds (see the module's docstring).
    for before in one.places():
        place = w.op(f"getelementptr i8, ptr {record}, i64 {before * lanes}")
        old = w.op(f"load {type_}, ptr {place}, align {one.item}")
        if one.kind == "sum":
            value = w.op(f"add {type_} {old}, {value}")
        else:
            value = _extremum(w, one.kind, one.dtype, lanes, value, old)
        w.line(f"store {type_} {value}, ptr {place}, align {one.item}")


@contextmanager
def _run(w: Writer, start: str, stop: str, step: int) -> Iterator[str]:
    """for (i = start; i < stop; i += step) where start < stop: a region that has no columns has no rows either."""
    before, head, latch, after = w.block, w.fresh("run"), w.fresh("run.next"), w.fresh("run.end")
    i = f"%{w.fresh('i')}"
    w.line(f"br label %{head}")
    w.label(head)
    w.line(f"{i} = phi i64 [ {start}, %{before} ], [ {i}.next, %{latch} ]")
    yield i
    w.line(f"br label %{latch}")
    w.label(latch)
    w.line(f"{i}.next = add nsw i64 {i}, {step}")
    w.line(f"br i1 {w.op(f'icmp slt i64 {i}.next, {stop}')}, label %{head}, label %{after}")
    w.label(after)


@dataclass(frozen=True, slots=True)
class _Part:
    """A region's running values: a record for each vector of pixels, with the vectors of all of them.

    Args:
        start, stop: the region's columns (i64).
        base: where the record of column 0 would begin.
    """

    at: Addresses
    scheme: Scheme
    lanes: int
    start: str
    stop: str
    base: str

    @property
    def w(self) -> Writer:
        return self.at.w

    @contextmanager
    def across(self, x: str, record: str) -> Iterator[None]:
        """A loop over the region's vectors: the first column of each, and its record."""
        w = self.w
        with _run(w, self.start, self.stop, self.lanes) as i:
            w.line(f"{x} = add i64 {i}, 0")
            w.line(f"{record} = getelementptr i8, ptr {self.base}, i64 {w.op(f'mul i64 {i}, {self.scheme.bytes}')}")
            yield

    def clear(self) -> None:
        w, lanes = self.w, self.lanes
        record = f"%{w.fresh('record')}"
        with self.across(f"%{w.fresh('x')}", record):
            for one in self.scheme.held:
                for before in one.places():
                    place = w.op(f"getelementptr i8, ptr {record}, i64 {before * lanes}")
                    w.line(f"store {vector(lanes, one.type)} {one.start()}, ptr {place}, align {one.item}")

    def fold(self, cells: Sequence[str], below: str, tall: str) -> None:
        """The columns of the region into the table.

        Args:
            cells: where in the table.
            below: the row below the block.
            tall: rows of the block.
        """
        w, lanes, at = self.w, self.lanes, self.at
        sums, best = dict[tuple[int, int, int], str](), dict[int, str]()
        # For a power of y all lower T are needed: y is counted from the block's end.
        for _, one, term in self.scheme.columns:
            if one.kind != "sum":
                best.setdefault(one.offset, at.variable(vector(_FOLDED, one.type)))
                continue
            for i in range(term.py + 1):
                sums.setdefault((one.offset, i, term.px), at.variable(_WIDE))
        for place in sums.values():
            w.line(f"store {_WIDE} zeroinitializer, ptr {place}, align 64")
        for one in self.scheme.held:
            if one.kind != "sum":
                w.line(f"store {vector(_FOLDED, one.type)} {one.start()}, ptr {best[one.offset]}, align 64")
        # Columns in steps of eight, within records of `lanes` columns each.
        with _run(w, self.start, self.stop, _FOLDED) as x:
            done = w.op(f"sub i64 {x}, {self.start}")
            within = w.op(f"and i64 {done}, {lanes - 1}")
            from_ = w.op(f"mul i64 {w.op(f'sub i64 {x}, {within}')}, {self.scheme.bytes}")
            record = w.op(f"getelementptr i8, ptr {self.base}, i64 {from_}")
            steps = ", ".join(f"i64 {i}" for i in range(_FOLDED))
            xs = w.op(f"add {_WIDE} {at.splat(x, 'i64', _FOLDED)}, <{steps}>")
            # The last eight may reach beyond the region: neutral values there.
            there = w.op(f"icmp slt {_WIDE} {xs}, {at.splat(self.stop, 'i64', _FOLDED)}")
            for one in self.scheme.held:
                type_ = vector(_FOLDED, one.type)
                for i, before in enumerate(one.places()):
                    row = w.op(f"getelementptr i8, ptr {record}, i64 {before * lanes}")
                    place = w.op(f"getelementptr {one.type}, ptr {row}, i64 {within}")
                    value = w.op(f"load {type_}, ptr {place}, align {one.item}")
                    value = w.op(f"select {vector(_FOLDED, 'i1')} {there}, {type_} {value}, {type_} {one.start()}")
                    if one.kind != "sum":
                        old = w.op(f"load {type_}, ptr {best[one.offset]}, align 64")
                        made = _extremum(w, one.kind, one.dtype, _FOLDED, value, old)
                        w.line(f"store {type_} {made}, ptr {best[one.offset]}, align 64")
                        continue
                    if one.bits < I64.bits:
                        value = w.op(f"{'sext' if one.signed else 'zext'} {type_} {value} to {_WIDE}")
                    self._weigh({px: to for (o, j, px), to in sums.items() if (o, j) == (one.offset, i)}, value, xs)
        totals = {key: w.call("i64", f"llvm.vector.reduce.add.v{_FOLDED}i64", (_WIDE, self._value(place, _WIDE)))
                  for key, place in sums.items()}  # fmt: skip
        # min of bools is whether all are set, max whether any is: both follow from the count.
        area = w.op(f"mul i64 {w.op(f'sub i64 {self.stop}, {self.start}')}, {tall}")
        for (column, one, term), place in zip(self.scheme.columns, cells, strict=True):
            if column.kind in ("sum", "count"):
                self._add([totals[one.offset, i, term.px] for i in range(term.py + 1)], term.weight, below, place)
                continue
            if one.kind == "sum":
                total = totals[one.offset, 0, 0]
                test = f"icmp eq i64 {total}, {area}" if column.kind == "min" else f"icmp ne i64 {total}, 0"
                value = w.op(f"insertelement <1 x i1> poison, i1 {w.op(test)}, i64 0")
            else:
                value = self._best(one, self._value(best[one.offset], vector(_FOLDED, one.type)))
            self._choose(column, arithmetic.convert(w, one.dtype, column.dtype, 1, value), place)

    def _value(self, place: str, type_: str) -> str:
        return self.w.op(f"load {type_}, ptr {place}, align 64")

    def _weigh(self, to: Mapping[int, str], value: str, xs: str) -> None:
        """Add value * x**px to the variable `to[px]`."""
        w = self.w
        # One power after the other: a multiplication each.
        for px in range(max(to, default=-1) + 1):
            value = w.op(f"mul {_WIDE} {value}, {xs}") if px else value
            if px in to:
                total = w.op(f"add {_WIDE} {self._value(to[px], _WIDE)}, {value}")
                w.line(f"store {_WIDE} {total}, ptr {to[px]}, align 64")

    def _add(self, sums: Sequence[str], weight: int, below: str, place: str) -> None:
        """Add the sum of weight * y**py v, py = len(sums) - 1, with y = below - d."""
        w, made = self.w, sums[0]
        if len(sums) == 2:
            made = w.op(f"sub i64 {w.op(f'mul i64 {below}, {made}')}, {sums[1]}")
        elif len(sums) == 3:  # below**2 T0 - 2 below T1 + (2 T2 - T1)
            twice = w.op(f"shl i64 {sums[1]}, 1")
            near = w.op(f"sub i64 {w.op(f'mul i64 {below}, {made}')}, {twice}")
            squares = w.op(f"sub i64 {w.op(f'shl i64 {sums[2]}, 1')}, {sums[1]}")
            made = w.op(f"add i64 {w.op(f'mul i64 {below}, {near}')}, {squares}")
        # Rows of the table are packed as NumPy's: columns need not lie at multiples of their size (align 1).
        made = w.op(f"mul i64 {made}, {weight}") if weight != 1 else made
        old = w.op(f"load i64, ptr {place}, align 1")
        w.line(f"store i64 {w.op(f'add i64 {old}, {made}')}, ptr {place}, align 1")

    def _best(self, one: ColumnState, value: str) -> str:
        """The extremum of a vector, as a vector of one."""
        w, lanes = self.w, _FOLDED
        # Halves against each other; an extremum has no order.
        while lanes > 1:
            whole, lanes = vector(lanes, one.type), lanes // 2
            low, high = (w.op(f"shufflevector {whole} {value}, {whole} poison, {mask(range(i, i + lanes))}")
                         for i in (0, lanes))  # fmt: skip
            value = _extremum(w, one.kind, one.dtype, lanes, low, high)
        return value

    def _choose(self, column: Column, value: str, place: str) -> None:
        """The extremum of what a column holds and of what a block has."""
        w, type_ = self.w, vector(1, element(column.dtype))
        old = w.op(f"load {type_}, ptr {place}, align 1")
        found = _extremum(w, column.kind, column.dtype, 1, value, old)
        w.line(f"store {type_} {found}, ptr {place}, align 1")
