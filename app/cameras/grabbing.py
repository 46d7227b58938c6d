"""What cameras have in common whose library fills buffers behind our back: pylon's and GenTL's.

`take` copies from the library's buffers straight into the caller's array; there is no thread of ours.
"""

from __future__ import annotations

import importlib
import signal
import threading
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from app.cameras.base import Numbering, changed, check_room, closed, empty_arrivals, ended
from app.cameras.controls import adjusted
from app.cameras.nodes import Nodes
from app.cameras.query import Address, typed
from kernels.errors import CameraLost, FusetrackError, SourceError
from kernels.param import Param
from pipelines.frame import Pixels, SourceInfo

SLICE = 0.1
"""Longest wait inside the library, seconds, so that `close` is noticed."""
BUFFER_SECONDS = 0.25
BUFFER_BYTES = 256 << 20


@dataclass(slots=True)
class Grabbed:
    """A buffer that the library filled.

    Args:
        number: the camera's number; UNKNOWN if it has none.
        stamp: the camera's clock, ns; UNKNOWN likewise.
        kind: size and format, to notice a change.
        data: the bytes or samples, any shape, rows without padding; None if the picture is damaged.
    """

    number: int
    stamp: int
    kind: tuple[int, int, str]
    data: npt.NDArray[Any] | None


OWN = (
    Param("fps", "float", 0.0, "frames a second to ask for; 0 for what the camera is set to", "1/s", 0, 1e7),
    Param("buffers", "int", 0, "buffers for the library to fill; 0 for a quarter of a second of frames", "", 0, 10_000),
)


def own_and_nodes(address: Address, fps: float | None) -> tuple[float | None, int, Mapping[str, str]]:
    """(rate to ask for or None, buffers, nodes to set) of an address.

    Raises:
        SourceError: one of our own parameters has a value that it refuses.
    """
    names = {param.name for param in OWN}
    mine = {n: v for n, v in address.query.items() if n in names}
    values = typed(OWN, Address(address.text, address.kind, address.place, mine))
    rate = fps if fps is not None else values.number("fps") or None
    return rate, values.count("buffers"), {n: v for n, v in address.query.items() if n not in names}


def quiet_import(name: str) -> Any:
    """Import a SWIG module: it warns of itself, and pypylon crashes where warnings are errors.

    Raises:
        ImportError: it is not installed.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return importlib.import_module(name)


@contextmanager
def ctrl_c_kept() -> Iterator[None]:
    """What Ctrl-C does is as before once the block is left: harvesters takes the signal for itself."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if before is not None and signal.getsignal(signal.SIGINT) is not before and (
            threading.current_thread() is threading.main_thread()
        ):
            signal.signal(signal.SIGINT, before)


class GoneError(Exception):
    """The device went away or stopped; becomes a CameraLost that names it."""


def buffers_for(rate: float, frame_bytes: int) -> int:
    """Buffers that a library is given unless something else is asked for.

    >>> buffers_for(1000.0, 1 << 18), buffers_for(30.0, 1 << 20), buffers_for(1000.0, 1 << 26)
    (250, 16, 4)
    """
    wanted = int(rate * BUFFER_SECONDS) if rate == rate else 64
    return max(4, min(max(16, wanted), 1024, BUFFER_BYTES // max(1, frame_bytes)))


class GrabbingCamera(ABC):
    """See `pipelines.frame.Camera`.

    Args:
        where: how the user knows the camera.

    Raises:
        SourceError: it is not there, or cannot be set as it is asked to.
    """

    wrap16 = False
    """Whether the camera's numbers go from 65535 to 1."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._lock = threading.RLock()
        self._numbering = Numbering()
        self._kept: list[tuple[Any, Pixels]] = []
        self._kind: tuple[int, int, str] | None = None
        self._running = self._closed = False
        self._lost = ""
        self.damaged = 0  # pictures that came incomplete: their numbers are missing
        try:
            self._info = self._connect()
        except CameraLost as lost:
            raise SourceError(str(lost)) from None
        except FusetrackError:
            self._give_back()
            raise
        self._connected = True

    @abstractmethod
    def _connect(self) -> SourceInfo:
        """Open the camera and set it; CameraLost if it is not there, InputError if it refuses."""

    _nodes: Nodes | None = None
    """Of the connection; `_connect` gives it."""
    _settings: Mapping[str, str] = {}
    """Nodes that every connection sets."""

    @abstractmethod
    def _disconnect(self) -> None:
        """Give it back; may raise whatever the library raises."""

    @abstractmethod
    def _begin(self) -> None:
        """Let it deliver."""

    @abstractmethod
    def _end(self) -> None:
        """Let it deliver no more."""

    @abstractmethod
    def _grab(self, timeout: float) -> AbstractContextManager[Grabbed | None]:
        """The next buffer, None if none came in time; it goes back to the library afterwards."""

    @property
    def info(self) -> SourceInfo:
        return self._info

    def adjust(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Set exposure, gain ... while it delivers (see `app.cameras.controls.Adjustable`).

        Not under the lock, which `take` holds most of the time: GenICam's nodes have one of their own.
        """
        nodes = self._nodes
        if self._closed or not self._connected or nodes is None:
            raise SourceError(f"{self._where} is not there and cannot be set")
        now = nodes.adjust(values)
        self._settings = {**self._settings, **now}
        exposure = nodes.number("ExposureTime", "ExposureTimeAbs")
        info = adjusted(self._info, now)
        controls = nodes.controls()  # others may follow from them: limits, what is automatic
        self._info = replace(info, metadata={**info.metadata, "controls": controls, "exposure_us": exposure,
                                             "settings": dict(self._settings)})  # fmt: skip
        return now

    def _give_back(self) -> None:
        with suppress(Exception):
            self._disconnect()
        self._connected = self._running = False

    def start(self) -> None:
        """Begin to deliver (see `pipelines.frame.Camera.start`)."""
        with self._lock:
            if self._closed:
                raise closed(self._where)
            if self._running:
                return
            try:
                if not self._connected:
                    info = self._connect()
                    self._connected = True
                    # Pictures of the old size that were kept are taken first; the camera counts as changed after them.
                    if info.image == self._info.image or not self._kept:
                        self._info = info
                self._numbering.begin()
                self._begin()
            except FusetrackError:
                self._give_back()
                raise
            except Exception as error:
                self._give_back()
                raise CameraLost(f"{self._where} cannot be started: {_said(error)}") from error
            self._running, self._lost, self._kind = True, "", None

    def take(self, pixels: Pixels, arrivals: npt.NDArray[Any], timeout: float) -> int:
        """The next frames (see `pipelines.frame.Camera.take`)."""
        # The lock is taken anew for each buffer, so that stop and close get in between.
        check_room(self._info, pixels, arrivals)
        end, done = time.monotonic() + timeout, 0
        while done < len(pixels):
            with self._lock:
                if self._closed:
                    raise closed(self._where)
                if self._kept:
                    arrivals[done], pixels[done] = self._kept.pop(0)
                    done += 1
                    continue
                if not self._running:
                    if done:
                        return done
                    raise CameraLost(self._lost) if self._lost else ended(self._where)
                # Only the first frame is waited for: what is there is handed out at once.
                left = 0.0 if done else min(SLICE, end - time.monotonic())
                came = self._one(arrivals[done : done + 1], pixels[done], max(0.0, left))
            if came is None:
                if done or time.monotonic() >= end:
                    return done
            elif came:
                done += 1
        return done

    def _one(self, row: npt.NDArray[Any], out: Pixels, timeout: float) -> bool | None:
        """Take one buffer: whether its picture is whole and was written; None if none came."""
        try:
            with self._grab(timeout) as grabbed:
                if grabbed is None:
                    return None
                # The moment in which the buffer was had, before its pixels are looked at.
                host = time.time_ns()
                if grabbed.data is None:
                    self.damaged += 1
                    return False
                # The first picture says what all are: a camera that is set otherwise meanwhile is lost, not misread.
                if self._kind is None:
                    self._kind = grabbed.kind
                if grabbed.kind != self._kind or grabbed.data.nbytes != out.nbytes:
                    self._lose(str(changed(self._where, _picture(self._kind), _picture(grabbed.kind))))
                    return None
                np.copyto(out.reshape(-1).view(np.uint8), grabbed.data.reshape(-1).view(np.uint8))
                row["camera_id"] = self._numbering.number(grabbed.number, wrap16=self.wrap16)
                row["camera_time"] = self._numbering.clock(grabbed.stamp, host)
                row["host_time"] = host
                return True
        except FusetrackError:
            raise
        except Exception as error:
            self._lose(f"{self._where} was lost: {_said(error)}")
            return None

    def _lose(self, sentence: str) -> None:
        self._give_back()
        self._lost = sentence

    def stop(self) -> None:
        """Deliver no more (see `pipelines.frame.Camera.stop`)."""
        with self._lock:
            if not self._running or self._closed:
                return
            most, image = 4096, self._info.image
            while self._running and len(self._kept) < most:  # the library forgets them when it is stopped
                row, out = empty_arrivals(1), np.empty(image.shape, image.dtype.numpy)
                came = self._one(row, out, 0.0)
                if came is None:
                    break
                if came:
                    self._kept.append((row[0], out))
            if self._running:
                try:
                    self._end()
                except Exception as error:
                    self._lose(f"{self._where} was lost: {_said(error)}")
            self._running = False

    def close(self) -> None:
        """Give the camera back; allowed at any time, more than once."""
        # Before the lock, which `take` holds most of the time: it ends at its next buffer.
        self._closed = True
        with self._lock:
            if self._connected:
                self._give_back()


def _picture(kind: tuple[int, int, str]) -> str:
    return f"{kind[0]}x{kind[1]} {kind[2]}"


def _said(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
