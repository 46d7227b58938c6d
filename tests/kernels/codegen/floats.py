"""A point-wise body of every operation on floats, and floats that show what a device makes of them."""

from __future__ import annotations

import numpy as np

from kernels.ir.body import Body, Output
from kernels.ir.expr import apply, floor, lookup, maximum, minimum, param, rint, select, sqrt
from kernels.ir.image import F32, F64, I16, I32, U8, U16, ImageType
from kernels.ir.planes import input_plane

SIZE = 7, 9


def subnormal(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Floats of all sizes, many of them subnormal, both zeros, infinities and NaN."""
    made = rng.standard_normal(shape).astype(np.float32) * np.float32(300)
    made *= np.float32(2.0) ** rng.integers(-60, 1, shape).astype(np.float32)
    small = rng.random(shape) < 0.4
    bits = rng.integers(0, 1 << 23, shape, dtype=np.int32) | (rng.integers(0, 2, shape, dtype=np.int32) << 31)
    made[small] = bits.view(np.float32)[small]
    odd = rng.random(shape)
    for share, value in ((0.02, 0.0), (0.04, -0.0), (0.06, np.inf), (0.08, np.nan)):
        made[(odd >= share - 0.02) & (odd < share)] = value
    return made


def arithmetic() -> Body:
    """Every operation on floats, with a table and a parameter; whole numbers from it, and doubles."""
    a, b = (input_plane(i, 0, F32, SIZE) for i in range(2))
    gain = param("gain", F32)
    index = (a.to(U8) & 3).to(I32)
    table = lookup((1e-40, 0.5, -3e-39, 2.0), index, F32)
    once, odd = (lookup(values, index, F32) for values in ((2e-40, 0.25), (float("inf"), 1e-40, float("nan"), 4e-39)))
    planes = [
        a + b, a - b, a * b, a / b, -a, abs(a), sqrt(abs(a)), floor(a), apply("ceil", a), rint(a), minimum(a, b),
        maximum(a, b), select(a < b, a, b), select(a <= b, a * gain, b), select(a.eq(b), a, b - gain),
        table * 0.5, table + b * 1e-39, (a.to(F64) * b.to(F64)).to(F32), (a.to(F64) * 1e-300).to(F32),
        select(a.ne(0.0), a, b) * 3e-39, once * 0.5, odd * 0.75,
    ]  # fmt: skip
    outputs = [Output(f"f{i}", ImageType(F32, *SIZE), (plane,)) for i, plane in enumerate(planes)]
    whole = [a.to(U8), a.to(I16), (a * b).to(I32), (a < b).to(U8), floor(a * 1e-3).to(I16), (a / b).to(U16)]
    outputs += [Output(f"w{i}", ImageType(plane.dtype, *SIZE), (plane,)) for i, plane in enumerate(whole)]
    image = ImageType(F32, *SIZE)
    return Body((image, image), tuple(outputs), {"gain": F32}, {"gain": 2e-39})
