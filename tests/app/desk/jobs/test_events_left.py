"""Events of a clip are left with what a run or a recording makes of it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.desk.events.events import Event
from app.desk.jobs import child
from app.desk.jobs.orders import JobOrder, RecordOrder, RunOrder
from app.desk.jobs.stopping import Stop
from app.results import take_events
from pipelines.definition import load
from pipelines.frame import TimeBase
from pipelines.writing import dumps

PIPELINE = dumps(load("blobs"))
TABLE = "frame,time_s,name\n3,0.006,onset\n90,0.18,late\n"
SCENE = "sim:vortex?frames=12&width=64&height=64"
OF_SCENE = (Event(4, "start"), Event(8, "stop"))


def done(order: JobOrder) -> dict[str, Any]:
    made = child.outcome(order, lambda _: None, Stop())
    assert "result" in made, made
    return dict(made["result"])


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    path = tmp_path / "small.npy"
    np.save(path, np.random.default_rng(3).integers(0, 40, (12, 48, 64), np.uint8))
    path.with_name("small.npy.events.csv").write_text(TABLE)
    return path


def test_a_run_has_the_events_of_its_clip_and_none_of_an_earlier_one(clip: Path, tmp_path: Path) -> None:
    order = RunOrder(str(clip), PIPELINE, None, 500.0, out=str(tmp_path / "out"), overlay=False)
    done(order)
    assert (tmp_path / "out" / "events.csv").read_text() == TABLE
    clip.with_name("small.npy.events.csv").unlink()
    done(order)
    assert not (tmp_path / "out" / "events.csv").exists()


def test_a_session_has_the_events_of_its_clip_beside_it(clip: Path, tmp_path: Path) -> None:
    session = tmp_path / "made" / "small.mcap"
    session.parent.mkdir()
    done(RecordOrder(str(clip), PIPELINE, str(session), fps=500.0))
    assert session.with_name("small.mcap.events.csv").read_text() == TABLE


def test_events_of_a_scene_go_with_the_order(tmp_path: Path) -> None:
    done(RunOrder(SCENE, PIPELINE, None, out=str(tmp_path / "out"), overlay=False, events=OF_SCENE))
    names = [line.split(",")[::2] for line in (tmp_path / "out" / "events.csv").read_text().split()]
    assert names == [["frame", "name"], ["4", "start"], ["8", "stop"]]
    session = tmp_path / "scene.mcap"
    time = TimeBase(500.0, "scene", "")
    done(RecordOrder(SCENE, PIPELINE, str(session), frames=6, events=OF_SCENE, time=time))
    lines = session.with_name("scene.mcap.events.csv").read_text().split()
    assert lines == ["frame,time_s,name", "4,0.008,start"]


def test_events_that_cannot_be_copied_are_a_sentence_and_no_end(tmp_path: Path) -> None:
    (tmp_path / "x.npy.events.csv").write_text(TABLE)
    said: list[str] = []
    assert not take_events(str(tmp_path / "x.npy"), tmp_path / "none" / "events.csv", said)
    assert "could not be copied" in said[0]
    shutil.rmtree(tmp_path)
    assert not take_events(str(tmp_path / "x.npy"), tmp_path / "events.csv", said)
    assert len(said) == 1
