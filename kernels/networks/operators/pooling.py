"""Pooling over windows, and pictures that grow or shrink."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from kernels.errors import ExprError
from kernels.ir.expr import Expr, const, convert, lookup, maximum
from kernels.ir.image import F32, I32
from kernels.ir.planes import Border, Tap, coord, gather, load, window
from kernels.ir.volumes import Contract, Weights, contract, mosaic, part, stack
from kernels.networks.calls import Array, Call, channels_first, floats, image_roles, operator
from kernels.networks.operators.convolution import Pair, padding, pair
from kernels.networks.tensors import HERE, Tensor, laid

_MOST_TAPS = 49
"""Of a window with gaps."""
_MOST_SIDE = 1 << 15
"""Pixels along a side of a picture that grows."""


def windows(call: Call, volume: Expr, rank: int) -> tuple[Pair, Pair, Pair, tuple[Pair, Pair], Pair]:
    """(taps, stride, dilation, pads, size of the result) of a pooling operator."""
    taps = pair(call.wholes("kernel_shape"), rank, "kernel_shape")
    stride = pair(call.wholes("strides", [1] * (rank - 2)), rank, "strides")
    dilation = pair(call.wholes("dilations", [1] * (rank - 2)), rank, "dilations")
    assert volume.size is not None
    pads = padding(call, volume.size, taps, stride, dilation, rank)
    reach = [(k - 1) * d + 1 for k, d in zip(taps, dilation, strict=True)]
    if any(p < 0 or p >= k for both, k in zip(pads, reach, strict=True) for p in both if k > 1):
        raise ExprError(f"its pads {pads} do not go with windows of {taps[1]}x{taps[0]}")
    ceil = bool(call.whole("ceil_mode", 0))
    size = []
    for n, (a, b), k, s in zip(volume.size, pads, reach, stride, strict=True):
        count = (n + a + b - k + (s - 1 if ceil else 0)) // s + 1
        # ONNX's ceil_mode rounds the number of windows up, which may add one that lies in the padding alone.
        if ceil and (count - 1) * s >= n + a:  # a window that begins behind the picture is none
            count -= 1
        size.append(count)
    if min(size) < 1:
        raise ExprError(f"its windows of {taps[1]}x{taps[0]} are larger than its picture")
    return taps, stride, dilation, pads, (size[0], size[1])


@operator("MaxPool", moves=True)
def max_pool(call: Call) -> Tensor:
    """The largest value of each window."""
    given = call.tensor()
    volume = channels_first(given)
    taps, stride, dilation, pads, size = windows(call, volume, len(given.axes))
    assert volume.size is not None
    border = Border("constant", -math.inf)
    if dilation != (1, 1):
        if taps[0] * taps[1] > _MOST_TAPS:
            raise ExprError(f"windows of {taps[1]}x{taps[0]} with gaps are not understood")
        looks = [load(volume, border, dx=i * dilation[1] - pads[1][0], dy=j * dilation[0] - pads[0][0], size=_whole(
                 size, stride)) for j in range(taps[0]) for i in range(taps[1])]  # fmt: skip
        largest = looks[0]
        for one in looks[1:]:
            largest = maximum(largest, one)
        return laid(every(largest, stride, size), image_roles(given))
    before = [a for a, _ in pads]
    if any((count - 1) * s >= n for count, s, n in zip(size, stride, volume.size, strict=True)):
        whole = tuple(max(n + a, (count - 1) * s + k)
                      for n, a, count, s, k in zip(volume.size, before, size, stride, taps, strict=True))  # fmt: skip
        volume = load(volume, border, -before[1], -before[0], size=(whole[0], whole[1]))
        before = [0, 0]
    y, x = ((-a, k - 1 - a) for a, k in zip(before, taps, strict=True))
    widest = window("max", volume, border, x, y)
    return laid(every(widest, stride, size), image_roles(given))


def _whole(size: Pair, stride: Pair) -> Pair:
    """Of a picture of which every n-th pixel is taken."""
    return (size[0] - 1) * stride[0] + 1, (size[1] - 1) * stride[1] + 1


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
    taps, stride, dilation, pads, size = windows(call, volume, len(given.axes))
    assert volume.size is not None
    total = summed(volume, taps, stride, dilation, pads, size)
    include = bool(call.whole("count_include_pad", 0))
    counts = []
    for name, n, (a, b), k, d, s, count in zip("yx", volume.size, pads, taps, dilation, stride, size, strict=True):
        places = (np.arange(count) * s - a)[:, np.newaxis] + np.arange(k) * d
        low, high = (-a, n + b) if include else (0, n)
        inside = ((places >= low) & (places < high)).sum(1)
        same = (inside == inside[0]).all()
        counts.append(const(float(inside[0]), F32) if same else lookup(inside.tolist(), coord(name, size), F32))
    return laid(total / (counts[0] * counts[1]), image_roles(given))


def summed(volume: Expr, taps: Pair, stride: Pair, dilation: Pair, pads: tuple[Pair, Pair], size: Pair) -> Expr:
    """The sum of each window."""
    ones = Weights(np.ones((volume.channels, *taps, 1), np.float32))
    how = Contract(ones, size, -pads[0][0], -pads[1][0], stride, dilation, volume.channels)
    return contract(volume, const(0.0, F32), how)


Place = Callable[[Array, Any, int, int], Array]
"""(numbers of pixels, scale, length before, length after) -> where they lie before. For the nearest pixel in f32,
operation by operation as onnxruntime has it: a place that is a whole number in exact arithmetic may be the next float
below, which is another pixel, and that is what users compare with."""
_PLACES: dict[str, Place] = {
    "half_pixel": lambda i, scale, _n, _m: (i + 0.5) / scale - 0.5,
    "pytorch_half_pixel": lambda i, scale, _n, m: (i + 0.5) / scale - 0.5 if m > 1 else i * 0.0,
    "asymmetric": lambda i, scale, _n, _m: i / scale,
    "tf_half_pixel_for_nn": lambda i, scale, _n, _m: (i + 0.5) / scale,
    "align_corners": lambda i, _scale, n, m: i * (n - 1) / (m - 1) if m > 1 else i * 0.0,
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
    if policy not in ("stretch", "not_larger", "not_smaller"):
        raise ExprError(f"its keep_aspect_ratio_policy {policy!r} is not understood")
    lengths, factors = list(shape), [1.0] * rank  # lengths by f32, too: 13 x f32(7 / 13) is 7 there and less in f64
    shares = [n / shape[axis % rank] for n, axis in zip(sizes.tolist(), axes, strict=False)]
    for k, axis in enumerate(axes):
        at = axis % rank
        if sizes.size and policy == "stretch":
            lengths[at] = int(sizes[k])
            factors[at] = lengths[at] / shape[at]
        elif sizes.size:  # the same for all axes
            factors[at] = min(shares) if policy == "not_larger" else max(shares)
            lengths[at] = math.floor(shape[at] * factors[at] + 0.5)
        else:
            factors[at] = float(scales[k])
            if not 0 < factors[at] < _MOST_SIDE:
                raise ExprError(f"its scale is {factors[at]:g}")
            lengths[at] = math.floor(np.float32(shape[at]) * np.float32(factors[at]))
    if any(not 0 < n <= _MOST_SIDE for n in lengths) or tuple(lengths[:2]) != tuple(shape[:2]):
        raise ExprError(f"it makes {lengths} of {list(shape)}; it may change height and width only")
    return tuple(lengths), tuple(factors)


@operator("Resize", "Upsample")
def resize(call: Call) -> Tensor:
    """Nearest neighbour, linear or cubic interpolation, by ONNX's rules of where pixels lie."""
    given = call.tensor()
    volume, roles = channels_first(given), image_roles(given)
    lengths, factors = resized_size(call, given.shape)
    older = call.op == "Upsample" or call.opset < 11
    mode = call.text("mode", "nearest")
    rule = call.text("coordinate_transformation_mode", "asymmetric" if older else "half_pixel")
    nearest = call.text("nearest_mode", "floor" if older else "round_prefer_floor")
    if rule not in _PLACES or mode not in ("nearest", "linear", "bilinear", "cubic") or nearest not in _NEAREST:
        raise ExprError(f"the mode {mode!r} with {rule!r} and {nearest!r} is not understood")
    if call.whole("antialias", 0):
        raise ExprError("antialiasing is not understood")
    assert volume.size is not None
    size = ((1,) + lengths[2:]) if len(roles) == 3 else lengths[2:]
    scale = ((1.0,) + factors[2:]) if len(roles) == 3 else factors[2:]
    height, width = size
    number = np.float32 if mode == "nearest" else np.float64
    rows, columns = (_PLACES[rule](np.arange(m, dtype=number), number(s), n, m)
                     for m, s, n in zip(size, scale, volume.size, strict=True))  # fmt: skip
    if mode == "nearest":
        y, x = (_line(name, np.clip(_NEAREST[nearest](p.astype(np.float64)), 0, n - 1), (height, width))
                for name, p, n in zip("yx", (rows, columns), volume.size, strict=True))  # fmt: skip
        return laid(gather(volume, y, x, (height, width), HERE), roles)
    volume = convert(volume, F32)
    if call.whole("exclude_outside", 0):
        raise ExprError("exclude_outside is not understood")
    for axis, places in enumerate((rows, columns)):
        steep = call.number("cubic_coeff_a", -0.75)
        volume = cubic(volume, axis, places, steep) if mode == "cubic" else between(volume, axis, places)
    return laid(volume, roles)


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
    if step := _whole_step(low, share, length):
        # Looks at strides say where they go, so that what makes the picture is fused with them.
        (sy, sx), at = ((step, 1) if axis == 0 else (1, step)), int(low[0])
        looks = [Tap(0, *((k, 0) if axis == 0 else (0, k)), HERE, sy, sx, size) for k in (at, at + 1)]
        ends = [Expr("load", (volume,), look, volume.dtype, size) for look in looks]
        return ends[0] * const(float(np.float32(1) - share[0]), F32) + ends[1] * const(float(share[0]), F32)
    name = "yx"[axis]
    first = _line(name, low, size)
    second = _line(name, np.minimum(low + 1, length - 1), size)
    other = coord("yx"[1 - axis], size)
    ends = [gather(volume, *((at, other) if axis == 0 else (other, at)), size, HERE) for at in (first, second)]
    weight = lookup(share.tolist(), coord(name, size), F32)
    return ends[0] * (1.0 - weight) + ends[1] * weight


def _whole_step(low: Array, share: Array, length: int) -> int:
    """From one place to the next, where that is a whole number of pixels, 2 at least, all lie between two pixels of the
    picture, and each as far from the first of these; else 0."""
    steps = np.unique(np.diff(low))
    alike = len(steps) == 1 and steps[0] >= 2 and len(np.unique(share)) == 1
    return int(steps[0]) if alike and low[0] >= 0 and low[-1] + 1 < length else 0


def cubic(volume: Expr, axis: int, places: Array, steep: float) -> Expr:
    """Cubic convolution along one axis (Keys, 1981), pixels at the edge copied."""
    assert volume.size is not None
    length = volume.size[axis]
    if np.array_equal(places, np.arange(length)):
        return volume
    size = (len(places), volume.size[1]) if axis == 0 else (volume.size[0], len(places))
    low = np.floor(places)
    name, other = "yx"[axis], coord("yx"[1 - axis], size)
    total: Expr | None = None
    for tap in range(-1, 3):
        apart = np.abs(places - low - tap)
        # Keys' kernel (IEEE Trans. ASSP 29, 1153, 1981) with a free parameter a = `steep`, -0.5 in the paper,
        # -0.75 in ONNX.
        near = ((steep + 2) * apart - (steep + 3)) * apart * apart + 1
        far = ((steep * apart - 5 * steep) * apart + 8 * steep) * apart - 4 * steep
        share = np.where(apart <= 1, near, np.where(apart < 2, far, 0)).astype(np.float32)
        at = _line(name, np.clip(low + tap, 0, length - 1), size)
        one = gather(volume, *((at, other) if axis == 0 else (other, at)), size, HERE)
        weighted = one * lookup(share.tolist(), coord(name, size), F32)
        total = weighted if total is None else total + weighted
    assert total is not None
    return total


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
