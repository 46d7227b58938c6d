"""The GPU of these tests. Without one they are skipped, and say why.

FUSETRACK_GPU names another than the first (cuda:1); "emulated" runs the tests themselves, on the processor.
FUSETRACK_GPU_POOL=off takes all memory from the driver, so that compute-sanitizer sees where each array ends.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.errors import DefinitionError
from kernels.executors.base import executor


@dataclass(frozen=True)
class Gpu:
    """An executor, and how an array comes to lie on its device, by each protocol."""

    executor: Any
    uploads: dict[str, Callable[[np.ndarray], Any]]
    emulated: bool = False


class Capsuled:
    """An array that says where it lies by DLPack alone."""

    def __init__(self, array: Any) -> None:
        self.array, self.shape, self.dtype = array, array.shape, array.dtype

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


class Interfaced:
    """An array that says where it lies by __cuda_array_interface__ alone."""

    def __init__(self, array: Any) -> None:
        self.array, self.shape, self.dtype = array, array.shape, array.dtype
        self.__cuda_array_interface__ = array.__cuda_array_interface__


@pytest.fixture(scope="session")
def gpu(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gpu]:
    name = os.environ.get("FUSETRACK_GPU", "cuda:0")
    if name == "emulated":
        from tests.kernels.executors.simulated_device import OnDevice
        from tests.pipelines.emulated import EmulatedExecutor

        yield Gpu(EmulatedExecutor(), {"simulated": OnDevice}, True)
        return
    try:
        made = executor(name)
    except DefinitionError as error:
        pytest.skip(f"no GPU: {error}")
    cupy: Any = pytest.importorskip("cupy")
    if os.environ.get("FUSETRACK_GPU_POOL") == "off":
        cupy.cuda.set_allocator(None)
    index = int(name.partition(":")[2] or 0)

    def upload(array: np.ndarray) -> Any:
        with cupy.cuda.Device(index):
            return cupy.asarray(array)

    kept, folder = os.environ.get("FUSETRACK_CACHE"), tmp_path_factory.mktemp("cache")
    if kept is None:  # what was compiled before must not hide what is compiled now
        os.environ["FUSETRACK_CACHE"] = str(Path(folder))
        made = executor(name)
    yield Gpu(made, {"cupy": upload, "dlpack": lambda a: Capsuled(upload(a)),
                     "interface": lambda a: Interfaced(upload(a))})  # fmt: skip
    if kept is None:
        del os.environ["FUSETRACK_CACHE"]
