"""Intervals of floats: what the reference computes lies in them, and what they call free of NaN is."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.errors import DefinitionError
from kernels.executors.cpu import CpuExecutor
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.float_ranges import float_ranges, never_nan
from kernels.fusion.lower import lower
from kernels.fusion.outline import outline
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, apply, const, param, postorder, select
from kernels.ir.filters import is_local_maximum
from kernels.ir.image import F32, F64, I16, U8, ImageType
from kernels.ir.planes import Border, input_plane, load
from kernels.stages.harris import harris

SIZE = (3, 5)
LIMITS = {"p": (-2.0, 0.25)}


@st.composite
def floats(draw: st.DrawFn) -> Expr:
    """A float of a whole-number image, constants from tiny to overflowing, and a parameter."""
    made = [input_plane(0, 0, I16, SIZE).to(F32), param("p", F32)]
    numbers = (0.0, -1.5, 1e-45, 3e38, -3e38, 1e-30, 7.0, math.inf)
    made += [const(draw(st.sampled_from(numbers)), draw(st.sampled_from((F32, F64)))) for _ in range(2)]
    for _ in range(draw(st.integers(1, 9))):
        a, b = (made[draw(st.integers(0, len(made) - 1))] for _ in range(2))
        match draw(st.sampled_from(("add", "sub", "mul", "mul", "div", "min", "max", "one", "load", "select", "to"))):
            case "one":
                made.append(apply(draw(st.sampled_from(("neg", "abs", "sqrt", "floor", "ceil", "rint"))), a))
            case "load" if a.size is not None:
                border = draw(st.sampled_from((Border(), Border("constant", math.nan), Border("constant", 1e30))))
                made.append(load(a, border, draw(st.integers(-1, 1)), draw(st.integers(-1, 1))))
            case "select":
                made.append(select(a < b, a, b))
            case "to":
                made.append(a.to(draw(st.sampled_from((F32, F64)))))
            case op if op != "load":
                made.append(apply(op, a, b))
    return made[-1] + made[0] * 0


@given(floats(), st.sampled_from((-2.0, 0.0, 1e-45, 0.25)), st.integers(0, 99))
def test_what_is_computed_lies_in_its_interval(root: Expr, p: float, seed: int) -> None:
    known = float_ranges((root,), LIMITS)
    spaced = [node for node in postorder((root,)) if node in known and node.size is not None]
    image = np.random.default_rng(seed).choice(np.array([-32768, -1, 0, 1, 32767], np.int16), (1, *SIZE))
    outputs = tuple(Output(f"n{i}", ImageType(node.dtype, *SIZE), (node,)) for i, node in enumerate(spaced))
    body = Body((ImageType(I16, *SIZE),), outputs, {"p": F32}, {"p": p}, limits=LIMITS)
    with np.errstate(all="ignore"):
        made = ReferenceProgram(body).run([image], {}) if outputs else {}
        for i, node in enumerate(spaced):
            low, high = known[node]  # an end beyond the largest f32 is infinite as one
            assert np.all((low <= made[f"n{i}"]) & (made[f"n{i}"] <= high)), (node, known[node])


def test_what_may_be_a_nan_is_not_vouched_for():
    x = input_plane(0, 0, U8, SIZE).to(F32)
    assert never_nan(x * 1e30 * 1e30, {})  # infinite at most
    assert not never_nan(x * 1e30 * 1e30 * x, {})  # inf * 0
    assert not never_nan(x / x, {})
    assert not never_nan(apply("sqrt", x - 1), {})
    assert not never_nan(input_plane(0, 0, F32, SIZE), {})
    assert never_nan(x * param("p", F32), LIMITS)
    assert not never_nan(x * param("p", F32), {})
    assert not never_nan(load(x, Border("constant", math.nan), 1), {})


def test_corners_of_bytes_are_compared_as_floats():
    """The response of bytes is finite for every k that harris takes: maxima need no detour by whole numbers."""
    image = ImageType(U8, 16, 40)
    body = harris.build((image,))
    (response,) = body.outputs[0].planes
    assert body.limits["k"] == (0.0, 0.25)
    assert never_nan(response, body.limits)
    mask = Output("out", image, (is_local_maximum(response).to(U8),))
    peaks = Body(body.inputs, (mask,), body.live, body.params, limits=body.limits)
    assert "bits(" not in outline(peaks, lower(peaks))
    frames = np.random.default_rng(1).integers(0, 2, (4, 16, 40)).astype(np.uint8) * 255
    made, wanted = (run.run([frames], {"k": 0.25})["out"] for run in
                    (CpuExecutor(threads=2, cached=False).compile(peaks), ReferenceProgram(peaks)))  # fmt: skip
    np.testing.assert_array_equal(made, wanted)


@pytest.mark.parametrize("make", [CpuExecutor(threads=1, cached=False).compile, ReferenceProgram])
def test_parameters_beyond_their_limits_are_refused(make):
    program = make(harris.build((ImageType(U8, 4, 4),)))
    for k in (-0.1, 0.3, math.nan):
        with pytest.raises(DefinitionError, match=r"parameter 'k' goes from 0 to 0.25, not"):
            program.run([np.zeros((1, 4, 4), np.uint8)], {"k": k})
