"""What a recorder of a live run offers to the run."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from pipelines.features import Tracks
from pipelines.frame import Pixels

DUPLICATE, LATE, UNPROCESSED, LOST, BACK = "duplicate", "late", "unprocessed", "camera lost", "reconnected"
PARAMETER, STRUCTURE, TIME_GAP, NOTE, BEGAN = "parameter", "structure", "time gap", "note", "began"


class FrameTap(Protocol):
    """What is given every announced frame before the engine sees it.

    `frame` (or `frames`, see `RunTap`) is called by the capture thread, in order, each announced frame once; `event`
    and `tracks` by several threads. The tap itself names jumps of the camera's numbers from the ids that it is given;
    frames with a number that had come before, or that comes after a higher one, are not given to it, but named by an
    event.

    Events: "duplicate" {camera_id}, "late" {camera_id}, "unprocessed" {first, last, reason}, "camera lost" {reason},
    "reconnected" {}, "time gap" {seconds} (of cameras without numbers), "parameter" {node, param, value}, "structure"
    {pipeline: the definition as text, as `pipelines.writing.dumps` writes it}, "note" {text: a sentence}, "began"
    {asked: ns since 1970 at which it was asked for what begins with this frame, came_before: frames that came between}.
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
        """The trackers' rows of one batch, with their measures where the run has them (`LiveOptions.measured`)."""
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
