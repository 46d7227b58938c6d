"""A ball in free fall beside a ruler."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from app.sources.simulated.drawing import Floats, Image, cloud, number, span, step
from app.sources.simulated.scene import Scene, Truth, common, setting

GRAVITY = 9810.0
"""mm/s^2, exactly."""


@dataclass(frozen=True, kw_only=True)
class Ball(Scene):
    """A white ball released from rest at frame 0: y = y0 + g t^2 / 2, g = 9.81 m/s^2 exactly, no drag.

    The ruler beside it has a tick every 10 mm, a longer one every 50 mm and a number (cm) every 100 mm; `scale` px are
    one millimetre. When the ball has left the picture the next one is released, as a new track.
    """

    name: ClassVar[str] = "ball"
    summary: ClassVar[str] = "a ball in free fall beside a ruler: a parabola through its track gives g"
    width: int = common("width", 224)
    height: int = common("height", 384)
    exposure: float = common("exposure", 0.3)
    scale: float = setting("scale", 0.5, "picture scale", "px/mm", 0.01, 100)
    diameter: float = setting("diameter", 44.0, "of the ball", "mm", 1, 10_000)
    moments: ClassVar[int] = 4

    @property
    def radius(self) -> float:
        """px."""
        return self.diameter * self.scale / 2

    @property
    def start(self) -> tuple[float, float]:
        """Centre of the ball at rest, px: its whole picture just fits in below the upper border."""
        return 0.60 * (self.width - 1), self.radius + 7.0

    @property
    def period(self) -> float:
        """From one release to the next, s."""
        return 1.05 * math.sqrt(2 * (self.height - self.start[1] + self.radius + 4) / (GRAVITY * self.scale))

    def _centres(self, index: int) -> tuple[int, Floats]:
        """Which drop frame `index` belongs to, and y of the ball at the exposure's moments (rest before t = 0), px."""
        drop = int((self.time(index) + 0.5 / self.fps) / self.period)
        since = np.maximum(self.times(index) - drop * self.period, 0)
        return drop, np.asarray(self.start[1] + 0.5 * GRAVITY * self.scale * since**2, float)

    @cached_property
    def _still(self) -> Floats:
        """Backdrop and ruler."""
        rng = self.random(2)
        rows, columns = np.mgrid[0 : self.height, 0 : self.width].astype(float)
        u, v = columns / self.width, rows / self.height
        picture = 0.075 + 0.045 * np.exp(-(((u - 0.62) / 0.55) ** 2) - ((v - 0.45) / 0.7) ** 2)
        picture += 0.003 * cloud(self.shape, 0.04 * self.height, rng)
        left, right = 0.10 * self.width, 0.30 * self.width
        cover = span(self.width, left, right, 0.7)[None, :] * np.ones((self.height, 1))
        shadow = step(np.abs(columns - (left + right) / 2 - 4) - (right - left) / 2, 3.0)
        picture *= 1 - 0.55 * shadow
        return np.asarray(picture + cover * (self._ruler(left, right, rng) - picture), float)

    def _ruler(self, left: float, right: float, rng: np.random.Generator) -> Floats:
        """The ruler's face over the whole picture: steel, with black ticks from its right edge."""
        face = 0.44 + 0.05 * np.cos(np.linspace(-1.1, 0.9, self.height))[:, None] * np.ones((1, self.width))
        grain = cloud(self.shape, 0.6, rng)
        face += 0.006 * (grain + np.roll(grain, 1, 0) + np.roll(grain, 2, 0))
        ink = np.zeros(self.shape)
        zero = self.start[1]
        size = max(1, round(self.width / 150))
        for k in range(int((self.height - zero) / (10 * self.scale)) + 1):
            y = zero + 10 * k * self.scale
            length = (right - left) * (0.52 if k % 10 == 0 else 0.40 if k % 5 == 0 else 0.24)
            line = span(self.height, y - 0.5, y + 0.5, 0.35)[:, None] * span(self.width, right - length, right, 0.5)
            np.maximum(ink, line, out=ink)
            if k % 10 == 0 and k:
                glyphs = number(str(k), size)
                top = round(y) - glyphs.shape[0] // 2
                x0 = round(left + 0.08 * (right - left)) + (0 if k >= 100 else 2 * size)
                x1 = min(x0 + glyphs.shape[1], self.width)
                if top >= 0 and top + glyphs.shape[0] <= self.height and x1 > x0:
                    ink[top : top + glyphs.shape[0], x0:x1] += glyphs[:, : x1 - x0]
        return np.asarray(face * (1 - 0.85 * np.clip(ink, 0, 1)), float)

    def light(self, index: int) -> Image:
        picture = self._still.copy()
        _, centres = self._centres(index)
        x0 = self.start[0]
        low = max(int(centres.min() - self.radius) - 8, 0)
        high = min(int(centres.max() + self.radius) + 9, self.height)
        if low >= high:
            return picture.astype(np.float32)
        dx2 = (np.arange(self.width) - x0) ** 2
        for y0 in centres:
            r = np.sqrt((np.arange(low, high)[:, None] - y0) ** 2 + dx2)
            cover = step(r - self.radius, 0.8) / len(centres)
            # lit from beside the lens: as bright on the left as on the right, so the centroid is the centre
            limb = np.sqrt(np.clip(1 - (r / (self.radius + 2.0)) ** 2, 0.0, 1.0))
            gloss = np.exp(-0.5 * (r / (0.22 * self.radius)) ** 2)
            surface = 0.16 + 0.52 * limb + 0.16 * gloss
            picture[low:high] += cover * (surface - self._still[low:high])
        return picture.astype(np.float32)

    def truth(self, index: int) -> Truth:
        drop, centres = self._centres(index)
        x, y = np.array([self.start[0]]), np.array([centres.mean()])
        if not self.within(x, y, -self.radius - 3)[0]:
            return self.rows(index, [], x[:0], y[:0])
        return self.rows(index, [drop], x, y, self.within(x, y, self.radius + 3))

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"px_per_mm": self.scale, "gravity_m_s2": GRAVITY / 1000}
