"""The frames of a clip or a camera on which parameters are found."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import BadFrame
from pipelines.frame import FrameSource, SourceInfo

Array = npt.NDArray[Any]

BURSTS = 4
"""Places of the clip that are looked at: its beginning, its end and evenly between, so that what comes later counts."""
LENGTH = 4
"""Consecutive frames at each: enough that stages with a memory have forgotten that it is empty."""
LOOKED = 2
"""The last ones of a burst, which are looked at behind such stages."""
BYTES = 64 << 20
"""Of frames that are kept, at most, or one frame: of large ones fewer are looked at."""


@dataclass(frozen=True)
class Sample:
    """Frames of a source.

    Args:
        info: the source.
        bursts: consecutive frames each, (n, *shape), n >= 1.
        frames: their numbers.
    """

    info: SourceInfo
    bursts: tuple[Array, ...]
    frames: tuple[tuple[int, ...], ...]

    @cached_property
    def still(self) -> Array | None:
        """The median of all frames, as they are delivered; None of samples that are packed."""
        if self.info.format.packing != "none" or self.count < 3:
            return None
        middle: Array = np.median(np.concatenate(self.bursts), axis=0).astype(self.bursts[0].dtype)
        return middle

    @property
    def pixels(self) -> Array | None:
        """All frames, burst behind burst; None where there are none."""
        return np.concatenate(self.bursts) if self.bursts else None

    @property
    def count(self) -> int:
        """All frames together."""
        return sum(map(len, self.bursts))


def places(count: int, nbytes: int = 1) -> list[range]:
    """Which frames of so many are looked at, of so many bytes each.

    >>> places(100), places(3)
    ([range(0, 4), range(32, 36), range(64, 68), range(96, 100)], [range(0, 3)])
    >>> places(100, BYTES // 2), places(100, BYTES)
    ([range(0, 1), range(99, 100)], [range(0, 1)])
    """
    most = max(1, min(BURSTS * LENGTH, BYTES // nbytes))
    bursts = min(BURSTS, most)
    length = min(most // bursts, count)
    starts = dict.fromkeys(np.linspace(0, count - length, bursts).astype(int).tolist())
    return [range(start, start + length) for start in starts]


def sample_of(source: FrameSource) -> Sample:
    """Frames from all over a clip; it does not matter which part of it will run, so all parts get the same numbers.

    Frames that cannot be read are left out.
    """
    info = source.info
    pieces, numbers = [], []
    for burst in places(info.frames, info.image.nbytes):
        pixels, read = [], []
        for frame in burst:
            with contextlib.suppress(BadFrame):
                pixels.append(np.array(source.read(frame)))
                read.append(frame)
        if pixels:
            pieces.append(np.stack(pixels))
            numbers.append(tuple(read))
    return Sample(info, tuple(pieces), tuple(numbers))


def sample_from(info: SourceInfo, pixels: Sequence[Array] | Array) -> Sample:
    """The same from consecutive frames of a camera, (n, *shape)."""
    bursts = places(len(pixels), info.image.nbytes) if len(pixels) else []
    return Sample(info, tuple(np.array(pixels[b.start : b.stop]) for b in bursts), tuple(map(tuple, bursts)))
