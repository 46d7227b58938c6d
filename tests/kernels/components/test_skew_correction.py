"""Regions on ground that slopes: the tilt of their light is taken out of their centres, and what is left is stated."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from kernels.components import blobs
from kernels.executors import natives
from kernels.executors.reference import evaluate
from kernels.loops import language
from kernels.stages.components import components
from tests.oracles.components import measured_rows

Array = npt.NDArray[Any]
LEVEL, HEIGHT = 300.0, 200.0


def scene(kind: str, radius: float, slope: float, snr: float, seed: int, side: int = 8) -> tuple[Array, ...]:
    """A picture of discs, each on a plane of its own that slopes by `slope` levels a pixel; the mask, x and y.

    covers: discs of even light hide the ground; lit: they have their share of its light; adds: to the ground's.
    """
    rng = np.random.default_rng(seed)
    pitch = int(2 * radius) + 16
    middle = np.arange(side) * pitch + 0.5 * pitch
    x, y = (a.ravel() + rng.uniform(-1, 1, a.size) for a in np.meshgrid(middle, middle))
    turn = rng.uniform(0, 2 * np.pi, side * side)
    rows, columns = np.mgrid[: side * pitch, : side * pitch]
    own = rows // pitch * side + columns // pitch
    dx, dy = columns - x[own], rows - y[own]
    away = np.hypot(dx, dy)
    part = 1 / (1 + np.exp(np.clip((away - radius) / 0.35, -50, 50)))
    ground = LEVEL + slope * (np.cos(turn)[own] * dx + np.sin(turn)[own] * dy)
    light = {"covers": ground * (1 - part) + (LEVEL + HEIGHT) * part, "lit": ground * (1 + HEIGHT / LEVEL * part),
             "adds": ground + HEIGHT * part}[kind]  # fmt: skip
    picture = light + rng.normal(0, HEIGHT / snr, light.shape)
    # A mask's rim is never that of the thing.
    mask = away + rng.normal(0, 0.25, away.shape) < radius + 0.3
    return picture.astype(np.float32), mask, x, y


def errors(picture: Array, mask: Array, x: Array, y: Array, **params: Any) -> tuple[Array, Array, Array]:
    """dx and dy of each thing, and both in units of the stated sigma."""
    rows = evaluate(components, mask, picture, min_area=9, **params).rows
    near = np.hypot(rows["x"][:, None] - x, rows["y"][:, None] - y).argmin(axis=0)
    found = rows[near]
    dx, dy = found["x"] - x, found["y"] - y
    sx, sy = (found["sigma"] * np.sqrt(1 + sign * found["anisotropy"]) for sign in (1, -1))
    return dx, dy, np.concatenate((dx / sx, dy / sy))


@pytest.mark.parametrize("radius", [4.0, 8.0])
@pytest.mark.parametrize("kind", ["covers", "lit", "adds"])
def test_a_slope_pulls_no_region_and_sigma_says_what_is_left(kind: str, radius: float) -> None:
    # The tilts of discs that cover their ground pulled them by .07 (4 px) and .25 px (8 px), 4.9 and 100 sigma^2.
    dx, dy, z = (np.concatenate(v) for v in zip(*(errors(*scene(kind, radius, 3.0, 40, seed)) for seed in (5, 6, 7)),
                                                strict=True))  # fmt: skip
    level = np.concatenate([errors(*scene(kind, radius, 0.0, 40, seed))[0] for seed in (5, 6, 7)])
    assert 0.8 < np.mean(z * z) < 1.2  # .7 of 8 px: the slope's own noise is taken out with a slope
    assert np.sqrt(np.mean(dx * dx + dy * dy) / 2) < 1.3 * np.sqrt(np.mean(level * level))


def test_level_ground_is_left_alone() -> None:
    z = errors(*scene("covers", 6.0, 0.0, 20, 3, side=14))[2]
    assert 0.8 < np.mean(z * z) < 1.2


@pytest.mark.parametrize("slope", [0.5, 2.0, 6.0])
@pytest.mark.parametrize("kind", ["covers", "adds"])
def test_a_ground_that_is_taken_as_level_says_what_its_slope_does(kind: str, slope: float) -> None:
    # Of several times sigma (variance 5 to 17) that was none of it.
    z = errors(*scene(kind, 3.5, slope, 20, 9, side=14), background="ring")[2]
    assert 0.5 < np.mean(z * z) < 1.5


@pytest.mark.parametrize("background", ["slope", "ring", "level"])
@pytest.mark.parametrize("radius", [5.0, 34.0])
def test_lists_of_pixels_give_the_bits_of_their_meaning(
    background: str, radius: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture, mask, _, _ = scene("lit", radius, 60.0 / radius, 20, 11, side=2)

    def rows() -> Array:
        return evaluate(components, mask, picture, min_area=9, background=background, level=LEVEL).rows

    tiles = rows()
    monkeypatch.setattr(blobs, "fits", lambda *_: False)
    lists = rows()
    monkeypatch.setattr(blobs, "weighed", measured_rows)
    assert lists.tobytes() == rows().tobytes()
    if background == "slope":  # tiles look for outliers of a level in another way
        for name in ("x", "y", "sigma", "anisotropy"):
            np.testing.assert_allclose(tiles[name], lists[name], rtol=1e-6, atol=1e-6)


def test_the_text_gives_the_bits_of_the_machine_code() -> None:
    picture, mask, _, _ = scene("covers", 4.0, 6.0, 30, 4, side=1)
    try:
        language.provide(None)
        slow = evaluate(components, mask, picture, min_area=9).rows
    finally:
        language.provide(natives.load)
    assert evaluate(components, mask, picture, min_area=9).rows.tobytes() == slow.tobytes()


def test_a_tilt_of_half_a_things_height_is_taken_out() -> None:
    dx, dy, _ = errors(*scene("covers", 16.0, 0.4 * HEIGHT / 16.0, 400, 2, side=3))
    assert np.hypot(dx, dy).max() < 0.06  # pulled by 1.6 px
