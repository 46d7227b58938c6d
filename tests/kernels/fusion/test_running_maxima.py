"""Comparisons with many neighbours as comparisons with their maximum: the same pixels, whatever the order of floats."""

from __future__ import annotations

from functools import reduce
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.executors.cpu import CpuExecutor
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.normal import normalise
from kernels.fusion.running_maxima import ordered, separate
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, apply, postorder, select
from kernels.ir.filters import is_local_maximum
from kernels.ir.image import BOOL, F32, F64, I16, I32, U8, U16, DType, ImageType
from kernels.ir.planes import Border, input_plane, load, spread
from tests.strategies import EDGES

NAN, INF = np.float32("nan"), np.float32("inf")
BORDERS = (Border(), Border("replicate"), Border("constant", -3e38), Border("constant", float("nan")),
           Border("constant", -0.0), Border("constant", 2.5), Border("wrap"))  # fmt: skip
AROUND = [place for place in product((-1, 0, 1), repeat=2) if place != (0, 0)]


def body_of(root: Expr, dtype: DType) -> Body:
    assert root.size is not None
    type_ = ImageType(root.dtype, *root.size)
    return Body((ImageType(dtype, *root.size),), (Output("out", type_, (spread(root, root.size),)),), {}, {})


def run(root: Expr, image: np.ndarray, dtype: DType) -> np.ndarray:
    with np.errstate(all="ignore"):
        return ReferenceProgram(body_of(root, dtype)).run([image[np.newaxis]], {})["out"][0]


@st.composite
def images(draw: st.DrawFn, dtype: DType) -> np.ndarray:
    """Few values, so that neighbours are often equal, and those at which orders end."""
    size = draw(st.integers(1, 6)), draw(st.integers(1, 40))
    if dtype.is_float:
        some = np.array([0.0, -0.0, 1.0, -1.0, 2.5, INF, -INF, NAN, -NAN, 1e-45, -1e-45, *EDGES["f"]], np.float32)
        values = some[: draw(st.sampled_from((5, 9, len(some))))]
    else:
        info = np.iinfo(dtype.numpy)
        values = np.array([info.min, info.max, 0, 1, 2], dtype.numpy)
    picked = np.random.default_rng(draw(st.integers(0, 99))).choice(values, size)
    return picked.astype(dtype.numpy)


@given(a=st.floats(width=32) | st.sampled_from(EDGES["f"]), b=st.floats(width=32) | st.sampled_from(EDGES["f"]))
def test_whole_numbers_are_in_the_order_of_their_floats(a, b):
    pair = np.array([[a, b]], np.float32)
    p, q = run(ordered(input_plane(0, 0, F32, (1, 2))), pair, F32)[0]
    a, b = pair[0]
    assert np.isnan(a) or np.isnan(b) or ((p < q), (p == q)) == ((a < b), (a == b))
    assert not np.isnan(b) or np.isnan(a) or p < q


@given(data=st.data(), dtype=st.sampled_from((U8, I16, U16, I32, F32)), border=st.sampled_from(BORDERS))
@settings(max_examples=120, deadline=None)
def test_conjunctions_keep_every_pixel(data, dtype, border):
    """Any set of neighbours, strict or not, above or below, among other conditions."""
    image = data.draw(images(dtype))
    plane = input_plane(0, 0, dtype, image.shape)
    below, other = data.draw(st.booleans()), data.draw(st.booleans())
    here = load(plane, Border(), 0, 1) if other else plane
    terms = []
    for dy, dx in data.draw(st.lists(st.sampled_from(AROUND), min_size=4, max_size=12)):
        sides = [load(plane, border, dx, dy), here]
        terms.append(apply(data.draw(st.sampled_from(("lt", "le"))), *(sides[::-1] if below else sides)))
    if data.draw(st.booleans()):
        terms.insert(2, plane > 1)
    root = reduce(lambda a, b: a & b, terms)
    (made,) = separate((root,), (), {}).roots
    assert made.dtype == BOOL
    assert np.array_equal(run(made, image, dtype), run(root, image, dtype))


def _maxima(dtype: DType) -> Expr:
    plane = input_plane(0, 0, dtype, (8, 64))
    return select(is_local_maximum(plane), plane, 0)


@pytest.mark.parametrize("dtype", [U8, U16, I16, I32, F32])
def test_eight_neighbours_take_two_comparisons(dtype):
    (made,) = separate((_maxima(dtype),), (), {}).roots
    nodes = list(postorder((made,)))
    assert sum(n.op in ("lt", "le") for n in nodes) == 2
    assert sum(n.op == "max" for n in nodes) == 4  # along a row, which three rows share; a neighbour; the row behind
    assert sum(n.op == "eq" for n in nodes) == (dtype == F32)


def test_what_is_compared_is_not_made_twice():
    plane = input_plane(0, 0, F32, (8, 64)) * 2.0
    made = separate((select(is_local_maximum(plane), plane, 0.0),), (), {})
    assert made.kept == {plane}
    assert not separate((_maxima(F32),), (), {}).kept  # the image is there anyway


def test_what_has_no_whole_numbers_or_is_remembered_stays():
    for root, fixed in ((_maxima(F64), ()), (_maxima(F32), (_maxima(F32),))):
        assert separate((root,), fixed, {}).roots == (root,)


def test_few_comparisons_and_those_of_one_row_stay():
    plane = input_plane(0, 0, I16, (8, 64))
    few = (plane > load(plane, Border(), 1, 1)) & (plane > load(plane, Border(), -1, 1))
    row = reduce(lambda a, b: a & b, [plane > load(plane, Border(), dx) for dx in (-2, -1, 1, 2)])
    assert separate((few, row), (), {}).roots == (few, row)


@given(data=st.data(), dtype=st.sampled_from((U8, U16, I16, I32, F32)))
@settings(max_examples=40, deadline=None)
def test_machine_code_keeps_the_bits(data, dtype):
    image = data.draw(images(dtype))
    plane = input_plane(0, 0, dtype, image.shape)
    value = plane * 2.0 if dtype == F32 and data.draw(st.booleans()) else plane
    body = body_of(select(is_local_maximum(value), value, 0), dtype)
    assert any(n.op == "and" for n in postorder(normalise(body).roots))
    made_by = CpuExecutor(threads=data.draw(st.integers(1, 3)), cached=False)
    program = made_by.compile(body)
    assert not made_by.fallbacks
    made = program.run([image[np.newaxis]], {})["out"][0]
    with np.errstate(all="ignore"):
        wanted = ReferenceProgram(body).run([image[np.newaxis]], {})["out"][0]
    same = made == wanted if not dtype.is_float else made.view(np.int32) == wanted.view(np.int32)
    assert same.all()
