"""Fused modules of network layers (`kernels.fusion.modules`) as CUDA C.

A block makes its steps one after another, a barrier between them. Of a contraction a thread sums a few pixels times a
few neighbouring channels in registers: pixels lie next to one another among the threads, so what they read of a tile
(channel by channel, rows of pixels) is in different banks, and all threads of a warp want the same weights, which come
16 bytes an access. Sums have the one order of `kernels.ir.volumes.Contract`, with `__fmaf_rn`. All else of a value is
an expression, printed where a pixel's channel is made.

Values between modules lie channel by channel, (channels, height, width); inputs and outputs pixel by pixel.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.cuda_expr import from_memory, looked_up, memory_type, number, operation, register_type
from kernels.codegen.cuda_lane import border_value
from kernels.codegen.cuda_launch import Argument, CudaKernel
from kernels.codegen.cuda_writer import Writer, signed, up, word
from kernels.fusion.modules import THREADS, Kept, ModuleProgram, Step, source_of
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
        tiles = [step for step in self.module.steps if step.offset >= 0]
        made = 0
        for count, step in enumerate(self.module.steps):
            if count:
                self.line("__syncthreads();")
            self._step(step)
            made += step.kept is not None
            if step.offset >= 0:
                self.here[step.node] = step
            self.here = {node: one for node, one in self.here.items() if one.last >= made}
        if tiles:
            self.line("__syncthreads();  // before the next frame overwrites what this one looks at")
        body, self.lines = self.lines, []
        down, across = self.module.blocks
        self.depth = 0
        self._argument("frames", "frames", I32)
        listed = []
        for a in self.arguments.values():
            reads = a.kind in ("input", "weights") or (a.kind == "frame" and a.key not in self._written())
            pointer = f"{'const ' if reads else ''}{memory_type(a.dtype)} *__restrict__ {a.name}"
            listed.append(f"const {memory_type(a.dtype)} {a.name}" if a.is_scalar else pointer)
        last = self.module.steps[-1]
        self.line(f"// {', '.join(self._described(step) for step in self.module.steps)}: blocks of "
                  f"{last.tile.owned[1]}x{last.tile.owned[0]} pixels; {self.module.shared} bytes of shared memory.")
        self.line(f'extern "C" __global__ void __launch_bounds__({THREADS}, {self.resident}) {self.name}(')
        self.line("    " + ",\n    ".join(listed) + ")")
        self.line("{")
        self.depth = 1
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
                                                 tuple(self.arguments.values()), tile, (0, 0, 0, 0))  # fmt: skip

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
        channel = c if node.arg.channel == WHOLE else str(node.arg.channel)
        index = f"{_far(*type_.shape)}{y} * {width} + {x}"
        index = index if type_.channels == 1 else f"({index}) * {type_.channels} + {channel}"
        return from_memory(f"{name}[{index}]", node.dtype)

    def _indexed(self, name: str, index: str, c: str, pixels: int, node: Expr, far: str = "") -> str:
        index = index if node.channels == 1 else f"{far}{c} * {pixels} + {index}"
        return from_memory(f"{name}[{index}]", node.dtype)

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
        if node.channels == 1:
            c = "0"
        key = node, y, x, c
        if key not in self.known:
            self.known[key] = self._made(node, y, x, c)
        return self.known[key]

    def _made(self, node: Expr, y: str, x: str, c: str, own: bool = False) -> str:
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
        at_y, at_x = self._name(y, I32), self._name(x, I32)
        if border.mode != "constant":
            at_y = self._name(f"fold_{border.mode}({at_y}, {source.size[0]})", I32)
            at_x = self._name(f"fold_{border.mode}({at_x}, {source.size[1]})", I32)
            return self.value(source, at_y, at_x, c)
        self.fresh += 1
        name = f"v{self.fresh}"
        self.line(f"{register_type(node.dtype)} {name} = {border_value(border, node.dtype)};")
        with self.scope(f"if ((unsigned){at_y} < {source.size[0]}u && (unsigned){at_x} < {source.size[1]}u)"):
            self.line(f"{name} = {self.value(source, at_y, at_x, c)};")
        return name

    def _window(self, node: Expr, y: str, x: str, c: str) -> str:
        arg = node.arg
        self.fresh += 1
        total, row, j, i = (f"{prefix}{self.fresh}" for prefix in ("v", "row", "j", "i"))
        kind = register_type(node.dtype)
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
        """A copy, or a value without a sum: a pixel's channel a thread."""
        pixels, channels = step.tile.pixels, step.node.channels
        by_channel = step.node.op == "input" and step.kept is None and channels > 1
        count = f"item = thread; item < {pixels * channels}; item += {THREADS}"
        with self.scope(f"for (int {count})"):
            if channels == 1:
                self.line("const int p = item;")
            elif by_channel:  # as it lies in memory
                self.line(f"const int p = item / {channels}, c = item % {channels};")
            else:
                self.line(f"const int p = item % {pixels}, c = item / {pixels};")
            self.line(f"const int y = {self._place(step, 0)}, x = {self._place(step, 1)};")
            self._stored(step, "p", "y", "x", "c" if channels > 1 else "0")

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
        here = f"{self._tile(step)}[{p}]" if node.channels == 1 else f"{self._tile(step)}[{c} * {tile.pitch} + {p}]"
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
                at = index if node.channels == 1 else f"{far}{c} * {height * width} + {index}"
                self.line(f"{self._frame(node)}[{at}] = ({kind}){made};")

    def used_later(self, node: Expr) -> bool:
        """Whether another module reads a value."""
        return any(node in one.looks for other in self.program.modules if other is not self.module
                   for one in other.kept)  # fmt: skip

    def _contraction(self, step: Step, kept: Kept) -> None:
        core = kept.core
        assert core is not None
        how: Contract = core.arg
        features, groups = how.features, how.groups
        rows, columns, each = how.weights.array.shape[1:]
        pixels, per = step.tile.pixels, features // groups
        many, wide = _registers(pixels, features, per)
        slots, bundles = -(-pixels // many), -(-features // wide)
        packed = _packed(how.weights.array, wide)
        floats = core.dtype == F32
        kind, total = memory_type(core.src[0].dtype), register_type(core.dtype)
        source, first = source_of(core.src[0])
        there = self.here.get(source)
        with self.scope(f"for (int item = thread; item < {slots * bundles}; item += {THREADS})"):
            self.line(f"const int slot = item % {slots}, bundle = item / {slots}, first = bundle * {wide};")
            self.line(f"int y[{many}], x[{many}];")
            self.line(f"{total} sum[{many}][{wide}];")
            self.line("#pragma unroll")
            with self.block(f"for (int f = 0; f < {wide}; ++f)"):
                c = "first + f" if features % wide == 0 else f"smaller(first + f, {features - 1})"
                begin = self.value(core.src[1], "0", "0", f"({c})")
                self.line("#pragma unroll")
                self.line(f"for (int k = 0; k < {many}; ++k) sum[k][f] = {begin};")
            self.known.clear()
            self.line("#pragma unroll")
            with self.block(f"for (int k = 0; k < {many}; ++k)"):
                self.line(f"const int p = smaller(slot + k * {slots}, {pixels - 1});")
                self.line(f"y[k] = {self._place(step, 0)};")
                self.line(f"x[k] = {self._place(step, 1)};")
            weights = self._constants(packed, "float" if floats else "signed char")
            self.line(f"const {'float' if floats else 'signed char'} *w = {weights} + bundle * "
                      f"{rows * columns * each * wide};")  # fmt: skip
            group = f"first / {per} * {each}{signed(first)}" if groups > 1 else str(first)
            self._taps(how, source, there, group, many, wide, each, floats, kind)
            self.line("#pragma unroll")
            with self.scope(f"for (int k = 0; k < {many}; ++k)"):
                self.line(f"const int p = slot + k * {slots};")
                with self.scope(f"if (p < {pixels})" if slots * many > pixels else ""):
                    self.line("const int py = y[k], px = x[k];")
                    together = wide % 4 == 0 and features % 4 == 0 and core.dtype == kept.node.dtype and step.stored
                    outs = [word("made", name) for name in kept.outputs] if together else []
                    if outs:
                        self.line(f"{total} made[{wide}] = {{}};")
                    self.line("#pragma unroll")
                    with self.scope(f"for (int f = 0; f < {wide}; ++f)"):
                        self.line("const int c = first + f;")
                        with self.scope(f"if (c < {features})" if features % wide else ""):
                            self.core = core, "sum[k][f]"
                            self._stored(step, "p", "py", "px", "c", "made[f]" if outs else "")
                            self.core = None
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

    def _taps(
        self, how: Contract, source: Expr, there: Step | None, group: str, many: int, wide: int, each: int,
        floats: bool, kind: str,
    ) -> None:  # fmt: skip
        """The sum: blocks of channels, rows, columns, channels."""
        rows, columns = how.taps
        assert source.size is not None
        size = source.size
        blocks = -(-each // CHANNEL_BLOCK)
        inside = all(at >= 0 and ((n - 1) * s + at + (t - 1) * d) // u < m for at, n, s, t, d, u, m in zip(
            (how.y0, how.x0), how.size, how.stride, how.taps, how.dilation, how.up, size, strict=True))  # fmt: skip
        filled = there is not None and (inside or there.fill == how.outside)
        outside = number(how.outside if floats else int(how.outside), source.dtype)
        hoisted = filled and there is not None and how.up == (1, 1)
        if hoisted:
            self.line(f"const {kind} *from[{many}];")
            self.line("#pragma unroll")
            with self.block(f"for (int k = 0; k < {many}; ++k)"):
                self.line(f"const int ty = y[k] * {how.stride[0]}{signed(how.y0)};")
                self.line(f"const int tx = x[k] * {how.stride[1]}{signed(how.x0)};")
                self.line(f"from[k] = {self._address(source, there, group)};")
        small = rows * columns * each <= UNROLLED and many * wide <= 8  # longer ones would hold too many weights
        with self.block(f"for (int b = 0; b < {each}; b += {CHANNEL_BLOCK})") if blocks > 1 else nullcontext():
            last = f"smaller(b + {CHANNEL_BLOCK}, {each})" if blocks > 1 else str(each)
            begin = "b" if blocks > 1 else "0"
            if small:
                self.line("#pragma unroll")
            with self.block(f"for (int j = 0; j < {rows}; ++j)"):
                if small:
                    self.line("#pragma unroll")
                with self.block(f"for (int i = 0; i < {columns}; ++i)"):
                    if not hoisted:
                        self._tap(how, source, there, group, many, kind, filled)
                    step = self._channel_step(source, there)
                    self.line("#pragma unroll 4" if each > 4 else "#pragma unroll")
                    with self.block(f"for (int c = {begin}; c < {last}; ++c, w += {wide})"):
                        self.line(f"{'float' if floats else 'int'} weight[{wide}];")
                        self.line("#pragma unroll")
                        if floats and wide % 4 == 0:
                            self.line(f"for (int f = 0; f < {wide}; f += 4) load<16>(weight + f, w + f);")
                        else:
                            self.line(f"for (int f = 0; f < {wide}; ++f) weight[f] = w[f];")
                        self.line("#pragma unroll")
                        with self.block(f"for (int k = 0; k < {many}; ++k)"):
                            far = "" if there is not None else _far(source.channels, *size)
                            at = f"{far}c * {step}"
                            if hoisted and there is not None:
                                down, along = how.dilation[0] * there.tile.columns, how.dilation[1]
                                at = f"j * {down} + i * {along} + {at}"
                            seen = f"from[k][{at}]" if filled else f"(in[k] ? from[k][{at}] : {outside})"
                            self.line(f"const {'float' if floats else 'int'} a = {seen};")
                            self.line("#pragma unroll")
                            total = "__fmaf_rn(a, weight[f], sum[k][f])" if floats else (
                                "wrap_add(sum[k][f], a * weight[f])")  # fmt: skip
                            total = total if how.up == (1, 1) else f"hit[k] ? {total} : sum[k][f]"
                            self.line(f"for (int f = 0; f < {wide}; ++f) sum[k][f] = {total};")

    def _tap(
        self, how: Contract, source: Expr, there: Step | None, group: str, many: int, kind: str, filled: bool
    ) -> None:
        """Where a tap of each pixel lies, and whether it is there."""
        assert source.size is not None
        self.line(f"const {kind} *from[{many}];")
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
                self.line("if (!in[k]) ty = tx = 0;")
            self.line(f"from[k] = {self._address(source, there, group)};")

    def _address(self, source: Expr, there: Step | None, group: str) -> str:
        """Where channel 0 of a group lies, of the pixel at row ty and column tx."""
        assert source.size is not None
        height, width = source.size
        if there is not None:
            tile = there.tile
            index = (f"(ty - (down * {tile.owned[0]}{signed(tile.low[0])})) * {tile.columns} + tx - "
                     f"(across * {tile.owned[1]}{signed(tile.low[1])})")  # fmt: skip
            return f"{self._tile(there)} + ({group}) * {tile.pitch} + {index}"
        if source.op != "input":
            far = _far(source.channels, height, width)
            return f"{self._frame(source)} + {far}({group}) * {height * width} + {far}ty * {width} + tx"
        name, type_ = self._input(source.arg.index)
        channel = group if source.arg.channel == WHOLE else str(source.arg.channel)
        return f"{name} + ({_far(*type_.shape)}ty * {width} + tx) * {type_.channels} + {channel}"

    def _channel_step(self, source: Expr, there: Step | None) -> int:
        assert source.size is not None
        if there is not None:
            return there.tile.pitch
        return 1 if source.op == "input" else source.size[0] * source.size[1]


def _far(*lengths: int) -> str:
    """What makes an index into so many values one of 64 bits, where 32 are too few."""
    return "(size_t)" if math.prod(lengths) >= 2**31 else ""


def _registers(pixels: int, features: int, per: int) -> tuple[int, int]:
    """(pixels, channels) of a thread: those that leave the fewest turns, weighed by what a turn loads."""

    def cost(many: int, wide: int) -> float:
        items = -(-pixels // many) * -(-features // wide)
        return -(-items // THREADS) * (many * wide + many + wide / 4)

    fitting = [(m, w) for m, w in REGISTERS if (w == 1 or features == per or per % w == 0) and w < 2 * features]
    return min(fitting, key=lambda shape: cost(*shape))


def _packed(weights: npt.NDArray[Any], wide: int) -> npt.NDArray[Any]:
    """Weights (F, rows, columns, C) in the order of the sum, `wide` channels of the result side by side."""
    features, rows, columns, each = weights.shape
    bundles = -(-features // wide)
    padded = np.zeros((bundles * wide, rows, columns, each), weights.dtype)
    padded[:features] = weights
    parts = [padded[..., b : b + CHANNEL_BLOCK].reshape(bundles, wide, -1) for b in range(0, each, CHANNEL_BLOCK)]
    return np.ascontiguousarray(np.concatenate(parts, 2).transpose(0, 2, 1))


def print_modules(
    program: ModuleProgram, name: str, resident: int | None = None
) -> tuple[list[str], list[CudaKernel], Mapping[Expr, str], npt.NDArray[np.uint8]]:
    """The kernels of a program: texts, how they are launched, arrays of lookups by node, constants."""
    lookups: dict[Expr, str] = {}
    pool = Pool()
    printers = [ModulePrinter(program, k, f"{name}_{k}" if len(program.modules) > 1 else name, lookups, pool, resident)
                for k in range(len(program.modules))]  # fmt: skip
    made = [printer.kernel() for printer in printers]
    size = pool.size
    kernels = []
    for _, kernel in made:
        arguments = tuple(_sized(a, size) for a in kernel.arguments)
        kernels.append(CudaKernel(kernel.name, kernel.block, kernel.boxes, kernel.by_frame, kernel.shared, arguments,
                                  kernel.tile, kernel.halo))  # fmt: skip
    return [text for text, _ in made], kernels, lookups, pool.bytes


def _sized(argument: Argument, size: int) -> Argument:
    """The argument of all constants, whose size is known at the end."""
    if argument.kind != "weights":
        return argument
    return Argument(argument.name, argument.kind, argument.dtype, argument.key, (size,))
