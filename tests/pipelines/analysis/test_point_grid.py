"""Areas and grids of points: what they hold, how they are spelt, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.errors import InputError
from pipelines.analysis.areas import parse_area
from pipelines.analysis.point_grid import PointGrid, parse_grid


@pytest.mark.parametrize(("text", "inside", "outside"), [
    ("rect:10,20,30,5", [(10, 20), (40, 25), (25, 22)], [(9.9, 22), (25, 25.1), (40.1, 22)]),
    ("circle:10,20,5", [(10, 25), (13, 24)], [(14, 24), (10, 25.1)]),
    ("ellipse:10,20,6,3", [(16, 20), (10, 17)], [(10, 16.9), (15, 22)]),
    ("polygon:0,0,10,0,10,10,5,4,0,10", [(5, 3), (1, 8), (9, 8)], [(5, 6), (-1, 3), (11, 3)]),
])  # fmt: skip
def test_areas(text, inside, outside):
    area = parse_area(text)
    assert area.holds(np.array(inside, float).T).all()
    assert not area.holds(np.array(outside, float).T).any()
    assert parse_area(str(area)) == area
    left, top, right, bottom = area.bounds
    assert all(left <= x <= right and top <= y <= bottom for x, y in inside)


@pytest.mark.parametrize("text", ["rect:1,2,3", "circle:1,2,0", "circle:1,2,nan", "polygon:1,2,3,4", "ring:1,2,3", "",
                                  "polygon:1,2,3,4,5,6,7"])  # fmt: skip
def test_no_areas(text):
    with pytest.raises(InputError, match="an area is rect:X,Y,WIDTH,HEIGHT"):
        parse_area(text)


def test_a_grid_fills_the_picture_up_to_the_windows():
    points = PointGrid(10).points(100, 60, 21)
    assert points.min() >= 10
    assert points[:, 0].max() <= 89
    assert points[:, 1].max() <= 49
    assert len(points) == 8 * 4
    left, right = points[:, 0].min() - 10, 89 - points[:, 0].max()  # what is left over lies on both sides
    assert abs(left - right) <= 1
    assert (np.diff(np.unique(points[:, 0])) == 10).all()


def test_areas_and_holes_are_on_one_grid():
    grid = parse_grid("6 in circle:40,40,20 in rect:80,30,31,31 without circle:40,40,7")
    points = grid.points(200, 100, 11)
    assert str(grid) == "6 in circle:40,40,20 in rect:80,30,31,31 without circle:40,40,7"
    assert len(np.unique(points[:, 0] % 6)) == len(np.unique(points[:, 1] % 6)) == 1
    away = np.hypot(points[:, 0] - 40, points[:, 1] - 40)
    assert ((away <= 20) | ((points[:, 0] >= 80) & (points[:, 0] <= 111) & (np.abs(points[:, 1] - 45.5) <= 15.5))).all()
    assert (away > 7).all()
    lines = (np.arange(points[0, 0] % 6, 200, 6), np.arange(points[0, 1] % 6, 100, 6))
    x, y = (axis.ravel() for axis in np.meshgrid(*lines))
    ring = (np.hypot(x - 40, y - 40) <= 20) & (np.hypot(x - 40, y - 40) > 7)
    assert len(points) == int((ring | ((x >= 80) & (x <= 111) & (y >= 30) & (y <= 61))).sum())


def test_a_grid_stays_in_the_region_that_is_processed():
    points = PointGrid(5).points(200, 100, 9, roi=(50, 20, 60, 40))
    assert points[:, 0].min() >= 54
    assert points[:, 0].max() <= 105
    assert points[:, 1].min() >= 24
    assert points[:, 1].max() <= 55
    assert not len(PointGrid(5).points(20, 20, 25))


@pytest.mark.parametrize(("text", "words"), [
    ("", "--grid takes STEP"), ("x", "--grid takes STEP"), ("0", "1 to 10000"), ("12 in", "--grid takes STEP"),
    ("12 on rect:1,2,3,4", "not 'on' before an area"), ("12 in rect:1,2", "an area is"), ("-3", "--grid takes STEP"),
])  # fmt: skip
def test_no_grids(text, words):
    with pytest.raises(InputError, match=words):
        parse_grid(text)
