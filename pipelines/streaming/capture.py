"""Takes frames from a camera into a ring, numbers them, names what is missing, and connects again what is lost."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from kernels.ir.image import ImageType
from pipelines.features import Tracks
from pipelines.frame import FrameBatch, Pixels


class FrameTap(Protocol):
    """What is given every announced frame before the engine sees it: a recorder.

    `frame` (or `frames`) is called by the capture thread, in order, each announced frame once; `event` and `tracks` by
    several threads. The tap itself names jumps of the camera's numbers from the ids that it is given; frames with a
    number that had come before are not given to it, but named by an event.

    Events: "duplicate" {camera_id}, "unprocessed" {first, last, reason}, "camera lost" {reason}, "reconnected" {},
    "parameter" {node, param, value}, "structure" {pipeline: the definition as text}, "time gap" {seconds}.
    """

    def frame(self, pixels: Pixels, camera_id: int, camera_time: int, host_time: int, time_s: float) -> bool:
        """One frame; False if it is not kept (the tap counts that itself).

        Args:
            pixels: the ring's memory, valid until this returns.
            camera_id, camera_time, host_time: as in `ARRIVAL`.
            time_s: seconds as the trackers are given them.
        """
        ...

    def event(self, kind: str, frame: int | None, **facts: Any) -> None:
        """Something happened; `frame` is the sequence number that it belongs to, None for the next one."""
        ...

    def tracks(self, rows: Tracks) -> None:
        """The trackers' rows of one batch."""
        ...


@runtime_checkable
class RunTap(Protocol):
    """A tap that takes runs of frames at once; where a `FrameTap` has `frames`, `frame` is never called."""

    def frames(self, pixels: Pixels, arrivals: npt.NDArray[Any], times: npt.NDArray[np.float64]) -> int:
        """Consecutive frames; returns how many are kept.

        Args:
            pixels: (n, *shape), the ring's memory, valid until this returns.
            arrivals: (n,) of ARRIVAL, likewise.
            times: (n,) seconds as the trackers are given them, likewise.
        """
        ...


class Ring:
    """A bounded ring of frames between the capture thread and the engine; batches are views of it, never copies.

    Args:
        slots: frames that fit.
        image: type of a frame.
    """

    def __init__(self, slots: int, image: ImageType) -> None:
        raise NotImplementedError

    def free(self) -> tuple[int, int]:
        """First slot and number of the slots that can be written at once, up to the end of the memory."""
        raise NotImplementedError

    def publish(self, count: int) -> None:
        """The `count` slots after the last that were published are full."""
        raise NotImplementedError

    def batch(self, wanted: int, patience: float) -> FrameBatch | None:
        """Up to `wanted` of the oldest frames that were not given out: all of them, or those that are there
        `patience` seconds after the oldest was captured. None once the ring is closed and empty."""
        raise NotImplementedError

    def release(self, count: int) -> None:
        """The `count` oldest frames that were given out are no longer needed."""
        raise NotImplementedError

    def close(self) -> None:
        """Nothing more comes."""
        raise NotImplementedError
