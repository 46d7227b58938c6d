"""Convolutions, transposed ones, products with matrices: each one contraction, with what is constant behind it."""

from __future__ import annotations

import math

import numpy as np

from kernels.errors import ExprError
from kernels.ir.expr import Expr, const
from kernels.ir.image import F32
from kernels.ir.volumes import Contract, Weights, contract, vector
from kernels.networks.calls import Array, Call, Known, channels_first, floats, image_roles, operator
from kernels.networks.dequantised import exact_sums
from kernels.networks.tensors import Atom, Tensor, arranged, constant_over, laid, transposed

Pair = tuple[int, int]
_MOST_WEIGHTS = 1 << 24
"""Of a matrix that is repeated for each channel: 64 MB of floats."""


def bias_of(values: Array | None, features: int) -> Expr:
    """What a contraction starts from.

    Raises:
        ExprError: it is not a value a channel.
    """
    if values is None:
        return const(0.0, F32)
    if values.size != features:
        raise ExprError(f"a bias of {values.size} values does not go with {features} channels")
    line = values.astype(np.float32).reshape(-1)
    return const(float(line[0]), F32) if (line == line[0]).all() else vector(line)


def pair(numbers: tuple[int, ...], rank: int, name: str) -> Pair:
    """(y, x) of an attribute that has a number for each axis of an image, or one for a line.

    Raises:
        ExprError: another count, or below 1.
    """
    if len(numbers) != rank - 2 or min(numbers) < 1:
        raise ExprError(f"its attribute {name} is {list(numbers)}, but must have {rank - 2} numbers of at least 1")
    return (1, numbers[0]) if rank == 3 else (numbers[0], numbers[1])


def padding(call: Call, size: Pair, taps: Pair, stride: Pair, dilation: Pair, rank: int) -> tuple[Pair, Pair]:
    """((before, after) along y, along x), by the attributes pads and auto_pad.

    Raises:
        ExprError: what they say has no meaning.
    """
    auto = call.text("auto_pad", "NOTSET")
    reach = [(k - 1) * d + 1 for k, d in zip(taps, dilation, strict=True)]
    if auto in ("SAME_UPPER", "SAME_LOWER"):
        found = []
        for n, s, r in zip(size, stride, reach, strict=True):
            both = max(0, (math.ceil(n / s) - 1) * s + r - n)
            less = both // 2
            found.append((less, both - less) if auto == "SAME_UPPER" else (both - less, less))
        return found[0], found[1]
    if auto not in ("NOTSET", "VALID"):
        raise ExprError(f"its attribute auto_pad is {auto!r}")
    pads = call.wholes("pads", [0] * (2 * (rank - 2))) if auto == "NOTSET" else (0,) * (2 * (rank - 2))
    if len(pads) != 2 * (rank - 2) or max(map(abs, pads), default=0) > 1 << 20:
        raise ExprError(f"its attribute pads is {list(pads)}")
    return ((0, 0), (pads[0], pads[1])) if rank == 3 else ((pads[0], pads[2]), (pads[1], pads[3]))


def unpadded(volume: Expr, outside: int = 0) -> tuple[Expr, Pair]:
    """A volume that was padded with `outside`, without: that lies around an image for a contraction anyway.

    Returns:
        The volume, and how many pixels were put before it along (y, x).
    """
    if volume.op == "load" and volume.arg.size is not None:
        tap, inner = volume.arg, volume.src[0]
        zeros = tap.border.mode == "constant" and tap.border.value == outside
        zeros = zeros and (tap.stride_y, tap.stride_x, tap.dt) == (1, 1, 0)
        assert inner.size is not None
        whole = all(d <= 0 and n - d >= m for d, n, m in zip((tap.dy, tap.dx), tap.size, inner.size, strict=True))
        if zeros and whole:
            return inner, (-tap.dy, -tap.dx)
    return volume, (0, 0)


def kernel_of(call: Call, rank: int) -> Array:
    """The weights with two kernel axes, of which a line's (`rank` 3) has the first of length 1."""
    weights = call.weights(1)
    if weights.ndim != rank:
        raise ExprError(f"weights of {weights.ndim} axes do not go with a tensor of {rank} axes")
    return weights[:, :, np.newaxis, :] if rank == 3 else weights


@operator("Conv")
def conv(call: Call) -> Tensor:
    """Weights (F, C / group, kernel axes)."""
    given = floats(call.tensor())
    rank, weights = len(given.axes), kernel_of(call, len(given.axes))
    roles, volume = image_roles(given), channels_first(given)
    taps = weights.shape[2], weights.shape[3]
    stride = pair(call.wholes("strides", [1] * (rank - 2)), rank, "strides")
    dilation = pair(call.wholes("dilations", [1] * (rank - 2)), rank, "dilations")
    assert volume.size is not None
    pads = padding(call, volume.size, taps, stride, dilation, rank)
    size = tuple((n + a + b - d * (k - 1) - 1) // s + 1
                 for n, (a, b), k, s, d in zip(volume.size, pads, taps, stride, dilation, strict=True))  # fmt: skip
    exact = exact_sums(given, weights, 0, call.given(2)) if volume is given.volume else None
    volume, before = unpadded(volume) if exact is None else unpadded(exact.volume, exact.zero)
    y0, x0 = -pads[0][0] - before[0], -pads[1][0] - before[1]
    factors = weights if exact is None else exact.weights
    how = Contract(Weights(np.ascontiguousarray(factors.transpose(0, 2, 3, 1))), (size[0], size[1]), y0, x0, stride,
                   dilation, call.whole("group", 1), outside=0 if exact is None else exact.zero)  # fmt: skip
    if exact is not None:
        return exact.floats(laid(contract(volume, vector(exact.start), how), roles))
    start = bias_of(None if call.given(2) is None else call.weights(2), how.features)
    return laid(contract(volume, start, how), roles)


@operator("ConvTranspose")
def conv_transpose(call: Call) -> Tensor:
    """Weights (C, F / group, kernel axes), of which every pixel gives all: as a contraction of the grown picture."""
    given = floats(call.tensor())
    rank, weights = len(given.axes), kernel_of(call, len(given.axes))
    roles, volume = image_roles(given), channels_first(given)
    channels, per, *taps = weights.shape
    stride = pair(call.wholes("strides", [1] * (rank - 2)), rank, "strides")
    dilation = pair(call.wholes("dilations", [1] * (rank - 2)), rank, "dilations")
    more = call.wholes("output_padding", [0] * (rank - 2))
    if len(more) != rank - 2 or min(more) < 0:
        raise ExprError(f"its attribute output_padding is {list(more)}")
    extra = (0, more[0]) if rank == 3 else (more[0], more[1])
    assert volume.size is not None
    full = [(n - 1) * s + d * (k - 1) + 1 + e
            for n, s, d, k, e in zip(volume.size, stride, dilation, taps, extra, strict=True)]  # fmt: skip
    auto = call.text("auto_pad", "NOTSET")
    wanted = call.wholes("output_shape", ()) or (
        tuple(n * s for n, s in zip(volume.size, stride, strict=True))[4 - rank :] if auto.startswith("SAME") else ()
    )
    if wanted:
        size = pair(wanted[-(rank - 2) :], rank, "output_shape")
        cut = [max(0, f - n) for f, n in zip(full, size, strict=True)]
        before = [c - c // 2 if auto != "SAME_UPPER" else c // 2 for c in cut]
    else:
        pads = padding(call, volume.size, (taps[0], taps[1]), stride, dilation, rank)
        size = full[0] - sum(pads[0]), full[1] - sum(pads[1])
        before = [pads[0][0], pads[1][0]]
    groups = call.whole("group", 1)
    if groups < 1 or channels % groups:
        raise ExprError(f"{channels} channels do not fall into {groups} groups")
    turned = weights[:, :, ::-1, ::-1].reshape(groups, channels // groups, per, *taps)
    turned = turned.transpose(0, 2, 3, 4, 1).reshape(groups * per, *taps, channels // groups)
    y0, x0 = (b - (k - 1) * d for b, k, d in zip(before, taps, dilation, strict=True))
    how = Contract(Weights(np.ascontiguousarray(turned)), size, y0, x0, (1, 1), dilation, groups, stride)
    start = bias_of(None if call.given(2) is None else call.weights(2), how.features)
    return laid(contract(volume, start, how), roles)


@operator("Gemm")
def gemm(call: Call) -> Tensor:
    """alpha * A @ B + beta * C with constant B and C."""
    alpha, beta = np.float32(call.number("alpha", 1.0)), np.float32(call.number("beta", 1.0))
    turned = bool(call.whole("transB", 0))
    plain = alpha == beta == 1 and not call.whole("transA", 0)
    made = exact_product(call, 0 if turned else 1, call.given(2)) if plain else None
    if made is not None:
        return made
    matrix = call.weights(1) * alpha
    bias = None if call.given(2) is None else call.weights(2) * beta
    if matrix.ndim != 2:
        raise ExprError("it takes a matrix")
    matrix = matrix if turned else matrix.T
    if bias is not None and bias.size != len(matrix):
        bias = np.broadcast_to(bias.reshape(-1)[-1:] if bias.size == 1 else bias, len(matrix))
    given = floats(call.tensor())
    given = transposed(given, (1, 0)) if call.whole("transA", 0) else given
    return product(given, matrix, bias_of(bias, len(matrix)))


def exact_product(call: Call, features: int, bias: Known | None) -> Tensor | None:
    """A product with a matrix of whole numbers, whose axis `features` counts what is made; None where it is one of
    floats."""
    given = call.tensor()
    exact = exact_sums(given, call.weights(1), features, bias) if call.weights(1).ndim == 2 else None
    if exact is None:
        return None
    sums = product(Tensor(exact.volume, given.axes), exact.weights, vector(exact.start), exact.zero)
    return exact.floats(sums)


def product(given: Tensor, matrix: Array, start: Expr, zero: int = 0) -> Tensor:
    """The last axis of a tensor times a matrix (features, length): over channels alone, or over the whole image.

    Args:
        given: floats for a matrix of f32, u8 or i8 for one of i8.
        start: what the sums begin with.
        zero: what stands for 0 in `given`.

    Raises:
        ExprError: the last axis has another length, or lies across pixels and others do, too.
    """
    length, last = given.shape[-1], given.axes[-1]
    if length != matrix.shape[1]:
        raise ExprError(f"a matrix for {matrix.shape[1]} values meets {length}")
    height, width = given.size
    pixels = [a for a in last if a.axis != "c"]
    features = len(matrix)
    if any(given.axes[:-1]) if pixels else any(a.axis == "c" for axis in given.axes[:-1] for a in axis):
        names = iter("yx" if sum(map(bool, given.axes[:-1])) > 1 else "y")
        roles = "".join(next(names, "1") if axis else "1" for axis in given.axes[:-1]) + "c"
        try:
            moved = arranged(given, roles)
        except ExprError:
            apart = _each_channel(given, matrix, start, zero)
            if apart is None:
                raise
            return apart
        return product(laid(moved, roles), matrix, start, zero)
    # What a column of the matrix meets: a pixel (if the last axis runs over them) and a channel.
    steps = {"y": 0, "x": 1, "c": 2}
    cut = matrix.reshape(features, *(a.count for a in last))
    order = sorted(range(len(last)), key=lambda i: (steps[last[i].axis], -last[i].step))
    cut = cut.transpose(0, *(i + 1 for i in order))
    taps = (height, width) if pixels else (1, 1)
    weights = np.ascontiguousarray(cut.reshape(features, *taps, given.volume.channels))
    size = (1, 1) if pixels else (height, width)
    made = contract(given.volume, start, Contract(Weights(weights), size, outside=zero))
    axis = (Atom("c", 1, features),) if features > 1 else ()
    return Tensor(made, (*given.axes[:-1], axis))


def _each_channel(given: Tensor, matrix: Array, start: Expr, zero: int) -> Tensor | None:
    """The same where the last axis is all pixels and the others are the channels, as in an expected place over heat
    maps: every channel by itself. None where they lie otherwise, or the matrix, once a channel, is too large."""
    height, width = given.size
    channels, features = given.volume.channels, len(matrix)
    rest = [atom for axis in given.axes[:-1] for atom in axis]
    across = [atom.axis for atom in given.axes[-1]]
    if "c" in across or any(atom.axis != "c" for atom in rest) or channels * matrix.size > _MOST_WEIGHTS:
        return None
    order = sorted(range(len(across)), key=lambda i: ("yx".index(across[i]), -given.axes[-1][i].step))
    cut = matrix.reshape(features, *(atom.count for atom in given.axes[-1])).transpose(0, *(i + 1 for i in order))
    weights = np.tile(cut.reshape(features, height, width, 1), (channels, 1, 1, 1))
    how = Contract(Weights(np.ascontiguousarray(weights)), (1, 1), groups=channels, outside=zero)
    axes = [tuple(Atom("c", atom.step * features, atom.count) for atom in axis) for axis in given.axes[:-1]]
    return Tensor(contract(given.volume, _repeated(start, channels), how),
                  (*axes, (Atom("c", 1, features),) if features > 1 else ()))  # fmt: skip


def _repeated(start: Expr, times: int) -> Expr:
    """What sums begin with, for as many channels in turn."""
    return vector(np.tile(start.arg.array, times)) if start.op == "vector" else start


@operator("BatchNormalization")
def batch_normalization(call: Call) -> Tensor:
    """(x - mean) / sqrt(variance + epsilon) * scale + bias, folded into a convolution before it."""
    given = floats(call.tensor())
    if call.whole("training_mode", 0):
        raise ExprError("it is in training mode (its mean would be that of each image); export the model for inference")
    scale, bias, mean, variance = (call.weights(i).astype(np.float64) for i in range(1, 5))
    factor = scale / np.sqrt(variance + call.number("epsilon", 1e-5))
    shape = (1, -1) + (1,) * (len(given.axes) - 2)
    return affine(call, given, factor.reshape(shape), (bias - mean * factor).reshape(shape))


def affine(call: Call, given: Tensor, factor: Array, offset: Array) -> Tensor:
    """x * factor + offset with constants; inside a contraction that only this node looks at, else behind it."""
    one, other = (constant_over(v.astype(np.float32), given) for v in (factor, offset))
    folded = _folded(given.volume, one, other) if call.fold and call.uses[0] == 1 else None
    return given.over(given.volume * one + other if folded is None else folded)


def _folded(volume: Expr, factor: Expr, offset: Expr) -> Expr | None:
    """contract * factor + offset as one contraction; None where that is not possible."""
    if volume.op != "contract" or volume.dtype != F32:
        return None
    known = [_line(e, volume.channels) for e in (volume.src[1], factor, offset)]
    if any(k is None for k in known):
        return None
    start, scale, shift = (np.asarray(k, np.float64) for k in known)
    how = volume.arg
    weights = how.weights.array * scale[:, np.newaxis, np.newaxis, np.newaxis]
    made = Contract(Weights(weights.astype(np.float32)), how.size, how.y0, how.x0, how.stride, how.dilation, how.groups,
                    how.up, how.outside)  # fmt: skip
    return contract(volume.src[0], bias_of(start * scale + shift, volume.channels), made)


def _line(value: Expr, channels: int) -> Array | None:
    """A constant a channel as an array; None if it is something else."""
    if value.op == "const":
        return np.full(channels, value.arg)
    if value.op == "vector" and value.channels == channels:
        found: Array = value.arg.array
        return found
    return None
