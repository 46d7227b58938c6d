"""A device that exists only here: what is launched runs later, in any order that streams and events allow.

Kernels run on the processor, by `tests.emulator`.
"""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kernels.codegen.cuda_launch import CudaProgram
from kernels.executors.device import Lying, Piece
from kernels.executors.host_memory import HostMemory
from tests.emulator.emulator import Emulator
from tests.emulator.memory import InOut


@dataclass(eq=False)
class Event:
    """How often it was recorded, and which of them have happened."""

    recorded: int = 0
    happened: int = 0


@dataclass(eq=False)
class Stream:
    """What is still to do: (may it begin, do it)."""

    queue: list[tuple[Callable[[], bool], Callable[[], None]]] = field(default_factory=list)


@dataclass(eq=False)
class Graph:
    """What was recorded: work, in order, and how many launches are among it."""

    work: list[Callable[[], Any]] = field(default_factory=list)
    launches: int = 0


@dataclass(eq=False)
class OnDevice:
    """An array whose memory lies on the simulated device; `ready` happens when it has been made."""

    array: np.ndarray
    ready: Event | None = None

    @property
    def lying(self) -> np.ndarray:
        return self.array.reshape(-1).view(np.uint8)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def dtype(self) -> np.dtype:
        return self.array.dtype


class SimulatedDevice:
    """Runs the streams' work in a drawn order.

    Args:
        seed: of the order.
        eager: how likely some pending work runs whenever the host calls; at 0 everything waits until it must.
        forget: names of calls that do nothing: planted faults ("wait", "synchronize", "record"); "order" does not wait
            for whoever made an adopted array.
        graphs: whether work can be recorded.
        checked: whether every access of the kernels is watched.

    Attributes:
        allocated: pieces of memory, the host's pinned ones among them.
        launches: of kernels, those of graphs among them.
        starts: calls that started kernels: launches, and graphs.
        fetched: how often the host waited for something to come down that had not been asked for before.
    """

    def __init__(
        self, seed: int, eager: float = 0.3, forget: tuple[str, ...] = (), graphs: bool = True,
        checked: bool = False,
    ) -> None:  # fmt: skip
        self._random = random.Random(seed)
        self.eager, self.forget, self.graphs, self.checked = eager, forget, graphs, checked
        self.streams: list[Stream] = []
        self.allocated = self.launches = self.starts = self.fetched = 0
        self.host = HostMemory(self._pinned)
        self.late: set[Stream] = set()  # streams that come last wherever there is a choice
        self._recording: Graph | None = None

    def memory(self, size: int) -> np.ndarray:
        self.allocated += 1
        return np.full(size, 0xCD, np.uint8)  # what nobody wrote must show

    def _pinned(self, size: int) -> np.ndarray:
        self.allocated += 1
        return np.empty(size, np.uint8)

    def pinned(self, size: int) -> np.ndarray:
        made = self.host.take((size,))
        made[...] = 0xCD  # nobody may count on what was there
        return made

    def offer(self, size: int) -> np.ndarray | None:
        made = self.host.offer((size,))
        if made is not None:
            made[...] = 0xCD
        return made

    def holds(self, array: np.ndarray) -> bool:
        return self.host.holds(array)

    def stream(self) -> Stream:
        self.streams.append(Stream())
        return self.streams[-1]

    def event(self) -> Event:
        return Event()

    def copy(self, to: np.ndarray, start: int, source: np.ndarray, offset: int, size: int, stream: Stream) -> None:
        assert max(start + size - to.size, offset + size - source.size) <= 0, "a copy leaves its memory"
        self.enqueue(lambda: _copy(to[start:], source[offset : offset + size]), stream)

    def zero(self, to: np.ndarray, size: int, stream: Stream) -> None:
        self.enqueue(lambda: to.__setitem__(slice(0, size), 0), stream)

    def fetch(self, source: np.ndarray, pitch: int, width: int, rows: int) -> np.ndarray:
        assert width <= pitch
        assert (rows - 1) * pitch + width <= source.size
        return _rows(source, Piece(pitch, width, rows))

    def fetch_all(self, pieces: Sequence[tuple[Any, Piece]]) -> list[np.ndarray]:
        self.fetched += 1
        return [self.fetch(source, piece.pitch, piece.width, piece.rows) for source, piece in pieces]

    def adopt(self, given: Any, stream: Stream) -> Any:
        if not isinstance(given, OnDevice):
            return np.asarray(given)
        if given.ready is not None and "order" not in self.forget:
            self.wait(stream, given.ready)
        return Lying(given.lying, given.shape, given.dtype)

    def address(self, memory: np.ndarray) -> int:
        return memory.ctypes.data

    def capture(self, work: Callable[[Stream], Any], stream: Stream) -> Graph:
        assert self._recording is None
        if not self.graphs:
            raise RuntimeError("cudaErrorStreamCaptureUnsupported:\nnot permitted")
        made = self._recording = Graph()
        before = self.launches, self.starts
        try:
            work(stream)
        finally:
            self._recording = None
            made.launches = self.launches - before[0]
            self.launches, self.starts = before
        return made

    def replay(self, graph: Graph, stream: Stream) -> None:
        self.launches += graph.launches
        self.starts += 1
        for work in graph.work:
            self.enqueue(work, stream)

    def load(self, program: CudaProgram) -> Mapping[str, Any]:
        emulator = Emulator()
        return {kernel.name: emulator.kernel(program.text, kernel.name) for kernel in program.kernels}

    def launch(
        self, function: Any, grid: tuple[int, int, int], block: tuple[int, int], arguments: Sequence[Any], shared: int,
        stream: Stream,
    ) -> None:  # fmt: skip
        self.launches += 1
        self.starts += 1
        seed = self._random.randrange(1 << 20)
        given = [a if isinstance(a, np.generic) else InOut(a) for a in arguments]
        run = function.check if self.checked else function.run
        self.enqueue(lambda: run(grid, block, given, shared, seed=seed), stream)

    def enqueue(self, work: Callable[[], Any], stream: Stream) -> None:
        """Put work into a stream."""
        if self._recording is not None:
            self._recording.work.append(work)
            return
        stream.queue.append((lambda: True, work))
        while self._random.random() < self.eager and self._step():
            pass

    def upload(self, to: np.ndarray, source: np.ndarray, stream: Stream) -> None:
        assert self._recording is None, "an upload is no part of a graph: it has another source each time"
        assert self.host.holds(source), "an upload goes on while the host does: its source must be pinned"
        lying = _bare(source)
        self.enqueue(lambda: _copy(to, lying), stream)

    def download(self, to: np.ndarray, source: np.ndarray, stream: Stream) -> None:
        assert self._recording is None, "a download is no part of a graph"
        assert self.host.holds(to), "a download goes on while the host does: its target must be pinned"
        lying, size = _bare(to), to.size
        self.enqueue(lambda: _copy(lying, source[:size]), stream)

    def download_piece(self, to: np.ndarray, source: np.ndarray, piece: Piece, stream: Stream) -> None:
        assert self._recording is None, "a download is no part of a graph"
        assert self.host.holds(to), "a download goes on while the host does: its target must be pinned"
        assert to.shape == (piece.rows, piece.width)
        assert piece.width <= piece.pitch
        assert (piece.rows - 1) * piece.pitch + piece.width <= source.size
        lying = _bare(to).reshape(to.shape)
        self.enqueue(lambda: lying.__setitem__(..., _rows(source, piece)), stream)

    def record(self, event: Event, stream: Stream) -> None:
        assert self._recording is None
        event.recorded += 1
        number = event.recorded

        def happen() -> None:
            event.happened = max(event.happened, number)

        self.enqueue(happen, stream)

    def wait(self, stream: Stream, event: Event) -> None:
        if "wait" not in self.forget:
            number = event.recorded
            stream.queue.append((lambda: event.happened >= number, lambda: None))

    def synchronize(self, event: Event) -> None:
        if "synchronize" in self.forget:
            return
        number = event.recorded
        while event.happened < number:
            assert self._step(), "the host waits for what nothing brings about"

    def only(self, stream: Stream) -> bool:
        """Do one thing in a stream, if there is one that may be done."""
        ready = bool(stream.queue) and stream.queue[0][0]()
        if ready:
            stream.queue.pop(0)[1]()
        return ready

    def _step(self) -> bool:
        ready = [s for s in self.streams if s.queue and s.queue[0][0]()]
        ready = [s for s in ready if s not in self.late] or ready
        if not ready:
            return False
        self._random.choice(ready).queue.pop(0)[1]()
        return True


def _bare(array: np.ndarray) -> np.ndarray:
    """The same memory, as a driver has it: by its address, which keeps nothing alive."""
    return np.ctypeslib.as_array((ctypes.c_uint8 * array.nbytes).from_address(array.ctypes.data))


def _rows(source: np.ndarray, piece: Piece) -> np.ndarray:
    return np.stack([source[i * piece.pitch : i * piece.pitch + piece.width] for i in range(piece.rows)])


def _copy(to: np.ndarray, source: np.ndarray) -> Any:
    to[: source.size] = source
