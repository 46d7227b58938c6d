"""Border rules and row addresses as LLVM IR: what a loop needs before its first pixel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from kernels.codegen.layout import Layout
from kernels.codegen.writer import Writer, element, stored, vector
from kernels.fusion.rows import Access, Store
from kernels.ir.body import ValueType
from kernels.ir.expr import Expr, Number
from kernels.ir.image import BOOL, DType, ImageType
from kernels.ir.ops import convert
from kernels.ir.planes import Border

LINE = 64
"""Bytes that are fetched at once."""


def constant_of(border: Border, dtype: DType) -> Number:
    """The value outside by a constant border, in the plane's type."""
    value: Number = convert(np.array([border.value]), dtype)[0].item()
    return value


def fold_index(index: int, length: int, mode: str) -> int | None:
    """Where a coordinate lies inside 0 .. length - 1; None for the constant outside."""
    if 0 <= index < length:
        return index
    if mode == "constant":
        return None
    if mode == "replicate" or length == 1:
        return min(max(index, 0), length - 1)
    if mode == "wrap":
        return index % length
    folded = index % (2 * (length - 1))
    return folded if folded < length else 2 * (length - 1) - folded


def fold_vector(w: Writer, index: str, length: int, border: Border, lanes: int) -> tuple[str, str | None]:
    """The same for a vector of i32 -> (coordinates inside, which were inside; None where no border is constant)."""
    type_, bits = vector(lanes, "i32"), vector(lanes, "i1")
    last = f"splat (i32 {length - 1})"
    if border.mode == "constant":
        # Unsigned, a negative coordinate is a large one: a single comparison sees both ends. Lanes outside read pixel
        # 0, which is there; the constant replaces it afterwards.
        inside = w.op(f"icmp ult {type_} {index}, splat (i32 {length})")
        return w.op(f"select {bits} {inside}, {type_} {index}, {type_} zeroinitializer"), inside
    if border.mode == "replicate" or length == 1:
        low = w.call(type_, f"llvm.smax.v{lanes}i32", (type_, index), (type_, "zeroinitializer"))
        return w.call(type_, f"llvm.smin.v{lanes}i32", (type_, low), (type_, last)), None
    period = length if border.mode == "wrap" else 2 * (length - 1)
    # The remainder of a negative coordinate is negative.
    rest = w.op(f"srem {type_} {index}, splat (i32 {period})")
    negative = w.op(f"icmp slt {type_} {rest}, zeroinitializer")
    more = w.op(f"add {type_} {rest}, splat (i32 {period})")
    folded = w.op(f"select {bits} {negative}, {type_} {more}, {type_} {rest}")
    if border.mode == "wrap":
        return folded, None
    mirrored = w.op(f"sub {type_} splat (i32 {period}), {folded}")
    return w.call(type_, f"llvm.smin.v{lanes}i32", (type_, folded), (type_, mirrored)), None


@dataclass(slots=True)
class Addresses:
    """Row addresses of one group, written before its loop.

    Args:
        w: the function.
        layout: its slots.
        inputs: types of the body's inputs.
        stores: store name -> address of its row 0, column 0 (rings and states).
        images: access -> address of its first pixel in this frame.
        states: recurrence -> its store.
        frames: names of whole-frame stores -> their number.
        r: the row (i64).
        head: lines before the loop; `uniform`: values that they hold, by lanes.
        entry: lines before all loops; `lasting`: values that they hold.
        longer: value -> (type, the same numbers in that longer type), from which it was shortened.
        bytes: bools -> the same as bytes of 0 and 1.
    """

    w: Writer
    layout: Layout
    inputs: Sequence[ValueType | None]
    stores: Mapping[str, str]
    images: dict[Access, str]
    states: Mapping[str, Store]
    frames: Mapping[str, int]
    r: str
    head: list[str] = field(default_factory=list)
    made: dict[tuple[object, ...], str] = field(default_factory=dict)
    uniform: dict[tuple[Expr, int], str] = field(default_factory=dict)
    spares: dict[str, str] = field(default_factory=dict)
    entry: list[str] = field(default_factory=list)
    lasting: dict[tuple[Expr, int], str] = field(default_factory=dict)
    longer: dict[str, tuple[DType, str]] = field(default_factory=dict)
    bytes: dict[str, str] = field(default_factory=dict)

    def channels(self, index: int) -> int:
        type_ = self.inputs[index]
        assert isinstance(type_, ImageType)
        return type_.channels

    def image(self, access: Access) -> str:
        """The address of an image in this frame."""
        self.layout.access(access)
        back = f".back{-access.dt}" if access.dt else ""
        return self.images.setdefault(access, f"%{access.kind}{access.index}{back}")

    def base(self, store: Store, dt: int = 0) -> str:
        if store.kind == "frame":
            return self.image(Access("frame", self.frames[store.name], dt))
        return self.stores[store.name]

    def row(self, store: Store, dy: int, border: Border, stride: int = 0, dt: int = 0) -> str:
        """The address of column 0 of row r + dy of a store, by the border rule; with a stride, of row stride*r + dy,
        where r counts the rows of another image."""
        key = ("row", store.name, dy, border if dy or stride else None, stride, dt)
        if key in self.made:
            return self.made[key]
        w, type_ = self.w, stored(store.plane.dtype)
        with w.into(self.head):
            y, inside = self._folded(dy, store.size[0], border, stride)
            # A ring has only the rows that are looked at: row y is where y modulo its height was written last.
            slot = y
            if store.kind == "ring" and store.rows < store.size[0]:
                slot = w.op(f"urem i64 {y}, {store.rows}") if store.rows > 1 else "0"
            base = self.base(store, dt)
            made = base
            if slot != "0":
                offset = w.op(f"mul nsw i64 {slot}, {store.pitch}")
                made = w.op(f"getelementptr {type_}, ptr {base}, i64 {offset}", f"{store.name}.row")
            if inside is not None:
                # Outside, a row full of the constant is ready in the scratch memory: the choice is one of addresses,
                # once a row, and the loop over pixels knows nothing of borders.
                dtype = store.plane.dtype
                fill = self.layout.constant_row(dtype, constant_of(border, dtype), store.pitch)
                start = fill.offset + store.lead_in * dtype.itemsize
                outside = w.op(f"getelementptr i8, ptr %scratch, i64 {start}")
                made = w.op(f"select i1 {inside}, ptr {made}, ptr {outside}", f"{store.name}.row")
        self.made[key] = made
        return made

    def _folded(self, dy: int, height: int, border: Border, stride: int) -> tuple[str, str | None]:
        w = self.w
        if dy == 0 and stride == 0:
            return self.r, None
        y = self.r if stride < 2 else w.op(f"mul i64 {self.r}, {stride}")
        y = w.op(f"add i64 {y}, {dy}") if dy else y
        if border.mode == "constant":
            inside = w.op(f"icmp ult i64 {y}, {height}")
            return w.op(f"select i1 {inside}, i64 {y}, i64 0"), inside
        if border.mode == "replicate" or height == 1:
            return self._clamp(y, height), None
        near = stride == 0 and abs(dy) < height
        if border.mode == "wrap":
            return self._modulo(y, height), None
        if near:  # one reflection is enough
            y = w.call("i64", "llvm.abs.i64", ("i64", y), ("i1", "false"))
            mirrored = w.op(f"sub i64 {2 * (height - 1)}, {y}")
            return w.call("i64", "llvm.smin.i64", ("i64", y), ("i64", mirrored)), None
        folded = self._modulo(y, 2 * (height - 1))
        mirrored = w.op(f"sub i64 {2 * (height - 1)}, {folded}")
        return w.call("i64", "llvm.smin.i64", ("i64", folded), ("i64", mirrored)), None

    def _clamp(self, y: str, height: int) -> str:
        low = self.w.call("i64", "llvm.smax.i64", ("i64", y), ("i64", "0"))
        return self.w.call("i64", "llvm.smin.i64", ("i64", low), ("i64", str(height - 1)))

    def _modulo(self, y: str, period: int) -> str:
        w = self.w
        rest = w.op(f"srem i64 {y}, {period}")
        negative = w.op(f"icmp slt i64 {rest}, 0")
        return w.op(f"select i1 {negative}, i64 {w.op(f'add i64 {rest}, {period}')}, i64 {rest}")

    def image_row(self, plane: Expr, access: Access, dy: int, dx: int, border: Border | None) -> str:
        """The address of column dx of row r + dy of an input image."""
        key = ("image", access, dy, dx, border if dy else None)
        if key in self.made:
            return self.made[key]
        w = self.w
        height, width = plane.arg.size
        channels = self.channels(access.index)
        with w.into(self.head):
            y, inside = self._folded(dy, height, border or Border(), 0)
            assert inside is None
            first = w.op(f"mul nsw i64 {y}, {width * channels}")
            if dx:
                first = w.op(f"add i64 {first}, {dx * channels}")
            made = w.op(f"getelementptr {stored(plane.dtype)}, ptr {self.image(access)}, i64 {first}", "in.row")
        self.made[key] = made
        return made

    def whole(self, plane: Expr, seen: Mapping[tuple[Expr, Border | None], Store]) -> tuple[str, int, int, int]:
        """A whole plane -> (address, pixels from row to row, from pixel to pixel, to the first)."""
        if plane.op == "input":
            channels = self.channels(plane.arg.index)
            image = self.image(Access("input", plane.arg.index))
            return image, plane.arg.size[1] * channels, channels, plane.arg.channel
        store = seen[plane, None]
        return self.base(store), store.pitch, 1, 0

    def shifted(self, row: str, type_: str, dx: int) -> str:
        if not dx:
            return row
        key = ("shift", row, dx)
        if key not in self.made:
            with self.w.into(self.head):
                self.made[key] = self.w.op(f"getelementptr {type_}, ptr {row}, i64 {dx}", "side")
        return self.made[key]

    def spread(self, scalar: str, type_: str, lanes: int) -> str:
        """A vector of one value, made before the loop."""
        key = ("spread", scalar, lanes)
        if key not in self.made:
            with self.w.into(self.head):
                self.made[key] = self.splat(scalar, type_, lanes)
        return self.made[key]

    def splat(self, scalar: str, type_: str, lanes: int) -> str:
        """A vector of one value."""
        wide = vector(lanes, type_)
        one = self.w.op(f"insertelement {wide} poison, {type_} {scalar}, i64 0")
        zero = f"{vector(lanes, 'i32')} zeroinitializer"
        return self.w.op(f"shufflevector {wide} {one}, {wide} poison, {zero}")

    def row_i32(self) -> str:
        if ("row",) not in self.made:
            with self.w.into(self.head):
                self.made["row",] = self.w.op(f"trunc i64 {self.r} to i32")
        return self.made["row",]

    def param(self, node: Expr, lanes: int) -> str:
        """A live parameter in every lane."""
        self.layout.slot(f"param:{node.arg}")
        place = 8 * self.layout.slot(f"param:{node.arg}")
        at = self.w.op(f"getelementptr i8, ptr %args, i64 {place}")
        one = self.w.op(f"load {stored(node.dtype)}, ptr {at}, align 8", "param")
        if node.dtype == BOOL:
            one = self.w.op(f"icmp ne i8 {one}, 0")
        return self.splat(one, element(node.dtype), lanes)

    def copy(self, to: str, source: str, size: int) -> None:
        """Copy a known number of bytes."""
        self.w.call("void", "llvm.memcpy.p0.p0.i64", ("ptr", to), ("ptr", source), ("i64", str(size)), ("i1", "false"))

    def spare(self, type_: str) -> str:
        """Room for one vector of the last pixels of a row; declared at the function's entry."""
        return self.spares.setdefault(type_, f"%spare{len(self.spares)}")

    def variable(self, type_: str) -> str:
        """A variable of its own; declared at the function's entry."""
        name = f"%{self.w.fresh('held')}"
        # The type and a comment with the name are the key: each variable is one of its own.
        self.spares[f"{type_}, align 64 ; {name}"] = name
        return name

    def prefetch(self, place: str, size: int, ahead: int, write: bool = False) -> None:
        """Ask for the `size` bytes that stand `ahead` bytes behind `place`: the hardware guesses no further than a
        page, and rows are about as long as one."""
        for start in range(0, size, LINE):
            line = self.w.op(f"getelementptr i8, ptr {place}, i64 {ahead + start}")
            self.w.call("void", "llvm.prefetch.p0", ("ptr", line), ("i32", str(int(write))), ("i32", "3"), ("i32", "1"))
