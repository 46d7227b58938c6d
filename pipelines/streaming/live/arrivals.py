"""What a camera's numbers and clocks say: frames that are missing, frames that came twice, seconds from the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.frame import UNKNOWN
from pipelines.streaming.live.numbering import Kind, Numbers

SLOW = 1.5
"""Steps of the camera's clock of more than so many frames are named."""
_Named = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Look:
    """What one run of frames says.

    Args:
        fresh: which frames have a number higher than all before (bool), or None where all have.
        again: (frame in the run of fresh ones that comes next, number) of numbers that had come before.
        late: likewise, of numbers that had not come, though higher ones had.
        gaps: (frame in the run of fresh ones, first missing number, last missing number).
        times: seconds of the fresh frames.
        slow: (frame in the run of fresh ones, seconds) of steps of the clock that are too long.
    """

    fresh: npt.NDArray[np.bool_] | None
    again: _Named
    late: _Named
    gaps: tuple[tuple[int, int, int], ...]
    times: npt.NDArray[np.float64]
    slow: tuple[tuple[int, float], ...]


class Arrivals:
    """Looks at the arrivals of one camera in order.

    Times are the camera's clock from the first frame on, where it has one, else the host's. After a reconnection the
    numbers may begin again, and so may the clock, which then goes on by the host's.

    Args:
        fps: frames a second that the camera announces; 0 or NaN if unknown.
    """

    def __init__(self, fps: float) -> None:
        self._period = 1e9 / fps if fps > 0 else 0.0
        self._numbers = Numbers()
        self._clock = ""
        self._origin = self._last_clock = self._last_host = 0
        self._new_connection = False

    def begin_anew(self) -> None:
        """The next frame is the first: its time is 0, and nothing was missing before it."""
        self._numbers, self._clock, self._new_connection = Numbers(), "", False

    def reconnected(self) -> None:
        """What comes next is of a new connection."""
        self._new_connection = True

    def look(self, arrivals: npt.NDArray[Any]) -> Look:
        """At the next frames, at least one."""
        fresh, again, late, gaps = self._numbers_of(arrivals["camera_id"])
        kept = arrivals if fresh is None else arrivals[fresh]
        times, slow = (self._times(kept)) if len(kept) else (np.zeros(0), ())
        return Look(fresh, again, late, gaps, times, slow)

    def _numbers_of(
        self, ids: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.bool_] | None, _Named, _Named, tuple[tuple[int, int, int], ...]]:
        if self._new_connection:
            self._numbers.begin_anew(int(ids[0]))
        remarks = self._numbers.look(ids)
        if not remarks:
            return None, (), (), ()
        fresh = np.ones(len(ids), np.bool_)
        # Repeated and late frames are not counted on: they get no number of their own.
        fresh[[remark.at for remark in remarks if remark.kind is not Kind.GAP]] = False
        place: npt.NDArray[np.int64] = np.cumsum(fresh) - fresh  # in the run of fresh ones
        again, late = (
            tuple((int(place[r.at]), r.first) for r in remarks if r.kind is kind) for kind in (Kind.AGAIN, Kind.LATE)
        )
        gaps = tuple((int(place[r.at]), r.first, r.last) for r in remarks if r.kind is Kind.GAP)
        return None if fresh.all() else fresh, again, late, gaps

    def _times(self, arrivals: npt.NDArray[Any]) -> tuple[npt.NDArray[np.float64], tuple[tuple[int, float], ...]]:
        host = arrivals["host_time"]
        # The first frame chooses the clock, for as long as the episode lasts.
        if not self._clock:
            self._clock = "camera_time" if arrivals["camera_time"][0] != UNKNOWN else "host_time"
            self._origin = self._last_clock = int(arrivals[self._clock][0])
            self._last_host = int(host[0])
            self._new_connection = False
        clock = arrivals[self._clock]
        if self._clock == "camera_time" and (clock == UNKNOWN).any():  # it lost its clock: the host's goes on
            clock = host - self._last_host + self._last_clock
        if self._new_connection:
            self._new_connection = False
            # The camera's clock began again: it is shifted so that it goes on by the time that passed on the host.
            if int(clock[0]) <= self._last_clock:
                shift = self._last_clock + max(int(host[0]) - self._last_host, 1) - int(clock[0])
                self._origin -= shift
                self._last_clock -= shift
        slow: tuple[tuple[int, float], ...] = ()
        if self._period and self._clock == "camera_time":
            most = SLOW * self._period
            steps = clock[1:] - clock[:-1]
            first = int(clock[0]) - self._last_clock
            if first > most or (len(steps) and int(steps.max()) > most):
                every = [first, *steps.tolist()]
                slow = tuple((i, float(step) / 1e9) for i, step in enumerate(every) if step > most)
        self._last_clock, self._last_host = int(clock[-1]), int(host[-1])
        return (clock - self._origin) / 1e9, slow
