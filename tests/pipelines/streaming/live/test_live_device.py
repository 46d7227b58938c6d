"""Live runs on a device: batches are begun ahead, and the tracks are those of the reference."""

from __future__ import annotations

from typing import Any

import pytest

from kernels.errors import InputError
from pipelines.streaming.common.changes import AnyChange, Change, Structure
from pipelines.streaming.engine import building
from pipelines.streaming.engine.choice import Choice
from pipelines.streaming.live.live_runner import LiveRunner
from pipelines.streaming.live.options import LiveOptions
from pipelines.streaming.playback.options import PlaybackOptions
from pipelines.streaming.playback.playback import Playback
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.patience import PATIENCE
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.emulated import EmulatedExecutor
from tests.pipelines.streaming.clip.test_rescue import Doomed
from tests.pipelines.streaming.clip.test_runner import Keep
from tests.pipelines.streaming.live.cameras import FakeCamera
from tests.shipped import fixed

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

CLIP = moving_spots(40, 32)
PLAN: list[AnyChange] = [
    Change(7, "bright", "level", 0.05), Change(12, "follow", "gate", 3.0),
    Structure(21, fixed("blobs").with_settings({"band.sigma": 1.6})), Change(30, "bright", "level", 0.02),
]  # fmt: skip


def live(monkeypatch: pytest.MonkeyPatch, made: Any, **options: Any) -> tuple[Keep, LiveRunner]:
    monkeypatch.setattr(building, "choose", lambda *_: Choice(made, "auto", "cuda:0", machine={}))
    keep = Keep()
    runner = LiveRunner(
        FakeCamera(CLIP, most=5), fixed("blobs"), [keep], LiveOptions(latency=1000.0, slots=64, **options),
        changes=PLAN
    )  # fmt: skip
    runner.start()
    report = runner.wait(PATIENCE)
    assert report is not None
    assert report.error == ""
    report.ledger.check(ended=True)
    return keep, runner


@pytest.mark.parametrize("batch", [3, 8])
def test_batches_begun_ahead_give_the_same_tracks(monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    expected = Keep()
    Playback(MemoryClip(CLIP), fixed("blobs"), [expected], PlaybackOptions(device="reference"), changes=PLAN).run()
    keep, runner = live(monkeypatch, EmulatedExecutor(), batch=batch)
    assert runner.built is not None
    assert runner.built.engine.ahead > 0
    assert keep.tracks.tobytes() == expected.tracks.tobytes()


def test_the_processor_takes_over_before_the_first_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(EmulatedExecutor):
        def compile(self, body: Any) -> Any:
            program: Any = super().compile(body)

            def refuse(*_: Any, **__: Any) -> Any:
                raise InputError("the device has too little memory")

            if hasattr(program, "submit"):
                program.run = program.submit = program.part = refuse
            return program

    expected = Keep()
    Playback(MemoryClip(CLIP), fixed("blobs"), [expected], PlaybackOptions(device="cpu"), changes=PLAN).run()
    keep, runner = live(monkeypatch, Broken())
    assert keep.tracks.tobytes() == expected.tracks.tobytes()
    assert "cuda:0 failed: the device has too little memory" in runner.notes[0]


@pytest.mark.parametrize("said", ["lost", "memory"])
def test_a_named_gpu_that_fails_on_the_way_ends_the_run_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    """What the user names is not replaced (`test_live_rescue` is about what is); what came before stays."""
    expected = Keep()
    Playback(MemoryClip(CLIP), fixed("blobs"), [expected], PlaybackOptions(device="reference"), changes=PLAN).run()
    doomed = Doomed(1 << 30, "upload", said)
    monkeypatch.setattr(building, "choose", lambda *_: Choice(doomed, "cuda:0", "cuda:0", machine={}))
    keep = Keep()
    runner = LiveRunner(
        FakeCamera(CLIP, most=5), fixed("blobs"), [keep], LiveOptions(latency=1000.0, slots=64, batch=2), changes=PLAN
    )  # fmt: skip
    runner.prepare()  # trials take as many as the machine's speed asks for
    doomed.left = 8
    runner.start()
    report = runner.wait(PATIENCE)
    assert report is not None
    assert "\n" not in report.error
    assert {"lost": "cudaErrorIllegalAddress: an illegal", "memory": "not enough memory"}[said] in report.error
    assert 0 < len(keep.tracks) < len(expected.tracks)
    assert keep.tracks.tobytes() == expected.tracks[: len(keep.tracks)].tobytes()
    report.ledger.check(ended=True)
