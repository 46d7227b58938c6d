"""The recording of a clip with its tracks, the check of replays, and sessions that a killed window has left."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from app.desk.bench.topics import Level, Topic
from app.desk.engine import commands
from app.desk.jobs.jobs import JobState
from app.desk.jobs.orders import RecordOrder, ReplayOrder
from app.gui.sessions.record_bar import RecordBar
from tests.app.gui.conftest import Desk
from tests.app.gui.recording import click, until


def clip_bar(desk: Desk, folder: Path) -> RecordBar:
    """The bar for a clip of which twelve frames are wanted."""
    desk.window.settings.set_text("sessions", str(folder))
    desk.open()
    desk.bench.player.set_range(0, 12)
    bar = desk.window.record_bar
    bar.toggle()
    return bar


def test_a_clip_is_recorded_with_its_tracks_and_its_replay_is_the_same(desk: Desk, tmp_path: Path) -> None:
    bar = clip_bar(desk, tmp_path)
    path = tmp_path / f"vortex_600fps_{datetime.now():%Y-%m-%d}_001.mcap"
    assert bar.name.text() == str(path)
    assert "12 frames" in bar.words.text()
    click(bar.record)
    (job,) = desk.window.jobs.all
    assert isinstance(job.order, RecordOrder)
    assert (job.order.frames, job.order.session) == (12, str(path))
    assert bar.record.text() == "Stop"
    assert not bar.name.isEnabled()
    until(desk, lambda: not job.running)
    assert job.state is JobState.DONE, job.sentence
    assert bar.record.text() == "Record"
    assert "12 frames recorded, " in bar.words.text()
    assert bar.name.text().endswith("_002.mcap")
    assert desk.bench.recorded[-1].path == str(path)
    click(bar.check)
    until(desk, lambda: not desk.window.jobs.all[-1].running)
    assert desk.window.jobs.all[-1].result["identical"]
    click(bar.open_button)
    order = desk.link.orders[-1]
    assert isinstance(order, commands.Open)
    assert (order.what, order.pipeline) == (str(path), "")


def test_a_clip_is_recorded_from_its_first_frame_on_or_not_at_all(desk: Desk, tmp_path: Path) -> None:
    bar = clip_bar(desk, tmp_path)
    desk.bench.player.set_range(3, 12)
    click(bar.record)
    assert not desk.window.jobs.all
    assert "take the in mark away" in desk.bench.messages[-1].sentence
    assert bar.record.text() == "Record"
    assert not bar.record.isChecked()


def test_the_recording_of_a_clip_can_be_stopped(desk: Desk, tmp_path: Path) -> None:
    bar = clip_bar(desk, tmp_path)
    desk.bench.player.set_range(0, 480)
    click(bar.record)
    (job,) = desk.window.jobs.all
    click(bar.record)
    assert job.stopping
    until(desk, lambda: not job.running)
    assert job.state in (JobState.STOPPED, JobState.FAILED)  # stopped before a frame was recorded
    assert "Stopped" in bar.words.text()
    assert bar.record.text() == "Record"


def test_the_replay_of_a_session_that_is_open_can_be_checked(desk: Desk, tmp_path: Path) -> None:
    check, strips = desk.window.actions_.made["check_replay"], desk.window.strips
    desk.open()
    assert not check.isEnabled(), "a clip is no session"
    assert desk.bench.asked is not None
    desk.bench.asked = replace(desk.bench.asked, what=str(tmp_path / "run7.mcap"))
    desk.window.actions_.refresh()
    assert check.isEnabled()
    check.trigger()
    job = desk.window.jobs.all[-1]
    assert isinstance(job.order, ReplayOrder)
    assert job.order.session == str(tmp_path / "run7.mcap")
    assert "run7.mcap" in strips["replay"].label.text()
    assert "checking" in strips["replay"].label.text()
    until(desk, lambda: not job.running)
    assert desk.bench.messages[-1].level is Level.ERROR  # there is no such file
    assert "Replayed" in strips["replay"].label.text()
    cross = strips["replay"].cross
    assert cross is not None
    cross.click()
    assert "replay" not in strips


def test_a_session_that_a_killed_window_was_recording_is_offered(desk: Desk, tmp_path: Path) -> None:
    window, path = desk.window, tmp_path / "run8.mcap"
    path.write_bytes(bytes(5000))
    window.rescued.tell()
    assert "rescued" not in window.strips
    desk.bench.recording = str(path)
    desk.bench.tell(Topic.RECORDING)
    kept = window.settings.text("recording", "{}")
    assert str(path) in kept
    window.rescued.tell()
    assert "rescued" not in window.strips, "this window records it, and is well"
    assert window.settings.text("recording", "{}") == kept
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    desk.bench.recording = ""
    window.settings.set_text("recording", kept.replace(str(os.getpid()), str(gone.pid)))
    window.rescued.tell()
    strip = window.strips["rescued"]
    assert "run8.mcap" in strip.label.text()
    assert "5.0 kB" in strip.label.text()
    click(strip.buttons["Open it"])
    order = desk.link.orders[-1]
    assert isinstance(order, commands.Open)
    assert order.what == str(path)
    assert "rescued" not in window.strips
    window.rescued.tell()
    assert "rescued" not in window.strips, "once"
    path.unlink()
    window.settings.set_text("recording", kept.replace(str(os.getpid()), str(gone.pid)))
    window.rescued.tell()
    assert "rescued" not in window.strips
    assert "holds no such session" in desk.bench.messages[-1].sentence
    desk.bench.tell(Topic.RECORDING)
    assert window.settings.text("recording", "{}") == "{}"
