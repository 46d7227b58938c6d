"""The batch panel, by its buttons and by drops; one batch and one run in real processes."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtTest, QtWidgets

from app.desk.bench.topics import Level
from app.desk.engine import reports
from app.desk.jobs.jobs import JobState
from app.desk.jobs.orders import BatchOrder, RunOrder
from app.gui.sessions.batch_panel import HEADS, BatchPanel
from app.sources.reading import Reading
from pipelines.definition import loads
from tests.app.gui.conftest import CLIP, Desk
from tests.app.gui.test_opening import a_run_of
from tests.patience import PATIENCE


@pytest.fixture
def panel(desk: Desk, tmp_path: Path) -> BatchPanel:
    desk.window.actions_.made["batch"].trigger()
    made = desk.window.panels["batch"]
    assert isinstance(made, BatchPanel)
    made.out.setText(str(tmp_path / "results"))
    made.overlay.setChecked(False)
    return made


@pytest.fixture
def clips(tmp_path: Path) -> list[str]:
    frames = np.zeros((6, 32, 40), np.uint8)
    for k in range(6):
        frames[k, 10:14, 8 + k : 12 + k] = 250
    np.save(tmp_path / "good.npy", frames)
    (tmp_path / "bad.npy").write_bytes(b"nothing")
    return [str(tmp_path / "good.npy"), str(tmp_path / "bad.npy")]


def click(button: QtWidgets.QAbstractButton) -> None:
    assert button.isEnabled()
    QtTest.QTest.mouseClick(button, QtCore.Qt.MouseButton.LeftButton)


def until(desk: Desk, good: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not good():
        assert time.monotonic() < end
        desk.window.jobs.tick()
        QtWidgets.QApplication.processEvents()
        time.sleep(0.01)


def texts(panel: BatchPanel) -> list[list[str]]:
    items = (panel.list.topLevelItem(k) for k in range(panel.list.topLevelItemCount()))
    return [[item.text(column) for column in range(5)] for item in items]


def test_clips_are_added_by_drop_and_by_dialog_and_taken_out(
    desk: Desk, panel: BatchPanel, clips: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert not panel.start.isEnabled()
    data = QtCore.QMimeData()
    data.setUrls([QtCore.QUrl.fromLocalFile(path) for path in clips])
    panel.dropEvent(QtGui.QDropEvent(QtCore.QPointF(5, 5), QtCore.Qt.DropAction.CopyAction, data,
                    QtCore.Qt.MouseButton.LeftButton, QtCore.Qt.KeyboardModifier.NoModifier))  # fmt: skip
    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileNames", lambda *a, **k: ([str(CLIP), clips[0]], ""))
    click(panel.add)
    monkeypatch.setattr(QtWidgets.QFileDialog, "getExistingDirectory", lambda *a, **k: str(tmp_path))
    click(panel.add_folder)
    names = [row[0] for row in texts(panel)]
    assert names == ["good.npy", "bad.npy", CLIP.name, f"{tmp_path.name}/  (all clips in it)"]
    assert "4 waiting" in panel.words.text()
    assert not panel.hint.isVisible()
    panel.list.topLevelItem(2).setSelected(True)
    panel.list.topLevelItem(3).setSelected(True)
    click(panel.remove)
    assert [row[0] for row in texts(panel)] == ["good.npy", "bad.npy"]


def test_a_batch_runs_the_windows_pipeline_and_skips_what_is_done(
    desk: Desk, panel: BatchPanel, clips: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.bench.editor.set_param("bright", "level", 0.11)
    panel.queue.add(clips)
    panel.refresh()
    panel.at_once.setValue(1)
    click(panel.start)
    job = desk.window.jobs.all[-1]
    assert isinstance(job.order, BatchOrder)
    assert loads(job.order.pipeline) == desk.bench.pipeline
    assert not panel.start.isEnabled()
    until(desk, lambda: not job.running)
    panel.refresh()
    rows = {row[0]: row for row in texts(panel)}
    assert rows["good.npy"][1] == "done", job.sentence + job.details
    assert rows["bad.npy"][1] == "failed"
    assert "bad.npy" in rows["bad.npy"][4]
    assert "1 failed" in desk.bench.messages[-1].sentence
    shown: list[str] = []
    monkeypatch.setattr(QtGui.QDesktopServices, "openUrl", lambda url: shown.append(url.toLocalFile()) or True)
    click(panel.open_page)
    panel.list.itemDoubleClicked.emit(panel.list.topLevelItem([r[0] for r in texts(panel)].index("good.npy")), 0)
    click(panel.open_folder)
    assert [Path(path).name for path in shown] == ["report.html", "good", "results"]
    assert Path(shown[1], "tracks.csv").is_file()


def test_the_open_clip_that_is_run_is_seen_and_a_folder_that_nothing_opens_is_told(
    desk: Desk, panel: BatchPanel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    panel.queue.add([str(tmp_path / f"{k}.mp4") for k in range(40)])
    panel.refresh()
    desk.open()
    desk.window.actions_.made["run_clip"].trigger()
    panel.refresh()
    row = panel.list.visualItemRect(panel.list.topLevelItem(40))
    assert panel.list.viewport().rect().contains(row), "below all that wait"
    desk.window.jobs.stop(desk.window.jobs.all[-1])
    until(desk, lambda: not desk.window.jobs.all[-1].running)
    panel.out.setText(str(tmp_path))
    monkeypatch.setattr(QtGui.QDesktopServices, "openUrl", lambda url: False)
    panel.list.clearSelection()
    desk.window.guarded(panel.show_results)
    assert "the system opens no program for a folder; look at" in desk.bench.messages[-1].sentence


def test_the_open_clip_is_run_from_mark_to_mark(desk: Desk, panel: BatchPanel) -> None:
    assert not desk.window.actions_.made["run_clip"].isEnabled()
    desk.open()
    desk.bench.player.set_range(5, 9)
    desk.window.actions_.made["run_clip"].trigger()
    job = desk.window.jobs.all[-1]
    assert isinstance(job.order, RunOrder)
    assert (job.order.clip, job.order.frames, job.order.overlay) == (str(CLIP), (5, 9), False)
    panel.refresh()
    assert texts(panel)[0][:2] == [f"{CLIP.name}, frames 5 to 8", "opening"]
    click(panel.stop)
    assert job.stopping
    until(desk, lambda: not job.running)
    panel.refresh()
    assert texts(panel)[0][1] == "stopped"
    assert desk.bench.messages[-1].level is Level.WARNING
    desk.bench.player.set_range(0, 10**9)
    desk.window.actions_.made["run_clip"].trigger()
    assert desk.window.jobs.all[-1].order.frames is None  # type: ignore[union-attr]


def test_a_camera_is_not_run_but_told_about(desk: Desk, panel: BatchPanel) -> None:
    desk.open(live=True)
    assert not desk.window.actions_.made["run_clip"].isEnabled()
    desk.window.guarded(panel.run_clip)
    assert "recorded" in desk.bench.messages[-1].sentence


def test_a_job_that_fails_is_a_message_with_details(desk: Desk, panel: BatchPanel) -> None:
    desk.open()
    desk.link.reports.append(reports.Noted("x"))
    job = panel.queue.run(RunOrder("/no/such.npy", ""), "such.npy")
    until(desk, lambda: not job.running)
    assert job.state is JobState.FAILED
    assert desk.bench.messages[-1].level is Level.ERROR
    assert desk.bench.messages[-1].sentence.startswith("run such.npy: ")
    panel.refresh()
    assert texts(panel)[0][1] == "failed"
    for name in ("light", "dark"):
        desk.window.set_theme(name)
        assert not panel.grab().isNull()


def test_larger_letters_cut_neither_heads_nor_the_number_of_clips(panel: BatchPanel) -> None:
    made = panel
    made.setStyleSheet("* { font-size: 24px; }")
    made.resize(made.sizeHint().expandedTo(QtCore.QSize(1600, 300)))
    QtWidgets.QApplication.processEvents()
    metrics = made.list.header().fontMetrics()
    for column, head in enumerate(HEADS):
        assert made.list.columnWidth(column) >= metrics.horizontalAdvance(head) + 8, head
    room = made.at_once.lineEdit().width()
    assert room >= made.at_once.fontMetrics().horizontalAdvance("automatic")


def entries(panel: BatchPanel) -> dict[str, QtWidgets.QAction]:
    """What the menu of the selected lines offers now."""
    found = panel.menu.menu().actions()
    return {action.text().partition("\t")[0]: action for action in found if action.isEnabled() and action.text()}


def test_lines_have_a_menu(desk: Desk, panel: BatchPanel, clips: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[Path] = []
    monkeypatch.setattr("app.gui.sessions.batch_menu.show", shown.append)
    panel.queue.add(clips)
    panel.refresh()
    good, bad = (panel.list.topLevelItem(k) for k in range(2))
    good.setSelected(True)
    assert set(entries(panel)) == {"Open the clip", "Run again", "Remove"}
    entries(panel)["Open the clip"].trigger()
    order = desk.link.orders[-1]
    assert getattr(order, "what", "") == clips[0]
    good.setSelected(False)
    bad.setSelected(True)
    entries(panel)["Run again"].trigger()
    until(desk, lambda: not panel.queue.running)
    panel.refresh()
    assert [line.status for line in panel.queue.lines.values()] == ["waiting", "failed"], "the other one waits on"
    entries(panel)["Copy the error"].trigger()
    words = QtWidgets.QApplication.clipboard().text()
    assert words.startswith(f"{clips[1]}: ")
    assert panel.queue.lines[clips[1]].note in words
    line = panel.queue.lines[clips[1]]
    line.folder = str(Path(clips[1]).parent)
    entries(panel)["Open the folder of its results"].trigger()
    assert shown == [Path(line.folder)]
    assert "Show its tracks over the clip" not in entries(panel)
    line.folder = str(a_run_of(Path(clips[0]), Path(clips[1]).parent / "of_good"))
    entries(panel)["Show its tracks over the clip"].trigger()
    assert getattr(desk.link.orders[-1], "run", "") == line.folder
    good.setSelected(True)
    entries(panel)["Remove 2 clips"].trigger()
    assert not panel.queue.lines


def test_a_run_of_its_own_is_repeated_as_it_was_ordered(desk: Desk, panel: BatchPanel, clips: list[str]) -> None:
    order = RunOrder(clips[1], "name = 'x'", (0, 4), Reading(500.0))
    panel.queue.run(order, "bad.npy")
    until(desk, lambda: not desk.window.jobs.running)
    panel.refresh()
    panel.list.topLevelItem(0).setSelected(True)
    entries(panel)["Run again"].trigger()
    assert desk.window.jobs.all[-1].order == order
    until(desk, lambda: not desk.window.jobs.running)
    assert [line.status for line in panel.queue.lines.values()] == ["failed"]
    (kept,) = json.loads(json.dumps(panel.queue.kept()))
    panel.queue.remove(list(panel.queue.lines))
    panel.queue.take_up([kept])
    panel.refresh()
    panel.list.topLevelItem(0).setSelected(True)
    entries(panel)["Run again"].trigger()
    assert desk.window.jobs.all[-1].order == order, "another window has asked for it, and it is known still"
    until(desk, lambda: not desk.window.jobs.running)
    panel.queue.remove(list(panel.queue.lines))
    panel.queue.take_up([{name: value for name, value in kept.items() if name != "order"}])
    panel.refresh()
    panel.list.topLevelItem(0).setSelected(True)
    assert "Run again" not in entries(panel), "nobody knows the order"
