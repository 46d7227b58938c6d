"""A crowd of blobs at a chosen signal-to-noise ratio."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from app.sources.simulated.drawing import Floats, Image, add_gaussians
from app.sources.simulated.scene import Scene, Truth, common, setting

BACKDROP = 0.05


@dataclass(frozen=True, kw_only=True)
class Blobs(Scene):
    """Gaussian blobs on a flat backdrop that cross, hide, and turn round beyond the border.

    Each runs straight, is thrown back by walls 8 px outside the picture, and wobbles a little. `snr` is the blob's peak
    over the noise of the backdrop. A blob is hidden for `hidden` of the time, in spells of 12 frames; it keeps its
    track through that, and through short visits outside.
    """

    name: ClassVar[str] = "blobs"
    summary: ClassVar[str] = "a crowd of blobs at a chosen signal-to-noise ratio, with crossings and occlusion"
    width: int = common("width", 512)
    height: int = common("height", 512)
    count: int = setting("count", 100, "blobs", "", 1, 20_000)
    snr: float = setting("snr", 10.0, "peak of a blob over the noise of the backdrop", "1", 0.1, 400)
    sigma: float = setting("sigma", 1.4, "standard deviation of a blob", "px", 0.5, 20)
    speed: float = setting("speed", 1500.0, "typical speed", "px/s", 0, 1e6)
    hidden: float = setting("hidden", 0.03, "share of the time that a blob is hidden", "1", 0, 0.9)
    moments: ClassVar[int] = 3
    wobble: ClassVar[float] = 2.0
    """Amplitude of its deviation from a straight path, px."""
    margin: ClassVar[float] = 8.0
    """How far outside the picture blobs turn round, px."""

    @cached_property
    def _start(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Positions, velocities (px/s), phases and hiding offsets, each (2, count) or (count,)."""
        rng = self.random(1)
        size = np.array([[self.width], [self.height]]) + 2 * self.margin
        heading = rng.uniform(0, 2 * np.pi, self.count)
        speed = self.speed * rng.uniform(0.4, 1.6, self.count)
        return (
            rng.uniform(0, 1, (2, self.count)) * size, np.stack([np.cos(heading), np.sin(heading)]) * speed,
            rng.uniform(0, 2 * np.pi, (2, self.count)), rng.uniform(0, 1, self.count),
        )  # fmt: skip

    def _positions(self, index: int) -> tuple[Floats, Floats]:
        """(moments, count) each, px."""
        place, velocity, phase, _ = self._start
        t = self.times(index)[:, None, None]
        size = np.array([[self.width - 1], [self.height - 1]]) + 2 * self.margin
        straight = place + velocity * t + self.wobble * np.sin(2 * np.pi * 9.0 * t + phase)
        folded = size - np.abs(np.mod(straight, 2 * size) - size) - self.margin
        return folded[:, 0], folded[:, 1]

    def _shown(self, index: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        if self.hidden == 0:
            return np.ones(self.count, bool)
        spell = 12.0
        cycle = spell / self.hidden
        return np.asarray(np.mod(index + self._start[3] * cycle, cycle) >= spell)

    @property
    def peak(self) -> float:
        """Share of the full well that gives a blob's brightest pixel, when centred on it, the chosen SNR."""
        noise = np.hypot(np.sqrt(64 + 1e4 * BACKDROP) / 1e4, 1 / np.sqrt(12) / (2**self.bits - 1))
        return float(min(self.snr * noise, 0.9))

    def light(self, index: int) -> Image:
        picture = np.full(self.shape, BACKDROP, np.float32)
        x, y = self._positions(index)
        shown = self._shown(index)
        add_gaussians(picture, x[:, shown].ravel(), y[:, shown].ravel(), self.peak / self.moments, self.sigma)
        return picture

    def truth(self, index: int) -> Truth:
        x, y = (c.mean(0) for c in self._positions(index))
        reach = 3 * self.sigma
        here = self.within(x, y, -reach)
        visible = self.within(x, y, reach) & self._shown(index)
        return self.rows(index, np.flatnonzero(here), x[here], y[here], visible[here])
