"""Which states of a run a recording takes, and when they go into the session: before a trigger's first frame, where a
GPU failed, and behind frames that found no room.

A replay goes over the frames of the session alone. Where frames were processed and are not in it, it needs the state
that the run had behind them, before the first frame that was recorded again; batches end there, so that there is one.
On a disk that loses some of every few frames large states would only cost more of them; so they are asked for as long
as all of them take no more than `FREE` bytes and a share of what the frames take, and as the recorder keeps up with
messages. Where one is due and is not affordable, the next that is takes its place: what lies between is not replayed to
the same tracks, and the replay says so.
"""

from __future__ import annotations

import threading
from collections import deque

from app.sessions import events
from app.sessions.outbox import Outbox
from app.sessions.shared import FOREVER, SharedMemory
from app.sessions.states import KeptStates, pack_state
from pipelines.streaming.engine.checkpoint import Checkpoint

PATIENCE = 1.0
"""Seconds that a trigger waits, at most, until the recorder has taken the state before its first frame."""
FREE, SHARE = 32 << 20, 8
"""Bytes that states behind lost frames may take, besides one in so many of the bytes of frames."""
MOST_LOSSES = 4096
"""Ends of losses that wait for a state, at most; a run asks for them at every batch."""


class RunStates:
    """The states of the run that a session records, on their way.

    `lost_until` is called by the thread that puts frames, `wants` and `next_cut` by the one that computes, `checkpoint`
    and `taken_over` by the one that tracks; `begin` and `send_due` by any, which holds `lock`.

    Args:
        memory: shared with the recorder.
        outbox: where they go.
        kept: those that are kept in memory for a trigger, None where there is none to come.
        behind_losses: whether they are wanted behind frames that found no room.
    """

    def __init__(self, memory: SharedMemory, outbox: Outbox, kept: KeptStates | None, behind_losses: bool) -> None:
        self._memory, self._outbox, self._kept, self._behind_losses = memory, outbox, kept, behind_losses
        self.lock = threading.RLock()
        self._asking = threading.Lock()  # never held for long: the camera's thread takes it
        self._owes = False
        self._owed: set[int] = set()
        self._losses: deque[int] = deque(maxlen=MOST_LOSSES)
        self._ends: set[int] = set()
        self._unsent: list[Checkpoint] = []
        self._sent = 0

    def lost_until(self, frame: int) -> None:
        """Frames before `frame` found no room, and this one did; it has not been given to the run yet."""
        if self._behind_losses:
            with self._asking:
                self._losses.append(frame)

    def wants(self, frame: int) -> bool:
        """Whether the state before `frame`, the next to be processed, is wanted."""
        with self._asking:
            due = False
            # Losses that lie before this frame: one state behind the last of them serves all.
            while self._losses and self._losses[0] <= frame and self._affordable:
                self._losses.popleft()
                due = True
            if due:
                self._ends.add(frame)
            if self._owes:  # once
                self._owes = False
                self._owed.add(frame)
                return True
        forever = self._memory.number("wanted_until") == FOREVER
        return due or (self._kept is not None and not forever and self._kept.wants(frame))

    def next_cut(self, frame: int) -> int | None:
        """The next frame behind `frame` before which a state is wanted, so that a batch has to end there."""
        if not self._losses:
            return None
        with self._asking:
            return next((end for end in self._losses if end > frame), None) if self._affordable else None

    @property
    def _affordable(self) -> bool:
        """Whether a state behind a loss can be had, as far as is known before it is made."""
        written = self._memory.number("recorded") * self._memory.geometry.frame_bytes
        # The recorder keeps up with messages, and states take no more than their share of the bytes.
        return not self._outbox.waiting and self._sent <= FREE + written // SHARE

    def checkpoint(self, made: Checkpoint, announced: int) -> None:
        """Have a state that was wanted; `announced` frames have come."""
        with self._asking:
            owed, end = made.frame in self._owed, made.frame in self._ends
            self._owed.discard(made.frame)
            self._ends.discard(made.frame)
        if end:
            self.taken_over(made, announced)
        elif self._kept is not None:
            self._kept.put(made, announced)
        if owed and not end:
            self._send(made, PATIENCE)

    def taken_over(self, made: Checkpoint, announced: int) -> None:
        """Have a state without which no replay goes over its frame; it is recorded as soon as that frame is wanted."""
        if self._kept is not None:
            self._kept.put(made, announced)
        with self.lock:
            self._unsent.append(made)
            self.send_due()
            held = self._memory.number("pre")  # no trigger comes back for those before
            self._unsent = [made for made in self._unsent if made.frame > announced - held]

    def send_due(self, begin: int = -1) -> None:
        """Record what `taken_over` was given, as far as its frames are wanted; forget what lies before `begin`, the
        frame of the state with which recording begins."""
        until = self._memory.number("wanted_until")
        for made in self._unsent:
            if begin < made.frame < until:
                self._send(made)
        self._unsent = [made for made in self._unsent if made.frame >= max(begin, until)]

    def _send(self, made: Checkpoint, patience: float = 0.0) -> None:
        """Record one, ahead of the tracks of its frames; wait until it is on its way if there is some patience."""
        try:
            data = pack_state(made)
        except ValueError as error:  # a user's tracker with a memory of its own
            said = str(error)
        else:
            self._sent += len(data)
            if not patience:
                self._outbox.state_in_turn(made.frame, data)
                return
            if self._outbox.state(made.frame, data, patience):
                return
            said = "the recorder had no room for it"
        self._outbox.event(events.NOTE, made.frame, text=f"the state before it cannot be recorded: {said}")

    def before(self, begin: int, until: int, held: int, announced: int) -> tuple[int, int | None]:
        """Record the state that is nearest before frame `begin`; the frame with which recording
        has to begin, and that of the state, None if there is none.

        Args:
            until: one past the last frame that was asked for before.
            held: frames that are kept in memory.
            announced: frames that have come.
        """
        settled = self._memory.number("next_sequence")
        if self._kept is None or begin <= settled == until:  # nothing is left out before it
            return begin, None
        # Its frame must still be held, and not be written already.
        point = self._kept.newest(max(settled, announced - held), begin)
        if point is None:
            if settled == until:
                return settled, None
            self._owes = True  # the run stood still, say: the next state is recorded, before the next batch
            return begin, None
        self._send(point, PATIENCE)
        return point.frame, point.frame
