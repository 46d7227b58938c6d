"""Calibration: this machine's constants, measured with the code that the cpu back end itself generates.

Every probe is run with one thread and with all of them, in turns, so that a disturbance meets all probes alike; what
counts is their lower quartile, since whatever else runs only adds. The cost of a call is taken off first; then

    rate   = lanes / seconds, the geometric mean of f32 and 16-bit arithmetic
    near   = 4 bytes x lanes of looks / (seconds - what the arithmetic among them takes)
    row    = seconds / rows, of rows so short that their pixels do not count
    cache  = bytes read and written / seconds, of a copy of 4 MB (larger than a core's own caches)
    dram   = the same of a copy several times as large as the shared cache
    cache_bytes = the largest copy that is nearer to the cache's speed than to DRAM's (by ratio)

The kept result is this machine's alone: processor, its features, its caches, and the number of threads are part of its
name.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np

from kernels.errors import DefinitionError
from kernels.executors.base import DeviceModel, Executor, Program, executor
from kernels.executors.machine import Machine
from kernels.executors.measurement_cache import MeasurementCache
from kernels.executors.microbenchmarks import COPIES, MB, TAPS, Microbenchmark, probes
from kernels.executors.placement import available, first_cache, own_cache, shared_cache
from kernels.ir.image import ImageType

NAME = "this-cpu"
KIND = "device"
ROUNDS = 40
TURN = 0.012
"""Seconds a turn of a probe, about; one call at least."""
SECONDS = 10.0
"""Time after which no further round is begun."""
LEAST_ROUNDS = 3
UNSTEADY = 0.3
"""Distance between the quartiles of a probe, by its median, from which on the figures are not to be trusted."""
_NO_CACHE = 1.25
"""A shared cache that is not faster than DRAM by this factor is none."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Seconds a call: median and quartiles."""

    median: float
    low: float
    high: float

    @property
    def spread(self) -> float:
        return (self.high - self.low) / self.median if self.median > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Figures:
    """What was reached with some threads: bytes/s, 32-bit lanes/s, seconds, multiply-adds/s of layers."""

    threads: int
    launch: float
    row: float
    f32: float
    i32: float
    i16: float
    near: float
    cache: float
    dram: float
    cache_bytes: int
    macs: float = 0.0
    macs_int8: float = 0.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """A measured machine.

    Args:
        device: the model for the planner, with all threads.
        figures: with one thread and with all.
        spread: the largest distance between quartiles of a probe, by its median.
        remark: a sentence if the figures are not to be trusted, or could not be kept.
    """

    device: DeviceModel
    figures: tuple[Figures, ...]
    spread: float
    remark: str = ""

    @property
    def steady(self) -> bool:
        return self.spread <= UNSTEADY


def identity(threads: int) -> dict[str, object]:
    """What the figures depend on.

    Raises:
        DefinitionError: llvmlite is missing.
    """
    machine = Machine()
    return {"cpu": machine.cpu, "features": machine.features, "triple": machine.triple, "threads": threads,
            "caches": [first_cache(), own_cache(), shared_cache()]}  # fmt: skip


def calibrate(
    threads: int = 0,
    progress: Callable[[float], None] | None = None,
    *,
    make: Callable[[int], Executor] | None = None,
    clock: Callable[[], float] = time.perf_counter,
    rounds: int = ROUNDS,
) -> Calibration:
    """Measure this machine; takes some 10 to 15 s.

    Args:
        threads: 0 for all that this process may use.
        progress: called with the share that is done.
        make: the back end for a number of threads; replaced in tests.
        clock: seconds; replaced in tests.

    Raises:
        DefinitionError: there is no compiled back end.
    """
    threads = threads or available()
    make = make or (lambda count: executor("cpu", count))
    wanted = probes(dram_bytes())
    # One thread and all of them; on a machine with one processor just once.
    turns = [(count, probe) for count in dict.fromkeys((1, threads)) for probe in wanted]
    backs = {count: make(count) for count in dict.fromkeys((1, threads))}
    runs: list[_Run] = []
    for number, (count, probe) in enumerate(turns):
        runs.append(_Run(probe, backs[count].compile(probe.body), clock))
        _tell(progress, 0.2 * (number + 1) / len(turns))
    begin = clock()
    # In turns, so that whatever disturbs meets all probes alike.
    for done in range(rounds):
        if done >= LEAST_ROUNDS and clock() - begin > SECONDS:
            break
        for number, run in enumerate(runs):
            run.turn()
            _tell(progress, 0.2 + 0.8 * (done + (number + 1) / len(runs)) / rounds)
    _tell(progress, 1.0)
    samples: dict[int, dict[str, Sample]] = {}
    for (count, probe), run in zip(turns, runs, strict=True):
        samples.setdefault(count, {})[probe.name] = run.sample()
    return evaluated(samples, {probe.name: probe.amount for probe in wanted})


def dram_bytes() -> int:
    """Read and written by the copy that must reach DRAM: four times the shared cache, 128 to 512 MB."""
    return min(max(4 * shared_cache(), 128 * MB), 512 * MB)


def _tell(progress: Callable[[float], None] | None, share: float) -> None:
    if progress is not None:
        progress(min(share, 1.0))


class _Run:
    """A compiled probe and its turns."""

    def __init__(self, probe: Microbenchmark, program: Program, clock: Callable[[], float]) -> None:
        self.program, self.clock = program, clock
        type_ = probe.body.inputs[0]
        assert isinstance(type_, ImageType)
        shape = (probe.frames, *type_.shape)
        self.data = np.ones(shape, type_.dtype.numpy)
        self.seconds: list[float] = []
        self._call()  # touches all memory
        # The first call is not timed; the second tells how many fill a turn.
        self.calls = max(1, min(1000, int(TURN / max(self._call(), 1e-7))))

    def _call(self) -> float:
        start = self.clock()
        self.program.run([self.data], {})
        return self.clock() - start

    def turn(self) -> None:
        self._call()  # what the probe before left in the caches goes
        start = self.clock()
        for _ in range(self.calls):
            self.program.run([self.data], {})
        self.seconds.append((self.clock() - start) / self.calls)

    def sample(self) -> Sample:
        low, median, high = np.percentile(self.seconds, (25, 50, 75))
        return Sample(float(median), float(low), float(high))


def evaluated(samples: Mapping[int, Mapping[str, Sample]], amounts: Mapping[str, float]) -> Calibration:
    """The calibration from the probes' times, by number of threads.

    Args:
        amounts: of each probe, see `Microbenchmark.amount`.
    """
    figures = tuple(_figures(threads, probed, amounts) for threads, probed in sorted(samples.items()))
    every = figures[-1]
    device = DeviceModel(
        NAME, "cpu", every.threads, dram=every.dram, cache=every.cache, near=every.near, cache_bytes=every.cache_bytes,
        near_bytes=own_cache(), block_bytes=own_cache(), rate=math.sqrt(every.f32 * every.i16), launch=every.launch,
        row=every.row, macs=every.macs, macs_int8=every.macs_int8, origin="measured",
    )  # fmt: skip
    spread = max(sample.spread for probed in samples.values() for sample in probed.values())
    remark = ""
    if spread > UNSTEADY:
        remark = (f"the machine was busy: half of the turns of a probe lie {spread:.0%} of its median apart; calibrate "
                  "again when nothing else runs")  # fmt: skip
    return Calibration(device, figures, spread, remark)


def _figures(threads: int, probed: Mapping[str, Sample], amounts: Mapping[str, float]) -> Figures:
    launch = probed["launch"].low

    def seconds(name: str) -> float:
        """Of a call's work; a tenth of the call at least, where the machine hiccuped during the probe of calls."""
        return max(probed[name].low - launch, 0.1 * probed[name].low, 1e-9)

    def speed(name: str) -> float:
        return amounts[name] / seconds(name)

    f32 = speed("f32")
    looking = max(seconds("looks") - amounts["looks"] * (TAPS - 2) / TAPS / f32, 0.1 * seconds("looks"))
    dram = speed("dram")
    copies = {size: speed(f"copy {size}") for size in COPIES}
    cache = max(copies[COPIES[0]], dram)
    middle = math.sqrt(cache * dram)
    held = [size * MB for size, reached in copies.items() if reached >= middle]
    cache_bytes = max(held, default=0) if cache > _NO_CACHE * dram else 0
    near = max(4 * amounts["looks"] / looking, cache)
    return Figures(threads, launch, threads * seconds("rows") / amounts["rows"], f32, speed("i32"), speed("i16"), near,
                   cache, dram, cache_bytes, speed("macs"), speed("macs int8"))  # fmt: skip


def keep(calibration: Calibration, store: MeasurementCache | None = None) -> Calibration:
    """Keep a calibration for this machine; its remark says so if that is not possible."""
    device = {**asdict(calibration.device), "bus": None}  # infinity is no JSON
    facts = {"device": device, "figures": [asdict(f) for f in calibration.figures],
             "spread": calibration.spread, "remark": calibration.remark}  # fmt: skip
    trouble = (store or MeasurementCache()).put(KIND, identity(calibration.device.units), facts)
    remark = "; ".join(text for text in (calibration.remark, trouble) if text)
    return replace(calibration, remark=remark)


def kept(threads: int = 0, store: MeasurementCache | None = None) -> tuple[Calibration | None, str]:
    """What was kept for this machine and number of threads (0: all), and a sentence if it cannot be used."""
    try:
        about = identity(threads or available())
    except DefinitionError:
        return None, ""
    store = store or MeasurementCache()
    facts, remark = store.get(KIND, about)
    if facts is None:
        return None, remark
    try:
        return _read(facts, threads or available()), ""
    except (TypeError, ValueError, KeyError, DefinitionError):
        return None, f"{store.path(KIND, about)} is ignored, since it is damaged; calibrate again or delete it"


def outdated(threads: int = 0, store: MeasurementCache | None = None) -> str:
    """A sentence where nothing can be used that was kept for this machine, though something was kept for the same
    processor and number of threads (0: all); else ""."""
    try:
        about = identity(threads or available())
    except DefinitionError:
        return ""
    _, remark = kept(threads, store)
    said = remark or (store or MeasurementCache()).outdated(KIND, about, ("cpu", "threads"))
    return f"{said}: fusetrack doctor --calibrate" if said and not remark else said


def _read(facts: Mapping[str, Any], threads: int) -> Calibration:
    given = {**facts["device"], "bus": math.inf}
    known = {f.name for f in fields(DeviceModel)}
    device = DeviceModel(**{name: value for name, value in given.items() if name in known})
    numbers = [v for name, v in given.items() if name in known and name not in ("name", "kind", "origin", "bus")]
    if device.units != threads or device.kind != "cpu" or not _finite(numbers):
        raise ValueError
    figures = tuple(Figures(**entry) for entry in facts["figures"])
    return Calibration(device, figures, float(facts["spread"]), str(facts["remark"]))


def _finite(values: Sequence[object]) -> bool:
    return all(isinstance(v, int | float) and math.isfinite(v) for v in values)
