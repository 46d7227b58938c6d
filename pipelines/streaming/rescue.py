"""The processor goes on where a GPU fails in the middle of a run.

What the GPU remembers of the frames before is lost with it. So while one runs and the user leaves the choice, a copy of
the engine's state is kept, not older than some seconds. The processor goes on from that copy, computes the frames since
once more, whose results have been used already, and then stands where the GPU failed. States have one form on every
back end and all give the same bits, so the results tell nothing of it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kernels.errors import DefinitionError, InputError
from kernels.executors.base import Executor
from kernels.param import Value
from pipelines.streaming.engine import Engine

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
    """

    def __init__(self, engine: Engine) -> None:
        self._copy, self._since = Copy(engine), time.monotonic()

    @property
    def due(self) -> bool:
        """Whether the copy is old."""
        return time.monotonic() - self._since >= SPACING

    def keep(self, engine: Engine, frame: int) -> None:
        """Keep a copy of the state before `frame`; no batch may be under way.

        Raises:
            GpuFailed: the device says no.
        """
        try:
            state = engine.snapshot()
        except InputError as error:
            raise GpuFailed(error, frame) from error
        except Exception as error:  # a driver says no in many ways
            said = f"the state cannot be fetched: {type(error).__name__}: {' '.join(str(error).split())}"
            raise GpuFailed(DefinitionError(said), frame) from error
        self._copy, self._since = Copy(engine, frame, state, dict(engine.settings)), time.monotonic()

    def check(self, lost: Engine, error: InputError) -> None:
        """Whether there is a state of an engine that failed.

        Raises:
            InputError: there is none.
        """
        if self._copy.engine is not lost:
            raise InputError(f"{error}; the pipeline had just been changed, so the processor cannot go on")

    def engine(self, lost: Engine, executor: Executor, exact: bool) -> tuple[Engine, int | None]:
        """An engine that stands where the last copy was made, and the frame that comes next there (None: the first).

        Args:
            lost: the engine that failed.
            executor: of the new one.
            exact: as both take it.
        """
        copy = self._copy
        keep = tuple(ref for ref in lost.taps if ref not in lost.bound.taps)
        groups = [tuple(node.id for node in unit.nodes) for unit in lost.units]
        made = Engine(lost.bound, executor, keep, groups, exact)
        for (node, name), value in copy.settings.items():
            made.set_param(node, name, value)
        if copy.state is not None:
            made.restore(copy.state)
        return made, copy.frame


def take_over_counts(engine: Engine, lost: Engine) -> None:
    """Have the settings of an engine that failed, and go on counting where it ended."""
    for (node, name), value in lost.settings.items():
        engine.set_param(node, name, value)
    engine.overflow.clear()
    engine.overflow.update(lost.overflow)
    for unit, seconds in lost.seconds.items():
        engine.seconds[unit] = engine.seconds.get(unit, 0.0) + seconds
