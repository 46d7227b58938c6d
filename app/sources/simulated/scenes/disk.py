"""A speckled disc that turns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from app.sources.simulated.drawing import Floats, Image, add_gaussians, cloud, jittered_grid, step
from app.sources.simulated.scene import Scene, Truth, common, setting


@dataclass(frozen=True, kw_only=True)
class Disk(Scene):
    """A white disc with black speckle that turns at a constant rate about its middle.

    Truth: `points` points on two rings, at 45 % and 75 % of the disc's radius.
    """

    name: ClassVar[str] = "disk"
    summary: ClassVar[str] = "a speckled disc that turns at a constant rate"
    width: int = common("width", 256)
    height: int = common("height", 256)
    exposure: float = common("exposure", 0.2)
    rate: float = setting("rate", 3.0, "turns per second", "1/s", -100_000, 100_000)
    points: int = setting("points", 60, "points with a known motion", "", 1, 1000)
    moments: ClassVar[int] = 2

    @property
    def middle(self) -> tuple[float, float]:
        """The axis, px; off the pixel grid on purpose."""
        return (self.width - 1) / 2 + 0.3, (self.height - 1) / 2 - 0.2

    @property
    def radius(self) -> float:
        """px."""
        return 0.44 * min(self.width, self.height)

    @cached_property
    def _speckle(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Dots at rest, from the axis: x, y, depth, sigma."""
        rng = self.random(1)
        x, y = jittered_grid(-self.radius, self.radius, -self.radius, self.radius, 3.4, rng)
        keep = (np.hypot(x, y) < self.radius - 3) & (rng.random(x.size) < 0.85)
        x, y = x[keep], y[keep]
        return x, y, rng.uniform(0.3, 1.4, x.size), rng.uniform(1.0, 1.4, x.size)

    @cached_property
    def _still(self) -> tuple[Floats, Floats]:
        """Backdrop, and the disc's cover times its brightness."""
        rows, columns = np.mgrid[0 : self.height, 0 : self.width].astype(float)
        backdrop = 0.05 + 0.03 * columns / self.width + 0.002 * cloud(self.shape, 0.05 * self.width, self.random(2))
        r = np.hypot(columns - self.middle[0], rows - self.middle[1])
        hub = step(r - 0.07 * self.radius, 0.7)
        paint = step(r - self.radius, 0.7) * (0.62 + 0.12 * (columns - rows) / (self.width + self.height))
        return backdrop * (1 - step(r - self.radius, 0.7)), paint * (1 - 0.8 * hub)

    def _turn(self, x: Floats, y: Floats, index: int) -> tuple[Floats, Floats]:
        """Points at rest (n,) in the picture at the moments of frame `index`, (moments, n) each, px."""
        angle = 2 * np.pi * self.rate * self.times(index)[:, None]
        c, s = np.cos(angle), np.sin(angle)
        return self.middle[0] + c * x - s * y, self.middle[1] + s * x + c * y

    def light(self, index: int) -> Image:
        x, y, depth, sigma = self._speckle
        xs, ys = self._turn(x, y, index)
        backdrop, paint = self._still
        seen = np.zeros(self.shape)
        for mx, my in zip(xs, ys, strict=True):
            ink = np.zeros(self.shape, np.float32)
            add_gaussians(ink, mx, my, depth, sigma)
            seen += (0.14 + 0.86 * np.exp(-ink)) / self.moments
        return np.asarray(backdrop + paint * seen, np.float32)

    @cached_property
    def _marks(self) -> tuple[Floats, Floats]:
        k = np.arange(self.points)
        angle = 2 * np.pi * k / self.points
        ring = self.radius * np.where(k % 2 == 0, 0.45, 0.75)
        return ring * np.cos(angle), ring * np.sin(angle)

    def truth(self, index: int) -> Truth:
        xs, ys = self._turn(*self._marks, index)
        return self.rows(index, np.arange(self.points), xs.mean(0), ys.mean(0))
