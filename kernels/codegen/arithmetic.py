"""The scalar operations of `kernels.ir.ops` on vectors, as LLVM IR; nothing is contracted or reassociated."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kernels.codegen.writer import Writer, element, splat, vector
from kernels.ir.expr import Expr
from kernels.ir.image import BOOL, F32, I32, I64, DType
from kernels.ir.ops import exact

_FLOAT = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}
_WHOLE = {"add": "add", "sub": "sub", "mul": "mul", "and": "and", "or": "or", "xor": "xor"}
_ORDER = {"lt": ("olt", "lt"), "le": ("ole", "le"), "eq": ("oeq", "eq"), "ne": ("une", "ne"), "min": ("olt", "lt"),
          "max": ("ogt", "gt")}  # fmt: skip
_ROUND = {"sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "rint": "rint"}


def suffix(lanes: int, dtype: DType) -> str:
    """The type in the name of an intrinsic."""
    return f"v{lanes}{dtype.name if dtype.is_float else element(dtype)}"


def compare(w: Writer, op: str, dtype: DType, lanes: int, a: str, b: str) -> str:
    """A comparison by _ORDER, <lanes x i1>."""
    ordered, whole = _ORDER[op]
    type_ = vector(lanes, element(dtype))
    if dtype.is_float:
        return w.op(f"fcmp {ordered} {type_} {a}, {b}")
    sign = "" if whole in ("eq", "ne") else "s" if dtype.kind == "i" else "u"
    return w.op(f"icmp {sign}{whole} {type_} {a}, {b}")


def choose(w: Writer, dtype: DType, lanes: int, condition: str, a: str, b: str) -> str:
    """`a` where `condition` (<lanes x i1>) holds, else `b`."""
    type_ = vector(lanes, element(dtype))
    return w.op(f"select {vector(lanes, 'i1')} {condition}, {type_} {a}, {type_} {b}")


def apply(w: Writer, node: Expr, lanes: int, src: Sequence[str]) -> str:
    """The operation of `node` on the vectors `src`."""
    op, given, a, b = node.op, node.src[0].dtype, src[0], src[-1]
    type_ = vector(lanes, element(given))
    if op in ("floordiv", "mod"):
        return _divide(w, node, lanes, a, b)
    # No fast-math flags: nothing is contracted or reassociated.
    if op in _FLOAT and given.is_float:
        return w.op(f"{_FLOAT[op]} {type_} {a}, {b}")
    if op in _WHOLE:
        return w.op(f"{_WHOLE[op]} {type_} {a}, {b}")
    if op in ("min", "max") and given == BOOL:
        return w.op(f"{'and' if op == 'min' else 'or'} {type_} {a}, {b}")
    # As NumPy's order of operands: b where the comparison fails. LLVM's minnum treats NaN in another way.
    if op in ("min", "max"):
        return choose(w, given, lanes, compare(w, op, given, lanes, a, b), a, b)
    if op in _ORDER:
        return compare(w, op, given, lanes, a, b)
    if op in _ROUND:
        return w.call(type_, f"llvm.{_ROUND[op]}.{suffix(lanes, given)}", (type_, a))
    match op:
        case "neg":
            return w.op(f"fneg {type_} {a}" if given.is_float else f"sub {type_} zeroinitializer, {a}")
        case "abs":
            if given.is_float:
                return w.call(type_, f"llvm.fabs.{suffix(lanes, given)}", (type_, a))
            if given.kind == "u":  # from kernels.fusion.narrow
                return a
            return w.call(type_, f"llvm.abs.{suffix(lanes, given)}", (type_, a), ("i1", "false"))
        case "not":
            return w.op(f"xor {type_} {a}, {splat(True, BOOL) if given == BOOL else splat(-1, given)}")
        case "shl" | "shr":
            # A shift by the width or more is poison: its lower bits alone count.
            count = w.op(f"and {type_} {b}, {splat(given.bits - 1, given)}")
            right = "ashr" if given.kind == "i" else "lshr"
            return w.op(f"{'shl' if op == 'shl' else right} {type_} {a}, {count}")
        case "select":
            return choose(w, node.dtype, lanes, a, src[1], src[2])
        case "bits":
            # All NaNs become one, so that bits do not tell which back end made them.
            nan = w.op(f"fcmp uno {type_} {a}, {a}")
            plain = w.op(f"bitcast {type_} {a} to {vector(lanes, 'i32')}")
            return choose(w, I32, lanes, nan, splat(0x7FC00000, I32), plain)
        case "from_bits":
            return w.op(f"bitcast {type_} {a} to {vector(lanes, 'float')}")
    raise AssertionError(op)


def _divide(w: Writer, node: Expr, lanes: int, a: str, b: str) -> str:
    """Floor division and its remainder; 0 for a divisor of 0, wrapping for the smallest number by -1."""
    dtype = node.dtype
    type_, zero = vector(lanes, element(dtype)), "zeroinitializer"
    divisor = node.src[1]
    # A constant that is neither 0 nor -1 needs no guard.
    plain = divisor.op == "const" and divisor.arg not in (0, -1)
    none = minus = ""
    safe = b
    if not plain:
        none = w.op(f"icmp eq {type_} {b}, {zero}")
        minus = w.op(f"icmp eq {type_} {b}, {splat(-1, dtype)}")
        # sdiv by 0 is undefined, and so is the smallest number by -1: both are divided by 1 and put right afterwards.
        either = w.op(f"or {vector(lanes, 'i1')} {none}, {minus}")
        safe = choose(w, dtype, lanes, either, splat(1, dtype), b)
    quotient = w.op(f"sdiv {type_} {a}, {safe}")
    rest = w.op(f"sub {type_} {a}, {w.op(f'mul {type_} {quotient}, {safe}')}")
    # sdiv rounds to zero: floor is one less where something is left and the signs differ.
    uneven = w.op(f"icmp ne {type_} {rest}, {zero}")
    apart = w.op(f"icmp slt {type_} {w.op(f'xor {type_} {rest}, {safe}')}, {zero}")
    adjust = w.op(f"and {vector(lanes, 'i1')} {uneven}, {apart}")
    if node.op == "mod":
        result = choose(w, dtype, lanes, adjust, w.op(f"add {type_} {rest}, {safe}"), rest)
        return result if plain else choose(w, dtype, lanes, none, zero, result)  # x % 1 is 0, as x % -1
    below = w.op(f"sub {type_} {quotient}, {splat(1, dtype)}")
    result = choose(w, dtype, lanes, adjust, below, quotient)
    if plain:
        return result
    # -a wraps for the smallest number.
    result = choose(w, dtype, lanes, minus, w.op(f"sub {type_} {zero}, {a}"), result)
    return choose(w, dtype, lanes, none, zero, result)


def wrap(w: Writer, given: DType, to: DType, lanes: int, a: str) -> str:
    """`a`, whose values are values of both types of whole numbers, as `to`, which is not longer."""
    if given.bits == to.bits:
        return a
    # Says to LLVM that nothing is cut off.
    kept = "nsw" if to.kind == "i" else "nuw"
    return w.op(f"trunc {kept} {vector(lanes, element(given))} {a} to {vector(lanes, element(to))}")


def convert(w: Writer, given: DType, to: DType, lanes: int, a: str) -> str:
    """`a` of type `given` as `to`: rounded half to even, saturated; NaN becomes 0."""
    if given == to:
        return a
    source, target = vector(lanes, element(given)), vector(lanes, element(to))
    if to == BOOL:
        return w.op(f"fcmp une {source} {a}, zeroinitializer" if given.is_float else
                    f"icmp ne {source} {a}, zeroinitializer")  # fmt: skip
    if given.is_float and to.is_float:
        return w.op(f"{'fpext' if to.bits > given.bits else 'fptrunc'} {source} {a} to {target}")
    if not to.is_float and not exact(given, to):
        made, fitting = clamp(w, given, to, lanes, a)
        return wrap(w, made, to, lanes, fitting) if made.bits > to.bits else _extend(w, made, to, lanes, fitting)
    signed = given.kind == "i"
    if to.is_float:
        if given.bits < 32:  # one step that every instruction set has
            a = w.op(f"{'sext' if signed else 'zext'} {source} {a} to {vector(lanes, 'i32')}")
            source, signed = vector(lanes, "i32"), True
        return w.op(f"{'sitofp' if signed else 'uitofp'} {source} {a} to {target}")
    return _extend(w, given, to, lanes, a)


def _extend(w: Writer, given: DType, to: DType, lanes: int, a: str) -> str:
    if to.bits == given.bits:
        return a
    signed = given.kind == "i" and to.kind == "i"  # i8 as u16 is no longer negative
    return w.op(f"{'sext' if signed else 'zext'} {vector(lanes, element(given))} {a} to {vector(lanes, element(to))}")


def _limits(dtype: DType) -> tuple[int, int]:
    info = np.iinfo(dtype.numpy)  # type: ignore[type-var]
    return int(info.min), int(info.max)


def clamp(w: Writer, given: DType, to: DType, lanes: int, a: str) -> tuple[DType, str]:
    """`a`, which may leave the limits of `to`, rounded and saturated -> (the type of whole numbers that it is in
    then, the value)."""
    if given.is_float:
        return _to_whole(w, given, to, lanes, a)
    (low, high), (least, most) = _limits(to), _limits(given)
    source = vector(lanes, element(given))
    kind = "s" if given.kind == "i" else "u"
    if low > least:
        a = w.call(source, f"llvm.{kind}max.{suffix(lanes, given)}", (source, a), (source, splat(low, given)))
    if high < most:
        a = w.call(source, f"llvm.{kind}min.{suffix(lanes, given)}", (source, a), (source, splat(high, given)))
    return given, a


def _f32_to_i32(w: Writer, lanes: int, a: str) -> str:
    """Rounded and saturated; 2**31 - 1, the upper bound, is no f32. (`llvm.fptosi.sat` goes lane by lane.)"""
    source, target = vector(lanes, "float"), vector(lanes, "i32")
    above = w.op(f"fcmp ogt {source} {a}, {splat(-(2.0**31), F32)}")  # NaN goes to the lowest value
    fitting = choose(w, F32, lanes, above, a, splat(-(2.0**31), F32))
    below = w.op(f"fcmp olt {source} {fitting}, {splat(2.0**31, F32)}")
    safe = choose(w, F32, lanes, below, fitting, splat(0.0, F32))
    whole = w.call(target, f"llvm.lrint.v{lanes}i32.v{lanes}f32", (source, safe))
    whole = choose(w, I32, lanes, below, whole, splat(2**31 - 1, I32))
    nan = w.op(f"fcmp uno {source} {a}, {a}")
    return choose(w, I32, lanes, nan, "zeroinitializer", whole)


def _to_whole(w: Writer, given: DType, to: DType, lanes: int, a: str) -> tuple[DType, str]:
    source = vector(lanes, element(given))
    if to == I32 and given.bits == 32:
        return to, _f32_to_i32(w, lanes, a)
    if to == I64:  # the bounds are no floats
        target = vector(lanes, element(to))
        rounded = w.call(source, f"llvm.rint.{suffix(lanes, given)}", (source, a))
        name = f"llvm.fptosi.sat.{suffix(lanes, to)}.{suffix(lanes, given)}"
        return to, w.call(target, name, (source, rounded))
    # The bounds are whole, so that it is the same to round behind them, and then one instruction rounds and converts.
    low, high = _limits(to)
    above = w.op(f"fcmp ogt {source} {a}, {splat(float(low), given)}")  # NaN goes to the lowest value
    fitting = choose(w, given, lanes, above, a, splat(float(low), given))
    below = w.op(f"fcmp olt {source} {fitting}, {splat(float(high), given)}")
    fitting = choose(w, given, lanes, below, fitting, splat(float(high), given))
    middle = vector(lanes, "i32")
    whole = w.call(middle, f"llvm.lrint.v{lanes}i32.{suffix(lanes, given)}", (source, fitting))
    if low < 0:
        nan = w.op(f"fcmp uno {source} {a}, {a}")
        whole = choose(w, I32, lanes, nan, "zeroinitializer", whole)
    return I32, whole
