"""Regional reductions and candidate lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import DefinitionError, ExprError
from kernels.executors.reference import ReferenceProgram
from kernels.ir.body import Body, Output
from kernels.ir.expr import const
from kernels.ir.image import BOOL, F32, F64, I32, I64, U8, ImageType
from kernels.ir.planes import coord, input_plane
from kernels.ir.table import Candidates, Column, Reduction, Regions, Table, TableType, fixed, table_type
from kernels.ir.verify import verify
from kernels.opencv import cv2

SIZE = (5, 7)
X, B = input_plane(0, 0, F32, SIZE), input_plane(1, 0, U8, SIZE)
ROI = Regions("boxes", boxes="roi", capacity=3)
rng = np.random.default_rng(4)
FLOATS = rng.normal(size=SIZE).astype(np.float32)
BYTES = rng.integers(0, 255, SIZE).astype(np.uint8)


def reduce(table, boxes=(), floats=FLOATS, bytes_=BYTES) -> Table:
    kinds = (ImageType(F32, *SIZE), ImageType(U8, *SIZE))
    live = {"roi": None}
    body = Body(kinds, (Output("out", table_type(table, SIZE), table=table),), live, {"roi": ()})
    verify(body)
    (result,) = ReferenceProgram(body).run([floats[None], bytes_[None]], {"roi": boxes})["out"]
    return result


def all_columns(regions):
    return Reduction(regions, (
        Column("n", "count", B > 100), Column("sum", "sum", B), Column("low", "min", X), Column("high", "max", B),
    ))  # fmt: skip


def expected(region):
    f, b = FLOATS[region], BYTES[region]
    finite = np.finfo(np.float32)
    return (
        (b > 100).sum(), b.sum(dtype=np.int64), f.min() if f.size else finite.max, b.max() if b.size else 0
    )  # fmt: skip


def test_whole():
    rows, overflow = reduce(all_columns(Regions()))
    assert [tuple(r) for r in rows.tolist()] == [tuple(np.asarray(v).item() for v in expected(np.s_[:, :]))]
    assert overflow == 0


@pytest.mark.parametrize(("width", "height"), [(1, 1), (2, 2), (3, 4), (7, 5), (100, 100)])
def test_grid_cells_at_the_edges_are_smaller(width, height):
    regions = Regions("grid", width, height)
    rows = reduce(all_columns(regions)).rows
    wanted = [expected(np.s_[y : y + height, x : x + width]) for y in range(0, 5, height) for x in range(0, 7, width)]
    assert len(rows) == len(wanted) == regions.count(SIZE)
    assert [tuple(r) for r in rows.tolist()] == [tuple(np.asarray(v).item() for v in w) for w in wanted]


def test_boxes_are_clipped_and_may_be_empty():
    boxes = ((-2.0, -1.0, 4.0, 3.0), (5.0, 3.0, 99.0, 99.0), (50.0, 50.0, 3.0, 3.0))
    rows, overflow = reduce(all_columns(ROI), boxes)
    wanted = [expected(np.s_[0:2, 0:2]), expected(np.s_[3:, 5:]), expected(np.s_[9:, 9:])]
    assert [tuple(r) for r in rows.tolist()] == [tuple(np.asarray(v).item() for v in w) for w in wanted]
    assert overflow == 0


def test_boxes_round_half_to_even_and_overflow():
    one = Reduction(ROI, (Column("n", "count", B >= 0),))
    assert reduce(one, ((0.5, 0.0, 2.5, 1.0),)).rows["n"].tolist() == [2]
    rows, overflow = reduce(one, ((0.0, 0.0, -3.0, 2.0), *[(0.0, 0.0, 1.0, 1.0)] * 4))
    assert rows["n"].tolist() == [0, 1, 1]
    assert overflow == 2
    assert reduce(one, ((-1e9, -1e9, 2e9, 2e9),)).rows["n"].tolist() == [35]
    assert len(reduce(one).rows) == 0
    with pytest.raises(DefinitionError, match=r"a region is \(x, y, width, height\), not \(1.0, 2.0\)"):
        reduce(one, ((1.0, 2.0),))


def test_extrema_do_not_depend_on_the_order():
    both = Reduction(Regions(), (Column("low", "min", X), Column("high", "max", X)))
    values = np.full(SIZE, np.nan, np.float32)
    low, high = reduce(both, floats=values).rows[0].tolist()
    assert (low, high) == (np.finfo(np.float32).max, np.finfo(np.float32).min)
    for order in (1, -1):
        values.ravel()[:4] = np.array([np.nan, 0.0, -0.0, np.nan])[::order]
        for name in ("low", "high"):
            value = reduce(both, floats=values).rows[name][0]
            assert value == 0
            assert not np.signbit(value)
    values[0, :2] = -np.inf, np.inf
    assert reduce(both, floats=values).rows[0].tolist() == (-np.inf, np.inf)


def test_moments_agree_with_opencv():
    x, y = coord("x", SIZE), coord("y", SIZE)
    names = {"m00": B, "m10": B * x, "m01": B * y, "m20": B * x * x, "m11": B * x * y, "m02": B * y * y}
    row = reduce(Reduction(Regions(), tuple(Column(n, "sum", e) for n, e in names.items()))).rows[0]
    moments = cv2.moments(BYTES)
    assert {n: int(row[n]) for n in names} == {n: int(moments[n]) for n in names}


def test_fixed():
    table = Reduction(Regions(), (Column("s", "sum", fixed(X, 10)),))
    values = np.zeros(SIZE, np.float32)
    values[0, :3] = 0.5, -0.25 / 1024, 1e30
    assert reduce(table, floats=values).rows["s"][0] == 512 + 0 + 2**31 - 1
    assert fixed(X, 10).dtype == I32


@given(seed=st.integers(0, 99), level=st.integers(0, 255), capacity=st.integers(1, 40))
@settings(max_examples=40, deadline=None)
def test_candidates(seed, level, capacity):
    image = np.random.default_rng(seed).integers(0, 255, SIZE).astype(np.uint8)
    table = Candidates(level < B, (("value", B), ("gain", const(2.5)), ("half", X * 0 + B / 2)), capacity)
    rows, overflow = reduce(table, bytes_=image)
    y, x = np.nonzero(image > level)
    assert rows["x"].tolist() == x[:capacity].tolist()
    assert rows["y"].tolist() == y[:capacity].tolist()
    assert rows["value"].tolist() == image[y, x][:capacity].tolist()
    assert (rows["gain"] == 2.5).all()
    assert overflow == max(0, len(x) - capacity)
    assert rows.dtype == table_type(table, SIZE).numpy


def test_a_condition_that_holds_everywhere():
    rows, overflow = reduce(Candidates(const(True), (("value", B),), 10))
    assert rows["value"].tolist() == BYTES.ravel()[:10].tolist()
    assert overflow == 25


def test_types():
    table = all_columns(Regions("grid", 2, 2))
    assert table_type(table, SIZE) == TableType((("n", I64), ("sum", I64), ("low", F32), ("high", U8)), 12)
    assert str(table_type(table, SIZE)) == "table of n, sum, low, high (at most 12 rows)"
    assert table_type(Candidates(B > 1, (), 5), SIZE).columns == (("x", I32), ("y", I32))
    assert table_type(table, SIZE).numpy["low"] == np.float32


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: Column("n", "mean", B), "column n: unknown reduction 'mean'; one of sum, count, min, max"),
        (lambda: Column("n", "sum", X), "a sum of f32 would depend on its order; use fixed"),
        (lambda: Column("n", "sum", X.to(F64)), "a sum of f64 would depend on its order"),
        (lambda: Column("n", "count", B), "count takes a bool, the others a number; got u8"),
        (lambda: Column("n", "max", B.to(BOOL)), "count takes a bool"),
        (lambda: Regions("circle"), "unknown regions 'circle'"),
        (lambda: Regions("grid", 0, 4), "the cells of a grid have at least one pixel, not 0x4"),
        (lambda: Regions("boxes"), "regions by boxes need the name of a parameter"),
        (lambda: Reduction(Regions(), ()), "at least one column"),
        (lambda: Reduction(Regions(), (Column("n", "sum", B), Column("n", "max", B))), "two columns are called 'n'"),
        (lambda: Candidates(B, (), 1), "candidates need a bool condition, not u8"),
        (lambda: Candidates(B > 1, (), 0), "room for at least one row"),
        (lambda: Candidates(B > 1, (("x", B),), 1), "two columns are called 'x'"),
    ],
)
def test_impossible_tables(made, words):
    with pytest.raises(ExprError, match=words):
        made()
