"""Pixels of rows as vectors at x: from memory, or from the vectors that the step before had, shuffled."""

from __future__ import annotations

from dataclasses import dataclass, field

from kernels.codegen import arithmetic
from kernels.codegen.edges import left_of_row
from kernels.codegen.fold import LINE, Addresses, constant_of
from kernels.codegen.gathers import truth
from kernels.codegen.writer import mask, splat, stored, vector
from kernels.fusion.rows import Access, Store
from kernels.ir.expr import Expr
from kernels.ir.image import BOOL, U8, DType
from kernels.ir.planes import Border

_NEAR = 4 << 20
"""Bytes of states that lie in any shared cache: asking for them ahead costs 3 to 7 % of a chain that does little else
(background, 512x512), and saves 22 % where they lie beyond (2048x2048)."""


@dataclass(slots=True, kw_only=True)
class Rows:
    """What one version of a loop's body reads.

    Args:
        at: addresses of rows; writes what does not depend on x into `head`.
        lanes: pixels a vector.
        x: the first pixel's column (i64).
        tail: of the last vector, pixels that exist (0: all), which matters in the caller's images only.
        whole: whether x is a multiple of `lanes`, so that rows are read aligned.
        wide: row and offset -> what was read there.
        carries: whether x runs from 0 in steps of `lanes`, so that vectors can be kept from step to step.
        carried: row -> the vectors before, at and behind x.
        kept: row -> (type, vector before the row, its first one).
        previous: the loop body just before this one, when several steps are in one.
        step: how many are before it.
        start: the first column of all, where x does not run from 0: of a block or beside it.
    """

    at: Addresses
    lanes: int
    x: str
    tail: int = 0
    whole: bool = True
    wide: dict[str, str] = field(default_factory=dict)
    carries: bool = False
    carried: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    kept: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    previous: Rows | None = None
    step: int = 0
    start: str = "0"

    def prefetch(self, place: str, size: int, ahead: int, write: bool = False) -> None:
        """Ask for a vector of a later row, unless the step before asked for the same line."""
        if (self.carries and self.step * size % LINE == 0) or size >= LINE:
            self.at.prefetch(place, size, ahead, write)

    def read(self, store: Store, row: str, dx: int) -> str:
        """Pixels of a padded row."""
        dtype = store.plane.dtype
        key = f"{row} {dx}"
        if key not in self.wide:
            # Once a row is carried, its own vector comes from there, too.
            carried = self.whole and self.carries and (row in self.carried or self.can_carry(store, dx))
            made = self.carried_at(store, row, dx) if carried else self._at(row, dtype, dx)
            self.wide[key] = made
            if dtype == BOOL:  # the stores' bytes are 0 and 1
                self.wide[key] = truth(self.at.w, self.lanes, made)
                self.at.bytes[self.wide[key]] = made
        return self.wide[key]

    def read_past(self, store: Store, dt: int = 0) -> str:
        """What was there a frame ago or more: unless all states are small, it lies far away by now, so the row behind
        is asked for."""
        row = self.at.row(store, 0, Border(), dt=dt)
        states = sum(s.pitch * s.size[0] * s.plane.dtype.itemsize for s in self.at.states.values())
        if f"{row} 0" not in self.wide and (store.kind != "state" or states > _NEAR):
            item = store.plane.dtype.itemsize
            place = self.at.w.op(f"getelementptr {stored(store.plane.dtype)}, ptr {row}, i64 {self.x}")
            self.prefetch(place, self.lanes * item, store.pitch * item)
        return self.read(store, row, 0)

    def _at(self, row: str, dtype: DType, dx: int) -> str:
        """The vector at x + dx of a padded row, from memory."""
        w = self.at.w
        place = w.op(f"getelementptr {stored(dtype)}, ptr {row}, i64 {self.x}")
        if dx:  # a constant apart, so that many offsets share one address
            place = w.op(f"getelementptr {stored(dtype)}, ptr {place}, i64 {dx}")
        aligned = self.whole and dx % self.lanes == 0
        align = min(64, self.lanes * dtype.itemsize) if aligned else dtype.itemsize
        return w.op(f"load {vector(self.lanes, stored(dtype))}, ptr {place}, align {align}")

    def unaligned(self, row: str, dtype: DType) -> str:
        """Pixels at x of a row that begins anywhere."""
        w, type_ = self.at.w, stored(dtype)
        place = w.op(f"getelementptr {type_}, ptr {row}, i64 {self.x}")
        made = w.op(f"load {vector(self.lanes, type_)}, ptr {place}, align {dtype.itemsize}")
        return truth(self.at.w, self.lanes, made) if dtype == BOOL else made

    def can_carry(self, store: Store, dx: int) -> bool:
        """Whether the vectors before and behind can be kept from step to step; the row is looked at aside then."""
        # Looks reach no further than a vector, and a vector lies before the row's first pixel.
        near = max(store.left, store.right) <= self.lanes and store.lead_in >= self.lanes
        return near and (store.left > 0 or store.right > 0) and dx != 0

    def carried_at(self, store: Store, row: str, dx: int, product: Expr | None = None) -> str:
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
            # Products are kept instead of pixels: each is made once and then shuffled.
            made = arithmetic.apply(w, product, lanes, [w.op(f"load {plain}, ptr {place}, align {align}"), factor])
            return w.op(f"bitcast {plain} {made} to {type_}") if dtype.is_float else made

        def from_start() -> str:
            return row if self.start == "0" else w.op(f"getelementptr {stored(dtype)}, ptr {row}, i64 {self.start}")

        def first_before() -> str:
            """The padding on the left: from the row's first pixels where that is enough. Read from memory, what was
            just written pixel by pixel would have to arrive there first. In a block further on, what is there."""
            inside = left_of_row(store, lanes)
            if inside is None:
                return vector_at(from_start(), -lanes)
            # Lanes that `inside` does not fill from the row itself: the constant, or none.
            outside = "poison"
            if store.border is not None and store.border.mode == "constant":
                value = constant_of(store.border, dtype)
                outside = splat(value, dtype) if dtype != BOOL else splat(int(value), U8)
                if product is not None:
                    outside = arithmetic.apply(w, product, lanes, [outside, splat(weight, dtype)])
            at = row
            if self.start != "0":
                back = w.op(f"sub i64 {self.start}, {lanes}")
                # In a block further on the vector before is read; in the first one that would lie before the row, and
                # the first vector is as good.
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
            # In an unrolled loop the step before has both vectors in registers already.
            if self.previous is not None:
                _, before, here = self.previous.carried[key]
            else:
                before, here = f"%{w.fresh('before')}", f"%{w.fresh('here')}"
            behind = vector_at(w.op(f"getelementptr {stored(dtype)}, ptr {row}, i64 {self.x}"), lanes)
            self.carried[key] = (before, here, behind)
            # Only the first step has phi nodes; what enters them is made before the loop.
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

    def image(self, plane: Expr, access: Access, dy: int, dx: int, border: Border | None = None) -> str:
        """Pixels of a channel in the caller's memory."""
        dtype, channels = plane.dtype, self.at.channels(plane.arg.index)
        made = self.pixels(plane, access, dy, dx, border)
        # A channel of interleaved pixels: every channels-th lane.
        if channels > 1:
            wide = vector(self.lanes * channels, stored(dtype))
            picked = mask(plane.arg.channel + channels * i for i in range(self.lanes))
            made = self.at.w.op(f"shufflevector {wide} {made}, {wide} poison, {picked}")
        return truth(self.at.w, self.lanes, made) if dtype == BOOL else made

    def pixels(self, plane: Expr, access: Access, dy: int, dx: int, border: Border | None = None) -> str:
        """Pixels in the caller's memory, with all their channels."""
        w, dtype = self.at.w, plane.dtype
        channels = self.at.channels(plane.arg.index)
        row = self.at.image_row(plane, access, dy, dx, border)
        wide_type = vector(self.lanes * channels, stored(dtype))
        if row not in self.wide:
            first = self.x if channels == 1 else w.op(f"mul i64 {self.x}, {channels}")
            place = w.op(f"getelementptr {stored(dtype)}, ptr {row}, i64 {first}")
            if self.tail:
                # Beyond the row there may be no memory: only what exists is copied. The rest must be something too: of
                # undefined lanes LLVM may take the guard of a division from one value and the divisor from another.
                spare = self.at.spare(wide_type)
                w.line(f"store {wide_type} zeroinitializer, ptr {spare}, align 64")
                self.at.copy(spare, place, self.tail * channels * dtype.itemsize)
                place = spare
            # Two rows ahead.
            elif access.dt == 0:
                item = channels * dtype.itemsize
                self.prefetch(place, self.lanes * item, 2 * plane.arg.size[1] * item)
            self.wide[row] = w.op(f"load {wide_type}, ptr {place}, align {64 if self.tail else dtype.itemsize}")
        return self.wide[row]
