"""A camera in this process for tests: it delivers what a script says, as fast as it is asked or by the clock."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from kernels.errors import CameraLost, EndOfStream
from pipelines.frame import ARRIVAL, UNKNOWN, SourceInfo
from tests.pipelines.clips import MemoryClip

Script = Sequence[int | str | Callable[[], None]]
"""A camera's numbers in order; "lost" (the connection breaks), "away" (a `start` fails); or what is called."""


class FakeCamera:
    """Frame `number % len(clip)` of a clip for each camera number of the script.

    Args:
        clip: (T, H, W).
        script: what happens; the end of it is the end of the stream. None is every frame of the clip once.
        fps: what it announces; frames are 1 / fps apart on its clock.
        pace: seconds between two frames, in truth; 0 as fast as they are taken.
        most: frames a `take`, at most.
        numbers, clock: whether it has them.
    """

    def __init__(
        self, clip: np.ndarray[Any, Any], script: Script | None = None, *, fps: float = 1000.0, pace: float = 0.0,
        most: int = 7, numbers: bool = True, clock: bool = True,
    ) -> None:  # fmt: skip
        self.clip, self.pace, self.most, self.numbers, self.clock = clip, pace, most, numbers, clock
        self.script = list(range(len(clip))) if script is None else list(script)
        info = MemoryClip(clip, fps=fps).info
        self.info = SourceInfo("fake", "camera", info.width, info.height, 0, info.image, info.format, info.time)
        self.at, self.starts, self.closed, self.stopped = 0, 0, threading.Event(), False
        self.due = 0.0
        self.threads: set[str] = set()

    def start(self) -> None:
        self.threads.add(threading.current_thread().name)
        self.starts += 1
        self.due = time.perf_counter()
        if self.at < len(self.script) and self.script[self.at] == "away":
            self.at += 1
            raise CameraLost("fake is not there")

    def take(self, pixels: Any, arrivals: Any, timeout: float) -> int:
        self.threads.add(threading.current_thread().name)
        count = 0
        if self.pace:
            wait = self.due - time.perf_counter()
            if wait > 0:
                time.sleep(min(wait, timeout))
                if wait > timeout:
                    return 0
        while count < min(len(pixels), self.most):
            if self.stopped or self.at >= len(self.script):
                if count:
                    return count
                raise EndOfStream("fake is through")
            if self.pace and self.due > time.perf_counter():
                return count
            item = self.script[self.at]
            if not isinstance(item, int) and count:
                return count
            self.at += 1
            if callable(item):
                item()
                return 0
            if isinstance(item, str):
                raise CameraLost("fake was unplugged")
            self.due += self.pace
            pixels[count] = self.clip[item % len(self.clip)]
            now = round(item * 1e9 / self.info.time.fps)
            arrivals[count] = np.array(
                (item if self.numbers else UNKNOWN, 5_000 + now if self.clock else UNKNOWN, time.time_ns()), ARRIVAL
            )
            count += 1
        return count

    def stop(self) -> None:
        self.threads.add(threading.current_thread().name)
        self.stopped = True

    def close(self) -> None:
        self.closed.set()


class Tape:
    """A recorder in memory: what a session would hold.

    Args:
        runs: unused here; see `RunTape`.
    """

    def __init__(self) -> None:
        self.pixels: list[Any] = []
        self.ids: list[int] = []
        self.times: list[float] = []
        self.events: list[dict[str, Any]] = []
        self.rows: list[Any] = []

    def frame(self, pixels: Any, camera_id: int, camera_time: int, host_time: int, time_s: float) -> bool:
        self.pixels.append(pixels.copy())
        self.ids.append(camera_id)
        self.times.append(time_s)
        return True

    def event(self, kind: str, frame: int | None, **facts: Any) -> None:
        self.events.append({"kind": kind, "frame": frame, **facts})

    def tracks(self, rows: Any) -> None:
        self.rows.append(rows.copy())

    def named(self, kind: str) -> list[dict[str, Any]]:
        return [e for e in self.events if e["kind"] == kind]

    @property
    def unprocessed(self) -> list[tuple[int, int]]:
        return [(e["first"], e["last"]) for e in self.named("unprocessed")]


class RunTape(Tape):
    """The same, given runs of frames."""

    def frames(self, pixels: Any, arrivals: Any, times: Any) -> int:
        for picture, arrival, seconds in zip(pixels, arrivals.tolist(), times.tolist(), strict=True):
            super().frame(picture, *arrival, seconds)
        return len(pixels)

    def frame(self, *_: Any, **__: Any) -> bool:
        raise AssertionError("runs are taken")
