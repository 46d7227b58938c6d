"""Closing the window: nothing that is being made or written goes in silence; and what is offered to be opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtWidgets

from app.desk.bench.topics import Level
from app.desk.jobs import jobs as module
from app.desk.jobs.jobs import Job
from app.desk.jobs.orders import CamerasOrder, JobOrder, RunOrder
from app.desk.sidecars import corrections_file
from app.gui.settings import Settings
from app.gui.start import begin
from app.gui.video.nothing_open import why_not
from kernels.errors import InputError
from pipelines.definition import load
from pipelines.writing import dumps
from tests.app.gui.conftest import CLIP, Desk

RUN = RunOrder(str(CLIP), dumps(load("blobs")))


class NoWorker:
    """Does nothing but hear that it should end."""

    stopped: list[bool]

    def __init__(self, *_: object) -> None:
        pass

    def stop(self, now: bool) -> None:
        NoWorker.stopped.append(now)


@pytest.fixture(autouse=True)
def _no_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    NoWorker.stopped = []
    monkeypatch.setattr(module, "_Worker", NoWorker)


def job(desk: Desk, title: str = "run vortex", order: JobOrder = RUN) -> Job:
    return desk.window.jobs.start(title, order)


def end(desk: Desk, made: Job) -> None:
    desk.window.jobs._events.put((made.number, {"result": {"folder": "x"}}))
    desk.window.jobs.tick()


def test_work_that_goes_on_is_asked_about_and_the_window_stays(desk: Desk, app: QtWidgets.QApplication) -> None:
    job(desk)
    desk.window.close()
    assert desk.window.isVisible()
    assert not desk.link.closed
    assert app.activeModalWidget() is None
    strip = desk.window.strips["leaving"]
    assert "This is not done yet: run vortex." in strip.label.text()
    strip.buttons["Stay"].click()
    assert "leaving" not in desk.window.strips
    assert NoWorker.stopped == []


def test_the_window_closes_when_all_is_done(desk: Desk) -> None:
    first, second = job(desk), job(desk, "batch of 3")
    desk.window.close()
    desk.window.strips["leaving"].buttons["Close when done"].click()
    end(desk, first)
    assert desk.window.isVisible()
    end(desk, second)
    assert not desk.window.isVisible()
    assert desk.link.closed
    assert NoWorker.stopped == []


def test_or_stays_after_all(desk: Desk) -> None:
    made = job(desk)
    desk.window.close()
    desk.window.strips["leaving"].buttons["Close when done"].click()
    desk.window.strips["leaving"].buttons["Stay"].click()
    end(desk, made)
    assert desk.window.isVisible()


def test_the_question_goes_when_there_is_nothing_to_ask(desk: Desk) -> None:
    made = job(desk)
    desk.window.close()
    end(desk, made)
    assert "leaving" not in desk.window.strips
    assert desk.window.isVisible(), "nobody said that it should close then"


def test_work_is_stopped_where_somebody_says_so(desk: Desk) -> None:
    job(desk)
    desk.window.close()
    desk.window.strips["leaving"].buttons["Stop and close"].click()
    assert not desk.window.isVisible()
    assert NoWorker.stopped == [True]


def test_looking_for_cameras_keeps_nobody(desk: Desk) -> None:
    job(desk, "cameras", CamerasOrder())
    desk.window.close()
    assert not desk.window.isVisible()


def test_a_signal_waits_for_no_job(desk: Desk) -> None:
    job(desk)
    desk.window.leaving.stop_and_close()
    assert not desk.window.isVisible()


def test_corrections_that_cannot_be_written_are_kept_and_said_at_the_next_start(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.open()
    desk.frame(0)
    save = corrections_file.save

    def read_only(path: Path, *rest: object) -> str:
        if path == corrections_file.path_for(CLIP):
            raise InputError(f"{path} cannot be written: Read-only file system")
        return save(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(corrections_file, "save", read_only)
    desk.window.tracking.corrector.rename(0, "wing")
    desk.window.close()
    assert "Read-only file system" in capsys.readouterr().err
    settings = Settings(desk.window.settings.path)
    (said,) = json.loads(settings.text("untold"))
    (kept,) = settings.folder_of_own.iterdir()
    assert str(kept) in said
    assert corrections_file.load(kept)[0][0].words == "rename 0"
    begin(desk.window, None, None, "", False)
    told = [m for m in desk.bench.messages if m.sentence == f"last time: {said}"]
    assert [m.level for m in told] == [Level.ERROR]
    begin(desk.window, None, None, "", False)
    assert len([m for m in desk.bench.messages if m.sentence.startswith("last time")]) == 1


def test_two_windows_that_cannot_agree_ask_in_a_strip(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.open()
    corrector = desk.window.tracking.corrector
    monkeypatch.setattr(corrections_file, "save", lambda *_: "00")
    corrector.rename(0, "wing")

    def changed(*_: object) -> str:
        raise corrections_file.CorrectionsChanged("changed")

    monkeypatch.setattr(corrections_file, "save", changed)
    monkeypatch.setattr(corrections_file, "there", lambda *_: ((), "11"))
    corrector.rename(1, "tip")
    strip = desk.window.strips["other window"]
    assert "it has 0, here are 2" in strip.label.text()
    monkeypatch.setattr(corrections_file, "save", lambda *_: "22")
    strip.buttons["Mine"].click()
    assert "other window" not in desk.window.strips
    assert desk.bench.names == {0: "wing", 1: "tip"}


def test_what_may_be_dropped_is_read_whole(desk: Desk) -> None:
    words = desk.window.nothing.words
    desk.window.nothing.more.setFixedWidth(120)  # as with large letters
    desk.window.nothing.refresh()
    QtWidgets.QApplication.processEvents()
    assert words.isVisible()
    assert words.height() >= words.heightForWidth(words.width())


def test_what_was_open_last_and_is_gone_says_why(desk: Desk, tmp_path: Path) -> None:
    there = tmp_path / "there.mp4"
    there.touch()
    listed = [str(tmp_path / "gone.mp4"), str(tmp_path / "no" / "such.cine"), "cam:sim", str(there)]
    for what in listed:
        desk.window.settings.add_recent(what)
    desk.window.nothing.refresh()
    files = desk.window.nothing.files
    assert [files[what].isEnabled() for what in listed] == [False, False, True, True]
    assert "no longer there" in files[listed[0]].text()
    assert "folder is not there" in files[listed[1]].toolTip()
    there.unlink()
    desk.window.nothing.refresh()
    assert not desk.window.nothing.files[str(there)].isEnabled(), "it has gone since"
    Path(listed[0]).touch()
    desk.window.nothing.refresh()
    assert desk.window.nothing.files[listed[0]].isEnabled()
    menu = desk.window.opening.menu
    menu.aboutToShow.emit()
    texts = {action.text(): action.isEnabled() for action in menu.actions() if action.text()}
    assert any("there.mp4  (no longer there)" in text and not on for text, on in texts.items())
    assert why_not(f"{there}/deeper.mp4") != ""
