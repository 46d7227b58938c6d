"""The stages of a pass: loops, what their lanes compute, where it goes, how borders are filled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from kernels.codegen.cuda_expr import from_memory, memory_type, register_type
from kernels.codegen.cuda_lane import ImageRow, Lane, border_value
from kernels.codegen.cuda_packed import Packer, spelled
from kernels.codegen.cuda_rings import Rings
from kernels.codegen.cuda_segments import segments
from kernels.codegen.cuda_tables import Tables
from kernels.codegen.cuda_words import formula
from kernels.codegen.cuda_writer import signed, up
from kernels.fusion.blocks_model import BlockProgram, Loop, Region
from kernels.fusion.blocks_plan import Extent, Thing, is_image
from kernels.fusion.normal import Unsupported
from kernels.ir.bits import words_of
from kernels.ir.expr import Expr
from kernels.ir.image import U8, DType, ImageType
from kernels.ir.table import Candidates, Reduction

MODES = {"reflect101": 0, "replicate": 1, "constant": 2, "wrap": 3}
NEAR = 4
"""reflect101 where one reflection reaches all cells."""


class Stages(Rings):
    """Prints the stages of one frame."""

    def __init__(self, program: BlockProgram, number: int, lookups: dict[Expr, str], levels: dict[Expr, int]) -> None:
        super().__init__(program, number, lookups, levels)
        self.tables = Tables(self)
        self.states: dict[Expr, list[tuple[str, str]]] = {}  # plane -> (register array, key) of each frame back
        self._name_states()

    def _name_states(self) -> None:
        for thing in self.plan.things:
            plane = thing.plane
            if plane is None or thing.kind == "state" or (thing.kind == "copy" and not is_image(plane)):
                continue
            names = []
            # A recurrence keeps its own last value first, then the frames that looks back at it need.
            if plane.op == "recur":
                names.append((self.word("s", str(plane.arg)), str(plane.arg)))
            depth = self.program.delays.get(plane, 0)
            order = list(self.program.delays)
            for k in range(1, depth + 1):
                number = order.index(plane)
                names.append((f"ago{k}_{number}", f"past {number}.{k}"))
            if names:
                self.states[plane] = names

    def _stage(self, number: int, loops: Sequence[Loop]) -> None:
        # All tiles of the stage before are whole before any thread looks aside.
        if number:
            self.line("__syncthreads();")
            self.line()
        for loop in loops:
            self.loop = loop
            self.line(f"// stage {number}")
            for title in dict.fromkeys(title for t in loop.things for title in self._titles(t)):
                self.line(f"//   {title}")
            # Registers that are indexed by the turn need a loop that is written out: an index known at run time would
            # put them into local memory.
            held = bool(loop.rings) or any(t.plane in self.states for t in loop.things)
            with self._vectors(loop, held):
                place = len(self.lines)
                self._groups(loop)
                self._cells(place)
        # Borders are filled behind the loops, from cells that other threads have made: a barrier, which all threads of
        # the block reach, since `edge` is the block's.
        made_here = {t.plane for loop in loops for t in loop.things}
        fills = [r for r in self.plan.regions if r.plane in made_here and r.border is not None]
        if fills:
            with self.block("if (edge)"):
                self.line("__syncthreads();")
                for region in fills:
                    self._fill(region)

    def _cells(self, place: int) -> None:
        """Declare, at a line, where the vector is in tiles of each pitch that the lines behind it use."""
        # The printed lines tell which pitches they name.
        text = "\n".join(self.lines[place:])
        for pitch in sorted({int(p) for p in re.findall(r"\bat(\d+)\b", text)}):
            declared = f"const int at{pitch} = row * {pitch} + column * {self.vector};"
            self.lines.insert(place, "    " * self.depth + declared)

    def _titles(self, thing: Thing) -> Iterator[str]:
        """What is made and from what, for people."""
        tiles = {r.plane: r.name for r in self.plan.regions if r.source is None}
        tiles |= {plane: f"frame{self._frame(plane)}" for plane in self.program.frames if plane not in tiles}
        plane = thing.plane
        if plane is None:
            output = self.program.body.outputs[thing.index]
            names = [""] * len(thing.roots)
            if isinstance(output.table, Candidates):
                names = ["", *(f".{name}" for name, _ in output.table.columns)]
            elif isinstance(output.table, Reduction):
                names = [f".{column.name}" for column in output.table.columns]
            for name, root in zip(names, thing.roots, strict=True):
                yield f"output {output.name}{name} = {formula(root, tiles)}"
            return
        if thing.kind == "state":
            yield f"was({plane.arg}) = the state, at first {formula(thing.roots[0], tiles)}"
        elif thing.kind == "delay":
            yield f"{formula(plane, tiles)} = a state"
        else:
            names = [str(plane.arg)] if plane.op == "recur" else []
            names += [tiles[plane]] if plane in tiles else []
            value = self.image(plane)[0] if thing.kind == "copy" else formula(plane, tiles)
            yield " = ".join([*names, value])

    def _columns(self, region: Region) -> tuple[int, int]:
        """The first column of a tile's pixels and how many there are, whole vectors."""
        left, right = up(region.extent.left, region.vector), up(region.extent.right, region.vector)
        return self.halo.left - left, left + self.program.tile[0] + right

    def _fill(self, region: Region) -> None:
        assert region.border is not None
        source = region.source or region.name
        own = region.name
        (first, columns), top, e = self._columns(region), self.halo.up - region.extent.up, region.extent
        image, step = "0", "1"
        dtype = region.plane.dtype
        # What wraps comes from the image itself: the other edge may be in another block's tile.
        if region.border.mode == "wrap":
            pointer, channels, channel = self.image(region.plane)
            image, step = (f"{pointer} + {channel}" if channel else pointer), str(channels)
        else:
            image = f"(const {memory_type(dtype)} *)0"
        constant = "0"
        # Tiles that hold raised values need a raised constant.
        if region.border.mode == "constant":
            constant = border_value(region.border, dtype)
            constant = f"({constant} + 32768)" if region.plane in self.raised else constant
        mode = MODES[region.border.mode]
        # One reflection needs no remainder by the period.
        if mode == 0 and self._within_a_period():
            mode = NEAR
        cells = f"Cells{{{top}, {region.rows}, {first}, {columns}, {e.up}, {e.down}, {e.left}, {e.right}}}"
        shift = signed(self._shift(region))  # the cell of pixel (x0, y0)
        self.line(f"fill<{mode}, {self.program.threads}, {region.pitch}>({own}{shift}, {source}{shift}, {cells}, "
                  f"x0, y0, {self.width}, {self.height}, ({memory_type(dtype)}){constant}, {image}, {step});")

    def _within_a_period(self) -> bool:
        """Whether every cell of every tile is reflected at one edge only."""
        (bx, by), halo = self.program.tile, self.halo
        return all(
            before < n and up(n, tile) + behind <= 2 * n - 1 for n, tile, before, behind in
            ((self.width, bx, halo.left, halo.right), (self.height, by, halo.up, halo.down))
        )  # fmt: skip

    def _groups(self, loop: Loop) -> None:
        shared: dict[Expr, str] = {}
        groups = loop.groups
        for g, (_, things) in enumerate(groups):
            # What a later group of the same loop takes at its own pixel stays in registers, declared outside of the
            # tests.
            later = {u.target for _, others in groups[g + 1 :] for t in others for u in t.uses if u.kind == "at"}
            for thing in things:
                if thing.plane in later and thing.plane is not None:
                    name = f"r{next(self.fresh)}"
                    shared[thing.plane] = name
                    self.line(f"{register_type(thing.plane.dtype)} {name}[{self.vector}];")
        self.here = {}
        rows: dict[str, ImageRow] = {}  # what the first group has loaded of images
        for extent, things in groups:
            # Groups with smaller halos compute only in the vectors that they need.
            test = self._inside(loop.extent, extent)
            if test:
                with self.block(f"if ({test})"):
                    self._group(things, shared, rows)
            else:
                # Loads under a test may not be seen outside of it.
                rows |= self._group(things, shared, rows)
            self.here.update({t.plane: f"{shared[t.plane]}[j]" for t in things if t.plane in shared})
        self.here = {}
        self._carry_rings(loop, rows)

    def _group(
        self, things: Sequence[Thing], shared: dict[Expr, str], rows: dict[str, ImageRow]
    ) -> dict[str, ImageRow]:
        """Things of one halo; returns the vectors of images that it has loaded besides `rows`."""
        # The lane decides what is loaded; loads and words are printed before its statements.
        lane = Lane(self, self.ranges, self._counts(things), self.atoms, self.fresh, loaded=rows)
        packer = Packer(lane.leaf, lane.channel, lane.pixels, self.raised, self.ranges, self.fresh, lane.known,
                        {t.plane for t in things if t.plane is not None}, self.atoms)  # fmt: skip
        lane.packer = packer
        arrays: list[tuple[str, DType, int]] = []  # what is stored after the lanes
        stores: list[tuple[str | Region, str, DType, int]] = []
        for thing in things:
            self._thing(thing, lane, packer, shared, arrays, stores)
        # States move on when everything of this frame has been said in terms of the old ones.
        for thing in things:
            self._carry(thing, lane)
        for name, dtype, length in arrays:
            self.line(f"{memory_type(dtype)} {name}[{length}];")
        for row in lane.rows.values():
            self._row(row)
        for text in lane.head:
            self.line(text)
        self._packed(packer)
        # Windows are loaded just before the statements that use them, so that fewer are in registers at once.
        for part in segments(lane.finished(), list(lane.windows.values()), self.vector):
            for text in part.declared:
                self.line(text)
            for window in part.windows:
                self._load_window(window)
            self._lanes(part.statements)
        for kind, name, dtype, channels in stores:
            if isinstance(kind, Region):
                self._store_tile(kind, name, dtype)
            elif kind.startswith("own "):  # a plane with a halo is stored where the block owns it
                assert self.loop is not None
                test = self._inside(self.loop.extent, Extent())
                with self.block(f"if ({test})" if test else ""):
                    self._store_row(kind[4:], name, dtype, channels)
            else:
                self._store_row(kind, name, dtype, channels)
        self.tables.after(things)
        return lane.rows

    def _packed(self, packer: Packer) -> None:
        """What several pixels in a word need: words of tiles, and each result."""
        for window in packer.windows.values():
            self._load_words(window)
        for made in packer.made:
            words = self.vector // made.lanes
            self.line(f"unsigned {made.name}[{words}];  // {made.lanes} pixels a word")
            self.line("#pragma unroll")
            self.line(f"for (int i = 0; i < {words}; ++i)")
            self.line(f"    {made.name}[i] = {spelled(made, self.vector)};")

    def _lanes(self, statements: Sequence[str]) -> None:
        """Statements for every pixel of the vector."""
        self.line("#pragma unroll")
        with self.block(f"for (int j = 0; j < {self.vector}; ++j)"):
            # Pixels beyond the row take the last one's column: looks there stay within the image.
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
            # Of a recurrence its update; its first value is the state's.
            stack = [own.src[1]] if own is not None and own.op == "recur" else list(thing.roots)
            for root in stack:
                counts[root] = counts.get(root, 0) + 1
            while stack:
                node = stack.pop()
                if node in seen or (node in self.atoms and node is not own):
                    continue
                seen.add(node)
                # What a look takes lies in tiles: it is counted where it is made.
                if node.op not in ("load", "state", "recur"):
                    inner = node.src[1:] if node.op == "gather" else node.src
                    for s in inner:
                        counts[s] = counts.get(s, 0) + 1
                    stack += inner
        return counts

    def _thing(
        self, thing: Thing, lane: Lane, packer: Packer, shared: dict[Expr, str], arrays: list[tuple[str, DType, int]],
        stores: list[tuple[str | Region, str, DType, int]],
    ) -> None:  # fmt: skip
        if thing.plane is None:
            output = self.program.body.outputs[thing.index]
            if output.table is not None:
                self.tables.lanes(thing, lane)
                return
            assert isinstance(output.type, ImageType)
            if output.words:
                self._bits(thing, lane)
                return
            name, channels, dtype = f"o{thing.index}", len(thing.roots), output.type.dtype
            values = [lane.value(root) for root in thing.roots]
            # Results that lie side by side in words leave as they are.
            words = packer.stored(thing.roots[0], dtype.itemsize) if channels == 1 else None
            if words is not None:
                name = words
            else:
                arrays.append((name, dtype, channels * self.vector))
            for c, value in enumerate(values if words is None else ()):
                place = "j" if channels == 1 else f"{channels} * j + {c}"
                lane.line(f"{name}[{place}] = ({memory_type(dtype)}){value};")
            given = self.argument(f"output{thing.index}", "output", dtype, output.name, output.type.shape)
            size = self.height * self.width * channels
            self._pointer(f"out{thing.index}", dtype, f"{given} + (size_t)t * {size}", False)
            stores.append((f"out{thing.index}", name, dtype, channels))
            return
        plane = thing.plane
        value = self._own(thing, lane)
        words = packer.stored(plane, plane.dtype.itemsize)
        # Named before it is stored, used and carried.
        value = lane.name(value, plane.dtype) if words is None else value
        lane.known[plane] = value
        if plane in shared:
            lane.line(f"{shared[plane]}[j] = {value};")
        region = self.plan.region(plane)
        frame = plane in self.plan.frames
        if region is None and not frame:
            return
        name = words or f"m{next(self.fresh)}"
        if words is None:
            arrays.append((name, plane.dtype, self.vector))
            # Raised, so that sums in halves need no sign.
            more = " + 32768" if plane in self.raised else ""
            lane.line(f"{name}[j] = ({memory_type(plane.dtype)})({value}{more});" if more else
                      f"{name}[j] = ({memory_type(plane.dtype)}){value};")
        if region is not None:
            stores.append((region, name, plane.dtype, 1))
        if frame:
            number = self._frame(plane)
            given = self.argument(f"frames{number}", "frame", plane.dtype, number, self.plan.size)
            size = self.height * self.width
            self._pointer(f"frame{number}", plane.dtype, f"{given} + (size_t)t * {size}", False)
            stores.append((f"own frame{number}", name, plane.dtype, 1))

    def _bits(self, thing: Thing, lane: Lane) -> None:
        """A mask as bits: a vector of eight pixels and more is as many whole bytes, of four two threads share one."""
        i, v, loop = thing.index, self.vector, self.loop
        assert loop is not None
        left, across = up(loop.extent.left, v), self._across(loop.extent)
        # Two threads of four pixels join their bits by a shuffle: they must be neighbours in one warp and begin at a
        # multiple of eight.
        if v < 8 and (v != 4 or left % 8 or across % 2 or self.program.tile[0] % 8 or self.program.threads % 32):
            raise Unsupported("bits of a byte would be made in two warps")
        output, pitch = self.program.body.outputs[i], 8 * words_of(self.width)
        given = self.argument(f"output{i}", "output", U8, output.name, (self.height, pitch))
        self._pointer(f"out{i}", U8, f"{given} + (size_t)t * {self.height * pitch}", False)
        self.opening.append(f"unsigned bits{i} = 0;")
        # Bits beyond the row stay 0.
        test = f"if (x + j < {self.width}) " if self.width % v else ""
        lane.line(f"{test}bits{i} |= (unsigned)({lane.value(thing.roots[0])} != 0) << j;")
        tests = [f"row < {self._down(loop.extent)}", f"(unsigned)x < {self.width}u", f"(unsigned)y < {self.height}u"]
        tests += [inner] if (inner := self._inside(loop.extent, Extent())) else []
        store = f"out{i} + y * {pitch} + x / 8"
        if v == 4:
            # All threads of the warp take part in the shuffle, so it is outside of every test.
            self.closing.append(f"bits{i} |= __shfl_down_sync(0xffffffffu, bits{i}, 1) << 4;")
            tests.append("x % 8 == 0")
        lines = [f"*({store}{signed(k)}) = (unsigned char)(bits{i}{f' >> {8 * k}' if k else ''});"
                 for k in range(max(1, v // 8))]  # fmt: skip
        whole = -(-self.width // max(8, v)) * max(1, v // 8)  # bytes of a row that vectors fill
        if whole < pitch:
            # Rows are whole words of 64 bits: the last vector's thread clears the rest.
            lines.append(f"if (x + {max(8, v)} >= {self.width}) for (int k = {whole}; k < {pitch}; ++k) "
                         f"out{i}[y * {pitch} + k] = 0;")  # fmt: skip
        self.closing += [f"if ({' && '.join(tests)}) {{", *(f"    {line}" for line in lines), "}"]

    def _own(self, thing: Thing, lane: Lane) -> str:
        plane = thing.plane
        assert plane is not None
        if thing.kind == "copy":
            return lane.pixel(plane)
        if thing.kind == "delay":
            array = self.states[plane.src[0]][self._first_past(plane.src[0]) - plane.arg.dt - 1][0]
            # Before the first frame the past is the first value itself.
            return f"first ? {lane.value(plane.src[0])} : {_held(array, plane.dtype)}"
        if thing.kind == "state":
            owner = self.program.normal.recurrences[plane.arg]
            array = self.states[owner][0][0]
            with lane.within("if (first)"):
                # The first value, computed in the first frame alone.
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
        # From the oldest on, so that no value is overwritten before it has moved.
        for newer, older in reversed(list(pairwise(past))):
            lane.line(f"{older}[k][j] = first ? {_kept(value, plane.dtype)} : {newer}[k][j];")
        if past:
            lane.line(f"{past[0]}[k][j] = {_kept(value, plane.dtype)};")
        if plane.op == "recur":
            lane.line(f"{names[0]}[k][j] = {_kept(value, plane.dtype)};")


def _held(array: str, dtype: DType) -> str:
    return from_memory(f"{array}[k][j]", dtype)


def _kept(value: str, dtype: DType) -> str:
    return f"({memory_type(dtype)}){value}" if dtype.itemsize < 4 else value
