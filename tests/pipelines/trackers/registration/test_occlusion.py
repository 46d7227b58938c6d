"""Covers that creep over windows: seen as what they are, while light, focus and turning are followed as before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

from kernels.executors import natives
from kernels.loops import language
from pipelines.features import State, sigmas
from pipelines.trackers.base import make_tracker
from pipelines.trackers.columns import Columns
from pipelines.trackers.registration.occlusion.occlusion import AT_ONCE, FALL, covering, fallen, unveil
from pipelines.trackers.registration.reference.reference_subset import Anchors
from pipelines.trackers.registration.warp.structs import Fit

SIDE = 96
POINTS = ((40.0, 40.0), (62.0, 44.0), (47.0, 64.0))
SETTINGS: dict[str, dict[str, Any]] = {
    "template": {"points": POINTS, "max_missed": 1000},
    "klt": {"points": POINTS, "max_points": 0},
}


@pytest.fixture(autouse=True)
def compiled():
    language.provide(natives.load)


def noisy(image, k):
    return np.rint(image + np.random.default_rng(k).normal(0, 2.0, image.shape)).clip(0, 255).astype(np.uint8)


def creeping(scene, speed, light, angle, frames=20, gone=False, seed=5):
    """A plate that sways, and before each point the edge of something that comes from one side, as far as beyond it."""
    plate, skin = scene.Speckle(seed=seed, corr=1.7), scene.Speckle(seed=seed + 100, corr=2.0)
    y, x = np.mgrid[:SIDE, :SIDE].astype(float)
    ux, uy = np.cos(angle), np.sin(angle)
    near = np.argmin([(x - a) ** 2 + (y - b) ** 2 for a, b in POINTS], axis=0)
    along = (x - np.array(POINTS)[near, 0]) * ux + (y - np.array(POINTS)[near, 1]) * uy
    steps = int(32 / speed)
    clip, path, edges = [], [], []
    for k in range(frames + steps + (frames if gone else 0)):
        edge = -16.0 + speed * min(max(k - frames, 0), steps) if k < frames + steps else -99.0
        away = 0.8 * np.sin(0.13 * k), 0.5 * np.sin(0.09 * k)
        cover = light + (12 * skin.image(SIDE, SIDE, edge * ux, edge * uy) if light == 120 else 0)
        share = np.clip(edge - along + 0.5, 0, 1)
        clip.append(noisy((120 + 30 * plate.image(SIDE, SIDE, *away)) * (1 - share) + cover * share, k))
        path.append(away)
        edges.append(edge)
    return clip, np.array(path), np.array(edges)


def batches(tracker, clip, size=16):
    out = []
    for k in range(0, len(clip), size):
        which = range(k, min(k + size, len(clip)))
        out += tracker.update_batch(which, [i / 1000 for i in which], [{"image": clip[i]} for i in which])
    return np.concatenate(out)


def errors(rows, path):
    start = np.array(POINTS)[rows["track"]]
    ex, ey = (rows[a] - start[:, k] - path[rows["frame"], k] + path[0, k] for k, a in enumerate("xy"))
    sx, sy = sigmas(rows)
    return np.hypot(ex, ey), 0.5 * ((ex / sx) ** 2 + (ey / sy) ** 2), np.maximum(np.abs(ex) / sx, np.abs(ey) / sy)


@pytest.mark.parametrize("name", ["template", "klt"])
@pytest.mark.parametrize(
    ("speed", "light", "angle"), [(0.2, 30, 0.4), (0.4, 225, 2.0), (0.4, 120, 3.9), (2.0, 30, 5.2)]
)
def test_what_is_tracked_beside_a_cover_is_where_it_says_however_slowly_that_comes(scene, name, speed, light, angle):
    clip, path, edges = creeping(scene, speed, light, angle)
    rows = batches(make_tracker(name, SETTINGS[name], (SIDE, SIDE), 1000.0), clip)
    seen = rows[(rows["state"] == State.TRACKED) & (rows["frame"] > 0)]
    _, squares, worst = errors(seen, path)
    assert worst.max() < 6
    assert squares.mean() < 1.6
    assert edges[seen["frame"]].max() < 12  # a window is 21 px wide, and sways
    half = seen[(edges[seen["frame"]] > -10) & (edges[seen["frame"]] < -5)]
    assert len(half) > 0.3 * 3 * np.count_nonzero((edges > -10) & (edges < -5))  # a part of it is enough
    assert errors(half, path)[0].max() < 0.2


@pytest.mark.parametrize("name", ["template", "klt"])
def test_a_cover_too_thin_to_be_told_makes_the_place_of_a_marker_less_sure(name):
    """What takes the rim of a window is no half that differs, but draws it along."""
    y, x = np.mgrid[:64, :64].astype(float)
    squares = []
    for seed in range(12):
        random = np.random.default_rng(seed)
        angle, light, cx, cy = random.uniform(0, 7), random.choice([100, 150]), *random.uniform(31, 33, 2)
        ux, uy = np.cos(angle), np.sin(angle)
        marker = 120 - 80 / (1 + np.exp((np.hypot(x - cx, y - cy) - 5) / 0.7))
        settings = SETTINGS[name] | {"points": ((cx, cy),)}
        made = make_tracker(name, settings, (64, 64), 1000.0)
        for k in range(70):
            share = np.clip(-8 + 0.1 * max(k - 30, 0) - (x - cx) * ux - (y - cy) * uy, 0, 1)
            row = made.update(k, k / 1000, {"image": noisy(marker * (1 - share) + light * share, 100 * seed + k)})
            if k >= 36 and len(row) and row["state"][0] == State.TRACKED:
                sx, sy = sigmas(row)
                squares.append(0.5 * (((row["x"] - cx) / sx) ** 2 + ((row["y"] - cy) / sy) ** 2)[0])
    assert len(squares) > 300
    assert np.mean(squares) < 1.6


def test_what_looks_like_the_ground_draws_a_marker_along_by_no_more_than_sigma_allows():
    """It takes a part of a window that nothing shows but what does not fit: as if the marker were bent."""
    y, x = np.mgrid[:64, :64].astype(float)
    squares, before = [], []
    for seed in range(10):
        random = np.random.default_rng(seed)
        angle, cx, cy = random.uniform(0, 7), *random.uniform(31, 33, 2)
        ux, uy = np.cos(angle), np.sin(angle)
        marker = 120 - 60 / (1 + np.exp((np.hypot(x - cx, y - cy) - 5) / 0.7))
        clip = []
        for k in range(90):
            share = np.clip(-16 + 0.5 * min(max(k - 30, 0), 24) - (x - cx) * ux - (y - cy) * uy, 0, 1)
            clip.append(noisy(marker * (1 - share) + 120 * share, 100 * seed + k))
        settings = SETTINGS["template"] | {"points": ((cx, cy),)}
        one, many = (make_tracker("template", settings, (64, 64), 1000.0) for _ in range(2))
        rows = np.concatenate([one.update(k, k / 1000, {"image": image}) for k, image in enumerate(clip)])
        assert batches(many, clip).tobytes() == rows.tobytes()
        rows = rows[rows["frame"] >= 16]
        sx, sy = sigmas(rows)
        made = 0.5 * (((rows["x"] - cx) / sx) ** 2 + ((rows["y"] - cy) / sy) ** 2)
        squares += made[rows["frame"] >= 60].tolist()
        before += made[rows["frame"] < 45].tolist()
    assert np.mean(before) < 1.3
    assert np.mean(squares) < 3.0


@pytest.mark.parametrize(("seed", "soft", "most"), [(9, 1.0, 1.5), (10, 1.5, 2.5)])
def test_a_cover_whose_edge_lies_in_what_is_left_makes_that_unsure(seed, soft, most):
    """It is soft; what one eighth less says is elsewhere."""
    plate = gaussian_filter(np.random.default_rng(seed).normal(size=(SIDE, SIDE)), 1.5)
    plate = 120 + 30 * plate / plate.std()
    anchors, slots, at = Anchors(21, 2), np.arange(1), np.array([48.0])
    anchors.reserve(1)
    anchors.take(plate, slots, at, at)
    share = 1 / (1 + np.exp((np.arange(SIDE)[:, None] - 46) / soft))
    found = covering(plate * (1 - share) + 90 * share, anchors.references, slots, at, at, np.array([0.999]))
    assert found.covered[0]
    assert np.hypot(found.x[0] - 48, found.y[0] - 48) < most * np.sqrt(found.variance[0])


@pytest.mark.parametrize("name", ["template", "klt"])
def test_the_usual_score_rises_at_once_and_sinks_slowly(scene, name):
    """Else it sinks along with what creeps over a window."""
    plate = 120 + 30 * scene.Speckle(seed=21, corr=1.7).image(SIDE, SIDE)
    made = make_tracker(name, SETTINGS[name], (SIDE, SIDE), 1000.0)
    levels = []
    for k in range(90):
        random = np.random.default_rng(k)
        image = plate + random.normal(0, 5.0 if 60 <= k < 70 else 2.0, plate.shape)
        made.update(k, k / 1000, {"image": np.rint(image).clip(0, 255).astype(np.uint8)})
        levels.append(made.t["level"].copy())
    before, sunk, after = levels[59], levels[69], levels[89]
    low = 1 - (1 - before) * (5.0 / 2.0) ** 2  # where it would be in the end
    left = (sunk - low) / (before - low)
    assert ((left > 0.45) & (left < 0.8)).all()
    assert (after > before - 0.25 * (before - sunk)).all()


@pytest.mark.parametrize("name", ["template", "klt"])
def test_the_usual_score_does_not_sink_with_a_cover_that_creeps(scene, name):
    clip, _, edges = creeping(scene, 0.2, 30, 0.4)
    made = make_tracker(name, SETTINGS[name], (SIDE, SIDE), 1000.0)
    before = 0.0
    for k in range(np.flatnonzero(edges > -4)[0]):
        made.update(k, k / 1000, {"image": clip[k]})
        before = made.t["level"].copy() if k == 15 else before
    assert (made.t["level"] > before - 0.01).all()
    assert (made.t["veiled"] > 0).all()


def test_a_cover_bends_no_window(scene):
    for angle in (0.4, 2.0):
        clip, _, _ = creeping(scene, 0.4, 30, angle)
        made = make_tracker("template", SETTINGS["template"], (SIDE, SIDE), 1000.0)
        batches(made, clip)
        assert len(made.tables()["warps"]) == 0


@pytest.mark.parametrize("name", ["template", "klt"])
def test_what_was_covered_is_there_again_when_the_cover_is_gone(scene, name):
    clip, path, edges = creeping(scene, 0.8, 30, 1.1, gone=True)
    rows = batches(make_tracker(name, SETTINGS[name], (SIDE, SIDE), 1000.0), clip)
    hidden = rows[edges[rows["frame"]] > 14]
    assert (hidden["state"] != State.TRACKED).all()
    after = rows[rows["frame"] > len(clip) - 5]
    assert (after["state"] == State.TRACKED).all()
    assert errors(after, path)[0].max() < 0.1


@pytest.mark.parametrize("name", ["template", "klt"])
def test_batches_have_the_bits_of_frames_while_something_creeps_over_windows(scene, name):
    clip, _, _ = creeping(scene, 0.6, 225, 2.6, gone=True)
    one, many = (make_tracker(name, SETTINGS[name], (SIDE, SIDE), 1000.0) for _ in range(2))
    frames = np.concatenate([one.update(k, k / 1000, {"image": image}) for k, image in enumerate(clip)])
    assert batches(many, clip).tobytes() == frames.tobytes()


def changed(scene, what, k, plate):
    u = min(max(k - 20, 0) / 60, 1.0)
    theta = 0.002 * k if what == "turn" else 0.0
    image = 120 + 30 * plate.image(SIDE, SIDE, 0.8 * np.sin(0.13 * k), 0.0, theta, (48.0, 48.0))
    x = np.arange(SIDE)
    match what:
        case "dim":
            image = image * (1 - 0.7 * u)
        case "flicker":
            image = image * (1 + 0.25 * np.sin(0.6 * k))
        case "focus":
            image = gaussian_filter(image, 1.3 * u) if u > 0 else image
        case "slope":
            image = image * (1 - 0.5 * u * x / SIDE)
        case "noise":
            image = image + np.random.default_rng(900 + k).normal(0, 12 * u, image.shape)
    return noisy(image, k)


@pytest.mark.parametrize("name", ["template", "klt"])
@pytest.mark.parametrize("what", ["dim", "flicker", "focus", "slope", "noise", "turn"])
def test_what_changes_all_of_a_window_is_no_cover(scene, name, what):
    plate = scene.Speckle(seed=21, corr=1.7)
    clip = [changed(scene, what, k, plate) for k in range(100)]
    made = make_tracker(name, SETTINGS[name], (SIDE, SIDE), 1000.0)
    rows = []
    for k, image in enumerate(clip):
        rows.append(made.update(k, k / 1000, {"image": image}))
        assert (made.t["veiled"] == 0).all()
    assert (np.concatenate(rows)["state"] == State.TRACKED).all()
    assert np.abs(made.t["level"] - rows[-1]["score"]).max() < 0.08  # the usual score goes along, 20 frames behind


def test_the_place_is_that_of_what_is_left(scene):
    plate, y = scene.Speckle(seed=8, corr=1.7), np.arange(SIDE)[:, None]
    anchors, slots = Anchors(21, 2), np.arange(1)
    at = np.array([48.0])
    anchors.reserve(1)
    anchors.take(noisy(120 + 30 * plate.image(SIDE, SIDE), 1), slots, at, at)
    for dx, dy in ((0.0, 0.0), (0.3, -0.2), (-0.4, 0.5)):
        image = 120 + 30 * plate.image(SIDE, SIDE, dx, dy)
        bare = covering(noisy(image, 2), anchors.references, slots, at + dx, at + dy, np.array([0.995]))
        assert not bare.covered[0]
        found = covering(noisy(np.where(y < 46, 30, image), 3), anchors.references, slots, at, at, np.array([0.995]))
        assert found.covered[0]
        assert (found.x[0] - 48, found.y[0] - 48) == pytest.approx((dx, dy), abs=5 * np.sqrt(found.variance[0]))
        assert 0.003 < np.sqrt(found.variance[0]) < 0.05
        assert found.score[0] > 0.98


def striped(window, count, seed):
    """References at random places of a plate, and the plate with even bars before it: (references, picture, x, y)."""
    rng = np.random.default_rng(seed)
    plate = gaussian_filter(rng.normal(size=(200, 200)), 1.5)
    plate = np.clip(128 + 40 * plate / plate.std(), 0, 255).astype(np.uint8)
    x, y = rng.uniform(window, 200 - window, (2, count))
    anchors = Anchors(window, 2)
    anchors.reserve(count)
    anchors.take(plate, np.arange(count), x, y)
    plate = noisy(plate, seed)
    for k in range(0, 200, 60):
        plate[:, k : k + 14] = 30
    return anchors.references, plate, x, y


def test_many_windows_have_the_bits_of_each_alone():
    count = 2 * AT_ONCE // 21**2 + 5
    refs, picture, x, y = striped(21, count, 3)
    usual = np.linspace(0.95, 0.999, count)
    together = covering(picture, refs, np.arange(count), x, y, usual)
    assert 10 < np.count_nonzero(together.covered) < count - 10
    for k in range(count):
        one = (np.arange(count)[k : k + 1], x[k : k + 1], y[k : k + 1], usual[k : k + 1])
        for whole, part in zip(together, covering(picture, refs, *one), strict=True):
            assert whole[k] == part[0]


@pytest.mark.parametrize("window", [5, 9])
def test_what_is_even_is_nothing_that_is_left(window):
    """All of a half covered by what is clipped is explained by a reference of no light, at any place."""
    refs, picture, x, y = striped(window, 1000, 4)
    found = covering(picture, refs, np.arange(1000), x, y, np.full(1000, 0.97))
    assert np.count_nonzero(found.covered) > 50
    assert found.variance[found.covered].min() > 1e-8
    assert found.variance[found.covered].max() < 20


def test_what_differs_in_what_is_left_may_have_misled():
    """Noise is in every pixel; one thing as large may draw a half along."""
    made = ((8, 1.5), (9, 3.0))
    plate, thing = (gaussian_filter(np.random.default_rng(k).normal(size=(SIDE, SIDE)), grain) for k, grain in made)
    plate, thing = 120 + 30 * plate / plate.std(), thing / thing.std()
    anchors, slots, at = Anchors(21, 2), np.arange(1), np.array([48.0])
    anchors.reserve(1)
    anchors.take(plate, slots, at, at)
    white = np.random.default_rng(3).normal(size=thing.shape)
    found = []
    for other in (white, thing):
        image = np.where(np.arange(SIDE)[:, None] < 46, 30.0, plate + 5 * other)
        found.append(covering(image, anchors.references, slots, at, at, np.array([0.999])))
        assert found[-1].covered[0]
    assert np.sqrt(found[0].variance[0]) > 0.05  # five gray levels of noise, where one is usual
    x, y = found[1].x[0] - 48, found[1].y[0] - 48
    assert np.hypot(x, y) < 4 * np.sqrt(found[1].variance[0])


def test_what_was_covered_counts_as_such_for_a_while():
    refs, picture, x, y = striped(21, 3, 5)
    t = Columns(dict.fromkeys(("level", "veiled"), "f8") | {"slot": "i8"})
    t.append(3, level=np.array([0.99, 0.99, 0.0]), veiled=np.array([2.0, 2.0, 2.0]), slot=np.arange(3))
    noise = np.random.default_rng(1).normal(0, 25, picture.shape)
    fit, shown = Fit.empty(x, y), np.zeros(3)
    fit.score[:] = 0.8, 0.99, 0.8
    blurred = np.clip(gaussian_filter(picture.astype(float), 2.0) + noise, 0, 255)
    for left in (1, 0, 0):
        unveil(blurred, refs, t, np.arange(3), fit, shown)
        assert t["veiled"].tolist() == [left, 0, 2]  # what looks as usual is not; of one nobody knows how it looked
    t["veiled"][:] = 0
    for textured in (2, 1):  # stripes have no halves
        refs.textured[:] = textured
        fit.score[:] = 0.8
        unveil(covered_half(picture, x, y), refs, t, np.arange(2), fit, shown)
        assert (t["veiled"] > 0).any() == (shown > 0).any() == (textured == 1)


def covered_half(picture, x, y):
    """Its points without what is above them."""
    rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]]
    near = [(np.abs(columns - a) < 15) & (rows < b - 2) & (rows > b - 15) for a, b in zip(x, y, strict=True)]
    return np.where(np.any(near, axis=0), 30, picture).astype(np.uint8)


def test_scores_fall_by_more_than_noise_makes_them():
    assert fallen(np.array([0.99, 0.99 - FALL - 0.0039, 0.98]), np.full(3, 0.99)).tolist() == [False, False, True]
    assert fallen(np.array([0.9, 0.5]), np.array([0.0, 0.0])).all()  # of a perfect one, where nobody knows
    assert not fallen(np.array([0.75]), np.array([0.8]))[0]
