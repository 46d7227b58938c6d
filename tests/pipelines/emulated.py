"""A back end like the cuda one whose kernels run on the processor, for what uses back ends."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kernels.executors.base import Program
from kernels.executors.cuda_runner import CudaRunner
from kernels.executors.device import Lying, Piece
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body
from tests.kernels.codegen.kept import cuda
from tests.kernels.executors.simulated_device import SimulatedDevice, Stream


@dataclass(eq=False)
class Held:
    """Device memory: no array, so that nothing takes it for one of the host's."""

    bytes: np.ndarray


class ApartDevice(SimulatedDevice):
    """A simulated device whose memory the host cannot touch; counts the bytes that cross the bus."""

    def __init__(
        self, seed: int = 0, eager: float = 0.3, forget: tuple[str, ...] = (), graphs: bool = True,
        checked: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(seed, eager, forget, graphs, checked)
        self.up = self.down = 0

    def memory(self, size: int) -> Any:
        return Held(super().memory(size))

    def upload(self, to: Any, source: Any, stream: Stream) -> None:
        self.up += source.nbytes
        super().upload(to.bytes, source, stream)

    def download(self, to: Any, source: Any, stream: Stream) -> None:
        self.down += to.nbytes
        super().download(to, source.bytes, stream)

    def download_piece(self, to: Any, source: Any, piece: Piece, stream: Stream) -> None:
        self.down += to.nbytes
        super().download_piece(to, source.bytes, piece, stream)

    def copy(self, to: Any, start: int, source: Any, offset: int, size: int, stream: Stream) -> None:
        super().copy(to.bytes, start, source.bytes, offset, size, stream)

    def zero(self, to: Any, size: int, stream: Stream) -> None:
        super().zero(to.bytes, size, stream)

    def fetch(self, source: Any, pitch: int, width: int, rows: int) -> np.ndarray:
        return super().fetch(source.bytes, pitch, width, rows)

    def adopt(self, given: Any, stream: Stream) -> Any:
        found = super().adopt(given, stream)
        return replace(found, memory=Held(found.memory)) if isinstance(found, Lying) else found

    def address(self, memory: Any) -> int:
        return super().address(memory.bytes)

    def launch(
        self, function: Any, grid: tuple[int, int, int], block: tuple[int, int], arguments: Sequence[Any], shared: int,
        stream: Stream,
    ) -> None:  # fmt: skip
        given = [a.bytes if isinstance(a, Held) else a for a in arguments]
        super().launch(function, grid, block, given, shared, stream)


class EmulatedExecutor:
    """Host stages and bodies that CUDA cannot express run on the reference."""

    name = "cuda"
    words = True

    def __init__(
        self, seed: int = 0, device: SimulatedDevice | None = None, graphs: bool | None = None
    ) -> None:
        self.device, self.graphs = device or ApartDevice(seed), graphs

    def host_buffer(self, shape: Sequence[int], dtype: Any) -> np.ndarray:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        return self.device.pinned(size).view(dtype).reshape(tuple(shape))

    def compile(self, body: Body) -> Program:
        if body.host is not None and body.host.decoder is None:
            return ReferenceProgram(body)
        if any(output.words for output in body.outputs):
            with suppress(Unsupported):
                return CudaRunner(body, cuda(body), self.device, graphs=self.graphs)
            body = replace(body, outputs=tuple(replace(output, words=False) for output in body.outputs))
        try:
            return CudaRunner(body, cuda(body), self.device, graphs=self.graphs)
        except Unsupported:
            return ReferenceProgram(body)
