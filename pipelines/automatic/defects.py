"""Broken pixels of a sensor: single ones that are far off all around them in every frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.automatic.noise import spread

Array = npt.NDArray[Any]

FAR = 10.0
"""Standard deviations of how pixels differ from those around them in general, texture and noise together."""
ALONE = 0.1
"""Share of its excess by which the 24 pixels around it differ at most: of a point that a lens has drawn, with a
standard deviation of .5 px or more, the four beside it have .17."""
ALWAYS = 0.5
"""Share of its mean excess that it has in each frame at least."""
FRAMES = 8
"""Frames that it takes to say always."""


def broken(frames: Sequence[Array], most: int) -> tuple[tuple[float, float], ...]:
    """x, y of pixels that are single and far off in every one of the frames, px; none where they are more than `most`,
    which are texture, or few frames.

    Args:
        frames: (height, width) or (height, width, channels), from all over the clip.
    """
    if len(frames) < FRAMES or min(frames[0].shape[:2]) < 5:
        return ()
    planes = np.empty((len(frames), *frames[0].shape[:2]))
    for plane, frame in zip(planes, frames, strict=True):
        plane[:] = frame if frame.ndim == 2 else frame.astype(np.float64).mean(axis=2)
    mean = planes.mean(axis=0)
    excess = mean - _beside(mean)
    _, sigma = spread(excess)
    steps = np.diff(np.unique(frames[0] if frames[0].ndim == 2 else planes[0]).astype(np.float64))
    sigma = max(sigma, float(steps.min()) / np.sqrt(12.0) if len(steps) else 0.0)
    found = []
    for y, x in _even_around(mean, np.argwhere(np.abs(excess) > FAR * sigma)).tolist():
        near = np.s_[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3]
        others = np.arange(mean[near].size) != min(y, 2) * mean[near].shape[1] + min(x, 2)
        around = mean[near].ravel()[others]
        ground = float(np.median(around))
        own = mean[y, x] - ground
        each = planes[:, y, x] - np.median(planes[:, *near].reshape(len(planes), -1)[:, others], axis=1)
        if np.ptp(around) <= ALONE * abs(own) and bool(np.all(each / own >= ALWAYS)):
            found.append((float(x), float(y)))
    return tuple(found) if len(found) <= most else ()


def _even_around(mean: Array, places: Array) -> Array:
    """Those of the (n, 2) places y, x around which pixels differ by so little that they may be `ALONE`, whatever their
    median: the most of texture is left out before that is sought. All within 2 px of the border stay."""
    y, x = places.T
    height, width = mean.shape
    inner = (y >= 2) & (x >= 2) & (y < height - 2) & (x < width - 2)
    windows = np.lib.stride_tricks.sliding_window_view(mean, (5, 5))
    around = np.delete(windows[y[inner] - 2, x[inner] - 2].reshape(-1, 25), 12, axis=1)
    low, high, own = around.min(axis=1), around.max(axis=1), mean[y[inner], x[inner]]
    kept = ~inner
    kept[inner] = high - low <= ALONE * np.maximum(np.abs(own - low), np.abs(own - high))
    left: Array = places[kept]
    return left


def _beside(picture: Array) -> Array:
    """The middle of each pixel's four neighbours: mean of the two that are neither the largest nor the smallest."""
    wide = np.pad(picture, 1, mode="reflect")
    left, right, above, below = wide[1:-1, :-2], wide[1:-1, 2:], wide[:-2, 1:-1], wide[2:, 1:-1]
    whole = left + right
    whole += above
    whole += below
    for outer in (np.maximum, np.minimum):
        one = outer(left, right)
        whole -= outer(one, outer(above, below), out=one)
    whole /= 2
    return np.asarray(whole)
