"""Bodies of ElementwiseKernels against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.emulator.elementwise import Elementwise
from tests.emulator.emulator import Emulator

RNG = np.random.default_rng(3)


@pytest.mark.parametrize("check", [False, True])
def test_point_stage(emulator: Emulator, check: bool) -> None:
    body = """
    const float gray = __fadd_rn(__fmul_rn(0.25f, r), __fmul_rn(0.75f, g));
    y = twice(gray) > level ? 255 : 0;
    z = gray"""
    kernel = Elementwise(emulator, "uint8 r, uint8 g, float32 level", "uint8 y, T z", body, "point",
                         preamble="__device__ float twice(float v) { return v + v; }")  # fmt: skip
    r, g = RNG.integers(0, 256, (2, 30, 41), dtype=np.uint8)
    y, z = np.empty_like(r), np.empty(r.shape, np.float32)
    report = kernel(r, g, np.float32(200.0), y, z, check=check, seed=4)
    gray = np.float32(0.25) * r.astype(np.float32) + np.float32(0.75) * g.astype(np.float32)
    assert np.array_equal(z, gray)
    assert np.array_equal(y, np.where(gray + gray > 200, 255, 0))
    assert 0 < np.count_nonzero(y) < y.size
    if check:
        assert report.traffic("global", "load").bytes == 2 * r.size


def test_raw_arrays_and_broadcasting(emulator: Emulator) -> None:
    x, row = RNG.random((5, 8), np.float32), RNG.random(8, np.float32)
    y = np.empty_like(x)
    kernel = Elementwise(emulator, "raw float32 x, float32 row", "float32 y", "y = x[x.size() - 1 - i] * row", "turn")
    kernel(x, row, y, check=True)
    assert np.array_equal(y, x[::-1, ::-1] * row)
    count = np.zeros(4, np.int32)
    histogram = Elementwise(emulator, "raw uint8 x", "raw int32 count", "atomicAdd(&count[x[i] >> 6], 1)", "histogram")
    values = RNG.integers(0, 256, 500, dtype=np.uint8)
    histogram(values, count, size=500, check=True)
    assert np.array_equal(count, np.bincount(values >> 6, minlength=4))


def test_faults_are_found_in_bodies_too(emulator: Emulator) -> None:
    x, y = np.zeros(40, np.float32), np.zeros(40, np.float32)
    shifted = Elementwise(emulator, "raw float32 x", "float32 y", "y = x[i + 1]", "shifted")
    report = shifted(x, y, check=True, faults="report")
    assert report.kinds() == {"out-of-bounds read"}
    lines = shifted.text([x.dtype, y.dtype], [False, False]).split("\n")
    assert lines[report.findings[0].line - 1].strip() == "y = x[i + 1];"
    half = Elementwise(emulator, "float32 x", "float32 y", "if (i % 2) y = x", "half")
    assert half(x, y, check=True, faults="report").kinds() == {"unwritten output"}


def test_types_are_cupys(emulator: Emulator) -> None:
    x, y = np.zeros(4, np.float32), np.zeros(4, np.float32)
    with pytest.raises(TypeError, match="float64"):
        Elementwise(emulator, "float x", "float32 y", "y = x")(x, y)  # CuPy's "float" is a double
    with pytest.raises(TypeError, match="T is"):
        Elementwise(emulator, "T x", "T y", "y = x")(x, y.astype(np.float64))
    with pytest.raises(ValueError, match="no parameter"):
        Elementwise(emulator, "float32 i", "float32 y", "y = i")
    with pytest.raises(ValueError, match="size"):
        Elementwise(emulator, "raw float32 x", "raw float32 y", "y[i] = x[i]")(x, y)
    with pytest.raises(ValueError, match="shape"):
        Elementwise(emulator, "float32 x", "float32 y", "y = x")(x, y.reshape(2, 2))
