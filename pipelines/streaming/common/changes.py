"""Changes while frames pass: parameters, and whole pipelines, each with the frame from which on it holds.

A change takes effect between two batches, never inside one. A live run applies what was asked for at the next boundary
and says the first frame that was processed with it; a replay is given changes with their frames and ends a batch
before each, so that they hold from the very same frame on.

What goes on over a change of the pipeline, in a live run and in a replay alike:

- a tracker goes on if a tracker of the same name, kind and parameters stood in the old pipeline, took outputs of the
  same names and types, and the pictures that these were measured in have the same size;
- every other tracker begins anew; its ids begin past all that were ever given;
- every stage begins anew: its next frame is its first;
- live parameters are those of the new pipeline.

A changed parameter of a tracker lets it go on with its tracks where its memory has the same form with the new value,
and else begins it anew.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from kernels.param import Value
from pipelines.graph import Pipeline


@dataclass(frozen=True)
class Change:
    """Parameter `param` of the stage or tracker `node` is `value` from `frame` on."""

    frame: int
    node: str
    param: str
    value: Value


@dataclass(frozen=True)
class Structure:
    """Frames from `frame` on are processed by `pipeline`."""

    frame: int
    pipeline: Pipeline


AnyChange = Change | Structure


class Scheduled:
    """Changes whose frames are known, as a replay has them.

    Args:
        changes: in any order; those of one frame keep theirs.
    """

    def __init__(self, changes: Iterable[AnyChange] = ()) -> None:
        self._rest = deque(sorted(changes, key=lambda change: change.frame))

    def take(self, frame: int) -> list[AnyChange]:
        """What holds from `frame` on, the first of the next batch: the changes of it, and of frames before it that were
        never processed, in the order in which they are to be applied."""
        found: list[AnyChange] = []
        while self._rest and self._rest[0].frame <= frame:
            found.append(replace(self._rest.popleft(), frame=frame))
        return found

    def boundary(self, frame: int) -> int | None:
        """The first frame after `frame` before which a batch must end, or None."""
        return next((change.frame for change in self._rest if change.frame > frame), None)


class Changes:
    """What was asked for while a live run runs, and what was scheduled before; any thread may put.

    Args:
        scheduled: changes with frames.
        applied: called with each change as it takes effect, its frame being the first that is processed with it.
    """

    def __init__(
        self, scheduled: Iterable[AnyChange] = (), applied: Callable[[AnyChange], None] | None = None
    ) -> None:
        self._scheduled = Scheduled(scheduled)
        self._asked: deque[AnyChange] = deque()
        self._lock = threading.Lock()
        self._applied = applied

    def put(self, change: AnyChange) -> None:
        """Have `change` applied at the next boundary; its frame does not matter."""
        with self._lock:
            self._asked.append(change)

    def take(self, frame: int) -> list[AnyChange]:
        """As `Scheduled` has it, and what was asked for behind it."""
        # Nearly always: no lock where nothing was asked for.
        if not self._asked and self._scheduled.boundary(-1) is None:
            return []
        with self._lock:
            found = self._scheduled.take(frame)
            while self._asked:
                found.append(replace(self._asked.popleft(), frame=frame))
        return found

    def boundary(self, frame: int) -> int | None:
        """As `Scheduled` has it."""
        return self._scheduled.boundary(frame)

    def applied(self, change: AnyChange) -> None:
        """Say that a change holds now."""
        if self._applied is not None:
            self._applied(change)
