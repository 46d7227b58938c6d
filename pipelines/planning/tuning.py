"""Tuning: the planner's best plans, compiled and timed on this machine; the fastest is kept.

Timing is of whole batches through the compiled groups, in turns, so that all plans meet the same machine; host stages
run once, to give the groups after them their input, and are not in the times: no plan changes them.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernels.errors import DefinitionError
from kernels.executors.base import Batch, DeviceModel, Executor, Program, compiled
from kernels.executors.calibration import identity
from kernels.executors.manifest import generator
from kernels.executors.measurement_cache import MeasurementCache
from kernels.executors.placement import available
from kernels.ir.image import ImageType
from pipelines.feedback import nothing
from pipelines.fusing import Unit, fuse
from pipelines.graph import SOURCE, Bound, Ref
from pipelines.planning.planner import Wishes, planner_of
from pipelines.planning.workload import workload

KIND = "plan"
BATCH = 16
"""Frames a batch unless said otherwise: what a run takes at most."""
COUNT = 6
"""Plans that are timed."""
SECONDS = 3.0
LEAST_ROUNDS = 5
CLOSE = 0.02
"""Of plans whose times differ by at most this share, the one with the fewest groups is taken."""
UNSTEADY = 0.3
COMPILING = 60.0
"""Seconds after which no further plan is compiled, and three times as many as no further one is looked for. A pipeline
with two networks of 90 layers has a hundred edges that a plan can decide the other way, a second of a core each."""
Partition = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Timed:
    """Seconds a frame: median and quartiles."""

    name: str
    median: float
    low: float
    high: float

    @property
    def spread(self) -> float:
        """Distance between the quartiles, by the median."""
        return (self.high - self.low) / self.median if self.median > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    """A partition.

    Args:
        groups: node ids, host stages included.
        units: its compiled groups, in order.
        whole: all of them together.
    """

    groups: Partition
    units: tuple[Timed, ...]
    whole: Timed


@dataclass(frozen=True, slots=True)
class Tuned:
    """The partition that was found fastest, all that were timed (fastest first), and a sentence if there is a but."""

    groups: Partition
    measured: tuple[Measured, ...]
    remark: str = ""


def synthetic(image: ImageType, count: int) -> Batch:
    """Frames (count, *shape) of a source: a soft pattern that moves, with noise, so that masks are not all the same.

    Args:
        image: type of a frame.
    """
    rng = np.random.default_rng(1)
    y, x = np.mgrid[: image.height, : image.width].astype(np.float32)
    frames = np.empty((count, *image.shape), image.dtype.numpy)
    for t in range(count):
        frame = 0.4 + 0.2 * np.sin((x + 2 * t) / 9) * np.cos((y + t) / 7) + 0.02 * rng.random(x.shape, np.float32)
        scaled = frame * image.white
        frames[t] = scaled if frames.ndim == 3 else scaled[..., np.newaxis]
    return frames


@dataclass(frozen=True, slots=True)
class Trial:
    """What is timed.

    Args:
        bound: the pipeline.
        wanted: the outputs that must be there at the end.
        executor: compiles and runs them.
        frames: a batch of the source.
    """

    bound: Bound
    wanted: Sequence[Ref]
    executor: Executor
    frames: Batch


@dataclass(frozen=True, slots=True)
class Patience:
    """How long it may take.

    Args:
        seconds: about how long to measure; five rounds at least.
        compiling: seconds after which no further partition is compiled.
        notify: takes sentences about how far it is.
        clock: seconds; replaced in tests.
    """

    seconds: float = SECONDS
    compiling: float = COMPILING
    notify: Callable[[str], None] | None = None
    clock: Callable[[], float] = time.perf_counter


PATIENCE = Patience()


def time_partitions(trial: Trial, partitions: Sequence[Sequence[Sequence[str]]], patience: Patience) -> list[Measured]:
    """The times of some partitions, interleaved, in the order given; of the first ones alone where patience ends."""
    clock, notify, seconds = patience.clock, patience.notify, patience.seconds
    runs, begin = list[_Run](), clock()
    for number, groups in enumerate(partitions, 1):
        if runs and clock() - begin > patience.compiling:
            break
        if notify is not None:
            notify(f"plan {number} of {len(partitions)} is being compiled ({clock() - begin:.0f} s so far)")
        runs.append(_Run(trial, groups, clock))
        runs[-1].once(timed=False)
    if notify is not None:
        notify(f"{len(runs)} plans are being timed, for {seconds:.0f} s or {LEAST_ROUNDS} rounds")
    # Interleaved in a shuffled order with a seed of its own: drifts of the machine meet all plans alike.
    order = list(runs)
    shuffle = random.Random(1)
    begin, rounds = clock(), 0
    while rounds < LEAST_ROUNDS or clock() - begin < seconds:
        shuffle.shuffle(order)
        for run in order:
            run.once()
        rounds += 1
    return [run.measured() for run in runs]


class _Run:
    """One partition at work."""

    def __init__(self, trial: Trial, groups: Sequence[Sequence[str]], clock: Callable[[], float]) -> None:
        self.groups, self.clock, self.frames = tuple(tuple(g) for g in groups), clock, len(trial.frames)
        self.units = fuse(trial.bound, groups, trial.wanted)
        self.programs = [compiled(trial.executor, unit.body) for unit in self.units]
        self.values: dict[Ref, Any] = {Ref(SOURCE): trial.frames}
        self.seconds: list[list[float]] = [[] for _ in self.units]
        self.hosted = False

    def once(self, timed: bool = True) -> None:
        """One batch through all groups."""
        for unit, program, seconds in zip(self.units, self.programs, self.seconds, strict=True):
            host = _hosted(unit, program)
            if host and self.hosted:
                continue
            inputs = [None if ref is None else self.values[ref] for ref in unit.inputs]
            for i in unit.before:  # nothing is timed of what that leads to, a host stage
                inputs[i] = [nothing(unit.body.inputs[i])] * self.frames
            start = self.clock()
            made = program.run(inputs, {})
            if timed and not host:
                seconds.append((self.clock() - start) / self.frames)
            for name, data in made.items():
                self.values[unit.outputs[name]] = data
        self.hosted = True

    def measured(self) -> Measured:
        ours = [(u, s) for u, p, s in zip(self.units, self.programs, self.seconds, strict=True) if not _hosted(u, p)]
        # Turn by turn the sum of all units, of which the median is taken afterwards.
        whole = [sum(parts) for parts in zip(*(s for _, s in ours), strict=True)] or [0.0]
        return Measured(self.groups, tuple(_timed(u.name, s) for u, s in ours), _timed("", whole))


def _hosted(unit: Unit, program: Program) -> bool:
    """Whether the host computes it."""
    return unit.body.host is not None and getattr(program, "back_end", "") != "cuda"


def _timed(name: str, seconds: Sequence[float]) -> Timed:
    low, median, high = np.percentile(seconds, (25, 50, 75))
    return Timed(name, float(median), float(low), float(high))


def tune(
    trial: Trial, device: DeviceModel, *, also: Iterable[Sequence[Sequence[str]]] = (), count: int = COUNT,
    store: MeasurementCache | None = None, threads: int = 0, machine: Mapping[str, object] | None = None,
    patience: Patience = PATIENCE,
) -> Tuned:  # fmt: skip
    """Time the planner's best partitions, and keep the fastest for this machine, pipeline and type of frame.

    Partitions whose kernels spill registers are not timed, if there are any that do not, nor those that are left when
    looking for plans and compiling them has taken too long (`patience`).

    Args:
        trial: what; its executor is the compiled back end, with `threads` threads (0: all).
        device: what the planner reckons with.
        also: partitions to time besides.
        count: of the planner's plans.
        machine: what the winner is kept for; this computer's processor without it.

    Raises:
        DefinitionError: there is nothing to compile, or no compiled back end.
    """
    bound, wanted, executor, notify = trial.bound, trial.wanted, trial.executor, patience.notify
    if executor.name == "reference":
        raise DefinitionError("there is nothing to tune for the reference back end, which runs stage by stage")
    seen = _seen(bound, wanted)
    if notify is not None:
        notify(f"plans are being looked for, for up to {patience.compiling / 3:.0f} s")
    plans = planner_of(seen, device).ranked(4 * count, _wishes(seen, len(trial.frames)), patience.compiling / 3)
    # A dict keeps the order and drops partitions that are alike.
    found = dict.fromkeys([plan.partition for plan in plans][:count])
    found |= dict.fromkeys(tuple(tuple(group) for group in groups) for groups in also)
    whole = [_complete(bound, groups) for groups in found]
    if executor.name == "cuda":
        from pipelines.planning.spills import spills  # here: it brings all that makes CUDA, which no other run needs

        spilled = [sum(spills(compiled(executor, u.body)) for u in fuse(bound, g, wanted)) for g in whole]
        whole = [groups for groups, n in zip(whole, spilled, strict=True) if not n] or whole
    measured = time_partitions(trial, whole, patience)
    left = len(whole) - len(measured)
    measured.sort(key=lambda m: m.whole.median)
    # Differences below CLOSE are noise: of those plans the one with the fewest groups.
    close = [m for m in measured if m.whole.median <= measured[0].whole.median * (1 + CLOSE)]
    best = min(close, key=lambda m: len(m.groups))
    remarks = []
    if left:
        remarks.append(f"{left} of {len(whole)} plans were not timed: compiling took more than "
                       f"{patience.compiling:.0f} s; tune again, and go on from what is compiled now")  # fmt: skip
    if best.whole.spread > UNSTEADY:
        remarks.append(f"the machine was busy: half of the turns lie {best.whole.spread:.0%} of their median apart; "
                       "tune again when nothing else runs")  # fmt: skip
    facts = {"groups": best.groups, "seconds": best.whole.median, "spread": best.whole.spread}
    trouble = (store or MeasurementCache()).put(KIND, _about(bound, wanted, threads, machine), facts)
    return Tuned(best.groups, tuple(measured), "; ".join(text for text in (*remarks, trouble) if text))


def kept_groups(
    bound: Bound, wanted: Sequence[Ref], threads: int = 0, store: MeasurementCache | None = None,
    machine: Mapping[str, object] | None = None,
) -> tuple[Partition | None, str]:  # fmt: skip
    """The groups that `tune` has kept for this machine, pipeline and type of frame; a sentence if there are some that
    cannot be used."""
    try:
        about = _about(bound, wanted, threads, machine)
    except DefinitionError:
        return None, ""
    store = store or MeasurementCache()
    facts, remark = store.get(KIND, about)
    if facts is None:  # those of another version are not trusted: what it generates may be another thing
        return None, remark or store.outdated(KIND, about, ("machine", "pipeline", "frame"))
    try:
        groups = tuple(tuple(str(name) for name in group) for group in facts["groups"])
        fuse(bound, groups, wanted)
    except (KeyError, TypeError, DefinitionError):
        return None, f"{store.path(KIND, about)} is ignored, since its groups do not fit the pipeline; tune again"
    return groups, ""


def planned_groups(
    bound: Bound, wanted: Sequence[Ref], device: DeviceModel, batch: int = BATCH,
    tensor: Mapping[str, str] | None = None,
) -> Partition:  # fmt: skip
    """The planner's groups for batches of this length.

    Args:
        tensor: what tensor cores make (`planner_of`).

    Raises:
        DefinitionError: there is no plan.
    """
    seen = _seen(bound, wanted)
    return _complete(bound, planner_of(seen, device, tensor=tensor).plan(_wishes(seen, batch)).partition)


def seen_by(bound: Bound, wanted: Sequence[Ref], batch: int) -> tuple[Bound, Wishes]:
    """What a planner is asked when a run wants some outputs in batches of a length."""
    seen = _seen(bound, wanted)
    return seen, _wishes(seen, batch)


def _seen(bound: Bound, wanted: Sequence[Ref]) -> Bound:
    """The pipeline with all of `wanted` as its taps."""
    return replace(bound, taps=tuple(dict.fromkeys((*bound.taps, *wanted))))


def _wishes(bound: Bound, batch: int) -> Wishes:
    names = {task.node for task in workload(bound).tasks}
    together, apart = (tuple(p for p in pairs if set(p) <= names) for pairs in (bound.pins.fuse, bound.pins.cut))
    return Wishes(batch=batch, fuse=together, cut=apart)


def _complete(bound: Bound, groups: Sequence[Sequence[str]]) -> Partition:
    """The groups, nodes that the planner left out because nothing needs them being left out, each behind those whose
    results it names: a planner knows of pixels that are read, not of a stage that is told a picture's size alone."""
    by_id = {node.id: node for node in bound.nodes}
    left = [tuple(name for name in group if name in by_id) for group in groups]
    maker: dict[str, tuple[str, ...]] = {}
    for group in left:
        for name in group:
            maker.setdefault(name, group)
    needs = {group: {maker[ref.node] for name in group for ref in (*by_id[name].inputs, *by_id[name].before.values())
                     if ref is not None and ref.node in maker and ref.node not in group} for group in left}  # fmt: skip
    made: list[tuple[str, ...]] = []
    while left:
        ready = next((group for group in left if needs[group] <= {*made}), left[0])  # as it was, if they go in a circle
        left.remove(ready)
        made.append(ready)
    return tuple(made)


def _about(
    bound: Bound, wanted: Sequence[Ref], threads: int, machine: Mapping[str, object] | None = None
) -> dict[str, object]:
    """What a winner depends on: the machine, the versions, the pipeline's structure, the type of frame, the threads."""
    return {"machine": machine or identity(threads or available()), "generator": generator(), "numpy": np.__version__,
            "pipeline": structure(bound, wanted), "frame": str(bound.source)}  # fmt: skip


def structure(bound: Bound, wanted: Sequence[Ref]) -> str:
    """A digest of a pipeline's structure: everything but live parameters."""
    source = (str(bound.source), bound.source.white)  # 8 bits of 8 are what no word about bits means too
    digest = hashlib.sha256(repr((source, bound.pins, [str(ref) for ref in wanted])).encode())
    for node in bound.nodes:
        fixed = {name: value for name, value in node.body.params.items() if name not in node.body.live}
        types = [str(output.type) for output in node.body.outputs]
        inputs = [str(node.before.get(i, ref)) for i, ref in enumerate(node.inputs)]
        parts = (node.id, node.stage.name, inputs, sorted(fixed.items()), types)
        digest.update(repr(parts).encode())
    return digest.hexdigest()
