"""The clock, the graphs and the facts of a GPU, and its calibration, on devices that are made up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.codegen import nvrtc
from kernels.errors import DefinitionError
from kernels.executors import cuda_clock
from kernels.executors.cuda_calibration import KIND, calibrate_gpu, evaluated, keep_gpu, kept_gpu, probes
from kernels.executors.cuda_clock import CudaClock, gpu_facts
from kernels.executors.cuda_device import CudaDevice
from kernels.executors.cuda_model import DRAM
from kernels.executors.measurement_cache import MeasurementCache
from pipelines.planning.devices import ARCHITECTURES, find_device, gpu
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.kernels.executors.simulated_device import SimulatedDevice
from tests.kernels.executors.timed_cupy import TimedCupy, installed


@pytest.fixture
def cupy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TimedCupy]:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    with installed() as made:
        yield made


def test_events_and_graphs(cupy: TimedCupy) -> None:
    device = CudaDevice(0)
    clock, stream, done = CudaClock(device), device.stream(), []
    assert clock.seconds(done.append, stream) == pytest.approx(2e-3)
    assert done == [stream]

    def work(to: Any) -> None:
        assert cupy.capturing
        done.append(to)

    graph = clock.capture(work, stream)
    assert not cupy.capturing
    assert len(done) == 2
    for _ in range(3):
        graph(stream)
    assert (len(done), cupy.replayed) == (2, 3)
    with pytest.raises(ZeroDivisionError):
        clock.capture(lambda _: 1 // 0, stream)
    assert not cupy.capturing  # the stream can be used again


def test_what_figures_depend_on(cupy: TimedCupy, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = gpu_facts(CudaDevice(0))
    assert facts["gpu"] == "Imaginary GPU"
    assert facts["architecture"] == "sm_90"
    assert (facts["driver"], facts["cuda_of_driver"], facts["cuda_runtime"]) == ("580.65.06", "13.0", "12.8")
    monkeypatch.undo()


def test_the_driver_is_asked_in_two_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27 2025\nGCC version: 13.2.0\n"
    (tmp_path / "version").write_text(said)
    monkeypatch.setattr(cuda_clock, "Path", lambda _: tmp_path / "version")
    assert cuda_clock.driver_version() == "580.65.06"
    monkeypatch.setattr(cuda_clock, "Path", lambda _: tmp_path / "none")
    tool = tmp_path / "nvidia-smi"
    tool.write_text("#!/bin/sh\necho 570.1\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert cuda_clock.driver_version() == "570.1"
    tool.unlink()
    assert cuda_clock.driver_version() == "unknown"


def test_a_present_gpu_is_a_device_of_the_planner(cupy: TimedCupy, tmp_path: Path) -> None:
    plain = find_device("cuda:0")
    assert (plain.name, plain.kind, plain.units, plain.origin) == ("cuda:0", "cuda", 128, "default")
    assert plain.dram == pytest.approx(1008e9, rel=1e-3)  # 2 x 10501 MHz x 384 bits
    assert (plain.threads, plain.blocks, plain.block_bytes) == (1536, 24, 99 << 10)
    assert find_device("cuda") == plain
    with pytest.raises(DefinitionError, match="no GPU number 4; there is 1"):
        find_device("cuda:4")
    facts = gpu(0).facts
    kept = keep_gpu(evaluated({"copy": [1e-3], "up": [1e-3], "down": [2e-3], "launch": [1e-3]},
                              {"copy": 9 * 10**8, "up": 2 * 10**7, "down": 2 * 10**7}, 250), facts)  # fmt: skip
    assert not kept.remark
    measured = find_device("cuda:0")
    assert measured == replace(plain, dram=9e11, bus=1e10, launch=4e-6, origin="measured")
    file = next(tmp_path.rglob(f"{KIND}-*.json"))
    entry = json.loads(file.read_text())
    entry["facts"]["up"] = -1
    file.write_text(json.dumps(entry))
    assert find_device("cuda:0") == plain
    assert "damaged" in gpu(0).remark


def test_another_driver_is_another_machine(cupy: TimedCupy, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = gpu(0).facts
    found = evaluated({"copy": [1e-3], "up": [1e-3], "down": [1e-3], "launch": [1e-3]},
                      {"copy": 10**9, "up": 10**7, "down": 10**7}, 100)  # fmt: skip
    keep_gpu(found, facts)
    assert kept_gpu(facts) == (found, "")
    other, remark = kept_gpu({**facts, "driver": "999.0"})
    assert other is None
    assert "is not used, since it was measured with other driver; measure again" in remark


def test_architectures_stand_for_cards() -> None:
    assert find_device("cuda:sm_90") == replace(find_device("h100"), name="cuda:sm_90")
    with pytest.raises(DefinitionError, match="cuda:sm_90"):
        find_device("cuda:sm_33")
    assert ARCHITECTURES.keys() >= {*nvrtc.ARCHITECTURES}  # all that kernels are compiled for can be planned for


class Counter:
    """A clock whose work really runs on the simulated device; its times are made up."""

    def __init__(self, device: SimulatedDevice, seconds: list[float]) -> None:
        self.device, self.left = device, seconds

    def seconds(self, work: Any, stream: Any) -> float:
        work(stream)
        done = self.device.event()
        self.device.record(done, stream)
        self.device.synchronize(done)
        return self.left.pop(0)

    def capture(self, work: Any, stream: Any) -> Any:
        return work


def test_calibration_runs_and_reckons() -> None:
    try:
        default_compiler()
    except NoCompilerError as error:
        pytest.skip(str(error))
    device = SimulatedDevice(1)
    shares: list[float] = []
    warm, round_ = [9.0] * 4, [1e-3, 2e-3, 4e-3, 5e-4]
    made = calibrate_gpu(device, Counter(device, warm + 3 * round_), shares.append, copy=1 << 12, bus=1 << 10,
                         launches=5, rounds=3)  # fmt: skip
    assert made.copy == pytest.approx(2 * 4096 / 1e-3)
    assert (made.up, made.down) == (pytest.approx(1024 / 2e-3), pytest.approx(1024 / 4e-3))
    assert made.launch == pytest.approx(1e-4)
    assert (made.spread, made.remark) == (0.0, "")
    assert shares == pytest.approx([1 / 3, 2 / 3, 1.0])
    stream, works = device.stream(), probes(device, 64, 64, 2)
    works["up"](stream)
    done = device.event()
    device.record(done, stream)
    device.synchronize(done)


def test_a_busy_gpu_is_said(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    amounts = {"copy": 10**9, "up": 10**9, "down": 10**9}
    wild = evaluated({n: list(rng.uniform(1, 3, 40)) for n in (*amounts, "launch")}, amounts, 10)
    assert "the GPU was busy" in wild.remark
    kept = keep_gpu(wild, {"gpu": "x"}, MeasurementCache(tmp_path / "file"))
    assert kept_gpu({"gpu": "x"}, MeasurementCache(tmp_path / "file"))[0] == wild
    (tmp_path / "blocked").write_text("")
    assert "is not kept" in keep_gpu(wild, {"gpu": "x"}, MeasurementCache(tmp_path / "blocked")).remark
    assert kept.remark == wild.remark


@pytest.mark.parametrize("silent", ["ClockRate", "MemoryClockRate", "GlobalMemoryBusWidth", "L2CacheSize"])
def test_a_driver_that_does_not_say_all(cupy: TimedCupy, silent: str) -> None:
    whole = find_device("cuda:0")
    ask = cupy.cuda.runtime.deviceGetAttribute
    cupy.cuda.runtime.deviceGetAttribute = lambda name, index: 0 if name == silent else ask(name, index)
    found = find_device("cuda:0")  # a model has no bandwidth of 0
    assert (found.dram == DRAM) == (silent not in ("ClockRate", "L2CacheSize"))
    assert found.units == whole.units
    assert 0 < found.rate <= whole.rate
