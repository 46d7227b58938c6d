"""Rows that no weights make: copies, sums and maxima of taps (pooling), channels in another order.

A *fold* combines the taps of each row from the left to the right, then these results from the top down; with one tap it
is a copy, which stacks maps (its result may begin at any channel), repeats rows and pixels (`step_out`), and is where
point-wise work stands that no layer before it can do. The mean is the sum and an epilogue that divides. A *gather* is a
copy whose channels come by a list, a *table* one whose values come from anywhere in a map by a row of numbers. A
*product* is a row of a product of two computed matrices: the rows of the second, each times a value of the first, added
one after another. Values may be of any type that rows hold.
"""

from __future__ import annotations

from dataclasses import dataclass

from kernels.codegen import arithmetic
from kernels.codegen.layers_epilogue import NOTHING, Epilogue
from kernels.codegen.layers_record import CHANNELS
from kernels.codegen.layers_rows import Function, RowWriter
from kernels.codegen.layers_target import Target, forms
from kernels.codegen.writer import element, vector
from kernels.ir.expr import Expr, const
from kernels.ir.image import I32, DType

MOST_TAPS = 16
"""That are in the code one by one; of more, all lie in a row or in a column."""
PIXELS = 4
"""Of a turn, at most."""
AT_ONCE = 4
"""Vectors of a product that share a value of the first matrix."""


@dataclass(frozen=True, slots=True)
class Move:
    """A row kernel of any number of channels.

    Args:
        kind: "sum", "max", "min" of the taps in this order: op(what there is, the next); "gather"; "table", whose
            numbers are the first further row; or "product", whose taps are rows, each times a channel of that row.
        taps: (down, along).
        pixels: of a turn (see `kernels.codegen.layers_target.forms`).
        tail: channels behind the last whole vector, fewer than a vector has.
        exact: whether nothing else may be looked at or written: else zeros follow the channels up to a multiple of
            CHANNELS.
    """

    kind: str = "sum"
    taps: tuple[int, int] = (1, 1)
    pixels: tuple[int, ...] = (1,)
    tail: int = 0
    exact: bool = True
    epilogue: Epilogue = NOTHING

    @property
    def name(self) -> str:
        rows, taps = self.taps
        many = "long" if self.long else f"{rows}x{taps}"
        by = "_".join(map(str, self.pixels))
        return f"{self.kind}_{many}_by_{by}_{self.tail}{'e' * (self.exact and self.tail > 0)}_{self.epilogue.name}"

    @property
    def dtype(self) -> DType:
        """Of what is folded."""
        return self.epilogue.type_of(0)

    @property
    def long(self) -> bool:
        """Whether the number of taps is one of the record."""
        return self.taps[0] * self.taps[1] > MOST_TAPS

    @staticmethod
    def of(
        target: Target, kind: str, taps: tuple[int, int], width: int, channels: int, exact: bool, epilogue: Epilogue
    ) -> Move:  # fmt: skip
        """The kernel for rows of so many pixels of so many channels."""
        if kind == "gather":
            return Move(kind, epilogue=epilogue)
        tail = channels % lanes_of(epilogue, target)
        taps = (MOST_TAPS + 1, 1) if kind == "product" or taps[0] * taps[1] > MOST_TAPS else taps
        pixels = (1,) if kind == "product" else forms(width, PIXELS)
        return Move(kind, taps, pixels, tail, exact and tail > 0, epilogue)


def lanes_of(epilogue: Epilogue, target: Target) -> int:
    """Values of a vector: as many as a register holds where what is made is as short as what is looked at."""
    dtype = epilogue.type_of(0)
    return target.lanes * (4 // dtype.itemsize if dtype == epilogue.root.dtype else 1)


def move(kernel: Move, target: Target) -> Function:
    """The row kernel."""
    made = _MoveWriter(kernel, target)
    made.write()
    return made.row.function(kernel.name)


class _MoveWriter:
    def __init__(self, kernel: Move, target: Target) -> None:
        self.kernel, self.lanes, self.dtype = kernel, lanes_of(kernel.epilogue, target), kernel.dtype
        zero = const(0, self.dtype)
        kind = kernel.kind if kernel.kind in ("max", "min") else "add"
        self.fold = Expr(kind, (zero, zero), None, self.dtype, None)
        """How taps are combined: the operation of this node."""
        self.times = Expr("mul", (zero, zero), None, self.dtype, None)
        self.row = RowWriter(target, kernel.epilogue)

    def write(self) -> None:
        row, w = self.row, self.row.w
        if self.kernel.long:
            self.runs = row.runs(self.dtype)
            count = w.op(f"mul i64 {row.field('rows')}, {row.field('taps')}")
            self.more = w.op(f"sub i64 {count}, 1")
        else:
            bank = row.bank("bank_in")
            self.rows = [row.row(bank, str(2 + j), self.dtype) for j in range(self.kernel.taps[0])]
            step = row.field("step_tap")
            self.columns = [w.op(f"mul i64 {step}, {i}") for i in range(self.kernel.taps[1])]
        self.out = row.row(row.bank("bank_out"), "1", self.kernel.epilogue.root.dtype)
        self.step_out, self.step_in = row.step_out, row.step_in
        self.listed = row.field("weights", "ptr")
        if self.kernel.kind in ("product", "table"):
            dtype = I32 if self.kernel.kind == "table" else self.dtype
            word = w.op(f"add i64 {row.field('rows')}, 2")
            self.beside, self.step_beside = row.row(row.bank("bank_beside0"), word, dtype), row.field("step_beside0")
        self.whole = w.op(f"and i64 {row.field('channels')}, {-self.lanes}")
        row.operands()
        row.across(row.field("width"), self.kernel.pixels, self._pixels)
        w.line("ret void")

    def _pixels(self, x: str, pixels: int) -> None:
        row, w, tail = self.row, self.row.w, self.kernel.tail
        first = w.op(f"mul i64 {x}, {self.step_in}")
        offsets = [w.op(f"add i64 {first}, {offset}") for offset in row.times(self.step_in, pixels)]
        results = row.results(x, pixels, self.out, self.step_out)

        def several(channel: str, lanes: int, kept: int = 0) -> None:
            for offset, result in zip(offsets, results, strict=True):
                row.finish(self._folded(offset, channel, lanes), lanes, result, channel, kept)

        if self.kernel.kind in ("product", "table"):
            self.numbers = row.values(self.beside, w.op(f"mul i64 {x}, {self.step_beside}"),
                                      I32 if self.kernel.kind == "table" else self.dtype)  # fmt: skip
        if self.kernel.kind in ("gather", "table"):
            with w.loop("channel", "0", row.field("channels")) as channel:
                several(channel, 1)
            return
        if self.kernel.kind == "product":
            most = AT_ONCE * self.lanes
            many = w.op(f"sub i64 {self.whole}, {w.op(f'urem i64 {self.whole}, {most}')}")
            with w.loop("channels", "0", many, most) as channel:
                places = [w.op(f"add i64 {channel}, {k * self.lanes}") for k in range(AT_ONCE)]
                sums = self._summed([w.op(f"add i64 {offsets[0]}, {place}") for place in places], self.lanes)
                for place, total in zip(places, sums, strict=True):
                    row.finish(total, self.lanes, results[0], place)
            with w.loop("channel", many, self.whole, self.lanes) as channel:
                several(channel, self.lanes)
        else:
            with w.loop("channel", "0", self.whole, self.lanes) as channel:
                several(channel, self.lanes)
        done, rest = 0, tail if self.kernel.exact else -(-tail // CHANNELS) * CHANNELS
        while rest:
            lanes = 1 << rest.bit_length() - 1
            several(w.op(f"add i64 {self.whole}, {done}"), lanes, min(lanes, tail - done))
            done, rest = done + lanes, rest - lanes

    def _folded(self, offset: str, channel: str, lanes: int) -> str:
        """The taps of a pixel at `offset`, as one."""
        row, w, kernel = self.row, self.row.w, self.kernel
        if kernel.kind == "table":
            number = w.op(f"load i32, ptr {w.op(f'getelementptr i32, ptr {self.numbers}, i64 {channel}')}, align 4")
            place = row.values(self.rows[0], w.op(f"sext i32 {number} to i64"), self.dtype)
            return row.load(place, lanes, self.dtype)
        if kernel.kind == "gather":
            number = w.op(f"load i32, ptr {w.op(f'getelementptr i32, ptr {self.listed}, i64 {channel}')}, align 4")
            offset = w.op(f"add i64 {offset}, {w.op(f'sext i32 {number} to i64')}")
            return row.load(row.values(self.rows[0], offset, self.dtype), lanes, self.dtype)
        offset = w.op(f"add i64 {offset}, {channel}")
        if kernel.kind == "product":
            return self._summed([offset], lanes)[0]
        if kernel.long:
            first = self._loaded(w.op(f"load ptr, ptr {self.runs}, align 8"), offset, lanes)
            second = w.op(f"getelementptr ptr, ptr {self.runs}, i64 1")
            with w.turns("run", self.more, [(vector(lanes, element(self.dtype)), first)]) as run:
                place = w.op(f"getelementptr ptr, ptr {second}, i64 {run.index}")
                value = self._loaded(w.op(f"load ptr, ptr {place}, align 8"), offset, lanes)
                run.next = [self._combined(lanes, run.values[0], value)]
            return run.values[0]
        total = ""
        for place in self.rows:
            along = ""
            for column in self.columns:
                value = self._loaded(row.values(place, offset, self.dtype), column, lanes)
                along = self._combined(lanes, along, value) if along else value
            total = self._combined(lanes, total, along) if total else along
        return total

    def _summed(self, offsets: list[str], lanes: int) -> list[str]:
        """The sums of the rows that the runs begin, each times a value of the first matrix, at some offsets."""
        row, w = self.row, self.row.w

        def terms(number: str) -> list[str]:
            place = w.op(f"load ptr, ptr {w.op(f'getelementptr ptr, ptr {self.runs}, i64 {number}')}, align 8")
            one = w.op(f"load {element(self.dtype)}, ptr {row.values(self.numbers, number, self.dtype)}, align 4")
            value = row.all(one, lanes)
            loaded = [self._loaded(place, offset, lanes) for offset in offsets]
            return [arithmetic.apply(w, self.times, lanes, [value, other]) for other in loaded]

        begin = [(vector(lanes, element(self.dtype)), term) for term in terms("0")]
        with w.turns("run", self.more, begin) as run:
            more = terms(w.op(f"add i64 {run.index}, 1"))
            run.next = [self._combined(lanes, total, term) for total, term in zip(run.values, more, strict=True)]
        return run.values

    def _loaded(self, place: str, offset: str, lanes: int) -> str:
        return self.row.load(self.row.values(place, offset, self.dtype), lanes, self.dtype)

    def _combined(self, lanes: int, total: str, value: str) -> str:
        return arithmetic.apply(self.row.w, self.fold, lanes, [total, value])
