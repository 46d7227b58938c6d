"""Where the values of a loop over x go: rows that are looked at later, and the caller's images."""

from __future__ import annotations

from collections.abc import Sequence

from kernels.codegen.edges import interleaved
from kernels.codegen.fold import Addresses
from kernels.codegen.layout import Layout
from kernels.codegen.loop import Loop
from kernels.codegen.writer import Writer, stored, vector
from kernels.fusion.rows import Access, Item, Store
from kernels.ir.image import BOOL, DType
from kernels.ir.planes import Border


class Results:
    """Prints how a pass writes.

    Args:
        w: takes the lines.
        layout: of the memory that a call has for itself; what is not to be written goes there.
        width: of the rows, in pixels.
    """

    def __init__(self, w: Writer, layout: Layout, width: int) -> None:
        self.w, self.layout, self.width = w, layout, width

    def put(self, loop: Loop, item: Item, values: Sequence[str], own_row: str) -> None:
        """Write an output's row, and the rows that are looked at later.

        Args:
            values: of its roots.
            own_row: whether the row is of this strip (i1).
        """
        if item.kind == "output":
            self._output(loop, item, values, own_row)
        for store in item.stores:
            row = self.target(loop.at, store, own_row)
            place = self.w.op(f"getelementptr {stored(store.plane.dtype)}, ptr {row}, i64 {loop.x}")
            align = min(64, loop.lanes * store.plane.dtype.itemsize)
            value, type_ = self._bytes(loop.at, values[0], store.plane.dtype, loop.lanes)
            self.w.line(f"store {type_} {value}, ptr {place}, align {align}")

    def _bytes(self, at: Addresses, value: str, dtype: DType, lanes: int) -> tuple[str, str]:
        type_ = vector(lanes, stored(dtype))
        if value in at.bytes:
            value = at.bytes[value]
        elif dtype == BOOL:
            value = self.w.op(f"zext {vector(lanes, 'i1')} {value} to {type_}")
        return value, type_

    def target(self, at: Addresses, store: Store, own_row: str) -> str:
        """Where a row is written; rows of other strips go nowhere when the memory is shared."""
        row = at.row(store, 0, Border())
        if store.kind != "frame" or own_row == "true":
            return row
        key = ("dump", store.name)
        if key not in at.made:
            item = store.plane.dtype.itemsize
            room = self.layout.room(store.pitch * item) + store.lead_in * item
            with self.w.into(at.head):
                dump = self.w.op(f"getelementptr i8, ptr %scratch, i64 {room}")
                at.made[key] = self.w.op(f"select i1 {own_row}, ptr {row}, ptr {dump}")
        return at.made[key]

    def _output(self, loop: Loop, item: Item, values: Sequence[str], own_row: str) -> None:
        w, at, lanes = self.w, loop.at, loop.lanes
        dtype, channels, width = item.roots[0].dtype, len(values), self.width
        type_ = stored(dtype)
        key = ("output", item.index)
        if key not in at.made:
            with w.into(at.head):
                offset = w.op(f"mul nsw i64 {at.r}, {width * channels}")
                image = at.image(Access("output", item.index))
                row = w.op(f"getelementptr {type_}, ptr {image}, i64 {offset}", "out.row")
                if own_row != "true":
                    room = self.layout.room(width * channels * dtype.itemsize)
                    dump = w.op(f"getelementptr i8, ptr %scratch, i64 {room}")
                    row = w.op(f"select i1 {own_row}, ptr {row}, ptr {dump}", "out.row")
            at.made[key] = row
        start = loop.x if channels == 1 else w.op(f"mul i64 {loop.x}, {channels}")
        place = w.op(f"getelementptr {type_}, ptr {at.made[key]}, i64 {start}")
        planes = [self._bytes(at, value, dtype, lanes)[0] for value in values]
        wide = vector(lanes * channels, type_)
        whole = interleaved(w, planes, type_, lanes)
        if not loop.tail:
            size = channels * dtype.itemsize
            loop.prefetch(place, lanes * size, 2 * width * size, write=True)
        if loop.beside:
            place = self._inside(loop, place, lanes * channels * dtype.itemsize)
        if not loop.tail:
            w.line(f"store {wide} {whole}, ptr {place}, align {dtype.itemsize}")
            return
        # The row ends within the vector: by a buffer of its own, of which only what exists is copied.
        spare = at.spare(wide)
        w.line(f"store {wide} {whole}, ptr {spare}, align 64")
        at.copy(place, spare, loop.tail * channels * dtype.itemsize)

    def _inside(self, loop: Loop, place: str, size: int) -> str:
        """Where pixels are written: those beside the block nowhere, since they are another's."""
        w = self.w
        after, before = w.op(f"icmp sge i64 {loop.x}, %first_column"), w.op(f"icmp slt i64 {loop.x}, %last_column")
        dump = w.op(f"getelementptr i8, ptr %scratch, i64 {self.layout.room(size)}")
        return w.op(f"select i1 {w.op(f'and i1 {after}, {before}')}, ptr {place}, ptr {dump}")
