"""The cuda executor without a GPU: what it says, and a CuPy of NumPy whose kernels are counted, not run."""

from __future__ import annotations

import ctypes
import importlib
import sys
import types
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from kernels.codegen import nvrtc
from kernels.errors import DefinitionError, InputError
from kernels.executors import cuda_device
from kernels.executors.base import executor
from kernels.executors.reference import ReferenceProgram
from kernels.ir.image import F32, U8, ImageType
from kernels.ir.volumes import input_volume
from kernels.plugins import find_stage
from tests.kernels.fusion.test_modules import body_of, conv

HAVE_GPU = False
with suppress(DefinitionError):
    HAVE_GPU = cuda_device.device_count() > 0


@pytest.mark.skipif(HAVE_GPU, reason="there is a GPU")
def test_without_a_gpu_one_sentence_says_what_to_do() -> None:
    with pytest.raises(DefinitionError, match=r"--device cpu") as caught:
        executor("cuda")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["cuda:", "cuda:x", "cpu:1", "metal"])
def test_what_is_no_back_end_is_refused(name: str) -> None:
    with pytest.raises(DefinitionError, match="no back end"):
        executor(name)


ATTRIBUTES = {
    "ClockRate": 2_520_000, "MultiProcessorCount": 128, "MemoryClockRate": 10_501_000, "GlobalMemoryBusWidth": 384,
    "L2CacheSize": 72 << 20, "MaxSharedMemoryPerMultiprocessor": 100 << 10, "MaxSharedMemoryPerBlockOptin": 99 << 10,
    "MaxRegistersPerMultiprocessor": 65536, "MaxThreadsPerMultiProcessor": 1536, "MaxBlocksPerMultiprocessor": 24,
}  # fmt: skip
"""What a driver says of an RTX 4090."""


class FakeError(RuntimeError):
    """What the runtime raises."""


class Fake:
    """As much of CuPy as the executor uses, on NumPy memory, in order."""

    def __init__(self) -> None:
        self.launched: list[tuple[str, tuple[int, ...]]] = []
        self.count, self.free = 1, 1 << 30
        fake = self

        class Memory:
            def __init__(self, size: int) -> None:
                self.bytes = np.full(size, 0xCD, np.uint8)
                self.ptr = self.bytes.ctypes.data

        class Context:
            def __init__(self, *_: Any, **__: Any) -> None:
                self.ptr = 0
                self.compute_capability = "90"

            def __enter__(self) -> Any:
                return self

            def __exit__(self, *_: object) -> None: ...

            def synchronize(self) -> None: ...

            def record(self, _: Any) -> None: ...

            def wait_event(self, _: Any) -> None: ...

        class Function:
            def __init__(self, name: str) -> None:
                self.name, self.ptr = name, 0

            def __call__(self, grid: Any, block: Any, arguments: Any, shared_mem: int, stream: Any) -> None:
                assert all(isinstance(a, np.generic) for a in arguments)
                assert len(grid) == len(block) == 3
                fake.launched.append((self.name, grid))

        class Module:
            def load(self, cubin: bytes) -> None:
                assert isinstance(cubin, bytes)

            def get_function(self, name: str) -> Any:
                return Function(name)

        class OutOfMemoryError(MemoryError): ...

        def alloc(size: int) -> Any:
            if size > fake.free:
                raise OutOfMemoryError
            return Memory(size)

        def move(to: int, source: int, size: int, *_: Any) -> None:
            ctypes.memmove(to, source, size)

        def rows(to: int, to_pitch: int, source: int, pitch: int, width: int, count: int, *_: Any) -> None:
            for i in range(count):
                move(to + i * to_pitch, source + i * pitch, width)

        def fill(to: int, value: int, size: int, _: Any) -> None:
            ctypes.memset(to, value, size)

        runtime = types.SimpleNamespace(
            getDeviceCount=lambda: fake.count, CUDARuntimeError=FakeError, memcpyAsync=move, memcpy2DAsync=rows,
            memsetAsync=fill, memcpyHostToDevice=1, memcpyDeviceToHost=2, memcpyDeviceToDevice=3,
            memGetInfo=lambda: (fake.free, 1 << 31), getDeviceProperties=lambda _: {"name": b"Imaginary GPU"},
            deviceGetAttribute=lambda name, _: ATTRIBUTES[name],
        )  # fmt: skip
        vars(runtime).update({f"cudaDevAttr{name}": name for name in ATTRIBUTES})
        self.cuda = types.SimpleNamespace(
            Device=Context, Stream=Context, Event=Context, alloc=alloc, runtime=runtime,
            alloc_pinned_memory=lambda size: memoryview(bytearray(size)), get_current_stream=Context,
            memory=types.SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
            function=types.SimpleNamespace(Module=Module),
            driver=types.SimpleNamespace(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES=8,
                                         funcSetAttribute=lambda *_: None),
        )  # fmt: skip
        self.ndarray = Memory
        self.cuda.UnownedMemory = lambda address, size, _: (address, size)
        self.cuda.MemoryPointer = lambda memory, _: memory

        def view(shape: Any, dtype: Any, memory: tuple[int, int]) -> np.ndarray:
            held = (ctypes.c_uint8 * memory[1]).from_address(memory[0])
            return np.ctypeslib.as_array(held).view(dtype).reshape(shape)

        class Elements:
            """Inverts, whatever it is told: what counts is that it gets the right images."""

            def __init__(self, in_params: str, out_params: str, operation: str, name: str, **_: Any) -> None:
                fake.told.append((in_params, out_params, operation))

            def __call__(self, image: np.ndarray, out: np.ndarray) -> None:
                out[...] = 255 - image

        self.told: list[tuple[str, ...]] = []
        self.ElementwiseKernel = Elements
        self.view = view


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Fake:
    made = Fake()
    monkeypatch.setattr(cuda_device, "cupy", made)
    monkeypatch.setattr(cuda_device, "compile_text", lambda *_: nvrtc.Compiled(b"code", {}, ""))
    monkeypatch.setattr(cuda_device, "nvrtc_version", lambda: (13, 0))
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    return made


def test_a_batch_goes_there_and_back(fake: Fake) -> None:
    body = find_stage("gaussian").build([ImageType(U8, 24, 40)])
    back_end = executor("cuda:0")
    program: Any = back_end.compile(body)
    assert program.back_end == "cuda"
    made = program.run([np.zeros((3, 24, 40), np.uint8)], {})
    assert [a.shape for a in made.values()] == [(3, 24, 40)]
    assert all((np.asarray(a).view(np.uint8) == 0xCD).all() for a in made.values())  # no kernel ran: what was there
    assert len(fake.launched) == 1
    assert not back_end.fallbacks  # type: ignore[attr-defined]


def test_points_are_an_elementwise_kernel(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fake, "ndarray", fake.view)
    body = find_stage("invert").build([ImageType(U8, 8, 12)])
    program: Any = executor("cuda").compile(body)
    frames = np.arange(2 * 8 * 12, dtype=np.uint8).reshape(2, 8, 12)
    made = program.run([frames], {})
    assert np.array_equal(next(iter(made.values())), 255 - frames)
    assert fake.told[0][:2] == ("uint8 in0_0", "uint8 out0_0")
    executor("cuda").compile(find_stage("gamma").build([ImageType(F32, 8, 12)]))
    assert len(fake.told) == 2
    assert "Exact(in0_0)" in fake.told[1][2]  # floats whose operations keep subnormal values, whatever CuPy's options
    executor("cuda").compile(find_stage("gaussian").build([ImageType(U8, 8, 12)]))
    assert len(fake.told) == 2  # which looks at other pixels
    plain: Any = executor("cuda")
    plain.elements = False
    plain.compile(body)
    assert len(fake.told) == 2


def test_host_stages_run_on_the_processor(fake: Fake) -> None:
    body = find_stage("components").build([ImageType(U8, 8, 8), ImageType(F32, 8, 8)], {"centre": "shape"})
    program: Any = executor("cuda").compile(body)
    assert getattr(program, "back_end", "reference") != "cuda"
    batch = [np.zeros((2, 8, 8), np.uint8), np.zeros((2, 8, 8), np.float32)]
    assert len(program.run(batch, {})["out"]) == len(ReferenceProgram(body).run(batch, {})["out"]) == 2
    assert not fake.launched


def test_decoders_and_modules_of_layers_run_there(fake: Fake) -> None:
    told = {"MultiProcessorCount": 20, "L2CacheSize": 1 << 22, "MaxSharedMemoryPerMultiprocessor": 102400,
            "MaxRegistersPerMultiprocessor": 65536, "MaxSharedMemoryPerBlockOptin": 101376,
            "MaxThreadsPerMultiProcessor": 1536, "MaxBlocksPerMultiprocessor": 16}  # fmt: skip
    names = (*told, "ClockRate", "MemoryClockRate", "GlobalMemoryBusWidth")
    vars(fake.cuda.runtime).update({f"cudaDevAttr{name}": name for name in names})
    fake.cuda.runtime.deviceGetAttribute = lambda name, _: told.get(name, 0)
    type_ = ImageType(F32, 8, 8, 16)
    layers = body_of(type_, out=conv(input_volume(0, type_), 16))
    for body in (find_stage("heatmap_peaks").build([type_, None, None]), layers):
        program: Any = executor("cuda").compile(body)
        assert program.back_end == "cuda"
        program.submit([np.zeros((2, *type_.shape), np.float32), *([None] * (len(body.inputs) - 1))], {})
    assert len(fake.launched) == 2


def test_too_little_memory_and_gpus_that_are_not_there(fake: Fake) -> None:
    program: Any = executor("cuda").compile(find_stage("gaussian").build([ImageType(U8, 24, 40)]))
    fake.free = 100
    with pytest.raises(InputError, match="Imaginary GPU has not enough memory"):
        program.run([np.zeros((3, 24, 40), np.uint8)], {})
    with pytest.raises(DefinitionError, match="no GPU number 3; there is 1"):
        executor("cuda:3")
    fake.count = 0
    with pytest.raises(DefinitionError, match="no NVIDIA GPU"):
        executor("cuda")

    def refuse() -> int:
        raise FakeError("cudaErrorInsufficientDriver: CUDA driver version is insufficient")

    fake.cuda.runtime.getDeviceCount = refuse
    with pytest.raises(DefinitionError, match="too old"):
        executor("cuda")


def test_a_broken_cupy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    again = importlib.reload(cuda_device)
    try:
        with pytest.raises(DefinitionError, match="needs CuPy, which does not load"):
            again.device_count()
    finally:
        monkeypatch.undo()
        importlib.reload(cuda_device)


def test_cupy_has_what_is_used() -> None:
    cupy = pytest.importorskip("cupy")
    for path in ("cuda.alloc", "cuda.alloc_pinned_memory", "cuda.Device", "cuda.Stream", "cuda.Event", "from_dlpack",
                 "cuda.function.Module", "cuda.driver.funcSetAttribute", "cuda.get_current_stream", "ascontiguousarray",
                 "cuda.driver.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES", "cuda.memory.OutOfMemoryError",
                 *(f"cuda.runtime.{n}" for n in ("memcpyAsync", "memcpy2DAsync", "memsetAsync", "memGetInfo",
                   "getDeviceCount", "getDeviceProperties", "CUDARuntimeError", "deviceGetAttribute",
                   "memcpyDeviceToDevice", "cudaDevAttrClockRate", "cudaDevAttrMultiProcessorCount"))):  # fmt: skip
        found = cupy
        for name in path.split("."):
            found = getattr(found, name)
