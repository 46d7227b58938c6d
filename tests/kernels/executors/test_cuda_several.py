"""Several GPUs, a clip each, in one process: each run stays on its own GPU."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernels.codegen import nvrtc
from kernels.executors import cuda, cuda_device
from kernels.executors.cuda_runner import CudaRunner
from pipelines.planning.devices import Gpu, find_device
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine import choice
from tests.kernels.executors.strict_cupy import StrictCupy
from tests.patience import PATIENCE
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.shipped import fixed

CLIP = moving_spots(18, 40)


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[StrictCupy]:
    """Kernels do nothing; what counts is where everything is done. The current GPU is a thread's own, as in CUDA."""
    made, local = StrictCupy(3), threading.local()
    own = property(lambda _: getattr(local, "n", 0), lambda _, n: setattr(local, "n", n))
    monkeypatch.setattr(StrictCupy, "current", own, raising=False)
    monkeypatch.setattr(cuda_device, "cupy", made)
    monkeypatch.setattr(cuda_device, "compile_text", lambda *_: nvrtc.Compiled(b"code", {}, ""))
    monkeypatch.setattr(cuda_device, "nvrtc_version", lambda: (13, 0))
    monkeypatch.setattr(cuda, "exact_elements", lambda _: None)
    monkeypatch.setattr(choice, "gpu", lambda index: Gpu(replace(find_device("h100"), name=f"cuda:{index}"), "x", {}))
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    yield made
    assert made.current == 0


class Keep:
    def __init__(self) -> None:
        self.frames: list[int] = []

    def write(self, _: Any, results: Any) -> None:
        self.frames += [result.index for result in results]


def run(device: str) -> tuple[Runner, Keep, list[CudaRunner]]:
    """A run, what came out of it, and its programs on the GPU, which it lets go of at its end."""
    clip, keep = MemoryClip(CLIP), Keep()
    bound = prepare(fixed("facial-markers"), clip)
    runner = Runner(clip, bound, [keep], frames=(0, len(CLIP)), options=RunOptions(device=device, batch=3))
    programs = [p for p in runner.engine.programs.values() if isinstance(p, CudaRunner)]
    runner.run()
    return runner, keep, programs


@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_run_touches_the_gpu_that_was_named_and_no_other(cupy: StrictCupy, number: int) -> None:
    runner, keep, programs = run(f"cuda:{number}")
    assert runner.choice.device == f"cuda:{number}"
    assert programs
    assert all(p.device.index == number for p in programs)  # type: ignore[attr-defined]
    assert keep.frames == list(range(len(CLIP)))
    used = {(call, device) for call, device in cupy.log}
    assert {device for _, device in used} == {number}
    assert {"alloc", "upload", "launch", "download", "load"} <= {call for call, _ in used}


def test_a_clip_on_each_at_the_same_time(cupy: StrictCupy) -> None:
    done: dict[int, list[int]] = {}
    errors: list[BaseException] = []
    together = threading.Barrier(3)

    def work(number: int) -> None:
        try:
            together.wait(PATIENCE)
            done[number] = run(f"cuda:{number}")[1].frames
            assert cupy.current == 0
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert done == {number: list(range(len(CLIP))) for number in range(3)}
    launches = [sum(entry == ("launch", number) for entry in cupy.log) for number in range(3)]
    assert launches[0] == launches[1] == launches[2] > 0


def test_the_gpus_of_a_machine_are_named(cupy: StrictCupy) -> None:
    assert cuda.create(index=1).gpus == ("cuda:0", "cuda:1", "cuda:2")
    cupy.count = 1
    assert cuda.create().gpus == ("cuda:0",)
