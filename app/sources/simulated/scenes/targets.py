"""Quadrant targets that swing before a cluttered ground, in a light that changes from place to place and in time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from app.sources.simulated.drawing import SQRT2, Floats, Image, cloud, step
from app.sources.simulated.late_scipy import erf
from app.sources.simulated.scene import Scene, Truth, common, setting

SWAY = 7.0
"""Amplitude of the motion that all targets share, px at `swing` 1."""
OWN = 5.0
"""Amplitude of a target's own motion, px at `swing` 1."""
SHAPES_PER_PIXEL = 1 / 1800
"""Clutter: shapes for each pixel of the picture at `clutter` 1."""
APART = 3.0
"""Least distance of two targets at rest in radii, before they swing."""


class Poses(NamedTuple):
    """Targets at some instants, (instants, targets) each: centre in px, and the matrix from px to the target's own
    coordinates, in which its edges are the axes and its outline has radius 1."""

    x: Floats
    y: Floats
    ux: Floats
    uy: Floats
    vx: Floats
    vy: Floats


class Looks(NamedTuple):
    """Targets at rest, (targets,) each: place in px, radius in px, foreshortening 0..1 with its direction and the
    angle of the pattern in rad, turns a second, reflectance of the light and of the dark sectors, whether the outline
    is a square, and the width of the plain rim as a share of the radius with its reflectance."""

    x: Floats
    y: Floats
    radius: Floats
    flat: Floats
    lean: Floats
    angle: Floats
    rate: Floats
    bright: Floats
    dark: Floats
    square: npt.NDArray[np.bool_]
    rim: Floats
    rim_level: Floats


@dataclass(frozen=True, kw_only=True)
class Targets(Scene):
    """Quadrant targets (two bright and two dark sectors that meet in a point) of crash tests and photogrammetry.

    They swing and turn together and each by itself, are seen at an angle of up to 55 degrees, and lie before a ground
    of patches, bars, stripes and dots that stands still. The lamp ripples, one side of the picture is darker, and a
    shadow with a soft edge sweeps across and back twice a second. Truth: the points where the sectors meet.
    """

    name: ClassVar[str] = "targets"
    summary: ClassVar[str] = "quadrant targets that swing before clutter under changing light"
    width: int = common("width", 320)
    height: int = common("height", 256)
    flicker: float = common("flicker", 0.25)
    count: int = setting("count", 8, "targets, as far as there is room", "", 1, 1000)
    radius: float = setting("radius", 9.0, "of a target, 0.75 to 1.25 times this", "px", 3, 200)
    swing: float = setting("swing", 1.0, "size of the motion", "1", 0, 100)
    clutter: float = setting("clutter", 1.0, "how many shapes the ground has", "1", 0, 10)
    blur: float = setting("blur", 0.9, "of all edges by the lens, standard deviation", "px", 0.5, 10)
    shadow: float = setting("shadow", 0.7, "how much light the shadow takes", "1", 0, 0.98)
    moments: ClassVar[int] = 3

    @cached_property
    def _looks(self) -> Looks:
        """Targets at random places, none nearer to another or to the border than their motion needs."""
        rng, kept = self.random(1), np.zeros((0, 3))
        for _ in range(60 * self.count):
            if len(kept) == self.count:
                break
            wide = self.radius * rng.uniform(0.75, 1.25)
            margin = min(wide + 0.8 * self.swing * (SWAY + OWN), 0.4 * self.width, 0.4 * self.height)
            at = rng.uniform(margin, self.width - margin), rng.uniform(margin, self.height - margin)
            away = np.hypot(kept[:, 0] - at[0], kept[:, 1] - at[1])
            # Targets keep their distance at the farthest points of both motions.
            if (away > APART * np.maximum(kept[:, 2], wide) + 1.6 * self.swing * OWN).all():
                kept = np.vstack([kept, (*at, wide)])
        n, (x, y, radius) = len(kept), kept.T
        flat, lean, angle = rng.uniform(0.57, 1, n), rng.uniform(0, np.pi, n), rng.uniform(0, np.pi, n)
        bright = rng.uniform(0.4, 0.85, n)
        dark = bright * rng.uniform(0.06, 0.3, n)
        square = rng.random(n) < 0.4
        rim_level = np.where(rng.random(n) < 0.5, rng.uniform(0.04, 0.15, n), rng.uniform(0.4, 0.8, n))
        return Looks(x, y, radius, flat, lean, angle, rng.uniform(-1.5, 1.5, n), bright, dark, square,
                     rng.uniform(0, 0.45, n), rim_level)  # fmt: skip

    @cached_property
    def _motion(self) -> tuple[Floats, Floats]:
        """Frequencies in Hz and phases in rad: (axis, shared or own tone, targets)."""
        rng, n = self.random(2), len(self._looks.x)
        frequency, phase = rng.uniform(2.5, 9.0, (2, 2, n)), rng.uniform(0, 2 * np.pi, (2, 2, n))
        frequency[:, 0], phase[:, 0] = frequency[:, 0, :1], phase[:, 0, :1]
        return frequency, phase

    def _poses(self, index: int) -> Poses:
        """At the moments of frame `index`."""
        looks, (frequency, phase) = self._looks, self._motion
        time = self.times(index)[:, None]
        tones = np.sin(2 * np.pi * frequency[:, :, None] * time + phase[:, :, None])  # (axis, tone, moment, target)
        x, y = (rest + self.swing * (SWAY * tone[0] + OWN * tone[1])
                for rest, tone in zip((looks.x, looks.y), tones, strict=True))  # fmt: skip
        turned = looks.angle + self.swing * 0.5 * np.sin(2 * np.pi * looks.rate * time)
        # px -> along the foreshortened direction and across it, stretched back, -> the pattern's axes
        along, across = np.cos(looks.lean), np.sin(looks.lean)
        c, s = np.cos(turned), np.sin(turned)
        sx, sy = along / (looks.flat * looks.radius), across / (looks.flat * looks.radius)
        tx, ty = -across / looks.radius, along / looks.radius
        return Poses(x, y, c * sx + s * tx, c * sy + s * ty, c * tx - s * sx, c * ty - s * sy)

    @cached_property
    def _ground(self) -> Image:
        """The background behind the targets, which does not move."""
        rng = self.random(3)
        rows, columns = np.mgrid[0 : self.height, 0 : self.width].astype(float)
        ground = rng.uniform(0.15, 0.5) + 0.05 * cloud(self.shape, rng.uniform(6, 25), rng)
        ground += rng.uniform(0.005, 0.04) * cloud(self.shape, rng.uniform(0.8, 2.5), rng)
        for _ in range(round(self.clutter * SHAPES_PER_PIXEL * self.width * self.height)):
            size = self.radius * rng.uniform(0.3, 3.0)
            x, y, angle = rng.uniform(0, self.width), rng.uniform(0, self.height), rng.uniform(0, np.pi)
            reach = int(2 * size + 6 * self.blur) + 2
            part = tuple(slice(max(int(at) - reach, 0), int(at) + reach) for at in (y, x))
            dx, dy = columns[part] - x, rows[part] - y
            u, v = np.cos(angle) * dx + np.sin(angle) * dy, np.cos(angle) * dy - np.sin(angle) * dx
            cover = _shape(int(rng.integers(6)), u, v, size, self.blur, rng)
            ground[part] += cover * rng.uniform(0.6, 1.0) * (rng.uniform(0.03, 0.85) - ground[part])
        return np.clip(ground, 0.02, 0.95).astype(np.float32)

    def light(self, index: int) -> Image:
        looks, poses = self._looks, self._poses(index)
        picture = self._ground.copy()
        x, y = poses.x.mean(0), poses.y.mean(0)
        for n in range(len(looks.x)):
            way = np.hypot(np.ptp(poses.x[:, n]), np.ptp(poses.y[:, n]))
            reach = int(1.5 * looks.radius[n] + way + 6 * self.blur) + 2
            rows, columns = (np.arange(max(round(at) - reach, 0), min(round(at) + reach + 1, size))
                             for at, size in ((float(y[n]), self.height), (float(x[n]), self.width)))  # fmt: skip
            part = np.ix_(rows, columns)
            seen: Image = np.zeros((len(rows), len(columns)), np.float32)
            for m in range(self.moments):
                pose = Poses(*(table[m, n] for table in poses))
                seen = seen + self._target(n, pose, columns - pose.x, rows[:, None] - pose.y, picture[part])
            picture[part] = seen / np.float32(self.moments)
        return picture * self._lamp(index)

    def _target(self, n: int, pose: Poses, dx: Floats, dy: Floats, ground: Image) -> Image:
        """A piece of the ground with one target on it; dx (columns,), dy (rows, 1): px from the target's middle."""
        looks = self._looks
        u, v = pose.ux * dx + pose.uy * dy, pose.vx * dx + pose.vy * dy
        # px from the two edges, and from the outline
        scale_u, scale_v = np.hypot(pose.ux, pose.uy), np.hypot(pose.vx, pose.vy)
        sides = erf(u / (scale_u * SQRT2 * self.blur)) * erf(v / (scale_v * SQRT2 * self.blur))
        value = looks.dark[n] + (looks.bright[n] - looks.dark[n]) * (0.5 + 0.5 * sides)
        if looks.square[n]:
            far = np.maximum((np.abs(u) - 0.8) / scale_u, (np.abs(v) - 0.8) / scale_v)
        else:
            r = np.hypot(u, v)
            # Distance to the outline in px: the radius beyond 1 by how fast it grows per pixel there.
            steep = np.hypot(pose.ux * u + pose.vx * v, pose.uy * u + pose.vy * v) / np.maximum(r, 1e-6)
            far = (r - 1) / np.maximum(steep, 1e-6)
        rim = step(far - looks.rim[n] * looks.radius[n], self.blur)
        ground = ground + rim * (looks.rim_level[n] - ground)
        return np.asarray(ground + step(far, self.blur) * (value - ground), np.float32)

    def _lamp(self, index: int) -> Image:
        """What each pixel has of the light, 0..1."""
        angle, deep, phase = self.random(4).uniform((0, 0.2, 0), (2 * np.pi, 0.6, 2 * np.pi))
        rows, columns = np.arange(self.height)[:, None] / self.height, np.arange(self.width) / self.width
        along = np.cos(angle) * (columns - 0.5) + np.sin(angle) * (rows - 0.5)
        edge = 0.75 * np.sin(2 * np.pi * 2 * self.time(index) + phase)
        across = np.cos(angle + 1.9) * (columns - 0.5) + np.sin(angle + 1.9) * (rows - 0.5)
        shade = 1 - self.shadow / (1 + np.exp(-(across - edge) / 0.03))
        return np.asarray((1 - deep * (0.5 + along / SQRT2)) * shade, np.float32)

    def truth(self, index: int) -> Truth:
        looks, poses = self._looks, self._poses(index)
        x, y = poses.x.mean(0), poses.y.mean(0)
        inside = self.within(x, y, 0)
        whole = (x >= looks.radius) & (x <= self.width - 1 - looks.radius)
        whole &= (y >= looks.radius) & (y <= self.height - 1 - looks.radius)
        return self.rows(index, np.flatnonzero(inside), x[inside], y[inside], whole[inside])


def _shape(kind: int, u: Floats, v: Floats, size: float, blur: float, rng: np.random.Generator) -> Floats:
    """Cover of a shape of about `size` px, in its own coordinates: none has a point where four sectors meet."""
    long, thin = size * rng.uniform(0.4, 1.6), size * rng.uniform(0.1, 0.9)
    if kind == 0:  # a patch or a bar
        return step(np.abs(u) - long, blur) * step(np.abs(v) - thin, blur)
    if kind == 1:  # a disc
        return step(np.hypot(u, v) - size * 0.7, blur)
    if kind == 2:  # a ring
        return step(np.abs(np.hypot(u, v) - size) - 0.25 * thin - 0.6, blur)
    if kind == 3:  # stripes
        pitch = max(thin, 3.5)
        wave = 0.5 + 0.5 * np.tanh(2 * np.cos(2 * np.pi * u / pitch) * pitch / (4 * blur))
        return step(np.abs(u) - long, blur) * step(np.abs(v) - size, blur) * wave
    if kind == 4:  # dots on a grid that is shifted from row to row
        pitch = max(thin, 4.0)
        row = np.rint(v / pitch)
        du, dv = (u / pitch + 0.5 * (row % 2)) % 1 - 0.5, v / pitch - row
        return step((np.hypot(du, dv) - 0.28) * pitch, blur) * step(np.hypot(u, v) - size, blur)
    wedge = np.maximum(np.abs(v) - 0.5 * (u + size), u - size)  # a triangle
    return step(wedge * 0.9, blur)
