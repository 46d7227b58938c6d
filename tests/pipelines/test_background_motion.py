"""`background-motion`: what covers a pixel for many frames is seen whole, and its places are as sure as is said."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from scipy import ndimage

from pipelines.automatic.settling import settle_on
from pipelines.definition import load
from pipelines.features import State, Tracks
from pipelines.graph import Pipeline
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from tests.pipelines.clips import MemoryClip
from tests.pipelines.streaming.clip.test_runner import Keep
from tests.shipped import fixed

SIZE = 72, 160


def tracked(pipeline: Pipeline, frames: npt.NDArray[np.uint8]) -> Tracks:
    """The rows that count of a run without a setting but the pipeline's own."""
    clip, keep = MemoryClip(frames), Keep()
    settled = settle_on(pipeline, clip).pipeline
    Runner(clip, prepare(settled, clip), [keep], frames=(0, len(frames)), options=RunOptions(device="cpu")).run()
    rows = np.concatenate([result.tracks for result in keep.results])
    return rows[rows["state"] == State.TRACKED]


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
        pipeline = pipeline.with_settings({"ground.change": "darker", "bodies.polarity": "dark"})
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


def runners(seed: int, shake: float) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float64]]:
    """Six dark ellipses of 9 x 4 px that run and pause in turns on a ground with grains, which shakes by so many px;
    and where they are, (frames, things, 2)."""
    random, (y, x) = np.random.default_rng(seed), np.mgrid[:160, :160]
    grains = ndimage.gaussian_filter(random.normal(0, 1, (180, 180)), 1.5)
    ground = ndimage.spline_filter(185 + 10 * grains / grains.std())
    clip, places = np.empty((120, 160, 160)), np.empty((120, 6, 2))
    way, angle = np.zeros(6), random.uniform(-0.4, 0.4, 6)
    for k in range(120):
        way += 1.6 * ((k // 20 + np.arange(6)) % 3 > 0)
        dx, dy = shake * np.sin(0.41 * k), shake * np.cos(0.53 * k)
        clip[k] = ndimage.map_coordinates(ground, (y + 10 - dy, x + 10 - dx), prefilter=False)
        for i in range(6):
            left, turned = 12 + way[i] % 136, angle[i] + (0.0 if i % 2 else np.pi)
            places[k, i] = (left if i % 2 else 160 - left) + dx, 20 + 24 * i + 6 * np.sin(way[i] / 20) + dy
            u, v = x - places[k, i, 0], y - places[k, i, 1]
            along, across = u * np.cos(turned) + v * np.sin(turned), v * np.cos(turned) - u * np.sin(turned)
            cover = 1 / (1 + np.exp((np.hypot(along / 4.5, across / 2) - 1) * 5))
            clip[k] += cover * (60 - clip[k])
    noisy = clip + random.normal(0, 2.5, clip.shape)
    return noisy.clip(0, 255).round().astype(np.uint8), places


@pytest.mark.parametrize(("shake", "most"), [(0.0, 0.08), (0.7, 0.2)])
def test_grains_of_the_ground_pull_at_no_centre(shake: float, most: float) -> None:
    """Small dark things that run and pause, before a ground that holds still or shakes."""
    errors = []
    for seed in (7, 8):
        frames, places = runners(seed, shake)
        rows = tracked(load("background-motion"), frames)
        away = np.hypot(*(np.stack((rows["x"], rows["y"]), axis=1)[:, None] - places[rows["frame"]]).transpose(2, 0, 1))
        near = away.min(axis=1)
        assert (near < 3).sum() > 0.93 * 720
        errors.append(np.sqrt((near[near < 3] ** 2).mean()))
    assert np.mean(errors) < most


@pytest.mark.parametrize(("light", "most"), [(220, 0.16), (20, 0.08)])
def test_texture_that_a_thing_hides_pulls_little_at_its_centre(light: float, most: float) -> None:
    """Opaque discs, brighter or darker than the ground, that cross it."""
    random, (y, x) = np.random.default_rng(0), np.mgrid[:160, :240]
    ground, clip = 110 + 20 * np.sin(x / 7) * np.cos(y / 9), np.empty((50, 160, 240))
    for k in range(50):
        clip[k] = ground
        for left, row in ((20 + 2 * k, 40), (220 - 2 * k, 110)):
            cover = np.clip(8.5 - np.hypot(x - left, y - row), 0, 1)
            clip[k] += cover * (light - clip[k])
    frames = (clip + random.normal(0, 2, clip.shape)).clip(0, 255).astype(np.uint8)
    rows = tracked(load("background-motion"), frames)
    assert len(rows) > 90
    upper = rows["y"] < 75
    places = np.where(upper, 20.0 + 2.0 * rows["frame"], 220.0 - 2.0 * rows["frame"]), np.where(upper, 40.0, 110.0)
    error = np.stack((rows["x"], rows["y"])) - np.stack(places)
    assert np.sqrt((error**2).mean(axis=1)).max() < most


@pytest.mark.parametrize("times", [0.5, 1.0, 2.0])
def test_what_the_ground_of_centres_learns(times: float) -> None:
    """It learns the noise, and no rim: with a limit of half or twice as many deviations a slow dark disc is off by
    more, in sigmas."""
    pipeline = load("background-motion").with_settings({"moving.min_sigma": 0.01, "ground.min_sigma": 0.01})
    pipeline = pipeline.with_settings({"ground.k": 2.5 * times})
    found = []
    for seed in (4, 5, 6):
        frames, place = clip_of(9.0, 0.37, 300, 1.0, -100, seed)
        rows = tracked(pipeline, frames)
        rows = rows[rows["x"] > 16]
        error = np.stack((rows["x"], rows["y"]), axis=1) - place[rows["frame"]]
        found.append(((error / rows["sigma"][:, None]) ** 2).mean())
    assert (np.mean(found) < 0.77) == (times == 1.0)
