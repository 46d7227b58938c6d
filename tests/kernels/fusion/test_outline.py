"""The outline of a row program: what is said, and that random bodies can be outlined."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.fusion.lower import lower
from kernels.fusion.normal import Unsupported
from kernels.fusion.outline import outline
from kernels.ir.body import Body, Output
from kernels.ir.expr import const, recur, state
from kernels.ir.image import F32, U8, ImageType
from kernels.ir.planes import Border, input_plane, load
from tests.strategies import bodies


def test_the_whole_of_a_small_one() -> None:
    x = input_plane(0, 0, U8, (20, 100)).to(F32)
    steady = recur("mean", x, state("mean", F32) + const(0.25, F32) * (x - state("mean", F32)))
    flat = load(steady, Border("replicate"), dx=-1) + load(steady, Border("replicate"), dx=1)
    body = Body((ImageType(U8, 20, 100),), (Output("out", ImageType(F32, 20, 100), (flat,)),), {}, {})
    assert outline(body, lower(body)) == """\
in0: 100x20 u8
out: 100x20 f32, leaves
was(mean) is f32(in0[y, x]) in the first frame
pass 0, images of 100x20
  state1: f32, the strip's rows, kept, replicate 1 px left and 1 px right
  row y, 16 pixels a vector:
    state1 = was(mean) + (0.25 * (f32(in0[y, x]) - was(mean)))
  row y, 16 pixels a vector:
    out = state1[y, x-1] + state1[y, x+1]
"""


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_random_bodies_name_everything(data: st.DataObject) -> None:
    body = data.draw(bodies())
    try:
        rows = lower(body)
    except Unsupported:
        pytest.skip("this body is the reference's")
    said = outline(body, rows)
    assert "?" not in said
    assert max(map(len, said.splitlines())) < 2000
    stores = {store.name for plan in rows.passes for store in plan.stores} | {store.name for store in rows.frames}
    for name in stores:
        assert f"{name}: " in said
        assert f"{name} = " in said
