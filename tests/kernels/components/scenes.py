"""Pictures of dark discs on ground: what the tests of regions look at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import ndimage

FINE = 8  # samples of a pixel in each direction


def texture(rng, size, correlation):
    """A field of mean 0 and variance 1 whose correlation is exp(-(d / correlation)^2 / 4)."""
    field = ndimage.gaussian_filter(rng.standard_normal(size), correlation, mode="wrap", truncate=5.0)
    return (field - field.mean()) / field.std()


@dataclass(frozen=True)
class Pupil:
    """A dark elliptic disc with a reflection, before textured ground, in a lens and with noise.

    Args:
        radius: px, geometric mean of both.
        glint: "", "inside" or "rim".
        texture: gray values of the ground's own pattern, that of each frame its own.
        slope: of the ground's light, gray values/px.
        blur: px, of the lens.
        noise: gray values.
    """

    radius: float = 22.0
    glint: str = ""
    texture: float = 0.0
    slope: float = 0.0
    blur: float = 0.0
    noise: float = 2.0
    eccentricity: float = 1.15
    correlation: float = 2.0
    size: tuple[int, int] = (96, 100)

    def frame(self, rng, at=None):
        """(height, width) u8 and the centre x, y, which is near the middle where it is not given."""
        height, width = self.size
        x, y = (width / 2 + rng.uniform(-3, 3), height / 2 + rng.uniform(-3, 3)) if at is None else at
        turn, side = rng.uniform(0, np.pi), rng.uniform(0, 2 * np.pi)
        down = (np.arange(height * FINE)[:, None] + 0.5) / FINE - 0.5
        across = (np.arange(width * FINE)[None] + 0.5) / FINE - 0.5
        u = (across - x) * np.cos(turn) + (down - y) * np.sin(turn)
        v = (down - y) * np.cos(turn) - (across - x) * np.sin(turn)
        cover = self._seen(u**2 / self.eccentricity + v**2 * self.eccentricity <= self.radius**2)
        ground = np.full(self.size, 110.0) + self.slope * (np.arange(width) - width / 2)
        if self.texture:
            ground += self.texture * texture(rng, self.size, self.correlation)
        light = ground * (1 - cover) + 28 * cover
        if self.glint:
            far = self.radius * (1.0 if self.glint == "rim" else 0.5)
            at = x + far * np.cos(side), y + far * np.sin(side)
            bright = self._seen((across - at[0]) ** 2 + (down - at[1]) ** 2 <= (0.2 * self.radius) ** 2)
            light = light * (1 - bright) + 255 * bright
        light += rng.normal(0, self.noise, self.size)
        return np.clip(np.rint(light), 0, 255).astype(np.uint8), (x, y)

    def _seen(self, fine):
        cover = fine.reshape(self.size[0], FINE, self.size[1], FINE).mean(axis=(1, 3))
        return ndimage.gaussian_filter(cover, self.blur) if self.blur else cover
