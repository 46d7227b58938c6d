"""Planning, measuring and tuning for a GPU that is here, with one whose kernels run on the processor."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.cli import main
from app.commands import measured
from kernels.executors.cuda_runner import CudaRunner
from pipelines.definition import load
from pipelines.planning import devices, tuning
from pipelines.planning.devices import Gpu, find_device
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine import choice
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.emulated import EmulatedExecutor

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

FACTS = {"gpu": "Imaginary GPU", "driver": "1.0"}


@pytest.fixture
def emulated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EmulatedExecutor:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "200")
    made = EmulatedExecutor()
    there = Gpu(replace(find_device("rtx3060"), name="cuda:0"), "Imaginary GPU", FACTS)
    for module in (devices, measured, choice):
        monkeypatch.setattr(module, "gpu", lambda index: there)
    for module in (measured, choice):
        monkeypatch.setattr(module, "executor", lambda name, threads=0: made)

    def quick(trial: Any, partitions: Any, patience: tuning.Patience) -> Any:
        return time_partitions(trial, partitions, replace(patience, seconds=0.0))

    time_partitions = tuning.time_partitions
    monkeypatch.setattr(tuning, "time_partitions", quick)
    monkeypatch.setattr(measured, "time_partitions", quick)
    return made


class Keep:
    def __init__(self) -> None:
        self.rows: list[Any] = []

    def write(self, _frames: Any, results: Any) -> None:
        self.rows += [result.tracks for result in results]


def test_what_is_tuned_there_is_what_runs_there(
    emulated: EmulatedExecutor, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    timed = tuning.time_partitions

    def parts_win(*arguments: Any, **options: Any) -> Any:  # so that no run finds the kept groups by itself
        found = timed(*arguments, **options)
        return [replace(m, whole=replace(m.whole, median=1.0 / len(m.groups))) for m in found]

    monkeypatch.setattr(tuning, "time_partitions", parts_win)
    words = ["plan", "template", "--size", "48x48", "--batch", "2", "--device", "cuda:0", "--measure", "--tune"]
    assert main([*words, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["device"] == "cuda:0"
    assert facts["measured"]["plans"]["best"]["median"] > 0
    kept = [tuple(group) for group in facts["tuned"]["groups"]]
    assert len(kept) > 1
    clip = MemoryClip(moving_spots(6, 48))
    bound = prepare(load("template"), clip)
    keep = Keep()
    runner = Runner(clip, bound, [keep], frames=(0, 6), options=RunOptions(device="cuda:0", pictures=True))
    assert any(isinstance(p, CudaRunner) for p in runner.engine.programs.values())
    runner.run()
    assert [tuple(n.id for n in unit.nodes) for unit in runner.engine.units] == kept
    assert len(np.concatenate(keep.rows)) > 0


def test_a_plan_for_another_card_is_not_run_here(
    emulated: EmulatedExecutor, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("h100", "cuda:sm_90"):
        assert main(["plan", "template", "--device", name, "--measure"]) == 2
        assert f"--measure runs the plan on this computer, not on {name}" in capsys.readouterr().err
    assert main(["plan", "template", "--device", "cuda:sm_90", "--size", "64x64"]) == 0
    assert "cuda:sm_90" in capsys.readouterr().out
