"""Calibration of a GPU: what its memory, its bus and a launch take, for the planner.

    copy    = bytes read and written / seconds, of a copy inside the device that no cache holds
    up      = bytes / seconds, pinned host memory to the device;  down = the other way
    launch  = seconds a launch, of many small kernels one after another, timed on the device

Probes run in turns, so that a disturbance meets all alike; what counts is the lower quartile, since whatever else runs
only adds. The kept result is for this GPU, driver and CUDA alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Protocol

import numpy as np

from kernels.executors.base import DeviceModel
from kernels.executors.device import Device, Stream
from kernels.executors.measurement_cache import MeasurementCache
from kernels.ir.body import Body, Output
from kernels.ir.image import U8, ImageType
from kernels.ir.planes import input_plane

KIND = "gpu"
COPY, BUS, LAUNCHES, ROUNDS = 512 << 20, 64 << 20, 200, 20
UNSTEADY = 0.3
"""Distance between the quartiles of a probe, by its median, from which on the figures are not to be trusted."""

Work = Callable[[Stream], object]
"""Puts work into a stream."""


class Clock(Protocol):
    """Times what a device does, on the device itself."""

    def seconds(self, work: Work, stream: Stream) -> float:
        """From when the stream reaches the work until it is done; waits for it."""
        ...

    def capture(self, work: Work, stream: Stream) -> Work:
        """The work as one graph, which starts with a single call."""
        ...


@dataclass(frozen=True, slots=True)
class GpuCalibration:
    """A measured GPU: bytes/s and seconds; `spread` is the largest distance between a probe's quartiles by its median.

    Args:
        copy: bytes read and written a second by a copy inside the device.
        up: bytes a second from pinned host memory to the device.
        down: and back.
        launch: seconds a launch.
        remark: a sentence if the figures are not to be trusted, or could not be kept.
    """

    copy: float
    up: float
    down: float
    launch: float
    spread: float
    remark: str = ""

    def of(self, model: DeviceModel) -> DeviceModel:
        """The model with what was measured in place of what the driver says."""
        return replace(model, dram=self.copy, cache=max(model.cache, self.copy), bus=min(self.up, self.down),
                       launch=self.launch, origin="measured")  # fmt: skip


def calibrate_gpu(
    device: Device, clock: Clock, progress: Callable[[float], None] | None = None, *, copy: int = COPY, bus: int = BUS,
    launches: int = LAUNCHES, rounds: int = ROUNDS,
) -> GpuCalibration:  # fmt: skip
    """Measure a GPU; takes a second or two.

    Args:
        progress: called with the share that is done.
        copy: bytes of the copy inside the device, several times its L2.
        bus: bytes of the copies over the bus.
        launches: kernels in a row.

    Raises:
        InputError: the device has not enough memory.
        DefinitionError: it has stopped working, or NVRTC is missing.
    """
    stream = device.stream()
    works = probes(device, copy, bus, launches)
    for work in works.values():
        clock.seconds(work, stream)  # touches all memory, compiles
    samples: dict[str, list[float]] = {name: [] for name in works}
    for number in range(rounds):
        for name, work in works.items():
            samples[name].append(clock.seconds(work, stream))
        if progress is not None:
            progress((number + 1) / rounds)
    return evaluated(samples, {"copy": 2 * copy, "up": bus, "down": bus}, launches)


def probes(device: Device, copy: int, bus: int, launches: int) -> dict[str, Work]:
    """What is timed, by name."""
    from kernels.codegen.cuda import cuda  # here: only what was measured is wanted where there is no GPU

    source, target = device.memory(copy), device.memory(copy)
    pinned, on_device = device.pinned(bus), device.memory(bus)
    pinned[...] = 1
    image = ImageType(U8, 8, 16)
    program = cuda(Body((image,), (Output("out", image, (input_plane(0, 0, U8, (8, 16)),)),), {}, {}), "empty")
    (kernel,) = program.kernels
    function = device.load(program)[kernel.name]
    memory = {"input": device.memory(128), "output": device.memory(128), "frames": np.int32(1), "age": np.int32(0)}
    arguments = [memory[a.kind] for a in kernel.arguments]

    def launched(stream: Any) -> None:
        for _ in range(launches):
            device.launch(function, kernel.grid(1), kernel.block, arguments, kernel.shared, stream)

    return {
        "copy": lambda stream: device.copy(target, 0, source, 0, copy, stream),
        "up": lambda stream: device.upload(on_device, pinned, stream),
        "down": lambda stream: device.download(pinned, on_device, stream),
        "launch": launched,
    }


def evaluated(samples: Mapping[str, Sequence[float]], amounts: Mapping[str, int], launches: int) -> GpuCalibration:
    """The calibration from the probes' seconds, a call each.

    Args:
        amounts: bytes that each copy moves.
    """
    low, spread = {}, 0.0
    for name, seconds in samples.items():
        first, median, third = np.percentile(seconds, (25, 50, 75))
        low[name] = max(float(first), 1e-9)
        spread = max(spread, float((third - first) / max(median, 1e-12)))
    remark = ""
    if spread > UNSTEADY:
        remark = (f"the GPU was busy: half of the turns of a probe lie {spread:.0%} of its median apart; calibrate "
                  "again when nothing else runs on it")  # fmt: skip
    return GpuCalibration(amounts["copy"] / low["copy"], amounts["up"] / low["up"], amounts["down"] / low["down"],
                          low["launch"] / launches, spread, remark)  # fmt: skip


def keep_gpu(
    found: GpuCalibration, about: Mapping[str, object], store: MeasurementCache | None = None
) -> GpuCalibration:
    """Keep a calibration for a GPU (`cuda_clock.gpu_facts`); its remark says so if that is not possible."""
    trouble = (store or MeasurementCache()).put(KIND, about, asdict(found))
    return replace(found, remark="; ".join(text for text in (found.remark, trouble) if text))


def kept_gpu(about: Mapping[str, object], store: MeasurementCache | None = None) -> tuple[GpuCalibration | None, str]:
    """What was kept for a GPU, and a sentence if it cannot be used."""
    store = store or MeasurementCache()
    facts, remark = store.get(KIND, about)
    if facts is None:
        return None, remark or store.outdated(KIND, about, ("gpu",))
    try:
        made = GpuCalibration(**facts)
        numbers = [getattr(made, f.name) for f in fields(made) if f.name != "remark"]
        if not all(isinstance(v, int | float) and math.isfinite(v) for v in numbers) or not min(numbers[:4]) > 0:
            raise ValueError
    except (TypeError, ValueError):
        return None, f"{store.path(KIND, about)} is ignored, since it is damaged; calibrate again or delete it"
    return made, ""
