"""Rehearsals of the disk from the recording bar, beside recordings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore, QtGui

from app.desk.jobs.jobs import JobState
from app.desk.jobs.orders import RehearseOrder
from app.gui.sessions import record_bar
from app.gui.sessions.record_bar import RecordBar
from tests.app.desk.readings import live_readings
from tests.app.gui.conftest import Desk
from tests.app.gui.recording import camera_bar, click, ended, until


@pytest.fixture
def bar(desk: Desk, tmp_path: Path) -> RecordBar:
    return camera_bar(desk, tmp_path)


def test_a_rehearsal_runs_beside_and_says_what_the_disk_sustains(
    desk: Desk, bar: RecordBar, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("app.gui.sessions.record_bar.REHEARSAL", 0.3)
    click(bar.rehearse)
    assert bar.rehearse.text() == "Cancel"
    job = desk.window.jobs.all[-1]
    assert isinstance(job.order, RehearseOrder)
    assert (job.order.fps, job.order.folder) == (1000.0, str(tmp_path))
    until(desk, lambda: not job.running)
    assert job.state is JobState.DONE, job.sentence
    assert "frames/s" in bar.words.text()
    assert "can be recorded here" in desk.bench.messages[-1].sentence
    assert bar.rehearse.text() == "Rehearse"
    assert list(tmp_path.glob(".rehearsal*")) == []


def test_each_state_is_said_and_a_rehearsal_of_before_is_forgotten(
    desk: Desk, bar: RecordBar, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("app.gui.sessions.record_bar.REHEARSAL", 0.2)
    assert "Ready" in bar.words.text()
    click(bar.rehearse)
    job = desk.window.jobs.all[-1]
    until(desk, lambda: not job.running)
    assert "frames/s" in bar.words.text()
    bar.waits.setChecked(True)
    click(bar.record)
    assert "frames/s" not in bar.words.text()
    desk.link.reports += live_readings(1, recording=True)
    desk.bench.tick()
    reading = desk.bench.measured
    assert reading is not None
    assert reading.recording is not None
    desk.link.reports.append(replace(reading, recording=replace(reading.recording, recorded=0)))
    desk.bench.readings.clear()
    desk.bench.tick()
    assert "Armed" in bar.words.text()
    bar._job(job)  # news of it that come late
    assert "Armed" in bar.words.text()
    ended(desk)
    bar._job(job)
    text = bar.words.text()
    assert "Stopped" in text
    assert "frames/s" not in text
    assert "500 frames" in text
    assert tmp_path.name in text  # where it is
    shown: list[QtCore.QUrl] = []
    monkeypatch.setattr(QtGui.QDesktopServices, "openUrl", lambda url: shown.append(url) or True)
    click(bar.show_button)
    assert [Path(url.toLocalFile()) for url in shown] == [tmp_path]


def test_a_rehearsal_that_runs_is_broken_off_by_a_recording(desk: Desk, bar: RecordBar) -> None:
    click(bar.rehearse)
    job = desk.window.jobs.all[-1]
    bar.toggle()
    assert job.stopping or not job.running
    until(desk, lambda: not job.running)


def test_a_rehearsal_can_be_cancelled_and_leaves_nothing(
    desk: Desk, bar: RecordBar, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Long enough to be still under way on a machine that has other things to do.
    monkeypatch.setattr(record_bar, "RehearseOrder", lambda *given: replace(RehearseOrder(*given), seconds=20.0))
    click(bar.rehearse)
    job = desk.window.jobs.all[-1]
    until(desk, lambda: list(tmp_path.glob(".rehearsal*")))
    click(bar.rehearse)
    until(desk, lambda: not job.running)
    assert job.state is JobState.STOPPED
    assert list(tmp_path.glob(".rehearsal*")) == []
