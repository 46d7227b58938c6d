"""Events of a clip are left with what a run or a recording makes of it."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from app.desk.events import Event
from app.desk.jobs import child
from app.desk.jobs.orders import JobOrder, RecordOrder, RunOrder
from app.desk.jobs.stopping import Stop
from app.results import take_events
from app.sources.reading import Reading
from pipelines.definition import load
from pipelines.frame import TimeBase
from pipelines.writing import dumps
from tests.app.batch.made import write_clip

PIPELINE = dumps(load("blobs"))
TABLE = "frame,time_s,name\n3,0.006,onset\n9,0.018,late\n"
SCENE = "sim:vortex?frames=12&width=64&height=64"
OF_SCENE = (Event(4, "start"), Event(8, "stop"))


def done(order: JobOrder) -> dict[str, Any]:
    made = child.outcome(order, lambda _: None, Stop())
    assert "result" in made, made
    return dict(made["result"])


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    path = tmp_path / "small.npy"
    write_clip(path, frames=12, seed=3)  # something that is followed, or the run would look for what follows more
    path.with_name("small.npy.events.csv").write_text(TABLE)
    return path


def test_a_run_has_the_events_of_its_clip_and_none_of_an_earlier_one(clip: Path, tmp_path: Path) -> None:
    order = RunOrder(str(clip), PIPELINE, None, Reading(500.0), out=str(tmp_path / "out"), overlay=False)
    done(order)
    assert (tmp_path / "out" / "events.csv").read_text() == TABLE
    clip.with_name("small.npy.events.csv").unlink()
    done(order)
    assert not (tmp_path / "out" / "events.csv").exists()


def test_a_run_with_other_settings_leaves_the_results_of_the_one_before(
    clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It wrote over them, and both lines of the window's list led to the same folder."""
    monkeypatch.chdir(tmp_path)
    other = dumps(load("blobs").with_settings({"bright.level": 0.5}))
    folders = [Path(done(RunOrder(str(clip), pipeline, None, Reading(500.0), overlay=False))["folder"])
               for pipeline in (PIPELINE, other, other, PIPELINE)]  # fmt: skip
    names = [folder.name for folder in folders]
    assert names == ["small-blobs", "small-blobs-2", "small-blobs-2", "small-blobs"], "the same again is the same"
    hashes = [json.loads((folder / "summary.json").read_text())["pipeline"]["hash"] for folder in folders]
    assert hashes[0] == hashes[3] != hashes[1] == hashes[2]


def test_a_session_has_the_events_of_its_clip_beside_it(clip: Path, tmp_path: Path) -> None:
    session = tmp_path / "made" / "small.mcap"
    session.parent.mkdir()
    done(RecordOrder(str(clip), PIPELINE, str(session), reading=Reading(fps=500.0)))
    assert session.with_name("small.mcap.events.csv").read_text() == TABLE


@pytest.mark.parametrize(("frames", "kept"), [((0, 9), ["onset"]), ((4, 12), ["late"]), ((3, 10), ["onset", "late"]),
                                              ((4, 9), [])])  # fmt: skip
def test_events_of_other_frames_stay_with_the_clip(
    clip: Path, tmp_path: Path, frames: tuple[int, int], kept: list[str]
) -> None:
    out = tmp_path / "out"
    done(RunOrder(str(clip), PIPELINE, frames, Reading(500.0), out=str(out), overlay=False))
    lines = (out / "events.csv").read_text().splitlines()[1:] if kept else []
    assert (out / "events.csv").exists() == bool(kept)
    assert [line.split(",")[2] for line in lines] == kept
    assert ("events.csv" in os.listdir(out)) == bool(kept)
    scene = tmp_path / "scene"
    of_scene = (Event(3, "onset"), Event(9, "late"))
    done(RunOrder(SCENE, PIPELINE, frames, out=str(scene), overlay=False, events=of_scene))
    assert (scene / "events.csv").exists() == bool(kept)


def test_a_recording_of_some_frames_has_their_events(clip: Path, tmp_path: Path) -> None:
    session = tmp_path / "short.mcap"
    done(RecordOrder(str(clip), PIPELINE, str(session), frames=5, reading=Reading(fps=500.0)))
    assert session.with_name("short.mcap.events.csv").read_text() == "frame,time_s,name\n3,0.006,onset\n"
    done(RecordOrder(str(clip), PIPELINE, str(tmp_path / "two.mcap"), frames=2, reading=Reading(fps=500.0)))
    assert not (tmp_path / "two.mcap.events.csv").exists()


def test_events_as_spreadsheets_write_them_are_chosen_too(tmp_path: Path) -> None:
    table = "\ufeffFrame;Zeit;Name\r\n2;0,004;early\r\n;;\r\n5;0,01;\"two; words\"\r\n7;0,014;late\r\n"
    (tmp_path / "x.npy.events.csv").write_text(table, newline="")
    target, said = tmp_path / "events.csv", list[str]()
    assert take_events(str(tmp_path / "x.npy"), target, (3, 7), said)
    assert target.read_bytes().decode() == 'Frame;Zeit;Name\r\n5;0,01;"two; words"\r\n'
    (tmp_path / "x.npy.events.csv").write_text("what this is\nnobody knows\n")
    assert take_events(str(tmp_path / "x.npy"), target, (3, 7), said)
    assert target.read_text() == "what this is\nnobody knows\n"
    assert not said


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
    assert not take_events(str(tmp_path / "x.npy"), tmp_path / "none" / "events.csv", (0, 12), said)
    assert "could not be copied" in said[0]
    shutil.rmtree(tmp_path)
    assert not take_events(str(tmp_path / "x.npy"), tmp_path / "events.csv", (0, 12), said)
    assert len(said) == 1
