"""A speckled cantilever that vibrates by fractions of a pixel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from app.sources.simulated.drawing import Floats, Image, add_gaussians, cloud, jittered_grid, span, step
from app.sources.simulated.scene import Scene, Truth, common, setting

MODES = ((1.8751040687, 0.7340955138), (4.6940911330, 1.0184673186))
"""Roots beta L of cos(b) cosh(b) = -1, and their shape factors (Blevins, Formulas for Natural Frequency, table 8-1)."""
STIFFER = (MODES[1][0] / MODES[0][0]) ** 2
"""Second bending frequency over the first: 6.27."""


def mode_shape(along: Floats, mode: int) -> Floats:
    """Bending mode 0 or 1 of a clamped-free Euler-Bernoulli beam at 0 (clamp) .. 1 (tip), where it is +1 or -1."""
    root, factor = MODES[mode]
    s = root * np.clip(along, 0, None)
    return np.asarray((np.cosh(s) - np.cos(s) - factor * (np.sinh(s) - np.sin(s))) / 2, float)


@dataclass(frozen=True, kw_only=True)
class Beam(Scene):
    """A white, speckled cantilever, clamped on the left, in its first two bending modes.

    Three tones: the first mode at `tone` (amplitude `amplitude` at the tip), the first mode driven at 3.3 times that
    (a quarter of it) and the second mode at 6.27 times (0.35 of it). Every point moves straight up and down (small
    slopes). Truth: `points` points on the centre line, track 0 next to the clamp.
    """

    name: ClassVar[str] = "beam"
    summary: ClassVar[str] = "a speckled cantilever vibrating by less than a pixel: two bending modes, three tones"
    height: int = common("height", 192)
    amplitude: float = setting("amplitude", 0.7, "tip amplitude of the first tone", "px", 0, 20)
    tone: float = setting("tone", 22.0, "frequency of the first bending mode", "Hz", 0, 100_000)
    points: int = setting("points", 12, "points with a known motion", "", 1, 1000)

    @property
    def clamp(self) -> float:
        """x of the clamp's edge, px."""
        return 0.13 * self.width

    @property
    def length(self) -> float:
        """Free length, px."""
        return 0.80 * self.width

    @property
    def thickness(self) -> float:
        """Height of the visible flank, px."""
        return 0.27 * self.height

    @property
    def tones(self) -> tuple[tuple[int, float, float, float], ...]:
        """(mode, frequency in Hz, amplitude at the tip in px, phase in rad) of each tone."""
        a, f = self.amplitude, self.tone
        return (0, f, a, 0.0), (0, 3.3 * f, 0.25 * a, 0.9), (1, STIFFER * f, 0.35 * a, 2.1)

    def deflection(self, x: Floats, time: float) -> Floats:
        """Downward motion, px, of the beam's points at `x` px, averaged exactly over the exposure around `time`."""
        total = np.zeros_like(x)
        shapes = [mode_shape((x - self.clamp) / self.length, mode) for mode in (0, 1)]
        for mode, frequency, amplitude, phase in self.tones:
            blur = float(np.sinc(frequency * self.exposure / self.fps))
            total += shapes[mode] * (amplitude * blur * np.sin(2 * np.pi * frequency * time + phase))
        return total

    @cached_property
    def _speckle(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Dots on the beam at rest: x, y, depth, sigma."""
        rng = self.random(1)
        middle, half = (self.height - 1) / 2, self.thickness / 2
        pitch = 3.1
        x, y = jittered_grid(self.clamp - 8, self.clamp + self.length, middle - half, middle + half, pitch, rng)
        sigma = rng.uniform(0.9, 1.35, x.size)
        depth = rng.uniform(0.25, 1.5, x.size) * (rng.random(x.size) < 0.8)
        # paint ends a little inside the outline: a dot on the edge would stain the air beside it
        margin = 1.5
        keep = (depth > 0) & (np.abs(y - middle) < half - margin) & (x < self.clamp + self.length - margin)
        return x[keep], y[keep], depth[keep], sigma[keep]

    @cached_property
    def _still(self) -> tuple[Floats, Floats, Floats]:
        """What does not move: backdrop, shading of the beam, and the clamp's cover and look stacked into one."""
        rng = self.random(2)
        rows, columns = np.mgrid[0 : self.height, 0 : self.width].astype(float)
        u, v = columns / self.width, rows / self.height
        backdrop = 0.055 + 0.075 * np.exp(-(((u - 0.62) / 0.5) ** 2) - ((v - 0.35) / 0.45) ** 2)
        backdrop += 0.004 * cloud(self.shape, 0.05 * self.width, rng)
        # a spot lamp from the upper right
        shade = 0.60 + 0.16 * np.exp(-(((u - 0.65) / 0.42) ** 2)) - 0.05 * u
        return backdrop, shade, self._clamp_look(rng)

    def _clamp_look(self, rng: np.random.Generator) -> Floats:
        """(2, height, width): cover of the clamp and its brightness: two jaws of brushed steel with screw heads."""
        middle, half = (self.height - 1) / 2, self.thickness / 2
        jaw = 0.24 * self.height
        columns = span(self.width, -10.0, self.clamp, 0.7)
        rows = np.arange(self.height)
        cover = columns * span(self.height, middle - half - jaw, middle + half + jaw, 0.7)[:, None]
        brushed = cloud((self.height, self.width), 0.6, rng)
        brushed = (brushed + np.roll(brushed, 1, 1) + np.roll(brushed, 2, 1) + np.roll(brushed, 3, 1)) / 4
        look = 0.20 + 0.05 * np.cos((rows[:, None] - middle) / (half + jaw) * 1.4) + 0.012 * brushed
        for edge in (middle - half, middle + half):  # the gap's shadow lines
            look = look * (1 - 0.6 * span(self.height, edge - 0.8, edge + 0.8, 0.8)[:, None])
        y, x = np.mgrid[0 : self.height, 0 : self.width].astype(float)
        for cy in (middle - half - jaw / 2, middle + half + jaw / 2):
            cx, radius = 0.5 * self.clamp, min(0.30 * jaw, 0.3 * self.clamp)
            r = np.hypot(x - cx, y - cy)
            tilt = 1 + 0.25 * ((cy - y) + (x - cx)) / max(radius, 1.0)
            head = step(r - radius, 0.6)
            look = look * (1 - 0.5 * step(r - radius - 1.2, 0.8)) * (1 - head) + head * 0.30 * tilt
            hexagon = np.maximum(np.abs(x - cx) * 0.866 + np.abs(y - cy) * 0.5, np.abs(y - cy))
            socket = step(hexagon - 0.45 * radius, 0.6)
            look = look * (1 - 0.75 * socket)
        return np.stack([cover, np.clip(look, 0.02, 0.6)])

    def light(self, index: int) -> Image:
        backdrop, shade, (clamp, steel) = self._still
        time = self.time(index)
        middle, half = (self.height - 1) / 2, self.thickness / 2
        ink = np.zeros(self.shape, np.float32)
        x, y, depth, sigma = self._speckle
        add_gaussians(ink, x, y + self.deflection(x, time), depth, sigma)
        bend = self.deflection(np.arange(self.width, dtype=float), time)
        rows = np.arange(self.height, dtype=float)[:, None] - bend
        body = step(np.abs(rows - middle) - half, 0.7) * span(self.width, -10.0, self.clamp + self.length, 0.7)
        # light paint over the flank, rounded off at the rims
        rim = 1 - 0.35 * np.exp(-((half - np.abs(rows - middle)) / 2.0) ** 2)
        picture = backdrop + body * (shade * rim * (0.14 + 0.86 * np.exp(-ink)) - backdrop)
        picture += clamp * (steel - picture)
        return np.ascontiguousarray(picture, np.float32)

    @cached_property
    def stations(self) -> Floats:
        """x of the truth's points, px: evenly from 8 % to 92 % of the free length."""
        return np.asarray(self.clamp + self.length * np.linspace(0.08, 0.92, self.points), float)

    def truth(self, index: int) -> Truth:
        x = self.stations
        y = (self.height - 1) / 2 + self.deflection(x, self.time(index))
        return self.rows(index, np.arange(len(x)), x, y)

    def describe(self) -> dict[str, Any]:
        return super().describe() | {"tones_hz": [round(tone[1], 6) for tone in self.tones]}
