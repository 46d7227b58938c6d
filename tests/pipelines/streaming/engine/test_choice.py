"""Which back end runs: what is asked for, what is there, what the frames are worth; and what a run does if it fails."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kernels.codegen.cuda import cuda
from kernels.codegen.nvrtc import available, compile_text
from kernels.errors import DefinitionError, InputError
from kernels.executors.base import DeviceModel
from kernels.executors.base import executor as real_executor
from kernels.executors.cuda_runner import CudaRunner
from kernels.executors.reference import ReferenceProgram
from pipelines.fusing import fuse
from pipelines.graph import Bound
from pipelines.planning import plan, tuning
from pipelines.planning.devices import Gpu, find_device, this_cpu
from pipelines.planning.spills import program_usage, spills
from pipelines.planning.tuning import synthetic, tune
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine import choice
from pipelines.streaming.engine.choice import choose, estimated, predicted
from pipelines.streaming.engine.engine import Engine
from pipelines.trackers.blob import BlobTracker
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.kernels.executors.timed_cupy import installed
from tests.patience import PATIENCE
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.emulated import EmulatedExecutor
from tests.shipped import fixed

CLIP = moving_spots(20, 32)
FACTS = {"gpu": "Imaginary GPU", "driver": "1.0"}


@pytest.fixture
def bound(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Bound:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    return prepare(fixed("blobs"), MemoryClip(CLIP))


@pytest.fixture
def large(bound: Bound) -> Bound:
    """Frames on which kernels take longer than the host's functions."""
    del bound  # its cache
    return prepare(fixed("blobs"), MemoryClip(np.zeros((1, 2048, 2048), np.uint8)))


def a_gpu(monkeypatch: pytest.MonkeyPatch, model: DeviceModel, executor: Any = None) -> Any:
    """A GPU is there; returns its executor. One that is given is taken, whatever it is worth."""
    made = executor or EmulatedExecutor()
    monkeypatch.setattr(plan, "CALL", 0.0)
    monkeypatch.setattr(choice, "ESTIMATES", True)
    if executor is not None:
        monkeypatch.setattr(choice, "WORTH", 0.0)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: object())
    monkeypatch.setattr(choice, "gpu", lambda index: Gpu(replace(model, name=f"cuda:{index}"), "Imaginary GPU", FACTS))
    monkeypatch.setattr(choice, "executor", lambda name, threads=0: made if name[:4] == "cuda" else real_executor(name))
    return made


FAST = replace(find_device("h100"), launch=0.0, bus=1e15)
SLOW = replace(find_device("gtx1660"), launch=1.0)


def test_auto_without_cupy_is_the_cpu(bound: Bound, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    made = choose("auto", bound, bound.taps, 16)
    assert (made.device, made.executor.name, made.note) == ("cpu", "cpu", "")
    assert made.why == "CuPy is not installed, so no GPU is used"
    assert made.facts == {"asked": "auto", "device": "cpu", "why": made.why, "note": ""}


def test_auto_says_why_a_gpu_cannot_be_used(bound: Bound, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise DefinitionError("no NVIDIA GPU can be used: the driver finds none; or use --device cpu")

    a_gpu(monkeypatch, FAST)
    monkeypatch.setattr(choice, "gpu", refuse)
    made = choose("auto", bound, bound.taps, 16)
    assert made.device == "cpu"
    assert made.why == "no NVIDIA GPU can be used: the driver finds none"  # without the advice to do what is done


def test_auto_takes_a_gpu_where_it_is_worth_the_way(large: Bound, monkeypatch: pytest.MonkeyPatch) -> None:
    a_gpu(monkeypatch, FAST)
    made = choose("auto", large, large.taps, 16)
    assert (made.device, made.executor.name, made.machine) == ("cuda:0", "cuda", FACTS)
    assert "on the cpu" in made.why
    assert made.facts["gpu"] == FACTS
    for model in (SLOW, replace(FAST, bus=1e5)):  # the bus alone can make it not worth it
        a_gpu(monkeypatch, model)
        made = choose("auto", large, large.taps, 16)
        assert made.device == "cpu"
        assert "not worth their way to cuda:0" in made.why


def test_no_gpu_is_taken_by_an_estimate(large: Bound, monkeypatch: pytest.MonkeyPatch) -> None:
    """Regions are measured there in a time that no card has confirmed; `corners` hang on nothing of that kind."""
    a_gpu(monkeypatch, FAST)
    monkeypatch.setattr(choice, "ESTIMATES", False)
    made = choose("auto", large, large.taps, 16)
    assert made.device == "cpu"
    assert "is an estimate, so it is not taken unless it is named (cuda:0)" in made.why
    assert choose("cuda:0", large, large.taps, 16).device == "cuda:0"
    corners = prepare(fixed("corners"), MemoryClip(np.zeros((1, 2048, 2048), np.uint8)))
    assert not estimated(corners, corners.taps, 16, FAST)
    assert estimated(large, large.taps, 16, FAST)
    assert not estimated(large, large.taps, 16, this_cpu(2))


def test_what_the_host_does_in_any_case_counts_on_both_sides(bound: Bound, monkeypatch: pytest.MonkeyPatch) -> None:
    a_gpu(monkeypatch, FAST)  # its kernels and its bus take no time, and the tracker nearly all of it
    monkeypatch.setattr(BlobTracker, "seconds", 1e-2)
    assert choose("auto", bound, bound.taps, 16).device == "cpu"


def test_small_frames_are_not_worth_the_calls(large: Bound, monkeypatch: pytest.MonkeyPatch) -> None:
    a_gpu(monkeypatch, FAST)
    assert choose("auto", large, large.taps, 16).device == "cuda:0"
    monkeypatch.setattr(plan, "CALL", 1.0)
    assert choose("auto", large, large.taps, 16).device == "cpu"
    here = predicted(large, large.taps, 16, this_cpu(2))
    assert here is not None
    assert here < 0.1  # the processor's programs are not called so


def test_transfers_are_part_of_the_prediction(bound: Bound) -> None:
    near, far = (predicted(bound, bound.taps, 16, replace(FAST, bus=bus)) for bus in (1e15, 1e6))
    assert near is not None
    assert far is not None
    seen = tuning.seen_by(bound, bound.taps, 16)[0]
    moved = CLIP[0].nbytes + sum(getattr(bound.types[ref], "nbytes", 0) for ref in seen.taps)
    assert far >= moved / 1e6 > near  # what host stages in between take crosses it too


def test_what_is_asked_for_is_taken_or_refused(bound: Bound, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("cpu", "reference"):
        made = choose(name, bound, bound.taps, 16)
        assert (made.device, made.why, made.note) == (name, "", "")
    a_gpu(monkeypatch, SLOW)
    assert choose("cuda:2", bound, bound.taps, 16).device == "cuda:2"  # slow, but wanted


class Keep:
    def __init__(self) -> None:
        self.rows: list[Any] = []

    def write(self, _frames: Any, results: Any) -> None:
        self.rows += [result.tracks for result in results]


def run(bound: Bound, device: str, batch: int = 6) -> tuple[np.ndarray, Runner]:
    keep = Keep()
    runner = Runner(MemoryClip(CLIP), bound, [keep], frames=(0, 20), options=RunOptions(device=device, batch=batch))
    runner.run()
    return np.concatenate(keep.rows), runner


def needs_compiler() -> None:
    try:
        default_compiler()
    except NoCompilerError as error:
        pytest.skip(str(error))


def test_a_run_on_the_gpu_finds_the_same_tracks(bound: Bound, monkeypatch: pytest.MonkeyPatch) -> None:
    needs_compiler()
    expected, _ = run(bound, "reference")
    a_gpu(monkeypatch, FAST, EmulatedExecutor())
    monkeypatch.setattr(Engine, "close", Engine.abandon)  # its programs stay to be looked at
    tracks, runner = run(bound, "auto")
    assert runner.back_end == "cuda"
    assert any(isinstance(p, CudaRunner) for p in runner.engine.programs.values())
    np.testing.assert_array_equal(tracks, expected)


class Failing(EmulatedExecutor):
    """Has too little memory, from the n-th run of a program on."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.left = after

    def compile(self, body: Any) -> Any:
        if self.left < 0:
            raise InputError("Imaginary GPU has not enough memory")
        made: Any = super().compile(body)
        if isinstance(made, CudaRunner):
            inner = made.part

            def limited(*arguments: Any) -> Any:
                self.left -= 1
                if self.left < 0:
                    raise InputError("Imaginary GPU has not enough memory")
                return inner(*arguments)

            made.part = limited
        return made


def test_the_cpu_takes_over_from_a_gpu_that_fails_at_once(bound: Bound, monkeypatch: pytest.MonkeyPatch) -> None:
    needs_compiler()
    expected, _ = run(bound, "reference")
    for after in (-1, 0):  # when it compiles, and at the first batch
        a_gpu(monkeypatch, FAST, Failing(after))
        tracks, runner = run(bound, "auto")
        assert runner.back_end == "cpu"
        assert runner.note == "cuda:0 failed: Imaginary GPU has not enough memory"
        np.testing.assert_array_equal(tracks, expected)
        a_gpu(monkeypatch, FAST, Failing(after))
        with pytest.raises(InputError, match="not enough memory"):
            run(bound, "cuda:0")  # what is named is not replaced


class Changing(Runner):
    """Changes a live parameter before the first frame."""

    def _before(self, batch: Any, bad: Any) -> None:
        if batch.indices[0] == 0:
            self.engine.set_param("bright", "level", 0.6)


def test_what_was_changed_goes_along_when_the_cpu_takes_over(bound: Bound, monkeypatch: pytest.MonkeyPatch) -> None:
    needs_compiler()

    def tracks(kind: type[Runner], device: str) -> np.ndarray:
        keep = Keep()
        options = RunOptions(device=device, batch=6)
        kind(MemoryClip(CLIP), bound, [keep], frames=(0, 20), options=options).run()
        return np.concatenate(keep.rows)

    expected = tracks(Changing, "reference")
    assert expected.tobytes() != tracks(Runner, "reference").tobytes()
    a_gpu(monkeypatch, FAST, Failing(0))
    np.testing.assert_array_equal(tracks(Changing, "auto"), expected)


class Lost(EmulatedExecutor):
    """A driver that says no in its own words: when it compiles, or when it runs."""

    def __init__(self, early: bool) -> None:
        super().__init__()
        self.early = early

    def compile(self, body: Any) -> Any:
        if self.early:
            raise RuntimeError("CUDA_ERROR_NO_BINARY_FOR_GPU")
        made: Any = super().compile(body)
        if isinstance(made, CudaRunner):
            made.part = lost  # type: ignore[method-assign]
        return made


def lost(*_: Any) -> Any:
    raise RuntimeError("cudaErrorIllegalAddress:\nan illegal memory access")


@pytest.mark.parametrize("early", [True, False])
def test_a_drivers_error_is_a_sentence(bound: Bound, monkeypatch: pytest.MonkeyPatch, early: bool) -> None:
    needs_compiler()
    said = "NO_BINARY_FOR_GPU" if early else "cudaErrorIllegalAddress: an illegal memory access"
    a_gpu(monkeypatch, FAST, Lost(early))
    with pytest.raises(InputError, match=f"fails on the GPU with RuntimeError: .*{said}.*--device cpu"):
        run(bound, "cuda:0")
    a_gpu(monkeypatch, FAST, Lost(early))
    tracks, runner = run(bound, "auto")
    assert runner.back_end == "cpu"
    assert said in runner.note
    np.testing.assert_array_equal(tracks, run(bound, "reference")[0])


def test_a_broken_driver_does_not_end_auto(bound: Bound, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    with installed() as cupy:
        def refuse(_: int) -> None:
            raise RuntimeError("cudaErrorDevicesUnavailable:\nall devices are busy")

        monkeypatch.setattr(importlib.util, "find_spec", lambda _: object())
        cupy.cuda.runtime.getDeviceProperties = refuse
        made = choose("auto", bound, bound.taps, 16)
        assert made.device == "cpu"
        assert "GPU 0 is taken by another program (cudaErrorDevicesUnavailable: all devices are busy)" in made.why
        with pytest.raises(DefinitionError, match="GPU 0 is taken by another program"):
            choose("cuda", bound, bound.taps, 16)


class Spilling:
    """Spills in programs of more than one stage; a program's time is what it computes on the reference."""

    name = "cuda"
    architecture = "sm_90"

    def compile(self, body: Any) -> Any:
        made: Any = ReferenceProgram(body)
        stages = {name.partition(".")[0] for name in body.params} if body.host is None else set()
        made.device, made.text = self, f"{len(stages)}"
        return made

    def compiled(self, text: str) -> tuple[bytes, dict[str, Any]]:
        return b"", {"k": SimpleNamespace(registers=40, spills=16 if int(text) > 1 else 0, stack=0, shared=0)}


def test_partitions_that_spill_are_not_timed(bound: Bound) -> None:
    trial = tuning.Trial(bound, bound.taps, Spilling(), synthetic(bound.source, 2))
    made = tune(trial, FAST, also=[[(node.id,) for node in bound.nodes]], machine=FACTS, patience=tuning.Patience(0.0))
    back_end: Any = Spilling()
    for found in made.measured:
        units = fuse(bound, found.groups, bound.taps)
        assert not any(spills(back_end.compile(u.body)) for u in units), found.groups
    assert tuning.kept_groups(bound, bound.taps, machine=FACTS)[0] == made.groups
    assert tuning.kept_groups(bound, bound.taps)[0] is None  # the cpu's are others


def test_usage_is_read_without_a_gpu(bound: Bound) -> None:
    assert program_usage(ReferenceProgram(bound.nodes[0].body)) == {}
    if not available():
        pytest.skip("NVRTC is not installed")
    texts = [cuda(node.body, node.id).text for node in bound.nodes if node.body.host is None]
    found = [used for text in texts for used in compile_text(text, "sm_86").usage.values()]
    assert found
    assert all(0 < used.registers <= 255 and used.spills == 0 for used in found)


def test_nothing_loads_cupy_before_a_gpu_is_asked_for() -> None:
    code = "import sys, app.commands.run, app.commands.plan, app.commands.bench; " \
           "print([m for m in ('cupy', 'kernels.executors.cuda') if m in sys.modules])"  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout.strip() == "[]"
