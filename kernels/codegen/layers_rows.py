"""What all row kernels of network layers have in common: a function over a record, a step and a job's block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kernels.codegen.layers_epilogue import Epilogue
from kernels.codegen.layers_record import JOB, at
from kernels.codegen.layers_target import Target
from kernels.codegen.writer import Writer, element, mask, splat, stored, vector
from kernels.ir.expr import Expr
from kernels.ir.image import F32, DType

ARGUMENTS = "ptr %layer, ptr %step, ptr %job"


@dataclass(frozen=True, slots=True)
class Function:
    """A function as text, and by name what must be beside it in a module."""

    name: str
    text: str
    declared: dict[str, str]


@dataclass(frozen=True, slots=True)
class Result:
    """Where a pixel's channel 0 lies in the row that is made, and in each further row: an address, and how far behind
    it in values."""

    out: tuple[str, str]
    beside: tuple[tuple[str, str], ...]


class RowWriter:
    """Writes one function of a row kernel.

    Args:
        target: the processor.
        epilogue: what becomes of a sum.
        steps: the record's `step_in`, `step_out` and `step_beside0` ..., where they are of the code: then an address is
            a register and a constant, else a chain of additions that takes longer than short sums do.
        ends: of each further row, how many channels of what is written are there; zeros are behind these. () for all.
    """

    def __init__(
        self, target: Target, epilogue: Epilogue, steps: tuple[int, ...] = (), ends: tuple[int, ...] = ()
    ) -> None:  # fmt: skip
        self.w, self.target, self.epilogue, self.steps, self.ends = Writer(), target, epilogue, steps, ends
        self.beside: list[tuple[str, str]] = []
        self.tables: list[str] = []
        self.scalars: dict[Expr, str] = {}

    def function(self, name: str, arguments: str = ARGUMENTS, result: str = "void") -> Function:
        """The function, of all that has been written."""
        head = f"define {result} @{name}({arguments}) nounwind {{\nentry:"
        return Function(name, "\n".join([head, *self.w.lines, "}"]), dict(self.w.declared))

    def field(self, name: str, type_: str = "i64", further: str = "") -> str:
        """A word of the record, or one so many words further on."""
        number = self.w.op(f"add i64 {further}, {at(name)}") if further else str(at(name))
        place = self.w.op(f"getelementptr i64, ptr %layer, i64 {number}")
        return self.w.op(f"load {type_}, ptr {place}, align 8", name)

    def job(self, name: str) -> str:
        """A word of the job's block, an address."""
        place = self.w.op(f"getelementptr i64, ptr %job, i64 {JOB.index(name)}")
        return self.w.op(f"load ptr, ptr {place}, align 8", name)

    def bank(self, name: str) -> str:
        """The address of the bank that a field of the record names."""
        place = self.w.op(f"getelementptr ptr, ptr {self.job('banks')}, i64 {self.field(name)}")
        return self.w.op(f"load ptr, ptr {place}, align 8")

    def row(self, bank: str, word: str, dtype: DType = F32) -> str:
        """The address that word number `word` of the step says."""
        place = self.w.op(f"getelementptr i32, ptr %step, i64 {word}")
        offset = self.w.op(f"sext i32 {self.w.op(f'load i32, ptr {place}, align 4')} to i64")
        return self.values(bank, offset, dtype)

    def values(self, base: str, offset: str, dtype: DType) -> str:
        """An address so many values further on."""
        return self.w.op(f"getelementptr {stored(dtype)}, ptr {base}, i64 {offset}")

    def floats(self, base: str, offset: str) -> str:
        """An address so many f32 further on."""
        return self.values(base, offset, F32)

    def load(self, place: str, lanes: int, dtype: DType = F32) -> str:
        """A vector; rows of stacked channels may begin anywhere."""
        return self.w.op(f"load {vector(lanes, stored(dtype))}, ptr {place}, align {dtype.bits // 8}")

    def runs(self, dtype: DType = F32) -> str:
        """Write down where the runs of a row's sum begin, in the order of the sum; returns where.

        Args:
            dtype: of the row that is looked at.
        """
        w, room = self.w, self.job("runs")
        bank, rows, taps = self.bank("bank_in"), self.field("rows"), self.field("taps")
        step_tap, blocks, step_block = self.field("step_tap"), self.field("blocks"), self.field("step_block")
        one_row = w.op(f"mul i64 {taps}, 8")
        with w.turns("block", blocks, [("ptr", room)]) as block:
            first = w.op(f"mul i64 {block.index}, {step_block}")
            with w.turns("row", rows, [("ptr", block.values[0])]) as row:
                begin = self.values(self.row(bank, w.op(f"add i64 {row.index}, 2"), dtype), first, dtype)
                with w.turns("tap", taps, []) as tap:
                    place = w.op(f"getelementptr ptr, ptr {row.values[0]}, i64 {tap.index}")
                    run = self.values(begin, w.op(f"mul i64 {tap.index}, {step_tap}"), dtype)
                    w.line(f"store ptr {run}, ptr {place}, align 8")
                row.next = [w.op(f"getelementptr i8, ptr {row.values[0]}, i64 {one_row}")]
            block.next = [row.values[0]]
        return room

    def across(self, width: str, pixels: tuple[int, ...], body: Callable[[str, int], None]) -> None:
        """All pixels of a row, of a width that `kernels.codegen.layers_target.forms` cuts into these: `body` writes so
        many of them from pixel x on."""
        w, most = self.w, pixels[0]
        # The smaller form is one pixel less (`forms`), so that width - tiles * smaller is how many are of the larger
        # one: together they make the width, and no pixel is made twice.
        tiles = w.op(f"udiv i64 {w.op(f'add i64 {width}, {most - 1}')}, {most}")
        turns = tiles if len(pixels) == 1 else w.op(f"sub i64 {width}, {w.op(f'mul i64 {tiles}, {pixels[1]}')}")
        with w.turns("pixels", turns, []) as turn:
            body(w.op(f"mul i64 {turn.index}, {most}"), most)
        if len(pixels) > 1:
            done = w.op(f"mul i64 {turns}, {most}")
            with w.turns("pixels", w.op(f"sub i64 {tiles}, {turns}"), []) as turn:
                body(w.op(f"add i64 {done}, {w.op(f'mul i64 {turn.index}, {pixels[1]}')}"), pixels[1])

    def overlapping(self, width: str, many: int, body: Callable[[str, int], None]) -> None:
        """All pixels of a row: `body` writes so many of them from pixel x on, first `many`, then half of it, then one.

        The last ones overlap those before, so that rows of any width take few forms; what is made again has the same
        bits, and therefore a result must not lie where its operands do.
        """
        w, done = self.w, "0"
        for pixels in (many, many // 2) if many > 3 else (many,):
            most = w.op(f"sub i64 {width}, {pixels}")
            fits = w.op(f"icmp sge i64 {most}, 0")
            left = w.op(f"sub i64 {width}, {done}")
            # A rest that the next form makes in one go is left to it.
            spare = pixels // 2 - 1 if pixels == many else pixels - 1
            turns = w.op(f"sdiv i64 {w.op(f'add i64 {left}, {spare}')}, {pixels}")
            turns = w.op(f"select i1 {fits}, i64 {turns}, i64 0")
            with w.turns("pixels", turns, []) as turn:
                x = w.op(f"add i64 {done}, {w.op(f'mul i64 {turn.index}, {pixels}')}")
                x = w.call("i64", "llvm.smin.i64", ("i64", x), ("i64", most))
                body(x, pixels)
            after = w.op(f"add i64 {done}, {w.op(f'mul i64 {turns}, {pixels}')}")
            done = w.call("i64", "llvm.smin.i64", ("i64", after), ("i64", width))
        with w.turns("pixel", w.op(f"sub i64 {width}, {done}"), []) as turn:
            body(w.op(f"add i64 {done}, {turn.index}"), 1)

    def operands(self) -> None:
        """Find the further rows, which are behind those of the sum in a step, and the epilogue's constants."""
        behind = self.w.op(f"add i64 {self.field('rows')}, 2") if self.epilogue.beside else ""
        for k in range(self.epilogue.beside):
            word = self.w.op(f"add i64 {behind}, {k}")
            place = self.row(self.bank(f"bank_beside{k}"), word, self.epilogue.type_of(k + 1))
            self.beside.append((place, self.step_beside(k)))
        self.constants()

    def constants(self) -> None:
        """Find the epilogue's constants alone."""
        self.tables = [self.field(f"table{k}", "ptr") for k in range(self.epilogue.tables)]
        scalars = self.field("scalars", "ptr") if self.epilogue.scalars else ""
        for number, leaf in self.epilogue.scalar_leaves:
            place = self.values(scalars, str(number), F32)
            self.scalars[leaf] = self.w.op(f"load {element(leaf.dtype)}, ptr {place}, align 4")

    @property
    def step_in(self) -> str:
        """Values from pixel to pixel of what is looked at."""
        return self._step(0, "step_in")

    @property
    def step_out(self) -> str:
        """The same of what is made."""
        return self._step(1, "step_out")

    def step_beside(self, number: int) -> str:
        """The same of a further row."""
        return self._step(2 + number, f"step_beside{number}")

    def _step(self, number: int, name: str) -> str:
        return str(self.steps[number]) if self.steps else self.field(name)

    def times(self, step: str, count: int) -> list[str]:
        """0, 1 ... steps."""
        if step.isdecimal():
            return [str(int(step) * k) for k in range(count)]
        made = ["0"]
        while len(made) < count:
            made.append(self.w.op(f"add i64 {made[-1]}, {step}"))
        return made

    def offsets(self, x: str, pixels: int, step: str) -> list[str]:
        """How far pixel `x` and the following ones are from pixel 0."""
        made = [self.w.op(f"mul i64 {x}, {step}")]
        while len(made) < pixels:
            made.append(self.w.op(f"add i64 {made[-1]}, {step}"))
        return made

    def results(self, x: str, pixels: int, out: str, step: str) -> list[Result]:
        """Where pixel `x` and the following ones are stored, `out` being the row and `step` from pixel to pixel, and
        where their further operands lie."""

        def along(row: str, by: str, dtype: DType) -> list[tuple[str, str]]:
            first = self.values(row, self.w.op(f"mul i64 {x}, {by}"), dtype)
            return [(first, offset) for offset in self.times(by, pixels)]

        places = along(out, step, self.epilogue.root.dtype)
        rows = [along(row, by, self.epilogue.type_of(k + 1)) for k, (row, by) in enumerate(self.beside)]
        return [Result(place, tuple(row[j] for row in rows)) for j, place in enumerate(places)]

    def finish(
        self, total: str, lanes: int, there: Result, channel: str, kept: int = 0, handed: bool = False, at: int = 0
    ) -> None:  # fmt: skip
        """Store what becomes of a sum: `lanes` channels from `channel` on of a pixel; of them only the first `kept` if
        that is not 0, and zeros behind these.

        Args:
            handed: whether it goes through one more operation, which changes no bit, right before it is stored (see
                `Target.handing`; of x86). LLVM would leave that out, or make it long before.
            at: see `ended`.
        """
        w, dtype, type_ = self.w, self.epilogue.root.dtype, vector(lanes, stored(self.epilogue.root.dtype))
        made = self.ended(total, lanes, there, channel, at)
        if handed:
            made = w.op(f'call {type_} asm sideeffect "vandps $1, $1, $0", "=x,x"({type_} {made})')
        if kept and kept < lanes:
            mask = ", ".join(f"i1 {'true' if k < kept else 'false'}" for k in range(lanes))
            made = w.op(f"select {vector(lanes, 'i1')} <{mask}>, {type_} {made}, {type_} zeroinitializer")
        w.line(f"store {type_} {made}, ptr {self._of(there.out, channel, dtype)}, align {dtype.bits // 8}")

    def _of(self, pixel: tuple[str, str], channel: str, dtype: DType) -> str:
        return self.values(self.values(pixel[0], channel, dtype), pixel[1], dtype)

    def ended(self, total: str, lanes: int, there: Result, channel: str, at: int = 0) -> str:
        """What becomes of a sum: `lanes` channels from `channel` on of a pixel; `at` is that as `ends` count them."""

        def leaf(node: Expr) -> str:
            if node.op == "input":
                number = node.arg.index
                if not number:
                    return total
                place = self._of(there.beside[number - 1], channel, node.dtype)
                kept = self.ends[number - 1] - at if self.ends else lanes
                if kept < lanes:
                    return self._begun(place, lanes, kept, node.dtype)
                return self.load(place, lanes, node.dtype)
            if node in self.scalars:
                return self.all(self.scalars[node], lanes, element(node.dtype))
            table = self.tables[int(node.arg.removeprefix("channel"))]
            return self.load(self.values(table, channel, node.dtype), lanes, node.dtype)

        return self.epilogue.write(self.w, lanes, leaf)

    def _begun(self, place: str, lanes: int, kept: int, dtype: DType) -> str:
        """A vector that ends in zeros: nothing behind its first `kept` values is read."""
        if kept <= 0:
            return splat(0, dtype)
        type_ = vector(kept, stored(dtype))
        return self.w.op(f"shufflevector {type_} {self.load(place, kept, dtype)}, {type_} zeroinitializer, "
                         f"{mask(min(k, kept) for k in range(lanes))}")  # fmt: skip

    def all(self, value: str, lanes: int, type_: str = "float") -> str:
        """A vector of equal values."""
        many = vector(lanes, type_)
        first = self.w.op(f"insertelement {many} poison, {type_} {value}, i64 0")
        return self.w.op(f"shufflevector {many} {first}, {many} poison, {vector(lanes, 'i32')} zeroinitializer")
