"""The engine in a process of its own, through the link that a window has."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest

from app.controller import run_clip
from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.engine import commands, reports
from app.desk.engine.link import EngineLink
from app.live.replay import Wish, replay
from app.sources.opening import open_source
from pipelines.definition import load
from pipelines.measures import plain
from pipelines.streaming.common.states import RunState
from pipelines.trackers.base import confirmed
from tests.app.desk.engine.conftest import until
from tests.patience import PATIENCE

CLIP = Path(__file__).parents[4] / "sample_videos" / "vortex_600fps.avi"


def opened(bench: Workbench, what: str = str(CLIP), **options: object) -> None:
    bench.open(what, **options)  # type: ignore[arg-type]
    until(bench, lambda: bench.opened is not None or bench.opening is None)
    assert bench.opened is not None, bench.messages


def test_a_clip_is_played_and_its_tracks_are_those_of_a_run(bench: Workbench, tmp_path: Path) -> None:
    bench.speed, bench.loop = None, False
    opened(bench)
    until(bench, lambda: bench.state is RunState.PAUSED and bench.position == bench.opened.info.frames - 1)
    until(bench, lambda: bench.store.known(bench.position))
    expected = plain(run_clip(CLIP, "blobs", out=tmp_path, overlay=False).tracks)
    # A window has tracks, too, that are not believed in the end; a table has not.
    seen = plain(confirmed(bench.store.all()))
    found, expected = (np.sort(rows, order=["frame", "track"]) for rows in (seen, expected))
    # Tables hold the uncertainties of x and of y in single precision, of which it follows to so many digits.
    np.testing.assert_allclose(found["anisotropy"], expected["anisotropy"], atol=1e-6)
    found["anisotropy"] = expected["anisotropy"]
    np.testing.assert_array_equal(found, expected)
    until(bench, lambda: bench.measured is not None and bench.measured.shown > 0 and bench.measured.stages)


def test_seeking_shows_the_frame_with_its_tracks(bench: Workbench) -> None:
    opened(bench, play=False)
    source = open_source(CLIP)
    for frame in (100, 20, 21):
        bench.player.seek(frame)
        until(bench, lambda frame=frame: bench.shown is not None and bench.shown.frame == frame)
        assert bench.shown is not None
        np.testing.assert_array_equal(bench.shown.pixels, source.read(frame))
        until(bench, lambda frame=frame: bench.store.known(frame))  # pictures and rows come on ways of their own
        np.testing.assert_array_equal(bench.shown.rows, plain(bench.store.at(frame)))
    bench.player.step(-1)
    until(bench, lambda: bench.shown is not None and bench.shown.frame == 20)
    source.close()


def test_a_slider_answers_while_it_stands_still_and_undo_takes_it_back(bench: Workbench) -> None:
    opened(bench, play=False)
    bench.player.seek(60)
    until(bench, lambda: bench.shown is not None and bench.shown.frame == 60)
    assert bench.shown is not None
    number, before = bench.shown.number, (bench.shown.rows["state"] == 1).sum()
    assert before > 10
    bench.editor.set_param("bright", "level", 0.9)
    until(bench, lambda: bench.shown is not None and bench.shown.number > number)
    until(bench, lambda: bench.shown is not None and not (bench.shown.rows["state"] == 1).any())
    assert bench.shown.frame == 60
    bench.editor.undo()
    until(bench, lambda: bench.built is not None and "level = 0.9" not in bench.built.pipeline)


def test_any_stage_can_be_shown(bench: Workbench) -> None:
    opened(bench, play=False)
    assert bench.built is not None
    assert {"band", "bright"} <= {name for name, _ in bench.built.outputs}
    bench.player.seek(30)
    until(bench, lambda: bench.shown is not None and bench.shown.frame == 30)
    bench.player.show("bright")
    until(bench, lambda: bench.shown is not None and bench.shown.output == "bright")
    assert bench.shown is not None
    assert bench.shown.bits == 1
    assert 0 < bench.shown.pixels.mean() < 0.2
    bench.player.show("")
    until(bench, lambda: bench.shown is not None and bench.shown.output == "")


def test_what_cannot_be_opened_is_refused_and_what_is_open_stays(bench: Workbench) -> None:
    opened(bench, play=False)
    bench.open("no_such_clip.mp4")
    until(bench, lambda: any("no_such_clip" in m.sentence for m in bench.messages))
    assert bench.opened is not None
    bench.player.seek(5)
    until(bench, lambda: bench.shown is not None and bench.shown.frame == 5)


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_crash_is_named_and_the_next_clip_opens(tmp_path: Path) -> None:
    link = EngineLink()
    bench = Workbench(link)
    try:
        opened(bench)
        assert link.pid is not None
        os.kill(link.pid, signal.SIGSEGV)
        until(bench, lambda: bench.opened is None)
        assert bench.messages[-1].level is Level.ERROR
        assert "signal 11" in bench.messages[-1].sentence
        assert "Segmentation fault" in bench.messages[-1].details
        opened(bench)
        until(bench, lambda: bench.shown is not None)
    finally:
        link.close()


@pytest.mark.skipif(os.name != "posix", reason="recording needs Linux or macOS")
def test_a_camera_runs_is_recorded_and_replays_to_the_same_tracks(bench: Workbench, tmp_path: Path) -> None:
    bench.files.choose("blobs")
    opened(bench, "cam:sim?scene=vortex&size=128x96&fps=100&seed=3")
    assert bench.live
    until(bench, lambda: bench.shown is not None)
    path = tmp_path / "run.mcap"
    bench.recorder.record(str(path))
    until(bench, lambda: bench.measured is not None and bench.measured.recording is not None
          and bench.measured.recording.recorded > 50)  # fmt: skip
    bench.editor.set_param("bright", "level", 0.05)
    count = bench.measured.recording.recorded  # type: ignore[union-attr]
    until(bench, lambda: bench.measured is not None and bench.measured.recording is not None
          and bench.measured.recording.recorded > count + 50)  # fmt: skip
    bench.recorder.stop()
    until(bench, lambda: bool(bench.recorded))
    assert bench.recorded[-1].account.recorded > 100
    found = replay(Wish(path, check=True))
    assert found.likeness is not None
    assert found.identical, found.remarks


@pytest.mark.skipif(os.name != "posix", reason="recording needs Linux or macOS")
def test_a_recording_waits_for_a_condition_on_the_tracks_and_replays_alike(bench: Workbench, tmp_path: Path) -> None:
    bench.files.choose("blobs")
    opened(bench, "cam:sim?scene=vortex&size=128x96&fps=100&seed=3")
    until(bench, lambda: bench.shown is not None)
    path = tmp_path / "triggered.mcap"
    bench.recorder.record(str(path), before=30, after=60, triggers=["speed>1"])
    until(bench, lambda: bench.measured is not None and bench.measured.recording is not None
          and bench.measured.recording.recorded > 60)  # fmt: skip
    bench.recorder.stop()
    until(bench, lambda: bool(bench.recorded))
    found = replay(Wish(path, check=True))
    assert found.likeness is not None
    assert found.identical, found.remarks


def test_the_process_ends_with_the_window() -> None:
    link = EngineLink()
    pid = link.pid
    bench = Workbench(link)
    opened(bench, play=False)
    link.close()
    link.close()
    assert pid is not None
    if os.name == "posix":
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_orders_without_anything_open_are_refused_in_words(link: EngineLink) -> None:
    link.send(commands.Seek(3))
    end = time.monotonic() + PATIENCE
    found: list[reports.Report] = []
    while not found and time.monotonic() < end:
        found = link.poll()
        time.sleep(0.01)
    assert found == [reports.Refused("nothing is open", number=-1)]


def test_pipelines_that_fit_go_on_from_session_files(bench: Workbench) -> None:
    bench.files.choose("template")
    opened(bench, play=False)
    assert bench.built is not None
    assert load("template").name in bench.built.pipeline
