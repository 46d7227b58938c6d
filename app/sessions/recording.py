"""What a program that records holds in its hand: frames, tracks and events go in, the recorder's process writes them.

    recording = Recording.start(path, Manifest(source.info, pipeline).preamble())
    recording.put(pixels, camera_id=17, camera_time=123_456_789, time=0.017)
    account = recording.close()
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.files.atomic import uninterrupted
from app.sessions import events
from app.sessions.account import Account
from app.sessions.intake import NO_ROOM, Intake
from app.sessions.layout import Picture
from app.sessions.outbox import WAIT, Outbox
from app.sessions.pace import Pace, announced
from app.sessions.preamble import Preamble
from app.sessions.recorder import RecorderProcess
from app.sessions.recording_options import EVERYTHING, RecordingOptions
from app.sessions.resuming import RunStates
from app.sessions.shared import FOREVER, Geometry, RecorderState, SharedMemory
from app.sessions.spare import SpareMemory
from app.sessions.states import KeptStates
from app.sessions.writer import SessionWriter
from kernels.errors import InputError
from pipelines.features import Tracks
from pipelines.frame import UNKNOWN, Pixels
from pipelines.streaming.engine.checkpoint import Checkpoint

QUEUE_BYTES, QUEUE_SECONDS = 512 << 20, 30.0
"""Memory between camera and recorder unless something else is asked for: as much as this, or, where the camera says how
fast it is, what comes in so many seconds if that is less. No disk that is of use pauses for longer."""
LEAST_SLOTS = 32


def queue_slots(size: int, coming: float) -> int:
    """Frames that fit between camera and recorder unless something else is asked for.

    Args:
        size: bytes of a frame.
        coming: bytes a second; 0 where unknown.
    """
    room = QUEUE_BYTES if coming <= 0 else min(QUEUE_BYTES, coming * QUEUE_SECONDS)
    return max(LEAST_SLOTS, int(room // Geometry(1, size).slot))


class Recording:
    """A session that is being recorded; use `start`.

    `put` is called by one thread; `tracks`, `event` and `trigger` by any. Nothing but the memory for the frame is
    touched by `put`, so that it takes as long as a copy.
    """

    def __init__(
        self, path: Path, memory: SharedMemory, picture: Picture, options: RecordingOptions, states: KeptStates | None,
        pace: float,
    ) -> None:  # fmt: skip
        self.path, self._memory, self._before = path, memory, options.before or 0
        self._outbox = Outbox(memory)
        self._states = RunStates(memory, self._outbox, states, options.behind_losses)
        self._intake = Intake(memory, picture, self._outbox, path.name, options.wait, self._states.lost_until)
        self._pace = Pace(pace)
        orders = {"path": str(path), "direct": options.direct, "sync_every": options.sync_every, "parent": os.getpid(),
                  "memory": memory.descriptor, "trial": options.trial}  # fmt: skip
        self._recorder = RecorderProcess(path, memory, orders, self._started_again)

    @classmethod
    def start(
        cls, path: str | os.PathLike[str], preamble: Preamble, options: RecordingOptions = EVERYTHING
    ) -> Recording:
        """Begin a session in a recorder process, which writes when this returns.

        Args: as `begin` has them.

        Raises:
            InputError: as `begin`, or the recorder does not start.
        """
        made = None
        try:
            with uninterrupted():
                made = cls.begin(path, preamble, options)
            made.await_start()
        except BaseException:
            if made is not None:
                made.discard()
            raise
        return made

    @classmethod
    def begin(
        cls, path: str | os.PathLike[str], preamble: Preamble, options: RecordingOptions = EVERYTHING,
        spare: SpareMemory | None = None,
    ) -> Recording:  # fmt: skip
        """Begin a session in a recorder process that may still be starting (`await_start`); frames may be put at once.

        The caller holds Ctrl-C back (`app.files.atomic.uninterrupted`) until the recording is in hand and
        will be closed or discarded: else a file without a frame may be left.

        Args:
            path: a new file, .mcap.
            preamble: what the session says about itself (`Manifest.preamble`).
            options: how it is recorded.
            spare: gives the memory, where it is not made here.

        Raises:
            InputError: the file exists, the system refuses, or there is too little memory; or this is Windows. Nothing
                is left then.
        """
        if os.name != "posix":
            raise InputError("recording needs Linux or macOS; sessions can be read and replayed here")
        target = Path(path).absolute()
        size, before, every = preamble.picture.frame_bytes, options.before, options.state_every
        # How fast frames come from a file is not known.
        coming = 0.0 if options.wait else announced(preamble.facts, preamble.picture)
        slots = queue_slots(size, coming) if options.queue is None else max(2, options.queue)
        # The file is made and closed here; the recorder's process opens it again.
        SessionWriter.create(target, preamble, direct=options.direct, sync_every=0).abandon()
        states = None
        # Frames that are kept for a trigger, and more of them back to the state with which recording may begin.
        held = 0 if before is None else before + options.late
        if every > 0 and before is not None:
            states = KeptStates(every, held)
            held += every + max(every // 2, LEAST_SLOTS)
        try:
            geometry = Geometry(slots + held, size)
            memory = SharedMemory(geometry=geometry) if spare is None else spare.take(geometry)
            page = memory.producer
            page["pre"] = held
            # Without a trigger everything is wanted from the start; else nothing is until one comes.
            page["wanted_until"] = 0 if before is not None else FOREVER
            # What comes only after a trigger comes at an unknown rate, too.
            return cls(target, memory, preamble.picture, options, states, coming if before is None else 0.0)
        except BaseException:  # a name that holds nothing must be free again
            with suppress(OSError):
                target.unlink()  # ours, and without a single frame
            raise

    def await_start(self) -> None:
        """Wait until the recorder records.

        Raises:
            InputError: it does not start.
        """
        self._recorder.await_start()

    def discard(self) -> None:
        """End a session without a frame: its name is free at once, and the recorder ends by itself."""
        with suppress(OSError):
            self.path.unlink()
        self._memory.publish(self._memory.producer, "closing", 1)

    @property
    def process(self) -> int:
        """The recorder's process id."""
        return self._recorder.number

    def _started_again(self, times: int) -> None:
        self.event(events.RECORDER, self.announced, restarts=times)

    @property
    def announced(self) -> int:
        """Frames that were put; the next one's sequence number."""
        return self._intake.announced

    def put(
        self,
        pixels: Pixels,
        *,
        camera_id: int = UNKNOWN,
        camera_time: int = UNKNOWN,
        host_time: int | None = None,
        time_s: float = float("nan"),
    ) -> bool:
        """Announce one frame; False if it was dropped (and counted, and named in the session).

        Args:
            pixels: as delivered by the source.
            camera_id: the camera's own number.
            camera_time: the camera's own clock, ns.
            host_time: when the frame came, ns since 1970; None for now.
            time_s: seconds as pipelines are given them.

        Raises:
            ValueError: the frame has another size or type than the session.
        """
        came = time.time_ns() if host_time is None else host_time
        return self._intake.put(pixels[None], camera_id, camera_time, came, time_s) == 1

    def put_many(self, pixels: Pixels, arrivals: npt.NDArray[Any], times_s: npt.NDArray[np.float64]) -> int:
        """Announce frames, oldest first, for what one costs and the copy.

        Args:
            pixels: (n, *shape).
            arrivals: (n,) of `pipelines.frame.ARRIVAL`.
            times_s: (n,) seconds as pipelines are given them.

        Returns:
            How many were taken: the first so many. The others were dropped, counted and named.

        Raises:
            ValueError: the frames have another size or type than the session.
        """
        if not len(pixels):
            return 0
        return self._intake.put(
            pixels, arrivals["camera_id"], arrivals["camera_time"], arrivals["host_time"], times_s
        )

    def stamp_messages(self, clock: Callable[[], int]) -> None:
        """Have tracks, events and states bear the time that `clock` gives, ns since 1970, instead of the host's."""
        self._outbox.clock = clock

    def unreadable(self, time_s: float, reason: str) -> None:
        """Announce a frame that the source could not read: it has a number and a time, and is named as such."""
        self._intake.unreadable(time_s, reason)

    def tracks(self, rows: Tracks) -> None:
        """Record rows of tracks, with the measures that they carry; they are bit for bit what comes back."""
        self._outbox.tracks(rows)

    def event(self, kind: str, frame: int | None = None, **facts: Any) -> None:
        """Record an event (see `app.sessions.events`); `frame` is None for the next one that is announced."""
        self._outbox.event(kind, self.announced if frame is None else frame, **facts)

    def wants_checkpoint(self, frame: int) -> bool:
        """Whether a state of the run before `frame` is wanted: while a trigger may ask for one, and behind a loss."""
        return self._states.wants(frame)

    def next_checkpoint(self, frame: int) -> int | None:
        """The next frame behind `frame` before which one is wanted, so that a batch has to end there, or None."""
        return self._states.next_cut(frame)

    def checkpoint(self, made: Checkpoint) -> None:
        """Keep a state; it is recorded if a trigger asks for frames that come soon after, or frames are lost."""
        self._states.checkpoint(made, self.announced)

    def taken_over(self, made: Checkpoint) -> None:
        """Have a state without which no replay goes over its frame; it is recorded as soon as that frame is wanted."""
        self._states.taken_over(made, self.announced)

    def trigger(self, reason: str, *, frame: int | None = None, after: int | None = None) -> int:
        """Ask for recording: the frames kept before, and what follows; where states of the run are kept, from the
        frame of such a state on, a little before.

        Args:
            reason: for people: a key, a time, a condition on the tracks.
            frame: sequence number that it is about; None for the next one.
            after: frames to record from there on; None until the end.

        Returns:
            The sequence number that it is about.
        """
        with self._states.lock:
            at = self.announced if frame is None else frame
            page, until = self._memory.producer, self._memory.number("wanted_until")
            state = None
            # What earlier triggers asked for is over: a new stretch begins, maybe with frames that are still held.
            if self._memory.number("next_sequence") >= until:  # all that earlier triggers asked for is settled
                held = self._memory.number("pre")
                self._memory.publish(page, "pre", self._memory.geometry.frame_slots)  # nothing is let go meanwhile
                begin, state = self._states.before(
                    max(at - self._before, until, 0), until, held, self.announced
                )
                # First where it begins, then where it ends: until the end is written, the range is empty.
                self._memory.publish(page, "wanted_from", begin)
                self._memory.publish(page, "wanted_until", FOREVER if after is None else max(until, at + after))
                self._memory.publish(page, "pre", held)
                self._states.send_due(begin - 1 if state is None else state)
            else:
                # Still recording: the end moves on.
                self._memory.publish(page, "wanted_until", FOREVER if after is None else max(until, at + after))
                self._states.send_due()
        self.event(events.TRIGGER, at, reason=reason, after=after, **({} if state is None else {"state": state}))
        return at

    @property
    def account(self) -> Account:
        """The counts so far, for a status line."""
        memory = self._memory
        number = memory.number
        written = number("bytes")
        rate = self._pace.see(time.monotonic(), written, number("recorded") > 0)
        free = number("free")
        known = rate > 0 and bool(free or number("recorded"))  # else the recorder has not looked at the disk yet
        return Account(
            memory.state, self.announced, number("recorded"), number("skipped"), number("dropped"),
            self._intake.head - number("tail"), memory.geometry.frame_slots, written, number("synced"), free,
            free / rate if known else float("inf"), float(memory.recorder["longest_write"][0]),
            float(memory.recorder["longest_sync"][0]), float(memory.recorder["processor"][0]),
            number("restarts"), number("messages_lost"), memory.sentence,
        )  # fmt: skip

    def close(self, patience: float = 60.0) -> Account:
        """Have everything written and the session closed; the final account.

        Args:
            patience: seconds to wait for the recorder.

        Raises:
            InputError: the recorder had to stop, or is not ready in time (it goes on by itself).
        """
        memory = self._memory
        end = time.monotonic() + patience
        if not memory.number("closing"):
            self._intake.end_loss()
            while self._outbox.waiting and not self._recorder.ended and time.monotonic() < end:
                self._outbox.deliver()
                time.sleep(WAIT)
            if memory.number("messages_lost"):
                self.event(events.LOST_MESSAGES, count=memory.number("messages_lost"), reason=NO_ROOM)
            # Last: the recorder looks at it before the rings, and so still takes all that was put before.
            memory.publish(memory.producer, "closing", 1)
        if not self._recorder.wait(end - time.monotonic()):
            raise InputError(f"the recorder of {self.path.name} is still writing after {patience:.0f} seconds; "
                             "it goes on by itself")  # fmt: skip
        account = self.account
        memory.close()
        if account.state is RecorderState.FAILED:
            raise InputError(account.problem)
        return account

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            with suppress(InputError):
                self.close()
