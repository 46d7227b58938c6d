"""Takes frames from a camera into a ring, numbers them, names what is missing, and connects again what is lost."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kernels.errors import CameraLost, EndOfStream, InputError
from pipelines.frame import ARRIVAL, UNKNOWN, Camera, SourceInfo
from pipelines.streaming.common.meter import Meter
from pipelines.streaming.live import taps
from pipelines.streaming.live.arrivals import Arrivals
from pipelines.streaming.live.batching import BatchLength
from pipelines.streaming.live.episode import Episode
from pipelines.streaming.live.ledger import BEHIND, ENDED, PAUSED
from pipelines.streaming.live.ring import Ring
from pipelines.streaming.live.taps import RunTap

WAIT = 0.05
"""Seconds that a camera is waited for before it is looked whether the run is to end."""
FULL_WAIT = 0.002
"""The same while the ring is full: there may be room again."""
SPARE = 32
"""Frames that are taken at once while they cannot be processed."""
SPARE_BYTES = 16 << 20
LONGEST_RUN = 1024
"""Left-out frames after which their range is told, though it may go on."""
FIRST_PAUSE, LONGEST_PAUSE = 0.02, 2.0
"""Seconds between two attempts to connect again."""
DRAIN = 1.0
"""Seconds for what a stopped camera had delivered."""
FEW = 250.0
"""Frames a second up to which each is taken as it comes; faster ones are taken some at a time."""
PACED, LEAST_PACE = 128, 0.0005
"""Frames between two looks at the rate; the shortest time to let frames gather, seconds."""
RECENT = 1 << 16
"""Frames whose host times are remembered, to count those that came since an episode was asked for."""


class CameraListener(Protocol):
    """Hears that the camera was lost, and that it is back."""

    def lost(self, reason: str) -> None: ...

    def back(self) -> None: ...


class Capture:
    """The work of the capture thread.

    Args:
        camera: all its methods are called by the thread that calls `connect` and `run`.
        meter: kept up to date.
        episode: what it begins with: its ledger is kept up to date, its recorder given every announced frame.
        frames: end after so many announced frames; None for no end.
        patience: seconds that a lost camera is tried again.
        listener: hears of losses.
        length: how many frames a batch has.

    Attributes:
        pace: seconds to let frames gather before they are taken, as the engine takes many at once anyway; not where
            the camera has more than there was room for, whose own memory would overflow.
        behind: why frames are left out for which there is no room.
    """

    def __init__(
        self, camera: Camera, episode: Episode, meter: Meter, listener: CameraListener, *,
        frames: int | None, patience: float, length: BatchLength,
    ) -> None:  # fmt: skip
        self.camera, self.meter, self.listener = camera, meter, listener
        self.frames, self.patience, self.length = frames, patience, length
        self.pace, self.behind = 0.0, BEHIND
        self._next: deque[Episode] = deque()
        self._recent, self._came = np.zeros(RECENT, np.int64), 0
        self._begin(episode)
        self._since, self._count = 0.0, 0
        self._more = False  # whether the camera filled all the room that it was given, and may have more at once
        self._stop, self._paused, self._given_up = threading.Event(), False, False
        self._open: tuple[int, int, str] | None = None
        self._info: SourceInfo = camera.info
        self._arrivals = Arrivals(self._info.time.fps)

    def stop(self) -> None:
        """Take no more; from any thread."""
        self._stop.set()

    def give_up(self) -> None:
        """Take no more: what is still taken will not be processed, because the run has failed."""
        self._given_up = True
        self._stop.set()

    def pause(self, paused: bool) -> None:
        """Whether frames are kept from the engine."""
        self._paused = paused

    def keep(self, other: Capture) -> None:
        """Go on in place of a capture that has connected and taken nothing."""
        self._stop, self._arrivals, self._next = other._stop, other._arrivals, other._next

    def begin_anew(self, episode: Episode) -> None:
        """Have what comes next be the first frame of another episode; from any thread."""
        self._next.append(episode)

    def _begin(self, episode: Episode) -> None:
        self.episode, self.ledger, self.tap = episode, episode.ledger, episode.recorder
        self._runs = self.tap if isinstance(self.tap, RunTap) else None

    def _begin_next(self, ring: Ring) -> None:
        """Go over to the next episode: what was taken belongs to the one before, what comes to this one."""
        self._tell_left_out()
        episode = self._next.popleft()
        self._begin(episode)
        self._arrivals.begin_anew()
        # None means no recorder; with one the count begins at 0 in every episode.
        if self.tap is not None:
            self.ledger.recorded = 0
        if episode.asked is not None:
            episode.came_before = int((self._recent >= episode.asked).sum())
            self._event(taps.BEGAN, 0, asked=episode.asked, came_before=episode.came_before)
        ring.cut(episode)

    def connect(self, patience: float = 0.0) -> SourceInfo:
        """Start the camera; what it delivers.

        Args:
            patience: seconds for which a camera that is not there is tried again: one that was there a moment ago may
                be about to return.

        Raises:
            InputError: it is not there, or refuses.
        """
        self._start(patience, "")
        self._info = self.camera.info
        self._arrivals = Arrivals(self._info.time.fps)
        return self._info

    def run(self, ring: Ring) -> None:
        """Until the stream ends, or `stop`.

        Raises:
            InputError: the camera does not come back, or comes back with other pictures.
        """
        if self.tap is not None:
            self.ledger.recorded = 0
        room = max(1, min(SPARE, SPARE_BYTES // self._info.image.nbytes))
        spare = np.empty((room, *self._info.image.shape), self._info.image.dtype.numpy)
        arrivals = np.zeros(room, ARRIVAL)
        try:
            while not self._stop.is_set() and self._wanted(1):
                # Between two takes: no run of frames belongs to two episodes.
                if self._next:
                    self._begin_next(ring)
                try:
                    self._take(ring, spare, arrivals, WAIT)
                except EndOfStream:
                    return
                except CameraLost as error:
                    self._connect_again(error)
                if self.pace > 0 and not self._more:
                    self._stop.wait(self.pace)
            with contextlib.suppress(CameraLost):
                self.camera.stop()
            self._drain(ring, spare, arrivals)
        finally:
            self._tell_left_out()

    def _drain(self, ring: Ring, spare: Any, arrivals: Any) -> None:
        """What the camera had delivered when it was stopped."""
        end = time.perf_counter() + DRAIN
        try:
            # Without waiting: what the driver holds is taken until it says that there is no more.
            while self._wanted(1) and time.perf_counter() < end and self._take(ring, spare, arrivals, 0.0):
                pass
        except (EndOfStream, CameraLost):
            pass

    def _wanted(self, most: int) -> int:
        """Of `most` frames those that are still asked for."""
        return most if self.frames is None else min(most, self.frames - self.ledger.announced)

    def _take(self, ring: Ring, spare: Any, spare_arrivals: Any, wait: float) -> int:
        """Some frames; how many came."""
        # The camera writes into the ring itself where there is room: no copy. Where there is none its frames are taken
        # all the same, into spare memory, so that they are counted and recorded and the driver's own queue does not
        # overflow.
        start, room = (0, 0) if self._paused or self._given_up else ring.free()
        if room:
            room = self._wanted(room)
            pixels, arrivals = ring.pixels[start : start + room], ring.arrivals[start : start + room]
            count = self.camera.take(pixels, arrivals, wait)
            self._more = count == room
            if count:
                self._arrived(ring, pixels[:count], arrivals[:count], start)
            return count
        room = self._wanted(len(spare))
        count = self.camera.take(spare[:room], spare_arrivals[:room], wait if self._paused else min(wait, FULL_WAIT))
        self._more = count == room
        if count:
            self._arrived(ring, spare[:count], spare_arrivals[:count], None)
        return count

    def _arrived(self, ring: Ring, pixels: Any, arrivals: Any, slot: int | None) -> None:
        """Number frames, give them to the recorder and, where they are in the ring (`slot`), to the engine."""
        captured = time.perf_counter()
        self.meter.latency("camera", np.maximum(time.time_ns() - arrivals["host_time"], 0) / 1e9)
        look = self._arrivals.look(arrivals)
        sequence = self.ledger.announced
        for at, number in look.again:
            self.ledger.duplicate(number)
            self._event(taps.DUPLICATE, sequence + at, camera_id=number)
        for at, number in look.late:
            self.ledger.come_late(number)
            self._event(taps.LATE, sequence + at, camera_id=number)
        # Frames that came twice or too late are moved out of the way in place, before slots get numbers.
        if look.fresh is not None:
            kept = int(look.fresh.sum())
            if not kept:
                return
            pixels[:kept], arrivals[:kept] = pixels[look.fresh], arrivals[look.fresh]
            pixels, arrivals = pixels[:kept], arrivals[:kept]
        count = len(arrivals)
        self._remember(arrivals["host_time"])
        # Gaps are told by the number of the fresh frame behind them.
        for at, first, last in look.gaps:
            self.ledger.gap(sequence + at, first, last)
        self.ledger.announce(count)
        for at, seconds in look.slow:
            self.ledger.time_gap(sequence + at, seconds)
            if arrivals["camera_id"][at] == UNKNOWN:
                self._event(taps.TIME_GAP, sequence + at, seconds=seconds)
        # Recorded before they are published: from then on the engine may release a slot, and the camera write to it
        # again.
        self._record(pixels, arrivals, look.times)
        self.meter.count("capture", count)
        self._pace(count, captured)
        if slot is None:
            moved = self._move(ring, pixels, arrivals, look.times, sequence, captured)
            if moved < count:
                self._leave_out(sequence + moved, sequence + count - 1)
            return
        self._publish(ring, slot, look.times, sequence, captured)

    def _remember(self, hosts: npt.NDArray[np.int64]) -> None:
        """When frames came, and of an episode when its first did."""
        if self.episode.first_time is None:
            self.episode.first_time = int(hosts[0])
        hosts = hosts[-RECENT:]
        # A ring of host times: the oldest are overwritten.
        self._recent[np.arange(self._came, self._came + len(hosts)) % RECENT] = hosts
        self._came += len(hosts)

    def _pace(self, count: int, now: float) -> None:
        """Let some frames gather before the next call where they come fast: every call costs the interpreter, and the
        engine waits for a batch anyway."""
        self._count += count
        if self._count >= PACED or now - self._since >= 1.0:
            rate = self._count / max(now - self._since, 1e-6)
            # A batch's worth of frames, but never more than a twentieth of the latency.
            gather = min(self.length.latency / 20, self.length.wanted / rate) if rate > FEW else 0.0
            self.pace = gather if gather > LEAST_PACE else 0.0
            self._since, self._count = now, 0

    def _publish(self, ring: Ring, slot: int, times: Any, sequence: int, captured: float) -> None:
        end = slot + len(times)
        ring.sequence[slot:end] = np.arange(sequence, sequence + len(times))
        ring.times[slot:end], ring.captured[slot:end] = times, captured
        # Before the frames behind them are published, so that events of a recording are in the order of frames.
        self._tell_left_out()
        ring.publish(len(times))
        self.meter.depth("ring", ring.used, ring.slots)

    def _move(self, ring: Ring, pixels: Any, arrivals: Any, times: Any, sequence: int, captured: float) -> int:
        """Frames that came while there was no room, as far as there is some now; how many."""
        moved = 0
        while moved < len(times) and not (self._paused or self._given_up):
            start, room = ring.free()
            # The engine may free slots while frames are moved: as many as fit now, then what has become free.
            fits = min(room, len(times) - moved)
            if not fits:
                break
            part = slice(moved, moved + fits)
            ring.pixels[start : start + fits], ring.arrivals[start : start + fits] = pixels[part], arrivals[part]
            self._publish(ring, start, times[part], sequence + moved, captured)
            moved += fits
        return moved

    def _leave_out(self, first: int, last: int) -> None:
        reason = ENDED if self._given_up else PAUSED if self._paused else self.behind
        self.ledger.leave_out(first, last, reason)
        # Side by side frames with one reason are one range; a long one is told in pieces.
        if self._open is not None and (self._open[2] != reason or self._open[1] - self._open[0] >= LONGEST_RUN):
            self._tell_left_out()
        self._open = (first if self._open is None else self._open[0], last, reason)

    def _tell_left_out(self) -> None:
        """Name a range of frames that the engine does not get."""
        if self._open is not None:
            first, last, reason = self._open
            self._open = None
            self._event(taps.UNPROCESSED, first, first=first, last=last, reason=reason)

    def _record(self, pixels: Any, arrivals: Any, times: Any) -> None:
        tap = self.tap
        if tap is None:
            return
        if self._runs is not None:
            kept = self._runs.frames(pixels, arrivals, times)
        else:
            every = zip(pixels, arrivals.tolist(), times.tolist(), strict=True)
            kept = sum(tap.frame(picture, i, clock, host, time_s) for picture, (i, clock, host), time_s in every)
        assert self.ledger.recorded is not None
        self.ledger.recorded += kept

    def _event(self, kind: str, frame: int, **facts: Any) -> None:
        if self.tap is not None:
            self.tap.event(kind, frame, **facts)

    def _connect_again(self, loss: CameraLost) -> None:
        """Try until the camera is back, the run is to end, or patience is over."""
        self.ledger.losses += 1
        self._event(taps.LOST, self.ledger.announced, reason=str(loss))
        self.listener.lost(str(loss))
        if self._stop.wait(FIRST_PAUSE):
            return
        if self._start(self.patience, f"; it did not come back within {self.patience:g} seconds, so the run ends"):
            self._same_pictures()
            self._arrivals.reconnected()
            self.ledger.reconnects += 1
            self._event(taps.BACK, self.ledger.announced)
            self.listener.back()

    def _start(self, patience: float, late: str) -> bool:
        """Try for `patience` seconds to start the camera; whether it delivers, False where the run is to end before.

        Raises:
            InputError: it is not there, with `late` at the end of the sentence.
        """
        # Exponential back-off: a camera that is only plugged in again is back within FIRST_PAUSE, one that boots is not
        # asked more often than every LONGEST_PAUSE.
        end, pause = time.perf_counter() + patience, 2 * FIRST_PAUSE
        while True:
            try:
                self.camera.start()
            except CameraLost as error:
                if time.perf_counter() >= end:
                    raise InputError(f"{error}{late}") from error
            else:
                return True
            if self._stop.wait(min(pause, max(0.0, end - time.perf_counter()))):
                return False
            pause = min(2 * pause, LONGEST_PAUSE)

    def _same_pictures(self) -> None:
        old, new = self._info, self.camera.info
        # The ring and the compiled programs are of the old pictures.
        if (new.image, new.format, new.width) != (old.image, old.format, old.width):
            raise InputError(f"{new.name} delivers {new.image} now, not {old.image} as before, so the run ends; start "
                             "another one for the new pictures")  # fmt: skip


