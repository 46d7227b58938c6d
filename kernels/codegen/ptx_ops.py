"""What PTX instructions without an address compute, on arrays of lanes (PTX ISA 9, chapters "Instruction Set")."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

WIDTHS = {f"{kind}{8 * n}": n for kind in "busf" for n in (1, 2, 4, 8)} | {"pred": 1}
"""Bytes of a type."""

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
    "lo": np.less, "ls": np.less_equal, "hi": np.greater, "hs": np.greater_equal,
}  # fmt: skip
_LOGIC: dict[str, Callable[[Any, Any], Any]] = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
_ROUND: dict[str, Callable[[Any], Any]] = {"rni": np.rint, "rmi": np.floor, "rpi": np.ceil, "rzi": np.trunc}


class PtxError(RuntimeError):
    """PTX that is not understood."""


def dtype_of(type_: str) -> np.dtype[Any]:
    """The NumPy type of .s32, .b16, .pred ..."""
    if type_ == "pred":
        return np.dtype(np.bool_)
    if type_ not in WIDTHS:
        raise PtxError(f"the type {type_} is not understood")
    return np.dtype(f"{ {'b': 'u', 'u': 'u', 's': 'i', 'f': 'f'}[type_[0]]}{WIDTHS[type_]}")


def immediate(text: str, type_: str) -> Array:
    """A constant: 12, -3, 0x1F, 0f3F800000 (the bits of a float), 0d..., of a type (1: true)."""
    if text.startswith("0f"):
        return np.array(int(text[2:], 16), np.uint32).view(np.float32)
    if text.startswith("0d"):
        return np.array(int(text[2:], 16), np.uint64).view(np.float64)
    try:
        value = int(text.rstrip("U"), 0)
    except ValueError:
        raise PtxError(f"the operand {text} is not understood") from None
    dtype = dtype_of(type_)
    if dtype.kind == "f" or dtype == np.bool_:
        return np.array(value, dtype)
    # Negative numbers as two's complement, whatever the type's sign.
    bits = max(8 * dtype.itemsize, 8)
    return np.array(value & ((1 << bits) - 1), f"u{dtype.itemsize}").view(dtype)


def cast(value: Array, dtype: np.dtype[Any]) -> Array:
    """A register's bits as a type; of a wider register the low bits."""
    if value.dtype == dtype:
        return value
    if value.dtype.itemsize == dtype.itemsize:
        return np.ascontiguousarray(value).view(dtype)
    if value.dtype.kind == "f":
        raise PtxError("a float of another width")
    # By unsigned types: narrowing cuts off, widening adds zeros.
    return value.astype(f"u{value.dtype.itemsize}").astype(f"u{dtype.itemsize}").view(dtype)


def compute(op: Sequence[str], source: Sequence[Array], mask: Array) -> tuple[Array, ...]:
    """The results (shfl has two) of an instruction whose name is split at its dots.

    Raises:
        PtxError: it is not understood.
    """
    base = op[0]
    # These look at other lanes of the warp.
    if base in ("shfl", "vote"):
        return _across(op, source, mask)
    if base == "cvt":
        return (_converted(op, source[0]),)
    dtype = dtype_of(op[-1])
    if base == "selp":
        return (np.where(source[2], cast(source[0], dtype), cast(source[1], dtype)),)
    if base == "setp":
        return (_compared(op, source, dtype),)
    if base in ("shl", "shr"):
        return (_shifted(base, cast(source[0], dtype), source[1]),)
    if base == "mul" and "wide" in op:
        wide = np.dtype(f"{dtype.kind}{2 * dtype.itemsize}")
        return (cast(source[0], dtype).astype(wide) * cast(source[1], dtype).astype(wide),)
    if base == "mad" and "wide" in op:
        wide = np.dtype(f"{dtype.kind}{2 * dtype.itemsize}")
        return (cast(source[0], dtype).astype(wide) * cast(source[1], dtype).astype(wide) + cast(source[2], wide),)
    if base in ("bfi", "bfe"):
        return (_bits(base, source, dtype),)
    if base in ("dp2a", "dp4a"):
        return (_dot(op, source),)
    values = [cast(s, dtype) for s in source]
    if base == "mul" and "hi" in op:
        wide = np.dtype(f"{dtype.kind}{2 * dtype.itemsize}")
        return (((values[0].astype(wide) * values[1].astype(wide)) >> wide.type(8 * dtype.itemsize)).astype(dtype),)
    return (_plain(op, values, dtype),)


def _plain(op: Sequence[str], v: Sequence[Array], dtype: np.dtype[Any]) -> Array:
    match op[0]:
        case "mov":
            return v[0]
        case "add":
            return np.asarray(v[0] + v[1])
        case "sub":
            return np.asarray(v[0] - v[1])
        case "mul":
            return np.asarray(v[0] * v[1])
        case "mad" | "fma":
            # Two roundings where `fma` has one.
            return np.asarray(v[0] * v[1] + v[2])
        case "sad":
            return np.asarray(np.where(v[0] < v[1], v[1] - v[0], v[0] - v[1]) + v[2])
        case "neg":
            return np.asarray(-v[0] if dtype.kind == "f" else np.zeros_like(v[0]) - v[0])
        case "abs":
            return np.asarray(np.abs(v[0]))
        case "min":
            return np.asarray(np.fmin(v[0], v[1]))
        case "max":
            return np.asarray(np.fmax(v[0], v[1]))
        case "and" | "or" | "xor":
            return np.asarray(_LOGIC[op[0]](v[0], v[1]))
        case "not":
            return np.asarray(~v[0])
        case "div":
            if dtype.kind == "f":
                return np.asarray(v[0] / v[1])
            # PTX rounds to zero, NumPy's // down; f64 holds quotients of 32 bits exactly.
            quotient = np.trunc(v[0].astype(np.float64) / v[1]) if dtype.itemsize < 8 else v[0] // v[1]
            return np.asarray(quotient).astype(dtype)
        case "rem":
            return np.asarray(np.fmod(v[0], v[1]))
        case "sqrt":
            return np.asarray(np.sqrt(v[0]))
        case "popc":
            return np.asarray(np.bitwise_count(v[0])).astype(np.uint32)
        case "prmt":
            pair = np.stack([v[0], v[1]], 1).astype(np.uint32)
            eight = np.ascontiguousarray(pair).view(np.uint8)
            # Four bits a byte of the result: three pick one of eight bytes, the fourth repeats its sign.
            picks = (v[2].astype(np.uint32)[:, None] >> np.arange(0, 16, 4, dtype=np.uint32)) & np.uint32(15)
            taken = np.take_along_axis(eight, (picks & 7).astype(np.int64), 1)
            filled = np.where(picks & 8, (taken.view(np.int8) >> 7).view(np.uint8), taken)
            return np.ascontiguousarray(filled).view(np.uint32)[:, 0]
    raise PtxError(f"the instruction {'.'.join(op)} is not understood")


def _compared(op: Sequence[str], source: Sequence[Array], dtype: np.dtype[Any]) -> Array:
    a, b = cast(source[0], dtype), cast(source[1], dtype)
    name = op[1]
    if name in ("num", "nan"):
        # PTX's plain comparisons are false for NaN, those that end in u true.
        unordered = np.isnan(a) | np.isnan(b)
        made = unordered if name == "nan" else ~unordered
    elif dtype.kind == "f":
        unordered = np.isnan(a) | np.isnan(b)
        made = _COMPARE[name.removesuffix("u") if name not in _COMPARE else name](a, b)
        made = (made | unordered) if name not in _COMPARE else (made & ~unordered)
    else:
        made = _COMPARE[name](a, b)
    # setp may combine the result with a third predicate.
    for word in op[2:-1]:
        if word in _LOGIC:
            made = _LOGIC[word](made, source[2])
    return np.asarray(made)


def _shifted(base: str, value: Array, by: Array) -> Array:
    bits = 8 * value.dtype.itemsize
    # PTX holds shifts at the width: zeros, or the sign; NumPy leaves longer ones undefined.
    count = cast(by, np.dtype(f"u{by.dtype.itemsize}")).astype(np.int64)
    inside = np.minimum(count, bits - 1).astype(value.dtype)
    if base == "shl":
        return np.asarray(np.where(count < bits, value << inside, value.dtype.type(0)))
    if value.dtype.kind == "i":
        return np.asarray(value >> inside)
    return np.asarray(np.where(count < bits, value >> inside, value.dtype.type(0)))


def _bits(base: str, source: Sequence[Array], dtype: np.dtype[Any]) -> Array:
    unsigned = np.dtype(f"u{dtype.itemsize}")
    one = unsigned.type(1)
    if base == "bfi":
        a, b = cast(source[0], unsigned), cast(source[1], unsigned)
        place, length = source[2].astype(unsigned), source[3].astype(unsigned)
        field = ((one << length) - one) << place
        return np.asarray((b & ~field) | ((a << place) & field))
    value, place, length = cast(source[0], unsigned), source[1].astype(unsigned), source[2].astype(unsigned)
    made = (value >> place) & ((one << length) - one)
    if dtype.kind == "i":
        # The field's highest bit is its sign: up to the top, then down again arithmetically.
        top = unsigned.type(8 * dtype.itemsize) - length
        return np.asarray((made << top).view(dtype) >> top.view(dtype))
    return np.asarray(made)


def _dot(op: Sequence[str], source: Sequence[Array]) -> Array:
    """dp4a: four bytes times four, added; dp2a.lo, .hi: two halves times two bytes."""
    wide = {"u32": "u", "s32": "i"}
    a_kind, b_kind = (wide[t] for t in op[-2:])
    parts = 4 if op[0] == "dp4a" else 2
    a, b = (np.ascontiguousarray(s) for s in source[:2])
    left = a.view(f"{a_kind}{4 // parts}").reshape(-1, parts).astype(np.int64)
    right = b.view(f"{b_kind}1").reshape(-1, 4).astype(np.int64)
    # dp2a.lo takes the two lower bytes, .hi the upper ones.
    right = right if parts == 4 else right[:, 2:] if "hi" in op else right[:, :2]
    total = (left * right).sum(1) + source[2].astype(np.int64)
    return np.asarray(total & 0xFFFFFFFF).astype(np.uint32)


def _converted(op: Sequence[str], value: Array) -> Array:
    to, given = dtype_of(op[-2]), dtype_of(op[-1])
    value = cast(value, given)
    if given.kind == "f" and to.kind == "f":
        rounding = next((_ROUND[w] for w in op if w in _ROUND), None)
        return np.asarray(rounding(value) if rounding else value).astype(to)
    if given.kind == "f":  # saturates; NaN is 0
        whole = next(_ROUND[w] for w in op if w in _ROUND)(value.astype(np.float64))
        limits = np.iinfo(to)
        # f64 does not hold the largest i64 or u64: what reaches it is set apart.
        made = np.clip(np.nan_to_num(whole, nan=0.0, posinf=2.0**64, neginf=-(2.0**64)), limits.min, limits.max)
        top = made >= float(limits.max)
        return np.where(top, limits.max, np.where(top, 0, made).astype(to)).astype(to)
    made = value.astype(to)
    register = max(to.itemsize, 2)  # narrow results are extended in their register
    return made if register == to.itemsize else made.astype(f"{to.kind}{register}")


def _across(op: Sequence[str], source: Sequence[Array], mask: Array) -> tuple[Array, ...]:
    lanes = np.arange(len(mask)).reshape(-1, 32)
    if op[0] == "vote":
        given = (source[0] & mask).reshape(-1, 32)
        if "ballot" in op:
            made = (given.astype(np.uint64) << np.arange(32, dtype=np.uint64)).sum(1).astype(np.uint32)
        elif "any" in op:
            made = given.any(1)
        else:
            # Lanes that do not take part agree with everyone.
            made = (given | ~mask.reshape(-1, 32)).all(1)
        return (np.repeat(made, 32),)
    lane, by = lanes % 32, source[1].astype(np.int64).reshape(-1, 32)
    modes = {"bfly": lane ^ by, "idx": by, "up": lane - by, "down": lane + by}
    wanted = next(modes[w] for w in op if w in modes)
    valid = (wanted >= 0) & (wanted < 32)
    rows = np.ascontiguousarray(source[0]).reshape(-1, 32)
    # Lanes whose source lies beyond the warp keep their own value and say so.
    taken = np.take_along_axis(rows, np.where(valid, wanted, lane), 1)
    return taken.reshape(-1), valid.reshape(-1)
