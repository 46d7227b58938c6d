"""What is usual of shapes, and how much of a length counts: the numbers of `unresolved.py`, by its formulas."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.trackers.columns import Columns
from pipelines.trackers.linking.columns import BLOB_COLUMNS
from pipelines.trackers.linking.unresolved import (
    FRAMES,
    LASTING,
    MOVED,
    SMEARED,
    STRANGE,
    USUAL,
    Shapes,
    Usual,
    lengthen,
    shapes_of,
    unresolved,
)

WIDTH2, NOISE = 2.25, 0.0004  # px^2
UNIT = 2.0 * WIDTH2 * NOISE  # variance of (xx - yy) / 2 and xy together, px^4


def features(scene, places, half):
    """Things of that width and that stretch at these places."""
    table = scene.features(np.array(places, float), 100.0, NOISE**0.5)
    table["xx"], table["yy"], table["stretch"] = WIDTH2, WIDTH2, half
    return table


def rows(table, sightings):
    """Tracks at rest at the features, each seen so often as it is now."""
    t = Columns(BLOB_COLUMNS)
    t.append(len(table), x=table["x"], y=table["y"])
    for _ in range(sightings):
        lengthen(t, np.arange(len(t)), table, np.ones(len(t), bool))
    return t


def likely(scene, half, sightings, limit):
    """How likely a thing is two, and the variance that adds."""
    table = features(scene, [(50.0, 50.0)], [half])
    t, one = rows(table, sightings), np.ones(1, bool)
    a, b, unit = shapes_of(t, np.arange(1), table, np.full(1, NOISE), 0.0)
    made = unresolved(t, np.arange(1), np.full(1, WIDTH2), unit, a, b, one, one, Usual(one, limit, limit, 1.0, 0.0))
    return float(made[0][0]), float(made[1][0])


@pytest.mark.parametrize("count", [1, 3, 100])
def test_few_things_tell_little_of_what_is_usual(scene, count):
    half = np.full(count, UNIT**0.5)  # q = 1, so that q / (q + 1) is 1 / 2
    shapes = Shapes()
    usual = shapes.look(features(scene, [(50.0 * k, 50.0) for k in range(count)], half), np.full(count, NOISE), 1e6)
    assert usual.limit == pytest.approx((1 + 8 / count) ** 2)
    assert usual.longer == usual.limit
    shapes.kept[LASTING] = 0.9
    again = shapes.look(features(scene, [(50.0, 50.0)], half[:1]), np.full(1, NOISE), 1e6)
    assert again.longer == pytest.approx(9 * 81)


def test_two_in_one_are_expected_by_how_dense_things_are(scene):
    """Twice as often as one of n in the area A has another one within 2.4 widths w: n pi (2.4 w)^2 / (2 A)."""
    table = features(scene, [(50.0, 50.0), (90.0, 50.0), (50.0, 90.0)], np.zeros(3))
    table["xx"][2], table["sigma"][2] = np.nan, np.nan  # of an unknown shape
    usual = Shapes().look(table, np.full(3, NOISE), 1e4)
    assert usual.known.tolist() == [True, True, False]
    assert usual.expected == pytest.approx(2 * np.pi * 2.4**2 * WIDTH2 / 1e4, rel=0.01)


def test_what_is_usual_of_means_is_a_fifth_new_in_each_frame_and_all_of_the_first(scene):
    shapes, table = Shapes(), features(scene, [(50.0, 50.0)], [0.0])
    t, one, usual = rows(table, 19), np.ones(1), Usual(np.ones(1, bool), 1.0, 1.0, 1.0, 0.0)
    for square, expected in ((3.0, 0.75), (0.0, 0.6), (1.0, 0.58)):  # by the noise of a mean of 19
        t["stretch"][:] = (square * UNIT / 19) ** 0.5
        shapes.move(t, np.arange(1), 0 * one, 0 * one, UNIT * one, np.ones(1, bool), usual)
        assert shapes.kept[LASTING] == pytest.approx(expected)


def test_of_long_things_the_share_counts_that_is_expected_to_be_two_and_none_if_it_is_small():
    shapes = Shapes()
    shapes.kept[STRANGE] = 0.5
    counted = [shapes.share(0.5 * part) for part in (0.05, 0.1, 0.15, 0.2, 0.5, 1.0, 3.0)]
    np.testing.assert_allclose(counted, [0, 0, 0.15 * 0.5, 0.2, 0.5, 1, 1], atol=1e-12)


def test_what_is_long_now_counts_even_if_it_is_new():
    shapes = Shapes()
    shapes.kept[FRAMES] = 100.0
    assert shapes.book(np.array([0.0, 0.0, 1.0, 1.0]), 0.1) == pytest.approx(0.2)  # of half of them a tenth is expected
    assert shapes.kept[STRANGE] == pytest.approx(0.5 / 100)
    assert shapes.book(np.zeros(4), 0.1) == 1.0
    shapes.book(np.ones(4), 0.1)
    assert shapes.book(np.zeros(0), 0.1) == 1.0


def test_nothing_moved_speaks_for_no_smear(scene):
    shapes, table = Shapes(), features(scene, [(50.0, 50.0)], [0.0])
    shapes.kept[FRAMES], shapes.kept[SMEARED], shapes.kept[MOVED] = 7.0, 0.3, 1.0
    assert shapes.look(table, np.full(1, NOISE), 1e6).smear == pytest.approx(0.3 / (1 + 4 / 8))


def test_what_is_usual_stays_a_number_where_shapes_are_beyond_all_noise(scene):
    shapes, table = Shapes(), features(scene, [(50.0, 50.0)], [0.0])
    usual = shapes.look(table, np.full(1, NOISE), 1e6)
    one, t = np.ones(1), rows(table, 2)
    shapes.move(t, np.arange(1), 1e150 * one, 0 * one, UNIT * one, np.ones(1, bool), usual)
    assert 1 - 1e-11 < shapes.kept[USUAL] < 1


@pytest.mark.parametrize(("times", "sightings"), [(4.0, 40), (4.0, 1), (3.1, 40), (6.0, 40)])
def test_who_is_longer_than_usual_may_be_two(scene, times, sightings):
    """From 3.2 times what is usual on, of a mean of 19 sightings at most; what lies beside it makes that less certain
    by 0.004 of its squared width."""
    half, often = 0.3, min(sightings, 19)
    noise = (half / times) ** 2  # of that mean
    beyond = half**2 / (noise + (0.004 * WIDTH2) ** 2) - 3.2**2
    expected = min(max(beyond, 0) / (4.8**2 - 3.2**2), 1)
    found = likely(scene, half, sightings, noise * often / UNIT)
    assert found == pytest.approx((expected, expected * half), rel=1e-9)
    assert (found[0] > 0) == (times > 3.2)
