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


@pytest.mark.parametrize(("share", "alike"), [(0.17, False), (0.37, True)])
def test_by_how_much_the_median_pixel_changes(share: float, alike: bool) -> None:
    """The darker six tenths change by some share of what the light does."""
    darker = np.arange(1000).reshape(25, 40) < 600
    bright = np.where(darker, 100.0, 200.0)
    change = 20.0
    rest = (0.95 * change - 0.6 * share * change) / 0.35  # of the others among the darker 95 %
    assert lit_alike(bright - np.where(darker, share * change, rest), bright) == alike


def test_frames_without_light_or_numbers() -> None:
    assert found([np.zeros(SHAPE)] * 3) == 0.0
    assert reference([]) == 0.0
    assert reference([0.1, 0.5], [np.full(SHAPE, np.nan)] * 2) == 0.0
    assert reference([0.1, 0.5]) == 0.5  # of what the light is made nothing is known
