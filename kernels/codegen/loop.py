"""The expressions of one loop over x as LLVM IR: values in vectors, row addresses before the loop."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from kernels.codegen import arithmetic
from kernels.codegen.dot import Dot, dot_of, write_dot
from kernels.codegen.edges import left_of_row
from kernels.codegen.fold import LINE, Addresses, constant_of
from kernels.codegen.gathers import gather, lookup, truth
from kernels.codegen.products import product_of
from kernels.codegen.writer import mask, splat, stored, vector
from kernels.fusion.looks import direct_rows
from kernels.fusion.normal import is_delay, is_strided
from kernels.fusion.rows import Access, Store
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import BOOL, U8, DType
from kernels.ir.ops import OPS, exact
from kernels.ir.planes import Border, Tap

_BYTEWISE = {"and": "and", "or": "or", "xor": "xor", "min": "and", "max": "or"}
"""Operations on bools as they are on bytes of 0 and 1."""
_NEAR = 4 << 20
"""Bytes of states that lie in any shared cache: asking for them ahead costs 3 to 7 % of a chain that does little else
(background, 512x512), and saves 22 % where they lie beyond (2048x2048)."""


@dataclass(slots=True)
class Loop:
    """One version of a group's loop body.

    Args:
        at: addresses of rows; writes what does not depend on x into `head`.
        seen: the store in which a plane is looked at.
        own: kept planes that this group makes: their values stay in registers.
        firsts: recurrence -> what its state is in the first frame; empty for the frames after it.
        lanes: pixels a vector.
        x: the first pixel's column (i64).
        tail: of the last vector, pixels that exist (0: all), which matters in the caller's images only.
        whole: whether x is a multiple of `lanes`, so that rows are read aligned.
        carries: whether x runs from 0 in steps of `lanes`, so that vectors can be kept from step to step.
        carried: row -> the vectors before, at and behind x.
        kept: row -> (type, vector before the row, its first one).
        previous: the loop body just before this one, when several steps stand in one.
        step: how many are before it.
        shared: see `shared_products`.
        held: (plane, dy) -> its vector, of a row that a joined group makes in this very loop.
        start: the first column of all, where x does not run from 0: of a block or beside it.
        beside: whether x may stand beside the block.
    """

    at: Addresses
    seen: Mapping[tuple[Expr, Border | None], Store]
    own: Collection[Expr]
    firsts: Mapping[str, Expr]
    lanes: int
    x: str
    tail: int = 0
    whole: bool = True
    values: dict[Expr, str] = field(default_factory=dict)
    wide: dict[str, str] = field(default_factory=dict)
    uniform: dict[Expr, bool] = field(default_factory=dict)
    carries: bool = False
    carried: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    kept: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    previous: Loop | None = None
    step: int = 0
    shared: Collection[Expr] = ()
    held: dict[tuple[Expr, int], str] = field(default_factory=dict)
    start: str = "0"
    beside: bool = False

    def value(self, root: Expr, own: bool = False) -> str:
        """The vector of `root`; `own`: by its definition, even though it is a kept plane."""
        if root in self.values:
            return self.values[root]
        stack: list[tuple[Expr, bool]] = [(root, own)]
        while stack:  # deep expressions do not fit in Python's own stack
            node, defined = stack[-1]
            wanted = self._operands(node, defined or node in self.own)
            missing = [(s, False) for s in wanted if s not in self.values]
            if missing:
                stack += missing
                continue
            stack.pop()
            if node not in self.values:
                self.values[node] = self._place(node, defined or node in self.own, [self.values[s] for s in wanted])
        return self.values[root]

    def _operands(self, node: Expr, own: bool) -> tuple[Expr, ...]:
        if not own and (node, None) in self.seen:
            return ()
        if node.op == "recur":
            return (node.src[1],)
        if node.op == "state":
            return (self.firsts[node.arg],) if node.arg in self.firsts else ()
        if node.op == "gather":
            return node.src[1:]
        dot = self._dot(node)
        if dot is not None:
            return dot.rest
        return () if node.op == "load" or self._shared_row(node) else node.src

    def _uniform(self, node: Expr) -> bool:
        for n in postorder((node,)):
            if n not in self.uniform:
                leaf = n.op in ("const", "param") or (n.op == "coord" and n.arg == "y")
                inner = n.op in OPS or n.op in ("convert", "table")
                same = leaf or (inner and all(self.uniform[s] for s in n.src))
                self.uniform[n] = same and (n, None) not in self.seen
        return self.uniform[node]

    def _place(self, node: Expr, own: bool, src: list[str]) -> str:
        """The node's value; the same for every x is computed before the loop."""
        if not self._uniform(node):
            return self._node(node, own, src)
        at = self.at
        lasting = not any(n.op == "coord" for n in postorder((node,)))  # the same for every row, too
        known, lines = (at.lasting, at.entry) if lasting else (at.uniform, at.head)
        key = (node, self.lanes)
        if key not in known:
            with at.w.into(lines):
                known[key] = self._node(node, own, src)
        return known[key]

    def _node(self, node: Expr, own: bool, src: list[str]) -> str:
        w, lanes = self.at.w, self.lanes
        if not own and (node, None) in self.seen:
            if (node, 0) in self.held:
                return self.held[node, 0]
            return self._read(self.seen[node, None], self.at.row(self.seen[node, None], 0, Border()), 0)
        match node.op:
            case "const":
                return splat(node.arg, node.dtype)
            case "param":
                return self.at.param(node, lanes)
            case "coord":
                return self._coord(node.arg)
            case "state":
                if node.arg in self.firsts:
                    return src[0]
                return self._read_past(self.at.states[node.arg])
            case "recur":
                return src[0]
            case "input":
                return self._image(node, Access("input", node.arg.index), 0, 0)
            case "load":
                return self._load(node)
            case "gather":
                return gather(self.at, self.seen, lanes, node, src[0], src[1])
            case "table":
                return lookup(self.at, lanes, node, src[0], self._uniform(node))
            case "wrap" | "convert":
                return self._converted(node, src[0])
        dot = self._dot(node)
        if dot is not None:
            plane = dot.planes[0]
            pixels = self._pixels(plane, Access("input", plane.arg.index), 0, 0)
            return write_dot(w, dot, lanes, pixels, src)
        shared = self._shared_row(node)
        if shared is not None:
            return self._carried(*shared, node)
        made = arithmetic.apply(w, node, lanes, src)
        if node.dtype == BOOL and node.op in _BYTEWISE and all(s in self.at.bytes for s in src):
            # Both ways: LLVM drops the one that nobody takes, and bytes need no way to masks and back.
            both = ", ".join(self.at.bytes[s] for s in src)
            self.at.bytes[made] = w.op(f"{_BYTEWISE[node.op]} {vector(lanes, 'i8')} {both}")
        return made

    def _converted(self, node: Expr, a: str) -> str:
        """A conversion; one to a longer type starts from the value before it was shortened, if it was."""
        w, lanes, longer = self.at.w, self.lanes, self.at.longer
        given, to = node.src[0].dtype, node.dtype
        if to != BOOL and not given.is_float and a in longer and (node.op == "wrap" or exact(given, to)):
            before, value = longer[a]
            if to.is_float or to.bits > before.bits:
                return arithmetic.convert(w, before, to, lanes, value)
        elif node.op == "convert" and (to.is_float or to == BOOL or exact(given, to)):
            return arithmetic.convert(w, given, to, lanes, a)
        else:
            before, value = (given, a) if node.op == "wrap" else arithmetic.clamp(w, given, to, lanes, a)
        if before.bits < to.bits:
            return arithmetic.convert(w, before, to, lanes, value)
        made = arithmetic.wrap(w, before, to, lanes, value)
        longer[made] = (before, value)
        return made

    def _dot(self, node: Expr) -> Dot | None:
        return dot_of(node, self.at.channels, lambda n: n in self.own or (n, None) in self.seen)

    def _coord(self, axis: str) -> str:
        w, type_ = self.at.w, vector(self.lanes, "i32")
        if axis == "y":
            return self.at.spread(self.at.row_i32(), "i32", self.lanes)
        x = w.op(f"trunc i64 {self.x} to i32")
        one = w.op(f"insertelement {type_} poison, i32 {x}, i64 0")
        all_ = w.op(f"shufflevector {type_} {one}, {type_} poison, {vector(self.lanes, 'i32')} zeroinitializer")
        steps = ", ".join(f"i32 {i}" for i in range(self.lanes))
        return w.op(f"add {type_} {all_}, <{steps}>")

    def _load(self, node: Expr) -> str:
        tap: Tap = node.arg
        plane = node.src[0]
        if is_delay(node):
            if plane.op == "input":
                return self._image(plane, Access("input", plane.arg.index, tap.dt), 0, 0)
            return self._read_past(self.seen[plane, None], tap.dt)
        if direct_rows(node) and (tap.size is not None or (plane, None) not in self.seen):
            return self._image(plane, Access("input", plane.arg.index), tap.dy, tap.dx, tap.border)
        if is_strided(node):
            return self._strided(node)
        if not tap.dx and (plane, tap.dy) in self.held:
            return self.held[plane, tap.dy]
        store = self.seen[plane, tap.border if tap.dx else None]
        return self._read(store, self.at.row(store, tap.dy, tap.border), tap.dx)

    def _read(self, store: Store, row: str, dx: int) -> str:
        """Pixels of a padded row."""
        dtype = store.plane.dtype
        key = f"{row} {dx}"
        if key not in self.wide:
            carried = self.whole and self.carries and (row in self.carried or self._can_carry(store, dx))
            made = self._carried(store, row, dx) if carried else self._at(row, dtype, dx)
            self.wide[key] = made
            if dtype == BOOL:  # the stores' bytes are 0 and 1
                self.wide[key] = truth(self.at.w, self.lanes, made)
                self.at.bytes[self.wide[key]] = made
        return self.wide[key]

    def _read_past(self, store: Store, dt: int = 0) -> str:
        """What was there a frame ago or more: unless all states are small, it lies far away by now, so the row behind
        is asked for."""
        row = self.at.row(store, 0, Border(), dt=dt)
        states = sum(s.pitch * s.size[0] * s.plane.dtype.itemsize for s in self.at.states.values())
        if f"{row} 0" not in self.wide and (store.kind != "state" or states > _NEAR):
            item = store.plane.dtype.itemsize
            place = self.at.w.op(f"getelementptr {stored(store.plane.dtype)}, ptr {row}, i64 {self.x}")
            self.prefetch(place, self.lanes * item, store.pitch * item)
        return self._read(store, row, 0)

    def prefetch(self, place: str, size: int, ahead: int, write: bool = False) -> None:
        """Ask for a vector of a later row, unless the step before asked for the same line."""
        if (self.carries and self.step * size % LINE == 0) or size >= LINE:
            self.at.prefetch(place, size, ahead, write)

    def _at(self, row: str, dtype: DType, dx: int) -> str:
        """The vector at x + dx of a padded row, from memory."""
        w = self.at.w
        place = w.op(f"getelementptr {stored(dtype)}, ptr {row}, i64 {self.x}")
        if dx:  # a constant apart, so that many offsets share one address
            place = w.op(f"getelementptr {stored(dtype)}, ptr {place}, i64 {dx}")
        aligned = self.whole and dx % self.lanes == 0
        align = min(64, self.lanes * dtype.itemsize) if aligned else dtype.itemsize
        return w.op(f"load {vector(self.lanes, stored(dtype))}, ptr {place}, align {align}")

    def _can_carry(self, store: Store, dx: int) -> bool:
        """Whether the vectors before and behind can be kept from step to step; the row is looked at aside then."""
        near = max(store.left, store.right) <= self.lanes and store.lead_in >= self.lanes
        return near and (store.left > 0 or store.right > 0) and dx != 0

    def _shared_row(self, node: Expr) -> tuple[Store, str, int] | None:
        """Where `node` stands for a product that is shifted: the row that it looks at, and how far aside."""
        look = product_of(node) if node in self.shared and self.whole and self.carries else None
        if look is None or (direct_rows(look) and (look.src[0], None) not in self.seen):
            return None
        store = self.seen[look.src[0], look.arg.border]
        if not self._can_carry(store, look.arg.dx):
            return None
        return store, self.at.row(store, look.arg.dy, look.arg.border), look.arg.dx

    def _carried(self, store: Store, row: str, dx: int, product: Expr | None = None) -> str:
        """Pixels at x + dx from the vectors before, at and behind x: shuffles cost less than loads that straddle.
        Those of the row times a constant, if a product says so."""
        w, dtype, lanes = self.at.w, store.plane.dtype, self.lanes
        # LLVM moves whole numbers along a vector in one instruction, floats in two.
        type_, plain = vector(lanes, f"i{8 * dtype.itemsize}"), vector(lanes, stored(dtype))
        weight = 1 if product is None else next(s.arg for s in product.src if s.op == "const")
        key = row if product is None else f"{row} * {weight}"

        def vector_at(row: str, ahead: int) -> str:
            place = w.op(f"getelementptr {stored(dtype)}, ptr {row}, i64 {ahead}") if ahead else row
            align = min(64, lanes * dtype.itemsize)
            if product is None:
                return w.op(f"load {type_}, ptr {place}, align {align}")
            factor = splat(weight, dtype)
            made = arithmetic.apply(w, product, lanes, [w.op(f"load {plain}, ptr {place}, align {align}"), factor])
            return w.op(f"bitcast {plain} {made} to {type_}") if dtype.is_float else made

        def from_start() -> str:
            return row if self.start == "0" else w.op(f"getelementptr {stored(dtype)}, ptr {row}, i64 {self.start}")

        def first_before() -> str:
            """The padding on the left: from the row's first pixels where that is enough. Read from memory, what was
            just written pixel by pixel would have to arrive there first. In a block further on, what stands there."""
            inside = left_of_row(store, lanes)
            if inside is None:
                return vector_at(from_start(), -lanes)
            outside = "poison"
            if store.border is not None and store.border.mode == "constant":
                value = constant_of(store.border, dtype)
                outside = splat(value, dtype) if dtype != BOOL else splat(int(value), U8)
                if product is not None:
                    outside = arithmetic.apply(w, product, lanes, [outside, splat(weight, dtype)])
            at = row
            if self.start != "0":
                back = w.op(f"sub i64 {self.start}, {lanes}")
                back = w.call("i64", "llvm.smax.i64", ("i64", back), ("i64", "0"))
                at = w.op(f"getelementptr {stored(dtype)}, ptr {row}, i64 {back}")
            first = vector_at(at, 0)
            if dtype.is_float:
                first = w.op(f"bitcast {type_} {first} to {plain}")
            made = w.op(f"shufflevector {plain} {first}, {plain} {outside}, {mask(inside)}")
            if self.start != "0":
                edge = w.op(f"icmp eq i64 {self.start}, 0")
                made = w.op(f"select i1 {edge}, {plain} {made}, {plain} {first}")
            return w.op(f"bitcast {plain} {made} to {type_}") if dtype.is_float else made

        if key not in self.carried:
            if self.previous is not None:
                _, before, here = self.previous.carried[key]
            else:
                before, here = f"%{w.fresh('before')}", f"%{w.fresh('here')}"
            behind = vector_at(w.op(f"getelementptr {stored(dtype)}, ptr {row}, i64 {self.x}"), lanes)
            self.carried[key] = (before, here, behind)
            if self.previous is None:
                with w.into(self.at.head):
                    self.kept[key] = (type_, first_before(), vector_at(from_start(), 0))
        before, here, behind = self.carried[key]
        made = here
        if dx:
            pair = (before, here) if dx < 0 else (here, behind)
            start = dx + lanes if dx < 0 else dx
            made = w.op(f"shufflevector {type_} {pair[0]}, {type_} {pair[1]}, {mask(range(start, start + lanes))}")
        return w.op(f"bitcast {type_} {made} to {plain}") if dtype.is_float else made

    def _image(self, plane: Expr, access: Access, dy: int, dx: int, border: Border | None = None) -> str:
        """Pixels of a channel in the caller's memory."""
        dtype, channels = plane.dtype, self.at.channels(plane.arg.index)
        made = self._pixels(plane, access, dy, dx, border)
        if channels > 1:
            wide = vector(self.lanes * channels, stored(dtype))
            picked = mask(plane.arg.channel + channels * i for i in range(self.lanes))
            made = self.at.w.op(f"shufflevector {wide} {made}, {wide} poison, {picked}")
        return truth(self.at.w, self.lanes, made) if dtype == BOOL else made

    def _pixels(self, plane: Expr, access: Access, dy: int, dx: int, border: Border | None = None) -> str:
        """Pixels in the caller's memory, with all their channels."""
        w, dtype = self.at.w, plane.dtype
        channels = self.at.channels(plane.arg.index)
        row = self.at.image_row(plane, access, dy, dx, border)
        wide_type = vector(self.lanes * channels, stored(dtype))
        if row not in self.wide:
            first = self.x if channels == 1 else w.op(f"mul i64 {self.x}, {channels}")
            place = w.op(f"getelementptr {stored(dtype)}, ptr {row}, i64 {first}")
            if self.tail:
                # Beyond the row may lie nobody's memory: only what exists is copied. The rest must be something too: of
                # undefined lanes LLVM may take the guard of a division from one value and the divisor from another.
                spare = self.at.spare(wide_type)
                w.line(f"store {wide_type} zeroinitializer, ptr {spare}, align 64")
                self.at.copy(spare, place, self.tail * channels * dtype.itemsize)
                place = spare
            elif access.dt == 0:
                item = channels * dtype.itemsize
                self.prefetch(place, self.lanes * item, 2 * plane.arg.size[1] * item)
            self.wide[row] = w.op(f"load {wide_type}, ptr {place}, align {64 if self.tail else dtype.itemsize}")
        return self.wide[row]

    def _strided(self, node: Expr) -> str:
        """Every n-th pixel of a padded row, one by one."""
        w, tap, dtype = self.at.w, node.arg, node.dtype
        reach = tap.dx < 0 or (tap.size[1] - 1) * tap.stride_x + tap.dx >= node.src[0].size[1]  # type: ignore[index]
        store = self.seen[node.src[0], tap.border if reach else None]
        row = self.at.shifted(self.at.row(store, tap.dy, tap.border, tap.stride_y), stored(dtype), tap.dx)
        if tap.stride_x == 1:
            return self._unaligned(row, node)
        # Lanes beyond the result's width must not leave the row.
        last = tap.size[1] - 1
        type_ = vector(self.lanes, stored(dtype))
        made = "poison"
        for lane in range(self.lanes):
            at = w.op(f"add i64 {self.x}, {lane}")
            inside = w.call("i64", "llvm.smin.i64", ("i64", at), ("i64", str(last)))
            place = w.op(f"getelementptr {stored(dtype)}, ptr {row}, i64 {w.op(f'mul i64 {inside}, {tap.stride_x}')}")
            one = w.op(f"load {stored(dtype)}, ptr {place}")
            made = w.op(f"insertelement {type_} {made}, {stored(dtype)} {one}, i64 {lane}")
        return truth(self.at.w, self.lanes, made) if dtype == BOOL else made

    def _unaligned(self, row: str, node: Expr) -> str:
        w, type_ = self.at.w, stored(node.dtype)
        place = w.op(f"getelementptr {type_}, ptr {row}, i64 {self.x}")
        made = w.op(f"load {vector(self.lanes, type_)}, ptr {place}, align {node.dtype.itemsize}")
        return truth(self.at.w, self.lanes, made) if node.dtype == BOOL else made
