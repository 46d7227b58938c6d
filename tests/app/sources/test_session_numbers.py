"""From where the frames of a session count: from where its times do."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from app.sessions.manifest import Manifest
from app.sessions.recording import Recording
from app.sources.opening import open_source
from pipelines.frame import SourceInfo, TimeBase

FPS = 1000.0


def record(path: Path, kind: str, number: int, begin: float) -> SourceInfo:
    """Six frames whose first one the camera calls `number`; what is then told of them."""
    with closing(open_source("sim:vortex")) as source:
        info = replace(source.info, kind=kind, first_number=number, time=TimeBase(FPS, "header", "", begin=begin))
        with Recording.start(path, Manifest(info).preamble(), wait=True) as recording:
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
