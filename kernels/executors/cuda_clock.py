"""Times and repeats work on a GPU: CUDA events, graphs, and what the driver says. CuPy comes from the cuda executor."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

from kernels.codegen.nvrtc import NvrtcError
from kernels.codegen.nvrtc import version as nvrtc_version
from kernels.executors import cuda_device
from kernels.executors.cuda_calibration import Work
from kernels.executors.cuda_errors import input_error
from kernels.executors.device import Stream


class CudaClock:
    """A clock for one GPU.

    Args:
        device: the GPU.
    """

    def __init__(self, device: cuda_device.CudaDevice) -> None:
        self.device = device
        self._cupy: Any = cuda_device.cupy
        with self._cupy.cuda.Device(device.index):
            self._begin, self._end = self._cupy.cuda.Event(), self._cupy.cuda.Event()

    def seconds(self, work: Work, stream: Stream) -> float:
        with self._cupy.cuda.Device(self.device.index):
            self._begin.record(stream)
            work(stream)
            self._end.record(stream)
            self.device.synchronize(self._end)
            return float(self._cupy.cuda.get_elapsed_time(self._begin, self._end)) / 1e3

    def capture(self, work: Work, stream: Stream) -> Work:
        graph = self.device.capture(work, stream)
        return lambda to: self.device.replay(graph, to)


def gpu_facts(device: cuda_device.CudaDevice) -> dict[str, object]:
    """Name, architecture, driver, CUDA and CuPy of a GPU: what measured figures depend on.

    Raises:
        InputError: the driver does not answer.
    """
    runtime = cuda_device.cupy.cuda.runtime
    try:
        of_driver, of_runtime = int(runtime.driverGetVersion()), int(runtime.runtimeGetVersion())
    except RuntimeError as error:  # CuPy's are among them
        raise input_error(error, device.name) from error
    return {
        "gpu": device.name,
        "architecture": device.architecture,
        "driver": driver_version(),
        "cuda_of_driver": dotted(of_driver),
        "cuda_runtime": dotted(of_runtime),
        "nvrtc": _nvrtc(),
        "cupy": str(cuda_device.cupy.__version__),
    }


def _nvrtc() -> str:
    try:
        return ".".join(map(str, nvrtc_version()))
    except NvrtcError:
        return "missing"


def dotted(number: int) -> str:
    """A version as CUDA counts it.

    >>> dotted(13000), dotted(12080)
    ('13.0', '12.8')
    """
    return f"{number // 1000}.{number % 1000 // 10}"


def driver_version() -> str:
    """Of the installed NVIDIA driver, such as 580.65.06; "unknown" if there is no answer."""
    # Where the driver says it by itself: no program is started.
    with suppress(OSError):
        for word in Path("/proc/driver/nvidia/version").read_text("ascii", "replace").split():
            if word[:1].isdigit() and word.count(".") >= 1 and word.replace(".", "").isdigit():
                return word
    with suppress(OSError, subprocess.SubprocessError):
        asked = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
        said = subprocess.run(asked, capture_output=True, text=True, timeout=10, check=True).stdout.split()
        if said:
            return said[0]
    return "unknown"
