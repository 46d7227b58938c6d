"""Frames of templates in batches of machine code: the bits of frame after frame, whatever comes between."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.executors import natives
from kernels.loops import language
from pipelines.features import Reason
from pipelines.trackers.base import make_tracker
from pipelines.trackers.registration.batch.batch_tracking import Steady
from tests.oracles.registration import in_place

SIDE = 96
POINTS = ((20.0, 24.3), (48.5, 48.0), (70.0, 30.0), (30.0, 72.0))


@pytest.fixture(autouse=True)
def compiled() -> None:
    language.provide(natives.load)


@pytest.fixture
def moves(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of each frame that was tried in machine code, whether that was all."""
    seen: list[bool] = []
    move, learn, go = Steady.move, Steady.learn, Steady.go

    def counted(self: Steady, *given: Any) -> Any:
        made = move(self, *given)
        seen.append(made is not None)
        return made

    def learnt(self: Steady, *given: Any) -> Any:
        made = learn(self, *given)
        seen.append(made is not None)
        return made

    def gone(self: Steady, pictures: Any, *given: Any) -> Any:
        kept, turns = go(self, pictures, *given)
        seen.extend([True] * len(kept) + [False] * (len(kept) < len(pictures)))
        return kept, turns

    monkeypatch.setattr(Steady, "move", counted)
    monkeypatch.setattr(Steady, "learn", learnt)
    monkeypatch.setattr(Steady, "go", gone)
    return seen


@pytest.mark.parametrize("model", ["auto", "translation"])
def test_frames_in_which_something_is_learnt_go_by_in_machine_code_too(scene, moves, model):
    clip = clip_of(scene, np.random.default_rng(7), "uint8", False)
    times = [i / 1000 for i in range(44)]
    params = {"points": POINTS, "model": model, "reference_frames": 20}
    frames, batches = (make_tracker("template", params, (SIDE, SIDE), 1000.0) for _ in range(2))
    made = all_of(batches, clip, [0, 7, 44], times)
    assert moves.count(True) >= 42
    assert made == one_by_one(frames, clip, times)
    assert same(frames, batches)


def clip_of(scene: Any, random: Any, dtype: str, events: bool) -> list[Any]:
    plate, path = scene.Speckle(seed=5), np.cumsum(random.uniform(-0.5, 0.5, (44, 2)), axis=0)
    made = []
    for k in range(44):
        image = 120 + 35 * plate.image(SIDE, SIDE, *path[k]) + random.normal(0, 3, (SIDE, SIDE))
        if events and random.random() < 0.12:  # a window is covered, or the light goes out
            a, b = random.integers(0, 70, 2)
            image[a : a + 26, b : b + 26] = random.normal(100, 30) if random.random() < 0.5 else 90.0
        if events and k > 20 and random.random() < 0.08:
            image = np.roll(image, random.integers(-9, 10), axis=1)  # and this is a jump
        made.append(image.clip(0, 255).astype(dtype))
    return made


def all_of(tracker: Any, clip: list[Any], cuts: list[int], times: list[float]) -> bytes:
    out = []
    for a, b in pairwise(cuts):
        given = [{"image": image} for image in clip[a:b]]
        out += tracker.update_batch(range(a, b), times[a:b], given)
    return b"".join(rows.tobytes() for rows in out)


def one_by_one(tracker: Any, clip: list[Any], times: list[float]) -> bytes:
    return b"".join(tracker.update(i, times[i], {"image": image}).tobytes() for i, image in enumerate(clip))


def same(a: Any, b: Any) -> bool:
    one, two = a.snapshot(), b.snapshot()
    return one.keys() == two.keys() and all(one[name].tobytes() == two[name].tobytes() for name in one)


@settings(max_examples=14, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 99_999), st.sampled_from(("uint8", "uint16", "float32", "float64")), st.booleans())
def test_batches_have_the_bits_of_frames(scene, moves, seed, dtype, events):
    random = np.random.default_rng(seed)
    clip = clip_of(scene, random, dtype, events)
    late = ((60.0, 62.0, float(random.integers(18, 40))),) if random.random() < 0.3 else ()
    params = {"points": POINTS + late, "window": int(random.choice([9, 15, 21])), "search": 6,
              "reference_frames": int(random.integers(1, 20)), "max_missed": int(random.integers(0, 8)),
              "max_speed": float(random.choice([2.0, 1e4])), "min_score": float(random.choice([0.5, 0.9]))}  # fmt: skip
    fps = random.choice([1000.0, 0.0])
    times = np.cumsum(random.choice([1e-3, 1e-3, 1e-3, 3e-3], len(clip))).tolist()  # frames are lost
    cuts = [0, *sorted(set(random.integers(1, 43, random.integers(0, 5)).tolist())), 44]
    frames, batches = (make_tracker("template", params, (SIDE, SIDE), fps or None) for _ in range(2))
    first = one_by_one(frames, clip, times)
    del moves[:]
    assert all_of(batches, clip, cuts, times) == first
    assert same(frames, batches)
    if not events and not late and params["max_speed"] > 2 and params["min_score"] < 0.9:
        # The first may need to be searched: nobody knows yet how alike it looks. And noise may look like a cover.
        assert moves.count(True) >= 40


def test_pictures_of_another_type_in_a_batch(scene, moves):
    random = np.random.default_rng(1)
    clip = clip_of(scene, random, "uint8", False)
    clip[30] = clip[30].astype(np.float32)
    clip[35] = np.asfortranarray(clip[35])
    times = [i / 1000 for i in range(44)]
    frames, batches = (make_tracker("template", {"points": POINTS}, (SIDE, SIDE), 1000.0) for _ in range(2))
    assert all_of(batches, clip, [0, 44], times) == one_by_one(frames, clip, times)
    assert same(frames, batches)
    assert moves.count(True) > 20


TURNS = ({"model": "auto"}, {"model": "rigid"}, {"model": "affine"}, {"model": "auto", "window": 11})


def turning(scene: Any, random: Any, events: bool) -> list[Any]:
    """It turns, stops and turns back."""
    plate, made = scene.Speckle(seed=5, waves=120), []
    for k in range(44):
        angle = 0.025 * min(k, 20) - 0.015 * max(k - 28, 0)
        image = 120 + 35 * plate.image(SIDE, SIDE, 0.1 * k, 0.0, angle, (48, 48)) + random.normal(0, 3, (SIDE, SIDE))
        if events and random.random() < 0.15:
            a, b = random.integers(0, 70, 2)
            image[a : a + 26, b : b + 26] = random.normal(100, 30)
        made.append(image.clip(0, 255).astype(np.uint8))
    return made


@pytest.mark.parametrize("params", TURNS)
@pytest.mark.parametrize("events", [False, True])
def test_windows_that_turn_go_by_in_machine_code_with_the_same_bits(scene, moves, params, events):
    clip = turning(scene, np.random.default_rng(4), events)
    times = np.cumsum(np.where(np.arange(44) % 13 == 12, 3e-3, 1e-3)).tolist()  # frames are lost
    points = ((30.0, 34.3), (52.5, 48.0), (66.0, 36.0), (36.0, 60.0))
    params = {"points": points, "window": 17, "reference_frames": 4, **params}
    frames, batches = (make_tracker("template", params, (SIDE, SIDE), 1000.0) for _ in range(2))
    first = one_by_one(frames, clip, times)
    del moves[:]
    assert all_of(batches, clip, [0, 5, 6, 31, 44], times) == first
    assert same(frames, batches)
    if params["model"] == "auto" and not events:
        assert (frames.t["warp"] == 3).all()
    if not events:
        assert moves.count(True) > 36
    if events:
        assert moves.count(False) > 0  # which leaves everything as it was


@pytest.mark.parametrize("params", [{}, {"points": POINTS, "max_points": 0}, {"window": 9}])
@pytest.mark.parametrize("events", [False, True])
def test_corners_that_deform_go_by_in_machine_code_with_the_same_bits(scene, moves, params, events):
    clip = turning(scene, np.random.default_rng(6), events)
    times = [i / 1000 for i in range(44)]
    params = {"window": 17, "reference_frames": 4, "model": "affine", "max_points": 9, **params}
    frames, batches = (make_tracker("klt", params, (SIDE, SIDE), 1000.0) for _ in range(2))
    first = one_by_one(frames, clip, times)
    assert not moves
    assert all_of(batches, clip, [0, 5, 6, 31, 44], times) == first
    assert same(frames, batches)
    assert moves.count(True) > 18


def test_what_is_sought_is_undone(scene):
    """In a frame in which all turn suddenly, so that their references are drawn anew after the fit, one is covered."""
    plate, random = scene.Speckle(seed=5, waves=120), np.random.default_rng(4)
    clip = []
    for k in range(44):
        turned = plate.image(SIDE, SIDE, 0.0, 0.0, 0.008 * k + (0.11 if k > 29 else 0.0), (48, 48))
        clip.append((120 + 35 * turned + random.normal(0, 3, (SIDE, SIDE))).clip(0, 255).astype(np.uint8))
    clip[30][50:, :42] = 90
    points, times = ((52.5, 48.0), (66.0, 36.0), (36.0, 60.0)), [i / 1000 for i in range(44)]
    params = {"points": points, "window": 17, "model": "rigid"}
    frames, batches = (make_tracker("template", params, (SIDE, SIDE), 1000.0) for _ in range(2))
    undone: list[int] = []
    undo = Steady.undo

    def counted(self: Steady) -> None:
        undone.append(int(sum(given[4].flags.sum() for given in self._undos)))
        undo(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Steady, "undo", counted)
        made = all_of(batches, clip, [0, 44], times)
    assert made == one_by_one(frames, clip, times)
    assert same(frames, batches)
    assert max(undone) > 0


@pytest.mark.parametrize("params", [{"update": "on_low_score"}])
def test_what_machine_code_cannot_do_is_done_frame_by_frame(scene, moves, params):
    clip = clip_of(scene, np.random.default_rng(2), "uint8", False)[:24]
    times = [i / 1000 for i in range(24)]
    frames, batches = (make_tracker("template", {"points": POINTS, **params}, (SIDE, SIDE), 1000.0) for _ in range(2))
    assert all_of(batches, clip, [0, 24], times) == one_by_one(frames, clip, times)
    assert not moves


def test_without_a_compiler_too(scene, moves):
    clip = clip_of(scene, np.random.default_rng(3), "uint8", False)[:22]
    times = [i / 1000 for i in range(22)]
    frames, batches = (make_tracker("template", {"points": POINTS}, (SIDE, SIDE), 1000.0) for _ in range(2))
    with in_place():
        made = all_of(batches, clip, [0, 22], times)
    assert not moves
    assert made == one_by_one(frames, clip, times)
    assert all_of(make_tracker("template", {"points": POINTS}, (SIDE, SIDE), 1000.0), clip, [0, 22], times) == made


@pytest.mark.parametrize(("points", "fastest", "reason"), [
    (((48.0, 48.0),), 1.0, Reason.JUMP), (((11.0, 48.0), (48.0, 48.0)), 1e4, Reason.NONE),
])  # fmt: skip
def test_what_is_too_fast_is_told_and_what_reaches_the_edge_goes_on(scene, moves, points, fastest, reason):
    plate = scene.Speckle(seed=5, corr=2.0)
    clip = [(120 + 35 * plate.image(SIDE, SIDE, 0.0 if k < 30 else -1.5)).astype(np.uint8) for k in range(34)]
    times = [i / 1000 for i in range(34)]
    params = {"points": points, "max_speed": fastest}
    frames, batches = (make_tracker("template", params, (SIDE, SIDE), 1000.0) for _ in range(2))
    rows = frames.update_batch(range(34), times, [{"image": image} for image in clip])
    assert rows[30]["reason"][0] == reason
    assert moves[:30] == [True] * 29 + [False]
    assert one_by_one(batches, clip, times) == b"".join(one.tobytes() for one in rows)
    assert same(frames, batches)
