"""The cuda executor: bodies as CUDA kernels, through CuPy. The only module that imports cupy.

Kernels are compiled by NVRTC here and not by CuPy, which would flush subnormal numbers (-ftz=true) and so change bits.
Point-wise bodies of whole numbers, where that makes no difference, are a cupy.ElementwiseKernel.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from kernels.codegen.cuda import cuda
from kernels.codegen.cuda_launch import OPTIONS, CudaProgram
from kernels.codegen.nvrtc import NvrtcError, Usage, compile_text
from kernels.codegen.nvrtc import version as nvrtc_version
from kernels.errors import DefinitionError, InputError
from kernels.executors.base import DeviceModel, Executor, Program, executor
from kernels.executors.cache import ObjectCache, cache_folder
from kernels.executors.cuda_elementwise import ElementwiseLauncher, exact_elements
from kernels.executors.cuda_runner import CudaRunner
from kernels.executors.device import Array, Event, Memory, Stream
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body

_MISSING = ""
cupy: Any = None
try:
    cupy = importlib.import_module("cupy")
except Exception as error:  # a broken installation raises all sorts of things
    _MISSING = f"{type(error).__name__}: {' '.join(str(error).split())}"

_SHAPES: tuple[dict[str, Any], ...] = (
    {}, {"vector": 4, "threads": 128}, {"tile": (32, 16), "threads": 128}, {"tile": (32, 8), "threads": 64},
)  # fmt: skip
"""Ways to cut a body into blocks, tried until one needs no local memory."""


class CudaDevice:
    """One NVIDIA GPU; see `kernels.executors.device.Device`.

    Args:
        index: its number, from 0.

    Raises:
        DefinitionError: CuPy, the driver or the GPU is missing; says which, and what to do.
    """

    def __init__(self, index: int = 0) -> None:
        count = device_count()
        if not 0 <= index < count:
            raise DefinitionError(f"there is no GPU number {index}; there {'is' if count == 1 else 'are'} {count}, "
                                  "counted from 0")  # fmt: skip
        self.index = index
        self._device = cupy.cuda.Device(index)
        with self._device:
            major, minor = divmod(int(self._device.compute_capability), 10)
            self.architecture = f"sm_{major}{minor}"
            self.name = cupy.cuda.runtime.getDeviceProperties(index)["name"].decode()
            self._side = cupy.cuda.Stream(non_blocking=True)
        self.cache = ObjectCache(cache_folder().with_name("cuda"))
        self.usage: dict[str, Usage] = {}

    def memory(self, size: int) -> Memory:
        """Device memory; `InputError` when there is not enough."""
        with self._device:
            try:
                return cupy.cuda.alloc(max(size, 1))
            except cupy.cuda.memory.OutOfMemoryError:
                free, total = cupy.cuda.runtime.memGetInfo()
                raise InputError(
                    f"{self.name} has not enough memory: {size / 2**20:.0f} MiB more are needed, {free / 2**20:.0f} of "
                    f"{total / 2**20:.0f} MiB are free; take shorter batches, a part of the picture (--roi), or "
                    "--device cpu"
                ) from None

    def pinned(self, size: int) -> Array:
        with self._device:
            held = cupy.cuda.alloc_pinned_memory(max(size, 1))
        return np.frombuffer(held, np.uint8, size)

    def stream(self) -> Stream:
        with self._device:
            return cupy.cuda.Stream(non_blocking=True)

    def event(self) -> Event:
        with self._device:
            return cupy.cuda.Event(disable_timing=True)

    def upload(self, to: Memory, source: Array, stream: Stream) -> None:
        runtime = cupy.cuda.runtime
        runtime.memcpyAsync(to.ptr, source.ctypes.data, source.nbytes, runtime.memcpyHostToDevice, stream.ptr)

    def download(self, to: Array, source: Memory, stream: Stream) -> None:
        runtime = cupy.cuda.runtime
        runtime.memcpyAsync(to.ctypes.data, source.ptr, to.nbytes, runtime.memcpyDeviceToHost, stream.ptr)

    def copy(self, to: Memory, start: int, source: Memory, offset: int, size: int, stream: Stream) -> None:
        runtime = cupy.cuda.runtime
        kind = runtime.memcpyDeviceToDevice
        runtime.memcpyAsync(to.ptr + start, source.ptr + offset, size, kind, stream.ptr)

    def zero(self, to: Memory, size: int, stream: Stream) -> None:
        cupy.cuda.runtime.memsetAsync(to.ptr, 0, size, stream.ptr)

    def fetch(self, source: Memory, pitch: int, width: int, rows: int) -> Array:
        made = np.empty((rows, width), np.uint8)
        if made.size:
            runtime = cupy.cuda.runtime
            runtime.memcpy2DAsync(made.ctypes.data, width, source.ptr, pitch, width, rows, runtime.memcpyDeviceToHost,
                                  self._side.ptr)  # fmt: skip
            self._side.synchronize()
        return made

    def adopt(self, given: Any) -> Memory | None:
        """CuPy arrays and whatever else lies on this GPU and says so by `__cuda_array_interface__` or DLPack."""
        with self._device:
            if not isinstance(given, cupy.ndarray):
                if hasattr(given, "__cuda_array_interface__"):
                    given = cupy.asarray(given)
                elif hasattr(given, "__dlpack_device__") and given.__dlpack_device__()[0] in (2, 13):
                    given = cupy.from_dlpack(given)
                else:
                    return None
            if given.device.id != self.index:
                return None
            cupy.cuda.get_current_stream().synchronize()  # who made it may not be done
            return cupy.ascontiguousarray(given).data

    def load(self, program: CudaProgram) -> Mapping[str, Any]:
        cubin, _ = self.compiled(program.text)
        with self._device:
            module = cupy.cuda.function.Module()
            module.load(cubin)
            functions = {kernel.name: module.get_function(kernel.name) for kernel in program.kernels}
            driver = cupy.cuda.driver
            for kernel in program.kernels:
                if kernel.shared > 48 * 1024:
                    attribute = driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
                    driver.funcSetAttribute(functions[kernel.name].ptr, attribute, kernel.shared)
        return functions

    def compiled(self, text: str) -> tuple[bytes, dict[str, Usage]]:
        """Machine code of a text for this GPU, and what its kernels use; from disk where it was compiled before.

        Raises:
            DefinitionError: NVRTC is missing or refuses the text.
        """
        try:
            parts = (text, self.architecture, *OPTIONS, *map(str, nvrtc_version()))
            key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
            kept = self.cache.get(key)
            if kept is not None:
                head, _, cubin = kept.partition(b"\n")
                return cubin, {name: Usage(*numbers) for name, numbers in json.loads(head).items()}
            made = compile_text(text, self.architecture)
        except NvrtcError as error:
            raise DefinitionError(f"the kernels cannot be compiled: {error}") from error
        used = {n: (u.registers, u.spills, u.stack, u.shared) for n, u in made.usage.items()}
        self.cache.put(key, json.dumps(used).encode() + b"\n" + made.cubin)
        return made.cubin, made.usage

    def launch(
        self, function: Any, grid: tuple[int, int, int], block: tuple[int, int],
        arguments: Sequence[Memory | np.generic], shared: int, stream: Stream,
    ) -> None:  # fmt: skip
        listed = tuple(a if isinstance(a, np.generic) else np.uint64(a.ptr) for a in arguments)
        with self._device:
            function(grid, (*block, 1), listed, shared_mem=shared, stream=stream)

    def record(self, event: Event, stream: Stream) -> None:
        event.record(stream)

    def wait(self, stream: Stream, event: Event) -> None:
        stream.wait_event(event)

    def synchronize(self, event: Event) -> None:
        try:
            event.synchronize()
        except cupy.cuda.runtime.CUDARuntimeError as error:
            raise DefinitionError(f"{self.name} stopped working ({error}); start again, or use --device cpu") from error

    def model(self) -> DeviceModel:
        """What the planner must know of it, as the driver says; bandwidths by clock and bus width."""
        runtime = cupy.cuda.runtime

        def ask(name: str) -> int:
            return int(runtime.deviceGetAttribute(getattr(runtime, f"cudaDevAttr{name}"), self.index))

        clock = ask("ClockRate") * 1e3
        units = ask("MultiProcessorCount")
        dram = 2 * ask("MemoryClockRate") * 1e3 * ask("GlobalMemoryBusWidth") / 8
        lanes = 64 if self.architecture in ("sm_75", "sm_80") else 128
        return DeviceModel(
            f"cuda:{self.index}", "cuda", units, dram=dram, cache=max(32 * units * clock, dram),
            near=128 * units * clock, cache_bytes=ask("L2CacheSize"),
            near_bytes=ask("MaxSharedMemoryPerMultiprocessor"), block_bytes=ask("MaxSharedMemoryPerBlockOptin"),
            rate=lanes * units * clock, launch=4e-6, bus=24e9, registers=ask("MaxRegistersPerMultiprocessor"),
            threads=ask("MaxThreadsPerMultiProcessor"), blocks=ask("MaxBlocksPerMultiprocessor"), origin="default",
        )  # fmt: skip


def device_count() -> int:
    """How many GPUs there are.

    Raises:
        DefinitionError: none can be used; says why, and what to do.
    """
    if cupy is None:
        raise DefinitionError(
            f"the cuda back end needs CuPy, which does not load ({_MISSING}); install it with "
            "pip install 'fusetrack[cuda13]' (or cuda12 for older drivers), or use --device cpu"
        )
    try:
        count = int(cupy.cuda.runtime.getDeviceCount())
    except cupy.cuda.runtime.CUDARuntimeError as error:
        raise DefinitionError(f"no NVIDIA GPU can be used: {_sentence(error)}; or use --device cpu") from error
    if not count:
        raise DefinitionError("there is no NVIDIA GPU in this machine; use --device cpu")
    return count


def _sentence(error: Exception) -> str:
    text = str(error)
    if "InsufficientDriver" in text:
        return "the driver is missing or too old for this CuPy; install a newer driver, or an older CuPy (cuda12)"
    if "NoDevice" in text:
        return "the driver finds none"
    return " ".join(text.split())


class CudaExecutor:
    """Compiles bodies for one GPU.

    Args:
        index: its number.
        threads: of the cpu executor that runs what this one cannot.

    Attributes:
        fallbacks: why bodies run elsewhere.
    """

    name = "cuda"

    def __init__(self, index: int = 0, threads: int = 0) -> None:
        self.device = CudaDevice(index)
        self._threads = threads
        self.fallbacks: list[str] = []

    @property
    def other(self) -> Executor:
        """What runs bodies that this back end cannot express."""
        return _other(self._threads)

    def compile(self, body: Body) -> Program:
        """A program for `body`; one that CUDA cannot express runs on the cpu back end (see `back_end`)."""
        if body.host is not None:
            return self.other.compile(body)
        try:
            text = exact_elements(body)
            if text is not None:
                program = cuda(body)
                (kernel,) = program.kernels
                launch = ElementwiseLauncher(cupy, body, kernel, text)
                return CudaRunner(body, program, self.device, functions={kernel.name: launch})
            return CudaRunner(body, self._program(body), self.device)
        except Unsupported as reason:
            self.fallbacks.append(str(reason))
            return self.other.compile(body)

    def _program(self, body: Body) -> CudaProgram:
        """The first of `_SHAPES` whose kernels spill nothing, else the one that spills least."""
        best: tuple[int, CudaProgram] | None = None
        reason: Unsupported | None = None
        for shape in _SHAPES:
            try:
                program = cuda(body, **shape)
            except Unsupported as error:
                reason = reason or error
                continue
            _, usage = self.device.compiled(program.text)
            spills = sum(u.spills for u in usage.values())
            if best is None or spills < best[0]:
                best = spills, program
            if not spills:
                break
        if best is None:
            assert reason is not None
            raise reason
        return best[1]


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
