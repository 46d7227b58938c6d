"""A textured plate that vibrates as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from app.sources.simulated.drawing import Floats, Image, add_gaussians, jittered_grid
from app.sources.simulated.scene import Scene, Truth, common, setting


@dataclass(frozen=True, kw_only=True)
class Plate(Scene):
    """A speckled plate that fills the picture and vibrates in its plane.

    x carries two tones, `tone` at `amplitude` and 2.7 times `tone` at a tenth of it; y carries `tone` * 1.6 at half.
    Truth: a grid of `points` points, all with the same motion.
    """

    name: ClassVar[str] = "plate"
    summary: ClassVar[str] = "a textured plate vibrating in its plane by 0.01 to 2 px"
    width: int = common("width", 256)
    height: int = common("height", 256)
    flicker: float = common("flicker", 0.0)
    amplitude: float = setting("amplitude", 0.5, "of the first tone", "px", 0, 20)
    tone: float = setting("tone", 37.0, "frequency of the first tone", "Hz", 0, 100_000)
    points: int = setting("points", 49, "points with a known motion (made a square number)", "", 1, 10_000)

    @property
    def tones(self) -> tuple[tuple[str, float, float, float], ...]:
        """(axis, frequency in Hz, amplitude in px, phase in rad) of each tone."""
        a, f = self.amplitude, self.tone
        return ("x", f, a, 0.3), ("x", 2.7 * f, 0.1 * a, 1.0), ("y", 1.6 * f, 0.5 * a, 2.0)

    def shift(self, index: int) -> tuple[float, float]:
        """Displacement, px, averaged exactly over the exposure."""
        moved = {"x": 0.0, "y": 0.0}
        for axis, frequency, amplitude, phase in self.tones:
            blur = float(np.sinc(frequency * self.exposure / self.fps))
            moved[axis] += amplitude * blur * float(np.sin(2 * np.pi * frequency * self.time(index) + phase))
        return moved["x"], moved["y"]

    @cached_property
    def _speckle(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Dots at rest, up to beyond the border: x, y, depth, sigma."""
        rng = self.random(1)
        reach = 12 + 2 * self.amplitude
        x, y = jittered_grid(-reach, self.width + reach, -reach, self.height + reach, 3.4, rng)
        keep = rng.random(x.size) < 0.85
        n = int(keep.sum())
        return x[keep], y[keep], rng.uniform(0.3, 1.4, n), rng.uniform(1.0, 1.4, n)

    def light(self, index: int) -> Image:
        x, y, depth, sigma = self._speckle
        dx, dy = self.shift(index)
        ink = np.zeros(self.shape, np.float32)
        add_gaussians(ink, x + dx, y + dy, depth, sigma)
        return np.asarray(0.08 + 0.58 * np.exp(-ink), np.float32)

    @cached_property
    def _marks(self) -> tuple[Floats, Floats]:
        side = max(1, round(self.points**0.5))
        share = (np.arange(side) + 1) / (side + 1)
        x, y = np.meshgrid(share * (self.width - 1), share * (self.height - 1))
        return x.ravel(), y.ravel()

    def truth(self, index: int) -> Truth:
        x, y = self._marks
        dx, dy = self.shift(index)
        return self.rows(index, np.arange(len(x)), x + dx, y + dy)

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"tones_hz": [round(tone[1], 6) for tone in self.tones]}
