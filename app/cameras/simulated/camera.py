"""A simulated camera as the program sees it; the camera itself is `process.py`.

    camera = open_camera("cam:sim?fps=1000&drop=0.01&frames=5000")
    camera.start()
    ...
    camera.truth()
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from app.cameras.base import changed, check_room, closed, ended
from app.cameras.controls import adjusted
from app.cameras.query import Address, typed
from app.cameras.simulated.memory import LIGHT, Memory, State, Word
from app.cameras.simulated.settings import PARAMS, Settings
from app.cameras.simulated.truth import Truth, truth_of
from app.child_process import code_of, say
from kernels.errors import CameraLost, InputError
from pipelines.frame import Pixels, SourceInfo

START_PATIENCE = 120.0
"""Seconds that the process may take to start and to prepare its pictures."""
PATIENCE = 10.0
"""Seconds that it may take to obey."""
LEAST_NAP, MOST_NAP = 0.0002, 0.002
"""Seconds between two looks at an empty ring."""


class SimulatedCamera:
    """See `pipelines.frame.Camera`; its numbers and its clock go on over every `start`.

    Args:
        settings: what it is asked to be.
        fps: the rate that replaced the address's, which the process is told.

    Raises:
        InputError: there is no memory for its ring.
    """

    def __init__(self, settings: Settings, fps: float | None = None) -> None:
        self._settings, self._fps = settings, fps
        self._memory = Memory(settings.layout)
        self._words = self._memory.words
        self._views = [self._memory.view(i.image.shape, i.image.dtype.numpy) for i in settings.infos]
        self._kind = self._tail = 0
        self._nap = min(max(0.5 / settings.fps, LEAST_NAP), MOST_NAP)
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._closed = False

    @property
    def info(self) -> SourceInfo:
        return self._settings.infos[self._kind]

    def adjust(self, values: Mapping[str, str]) -> Mapping[str, str]:
        """Set the exposure while it delivers (see `app.cameras.controls.Adjustable`)."""
        settings = self._settings
        now = {}
        for name, value in values.items():
            given = typed(PARAMS, Address(settings.text, "sim", "", {name: value}))
            self._words[Word.EXPOSURE] = max(1, round(LIGHT * given.number(name)))
            now[name] = f"{given.number(name):.10g}"
        infos = tuple(adjusted(info, now) for info in settings.infos)
        self._settings = replace(settings, infos=infos)
        return now

    @property
    def process(self) -> int:
        """The camera's process id; 0 if there is none."""
        return self._process.pid if self._process is not None and self._process.poll() is None else 0

    def start(self) -> None:
        """Begin to deliver (see `pipelines.frame.Camera.start`)."""
        with self._lock:
            if self._closed:
                raise closed(self.info.name)
            if self._process is not None and self._memory.state is State.FAILED:
                self._process.kill()  # it has said why and is about to end
                self._process.wait()
            if not self.process:
                self._spawn()
        self._await(lambda: self._memory.state is not State.PREPARING, START_PATIENCE, "did not start")
        if not self._words[Word.CLOCK]:
            self._memory.touch()
        self._command(run=True)
        if self._words[Word.REFUSED]:
            raise CameraLost("the simulated camera is disconnected")
        head = self._words[Word.HEAD]  # pictures of the old size come first, then it is lost again
        waiting = head > self._tail
        kind = self._memory.kinds[self._tail % self._memory.layout.slots] if waiting else self._words[Word.PICTURE]
        self._kind = int(kind)

    def take(self, pixels: Pixels, arrivals: npt.NDArray[Any], timeout: float) -> int:
        """The next frames (see `pipelines.frame.Camera.take`)."""
        check_room(self.info, pixels, arrivals)
        words, until = self._words, 0.0
        while True:
            if self._closed:
                raise closed(self.info.name)
            gone, state = not self.process, self._memory.state  # both before HEAD: it moves no more after them
            if words[Word.HEAD] > self._tail:
                return self._copy(pixels, arrivals, words[Word.HEAD])
            if state is not State.RUNNING or gone:
                raise self._over(state, gone)
            now = time.monotonic()
            if not until:
                until = now + timeout
            elif now >= until:
                return 0
            time.sleep(min(self._nap, max(0.0, until - now)))

    def _copy(self, pixels: Pixels, arrivals: npt.NDArray[Any], head: int) -> int:
        memory, slots, done = self._memory, self._memory.layout.slots, 0
        view = self._views[self._kind]
        while done < len(pixels) and self._tail < head:
            first = self._tail % slots
            run = min(len(pixels) - done, head - self._tail, slots - first)
            # A run ends where pictures of the other size begin.
            if len(self._views) > 1:
                others = np.flatnonzero(memory.kinds[first : first + run] != self._kind)
                run = int(others[0]) if len(others) else run
                if not run:
                    break
            pixels[done : done + run] = view[first : first + run]
            arrivals[done : done + run] = memory.rows[first : first + run]
            done += run
            self._tail += run
            # Each run is given back as soon as it is copied, so that the camera has room.
            memory.publish(Word.TAIL, self._tail)
        if not done:
            raise self._changed(int(memory.kinds[self._tail % slots]))
        return done

    def _changed(self, kind: int) -> CameraLost:
        infos = self._settings.infos
        return changed(self.info.name, str(infos[self._kind].image), str(infos[kind].image))

    def _over(self, state: State, gone: bool) -> Exception:
        """Why nothing comes any more."""
        if state is State.FAILED:
            return InputError(self._memory.sentence)
        if state in (State.IDLE, State.ENDED):
            return ended(self.info.name)
        if gone and self._process is None:
            return ended(self.info.name)
        if gone:
            return CameraLost(f"the process of {self.info.name} died; it can be started again")
        if state is State.CHANGED:
            return self._changed(1 - self._kind)
        return CameraLost(f"{self.info.name} was disconnected")

    def stop(self) -> None:
        """Deliver no more (see `pipelines.frame.Camera.stop`)."""
        if self.process and not self._closed:
            with suppress(CameraLost):  # a camera that died delivers no more either
                self._await(lambda: self._memory.state is not State.PREPARING, START_PATIENCE, "did not start")
                self._command(run=False)

    def close(self) -> None:
        """Give the camera back; its truth stays."""
        self._closed = True
        self._words[Word.LEFT] = 1
        with self._lock:
            process = self._process
            if process is None:
                self._memory.release()
                return
            if process.stdin is not None and not process.stdin.closed:
                self._words[Word.COMMAND] += 1  # wakes it up
                try:
                    process.wait(1.0)  # by itself, so that its log is whole
                except subprocess.TimeoutExpired:
                    process.kill()
                with suppress(OSError):
                    process.stdin.close()
            process.wait()
            self._memory.release()

    def truth(self) -> Truth:
        """What it knows about itself: exact once it was stopped, has ended or was closed."""
        words = self._words
        announced, rows = words[Word.NEXT], words[Word.LOGGED]
        return truth_of(self._memory.log[:rows].copy(), announced, words[Word.HEAD], not words[Word.UNLOGGED])

    def _spawn(self) -> None:
        """Start the process; it inherits the memory and hears of our death by the end of its input."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()
        self._memory.publish(Word.STATE, State.PREPARING)
        place: int | str = self._memory.name or self._memory.descriptor
        # POSIX hands the descriptor on; elsewhere the memory has a name.
        inherited = {"pass_fds": (place,), "start_new_session": True} if os.name == "posix" and place != "" else {}
        process = subprocess.Popen(
            [sys.executable, "-c", code_of("app.cameras.simulated", "process")],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **inherited,
        )  # type: ignore[call-overload]  # fmt: skip
        self._process = process
        layout = self._settings.layout
        given = {"text": self._settings.text, "fps": self._fps, "memory": place, "parent": os.getpid(),
                 "layout": [layout.slots, layout.picture_bytes]}  # fmt: skip
        say(process, json.dumps(given).encode() + b"\n")

    def _command(self, *, run: bool) -> None:
        # RUN is written before the number that says that there is a new command.
        words = self._words
        words[Word.RUN] = int(run)
        number = words[Word.COMMAND] + 1
        self._memory.publish(Word.COMMAND, number)
        self._await(lambda: words[Word.ANSWERED] >= number, PATIENCE, "does not answer")

    def _await(self, reached: Any, patience: float, complaint: str) -> None:
        end = time.monotonic() + patience
        while not reached():
            if self._memory.state is State.FAILED:
                break
            if self._closed:
                raise closed(self.info.name)
            if not self.process and not reached():
                raise CameraLost(f"the process of {self.info.name} died while it was being started or stopped")
            if time.monotonic() > end:
                raise CameraLost(f"the simulated camera {complaint} within {patience:.0f} seconds")
            time.sleep(LEAST_NAP)
        if self._memory.state is State.FAILED:
            raise InputError(self._memory.sentence)
