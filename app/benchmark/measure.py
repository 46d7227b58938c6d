"""One measurement: a chain at one size, fused and unfused, against its peers; or a pipeline of the user's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from app.benchmark.chains import Chain
from app.benchmark.clips import frames
from app.benchmark.floors import CALL, RATE, STREAM, call_probe, demand, rate_probe, stream_probe
from app.benchmark.load import busy
from app.benchmark.ours import bound_to, comparable, difference, own, same
from app.benchmark.peers.base import LIBRARIES, Size, library
from app.benchmark.pinning import pinning
from app.benchmark.results import Measured, Result
from app.benchmark.timing import Samples, interleaved, ratio, summed_up
from kernels.errors import FusetrackError
from pipelines.graph import Pipeline

OWN = ("fused", "unfused")
SLOW = ("scipy", "reference")
PART = " to {}"
REPIN = 10
"""Rounds between two looks for new threads."""


@dataclass(frozen=True, slots=True)
class How:
    """Size, frames a call, threads, back end, whether threads are pinned, and busy processes beside."""

    size: int
    batch: int = 8
    threads: int = 2
    back_end: str = "cpu"
    pinned: bool = False
    load: int = 0


@dataclass(slots=True)
class _Field:
    """Contenders ready to start."""

    runs: dict[str, Callable[[], Any]]
    differs: dict[str, float | None]
    wrong: set[str]
    peers: set[str]
    left_out: list[str]


@dataclass(frozen=True, slots=True)
class _Subject:
    """What is timed.

    Args:
        name, summary: for the reader.
        bound: the pipeline on the frames; `clip` is a batch of them.
        baseline: the contender that the others are compared with.
        part: a sentence where only a part of the chain is timed, else "".
    """

    name: str
    summary: str
    bound: Any
    clip: Any
    baseline: str
    part: str = ""


def measure_chain(
    chain: Chain, how: How, seconds: Callable[[], float], tick: Callable[[], None] = lambda: None
) -> tuple[Result, bool]:
    """Time a chain; also says whether Ctrl-C ended it.

    Args:
        seconds: about how long to measure, asked when all is ready.
        tick: called after every round.
    """
    clip = frames(chain.channels, how.batch, how.size, how.size)
    pipeline, part = chain.pipeline(how.size), PART.format(chain.part) if chain.part else ""
    made = {name: own(pipeline, clip, how.back_end, how.threads, fused=name == "fused") for name in OWN}
    ready = _Field({name: o.run for name, o in made.items()}, {}, set(), set(), [])
    wanted, alone = (comparable(how.size, made[name].run()[chain.ref]).copy() for name in OWN)
    _judge(ready, "unfused", alone, wanted, 0, 0.0)
    if chain.part:
        shorter = own(chain.until(how.size, chain.part), clip, how.back_end, how.threads, fused=True)
        ready.runs["fused" + part], ready.differs["fused" + part] = shorter.run, None
    for name in LIBRARIES:
        try:
            _enter(ready, chain, how, name, clip, wanted)
        except (FusetrackError, KeyboardInterrupt):
            raise
        except Exception as error:  # another library's trouble must not cost the rest
            ready.left_out.append(f"{name} fails with {type(error).__name__}: {' '.join(str(error).split())[:160]}")
    bound = bound_to(pipeline, clip)
    what = _Subject(chain.name, chain.summary, bound, clip, "opencv", part)
    return _timed(what, ready, how, seconds, tick)


def _enter(ready: _Field, chain: Chain, how: How, name: str, clip: Any, wanted: Any) -> None:
    found = library(name)
    if isinstance(found, str):
        ready.left_out.append(found)
        return
    found.set_threads(how.threads)
    for label, contender in found.CONTENDERS.get(chain.name, {}).items():
        peer = contender.make(Size(how.size, how.size, how.threads), clip)
        output = comparable(how.size, peer(clip))
        ready.runs[label] = partial(peer, clip)
        if contender.same:
            ready.peers.add(label)
            _judge(ready, label, output, wanted, contender.margin, chain.tolerance)
        else:
            ready.differs[label] = difference(output, wanted) if output.shape == wanted.shape else None


def _judge(ready: _Field, name: str, output: Any, wanted: Any, margin: int, tolerance: float) -> None:
    share = difference(output, wanted, margin)
    ready.differs[name] = share
    if share > tolerance:
        ready.wrong.add(name)


def measure_pipeline(
    pipeline: Pipeline, channels: int, how: How, seconds: Callable[[], float], tick: Callable[[], None] = lambda: None
) -> tuple[Result, bool]:
    """Time a pipeline fused, unfused and on the reference; its trackers are left out."""
    clip = frames(channels, how.batch, how.size, how.size)
    ready = _Field({}, {}, set(), set(), [])
    for name in ("fused", "unfused", "reference"):
        back_end = "reference" if name == "reference" else how.back_end
        ready.runs[name] = own(pipeline, clip, back_end, how.threads, fused=name != "unfused").run
    wanted = {ref: _kept(batch) for ref, batch in ready.runs["fused"]().items()}
    for name in ("unfused", "reference"):
        ready.differs[name] = same(wanted, ready.runs[name]())
        if ready.differs[name]:
            ready.wrong.add(name)
    what = _Subject(pipeline.name, pipeline.summary, bound_to(pipeline, clip), clip, "unfused")
    return _timed(what, ready, how, seconds, tick)


def _kept(batch: Any) -> Any:
    return batch.copy() if isinstance(batch, np.ndarray) else batch


def _timed(
    what: _Subject, ready: _Field, how: How, seconds: Callable[[], float], tick: Callable[[], None]
) -> tuple[Result, bool]:  # fmt: skip
    need = demand(what.bound)
    stream, moved = stream_probe(need, what.clip, how.back_end, how.threads)
    rate, computed = rate_probe(how.back_end, how.threads)
    call = call_probe(how.back_end, how.threads)
    runs = {**ready.runs, STREAM: stream.run, RATE: rate.run, CALL: call.run}
    with pinning(how.pinned) as pins, busy(how.load):
        for run in runs.values():  # helpers start, memory is there
            run()
        rounds = 0

        def after() -> None:
            nonlocal rounds
            if pins is not None and rounds % REPIN == 0:
                pins.pin()
            rounds += 1
            tick()

        if pins is not None:
            pins.pin()
        samples, stopped = interleaved(
            runs, seconds=seconds(), slow=SLOW, filtered=how.threads == 1 and not how.load, warm=True, tick=after
        )
    contenders = [_measured(ready, n, samples, what.baseline) for n in ready.runs]
    # Of the shortest calls: a floor is what the machine can do, not what others leave of it.
    least = {probe: t.least for probe in (STREAM, RATE, CALL) if (t := summed_up(samples[probe])) is not None}
    per_second = {probe: amount / (least[probe] - least[CALL]) for probe, amount in ((STREAM, moved), (RATE, computed))
                  if least.get(probe, 0.0) > least.get(CALL, np.inf)}  # fmt: skip
    return Result(
        what.name, what.summary, how.size, how.batch, how.threads, how.back_end, how.pinned, how.load, what.baseline,
        tuple(c for c in contenders if c is not None), need,
        per_second.get(STREAM, 0.0), per_second.get(RATE, 0.0),
        what.part, tuple(ready.left_out),
    ), stopped  # fmt: skip


def _measured(ready: _Field, name: str, samples: dict[str, Samples], baseline: str) -> Measured | None:
    timing, base = summed_up(samples[name]), samples.get(baseline)
    if timing is None:
        return None
    against = None if base is None or summed_up(base) is None else ratio(base, samples[name])
    return Measured(name, timing, against, ready.differs.get(name, 0.0), name in ready.wrong, name in ready.peers)
