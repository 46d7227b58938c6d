"""What is oblong is neither split by its noise nor centred as if it were round."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from kernels.plugins import find_stage
from pipelines.automatic import oblong
from pipelines.automatic.oblong import usual_length, windows
from pipelines.automatic.sample import sample_from
from pipelines.automatic.settling import settle, settle_on
from pipelines.definition import load
from pipelines.features import State
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from tests.pipelines.clips import MemoryClip
from tests.pipelines.streaming.clip.test_runner import Keep

Array = npt.NDArray[np.bool_]


def bars(*sizes: tuple[int, int]) -> Array:
    """Rectangles of so many columns and rows, one below the other."""
    mask = np.zeros((12 * len(sizes) + 4, 60), np.bool_)
    for k, (wide, high) in enumerate(sizes):
        mask[12 * k + 2 : 12 * k + 2 + high, 5 : 5 + wide] = True
    return mask


@pytest.mark.parametrize(("times", "told"), [(0.5, True), (1.0, False), (2.0, False)])
def test_what_is_a_little_longer_than_wide_is_round(times: float, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oblong, "OBLONG", times * oblong.OBLONG)
    assert bool(usual_length([bars((5, 4))], 1, 1000)) == told


@pytest.mark.parametrize(("times", "told"), [(0.5, True), (1.0, True), (2.0, False)])
def test_what_is_twice_as_long_as_wide_is_oblong(times: float, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oblong, "OBLONG", times * oblong.OBLONG)
    assert bool(usual_length([bars((8, 4))], 1, 1000)) == told


@pytest.mark.parametrize(("share", "told"), [(0.375, True), (0.75, False)])
def test_pairs_in_a_crowd_make_nothing_oblong(share: float, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert oblong.MOST_OF == 0.75
    monkeypatch.setattr(oblong, "MOST_OF", share)
    assert bool(usual_length([bars((8, 4), (4, 4)), bars((4, 8), (4, 4))], 1, 1000)) == told


@pytest.mark.parametrize(("least", "told"), [(4, False), (9, True), (18, False)])
def test_specks_have_no_shape(least: int, told: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 2 x 2 px three, of 7 x 2 px one."""
    assert oblong.LEAST == 9
    monkeypatch.setattr(oblong, "LEAST", least)
    assert bool(usual_length([bars((2, 2), (2, 2), (2, 2), (7, 2))], 1, 1000)) == told


def test_length_is_that_of_a_bar_with_its_standard_deviation() -> None:
    assert usual_length([bars((12, 3))], 1, 1000) == pytest.approx(4 * 12 / np.sqrt(12))
    assert usual_length([bars((12, 3))], 1, 35) == 0.0  # of no size that counts
    assert usual_length([], 1, 1000) == 0.0


def test_given_widths_stay() -> None:
    assert (oblong.SPOT, oblong.APART) == (1.4, 2.5)
    assert windows(9.0, 1.4) == (1.4, 9.0)
    assert windows(0.0, 2.8) == (2.8, 5.0)


def test_what_is_longer_than_regions_are_split_is_split_as_late_as_they_can_be() -> None:
    """A wire across most of the picture; the stage refuses more than its range."""
    (most,) = (param.high for param in find_stage("components").params if param.name == "split")
    frames = np.full((20, 48, 640), 40, np.uint8)
    for k, frame in enumerate(frames):
        frame[18:22, 60 + k : 540 + k] = 160
    noisy = frames + np.random.default_rng(2).integers(0, 9, frames.shape, dtype=np.uint8)
    settled = settle_on(load("blobs"), MemoryClip(noisy))
    assert (settled.found["spots.refine_sigma"], settled.found["spots.split"]) == (0.0, most)


def rods(round_ones: bool) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    """Twelve rods of 9 x 3 px, or bells, that turn and go slowly in noise of a fifth of their height; their places."""
    random, (y, x) = np.random.default_rng(3), np.mgrid[:128, :160]
    start = np.stack(np.meshgrid(np.arange(24, 160, 36), np.arange(24, 128, 38)), -1).reshape(-1, 2).astype(float)
    angle, turn = random.uniform(0, np.pi, len(start)), random.normal(0, 0.03, len(start))
    places = start + np.arange(60)[:, None, None] * random.normal(0, 0.12, start.shape)
    clip = 40 + random.normal(0, 6, (60, *x.shape))
    for k in range(60):
        for i, (a, b) in enumerate(places[k]):
            t = angle[i] + turn[i] * k
            along, across = (x - a) * np.cos(t) + (y - b) * np.sin(t), (y - b) * np.cos(t) - (x - a) * np.sin(t)
            away = np.hypot(np.maximum(np.abs(along) - (0 if round_ones else 3.2), 0), across)
            clip[k] += 30 * np.exp(-(away**2) / (2 * 1.4**2))
    return clip.clip(0, 255).round().astype(np.uint8), places


def test_rods_in_noise_keep_their_tracks() -> None:
    """With weights for round spots there are hundreds of tracks, which jump along the rods."""
    frames, places = rods(round_ones=False)
    clip, keep = MemoryClip(frames), Keep()
    settled = settle_on(load("blobs"), clip)
    assert settled.found["spots.refine_sigma"] == 0.0
    assert 7 < float(str(settled.found["spots.split"])) < 13
    assert any("most of what is found is oblong" in text for text in settled.words)
    Runner(clip, prepare(settled.pipeline, clip), [keep], frames=(0, 60), options=RunOptions(device="cpu")).run()
    rows = np.concatenate([result.tracks for result in keep.results])
    rows = rows[rows["state"] == State.TRACKED]
    assert len(np.unique(rows["track"])) == len(places[0])
    assert len(rows) > 0.95 * places[..., 0].size
    away = np.hypot(*(np.stack((rows["x"], rows["y"]), axis=1)[:, None] - places[rows["frame"]]).transpose(2, 0, 1))
    assert np.sqrt((away.min(axis=1) ** 2).mean()) < 0.5


def test_round_spots_keep_the_weights_for_them() -> None:
    frames, _ = rods(round_ones=True)
    found = settle_on(load("blobs"), MemoryClip(frames))
    assert (found.found["spots.refine_sigma"], found.found["spots.split"]) == (1.4, 2.5)
    assert not any("oblong" in text for text in found.words)
    wide = settle_on(load("blobs").with_settings({"spots.refine_sigma": 2.8}), MemoryClip(frames))
    assert wide.found["spots.split"] == 5.0
    none = settle(load("blobs"), sample_from(MemoryClip(frames).info, []))
    assert (none.found["spots.refine_sigma"], none.found["spots.split"]) == (1.4, 2.5)
