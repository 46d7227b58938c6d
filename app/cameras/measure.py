"""What a camera delivers, counted for some seconds."""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import CameraLost, EndOfStream
from pipelines.frame import ARRIVAL, UNKNOWN, Camera

TAKE = 32
"""Frames taken at once."""
PATIENCE = 0.1


@dataclass(frozen=True, slots=True)
class Delivered:
    """What came.

    Args:
        frames: how many, repetitions included.
        seconds: how long was looked.
        fps: frames a second by the camera's clock (NaN if it has none), lost ones not counted.
        host_fps: by the host's clock.
        interval_ms: least, median and greatest time between neighbours (numbers that follow each other), by the
            camera's clock where it has one, else by the host's; NaN if there were none.
        jitter_ms: standard deviation of these.
        gaps: (first, last) missing numbers.
        missing: how many these are.
        duplicates: numbers that came again.
        late: numbers that came after a higher one, and not before.
        damaged: pictures that came incomplete; their numbers are among the missing.
        ended: whether the stream came to its end.
        lost: why the camera was lost, "" if it was not.
        processor: share of a core that taking the frames took.
    """

    frames: int
    seconds: float
    fps: float
    host_fps: float
    interval_ms: tuple[float, float, float]
    jitter_ms: float
    gaps: tuple[tuple[int, int], ...]
    missing: int
    duplicates: tuple[int, ...]
    late: tuple[int, ...]
    damaged: int
    ended: bool
    lost: str
    processor: float

    def facts(self) -> dict[str, Any]:
        """JSON-able; what is unknown is None."""
        return {name: _known(value) for name, value in asdict(self).items()}


def _known(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return [_known(v) for v in value] if isinstance(value, tuple) else value


def measure(camera: Camera, seconds: float) -> Delivered:
    """Start a camera, take what comes for so many seconds, and stop it.

    Raises:
        CameraLost: it cannot be started.
    """
    camera.start()
    image = camera.info.image
    pixels, arrivals = np.zeros((TAKE, *image.shape), image.dtype.numpy), np.zeros(TAKE, ARRIVAL)
    parts: list[npt.NDArray[Any]] = []
    ended, lost = False, ""
    begin, processor = time.monotonic(), time.thread_time()
    while (left := begin + seconds - time.monotonic()) > 0:
        try:
            count = camera.take(pixels, arrivals, min(left, PATIENCE))
        except EndOfStream:
            ended = True
            break
        except CameraLost as error:
            lost = str(error)
            break
        if count:
            parts.append(arrivals[:count].copy())
    took, processor = time.monotonic() - begin, time.thread_time() - processor
    camera.stop()
    rows = np.concatenate(parts) if parts else np.zeros(0, ARRIVAL)
    damaged = int(getattr(camera, "damaged", 0))
    return account(rows, took, ended=ended, lost=lost, processor=processor / took if took else 0.0, damaged=damaged)


def account(
    rows: npt.NDArray[Any], seconds: float, *, ended: bool, lost: str, processor: float, damaged: int = 0
) -> Delivered:
    """What the arrivals (n,) say."""
    ids = rows["camera_id"]
    numbered = ids[ids != UNKNOWN]
    seen, firsts, counts = np.unique(numbered, return_index=True, return_counts=True)
    firsts.sort()
    # First arrivals of numbers that are below the highest one before them.
    late = numbered[firsts][numbered[firsts] < np.maximum.accumulate(numbered)[firsts]]
    gaps = tuple((a + 1, b - 1) for a, b in pairwise(seen.tolist()) if b > a + 1)
    stamped = len(rows) > 0 and bool(np.all(rows["camera_time"] != UNKNOWN))
    clock = rows["camera_time"] if stamped else rows["host_time"]
    # Only neighbours by number tell the interval, where all frames have numbers.
    steps = np.diff(clock)[np.diff(ids) == 1] / 1e6 if len(numbered) == len(rows) else np.diff(clock) / 1e6
    spread = (float(steps.min()), float(np.median(steps)), float(steps.max())) if len(steps) else (math.nan,) * 3
    return Delivered(
        len(rows), seconds, _rate(rows["camera_time"]) if stamped else math.nan, _rate(rows["host_time"]),
        (spread[0], spread[1], spread[2]), float(steps.std()) if len(steps) else math.nan, gaps,
        sum(b - a + 1 for a, b in gaps), tuple(seen[counts > 1].tolist()), tuple(late.tolist()),
        damaged, ended, lost, processor,
    )  # fmt: skip


def _rate(stamps: npt.NDArray[np.int64]) -> float:
    span = float(stamps[-1] - stamps[0]) if len(stamps) > 1 else 0.0
    return (len(stamps) - 1) * 1e9 / span if span > 0 else math.nan
