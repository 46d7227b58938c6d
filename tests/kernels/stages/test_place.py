"""The crop around a thing: its box, its points, its rank among others, and nothing where there is none."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.reference import ReferenceProgram
from kernels.ir.image import U8, ImageType
from kernels.ir.table import BOX, FEATURE, KEYPOINT, Table, TableType
from kernels.stages.place import place

BOXES, POINTS, FEATURES = TableType(BOX, 8), TableType(KEYPOINT, 64), TableType(FEATURE, 8)


def boxes(*rows) -> Table:
    return Table(np.array(list(rows), BOXES.numpy))


def points(*places, instance: int = 0) -> Table:
    rows = np.zeros(len(places), POINTS.numpy)
    rows["x"], rows["y"] = np.array(places, float).reshape(-1, 2).T
    rows["point"], rows["instance"] = range(len(places)), instance
    return Table(rows)


def placed(*tables: Table | None, **params) -> np.ndarray:
    known = {type_.numpy: type_ for type_ in (BOXES, POINTS, FEATURES)}
    kinds = [None if t is None else known[t.rows.dtype] for t in tables]
    body = place.build(kinds, params)
    inputs = [None if t is None else [t] for t in (*tables, *[None] * (2 - len(tables)))]
    return ReferenceProgram(body).run(inputs, {})["out"][0].ravel()


def at(where: np.ndarray, x: float, y: float) -> tuple[float, float]:
    a, b, c, d, e, f = where[:6]
    return a * x + b * y + c, d * x + e * y + f


def test_a_crop_holds_the_box_with_its_margins():
    where = placed(boxes((60, 40, 20, 10, 0.9)), width=80, height=40, margin=0.5)
    assert at(where, 39.5, 19.5) == pytest.approx((60, 40))
    assert at(where, -0.5, -0.5) == pytest.approx((40, 30))
    assert at(where, 79.5, 39.5) == pytest.approx((80, 50))
    assert where[6:].tolist() == [80, 40]
    tall = placed(boxes((60, 40, 20, 10, 0.9)), width=40, margin=0.5)
    assert at(tall, -0.5, -0.5) == pytest.approx((40, 20))


def test_it_is_levelled_by_two_points_and_shifted_in_the_crop():
    angle = 0.7
    right = np.array([math.cos(angle), math.sin(angle)])
    eyes = points((5, 5), (50, 30), np.array([50, 30]) + 9 * right)
    where = placed(boxes((60, 40, 20, 20, 0.9)), eyes, width=100, margin=0.0, level=(1, 2), shift=(0.5, 0.0))
    assert at(where, 49.5, 49.5) == pytest.approx(np.array([60, 40]) + 10 * right)
    step = np.array(at(where, 50.5, 49.5)) - at(where, 49.5, 49.5)
    assert step == pytest.approx(0.2 * right)
    gone = placed(boxes((60, 40, 20, 20, 0.9)), points((5, 5)), width=100, level=(0, 1))
    assert gone[1] == 0.0


def test_the_best_comes_first_whatever_the_order_of_rows():
    rows = boxes((1, 1, 2, 2, 0.5), (9, 9, 2, 2, 0.9), (5, 5, 2, 2, 0.7))
    centres = [at(placed(rows, width=3, instance=k), 1, 1)[0] for k in range(3)]
    assert centres == pytest.approx([9, 5, 1])


def test_a_feature_is_as_large_as_its_moments_or_as_told():
    rows = np.zeros(1, FEATURES.numpy)
    rows["x"], rows["y"], rows["xx"], rows["yy"] = 30, 20, 12**2 / 12, 6**2 / 12
    where = placed(Table(rows), width=12, height=6, margin=0.0)
    assert at(where, -0.5, -0.5) == pytest.approx((24, 17))
    told = placed(Table(rows), width=12, height=6, margin=0.0, size=(24, 12))
    assert at(told, -0.5, -0.5) == pytest.approx((18, 14))


def test_without_boxes_the_points_tell():
    eye = points((0, 0), (10, 10), (20, 20), (30, 30), (99, 0))
    where = placed(None, eye, width=10, margin=0.0, around=(1, 2, 3))
    assert at(where, 4.5, 4.5) == pytest.approx((20, 20))
    assert at(where, -0.5, -0.5) == pytest.approx((10, 10))
    turned = placed(None, eye, width=10, margin=0.0, around=(1, 3), level=(1, 3))
    assert at(turned, -0.5, 4.5) == pytest.approx((10, 10))
    assert at(turned, 9.5, 4.5) == pytest.approx((30, 30))
    assert np.isnan(placed(None, points((1, 1), (2, 3), instance=1), width=10)).all()


@pytest.mark.parametrize(
    "rows", [(), ((5, 5, 0, 0, 0.9),), ((math.nan, 5, 3, 3, 0.9),), ((5, 5, math.inf, 3, 0.9),), ((5, 5, -3, -3, 0.9),),
             ((5, 5, 3, math.nan, 0.9),)],
)
def test_where_nothing_is_the_placement_is_nan(rows):
    assert np.isnan(placed(boxes(*rows), width=10)).all()
    assert np.isnan(placed(boxes((5, 5, 1, 1, 0.9)), width=10, instance=1)).all()


@pytest.mark.parametrize(
    ("types", "params", "sentence"),
    [
        ([ImageType(U8, 4, 4)], {}, "its boxes are a table with columns x, y, not 4x4 u8"),
        ([BOXES, BOXES], {}, "its points are a table with columns x, y, point, instance, not table of x"),
        ([BOXES], {"level": (0, 1)}, "to be level it needs points"),
        ([BOXES, POINTS], {"level": (0, 1, 2)}, "level has 3 members; it takes two, or none"),
        ([TableType(BOX[:2], 4)], {}, "its boxes have neither width and height nor xx and yy; give their size"),
    ],
)
def test_mistakes_are_named(types, params, sentence):
    with pytest.raises(DefinitionError, match=sentence):
        place.build(types, params)
