"""The GPU of a benchmark, with a CuPy and a PyTorch that are made up: who takes part, and who is left out and why."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.benchmark import gpu_rig
from app.benchmark.gpu_rig import cuda_rig, gpu_libraries
from kernels.errors import DefinitionError
from kernels.ir.image import F32, U8, ImageType
from kernels.plugins import find_stage
from tests.kernels.executors.timed_cupy import TimedCupy, installed

REAL: Callable[..., Any] = importlib.util.find_spec


@pytest.fixture
def cupy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TimedCupy]:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    with installed() as made:
        made.fuse = lambda: lambda function: function  # type: ignore[attr-defined]
        made.from_dlpack = lambda tensor: tensor  # type: ignore[attr-defined]
        monkeypatch.setattr(gpu_rig, "_cupy", made)
        package = ModuleType("cupyx.scipy.ndimage")
        for name in ("cupyx", "cupyx.scipy"):
            monkeypatch.setitem(sys.modules, name, ModuleType(name))
        monkeypatch.setitem(sys.modules, "cupyx.scipy.ndimage", package)
        yield made


def there(monkeypatch: pytest.MonkeyPatch, torch: Any) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" and torch is None else
                        object() if name == "torch" else REAL(name))  # fmt: skip
    monkeypatch.setitem(sys.modules, "torch", torch)


def test_a_rig(cupy: TimedCupy, monkeypatch: pytest.MonkeyPatch) -> None:
    there(monkeypatch, None)
    cupy.ndarray = lambda shape, dtype, memory: (shape, dtype, memory.ptr)  # type: ignore[assignment]
    rig, device, left_out = cuda_rig(0)
    assert (device.name, rig.cache) == ("Imaginary GPU", 72 << 20)
    assert left_out == ("torch.compile: PyTorch is not installed",)
    memory = rig.device.memory(12)
    assert rig.array(memory, (3, 4)) == ((3, 4), np.uint8, memory.ptr)
    program = rig.compile(find_stage("gaussian").build([ImageType(U8, 24, 40)]))
    assert program.program.kernels
    rig.compile(find_stage("invert").build([ImageType(U8, 24, 40)]))
    assert not cupy.told  # no ElementwiseKernel: what fused kernels are compared with reads several pixels at a time
    assert rig.usage(program.program.text) == {}  # nothing was compiled
    with pytest.raises(DefinitionError, match="does not run on the GPU: it runs on the host"):
        rig.compile(find_stage("components").build([ImageType(U8, 8, 8), ImageType(F32, 8, 8)],
                                                      {"centre": "shape"}))  # fmt: skip
    with pytest.raises(DefinitionError, match="no GPU number 5"):
        cuda_rig(5)


class Torch(ModuleType):
    """Counts what is done."""

    def __init__(self, gpus: bool) -> None:
        super().__init__("torch")
        self.done: list[Any] = []

        @contextmanager
        def stream(which: Any) -> Iterator[None]:
            self.done.append(("stream", which))
            yield

        self.cuda = SimpleNamespace(is_available=lambda: gpus, stream=stream,
                                    ExternalStream=lambda pointer, device: (pointer, device))  # fmt: skip
        self.compiler = SimpleNamespace(reset=lambda: self.done.append("reset"))
        self.from_dlpack = lambda array: array
        self.compile = lambda function, dynamic: self.done.append(("compile", dynamic)) or function


def test_torch_takes_part_where_it_sees_a_gpu(cupy: TimedCupy, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = Torch(gpus=True)
    there(monkeypatch, torch)
    libraries, left_out = gpu_libraries(cupy, 0)
    assert libraries is not None
    assert left_out == ()
    assert libraries.compile(len) is len
    with libraries.within(cupy.cuda.Stream(non_blocking=True)):
        pass
    assert torch.done == ["reset", ("compile", False), ("stream", (0, 0))]
    there(monkeypatch, Torch(gpus=False))
    libraries, left_out = gpu_libraries(cupy, 0)
    assert libraries is not None
    assert libraries.torch is None
    assert left_out == ("torch.compile: this PyTorch sees no GPU",)


def test_without_cupyx_there_are_no_peers(cupy: TimedCupy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupyx.scipy.ndimage", None)
    libraries, left_out = gpu_libraries(cupy, 0)
    assert libraries is None
    assert "cupyx.scipy.ndimage does not load" in left_out[0]
