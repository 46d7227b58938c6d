"""Insects that dart about with sharp turns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from app.sources.simulated.drawing import Floats, Image, add_gaussians, cloud
from app.sources.simulated.scene import Scene, Truth, common, setting


@dataclass(frozen=True, kw_only=True)
class Insects(Scene):
    """Dark insects before a bright sky that fly straight legs and turn on the spot.

    Each leg leads to a random place and takes 0.4 to 1 times `leg` seconds, but places are near one another, so that a
    turn changes the course by any angle between two frames. The insects never leave the picture. With `clutter` they
    are before a still ground whose grains are as large as they are.
    """

    name: ClassVar[str] = "insects"
    summary: ClassVar[str] = "dark insects before a bright sky that turn sharply"
    height: int = common("height", 384)
    fps: float = common("fps", 500.0)
    count: int = setting("count", 25, "insects", "", 1, 5000)
    leg: float = setting("leg", 0.12, "longest time between two turns", "s", 0.001, 1000)
    sigma: float = setting("sigma", 1.8, "standard deviation of an insect's picture", "px", 0.5, 20)
    clutter: float = setting("clutter", 0.0, "standard deviation of the ground's texture, by its light", "1", 0, 0.5)
    moments: ClassVar[int] = 3

    def _places(self, event: int) -> Floats:
        """(2, count): where the insects turn for the `event`-th time."""
        return _turns(self.seed, event, self.count, self.width, self.height)

    @cached_property
    def _rhythm(self) -> tuple[Floats, Floats]:
        """Of each insect: seconds between turns, and phase of its first leg (0..1)."""
        rng = self.random(2)
        return self.leg * rng.uniform(0.4, 1.0, self.count), rng.uniform(0, 1, self.count)

    def _positions(self, index: int) -> tuple[Floats, Floats]:
        """(moments, count) each, px."""
        period, phase = self._rhythm
        legs = self.times(index)[:, None] / period + phase + 1  # +1: the first exposure begins before t = 0
        event = np.floor(legs).astype(int)
        share = legs - event
        here, there = np.empty((2, *legs.shape)), np.empty((2, *legs.shape))
        for k in np.unique(event):
            at = event == k
            column = np.nonzero(at)[1]
            here[:, at] = self._places(int(k))[:, column]
            there[:, at] = self._places(int(k) + 1)[:, column]
        x, y = here + share * (there - here)
        return x, y

    @cached_property
    def _still(self) -> Image:
        rng = self.random(3)
        sky = 0.62 + 0.05 * np.linspace(1, -1, self.height)[:, None] + 0.012 * cloud(self.shape, 0.06 * self.width, rng)
        if self.clutter:  # grains as large as an insect, and larger ones
            grains = cloud(self.shape, self.sigma, rng) + 0.5 * cloud(self.shape, 4 * self.sigma, rng)
            sky *= np.clip(1 + self.clutter / np.sqrt(1.25) * grains, 0.1, 1.5)
        return np.asarray(sky, np.float32)

    def light(self, index: int) -> Image:
        shadow = np.zeros(self.shape, np.float32)
        x, y = self._positions(index)
        add_gaussians(shadow, x.ravel(), y.ravel(), 0.75 / self.moments, self.sigma)
        return np.asarray(self._still * (1 - np.minimum(shadow, 0.97)), np.float32)

    def truth(self, index: int) -> Truth:
        x, y = (c.mean(0) for c in self._positions(index))
        return self.rows(index, np.arange(self.count), x, y)


@lru_cache(maxsize=64)
def _turns(seed: int, event: int, count: int, width: int, height: int) -> Floats:
    """Home of each insect plus a jump: a quarter of the picture at most, at least 10 px inside the border."""
    home = np.random.Generator(np.random.SFC64([seed, 4])).uniform(0, 1, (2, count))
    jump = np.random.Generator(np.random.SFC64([seed, 5, event])).uniform(-0.13, 0.13, (2, count))
    size = np.array([[width - 1], [height - 1]], float)
    inset = np.minimum(10.0, 0.2 * size)
    return np.asarray(inset + np.clip(home + jump, 0, 1) * (size - 2 * inset), float)
