"""Centres by outlines: reflections, notches, holes, what is cut and what touches; sigma; the same bits anywhere."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.components import outline_loops
from kernels.executors.reference import evaluate, evaluate_clip
from kernels.stages.components import components
from tests.kernels.components.scenes import Pupil, texture

SEEDS = range(100, 105)


def centres(frames, truth, way, **params):
    """Errors of x and y of the largest region of each frame, and its sigmas."""
    given = {"polarity": "dark", "min_area": 60, "centre": way} | params
    errors, sigmas = [], []
    for frame, (x, y) in zip(frames, truth, strict=True):
        rows = evaluate(components, frame < 70, frame, **given).rows
        row = rows[np.argmax(rows["area"])]
        errors.append((row["x"] - x, row["y"] - y))
        sigmas.append(row["sigma"] * np.sqrt((1 + row["anisotropy"], 1 - row["anisotropy"])))
    return np.array(errors), np.array(sigmas)


def score(pupil, way, count, seed, **params):
    """RMS error per axis, px, and variance of error / sigma."""
    rng = np.random.default_rng(seed)
    frames, truth = zip(*(pupil.frame(rng) for _ in range(count)), strict=True)
    errors, sigmas = centres(frames, truth, way, **params)
    return np.sqrt(np.mean(errors**2)), np.mean((errors / sigmas) ** 2)


@pytest.mark.parametrize("glint", ["inside", "rim"])
def test_a_reflection_has_no_say(glint):
    errors = {way: score(Pupil(glint=glint), way, 12, 1)[0] for way in ("light", "shape", "ellipse")}
    assert errors["light"] > 0.3  # what the case is about
    assert errors["ellipse"] < 0.012
    assert errors["shape"] < (0.012 if glint == "inside" else 0.2)  # a chord bridges what is cut out of the rim


@pytest.mark.parametrize("pupil", [Pupil(), Pupil(blur=0.8), Pupil(noise=6.0, blur=0.8), Pupil(glint="rim", blur=0.8),
                                   Pupil(radius=9.0, blur=0.8)], ids=str)  # fmt: skip
def test_sigma_of_an_ellipse(pupil):
    assert 0.6 < np.mean([score(pupil, "ellipse", 16, seed)[1] for seed in SEEDS]) < 1.5


@pytest.mark.parametrize("pupil", [Pupil(), Pupil(noise=6.0, blur=0.8), Pupil(glint="inside")], ids=str)
def test_sigma_of_a_shape(pupil):
    assert 0.6 < np.mean([score(pupil, "shape", 16, seed)[1] for seed in SEEDS]) < 1.5


@pytest.mark.parametrize("way", ["shape", "ellipse"])
def test_a_texture_around_it_is_in_sigma(way):
    """Without the errors that neighbours share, or that of the level's plane, the variance would be 3 and more."""
    variance = np.mean([score(Pupil(texture=6.0), way, 16, seed)[1] for seed in SEEDS])
    assert 0.3 < variance < 1.7


def test_light_that_falls_off_to_a_side_moves_nothing():
    rng = np.random.default_rng(3)
    pupil = Pupil(noise=0.5, blur=0.8, slope=0.5)  # 50 gray values across the picture
    frames, truth = zip(*(pupil.frame(rng) for _ in range(10)), strict=True)
    for way in ("shape", "ellipse"):
        errors, _ = centres(frames, truth, way)
        assert np.abs(errors.mean(axis=0)).max() < 0.015  # a constant level: .2


def disc(size, x, y, radius, fine=16):
    """How much of each pixel a disc covers."""
    at = (np.arange(size * fine) + 0.5) / fine - 0.5
    inside = (at[None] - x) ** 2 + (at[:, None] - y) ** 2 <= radius**2
    return inside.reshape(size, fine, size, fine).mean(axis=(1, 3))


def test_moments_and_area_are_those_of_the_ellipse():
    cover = disc(48, 23.3, 24.1, 12.0)
    rows = evaluate(components, cover > 0.5, (40 + 160 * cover).astype(np.float32), centre="ellipse").rows
    np.testing.assert_allclose(rows[["x", "y"]][0].tolist(), (23.3, 24.1), atol=0.003)
    np.testing.assert_allclose(rows["area"], np.pi * 144, rtol=2e-3)
    np.testing.assert_allclose([rows["xx"][0], rows["yy"][0]], 36.0, rtol=2e-3)
    np.testing.assert_allclose([rows["xy"][0], rows["stretch"][0], rows["lean"][0]], 0.0, atol=0.05)


def test_holes_and_notches_of_a_mask_alone():
    mask = np.zeros((40, 50), bool)
    mask[8:29, 10:41] = True
    mask[12:20, 13:18] = False  # a hole
    mask[8:14, 30:36] = False  # a notch
    rows = evaluate(components, mask, centre="shape").rows
    np.testing.assert_allclose((rows["x"][0], rows["y"][0]), (25.0, 18.0), atol=0.02)
    np.testing.assert_allclose(rows["area"][0], 31 * 21, rtol=0.01)
    assert 0 < rows["sigma"][0] < 0.2
    assert abs(evaluate(components, mask).rows["x"][0] - 25.0) > 0.2


def test_what_the_picture_cuts_is_an_ellipse_all_the_same():
    cover = disc(64, 8.4, 31.7, 14.0)
    rows = evaluate(components, cover > 0.5, (200 * cover).astype(np.float32), centre="ellipse").rows
    np.testing.assert_allclose((rows["x"][0], rows["y"][0]), (8.4, 31.7), atol=0.02)


def test_where_two_touch_is_none_of_their_outlines():
    cover = np.maximum(disc(80, 26.2, 40.3, 12.0), disc(80, 48.7, 40.3, 12.0))
    light = (30 + 150 * cover).astype(np.float32)
    light += 20 * np.exp(-(((np.arange(80)[None] - 26.2) ** 2 + (np.arange(80)[:, None] - 40.3) ** 2) / 60))
    light += 20 * np.exp(-(((np.arange(80)[None] - 48.7) ** 2 + (np.arange(80)[:, None] - 40.3) ** 2) / 60))
    rows = evaluate(components, cover > 0.5, light, centre="ellipse", split=8.0, background="ring").rows
    assert len(rows) == 2
    rows = rows[np.argsort(rows["x"])]
    np.testing.assert_allclose(rows["x"], (26.2, 48.7), atol=0.15)
    np.testing.assert_allclose(rows["y"], 40.3, atol=0.05)


def test_what_is_too_small_keeps_its_light():
    image = np.full((20, 20), 30, np.uint8)
    image[8:10, 8:10] = 200
    by_light = evaluate(components, image > 100, image).rows
    rows = evaluate(components, image > 100, image, centre="ellipse").rows
    np.testing.assert_allclose(rows.view(float), by_light.view(float), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("radius", "outlined"), [(1.5, False), (2.0, False), (2.5, True), (3.0, True)])
def test_an_outline_needs_a_dozen_points(radius, outlined):
    """Which a disc has from a radius of some 2.5 px on; the area of a smaller one is its number of pixels."""
    image = np.round(30 + 200 * disc(20, 10.2, 9.7, radius)).astype(np.uint8)
    (area,) = evaluate(components, image > 130, image, centre="shape").rows["area"]
    assert (area != round(area)) == outlined


def test_gaps_between_points_make_a_shape_less_certain():
    """A rim half of which cannot be seen: what the chord cuts off is not known to be there."""
    cover = disc(64, 31.5, 31.5, 18.0)
    image = (200 * cover).astype(np.float32) + np.random.default_rng(0).normal(0, 1, cover.shape).astype(np.float32)
    whole = evaluate(components, cover > 0.5, image, centre="shape", min_area=50).rows["sigma"][0]
    cut = cover.copy()
    cut[:, :24] = np.where(np.arange(24) < 24, 0, cut[:, :24])
    image[:, :24] = 0
    half = evaluate(components, cut > 0.5, image, centre="shape", min_area=50).rows["sigma"][0]
    assert half < 0.1  # a straight side is an outline like others
    image[26:38, 40:52] = 0
    cut[26:38, 40:52] = 0
    notched = evaluate(components, cut > 0.5, image, centre="shape", min_area=50).rows["sigma"][0]
    assert notched > 2 * whole


@pytest.mark.parametrize("way", ["shape", "ellipse"])
def test_sigma_of_masks_alone(way):
    rng, squares = np.random.default_rng(0), []
    for _ in range(80):
        x, y = 20 + rng.uniform(-0.5, 0.5, 2)
        row = evaluate(components, disc(40, x, y, 9 + rng.uniform(-0.5, 0.5), 4) > 0.5, centre=way).rows[0]
        squares += [((row["x"] - x) / row["sigma"]) ** 2, ((row["y"] - y) / row["sigma"]) ** 2]
    assert 0.65 < np.mean(squares) < 1.35


@pytest.mark.parametrize("wide", [6, 12])
def test_sigma_of_a_shape_with_a_notch(wide):
    """What the chord cuts off is not known to be there."""
    rng, squares = np.random.default_rng(3), []
    for _ in range(30):
        x, y = 32 + rng.uniform(-0.5, 0.5, 2)
        cover = disc(64, x, y, 15.0, 8)
        cover[32 - wide // 2 : 32 + wide // 2, 40:] = 0
        image = (40 + 120 * cover + rng.normal(0, 1.5, cover.shape)).astype(np.float32)
        row = evaluate(components, cover > 0.5, image, centre="shape", min_area=50).rows[0]
        squares.append((row["x"] - x) ** 2 / (row["sigma"] ** 2 * (1 + row["anisotropy"])))
    assert 0.5 < np.mean(squares) < 1.6


@pytest.mark.parametrize("way", ["shape", "ellipse"])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32, None])
def test_the_same_bits_without_a_compiler_and_in_any_batch(way, dtype, monkeypatch):
    rng = np.random.default_rng(7)
    frames = np.stack([Pupil(radius=9.0, size=(50, 52), glint=g, noise=3.0).frame(rng)[0]
                       for g in ("", "rim", "inside")])  # fmt: skip
    masks, images = frames < 70, None if dtype is None else frames.astype(dtype)
    given = {"polarity": "dark", "centre": way, "min_area": 20}

    def tables(some):
        rows = evaluate_clip(components, masks[some], None if images is None else images[some], **given)
        return [table.rows for table in rows]

    together = tables(slice(None))
    assert all(len(rows) for rows in together)
    for k in range(3):
        alone = tables(slice(k, k + 1))[0]
        assert alone.dtype == together[k].dtype
        assert alone.tobytes() == together[k].tobytes()  # NaN, of a mask without a picture, is NaN
    monkeypatch.setattr(outline_loops.boxes_loop.__class__, "native", lambda *_args, **_more: None)
    for plain, rows in zip(tables(slice(None)), together, strict=True):
        for name in ("x", "y", "area", "xx", "yy", "sigma", "anisotropy"):
            np.testing.assert_array_equal(plain[name], rows[name], name)


def test_a_texture_is_correlated():
    field = texture(np.random.default_rng(0), (200, 200), 2.0)
    assert abs(np.mean(field[:, 1:] * field[:, :-1]) / np.mean(field**2) - np.exp(-1 / 16)) < 0.05
