"""From where the frames of a session count: from where its times do."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from app.sessions import events
from app.sessions.manifest import Manifest
from app.sessions.recording import Recording
from app.sessions.recording_options import RecordingOptions
from app.sessions.writer import SessionWriter
from app.sources.opening import open_source
from pipelines.frame import SourceInfo, TimeBase
from tests.app.sessions.made import SMALL, pixels, preamble, row

FPS = 1000.0


def record(path: Path, kind: str, number: int, begin: float) -> SourceInfo:
    """Six frames whose first one the camera calls `number`; what is then told of them."""
    with closing(open_source("sim:vortex")) as source:
        info = replace(source.info, kind=kind, first_number=number, time=TimeBase(FPS, "header", "", begin=begin))
        with Recording.start(path, Manifest(info).preamble(), RecordingOptions(wait=True)) as recording:
            for k in range(6):
                recording.put(source.read(k), camera_id=number + k, time_s=begin + k / FPS)
    with closing(open_source(path)) as session:
        return session.info


def test_a_cameras_own_numbers_begin_anywhere_and_stand_in_the_metadata(tmp_path: Path) -> None:
    info = record(tmp_path / "a.mcap", "camera", 81234, 0.0)
    assert (info.first_number, info.time.time(0)) == (0, 0.0)
    assert info.metadata["camera_number"] == 81234
    assert info.time.time(5) * FPS == pytest.approx(info.first_number + 5)


def test_a_clip_keeps_its_numbers_which_count_from_its_trigger_as_its_times_do(tmp_path: Path) -> None:
    info = record(tmp_path / "a.mcap", "cine", -4, -4 / FPS)
    assert info.first_number == -4
    assert info.time.time(0) * FPS == pytest.approx(-4)


def triggered(path: Path, at: int, frames: range, times: float = 1e-3) -> SourceInfo:
    """A session of some frames whose trigger was about another one, perhaps."""
    writer = SessionWriter.create(path, preamble(), sync_every=0)
    for k in frames:
        writer.frame(row(k, time=k * times), SMALL.bytes_of(pixels(SMALL, k)))
    writer.event(events.event(events.TRIGGER, at, reason="key"), 1, 1)
    writer.close()
    with closing(open_source(path)) as session:
        return session.info


@pytest.mark.parametrize("at", [4, 10, 14, 19, 30])
def test_times_count_from_the_trigger_also_where_its_frame_was_not_recorded(tmp_path: Path, at: int) -> None:
    info = triggered(tmp_path / "a.mcap", at, range(10, 20))
    assert info.first_number == 10 - at
    for k in range(10):
        assert info.time.time(k) == pytest.approx((info.first_number + k) / FPS), k
    said = [one for one in info.warnings if "trigger" in one]
    assert bool(said) is not (10 <= at < 20)
    assert all(f"about frame {at}" in one and "frames 10 to 19 were" in one for one in said)


def test_a_time_that_nobody_can_know_is_said(tmp_path: Path) -> None:
    info = triggered(tmp_path / "a.mcap", 4, range(10, 11))
    assert info.time.time(0) == 0.0
    assert any("its time is not known" in one for one in info.warnings)
