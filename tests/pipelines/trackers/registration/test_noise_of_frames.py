"""Noise of frames whose light is another than that of the references they are compared with."""

from __future__ import annotations

import numpy as np
import pytest

from pipelines.features import State
from pipelines.trackers.base import make_tracker
from pipelines.trackers.registration.noise.residual_statistics_loops import pixels_noise

SHAPE = 128, 128


@pytest.mark.parametrize("brought", [0.5, 1.0, 1.7])
@pytest.mark.parametrize("number", [1.0, 2.0, 16.0])
def test_a_frames_noise_is_told_from_that_of_the_reference(number, brought):
    """Of a reference of which one frame has the variance 3 and the others what this one has, in its light."""
    phase, own = 0.6, 3.0 * brought
    left = own * phase + (3.0 + own * (number - 1.0)) / number**2
    assert pixels_noise(left, phase, number, 3.0) == pytest.approx(own)
    assert pixels_noise(own * (phase + 1.0 / number), phase, number, 0.0) == pytest.approx(own)
    assert pixels_noise(0.1, phase, number, 3.0) > 0.0  # chance may leave less than the reference's noise alone


@pytest.mark.parametrize("name", ["template", "klt"])
def test_sigma_of_what_turns_under_a_lamp_that_flickers(scene, name):
    """What turns soon leaves its reference one of the first, darkest frame: its noise is not that of the others."""
    squares, places = [], [(44.0 + 20 * i, 44.0 + 20 * k) for i in range(3) for k in range(3)]
    settings = {"points": tuple(places), "window": 17, "model": "rigid" if name == "template" else "affine"}
    if name == "klt":
        settings["max_points"] = 0
    for seed in range(3):
        rng, plate = np.random.default_rng(seed), scene.Speckle(seed=40 + seed, waves=80)
        made = make_tracker(name, settings, SHAPE, 1000.0)
        for k in range(40):
            theta, lamp = 0.02 * k, 1.5 - 0.5 * np.cos(2 * np.pi * k / 7)
            light = lamp * np.maximum(60 + 25 * plate.image(*SHAPE, theta=theta, centre=(64.0, 64.0)), 5)
            picture = rng.normal(light, 0.2 * np.sqrt(light)).clip(0, 255).astype(np.float32)
            rows = made.update(k, k / 1000, {"image": picture})
            if k < 8:
                continue
            rows = rows[rows["state"] == State.TRACKED]
            dx, dy = (np.array(places)[rows["track"]] - 64.0).T
            x, y = 64 + dx * np.cos(theta) - dy * np.sin(theta), 64 + dx * np.sin(theta) + dy * np.cos(theta)
            off = np.concatenate((rows["x"] - x, rows["y"] - y)) / np.tile(rows["sigma"], 2)
            squares += (off * off).tolist()
    assert len(squares) > 1700
    assert 0.9 < np.mean(squares) < 1.2  # by one noise for all: .82 and .85
