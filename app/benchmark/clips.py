"""The frames that the chains are fed."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

_TINT = (1.0, 0.9, 0.8, 1.0)


@lru_cache(maxsize=2)
def frames(channels: int, count: int, height: int, width: int, seed: int = 1) -> npt.NDArray[Any]:
    """Frames (count, height, width[, channels]), u8: moving discs over a textured ground, with noise.

    They are kept, and not to be written to.
    """
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    ground = 70 + 25 * np.sin(x / 9) * np.cos(y / 7) + 40 * ((x // 32 + y // 32) % 2)
    clip = np.empty((count, height, width), np.uint8)
    for t in range(count):
        frame = ground + 2 * rng.standard_normal(ground.shape, np.float32)
        for k in range(12):
            _disc(frame, ((k * 0.618 % 1) * width + 1.7 * t) % width, ((k * 0.382 % 1) * height + 0.9 * t) % height,
                  5 + k % 4)  # fmt: skip
        clip[t] = np.clip(frame, 0, 255)
    if channels > 1:
        tint = np.array([_TINT[c % 4] for c in range(channels)], np.float32)
        clip = np.stack([(clip * factor).astype(np.uint8) for factor in tint], axis=-1)
    return clip


def _disc(frame: npt.NDArray[Any], x: float, y: float, radius: float) -> None:
    top, left = max(0, int(y - radius)), max(0, int(x - radius))
    part = frame[top : int(y + radius) + 2, left : int(x + radius) + 2]
    rows, columns = np.ogrid[top : top + part.shape[0], left : left + part.shape[1]]
    part[np.hypot(columns - x, rows - y) < radius] = 220
