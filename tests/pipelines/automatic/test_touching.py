"""Things that touch are split, and those with a pattern are not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pytest

from kernels.param import resolve
from kernels.plugins import find_stage
from pipelines.automatic import touching
from pipelines.automatic.settling import settle_on
from pipelines.automatic.touching import splitting
from pipelines.definition import load
from pipelines.features import State
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from tests.pipelines.clips import MemoryClip
from tests.pipelines.streaming.clip.test_runner import Keep

Light = npt.NDArray[np.float32]
PARAMS = resolve(find_stage("components").params, {"min_area": 5}, "bodies")
Disc = tuple[float, float, float]


def domes(discs: Sequence[Disc], size: tuple[int, int] = (120, 200)) -> Light:
    """Discs (x, y, radius) that are brightest in the middle."""
    y, x = np.mgrid[: size[0], : size[1]]
    light = np.zeros(size, np.float32)
    for a, b, radius in discs:
        away = np.hypot(x - a, y - b) / radius
        light = np.maximum(light, np.where(away < 1, 100 - 60 * away**2, 0.0).astype(np.float32))
    return light


def rows_of(*radii: float, touching_ones: int = 2) -> list[Disc]:
    """One disc of each radius, and pairs of 8 px that touch."""
    alone = [(20.0 + 30 * (k % 6), 15.0 + 28 * (k // 6), radius) for k, radius in enumerate(radii)]
    return alone + [(20.0 + 50 * k + off, 100.0, 8.0) for k in range(touching_ones) for off in (0, 15.5)]


def told(light: Light) -> float:
    return splitting([light > 20], [light], PARAMS)


def test_things_that_touch_are_told_by_their_parts() -> None:
    assert told(domes(rows_of(8, 8, 8, 8, 8, 8))) == pytest.approx(7.5, abs=1.0)
    assert told(domes(rows_of(8, 8, 8, 8, 8, 8, touching_ones=0))) == 0.0
    assert told(domes([])) == 0.0


@pytest.mark.parametrize(("times", "split"), [(0.5, True), (1.0, False), (2.0, False)])
def test_a_thing_with_a_pattern_is_no_larger_than_others(
    times: float, split: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two bright halves in what is as large as the others; a third one is large and plain."""
    assert touching.SEVERAL == 1.5
    monkeypatch.setattr(touching, "SEVERAL", times * touching.SEVERAL)
    patterned = [(20.0, 100.0, 7.0), (31.0, 100.0, 7.0)]
    alone = rows_of(9, 9, 9, 9, 9, 6, 6, 6, touching_ones=0)
    light = domes([*alone, *patterned, (120.0, 90.0, 20.0)])
    assert bool(told(light)) == split


@pytest.mark.parametrize(("times", "split"), [(0.5, True), (1.0, True), (2.0, False)])
def test_several_are_twice_as_large(times: float, split: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(touching, "SEVERAL", times * touching.SEVERAL)
    assert bool(told(domes(rows_of(8, 8, 8, 8, 8, 8)))) == split


@pytest.mark.parametrize(("times", "split"), [(0.5, True), (1.0, True), (4.0, False)])
def test_maxima_of_two_are_half_a_diameter_apart(times: float, split: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    assert touching.APART == 0.5
    monkeypatch.setattr(touching, "APART", times * touching.APART)
    assert bool(told(domes(rows_of(8, 8, 8, 8, 8, 8)))) == split


@pytest.mark.parametrize(("times", "split"), [(0.5, True), (1.0, False)])
def test_parts_that_are_smaller_than_what_is_whole_are_none(
    times: float, split: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large thing with four bright spots, half as large each as the others."""
    assert touching.LEFT == 0.8
    monkeypatch.setattr(touching, "LEFT", times * touching.LEFT)
    spotted = [(150.0 + a, 90.0 + b, 7.5) for a in (-7, 7) for b in (-7, 7)]
    assert bool(told(domes([*rows_of(10, 10, 10, 10, 10, 10, touching_ones=0), *spotted]))) == split


@pytest.mark.parametrize(("times", "split"), [(1.0, True), (2.0, False)])
def test_parts_lose_little(times: float, split: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(touching, "LEFT", times * touching.LEFT)
    assert bool(told(domes(rows_of(8.2, 8.2, 8.2, 8.2, 8.2, 8.2)))) == split


@pytest.mark.parametrize(("share", "small", "split"), [
    (0.05, 1, True), (0.1, 1, False), (0.1, 2, True), (0.2, 2, False),
])  # fmt: skip
def test_few_small_ones_do_not_count(share: float, small: int, split: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of ten things alone so many are smaller than the parts, and the others half as large again."""
    assert touching.SMALLEST == 0.1
    monkeypatch.setattr(touching, "SMALLEST", share)
    radii = [6.0] * small + [9.7] * (10 - small)
    three = [(40.0 + off, 100.0, 8.0) for off in (0, 15.5, 31)]
    assert bool(told(domes([*rows_of(*radii, touching_ones=0), *three]))) == split


@pytest.mark.parametrize(("share", "split"), [(0.375, True), (0.75, False)])
def test_most_parts_are_as_large(share: float, split: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each pair one is as large as the others."""
    assert touching.MOST_OF == 0.75
    monkeypatch.setattr(touching, "MOST_OF", share)
    uneven = [(20.0 + 60 * k + off, 95.0, radius) for k in range(2) for off, radius in ((0, 9.0), (14, 5.5))]
    assert bool(told(domes([*rows_of(8, 8, 8, 8, 8, 8, touching_ones=0), *uneven]))) == split


def test_cells_that_touch_keep_their_tracks() -> None:
    """Six pairs that come together and go apart again; as one region they are one thing."""
    random = np.random.default_rng(4)
    ground = random.normal(0, 2, (80, 120, 200)) + 60
    gaps = np.abs(np.arange(80) - 40) / 16
    places = np.array([[(a + side * (7.25 + gap), 18 + 25 * row + 0.5 * k) for a in (45, 145) for row in range(3)
                        for side in (-1, 1)] for k, gap in enumerate(gaps)])  # fmt: skip
    clip = ground + np.stack([domes([(*at, 8.0) for at in here]) for here in places])
    source, keep = MemoryClip(clip.clip(0, 255).round().astype(np.uint8)), Keep()
    settled = settle_on(load("objects"), source)
    assert float(str(settled.found["bodies.split"])) > 0
    assert any("things touch" in text for text in settled.words)
    Runner(source, prepare(settled.pipeline, source), [keep], frames=(0, 80), options=RunOptions(device="cpu")).run()
    rows = np.concatenate([result.tracks for result in keep.results])
    rows = rows[rows["state"] == State.TRACKED]
    assert len(np.unique(rows["track"])) == 12
    assert len(rows) > 0.95 * 80 * 12
