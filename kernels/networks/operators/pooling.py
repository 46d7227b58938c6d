"""Pooling over windows, and pictures that grow or shrink."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from kernels.errors import ExprError
from kernels.ir.expr import Expr, const, convert, lookup
from kernels.ir.image import F32, I32
from kernels.ir.planes import Border, Tap, coord, gather, load, window
from kernels.ir.volumes import Contract, Weights, contract, mosaic, part, stack
from kernels.networks.calls import Array, Call, channels_first, floats, image_roles, operator
from kernels.networks.operators.convolution import Pair, padding, pair
from kernels.networks.tensors import HERE, Tensor, laid

_MOST_SIDE = 1 << 15
"""Pixels along a side of a picture that grows."""


def _windows(call: Call, volume: Expr, rank: int) -> tuple[Pair, Pair, tuple[Pair, Pair], Pair]:
    """(taps, stride, pads, size of the result) of a pooling operator."""
    taps = pair(call.wholes("kernel_shape"), rank, "kernel_shape")
    stride = pair(call.wholes("strides", [1] * (rank - 2)), rank, "strides")
    if pair(call.wholes("dilations", [1] * (rank - 2)), rank, "dilations") != (1, 1):
        raise ExprError("its windows have gaps (dilations), which is not understood")
    assert volume.size is not None
    pads = padding(call, volume.size, taps, stride, (1, 1), rank)
    if any(p < 0 or p >= k for both, k in zip(pads, taps, strict=True) for p in both if k > 1):
        raise ExprError(f"its pads {pads} do not go with windows of {taps[1]}x{taps[0]}")
    ceil = bool(call.whole("ceil_mode", 0))
    size = []
    for n, (a, b), k, s in zip(volume.size, pads, taps, stride, strict=True):
        count = (n + a + b - k + (s - 1 if ceil else 0)) // s + 1
        if ceil and (count - 1) * s >= n + a:  # a window that begins behind the picture is none
            count -= 1
        size.append(count)
    return taps, stride, pads, (size[0], size[1])


@operator("MaxPool", moves=True)
def max_pool(call: Call) -> Tensor:
    """The largest value of each window."""
    given = call.tensor()
    volume = channels_first(given)
    taps, stride, pads, size = _windows(call, volume, len(given.axes))
    assert volume.size is not None
    border = Border("constant", -math.inf)
    before = [a for a, _ in pads]
    if any((count - 1) * s >= n for count, s, n in zip(size, stride, volume.size, strict=True)):
        whole = tuple(max(n + a, (count - 1) * s + k)
                      for n, a, count, s, k in zip(volume.size, before, size, stride, taps, strict=True))  # fmt: skip
        volume = load(volume, border, -before[1], -before[0], size=(whole[0], whole[1]))
        before = [0, 0]
    y, x = ((-a, k - 1 - a) for a, k in zip(before, taps, strict=True))
    widest = window("max", volume, border, x, y)
    return laid(every(widest, stride, size), image_roles(given))


def every(volume: Expr, stride: Pair, size: Pair, dy: int = 0, dx: int = 0) -> Expr:
    """Every n-th pixel along y and x."""
    if stride == (1, 1) and size == volume.size and (dy, dx) == (0, 0):
        return volume
    return Expr("load", (volume,), Tap(0, dy, dx, HERE, *stride, size), volume.dtype, size)


@operator("AveragePool")
def average_pool(call: Call) -> Tensor:
    """The mean of each window; pixels beyond the edge are not counted unless `count_include_pad` says so."""
    given = floats(call.tensor())
    volume = channels_first(given)
    taps, stride, pads, size = _windows(call, volume, len(given.axes))
    assert volume.size is not None
    ones = Weights(np.ones((volume.channels, *taps, 1), np.float32))
    total = contract(volume, const(0.0, F32), Contract(ones, size, -pads[0][0], -pads[1][0], stride,
                                                       groups=volume.channels))  # fmt: skip
    include = bool(call.whole("count_include_pad", 0))
    counts = []
    for name, n, (a, b), k, s, count in zip("yx", volume.size, pads, taps, stride, size, strict=True):
        starts = np.arange(count) * s - a
        low, high = (-a, n + b) if include else (0, n)
        inside = np.minimum(starts + k, high) - np.maximum(starts, low)
        same = (inside == inside[0]).all()
        counts.append(const(float(inside[0]), F32) if same else lookup(inside.tolist(), coord(name, size), F32))
    return laid(total / (counts[0] * counts[1]), image_roles(given))


Place = Callable[[Array, float, int, int], Array]
"""(numbers of pixels, scale, length before, length after) -> where they lie before."""
_PLACES: dict[str, Place] = {
    "half_pixel": lambda i, scale, _n, _m: (i + 0.5) / scale - 0.5,
    "pytorch_half_pixel": lambda i, scale, _n, m: (i + 0.5) / scale - 0.5 if m > 1 else i * 0.0,
    "asymmetric": lambda i, scale, _n, _m: i / scale,
    "align_corners": lambda i, _scale, n, m: i * ((n - 1) / (m - 1)) if m > 1 else i * 0.0,
    "half_pixel_symmetric": lambda i, scale, n, m: (
        n / 2 * (1 - m / (n * scale)) + (i + 0.5) / scale - 0.5
    ),
}  # fmt: skip
_NEAREST: dict[str, Callable[[Array], Array]] = {
    "floor": np.floor,
    "ceil": np.ceil,
    "round_prefer_floor": lambda p: np.ceil(p - 0.5),
    "round_prefer_ceil": lambda p: np.floor(p + 0.5),
}


def resized_size(call: Call, shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """(lengths, scales) of a Resize or Upsample.

    Raises:
        ExprError: the batch or the channels change, or the picture grows too large.
    """
    rank = len(shape)
    axes = call.wholes("axes", range(rank)) if "axes" in call.operation.attributes else tuple(range(rank))
    older = call.op == "Upsample" or call.opset < 11
    scales = call.constant(1 if older else 2, np.zeros(0, np.float32)).reshape(-1)
    sizes = np.zeros(0, np.int64) if older else call.constant(3, np.zeros(0, np.int64)).reshape(-1)
    if older and not scales.size and "scales" in call.operation.attributes:
        scales = np.asarray(call.operation.attributes["scales"], np.float32)
    policy = call.text("keep_aspect_ratio_policy", "stretch")
    if len(sizes if sizes.size else scales) != len(axes):
        raise ExprError("it needs scales or sizes, one for each axis")
    if policy != "stretch":
        raise ExprError(f"its keep_aspect_ratio_policy {policy!r} is not understood")
    lengths, factors = list(shape), [1.0] * rank
    for k, axis in enumerate(axes):
        at = axis % rank
        if sizes.size:
            lengths[at] = int(sizes[k])
            factors[at] = lengths[at] / shape[at]
        else:
            factors[at] = float(scales[k])
            if not 0 < factors[at] < _MOST_SIDE:
                raise ExprError(f"its scale is {factors[at]:g}")
            lengths[at] = math.floor(shape[at] * factors[at])
    if any(not 0 < n <= _MOST_SIDE for n in lengths) or tuple(lengths[:2]) != tuple(shape[:2]):
        raise ExprError(f"it makes {lengths} of {list(shape)}; it may change height and width only")
    return tuple(lengths), tuple(factors)


@operator("Resize", "Upsample")
def resize(call: Call) -> Tensor:
    """Nearest neighbour or linear interpolation, by ONNX's rules of where pixels lie."""
    given = call.tensor()
    volume, roles = channels_first(given), image_roles(given)
    lengths, factors = resized_size(call, given.shape)
    older = call.op == "Upsample" or call.opset < 11
    mode = call.text("mode", "nearest")
    rule = call.text("coordinate_transformation_mode", "asymmetric" if older else "half_pixel")
    nearest = call.text("nearest_mode", "floor" if older else "round_prefer_floor")
    if rule not in _PLACES or mode not in ("nearest", "linear", "bilinear") or nearest not in _NEAREST:
        raise ExprError(f"the mode {mode!r} with {rule!r} and {nearest!r} is not understood")
    if call.whole("antialias", 0):
        raise ExprError("antialiasing is not understood")
    assert volume.size is not None
    size = ((1,) + lengths[2:]) if len(roles) == 3 else lengths[2:]
    scale = ((1.0,) + factors[2:]) if len(roles) == 3 else factors[2:]
    height, width = size
    rows, columns = (_PLACES[rule](np.arange(m, dtype=np.float64), s, n, m)
                     for m, s, n in zip(size, scale, volume.size, strict=True))  # fmt: skip
    if mode == "nearest":
        y, x = (_line(name, np.clip(_NEAREST[nearest](_grid(p)), 0, n - 1), (height, width))
                for name, p, n in zip("yx", (rows, columns), volume.size, strict=True))  # fmt: skip
        return laid(gather(volume, y, x, (height, width), HERE), roles)
    volume = convert(volume, F32)
    for axis, places in enumerate((rows, columns)):
        volume = between(volume, axis, places)
    return laid(volume, roles)


def _grid(places: Array) -> Array:
    """Without the last bits, which must not decide to which side a half is rounded."""
    return np.round(places, 6)


def between(volume: Expr, axis: int, places: Array) -> Expr:
    """Linear interpolation along one axis."""
    assert volume.size is not None
    length = volume.size[axis]
    if np.array_equal(places, np.arange(length)):
        return volume
    size = (len(places), volume.size[1]) if axis == 0 else (volume.size[0], len(places))
    places = np.clip(places, 0, length - 1)
    low = np.floor(places)
    share = (places - low).astype(np.float32)
    name = "yx"[axis]
    first = _line(name, low, size)
    second = _line(name, np.minimum(low + 1, length - 1), size)
    other = coord("yx"[1 - axis], size)
    ends = [gather(volume, *((at, other) if axis == 0 else (other, at)), size, HERE) for at in (first, second)]
    weight = lookup(share.tolist(), coord(name, size), F32)
    return ends[0] * (1.0 - weight) + ends[1] * weight


def _line(axis: str, places: Array, size: Pair) -> Expr:
    """Whole numbers along one axis of an image: arithmetic where there is a simple rule, else a table."""
    here = coord(axis, size)
    numbers = places.astype(np.int64)
    index = np.arange(len(numbers))
    for factor in (1, 2, 3, 4, 8, 16):
        if np.array_equal(numbers, index // factor):
            return here if factor == 1 else here // factor
        if np.array_equal(numbers, index * factor):
            return here * factor
    return lookup(numbers.tolist(), here, I32)


@operator("DepthToSpace", computes=False, moves=True)
def depth_to_space(call: Call) -> Tensor:
    """Blocks of channels become blocks of pixels."""
    volume = channels_first(call.tensor())
    block, mode = call.whole("blocksize", 0), call.text("mode", "DCR")
    if not 1 <= block <= 64 or volume.channels % (block * block) or mode not in ("DCR", "CRD"):
        raise ExprError(f"blocks of {block} by {mode!r} do not go with {volume.channels} channels")
    count = volume.channels // (block * block)
    if mode == "DCR":
        parts = [part(volume, k * count, count) for k in range(block * block)]
    else:
        parts = [stack([part(volume, c * block * block + k) for c in range(count)]) for k in range(block * block)]
    return laid(mosaic(parts, (block, block)), "1cyx")


@operator("SpaceToDepth", computes=False, moves=True)
def space_to_depth(call: Call) -> Tensor:
    """Blocks of pixels become blocks of channels."""
    volume = channels_first(call.tensor())
    block = call.whole("blocksize", 0)
    assert volume.size is not None
    height, width = volume.size
    if not 1 <= block <= 64 or height % block or width % block:
        raise ExprError(f"blocks of {block} do not go with {width}x{height} pixels")
    size = height // block, width // block
    return laid(stack([every(volume, (block, block), size, j, i) for j in range(block) for i in range(block)]), "1cyx")
