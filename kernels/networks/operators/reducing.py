"""Sums, means and extrema over axes, the place of the largest value, and softmax."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from kernels.errors import ExprError
from kernels.ir.expr import Expr, const, maximum, minimum, select
from kernels.ir.functions import exponential
from kernels.ir.image import F32, I32
from kernels.ir.planes import Border, coord, load, window
from kernels.ir.volumes import Contract, Weights, contract, part, vector
from kernels.networks.calls import Call, Known, floats, front, operator, pointwise
from kernels.networks.operators.moving import joined
from kernels.networks.tensors import Atom, Axis, Tensor, arranged, laid, together

_CONSTANTS: Mapping[str, Callable[..., Any]] = {
    "ReduceMax": np.max, "ReduceMin": np.min, "ReduceSum": np.sum, "ReduceMean": np.mean, "ReduceProd": np.prod,
}  # fmt: skip
_MOST_CHANNELS = 4096
"""Over which an extremum is taken, one by one."""
_MOST_BEST = 32
"""Values that are found by TopK, one by one."""
_WORST = {"max": -math.inf, "min": math.inf}


def reduced(kind: str, given: Tensor, axes: Sequence[int], keep: bool) -> Tensor:
    """Sum (in order of pixels, then channels, from 0), max or min over some axes.

    Raises:
        ExprError: the axes take part of an axis of the volume and leave the rest.
    """
    rank = len(given.axes)
    chosen = {front(a, rank) for a in axes}
    over, left = _split(given, chosen)
    if over & left == {"c"} and kind == "sum" and given.volume.dtype == F32:
        return _grouped_sum(given, chosen, over, keep)
    if over & left:
        roles = _apart(given, chosen)
        given = laid(arranged(given, roles), roles)
        over, left = _split(given, chosen)
    if kind == "sum" and not given.volume.dtype.is_float:
        raise ExprError("it sums whole numbers, which is not understood; cast them to floats first")
    volume = _over_pixels(kind, given.volume, "y" in over, "x" in over)
    if "c" in over:
        volume = _over_channels(kind, volume)
    new: list[Axis] = [() if i in chosen else axis for i, axis in enumerate(given.axes)]
    return Tensor(volume, tuple(axis for i, axis in enumerate(new) if keep or i not in chosen))


def _grouped_sum(given: Tensor, chosen: set[int], over: set[str], keep: bool) -> Tensor:
    """A sum over pixels (if they are chosen) and some pieces of the channels: one product with ones and zeros."""
    pixels = _over_pixels("sum", given.volume, "y" in over, "x" in over)
    kept = [atom for i, axis in enumerate(given.axes) if i not in chosen for atom in axis if atom.axis == "c"]
    count = math.prod(atom.count for atom in kept)
    numbers, steps, rest = np.zeros(given.volume.channels, np.int64), {}, count
    for atom in kept:
        rest //= atom.count
        steps[atom] = rest
        numbers += np.arange(given.volume.channels) // atom.step % atom.count * rest
    ones = (np.arange(count)[:, np.newaxis] == numbers).astype(np.float32).reshape(count, 1, 1, -1)
    assert pixels.size is not None
    made = contract(pixels, const(0.0, F32), Contract(Weights(ones), pixels.size))
    axes = [tuple(replace(a, step=steps.get(a, a.step)) for a in axis) for axis in given.axes]
    new = [() if i in chosen else axis for i, axis in enumerate(axes)]
    return Tensor(made, tuple(axis for i, axis in enumerate(new) if keep or i not in chosen))


def _split(given: Tensor, chosen: set[int]) -> tuple[set[str], set[str]]:
    over = {atom.axis for i, axis in enumerate(given.axes) if i in chosen for atom in axis}
    left = {atom.axis for i, axis in enumerate(given.axes) if i not in chosen for atom in axis}
    return over, left


def _apart(given: Tensor, chosen: set[int]) -> str:
    """Roles in which the chosen axes share no axis of the volume with others."""
    long = [i for i, axis in enumerate(given.axes) if axis]
    free = ["x", "y", "c"]
    names = {i: free.pop() for i in long[:3]}
    if len(long) > 3:
        raise ExprError(f"a tensor of the shape {list(given.shape)} is reduced over axes {sorted(chosen)}")
    return "".join(names.get(i, "1") for i in range(len(given.axes)))


def _over_pixels(kind: str, volume: Expr, rows: bool, columns: bool) -> Expr:
    assert volume.size is not None
    height, width = volume.size
    if kind == "sum" and (rows or columns):
        taps = height if rows else 1, width if columns else 1
        ones = Weights(np.ones((volume.channels, *taps, 1), np.float32))
        size = 1 if rows else height, 1 if columns else width
        return contract(volume, const(0.0, F32), Contract(ones, size, groups=volume.channels))
    inside = Border("replicate")
    if rows and height > 1:
        volume = load(window(kind, volume, inside, (0, 0), (0, height - 1)), inside, size=(1, width))
    if columns and width > 1:
        size = 1 if rows else height, 1
        volume = load(window(kind, volume, inside, (0, width - 1), (0, 0)), inside, size=size)
    return volume


def _over_channels(kind: str, volume: Expr) -> Expr:
    if kind == "sum":
        assert volume.size is not None
        ones = Weights(np.ones((1, 1, 1, volume.channels), np.float32))
        return contract(volume, const(0.0, F32), Contract(ones, volume.size))
    if volume.channels > _MOST_CHANNELS:
        raise ExprError(f"the largest of {volume.channels} channels is taken, more than {_MOST_CHANNELS}")
    found = [part(volume, c) for c in range(volume.channels)]
    fold = maximum if kind == "max" else minimum
    while len(found) > 1:  # two by two, so that no chain grows long
        found = [fold(a, b) for a, b in zip(found[::2], found[1::2], strict=False)] + found[len(found) & ~1 :]
    return found[0]


@operator("ReduceMax", "ReduceMin", "ReduceSum", "ReduceMean", "ReduceProd")
def reduce_some(call: Call) -> Known:
    """Over axes: an input of newer operators, an attribute of older ones; without any over all."""
    given = call.value(0)
    axes = call.listed(1, "axes")
    keep = bool(call.whole("keepdims", 1))
    rank = given.ndim if not isinstance(given, Tensor) else len(given.axes)
    if not axes:
        if axes == () and call.whole("noop_with_empty_axes", 0):
            return given
        axes = tuple(range(rank))
    if not isinstance(given, Tensor):
        over = tuple(front(a, rank) for a in axes)
        return np.asarray(_CONSTANTS[call.op](given, axis=over, keepdims=keep), given.dtype)
    if call.op in ("ReduceMax", "ReduceMin"):
        return reduced(call.op[-3:].lower(), given, axes, keep)
    if call.op == "ReduceProd":
        raise ExprError("products of tensors are not understood")
    made = reduced("sum", floats(given), axes, keep)
    if call.op == "ReduceSum":
        return made
    return pointwise(lambda x: x / float(math.prod(given.shape[front(a, rank)] for a in axes)), made)


@operator("GlobalAveragePool")
def global_average_pool(call: Call) -> Tensor:
    """The mean over the image."""
    given = floats(call.tensor())
    axes = range(2, len(given.axes))
    return pointwise(lambda x: x / float(math.prod(given.shape[2:])), reduced("sum", given, list(axes), True))


@operator("GlobalMaxPool")
def global_max_pool(call: Call) -> Tensor:
    """The largest value of the image."""
    given = call.tensor()
    return reduced("max", given, list(range(2, len(given.axes))), True)


@operator("ArgMax", "ArgMin")
def arg_max(call: Call) -> Tensor:
    """Where along an axis the largest value is, the first one of several (or the last)."""
    given = call.tensor()
    axis = call.axis(0, len(given.axes))
    kind = call.op[-3:].lower()
    last = bool(call.whole("select_last_index", 0))
    return _place_of(given, reduced(kind, given, [axis], True), axis, last, bool(call.whole("keepdims", 1)))


def _place_of(given: Tensor, best: Tensor, axis: int, last: bool = False, keep: bool = True) -> Tensor:
    """Where along an axis the value `best` is, the first time or the last."""
    (x, b), like = together([given, best])
    numbers = select(x.eq(b), _place(like, like.axes[axis]), const(-1 if last else 2**31 - 1, I32))
    return reduced("max" if last else "min", like.over(numbers), [axis], keep)


@operator("TopK")
def top_k(call: Call) -> tuple[Tensor, Tensor]:
    """The k largest values along an axis (or smallest), the first of equal ones first, and their places."""
    given = floats(call.tensor())
    axis = call.axis(-1, len(given.axes))
    count = call.listed(1, "k")
    if count is None or len(count) != 1 or not 1 <= count[0] <= given.shape[axis]:
        raise ExprError(f"it takes the best {count} of {given.shape[axis]} values")
    if count[0] > _MOST_BEST:
        raise ExprError(f"it takes the best {count[0]} values; more than {_MOST_BEST} are not understood")
    kind = "max" if call.whole("largest", 1) else "min"
    values, places = [reduced(kind, given, [axis], True)], list[Tensor]()
    places.append(_place_of(given, values[0], axis))
    while len(values) < count[0]:
        (x, before, p), like = together([given, values[-1], places[-1]])
        number = _place(like, like.axes[axis])
        # Not taken are those behind the last one taken; a value may itself be the worst there is.
        left = (x < before if kind == "max" else x > before) | (x.eq(before) & (number > p))
        best = reduced(kind, like.over(select(left, x, const(_WORST[kind], x.dtype))), [axis], True)
        (x, b, left), like = together([given, best, like.over(left)])
        found = select(left & x.eq(b), _place(like, like.axes[axis]), const(2**31 - 1, I32))
        values.append(best)
        places.append(reduced("min", like.over(found), [axis], True))
    return joined(values, axis), joined(places, axis)


def _place(like: Tensor, axis: Axis) -> Expr:
    """The number of a value along an axis, for every value of the volume."""
    found: Expr = const(0, I32)
    inner = math.prod(a.count for a in axis)
    for atom in axis:
        inner //= atom.count
        found = found + _number(like, atom) * inner
    return found


def _number(like: Tensor, atom: Atom) -> Expr:
    if atom.axis == "c":
        return vector((np.arange(like.volume.channels) // atom.step % atom.count).astype(np.int32))
    return coord(atom.axis, like.size) // atom.step % atom.count


@operator("Softmax")
def softmax(call: Call) -> Known:
    """e**x over its sum along an axis (before opset 13: along all axes from there on)."""
    given = floats(call.value(0))
    rank = len(given.shape)
    axis = call.axis(-1 if call.opset >= 13 else 1, rank)
    axes = [axis] if call.opset >= 13 else list(range(axis, rank))
    if not isinstance(given, Tensor):
        shares = np.exp(given - given.max(tuple(axes), keepdims=True))
        return np.asarray(shares / shares.sum(tuple(axes), keepdims=True), given.dtype)
    (x, highest), like = together([given, reduced("max", given, axes, True)])
    weights = like.over(exponential(x - highest))
    (one, total), like = together([weights, reduced("sum", weights, axes, True)])
    return like.over(one / total)
