"""Pixels and table entries at computed places, lane by lane, as LLVM IR."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kernels.codegen import arithmetic
from kernels.codegen.fold import Addresses, constant_of, fold_vector
from kernels.codegen.writer import Writer, element, number, splat, stored, vector
from kernels.fusion.rows import Store
from kernels.ir.expr import Expr
from kernels.ir.image import BOOL
from kernels.ir.planes import Border

Seen = Mapping[tuple[Expr, Border | None], Store]


def truth(w: Writer, lanes: int, bytes_: str) -> str:
    """Bools from the bytes that they take in memory."""
    return w.op(f"icmp ne {vector(lanes, 'i8')} {bytes_}, zeroinitializer")


def gather(at: Addresses, seen: Seen, lanes: int, node: Expr, y: str, x: str) -> str:
    """A plane at computed rows and columns."""
    w, dtype = at.w, node.dtype
    plane, border = node.src[0], node.arg.border
    height, width = plane.size  # type: ignore[misc]
    base, pitch, step, offset = at.whole(plane, seen)
    # Folded or held within the plane, so that every lane's address exists; `inside` tells where the constant counts.
    rows, y_inside = fold_vector(w, y, height, border, lanes)
    columns, x_inside = fold_vector(w, x, width, border, lanes)
    # 64 bits: a plane may have more than 2^31 bytes.
    long = vector(lanes, "i64")
    wide = [w.op(f"sext {vector(lanes, 'i32')} {v} to {long}") for v in (rows, columns)]
    first = w.op(f"mul {long} {wide[0]}, splat (i64 {pitch})")
    second = w.op(f"mul {long} {wide[1]}, splat (i64 {step})")
    places = w.op(f"add {long} {w.op(f'add {long} {first}, {second}')}, splat (i64 {offset})")
    made = each(w, lanes, places, base, stored(dtype))
    if dtype == BOOL:
        made = truth(w, lanes, made)
    if y_inside is None or x_inside is None:
        return made
    bits = vector(lanes, "i1")
    inside = w.op(f"and {bits} {y_inside}, {x_inside}")
    return arithmetic.choose(w, dtype, lanes, inside, made, splat(constant_of(border, dtype), dtype))


def each(w: Writer, lanes: int, places: str, base: str, type_: str) -> str:
    """base[places], lane by lane."""
    made, result = "poison", vector(lanes, type_)
    for lane in range(lanes):
        place = w.op(f"extractelement {vector(lanes, 'i64')} {places}, i64 {lane}")
        one = w.op(f"load {type_}, ptr {w.op(f'getelementptr {type_}, ptr {base}, i64 {place}')}")
        made = w.op(f"insertelement {result} {made}, {type_} {one}, i64 {lane}")
    return made


def lookup(at: Addresses, lanes: int, node: Expr, index: str, uniform: bool) -> str:
    """Entries of a table; one for all lanes, if `uniform`."""
    w, dtype = at.w, node.dtype
    entries = [number(v, dtype) if dtype != BOOL else str(int(v)) for v in node.arg]
    given, last = node.src[0].dtype, len(entries) - 1
    table = w.constant("table", stored(dtype), entries)
    type_ = vector(lanes, element(given))
    low, high = np.iinfo(given.numpy).min, np.iinfo(given.numpy).max  # type: ignore[type-var]
    kind = "s" if given.kind == "i" else "u"
    # No clamp where the index's type cannot leave the table.
    if low < 0:
        zero = (type_, "zeroinitializer")
        index = w.call(type_, f"llvm.smax.{arithmetic.suffix(lanes, given)}", (type_, index), zero)
    if high > last:
        most = (type_, splat(last, given))
        index = w.call(type_, f"llvm.{kind}min.{arithmetic.suffix(lanes, given)}", (type_, index), most)
    if given.bits < 64:
        index = w.op(f"zext {type_} {index} to {vector(lanes, 'i64')}")
    if uniform:  # one entry for the whole row
        place = w.op(f"extractelement {vector(lanes, 'i64')} {index}, i64 0")
        one = w.op(f"load {stored(dtype)}, ptr {w.op(f'getelementptr {stored(dtype)}, ptr {table}, i64 {place}')}")
        made = at.splat(one, stored(dtype), lanes)
    else:
        made = each(w, lanes, index, table, stored(dtype))
    return truth(w, lanes, made) if dtype == BOOL else made
