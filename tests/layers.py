"""Random small layers of networks and graphs of them, for property tests."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from hypothesis import strategies as st

from kernels.ir.body import Body, Output, Part, Source
from kernels.ir.expr import Expr, const, maximum, minimum, select
from kernels.ir.image import F32, DType, ImageType
from kernels.ir.planes import BORDERS, Border, Tap, coord, gather, input_plane, load, window
from kernels.ir.verify import verify
from kernels.ir.volumes import Contract, Weights, contract, input_volume, mosaic, part, stack, vector

KINDS = ("dense", "dense", "depthwise", "grouped", "pointwise", "transposed", "activation", "scale", "sum", "stack",
         "part", "pool", "mosaic", "gather", "planes", "load", "siblings", "skip")  # fmt: skip


@dataclass
class Layers:
    """A graph of layers, one body each, the image that goes in, and how to call them."""

    source: ImageType
    parts: list[Part] = field(default_factory=list)
    types: list[ImageType] = field(default_factory=list)


def numbers(draw: st.DrawFn, shape: tuple[int, ...]) -> np.ndarray:
    """f32 numbers of few different sizes, some of which cancel."""
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    values = rng.standard_normal(shape).astype(np.float32)
    return np.where(rng.random(shape) < 0.1, np.float32(0), values)


def pairs(draw: st.DrawFn, low: int, high: int) -> tuple[int, int]:
    return draw(st.integers(low, high)), draw(st.integers(low, high))


@st.composite
def contractions(draw: st.DrawFn, size: tuple[int, int], channels: int, kind: str = "dense") -> Contract:
    """A contraction of any shape for a volume of that size."""
    if kind == "pointwise":
        taps, groups, features = (1, 1), 1, draw(st.integers(1, 9))
    elif kind == "depthwise":
        taps, groups, features = pairs(draw, 1, 3), channels, channels * draw(st.integers(1, 2))
    else:
        divisors = [g for g in range(1, channels + 1) if channels % g == 0]
        groups = draw(st.sampled_from(divisors)) if kind == "grouped" else 1
        taps, features = pairs(draw, 1, 3), groups * draw(st.integers(1, 5))
    up = pairs(draw, 1, 3) if kind == "transposed" else (1, 1)
    weights = numbers(draw, (features, *taps, channels // groups))
    dilation, stride = pairs(draw, 1, 3), pairs(draw, 1, 3)
    y0, x0 = pairs(draw, -3, 2)
    height, width = (n * u // s + draw(st.integers(-1, 1)) for n, u, s in zip(size, up, stride, strict=True))
    made = max(1, min(9, height)), max(1, min(9, width))
    outside = draw(st.sampled_from((0.0, 0.0, 1.5)))
    return Contract(Weights(weights), made, y0, x0, stride, dilation, groups, up, outside)


def pool(x: Expr, taps: tuple[int, int], stride: tuple[int, int], size: tuple[int, int], first: int = 0) -> Expr:
    """The max pool of windows of which the first begins at pixel (first, first), as the importer writes it."""
    down, along = ((first, first + n - 1) for n in taps)
    widest = window("max", x, Border("constant", -np.inf), along, down)
    tap = Tap(0, 0, 0, Border(), *stride, size)
    return Expr("load", (widest,), tap, x.dtype, size)


@st.composite
def pooled_blocks(draw: st.DrawFn, x: Expr) -> Expr:
    """A residual block that adds the max pool of x, f32, behind zeros where it makes more channels; some look beyond
    the edges, or at more pixels than an epilogue has room for."""
    assert x.size is not None
    taps, stride, first = pairs(draw, 1, 3), pairs(draw, 1, 3), draw(st.sampled_from((0, 0, 0, -1)))
    size = tuple(max(1, (n - t) // s + 1 + draw(st.sampled_from((0, 0, 0, 1))))
                 for n, t, s in zip(x.size, taps, stride, strict=True))  # fmt: skip
    depthwise = Contract(Weights(numbers(draw, (x.channels, 3, 3, 1))), (size[0], size[1]), -1, -1, stride,
                         groups=x.channels)  # fmt: skip
    features = x.channels + draw(st.sampled_from((0, 0, 1, 4, 24, x.channels)))
    bias = vector(numbers(draw, (features,)))
    made = contract(contract(x, const(0.5, F32), depthwise), bias,
                    Contract(Weights(numbers(draw, (features, 1, 1, x.channels))), (size[0], size[1])))  # fmt: skip
    skip = pool(x, taps, stride, (size[0], size[1]), first)
    if features > x.channels:
        behind = np.full(features - x.channels, draw(st.sampled_from((0.0, 0.0, 0.0, 2.0))), np.float32)
        skip = stack([skip, vector(behind)])
    total = draw(st.sampled_from((made + skip, skip + made, made * 0.5 + skip)))
    slope = vector(numbers(draw, (features,)))
    return draw(st.sampled_from((total, maximum(total, 0.0), select(total < 0.0, total * slope, total))))


def _layer(draw: st.DrawFn, kind: str, x: Expr, other: Expr) -> Expr:
    """A layer of `kind` over the volume x; `other` is a second one of the same size and channels."""
    assert x.size is not None
    size, channels = x.size, x.channels
    border = Border(draw(st.sampled_from(BORDERS)), draw(st.sampled_from((0.0, -1.0, -np.inf))))
    match kind:
        case "dense" | "depthwise" | "grouped" | "pointwise" | "transposed":
            how = draw(contractions(size, channels, kind))
            bias = vector(numbers(draw, (how.features,))) if draw(st.booleans()) else const(0.25, F32)
            return contract(x, bias, how)
        case "activation":
            slope = vector(numbers(draw, (channels,))) if draw(st.booleans()) else const(0.1, F32)
            return draw(st.sampled_from((select(x > 0.0, x, x * slope), minimum(maximum(x, 0.0), 1.0))))
        case "scale":
            return x * vector(numbers(draw, (channels,))) + vector(numbers(draw, (channels,)))
        case "sum":
            return x + other
        case "stack":
            zero = vector(np.zeros(draw(st.integers(1, 3)), np.float32))
            return stack(draw(st.permutations([x, other, zero])))
        case "part":
            first = draw(st.integers(0, channels - 1))
            return part(x, first, draw(st.integers(1, channels - first)))
        case "pool":
            widest = window(draw(st.sampled_from(("max", "sum"))), x, border, (0, 1), (-1, 1))
            return load(widest, border, stride=2, size=((size[0] + 1) // 2, (size[1] + 1) // 2))
        case "mosaic":
            by, bx = pairs(draw, 1, 2)
            return mosaic([x * float(k + 1) for k in range(by * bx)], (by, bx))
        case "gather":
            made = pairs(draw, 1, 7)
            y, x_ = coord("y", made), coord("x", made)
            match draw(st.integers(0, 4)):
                case 0:  # turned
                    return gather(x, x_ * size[0] // made[1], y * size[1] // made[0], made, border)
                case 1:  # line by line
                    number = y * made[1] + x_
                    return gather(x, number // size[1] % size[0], number % size[1], made, border)
                case 2:  # turned the other way round
                    return gather(x, size[0] - 1 - x_ % size[0], y % size[1], made, border)
            return gather(x, y * size[0] // made[0], x_ * size[1] // made[1], made, border)
        case "siblings":  # of groups, as they are joined; a depthwise layer looks at one of them
            how = draw(contractions(size, channels, "grouped"))
            weights = numbers(draw, (16 * how.groups, *how.taps, channels // how.groups))
            joint = contract(stack([x, x]), const(0.25, F32),
                             replace(how, weights=Weights(weights), groups=2 * how.groups))  # fmt: skip
            some = part(maximum(joint, 0.0), *draw(st.sampled_from(((0, 8), (8 * how.groups, 8)))))
            own = Weights(numbers(draw, (8, 1, 2, 1)))
            return stack([contract(some, const(0.5, F32), Contract(own, how.size, groups=8)), some])
        case "load":
            return load(x, border, *pairs(draw, -2, 2))
        case "skip":
            return draw(pooled_blocks(x))
    return stack([part(x, c) * float(c) for c in reversed(range(channels))])


def body_of(root: Expr, inputs: tuple[ImageType, ...], dtype: DType = F32) -> Body:
    """A body of one image."""
    assert root.size is not None
    body = Body(inputs, (Output("out", ImageType(dtype, *root.size, root.channels), (root,)),), {}, {})
    verify(body, "the layer")
    return body


@st.composite
def layer_graphs(draw: st.DrawFn, most: int = 7) -> Layers:
    """A graph of layers, each of which takes what one before it makes (or two of one type)."""
    size = draw(st.sampled_from(((1, 1), (1, 7), (6, 1)))) if draw(st.integers(0, 3)) == 0 else pairs(draw, 1, 9)
    graph = Layers(ImageType(F32, *size, draw(st.integers(1, 7))))
    for number in range(draw(st.integers(2, most))):
        index = draw(st.integers(max(-1, number - 3), number - 1))
        type_ = graph.types[index] if index >= 0 else graph.source
        same = [i for i, t in enumerate([graph.source, *graph.types], -1) if t == type_]
        beside = draw(st.sampled_from(same))
        root = _layer(draw, draw(st.sampled_from(KINDS)), input_volume(0, type_), input_volume(1, type_))
        if root.channels > 40:
            root = part(root, 0, 3)
        sources: list[Source] = [0 if i < 0 else (f"l{i}", "out") for i in (index, beside)]
        body = body_of(root, (type_, type_))
        graph.parts.append(Part(f"l{number}", body, tuple(sources)))
        made = body.outputs[0].type
        assert isinstance(made, ImageType)
        graph.types.append(made)
    return graph


def plane(type_: ImageType, channel: int = 0) -> Expr:
    """One channel of input 0."""
    return input_plane(0, channel, type_.dtype, (type_.height, type_.width))


