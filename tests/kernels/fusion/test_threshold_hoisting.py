"""Comparisons with a level, rewritten: the same pixels on either side, on the edge and everywhere else."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors.reference import ReferenceProgram
from kernels.fusion.threshold_hoisting import limit_of_root, whole_levels
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, apply, const, postorder
from kernels.ir.image import BOOL, F32, I16, I32, U8, U16, DType, ImageType
from kernels.ir.planes import input_plane, spread
from tests.strategies import EDGES

levels = st.floats(width=32) | st.sampled_from(EDGES["f"]).filter(lambda v: abs(v) < 3e38 or not np.isfinite(v))


def run(root: Expr, image: np.ndarray, dtype: DType) -> np.ndarray:
    """One output over one image."""
    size = image.shape
    type_ = ImageType(root.dtype, *size)
    body = Body((ImageType(dtype, *size),), (Output("out", type_, (spread(root, size),)),), {}, {})
    return ReferenceProgram(body).run([image[np.newaxis]], {})["out"][0]


@given(level=levels)
@settings(max_examples=150, deadline=None)
def test_the_limit_of_a_root_divides_the_same_pixels(level):
    """Around the square of the level, where it matters, and everywhere else."""
    level32 = np.float32(level)
    with np.errstate(all="ignore"):
        near = (level32 * level32).view(np.int32)
        around = np.arange(max(0, int(near) - 40), min(int(near), 0x7F800000) + 40).astype(np.int32).view(np.float32)
        x = np.concatenate((around, -around[:5], np.array(EDGES["f"], np.float32)))
        found = run(limit_of_root(const(float(level32), F32)), x[np.newaxis], F32)[0, 0]
        assert ((found < x) == (level32 < np.sqrt(x))).all()


@given(data=st.data(), dtype=st.sampled_from((U8, U16, I16, I32)), op=st.sampled_from(("lt", "le")), swap=st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_level_among_whole_numbers_divides_the_same_pixels(data, dtype, op, swap):
    info = np.iinfo(dtype.numpy)
    near = st.integers(max(info.min, -(2**24)) - 2, min(info.max, 2**24) + 2)
    halves = st.builds(lambda i, d: float(np.float32(i + d)), near, st.sampled_from((-0.5, 0.0, 0.5)))
    level = data.draw(levels | halves)
    close = int(np.clip(np.nan_to_num(level), info.min, info.max))
    row = [info.min, info.max, 0, 1, *(int(np.clip(close + d, info.min, info.max)) for d in (-2, -1, 0, 1, 2))]
    image = np.array([row], dtype.numpy)
    x = input_plane(0, 0, dtype, image.shape).to(F32)
    sides = (x, const(level, F32)) if swap else (const(level, F32), x)
    root = apply(op, *sides)
    (made,) = whole_levels((root,))
    whole = not any(n.op == "convert" and n.dtype == F32 and n.size for n in postorder((made,)))
    assert whole == (dtype != I32)  # f32 does not hold every i32
    assert made.dtype == BOOL
    with np.errstate(all="ignore"):
        assert np.array_equal(run(made, image, dtype), run(root, image, dtype))
