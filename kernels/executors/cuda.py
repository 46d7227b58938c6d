"""The cuda executor: bodies as CUDA kernels, on a GPU that `kernels.executors.cuda_device` reaches through CuPy.

Point-wise bodies are a cupy.ElementwiseKernel, in which floats are computed by instructions that keep their bits.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import numpy.typing as npt

from kernels.codegen.cuda import cuda
from kernels.errors import DefinitionError
from kernels.executors import cuda_device
from kernels.executors.base import Executor, Program, executor
from kernels.executors.cuda_device import CudaDevice, device_count
from kernels.executors.cuda_elementwise import ElementwiseLauncher, exact_elements
from kernels.executors.cuda_runner import CudaRunner
from kernels.executors.cuda_shapes import leanest
from kernels.executors.device import Array
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body


class CudaExecutor:
    """Compiles bodies for one GPU.

    Args:
        index: its number.
        threads: of the cpu executor that runs what this one cannot.
        graphs: whether batches are started as CUDA graphs; None for what $FUSETRACK_GRAPHS says (0: never, 1: always),
            else where that pays.

    Attributes:
        fallbacks: why bodies run elsewhere.
        words: masks leave as words of bits where whoever takes them takes those.
        elements: whether point-wise bodies are a cupy.ElementwiseKernel; a kernel of our own otherwise.
    """

    name = "cuda"

    def __init__(self, index: int = 0, threads: int = 0, graphs: bool | None = None) -> None:
        self.device = CudaDevice(index)
        self._threads = threads
        asked = {"0": False, "1": True}.get(os.environ.get("FUSETRACK_GRAPHS", ""))
        self.graphs = asked if graphs is None else graphs
        self.fallbacks: list[str] = []
        self.elements = self.words = True

    def host_buffer(self, shape: Sequence[int], dtype: npt.DTypeLike) -> Array:
        """An array of any content that is uploaded from where it lies; it must stay as it is while a batch that was
        begun with it is under way. What cannot be pinned is ordinary memory, which is copied before it is uploaded."""
        size = int(np.prod(shape, dtype=np.int64)) * np.dtype(dtype).itemsize
        area = self.device.offer(size)
        return np.empty(shape, dtype) if area is None else area.view(dtype).reshape(tuple(shape))

    def give_back(self) -> None:
        """Let other programs have the memory that programs of this one no longer use; CuPy keeps it otherwise."""
        self.device.give_back()

    @property
    def gpus(self) -> tuple[str, ...]:
        """Names of all GPUs of this machine."""
        return tuple(f"cuda:{i}" for i in range(device_count()))

    @property
    def other(self) -> Executor:
        """What runs bodies that this back end cannot express."""
        return _other(self._threads)

    def compile(self, body: Body) -> Program:
        """A program for `body`; one that CUDA cannot express runs on the cpu back end (see `back_end`)."""
        if body.host is not None and body.host.decoder is None:
            return self.other.compile(body)
        if any(output.words for output in body.outputs):
            try:
                return self._compiled(body)
            except Unsupported:  # in bytes, then
                body = replace(body, outputs=tuple(replace(output, words=False) for output in body.outputs))
        try:
            return self._compiled(body)
        except Unsupported as reason:
            self.fallbacks.append(str(reason))
            return self.other.compile(body)

    def _compiled(self, body: Body) -> Program:
        words = any(output.words for output in body.outputs)
        text = exact_elements(body) if self.elements and not words else None
        if text is not None:
            program = cuda(body)
            (kernel,) = program.kernels
            launch = ElementwiseLauncher(cuda_device.cupy, body, kernel, text)
            return CudaRunner(body, program, self.device, functions={kernel.name: launch}, graphs=self.graphs)
        program = leanest(body, self.device.compiled, unit=self.device.model())
        return CudaRunner(body, program, self.device, graphs=self.graphs)


@cache
def _other(threads: int) -> Executor:
    try:
        return executor("cpu", threads)
    except DefinitionError:
        return executor("reference")


def create(threads: int = 0, index: int = 0) -> CudaExecutor:
    """For `kernels.executors.base.executor`.

    Raises:
        DefinitionError: CuPy, the driver or the GPU is missing.
    """
    return CudaExecutor(index, threads)
