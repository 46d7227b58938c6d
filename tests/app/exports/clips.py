"""Clips for exports: any pixels, spelled as cameras spell them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernels.errors import BadFrame
from kernels.ir.image import ImageType, dtype_of
from pipelines.frame import PixelFormat, Pixels, SourceInfo, TimeBase


class Clip:
    """Frames in memory as a source.

    Args:
        frames: as they are delivered.
        form: how they spell the picture.
        width: of the picture, where the delivered rows are of another length.
        fps: NaN for an unknown rate.
        stamps: seconds of each frame.
        bad: frames that cannot be read.
        stop: the frame at which somebody presses Ctrl-C.
    """

    def __init__(
        self, frames: Pixels, form: PixelFormat | None = None, width: int = 0, fps: float = 1000.0, *,
        stamps: Sequence[float] | None = None, bad: tuple[int, ...] = (), stop: int = -1, name: str = "made.cine",
        metadata: dict[str, Any] | None = None,
    ) -> None:  # fmt: skip
        self._frames, self._bad, self._stop = frames, bad, stop
        channels = frames.shape[3] if frames.ndim == 4 else 1
        image = ImageType(dtype_of(frames.dtype), frames.shape[1], frames.shape[2], channels)
        form = form or PixelFormat({1: "mono", 3: "rgb", 4: "rgba"}[channels], image.dtype.bits)
        times = None if stamps is None else np.asarray(stamps, np.float64)
        self.info = SourceInfo(
            name, "cine", width or frames.shape[2], frames.shape[1], len(frames), image, form,
            TimeBase(fps, "stamps" if stamps is not None else "header", "made", times), first_number=-5,
            metadata=metadata or {},
        )  # fmt: skip

    def read(self, index: int, out: Pixels | None = None) -> Pixels:
        if index in self._bad:
            raise BadFrame(index, "it is broken")
        if index == self._stop:
            raise KeyboardInterrupt
        return self._frames[index]

    def close(self) -> None:
        pass


def noise(count: int, height: int, width: int, bits: int, channels: int = 1, seed: int = 0) -> Pixels:
    """Every value of `bits` bits, the extremes included."""
    shape = (count, height, width) if channels == 1 else (count, height, width, channels)
    made = np.random.default_rng(seed).integers(0, 1 << bits, shape).astype(np.uint8 if bits <= 8 else np.uint16)
    made.reshape(-1)[:2] = 0, (1 << bits) - 1
    return made


def packed(values: Pixels, bits: int) -> Pixels:
    """Rows of values as rows of bytes, most significant bits first, bit by bit."""
    spread = (values[..., None] >> np.arange(bits - 1, -1, -1)) & 1
    return np.packbits(spread.reshape(*values.shape[:-1], -1).astype(np.uint8), axis=-1)
