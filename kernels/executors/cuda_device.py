"""One NVIDIA GPU as `kernels.executors.device.Device` has it, through CuPy. The only module that imports cupy.

Kernels are compiled by NVRTC here and not by CuPy, which would flush subnormal numbers (-ftz=true) and so change bits.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np

from kernels.codegen.cuda_launch import CudaProgram
from kernels.codegen.nvrtc import NvrtcError, Usage, compile_text, options_of
from kernels.codegen.nvrtc import version as nvrtc_version
from kernels.errors import DefinitionError, InputError
from kernels.executors.base import DeviceModel
from kernels.executors.cache import ObjectCache, cache_folder
from kernels.executors.cuda_adoption import adopted
from kernels.executors.cuda_errors import input_error
from kernels.executors.cuda_model import described
from kernels.executors.device import Array, Event, Graph, Lying, Memory, Piece, Stream
from kernels.executors.host_memory import HostMemory

_MISSING = ""
cupy: Any = None
try:
    cupy = importlib.import_module("cupy")
except Exception as error:  # a broken installation raises all sorts of things
    _MISSING = f"{type(error).__name__}: {' '.join(str(error).split())}"


class CudaDevice:
    """One NVIDIA GPU; see `kernels.executors.device.Device`. Leaves CuPy's current device and stream as they are.

    Args:
        index: its number, from 0.

    Raises:
        DefinitionError: CuPy, the driver or the GPU is missing; says which, and what to do.

    Whatever the driver or CuPy raises in any method is an InputError in one sentence.
    """

    def __init__(self, index: int = 0) -> None:
        count = device_count()
        if not 0 <= index < count:
            raise DefinitionError(f"there is no GPU number {index}; there {'is' if count == 1 else 'are'} {count}, "
                                  "counted from 0")  # fmt: skip
        self.index = index
        self.name = f"GPU {index}"
        self._device = cupy.cuda.Device(index)
        with self._here():
            major, minor = divmod(int(self._device.compute_capability), 10)
            self.architecture = f"sm_{major}{minor}"
            self.name = cupy.cuda.runtime.getDeviceProperties(index)["name"].decode()
            self._side = cupy.cuda.Stream(non_blocking=True)
            self._adopted = cupy.cuda.Event(disable_timing=True)
        self.cache = ObjectCache(cache_folder().with_name("cuda"))
        self.usage: dict[str, Usage] = {}
        self._host = HostMemory(self._pinned)

    @contextmanager
    def _here(self, memory: str = "") -> Iterator[None]:
        """This GPU is the current one; errors of the driver are sentences (`memory`: see `input_error`)."""
        try:
            with self._device:
                yield
        except (RuntimeError, MemoryError) as error:  # CuPy's for the runtime, the driver and memory are among them
            raise input_error(error, self.name, memory) from error

    def memory(self, size: int) -> Memory:
        """Device memory; `InputError` when there is not enough."""
        with self._here(f"{size / 2**20:.0f} MiB more are needed"):
            try:
                return cupy.cuda.alloc(max(size, 1))
            except cupy.cuda.memory.OutOfMemoryError as error:
                free, total = cupy.cuda.runtime.memGetInfo()
                raise input_error(error, self.name, f"{size / 2**20:.0f} MiB more are needed, {free / 2**20:.0f} of "
                                             f"{total / 2**20:.0f} MiB are free") from None  # fmt: skip

    def give_back(self) -> None:
        """Let other programs have memory that nothing here uses any more; CuPy keeps it otherwise."""
        with self._here():
            cupy.get_default_memory_pool().free_all_blocks()

    def _pinned(self, size: int) -> Any:
        with self._here(f"{size / 2**20:.0f} MiB of the host's memory cannot be pinned for it"):
            return cupy.cuda.alloc_pinned_memory(size)

    def pinned(self, size: int) -> Array:
        return self._host.take((size,))

    def offer(self, size: int) -> Array | None:
        try:
            return self._host.offer((size,))
        except InputError:  # so much cannot be pinned; who asks can do without
            return None

    def holds(self, array: Array) -> bool:
        return self._host.holds(array)

    def stream(self) -> Stream:
        with self._here():
            return cupy.cuda.Stream(non_blocking=True)

    def event(self) -> Event:
        with self._here():
            return cupy.cuda.Event(disable_timing=True)

    def upload(self, to: Memory, source: Array, stream: Stream) -> None:
        runtime = cupy.cuda.runtime
        with self._here():
            runtime.memcpyAsync(to.ptr, source.ctypes.data, source.nbytes, runtime.memcpyHostToDevice, stream.ptr)

    def download(self, to: Array, source: Memory, stream: Stream) -> None:
        runtime = cupy.cuda.runtime
        with self._here():
            runtime.memcpyAsync(to.ctypes.data, source.ptr, to.nbytes, runtime.memcpyDeviceToHost, stream.ptr)

    def download_piece(self, to: Array, source: Memory, piece: Piece, stream: Stream) -> None:
        runtime = cupy.cuda.runtime
        if not to.size:  # rows of a table that has none
            return
        with self._here():
            runtime.memcpy2DAsync(to.ctypes.data, piece.width, source.ptr, piece.pitch, piece.width, piece.rows,
                                  runtime.memcpyDeviceToHost, stream.ptr)  # fmt: skip

    def copy(self, to: Memory, start: int, source: Memory, offset: int, size: int, stream: Stream) -> None:
        runtime = cupy.cuda.runtime
        kind = runtime.memcpyDeviceToDevice
        with self._here():
            runtime.memcpyAsync(to.ptr + start, source.ptr + offset, size, kind, stream.ptr)

    def zero(self, to: Memory, size: int, stream: Stream) -> None:
        with self._here():
            cupy.cuda.runtime.memsetAsync(to.ptr, 0, size, stream.ptr)

    def fetch(self, source: Memory, pitch: int, width: int, rows: int) -> Array:
        return self.fetch_all([(source, Piece(pitch, width, rows))])[0]

    def fetch_all(self, pieces: Sequence[tuple[Memory, Piece]]) -> list[Array]:
        made = []
        for source, piece in pieces:
            area = self.offer(piece.nbytes)  # into other memory a copy would be waited for at once
            made.append((np.empty(piece.nbytes, np.uint8) if area is None else area).reshape(piece.rows, piece.width))
            if made[-1].size:
                self.download_piece(made[-1], source, piece, self._side)
        with self._here():
            self._side.synchronize()
        return made

    def adopt(self, given: Any, stream: Stream) -> Lying | Array:
        """CuPy arrays and whatever else lies on a GPU and says so by `__cuda_array_interface__` or DLPack."""
        with self._here():
            return adopted(cupy, self.index, given, stream, self._adopted)

    def address(self, memory: Memory) -> int:
        return int(memory.ptr)

    def capture(self, work: Callable[[Stream], object], stream: Stream) -> Graph:
        with self._here():
            stream.begin_capture()
        try:
            work(stream)
        except BaseException:
            with suppress(Exception), self._here():  # a stream that stays in capture would spoil all that follows
                stream.end_capture()
            raise
        with self._here():
            return stream.end_capture()

    def replay(self, graph: Graph, stream: Stream) -> None:
        with self._here():
            graph.launch(stream)

    def load(self, program: CudaProgram) -> Mapping[str, Any]:
        cubin, _ = self.compiled(program.text)
        with self._here():
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
            parts = (text, self.architecture, *options_of(text), *map(str, nvrtc_version()))
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
        with self._here():
            function(grid, (*block, 1), listed, shared_mem=shared, stream=stream)

    def record(self, event: Event, stream: Stream) -> None:
        with self._here():
            event.record(stream)

    def wait(self, stream: Stream, event: Event) -> None:
        with self._here():
            stream.wait_event(event)

    def synchronize(self, event: Event) -> None:
        with self._here():
            event.synchronize()

    def model(self) -> DeviceModel:
        """What the planner must know of it, as the driver says; bandwidths by clock and bus width."""
        runtime = cupy.cuda.runtime
        with self._here():
            return described(f"cuda:{self.index}", self.architecture, lambda name: int(
                runtime.deviceGetAttribute(getattr(runtime, f"cudaDevAttr{name}"), self.index)))  # fmt: skip


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
    except Exception as error:  # a CUDARuntimeError, or what a broken installation raises
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
