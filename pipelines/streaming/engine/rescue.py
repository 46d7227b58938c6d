"""The processor goes on where a GPU fails in the middle of a run.

What the GPU remembers of the frames before is lost with it. So while one runs and the user leaves the choice, a copy of
the engine's state is kept, not older than some seconds. The processor goes on from that copy, computes the frames since
once more, whose results have been used already, and then is where the GPU failed. States have one form on every
back end and all give the same bits, so the results tell nothing of it.
"""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kernels.errors import InputError
from kernels.executors.base import Executor
from kernels.param import Value
from pipelines.streaming.engine.engine import Engine

SPACING = 10.0
"""Seconds from one copy of the state to the next. A copy waits for the batches under way and brings the state down,
which takes milliseconds; the processor has to repeat what the GPU has done since the last one."""


class GpuFailed(Exception):
    """A GPU failed while the processor may take over.

    Args:
        error: what it said.
        frame: the first whose result is missing.
    """

    def __init__(self, error: InputError, frame: int) -> None:
        super().__init__(str(error))
        self.error, self.frame = error, frame


def remembers(state: Mapping[str, Any] | None) -> bool:
    """Whether a state holds anything of the frames before."""
    return state is not None and any(one["memory"] or any(one["history"]) for one in state.values())


@dataclass(frozen=True)
class Copy:
    """The state before a frame.

    Args:
        engine: whose it is.
        frame: None for the first.
        state: what its programs remember; None for nothing.
        settings: its live parameters that were changed.
    """

    engine: Engine
    frame: int | None = None
    state: Mapping[str, Any] | None = None
    settings: Mapping[tuple[str, str], Value] = field(default_factory=dict)


class Rescue:
    """Copies of an engine's state, the last of which is kept.

    Args:
        engine: in its first-frame state.
        spacing: seconds from one copy to the next; None for `SPACING`.
    """

    def __init__(self, engine: Engine, spacing: float | None = None) -> None:
        self._spacing = SPACING if spacing is None else spacing
        self._copy, self._since = Copy(engine), time.monotonic()

    @property
    def due(self) -> bool:
        """Whether the copy is old."""
        return time.monotonic() - self._since >= self._spacing

    def keep(self, engine: Engine, frame: int) -> None:
        """Keep a copy of the state before `frame`; no batch may be under way.

        Raises:
            GpuFailed: the device says no.
        """
        try:
            state = engine.snapshot()
        except InputError as error:
            raise GpuFailed(error, frame) from error
        self.have(engine, frame, state)

    def have(self, engine: Engine, frame: int, state: Mapping[str, Any]) -> None:
        """A copy of the state before `frame` was made elsewhere."""
        self._copy, self._since = Copy(engine, frame, state, dict(engine.settings)), time.monotonic()

    def copy_of(self, engine: Engine) -> Copy:
        """The last copy of the state of `engine`; that of its first frame where there is no other."""
        return self._copy if self._copy.engine is engine else Copy(engine)

    def begin_again(self, engine: Engine) -> None:
        """Another engine runs, in its first-frame state."""
        self._copy, self._since = Copy(engine), time.monotonic()

    def check(self, lost: Engine, error: InputError) -> None:
        """Whether there is a state of an engine that failed.

        Raises:
            InputError: there is none.
        """
        if self._copy.engine is not lost:
            raise InputError(f"{error}; the pipeline had just been changed, so the processor cannot go on")

    def engine(self, lost: Engine, executor: Executor, exact: bool) -> tuple[Engine, int | None]:
        """An engine in the state of the last copy, and the frame that comes next there (None: the first).

        Args:
            lost: the engine that failed.
            executor: of the new one.
            exact: as both take it.
        """
        copy = self._copy
        keep = tuple(ref for ref in lost.taps if ref not in lost.bound.taps)
        groups = [tuple(node.id for node in unit.nodes) for unit in lost.units]
        # The same groups: what programs remember belongs to them.
        made = Engine(lost.bound, executor, keep, groups, exact)
        for (node, name), value in copy.settings.items():
            made.set_param(node, name, value)
        if copy.state is not None:
            made.restore(copy.state)
        return made, copy.frame


def let_go(lost: Engine, error: BaseException | None) -> None:
    """Give back the memory of an engine that failed with `error`, whose traceback knows it, too."""
    lost.close()
    # Tracebacks hold frames of the stack, and these hold the engine's memory; causes have tracebacks of their own.
    seen: set[int] = set()
    errors = [error]
    while errors:
        one = errors.pop()
        if one is not None and id(one) not in seen:
            seen.add(id(one))
            one.__traceback__ = None
            errors += [one.__cause__, one.__context__]
    gc.collect()  # batches under way and programs know each other
    with contextlib.suppress(Exception):  # a device that is lost takes nothing back
        getattr(lost.executor, "give_back", lambda: None)()


def take_over_counts(engine: Engine, lost: Engine) -> None:
    """Have the settings of an engine that failed, and go on counting where it ended."""
    for (node, name), value in lost.settings.items():
        engine.set_param(node, name, value)
    engine.overflow.clear()
    go_on_counting(engine, lost)


def go_on_counting(engine: Engine, before: Engine) -> None:
    """Go on counting where another engine ended."""
    for node, rows in before.overflow.items():
        engine.overflow[node] = engine.overflow.get(node, 0) + rows
    for unit, seconds in before.seconds.items():
        engine.seconds[unit] = engine.seconds.get(unit, 0.0) + seconds
    engine.sent_back_before.update(before.sent_back)
