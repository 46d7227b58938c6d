"""What a live run or a playback is doing, and which ways lead from one to another."""

from __future__ import annotations

import threading
from collections.abc import Callable
from enum import Enum

from kernels.errors import InputError


class RunState(Enum):
    """States of a live run and of a playback.

    ::

        IDLE --> STARTING --> RUNNING <--> PAUSED           a live run:  RUNNING, PAUSED <--> RECONNECTING
         |          |            |            |             a playback:  RUNNING, PAUSED <--> SEEKING
         |          v            v            v
         |       STOPPING <------+------------+----- RECONNECTING, SEEKING
         v          v
        STOPPED <---+                                       any but STOPPED --> FAILED

    IDLE: nothing has begun. STARTING: compiling, the camera connects. RUNNING: frames are processed as they come (a
    clip is played). PAUSED: none are; a live run goes on to take and to record them. SEEKING: a playback works its way
    to another frame. RECONNECTING: the camera is lost and tried again. STOPPING: what was taken is finished. STOPPED
    and FAILED are the ends; a failed run says why in one sentence.
    """

    IDLE = "idle"
    STARTING = "starting"
    RUNNING = "running"
    PAUSED = "paused"
    SEEKING = "seeking"
    RECONNECTING = "reconnecting"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        """Whether nothing more will happen."""
        return self in (RunState.STOPPED, RunState.FAILED)


_S = RunState
WAYS: dict[RunState, frozenset[RunState]] = {
    _S.IDLE: frozenset({_S.STARTING, _S.STOPPED, _S.FAILED}),
    _S.STARTING: frozenset({_S.RUNNING, _S.PAUSED, _S.STOPPING, _S.FAILED}),
    _S.RUNNING: frozenset({_S.PAUSED, _S.SEEKING, _S.RECONNECTING, _S.STOPPING, _S.FAILED}),
    _S.PAUSED: frozenset({_S.RUNNING, _S.SEEKING, _S.RECONNECTING, _S.STOPPING, _S.FAILED}),
    _S.SEEKING: frozenset({_S.RUNNING, _S.PAUSED, _S.STOPPING, _S.FAILED}),
    _S.RECONNECTING: frozenset({_S.RUNNING, _S.PAUSED, _S.STOPPING, _S.FAILED}),
    _S.STOPPING: frozenset({_S.STOPPED, _S.FAILED}),
    _S.STOPPED: frozenset(),
    _S.FAILED: frozenset(),
}
"""Which states may follow."""


class Machine:
    """The state of one run; any thread may ask, and wait for a change.

    Args:
        notify: called with each new state by the thread that brought it about.
    """

    def __init__(self, notify: Callable[[RunState], None] | None = None) -> None:
        self._state, self._notify = RunState.IDLE, notify
        self._changed = threading.Condition()

    @property
    def state(self) -> RunState:
        """Now."""
        return self._state

    def to(self, state: RunState) -> None:
        """Go on to `state`; nothing happens where the machine is there already.

        Raises:
            InputError: no way leads there.
        """
        with self._changed:
            if state is self._state:
                return
            if state not in WAYS[self._state]:
                raise InputError(f"a run that is {self._state.value} cannot be {state.value}")
            self._state = state
            self._changed.notify_all()
        if self._notify is not None:
            self._notify(state)

    def try_to(self, state: RunState, *when: RunState) -> bool:
        """Go to `state` if the run is in one of `when` (any, where none is named) and a way leads there."""
        with self._changed:
            if (when and self._state not in when) or state not in WAYS[self._state]:
                return False
            self._state = state
            self._changed.notify_all()
        if self._notify is not None:
            self._notify(state)
        return True

    def wait(self, *states: RunState, timeout: float | None = None) -> bool:
        """Until the run is in one of `states` (or has ended); whether it is in one of them."""
        with self._changed:
            self._changed.wait_for(lambda: self._state in states or self._state.ended, timeout)
            return self._state in states
