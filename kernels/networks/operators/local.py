"""Powers of what is near a value: pooling by them, and normalisation over neighbouring channels."""

from __future__ import annotations

import math

import numpy as np

from kernels.errors import ExprError
from kernels.ir.expr import Expr, const, sqrt
from kernels.ir.functions import power
from kernels.ir.image import F32
from kernels.ir.volumes import Contract, Weights, contract
from kernels.networks.calls import Call, channels_first, floats, image_roles, operator
from kernels.networks.operators.pooling import summed, windows
from kernels.networks.operators.reducing import reduced
from kernels.networks.tensors import Tensor, laid


def _powers(call: Call, given: Tensor) -> Expr:
    """|x| ** p, p being 1 or 2, as an image.

    Raises:
        ExprError: it is another number.
    """
    p = call.whole("p", 2)
    if p not in (1, 2):
        raise ExprError(f"its p is {p}; it takes 1 or 2")
    x = channels_first(given)
    return abs(x) if p == 1 else x * x


@operator("LpPool")
def lp_pool(call: Call) -> Tensor:
    """The p-th root of the sum of each window's |x| ** p."""
    given = floats(call.tensor())
    powers = _powers(call, given)
    taps, stride, dilation, pads, size = windows(call, powers, len(given.axes))
    total = summed(powers, taps, stride, dilation, pads, size)
    return laid(total if call.whole("p", 2) == 1 else sqrt(total), image_roles(given))


@operator("GlobalLpPool")
def global_lp_pool(call: Call) -> Tensor:
    """The same over the whole image."""
    given = floats(call.tensor())
    powers = _powers(call, given)
    made = reduced("sum", laid(powers, image_roles(given)), list(range(2, len(given.axes))), True)
    return made if call.whole("p", 2) == 1 else made.over(sqrt(made.volume))


@operator("LRN")
def local_response_normalization(call: Call) -> Tensor:
    """X / (bias + alpha / size * (sum of squares of neighbouring channels)) ** beta."""
    given = floats(call.tensor())
    x, length = channels_first(given), call.whole("size", 1)
    if not 1 <= length <= x.channels * 2:
        raise ExprError(f"its size is {length}")
    numbers = np.arange(x.channels)
    apart = numbers[np.newaxis] - numbers[:, np.newaxis]
    near = (apart >= -((length - 1) // 2)) & (apart <= math.ceil((length - 1) / 2))
    assert x.size is not None
    how = Contract(Weights(near.astype(np.float32).reshape(x.channels, 1, 1, -1)), x.size)
    total = contract(x * x, const(0.0, F32), how)
    base = total * (call.number("alpha", 1e-4) / length) + call.number("bias", 1.0)
    return laid(x / power(base, call.number("beta", 0.75)), image_roles(given))
