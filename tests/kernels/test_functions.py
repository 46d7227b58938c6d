"""Accuracy of the functions built from scalar operations, against float64 NumPy over the stated ranges."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.executors.reference import ReferenceProgram
from kernels.ir.body import Body, Output
from kernels.ir.functions import atan2, exp2, log2, polynomial, power
from kernels.ir.image import F32, ImageType
from kernels.ir.planes import input_plane

N = 200_000
rng = np.random.default_rng(5)


def apply_to(function, *arrays):
    arrays = [np.asarray(a, np.float32).reshape(1, -1) for a in arrays]
    kind = ImageType(F32, *arrays[0].shape)
    planes = [input_plane(i, 0, F32, arrays[0].shape) for i in range(len(arrays))]
    body = Body((kind,) * len(arrays), (Output("out", kind, (function(*planes),)),), {}, {})
    return ReferenceProgram(body).run([a[np.newaxis] for a in arrays], {})["out"][0, 0]


def test_polynomial():
    x = np.array([0, 1, -2], np.float32)
    assert apply_to(lambda p: polynomial(p, (1.0, 2.0, 3.0)), x).tolist() == [1, 6, 9]


def test_atan2():
    y, x = (rng.normal(size=N) * 10.0 ** rng.uniform(-8, 8, N) for _ in "yx")
    y, x = y.astype(np.float32), x.astype(np.float32)
    error = np.abs(apply_to(atan2, y, x) - np.arctan2(y.astype(np.float64), x.astype(np.float64)))
    assert error.max() < 4e-7
    on_axes = apply_to(atan2, [0, 0, 1, -1, 0], [0, 1, 0, 0, -1])
    np.testing.assert_allclose(on_axes, [0, 0, np.pi / 2, -np.pi / 2, np.pi], atol=3e-7)


def test_exp2():
    x = np.concatenate([rng.uniform(-126, 127, N), rng.uniform(-1, 1, N), np.arange(-126, 128)]).astype(np.float32)
    exact = np.exp2(x.astype(np.float64))
    assert (np.abs(apply_to(exp2, x) - exact) / exact).max() < 2e-7
    whole = np.arange(-126, 128)
    np.testing.assert_array_equal(apply_to(exp2, whole), np.exp2(whole).astype(np.float32))
    assert apply_to(exp2, [-1e9, 1e9]).tolist() == [2.0**-126, 2.0**127]


def test_log2():
    x = np.concatenate([2.0 ** rng.uniform(-126, 127.99, N), rng.uniform(0.5, 2, N)]).astype(np.float32)
    exact = np.log2(x.astype(np.float64))
    assert (np.abs(apply_to(log2, x) - exact) - 1e-7 * np.abs(exact)).max() < 2e-7
    assert apply_to(log2, [1, 2, 0.25, 0, -3]).tolist() == [0, 1, -2, -126, -126]


@pytest.mark.parametrize("exponent", [0.45, 1 / 2.2, 1.0, 2.2, 3.0])
def test_power(exponent):
    x = np.concatenate([rng.uniform(0, 1, N), 2.0 ** rng.uniform(-30, 16, N)]).astype(np.float32)
    x = x[x > 0]
    exact = x.astype(np.float64) ** np.float64(np.float32(exponent))
    bound = 3e-7 * (1 + np.abs(exponent * np.log2(x.astype(np.float64))))
    inside = (exact > 2.0**-125) & (exact < 2.0**126)
    relative = np.abs(apply_to(lambda p: power(p, exponent), x) - exact) / exact
    assert (relative / bound)[inside].max() < 1
    assert apply_to(lambda p: power(p, exponent), [0, 1]).tolist() == [0, 1]
