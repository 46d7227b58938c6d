"""What the doctor says of GPUs, with a CuPy that is made up."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.commands import doctor_gpu
from kernels.executors import cuda_clock
from kernels.executors.cuda_calibration import GpuCalibration
from pipelines.planning.devices import find_device
from tests.kernels.executors.timed_cupy import TimedCupy, installed


@pytest.fixture
def cupy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TimedCupy]:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: object())
    monkeypatch.setattr(cuda_clock, "nvrtc_version", lambda: (13, 1))
    with installed() as made:
        yield made


def rows(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, dict[str, str]]:
    assert main(["doctor", "--json", *words]) == 0
    return {row["name"]: row for row in json.loads(capsys.readouterr().out)["rows"]}


def test_a_gpu_that_can_be_used(cupy: TimedCupy, capsys: pytest.CaptureFixture[str]) -> None:
    cupy.count = 2
    found = rows(capsys)
    assert found["cuda:0"]["state"] == found["cuda:1"]["state"] == "ok"
    assert found["cuda:0"]["found"] == (
        "Imaginary GPU (sm_90), driver 580.65.06, CUDA 13.0, NVRTC 13.1, CuPy 14.2.0; not measured yet: "
        "fusetrack doctor --calibrate --device cuda:0"
    )


def test_a_gpu_that_cannot(
    cupy: TimedCupy, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cuda_clock, "_nvrtc", lambda: "missing")
    assert "NVRTC is missing" in rows(capsys)["cuda:0"]["found"]
    cupy.free = 0
    assert rows(capsys)["cuda:0"]["found"].startswith("is there but cannot be used: Imaginary GPU has not enough")
    cupy.count = 0
    found = rows(capsys)["GPU"]
    assert found["state"] == "warn"
    assert found["found"].startswith("there is no NVIDIA GPU")
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert rows(capsys)["GPU"]["state"] == "ok"


def test_a_gpu_is_measured_and_the_planner_reckons_with_it(
    cupy: TimedCupy, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def measured(device: Any, clock: Any, progress: Any) -> GpuCalibration:
        assert clock.seconds(lambda _: None, device.stream()) > 0
        progress(1.0)
        return GpuCalibration(9e11, 2.5e10, 2.4e10, 3e-6, 0.01)

    monkeypatch.setattr(doctor_gpu, "calibrate_gpu", measured)
    assert main(["doctor", "--calibrate", "--device", "cuda:0", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["gpu"]["copy"] == 9e11
    assert facts["gpu"]["facts"]["driver"] == "580.65.06"
    row = next(r for r in facts["rows"] if r["name"] == "cuda:0")
    assert row["found"].endswith("copies 900 GB/s inside, 25.0 GB/s up, 24.0 GB/s down, 3.0 µs a launch")
    device = find_device("cuda:0")
    assert (device.dram, device.bus, device.launch, device.origin) == (9e11, 2.4e10, 3e-6, "measured")
    assert "900 GB/s inside" in rows(capsys)["cuda:0"]["found"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--device", "cuda:0"], "give both"),
        (["--calibrate", "--device", "cpu"], "--device takes cuda or cuda:1"),
        (["--calibrate", "--device", "cuda:7"], "no GPU number 7"),
    ],
)
def test_what_is_wrong_is_said(
    cupy: TimedCupy, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", *words]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
