"""The one table of scalar operations: arity, type rule, NumPy meaning, C spelling, cost.

Only operations that IEEE 754 rounds correctly or that work on integers are here, so every back end can give the
same bits. Everything transcendental (atan2, exp2, log2, power) is built from them in `kernels.ir.functions`.

Corner cases, the same everywhere:

* i32 wraps modulo 2**32 and i64 modulo 2**64, in `//` (-2**31 // -1 = -2**31) and abs too: back ends must not take
  overflow for undefined. `//` and `%` round towards minus infinity; `x // 0` and `x % 0` are 0.
* Shifts use the low five bits of the count (six for i64); `>>` keeps the sign.
* `min(a, b)` is `a < b ? a : b` and `max(a, b)` is `a > b ? a : b`: with a NaN on either side, or with two zeros of
  different sign, the result is `b`.
* Subnormals count; nothing is contracted or reassociated. The sign and payload of a NaN mean nothing: `bits` of
  any NaN is 0x7FC00000.
* `convert` to an integer rounds half to even and saturates; NaN becomes 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import ExprError
from kernels.ir.image import BOOL, F32, F64, I32, DType, arithmetic_type, common_type

Array = npt.NDArray[Any]
Rule = Callable[..., tuple[tuple[DType, ...], DType]]
"""Operand types -> (the types that the operands are converted to, the type of the result)."""


@dataclass(frozen=True, slots=True)
class Op:
    """One scalar operation.

    Args:
        name: as in `Expr.op`.
        arity: number of operands.
        rule: types of the operands as given -> (types they are converted to, result type).
        numpy: the meaning, on arrays of the converted types; returns the result type.
        c: the C expression, with {0}, {1}, {2} for the operands (the same text serves CUDA).
        cost: vector operations that it takes, about, for the cost model (add = 1).
        commutes: whether op(a, b) == op(b, a) to the last bit.
        c_int: the C expression for integers where the plain one would overflow (undefined in C; ours wraps).
    """

    name: str
    arity: int
    rule: Rule
    numpy: Callable[..., Array]
    c: str
    cost: float = 1.0
    commutes: bool = False
    c_int: str = ""


def _arithmetic(*types: DType) -> tuple[tuple[DType, ...], DType]:
    result = types[0] if len(types) == 1 else arithmetic_type(*types)
    result = arithmetic_type(result, result)
    return (result,) * len(types), result


def _division(a: DType, b: DType) -> tuple[tuple[DType, ...], DType]:
    result = F64 if F64 in (a, b) else F32
    return (result, result), result


def _integer(*types: DType) -> tuple[tuple[DType, ...], DType]:
    if any(t.is_float for t in types):
        raise ExprError(f"a whole-number operation got {' and '.join(t.name for t in types)}; convert to i32 first")
    return _arithmetic(*types)


def _logic(*types: DType) -> tuple[tuple[DType, ...], DType]:
    if all(t == BOOL for t in types):
        return types, BOOL
    return _integer(*types)


def _floating(*types: DType) -> tuple[tuple[DType, ...], DType]:
    result = F64 if F64 in types else F32
    return (result,) * len(types), result


def _common(a: DType, b: DType) -> tuple[tuple[DType, ...], DType]:
    result = common_type(a, b)
    return (result, result), result


def _comparison(a: DType, b: DType) -> tuple[tuple[DType, ...], DType]:
    return _common(a, b)[0], BOOL


def _selection(c: DType, a: DType, b: DType) -> tuple[tuple[DType, ...], DType]:
    if c != BOOL:
        raise ExprError(f"select needs a bool condition, not {c}")
    both, result = _common(a, b)
    return (BOOL, *both), result


def _only(given: DType, result: DType, name: str) -> Rule:
    def rule(t: DType) -> tuple[tuple[DType, ...], DType]:
        if t != given:
            raise ExprError(f"{name} takes {given}, not {t}")
        return (given,), result

    return rule


def _floordiv(a: Array, b: Array) -> Array:
    # Divided by 1 where the divisor is 0: NumPy would warn and leave a value of its own.
    zero = b == 0
    return np.where(zero, a.dtype.type(0), np.floor_divide(a, np.where(zero, b.dtype.type(1), b)))


def _mod(a: Array, b: Array) -> Array:
    zero = b == 0
    return np.where(zero, a.dtype.type(0), np.mod(a, np.where(zero, b.dtype.type(1), b)))


def _shift(function: Callable[..., Array]) -> Callable[..., Array]:
    # The low bits of the count alone, as processors do.
    return lambda a, b: function(a, b & (8 * a.dtype.itemsize - 1))


def _smaller(a: Array, b: Array) -> Array:
    return np.asarray(np.where(a < b, a, b))


def _larger(a: Array, b: Array) -> Array:
    return np.asarray(np.where(a > b, a, b))


def _bits(a: Array) -> Array:
    # All NaNs have one spelling.
    return np.where(np.isnan(a), np.int32(0x7FC00000), a.view(np.int32))


OPS: dict[str, Op] = {
    op.name: op
    for op in (
        Op("neg", 1, _arithmetic, np.negative, "(-{0})", c_int="wrap_sub_(0, {0})"),
        Op("abs", 1, _arithmetic, np.abs, "abs_({0})"),
        Op("add", 2, _arithmetic, np.add, "({0} + {1})", commutes=True, c_int="wrap_add_({0}, {1})"),
        Op("sub", 2, _arithmetic, np.subtract, "({0} - {1})", c_int="wrap_sub_({0}, {1})"),
        Op("mul", 2, _arithmetic, np.multiply, "({0} * {1})", commutes=True, c_int="wrap_mul_({0}, {1})"),
        Op("div", 2, _division, np.divide, "({0} / {1})", 8.0),
        Op("floordiv", 2, _integer, _floordiv, "floordiv_({0}, {1})", 12.0),
        Op("mod", 2, _integer, _mod, "mod_({0}, {1})", 14.0),
        Op("sqrt", 1, _floating, np.sqrt, "sqrt_({0})", 10.0),
        Op("floor", 1, _floating, np.floor, "floor_({0})"),
        Op("ceil", 1, _floating, np.ceil, "ceil_({0})"),
        Op("rint", 1, _floating, np.rint, "rint_({0})"),
        Op("min", 2, _common, _smaller, "min_({0}, {1})"),
        Op("max", 2, _common, _larger, "max_({0}, {1})"),
        Op("lt", 2, _comparison, np.less, "({0} < {1})"),
        Op("le", 2, _comparison, np.less_equal, "({0} <= {1})"),
        Op("eq", 2, _comparison, np.equal, "({0} == {1})", commutes=True),
        Op("ne", 2, _comparison, np.not_equal, "({0} != {1})", commutes=True),
        Op("and", 2, _logic, np.bitwise_and, "({0} & {1})", commutes=True),
        Op("or", 2, _logic, np.bitwise_or, "({0} | {1})", commutes=True),
        Op("xor", 2, _logic, np.bitwise_xor, "({0} ^ {1})", commutes=True),
        Op("not", 1, _logic, np.invert, "not_({0})"),
        Op("shl", 2, _integer, _shift(np.left_shift), "shl_({0}, {1})"),
        Op("shr", 2, _integer, _shift(np.right_shift), "shr_({0}, {1})"),
        Op("select", 3, _selection, np.where, "({0} ? {1} : {2})"),
        Op("bits", 1, _only(F32, I32, "bits"), _bits, "bits_({0})", 2.0),
        Op("from_bits", 1, _only(I32, F32, "from_bits"), lambda a: a.view(np.float32), "from_bits_({0})", 0.0),
    )
}


def convert(values: Array, to: DType) -> Array:
    """`values` in the type `to`: rounded half to even and saturated when `to` is an integer (NaN becomes 0)."""
    target: np.dtype[Any] = to.numpy
    if values.dtype == target:
        return values
    if to == BOOL:
        return np.not_equal(values, 0)
    if to.is_float or values.dtype == np.bool_:
        with np.errstate(over="ignore"):  # f64 beyond f32 is infinity
            return values.astype(target)
    limits: Any = np.iinfo(target)
    if values.dtype.kind == "f":
        # float64 holds every bound but 2**63 - 1; compare there, so that saturation is exact.
        rounded = np.rint(np.where(np.isnan(values), values.dtype.type(0), values)).astype(np.float64)
        high = rounded >= float(limits.max)
        low = rounded <= float(limits.min)
        inside = np.where(high | low, 0.0, rounded).astype(np.int64)
        return np.where(high, limits.max, np.where(low, limits.min, inside)).astype(target)
    source: Any = np.iinfo(values.dtype)
    if source.min >= limits.min and source.max <= limits.max:
        return values.astype(target)
    return np.clip(values.astype(np.int64), limits.min, limits.max).astype(target)


def exact(given: DType, to: DType) -> bool:
    """Whether every value of `given` is a value of `to` (so that the conversion loses nothing)."""
    if given in (to, BOOL):
        return True
    if to == BOOL or (given.is_float and not to.is_float):
        return False
    if to.is_float:
        return given.bits < to.bits if given.is_float else given.bits - (given.kind == "i") <= (24, 53)[to.bits == 64]
    return to.bits > given.bits and (to.kind == "i" or given.kind == "u")


def misfit(values: Sequence[float], dtype: DType) -> float | None:
    """The first of many Python numbers that is not a value of `dtype` (see `fits`), or None."""
    array = np.asarray(values)
    if array.dtype.kind in "bif":  # the common case, fast
        kept = convert(array, dtype)
        if bool((kept == array).all()) or (dtype.is_float and bool((np.isfinite(kept) == np.isfinite(array)).all())):
            return None
    return next((v for v in values if not fits(v, dtype)), None)


def fits(value: float, dtype: DType) -> bool:
    """Whether a Python number is a value of `dtype` without rounding (floats: without overflow)."""
    if dtype == BOOL:
        return value in (0, 1)
    if dtype.is_float:
        # Halfway from the largest value to the next power of two rounding goes to infinity.
        largest = 2.0**128 - 2.0**103 if dtype == F32 else math.inf
        try:
            return not math.isfinite(value) or abs(float(value)) < largest
        except OverflowError:
            return False
    half = 1 << (dtype.bits - (dtype.kind == "i"))
    return (isinstance(value, int) or value.is_integer()) and -half * (dtype.kind == "i") <= value < half


