"""The largest absolute values that expressions can have, channel by channel: what error bounds of floats are shares of.

Whole numbers by their ranges, images of floats by what is said of them (within -1..1, where nothing is), live
parameters as they are. A sum is widened by what its roundings can add.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from kernels.fusion.algebra_recurrence import coefficients, number
from kernels.fusion.narrow import Range, ranges
from kernels.ir.expr import Expr, postorder
from kernels.ir.functions import erf, sigmoid, tanh
from kernels.ir.image import F32, F64, DType
from kernels.ir.volumes import Contract
from kernels.param import Value

Array = npt.NDArray[np.float64]
"""A number a channel; one where all channels share it."""
FULL = 1.0
"""What images of floats are within, either side, unless said otherwise: full scale."""


@dataclass(frozen=True, slots=True)
class Smooth:
    """A function that is built of many nodes.

    Args:
        function: which.
        slope, most: the steepest slope and the largest value, both absolute.
        off: by how much what is computed of it is off.
    """

    function: Callable[[Expr], Expr]
    slope: float
    most: float
    off: float


SMOOTH = (
    Smooth(sigmoid, 0.25, 1.0, 1.2e-7), Smooth(tanh, 1.0, 1.0, 2.4e-7), Smooth(erf, 2 / math.sqrt(math.pi), 1.0, 8e-7),
)  # fmt: skip
BEYOND = 1e30
"""Where nothing is known any more: what follows might overflow."""


def unit(dtype: DType) -> float:
    """The largest relative error of one rounding."""
    return 2.0**-53 if dtype == F64 else 2.0**-24


def gamma(count: float, each: float = 2.0**-24) -> float:
    """n u / (1 - n u): by which share of the sum of its terms' sizes a sum of n of them can be off."""
    return count * each / (1 - count * each) if count * each < 1 else math.inf


def spread(how: Contract, values: Array) -> Array:
    """Sum |w| v for each channel of a contraction's result, v a number a channel of what it looks at."""
    features, _, _, channels = how.weights.array.shape
    # Sum of |w| over the taps, (features, channels of a group).
    sizes = np.abs(how.weights.array.astype(np.float64)).sum((1, 2))
    given = np.broadcast_to(values, (channels * how.groups,)).reshape(how.groups, channels)
    # Which group's channels a feature looks at.
    group = np.arange(features) // (features // how.groups)
    with np.errstate(invalid="ignore"):  # 0 times infinity: what has no weight is not looked at
        return np.asarray(np.where(sizes > 0, sizes * given[group], 0.0).sum(1))


def terms(how: Contract, start: Expr, size: Array) -> Array:
    """Sum |w||x| + |start| for each channel of a contraction's result, at most.

    Args:
        size: the largest |x|, a number a channel.
    """
    return spread(how, np.maximum(size, abs(how.outside))) + np.abs(constants(start))


def constants(start: Expr) -> Array:
    """What a contraction's sums begin with."""
    return np.atleast_1d(np.asarray(start.arg if start.op == "const" else start.arg.array, np.float64))


@dataclass(frozen=True, slots=True)
class Linear:
    """A recurrence s = a s + b x that begins with c x; a and b absolute, a below 1.

    Args:
        source: x.
        most: max(c, b / (1 - a)): how many times as large as |x| it grows.
    """

    source: Expr
    a: float
    b: float
    most: float


def linear(node: Expr, params: Mapping[str, Value]) -> Linear | None:
    """A recurrence as a linear one of one image that does not grow without end; None if it is another."""
    for source in postorder((node,)):
        if source.size is None or source.op in ("state", "recur"):
            continue
        update = coefficients(node.src[1], node.arg, source, params)
        first = coefficients(node.src[0], node.arg, source, params)
        if update is not None and first is not None and abs(update[0]) < 1 and not first[0]:
            a, b = abs(update[0]), abs(update[1])
            # The first frame's value, or the limit of the geometric series.
            return Linear(source, a, b, max(abs(first[1]), b / (1 - a)))
    return None


def smooth(node: Expr) -> tuple[Smooth, Expr] | None:
    """f and x where a node is f(x) of one of `SMOOTH`."""
    for known in SMOOTH:
        x = operand(node, known.function)
        if x is not None:
            return known, x
    return None


def operand(node: Expr, function: Callable[[Expr], Expr]) -> Expr | None:
    """x where a node is function(x), as it is written; None where it is not."""
    here = node
    for op, k in _path(function):
        if here.op != op:
            return None
        here = here.src[k]
    # Built anew from x it is the same node: expressions are hash-consed, so that `is` compares all of it.
    return here if here.dtype == F32 and here.channels == node.channels and function(here) is node else None


@cache
def _path(function: Callable[[Expr], Expr]) -> tuple[tuple[str, int], ...]:
    """Through which operations, and to which of their operands, the way goes from function(x) to x."""
    probe = Expr("param", (), "x", F32, None)
    waiting: list[tuple[Expr, tuple[tuple[str, int], ...]]] = [(function(probe), ())]
    while True:
        node, way = waiting.pop(0)
        if node is probe:
            return way
        # Breadth first: the shortest way to x, the same for every x.
        waiting += [(s, (*way, (node.op, k))) for k, s in enumerate(node.src)]


def magnitudes(
    order: Sequence[Expr], inputs: Sequence[float | None] = (), params: Mapping[str, Value] | None = None
) -> dict[Expr, Array]:
    """The largest absolute values of the nodes `order` (operands before users) of which something is known.

    Args:
        inputs: of the images by their number; None for what is not known, `FULL` of floats then.
        params: live parameters by name; nothing is known of others.
    """
    found: dict[Expr, Array] = {}
    whole = ranges(order)
    for node in order:
        if node.op == "recur":
            known = linear(node, params or {})
            if known is not None and known.source in found:
                steps = sum(1 for _ in postorder((node.src[1],)))
                # Each frame adds the roundings of one update, and the recurrence sums those of all frames before: 1 /
                # (1 - a).
                found[node] = found[known.source] * known.most * (1 + gamma(steps) / (1 - known.a))
            continue
        value = _most(node, [found.get(s) for s in node.src], whole, inputs, params or {})
        # Beyond that, products might overflow, and nothing more is said.
        if value is not None and bool((value < BEYOND).all()):
            found[node] = value
    return found


def _most(
    node: Expr, src: Sequence[Array | None], whole: Mapping[Expr, Range], inputs: Sequence[float | None],
    params: Mapping[str, Value],
) -> Array | None:  # fmt: skip
    if node.op == "input":
        given = inputs[node.arg.index] if node.arg.index < len(inputs) else None
        if given is not None:
            return np.array([given])
        return np.array([FULL if node.dtype.is_float else 2.0**node.dtype.bits])
    # Whole numbers are exact: their ranges say all, but for values by channel, which are finer below.
    if node in whole and node.op not in ("contract", "vector"):
        low, high = whole[node]
        return np.array([float(max(abs(low), abs(high)))])
    if node.op in ("const", "param"):
        value = number(node, params)
        return None if value is None else np.array([abs(value)])
    if node.op == "vector":
        return np.asarray(np.abs(node.arg.array.astype(np.float64)))
    # A choice is one of its branches; the condition has no size.
    if node.op == "select":
        src = src[1:]
    if (known_function := smooth(node)) is not None:
        return np.array([known_function[0].most])
    if node.op == "table":
        return np.array([float(max(abs(v) for v in node.arg))])
    known = [s for s in src if s is not None]
    return _of(node, known) if known and len(known) == len(src) else None


def _of(node: Expr, known: Sequence[Array]) -> Array | None:
    a, b = known[0], known[-1]
    match node.op:
        case "contract" if node.dtype == F32:
            # One sum of so many products and the start: gamma of the number of terms.
            return terms(node.arg, node.src[1], a) * (1 + gamma(node.arg.weights.array[0].size + 1))
        case "add" | "sub":
            return (1 + unit(node.dtype)) * (a + b)
        case "mul":
            return (1 + unit(node.dtype)) * a * b
        case "div" if node.src[1].op == "const" and node.src[1].arg:
            return (1 + unit(node.dtype)) * a / abs(float(node.src[1].arg))
        case "min" | "max" | "select":
            return np.maximum(a, b)
        case "mosaic":
            return np.asarray(np.max(np.broadcast_arrays(*known), 0))
        case "stack":
            return np.concatenate([np.broadcast_to(k, s.channels) for k, s in zip(known, node.src, strict=True)])
        case "part":
            first, count = node.arg
            return a[first : first + count] if len(a) > 1 else a
        case "sqrt":
            return np.sqrt(a)
        case "floor" | "ceil" | "rint":
            return a + 1
        case "neg" | "abs" | "convert":
            return a
        case "load" | "gather":
            border = node.arg.border
            return np.maximum(a, abs(border.value)) if border.mode == "constant" else a
        case "window":
            beyond = node.arg.border.value if node.arg.border.mode == "constant" else 0.0
            if node.arg.kind == "sum":
                return None if not math.isfinite(beyond) else _summed(node, np.maximum(a, abs(beyond)))
            return np.maximum(a, abs(beyond)) if math.isfinite(beyond) else a  # each window has a pixel of its own
    return None


def _summed(node: Expr, size: Array) -> Array:
    w = node.arg
    count = (w.x1 - w.x0 + 1) * (w.y1 - w.y0 + 1)
    return np.asarray(count * size * (1 + gamma(count, unit(node.dtype))))
