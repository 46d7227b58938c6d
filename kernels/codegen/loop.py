"""The expressions of one loop over x as LLVM IR: values in vectors; what is the same for every x before the loop."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from kernels.codegen import arithmetic
from kernels.codegen.dot import Dot, dot_of, write_dot
from kernels.codegen.gathers import gather, lookup, truth
from kernels.codegen.products import product_of
from kernels.codegen.row_reads import Rows
from kernels.codegen.writer import element, splat, stored, vector
from kernels.fusion.accesses import direct_rows
from kernels.fusion.normal import is_delay, is_strided
from kernels.fusion.rows import Access, Store
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import BOOL
from kernels.ir.ops import OPS, exact
from kernels.ir.planes import Border, Tap

_BYTEWISE = {"and": "and", "or": "or", "xor": "xor", "min": "and", "max": "or"}
"""Operations on bools as they are on bytes of 0 and 1."""


@dataclass(slots=True, kw_only=True)
class Loop(Rows):
    """One version of a group's loop body.

    Args:
        seen: the store in which a plane is looked at.
        own: kept planes that this group makes: their values stay in registers.
        firsts: recurrence -> what its state is in the first frame; empty for the frames after it.
        values: expression -> its vector.
        uniform: expression -> whether it is the same for every x.
        shared: see `shared_products`.
        held: (plane, dy) -> its vector, of a row that a joined group makes in this very loop.
        beside: whether x may be beside the block.
    """

    seen: Mapping[tuple[Expr, Border | None], Store]
    own: Collection[Expr]
    firsts: Mapping[str, Expr]
    values: dict[Expr, str] = field(default_factory=dict)
    uniform: dict[Expr, bool] = field(default_factory=dict)
    shared: Collection[Expr] = ()
    held: dict[tuple[Expr, int], str] = field(default_factory=dict)
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
        # src[0] is the state at the start, which the loop takes from `firsts`; src[1] is the step.
        if node.op == "recur":
            return (node.src[1],)
        if node.op == "state":
            return (self.firsts[node.arg],) if node.arg in self.firsts else ()
        if node.op == "gather":
            return node.src[1:]
        # Two channels of a weighted sum are one product of pairs (pmaddwd), so they are not operands of their own.
        dot = self._dot(node)
        if dot is not None:
            return dot.rest
        return () if node.op == "load" or self._shared_row(node) else node.src

    def _uniform(self, node: Expr) -> bool:
        for n in postorder((node,)):
            if n not in self.uniform:
                leaf = n.op in ("const", "param") or (n.op == "coord" and n.arg == "y")
                # A plane that is stored is read at x, whatever it was made of.
                inner = n.op in OPS or n.op in ("convert", "table", "wrap")
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
                made = self._node(node, own, src)
                if node.op == "select" and node.dtype.kind in "iu" and node.dtype.bits < 32:
                    # Or LLVM joins the widening before it with what it is compared with: twice the width in the loop.
                    made = at.w.op(f"freeze {vector(self.lanes, element(node.dtype))} {made}")
                known[key] = made
        return known[key]

    def _node(self, node: Expr, own: bool, src: list[str]) -> str:
        w, lanes = self.at.w, self.lanes
        if not own and (node, None) in self.seen:
            # A joined group made it in this very turn of the loop: no way over memory.
            if (node, 0) in self.held:
                return self.held[node, 0]
            return self.read(self.seen[node, None], self.at.row(self.seen[node, None], 0, Border()), 0)
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
                return self.read_past(self.at.states[node.arg])
            case "recur":
                return src[0]
            case "input":
                return self.image(node, Access("input", node.arg.index), 0, 0)
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
            pixels = self.pixels(plane, Access("input", plane.arg.index), 0, 0)
            return write_dot(w, dot, lanes, pixels, src)
        shared = self._shared_row(node)
        if shared is not None:
            return self.carried_at(*shared, node)
        made = arithmetic.apply(w, node, lanes, src)
        if node.dtype == BOOL and node.op in _BYTEWISE and all(s in self.at.bytes for s in src):
            # Both ways: LLVM drops the one that is not taken, and bytes need no way to masks and back.
            both = ", ".join(self.at.bytes[s] for s in src)
            self.at.bytes[made] = w.op(f"{_BYTEWISE[node.op]} {vector(lanes, 'i8')} {both}")
        return made

    def _converted(self, node: Expr, a: str) -> str:
        """A conversion; one to a longer type starts from the value before it was shortened, if it was."""
        w, lanes, longer = self.at.w, self.lanes, self.at.longer
        given, to = node.src[0].dtype, node.dtype
        # u8 -> i16 -> (wrapped) u8 -> i16: the second widening is the value that was there before, at no cost. Exact,
        # since `wrap` promises that the value fits, and `clamp` has made it fit.
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
        # The first column in all lanes, and 0, 1, 2 ... added.
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
                return self.image(plane, Access("input", plane.arg.index, tap.dt), 0, 0)
            return self.read_past(self.seen[plane, None], tap.dt)
        if direct_rows(node) and (tap.size is not None or (plane, None) not in self.seen):
            return self.image(plane, Access("input", plane.arg.index), tap.dy, tap.dx, tap.border)
        if is_strided(node):
            return self._strided(node)
        if not tap.dx and (plane, tap.dy) in self.held:
            return self.held[plane, tap.dy]
        store = self.seen[plane, tap.border if tap.dx else None]
        return self.read(store, self.at.row(store, tap.dy, tap.border), tap.dx)

    def _shared_row(self, node: Expr) -> tuple[Store, str, int] | None:
        """Where `node` stands for a product that is shifted: the row that it looks at, and how far aside."""
        look = product_of(node) if node in self.shared and self.whole and self.carries else None
        if look is None or (direct_rows(look) and (look.src[0], None) not in self.seen):
            return None
        store = self.seen[look.src[0], look.arg.border]
        if not self.can_carry(store, look.arg.dx):
            return None
        return store, self.at.row(store, look.arg.dy, look.arg.border), look.arg.dx

    def _strided(self, node: Expr) -> str:
        """Every n-th pixel of a padded row, one by one."""
        w, tap, dtype = self.at.w, node.arg, node.dtype
        # Padded rows hold the border's pixels beside the row, so that folding x costs nothing here; unpadded ones do
        # where no tap leaves them.
        reach = tap.dx < 0 or (tap.size[1] - 1) * tap.stride_x + tap.dx >= node.src[0].size[1]  # type: ignore[index]
        store = self.seen[node.src[0], tap.border if reach else None]
        row = self.at.shifted(self.at.row(store, tap.dy, tap.border, tap.stride_y), stored(dtype), tap.dx)
        if tap.stride_x == 1:
            return self.unaligned(row, dtype)
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
