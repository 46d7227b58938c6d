"""Broken pixels, and what is none."""

from __future__ import annotations

import numpy as np

from pipelines.automatic import defects
from pipelines.automatic.defects import broken

Y, X = np.mgrid[:60, :90]


def frames(count: int = 16, noise: float = 2.0) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    return [100.0 + rng.normal(0, noise, X.shape) for _ in range(count)]


def test_single_pixels_that_always_stand_out() -> None:
    made = frames()
    for frame in made:
        frame[20, 30] += 400.0
        frame[59, 0] -= 90.0
        frame[30, 0] += 40.0
    assert broken(made, 64) == ((30.0, 20.0), (0.0, 30.0), (0.0, 59.0))
    assert broken(made, 2) == ()  # so many are texture
    assert broken(made[:7], 64) == ()  # too few to say always


def test_faint_ones_are_left_to_the_threshold() -> None:
    """The mean of sixteen frames has half a deviation of noise: ten of those are no accident, five may be one."""
    for height, found in ((7.5, True), (2.4, False)):
        made = frames()
        for frame in made:
            frame[20, 30] += height
        assert bool(broken(made, 64)) == found or height > 5


def test_a_point_that_a_lens_drew_is_none() -> None:
    made = frames(noise=0.5)
    for frame in made:
        frame += 300.0 * np.exp(-((X - 30) ** 2 + (Y - 20) ** 2) / (2 * 0.5**2))
        frame += 300.0 * np.exp(-((X - 60.5) ** 2 + (Y - 20) ** 2) / (2 * 0.7**2))
    assert broken(made, 64) == ()


def test_one_that_blinks_or_passes_is_none() -> None:
    made = frames()
    for k, frame in enumerate(made):
        frame[20, 30] += 400.0 * (k % 4 > 0)
        frame[40, 3 * k] += 4000.0
    assert broken(made, 64) == ()


def test_one_under_a_lamp_still_is() -> None:
    made = [frame * (0.3 if k % 2 else 1.0) for k, frame in enumerate(frames())]
    for k, frame in enumerate(made):
        frame[20, 30] += 400.0 * (0.75 if k % 2 else 1.0)
    assert broken(made, 64) == ((30.0, 20.0),)


def test_texture_is_none() -> None:
    still = np.random.default_rng(2).uniform(0, 200, X.shape)
    assert broken([still + frame for frame in frames()], 64) == ()


def test_what_is_left_out_beforehand_is_none(monkeypatch) -> None:
    """Places on texture and in flat ground, near the border, too, with and without the shorter way."""
    for seed in range(2):
        rng = np.random.default_rng(seed)
        texture = 30.0 * rng.random(X.shape) ** 4 * (X > 40)
        made = [frame + texture for frame in frames(noise=0.3)]
        for x, y in rng.integers(0, (90, 60), (40, 2)):
            for frame in made:
                frame[y, x] += 60.0
        quick = broken(made, 400)
        with monkeypatch.context() as patch:
            patch.setattr(defects, "_even_around", lambda mean, places: places)
            assert broken(made, 400) == quick
        assert len(quick) > 5
