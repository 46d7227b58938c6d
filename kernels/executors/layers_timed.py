"""Schedules of a network side by side: what each is predicted to take, what it takes here, and what it moves.

All give the same bits. Times are the least of all rounds, in which schedules take turns, of a frame on one thread: the
table of a whole schedule at once, and the table of each of its stretches. Bytes are counted in the running program
(`kernels.executors.layers_counted`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_work import weighed
from kernels.executors.layers_core import CoreProbe
from kernels.executors.layers_counted import Accesses, CountedProgram, total
from kernels.executors.machine import Machine
from kernels.executors.networks import NetworkProgram
from kernels.fusion.layers_orders import runs_of
from kernels.fusion.layers_runs import SCHEDULES, Core, Runs, WeighedNetwork, stretches
from kernels.fusion.layers_schedule import striped

LEAST_ROUNDS = 5
IN_A_ROW = 2
"""Runs of one schedule before the next has its turn: the first finds the caches full of the others' maps."""


@dataclass(frozen=True, slots=True)
class TimedStretch:
    """Layers between two cuts, by their numbers; `modules` says what kind each is; seconds a frame."""

    layers: tuple[int, ...]
    modules: tuple[str, ...]
    predicted: float
    measured: float


@dataclass(frozen=True, slots=True)
class TimedSchedule:
    """A schedule; seconds a frame. `same` is the one before with the same runs, if any: it was measured with that."""

    name: str
    stretches: tuple[TimedStretch, ...]
    predicted: float
    measured: float
    accesses: Accesses
    same: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All schedules of a network, and the core that they were predicted for, measured in the same rounds; what people
    call the layers, by number."""

    schedules: tuple[TimedSchedule, ...]
    core: Core
    layers: tuple[str, ...] = ()


def compared(
    program: NetworkProgram, given: Mapping[int, npt.NDArray[Any]], machine: Machine, seconds: float = 2.0,
    clock: Callable[[], float] = thread_time,
) -> Comparison:  # fmt: skip
    """Time and count all schedules of a network.

    Args:
        given: what each bank of a frame holds (`NetworkProgram.banks`).
        seconds: about how long to measure; some rounds at least.
        clock: seconds; replaced in tests.
    """
    network = program.layers.network
    seen = weighed(network)
    ways = {name: runs_of(name, seen, program.core) for name in SCHEDULES}
    held = max(part.held for one in ways.values() for part in stretches(seen, one.cuts, program.core, one.order))
    probe = CoreProbe(machine, clock, held > program.core.last)
    probe.round()
    runs = {one.groups: _Run(program, one, given, clock) for one in ways.values()}
    begin, rounds = perf_counter(), 0
    while rounds < LEAST_ROUNDS or perf_counter() - begin < seconds:
        for run in runs.values():
            for _ in range(IN_A_ROW):
                run.once()
        probe.round()
        rounds += 1
    made: dict[tuple[tuple[int, ...], ...], TimedSchedule] = {}
    found = []
    for name, one in ways.items():
        known = made.get(one.groups)
        if known is None:
            phases = striped(network, one.cuts, 1, program.core.together, one.order)
            counted = CountedProgram(network, phases, machine)
            for number, values in program.constants.items():
                counted.rows(number)[:] = values
            made[one.groups] = _timed(name, seen, one, runs[one.groups], probe.core, total(counted.counted(given)))
            found.append(made[one.groups])
        else:
            found.append(TimedSchedule(name, known.stretches, known.predicted, known.measured, known.accesses,
                                       known.name))  # fmt: skip
    return Comparison(tuple(found), probe.core)


def _timed(
    name: str, network: WeighedNetwork, runs: Runs, run: _Run, core: Core, accesses: Accesses
) -> TimedSchedule:
    parts = stretches(network, runs.cuts, core, runs.order)
    groups = tuple(
        TimedStretch(group, tuple(network.layers[k].module for k in group), part.seconds(core), float(took))
        for group, part, took in zip(runs.groups, parts, run.parts, strict=True)
    )
    return TimedSchedule(name, groups, sum(one.predicted for one in groups), run.whole, accesses)


class _Run:
    """A schedule at work.

    Attributes:
        whole: least seconds of a frame.
    """

    def __init__(
        self, program: NetworkProgram, runs: Runs, given: Mapping[int, npt.NDArray[Any]],
        clock: Callable[[], float],
    ) -> None:  # fmt: skip
        network = program.layers.network
        self._clock, self._given = clock, given
        phases = striped(network, runs.cuts, 1, program.core.together, runs.order)
        self._whole = program.layers.twin([[[unit for (strip,) in phases for unit in strip]]])
        self._parts = program.layers.twin(phases)
        for made in (self._whole, self._parts):
            for number, values in program.constants.items():
                made.rows(number)[:] = values
            made.run(given)
        self.whole = float("inf")
        self._took = np.full(len(runs.cuts) + 2, np.inf)

    def once(self) -> None:
        """One frame at once, and one stretch by stretch."""
        begin = self._clock()
        self._whole.run(self._given)
        self.whole = min(self.whole, self._clock() - begin)
        self._took = np.minimum(self._took, self._parts.timed(self._clock))

    @property
    def parts(self) -> npt.NDArray[np.float64]:
        """Of each stretch."""
        return np.asarray(np.maximum(self._took[1:] - self._took[0], 1e-9))
