"""Schedules of a network side by side: what each is predicted to take, what it takes here, and what it moves.

All give the same bits. Times are the least of all rounds, in which schedules take turns, of a frame on one thread: the
table of a whole schedule at once, and the table of each of its stretches. Bytes are counted in the running program
(`kernels.executors.layers_counted`), stretch by stretch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
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
USUAL = 0.75
"""Share of the rounds that stay below what is usual."""
IN_A_ROW = 2
"""Runs of one schedule before the next has its turn: the first finds the caches full of the others' maps."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Bytes that a stretch, or a schedule of several, is predicted to move: what `Accesses` counts.

    Args:
        activations: of whole maps, read and written.
        weights: that are read.
        rings: of the rows at hand; of several stretches the most.
    """

    activations: float
    weights: float
    rings: float


@dataclass(frozen=True, slots=True)
class TimedStretch:
    """Layers between two cuts, by their numbers; `modules` says what kind each is.

    Args:
        predicted, measured: seconds a frame; the least of all rounds.
        usual: seconds that three of four rounds stay below.
        moved, accesses: bytes, predicted and counted.
    """

    layers: tuple[int, ...]
    modules: tuple[str, ...]
    predicted: float
    measured: float
    usual: float
    moved: Moved
    accesses: Accesses


@dataclass(frozen=True, slots=True)
class TimedSchedule:
    """A schedule; seconds and bytes as of its stretches. `same` is the one before with the same runs, if any: it was
    measured with that."""

    name: str
    stretches: tuple[TimedStretch, ...]
    predicted: float
    measured: float
    usual: float
    moved: Moved
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
            made[one.groups] = _timed(name, seen, one, runs[one.groups], probe.core, counted.counted(given))
            found.append(made[one.groups])
        else:
            found.append(replace(known, name=name, same=known.name))
    return Comparison(tuple(found), probe.core)


def _timed(
    name: str, network: WeighedNetwork, runs: Runs, run: _Run, core: Core, counted: Sequence[Accesses]
) -> TimedSchedule:
    parts = stretches(network, runs.cuts, core, runs.order)
    groups = tuple(
        TimedStretch(group, tuple(network.layers[k].module for k in group), part.seconds(core), float(took),
                     float(usual), Moved(part.moved, part.weights, part.rings), accesses)
        for group, part, took, usual, accesses in zip(runs.groups, parts, *run.parts, counted, strict=True)
    )  # fmt: skip
    moved = Moved(sum(part.moved for part in parts), sum(part.weights for part in parts),
                  max(part.rings for part in parts))  # fmt: skip
    return TimedSchedule(name, groups, sum(one.predicted for one in groups), *run.whole, moved, total(counted))


class _Run:
    """A schedule at work."""

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
        self._wholes: list[float] = []
        self._took: list[npt.NDArray[np.float64]] = []

    def once(self) -> None:
        """One frame at once, and one stretch by stretch."""
        begin = self._clock()
        self._whole.run(self._given)
        self._wholes.append(self._clock() - begin)
        self._took.append(self._parts.timed(self._clock))

    @property
    def whole(self) -> tuple[float, float]:
        """Seconds of a frame: the least, and what three of four rounds stay below."""
        return min(self._wholes), float(np.quantile(self._wholes, USUAL))

    @property
    def parts(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The same of each stretch."""
        took = np.asarray(self._took)
        least, usual = (np.maximum(some[1:] - some[0], 1e-9) for some in (took.min(0), np.quantile(took, USUAL, 0)))
        return least, usual
