"""The left edge of a row: its padding is made of the first pixels in registers where those are enough."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.codegen.vector import generate
from kernels.executors.cpu import CpuExecutor
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.lower import lower
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, convert
from kernels.ir.image import BOOL, F32, I32, U8, DType, ImageType
from kernels.ir.planes import Border, input_plane, load

WIDTHS = (1, 5, 15, 16, 17, 31, 32, 33, 63, 64, 65, 128, 200)
BORDERS = tuple(Border(mode) for mode in ("reflect101", "replicate", "wrap")) + tuple(
    Border("constant", value) for value in (0.0, 1.0, -2.5, float("nan")))  # fmt: skip


def body_of(root: Expr, dtype: DType) -> Body:
    assert root.size is not None
    out = Output("out", ImageType(root.dtype, *root.size), (root,))
    return Body((ImageType(dtype, *root.size),), (out,), {}, {})


@given(
    dtype=st.sampled_from((BOOL, U8, I32, F32)),
    width=st.sampled_from(WIDTHS),
    border=st.sampled_from(BORDERS),
    reach=st.tuples(st.integers(1, 17), st.integers(0, 17), st.integers(0, 2)),
    weight=st.sampled_from((None, 3.0, -0.5)),
)
@settings(max_examples=44, deadline=None)
def test_every_border_is_the_same_from_registers(dtype, width, border, reach, weight):
    """Looks to both sides, as they are or times a constant that several share."""
    left, right, down = reach
    plane = input_plane(0, 0, dtype, (4, width))
    seen = plane if dtype == BOOL else plane + (1.0 if dtype == F32 else 1)
    looks = [load(seen, border, -left), load(seen, border, right, down), load(seen, border, -1, down)]
    looks = [convert(look, F32) for look in looks]
    total = looks[0] * (weight or 1.0) - looks[1] * (weight or 1.0) + looks[2] * (weight or 1.0)
    body = body_of(total, dtype)
    frame = np.random.default_rng(width).integers(0, 2 if dtype == BOOL else 200, (1, 4, width)).astype(dtype.numpy)
    made = CpuExecutor(threads=1, cached=False).compile(body).run([frame], {})["out"]
    with np.errstate(all="ignore"):
        wanted = ReferenceProgram(body).run([frame], {})["out"]
    assert np.array_equal(made, wanted, equal_nan=True)


@pytest.mark.parametrize(("width", "reach", "fits"), [(64, 3, True), (16, 15, True), (16, 16, False), (8, 2, False)])
def test_the_padding_is_read_only_where_the_first_pixels_do_not_hold_it(width, reach, fits):
    plane = input_plane(0, 0, F32, (8, width)) * 2.0
    body = body_of(load(plane, Border(), -reach) + load(plane, Border(), reach), F32)
    assert ("i64 -16" not in generate(body, lower(body)).text) == fits
