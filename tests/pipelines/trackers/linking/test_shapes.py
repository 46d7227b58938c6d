"""What is usual of shapes, and how much of a length counts: the numbers of `unresolved.py`, by its formulas."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.trackers.columns import Columns
from pipelines.trackers.linking.columns import BLOB_COLUMNS
from pipelines.trackers.linking.unresolved import (
    FRAMES,
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
    """Things of that width and that (xx - yy) / 2 at these places."""
    table = scene.features(np.array(places, float), 100.0, NOISE**0.5)
    table["xx"], table["yy"], table["xy"] = WIDTH2 + np.array(half), WIDTH2 - np.array(half), 0.0
    return table


def rows(table, sightings):
    """Tracks at rest at the features, each seen so often as it is now."""
    t = Columns(BLOB_COLUMNS)
    t.append(len(table), x=table["x"], y=table["y"])
    for _ in range(sightings):
        lengthen(t, np.arange(len(t)), table, np.ones(len(t), bool))
    return t


def likely(scene, places, half, sightings, limit=1.0):
    """How likely the first of the things is two."""
    table = features(scene, places, half)
    t, every, own = rows(table, sightings), np.arange(len(table)), np.ones(len(table), bool)
    noise = np.full(len(table), NOISE)
    a, b, unit = shapes_of(t, every, table, noise, 0.0)
    usual = Usual(own, limit, 1.0, 0.0)
    return unresolved(t, every, table, unit, every, a, b, own, own, usual)[0][0]


@pytest.mark.parametrize("count", [1, 3, 100])
def test_few_things_tell_little_of_what_is_usual(scene, count):
    half = np.full(count, UNIT**0.5)  # q = 1, so that q / (q + 1) is 1 / 2
    shapes = Shapes()
    usual = shapes.look(features(scene, [(50.0 * k, 50.0) for k in range(count)], half), np.full(count, NOISE), 1e6)
    assert usual.limit == pytest.approx((1 + 4 / count) ** 2)


def test_of_long_things_the_share_counts_that_is_expected_to_be_two_and_none_if_it_is_small():
    shapes = Shapes()
    shapes.kept[STRANGE] = 0.5
    counted = [shapes.share(0.5 * part) for part in (0.05, 0.1, 0.15, 0.2, 0.5, 1.0, 3.0)]
    np.testing.assert_allclose(counted, [0, 0, 0.15 * 0.5, 0.2, 0.5, 1, 1], atol=1e-12)


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


@pytest.mark.parametrize(("beside", "moves"), [(None, 0.005), (7.0, 0.005), (4.0, 0.03)])
def test_what_is_near_makes_a_length_less_certain(scene, beside, moves):
    """A mean of 19 sightings between 3.5 and 5 times what is usual, and what moves it added to that."""
    half = 0.3
    limit = (half / 4.0) ** 2 * 19 / UNIT  # 4 times without anything
    places = [(50.0, 50.0)] + ([(50.0 + beside, 50.0)] if beside else [])
    times2 = half**2 / ((half / 4.0) ** 2 + (moves * WIDTH2) ** 2)
    expected = max(times2 - 3.5**2, 0) / (5**2 - 3.5**2)
    assert likely(scene, places, [half] + [0.0] * (len(places) - 1), 40, limit) == pytest.approx(expected, rel=1e-9)
    assert (expected > 0.2) == (moves == 0.005)
