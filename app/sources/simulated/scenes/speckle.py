"""A speckled specimen that is shifted, stretched and bent into waves: digital image correlation with a known answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from app.sources.simulated.drawing import Floats, Image, add_gaussians, jittered_grid
from app.sources.simulated.scene import Scene, Truth, common, setting


@dataclass(frozen=True, kw_only=True)
class Speckle(Scene):
    """A speckled surface that fills the picture; every place X, Y of frame 0 moves by

        u = load (shift + strain (X - cx))
        v = load (-ratio strain (Y - cy) + wave cos(2 pi (Y - cy) / period(X)))

    with the picture's centre cx, cy, period(X) rising evenly from `shortest` at the left edge to `longest` at the
    right one, and a load that rises evenly from 0 to 1 within `ramp` frames and stays. Dots are stretched as the
    surface under them is. The waves are like those of the DIC Challenge 2.0 (Reu et al., Experimental Mechanics 62, 639
    (2022), "Star"): how soon a method flattens short ones is its spatial resolution. Truth: a grid of `points` points.
    """

    name: ClassVar[str] = "speckle"
    summary: ClassVar[str] = "a speckled specimen under a known shift, strain and waves, for digital image correlation"
    width: int = common("width", 512)
    height: int = common("height", 512)
    frames: int = common("frames", 200)
    strain: float = setting("strain", 0.01, "along x at full load", "1", -0.5, 0.5)
    ratio: float = setting("ratio", 0.3, "how much of it it shrinks along y (Poisson)", "1", -1, 1)
    shift: float = setting("shift", 0.0, "along x at full load", "px", -200, 200)
    wave: float = setting("wave", 0.0, "amplitude of waves of motion along y at full load", "px", 0, 20)
    shortest: float = setting("shortest", 10.0, "period of the waves at the left edge", "px", 4, 10_000)
    longest: float = setting("longest", 300.0, "period of the waves at the right edge", "px", 4, 10_000)
    ramp: int = setting("ramp", 100, "frames within which the load rises; 1: all of it from frame 1 on", "", 1, 10**9)
    points: int = setting("points", 49, "points with a known motion (made a square number)", "", 1, 10_000)

    def load(self, index: int) -> float:
        """Share of the full load in a frame, 0..1."""
        return min(index / self.ramp, 1.0)

    @property
    def centre(self) -> tuple[float, float]:
        """What the strain leaves where it is, px."""
        return (self.width - 1) / 2, (self.height - 1) / 2

    def period(self, x: Floats) -> Floats:
        """Of the waves at places along x, px."""
        share = np.clip(x / (self.width - 1), 0.0, 1.0)
        return np.asarray(self.shortest + (self.longest - self.shortest) * share)

    def displacement(self, x: Floats, y: Floats, index: int) -> tuple[Floats, Floats]:
        """u, v of places of frame 0, px."""
        (cx, cy), load = self.centre, self.load(index)
        waves = self.wave * np.cos(2 * np.pi * (y - cy) / self.period(x))
        return load * (self.shift + self.strain * (x - cx)), load * (waves - self.ratio * self.strain * (y - cy))

    def stretches(self, x: Floats, y: Floats, index: int) -> tuple[Floats, Floats]:
        """1 + du/dx and 1 + dv/dy there."""
        load, period = self.load(index), self.period(x)
        waves = -self.wave * 2 * np.pi / period * np.sin(2 * np.pi * (y - self.centre[1]) / period)
        return np.full_like(x, 1 + load * self.strain), 1 + load * (waves - self.ratio * self.strain)

    @cached_property
    def _dots(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Dots at rest, up to beyond the border: x, y, depth, sigma."""
        rng = self.random(1)
        reach = 12 + self.wave + abs(self.shift) + abs(self.strain) * max(self.width, self.height)
        x, y = jittered_grid(-reach, self.width + reach, -reach, self.height + reach, 3.4, rng)
        keep = rng.random(x.size) < 0.85
        n = int(keep.sum())
        return x[keep], y[keep], rng.uniform(0.3, 1.4, n), rng.uniform(1.0, 1.4, n)

    def light(self, index: int) -> Image:
        x, y, depth, sigma = self._dots
        dx, dy = self.displacement(x, y, index)
        along, down = self.stretches(x, y, index)
        ink = np.zeros(self.shape, np.float32)
        add_gaussians(ink, x + dx, y + dy, depth, sigma * along, sigma * down)
        return np.asarray(0.08 + 0.58 * np.exp(-ink), np.float32)

    @cached_property
    def _marks(self) -> tuple[Floats, Floats]:
        side = max(1, round(self.points**0.5))
        share = (np.arange(side) + 1) / (side + 1)
        x, y = np.meshgrid(np.rint(share * (self.width - 1)), np.rint(share * (self.height - 1)))
        return x.ravel(), y.ravel()

    def truth(self, index: int) -> Truth:
        x, y = self._marks
        dx, dy = self.displacement(x, y, index)
        return self.rows(index, np.arange(len(x)), x + dx, y + dy, self.within(x + dx, y + dy, 0))

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"strain_xx": self.strain, "strain_yy": -self.ratio * self.strain}
