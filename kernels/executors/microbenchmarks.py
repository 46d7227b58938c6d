"""What calibration runs: small bodies, each of which one resource decides, through the back end's own code."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, const, convert, maximum, minimum
from kernels.ir.image import F32, I32, U8, DType, ImageType
from kernels.ir.volumes import Contract, Weights, contract, input_volume
from kernels.stage import Image, Stage

MB = 1 << 20
COPIES = (4, 8, 16, 32, 64)
"""Megabytes, read and written, of the copies that find how much the shared cache holds."""
STEPS = 48
"""Operations a pixel of the arithmetic probes."""
TAPS = 24
"""Looks a pixel of the probe of looks, half of them along the row."""


CHANNELS, SIDE = 96, 32
"""Of the layer that multiply-adds are measured with."""


@dataclass(frozen=True, slots=True)
class Microbenchmark:
    """A body to be timed.

    Args:
        name: what it measures.
        body: of one image in, one out.
        frames: frames a call.
        amount: what a call moves or computes: bytes of a copy, 32-bit lanes of arithmetic, lanes of looks, rows,
            multiply-adds.
    """

    name: str
    body: Body
    frames: int
    amount: float


def probes(dram_bytes: int) -> tuple[Microbenchmark, ...]:
    """All of them.

    Args:
        dram_bytes: read and written by the copy that must not fit any cache.
    """
    copies = [_copy(f"copy {size}", size * MB) for size in COPIES]
    return (
        Microbenchmark("launch", _body(_plus, F32, 16, 1), 1, 1),
        Microbenchmark("rows", _body(_narrow, U8, 64, 4096), 1, 3 * 4096),
        _arithmetic("f32", _float, F32, 1.0),
        _arithmetic("i32", _whole, I32, 1.0),
        _arithmetic("i16", _short, U8, 0.5),
        Microbenchmark("looks", _body(_looks, F32, 512, 256), 1, TAPS * 512 * 256),
        _layer("macs", F32),
        _layer("macs int8", U8),
        *copies,
        _copy("dram", dram_bytes),
    )


def _body(function: Callable[[Image], Expr], dtype: DType, width: int, height: int) -> Body:
    made = Stage(function.__name__, function, ("image",), (), (), False, False, False)
    return made.build([ImageType(dtype, height, width)])


def _copy(name: str, size: int) -> Microbenchmark:
    """A copy of f32 frames; `size` bytes are read and written in all."""
    width = 1024
    frames = max(1, size // (16 * MB))
    height = math.ceil(size / (8 * width * frames))
    return Microbenchmark(name, _body(_plus, F32, width, height), frames, 8.0 * width * height * frames)


def _arithmetic(name: str, function: Callable[[Image], Expr], dtype: DType, share: float) -> Microbenchmark:
    width, height = 512, 256
    return Microbenchmark(name, _body(function, dtype, width, height), 1, share * STEPS * width * height)


def _layer(name: str, dtype: DType) -> Microbenchmark:
    """A pointwise convolution, of floats or of bytes, 16 frames for threads to share."""
    given, made = ImageType(dtype, SIDE, SIDE, CHANNELS), ImageType(F32, SIDE, SIDE, CHANNELS)
    whole = not dtype.is_float
    weights = np.full((CHANNELS, 1, 1, CHANNELS), 1 if whole else 1 / CHANNELS, np.int8 if whole else np.float32)
    how = Contract(Weights(weights), (SIDE, SIDE))
    start = const(0, I32) if whole else const(0.0, F32)
    out = convert(contract(input_volume(0, given), start, how), F32)
    frames = 16
    return Microbenchmark(
        name, Body((given,), (Output("out", made, (out,)),), {}, {}), frames, float(frames * how.macs)
    )


def _narrow(image: Image) -> Expr:
    """Three loops a row: the input's padded copy, the maxima along it, those down the columns."""
    across = image[0].of(maximum(image[0](-1), image[0](1)))
    return maximum(across(0, -1), across(0, 1))


def _plus(image: Image) -> Expr:
    return image[0]() + 1.0


def _float(image: Image) -> Expr:
    x = image[0]()
    chains = [x, x + 1.0, x + 2.0, x + 3.0]  # independent ones, since each step waits for the one before
    for k in range((STEPS - 6) // 8):
        chains = [y * (0.5 + k / 64) + 0.25 for y in chains]
    a, b, c, d = chains
    return (a + b) + (c + d)


def _whole(image: Image) -> Expr:
    x = image[0]()
    chains = [x, x + 101]
    for k in range((STEPS - 2) // 4):
        chains = [(y ^ (0x5A5A5A5 + k)) + (0x1234567 + 3 * k) for y in chains]
    return chains[0] ^ chains[1]


def _short(image: Image) -> Expr:
    x = image[0]().to(I32)
    y, z = x, x + 1
    for k in range((STEPS - 2) // 4):
        y, z = abs(y - (17 + 5 * k)), abs(z - (23 + 3 * k))
    return minimum(y, z).to(U8)


def _looks(image: Image) -> Expr:
    x = image[0]
    half = TAPS // 2
    across = x(-half // 2)
    for dx in range(-half // 2 + 1, half // 2):
        across = across + x(dx)
    inner = x.of(across)
    down = inner(0, -half // 2)
    for dy in range(-half // 2 + 1, half // 2):
        down = down + inner(0, dy)
    return down
