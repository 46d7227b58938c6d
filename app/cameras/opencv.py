"""Cameras that OpenCV can open: "cam:0?size=640x480&fps=60&fourcc=MJPG", "cam:rtsp://ADDRESS#gray=true", a file.

They have neither numbers nor a clock. Our own thread reads them, numbers the frames and notes when they came; what
finds no room in the queue is missing in these numbers. What the driver drops before that is not reported.
A file is played at its rate, as a camera would deliver it, and has an end.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.cameras.base import changed, check_room, closed, ended
from app.cameras.controls import adjusted, of_params
from app.cameras.query import Address, parse_size, typed
from kernels.errors import CameraLost, ExprError, FusetrackError, SourceError
from kernels.ir.image import ImageType, dtype_of
from kernels.opencv import cv2
from kernels.param import Param
from pipelines.frame import ARRIVAL, UNKNOWN, PixelFormat, Pixels, SourceInfo, TimeBase

PARAMS = (
    Param("size", "text", "", "width and height to ask for", "px"),
    Param("fps", "float", 0.0, "frames a second to ask for", "1/s", 0, 1e6),
    Param("fourcc", "text", "", "code of the camera's own format to ask for, such as MJPG or YUYV"),
    Param("exposure", "text", "", "exposure, in the driver's own units; with auto_exposure=false where it has one"),
    Param("auto_exposure", "choice", "", "whether the driver chooses the exposure", choices=("", "true", "false")),
    Param("gain", "text", "", "gain, in the driver's own units"),
    Param("brightness", "text", "", "brightness, in the driver's own units"),
    Param("gray", "bool", False, "deliver gray pictures"),
    Param("queue", "int", 64, "frames that fit between the camera and the program", "frames", 2, 10_000),
)
OF_DRIVER = {"exposure": cv2.CAP_PROP_EXPOSURE, "gain": cv2.CAP_PROP_GAIN, "brightness": cv2.CAP_PROP_BRIGHTNESS}
"""Numbers of whose units and limits OpenCV says nothing: they are the driver's."""
AUTOMATIC, BY_HAND = (3.0, 1.0) if sys.platform.startswith("linux") else (0.75, 0.25)
"""What CAP_PROP_AUTO_EXPOSURE means by on and off: V4L2's "aperture priority" and "manual"; what other drivers take."""
MEASURE, FEW = 1.0, 4
"""Seconds for which the rate of a network camera is measured, twice as long if fewer pictures come."""
JOIN = 5.0
"""Seconds to wait for a read that is under way; a network camera may take longer, its thread then ends by itself."""


class _Change:
    """A number that the driver is asked for between two frames, and what it says that it has then."""

    def __init__(self, number: int, value: float) -> None:
        self.number, self.value, self.done = number, value, threading.Event()

    def ask(self, capture: Any) -> None:
        """Ask; called by the thread that reads, since a capture is one thread's."""
        capture.set(self.number, self.value)
        self.value = float(capture.get(self.number))
        self.done.set()


class _Stream:
    """One connection: a capture, the thread that reads it, and the queue between the thread and `take`."""

    def __init__(self, capture: Any, first: Pixels, slots: int, number: int, gray: bool, pace: float) -> None:
        self.capture, self._first, self._gray, self._pace = capture, first, gray, pace
        self.pixels = np.empty((slots, *first.shape), first.dtype)
        self.rows = np.zeros(slots, ARRIVAL)
        self.number, self.head, self.tail = number, 0, 0
        self.over: FusetrackError | None = None
        self.came = threading.Condition()
        self.stopping = False
        self.changes: deque[_Change] = deque()
        self.thread = threading.Thread(target=self._read, daemon=True, name="camera")

    def inherit(self, before: _Stream) -> None:
        """Take over what `before` delivered and was not taken; of another size or type it is missing in the numbers."""
        if before.pixels.shape != self.pixels.shape or before.pixels.dtype != self.pixels.dtype:
            return
        slots = [k % len(before.pixels) for k in range(before.tail, before.head)]
        self.head = len(slots)
        self.pixels[: self.head], self.rows[: self.head] = before.pixels[slots], before.rows[slots]

    def begin(self, where: str, is_file: bool) -> None:
        self._where, self._is_file = where, is_file
        self.thread.start()

    def _read(self) -> None:
        try:
            over = self._frames()
        except Exception as error:  # cv2.error and whatever a backend throws
            over = CameraLost(f"{self._where} was lost: {' '.join(str(error).split())[:200]}")
        with self.came:
            self.over = over
            self.came.notify_all()
        self.capture.release()

    def _frames(self) -> FusetrackError:
        frame: Any = self._first
        begin, count = time.monotonic(), 0
        while not self.stopping:
            if self._pace:  # a file's frame comes when its time has come
                time.sleep(max(0.0, begin + count * self._pace - time.monotonic()))
            # Settings are applied by the thread that reads: a capture is never used by two threads at once.
            while self.changes:
                self.changes.popleft().ask(self.capture)
            if count:
                # `grab` takes the picture, `retrieve` decodes it: the time between the two is nearest to the exposure.
                if not self.capture.grab():
                    return ended(self._where) if self._is_file else CameraLost(f"{self._where} gives no more pictures")
                host = time.time_ns()
                good, frame = self.capture.retrieve()
                if not good:
                    self.number += 1
                    continue
                if self._gray and frame.ndim == 3:
                    frame = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
            else:
                host = time.time_ns()
            count += 1
            if frame.shape != self._first.shape or frame.dtype != self._first.dtype:
                return changed(self._where, _said(self._first), _said(frame))
            self._put(frame, host)
        return ended(self._where)

    def _put(self, frame: Pixels, host: int) -> None:
        number, self.number = self.number, self.number + 1
        if self.head - self.tail == len(self.pixels):
            return  # its number is missing
        slot = self.head % len(self.pixels)
        self.pixels[slot] = frame
        # The slot is complete before `head` says so: the taker reads slots below `head` only.
        self.rows[slot] = (number, UNKNOWN, host)
        with self.came:
            self.head += 1
            self.came.notify_all()

    def take(self, pixels: Pixels, arrivals: npt.NDArray[Any], timeout: float) -> int | None:
        """How many came; None if nothing will come any more."""
        with self.came:
            self.came.wait_for(lambda: self.head > self.tail or self.over is not None, timeout)
            head, over = self.head, self.over
        done = 0
        while done < len(pixels) and self.tail < head:
            # The ring is copied in runs up to its end.
            first = self.tail % len(self.pixels)
            run = min(len(pixels) - done, head - self.tail, len(self.pixels) - first)
            pixels[done : done + run] = self.pixels[first : first + run]
            arrivals[done : done + run] = self.rows[first : first + run]
            done += run
            self.tail += run
        return None if not done and over is not None else done

    def end(self) -> None:
        self.stopping = True
        if self.thread.ident is not None and self.thread is not threading.current_thread():
            self.thread.join(JOIN)
        elif self.thread.ident is None:
            self.capture.release()


class OpenCVCamera:
    """See `pipelines.frame.Camera`.

    Args:
        address: of kind "opencv"; its place is an index, a device file, an address or a video file.
        fps: the rate to ask for, in place of the address's.

    Raises:
        SourceError: there is no such camera, or it gives no picture, or a parameter is wrong.
    """

    def __init__(self, address: Address, fps: float | None = None) -> None:
        self._where, self._place = address.text, address.place
        values = typed(PARAMS, address)
        self._fps = fps if fps is not None else values.number("fps")
        self._size = parse_size(values.text("size"), address.text) if values["size"] else None
        self._fourcc, self._gray, self._queue = values.text("fourcc"), bool(values["gray"]), values.count("queue")
        self._driver = {}
        for name in OF_DRIVER:
            self._driver[name] = self._number_of(name, values.text(name)) if values[name] else math.nan
        self._automatic = values.text("auto_exposure")
        if self._fourcc and len(self._fourcc) != 4:
            raise SourceError(f"{self._where!r}: a fourcc has four letters, such as MJPG, not {self._fourcc!r}")
        self._is_file = Path(self._place).is_file()
        self._closed, self._number, self._started = False, 0, False
        self._lock = threading.Lock()
        self._measured: float | None = None
        try:
            self._stream, self._info = self._connect()
        except CameraLost as lost:
            raise SourceError(str(lost)) from None

    def _connect(self) -> tuple[_Stream, SourceInfo]:
        capture: Any = cv2.VideoCapture(*_target(self._place))
        warnings = []
        try:
            if not capture.isOpened():
                raise CameraLost(f"{self._where}: there is no such camera, or another program has it")
            if not self._is_file:
                warnings = self._ask(capture)
            good, frame = capture.read()
            if not good or frame is None:
                raise CameraLost(f"{self._where}: the camera gives no picture")
            # Network streams do not say their rate: it is measured once.
            if "://" in self._place and self._measured is None:
                frame, self._measured = _measured(capture, frame)
            if self._gray and frame.ndim == 3:
                frame = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
            image = ImageType(dtype_of(frame.dtype), frame.shape[0], frame.shape[1], frame.shape[2] if frame.ndim == 3
                              else 1)  # fmt: skip
        except ExprError as error:
            capture.release()
            raise SourceError(f"{self._where}: {error}") from None
        except FusetrackError:
            capture.release()
            raise
        rate, whose = float(capture.get(cv2.CAP_PROP_FPS)) or 0.0, "says the driver"
        if self._is_file and self._fps:
            rate = self._fps
        elif self._measured is not None:  # addresses do not say, and FFmpeg makes one up
            rate, whose = self._measured, "as measured at opening"
        rate = rate if 0 < rate < 1e6 else float("nan")
        colors = {1: "mono", 3: "bgr", 4: "bgra"}
        if image.channels not in colors:
            capture.release()
            raise SourceError(f"{self._where}: pictures of {image.channels} channels cannot be used")
        bits = image.dtype.bits
        note = f"{rate:.4g} frames/s, {whose}" if rate == rate else "its rate is unknown"
        info = SourceInfo(
            name=self._where, kind="camera", width=image.width, height=image.height, frames=0, image=image,
            format=PixelFormat(colors[image.channels], bits), warnings=tuple(warnings),
            time=TimeBase(rate, "header" if rate == rate else "unknown", f"{note}; frames have the host's time stamps"),
            metadata={"camera": self._place, "backend": str(capture.getBackendName()),
                      "controls": [] if self._is_file else self._controls(capture, image)},
            identity={"address": self._where},
        )  # fmt: skip
        pace = 1 / rate if self._is_file and rate == rate else 0.0
        return _Stream(capture, frame, self._queue, self._number, self._gray, pace), info

    def adjust(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Set what the driver takes between two frames (see `app.cameras.controls.Adjustable`)."""
        now = {}
        for name, value in values.items():
            if name == "auto_exposure":
                number, wanted = cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC if value == "true" else BY_HAND
            else:
                number, wanted = OF_DRIVER[name], self._number_of(name, value)
            stream, change = self._stream, _Change(number, wanted)
            if self._started and stream.thread.is_alive():
                stream.changes.append(change)
                if not change.done.wait(JOIN):
                    raise SourceError(f"{self._where} gives no picture, and takes no {name}={value} meanwhile")
            else:
                change.ask(stream.capture)
            if name != "auto_exposure":
                self._driver[name] = change.value
                value = f"{change.value:g}"
            else:
                self._automatic = value
            now[name] = value
        self._info = adjusted(self._info, now)
        return now

    def _number_of(self, name: str, value: str) -> float:
        try:
            return float(value)
        except ValueError:
            raise SourceError(f"{self._where!r}: {name} is a number, not {value!r}") from None

    def _controls(self, capture: Any, image: ImageType) -> list[dict[str, Any]]:
        """What can be set (see `app.cameras.controls`): of the driver's numbers those that it has."""
        there = {name: float(capture.get(number)) for name, number in OF_DRIVER.items()}
        now = {"size": f"{image.width}x{image.height}", "fps": f"{float(capture.get(cv2.CAP_PROP_FPS)):g}",
               "fourcc": self._fourcc, "auto_exposure": self._automatic, "gray": self._gray, "queue": self._queue,
               **{name: f"{value:g}" for name, value in there.items()}}  # fmt: skip
        return of_params((param for param in PARAMS if there.get(param.name, 0.0) != -1.0), now)

    def _ask(self, capture: Any) -> list[str]:
        """Set what was asked for; sentences about what the camera does instead."""
        if self._fourcc:
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*self._fourcc))
        if self._size is not None:
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size[0])
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size[1])
        if self._fps:
            capture.set(cv2.CAP_PROP_FPS, self._fps)
        said = []
        if self._automatic:
            capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, AUTOMATIC if self._automatic == "true" else BY_HAND)
        for name, number in OF_DRIVER.items():
            wanted = self._driver[name]
            if math.isnan(wanted):
                continue
            capture.set(number, wanted)
            got_now = float(capture.get(number))
            if abs(got_now - wanted) > 0.01 * max(abs(wanted), 1.0):
                said.append(f"{self._where} was asked for {name}={wanted:g} and says it has {got_now:g}")
        got = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
        if self._size is not None and got != self._size:
            said.append(f"{self._where} was asked for {self._size[0]}x{self._size[1]} and gives {got[0]}x{got[1]}")
        rate = float(capture.get(cv2.CAP_PROP_FPS))
        if self._fps and abs(rate - self._fps) > 0.01 * self._fps:
            said.append(f"{self._where} was asked for {self._fps:g} frames/s and says it gives {rate:g}")
        return said

    @property
    def info(self) -> SourceInfo:
        return self._info

    def start(self) -> None:
        """Begin to deliver (see `pipelines.frame.Camera.start`)."""
        with self._lock:
            if self._closed:
                raise closed(self._where)
            stream = self._stream
            if self._started:
                if stream.over is None and not stream.stopping:
                    return
                # Numbers go on where they were, and what was not taken yet comes first.
                self._number = stream.number
                self._stream, self._info = self._connect()
                self._stream.inherit(stream)
            self._started = True
            self._stream.begin(self._where, self._is_file)

    def take(self, pixels: Pixels, arrivals: npt.NDArray[Any], timeout: float) -> int:
        """The next frames (see `pipelines.frame.Camera.take`)."""
        check_room(self._info, pixels, arrivals)
        if self._closed:
            raise closed(self._where)
        if not self._started:
            raise ended(self._where)
        stream = self._stream
        count = stream.take(pixels, arrivals, timeout)
        if self._closed:
            raise closed(self._where)
        if count is None:
            assert stream.over is not None
            raise type(stream.over)(str(stream.over))
        return count

    def stop(self) -> None:
        """Deliver no more (see `pipelines.frame.Camera.stop`)."""
        if self._started and not self._closed:
            self._stream.end()

    def close(self) -> None:
        """Give the camera back; allowed at any time, more than once."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._stream.end()


def _measured(capture: Any, frame: Pixels) -> tuple[Pixels, float]:
    """The rate at which pictures come, and the last of those that it took; NaN where too few come.

    What came before somebody asked is handed out at once: the time since the first picture that was waited for counts.
    """
    end = time.monotonic() + MEASURE
    came: list[float] = []
    while time.monotonic() < end or (len(came) < FEW and time.monotonic() < end + MEASURE):
        good, next_frame = capture.read()
        if not good or next_frame is None:
            break
        frame = next_frame
        came.append(time.monotonic())
    # Pictures that were buffered come at once: the later half tells the rate.
    late = came[len(came) // 2 :]
    return frame, (len(late) - 1) / (late[-1] - late[0]) if len(late) > 1 and late[-1] > late[0] else float("nan")


def _target(place: str) -> tuple[Any, ...]:
    """What cv2.VideoCapture is called with."""
    if not place.isdecimal():
        return (place,)
    # Only the system's own cameras: the search through all of OpenCV's back ends prints errors of its own.
    return (int(place), cv2.CAP_V4L2) if sys.platform.startswith("linux") else (int(place),)


def _said(frame: Pixels) -> str:
    return f"{frame.shape[1]}x{frame.shape[0]} {frame.dtype}"


def found() -> list[tuple[str, str]]:
    """(address, name) of the cameras that Linux knows; elsewhere they can only be found by opening them."""
    made = []
    for folder in sorted(Path("/sys/class/video4linux").glob("video*"), key=lambda f: int(f.name[5:] or 0)):
        try:
            name = (folder / "name").read_text().strip()
        except OSError:
            name = folder.name
        made.append((f"cam:{folder.name[5:]}", name))
    return made
