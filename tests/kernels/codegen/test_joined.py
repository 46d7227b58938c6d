"""Loops of two groups: whatever is looked at up and down, at every border and height, the reference's bits."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.executors.cpu import CpuExecutor
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.lower import lower
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr
from kernels.ir.image import F32, I16, U8, ImageType
from kernels.ir.planes import BORDERS, Border, input_plane, load

executors = {threads: CpuExecutor(threads=threads, cached=False) for threads in (1, 3)}


@st.composite
def columns(draw, plane: Expr) -> Expr:
    """Something of a few pixels above and below, and of this one now and then."""
    border = Border(draw(st.sampled_from([b for b in BORDERS if b != "wrap"])), 3.0)
    total = plane * 3 if draw(st.booleans()) else None
    for dy in draw(st.lists(st.integers(-3, 3), min_size=1, max_size=4, unique=True)):
        term = load(plane, border, 0, dy) * draw(st.integers(-2, 2))
        total = term if total is None else total - term
    assert total is not None
    return total


@given(st.data(), st.integers(1, 9), st.sampled_from((1, 17, 64, 70)), st.sampled_from((1, 3)))
@settings(max_examples=32, deadline=None, suppress_health_check=list(HealthCheck))
def test_columns_of_columns(data, height, width, threads):
    dtype = data.draw(st.sampled_from((U8, F32, I16)))
    x = input_plane(0, 0, dtype, (height, width))
    row = load(x, Border(), 1) - load(x, Border("replicate"), -2)
    first = data.draw(columns(row))
    second = data.draw(columns(first * first if dtype == F32 else first & 255))
    planes = [second, *([first] if data.draw(st.booleans()) else []), *([row] if data.draw(st.booleans()) else [])]
    outputs = tuple(Output(f"o{i}", ImageType(p.dtype, height, width), (p,)) for i, p in enumerate(planes))
    body = Body((ImageType(dtype, height, width),), outputs, {}, {})
    rng = np.random.default_rng(height * 100 + width)
    clip = (rng.random((2, height, width)) * 200).astype(dtype.numpy)
    wanted = ReferenceProgram(body).run([clip], {})
    made = executors[threads].compile(body).run([clip], {})
    for name, image in wanted.items():
        assert np.array_equal(made[name], image, equal_nan=True), name


def test_groups_join_where_only_columns_are_looked_at():
    x = input_plane(0, 0, F32, (16, 64))
    row = load(x, Border(), 1) - load(x, Border(), -1)
    column = load(row, Border(), 0, 1) + load(row, Border(), 0, -2)

    def joined(plane: Expr) -> list[int | None]:
        body = Body((ImageType(F32, 16, 64),), (Output("o", ImageType(F32, 16, 64), (plane,)),), {}, {})
        (march,) = lower(body).passes
        return [group.joined for group in march.groups]

    assert joined(column) == [None, None, 2]
    assert joined(column + load(row, Border(), 1)) == [None, None, None]
