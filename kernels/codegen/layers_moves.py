"""Rows that no weights make: copies, sums and maxima of taps (pooling), channels in another order.

A *fold* takes the taps row by row, the first as it is, and combines each with what there is: with one tap it is a copy,
which stacks maps (its result may begin at any channel), repeats rows and pixels (`step_out`), and is where point-wise
work stands that no layer before it can do. The mean is the sum and an epilogue that divides. A *gather* is a copy whose
channels come by a list.
"""

from __future__ import annotations

from dataclasses import dataclass

from kernels.codegen import arithmetic
from kernels.codegen.layers_epilogue import NOTHING, Epilogue
from kernels.codegen.layers_record import CHANNELS
from kernels.codegen.layers_rows import Function, Result, RowWriter
from kernels.codegen.layers_target import Target
from kernels.codegen.writer import Writer, vector
from kernels.ir.expr import const, maximum, minimum
from kernels.ir.image import F32

_FOLDS = {"sum": const(0, F32) + const(0, F32), "max": maximum(const(0, F32), const(0, F32)),
          "min": minimum(const(0, F32), const(0, F32))}  # fmt: skip
"""How taps are combined: the operation of these nodes."""


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


def move(kernel: Move, target: Target) -> Function:
    """The row kernel."""
    row = RowWriter(target, kernel.epilogue)
    w = row.w
    runs = row.runs()
    count = w.op(f"mul i64 {row.field('rows')}, {row.field('taps')}")
    out, step_in, step_out = row.row(row.bank("bank_out"), "1"), row.field("step_in"), row.field("step_out")
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
        first = row.load(row.floats(w.op(f"load ptr, ptr {runs}, align 8"), offset), lanes)
        total = first
        if kernel.kind != "gather":
            with w.turns("run", count_less, [(vector(lanes, "float"), first)]) as run:
                place = w.op(f"getelementptr ptr, ptr {second}, i64 {run.index}")
                value = row.load(row.floats(w.op(f"load ptr, ptr {place}, align 8"), offset), lanes)
                run.next = [_folded(w, kernel.kind, lanes, run.values[0], value)]
            total = run.values[0]
        row.finish(total, lanes, result, channel)

    second = w.op(f"getelementptr ptr, ptr {runs}, i64 1")
    count_less = w.op(f"sub i64 {count}, 1")
    widths = [1] if kernel.kind == "gather" else sorted({target.lanes, CHANNELS, 1}, reverse=True)
    with w.loop("pixel", "0", row.field("width")) as x:
        done, result = "0", row.results(x, 1, out, step_out)[0]
        for lanes in widths:
            stop = w.op(f"and i64 {channels}, {-lanes}")
            with w.loop(f"by{lanes}", done, stop, lanes) as channel:
                several(x, result, channel, lanes)
            done = stop
    w.line("ret void")
    return row.function(kernel.name)


def _folded(w: Writer, kind: str, lanes: int, total: str, value: str) -> str:
    return arithmetic.apply(w, _FOLDS[kind], lanes, [total, value])
