"""Corners that have another reference: when they go back to their first one, and where they are then."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.executors import natives
from kernels.loops import language
from pipelines.trackers.registration.reference.corners import BACK, NEAR
from pipelines.trackers.registration.windows.plane_maps import inverse
from tests.pipelines.trackers.registration.test_corners import WINDOW, X, made, plate


@pytest.fixture(autouse=True)
def compiled():
    language.provide(natives.load)


def left_behind(picture, model="translation"):
    """Corners of which the first two have another reference, two pixels beside, and were left where they began."""
    corners = made(model, picture)
    t = corners.t
    t["level"][:], t["offset"][:], t["averaged"][:] = 0.95, 2e-5, 7
    corners.renew(picture, np.array([0, 1]), keep=True)
    t["drift"][:], t["strange"][:], t["counted"][:] = 1e-3, 2, 9
    t["vx"][:], t["vy"][:], t["p01"][:], t["p11"][:] = 0.5, -0.5, 0.1, 1e-4
    return corners


def test_first_references_that_fit_again_come_back():
    picture = plate()
    corners = left_behind(picture)
    t = corners.t
    t["x"][0] += 2.0  # taken along by what covered it
    back, fits = corners.recover(picture, np.arange(3), np.full(3, 0.99), 0.9)
    assert back.tolist() == [0, 1]
    assert (t["slot"] == t["first"]).all()
    assert t["x"] == pytest.approx(X, abs=1e-3)
    assert fits.score[back].min() > 0.999
    assert t["averaged"][back].tolist() == [7, 7]
    assert t["offset"][back] == pytest.approx(2e-5)
    assert t["counted"][back].tolist() == [1, 1]
    assert (t["drift"][back] == 0).all()
    assert (t["strange"][back] == 0).all()
    assert t["level"][back] == pytest.approx(fits.score[back])
    assert t["p00"][back] == pytest.approx(corners.noise(back, fits) + 2e-5, rel=1e-6)
    for name, far, near in (("vx", 0, 0.5), ("vy", 0, -0.5), ("p01", 0, 0.1), ("p11", (0.25 * WINDOW) ** 2, 1e-4)):
        assert t[name][:2].tolist() == [far, near], name
    assert t["strange"][2] == 2  # whose reference was its first one


def test_what_is_veiled_comes_back_as_doubtful_and_only_where_it_looks_as_usual():
    picture = plate()
    corners = left_behind(picture)
    t = corners.t
    t["veiled"][:2] = 5.0
    noisy = picture + 0.4 * (plate(8, grain=3.0) - 120)  # correlations of some 0.92, and not by noise
    t["first_level"][:2] = 0.98 + BACK
    assert not len(corners.recover(noisy, np.arange(2), np.full(2, 0.99), 0.5)[0])
    t["first_level"][:2] = 0.9
    back, fits = corners.recover(noisy, np.arange(2), np.full(2, 0.99), 0.5)
    assert back.tolist() == [0, 1]
    assert (t["level"][back] == 0.9).all()
    plain = corners.noise(back, fits) + t["offset"][back]
    alike = corners.structured(noisy, back, t["x"][back], t["y"][back], fits.score[back])
    assert t["p00"][back] == pytest.approx(plain + corners.misled(back, alike))
    assert (t["p00"][back] > 2 * plain).all()


def test_without_a_veil_as_well_as_now_is_enough_in_place():
    picture = plate()
    noisy = picture + np.random.default_rng(3).normal(0, 14.0, picture.shape)
    for score, least, good in ((0.99, 0.8, True), (0.8, 0.99, True), (0.99, 0.99, False)):
        corners = left_behind(picture)
        corners.t["first_level"][:] = 2.0  # never as usual
        back = corners.recover(noisy, np.arange(2), np.full(2, score), least)[0]
        assert (back.tolist() == [0, 1]) == good, (score, least)
    corners = left_behind(picture)
    corners.t["first_level"][:] = 2.0
    corners.t["x"][:2] += 1.5 * NEAR
    assert not len(corners.recover(picture, np.arange(2), np.full(2, 0.5), 0.5)[0])


@pytest.mark.parametrize("covered", ["here", "left"])
def test_of_two_places_that_look_as_usual_it_is_the_one_that_looks_more_so(covered):
    picture = plate()
    picture[70:110, 70:110] = picture[14:54, 14:54]
    corners = made("translation", picture, x=np.array([34.0]), y=np.array([34.0]))
    t = corners.t
    t["level"][:] = 0.95
    corners.renew(picture, np.arange(1), keep=True)
    t["x"][:] = t["y"][:] = 90.0
    noise = np.random.default_rng(3).normal(0, 8.0, (40, 40))
    part = slice(70, 110) if covered == "here" else slice(14, 54)
    picture[part, part] += noise
    assert len(corners.recover(picture, np.arange(1), np.full(1, 0.9), 0.9)[0]) == 1
    assert t["x"][0] == pytest.approx(34 if covered == "here" else 90, abs=1e-3)


def test_what_has_turned_meanwhile_comes_back_turned():
    picture = plate()
    corners = left_behind(picture, "affine")
    t = corners.t
    turned = np.array([[1.0, -0.05], [0.05, 1.0]])
    t["base"][0], t["bend"][0] = turned, inverse(turned[None])[0] @ np.array([[1.02, 0.0], [0.0, 1.0]])
    back, _ = corners.recover(picture, np.arange(2), np.full(2, 0.99), 0.9)
    assert back.tolist() == [0, 1]
    assert (t["base"][back] == np.eye(2)).all()
    assert t["bend"][0] == pytest.approx(inverse(turned[None])[0] @ np.diag([1.02, 1.0]) @ turned)
    assert (t["drawn"][back] == t["bend"][back]).all()
