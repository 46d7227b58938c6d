"""Bright particles in a vortex tube seen obliquely."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from app.sources.simulated.drawing import Floats, Image, add_gaussians, cloud
from app.sources.simulated.scene import Scene, Truth, common, setting

BORDER = 4.0
"""A particle has rows from 4 px outside the picture on, and is visible from 4 px inside: in between it is cut."""
TABLE = 4096


@dataclass(frozen=True, kw_only=True)
class Vortex(Scene):
    """Particles that circle in a Lamb-Oseen vortex tube whose axis leans towards the camera.

    Swirl speed at radius r: v(r) = peak (1 + 1/(2a)) (core / r) (1 - exp(-a r^2 / core^2)), a = 1.25643, so that `peak`
    is reached at r = `core` (Devenport et al. 1996). The circles lie at different depths and project to ellipses that
    cut one another, so that the particles' pictures truly cross. The widest ones leave the picture; a particle that
    comes back is a new track, as it could not be recognised.
    """

    name: ClassVar[str] = "vortex"
    summary: ClassVar[str] = "bright particles circling in a vortex; they cross, leave and enter"
    fps: float = common("fps", 600.0)
    particles: int = setting("particles", 40, "particles in the fluid", "", 1, 5000)
    peak: float = setting("peak", 1600.0, "largest swirl speed", "px/s", 0, 1e6)
    snr: float = setting("snr", 200.0, "peak of a typical particle over the noise of the background", "1", 1, 1000)
    tilt: float = setting("tilt", 50.0, "lean of the vortex axis to the line of sight", "deg", 0, 89)
    moments: ClassVar[int] = 3

    @cached_property
    def _orbits(self) -> dict[str, Floats]:
        """Of each particle: radius, phase, turn rate (rad/s), centre and lean in the picture, amplitude, sigma."""
        rng = self.random(1)
        n, size = self.particles, float(min(self.width, self.height))
        core = 0.16 * size
        # equal areas, jittered: no empty ring, no heap
        radius = size * np.sqrt(0.05**2 + (0.70**2 - 0.05**2) * (rng.permutation(n) + rng.random(n)) / n)
        a = 1.25643
        speed = self.peak * (1 + 0.5 / a) * core / radius * -np.expm1(-a * (radius / core) ** 2)
        depth = rng.uniform(-0.34, 0.34, n) * size
        noise = np.sqrt((64 + 1e4 * _BACKDROP) / 1e8)
        relative = rng.lognormal(0.0, 0.35, n)
        return {
            "radius": radius,
            "phase": rng.uniform(0, 2 * np.pi, n),
            "rate": speed / radius,
            "depth": depth,
            "amplitude": np.clip(self.snr * noise * relative / 0.80, 0.0, 0.85),
            "sigma": 1.25 + 0.25 * (depth / (0.34 * size)) ** 2 + rng.uniform(0, 0.15, n),
        }

    def _project(self, angle: Floats, which: slice = slice(None)) -> tuple[Floats, Floats]:
        """Picture position, px, of the particles `which` (last axis) at angles round the vortex's axis."""
        orbit = {name: values[which] for name, values in self._orbits.items()}
        lean, roll = np.deg2rad(self.tilt), np.deg2rad(24.0)
        along, across = orbit["radius"] * np.cos(angle), orbit["radius"] * np.sin(angle)
        u = along
        v = across * np.cos(lean) + orbit["depth"] * np.sin(lean)
        x = (self.width - 1) / 2 + u * np.cos(roll) - v * np.sin(roll)
        y = (self.height - 1) / 2 + u * np.sin(roll) + v * np.cos(roll)
        return np.asarray(x, float), np.asarray(y, float)

    @cached_property
    def _entries(self) -> list[Floats]:
        """Angles, sorted, 0..2 pi, at which each particle enters the picture (grown by BORDER)."""
        angles = np.linspace(0, 2 * np.pi, TABLE, endpoint=False)
        found = []
        for k in range(self.particles):
            inside = self.within(*self._project(angles, slice(k, k + 1)), -BORDER)
            found.append(self._refined(angles[inside & ~np.roll(inside, 1)], k))
        return found

    def _refined(self, entries: Floats, particle: int) -> Floats:
        """Entry angles known to one step of the table, by bisection to the last bits, sorted in 0..2 pi."""
        if len(entries) == 0:
            return entries
        outside, inside = entries - 2 * np.pi / TABLE, entries.copy()
        for _ in range(45):
            middle = (outside + inside) / 2
            there = self.within(*self._project(middle, slice(particle, particle + 1)), -BORDER)
            inside, outside = np.where(there, middle, inside), np.where(there, outside, middle)
        return np.sort(np.mod(inside, 2 * np.pi))

    def _visits(self, angle: Floats) -> npt.NDArray[np.int64]:
        """How often each particle has entered since time 0."""
        turns = np.floor(angle / (2 * np.pi))
        count = np.zeros(self.particles, np.int64)
        for k, entries in enumerate(self._entries):
            if len(entries):
                first = np.searchsorted(entries, self._orbits["phase"][k], "right")
                now = np.searchsorted(entries, angle[k] - 2 * np.pi * turns[k], "right")
                count[k] = int(turns[k]) * len(entries) + int(now) - int(first)
        return count

    def _angles(self, index: int) -> Floats:
        """(moments, particles) angles round the axis during frame `index`, rad."""
        return np.asarray(self._orbits["phase"] + self._orbits["rate"] * self.times(index)[:, None], float)

    @cached_property
    def _still(self) -> Image:
        """The backdrop: scattered light of the illuminated volume, brighter round the axis."""
        rng = self.random(2)
        rows, columns = np.mgrid[0 : self.height, 0 : self.width].astype(float)
        u, v = columns / self.width - 0.5, rows / self.height - 0.5
        glow = np.exp(-6.0 * (u**2 + v**2)) + 0.06 * cloud(self.shape, 0.07 * self.height, rng)
        return np.asarray(_BACKDROP * (0.30 + 0.90 * glow), np.float32)

    def light(self, index: int) -> Image:
        picture = self._still.copy()
        orbit = self._orbits
        x, y = self._project(self._angles(index))
        amplitude = np.broadcast_to(orbit["amplitude"] / self.moments, x.shape).ravel()
        sigma = np.broadcast_to(orbit["sigma"], x.shape).ravel()
        near = self.within(x, y, -12.0).ravel()
        add_gaussians(picture, x.ravel()[near], y.ravel()[near], amplitude[near], sigma[near])
        add_gaussians(picture, x.ravel()[near], y.ravel()[near], 0.035 * amplitude[near], 3.2)  # the lens's glare
        return picture

    def truth(self, index: int) -> Truth:
        angles = self._angles(index)
        x, y = (c.mean(0) for c in self._project(angles))
        middle = self._orbits["phase"] + self._orbits["rate"] * self.time(index)
        track = np.arange(self.particles) + self.particles * self._visits(middle)
        here = self.within(*self._project(middle), -BORDER)
        table = self.rows(index, track[here], x[here], y[here], self.within(x, y, BORDER)[here])
        return table[np.argsort(table["track"])]


_BACKDROP = 0.045
