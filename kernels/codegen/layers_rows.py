"""What all row kernels of network layers have in common: a function over a record, a step and a job's block."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kernels.codegen.layers_epilogue import SUM, Epilogue
from kernels.codegen.layers_record import JOB, TABLES, at
from kernels.codegen.layers_target import Target
from kernels.codegen.writer import Writer, vector
from kernels.ir.expr import Expr

ARGUMENTS = "ptr %layer, ptr %step, ptr %job"


@dataclass(frozen=True, slots=True)
class Function:
    """A function as text, and by name what must stand beside it in a module."""

    name: str
    text: str
    declared: dict[str, str]


@dataclass(frozen=True, slots=True)
class Result:
    """A pixel: the addresses of its channel 0 in the row that is made, and in each further row."""

    out: str
    beside: tuple[str, ...]


class RowWriter:
    """Writes one function of a row kernel.

    Args:
        target: the processor.
        epilogue: what becomes of a sum.
    """

    def __init__(self, target: Target, epilogue: Epilogue) -> None:
        self.w, self.target, self.epilogue = Writer(), target, epilogue
        self.beside: list[tuple[str, str]] = []

    def function(self, name: str, arguments: str = ARGUMENTS, result: str = "void") -> Function:
        """The function, of all that has been written."""
        head = f"define {result} @{name}({arguments}) nounwind {{\nentry:"
        return Function(name, "\n".join([head, *self.w.lines, "}"]), dict(self.w.declared))

    def field(self, name: str, type_: str = "i64") -> str:
        """A word of the record."""
        place = self.w.op(f"getelementptr i64, ptr %layer, i64 {at(name)}")
        return self.w.op(f"load {type_}, ptr {place}, align 8", name)

    def job(self, name: str) -> str:
        """A word of the job's block, an address."""
        place = self.w.op(f"getelementptr i64, ptr %job, i64 {JOB.index(name)}")
        return self.w.op(f"load ptr, ptr {place}, align 8", name)

    def bank(self, name: str) -> str:
        """The address of the bank that a field of the record names."""
        place = self.w.op(f"getelementptr ptr, ptr {self.job('banks')}, i64 {self.field(name)}")
        return self.w.op(f"load ptr, ptr {place}, align 8")

    def row(self, bank: str, word: str) -> str:
        """The address that word number `word` of the step says."""
        place = self.w.op(f"getelementptr i32, ptr %step, i64 {word}")
        offset = self.w.op(f"sext i32 {self.w.op(f'load i32, ptr {place}, align 4')} to i64")
        return self.floats(bank, offset)

    def floats(self, base: str, offset: str) -> str:
        """An address so many f32 further on."""
        return self.w.op(f"getelementptr float, ptr {base}, i64 {offset}")

    def load(self, place: str, lanes: int) -> str:
        """A vector; rows of stacked channels may begin anywhere."""
        return self.w.op(f"load {vector(lanes, 'float')}, ptr {place}, align 4")

    def runs(self) -> str:
        """Write down where the runs of a row's sum begin, in the order of the sum; returns where."""
        w, room = self.w, self.job("runs")
        bank, rows, taps = self.bank("bank_in"), self.field("rows"), self.field("taps")
        step_tap, blocks, step_block = self.field("step_tap"), self.field("blocks"), self.field("step_block")
        one_row = w.op(f"mul i64 {taps}, 8")
        with w.turns("block", blocks, [("ptr", room)]) as block:
            first = w.op(f"mul i64 {block.index}, {step_block}")
            with w.turns("row", rows, [("ptr", block.values[0])]) as row:
                begin = self.floats(self.row(bank, w.op(f"add i64 {row.index}, 2")), first)
                with w.turns("tap", taps, []) as tap:
                    place = w.op(f"getelementptr ptr, ptr {row.values[0]}, i64 {tap.index}")
                    run = self.floats(begin, w.op(f"mul i64 {tap.index}, {step_tap}"))
                    w.line(f"store ptr {run}, ptr {place}, align 8")
                row.next = [w.op(f"getelementptr i8, ptr {row.values[0]}, i64 {one_row}")]
            block.next = [row.values[0]]
        return room

    def across(self, width: str, many: int, body: Callable[[str, int], None]) -> None:
        """All pixels of a row: `body` writes so many of them from pixel x on, first `many`, then half of it, then one.

        The last ones overlap those before, so that rows of any width take few forms; what is made again has the same
        bits, and therefore a result must not lie where its operands do.
        """
        w, done = self.w, "0"
        for pixels in (many, many // 2):
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
        """Find the further rows, which stand behind those of the sum in a step."""
        behind = self.w.op(f"add i64 {self.field('rows')}, 2") if self.epilogue.beside else ""
        for k in range(self.epilogue.beside):
            place = self.row(self.bank(f"bank_beside{k}"), self.w.op(f"add i64 {behind}, {k}"))
            self.beside.append((place, self.field(f"step_beside{k}")))

    def offsets(self, x: str, pixels: int, step: str) -> list[str]:
        """How far pixel `x` and the following ones are from pixel 0."""
        made = [self.w.op(f"mul i64 {x}, {step}")]
        while len(made) < pixels:
            made.append(self.w.op(f"add i64 {made[-1]}, {step}"))
        return made

    def results(self, x: str, pixels: int, out: str, step: str) -> list[Result]:
        """Where pixel `x` and the following ones are stored, `out` being the row and `step` from pixel to pixel, and
        where their further operands lie."""
        places = [self.floats(out, offset) for offset in self.offsets(x, pixels, step)]
        rows = [[self.floats(row, offset) for offset in self.offsets(x, pixels, by)] for row, by in self.beside]
        return [Result(place, tuple(row[j] for row in rows)) for j, place in enumerate(places)]

    def finish(self, total: str, lanes: int, there: Result, channel: str) -> None:
        """Store what becomes of a sum: `lanes` channels from `channel` on of a pixel."""
        w = self.w

        def leaf(node: Expr) -> str:
            if node == SUM:
                return total
            if node.op == "input":
                place = self.floats(there.beside[node.arg.index - 1], channel)
            else:
                number = next(k for k in range(TABLES) if node.arg == f"channel{k}")
                place = self.floats(self.field(f"table{number}", "ptr"), channel)
            return self.load(place, lanes)

        made = self.epilogue.write(w, lanes, leaf)
        w.line(f"store {vector(lanes, 'float')} {made}, ptr {self.floats(there.out, channel)}, align 4")
