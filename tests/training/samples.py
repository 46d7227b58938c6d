"""Pictures of simulated scenes, and where in them quadrant targets are: what networks are trained and judged on.

A sample follows from (seed, number) alone. Most show the scene `targets` with sizes, light, blur, speed and noise drawn
anew; every fourth shows another scene, in which there is nothing to find.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sources.simulated import sensor
from app.sources.simulated.scene import Scene
from app.sources.simulated.scenes.targets import Targets
from app.sources.simulated.source import scenes

Array = npt.NDArray[Any]
SIDE = 128
"""Of a picture, px."""
WITHOUT = 0.25
"""Share of the pictures that show another scene."""
OTHERS = tuple(name for name in ("ball", "beam", "blobs", "disk", "face", "insects", "plate", "vortex"))
FRAMES = 3
"""Pictures of one scene; to make the next one takes longer than to render it."""

FAINTEST = 6.0
"""Contrast of the least target that has to be found, in standard deviations of a pixel."""


@dataclass(frozen=True)
class Sample:
    """One picture.

    Args:
        pixels: (SIDE, SIDE) u8.
        points: (n, 2) x and y of the targets that are whole, px.
        unclear: (m, 2) of those that the border cuts, and that hardly stand out of the noise: neither right nor wrong.
    """

    pixels: Array
    points: Array
    unclear: Array


def samples(seed: int, count: int) -> Iterator[Sample]:
    """The first `count` samples of a seed."""
    for number in range(0, count, FRAMES):
        rng = np.random.default_rng([seed, number])
        scene, scale = _scene(rng)
        gain, haze = np.exp(rng.uniform(np.log(0.12), np.log(1.3))), rng.choice((0.0, rng.uniform(0, 0.2)))
        negative = rng.random() < 0.15
        for _ in range(min(FRAMES, count - number)):
            index = int(rng.integers(scene.frames))
            light = _crop(scene.irradiance(index), rng) if scale is None else scene.irradiance(index)
            if negative:
                light = np.float32(1.0) - np.minimum(light, np.float32(1.0))
            light = light * np.float32(gain) + np.float32(haze * gain)
            pixels = sensor.expose(light, 8, rng)
            none = np.zeros((0, 2))
            if scale is None:
                yield Sample(pixels, none, none)
                continue
            truth = scene.truth(index)
            places = np.stack((truth["x"], truth["y"]), axis=1)
            clear = truth["visible"] & (_contrast(light, places, 0.5 * scale) > FAINTEST)
            yield Sample(pixels, places[clear], places[~clear])


def _scene(rng: np.random.Generator) -> tuple[Scene, float | None]:
    """A scene, and the radius of its targets; None where there are none."""
    seed = int(rng.integers(1 << 31))
    if rng.random() < WITHOUT:
        name = OTHERS[int(rng.integers(len(OTHERS)))]
        return scenes()[name](seed=seed, width=2 * SIDE, height=2 * SIDE), None
    radius = float(np.exp(rng.uniform(np.log(4.5), np.log(24))))
    blur = float(rng.uniform(0.6, min(0.25 * radius, 1.8)))
    return Targets(
        seed=seed, width=SIDE, height=SIDE, count=int(rng.integers(1, 7)), radius=radius, blur=blur,
        swing=float(rng.uniform(0, 2.0)), clutter=float(rng.uniform(0.5, 3)), exposure=float(rng.uniform(0, 1)),
        fps=float(np.exp(rng.uniform(np.log(200), np.log(2000)))), shadow=float(rng.uniform(0, 0.95)),
        flicker=float(rng.uniform(0, 0.5)), frames=4000,
    ), radius  # fmt: skip


def _contrast(light: Array, places: Array, reach: float) -> Array:
    """By how many standard deviations of a pixel the sectors around each place differ."""
    half, found = max(int(reach), 2), np.zeros(len(places))
    for k, (x, y) in enumerate(places.round().astype(int)):
        piece = light[max(y - half, 0) : y + half + 1, max(x - half, 0) : x + half + 1]
        noise = sensor.noise_of(255 * float(np.clip(piece.mean(), 0, 1)), 8) / 255
        found[k] = np.ptp(np.clip(piece, 0, 1)) / noise
    return found


def _crop(light: Array, rng: np.random.Generator) -> Array:
    """A piece of a larger picture, turned by quarters."""
    y, x = (int(rng.integers(n - SIDE + 1)) for n in light.shape)
    return np.rot90(light[y : y + SIDE, x : x + SIDE], int(rng.integers(4)))
