"""Taking everything that a camera delivers, as a program would."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from app.cameras.query import parse_address
from app.cameras.simulated.camera import SimulatedCamera
from app.cameras.simulated.memory import State, Word
from app.cameras.simulated.process import Simulator
from app.cameras.simulated.settings import read_settings
from kernels.errors import CameraLost, EndOfStream
from pipelines.frame import ARRIVAL, Camera
from tests.patience import PATIENCE


@dataclass
class Taken:
    """What came: (n,) of ARRIVAL, the pictures (if kept), and the sentences of the losses."""

    arrivals: Any = field(default_factory=lambda: np.zeros(0, ARRIVAL))
    pictures: list[Any] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    ended: bool = False

    @property
    def ids(self) -> list[int]:
        return self.arrivals["camera_id"].tolist()


def room(camera: Camera, count: int) -> tuple[Any, Any]:
    image = camera.info.image
    return np.zeros((count, *image.shape), image.dtype.numpy), np.zeros(count, ARRIVAL)


def take_all(
    camera: Camera,
    *,
    most: int = 1 << 60,
    room_for: int = 16,
    keep: bool = False,
    reconnect: bool = True,
    pause: float = 0,
) -> Taken:
    """Start the camera and take until its stream ends, `most` frames came, or it is lost for good."""
    taken, end = Taken(), time.monotonic() + PATIENCE
    camera.start()
    pixels, arrivals = room(camera, room_for)
    while len(taken.arrivals) < most:
        assert time.monotonic() < end, f"only {len(taken.arrivals)} frames came"
        try:
            count = camera.take(pixels, arrivals, 0.5)
        except EndOfStream:
            taken.ended = True
            break
        except CameraLost as lost:
            taken.lost.append(str(lost))
            if not reconnect:
                break
            start_again(camera, end)
            pixels, arrivals = room(camera, room_for)
            continue
        taken.arrivals = np.concatenate([taken.arrivals, arrivals[:count]])
        if keep:
            taken.pictures += list(pixels[:count].copy())
        if pause:
            time.sleep(pause)
    return taken


def start_again(camera: Camera, end: float) -> None:
    while True:
        try:
            camera.start()
        except CameraLost:
            assert time.monotonic() < end, "the camera does not come back"
            time.sleep(0.01)
        else:
            return


def missing(ids: list[int]) -> tuple[tuple[int, int], ...]:
    """The gaps between the numbers, as ranges."""
    seen = sorted(set(ids))
    return tuple((a + 1, b - 1) for a, b in pairwise(seen) if b > a + 1)


def repeated(ids: list[int]) -> list[int]:
    numbers, counts = np.unique(np.asarray(ids, np.int64), return_counts=True)
    return numbers[counts > 1].tolist()


def take_until_lost(camera: Camera, room_for: int = 16) -> tuple[list[int], CameraLost | EndOfStream]:
    """The numbers that still come, and what ends them."""
    pixels, arrivals = room(camera, room_for)
    ids: list[int] = []
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            ids += arrivals["camera_id"][: camera.take(pixels, arrivals, 0.5)].tolist()
        except (CameraLost, EndOfStream) as over:
            return ids, over
    raise AssertionError("frames come without end")


def clipped(ranges: tuple[tuple[int, int], ...], last: int) -> tuple[tuple[int, int], ...]:
    """Ranges of lost numbers as far as a reader can see them whose last frame is `last`."""
    return tuple((low, min(high, last)) for low, high in ranges if low <= last)


class OnAThread(SimulatedCamera):
    """The camera without its process."""

    thread: threading.Thread | None = None

    @property
    def process(self) -> int:
        return 1 if self.thread is not None and self.thread.is_alive() else 0

    def _spawn(self) -> None:
        simulator = Simulator(self._memory, self._settings, os.getppid())
        self._memory.publish(Word.STATE, State.IDLE)
        self.thread = threading.Thread(target=simulator.run, daemon=True)
        self.thread.start()


def threaded(text: str) -> OnAThread:
    """The simulated camera of an address, on a thread: starts at once, where a process takes a second."""
    return OnAThread(read_settings(parse_address(text)))
