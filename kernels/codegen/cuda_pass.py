"""One pass of a block program as a CUDA kernel."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count, pairwise

from kernels.codegen.cuda_expr import from_memory, memory_type, register_type
from kernels.codegen.cuda_lane import Lane, Window, border_value
from kernels.codegen.cuda_launch import Argument, CudaKernel
from kernels.codegen.cuda_segments import segments
from kernels.codegen.cuda_tables import Tables
from kernels.fusion.blocks import BlockPass, BlockProgram, Loop, Region
from kernels.fusion.blocks_plan import Extent, Thing, is_image
from kernels.fusion.narrow import ranges
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import BOOL, I32, DType, ImageType

_MODES = {"reflect101": 0, "replicate": 1, "constant": 2, "wrap": 3}


class PassPrinter:
    """Prints one kernel. `lookups` collects the constant arrays of the whole text."""

    def __init__(
        self, program: BlockProgram, number: int, name: str, lookups: dict[Expr, str], resident: int = 2
    ) -> None:
        self.program = program
        self.resident = resident
        self.plan: BlockPass = program.passes[number]
        self.name = name
        self.lookups = lookups
        self.vector = program.vector
        self.height, self.width = self.plan.size
        self.halo = self.plan.halo
        self.arguments: dict[str, Argument] = {}
        self.pointers: dict[str, str] = {}  # of a frame: name -> declaration
        self.fresh = count()
        self.atoms = set(self.plan.made) | set(program.frames)
        roots = [r for t in self.plan.things for r in t.roots] + [
            p.src[1] for p in self.plan.made if p.op == "recur"]
        order = list(postorder(roots))
        self.ranges = ranges(order)
        self.uniforms = _uniforms(order)
        self.head = Lane(self, self.ranges, {}, set(), self.fresh)  # what is computed once, before the march
        self.tables = Tables(self)
        self.states: dict[Expr, list[tuple[str, str]]] = {}  # plane -> (register array, key) of each frame back
        self.loop: Loop | None = None
        self.starts: dict[int, None] = {}  # vectors across the boxes of loops
        self.here: dict[Expr, str] = {}  # planes that another group of the loop left in registers
        self.lines: list[str] = []
        self.depth = 0

    # ---- text ---------------------------------------------------------------------------------------------------
    def line(self, text: str = "") -> None:
        self.lines.append("    " * self.depth + text if text else "")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.line(f"{head} {{" if head else "{")
        self.depth += 1
        yield
        self.depth -= 1
        self.line("}")

    def argument(self, name: str, kind: str, dtype: DType, key: int | str = 0, shape: tuple[int, ...] = (),
                 depth: int = 0, initial: tuple[int, ...] = ()) -> str:
        if name not in self.arguments:
            self.arguments[name] = Argument(name, kind, dtype, key, shape, depth, initial)
        return name

    # ---- what lanes ask -----------------------------------------------------------------------------------------
    def image(self, plane: Expr) -> tuple[str, int, int]:
        """(pointer to this frame of an image in memory, its channels, the channel)."""
        if not is_image(plane):
            number, shape = self._frame(plane), self.program.frames[plane]
            size = shape[0] * shape[1]
            given = self.argument(f"frames{number}", "frame", plane.dtype, number, shape)
            self._pointer(f"q{number}", plane.dtype, f"{given} + (size_t)t * {size}", True)
            return f"q{number}", 1, 0
        source = plane if plane.op == "input" else plane.src[0]
        index = source.arg.index
        type_ = self.program.body.inputs[index]
        assert isinstance(type_, ImageType)
        size = type_.height * type_.width * type_.channels
        given = self.argument(f"input{index}", "input", type_.dtype, index, type_.shape)
        name = f"in{index}"
        if plane is source:
            self._pointer(name, type_.dtype, f"{given} + (size_t)t * {size}", True)
            return name, type_.channels, source.arg.channel
        back, depth = -plane.arg.dt, self.program.back[index]
        past = self.argument(f"past{index}", "past", type_.dtype, index, type_.shape, depth)
        name += f"_ago{back}"
        frame = f"larger(t - {back}, -age)"
        now, before = f"{given} + (size_t){frame} * {size}", f"{past} + (size_t)({depth} + {frame}) * {size}"
        self._pointer(name, type_.dtype, f"{frame} >= 0 ? {now} : {before}", True)
        return name, type_.channels, source.arg.channel

    def _pointer(self, name: str, dtype: DType, place: str, read: bool) -> None:
        """Declare a pointer to this frame of an array."""
        const = "const " if read else ""
        self.pointers[name] = f"{const}{memory_type(dtype)} *const {name} = {place};"

    def _frame(self, plane: Expr) -> int:
        return list(self.program.frames).index(plane)

    def region(self, plane: Expr, node: Expr) -> Region | None:
        """The tile in which a load of `plane` looks; None if it reads memory."""
        return self.plan.region(plane, node.arg.border) if plane in self.plan.made else None

    def at(self, plane: Expr) -> str | Region | None:
        """Another group's register array, or a tile, with this pixel of `plane`; None if it is in memory."""
        if plane in self.here:
            return self.here[plane]
        return self.plan.region(plane) if plane in self.plan.made else None

    def param(self, name: str, dtype: DType) -> str:
        """The argument of a live parameter."""
        argument = self.argument(_word("a", name), "param", dtype, name)
        return f"({argument} != 0)" if dtype == BOOL else argument

    def table(self, node: Expr) -> str:
        """The array of a lookup's entries."""
        key = Expr("table", (), node.arg, node.dtype, None)
        return self.lookups.setdefault(key, f"lookup{len(self.lookups)}")

    def uniform(self, node: Expr) -> str | None:
        """The variable that holds what is the same for every pixel and frame; None if it is to be computed here."""
        if node not in self.uniforms or node.op in ("const", "param"):
            return None
        if node not in self.head.known:
            for n in postorder((node,)):
                if n.op in ("const", "param"):
                    self.head.value(n)
                elif n not in self.head.known:
                    self.head.known[n] = self.head.name(self.head.own(n), n.dtype)
        return self.head.known[node]

    # ---- the kernel ---------------------------------------------------------------------------------------------
    def kernel(self) -> tuple[str, CudaKernel]:
        self._name_states()
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
        by_frame = not self.states
        loop = "int t = blockIdx.z; t < frames; t += gridDim.z" if by_frame else "int t = 0; t < frames; ++t"
        self.argument("frames", "frames", I32)
        self.argument("age", "age", I32)
        self.line("// the march over the frames of the batch")
        with self.block(f"for ({loop})"):
            if any("first" in line for line in body):
                self.line("const bool first = age + t == 0;")
            for name in sorted(self.pointers):
                self.line(self.pointers[name])
            for text in self.tables.begin:
                self.line(text)
            self._turning()
            self.lines += body
        self._save_states()
        inside, self.lines = self.lines, []
        self._signature()
        head, self.lines = self.lines, []
        threads = self.program.threads
        bx, by = self.program.tile
        kernel = CudaKernel(
            self.name, (threads, 1), (-(-self.width // bx), -(-self.height // by)), by_frame, self.plan.shared,
            tuple(self.arguments.values()), (bx, by), (self.halo.left, self.halo.right, self.halo.up, self.halo.down))
        return "\n".join([*head, *inside, "}"]), kernel

    def _signature(self) -> None:
        self.depth = 0
        halo, (bx, by) = self.halo, self.program.tile
        self.line(f"// Blocks of {bx}x{by} pixels of {self.width}x{self.height}, halo {halo.left} left, {halo.right} "
                  f"right, {halo.up} up, {halo.down} down; {self.plan.shared} bytes of shared memory.")
        bounds = f"{self.program.threads}, {self.resident}"
        listed = []
        written = {self._frame(p) for p in self.plan.frames}
        for a in self.arguments.values():
            if a.is_scalar:
                listed.append(f"const {memory_type(a.dtype)} {a.name}")
            elif a.kind in ("input", "past", "state_in", "boxes") or (a.kind == "frame" and a.key not in written):
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
        self.line(f"const int x0 = blockIdx.x * {bx}{_signed(-self.halo.left)}, "
                  f"y0 = blockIdx.y * {by}{_signed(-self.halo.up)};")  # fmt: skip
        if self._fills():
            wide, high = bx + self.halo.left + self.halo.right, by + self.halo.up + self.halo.down
            self.line(f"const bool edge = x0 < 0 || y0 < 0 || x0 + {wide} > {self.width} || "
                      f"y0 + {high} > {self.height};")  # fmt: skip
        for region in self.plan.regions:
            own = region.name if region.source is None else f"{region.name}_edge"
            self.line(f"// {region.name}: {describe(region)}")
            star = "*const " if not region.double else "*const even_"
            self.line(f"{memory_type(region.plane.dtype)} {star}{own} = ({memory_type(region.plane.dtype)} *)"
                      f"(shared{_signed(self._origin(region))});")
            if region.source is not None and not region.double:
                self.line(f"{memory_type(region.plane.dtype)} *const {region.name} = edge ? {own} : {region.source};")
        if self.plan.alternates:
            self.line("int turn = 0;  // tiles that take turns")
        for text in self.head.lines:
            self.line(text)
        self._clear()
        place = len(self.lines)
        self._load_states()
        starts = [f"    const int row{n} = thread / {n}, column{n} = thread % {n};" for n in sorted(self.starts)]
        self.lines[place:place] = ["    // this thread's first vector in boxes of some vectors across", *starts]

    def _clear(self) -> None:
        """Give the cells between the rows of the tiles a value; tiles that share bytes one after another."""
        v = self.vector
        open_: list[tuple[int, int]] = []
        for region in self.plan.regions:
            own = region.name if region.source is None else f"{region.name}_edge"
            own = f"even_{own}" if region.double else own
            skipped = (self.halo.up - region.extent.up) * self.plan.pitch
            left, width = self._columns(region)
            half = self._size(region) * region.plane.dtype.itemsize
            end = region.offset + half * (1 + region.double)
            if any(region.offset < last and first < end for first, last in open_):
                self.line("__syncthreads();")
                open_ = []
            open_.append((region.offset, end))
            size = region.rows * self.plan.pitch + 2 * v
            for k in range(1 + region.double):
                start = f"{own}{_signed(skipped - v + k * self._size(region))}"
                self.line(f"clear<{self.program.threads}, {self.plan.pitch}, {width}>({start}, {v + left}, "
                          f"{region.rows}, {size});")  # fmt: skip
        if self.plan.regions:
            self.line("__syncthreads();")

    def _columns(self, region: Region) -> tuple[int, int]:
        """The first column of a tile's pixels and how many there are, whole vectors."""
        left, right = _up(region.extent.left, self.vector), _up(region.extent.right, self.vector)
        return self.halo.left - left, left + self.program.tile[0] + right

    def _turning(self) -> None:
        for region in self.plan.regions:
            if not region.double:
                continue
            own = region.name if region.source is None else f"{region.name}_edge"
            half = self._size(region)
            ctype = memory_type(region.plane.dtype)
            self.line(f"{ctype} *const {own} = even_{own} + turn * {half};")
            if region.source is not None:
                self.line(f"{ctype} *const {region.name} = edge ? {own} : {region.source};")

    def _size(self, region: Region) -> int:
        """Values of one copy of a tile."""
        item = region.plane.dtype.itemsize
        return -(-(region.rows * self.plan.pitch + 2 * self.vector) * item // 16) * 16 // item

    def _origin(self, region: Region) -> int:
        """Byte of the cell that is pixel (x0, y0), which may lie before the tile."""
        skipped = self.halo.up - region.extent.up
        return region.offset + (self.vector - skipped * self.plan.pitch) * region.plane.dtype.itemsize

    def _fills(self) -> bool:
        return any(r.border is not None for r in self.plan.regions)

    # ---- states -------------------------------------------------------------------------------------------------
    def _name_states(self) -> None:
        for thing in self.plan.things:
            plane = thing.plane
            if plane is None or thing.kind == "state":
                continue
            names = []
            if plane.op == "recur":
                names.append((_word("s", plane.arg), str(plane.arg)))
            depth = self.program.delays.get(plane, 0)
            order = list(self.program.delays)
            for k in range(1, depth + 1):
                number = order.index(plane)
                names.append((f"ago{k}_{number}", f"past {number}.{k}"))
            if names:
                self.states[plane] = names

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
                self.line(f"{memory_type(plane.dtype)} {array}[{self._turns(loop.extent)}][{self.vector}] = {{}};")
            with self.block("if (age != 0)"), self._vectors(loop.extent, True):
                for plane, array, key in held:
                    given = self.argument(f"{array}_in", "state_in", plane.dtype, key, self.plan.size)
                    self._load_row(f"{array}[k]", plane.dtype, 1, given)

    def _save_states(self) -> None:
        for loop, held in self._looped_states():
            self.line("// states of the pixels that this block owns, for the next batch")
            with self._vectors(loop.extent, True):
                inner = self._inside(loop.extent, Extent())
                with self.block(f"if ({inner})" if inner else ""):
                    for plane, array, key in held:
                        given = self.argument(f"{array}_out", "state_out", plane.dtype, key, self.plan.size)
                        self._store_row(given, f"{array}[k]", plane.dtype, 1)

    # ---- vectors ------------------------------------------------------------------------------------------------
    def _across(self, extent: Extent) -> int:
        v = self.vector
        return (_up(extent.left, v) + self.program.tile[0] + _up(extent.right, v)) // v

    def _down(self, extent: Extent) -> int:
        return extent.up + self.program.tile[1] + extent.down

    def _turns(self, extent: Extent) -> int:
        return -(-self._across(extent) * self._down(extent) // self.program.threads)

    @contextmanager
    def _vectors(self, extent: Extent, unrolled: bool = False) -> Iterator[None]:
        """A loop over the thread's vectors of a box with halo; x, y: first pixel; at: its cell in a tile."""
        v, threads = self.vector, self.program.threads
        across, down, turns = self._across(extent), self._down(extent), self._turns(extent)
        left, top = self.halo.left - _up(extent.left, v), self.halo.up - extent.up
        with self.block(""):
            self.starts[across] = None
            self.line(f"int row = row{across}, column = column{across};")
            if unrolled or turns > 1:
                self.line("#pragma unroll" if unrolled else "#pragma unroll 1")
            with self.block(f"for (int k = 0; k < {turns}; ++k)" if turns > 1 or unrolled else ""):
                self.line(f"const int x = x0{_signed(left)} + {v} * column, y = y0{_signed(top)} + row;")
                tests = [f"row < {down}"] if across * down % threads else []
                bx, by = self.program.tile
                if extent.left or extent.right or self.width % bx:
                    tests.append(f"(unsigned)x < {self.width}u")
                if extent.up or extent.down or self.height % by:
                    tests.append(f"(unsigned)y < {self.height}u")
                with self.block(f"if ({' && '.join(tests)})" if tests else ""):
                    yield
                if turns > 1:
                    self.line(f"row += {threads // across};")
                    if threads % across:
                        self.line(f"column += {threads % across};")
                        self.line(f"if (column >= {across}) {{ column -= {across}; ++row; }}")

    def _inside(self, outer: Extent, inner: Extent) -> str:
        """The test that a vector of the box with halo `outer` is in that with halo `inner`; empty if all are."""
        v, tests = self.vector, []
        first = (_up(outer.left, v) - _up(inner.left, v)) // v
        if first:
            tests.append(f"column >= {first}")
        if _up(outer.right, v) != _up(inner.right, v):
            tests.append(f"column < {first + self._across(inner)}")
        above = outer.up - inner.up
        if above:
            tests.append(f"row >= {above}")
        if outer.down != inner.down:
            tests.append(f"row < {above + self._down(inner)}")
        return " && ".join(tests)

    # ---- stages -------------------------------------------------------------------------------------------------
    def _stage(self, number: int, loops: Sequence[Loop]) -> None:
        if number:
            self.line("__syncthreads();")
            self.line()
        for loop in loops:
            self.loop = loop
            made = ", ".join(dict.fromkeys(self._title(t) for t in loop.things))
            self.line(f"// stage {number}: {made}")
            has_states = any(t.plane in self.states for t in loop.things)
            with self._vectors(loop.extent, has_states):
                if self.plan.regions:
                    self.line(f"const int at = (y - y0) * {self.plan.pitch} + (x - x0);")
                self._groups(loop)
        made_here = {t.plane for loop in loops for t in loop.things}
        fills = [r for r in self.plan.regions if r.plane in made_here and r.border is not None]
        if fills:
            with self.block("if (edge)"):
                self.line("__syncthreads();")
                for region in fills:
                    self._fill(region)

    def _title(self, thing: Thing) -> str:
        if thing.plane is None:
            return f"output {self.program.body.outputs[thing.index].name}"
        region = self.plan.region(thing.plane)
        name = region.name if region is not None else ""
        if thing.kind == "copy":
            return f"{name} = pixels of {self.image(thing.plane)[0]}"
        if thing.plane.op in ("recur", "state"):
            return f"{name + ' = ' if name else ''}{thing.plane.op} {thing.plane.arg}"
        return name or thing.plane.op

    def _fill(self, region: Region) -> None:
        assert region.border is not None
        source = region.source or region.name
        own = region.name
        (left, width), top = self._columns(region), self.halo.up - region.extent.up
        image, step = "0", "1"
        dtype = region.plane.dtype
        if region.border.mode == "wrap":
            pointer, channels, channel = self.image(region.plane)
            image, step = (f"{pointer} + {channel}" if channel else pointer), str(channels)
        else:
            image = f"(const {memory_type(dtype)} *)0"
        constant = "0"
        if region.border.mode == "constant":
            constant = border_value(Expr("load", (region.plane,), _Bordered(region.border), dtype, None), dtype)
        shift = f" + {top * self.plan.pitch + left}" if top or left else ""
        self.line(f"fill<{_MODES[region.border.mode]}, {self.program.threads}, {self.plan.pitch}>({own}{shift}, "
                  f"{source}{shift}, {region.rows}, {width}, x0{_signed(left)}, y0{_signed(top)}, {self.width}, "
                  f"{self.height}, ({memory_type(dtype)}){constant}, {image}, {step});")

    def _groups(self, loop: Loop) -> None:
        shared: dict[Expr, str] = {}
        groups = loop.groups
        for g, (_, things) in enumerate(groups):
            later = {u.target for _, others in groups[g + 1 :] for t in others for u in t.uses if u.kind == "at"}
            for thing in things:
                if thing.plane in later and thing.plane is not None:
                    name = f"r{next(self.fresh)}"
                    shared[thing.plane] = name
                    self.line(f"{register_type(thing.plane.dtype)} {name}[{self.vector}];")
        self.here = {}
        for extent, things in groups:
            test = self._inside(loop.extent, extent)
            with self.block(f"if ({test})" if test else ""):
                self._group(things, shared)
            self.here.update({t.plane: f"{shared[t.plane]}[j]" for t in things if t.plane in shared})
        self.here = {}

    def _group(self, things: Sequence[Thing], shared: dict[Expr, str]) -> None:
        lane = Lane(self, self.ranges, self._counts(things), self.atoms, self.fresh)
        arrays: list[tuple[str, DType, int]] = []  # what is stored after the lanes
        stores: list[tuple[str, str, DType, int]] = []
        for thing in things:
            self._thing(thing, lane, shared, arrays, stores)
        for thing in things:
            self._carry(thing, lane)
        for name, dtype, length in arrays:
            self.line(f"{memory_type(dtype)} {name}[{length}];")
        for row in lane.rows.values():
            self.line(f"{memory_type(row.dtype)} {row.name}[{row.channels * self.vector}];")
            self._load_row(row.name, row.dtype, row.channels, row.pointer)
        for text in lane.head:
            self.line(text)
        for part in segments(lane.finished(), list(lane.windows.values()), self.vector):
            for text in part.declared:
                self.line(text)
            for window in part.windows:
                self._load_window(window)
            self._lanes(part.statements)
        for kind, name, dtype, channels in stores:
            if kind.startswith("tile "):
                self._store_tile(kind[5:], name, dtype)
            else:
                self._store_row(kind, name, dtype, channels)
        self.tables.after(things)

    def _lanes(self, statements: Sequence[str]) -> None:
        """Statements for every pixel of the vector."""
        self.line("#pragma unroll")
        with self.block(f"for (int j = 0; j < {self.vector}; ++j)"):
            if any(re.search(r"\bpx\b", s) for s in statements):
                last = f"smaller(x + j, {self.width - 1})" if self.width % self.vector else "x + j"
                self.line(f"const int px = {last};")
            for s in statements:
                self.line(s)

    def _counts(self, things: Sequence[Thing]) -> dict[Expr, int]:
        """How often each node is an operand."""
        counts: dict[Expr, int] = {}
        seen: set[Expr] = set()
        for thing in things:
            own = thing.plane
            stack = [own.src[1]] if own is not None and own.op == "recur" else list(thing.roots)
            for root in stack:
                counts[root] = counts.get(root, 0) + 1
            while stack:
                node = stack.pop()
                if node in seen or (node in self.atoms and node is not own):
                    continue
                seen.add(node)
                if node.op not in ("load", "state", "recur"):
                    inner = node.src[1:] if node.op == "gather" else node.src
                    for s in inner:
                        counts[s] = counts.get(s, 0) + 1
                    stack += inner
        return counts

    def _thing(
        self, thing: Thing, lane: Lane, shared: dict[Expr, str], arrays: list[tuple[str, DType, int]],
        stores: list[tuple[str, str, DType, int]],
    ) -> None:  # fmt: skip
        if thing.plane is None:
            output = self.program.body.outputs[thing.index]
            if output.table is not None:
                self.tables.lanes(thing, lane)
                return
            assert isinstance(output.type, ImageType)
            name, channels, dtype = f"o{thing.index}", len(thing.roots), output.type.dtype
            arrays.append((name, dtype, channels * self.vector))
            for c, root in enumerate(thing.roots):
                place = "j" if channels == 1 else f"{channels} * j + {c}"
                lane.line(f"{name}[{place}] = ({memory_type(dtype)}){lane.value(root)};")
            given = self.argument(f"output{thing.index}", "output", dtype, output.name, output.type.shape)
            size = self.height * self.width * channels
            self._pointer(f"out{thing.index}", dtype, f"{given} + (size_t)t * {size}", False)
            stores.append((f"out{thing.index}", name, dtype, channels))
            return
        plane = thing.plane
        value = lane.name(self._own(thing, lane), plane.dtype)
        lane.known[plane] = value
        if plane in shared:
            lane.line(f"{shared[plane]}[j] = {value};")
        region = self.plan.region(plane)
        frame = plane in self.plan.frames
        if region is None and not frame:
            return
        name = f"m{next(self.fresh)}"
        arrays.append((name, plane.dtype, self.vector))
        lane.line(f"{name}[j] = ({memory_type(plane.dtype)}){value};")
        if region is not None:
            stores.append((f"tile {region.name if region.source is None else region.source}", name, plane.dtype, 1))
        if frame:
            number = self._frame(plane)
            given = self.argument(f"frames{number}", "frame", plane.dtype, number, self.plan.size)
            size = self.height * self.width
            self._pointer(f"q{number}", plane.dtype, f"{given} + (size_t)t * {size}", False)
            stores.append((f"own q{number}", name, plane.dtype, 1))

    def _own(self, thing: Thing, lane: Lane) -> str:
        plane = thing.plane
        assert plane is not None
        if thing.kind == "copy":
            return lane.pixel(plane)
        if thing.kind == "delay":
            array = self.states[plane.src[0]][self._first_past(plane.src[0]) - plane.arg.dt - 1][0]
            return f"first ? {lane.value(plane.src[0])} : {_held(array, plane.dtype)}"
        if thing.kind == "state":
            owner = self.program.normal.recurrences[plane.arg]
            array = self.states[owner][0][0]
            with lane.within("if (first)"):
                lane.line(f"{array}[k][j] = {lane.value(thing.roots[0])};")
            return _held(array, plane.dtype)
        if plane.op == "recur":
            return lane.value(plane.src[1])
        return lane.own(plane)

    def _first_past(self, plane: Expr) -> int:
        return int(plane.op == "recur")

    def _carry(self, thing: Thing, lane: Lane) -> None:
        """The state of the next frame, when all have seen this one's."""
        plane = thing.plane
        if plane is None or thing.kind == "state" or plane not in self.states:
            return
        names = [array for array, _ in self.states[plane]]
        value = lane.known[plane]
        past = names[self._first_past(plane) :]
        for newer, older in reversed(list(pairwise(past))):
            lane.line(f"{older}[k][j] = first ? {_kept(value, plane.dtype)} : {newer}[k][j];")
        if past:
            lane.line(f"{past[0]}[k][j] = {_kept(value, plane.dtype)};")
        if plane.op == "recur":
            lane.line(f"{names[0]}[k][j] = {_kept(value, plane.dtype)};")

    # ---- memory -------------------------------------------------------------------------------------------------
    def _load_window(self, window: Window) -> None:
        v, region = self.vector, window.region
        start = window.first // v * v
        length = -(-(window.last + v - start) // v) * v
        item = region.plane.dtype.itemsize
        access = min(16, v * item)
        self.line(f"{memory_type(region.plane.dtype)} {window.name}[{length}];")
        for i in range(0, length, access // item):
            shift = window.dy * self.plan.pitch + start + i
            self.line(f"load<{access}>({window.name}{_signed(i)}, {region.name} + at{_signed(shift)});")

    def _store_tile(self, region: str, array: str, dtype: DType) -> None:
        access = min(16, self.vector * dtype.itemsize)
        for i in range(0, self.vector, access // dtype.itemsize):
            self.line(f"store<{access}>({region} + at{_signed(i)}, {array}{_signed(i)});")

    def _pieces(self, dtype: DType, channels: int) -> tuple[int, int]:
        """(pixels that lie inside the image together, bytes of one access)."""
        whole = math.gcd(self.width, self.vector)
        size = whole * channels * dtype.itemsize
        return whole, min(16, size & -size)

    def _place(self, pixel: str, channels: int) -> str:
        big = self.height * self.width * channels >= 2**31
        place = f"{'(size_t)' if big else ''}y * {self.width} + {pixel}"
        return place if channels == 1 else f"({place}) * {channels}"

    def _load_row(self, array: str, dtype: DType, channels: int, pointer: str) -> None:
        """The thread's vector of an image in memory; pixels beyond the image are copies of others."""
        whole, access = self._pieces(dtype, channels)
        step = access // dtype.itemsize
        for first in range(0, self.vector, whole):
            pixel = "x" if not first else f"x + {first}"
            if whole < self.vector:
                pixel = f"smaller({pixel}, {self.width - whole})"
            for i in range(0, whole * channels, step):
                to = first * channels + i
                place = f"{pointer} + {self._place(pixel, channels)}{_signed(i)}"
                self.line(f"load<{access}>({array}{_signed(to)}, {place});")

    def _store_row(self, pointer: str, array: str, dtype: DType, channels: int) -> None:
        own = pointer.startswith("own ")
        pointer = pointer[4:] if own else pointer
        if own:  # a plane with a halo is stored where the block owns it
            assert self.loop is not None
            test = self._inside(self.loop.extent, Extent())
            if test:
                with self.block(f"if ({test})"):
                    self._store_row(pointer, array, dtype, channels)
                return
        whole, access = self._pieces(dtype, channels)
        step = access // dtype.itemsize
        for first in range(0, self.vector, whole):
            guard = f"if (x + {first} < {self.width}) " if first and whole < self.vector else ""
            listed = []
            for i in range(0, whole * channels, step):
                pixel = f"x + {first}" if first else "x"
                listed.append(f"store<{access}>({pointer} + {self._place(pixel, channels)}{_signed(i)}, "
                              f"{array}{_signed(first * channels + i)});")
            if guard and len(listed) > 1:
                with self.block(guard.strip()):
                    for s in listed:
                        self.line(s)
            else:
                for s in listed:
                    self.line(guard + s)


class _Bordered:
    """The argument of a node of which only the border is asked."""

    def __init__(self, border: object) -> None:
        self.border = border

    def __hash__(self) -> int:
        return hash(self.border)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Bordered) and other.border == self.border


def _uniforms(order: Sequence[Expr]) -> set[Expr]:
    """The nodes that depend on constants and live parameters alone."""
    found: set[Expr] = set()
    for node in order:
        if node.op in ("const", "param") or (node.src and node.op != "recur" and all(s in found for s in node.src)):
            found.add(node)
    return found


def describe(region: Region) -> str:
    """What a tile is, for people."""
    e = region.extent
    halo = f"halo {e.left} left, {e.right} right, {e.up} up, {e.down} down"
    border = f", beyond the image {region.border.mode}" if region.border is not None else ""
    return f"{region.plane.dtype} {region.plane.op}, {halo}{border}{', two in turn' if region.double else ''}"


def _held(array: str, dtype: DType) -> str:
    return from_memory(f"{array}[k][j]", dtype)


def _kept(value: str, dtype: DType) -> str:
    return f"({memory_type(dtype)}){value}" if dtype.itemsize < 4 else value


def _up(value: int, step: int) -> int:
    return -(-value // step) * step


def _signed(value: int) -> str:
    return f" + {value}" if value > 0 else f" - {-value}" if value else ""


def _word(prefix: str, name: str) -> str:
    return f"{prefix}_{re.sub(r'[^A-Za-z0-9]+', '_', name)}"
