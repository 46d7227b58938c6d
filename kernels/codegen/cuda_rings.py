"""The past of images in a thread's registers: loaded before the march, read and moved on in every frame of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kernels.codegen.cuda_expr import memory_type
from kernels.codegen.cuda_lane import ImageRow
from kernels.codegen.cuda_sources import Sources
from kernels.codegen.cuda_writer import up
from kernels.fusion.blocks_model import BlockProgram, Loop, steps
from kernels.fusion.blocks_rings import ring_words, when
from kernels.ir.expr import Expr
from kernels.ir.image import I32, U8, ImageType


class Rings(Sources):
    """What of a pass keeps frames in registers. The words of a vector of `back` frames ago: `was<input>_<back>[k]`."""

    def __init__(self, program: BlockProgram, number: int, lookups: dict[Expr, str], levels: dict[Expr, int]) -> None:
        super().__init__(program, number, lookups, levels)
        self.loop: Loop | None = None
        looped = [loop for stage in self.plan.stages for loop in stage if loop.rings]
        self.numbers = {id(loop): f"_{n}" if n else "" for n, loop in enumerate(looped)}

    def _was(self, loop: Loop, index: int, back: int) -> str:
        """The words of an image some frames ago, of every vector of this thread."""
        return f"was{index}_{back}{self.numbers[id(loop)]}"

    def _ringed(self) -> Iterator[Loop]:
        yield from (loop for stage in self.plan.stages for loop in stage if loop.rings)

    def _load_rings(self) -> None:
        """The frames before the batch."""
        for loop in self._ringed():
            v, e = loop.vector, loop.extent
            across = (up(e.left, v) + self.program.tile[0] + up(e.right, v)) // v
            turns = steps(across, self._down(e), self.program.threads)[0]
            names = ", ".join(f"in{index}" for index, _ in loop.rings)
            self.line(f"// earlier frames of {names} under the pixels of this thread, the halo's too")
            for index, depth in loop.rings:
                for back in range(1, depth + 1):
                    words = ring_words(self.program.body.inputs[index], v)
                    self.line(f"unsigned {self._was(loop, index, back)}[{turns}][{words}] = {{}};")
            # Before the march, with the same turns as in it: registers are indexed by constants.
            with self._vectors(loop, True):
                for index, depth in loop.rings:
                    for back in range(1, depth + 1):
                        with self.block(""):
                            self._load_frame(loop, index, back)

    def _load_frame(self, loop: Loop, index: int, back: int) -> None:
        type_ = self.program.body.inputs[index]
        assert isinstance(type_, ImageType)
        size, depth = type_.height * type_.width * type_.channels, self.program.back[index]
        given = self.argument(f"input{index}", "input", type_.dtype, index, type_.shape)
        past = self.argument(f"past{index}", "past", type_.dtype, index, type_.shape, depth)
        ctype = memory_type(type_.dtype)
        # At the beginning of a stream fewer than `back` frames are known: the oldest one then.
        place = f"{past} + (size_t)({depth} + larger(-{back}, -age)) * {size}"
        self.line(f"// {back} before the batch; before the first stands the first")
        self.line(f"const {ctype} *const from = age == 0 ? {given} : {place};")
        self.line(f"{ctype} frame[{type_.channels * loop.vector}];")
        self._load_row("frame", type_.dtype, type_.channels, "from")
        self.line(f"pack<{ring_words(type_, loop.vector)}>({self._was(loop, index, back)}[k], frame);")

    def _row(self, row: ImageRow) -> None:
        """The thread's vector of an image: from memory, or as it was loaded some frames ago."""
        length = row.channels * self.vector
        ring = self._kept(row.plane)
        # Both are kept: dp4a takes the word, all else a byte.
        if row.dtype == U8 and row.channels == 4:  # a word a pixel, and its bytes
            if ring:
                self.line(f"const unsigned (&{row.name}w)[{self.vector}] = {ring};")
            else:
                self.line(f"unsigned {row.name}w[{self.vector}];")
                self._load_row(f"{row.name}w", I32, 1, f"(const unsigned *){row.pointer}")
            self.line(f"unsigned char {row.name}[{length}];")
            self.line(f"split<{self.vector}>({row.name}, {row.name}w);")
            return
        self.line(f"{memory_type(row.dtype)} {row.name}[{length}];")
        if ring:
            self.line(f"unpack<{length * row.dtype.itemsize // 4}>({row.name}, {ring});")
        else:
            self._load_row(row.name, row.dtype, row.channels, row.pointer)

    def _kept(self, plane: Expr) -> str:
        """The words of an image's past if the loop keeps it; empty if it is to be loaded."""
        if self.loop is None or plane in self.program.frames:
            return ""
        index, back = when(plane)
        return f"{self._was(self.loop, index, back)}[k]" if back and index in dict(self.loop.rings) else ""

    def _carry_rings(self, loop: Loop, rows: Mapping[str, ImageRow]) -> None:
        """This frame is the next one's past."""
        for index, depth in loop.rings:
            row = rows[f"in{index}"]  # the first group has loaded it
            words = ring_words(self.program.body.inputs[index], self.vector)
            # From the oldest on, so that nothing is lost before it has moved.
            for back in range(depth, 1, -1):
                newer, older = (self._was(loop, index, b) for b in (back - 1, back))
                self.line(f"keep<{words}>({older}[k], {newer}[k]);")
            newest = f"{self._was(loop, index, 1)}[k]"
            whole = row.dtype == U8 and row.channels == 4
            self.line(f"keep<{words}>({newest}, {row.name}w);" if whole else f"pack<{words}>({newest}, {row.name});")
