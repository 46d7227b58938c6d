"""Functions of a value: activations and their like."""

from __future__ import annotations

import math
from dataclasses import replace

from kernels.errors import ExprError
from kernels.ir.expr import Expr, const, maximum, minimum, select
from kernels.ir.functions import erf, exponential, log2, sigmoid, tanh
from kernels.ir.image import I32
from kernels.networks.calls import Call, Known, floats, operator, pointwise, scalar
from kernels.networks.tensors import Tensor, together


@operator("Relu")
def relu(call: Call) -> Known:
    """max(x, 0)."""
    given = call.value(0)
    if not isinstance(given, Tensor):
        return pointwise(lambda x: maximum(x, 0), given)
    sums = given.whole is not None and given.whole.volume.dtype == I32
    whole = replace(given.whole, rectified=True) if given.whole is not None and sums else None
    return replace(pointwise(lambda x: maximum(x, 0), given), whole=whole)


@operator("LeakyRelu")
def leaky_relu(call: Call) -> Known:
    """X where it is positive, else alpha * x."""
    alpha = call.number("alpha", 0.01)
    return pointwise(lambda x: select(x < 0.0, x * alpha, x), floats(call.value(0)))


@operator("PRelu")
def prelu(call: Call) -> Tensor:
    """X where it is positive, else slope * x."""
    slope = call.weights(1)
    given = floats(call.tensor())
    if slope.ndim < len(given.axes) and slope.size > 1 and slope.shape[0] == given.shape[1] and slope.ndim == 1:
        slope = slope.reshape(-1, *([1] * (len(given.axes) - 2)))  # a slope a channel, as some exporters write it
    (x, s), like = together([given, slope])
    return like.over(select(x < 0.0, x * s, x))


@operator("Clip")
def clip(call: Call) -> Known:
    """Between two constants: inputs since opset 11, attributes before."""
    given = call.value(0)
    ends = []
    for index, name, default in ((1, "min", -math.inf), (2, "max", math.inf)):
        found = call.number(name, default) if call.given(index) is None else float(scalar(call.constant(index)))
        ends.append(found)
    low, high = ends

    def clipped(x: Expr) -> Expr:
        if not math.isinf(low):
            x = maximum(x, const(low if x.dtype.is_float else int(low), x.dtype))
        return x if math.isinf(high) else minimum(x, const(high if x.dtype.is_float else int(high), x.dtype))

    return pointwise(clipped, given)


@operator("Sigmoid")
def sigmoid_of(call: Call) -> Known:
    """1 / (1 + e**-x)."""
    return pointwise(sigmoid, floats(call.value(0)))


@operator("HardSigmoid")
def hard_sigmoid(call: Call) -> Known:
    """max(0, min(1, alpha * x + beta))."""
    alpha, beta = call.number("alpha", 0.2), call.number("beta", 0.5)
    return pointwise(lambda x: maximum(minimum(x * alpha + beta, 1.0), 0.0), floats(call.value(0)))


@operator("HardSwish")
def hard_swish(call: Call) -> Known:
    """X * max(0, min(1, x / 6 + 1/2))."""
    return pointwise(lambda x: x * maximum(minimum(x * (1 / 6) + 0.5, 1.0), 0.0), floats(call.value(0)))


@operator("Tanh")
def tanh_of(call: Call) -> Known:
    """Hyperbolic tangent."""
    return pointwise(tanh, floats(call.value(0)))


@operator("Exp")
def exp_of(call: Call) -> Known:
    """e**x."""
    return pointwise(exponential, floats(call.value(0)))


@operator("Log")
def log_of(call: Call) -> Known:
    """Natural logarithm."""
    return pointwise(lambda x: log2(x) * math.log(2.0), floats(call.value(0)))


@operator("Elu")
def elu(call: Call) -> Known:
    """X where it is positive, else alpha * (e**x - 1)."""
    alpha = call.number("alpha", 1.0)
    return pointwise(lambda x: select(x < 0.0, (exponential(x) - 1.0) * alpha, x), floats(call.value(0)))


@operator("Softplus")
def softplus(call: Call) -> Known:
    """log(1 + e**x), without overflow."""
    natural = math.log(2.0)
    return pointwise(lambda x: maximum(x, 0.0) + log2(exponential(-abs(x)) + 1.0) * natural, floats(call.value(0)))


def gelu(x: Expr, tanh_form: bool) -> Expr:
    """X times the normal distribution's function of x, or its approximation by tanh."""
    if tanh_form:
        return x * 0.5 * (tanh((x + x * x * x * 0.044715) * math.sqrt(2.0 / math.pi)) + 1.0)
    return x * 0.5 * (erf(x * math.sqrt(0.5)) + 1.0)


@operator("Erf")
def erf_of(call: Call) -> Known:
    """The error function."""
    return pointwise(erf, floats(call.value(0)))


@operator("Gelu", "com.microsoft.Gelu")
def gelu_of(call: Call) -> Known:
    """X times the normal distribution's function of x."""
    form = call.text("approximate", "none")
    if form not in ("none", "tanh"):
        raise ExprError(f"its attribute approximate is {form!r}")
    return pointwise(lambda x: gelu(x, form == "tanh"), floats(call.value(0)))


@operator("Mish")
def mish(call: Call) -> Known:
    """X * tanh(log(1 + e**x))."""
    natural = math.log(2.0)
    return pointwise(
        lambda x: x * tanh(maximum(x, 0.0) + log2(exponential(-abs(x)) + 1.0) * natural), floats(call.value(0))
    )


@operator("Selu")
def selu(call: Call) -> Known:
    """gamma * x where it is positive, else gamma * alpha * (e**x - 1)."""
    alpha, gamma = call.number("alpha", 1.67326319217681884765625), call.number("gamma", 1.05070102214813232421875)
    return pointwise(
        lambda x: select(x < 0.0, (exponential(x) - 1.0) * (alpha * gamma), x * gamma), floats(call.value(0))
    )


@operator("Celu")
def celu(call: Call) -> Known:
    """X where it is positive, else alpha * (e**(x / alpha) - 1)."""
    alpha = call.number("alpha", 1.0)
    if alpha == 0:
        raise ExprError("its attribute alpha is 0")
    return pointwise(lambda x: select(x < 0.0, (exponential(x / alpha) - 1.0) * alpha, x), floats(call.value(0)))


@operator("ThresholdedRelu")
def thresholded_relu(call: Call) -> Known:
    """X where it is above alpha, else 0."""
    alpha = call.number("alpha", 1.0)
    return pointwise(lambda x: select(x > alpha, x, 0.0), floats(call.value(0)))


@operator("Shrink")
def shrink(call: Call) -> Known:
    """X nearer to 0 by bias where it is farther than lambd, else 0."""
    size, bias = call.number("lambd", 0.5), call.number("bias", 0.0)
    return pointwise(lambda x: select(x < -size, x + bias, select(x > size, x - bias, 0.0)), floats(call.value(0)))


@operator("com.microsoft.QuickGelu", "Swish")
def swish(call: Call) -> Known:
    """X * sigmoid(alpha * x)."""
    alpha = call.number("alpha", 1.702 if call.op == "QuickGelu" else 1.0)
    return pointwise(lambda x: x * sigmoid(x * alpha), floats(call.value(0)))


@operator("Softsign")
def softsign(call: Call) -> Known:
    """X / (1 + |x|)."""
    return pointwise(lambda x: x / (abs(x) + 1.0), floats(call.value(0)))


@operator("Dropout")
def dropout(call: Call) -> Known:
    """What comes in: it only acts while a network is trained."""
    return call.value(0)
