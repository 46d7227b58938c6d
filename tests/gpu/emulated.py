"""The program with a GPU whose kernels run on the processor: `python -m tests.gpu.emulated ARGS`, as `python -m app`.

So `day.sh` goes from its beginning to its end where there is no GPU (FUSETRACK_GPU=emulated), on small frames. Bits are
those of a GPU; times are the emulator's.
"""

from __future__ import annotations

import importlib
import re
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace
from typing import Any

from kernels.codegen.nvrtc import Usage
from kernels.executors.base import DeviceModel
from tests.pipelines.emulated import ApartDevice


class EmulatedGpu(ApartDevice):
    """In place of `kernels.executors.cuda_device.CudaDevice`."""

    name, architecture = "Emulated GPU", "sm_90"

    def __init__(self, index: int = 0) -> None:
        super().__init__(index)
        self.index = index

    def give_back(self) -> None:
        """There is nothing to give back."""

    def compiled(self, text: str) -> tuple[bytes, dict[str, Usage]]:
        """No machine code; what kernels may use."""
        names = re.findall(r'extern "C" __global__ void (?:__launch_bounds__\([^)]*\) )?(\w+)\(', text)
        return b"", dict.fromkeys(names, Usage(64, 0, 0, 0))

    def model(self) -> DeviceModel:
        """Of an H100."""
        from pipelines.planning.devices import find_device

        return replace(find_device("h100"), name=f"cuda:{self.index}")


class EmulatedClock:
    """In place of `kernels.executors.cuda_clock.CudaClock`: wall time."""

    def __init__(self, device: EmulatedGpu) -> None:
        self.device = device

    def seconds(self, work: Callable[[Any], object], stream: Any) -> float:
        """Of some work in a stream."""
        start, done = time.perf_counter(), self.device.event()
        work(stream)
        self.device.record(done, stream)
        self.device.synchronize(done)
        return time.perf_counter() - start

    def capture(self, work: Callable[[Any], object], stream: Any) -> Callable[[Any], None]:
        """The work as a graph."""
        graph = self.device.capture(work, stream)
        return lambda to: self.device.replay(graph, to)


def install() -> None:
    """From now on there is one GPU, cuda:0, in this process."""
    runtime = SimpleNamespace(driverGetVersion=lambda: 13000, runtimeGetVersion=lambda: 13000)
    cupy: Any = ModuleType("cupy")
    cupy.__spec__, cupy.__version__, cupy.cuda = ModuleSpec("cupy", None), "0", SimpleNamespace(runtime=runtime)
    sys.modules["cupy"] = cupy
    calibration = importlib.import_module("kernels.executors.cuda_calibration")
    small = partial(calibration.calibrate_gpu, copy=1 << 14, bus=1 << 12, launches=3, rounds=2)
    instead = {"CudaDevice": EmulatedGpu, "CudaClock": EmulatedClock, "device_count": lambda: 1, "cupy": cupy,
               "_cupy": cupy, "calibrate_gpu": small, "exact_elements": lambda _: None}  # fmt: skip
    for name in ("kernels.executors.cuda_device", "kernels.executors.cuda_clock", "kernels.executors.cuda",
                 "app.commands.doctor_gpu", "app.commands.bench_gpu", "app.benchmark.gpu_rig"):  # fmt: skip
        module = importlib.import_module(name)
        for known, other in instead.items():
            if hasattr(module, known):
                setattr(module, known, other)


if __name__ == "__main__":
    install()
    from app.cli import main

    sys.exit(main(sys.argv[1:]))
