"""What a rehearsal makes of a trial, and what it says: by numbers, not by this machine's speed."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from app.cameras.opening import open_camera
from app.live import rehearsal as module
from app.live.rehearsal import Seen, rehearsal, sustained
from app.live.wanted import Wanted
from app.sessions.rehearsal import Rehearsal
from pipelines.frame import SourceInfo
from pipelines.streaming.common.meter import Meter
from pipelines.streaming.live.ledger import LiveLedger

CAMERA = "cam:sim?scene=vortex&size=64x48&fps=100"


def course(*rows: tuple[float, int, int, float, float]) -> list[Seen]:
    return [Seen(*row[:3], {"engine": row[3], "track": row[4]}) for row in rows]


def test_a_pipeline_that_had_time_for_all_frames_could_take_as_many_as_its_slower_thread() -> None:
    """Not those of before its first frame, nor the camera's rate, nor both threads one behind the other."""
    assert sustained(course((0.1, 0, 0, 0.0, 0.0), (0.2, 10, 0, 0.9, 0.1), (1.2, 110, 0, 1.4, 0.9))) == 125.0
    assert sustained(course((0.2, 10, 0, 0.1, 0.9), (1.2, 110, 0, 0.4, 1.7))) == pytest.approx(125)


def test_one_that_left_frames_out_takes_those_that_came_through() -> None:
    """Though threads that wait for each other look as if they had time; frames that wait are not left out yet."""
    assert sustained(course((0.2, 10, 0, 0.1, 0.1), (1.2, 110, 40, 0.6, 0.5))) == 100.0
    assert sustained(course((0.2, 10, 0, 0.1, 0.1), (1.2, 110, 40, 1.6, 0.5))) == pytest.approx(100 / 1.5)
    assert sustained(course((0.2, 10, 0, 0.1, 0.1), (1.2, 110, 2, 0.6, 0.5))) == 200.0  # others had the processor
    assert sustained(course((0.2, 10, 9, 0.1, 0.1), (1.2, 110, 9, 0.6, 0.5))) == 200.0  # while threads began


def test_few_frames_and_none() -> None:
    assert sustained(course((0.5, 0, 0, 0.0, 0.0), (1.0, 4, 0, 0.2, 0.1))) == 20.0
    assert sustained(course((0.5, 4, 0, 0.2, 0.1), (1.0, 4, 0, 0.2, 0.1))) == 20.0
    assert sustained(course((1.0, 0, 7, 0.0, 0.0))) == 0.0


def test_a_meter_says_how_long_each_thread_was_busy() -> None:
    meter = Meter(clock=lambda: 0.0)
    meter.held("engine", 0.25)
    before = meter.snapshot()
    meter.held("engine", 0.5)
    assert (before.busy, meter.snapshot().busy) == ({"engine": 0.25}, {"engine": 0.75})
    ledger = LiveLedger()
    assert module.seen(before, ledger) == Seen(0.0, 0, 0, {"engine": 0.25})


@pytest.mark.parametrize(("found", "words", "enough"), [
    (125.0, "enough for 100 frames/s with a quarter to spare", True),
    (124.0, "only just enough for 100 frames/s, without a quarter to spare: some frames may be recorded and left "
            "out, whenever something else wants the processor", False),
    (99.0, "NOT enough for 100 frames/s: frames that it has no time for are recorded and left out", False),
])  # fmt: skip
def test_what_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: float, words: str, enough: bool
) -> None:  # fmt: skip
    disk = Rehearsal(1250.0, 100, 1.0, 1000, 0.2, 0.5, 1.5, 60_000_000)
    monkeypatch.setattr(module, "rehearse", lambda *args, **options: disk)
    monkeypatch.setattr(module, "_frames", lambda wanted, begun: (camera_info(), np.zeros((4, 48, 64), np.uint8)))
    monkeypatch.setattr(module, "pipeline_speed", lambda *args: 400.0)
    monkeypatch.setattr(module, "together", lambda *args: found)
    said, verdict = rehearsal(Wanted(CAMERA, tmp_path / "a.mcap", "blobs"), 1.0)
    assert "enough for 100 frames/s with a quarter to spare" in said[0]
    name = camera_info().name
    start = f"pipeline 'blobs' takes {found:.0f} frames/s of {name} here while they are recorded (400 alone), "
    assert said[1] == start + words
    assert verdict is enough


def camera_info() -> SourceInfo:
    with closing(open_camera(CAMERA)) as camera:
        return camera.info
