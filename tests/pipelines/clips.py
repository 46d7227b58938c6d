"""A clip in memory, for tests of what runs clips."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import BadFrame
from kernels.ir.image import ImageType, dtype_of
from pipelines.frame import PixelFormat, SourceInfo, TimeBase


class MemoryClip:
    """Frames (T, H, W[, C]); those in `bad` cannot be read."""

    def __init__(self, frames: npt.NDArray[Any], *, fps: float = 1000.0, bad: tuple[int, ...] = (),
                 form: PixelFormat | None = None) -> None:  # fmt: skip
        self.frames, self.bad = frames, bad
        shape = frames.shape[1:]
        image = ImageType(dtype_of(frames.dtype), shape[0], shape[1], shape[2] if len(shape) > 2 else 1)
        color = "mono" if image.channels == 1 else "rgb"
        self.info = SourceInfo("memory", "npy", shape[1], shape[0], len(frames), image,
                               form or PixelFormat(color, image.dtype.bits), TimeBase(fps, "user", "test"))  # fmt: skip

    def read(self, index: int, out: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        if index in self.bad:
            raise BadFrame(index, "scratched")
        if out is None:
            return self.frames[index]
        out[...] = self.frames[index]
        return out

    def close(self) -> None:
        pass


def moving_spots(frames: int = 40, size: int = 64, seed: int = 1) -> npt.NDArray[np.uint8]:
    """Three bright spots on straight ways over a dim, noisy ground."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:size, :size]
    clip = np.zeros((frames, size, size))
    for k, (x0, y0, vx, vy) in enumerate(((12, 12, 0.5, 0.1), (50, 20, -0.3, 0.4), (10, 56, 0.2, -0.1))):
        for t in range(frames):
            clip[t] += (150 + 20 * k) * np.exp(-((x - x0 - vx * t) ** 2 + (y - y0 - vy * t) ** 2) / (2 * 1.5**2))
    return np.clip(clip + 20 + rng.normal(0, 2, clip.shape), 0, 255).round().astype(np.uint8)
