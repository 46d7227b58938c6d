"""Random networks of whole numbers between quantisers, as one expression each, for property tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from kernels.ir.expr import Expr, const, convert, maximum, minimum, rint
from kernels.ir.image import F32, I8, I32, U8, DType
from kernels.ir.planes import Border, coord, gather, load, window
from kernels.ir.volumes import Contract, Weights, contract, part, stack, vector
from tests.layers import pairs

KINDS = ("dense", "dense", "depthwise", "grouped", "pointwise", "transposed", "sum", "pool", "total", "stack", "part",
         "pad", "floats", "nearest", "shared")  # fmt: skip


def _rng(draw: st.DrawFn) -> np.random.Generator:
    return np.random.default_rng(draw(st.integers(0, 2**32 - 1)))


def zero_of(draw: st.DrawFn, dtype: DType) -> int:
    """A zero point; often one of those that quantisers choose most."""
    low = -128 if dtype == I8 else 0
    return draw(st.sampled_from((0, low, low + 128, low + 255, low + 17)))


def scales(draw: st.DrawFn, channels: int) -> Expr:
    """One scale, or one a channel."""
    rng = _rng(draw)
    size = draw(st.sampled_from((1e-4, 1e-2, 0.3, 1e9)))  # of the last, everything saturates
    if draw(st.booleans()):
        return const(float(np.float32(rng.uniform(0.2, 1) * size)), F32)
    return vector(rng.uniform(0.2, 1, channels).astype(np.float32) * np.float32(size))


def quantised(share: Expr, zero: int, dtype: DType) -> Expr:
    return convert(rint(share) + float(zero), dtype)


def floats(x: Expr, zero: int, scale: float) -> Expr:
    return convert(convert(x, I32) - zero, F32) * scale


def contraction(draw: st.DrawFn, x: Expr, kind: str, zero: int) -> Expr:
    """Sums of x with weights, pixels beyond the edges being `zero`."""
    assert x.size is not None
    c, rng = x.channels, _rng(draw)
    taps, stride, dilation = pairs(draw, 1, 4), pairs(draw, 1, 3), pairs(draw, 1, 2)
    groups, features = 1, draw(st.integers(1, 40))
    if kind == "pointwise":
        taps, dilation = (1, 1), (1, 1)
    elif kind == "depthwise":
        groups, features = c, c * draw(st.integers(1, 2))
    elif kind in ("grouped", "transposed"):
        groups = draw(st.sampled_from([g for g in range(1, c + 1) if c % g == 0]))
        features = groups * draw(st.integers(1, 9))
    up = pairs(draw, 1, 3) if kind == "transposed" else (1, 1)
    y0, x0 = (draw(st.integers(-t * d, 1)) for t, d in zip(taps, dilation, strict=True))
    lengths = (n * u // s + draw(st.integers(-1, 1)) for n, u, s in zip(x.size, up, stride, strict=True))
    size = tuple(max(1, min(9, n)) for n in lengths)
    weights = rng.integers(-128, 128, (features, *taps, c // groups)).astype(np.int8)
    start = rng.integers(-3000, 3000, features).astype(np.int32)
    if draw(st.integers(0, 9)) == 0:
        start[:1] = 2**31 - 5  # sums are modulo 2**32
    how = Contract(Weights(weights), (size[0], size[1]), y0, x0, stride, dilation, groups, up, zero)
    return contract(x, vector(start), how)


def _layer(draw: st.DrawFn, kind: str, x: Expr, zero: int, earlier: list[Expr]) -> Expr:
    """A layer over the bytes x."""
    assert x.size is not None
    dtype = draw(st.sampled_from((U8, U8, I8)))
    made_zero = zero_of(draw, dtype)
    size, c = x.size, x.channels
    match kind:
        case "dense" | "depthwise" | "grouped" | "pointwise" | "transposed":
            sums = contraction(draw, x, kind, zero)
            share = convert(sums, F32) * scales(draw, sums.channels)
            if draw(st.booleans()):
                share = draw(st.sampled_from((maximum(share, 0.0), minimum(maximum(share, 0.0), 6.0))))
            if draw(st.booleans()):
                share = share / scales(draw, sums.channels)
            return quantised(share, made_zero, dtype)
        case "sum":
            same = [e for e in earlier if (e.size, e.channels) == (size, c)]
            other = draw(st.sampled_from(same))
            total = floats(x, zero, 0.03) + floats(other, zero_of(draw, other.dtype), 0.05)
            return quantised(total / 0.04, made_zero, dtype)
        case "pool":
            border = Border("constant", -np.inf)
            widest = window("max", x, border, (0, 1), (-1, 1))
            return load(widest, Border("replicate"), stride=2, size=((size[0] + 1) // 2, (size[1] + 1) // 2))
        case "total":
            border = Border(draw(st.sampled_from(("constant", "replicate"))), float(zero))
            total = window("sum", x, border, (0, draw(st.integers(0, 2))), (-draw(st.integers(0, 2)), 1))
            return quantised(convert(total, F32) * scales(draw, c), made_zero, dtype)
        case "stack":
            return stack(draw(st.permutations([x, vector(np.full(draw(st.integers(1, 5)), zero, x.dtype.numpy)), x])))
        case "part":
            if c >= 16 and draw(st.booleans()):  # whole vectors, which layers of groups look at where they lie
                return part(x, 8 * draw(st.integers(0, c // 8 - 1)), 8)
            first = draw(st.integers(0, c - 1))
            return part(x, first, draw(st.integers(1, c - first)))
        case "pad":
            border = Border(draw(st.sampled_from(("constant", "replicate", "reflect101"))), float(zero))
            return load(x, border, *pairs(draw, -2, 0), size=(size[0] + 2, size[1] + 2))
        case "nearest":
            wide = 2 * size[0], 2 * size[1]
            return gather(x, coord("y", wide) // 2, coord("x", wide) // 2, wide, Border("replicate"))
        case "shared":  # sums that two layers round
            sums = contraction(draw, x, "pointwise", zero)
            low, high = (quantised(convert(sums, F32) * s, made_zero, dtype) for s in (0.001, 0.003))
            return stack([low, high])
    weights = _rng(draw).standard_normal((draw(st.integers(1, 20)), 3, 3, c)).astype(np.float32)
    made = contract(floats(x, zero, 0.02), const(0.5, F32), Contract(Weights(weights), size, -1, -1))
    return quantised(maximum(made, 0.0) / 0.05, made_zero, dtype)


@st.composite
def int8_networks(draw: st.DrawFn, image: Expr, most: int = 6) -> Expr:
    """A network over an image of f32, u8 or i8: bytes, or floats again."""
    zero = zero_of(draw, image.dtype) if image.dtype != F32 else 0
    x = image if image.dtype != F32 else quantised(image / 0.02, 0, draw(st.sampled_from((U8, I8))))
    earlier = [x]
    for _ in range(draw(st.integers(1, most))):
        if x.size is not None and max(x.size) > 12:
            break
        if x.channels > 60:
            x = part(x, 0, 5)
        x = _layer(draw, draw(st.sampled_from(KINDS)), x, zero, [x, *earlier])
        zero = zero_of(draw, x.dtype)
        earlier.append(x)
    return x if draw(st.booleans()) else floats(x, zero, 0.07)
