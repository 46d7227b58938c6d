"""Rows that no weights make: copies, sums and maxima of taps (pooling), channels in another order.

A *fold* takes the taps row by row, the first as it is, and combines each with what there is: with one tap it is a copy,
which stacks maps (its result may begin at any channel), repeats rows and pixels (`step_out`), and is where point-wise
work stands that no layer before it can do. The mean is the sum and an epilogue that divides. A *gather* is a copy whose
channels come by a list. Values may be of any type that rows hold.
"""

from __future__ import annotations

from dataclasses import dataclass

from kernels.codegen import arithmetic
from kernels.codegen.layers_epilogue import NOTHING, Epilogue
from kernels.codegen.layers_record import CHANNELS
from kernels.codegen.layers_rows import Function, Result, RowWriter
from kernels.codegen.layers_target import Target
from kernels.codegen.writer import element, vector
from kernels.ir.expr import Expr, const
from kernels.ir.image import DType


def _fold(kind: str, dtype: DType) -> Expr:
    """How taps are combined: the operation of this node."""
    zero = const(0, dtype)
    return Expr("add" if kind == "sum" else kind, (zero, zero), None, dtype, None)


@dataclass(frozen=True, slots=True)
class Move:
    """A row kernel of exactly `channels` channels, any number.

    Args:
        kind: "sum", "max", "min" of the taps in this order: op(what there is, the next); or "gather".
    """

    kind: str = "sum"
    epilogue: Epilogue = NOTHING

    @property
    def name(self) -> str:
        return f"{self.kind}_{self.epilogue.name}"

    @property
    def dtype(self) -> DType:
        """Of what is folded."""
        return self.epilogue.type_of(0)


def move(kernel: Move, target: Target) -> Function:
    """The row kernel."""
    row, dtype = RowWriter(target, kernel.epilogue), kernel.dtype
    w = row.w
    runs = row.runs(dtype)
    count = w.op(f"mul i64 {row.field('rows')}, {row.field('taps')}")
    out = row.row(row.bank("bank_out"), "1", kernel.epilogue.root.dtype)
    step_in, step_out = row.field("step_in"), row.field("step_out")
    row.operands()
    channels = row.field("channels")
    listed = row.field("weights", "ptr")

    def several(x: str, result: Result, channel: str, lanes: int) -> None:
        offset = w.op(f"mul i64 {x}, {step_in}")
        if kernel.kind == "gather":
            number = w.op(f"load i32, ptr {w.op(f'getelementptr i32, ptr {listed}, i64 {channel}')}, align 4")
            offset = w.op(f"add i64 {offset}, {w.op(f'sext i32 {number} to i64')}")
        else:
            offset = w.op(f"add i64 {offset}, {channel}")
        first = row.load(row.values(w.op(f"load ptr, ptr {runs}, align 8"), offset, dtype), lanes, dtype)
        total = first
        if kernel.kind != "gather":
            with w.turns("run", count_less, [(vector(lanes, element(dtype)), first)]) as run:
                place = w.op(f"getelementptr ptr, ptr {second}, i64 {run.index}")
                value = row.load(row.values(w.op(f"load ptr, ptr {place}, align 8"), offset, dtype), lanes, dtype)
                run.next = [arithmetic.apply(w, _fold(kernel.kind, dtype), lanes, [run.values[0], value])]
            total = run.values[0]
        row.finish(total, lanes, result, channel)

    second = w.op(f"getelementptr ptr, ptr {runs}, i64 1")
    count_less = w.op(f"sub i64 {count}, 1")
    long = 4 // dtype.itemsize if dtype == kernel.epilogue.root.dtype else 1  # values of a lane's room
    widths = [1] if kernel.kind == "gather" else sorted({long * target.lanes, target.lanes, CHANNELS, 1}, reverse=True)
    with w.loop("pixel", "0", row.field("width")) as x:
        done, result = "0", row.results(x, 1, out, step_out)[0]
        for lanes in widths:
            stop = w.op(f"and i64 {channels}, {-lanes}")
            with w.loop(f"by{lanes}", done, stop, lanes) as channel:
                several(x, result, channel, lanes)
            done = stop
    w.line("ret void")
    return row.function(kernel.name)
