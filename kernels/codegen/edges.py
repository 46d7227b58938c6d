"""The ends of rows and the mixing of channels, as LLVM IR."""

from __future__ import annotations

from collections.abc import Sequence

from kernels.codegen.fold import constant_of, fold_index
from kernels.codegen.writer import Writer, mask, number, stored, vector
from kernels.fusion.rows import Store
from kernels.ir.image import BOOL

_UNROLLED = 24
"""Pixels beyond the ends that are written one by one."""


def interleaved(w: Writer, planes: Sequence[str], type_: str, lanes: int) -> str:
    """a0 b0 c0 a1 b1 c1 ... of channels a, b, c."""
    channels = len(planes)
    if channels == 1:
        return planes[0]
    made, count = planes[0], 1
    for plane in planes[1:]:  # one after another, then shuffled at once
        plain, longer = vector(lanes, type_), vector(lanes * count, type_)
        # shufflevector takes two vectors of one length: the shorter one is filled up.
        wider = plane if count == 1 else w.op(
            f"shufflevector {plain} {plane}, {plain} poison, "
            f"{mask(i if i < lanes else 0 for i in range(lanes * count))}")  # fmt: skip
        made = w.op(f"shufflevector {longer} {made}, {longer} {wider}, {mask(range(lanes * (count + 1)))}")
        count += 1
    wide = vector(lanes * channels, type_)
    order = mask(c * lanes + i for i in range(lanes) for c in range(channels))
    return w.op(f"shufflevector {wide} {made}, {wide} poison, {order}")


def pad(w: Writer, store: Store, row: str, width: int) -> None:
    """Write the pixels beyond both ends of a finished row."""
    if store.border is None or not (store.left or store.right):
        return
    dtype, border = store.plane.dtype, store.border
    type_ = stored(dtype)
    beyond = [*range(-store.left, 0), *range(width, width + store.right)]
    if border.mode == "constant":
        value = number(constant_of(border, dtype), dtype)
        value = str(int(value == "true")) if dtype == BOOL else value
    # Places are known while printing: loads and stores without an index.
    if len(beyond) <= _UNROLLED:
        for x in beyond:
            inside = fold_index(x, width, border.mode)
            if inside is not None:
                source = w.op(f"getelementptr {type_}, ptr {row}, i64 {inside}")
                value = w.op(f"load {type_}, ptr {source}")
            w.line(f"store {type_} {value}, ptr {w.op(f'getelementptr {type_}, ptr {row}, i64 {x}')}")
        return
    # Wide borders go by a table of places instead of so much text.
    places = [fold_index(x, width, border.mode) or 0 for x in beyond]
    table = w.constant("beyond", "i32", [str(p) for p in places])
    with w.loop("pad", "0", str(len(beyond))) as i:
        # Entries from `left` on belong to the other end.
        right = w.op(f"icmp sge i64 {i}, {store.left}")
        shift = w.op(f"select i1 {right}, i64 {width - store.left}, i64 {-store.left}")
        if border.mode != "constant":
            place = w.op(f"load i32, ptr {w.op(f'getelementptr i32, ptr {table}, i64 {i}')}")
            source = w.op(f"getelementptr {type_}, ptr {row}, i64 {w.op(f'zext i32 {place} to i64')}")
            value = w.op(f"load {type_}, ptr {source}")
        to = w.op(f"getelementptr {type_}, ptr {row}, i64 {w.op(f'add i64 {i}, {shift}')}")
        w.line(f"store {type_} {value}, ptr {to}")


def left_of_row(store: Store, lanes: int) -> list[int] | None:
    """For each pixel of the vector before a row, which of its first vector it is (`lanes`: the constant outside; any
    where nothing looks); None where that one does not hold all."""
    if store.border is None or store.size[1] < lanes:
        return None
    beyond = [fold_index(x, store.size[1], store.border.mode) for x in range(-store.left, 0)]
    if any(x is not None and x >= lanes for x in beyond):
        return None
    # What lies farther out than the border reaches is not looked at.
    return [0] * (lanes - store.left) + [lanes if x is None else x for x in beyond]
