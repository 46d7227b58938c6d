"""Samples follow from their seed, show targets where they say, and others where there is nothing to find."""

from __future__ import annotations

import numpy as np

from tests.training import samples as module
from tests.training.samples import SIDE, samples


def test_a_seed_says_all():
    first, again = list(samples(5, 10)), list(samples(5, 10))
    assert len(first) == 10
    for a, b in zip(first, again, strict=True):
        np.testing.assert_array_equal(a.pixels, b.pixels)
        np.testing.assert_array_equal(a.points, b.points)
    others = list(samples(6, 10))
    assert all((a.pixels != b.pixels).any() for a, b in zip(first, others, strict=True))
    shorter = list(samples(5, 4))  # of a scene of which more pictures would follow
    np.testing.assert_array_equal(shorter[3].pixels, first[3].pixels)


def test_points_lie_in_the_picture_and_some_pictures_have_none():
    found = list(samples(7, 90))
    assert all(one.pixels.shape == (SIDE, SIDE) and one.pixels.dtype == np.uint8 for one in found)
    points = np.concatenate([np.concatenate((one.points, one.unclear)) for one in found])
    assert ((points >= 0) & (points <= SIDE - 1)).all()
    without = sum(not len(one.points) and not len(one.unclear) for one in found)
    assert 0.1 * len(found) < without < 0.5 * len(found)
    assert sum(len(one.points) for one in found) > len(found)


def test_what_drowns_in_noise_is_unclear(monkeypatch):
    clear = sum(len(one.points) for one in samples(8, 30))
    monkeypatch.setattr(module, "FAINTEST", 1e6)
    found = list(samples(8, 30))
    assert clear > 10
    assert sum(len(one.points) for one in found) == 0
    assert sum(len(one.unclear) for one in found) >= clear
