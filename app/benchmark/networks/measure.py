"""One measurement: a network with some threads, everyone in turns."""

from __future__ import annotations

import math
import os
import random
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from app.benchmark.load import busy
from app.benchmark.networks.comparison import TOLERANCE, difference
from app.benchmark.networks.contender import FAST, FRAME, OURS, OWN, PEAK, Contender, Refusal, Worker
from app.benchmark.networks.process import IN, OUT
from app.benchmark.networks.results import Measured, NetworkResult
from app.benchmark.networks.subject import Subject
from app.benchmark.timing import Ratio, summed_up

Array = npt.NDArray[Any]
TURN = 0.02
"""Seconds of a turn that count."""
WARM = 0.003
"""Seconds of a turn before them: threads wake, others' threads fall asleep, the caches fill."""
LEAST_TURNS = 3
OPENING, RUNNING = 120.0, 60.0
"""Seconds after which a contender that does not answer is ended."""


@dataclass(frozen=True, slots=True)
class How:
    """Threads of a run, busy processes beside, whether contenders are kept on so many processors."""

    threads: int
    load: int = 0
    pinned: bool = False


@dataclass(slots=True)
class _Entrant:
    """A contender that is ready, and what it has done."""

    worker: Worker
    version: str
    note: str
    macs: int
    outputs: list[Array]
    wall: list[list[float]]
    processor: list[float]


class Arena:
    """The contenders' processes, kept from network to network as long as the number of threads stays the same.

    Args:
        contenders: all that may take part.
    """

    def __init__(self, contenders: Sequence[Contender]) -> None:
        self._contenders = contenders
        self._workers: dict[str, Worker] = {}
        self._threads = 0

    def workers(self, threads: int) -> Sequence[Worker]:
        """Those for so many threads."""
        if threads != self._threads:
            # Engines fix their number of threads when they are loaded: other processes then.
            self.close()
            self._threads = threads
            self._workers = {c.name: Worker(c, threads) for c in self._contenders}
        return list(self._workers.values())

    def close(self) -> None:
        """End them."""
        for worker in self._workers.values():
            worker.close()
        self._workers, self._threads = {}, 0


@contextmanager
def arena(peers: Sequence[Contender]) -> Iterator[Arena]:
    """Ours and the peers that are installed, until the block ends."""
    made = Arena([*OURS, *(peer for peer in peers if not peer.why_absent)])
    try:
        yield made
    finally:
        made.close()


def measure_network(
    subject: Subject, how: How, contenders: Arena, seconds: Callable[[], float],
    tick: Callable[[], None] = lambda: None,
) -> tuple[NetworkResult, bool]:  # fmt: skip
    """Time a network; also says whether Ctrl-C ended it.

    Args:
        seconds: about how long to measure, asked when all is ready.
        tick: called now and then.
    """
    left_out: list[str] = []
    stopped = False
    with tempfile.TemporaryDirectory(prefix="fusetrack-bench-") as folder:
        entrants = _opened(subject, how, contenders, Path(folder), left_out, tick)
        judge = OWN if OWN in entrants else next((n for n in entrants if n not in (FAST, FRAME, PEAK)), "")
        with busy(how.load):
            stopped = _rounds(entrants, seconds(), left_out, tick)
    return _result(subject, how, entrants, judge, left_out), stopped


def _opened(
    subject: Subject, how: How, contenders: Arena, folder: Path, left_out: list[str], tick: Callable[[], None]
) -> dict[str, _Entrant]:
    found: dict[str, _Entrant] = {}
    for worker in contenders.workers(how.threads):
        name = worker.contender.name
        if name in (FAST, FRAME) and OWN not in found:
            continue
        place = folder / name
        place.mkdir()
        np.savez(place / IN, *subject.inputs.values())
        order = {"do": "open", "module": worker.contender.module, "file": str(subject.file.absolute()),
                 "threads": how.threads, "inputs": list(subject.inputs),
                 "outputs": list(subject.outputs), "folder": str(place),
                 "processors": sorted(os.sched_getaffinity(0))[: how.threads] if how.pinned else None}  # fmt: skip
        tick()
        try:
            answer = worker.ask(order, OPENING)
        except Refusal as refusal:
            if name not in (FAST, FRAME):  # they say nothing that the network alone does not say
                left_out.append(f"{name}: {refusal}")
            continue
        with np.load(place / OUT) as given:
            outputs = [given[key] for key in given.files]
        found[name] = _Entrant(worker, answer["version"], answer["note"], answer["macs"], outputs, [], [])
    return found


def _rounds(
    entrants: Mapping[str, _Entrant], seconds: float, left_out: list[str], tick: Callable[[], None]
) -> bool:
    """Everyone in turns and random order until the time is over; whether Ctrl-C ended it."""
    order, shuffle = list(entrants), random.Random(1)
    end, turns = perf_counter() + seconds, 0
    try:
        while order and (turns < LEAST_TURNS or perf_counter() < end):
            shuffle.shuffle(order)
            for name in list(order):
                entrant = entrants[name]
                try:
                    answer = entrant.worker.ask({"do": "turn", "seconds": TURN, "warm": WARM}, RUNNING)
                except Refusal as refusal:
                    left_out.append(f"{name}: {refusal}")
                    # What it has done before counts neither: it would be in fewer rounds than others.
                    order.remove(name)
                    entrant.wall.clear()
                    continue
                entrant.wall.append(answer["wall"])
                entrant.processor += answer["processor"]
            turns += 1
            tick()
    except KeyboardInterrupt:
        return True
    return False


def _result(
    subject: Subject, how: How, entrants: Mapping[str, _Entrant], judge: str, left_out: Sequence[str]
) -> NetworkResult:
    measured = [_measured(name, entrant, entrants, subject.kind, judge) for name, entrant in entrants.items()
                if entrant.wall and name != PEAK]  # fmt: skip
    peak, rate = entrants.get(PEAK), math.nan
    if peak is not None and peak.wall:
        # By the clock it would fall with every thread that has to wait for a processor that others have.
        busiest = min(peak.processor) if peak.processor else how.threads * float(np.min(np.concatenate(peak.wall)))
        rate = peak.macs / busiest
    return NetworkResult(subject.name, subject.kind, subject.macs, subject.taken, how.threads, how.load, how.pinned,
                         tuple(measured), judge, rate, tuple(left_out))  # fmt: skip


def _measured(
    name: str, entrant: _Entrant, entrants: Mapping[str, _Entrant], kind: str, judge: str
) -> Measured:
    wall = summed_up(np.concatenate(entrant.wall))
    assert wall is not None
    apart = None if name in (judge, FRAME) else difference(entrant.outputs, entrants[judge].outputs)
    own = entrants.get(OWN)
    ratio = _ratio(entrant, own) if own is not None and own.wall and name not in (OWN, FAST, FRAME) else None
    return Measured(name, entrant.version, entrant.note, wall, min(entrant.processor, default=math.nan), ratio, apart,
                    apart is not None and apart > TOLERANCE[kind])  # fmt: skip


def _ratio(one: _Entrant, own: _Entrant) -> Ratio:
    """How many times as long `one` takes: of the medians of all runs, the quartiles of those of the turns."""
    turns = min(len(one.wall), len(own.wall))
    # Turn against turn, so that both met the same machine.
    each = [float(np.median(a) / np.median(b)) for a, b in zip(one.wall[:turns], own.wall[:turns], strict=True)]
    low, high = (float(v) for v in np.percentile(each, (25, 75)))
    median = float(np.median(np.concatenate(one.wall)) / np.median(np.concatenate(own.wall)))
    least = min(one.processor, default=math.nan) / min(own.processor, default=math.nan)
    return Ratio(median, low, high, least)
