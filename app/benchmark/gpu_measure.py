"""Times a chain on a GPU: ours fused, unfused, both as graphs, and the peers, in turns; then end to end."""

from __future__ import annotations

import random
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.benchmark.chains import Chain
from app.benchmark.clips import frames
from app.benchmark.floors import demand
from app.benchmark.gpu_chain import DeviceChain, Runner
from app.benchmark.gpu_peers import Libraries, gpu_peers
from app.benchmark.gpu_results import (
    FUSED,
    FUSED_GRAPH,
    UNFUSED,
    UNFUSED_GRAPH,
    Case,
    GpuMeasured,
    GpuResult,
    Latency,
    Spread,
)
from app.benchmark.ours import Array, bound_to, comparable, difference, own
from kernels.codegen.nvrtc import Usage
from kernels.errors import DefinitionError, FusetrackError
from kernels.executors.cuda_calibration import Clock, Work
from kernels.executors.device import Device, Memory, Stream
from kernels.ir.body import Body
from kernels.ir.image import ImageType
from pipelines.frame import FrameBatch
from pipelines.fusing import largest_groups
from pipelines.graph import Bound, Pipeline
from pipelines.streaming.engine.engine import Engine
from pipelines.streaming.engine.pending import Pending

GRAPH = 8
"""Batches in one graph; even, since states change places with every batch."""
CHECKED = 3 + GRAPH
"""Batches after which outputs are compared."""
TURN = 4e-3
"""Seconds a turn of a contender, about."""
MOST_SOURCES = 32
SHARE = 0.6
"""Of the time, for what is timed on the device; the rest is for end to end and latencies."""
LATENCIES, FEWEST = 5000, 200
"""Batches alone on the way that are timed, if the time lasts, and at least: a 99th percentile of 5000 has 50 beyond
it."""
STRETCH = 12
"""Batches of a stretch, end to end."""


@dataclass(frozen=True)
class Rig:
    """A GPU, and what is needed to measure on it.

    Args:
        device: the GPU.
        compile: a body for it; DefinitionError where it cannot be.
        clock: times on the device.
        usage: what the kernels of a text use.
        cache: bytes of its L2.
        array: device memory, in an array that the libraries take, of a shape (u8).
        libraries: for the peers; None where there are none.
        wall: seconds on the host.
    """

    device: Device
    compile: Callable[[Body], Runner]
    clock: Clock
    usage: Callable[[str], dict[str, Usage]]
    cache: int
    array: Callable[[Memory, tuple[int, ...]], Any]
    libraries: Libraries | None = None
    wall: Callable[[], float] = time.perf_counter


class _Compiling:
    """The rig as an executor."""

    name = "cuda"

    def __init__(self, rig: Rig) -> None:
        self.rig = rig

    def compile(self, body: Body) -> Any:
        return self.rig.compile(body)


@dataclass
class _Contender:
    """How it runs `batches` batches, what its output is then, and what is known of its kernels."""

    run: Work
    output: Callable[[], Array]
    batches: int = 1
    chain: DeviceChain | None = None


class GpuMeasurement:
    """One chain on one kind of frame.

    Args:
        rig: the GPU.
        chain: which.
        case: the frames.
    """

    def __init__(self, rig: Rig, chain: Chain, case: Case) -> None:
        self.rig, self.chain, self.case = rig, chain, case
        self.clip = frames(case.channels, case.batch, case.height, case.width)
        self.pipeline: Pipeline = chain.pipeline(min(case.width, case.height))
        self.bound: Bound = bound_to(self.pipeline, self.clip)
        self.stream: Stream = rig.device.stream()
        self.left_out: list[str] = []
        # As many inputs in turn as twice the L2 holds: nobody finds the last batch's there.
        count = min(MOST_SOURCES, 1 + -(-2 * rig.cache // self.clip.nbytes))
        self.sources = [self._uploaded() for _ in range(count)]
        self.wanted = self._wanted()
        self.contenders = self._ours() | self._peers()

    def _wanted(self) -> Array:
        made = own(self.pipeline, self.clip, "cpu", 0, fused=True)
        # Recurrent stages depend on how many batches went before: the same number for everyone.
        for _ in range(CHECKED):
            found = made.run()[self.chain.ref]
        return comparable(min(self.case.width, self.case.height), found).copy()

    def _uploaded(self) -> Memory:
        device = self.rig.device
        pinned, memory = device.pinned(self.clip.nbytes), device.memory(self.clip.nbytes)
        pinned[...] = self.clip.reshape(-1).view(np.uint8)
        self.wait(lambda stream: device.upload(memory, pinned, stream))
        return memory

    def wait(self, work: Work) -> None:
        """Have work done."""
        device, event = self.rig.device, self.rig.device.event()
        work(self.stream)
        device.record(event, self.stream)
        device.synchronize(event)

    def _ours(self) -> dict[str, _Contender]:
        alone = [(node.id,) for node in self.bound.nodes]
        largest = largest_groups(self.bound, self.bound.taps)
        made: dict[str, _Contender] = {}
        for name, groups in ((FUSED, largest), (UNFUSED, alone), (FUSED_GRAPH, largest), (UNFUSED_GRAPH, alone)):
            try:
                made[name] = self._own(name, groups)
            except DefinitionError:
                raise
            except Exception as error:  # a graph that this CuPy cannot capture must not cost the rest
                if name in (FUSED, UNFUSED):
                    raise
                self.left_out.append(f"{name} fails with {_said(error)}")
        return made

    def _own(self, name: str, groups: Sequence[Sequence[str]]) -> _Contender:
        chain = DeviceChain(self.rig.device, self.bound, groups, self.rig.compile, self.sources, self.case.batch)
        type_ = self.bound.types[self.chain.ref]
        assert isinstance(type_, ImageType)

        def output() -> Array:
            return comparable(min(self.case.width, self.case.height), chain.result(self.chain.ref, type_))

        if name in (FUSED, UNFUSED):
            return _Contender(chain.enqueue, output, 1, chain)
        chain.graphs.wanted = False  # several batches are one graph
        for _ in range(CHECKED - GRAPH):  # so that the graph begins where the state is known
            self.wait(chain.enqueue)
        if not chain.settled:
            raise RuntimeError("it looks further back than the batches before the graph")

        def several(stream: Stream) -> None:
            for _ in range(GRAPH):
                chain.enqueue(stream)

        return _Contender(self.rig.clock.capture(several, self.stream), output, GRAPH, chain)

    def _peers(self) -> dict[str, _Contender]:
        libraries = self.rig.libraries
        if libraries is None:
            return {}
        made = {}
        arrays = [self.rig.array(memory, self.clip.shape) for memory in self.sources]
        for name, peer in gpu_peers(libraries, self.chain.name).items():
            made[name] = _peer(libraries, peer, arrays)
        return made

    def check(self, tick: Callable[[], Any] = float) -> dict[str, tuple[float, bool]]:
        """How far each output is from the processor's after `CHECKED` batches, and whether that is too far; who fails
        is left out from then on."""
        found: dict[str, tuple[float, bool]] = {}
        for name, contender in list(self.contenders.items()):
            try:
                # A graph has had its first batches before it was captured.
                for _ in range(1 if contender.batches > 1 else CHECKED):
                    self.wait(contender.run)
                share = difference(contender.output(), self.wanted)
            except FusetrackError:
                raise
            except Exception as error:  # another library's trouble must not cost the rest
                self.left_out.append(f"{name} fails with {_said(error)}")
                del self.contenders[name]
                continue
            ours = contender.chain is not None
            found[name] = share, share > (0.0 if ours else self.chain.tolerance)
            tick()
        return found

    def timed(self, seconds: float, seed: int = 1) -> dict[str, Spread]:
        """Seconds a batch on the device, contenders in turns and random order, three rounds at least."""
        clock, wall = self.rig.clock, self.rig.wall
        repeats = {}
        for name, contender in self.contenders.items():
            # The least of three: the first one meets a cold device.
            once = min(clock.seconds(contender.run, self.stream) for _ in range(3))
            repeats[name] = max(1, min(1000, round(TURN / max(once, 1e-7))))
        samples: dict[str, list[float]] = {name: [] for name in self.contenders}
        order, shuffle = list(self.contenders), random.Random(seed)
        begin, rounds = wall(), 0
        while rounds < 3 or wall() - begin < seconds:
            shuffle.shuffle(order)
            for name in order:
                run, count = self.contenders[name].run, repeats[name]

                # Defaults bind the loop's values now.
                def several(stream: Stream, run: Work = run, count: int = count) -> None:
                    for _ in range(count):
                        run(stream)

                taken = clock.seconds(several, self.stream)
                samples[name].append(taken / (count * self.contenders[name].batches))
            rounds += 1
        return {name: Spread.of(taken) for name, taken in samples.items()}

    def floor(self) -> float:
        """Bytes of a batch that nothing can avoid."""
        need = demand(self.bound)
        return self.case.pixels * (self.case.batch * need.image + need.state)

    def end_to_end(self, seconds: float) -> Spread:
        """Frames a second from pinned memory to NumPy, as many batches under way as in a run, in stretches."""
        engine, batch, wall = self._engine(), self._batch(self.case.batch), self.rig.wall
        stretches: list[float] = []
        for _ in range(3):
            engine.step(batch)
        begin = wall()
        while len(stretches) < 3 or wall() - begin < seconds:
            start, pending = wall(), deque[Pending]()
            for _ in range(STRETCH):
                # Not more batches under way than a run has: the oldest is waited for.
                if len(pending) > engine.ahead:
                    pending.popleft().result()
                pending.append(engine.submit(batch))
            while pending:
                pending.popleft().result()
            stretches.append(STRETCH * self.case.batch / (wall() - start))
        return Spread.of(stretches)

    def _engine(self) -> Engine:
        """What a run has, with the largest groups."""
        return Engine(self.bound, _Compiling(self.rig), groups=largest_groups(self.bound, self.bound.taps))

    def _batch(self, count: int) -> FrameBatch:
        """Frames where a reader puts them: in memory that is uploaded from where it lies."""
        frames: Array = self.rig.device.pinned(self.clip[:count].nbytes).view(self.clip.dtype)
        frames = frames.reshape(self.clip[:count].shape)
        frames[...] = self.clip[:count]
        return FrameBatch(np.arange(count), np.arange(count) / 1000, frames)

    def latency(self, batch: int, seconds: float) -> Latency:
        """Of single batches, one after the other, for some seconds."""
        engine, given, wall, taken = self._engine(), self._batch(batch), self.rig.wall, list[float]()
        for _ in range(3):
            engine.step(given)
        begin = wall()
        while len(taken) < FEWEST or (len(taken) < LATENCIES and wall() - begin < seconds):
            start = wall()
            engine.step(given)
            taken.append(wall() - start)
        return Latency.of(batch, taken)

    def result(self, seconds: float, limits: tuple[float, float, float], tick: Callable[[], Any] = float) -> GpuResult:
        """Everything.

        Args:
            seconds: about how long to measure, once all is ready.
            limits: bytes a second of a copy inside the device, to it, and from it.
            tick: called now and then.
        """
        differs = self.check(tick)
        spreads = self.timed(SHARE * seconds)
        tick()
        stream = self.end_to_end((1 - SHARE) / 2 * seconds)
        batches = dict.fromkeys((1, self.case.batch))
        latencies = tuple(self.latency(batch, (1 - SHARE) / 2 / len(batches) * seconds) for batch in batches)
        tick()
        rows = []
        for name, contender in self.contenders.items():
            kernels, (registers, spills) = 0, (0, 0)
            if contender.chain is not None:
                kernels, (registers, spills) = contender.chain.kernels, contender.chain.usage(self.rig.usage)
            rows.append(GpuMeasured(name, spreads[name], *differs[name], kernels, registers, spills))
        return GpuResult(self.chain.name, self.chain.summary, self.case, tuple(rows), self.floor(), *limits, stream,
                         latencies, tuple(self.left_out))  # fmt: skip


def _peer(libraries: Libraries, peer: Callable[[Any], Any], arrays: Sequence[Any]) -> _Contender:
    state: dict[str, Any] = {"turn": 0}

    def run(stream: Stream) -> None:
        with libraries.within(stream):
            state["output"] = peer(arrays[state["turn"] % len(arrays)])
        state["turn"] += 1

    def output() -> Array:
        made = state["output"]
        return np.asarray(made.get() if hasattr(made, "get") else made)

    return _Contender(run, output)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:160]}"
