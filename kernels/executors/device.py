"""What running a CudaProgram needs of a device: memory, streams, events, kernels.

`kernels.executors.cuda_device` makes one of CuPy; the tests make one whose kernels run on the processor and whose
streams do whatever is legal in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kernels.codegen.cuda_launch import CudaProgram

Array = npt.NDArray[Any]
Memory = Any
"""Device memory, as the device makes it."""
Stream = Any
Event = Any
Graph = Any
"""Work of a stream that was recorded once and starts with one call."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The first part of every row of a table of bytes.

    Args:
        pitch: bytes from one row to the next.
        width: bytes of each that are meant.
        rows: how many.
    """

    pitch: int
    width: int
    rows: int

    @property
    def nbytes(self) -> int:
        """Of all parts."""
        return self.width * self.rows


@dataclass(frozen=True, slots=True)
class Lying:
    """An array of somebody's that lies on the device.

    Args:
        memory: dense, in C order.
        shape: of the array.
        dtype: of its elements.
    """

    memory: Memory
    shape: tuple[int, ...]
    dtype: np.dtype[Any]


class Device(Protocol):
    """One device. Copies, fills and launches are asynchronous, in their stream's order; `fetch` alone is not."""

    def memory(self, size: int) -> Memory:
        """Device memory of `size` bytes, aligned to 256."""
        ...

    def pinned(self, size: int) -> Array:
        """Host memory of `size` bytes (u8) that copies may use while the host goes on. It is used again when nothing
        holds the array or a view of it, so whoever begins a copy holds it until the copy is done."""
        ...

    def offer(self, size: int) -> Array | None:
        """The same, if there is not too much of it already."""
        ...

    def holds(self, array: Array) -> bool:
        """Whether a host array lies in such memory."""
        ...

    def stream(self) -> Stream: ...

    def event(self) -> Event: ...

    def upload(self, to: Memory, source: Array, stream: Stream) -> None:
        """Copy pinned host memory to the start of device memory."""
        ...

    def download(self, to: Array, source: Memory, stream: Stream) -> None:
        """Copy the start of device memory to pinned host memory."""
        ...

    def download_piece(self, to: Array, source: Memory, piece: Piece, stream: Stream) -> None:
        """Copy a piece of device memory to pinned host memory, where its rows lie one after another."""
        ...

    def copy(self, to: Memory, start: int, source: Memory, offset: int, size: int, stream: Stream) -> None:
        """Copy bytes inside the device; the two do not overlap."""
        ...

    def zero(self, to: Memory, size: int, stream: Stream) -> None:
        """Set the first bytes to 0."""
        ...

    def fetch(self, source: Memory, pitch: int, width: int, rows: int) -> Array:
        """`rows` times the first `width` of every `pitch` bytes, u8 (rows, width); what wrote them must be done."""
        ...

    def fetch_all(self, pieces: Sequence[tuple[Memory, Piece]]) -> list[Array]:
        """`fetch` of several, waiting once."""
        ...

    def adopt(self, given: Any, stream: Stream) -> Lying | Array:
        """An array that is none of NumPy's: where it lies, if that is this device, else a copy of it on the host.

        What comes after this in the stream finds it as whoever made it left it, though that may still be under way; if
        it has to be made dense, that is done in the stream. Whoever uses the memory holds it until that is done.
        """
        ...

    def address(self, memory: Memory) -> int:
        """A number that tells pieces of memory apart that are there at the same time."""
        ...

    def capture(self, work: Callable[[Stream], object], stream: Stream) -> Graph:
        """What `work` puts into the stream, recorded and not done; copies inside the device, fills and launches alone.

        Raises:
            Exception: it cannot be recorded; the stream is as it was.
        """
        ...

    def replay(self, graph: Graph, stream: Stream) -> None:
        """Put recorded work into a stream: the same functions on the same memory with the same numbers."""
        ...

    def load(self, program: CudaProgram) -> Mapping[str, Any]:
        """The program's kernels by name, compiled."""
        ...

    def launch(
        self, function: Any, grid: tuple[int, int, int], block: tuple[int, int],
        arguments: Sequence[Memory | np.generic], shared: int, stream: Stream,
    ) -> None:  # fmt: skip
        """Start a kernel with pointers and NumPy scalars."""
        ...

    def record(self, event: Event, stream: Stream) -> None:
        """The event happens when the stream has come this far."""
        ...

    def wait(self, stream: Stream, event: Event) -> None:
        """What comes after this in the stream waits for the event as it was recorded last."""
        ...

    def synchronize(self, event: Event) -> None:
        """The host waits for the event as it was recorded last."""
        ...
