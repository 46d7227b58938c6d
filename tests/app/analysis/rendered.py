"""Small clips of things whose motion is known: a bright disc on a dark ground, exposed, with shot and read noise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
EXPOSURE = 0.3
"""Share of the interval between frames, centred on a frame's time."""


def rendered(
    where: Callable[[Array], Array], frames: int, fps: float, size: tuple[int, int], radius: float = 4.0, seed: int = 1
) -> Array:  # fmt: skip
    """(frames, height, width) u8 of a `size` of (width, height) px; `where` gives x and y (2, n) px of times (n,) s."""
    width, height = size
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    light = np.zeros((frames, height, width), np.float32)
    moments = (np.arange(4) + 0.5) / 4 - 0.5
    for moment in moments:
        px, py = where((np.arange(frames) + moment * EXPOSURE) / fps).astype(np.float32)[:, :, None, None]
        light += np.clip(radius + 0.5 - np.hypot(x - px, y - py), 0.0, 1.0)
    electrons = 400.0 + 8000.0 * light / len(moments)
    electrons += rng.normal(0.0, 1.0, electrons.shape).astype(np.float32) * np.sqrt(electrons + 100.0)
    made: Array = np.clip(np.rint(electrons / 40.0), 0, 255).astype(np.uint8)
    return made
