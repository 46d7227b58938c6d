"""The simulated camera itself: a process that puts a picture into its ring at every beat and never waits.

It obeys the commands in the shared memory, writes down what it loses, repeats and delays (`truth.py`), and ends when
the program that started it does, however that happens.
"""

from __future__ import annotations

import json
import os
import time
from typing import Any

import numpy.typing as npt

from app.cameras.query import parse_address
from app.cameras.simulated.faults import BLOCK, Fault
from app.cameras.simulated.memory import LIGHT, LOG_ROWS, Layout, Memory, State, Word
from app.cameras.simulated.settings import Settings, read_settings
from app.cameras.simulated.truth import Kind
from app.child_process import first_line, when_input_ends
from kernels.errors import FusetrackError, SourceError

EPOCH = 5_000_000_000_000
"""What the camera's clock shows at its first start, ns."""
BEHIND = 2_000_000_000
"""How far behind its beat the simulation may fall before it gives frames up, ns."""
NAP = 0.002
"""Seconds between two looks at the commands while nothing is delivered."""
ENDLESS = 1 << 62
_WAITING = (State.BACK, State.CHANGED)


class Simulator:
    """Delivers frames into the memory as the settings say."""

    def __init__(self, memory: Memory, settings: Settings, parent: int) -> None:
        self.memory, self.settings, self._parent = memory, settings, parent
        self._period = 1e9 / settings.fps
        self._pace = 1 + settings.values.number("drift") * 1e-6
        self._plain = settings.prepare()
        self._exposure = 0
        self._expose(round(LIGHT * settings.values.number("exposure")))
        memory.touch()
        self._views = [memory.view(i.image.shape, i.image.dtype.numpy) for i in settings.infos]
        self._block = -1
        self._faults = b""
        self._stray: list[float] = []
        words = memory.words
        if words[Word.HEAD]:  # after another process that died
            last = int(memory.rows[(words[Word.HEAD] - 1) % memory.layout.slots]["camera_id"])
            words[Word.NEXT] = max(words[Word.NEXT], last + 1)
        self._origin, self._from = 0.0, words[Word.NEXT]
        self._reachable = 0.0
        self._lost_at = -1

    def _expose(self, exposure: int) -> None:
        """Other light; each picture has it when it is shown next, so that no frame is late."""
        self._exposure = exposure
        self._pictures: list[list[npt.NDArray[Any] | None]] = [[None] * len(kind) for kind in self._plain]

    def _picture(self, kind: int, index: int) -> npt.NDArray[Any]:
        asked = self.memory.words[Word.EXPOSURE]
        if asked not in (0, self._exposure):
            self._expose(asked)
        made = self._pictures[kind][index]
        if made is None:
            made = self._pictures[kind][index] = self.settings.seen(self._plain[kind][index], kind,
                                                                    self._exposure / LIGHT)  # fmt: skip
        return made

    def run(self) -> None:
        """Obey until the program leaves."""
        words = self.memory.words
        while not words[Word.LEFT]:
            # The parent died: this process was handed to another one.
            if os.name == "posix" and os.getppid() != self._parent:
                return
            if words[Word.COMMAND] != words[Word.ANSWERED]:
                self._obey()
            state = self.memory.state
            if state is State.RUNNING:
                self._deliver(time.monotonic() + 0.25)
            elif state is State.AWAY and time.monotonic() >= self._reachable:
                self._enter(State.BACK)
            else:
                time.sleep(NAP)

    def _enter(self, state: State) -> None:
        self.memory.publish(Word.STATE, state)

    def _obey(self) -> None:
        words = self.memory.words
        command, state = words[Word.COMMAND], self.memory.state
        # A camera that is away refuses whatever it is asked.
        words[Word.REFUSED] = int(state is State.AWAY)
        if words[Word.RUN]:
            if state in _WAITING:
                self._come_back(state)
            elif state in (State.IDLE, State.ENDED):
                self._begin(state)
        elif state is State.RUNNING or state in _WAITING:
            if state in _WAITING:
                self._count_lost()
            self._enter(State.IDLE)
        self.memory.publish(Word.ANSWERED, command)

    def _begin(self, state: State) -> None:
        words, now = self.memory.words, time.monotonic_ns()
        if not words[Word.CLOCK]:
            words[Word.CLOCK] = now
        if state is State.ENDED or not words[Word.END]:
            words[Word.END] = words[Word.NEXT] + self.settings.frames if self.settings.frames else ENDLESS
        self._origin, self._from = float(now), words[Word.NEXT]
        self._enter(State.RUNNING)

    def _come_back(self, state: State) -> None:
        self._count_lost()
        words = self.memory.words
        if state is State.BACK and self.settings.values["returns"] == "resized":
            words[Word.PICTURE] ^= 1
        self._enter(State.ENDED if words[Word.NEXT] >= words[Word.END] else State.RUNNING)

    def _count_lost(self) -> None:
        """The frames of the beat that passed since the camera was lost, the one at which it was among them."""
        words, first = self.memory.words, self._lost_at
        passed = int((time.monotonic_ns() - self._origin) / self._period) + 1 + self._from
        after = min(max(first + 1, passed), words[Word.END])
        self._log(Kind.DISCONNECTED, first, after - 1)
        words[Word.NEXT] = after

    def _look_up(self, number: int) -> None:
        faults, stray = self.settings.schedule.block(number)
        self._block, self._faults, self._stray = number, faults.tobytes(), (stray * self._period).tolist()

    def _deliver(self, until: float) -> None:
        """Frames at their times, until a command comes, something happens, or the time is up."""
        memory, words = self.memory, self.memory.words
        wanted, stall = words[Word.ANSWERED], self.settings.values.number("stall_time")
        number, end = words[Word.NEXT], words[Word.END]
        while words[Word.COMMAND] == wanted:
            if number >= end:
                self._enter(State.ENDED)
                return
            if number // BLOCK != self._block:
                self._look_up(number // BLOCK)
            fault, stray = self._faults[number % BLOCK], self._stray[number % BLOCK]
            pause = stall * 1e9 if fault == Fault.STALL else 0.0
            # From the origin of the beat, not from the frame before: errors do not add up.
            due = self._origin + (number - self._from) * self._period + stray + pause
            now = time.monotonic_ns()
            if due > now:
                if now * 1e-9 > until:
                    return
                time.sleep(min((due - now) * 1e-9, 0.02))
                continue  # looks at the commands again, and whether it is time
            # It has fallen behind by too much: frames whose time has passed are left out, which is logged.
            if now - due > BEHIND:
                behind = min(number + max(1, int((now - due) / self._period)), end)
                self._log(Kind.LATE, number, behind - 1)
                number = behind
                memory.publish(Word.NEXT, number)
                continue
            # A stall moves the whole beat that follows.
            if fault == Fault.STALL:
                self._origin += pause
                self._log(Kind.STALLED, number, number, stall)
            elif fault >= Fault.RESIZE:
                self._lose(Fault(fault), number)
                return
            if fault == Fault.DROP:
                self._log(Kind.DROPPED, number, number)
            elif not self._put(number, due):
                self._log(Kind.OVERRUN, number, number)
            elif fault == Fault.DUPLICATE and self._put(number, due):
                self._log(Kind.DUPLICATED, number, number)
            number += 1
            memory.publish(Word.NEXT, number)
            if now * 1e-9 > until:
                return

    def _put(self, number: int, due: float) -> bool:
        """Copy a picture into the ring; False if it is full."""
        memory, words = self.memory, self.memory.words
        head, slots = words[Word.HEAD], memory.layout.slots
        if head - words[Word.TAIL] >= slots:
            return False
        slot, kind = head % slots, words[Word.PICTURE]
        self._views[kind][slot] = self._picture(kind, self.settings.order(number))
        memory.kinds[slot] = kind
        stamp = EPOCH + round((due - words[Word.CLOCK]) * self._pace)
        memory.rows[slot] = (number, stamp, time.time_ns())
        # The slot is complete before HEAD says that it is there.
        memory.publish(Word.HEAD, head + 1)
        return True

    def _lose(self, fault: Fault, number: int) -> None:
        self._lost_at = number
        if fault is Fault.RESIZE:
            self._log(Kind.RESIZED, number, number)
            self.memory.words[Word.PICTURE] ^= 1
            self._enter(State.CHANGED)
        else:
            self._reachable = time.monotonic() + self.settings.values.number("away")
            self._enter(State.AWAY)

    def _log(self, kind: Kind, first: int, last: int, value: float = 0.0) -> None:
        memory, words = self.memory, self.memory.words
        rows = words[Word.LOGGED]
        # Losses of frames that follow one another are one row.
        if rows and kind is not Kind.STALLED:
            before = memory.log[rows - 1]
            if before["kind"] == kind and before["last"] == first - 1:
                before["last"] = last
                return
        if rows == LOG_ROWS:
            words[Word.UNLOGGED] += 1
            return
        memory.log[rows] = (kind, first, last, value)
        memory.publish(Word.LOGGED, rows + 1)


def main() -> None:
    """Be the camera that the line on standard input describes; its end says that the program is gone."""
    given = json.loads(first_line())
    when_input_ends(lambda: os._exit(0), "program")
    memory = Memory(Layout(*given["layout"]), given["memory"])
    try:
        settings = read_settings(parse_address(given["text"]), given["fps"])
        if settings.layout != memory.layout:
            raise SourceError(f"{given['text']!r}: the clip is not what it was when the camera was opened")
        simulator = Simulator(memory, settings, int(given["parent"]))
        if memory.state is State.PREPARING:
            memory.publish(Word.STATE, State.IDLE)
        simulator.run()
    except Exception as error:
        memory.leave_sentence(str(error) if isinstance(error, FusetrackError) else f"cam:sim failed: {error!r}")
        memory.publish(Word.STATE, State.FAILED)
