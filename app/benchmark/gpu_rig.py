"""The GPU of a benchmark: the cuda executor, its clock, and the libraries that it is compared with."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import Any

import numpy as np

from app.benchmark.gpu_chain import Runner
from app.benchmark.gpu_measure import Rig
from app.benchmark.gpu_peers import Libraries
from kernels.codegen.nvrtc import Usage
from kernels.errors import DefinitionError
from kernels.executors.cuda import CudaExecutor
from kernels.executors.cuda_clock import CudaClock
from kernels.executors.cuda_device import CudaDevice
from kernels.executors.cuda_device import cupy as _cupy
from kernels.executors.device import Memory
from kernels.ir.body import Body


def cuda_rig(index: int) -> tuple[Rig, CudaDevice, tuple[str, ...]]:
    """The GPU with a number, and what cannot take part, and why.

    Raises:
        DefinitionError: it cannot be used.
    """
    executor = CudaExecutor(index)
    executor.elements = False  # kernels of our own read several pixels at a time: the unfused ones are to be good, too
    device = executor.device
    libraries, left_out = gpu_libraries(_cupy, index)

    def compiled(body: Body) -> Runner:
        program: Any = executor.compile(body)
        if not hasattr(program, "program"):
            why = executor.fallbacks[-1] if executor.fallbacks else "it runs on the host"
            raise DefinitionError(f"a part of the chain does not run on the GPU: {why}")
        made: Runner = program
        return made

    def usage(text: str) -> dict[str, Usage]:
        return dict(device.compiled(text)[1])

    def array(memory: Memory, shape: tuple[int, ...]) -> Any:
        with _cupy.cuda.Device(index):
            return _cupy.ndarray(shape, np.uint8, memory)

    rig = Rig(device, compiled, CudaClock(device), usage, device.model().cache_bytes, array, libraries)
    return rig, device, left_out


def gpu_libraries(cupy: Any, index: int) -> tuple[Libraries | None, tuple[str, ...]]:
    """What peers are written with, and a sentence for each that is not there."""
    left_out: list[str] = []
    try:
        ndimage = importlib.import_module("cupyx.scipy.ndimage")
    except Exception as error:  # a broken installation raises this and that
        return None, (f"cupyx.scipy.ndimage does not load: {' '.join(str(error).split())}",)
    torch = None
    if importlib.util.find_spec("torch") is None:
        left_out.append("torch.compile: PyTorch is not installed")
    else:
        try:
            torch = importlib.import_module("torch")
            if not torch.cuda.is_available():
                left_out.append("torch.compile: this PyTorch sees no GPU")
                torch = None
        except Exception as error:
            left_out.append(f"torch.compile: PyTorch does not load: {' '.join(str(error).split())}")
            torch = None
    within = _within(cupy, torch, index)
    if torch is None:
        return Libraries(cupy, ndimage, cupy.fuse(), within), tuple(left_out)

    def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
        torch.compiler.reset()  # else it counts how often it has compiled for other sizes, and gives up
        made: Callable[..., Any] = torch.compile(function, dynamic=False)
        return made

    return Libraries(cupy, ndimage, cupy.fuse(), within, torch, torch.from_dlpack, cupy.from_dlpack,
                     compiled), tuple(left_out)  # fmt: skip


def _within(cupy: Any, torch: Any, index: int) -> Callable[[Any], AbstractContextManager[Any]]:
    """Makes a stream of ours current for both."""

    @contextmanager
    def within(stream: Any) -> Any:
        with ExitStack() as stack:
            stack.enter_context(cupy.cuda.Device(index))
            stack.enter_context(stream)
            if torch is not None:
                stack.enter_context(torch.cuda.stream(torch.cuda.ExternalStream(stream.ptr, device=index)))
            yield

    return within
