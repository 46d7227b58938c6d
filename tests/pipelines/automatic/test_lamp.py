"""Whether it is the lamp that changes, or what comes before a ground that does not."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.executors.reference import evaluate
from kernels.stages.light import light
from pipelines.automatic.lamp import lit_alike, reference

SHAPE = 96, 128
LEVELS = np.linspace(0.4, 1.0, 8)


def texture() -> np.ndarray:
    return np.random.default_rng(0).uniform(20.0, 120.0, SHAPE)


def found(pictures: list[np.ndarray]) -> float:
    frames = [np.rint(picture).clip(0, 255).astype(np.uint8) for picture in pictures]
    return reference([float(evaluate(light, frame)[0, 0]) for frame in frames], frames)


def covered(ground: np.ndarray, share: float, value: float) -> np.ndarray:
    """With things that cover so much of a picture."""
    return np.where(np.random.default_rng(1).random(SHAPE) < share, value, ground)


@pytest.mark.parametrize("offset", [0.0, 10.0])
@pytest.mark.parametrize("things", [0.0, 0.1])
def test_a_lamp_that_ripples_is_one(offset: float, things: float) -> None:
    assert found([offset + level * covered(texture(), things, 240.0) for level in LEVELS]) > 0


@pytest.mark.parametrize("most", [0.1, 0.3, 0.45])
@pytest.mark.parametrize(("ground", "thing"), [(0.0, 200.0), (6.0, 200.0), (150.0, 10.0)])
def test_things_that_come_are_no_lamp(ground: float, thing: float, most: float) -> None:
    """A spray, bubbles, sparks; dark ones before a bright ground, too."""
    rng = np.random.default_rng(2)
    grounds = [np.maximum(0.0, ground + rng.normal(0, 1.5, SHAPE)) for _ in LEVELS]
    shares = np.linspace(0.0, most, len(LEVELS))
    assert found([covered(one, share, thing) for one, share in zip(grounds, shares, strict=True)]) == 0.0


@pytest.mark.parametrize(("share", "uneven"), [(0.04, False), (0.1, True)])
def test_a_little_ripple_is_none(share: float, uneven: bool) -> None:
    levels = np.linspace(1.0 - share, 1.0, 8)
    assert (found([level * texture() for level in levels]) > 0) == uneven


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("ground", "smoke"), [(30.0, 90.0), (150.0, 220.0), (150.0, 90.0)])
def test_smoke_that_spreads_is_no_lamp(ground: float, smoke: float, seed: int) -> None:
    """It thins out, so that more than half of the picture changes a little."""
    rng, (y, x) = np.random.default_rng(seed), np.mgrid[: SHAPE[0], : SHAPE[1]]
    away = np.hypot(x - 20, y - 48) / np.linspace(8.0, 26.0, len(LEVELS))[:, None, None]
    dense = np.exp(-(away**2) / 2) * (np.arange(len(LEVELS)) > 0)[:, None, None]
    assert found([*(ground + dense * (smoke - ground) + rng.normal(0, 2.0, dense.shape))]) == 0.0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("dim", [0.2, 0.6, 0.8])
def test_a_lamp_that_lights_half_of_the_picture_or_one_side_more_is_one(dim: float, seed: int) -> None:
    rng, across = np.random.default_rng(seed), np.linspace(0.0, 1.0, SHAPE[1])
    ground, things = rng.uniform(20, 90, SHAPE), covered(np.zeros(SHAPE), 0.04, 1.0) > 0
    black = np.where(across < 0.5, 3.0, ground)
    for most, level in ((black, dim), (ground, 1.0 - 0.3 * across)):
        less = np.where(things, 230.0, most * level)
        assert found([less + rng.normal(0, 2.0, SHAPE), most + rng.normal(0, 2.0, SHAPE)]) > 0.0


@pytest.mark.parametrize(("share", "alike"), [(0.35, False), (0.85, True)])
def test_how_much_of_the_light_changes(share: float, alike: bool) -> None:
    one = np.full((25, 40), 100.0)
    assert lit_alike(one, np.where(np.arange(1000).reshape(25, 40) < 1000 * share, 150.0, 100.0)) == alike


@pytest.mark.parametrize(("times", "alike"), [(0.4, False), (0.6, True)])
def test_by_how_much_pixels_change(times: float, alike: bool) -> None:
    """By more than half of what one factor makes of them."""
    one = np.full((40, 40), 100.0)
    other = one + 50.0 * times
    other[30:] = 100.0 + 50.0 * (1.0 - 0.75 * times) / 0.25
    low = np.sort(other.ravel())[:1520].mean()
    other = 100.0 + (other - 100.0) * 50.0 / (low - 100.0)  # so that the light of both differs by half
    assert lit_alike(one, other) == alike


def test_frames_without_light_or_numbers() -> None:
    assert found([np.zeros(SHAPE)] * 3) == 0.0
    assert reference([]) == 0.0
    assert reference([0.1, 0.5], [np.full(SHAPE, np.nan)] * 2) == 0.0
    assert reference([0.1, 0.5]) == 0.5  # of what the light is made nothing is known
