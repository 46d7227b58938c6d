"""What every camera shares: numbers that rise over its whole life, checks of the caller's arrays, sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import CameraLost, EndOfStream
from pipelines.frame import ARRIVAL, UNKNOWN, Pixels, SourceInfo

FAR = 0x8000
"""Frames; half of what a counter of 16 bits counts."""


class Numbering:
    """Makes a camera's numbers and clock go on where a connection begins them anew.

    Within one connection the camera's own steps are kept: a gap stays a gap, a repetition a repetition. A number FAR
    behind the last one is neither: the counter began anew, and what follows must not be taken for repetitions.

    >>> numbering = Numbering()
    >>> [numbering.number(raw) for raw in (0, 1, 4)]
    [0, 1, 4]
    >>> numbering.begin()
    >>> [numbering.number(raw) for raw in (0, 1)]
    [5, 6]
    """

    def __init__(self) -> None:
        self._offset = self._clock_offset = 0
        self._greatest = self._last = self._stamp = UNKNOWN
        self._host = 0
        self._fresh = self._fresh_clock = False

    def begin(self) -> None:
        """The camera was connected (again)."""
        self._fresh = self._fresh_clock = True

    def number(self, raw: int, *, wrap16: bool = False) -> int:
        """The number of a frame that the camera gave the number `raw`.

        Args:
            raw: as delivered; UNKNOWN stays so.
            wrap16: the camera counts 1 .. 65535 and then from 1 again (GigE Vision 1).
        """
        if raw == UNKNOWN:
            return raw
        if self._fresh:
            self._fresh = False
            if self._greatest != UNKNOWN and raw + self._offset <= self._greatest:
                self._offset = self._greatest + 1 - raw
        elif self._last != UNKNOWN and raw + self._offset < self._last - FAR:
            self._offset = self._offset + 0xFFFF if wrap16 else self._greatest + 1 - raw
        self._last = raw + self._offset
        self._greatest = self._last if self._greatest == UNKNOWN else max(self._greatest, self._last)
        return self._last

    def clock(self, raw: int, host: int) -> int:
        """The time stamp `raw` of a frame that came at `host`, ns; a clock that was reset goes on by the host's."""
        if raw == UNKNOWN:
            return raw
        if self._fresh_clock:
            self._fresh_clock = False
            if self._stamp != UNKNOWN and raw + self._clock_offset <= self._stamp:
                self._clock_offset = self._stamp + max(1, host - self._host) - raw
        self._stamp, self._host = raw + self._clock_offset, host
        return self._stamp


def check_room(info: SourceInfo, pixels: Pixels, arrivals: npt.NDArray[Any]) -> None:
    """Refuse arrays that `take` cannot fill.

    Raises:
        ValueError: shape, type or layout are not those of `Camera.take`.
    """
    kind = info.image.dtype.numpy
    if len(pixels) < 1 or pixels.shape[1:] != info.image.shape or pixels.dtype != kind:
        raise ValueError(
            f"frames of {info.name} are {kind} {info.image.shape}, `pixels` is {pixels.dtype} {pixels.shape}"
        )
    if not pixels.flags.c_contiguous or not pixels.flags.writeable:
        raise ValueError("`pixels` must be C-contiguous and writable")
    if arrivals.dtype != ARRIVAL or len(arrivals) < len(pixels):
        raise ValueError(f"`arrivals` must hold {len(pixels)} of ARRIVAL")


def closed(name: str) -> CameraLost:
    """What `take` and `start` raise after `close`."""
    return CameraLost(f"{name} was closed")


def ended(name: str) -> EndOfStream:
    """What `take` raises when all was taken."""
    return EndOfStream(f"{name} has delivered all that it was to deliver")


def changed(name: str, before: str, now: str) -> CameraLost:
    """What `take` raises when the pictures' size or type changed."""
    return CameraLost(f"{name} delivers pictures of {now} now, not of {before} any more; it has to be started again")


def empty_arrivals(count: int) -> npt.NDArray[Any]:
    """(count,) of ARRIVAL in which nothing is known."""
    made = np.zeros(count, ARRIVAL)
    made["camera_id"] = made["camera_time"] = UNKNOWN
    return made
