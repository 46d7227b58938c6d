"""What `fusetrack doctor` says of GPUs, and their calibration."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import asdict

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from kernels.errors import FusetrackError, InputError
from kernels.executors.cuda_calibration import GpuCalibration, calibrate_gpu, keep_gpu, kept_gpu
from kernels.executors.cuda_clock import CudaClock, gpu_facts
from kernels.executors.cuda_device import CudaDevice, device_count
from pipelines.planning.devices import usable

Finding = tuple[str, str, str, str]
"""Name, "ok", "warn" or "fail", what was found, what to do about it."""


def gpu_findings() -> list[Finding]:
    """Whether GPUs can be used, each by its name; a machine without one is fine."""
    if importlib.util.find_spec("cupy") is None:
        return [("GPU", "ok", "CuPy is not installed: nothing is run on GPUs, only planned for them", "")]
    try:
        count = device_count()
    except FusetrackError as error:
        return [("GPU", "warn", str(error), "check the driver with nvidia-smi, or do without")]
    return [_one(number) for number in range(count)]


def _one(number: int) -> Finding:
    name = f"cuda:{number}"
    try:
        device = CudaDevice(number)
        device.stream()
        device.memory(256)
        facts = gpu_facts(device)
    except Exception as error:  # a broken driver raises this and that
        text = " ".join(str(error).split())
        return name, "warn", f"is there but cannot be used: {text}", "check the driver with nvidia-smi"
    if facts["nvrtc"] == "missing":
        return name, "warn", f"{device.name}, but NVRTC is missing, which compiles kernels", (
            "pip install nvidia-cuda-nvrtc (nvidia-cuda-nvrtc-cu12 for older drivers)")  # fmt: skip
    found, remark = kept_gpu(facts)
    said = described(facts)
    if found is None:
        return name, "ok", f"{said}; {remark or f'not measured yet: fusetrack doctor --calibrate --device {name}'}", ""
    return name, "warn" if found.remark else "ok", f"{said}; {brief(found)}", found.remark


def described(facts: Mapping[str, object]) -> str:
    """A GPU in a line.

    Args:
        facts: `cuda_clock.gpu_facts`.
    """
    return (f"{facts['gpu']} ({facts['architecture']}), driver {facts['driver']}, CUDA {facts['cuda_of_driver']}, "
            f"NVRTC {facts['nvrtc']}, CuPy {facts['cupy']}")  # fmt: skip


def brief(found: GpuCalibration) -> str:
    """A calibration in a line."""
    up, down = found.up / 1e9, found.down / 1e9
    return (f"copies {found.copy / 1e9:.0f} GB/s inside, {up:.1f} GB/s up, {down:.1f} GB/s down, "
            f"{found.launch * 1e6:.1f} µs a launch")  # fmt: skip


def calibrated_gpu(name: str) -> tuple[dict[str, object], Finding]:
    """Measure a GPU and keep what was found; all of it, and the finding.

    Raises:
        InputError: it is not there, or cannot be used.
    """
    kind, _, number = name.partition(":")
    if kind != "cuda" or not (number.isdecimal() or not number):
        raise InputError(f"--device takes cuda or cuda:1 ..., not {name!r}; leave it out to measure the processor")
    with usable():
        return _measured(CudaDevice(int(number or 0)))


def _measured(device: CudaDevice) -> tuple[dict[str, object], Finding]:
    facts = gpu_facts(device)
    columns = (TextColumn(f"measuring {device.name}", markup=False), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("", total=1.0)
        found = calibrate_gpu(device, CudaClock(device), lambda share: bar.update(task, completed=share))
    found = keep_gpu(found, facts)
    state = "warn" if found.remark else "ok"
    said = f"{described(facts)}; {brief(found)}"
    return {"facts": dict(facts), **asdict(found)}, (f"cuda:{device.index}", state, said, found.remark)
