"""A clip in memory of spots on known paths."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FPS = 1000.0


def spots(frames: int = 24, dtype: str = "u1", seed: int = 5) -> npt.NDArray[np.float64 | np.uint8]:
    """(frames, 64, 80): three spots that go straight, with noise."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:64, :80].astype(float)
    clip = np.zeros((frames, 64, 80))
    for k in range(frames):
        clip[k] = 20 + rng.normal(0, 1, (64, 80))
        for x0, y0, vx, vy in ((12, 14, 1.1, 0.4), (60, 20, -0.7, 0.9), (30, 50, 0.6, -0.8)):
            clip[k] += 120 * np.exp(-((x - x0 - vx * k) ** 2 + (y - y0 - vy * k) ** 2) / (2 * 1.6**2))
    return np.clip(np.rint(clip), 0, 255).astype(dtype)
