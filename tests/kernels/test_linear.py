"""Which bodies are linear in their inputs."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.executors.reference import evaluate
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, const, maximum, param, recur, select, sqrt, state
from kernels.ir.image import F32, F64, I16, I32, U8, ImageType
from kernels.ir.planes import Border, coord, gather, input_plane, load, window
from kernels.ir.table import Candidates, table_type
from kernels.stages.gaussian import gaussian
from kernels.stages.iir_lowpass import iir_lowpass
from tests.kernels.linearity import is_linear

SIZE = (4, 6)
X, Y, B = input_plane(0, 0, F32, SIZE), input_plane(1, 0, F32, SIZE), input_plane(2, 0, U8, SIZE)
KINDS = (ImageType(F32, *SIZE), ImageType(F32, *SIZE), ImageType(U8, *SIZE))
GAIN = param("gain", F32)
M = state("m", F32)
ZERO, SEVEN = Border("constant"), Border("constant", 7)


def body_of(*planes: Expr, updates: tuple[Expr, ...] = ()) -> Body:
    outputs = tuple(Output(f"out{i}", ImageType(p.dtype, *SIZE), (p,)) for i, p in enumerate(planes))
    return Body(KINDS, outputs, {"gain": F32}, {"gain": 1.0}, updates=updates)


@pytest.mark.parametrize(
    "root",
    [
        X,
        X * 2 - Y / 3,
        -X * GAIN,
        X * coord("x", SIZE),
        load(X, Border("wrap"), 1, 0, -2) + X,
        load(X, ZERO, 1),
        window("sum", X, Border(), (-1, 1), (0, 0)),
        B.to(F32) * 0.5,
        load(B, Border(), 1) - B,  # widened to i32: no rounding
        X.to(F64),
        gather(X, coord("x", SIZE), const(0), SIZE, Border()),
        select(coord("x", SIZE) > 2, X, Y * 2),
        recur("m", X, M + GAIN * (X - M)),
        recur("m", 0.0, M * 0.5 + X),
        X + 0.0,
    ],
)
def test_linear(root):
    assert is_linear(body_of(root))


@pytest.mark.parametrize(
    "root",
    [
        X * Y,
        X + 1,
        X / Y,
        1 / X,
        abs(X),
        sqrt(X),
        maximum(X, Y),
        X.to(I32),
        X.to(U8).to(F32),
        (B - 5).to(I16),
        load(X, SEVEN, 1),
        gather(X, coord("x", SIZE), const(0), SIZE, SEVEN),
        gather(X, Y, Y, SIZE, Border()),
        window("max", X, Border(), (-1, 1), (0, 0)),
        window("sum", X, SEVEN, (-1, 1), (0, 0)),
        select(X > 2, X, Y),
        select(coord("x", SIZE) > 2, X, 1.0),
        recur("m", 1.0, M + X),
        recur("m", X, M + 1.0 + 0.0 * X),
        recur("m", X, M * X),
        coord("x", SIZE) + 0,
        B // 2,
        B & 3,
    ],
)
def test_not_linear(root):
    assert not is_linear(body_of(root))


def test_a_state_is_as_linear_as_its_recurrence():
    assert is_linear(body_of(X - M, updates=(recur("m", X, M + 0.5 * (X - M)),)))
    assert not is_linear(body_of(X - M, updates=(recur("m", X, M * X),)))


def test_tables_are_not():
    table = Candidates(X > 0, (), 4)
    assert not is_linear(Body(KINDS, (Output("out", table_type(table, SIZE), table=table),), {}, {}))


@pytest.mark.parametrize(("made", "dtype"), [(gaussian, U8), (gaussian, F32), (iir_lowpass, U8)])
def test_linear_stages_add_up(made, dtype):
    assert is_linear(made.build([ImageType(dtype, *SIZE)]))
    rng = np.random.default_rng(0)
    a, b = (rng.integers(0, 100, SIZE).astype(dtype.numpy) for _ in "ab")
    np.testing.assert_allclose(evaluate(made, a) + evaluate(made, b), evaluate(made, a + b), rtol=1e-5)
