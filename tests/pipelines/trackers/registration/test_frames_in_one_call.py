"""Corners and templates of which whole batches go by in one call: the bits of frame after frame, of NumPy too."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from kernels.executors import natives
from kernels.loops import language
from pipelines.features import Reason
from pipelines.trackers.base import make_tracker
from pipelines.trackers.registration.batch.batch_tracking import Steady
from pipelines.trackers.registration.batch.batch_tracking_loops import together
from pipelines.trackers.registration.occlusion import occlusion
from pipelines.trackers.registration.reference.reference_update_translation_loops import below, middle_of
from pipelines.trackers.registration.windows.native import call
from tests.oracles.registration import in_place

SIDE = 96
POINTS = ((20.0, 24.3), (48.5, 48.0), (70.0, 30.0), (30.0, 72.0))


@pytest.fixture(autouse=True)
def compiled() -> Any:
    language.provide(natives.load)
    yield
    language.provide(natives.load)


@pytest.fixture
def gone(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of each call of machine code, how many frames went by."""
    seen: list[int] = []
    go = Steady.go

    def counted(self: Steady, *given: Any) -> Any:
        made = go(self, *given)
        seen.append(len(made[0]))
        return made

    monkeypatch.setattr(Steady, "go", counted)
    return seen


def clip_of(scene: Any, count: int, seed: int, covered: bool = False) -> list[Any]:
    random, plate = np.random.default_rng(seed), scene.Speckle(seed=5)
    path, made = np.cumsum(random.uniform(-0.5, 0.5, (count, 2)), axis=0), []
    for k in range(count):
        image = 120 + 35 * plate.image(SIDE, SIDE, *path[k]) + random.normal(0, 3, (SIDE, SIDE))
        if covered and 14 < k < 18:
            image[34:60, 36:62] = 90.0
        made.append(image.clip(0, 255).astype(np.uint8))
    return made


def rows_of(tracker: Any, clip: list[Any], cuts: list[int]) -> bytes:
    times, out = [i / 1000 for i in range(len(clip))], []
    for a, b in pairwise(cuts):
        out += tracker.update_batch(range(a, b), times[a:b], [{"image": one} for one in clip[a:b]])
    return b"".join(rows.tobytes() for rows in out)


def one_by_one(tracker: Any, clip: list[Any]) -> bytes:
    return b"".join(tracker.update(i, i / 1000, {"image": one}).tobytes() for i, one in enumerate(clip))


def same(a: Any, b: Any) -> bool:
    one, two = a.snapshot(), b.snapshot()
    return one.keys() == two.keys() and all(one[name].tobytes() == two[name].tobytes() for name in one)


CORNERS = (
    {"points": POINTS, "max_points": 0},
    {"max_points": 12},
    {"max_points": 40, "refill": 1.0, "retry": 5, "min_hits": 6},
    {"points": (*POINTS, (60.0, 62.0, 9.0)), "max_points": 6, "reference_frames": 3},
    {"points": POINTS, "max_points": 3, "window": 9, "renew_score": 0.95},
)


@pytest.mark.parametrize("params", CORNERS)
@pytest.mark.parametrize("covered", [False, True])
def test_batches_of_corners_have_the_bits_of_frames(scene, gone, params, covered):
    clip = clip_of(scene, 26, 3, covered)
    frames, batches, short = (make_tracker("klt", params, (SIDE, SIDE), 1000.0) for _ in range(3))
    first = one_by_one(frames, clip)
    assert not gone
    assert rows_of(batches, clip, [0, 3, 4, 20, 26]) == first
    assert sum(gone) > 5
    assert rows_of(short, clip, list(range(27))) == first
    assert same(frames, batches)
    assert same(frames, short)


@pytest.mark.parametrize("name", ["klt", "template"])
@pytest.mark.parametrize("jump", [False, True])
def test_what_looks_less_and_less_alike_is_left_to_frames(scene, gone, name, jump):
    """Windows whose texture fades into another, by and by or at once, while they are found all the time."""
    clip, other = clip_of(scene, 40, 8), scene.Speckle(seed=11)
    for k in range(16, 40):
        share = (0.35 if k < 28 else 0.5) if jump else 0.025 * (k - 15)
        mixed = (1 - share) * clip[k] + share * (120 + 35 * other.image(SIDE, SIDE))
        clip[k] = mixed.clip(0, 255).astype(np.uint8)
    params = {"points": POINTS, **({"max_points": 0} if name == "klt" else {})}
    frames, batches = (make_tracker(name, params, (SIDE, SIDE), 1000.0) for _ in range(2))
    first = one_by_one(frames, clip)
    assert rows_of(batches, clip, [0, 12, 25, 40]) == first
    assert 10 < sum(gone) < 40  # not all of them went by
    assert same(frames, batches)


@pytest.mark.parametrize(("name", "params"), [("klt", {"max_points": 5}), ("template", {"points": POINTS[:2]})])
def test_numpy_has_the_bits_of_machine_code(scene, gone, name, params):
    clip = clip_of(scene, 7, 4)
    params = {"window": 11, **params}
    made = rows_of(make_tracker(name, params, (SIDE, SIDE), 1000.0), clip, [0, 2, 7])
    assert sum(gone) > 3
    with in_place():
        assert one_by_one(make_tracker(name, params, (SIDE, SIDE), 1000.0), clip) == made


@pytest.mark.parametrize("params", [{"check": "always"}, {"anchor": False}, {"method": "opencv"}, {"model": "affine"}])
def test_corners_that_need_more_are_followed_frame_by_frame(scene, gone, params):
    clip = clip_of(scene, 6, 5)
    frames, batches = (make_tracker("klt", {"points": POINTS, **params}, (SIDE, SIDE), 1000.0) for _ in range(2))
    assert rows_of(batches, clip, [0, 6]) == one_by_one(frames, clip)
    assert not gone


def test_corners_are_not_passed_over_that_come_together(scene):
    """Of two that see the same one ends, in the same frame whether in machine code or not."""
    clip = clip_of(scene, 12, 6)
    frames, batches = (make_tracker("klt", {"max_points": 8, "refill": 0.1}, (SIDE, SIDE), 1000.0) for _ in range(2))
    for made in (frames, batches):
        rows_of(made, clip[:8], [0, 8])
        t, anchors = made.t, made.corners.anchors
        for name in ("x", "y", "px", "py", "vx", "vy"):
            t[name][1] = t[name][0]
        for kept in (anchors.tiles, *(getattr(anchors.references, name) for name in anchors.references.NAMES)):
            kept[t["slot"][1]] = kept[t["slot"][0]]
    times = [i / 1000 for i in range(12)]
    made = batches.update_batch(range(8, 12), times[8:], [{"image": one} for one in clip[8:]])
    one = [frames.update(i, times[i], {"image": clip[i]}) for i in range(8, 12)]
    assert b"".join(rows.tobytes() for rows in made) == b"".join(rows.tobytes() for rows in one)
    assert (made[0]["reason"] == Reason.MERGED).sum() == 1
    assert same(frames, batches)


def test_doubts_about_corners_are_forgotten(scene):
    clip = clip_of(scene, 9, 6)
    frames, batches = (make_tracker("klt", {"max_points": 8}, (SIDE, SIDE), 1000.0) for _ in range(2))
    for made in (frames, batches):
        rows_of(made, clip[:8], [0, 8])
        made.t["strange"] = np.ones(len(made.t), np.int32)
    frames.update(8, 0.008, {"image": clip[8]})
    batches.update_batch([8], [0.008], [{"image": clip[8]}])
    assert not batches.t["strange"].any()
    assert same(frames, batches)


def test_points_that_are_near_each_other_are_found():
    random = np.random.default_rng(0)
    for _ in range(40):
        x, y = random.uniform(0, 40, (2, 12))
        reach, order = random.uniform(0.5, 6), np.argsort(random.permutation(12))
        far = np.hypot(x[:, None] - x, y[:, None] - y) + 99 * np.eye(12)
        assert bool(call(together, x, y, order, 12, reach)) == bool((far < reach).any())
        assert (np.diff(y[order]) >= 0).all()


@pytest.mark.parametrize("count", [1, 2, 3, 8, 41, 200])
def test_the_middle_is_the_median(count):
    native = middle_of.native()
    assert native is not None
    for values in (np.random.default_rng(count).normal(size=count), np.ones(count), np.arange(count)[::-1] / 7.0):
        wanted, mine = np.median(values), np.array(values, np.float64)
        assert middle_of(mine.copy(), count) == wanted
        assert native(language.address(mine), count) == wanted


def test_the_largest_power_of_two():
    assert [below(k) for k in (1, 2, 3, 4, 7, 8, 1000)] == [1, 2, 2, 4, 4, 8, 512]


def test_a_steady_one_notices_that_its_windows_are_others(scene):
    clip = clip_of(scene, 4, 7)
    made = make_tracker("template", {"points": POINTS}, (SIDE, SIDE), 1000.0)
    rows_of(made, clip, [0, 4])
    steady = made._steady
    assert steady.fits(clip[0])
    assert not steady.fits(clip[0].astype(np.uint16))
    assert not steady.fits(clip[0][:-1])
    state = made.snapshot()
    made.t["warp"][1] = 3
    assert not steady.fits(clip[0])
    made.restore(state)
    assert not steady.fits(clip[0])  # its references are in other memory now


@pytest.mark.parametrize(("name", "more"), [("template", {}), ("template", {"model": "translation"}), ("klt", {})])
def test_pixels_that_are_no_numbers_count_as_0_wherever_they_lie(scene, gone, name, more):
    """Far from windows, in them, in the margins of which means are made; by the bits."""
    settings = {"points": POINTS, "window": 15, **more} | ({"max_points": 0} if name == "klt" else {})
    clean, cuts = [one.astype(np.float32) for one in clip_of(scene, 24, 8)], [0, 1, 12, 24]
    x, y = int(POINTS[1][0]), int(POINTS[1][1])
    for across, down in ((0, 0), (9, -2), (0, 9), (0, -12), (12, 0), (-12, 12), (13, 13), (-20, 3)):
        clip = [one.copy() for one in clean]
        for k, value in ((4, np.nan), (8, np.inf), (14, -np.inf), (20, np.nan)):
            clip[k][y + down, x + across] = value
        whole = [np.where(np.isfinite(one), one, np.float32(0)) for one in clip]
        wanted = rows_of(make_tracker(name, settings, (SIDE, SIDE), 1000.0), whole, cuts)
        gone.clear()
        assert rows_of(make_tracker(name, settings, (SIDE, SIDE), 1000.0), clip, cuts) == wanted
        assert sum(gone) >= (23 if across == -20 else 10)


def test_a_window_that_turns_out_to_be_of_stripes_while_it_is_learnt_is_drawn_as_frame_after_frame_does(
    scene, monkeypatch
):
    """What lies across the stripes is there for three frames only: less and less of it is in the mean."""
    # Or it is looked for what covers it, singly.
    monkeypatch.setattr("pipelines.trackers.registration.batch.batch_tracking.FALL", 9.0)
    monkeypatch.setattr(occlusion.fallen, "__defaults__", (9.0,))
    random, plate, x = np.random.default_rng(4), scene.Speckle(seed=5), np.arange(SIDE) - 48.0
    clip = []
    for k in range(26):
        away = 0.1 * np.sin(k)
        image = 120 + 45 * np.sin((x - away) / 2.2) + (7 * plate.image(SIDE, SIDE, away) if k < 3 else 0)
        clip.append((image + random.normal(0, 1, (SIDE, SIDE))).clip(0, 255).astype(np.uint8))
    settings = {"points": POINTS, "model": "rigid", "max_missed": 10}
    frames, batches = (make_tracker("template", settings, (SIDE, SIDE)) for _ in range(2))
    wanted, seen, drawn = one_by_one(frames, clip), [], type(batches.patches).drawn

    def noted(self: Any, which: Any) -> None:
        seen.append(sys._getframe(1).f_code.co_qualname)
        drawn(self, which)

    monkeypatch.setattr(type(batches.patches), "drawn", noted)
    assert rows_of(batches, clip, [0, 1, 4, 10, 26]) == wanted
    assert "TurnedLearning.drawn" in seen
    assert same(frames, batches)
