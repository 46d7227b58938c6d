"""One pass of a block program as a CUDA kernel: signature, set-up, the march over the frames, states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kernels.codegen.cuda_expr import memory_type
from kernels.codegen.cuda_launch import Argument, CudaKernel, with_live
from kernels.codegen.cuda_stages import Stages
from kernels.codegen.cuda_writer import signed, up
from kernels.fusion.blocks_model import BlockProgram, Loop, Region
from kernels.fusion.blocks_plan import Extent
from kernels.ir.expr import Expr
from kernels.ir.image import I32

_READ = ("input", "past", "state_in", "boxes", "live")
NO_ROW = 1 << 20
"""A row below all boxes."""


class PassPrinter(Stages):
    """Prints one kernel."""

    def __init__(
        self, program: BlockProgram, number: int, name: str, lookups: dict[Expr, str], levels: dict[Expr, int],
        resident: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(program, number, lookups, levels)
        self.name = name
        most = 1024 // program.threads  # some devices hold no more threads
        self.resident = max(1, min(resident or 512 // program.threads, most))

    def kernel(self) -> tuple[str, CudaKernel]:
        """The text, and how it is launched."""
        # The body first: it tells which arguments, pointers and set-up there are.
        self.depth = 2
        for number, loops in enumerate(self.plan.stages):
            self._stage(number, loops)
        self.tables.finish()
        if self.plan.last_barrier:
            self.line("__syncthreads();  // before the next frame overwrites what the last stage looks at")
        if self.plan.alternates:
            self.line("turn ^= 1;")
        body, self.lines = self.lines, []
        self.depth = 1
        self._begin()
        # With states a block marches through all frames; without, frames are shared out along the grid's z.
        by_frame = not self.states and not any(self._ringed())
        loop = "int t = blockIdx.z; t < frames; t += gridDim.z" if by_frame else "int t = 0; t < frames; ++t"
        self.argument("frames", "frames", I32)
        self.argument("age", "age", I32)
        self.line("// the march over the frames of the batch")
        with self.block(f"for ({loop})"):
            if any("first" in line for line in body):
                self.line("const bool first = age + t == 0;")
            # Pointers that nobody names are not declared.
            used = set(re.findall(r"\w+", "\n".join([*body, *self.tables.begin])))
            for name in sorted(used & self.pointers.keys()):
                self.line(self.pointers[name])
            for text in self.tables.begin:
                self.line(text)
            self._turning()
            self.lines += body
        self._save_states()
        inside, self.lines = self.lines, []
        given, live, computed = with_live(self.program.body, self.arguments.values())
        self._signature(given)
        head, self.lines = self.lines, []
        threads = self.program.threads
        bx, by = self.program.tile
        kernel = CudaKernel(
            self.name, (threads, 1), (-(-self.width // bx), -(-self.height // by)), by_frame, self.plan.shared,
            given, (bx, by), (self.halo.left, self.halo.right, self.halo.up, self.halo.down), live=live)
        return "\n".join([*head, *(f"    {line}" for line in computed), *inside, "}"]), kernel

    def _signature(self, given: Sequence[Argument]) -> None:
        self.depth = 0
        halo, (bx, by) = self.halo, self.program.tile
        self.line(f"// Blocks of {bx}x{by} pixels of {self.width}x{self.height}, halo {halo.left} left, {halo.right} "
                  f"right, {halo.up} up, {halo.down} down; {self.plan.shared} bytes of shared memory.")
        bounds = f"{self.program.threads}, {self.resident}"
        listed = []
        # const __restrict__ lets loads go by the read-only path, which no other write may disturb.
        written = {self._frame(p) for p in self.plan.frames}
        for a in given:
            if a.is_scalar:
                listed.append(f"const {memory_type(a.dtype)} {a.name}")
            elif a.kind in _READ or (a.kind == "frame" and a.key not in written):
                listed.append(f"const {memory_type(a.dtype)} *__restrict__ {a.name}")
            else:
                listed.append(f"{memory_type(a.dtype)} *__restrict__ {a.name}")
        self.line(f'extern "C" __global__ void __launch_bounds__({bounds}) {self.name}(')
        self.line("    " + ",\n    ".join(listed) + ")")
        self.line("{")

    def _begin(self) -> None:
        bx, by = self.program.tile
        if self.plan.regions:
            self.line("extern __shared__ __align__(16) unsigned char shared[];")
        self.line("const int thread = threadIdx.x;")
        self.line("// the image pixel of the first column and row of the tiles")
        self.line(f"const int x0 = blockIdx.x * {bx}{signed(-self.halo.left)}, "
                  f"y0 = blockIdx.y * {by}{signed(-self.halo.up)};")  # fmt: skip
        if self._fills():
            wide, high = bx + self.halo.left + self.halo.right, by + self.halo.up + self.halo.down
            self.line(f"const bool edge = x0 < 0 || y0 < 0 || x0 + {wide} > {self.width} || "
                      f"y0 + {high} > {self.height};")  # fmt: skip
        # Each tile lies at its offset in one piece of shared memory.
        for region in self.plan.regions:
            own = region.name if region.source is None else f"{region.name}_edge"
            self.line(f"// {self._described(region)}")
            star = "*const " if not region.double else "*const even_"
            self.line(f"{memory_type(region.plane.dtype)} {star}{own} = ({memory_type(region.plane.dtype)} *)"
                      f"(shared{signed(region.offset)});")
            # Of an image with a border only blocks at the edge read their own filled tile; all others read the plain
            # one.
            if region.source is not None and not region.double:
                self.line(f"{memory_type(region.plane.dtype)} *const {region.name} = edge ? {own} : {region.source};")
        if self.plan.alternates:
            self.line("int turn = 0;  // tiles that take turns")
        for text in self.head.lines:
            self.line(text)
        self.tables.start()
        self._clear()
        # Starts of boxes are known when states and rings have been printed, but stand before them.
        place = len(self.lines)
        self._load_states()
        self._load_rings()
        starts = ["    " + self._start(*start) for start in sorted(self.starts)]
        self.lines[place:place] = ["    // this thread's first vector in boxes of some vectors across", *starts]

    def _start(self, across: int, rows: int) -> str:
        """This thread's first vector in boxes of so many across; a row below all boxes if it has none."""
        if not rows:
            return f"const int row{across} = thread / {across}, column{across} = thread % {across};"
        row = f"thread / {across}"
        # Threads that are left over get a row that fails every test.
        if rows * across < self.program.threads:
            row = f"thread < {rows * across} ? {row} : {NO_ROW}"
        return f"const int row{across}x{rows} = {row}, column{across}x{rows} = thread % {across};"

    def _described(self, region: Region) -> str:
        """What a tile is, for people."""
        e, border = region.extent, region.border
        beyond = f", beyond the image {border.mode}" if border is not None else ""
        halo = f"halo {e.left} left, {e.right} right, {e.up} up, {e.down} down"
        return f"{region.name}: {region.plane.dtype}, {halo}{beyond}{', two in turn' if region.double else ''}"

    def _clear(self) -> None:
        """Give the cells between the rows of the tiles a value."""
        if self.plan.regions:
            self.line(f"clear<{self.program.threads}, {up(self.plan.shared, 16)}>(shared);")
            self.line("__syncthreads();")

    def _turning(self) -> None:
        for region in self.plan.regions:
            if not region.double:
                continue
            own = region.name if region.source is None else f"{region.name}_edge"
            ctype = memory_type(region.plane.dtype)
            self.line(f"{ctype} *const {own} = even_{own} + turn * {region.cells};")
            if region.source is not None:
                self.line(f"{ctype} *const {region.name} = edge ? {own} : {region.source};")

    def _fills(self) -> bool:
        return any(r.border is not None for r in self.plan.regions)

    def _looped_states(self) -> Iterator[tuple[Loop, list[tuple[Expr, str, str]]]]:
        for loops in self.plan.stages:
            for loop in loops:
                held = [(t.plane, array, key) for t in loop.things if t.plane in self.states and t.kind != "state"
                        for array, key in self.states[t.plane]]  # fmt: skip
                if held:
                    yield loop, [(p, a, k) for p, a, k in held if p is not None]

    def _load_states(self) -> None:
        for loop, held in self._looped_states():
            self.line("// states of the pixels of this thread, the halo's too")
            for plane, array, _ in held:
                self.line(f"{memory_type(plane.dtype)} {array}[{self._steps(loop.extent)[0]}][{loop.vector}] = {{}};")
            # The first batch has no state: zeros, and `first` decides.
            with self.block("if (age != 0)"), self._vectors(loop, True):
                for plane, array, key in held:
                    given = self.argument(f"before_{array}", "state_in", plane.dtype, key, self.plan.size)
                    self._load_row(f"{array}[k]", plane.dtype, 1, given)

    def _save_states(self) -> None:
        for loop, held in self._looped_states():
            self.line("// states of the pixels that this block owns, for the next batch")
            with self._vectors(loop, True):
                # Halos have states as well, but only owners write them: each pixel once.
                inner = self._inside(loop.extent, Extent())
                with self.block(f"if ({inner})" if inner else ""):
                    for plane, array, key in held:
                        given = self.argument(f"after_{array}", "state_out", plane.dtype, key, self.plan.size)
                        self._store_row(given, f"{array}[k]", plane.dtype, 1)
