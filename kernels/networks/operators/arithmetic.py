"""Arithmetic and comparisons of tensors with each other and with constants, and of constants alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from kernels.errors import ExprError
from kernels.ir.expr import Expr, apply, convert, floor, maximum, minimum, rint, select, sqrt
from kernels.ir.functions import power
from kernels.ir.image import BOOL, DTYPES, F32
from kernels.networks.calls import Array, Call, Known, operator, pointwise
from kernels.networks.onnx_reader import TYPES
from kernels.networks.operators.convolution import affine
from kernels.networks.tensors import Tensor, broadcast, internal, together


def _divided(a: Expr, b: Expr) -> Expr:
    """a / b; of whole numbers rounded towards zero, as ONNX does."""
    if a.dtype.is_float or b.dtype.is_float:
        return a / b
    down = apply("floordiv", abs(a), abs(b))
    return select((a < 0) ^ (b < 0), -down, down)


def _divided_constants(a: Array, b: Array) -> Array:
    if a.dtype.kind == "f":
        return np.asarray(a / b)
    if not np.all(b):
        raise ExprError("a whole number is divided by 0")
    return np.asarray(np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b)), a.dtype)


def _remainder_constants(a: Array, b: Array) -> Array:
    if a.dtype.kind != "f" and not np.all(b):
        raise ExprError("a whole number is divided by 0")
    return np.asarray(np.mod(a, b))


def _raised(a: Expr, b: Expr) -> Expr:
    """a ** b for constants b, whole ones and 1/2, others of numbers that are not negative; and for constants a > 0."""
    if b.op != "const":
        if a.op == "const" and a.arg > 0:
            return power(a, convert(b, F32))
        raise ExprError("its exponent must be one constant")
    if b.arg == 0.5:
        return sqrt(a)
    if b.arg == int(b.arg) and 0 < abs(b.arg) <= _MOST_FACTORS:
        whole = _whole_power(a, abs(int(b.arg)))
        return whole if b.arg > 0 else 1.0 / whole
    return power(a, float(b.arg))


_MOST_FACTORS = 64
"""Up to which exponent a power is a product: beyond, one of anything but 1 soon leaves the range of floats."""


def _whole_power(a: Expr, count: int) -> Expr:
    """A product of `count` equal factors, by squares."""
    if count == 1:
        return a
    half = _whole_power(a, count // 2)
    return half * half * a if count % 2 else half * half


def _rest(a: Expr, b: Expr) -> Expr:
    """What a division leaves that is cut off towards zero, with the sign of a (C's fmod)."""
    if not (a.dtype.is_float or b.dtype.is_float):
        return a - _divided(a, b) * b
    share = a / b
    return a - select(share < 0.0, -floor(-share), floor(share)) * b


Two = Callable[[Expr, Expr], Expr]
_TWO: dict[str, tuple[Two, Callable[[Array, Array], Array]]] = {
    "Add": (lambda a, b: a + b, np.add),
    "Sub": (lambda a, b: a - b, np.subtract),
    "Mul": (lambda a, b: a * b, np.multiply),
    "Div": (_divided, _divided_constants),
    "Mod": (lambda a, b: a % b, _remainder_constants),
    "Pow": (_raised, np.power),
    "Less": (lambda a, b: a < b, np.less),
    "LessOrEqual": (lambda a, b: a <= b, np.less_equal),
    "Greater": (lambda a, b: a > b, np.greater),
    "GreaterOrEqual": (lambda a, b: a >= b, np.greater_equal),
    "Equal": (lambda a, b: a.eq(b), np.equal),
    "And": (lambda a, b: a & b, np.logical_and),
    "Or": (lambda a, b: a | b, np.logical_or),
    "Xor": (lambda a, b: a ^ b, np.logical_xor),
}
_MANY: dict[str, tuple[Two, Callable[[Array, Array], Array]]] = {
    "Min": (minimum, np.minimum), "Max": (maximum, np.maximum), "Sum": (lambda a, b: a + b, np.add),
}  # fmt: skip
_ONE: dict[str, tuple[Callable[[Expr], Expr], Callable[[Array], Array]]] = {
    "Neg": (lambda x: -x, np.negative),
    "Abs": (abs, np.abs),
    "Sqrt": (sqrt, np.sqrt),
    "Floor": (floor, np.floor),
    "Ceil": (lambda x: -floor(-x), np.ceil),
    "Round": (rint, np.rint),
    "Reciprocal": (lambda x: 1.0 / x, lambda x: np.asarray(1 / x, x.dtype)),
    "Not": (lambda x: ~x, np.logical_not),
    "IsNaN": (lambda x: x.ne(x), np.isnan),
    "Sign": (lambda x: select(x > 0, 1, 0).to(x.dtype) - select(x < 0, 1, 0).to(x.dtype), np.sign),
}


@operator(*_TWO)
def two(call: Call) -> Known:
    """An operation of two tensors; a sum with or a product by constants goes into a convolution before it."""
    a, b = call.value(0), call.value(1)
    expression, function = (_rest, np.fmod) if call.op == "Mod" and call.whole("fmod", 0) else _TWO[call.op]
    if not isinstance(a, Tensor) and not isinstance(b, Tensor):
        broadcast([a.shape, b.shape])
        with np.errstate(all="ignore"):
            return function(a, b)
    folded = _affine(call, a, b)
    if folded is not None:
        return folded
    (x, y), like = together([a, b])
    return like.over(expression(x, y))


def _affine(call: Call, a: Known, b: Known) -> Tensor | None:
    """x + c, x - c, x * c and x / c, where x is a contraction of floats that only this node looks at."""
    if not call.fold or isinstance(a, Tensor) == isinstance(b, Tensor) or call.op not in ("Add", "Sub", "Mul", "Div"):
        return None
    first = isinstance(a, Tensor)
    given, values = (a, b) if first else (b, a)
    assert isinstance(given, Tensor)
    if given.volume.op != "contract" or given.volume.dtype != F32 or call.uses[0 if first else 1] != 1:
        return None
    number = internal(np.asarray(values))
    if broadcast([given.shape, number.shape]) != given.shape or (not first and call.op in ("Sub", "Div")):
        return None
    one, zero = np.ones(1), np.zeros(1)
    factor, offset = {"Add": (one, number), "Sub": (one, -number), "Mul": (number, zero),
                      "Div": (1 / number.astype(np.float64), zero)}[call.op]  # fmt: skip
    index = 0 if first else 1
    only = replace(call, inputs=(given,), uses=(call.uses[index],))
    return affine(only, given, factor, offset)


@operator(*_MANY)
def many(call: Call) -> Known:
    """An operation of any number of tensors, from the left."""
    values = [call.value(i) for i in range(len(call.inputs))]
    expression, function = _MANY[call.op]
    if not any(isinstance(v, Tensor) for v in values):
        arrays = [np.asarray(v) for v in values]
        broadcast([a.shape for a in arrays])
        found = arrays[0]
        for array in arrays[1:]:
            found = function(found, array)
        return found
    expressions, like = together(values)
    made = expressions[0]
    for one in expressions[1:]:
        made = expression(made, one)
    return like.over(made)


@operator(*_ONE)
def one_operand(call: Call) -> Known:
    """An operation of one tensor."""
    given = call.value(0)
    expression, function = _ONE[call.op]
    if isinstance(given, Tensor):
        return pointwise(expression, given)
    with np.errstate(all="ignore"):
        return np.asarray(function(given))


@operator("Where")
def where(call: Call) -> Known:
    """The second where the first holds, else the third."""
    values = [call.value(i) for i in range(3)]
    if not any(isinstance(v, Tensor) for v in values):
        broadcast([v.shape for v in values])
        holds, then, other = (np.asarray(v) for v in values)
        return np.where(holds, then, other)
    (condition, a, b), like = together(values)
    return like.over(select(convert(condition, BOOL), a, b))


@operator("Cast", "CastLike")
def cast(call: Call) -> Known:
    """To another type; floats become f32 and longer whole numbers i32. Of floats that do not fit the end is taken."""
    given = call.value(0)
    if call.op == "CastLike":
        like = call.value(1)
        name = like.volume.dtype.numpy.name if isinstance(like, Tensor) else like.dtype.name
    else:
        number = call.whole("to", 0)
        if number not in TYPES:
            raise ExprError(f"it casts to the element type {number}, which is not understood")
        name = TYPES[number]
    if not isinstance(given, Tensor):
        with np.errstate(all="ignore"):
            return np.asarray(given).astype(name)
    wanted = internal(np.zeros(0, name)).dtype.name
    to = next(t for t in DTYPES.values() if t.numpy.name == wanted)

    def converted(x: Expr) -> Expr:
        if x.dtype.is_float and not to.is_float and to != BOOL:  # ONNX cuts off, `convert` rounds
            x = select(x < 0.0, -floor(-x), floor(x))
        return convert(x, to)

    return pointwise(converted, given)
