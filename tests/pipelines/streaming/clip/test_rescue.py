"""The processor goes on where a GPU fails in the middle of a run: the same tracks, frame by frame, each once."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.errors import BadFrame, ExprError, InputError
from kernels.executors.base import executor as real_executor
from kernels.executors.cuda_runner import CudaRunner
from pipelines.graph import Bound
from pipelines.planning.devices import Gpu, find_device
from pipelines.streaming.clip import runner as runner_module
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine import choice, rescue
from pipelines.streaming.engine.choice import Choice
from pipelines.streaming.engine.engine import Engine
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.emulated import EmulatedExecutor
from tests.shipped import fixed

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

LENGTH = 26
CLIP = moving_spots(LENGTH, 32)
PIPELINES = ("blobs", "facial-markers", "background-motion")
"""The last two remember frames: a low-pass, a background."""
SAID = {"memory": (InputError, "Imaginary GPU has not enough memory"),
        "lost": (RuntimeError, "cudaErrorIllegalAddress:\nan illegal memory access")}  # fmt: skip


class Doomed(EmulatedExecutor):
    """A GPU on which nothing works any more from the n-th wait for it, or launch, on."""

    def __init__(self, after: int, call: str, said: str, seed: int = 0) -> None:
        super().__init__(seed)
        self.left, self.said = after, SAID[said]
        for name in ("launch", "replay", "synchronize", "upload", "download", "fetch", "fetch_all", "memory"):
            setattr(self.device, name, self._until(getattr(self.device, name), name == call))

    @property
    def dead(self) -> bool:
        return self.left <= 0

    def _until(self, inner: Any, counts: bool) -> Any:
        def call(*arguments: Any) -> Any:
            if counts:
                self.left -= 1
            if self.left < 0:
                kind, text = self.said
                raise kind(text)
            return inner(*arguments)

        return call


def a_gpu(patch: pytest.MonkeyPatch, made: Any) -> None:
    model = replace(find_device("h100"), launch=0.0, bus=1e15, name="cuda:0")
    patch.setattr(choice, "WORTH", 0.0)
    patch.setattr(choice, "ESTIMATES", True)
    patch.setattr(importlib.util, "find_spec", lambda _: object())
    patch.setattr(choice, "gpu", lambda _: Gpu(model, "Imaginary GPU", {"gpu": "Imaginary GPU"}))
    patch.setattr(choice, "executor", lambda name, threads=0: made if name[:4] == "cuda" else real_executor(name))
    # The reference takes over: there is nothing to compile.
    patch.setattr(runner_module, "on_cpu", lambda asked, why: Choice(real_executor("reference"), asked, "cpu", why))


class Keep:
    def __init__(self) -> None:
        self.rows: list[np.ndarray] = []
        self.frames: list[int] = []
        self.taps: list[dict[str, bytes]] = []

    def write(self, _: Any, results: Any) -> None:
        for result in results:
            self.rows.append(result.tracks)
            self.frames.append(result.index)
            self.taps.append({name: np.asarray(data).tobytes() for name, data in result.taps.items()})


class Progress:
    def __init__(self) -> None:
        self.frames = 0

    def advance(self, frames: int, bad: int = 0) -> None:
        self.frames += frames


def run(bound: Bound, device: str, batch: int, clip: Any = None, kind: type[Runner] = Runner, **options: Any) -> Any:
    keep, progress = Keep(), Progress()
    clip = clip or MemoryClip(CLIP)
    runner = kind(clip, bound, [keep], frames=(0, LENGTH), options=RunOptions(batch=batch, device=device, **options))
    report = runner.run(progress)
    assert progress.frames == LENGTH
    return keep, runner, report


def same(one: Keep, other: Keep) -> bool:
    return (one.frames == other.frames and one.taps == other.taps
            and all(a.tobytes() == b.tobytes() for a, b in zip(one.rows, other.rows, strict=True)))  # fmt: skip


@cache
def expected_of(name: str, pictures: bool) -> tuple[Bound, Keep, int]:
    """A pipeline, what the reference finds, and for how much there was no room; the same for batches of any length."""
    bound = prepare(fixed(name), MemoryClip(CLIP))
    keep, _, report = run(bound, "reference", 5, pictures=pictures)
    return bound, keep, report.overflow


@settings(max_examples=12, deadline=None)
@given(
    name=st.sampled_from(PIPELINES),
    after=st.integers(0, 60),
    call=st.sampled_from(("launch", "synchronize", "upload", "download")),
    said=st.sampled_from(sorted(SAID)),
    batch=st.integers(2, 6),
    spacing=st.sampled_from((0.0, 1e-3, 1e9)),
    pictures=st.booleans(),
)
def test_wherever_a_gpu_fails_the_results_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, name: str, after: int, call: str, said: str, batch: int, spacing: float,
    pictures: bool,
) -> None:  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FUSETRACK_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))
        patch.setattr(rescue, "SPACING", spacing)
        bound, expected, overflow = expected_of(name, pictures)
        doomed = Doomed(after, call, said)
        a_gpu(patch, doomed)
        made, runner, report = run(bound, "auto", batch, pictures=pictures)
    assert same(made, expected)
    assert report.overflow == overflow
    assert report.ledger.processed == LENGTH
    if doomed.left < 0 and runner.back_end != "cuda":
        assert runner.note.startswith("cuda:0 failed")
        assert "\n" not in runner.note
    else:
        assert runner.back_end == "cuda"
        assert runner.note == ""


def doomed_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, name: str, after: int, **options: Any) -> Any:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    bound = prepare(fixed(name), MemoryClip(CLIP))
    a_gpu(monkeypatch, Doomed(after, "upload", "lost"))
    return bound, run(bound, "auto", 2, **options)


def test_it_says_where(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    bound, (made, runner, _) = doomed_run(monkeypatch, tmp_path, "facial-markers", 7)
    assert runner.back_end in ("cpu", "reference")
    assert runner.note.startswith("cuda:0 failed at frame ")
    assert "cudaErrorIllegalAddress: an illegal memory access" in runner.note
    assert same(made, run(bound, "reference", 2)[0])
    a_gpu(monkeypatch, Doomed(7, "upload", "lost"))
    with pytest.raises(InputError, match="cudaErrorIllegalAddress"):
        run(bound, "cuda:0", 2)  # what is named is not replaced


class Counting(MemoryClip):
    def __init__(self) -> None:
        super().__init__(CLIP)
        self.read_of: list[int] = []

    def read(self, index: int, out: Any = None) -> Any:
        self.read_of.append(index)
        return super().read(index, out)


@pytest.mark.parametrize(("spacing", "again"), [(0.0, False), (1e9, True)])
def test_it_repeats_no_more_than_what_came_after_the_copy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, spacing: float, again: bool
) -> None:
    monkeypatch.setattr(rescue, "SPACING", spacing)
    clip = Counting()
    bound, (made, runner, _) = doomed_run(monkeypatch, tmp_path, "facial-markers", 9, clip=clip)
    failed = int(runner.note.split("at frame ")[1].split(":")[0])
    assert failed >= 4
    assert (clip.read_of.count(0) == 2) == again
    if not again:
        repeated = [frame for frame in range(failed) if clip.read_of.count(frame) > 1]
        assert len(repeated) <= 2  # the batch that the copy stands before
    assert same(made, run(bound, "reference", 2)[0])


def test_bad_frames_are_counted_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    class Bad(MemoryClip):
        def read(self, index: int, out: Any = None) -> Any:
            if index in (0, 3, 12, 13):
                raise BadFrame(index, "torn")
            return super().read(index, out)

    bound, (made, runner, report) = doomed_run(monkeypatch, tmp_path, "background-motion", 8, clip=Bad(CLIP))
    expected, _, wanted = run(bound, "reference", 2, clip=Bad(CLIP))
    assert runner.note
    assert same(made, expected)
    assert report.ledger.facts() == wanted.ledger.facts()


class Changing(Runner):
    """Changes a live parameter on the way."""

    called: list[int]

    def _changes(self, batch: Any, bad: Any) -> bool:
        return bool(batch.indices[0] in (6, 14))

    def _before(self, batch: Any, bad: Any) -> None:
        if self._changes(batch, bad):
            self.called.append(int(batch.indices[0]))
            self.engine.set_param("steady", "alpha", 0.05 * len(self.called))


@pytest.mark.parametrize("after", range(2, 20, 3))
def test_changes_on_the_way_hold_from_their_frames(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, after: int) -> None:
    monkeypatch.setattr(Changing, "called", [], raising=False)
    bound, (made, _, _) = doomed_run(monkeypatch, tmp_path, "facial-markers", after, kind=Changing)
    assert Changing.called == [6, 14]  # each once
    Changing.called.clear()
    expected = run(bound, "reference", 2, kind=Changing)[0]
    assert same(made, expected)
    assert not same(expected, run(bound, "reference", 2)[0])


def test_a_stop_while_catching_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    bound = prepare(fixed("facial-markers"), MemoryClip(CLIP))
    a_gpu(monkeypatch, Doomed(8, "upload", "lost"))
    runner = Runner(MemoryClip(CLIP), bound, [Keep()], frames=(0, LENGTH), options=RunOptions(device="auto", batch=2))

    over = runner._take_over
    monkeypatch.setattr(runner, "_take_over", lambda failed: (over(failed), runner.stop())[0])
    report = runner.run()
    assert report.interrupted
    assert 0 < report.ledger.processed < LENGTH


def test_a_stage_of_somebodys_that_fails_is_no_failure_of_the_gpu(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    bound = prepare(fixed("pupil"), MemoryClip(CLIP))  # whose outlines the host follows
    made = EmulatedExecutor()
    a_gpu(monkeypatch, made)
    runner = Runner(MemoryClip(CLIP), bound, [Keep()], frames=(0, LENGTH), options=RunOptions(device="auto", batch=2))
    assert any(isinstance(p, CudaRunner) for p in runner.engine.programs.values())
    host = [p for p in runner.engine.programs.values() if not isinstance(p, CudaRunner)]

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("division by zero")

    assert host
    monkeypatch.setattr(host[0], "run", broken)
    with pytest.raises(ExprError, match="ZeroDivisionError"):
        runner.run()
    assert runner.back_end == "cuda"


@pytest.mark.parametrize(
    ("name", "node", "waits"),
    [
        ("blobs", "spots", False),
        ("blobs", "spots", True),
        ("facial-markers", "whole", False),  # nobody waits for it: filled masks stay on the GPU
        ("facial-markers", "markers", False),
        ("facial-markers", "markers", True),
    ],
)
def test_a_gpu_fails_in_a_stage_that_has_a_host_function_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, name: str, node: str, waits: bool
) -> None:
    """Regions that are measured, and holes that are filled, by the GPU: it may fail there as anywhere."""
    monkeypatch.setenv("FUSETRACK_CACHE", str(tmp_path))
    bound = prepare(fixed(name), MemoryClip(CLIP))
    a_gpu(monkeypatch, EmulatedExecutor())
    keep = Keep()
    runner = Runner(MemoryClip(CLIP), bound, [keep], frames=(0, LENGTH), options=RunOptions(device="auto", batch=2))
    program = runner.engine.programs[node]
    assert isinstance(program, CudaRunner)
    assert program.body.host is not None

    def broken(*_: Any) -> Any:
        raise RuntimeError("cudaErrorIllegalAddress")

    if waits:
        monkeypatch.setattr(program, "_result", broken)
    else:
        monkeypatch.setattr(program.launches, "put", broken)
    runner.run()
    assert runner.back_end == "reference"
    assert f"{node} (frames 0 to 1) fails on the GPU with RuntimeError: cudaErrorIllegalAddress" in runner.note
    assert same(keep, run(bound, "reference", 2)[0])


def test_counts_go_on() -> None:
    bound = prepare(fixed("blobs"), MemoryClip(CLIP))
    lost, made = (Engine(bound, real_executor("reference")) for _ in range(2))
    lost.overflow, made.overflow = {"marks": 3}, {"marks": 2, "again": 1}  # the second's are of repeated frames
    lost.seconds, made.seconds = {"bright": 1.0}, {"bright": 0.5, "rim": 0.25}
    program: Any = next(iter(lost.programs.values()))
    program.sent_back = 2
    lost.close()
    rescue.take_over_counts(made, lost)
    assert made.overflow == {"marks": 3}
    assert made.seconds == {"bright": 1.5, "rim": 0.25}
    (name,) = made.sent_back
    next_program: Any = made.programs[name]
    next_program.sent_back = 3
    assert made.sent_back == {name: 5}
