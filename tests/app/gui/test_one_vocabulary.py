"""What becomes of frames has one word and one figure, wherever the window says it: a camera, with its real numbers."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtGui, QtTest, QtWidgets

from app.desk.engine import reports
from app.frame_counts import WORDS, FrameCounts, with_reasons
from app.gui.throughput import ThroughputPanel
from pipelines.streaming.common.states import RunState
from tests.app.desk.readings import account, live_readings
from tests.app.gui.conftest import Desk
from tests.app.gui.recording import LEFT
from tests.app.gui.test_throughput import bring


def plain(text: str) -> str:
    """Rich text without its marks."""
    return re.sub(r"<[^>]*>", "", text).replace("&nbsp;", "")


def camera(desk: Desk, **given: int) -> ThroughputPanel:
    """The window of a camera that runs, with the panel of its throughput in front."""
    desk.open(live=True)
    desk.bench.state = RunState.RUNNING
    made = desk.window.panels["throughput"]
    assert isinstance(made, ThroughputPanel)
    bring(desk, "throughput")
    desk.link.reports += live_readings(recording=True, **given)
    desk.bench.tick()
    made.redraw()
    return made


def test_status_bar_panel_and_figure_say_the_same(desk: Desk) -> None:
    panel = camera(desk, behind=100, missing=2, dropped=1)
    parts, rows = desk.window.status.parts, {name: now for name, now, _ in panel.speeds.rows}
    said = dict(part.split(" ")[:2] for part in parts["rates"].text().removesuffix(" frames/s").split(",  "))
    assert said == {name: rows[name] for name in ("captured", "processed", "shown")}
    assert parts["lost"].text() == "120 lost,  4000 left out"
    losses = plain(panel.losses.text())
    assert "120 lost (80 never came from the camera, 40 found no room before the disk)" in losses
    assert "4000 left out (the engine was behind)" in losses
    figure = desk.window.live_figure
    assert figure.isVisible()
    half = next(half for name, half, *_ in panel.waits.rows if name == "in all")
    shown = QtGui.QTextDocument()
    shown.setHtml(figure.text())
    assert shown.toPlainText().split("\n")[1:-1] == [
        f"{rows['captured']} / {rows['processed']}", f"{float(half):.0f} ms",
        "captured / processed frames/s", "latency"]  # fmt: skip


def test_pictures_are_counted_where_they_are_shown(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine counted those that it offered, of which a busy window takes a part."""
    panel = camera(desk)
    assert desk.bench.readings[-1].shown == 0
    assert ("shown", "0", "0") in [tuple(row) for row in panel.speeds.rows]
    assert "shown 0 frames/s" in desk.window.status.parts["rates"].text()


def test_the_figure_goes_with_the_camera_and_can_be_switched_off(desk: Desk, tmp_path: Path) -> None:
    camera(desk)
    figure, action = desk.window.live_figure, desk.window.actions_.made["figure"]
    assert figure.isVisible()
    assert action.isChecked()
    action.trigger()
    assert not figure.isVisible()
    assert desk.window.settings.text("live figure") == "no"
    action.trigger()
    assert figure.isVisible()
    desk.link.reports.append(reports.Stood(RunState.PAUSED, 3))
    desk.bench.tick()
    assert "paused" in figure.text()
    assert "frames are left out; Space goes on" in figure.text()
    desk.bench.recorder.record(str(tmp_path / "a.mcap"))
    assert "frames are kept without tracks; Space goes on" in figure.text()
    desk.link.reports.append(reports.Recorded(desk.bench.recording, account(5)))
    desk.bench.tick()
    assert "frames are left out; Space goes on" in figure.text()
    desk.open()
    desk.bench.tick()
    assert not figure.isVisible()


def test_it_lies_in_a_corner_and_lets_the_mouse_through(desk: Desk) -> None:
    camera(desk)
    figure, video = desk.window.live_figure, desk.window.video
    desk.window.resize(1280, 800)
    QtWidgets.QApplication.processEvents()
    inside = video.rect()
    assert inside.contains(figure.geometry())
    assert figure.height() * figure.width() < 0.2 * inside.width() * inside.height()
    hits: list[tuple[float, float]] = []
    video.box.clicked.connect(lambda x, y, _: hits.append((x, y)))
    below = video.childAt(figure.geometry().center())
    assert below is not figure
    QtTest.QTest.mouseClick(video.graphics.viewport(), LEFT, pos=figure.geometry().center())
    assert hits


def test_the_words_are_explained_and_add_up() -> None:
    counts = FrameCounts(1000, 900, {"the engine was behind": 90, "the run was paused": 10}, 7, 3)
    assert (counts.announced, counts.all_left_out, counts.all_lost) == (1007, 100, 10)
    assert set(WORDS) == {"announced", "captured", "recorded", "processed", "left out", "lost"}
    later = replace(counts, captured=1100, missing=9)
    assert later.since(counts) == FrameCounts(100, 0, {}, 2, 0)
    said = "10 lost (7 never came from the camera, 3 found no room before the disk)"
    assert with_reasons("lost", counts.lost) == said
    readme = (os.path.dirname(__file__), "..", "..", "..", "app", "README.md")
    with open(os.path.join(*readme), encoding="utf-8") as file:
        text = file.read()
    for word in WORDS:
        assert f"| {word} |" in text
