"""Fused modules of network layers (`kernels.fusion.modules`) as CUDA C.

A block makes its steps one after another, a barrier between them. Of a contraction a thread sums a few pixels times a
few neighbouring channels in registers: pixels lie next to one another among the threads, so what they read of a tile
(channel by channel, rows of pixels) is in different banks, and all threads of a warp want the same weights, which come
16 bytes an access. Sums have the one order of `kernels.ir.volumes.Contract`, with `__fmaf_rn`; those of bytes are exact
in any, and take four channels an instruction (dp4a). All else of a value is an expression, printed where a pixel's
channel is made.

Values between modules lie channel by channel, (channels, height, width), or, of bytes, in words of four channels,
(channels / 4, height, width, 4), as in tiles; inputs and outputs pixel by pixel.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.cuda_expr import from_memory, looked_up, memory_type, number, operation, register_type
from kernels.codegen.cuda_lane import border_value
from kernels.codegen.cuda_launch import Argument, CudaKernel, with_live
from kernels.codegen.cuda_writer import Writer, signed, up, word
from kernels.fusion.modules import TENSOR_WIDE, THREADS, Kept, ModuleProgram, Step, in_words, source_of
from kernels.fusion.normal import Unsupported
from kernels.ir.expr import Expr
from kernels.ir.image import F32, I32, U8, DType, ImageType
from kernels.ir.planes import Border
from kernels.ir.volumes import CHANNEL_BLOCK, WHOLE, Contract

RESIDENT = 2
"""Blocks that shall fit a multiprocessor by their registers."""
REGISTERS = ((4, 8), (2, 8), (4, 4), (1, 8), (2, 4), (4, 2), (1, 4), (4, 1), (2, 1), (1, 1))
"""(pixels, channels) that a thread may sum together."""
UNROLLED = 49
"""Taps of a window, or of a sum, that are written one after another."""


@dataclass(slots=True)
class Pool:
    """Constants of all modules of a program, side by side in one piece of memory.

    Attributes:
        parts: their bytes; each begins at a multiple of 16.
        places: offset of each, by content.
    """

    parts: list[bytes] = field(default_factory=list)
    places: dict[bytes, int] = field(default_factory=dict)
    size: int = 0

    def place(self, array: npt.NDArray[Any]) -> int:
        """The offset of an array's bytes."""
        content = np.ascontiguousarray(array).tobytes()
        if content not in self.places:
            self.places[content] = self.size
            self.parts.append(content.ljust(up(len(content), 16), b"\0"))
            self.size += len(self.parts[-1])
        return self.places[content]

    @property
    def bytes(self) -> npt.NDArray[np.uint8]:
        """All of it."""
        return np.frombuffer(b"".join(self.parts), np.uint8)


class ModulePrinter(Writer):
    """Prints one kernel.

    Args:
        program: all modules.
        index: of the one.
        name: of the kernel.
        lookups: arrays of tables, filled on the way.
        pool: constants, filled on the way.
        resident: blocks that shall fit a multiprocessor by their registers.
    """

    def __init__(
        self, program: ModuleProgram, index: int, name: str, lookups: dict[Expr, str], pool: Pool,
        resident: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.resident = resident or RESIDENT
        self.program, self.module, self.name = program, program.modules[index], name
        self.lookups, self.pool = lookups, pool
        self.arguments: dict[str, Argument] = {}
        self.pointers: dict[str, str] = {}
        self.numbers = {one.node: k for k, one in enumerate(program.kept)}
        self.here: dict[Expr, Step] = {}
        """What is in tiles now."""
        self.known: dict[tuple[Expr, str, str, str], str] = {}
        self.core: tuple[Expr, str] | None = None
        self.fresh = 0

    def kernel(self) -> tuple[str, CudaKernel]:
        """The text, and how it is launched."""
        self.depth = 2
        # Offsets below 0 are steps that go to memory at once.
        tiles = [step for step in self.module.steps if step.offset >= 0]
        made = 0
        # A barrier between steps: other threads read what this one wrote.
        for count, step in enumerate(self.module.steps):
            if count:
                self.line("__syncthreads();")
            self._step(step)
            made += step.kept is not None
            if step.offset >= 0:
                self.here[step.node] = step
            # Tiles whose last reader has been: their memory is another tile's by now.
            self.here = {node: one for node, one in self.here.items() if one.last >= made}
        if tiles:
            self.line("__syncthreads();  // before the next frame overwrites what this one looks at")
        # The body is printed first: only then is it known which arguments and pointers the head needs.
        body, self.lines = self.lines, []
        down, across = self.module.blocks
        self.depth = 0
        self._argument("frames", "frames", I32)
        listed, (given, live, computed) = [], with_live(self.program.body, self.arguments.values())
        for a in given:
            # `const __restrict__` lets nvcc load by the read-only path; what this kernel writes must not go there.
            reads = a.kind in ("input", "weights", "live") or (a.kind == "frame" and a.key not in self._written())
            pointer = f"{'const ' if reads else ''}{memory_type(a.dtype)} *__restrict__ {a.name}"
            listed.append(f"const {memory_type(a.dtype)} {a.name}" if a.is_scalar else pointer)
        last = self.module.steps[-1]
        # Blocks' sizes are said as the last step has them: all others are made larger by what it looks at.
        self.line(f"// {', '.join(self._described(step) for step in self.module.steps)}: blocks of "
                  f"{last.tile.owned[1]}x{last.tile.owned[0]} pixels; {self.module.shared} bytes of shared memory.")
        self.line(f'extern "C" __global__ void __launch_bounds__({THREADS}, {self.resident}) {self.name}(')
        self.line("    " + ",\n    ".join(listed) + ")")
        self.line("{")
        self.depth = 1
        for text in computed:
            self.line(text)
        if tiles:
            self.line("extern __shared__ __align__(16) unsigned char shared[];")
        self.line("const int thread = threadIdx.x, down = blockIdx.y, across = blockIdx.x;")
        for step in tiles:
            kind = memory_type(step.node.dtype)
            self.line(f"{kind} *const {self._tile(step)} = ({kind} *)(shared{signed(step.offset)});")
        with self.block("for (int t = blockIdx.z; t < frames; t += gridDim.z)"):
            for text in self.pointers.values():
                self.line(text)
            self.lines += body
        self.depth = 0
        self.line("}")
        tile = last.tile.owned[1], last.tile.owned[0]
        return "\n".join(self.lines), CudaKernel(self.name, (THREADS, 1), (across, down), True, self.module.shared,
                                                 given, tile, (0, 0, 0, 0), live=live)  # fmt: skip

    def _written(self) -> set[int | str]:
        return {self._frame_key(step.node) for step in self.module.steps if step.stored}

    def _described(self, step: Step) -> str:
        if step.kept is None:
            return f"copy of {step.node.channels}"
        if step.kept.core is None:
            return f"{step.node.channels}"
        how: Contract = step.kept.core.arg
        return f"{step.node.channels} by {how.taps[0]}x{how.taps[1]}{f' in {how.groups}' if how.groups > 1 else ''}"

    # Memory

    def _argument(self, name: str, kind: str, dtype: DType, key: int | str = 0, shape: tuple[int, ...] = ()) -> str:
        self.arguments.setdefault(name, Argument(name, kind, dtype, key, shape))
        return name

    def _frame_key(self, node: Expr) -> str:
        return f"value {self.numbers[node]}"

    def _tile(self, step: Step) -> str:
        return f"tile{self.module.steps.index(step)}"

    def _pointer(self, name: str, text: str) -> str:
        self.pointers.setdefault(name, text)
        return name

    def _input(self, index: int) -> tuple[str, ImageType]:
        type_ = self.program.body.inputs[index]
        assert isinstance(type_, ImageType)
        given = self._argument(f"input{index}", "input", type_.dtype, index, type_.shape)
        kind = memory_type(type_.dtype)
        size = type_.height * type_.width * type_.channels
        return self._pointer(f"in{index}", f"const {kind} *const in{index} = {given} + (size_t)t * {size};"), type_

    def _frame(self, node: Expr) -> str:
        """A value in memory, of this frame."""
        assert node.size is not None
        shape = (node.channels, *node.size)
        name, key = f"value{self.numbers[node]}", self._frame_key(node)
        self._argument(f"{name}_all", "frame", node.dtype, key, shape)
        constant = "" if key in self._written() else "const "
        kind = memory_type(node.dtype)
        size = int(np.prod(shape))
        return self._pointer(name, f"{constant}{kind} *const {name} = {name}_all + (size_t)t * {size};")

    def _constants(self, array: npt.NDArray[Any], kind: str) -> str:
        """A pointer to constants."""
        given = self._argument("weights", "weights", U8)
        return f"((const {kind} *)({given} + {self.pool.place(array)}))"

    def _element(self, node: Expr, y: str, x: str, c: str) -> str:
        """A kept value or an input at a place within it, as C text."""
        step = self.here.get(node)
        if step is not None:
            # Places are those of the image; a tile begins `low` beside the block's own pixels.
            tile = step.tile
            row = f"({y} - (down * {tile.owned[0]}{signed(tile.low[0])}))"
            column = f"({x} - (across * {tile.owned[1]}{signed(tile.low[1])}))"
            index = f"{row} * {tile.columns} + {column}"
            return self._indexed(self._tile(step), index, c, tile.pitch, node)
        assert node.size is not None
        height, width = node.size
        if node.op != "input":
            far = _far(node.channels, height, width)
            return self._indexed(self._frame(node), f"{far}{y} * {width} + {x}", c, height * width, node, far)
        name, type_ = self._input(node.arg.index)
        # An input that names a channel is that plane of an image, the others are all its channels.
        channel = c if node.arg.channel == WHOLE else str(node.arg.channel)
        index = f"{_far(*type_.shape)}{y} * {width} + {x}"
        index = index if type_.channels == 1 else f"({index}) * {type_.channels} + {channel}"
        return from_memory(f"{name}[{index}]", node.dtype)

    def _indexed(self, name: str, index: str, c: str, pixels: int, node: Expr, far: str = "") -> str:
        return from_memory(f"{name}[{_index(node, index, c, pixels, far)}]", node.dtype)

    # Expressions

    @contextmanager
    def scope(self, head: str) -> Iterator[None]:
        """A block; what is computed inside is not seen outside."""
        before = dict(self.known)
        with self.block(head):
            yield
        self.known = before

    def _name(self, text: str, dtype: DType) -> str:
        self.fresh += 1
        self.line(f"const {register_type(dtype)} v{self.fresh} = {text};")
        return f"v{self.fresh}"

    def value(self, node: Expr, y: str, x: str, c: str) -> str:
        """The C expression of a value at a pixel and channel; what it needs is computed before."""
        # One key for all channels of a plane: it is computed once.
        if node.channels == 1:
            c = "0"
        key = node, y, x, c
        if key not in self.known:
            self.known[key] = self._made(node, y, x, c)
        return self.known[key]

    def _made(self, node: Expr, y: str, x: str, c: str, own: bool = False) -> str:
        # The sum in registers stands for the contraction within the expression around it.
        if self.core is not None and node is self.core[0]:
            return self.core[1]
        if not own and (node.op == "input" or node in self.numbers):
            return self._name(self._element(node, y, x, c), node.dtype)
        arg = node.arg
        match node.op:
            case "const":
                return number(arg, node.dtype)
            case "param":
                given = self._argument(word("p", arg), "param", node.dtype, arg)
                return f"({given} != 0)" if register_type(node.dtype) == "bool" else given
            case "coord":
                return x if arg == "x" else y
            case "vector":
                kind = memory_type(node.dtype)
                return self._name(from_memory(f"{self._constants(arg.array, kind)}[{c}]", node.dtype), node.dtype)
            case "table":
                index = self.value(node.src[0], y, x, c)
                last, kind = len(arg) - 1, register_type(node.src[0].dtype)
                name = self.lookups.setdefault(Expr("table", (), arg, node.dtype, None), f"lookup{len(self.lookups)}")
                # Held within the table while it is its own type: a conversion first could wrap.
                index = f"(int)smaller(larger({index}, ({kind})0), ({kind}){last})"
                return self._name(looked_up(name, index, node), node.dtype)
            case "load":
                at_y, at_x = f"({y} * {arg.stride_y}{signed(arg.dy)})", f"({x} * {arg.stride_x}{signed(arg.dx)})"
                return self._looked(node, node.src[0], arg.border, at_y, at_x, c)
            case "gather":
                at_y, at_x = (self.value(s, y, x, "0") for s in node.src[1:])
                return self._looked(node, node.src[0], arg.border, at_y, at_x, c)
            case "window":
                return self._window(node, y, x, c)
            case "part":
                return self.value(node.src[0], y, x, f"({c} + {arg[0]})" if not c.isdigit() else str(int(c) + arg[0]))
            case "stack":
                return self._stack(node, y, x, c)
            case "mosaic":
                which = self._name(f"{y} % {arg[0]} * {arg[1]} + {x} % {arg[1]}", I32)
                at_y, at_x = self._name(f"{y} / {arg[0]}", I32), self._name(f"{x} / {arg[1]}", I32)
                cases = [(f"{which} == {k}", s, at_y, at_x, c) for k, s in enumerate(node.src)]
                return self._one_of(node.dtype, cases)
        if node.op == "contract":
            raise Unsupported("a contraction within an expression")
        return self._name(operation(node, [self.value(s, y, x, c) for s in node.src]), node.dtype)

    def _looked(self, node: Expr, source: Expr, border: Border, y: str, x: str, c: str) -> str:
        """A value at another place, under a border rule."""
        assert source.size is not None
        # Named once: borders and the look use them several times.
        at_y, at_x = self._name(y, I32), self._name(x, I32)
        if border.mode != "constant":
            at_y = self._name(f"fold_{border.mode}({at_y}, {source.size[0]})", I32)
            at_x = self._name(f"fold_{border.mode}({at_x}, {source.size[1]})", I32)
            return self.value(source, at_y, at_x, c)
        self.fresh += 1
        name = f"v{self.fresh}"
        # The constant first; the look itself is only made inside, since what it computes there may not be read outside.
        self.line(f"{register_type(node.dtype)} {name} = {border_value(border, node.dtype)};")
        with self.scope(f"if ((unsigned){at_y} < {source.size[0]}u && (unsigned){at_x} < {source.size[1]}u)"):
            self.line(f"{name} = {self.value(source, at_y, at_x, c)};")
        return name

    def _window(self, node: Expr, y: str, x: str, c: str) -> str:
        arg = node.arg
        self.fresh += 1
        total, row, j, i = (f"{prefix}{self.fresh}" for prefix in ("v", "row", "j", "i"))
        kind = register_type(node.dtype)
        # Rows are folded by themselves, then rows together: the order of the reference's sums.
        fold = Expr("add" if arg.kind == "sum" else arg.kind, (node, node), None, node.dtype, None)
        self.line(f"{kind} {total} = 0;")
        unrolled = (arg.y1 - arg.y0 + 1) * (arg.x1 - arg.x0 + 1) <= UNROLLED
        if unrolled:
            self.line("#pragma unroll")
        with self.scope(f"for (int {j} = {arg.y0}; {j} <= {arg.y1}; ++{j})"):
            self.line(f"{kind} {row} = 0;")
            if unrolled:
                self.line("#pragma unroll")
            with self.scope(f"for (int {i} = {arg.x0}; {i} <= {arg.x1}; ++{i})"):
                seen = self._looked(node, node.src[0], arg.border, f"{y} + {j}", f"{x} + {i}", c)
                self.line(f"{row} = {i} == {arg.x0} ? {seen} : {operation(fold, [row, seen])};")
            self.line(f"{total} = {j} == {arg.y0} ? {row} : {operation(fold, [total, row])};")
        return total

    def _stack(self, node: Expr, y: str, x: str, c: str) -> str:
        cases = []
        first = 0
        for s in node.src:
            end = first + s.channels
            # A channel that is known picks its operand without a test at run time.
            if c.isdigit():
                if first <= int(c) < end:
                    return self.value(s, y, x, str(int(c) - first))
            else:
                cases.append((f"{c} < {end}", s, y, x, f"({c} - {first})" if first else c))
            first = end
        return self._one_of(node.dtype, cases)

    def _one_of(self, dtype: DType, cases: list[tuple[str, Expr, str, str, str]]) -> str:
        """The first of some values whose condition holds."""
        self.fresh += 1
        name = f"v{self.fresh}"
        self.line(f"{register_type(dtype)} {name};")
        for k, (condition, source, y, x, c) in enumerate(cases):
            head = f"if ({condition})" if not k else "else" if k == len(cases) - 1 else f"else if ({condition})"
            with self.scope(head):
                self.line(f"{name} = {self.value(source, y, x, c)};")
        return name

    # Steps

    def _step(self, step: Step) -> None:
        self.line(f"// {self._described(step)}: {step.tile.columns}x{step.tile.rows} pixels")
        if step.kept is not None and step.kept.core is not None:
            self._contraction(step, step.kept)
        else:
            self._plain(step)

    def _plain(self, step: Step) -> None:
        """A copy, or a value without a sum: a pixel's channel a thread, or a word of four."""
        lanes = 4 if in_words(step.node) else 1
        pixels, count, c = step.tile.pixels, step.node.channels // lanes, "c" if lanes == 1 else "word"
        by_channel = step.node.op == "input" and step.kept is None and step.node.channels > 1
        # Neighbouring threads take neighbouring pixels of a channel, so that stores to a tile meet no bank twice.
        with self.scope(f"for (int item = thread; item < {pixels * count}; item += {THREADS})"):
            if step.node.channels == 1:
                self.line("const int p = item;")
            elif by_channel:  # as it lies in memory
                self.line(f"const int p = item / {count}, {c} = item % {count};")
            else:
                self.line(f"const int p = item % {pixels}, {c} = item / {pixels};")
            self.line(f"const int y = {self._place(step, 0)}, x = {self._place(step, 1)};")
            if lanes == 1:
                self._stored(step, "p", "y", "x", "c" if step.node.channels > 1 else "0")
                return
            self.line("const int first = 4 * word;")
            if step.kept is None:
                self._copied_word(step)
            else:
                self._stored_words(step, 4, "p", "y", "x")

    def _copied_word(self, step: Step) -> None:
        """Copy a pixel's channels `first` to `first` + 3."""
        node = step.node
        assert node.size is not None
        assert step.fill is not None
        here = f"*(unsigned *)({self._tile(step)} + {_index(node, 'p', 'first', step.tile.pitch)})"
        # The names that `_address` uses.
        self.line("const int ty = y, tx = x;")
        self.line(f"if ((unsigned)y < {node.size[0]}u && (unsigned)x < {node.size[1]}u) "
                  f"{here} = *(const unsigned *)({self._address(node, None, 'first')});")  # fmt: skip
        self.line(f"else {here} = {_four(int(step.fill))};")

    def _stored_words(self, step: Step, wide: int, p: str, y: str, x: str) -> None:
        """Make `wide` neighbouring channels of a pixel, from `first` on, and put them where they go, four an access."""
        node = step.node
        assert node.size is not None
        height, width = node.size
        kind, far = memory_type(node.dtype), _far(node.channels, height, width)
        # Channels beyond the last are computed again as the last one and not stored: no branch within the unrolled
        # loop.
        partial = node.channels % wide > 0
        words = f"for (int g = 0; g < {wide}{f' && first + g < {node.channels}' if partial else ''}; g += 4)"
        here = f"{self._tile(step)} + {_index(node, p, '(first + g)', step.tile.pitch)}"
        with self.scope(f"if ((unsigned){y} < {height}u && (unsigned){x} < {width}u)"):
            self.line(f"{kind} made[{wide}];")
            self.line("#pragma unroll")
            with self.scope(f"for (int f = 0; f < {wide}; ++f)"):
                self.line(f"const int c = {f'smaller(first + f, {node.channels - 1})' if partial else 'first + f'};")
                self.line(f"made[f] = ({kind}){self._made(node, y, x, 'c', own=True)};")
            self.line("#pragma unroll")
            with self.block(words):
                if step.offset >= 0:
                    self.line(f"store<4>({here}, made + g);")
                if step.stored:
                    owned = self._owned(step, y, x)
                    with self.block(f"if ({' && '.join(owned)})" if owned else ""):
                        index = f"{far}{y} * {width} + {x}"
                        for name in step.kept.outputs if step.kept is not None else ():
                            to = self._output(name, node)
                            self.line(f"store<4>({to} + ({index}) * {node.channels} + first + g, made + g);")
                        if self.used_later(node):
                            at = _index(node, index, "(first + g)", height * width, far)
                            self.line(f"store<4>({self._frame(node)} + {at}, made + g);")
        # What lies beyond the image is written, too, where later sums read it without a test.
        if step.fill is not None:
            with self.scope("else"):
                self.line("#pragma unroll")
                self.line(f"{words} *(unsigned *)({here}) = {_four(int(step.fill))};")

    def _place(self, step: Step, axis: int, p: str = "p") -> str:
        """The row (axis 0) or column of the image on which pixel p of a tile is."""
        tile = step.tile
        within = f"{p} / {tile.columns}" if axis == 0 else f"{p} % {tile.columns}"
        return f"{'across' if axis else 'down'} * {tile.owned[axis]}{signed(tile.low[axis])} + {within}"

    def _stored(self, step: Step, p: str, y: str, x: str, c: str, kept: str = "") -> None:
        """Make a pixel's channel and put it where it goes; with `kept` its way to outputs leads through there."""
        node, tile = step.node, step.tile
        assert node.size is not None
        height, width = node.size
        kind = memory_type(node.dtype)
        here = f"{self._tile(step)}[{_index(node, p, c, tile.pitch)}]"
        with self.scope(f"if ((unsigned){y} < {height}u && (unsigned){x} < {width}u)"):
            made = self._element(node, y, x, c) if step.kept is None else self._made(node, y, x, c, own=True)
            if step.offset >= 0:
                self.line(f"{here} = ({kind}){made};")
            if kept:
                self.line(f"{kept} = {made};")
            if step.stored:
                self._leaves(step, made, y, x, c, not kept)
        if step.fill is not None:
            with self.scope("else"):
                beyond = number(step.fill if node.dtype.is_float else int(step.fill), node.dtype)
                self.line(f"{here} = ({kind}){beyond};")

    def _owned(self, step: Step, y: str, x: str) -> list[str]:
        """Conditions under which a pixel of a tile is the block's own."""
        tile = step.tile
        made = []
        for name, block, axis in ((y, "down", 0), (x, "across", 1)):
            # A tile without a halo on an axis needs no test there.
            if tile.low[axis] < 0 or tile.high[axis] >= tile.owned[axis]:
                made.append(f"(unsigned)({name} - {block} * {tile.owned[axis]}) < {tile.owned[axis]}u")
        return made

    def _output(self, name: str, node: Expr) -> str:
        """This frame of an output."""
        type_ = self.program.body.output(name).type
        assert isinstance(type_, ImageType)
        given = self._argument(word("out", name), "output", type_.dtype, name, type_.shape)
        size = type_.height * type_.width * node.channels
        to = word("to", name)
        return self._pointer(to, f"{memory_type(node.dtype)} *const {to} = {given} + (size_t)t * {size};")

    def _leaves(self, step: Step, made: str, y: str, x: str, c: str, outputs: bool) -> None:
        """Put what a block owns into memory."""
        node, kept = step.node, step.kept
        assert node.size is not None
        assert kept is not None
        kind = memory_type(node.dtype)
        height, width = node.size
        later = self.used_later(node)
        if not later and not (outputs and kept.outputs):
            return
        owned = self._owned(step, y, x)
        far = _far(node.channels, height, width)
        index = f"{far}{y} * {width} + {x}"
        with self.block(f"if ({' && '.join(owned)})" if owned else ""):
            for name in kept.outputs if outputs else ():
                at = index if node.channels == 1 else f"({index}) * {node.channels} + {c}"
                self.line(f"{self._output(name, node)}[{at}] = ({kind}){made};")
            if later:
                at = _index(node, index, c, height * width, far)
                self.line(f"{self._frame(node)}[{at}] = ({kind}){made};")

    def used_later(self, node: Expr) -> bool:
        """Whether another module reads a value."""
        return any(node in one.looks for other in self.program.modules if other is not self.module
                   for one in other.kept)  # fmt: skip

    def _contraction(self, step: Step, kept: Kept) -> None:
        """A sum: by tensor cores where it may be, on devices that have them, else a thread some pixels and channels."""
        # Three ways to the same sum: taps of a row by dp4a, tensor cores, threads.
        core = kept.core
        assert core is not None
        source, start = source_of(core.src[0])
        total = _Sum(core.arg, source, start, self.here.get(source), 2, 2)
        if outputs_by_taps(total) and self._filled(total):
            self._taps_sum(step, kept, total)
            return
        if not core.arg.tensor or (core.arg.tensor == "int8" and not total.words):
            self._threads_sum(step, kept)
            return
        # Both branches of #if begin from what was known before: neither sees the other's names.
        before = dict(self.known)
        # `mma` of tf32 is there from sm_80 on, that of f16 and bytes from sm_75.
        self.lines.append(f"#if __CUDA_ARCH__ >= {800 if core.arg.tensor == 'tf32' else 750}")
        self._warps_sum(step, kept, total)
        self.known = before
        self.lines.append("#else")
        self._threads_sum(step, kept)
        self.lines.append("#endif")

    def _warps_sum(self, step: Step, kept: Kept, total: _Sum) -> None:
        """A warp makes 16 pixels times some channels by `mma` (PTX ISA, fragments of m16n8k8 and m16n8k16): a lane has
        rows `group` and `group` + 8 of the pixels, and of channels of the result two neighbours each eight."""
        core = kept.core
        assert core is not None
        how: Contract = core.arg
        kind, pixels, features = how.tensor, step.tile.pixels, how.features
        # Bundles of 8 channels share the pixels' registers.
        beside = min(TENSOR_WIDE, -(-features // 8))
        rows, bundles = -(-pixels // 16), -(-features // (8 * beside))
        packed = fragments(how.weights.array, kind, beside)
        looks, deep = math.prod(how.taps), 16 if kind == "int8" else 8
        steps, registers = -(-total.each // deep), 2 if kind == "tf32" else 1
        result, lane = register_type(core.dtype), "thread % 32"
        with self.scope(f"for (int item = thread / 32; item < {rows * bundles}; item += {THREADS // 32})"):
            # PTX's layout of fragments: groupID is lane / 4, threadID_in_group lane % 4.
            self.line(f"const int base = item / {rows} * {8 * beside}, group = {lane} / 4, part = {lane} % 4;")
            self.line("int y[2], x[2];")
            self.line(f"{result} sum[{beside}][4];")
            self.line("#pragma unroll")
            with self.block(f"for (int f = 0; f < {4 * beside}; ++f)"):
                c = f"smaller(base + 8 * (f / 4) + 2 * part + f % 2, {features - 1})"
                self.line(f"sum[f / 4][f % 4] = {self.value(core.src[1], '0', '0', f'({c})')};")
            # What was named inside the loop is out of scope.
            self.known.clear()
            self.line("#pragma unroll")
            with self.block("for (int k = 0; k < 2; ++k)"):
                # Rows beyond the last pixel repeat it, so that all lanes reach `mma`, which is a warp's as a whole.
                self.line(f"const int p = smaller(item % {rows} * 16 + group + 8 * k, {pixels - 1});")
                self.line(f"y[k] = {self._place(step, 0)};")
                self.line(f"x[k] = {self._place(step, 1)};")
            self.line(f"const unsigned *w = {self._constants(packed, 'unsigned')} + "
                      f"(item / {rows} * {looks * steps * beside * 32} + {lane}) * {registers};")  # fmt: skip
            with self.block(f"for (int j = 0; j < {how.taps[0]}; ++j)"), self.block(
                f"for (int i = 0; i < {how.taps[1]}; ++i)"
            ):
                filled = self._filled(total)
                self._tap(total, filled)
                with self.block(f"for (int s = 0; s < {steps}; ++s, w += {beside * 32 * registers})"):
                    self._fragments(total, filled)
                    self.line("#pragma unroll")
                    # 32 lanes a bundle; tf32 takes two registers a lane.
                    operands = "w[64 * n], w[64 * n + 1]" if registers == 2 else "w[32 * n]"
                    name = f"mma_{kind}" if kind != "int8" else f"mma_{'u8' if total.source.dtype == U8 else 's8'}"
                    self.line(f"for (int n = 0; n < {beside}; ++n) {name}(sum[n], a, {operands});")
            self.line("#pragma unroll")
            # Of the result's four registers two are row `group`, two row `group` + 8.
            with self.scope(f"for (int k = 0; k < {2 * beside}; ++k)"):
                self.line(f"const int p = item % {rows} * 16 + group + 8 * (k % 2);")
                self.line("const int first = base + 8 * (k / 2) + 2 * part;")
                with self.scope(f"if (p < {pixels})"):
                    self.line("const int py = y[k % 2], px = x[k % 2];")
                    self.core = core, "sum[k / 2][2 * (k % 2) + f]"
                    self._stored_sums(step, kept, 2, result, features % (8 * beside) > 0)
                    self.core = None

    def _taps_sum(self, step: Step, kept: Kept, total: _Sum) -> None:
        """Depthwise sums of bytes: of four pixels side by side that a row of taps looks at, words of four channels
        become words of four pixels, so that a dp4a adds all taps of a row; they serve neighbouring pixels, too. A
        thread makes these of four channels."""
        core, there, how = kept.core, total.there, total.how
        assert core is not None
        assert there is not None
        rows, many, tile = how.taps[0], outputs_by_taps(total), step.tile
        # A thread makes `many` pixels of a row, of four channels.
        groups = -(-tile.columns // many)
        slots, words = tile.rows * groups, how.features // 4
        packed = _packed_taps(how.weights.array, many, how.stride[1])
        kind = "unsigned" if total.source.dtype == U8 else "int"
        # Column of the first pixel in the source's tile.
        begin = self._place(there, 1).split(" + p")[0]
        with self.scope(f"for (int item = thread; item < {slots * words}; item += {THREADS})"):
            self.line(f"const int slot = item % {slots}, first = item / {slots} * 4;")
            self.line(f"const int row = slot / {groups}, column = slot % {groups} * {many};")
            self.line(f"const int y = down * {tile.owned[0]}{signed(tile.low[0])} + row;")
            self.line(f"const int x = across * {tile.owned[1]}{signed(tile.low[1])} + column;")
            self.line(f"int sum[{many}][4];")
            self.line("#pragma unroll")
            with self.block("for (int f = 0; f < 4; ++f)"):
                value = self.value(core.src[1], "0", "0", "(first + f)")
                self.line("#pragma unroll")
                self.line(f"for (int k = 0; k < {many}; ++k) sum[k][f] = {value};")
            self.known.clear()
            # (F / 4, rows, pixels, 4 channels): 4 many words a row of taps for each word of channels.
            self.line(f"const int *w = {self._constants(packed, 'int')} + first * {rows * many};")
            self.line(f"const int ty = y * {how.stride[0]}{signed(how.y0)}, tx = x * {how.stride[1]}{signed(how.x0)};")
            self.line(f"const {memory_type(total.source.dtype)} *const from = "
                      f"{self._address(total.source, there, f'(first{signed(total.start)})')};")  # fmt: skip
            # Reads are held within the tile's row: the last thread of a row may make pixels that are not stored.
            self.line(f"const int last = {begin} + {there.tile.columns - 1} - tx;  // of the tile")
            self.line("#pragma unroll")
            with self.block(f"for (int j = 0; j < {rows}; ++j, w += {4 * many})"):
                self.line(f"const {kind} *const line = (const {kind} *)from + j * "
                          f"{how.dilation[0] * there.tile.columns};")  # fmt: skip
                seen = [f"line[smaller({i}, last)]" if i else "line[0]" for i in range(reach_of(total, many))]
                # Four pixels of four channels, turned into four channels of four pixels.
                self.line(f"unsigned seen[4] = {{{', '.join(seen)}}};")
                self.line("turn(seen);")
                self.line("#pragma unroll")
                with self.block(f"for (int k = 0; k < {many}; ++k)"):
                    self.line("int weight[4];")
                    self.line("load<16>(weight, w + 4 * k);")
                    self.line("#pragma unroll")
                    self.line(f"for (int f = 0; f < 4; ++f) sum[k][f] = dot(({kind})seen[f], weight[f], sum[k][f]);")
            self.line("#pragma unroll")
            # Only a row that is no whole number of threads long has pixels too many.
            inside = f"if (column + k < {tile.columns})" if tile.columns % many else ""
            with self.scope(f"for (int k = 0; k < {many}; ++k)"), self.scope(inside):
                self.line(f"const int py = y, px = x + k, p = row * {tile.columns} + column + k;")
                self.core = core, "sum[k][f]"
                if in_words(kept.node):
                    self._stored_words(step, 4, "p", "py", "px")
                else:
                    self._stored_sums(step, kept, 4, "int")
                self.core = None

    def _fragments(self, total: _Sum, filled: bool) -> None:
        """What a lane has of the pixels: `a`, a register of one number (tf32), of two (f16) or of four (bytes) channels
        for each of two pixels, and of tf32 as many four channels on."""
        kind, each = total.how.tensor, total.each
        self.line(f"unsigned a[{4 if kind == 'tf32' else 2}];")
        self.line("#pragma unroll")
        with self.block("for (int k = 0; k < 2; ++k)"):
            if kind == "int8":
                self.line("const int c = 4 * s + part;")
                seen, outside = self._seen(total, "", 4)
                seen = seen if filled else f"in[k] ? {seen} : {outside}"
                # Channels beyond the last are 0: the weights there are 0, too, but memory may hold another value.
                seen = seen if each % 16 == 0 else f"c < {-(-each // 4)} ? ({seen}) : 0"
                self.line(f"a[k] = (unsigned)({seen});")
                return
            self.line("float seen[2];")
            self.line("#pragma unroll")
            with self.block("for (int r = 0; r < 2; ++r)"):
                self.line(f"const int c = 8 * s + {'part + 4 * r' if kind == 'tf32' else '2 * part + r'};")
                seen, outside = self._seen(total, "", 1)
                seen = seen if filled else f"in[k] ? {seen} : {outside}"
                # The same; 0 times a NaN would not be 0.
                seen = seen if each % 8 == 0 else f"c < {each} ? ({seen}) : 0.0f"
                self.line(f"seen[r] = {seen};")
            if kind == "f16":
                self.line("a[k] = two_halves(seen[0], seen[1]);")
            else:
                self.line("a[k] = to_tf32(seen[0]);")
                self.line("a[k + 2] = to_tf32(seen[1]);")

    def _filled(self, total: _Sum) -> bool:
        """Whether a tile has all that a sum looks at, what lies beyond the image included."""
        how, source = total.how, total.source
        assert source.size is not None
        axes = zip((how.y0, how.x0), how.size, how.stride, how.taps, how.dilation, how.up, source.size, strict=True)
        # First and last tap of the first and the last pixel lie in the image, on both axes.
        inside = all(at >= 0 and ((n - 1) * s + at + (t - 1) * d) // u < m for at, n, s, t, d, u, m in axes)
        return total.there is not None and (inside or total.there.fill == how.outside)

    def _threads_sum(self, step: Step, kept: Kept) -> None:
        core = kept.core
        assert core is not None
        how: Contract = core.arg
        features, per = how.features, how.features // how.groups
        pixels = step.tile.pixels
        # A thread's pixels are `slots` apart, so that a warp's are neighbours.
        many, wide = _registers(pixels, features, per)
        slots, bundles = -(-pixels // many), -(-features // wide)
        source, start = source_of(core.src[0])
        total = _Sum(how, source, start, self.here.get(source), many, wide)
        packed = (_packed_words if total.by_words else _packed)(how.weights.array, wide)
        kind = register_type(core.dtype)
        with self.scope(f"for (int item = thread; item < {slots * bundles}; item += {THREADS})"):
            self.line(f"const int slot = item % {slots}, bundle = item / {slots}, first = bundle * {wide};")
            self.line(f"int y[{many}], x[{many}];")
            self.line(f"{kind} sum[{many}][{wide}];")
            self.line("#pragma unroll")
            with self.block(f"for (int f = 0; f < {wide}; ++f)"):
                c = "first + f" if features % wide == 0 else f"smaller(first + f, {features - 1})"
                begin = self.value(core.src[1], "0", "0", f"({c})")
                self.line("#pragma unroll")
                self.line(f"for (int k = 0; k < {many}; ++k) sum[k][f] = {begin};")
            # Names of the loop before are out of scope.
            self.known.clear()
            self.line("#pragma unroll")
            with self.block(f"for (int k = 0; k < {many}; ++k)"):
                self.line(f"const int p = smaller(slot + k * {slots}, {pixels - 1});")
                self.line(f"y[k] = {self._place(step, 0)};")
                self.line(f"x[k] = {self._place(step, 1)};")
            self.line(f"const {total.weight} *w = {self._constants(packed, total.weight)} + bundle * {packed[0].size};")
            self._taps(total)
            self.line("#pragma unroll")
            with self.scope(f"for (int k = 0; k < {many}; ++k)"):
                self.line(f"const int p = slot + k * {slots};")
                with self.scope(f"if (p < {pixels})" if slots * many > pixels else ""):
                    self.line("const int py = y[k], px = x[k];")
                    self.core = core, "sum[k][f]"
                    if wide % 4 == 0 and in_words(kept.node):
                        self._stored_words(step, wide, "p", "py", "px")
                    else:
                        self._stored_sums(step, kept, wide, kind)
                    self.core = None

    def _stored_sums(self, step: Step, kept: Kept, wide: int, kind: str, partial: bool | None = None) -> None:
        """Put the sums of a pixel where they go, channel by channel; `partial`: some may be beyond the last one."""
        assert kept.core is not None
        features = kept.node.channels
        partial = features % wide > 0 if partial is None else partial
        together = wide % 4 == 0 and features % 4 == 0 and kept.core.dtype == kept.node.dtype and step.stored
        outs = together and kept.outputs
        if outs:
            self.line(f"{kind} made[{wide}] = {{}};")
        self.line("#pragma unroll")
        with self.scope(f"for (int f = 0; f < {wide}; ++f)"):
            self.line("const int c = first + f;")
            with self.scope(f"if (c < {features})" if partial else ""):
                self._stored(step, "p", "py", "px", "c", "made[f]" if outs else "")
        if outs:
            self._together(step, kept, wide)

    def _together(self, step: Step, kept: Kept, wide: int) -> None:
        """A thread's neighbouring channels of a pixel leave as outputs, 16 bytes an access."""
        height, width = kept.size
        owned = self._owned(step, "py", "px")
        with self.block(f"if ({' && '.join([f'(unsigned)py < {height}u', f'(unsigned)px < {width}u', *owned])})"):
            for name in kept.outputs:
                to = self._output(name, kept.node)
                self.line("#pragma unroll")
                with self.block(f"for (int f = 0; f < {wide}; f += 4)"):
                    rest = f"if (first + f < {kept.node.channels}) " if kept.node.channels % wide else ""
                    far = _far(kept.node.channels, height, width)
                    at = f"({far}py * {width} + px) * {kept.node.channels} + first + f"
                    self.line(f"{rest}store<16>({to} + {at}, made + f);")

    def _taps(self, total: _Sum) -> None:
        """The sum: blocks of channels, rows, columns, channels; of bytes, rows, columns, words of four channels."""
        how, source, there, many, wide = total.how, total.source, total.there, total.many, total.wide
        (rows, columns), each = how.taps, total.each
        assert source.size is not None
        filled = self._filled(total)
        # Pointers to the first tap are made once: all others are at fixed distances. Taps between pixels (up) and tests
        # at borders need each its own.
        hoisted = filled and there is not None and how.up == (1, 1)
        at = ""
        if hoisted and there is not None:
            self.line(f"const {memory_type(source.dtype)} *from[{many}];")
            self.line("#pragma unroll")
            with self.block(f"for (int k = 0; k < {many}; ++k)"):
                self.line(f"const int ty = y[k] * {how.stride[0]}{signed(how.y0)};")
                self.line(f"const int tx = x[k] * {how.stride[1]}{signed(how.x0)};")
                self.line(f"from[k] = {self._address(source, there, total.group)};")
            lanes = 4 if in_words(source) else 1
            at = f"j * {how.dilation[0] * there.tile.columns * lanes} + i * {how.dilation[1] * lanes} + "
        steps = -(-each // 4) if total.by_words else each
        block = steps if total.by_words else CHANNEL_BLOCK
        looks = rows * columns * (steps if total.words else each)
        small = looks <= UNROLLED and many * wide <= 8  # longer ones would hold too many weights
        # Blocks of channels outside the taps: the order of `Contract`, whose sums of floats are defined by it.
        with self.block(f"for (int b = 0; b < {steps}; b += {block})") if steps > block else nullcontext():
            last = f"smaller(b + {block}, {steps})" if steps > block else str(steps)
            begin = "b" if steps > block else "0"
            if small:
                self.line("#pragma unroll")
            # Weights lie in just this order, so that `w` only moves on.
            with self.block(f"for (int j = 0; j < {rows}; ++j)"):
                if small:
                    self.line("#pragma unroll")
                with self.block(f"for (int i = 0; i < {columns}; ++i)"):
                    if not hoisted:
                        self._tap(total, filled)
                    full = each // 4 if total.by_words and not total.words else steps  # of a word all four are there
                    if full:
                        together = 2 if total.by_words else 4  # more words would hold too many weights
                        self.line(f"#pragma unroll {together}" if steps > 4 else "#pragma unroll")
                        end = str(full) if total.by_words else last
                        with self.block(f"for (int c = {begin}; c < {end}; ++c, w += {wide})"):
                            self._products(total, at, filled, 4)
                    # A last word of fewer than four channels.
                    if full < steps:
                        with self.block(""):
                            self.line(f"const int c = {full};")
                            self._products(total, at, filled, each % 4)
                        self.line(f"w += {wide};")

    def _products(self, total: _Sum, at: str, filled: bool, count: int) -> None:
        """Add the products of a channel, or of `count` channels from 4 * c on, to a thread's sums."""
        many, wide = total.many, total.wide
        register = "float" if total.floats else "int"
        self.line(f"{register} weight[{wide}];")
        self.line("#pragma unroll")
        # 16 bytes an access: `bundle` and c are whole multiples of `wide` words.
        if wide % 4 == 0 and total.weight != "signed char":
            self.line(f"for (int f = 0; f < {wide}; f += 4) load<16>(weight + f, w + f);")
        else:
            self.line(f"for (int f = 0; f < {wide}; ++f) weight[f] = w[f];")
        self.line("#pragma unroll")
        with self.block(f"for (int k = 0; k < {many}; ++k)"):
            seen, outside = self._seen(total, at, count)
            if total.by_words:
                register = "unsigned" if total.source.dtype == U8 else "int"
            self.line(f"const {register} a = {seen if filled else f'(in[k] ? {seen} : {outside})'};")
            added = ("__fmaf_rn(a, weight[f], sum[k][f])" if total.floats else
                     "dot(a, weight[f], sum[k][f])" if total.by_words else
                     "wrap_add(sum[k][f], a * weight[f])")  # fmt: skip
            # A tap between pixels adds nothing; adding 0 could turn -0 into +0.
            added = added if total.how.up == (1, 1) else f"hit[k] ? {added} : sum[k][f]"
            self.line("#pragma unroll")
            self.line(f"for (int f = 0; f < {wide}; ++f) sum[k][f] = {added};")

    def _seen(self, total: _Sum, at: str, count: int) -> tuple[str, str]:
        """What pixel k gives to a sum, and what lies beyond the image."""
        source, there, outside = total.source, total.there, total.how.outside
        assert source.size is not None
        # The distance of two channels: planes in tiles and memory, pixel by pixel in inputs.
        pixels = there.tile.pitch if there is not None else 1 if source.op == "input" else math.prod(source.size)
        far = "" if there is not None else _far(source.channels, *source.size)
        if not total.by_words:
            value = number(outside if total.floats else int(outside), source.dtype)
            return f"from[k][{at}{far}c * {pixels}]", value
        kind = "unsigned" if source.dtype == U8 else "int"
        if total.words:
            return f"*(const {kind} *)(from[k] + {at}{far}c * {4 * pixels})", f"({kind}){_four(int(outside))}"
        lanes = []
        # Four loads for a word whose channels do not lie together.
        for lane in range(count):
            channel = f"(4 * c{signed(lane)})"
            if in_words(source):  # words that begin elsewhere
                lanes.append(f"from[k][{at}{_index(source, '0', f'({total.channel} + {channel})', pixels, far)}]")
            else:
                lanes.append(f"from[k][{at}{far}{channel} * {pixels}]")
        return f"({kind})four({', '.join([*lanes, *['0'] * (4 - count)])})", f"({kind}){_four(int(outside))}"

    def _tap(self, total: _Sum, filled: bool) -> None:
        """Where a tap of each pixel lies, and whether it is there."""
        how, source, many = total.how, total.source, total.many
        assert source.size is not None
        self.line(f"const {memory_type(source.dtype)} *from[{many}];")
        if not filled:
            self.line(f"bool in[{many}];")
        if how.up != (1, 1):
            self.line(f"bool hit[{many}];")
        self.line("#pragma unroll")
        with self.block(f"for (int k = 0; k < {many}; ++k)"):
            self.line(f"int ty = y[k] * {how.stride[0]}{signed(how.y0)} + j * {how.dilation[0]};")
            self.line(f"int tx = x[k] * {how.stride[1]}{signed(how.x0)} + i * {how.dilation[1]};")
            hits = [f"{name} % {u} == 0" for name, u in zip(("ty", "tx"), how.up, strict=True) if u > 1]
            if hits:
                self.line(f"hit[k] = {' && '.join(hits)};")
            for name, u in zip(("ty", "tx"), how.up, strict=True):
                if u > 1:
                    self.line(f"{name} = floordiv({name}, {u});")
            if not filled:
                self.line(f"in[k] = (unsigned)ty < {source.size[0]}u && (unsigned)tx < {source.size[1]}u;")
                # An address that exists, although its value is not taken.
                self.line("if (!in[k]) ty = tx = 0;")
            self.line(f"from[k] = {self._address(source, total.there, total.group)};")

    def _address(self, source: Expr, there: Step | None, channel: str) -> str:
        """Where a channel of the pixel at row ty and column tx lies."""
        assert source.size is not None
        height, width = source.size
        if there is not None:
            tile = there.tile
            index = (f"(ty - (down * {tile.owned[0]}{signed(tile.low[0])})) * {tile.columns} + tx - "
                     f"(across * {tile.owned[1]}{signed(tile.low[1])})")  # fmt: skip
            return f"{self._tile(there)} + {_index(source, index, f'({channel})', tile.pitch)}"
        if source.op != "input":
            far = _far(source.channels, height, width)
            index = f"{far}ty * {width} + tx"
            return f"{self._frame(source)} + {_index(source, index, f'({channel})', height * width, far)}"
        name, type_ = self._input(source.arg.index)
        channel = channel if source.arg.channel == WHOLE else str(source.arg.channel)
        return f"{name} + ({_far(*type_.shape)}ty * {width} + tx) * {type_.channels} + {channel}"


@dataclass(frozen=True, slots=True)
class _Sum:
    """What a thread sums.

    Args:
        how: the contraction.
        source: the value that it looks at.
        start: channel of it with which the contraction's own begin.
        there: the tile that has the source; None if memory alone has it.
        many, wide: pixels and channels of a thread.
    """

    how: Contract
    source: Expr
    start: int
    there: Step | None
    many: int
    wide: int

    @property
    def each(self) -> int:
        """Channels that one of the result sums."""
        return int(self.how.weights.array.shape[3])

    @property
    def floats(self) -> bool:
        return self.source.dtype == F32

    @property
    def by_words(self) -> bool:
        """Whether four channels are added by an instruction."""
        return not self.floats and self.each > 1

    @property
    def words(self) -> bool:
        """Whether these come by one load: where they lie together, and none begins within a word."""
        # A group of channels that begins within a word would need parts of two.
        even = self.source.channels % 4 == self.start % 4 == 0 and (self.how.groups == 1 or self.each % 4 == 0)
        together = in_words(self.source) or (self.source.op == "input" and self.source.arg.channel == WHOLE)
        return self.by_words and even and together

    @property
    def weight(self) -> str:
        """The C type of weights in memory."""
        return "float" if self.floats else "int" if self.by_words else "signed char"

    @property
    def channel(self) -> str:
        """The first channel of the source that a thread sums, as C text."""
        if self.how.groups == 1:
            return str(self.start)
        return f"first / {self.how.features // self.how.groups} * {self.each}{signed(self.start)}"

    @property
    def group(self) -> str:
        """The channel at which pointers point."""
        return "0" if self.by_words and not self.words and in_words(self.source) else self.channel


def outputs_by_taps(total: _Sum) -> int:
    """Pixels of a row for whose taps four pixels side by side suffice, where a sum goes channel by channel over bytes
    of a tile, four channels a word; 0 where it does not."""
    how, source = total.how, total.source
    columns = how.taps[1]
    depthwise = total.each == 1 and how.features == how.groups == source.channels and how.features % 4 == 0
    # A row of taps must fit the four bytes of a word, side by side.
    near = 1 < columns <= 4 and how.dilation[1] == 1 and how.up == (1, 1)
    # `start` moves the words' first channel: only whole sources.
    if total.floats or total.there is None or not in_words(source) or total.start or not (depthwise and near):
        return 0
    # As many pixels as see no more than four columns.
    return (4 - columns) // how.stride[1] + 1


def reach_of(total: _Sum, many: int) -> int:
    """Pixels side by side at which so many of a row look."""
    return (many - 1) * total.how.stride[1] + total.how.taps[1]


def _index(node: Expr, index: str, c: str, pixels: int, far: str = "") -> str:
    """Where a channel of a value lies of which a plane has so many pixels, and a pixel that index in it."""
    if node.channels == 1:
        return index
    if in_words(node):
        return f"(({far}{c} >> 2) * {pixels} + {index}) * 4 + ({c} & 3)"
    return f"{far}{c} * {pixels} + {index}"


def _four(value: int) -> str:
    """A word of four equal bytes."""
    return f"0x{(value & 255) * 0x01010101:08x}u"


def _far(*lengths: int) -> str:
    """What makes an index into so many values one of 64 bits, where 32 are too few."""
    return "(size_t)" if math.prod(lengths) >= 2**31 else ""


def _registers(pixels: int, features: int, per: int) -> tuple[int, int]:
    """(pixels, channels) of a thread: those that leave the fewest turns, weighed by what a turn loads."""

    def cost(many: int, wide: int) -> float:
        items = -(-pixels // many) * -(-features // wide)
        # A turn makes many * wide products and loads `many` values and `wide` weights, four an access.
        return -(-items // THREADS) * (many * wide + many + wide / 4)

    # A thread's channels belong to one group, and not more than half of them are beyond the last.
    fitting = [(m, w) for m, w in REGISTERS if (w == 1 or features == per or per % w == 0) and w < 2 * features]
    return min(fitting, key=lambda shape: cost(*shape))


def _packed(weights: npt.NDArray[Any], wide: int) -> npt.NDArray[Any]:
    """Weights (F, rows, columns, C) in the order of the sum, `wide` channels of the result side by side."""
    features, rows, columns, each = weights.shape
    bundles = -(-features // wide)
    padded = np.zeros((bundles * wide, rows, columns, each), weights.dtype)
    padded[:features] = weights
    # Blocks of channels are outside the taps, as in `_taps`.
    parts = [padded[..., b : b + CHANNEL_BLOCK].reshape(bundles, wide, -1) for b in range(0, each, CHANNEL_BLOCK)]
    return np.ascontiguousarray(np.concatenate(parts, 2).transpose(0, 2, 1))


def _packed_words(weights: npt.NDArray[Any], wide: int) -> npt.NDArray[Any]:
    """Weights (F, rows, columns, C) of bytes in words of four channels, 0 beyond the last, `wide` channels of the
    result side by side."""
    features, rows, columns, each = weights.shape
    bundles, words = -(-features // wide), -(-each // 4)
    padded = np.zeros((bundles * wide, rows, columns, 4 * words), np.int8)
    padded[:features, ..., :each] = weights
    return np.ascontiguousarray(padded.view("<i4").reshape(bundles, wide, -1).transpose(0, 2, 1))


def _packed_taps(weights: npt.NDArray[Any], many: int, stride: int) -> npt.NDArray[Any]:
    """Weights (F, rows, columns, 1) of bytes, a row of taps a word, moved on by `stride` bytes for each of `many`
    pixels: (F / 4, rows, pixels, 4 channels)."""
    features, rows, columns, _ = weights.shape
    made = np.zeros((features // 4, rows, many, 4, 4), np.int8)
    # For each pixel the row of taps stands `stride` bytes further on; other bytes are 0 and add nothing.
    for k in range(many):
        made[:, :, k, :, k * stride : k * stride + columns] = (
            weights[..., 0].reshape(features // 4, 4, rows, columns).transpose(0, 2, 1, 3))  # fmt: skip
    return made.view("<i4")[..., 0]


def fragments(weights: npt.NDArray[Any], kind: str, beside: int) -> npt.NDArray[np.uint32]:
    """Weights (F, rows, columns, C) as the lanes of a warp take them for `mma`, 0 beyond the last of either side:
    (bundles of 8 `beside` features, taps and steps of channels, `beside`, lanes[, registers]) words.

    A lane has feature lane / 4 of eight; channels lane % 4 and four on of eight (tf32, rounded to the nearest, halves
    away from 0), 2 (lane % 4) and the next (f16, to the nearest, halves to even), or 4 (lane % 4) to + 3 of sixteen
    (bytes).
    """
    features, rows, columns, each = weights.shape
    deep = 16 if kind == "int8" else 8
    bundles, steps = -(-features // (8 * beside)), -(-each // deep)
    whole = np.zeros((bundles * 8 * beside, rows * columns, steps * deep), weights.dtype)
    whole[:features, :, :each] = weights.reshape(features, -1, each)
    # bundle, eight, feature of it, tap, step, channel of it
    parts = whole.reshape(bundles, beside, 8, rows * columns * steps, deep).transpose(0, 3, 1, 2, 4)
    if kind == "tf32":
        bits = np.ascontiguousarray(parts, np.float32).view(np.uint32)
        # tf32 keeps 10 bits: half of the last one is added, then the rest is cut off.
        bits = (bits + np.uint32(0x1000)) & np.uint32(0xFFFFE000)
        bits = bits.reshape(*bits.shape[:4], 2, 4).swapaxes(-1, -2)  # channels part and part + 4 side by side
        return np.ascontiguousarray(bits.reshape(bundles, -1, beside, 32, 2))
    packed = parts.astype(np.float16) if kind == "f16" else parts.astype(np.int8)
    return np.ascontiguousarray(packed).view(np.uint32).reshape(bundles, -1, beside, 32)


def print_modules(
    program: ModuleProgram, name: str, lookups: dict[Expr, str], resident: int | None = None
) -> tuple[list[str], list[CudaKernel], npt.NDArray[np.uint8]]:
    """The kernels of a program: texts, how they are launched, constants; `lookups` are filled on the way."""
    pool = Pool()
    printers = [ModulePrinter(program, k, f"{name}_{k}" if len(program.modules) > 1 else name, lookups, pool, resident)
                for k in range(len(program.modules))]  # fmt: skip
    # All are printed before sizes are told: each may add constants to the pool.
    made = [printer.kernel() for printer in printers]
    size = pool.size
    kernels = []
    for _, kernel in made:
        arguments = tuple(_sized(a, size) for a in kernel.arguments)
        kernels.append(replace(kernel, arguments=arguments))
    return [text for text, _ in made], kernels, pool.bytes


def _sized(argument: Argument, size: int) -> Argument:
    """The argument of all constants, whose size is known at the end."""
    if argument.kind != "weights":
        return argument
    return Argument(argument.name, argument.kind, argument.dtype, argument.key, (size,))
