"""Particles in Brownian motion with a known diffusion coefficient."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from app.sources.simulated.drawing import Floats, Image, add_gaussians
from app.sources.simulated.scene import Scene, Truth, setting

BACKDROP = 0.05
FINE = 6
"""Halvings of a frame interval: the path is known at every 1/64 of it."""


@dataclass(frozen=True, kw_only=True)
class Brownian(Scene):
    """Gaussian spots that diffuse freely, each on its own, in a fluid that may flow to the right.

    The mean squared displacement of the true places is 4 D (tau - E/3) behind exposures of E s, and flow * tau squared
    on top of it. Who leaves the picture may come back under its number. Paths are made by halving intervals (Levy's
    construction): a midpoint lies normally distributed about the middle of its ends, so that any moment is known
    without those before it.
    """

    name: ClassVar[str] = "brownian"
    summary: ClassVar[str] = "particles in Brownian motion with a known diffusion coefficient, in a fluid that may flow"
    count: int = setting("count", 60, "particles", "", 1, 20_000)
    diffusion: float = setting("diffusion", 20.0, "diffusion coefficient D", "px^2/s", 0, 1e6)
    flow: float = setting("flow", 0.0, "speed of the fluid, to the right", "px/s", -1e6, 1e6)
    snr: float = setting("snr", 60.0, "peak of a particle over the noise of the backdrop", "1", 0.1, 400)
    sigma: float = setting("sigma", 1.4, "standard deviation of a spot", "px", 0.5, 20)
    moments: ClassVar[int] = 8

    @cached_property
    def _start(self) -> Floats:
        """(2, count) places at time 0, apart from each other where there is room."""
        rng = self.random(1)
        across = max(1, round(np.sqrt(self.count * self.width / self.height)))
        down = -(-self.count // across)
        cells = rng.permutation(across * down)[: self.count]
        within = rng.uniform(0.25, 0.75, (2, self.count))
        return np.stack(((cells % across + within[0]) * self.width / across - 0.5,
                         (cells // across + within[1]) * self.height / down - 0.5))  # fmt: skip

    def _walk(self, fine: int) -> Floats:
        """(2, count) ways since time 0 in units of the standard deviation of a frame's step; `fine` counts 1/64."""
        # The whole of time is one interval that is long enough for any clip; its first half begins at 0.
        levels = FINE + max(1, int(self.frames).bit_length())
        low, high = 0, 1 << levels
        shape = (2, self.count)
        before, after = np.zeros(shape), self.random(2, 0, 0).normal(0.0, np.sqrt(2.0 ** (levels - FINE)), shape)
        level = 0
        while low != fine:
            level += 1
            middle = (low + high) // 2
            spread = np.sqrt((high - low) / 4 / (1 << FINE))
            place = (before + after) / 2 + self.random(2, level, low >> (levels - level)).normal(0.0, spread, shape)
            if fine >= middle:
                low, before = middle, place
            else:
                high, after = middle, place
        return before

    def _positions(self, index: int) -> Floats:
        """(moments, 2, count), px."""
        share = ((np.arange(self.moments) + 0.5) / self.moments - 0.5) * self.exposure
        # Half a frame later than said, so that the first exposure does not begin before the path does.
        fine = np.rint((index + 0.5 + share) * (1 << FINE)).astype(np.int64)
        step = np.sqrt(2.0 * self.diffusion / self.fps)
        ways = np.stack([self._walk(one) for one in fine.tolist()]) * step
        ways[:, 0] += self.flow * (index + share)[:, None] / self.fps
        return np.asarray(self._start + ways)

    @property
    def peak(self) -> float:
        """Share of the full well that gives a spot's brightest pixel, when centred on it, the chosen SNR."""
        noise = np.hypot(np.sqrt(64 + 1e4 * BACKDROP) / 1e4, 1 / np.sqrt(12) / (2**self.bits - 1))
        return float(min(self.snr * noise, 0.9))

    def light(self, index: int) -> Image:
        picture = np.full(self.shape, BACKDROP, np.float32)
        places = self._positions(index)
        add_gaussians(picture, places[:, 0].ravel(), places[:, 1].ravel(), self.peak / self.moments, self.sigma)
        return picture

    def truth(self, index: int) -> Truth:
        x, y = self._positions(index).mean(0)
        reach = 3 * self.sigma
        here = self.within(x, y, -reach)
        visible = self.within(x, y, reach)
        return self.rows(index, np.flatnonzero(here), x[here], y[here], visible[here])
