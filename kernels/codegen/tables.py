"""Reductions and candidate lists as LLVM IR, row by row; their order does not matter (whole numbers, extrema) or is the
raster's."""

from __future__ import annotations

import numpy as np

from kernels.codegen import arithmetic
from kernels.codegen.fold import Addresses
from kernels.codegen.loop import Loop
from kernels.codegen.writer import Writer, element, mask, splat, stored, vector
from kernels.fusion.rows import Item
from kernels.ir.body import Body
from kernels.ir.expr import Border, Number
from kernels.ir.image import BOOL, DType
from kernels.ir.table import Candidates, Column, Reduction, joint_table_size, table_type


def neutral(kind: str, dtype: DType) -> Number:
    """What a reduction starts from."""
    if kind in ("sum", "count"):
        return 0
    info = np.finfo(dtype.numpy) if dtype.is_float else np.iinfo(dtype.numpy)  # type: ignore[type-var]
    value = info.max if kind == "min" else info.min
    return float(value) if dtype.is_float else int(value)


def _slot(at: Addresses, name: str, type_: str = "ptr") -> str:
    """The value of a slot of the argument block."""
    at.w.comment(name)
    place = at.w.op(f"getelementptr i8, ptr %args, i64 {8 * at.layout.slot(name)}")
    return at.w.op(f"load {type_}, ptr {place}, align 8")


def _long(w: Writer, base: str, index: str) -> str:
    return w.op(f"load i64, ptr {w.op(f'getelementptr i64, ptr {base}, i64 {index}')}, align 8")


def reduction(at: Addresses, loop: Loop, item: Item, body: Body, t: str) -> None:
    """Add one row to every region that it crosses.

    rows:N[r] .. rows:N[r + 1] are the places in list:N where the numbers of the row's regions stand; a region k spans
    the columns spans:N[2k] .. spans:N[2k + 1]; table:N:COLUMN holds a value per frame and region.
    """
    w, lanes = at.w, loop.lanes
    table = body.outputs[item.index].table
    assert isinstance(table, Reduction)
    regions = table.regions.count(joint_table_size(table))
    loop.x = f"%{w.fresh('x')}"
    inner: list[str] = []
    held = [_Held(column) for column in table.columns]
    with w.into(inner):
        left = w.op(f"sub i64 %stop{item.index}, {loop.x}")
        count = w.op(f"trunc i64 {w.call('i64', 'llvm.smin.i64', ('i64', left), ('i64', str(lanes)))} to i32")
        wide = vector(lanes, "i32")
        one = w.op(f"insertelement {wide} poison, i32 {count}, i64 0")
        all_ = w.op(f"shufflevector {wide} {one}, {wide} poison, {wide} zeroinitializer")
        steps = ", ".join(f"i32 {i}" for i in range(lanes))
        there = w.op(f"icmp slt {wide} <{steps}>, {all_}")
        for root, acc in zip(item.roots, held, strict=True):
            acc.take(w, lanes, there, loop.value(root), at)
    with w.into(at.head):
        rows, listed, spans = (_slot(at, f"{name}:{item.index}") for name in ("rows", "list", "spans"))
        tables = [_slot(at, f"table:{item.index}:{column.name}") for column in table.columns]
        first, last = _long(w, rows, at.r), _long(w, rows, w.op(f"add i64 {at.r}, 1"))
        frame = w.op(f"mul i64 {t}, {regions}")
    w.lines += at.head
    with w.loop("region", first, last) as k:
        region = _long(w, listed, k)
        twice = w.op(f"shl i64 {region}, 1")
        start, stop = _long(w, spans, twice), _long(w, spans, w.op(f"or i64 {twice}, 1"))
        # The name was used before its value is known: region bodies are written ahead of the head they fill.
        text = [line.replace(f"%stop{item.index}", stop) for line in inner]
        for acc in held:
            acc.clear(w, lanes)
        before, head, inside, after = w.block, w.fresh("span"), w.fresh("span.do"), w.fresh("span.end")
        w.line(f"br label %{head}")
        w.label(head)
        w.line(f"{loop.x} = phi i64 [ {start}, %{before} ], [ {loop.x}.next, %{inside} ]")
        more = w.op(f"icmp slt i64 {loop.x}, {stop}")
        w.line(f"br i1 {more}, label %{inside}, label %{after}")
        w.label(inside)
        w.lines += text
        w.line(f"{loop.x}.next = add i64 {loop.x}, {lanes}")
        w.line(f"br label %{head}")
        w.label(after)
        cell = w.op(f"add i64 {frame}, {region}")
        for acc, base in zip(held, tables, strict=True):
            acc.put(w, lanes, base, cell)


class _Held:
    """A column's running vector, in a variable that LLVM turns into registers."""

    def __init__(self, column: Column) -> None:
        self.kind, self.given, self.dtype = column.kind, column.expr.dtype, column.dtype
        self.place = ""

    def _combine(self, w: Writer, lanes: int, a: str, b: str) -> str:
        """The reduction of two vectors; of a NaN in `a`, b stays."""
        if self.kind in ("sum", "count"):
            return w.op(f"add {vector(lanes, 'i64')} {a}, {b}")
        return arithmetic.choose(w, self.dtype, lanes, arithmetic.compare(w, self.kind, self.dtype, lanes, a, b), a, b)

    def take(self, w: Writer, lanes: int, there: str, value: str, at: Addresses) -> None:
        type_ = vector(lanes, element(self.dtype))
        if not self.place:
            self.place = at.variable(type_)
        value = arithmetic.convert(w, self.given, self.dtype, lanes, value)
        value = arithmetic.choose(w, self.dtype, lanes, there, value, splat(neutral(self.kind, self.dtype), self.dtype))
        old = w.op(f"load {type_}, ptr {self.place}, align 64")
        w.line(f"store {type_} {self._combine(w, lanes, value, old)}, ptr {self.place}, align 64")

    def clear(self, w: Writer, lanes: int) -> None:
        start = splat(neutral(self.kind, self.dtype), self.dtype)
        w.line(f"store {vector(lanes, element(self.dtype))} {start}, ptr {self.place}, align 64")

    def put(self, w: Writer, lanes: int, base: str, cell: str) -> None:
        """Fold the vector into one value and that into the table."""
        type_ = element(self.dtype)
        value = w.op(f"load {vector(lanes, type_)}, ptr {self.place}, align 64")
        while lanes > 1:
            whole, lanes = vector(lanes, type_), lanes // 2
            low, high = (w.op(f"shufflevector {whole} {value}, {whole} poison, {mask(range(i, i + lanes))}")
                         for i in (0, lanes))  # fmt: skip
            value = self._combine(w, lanes, low, high)
        place = w.op(f"getelementptr {type_}, ptr {base}, i64 {cell}")
        old = w.op(f"load <1 x {type_}>, ptr {place}, align {self.dtype.itemsize}")
        w.line(f"store <1 x {type_}> {self._combine(w, 1, value, old)}, ptr {place}, align {self.dtype.itemsize}")


def candidates(at: Addresses, loop: Loop, item: Item, body: Body, t: str, width: int) -> None:
    """Append the row's pixels where the condition holds: count:N[frame] counts them all, table:N takes the first."""
    w = at.w
    table = body.outputs[item.index].table
    assert isinstance(table, Candidates)
    condition = item.roots[0]
    store = loop.seen[condition, None]
    flags = at.row(store, 0, Border())
    loop.lanes, loop.x = 1, f"%{w.fresh('x')}"
    type_ = table_type(table, joint_table_size(table)).numpy
    lines: list[str] = []
    row = f"%{w.fresh('entry')}"
    with w.into(lines):
        column = w.op(f"trunc i64 {loop.x} to i32")
        line = w.op(f"trunc i64 {at.r} to i32")
        fields = type_.fields
        assert fields is not None
        for name, value in (("x", column), ("y", line)):
            place = w.op(f"getelementptr i8, ptr {row}, i64 {fields[name][1]}")
            w.line(f"store i32 {value}, ptr {place}, align 1")
        for (name, expr), root in zip(table.columns, item.roots[1:], strict=True):
            value, memory = loop.value(root), vector(1, stored(expr.dtype))
            if expr.dtype == BOOL:
                value = w.op(f"zext <1 x i1> {value} to <1 x i8>")
            place = w.op(f"getelementptr i8, ptr {row}, i64 {fields[name][1]}")
            w.line(f"store {memory} {value}, ptr {place}, align 1")
    with w.into(at.head):
        rows, counts = _slot(at, f"table:{item.index}"), _slot(at, f"count:{item.index}")
        count = w.op(f"getelementptr i64, ptr {counts}, i64 {t}")
        first = w.op(f"mul i64 {t}, {table.capacity}")
    w.lines += at.head
    with w.loop("scan", "0", str(width), 64) as x:
        flagged = w.op(f"load <64 x i8>, ptr {w.op(f'getelementptr i8, ptr {flags}, i64 {x}')}, align 64")
        bits = w.op(f"bitcast <64 x i1> {w.op(f'icmp ne <64 x i8> {flagged}, zeroinitializer')} to i64")
        left = w.op(f"sub i64 {width}, {x}")
        short = w.op(f"icmp slt i64 {left}, 64")
        shift = w.op(f"select i1 {short}, i64 {left}, i64 0")
        some = w.op(f"sub i64 {w.op(f'shl i64 1, {shift}')}, 1")
        bits = w.op(f"and i64 {bits}, {w.op(f'select i1 {short}, i64 {some}, i64 -1')}")
        before, head, inside, after = w.block, w.fresh("pick"), w.fresh("pick.do"), w.fresh("pick.end")
        rest, latch = f"%{w.fresh('bits')}", w.fresh("pick.next")
        w.line(f"br label %{head}")
        w.label(head)
        w.line(f"{rest} = phi i64 [ {bits}, %{before} ], [ {rest}.next, %{latch} ]")
        w.line(f"br i1 {w.op(f'icmp ne i64 {rest}, 0')}, label %{inside}, label %{after}")
        w.label(inside)
        bit = w.call("i64", "llvm.cttz.i64", ("i64", rest), ("i1", "true"))
        w.line(f"{loop.x} = add i64 {x}, {bit}")
        n = w.op(f"load i64, ptr {count}, align 8")
        w.line(f"store i64 {w.op(f'add i64 {n}, 1')}, ptr {count}, align 8")
        with w.when(w.op(f"icmp slt i64 {n}, {table.capacity}"), "keep"):
            index = w.op(f"mul i64 {w.op(f'add i64 {first}, {n}')}, {type_.itemsize}")
            w.line(f"{row} = getelementptr i8, ptr {rows}, i64 {index}")
            w.lines += lines
        w.line(f"br label %{latch}")
        w.label(latch)
        w.line(f"{rest}.next = and i64 {rest}, {w.op(f'sub i64 {rest}, 1')}")
        w.line(f"br label %{head}")
        w.label(after)


