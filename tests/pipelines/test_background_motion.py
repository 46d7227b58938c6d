"""`background-motion`: what covers a pixel for many frames is seen whole, and its places are as sure as is said."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.features import State
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from tests.pipelines.clips import MemoryClip
from tests.pipelines.streaming.clip.test_runner import Keep
from tests.shipped import fixed

SIZE = 72, 160


def clip_of(radius: float, speed: float, frames: int, noise: float, light: float, seed: int):
    """A disc that comes in from the left, and where it is."""
    random, (y, x) = np.random.default_rng(seed), np.mgrid[: SIZE[0], : SIZE[1]]
    place = np.stack([-radius - 3 + speed * np.arange(frames), 33.3 + 0.07 * np.arange(frames)], axis=1)
    away = np.hypot(x - place[:, 0, None, None], y - place[:, 1, None, None])
    clip = 120 + light / (1 + np.exp((away - radius) / 0.5)) + random.normal(0, noise, (frames, *SIZE))
    return clip.clip(0, 255).round().astype(np.uint8), place


@pytest.mark.parametrize(("light", "noise"), [(110, 1.0), (-100, 3.0)])
def test_a_large_slow_thing_is_seen_whole(light: float, noise: float) -> None:
    """It covers a pixel for some 50 frames."""
    frames, place = clip_of(9.0, 0.37, 300, noise, light, 4)
    clip, keep, pipeline = MemoryClip(frames), Keep(), fixed("background-motion")
    if light < 0:
        pipeline = pipeline.with_settings({"bodies.polarity": "dark"})
    Runner(clip, prepare(pipeline, clip), [keep], frames=(0, len(frames)), options=RunOptions(device="cpu")).run()
    rows = np.concatenate([result.tracks for result in keep.results])
    rows = rows[(rows["state"] == State.TRACKED) & (rows["x"] > 16)]
    error = np.stack((rows["x"], rows["y"]), axis=1) - place[rows["frame"]]
    assert len(rows) > 200
    assert len(np.unique(rows["track"])) == 1
    assert np.sqrt((error**2).mean()) < 0.01 * noise + 0.002
    assert np.abs(error.mean(axis=0)).max() < 0.012
    assert 0.6 < ((error / rows["sigma"][:, None]) ** 2).mean() < 1.5


def test_a_thing_with_a_part_as_bright_as_the_ground_is_one() -> None:
    """A car whose roof is as bright as the road, two px from its sides: with its sides opened away it would be two.

    It covers a pixel for 14 frames; what it covers before the ground was seen for as many is ground for a while, and
    the trace of that follows it for as many more.
    """
    random, (y, x) = np.random.default_rng(5), np.mgrid[: SIZE[0], : SIZE[1]]
    clip = 120 + random.normal(0, 2, (60, *SIZE))
    for k in range(60):
        left = -30 + 2 * k
        car = (x >= left) & (x < left + 28) & (y >= 30) & (y < 44)
        clip[k, car & ~((x >= left + 9) & (x < left + 19) & (y >= 32) & (y < 42))] += 90
    source, keep, pipeline = MemoryClip(clip.clip(0, 255).round().astype(np.uint8)), Keep(), fixed("background-motion")
    Runner(source, prepare(pipeline, source), [keep], frames=(0, 60), options=RunOptions(device="cpu")).run()
    rows = np.concatenate([result.tracks for result in keep.results])
    rows = rows[(rows["state"] == State.TRACKED) & (rows["frame"] >= 36) & (rows["frame"] < 56)]
    assert len(np.unique(rows["track"])) == 1
    assert np.abs(rows["x"] - (-30 + 2 * rows["frame"] + 13.5)).max() < 0.5
