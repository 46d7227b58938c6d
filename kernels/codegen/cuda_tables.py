"""Tables as CUDA: sums and extrema of regions by shuffles and atomics, lists of candidates in raster order.

Sums run over whole numbers and extrema over ranks of floats, all as i64, so that no order of threads shows in them.
Candidates are marked, a bit a pixel, and counted by row; a second kernel lists them, a warp a row: no sorting, and
those that a full list has no room for are the last in raster order.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import numpy as np

from kernels.codegen.cuda_expr import memory_type
from kernels.codegen.cuda_lane import Lane
from kernels.codegen.cuda_launch import Argument, CudaKernel
from kernels.fusion.blocks_model import BlockProgram
from kernels.fusion.blocks_plan import Thing
from kernels.ir.expr import Size
from kernels.ir.image import F32, F64, I32, I64, U8, DType
from kernels.ir.table import Candidates, Column, Reduction

KINDS = {"sum": 0, "count": 0, "min": 1, "max": 2}
NEUTRAL = ("0LL", "0x7fffffffffffffffLL", "(-0x7fffffffffffffffLL - 1)")
LIST_THREADS = 256


class Printer(Protocol):
    """What tables ask of the kernel around them."""

    program: BlockProgram
    vector: int
    width: int
    height: int
    pointers: dict[str, str]
    opening: list[str]
    closing: list[str]

    def line(self, text: str = "") -> None: ...

    def block(self, head: str) -> AbstractContextManager[None]: ...

    def argument(self, name: str, kind: str, dtype: DType, key: int | str = 0, shape: tuple[int, ...] = (),
                 depth: int = 0, initial: tuple[int, ...] = ()) -> str: ...  # fmt: skip


def rank(value: Any, dtype: DType) -> int:
    """The whole number that stands for a value of a minimum or maximum."""
    # The bits of floats rise with them as whole numbers do, but for negative ones, whose bits other than the sign are
    # turned.
    if dtype == F32:
        bits = int(np.float32(value).view(np.int32))
        return bits ^ ((bits >> 31) & 0x7FFFFFFF)
    if dtype == F64:
        bits = int(np.float64(value).view(np.int64))
        return bits ^ ((bits >> 63) & 0x7FFFFFFFFFFFFFFF)
    return int(value)


def unranked(ranks: np.ndarray, column: Column) -> np.ndarray:
    """The values of a column of sums (i64) as the kernels leave them."""
    dtype = column.dtype
    if column.kind in ("sum", "count") or not dtype.is_float:
        return ranks.astype(dtype.numpy)
    if dtype == F32:
        bits = ranks.astype(np.int32)
        return np.asarray((bits ^ ((bits >> 31) & 0x7FFFFFFF)).astype(np.int32).view(np.float32))
    return np.asarray((ranks ^ ((ranks >> 63) & 0x7FFFFFFFFFFFFFFF)).view(np.float64))


def initial(column: Column) -> int:
    """What a column holds before any pixel."""
    if column.kind in ("sum", "count"):
        return 0
    limits: Any = np.finfo(column.dtype.numpy) if column.dtype.is_float else np.iinfo(column.dtype.numpy)
    return rank(limits.max if column.kind == "min" else limits.min, column.dtype)


class Tables:
    """The tables of one kernel."""

    def __init__(self, printer: Printer) -> None:
        self.printer = printer
        self.begin: list[str] = []  # declarations of a frame
        self.totals: list[tuple[str, int, str]] = []  # of a block: a thread's own, its kind, where it goes
        self.lists: list[tuple[int, Candidates, Size]] = []

    def _inside(self) -> str:
        return f"if (x + j < {self.printer.width})" if self.printer.width % self.printer.vector else ""

    def lanes(self, thing: Thing, lane: Lane) -> None:
        """What each pixel gives."""
        table = self.printer.program.body.outputs[thing.index].table
        test = self._inside()
        if isinstance(table, Candidates):
            self._mark(thing, table, lane, test)
            return
        assert isinstance(table, Reduction)
        whole = table.regions.kind == "whole"
        for k, (column, root) in enumerate(zip(table.columns, thing.roots, strict=True)):
            kind, name = KINDS[column.kind], f"c{thing.index}_{k}"
            value = lane.name(lane.value(root), root.dtype)
            given = f"(long long){value}" if kind == 0 else f"rank({value})"
            # A NaN is no extremum.
            if kind and root.dtype.is_float:
                given = f"({value} == {value} ? {given} : {NEUTRAL[kind]})"
            # One running total a thread, over all its pixels and frames of the march.
            if whole:
                self.begin.append(f"long long {name} = {NEUTRAL[kind]};")
                lane.line(f"{test} {name} = join<{kind}>({name}, {given});".strip())
            else:
                self.printer.opening.append(f"long long {name}[{self.printer.vector}];")
                lane.line(f"{test} {name}[j] = {given};".strip())
        # Threads join theirs behind the stages, cells and boxes at once.
        if whole:
            for k, column in enumerate(table.columns):
                self.totals.append((f"c{thing.index}_{k}", KINDS[column.kind], f"{self._sums(thing, table)} + {k}"))
        elif table.regions.kind == "grid":
            self.printer.closing += self._cells(thing, table)
        else:
            self.printer.closing += self._boxes(thing, table)
        # Shuffles take all lanes of a warp: those without a vector give what changes nothing.
        if not whole:
            self.printer.opening += self._neutral(thing, table)

    def _neutral(self, thing: Thing, table: Reduction) -> list[str]:
        """What threads without a vector give, and pixels beyond the image."""
        filled = " ".join(f"c{thing.index}_{k}[j] = {NEUTRAL[KINDS[c.kind]]};" for k, c in enumerate(table.columns))
        return ["#pragma unroll", f"for (int j = 0; j < {self.printer.vector}; ++j) {{ {filled} }}"]

    def _sums(self, thing: Thing, table: Reduction) -> str:
        p = self.printer
        rows, columns = table.regions.count((p.height, p.width)), len(table.columns)
        name = p.argument(f"sums{thing.index}", "sums", I64, p.program.body.outputs[thing.index].name, (rows, columns),
                          initial=tuple(initial(c) for c in table.columns))  # fmt: skip
        p.pointers[f"sum{thing.index}"] = f"long long *const sum{thing.index} = {name} + (size_t)t * {rows * columns};"
        return f"sum{thing.index}"

    def _mark(self, thing: Thing, table: Candidates, lane: Lane, test: str) -> None:
        p, index = self.printer, thing.index
        key = p.program.body.outputs[index].name
        vectors = -(-p.width // p.vector)
        mask = p.argument(f"mask{index}", "mask", U8, key, (p.height, vectors))
        rows = p.argument(f"rows{index}", "rows", I32, key, (p.height,))
        step = f"(size_t)t * {p.height * vectors}"
        p.pointers[f"mask{index}_t"] = f"unsigned char *const mask{index}_t = {mask} + {step};"
        p.pointers[f"rows{index}_t"] = f"int *const rows{index}_t = {rows} + (size_t)t * {p.height};"
        lane.head.append(f"unsigned marks{index} = 0;")
        # The mark is the lane's bit; columns are computed only where it is set.
        condition = lane.value(thing.roots[0])
        with lane.within(f"if ({condition}{' && ' + test[4:-1] if test else ''})"):
            lane.line(f"marks{index} |= 1u << j;")
            for k, (column, root) in enumerate(zip(table.columns, thing.roots[1:], strict=True)):
                dtype = column[1].dtype
                values = p.argument(f"values{index}_{k}", "values", dtype, key, (p.height, p.width), k)
                name = f"value{index}_{k}"
                p.pointers[name] = f"{memory_type(dtype)} *const {name} = {values} + (size_t)t * {p.height * p.width};"
                lane.line(f"{name}[y * {p.width} + px] = ({memory_type(dtype)}){lane.value(root)};")
        self.lists.append((index, table, (p.height, p.width)))

    def after(self, things: Sequence[Thing]) -> None:
        """What a vector gives, once its lanes are done."""
        p = self.printer
        for thing in things:
            table = p.program.body.outputs[thing.index].table if thing.plane is None else None
            if isinstance(table, Candidates):
                i = thing.index
                p.line(f"mask{i}_t[y * {-(-p.width // p.vector)} + x / {p.vector}] = (unsigned char)marks{i};")
                # Counts by row say where each row's candidates begin.
                p.line(f"if (marks{i}) atomicAdd(rows{i}_t + y, __popc(marks{i}));")

    def _cells(self, thing: Thing, table: Reduction) -> list[str]:
        """The cells of a grid: one sum a warp where all of it lies in one cell."""
        p, where, columns = self.printer, table.regions, len(table.columns)
        across, v = -(-p.width // where.width), p.vector
        sums = self._sums(thing, table)
        low, high = f"y / {where.height} * {across} + x / {where.width}", f"smaller(x + {v - 1}, {p.width - 1})"
        inside = f"(unsigned)x < {p.width}u && (unsigned)y < {p.height}u"
        # A vote whether all pixels of the warp lie in one cell: then shuffles and a single atomic do.
        lines = [
            "{",
            f"    const bool given = {inside};",
            f"    const int cell = given ? {low} : -1;",
            f"    const int until = given ? y / {where.height} * {across} + {high} / {where.width} : -1;",
            "    const unsigned some = __ballot_sync(0xffffffffu, given);",
            "    const int one = __shfl_sync(0xffffffffu, cell, some ? __ffs(some) - 1 : 0);",
            "    const bool alone = __all_sync(0xffffffffu, !given || (cell == one && until == one));",
        ]
        for k, column in enumerate(table.columns):
            kind, name = KINDS[column.kind], f"c{thing.index}_{k}"
            lines += [
                "    if (alone) {",
                f"        long long part = {name}[0];",
                f"        for (int j = 1; j < {v}; ++j) part = join<{kind}>(part, {name}[j]);",
                f"        if (some) give_warp<{kind}>({sums} + one * {columns} + {k}, part);",
                "    } else if (given) {",
                f"        for (int j = 0; j < {v}; ++j) {{",
                f"            const int here = y / {where.height} * {across} + smaller(x + j, {p.width - 1}) / "
                f"{where.width};",
                f"            give<{kind}>({sums} + here * {columns} + {k}, {name}[j]);",
                "        }",
                "    }",
            ]
        return [*lines, "}"]

    def _boxes(self, thing: Thing, table: Reduction) -> list[str]:
        """Boxes of any place and size: one sum for each warp that meets one."""
        p, columns, v = self.printer, len(table.columns), self.printer.vector
        sums = self._sums(thing, table)
        key = p.program.body.outputs[thing.index].name
        boxes = p.argument(f"boxes{thing.index}", "boxes", I32, key, (table.regions.capacity, 4))
        number = p.argument(f"count{thing.index}", "count", I32, key)
        lines = [
            f"for (int b = 0; b < {number}; ++b) {{",
            f"    const int left = {boxes}[4 * b], top = {boxes}[4 * b + 1];",
            f"    const int right = {boxes}[4 * b + 2], bottom = {boxes}[4 * b + 3];",
            "    const bool rows = y >= top && y < bottom;",
            # Whole warps skip a box that they do not meet.
            f"    if (!__any_sync(0xffffffffu, rows && x < right && x + {v} > left)) continue;",
        ]
        for k, column in enumerate(table.columns):
            kind = KINDS[column.kind]
            lines += [
                "    {",
                f"        long long part = {NEUTRAL[kind]};",
                "        #pragma unroll",
                f"        for (int j = 0; j < {v}; ++j)",
                f"            if (rows && x + j >= left && x + j < right) part = join<{kind}>(part, "
                f"c{thing.index}_{k}[j]);",
                f"        give_warp<{kind}>({sums} + b * {columns} + {k}, part);",
                "    }",
            ]
        return [*lines, "}"]

    def start(self) -> None:
        """Before the march."""
        p = self.printer
        if self.totals:
            # A total a block in shared memory: atomics there are cheaper, and one a block goes to memory.
            p.line(f"__shared__ long long totals[{len(self.totals)}];  // of this block")
            with p.block("if (thread == 0)"):
                for k, (_, kind, _) in enumerate(self.totals):
                    p.line(f"totals[{k}] = {NEUTRAL[kind]};")
            p.line("__syncthreads();")

    def finish(self) -> None:
        """Behind the stages of a frame: threads to warps to the block to memory."""
        p = self.printer
        if not self.totals:
            return
        for k, (own, kind, _) in enumerate(self.totals):
            p.line(f"give_warp<{kind}>(totals + {k}, {own});")
        p.line("__syncthreads();")
        # A thread a total, which is made neutral for the next frame.
        for k, (_, kind, to) in enumerate(self.totals):
            with p.block(f"if (thread == {k % p.program.threads})"):
                p.line(f"give<{kind}>({to}, totals[{k}]);")
                p.line(f"totals[{k}] = {NEUTRAL[kind]};")
        p.line("__syncthreads();")


def list_kernel(name: str, index: int, key: str, table: Candidates, size: Size, vector: int) -> tuple[str, CudaKernel]:
    """The kernel that lists what a pass has marked: a warp a row of the image, grid y the frames."""
    height, width = size
    vectors = -(-width // vector)
    columns = [("x", I32), ("y", I32), *((n, e.dtype) for n, e in table.columns)]
    arguments = [
        Argument(f"mask{index}", "mask", U8, key, (height, vectors)),
        Argument(f"rows{index}", "rows", I32, key, (height,)),
        *(Argument(f"values{index}_{k}", "values", d, key, (height, width), k) for k, (_, d) in enumerate(columns[2:])),
        *(Argument(f"list{index}_{k}", "list", d, key, (table.capacity,), k) for k, (_, d) in enumerate(columns)),
        Argument(f"total{index}", "total", I32, key),
    ]  # fmt: skip
    scratch = ("mask", "rows", "values")
    listed = ",\n    ".join(f"{'const ' * (a.kind in scratch)}{memory_type(a.dtype)} *__restrict__ {a.name}"
                            for a in arguments)
    copies = "\n".join(
        f"                    list{index}_{k + 2}[(size_t)t * {table.capacity} + place] = "
        f"values{index}_{k}[(size_t)t * {height * width} + row * {width} + x];"
        for k in range(len(columns) - 2))
    text = f"""\
// The candidates of output {key} in raster order, at most {table.capacity}: a warp takes a row of the image.
extern "C" __global__ void __launch_bounds__({LIST_THREADS}) {name}(
    {listed})
{{
    const int lane = threadIdx.x % 32, row = blockIdx.x * {LIST_THREADS // 32} + threadIdx.x / 32, t = blockIdx.y;
    if (row >= {height}) return;
    const int *const counts = rows{index} + (size_t)t * {height};
    int before = 0;  // candidates above this row
    for (int y = lane; y < row; y += 32) before += counts[y];
    for (int step = 16; step > 0; step >>= 1) before += __shfl_xor_sync(0xffffffffu, before, step);
    if (row == {height - 1} && lane == 0) total{index}[t] = before + counts[row];
    if (counts[row] == 0 || before >= {table.capacity}) return;
    for (int first = 0; first < {vectors}; first += 32) {{
        const size_t vector = ((size_t)t * {height} + row) * {vectors} + first + lane;
        const unsigned marks = first + lane < {vectors} ? mask{index}[vector] : 0;
        const int own = __popc(marks);
        int until = own;  // candidates of this lane and those left of it
        for (int step = 1; step < 32; step <<= 1) {{
            const int left = __shfl_up_sync(0xffffffffu, until, step);
            if (lane >= step) until += left;
        }}
        int place = before + until - own;
        for (int j = 0; j < {vector}; ++j) {{
            if (marks >> j & 1u) {{
                if (place < {table.capacity}) {{
                    const int x = (first + lane) * {vector} + j;
                    list{index}_0[(size_t)t * {table.capacity} + place] = x;
                    list{index}_1[(size_t)t * {table.capacity} + place] = row;
{copies}
                }}
                ++place;
            }}
        }}
        before += __shfl_sync(0xffffffffu, until, 31);
    }}
}}"""
    boxes = (-(-height // (LIST_THREADS // 32)), 1)
    kernel = CudaKernel(name, (LIST_THREADS, 1), boxes, True, 0, tuple(arguments), (width, 8), (0, 0, 0, 0), lists=True)
    return text, kernel
