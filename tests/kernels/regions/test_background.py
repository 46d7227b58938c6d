"""gaussian_centres on ground that slopes: bias, noise, what is said of it, and that level ground costs nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from scipy.special import erf

from kernels.centroids.centroid import centres_in
from kernels.executors import natives
from kernels.loops import language

Array = npt.NDArray[Any]
SIDE, PITCH, WEIGHTS, LEVEL, HEIGHT = 18, 26, 1.4, 1000.0, 1000.0


def cover(kind: str, dx: Array, dy: Array) -> Array:
    """How much of each pixel a thing covers, or its light of 1."""
    if kind in ("added", "shadow"):
        return np.exp(-(dx * dx + dy * dy) / (2 * WEIGHTS**2))
    fine = (np.arange(5) + 0.5) / 5 - 0.5
    every = [0.5 - 0.5 * erf((np.hypot(dx + u, dy + v) - 2.8) / 0.75 / np.sqrt(2)) for u in fine for v in fine]
    return np.mean(every, axis=0)


def scene(kind: str, slope: float, snr: float, seed: int) -> tuple[Array, Array, Array, Array, Array]:
    """A picture of things on planes, each sloping by `slope` of the thing's height a pixel, in a direction of its own;
    x, y, and the direction.

    added: bells whose light adds to the ground; marker: discs that cover it; shadow: bells that hide half of it.
    """
    rng = np.random.default_rng(seed)
    middle = np.arange(SIDE) * PITCH + PITCH / 2
    x, y = (a.ravel() + rng.uniform(-0.5, 0.5, a.size) for a in np.meshgrid(middle, middle))
    turn = rng.uniform(0, 2 * np.pi, SIDE**2)
    rows, columns = np.mgrid[: SIDE * PITCH, : SIDE * PITCH]
    own = rows // PITCH * SIDE + columns // PITCH
    dx, dy = columns - x[own], rows - y[own]
    level, height = (3 * LEVEL, 1.5 * LEVEL) if kind == "shadow" else (LEVEL, HEIGHT)
    ground = level + slope * height * (np.cos(turn)[own] * dx + np.sin(turn)[own] * dy)
    part = cover(kind, dx, dy)
    light = {"added": ground + height * part, "marker": ground * (1 - part) + (level + height) * part,
             "shadow": ground * (1 - 0.5 * part)}[kind]  # fmt: skip
    picture = light + rng.normal(0, height / snr, light.shape)
    return picture.astype(np.float32), x, y, np.cos(turn), np.sin(turn)


def found_in(picture: Array, x: Array, y: Array, kind: str = "added") -> Array:
    return centres_in(picture[None], np.zeros(len(x), int), np.rint(x), np.rint(y), WEIGHTS, dark=kind == "shadow",
                      method="auto")  # fmt: skip


@pytest.mark.parametrize("kind", ["added", "marker", "shadow"])
@pytest.mark.parametrize("slope", [0.003, 0.01, 0.03])
@pytest.mark.parametrize("snr", [40, 150])
def test_a_slope_neither_pulls_nor_makes_noise(kind: str, slope: float, snr: float) -> None:
    picture, x, y, right, down = scene(kind, slope, snr, 71)
    rows = found_in(picture, x, y, kind)
    dx, dy = rows["x"] - x, rows["y"] - y
    pull = np.mean(dx * right + dy * down)
    assert abs(pull) < 0.3 / snr + 0.06 * slope  # by the ring's level alone: 8 slope (added), 3.5 (marker), 6 (shadow)
    picture, x, y, *_ = scene(kind, 0.0, snr, 71)
    level = found_in(picture, x, y, kind)
    errors, before = np.concatenate((dx, dy)), np.concatenate((level["x"] - x, level["y"] - y))
    assert np.mean(errors**2) < 1.25 * np.mean(before**2)
    z = np.mean((errors / np.tile(rows["sigma"], 2)) ** 2)
    if slope * snr < 0.5:  # beyond, what is not known of the ground beneath is more than the noise
        assert 0.6 < z < 1.25
    else:
        assert z < 1.25


@pytest.mark.parametrize("snr", [6, 15, 40])
def test_level_ground_is_left_alone(snr: float) -> None:
    picture, x, y, *_ = scene("added", 0.0, snr, 72)
    tilted = picture + np.float32(0.002 * HEIGHT / snr) * np.arange(picture.shape[1], dtype=np.float32)
    level, slight = found_in(picture, x, y), found_in(tilted, x, y)
    errors = [np.sqrt(np.mean((rows["x"] - x) ** 2)) for rows in (level, slight)]
    assert errors[1] < 1.01 * errors[0]  # where it were believed, the noise of the slope would add 1.7 %


def test_the_text_gives_the_bits_of_the_machine_code() -> None:
    picture, x, y, *_ = scene("marker", 0.02, 60, 73)
    few = np.s_[:20]
    compiled = found_in(picture, x[few], y[few])
    language.provide(None)
    try:
        text = found_in(picture, x[few], y[few])
    finally:
        language.provide(natives.load)
    assert text.tobytes() == compiled.tobytes()
