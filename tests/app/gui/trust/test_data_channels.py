"""Two data channels are dropped beside a clip, moved one by one, and saved with the curves of the tracks, by mouse and
keyboard alone."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.gui.channels.dialog import ChannelDialog
from tests.app.gui.trust.user import User


def _channel(folder: Path, name: str, unit: str, factor: float) -> Path:
    path = folder / f"{name}.csv"
    path.write_text(f"time (s),{name} ({unit})\n" + "".join(f"{k / 500},{factor * k}\n" for k in range(500)))
    return path


def _drop(user: User, path: Path) -> None:
    """A channel is dropped, and what the dialog proposes is agreed to."""
    user.drop(path)
    asked = next(one for one in user.window.findChildren(ChannelDialog) if one.isVisible())
    user.click(asked.ok)
    QtWidgets.QApplication.setActiveWindow(user.window)  # off the screen nothing else does it
    user.until(lambda: all(entry.loaded for entry in user.window.channels.entries), f"{path.name} is read")


def test_two_channels_lie_under_the_curves_and_are_saved_with_them(
    user: User, clips: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.open(clips["falling"])
    user.pipeline("objects")
    user.play_through()
    user.stand(20)
    force, load = _channel(tmp_path, "force", "N", 1.0), _channel(tmp_path, "load", "kg", 0.1)
    _drop(user, force)
    _drop(user, load)
    traces = user.window.panels["traces"]
    lanes, bar = traces.lanes.lanes, traces.channel_bar
    user.until(lambda: traces.height() >= traces.high_enough, "room for all curves")
    assert [list(lane.curves) for lane in lanes] == [["force (N)"], ["load (kg)"]]
    assert bar.which.currentText() == "load.csv"
    bar.which.setFocus()
    user.key("Up")
    assert bar.which.currentText() == "force.csv"
    user.click(bar.offset.lineEdit())
    QtTest.QTest.keySequence(bar.offset.lineEdit(), "Ctrl+A")
    QtTest.QTest.keyClicks(bar.offset.lineEdit(), "0.1")
    QtTest.QTest.keyClick(bar.offset.lineEdit(), QtCore.Qt.Key.Key_Return)
    assert [one.offset for one in user.window.channels.all] == [0.1, 0.0]
    user.window.video.graphics.setFocus()
    x, y = (float(user.bench.store.newest(1)[name][0]) for name in "xy")
    if not traces.drawn.signals:
        user.point(x, y)
    user.until(lambda: traces.drawn.signals, "curves of a track")
    for name, words in (("both.png", "Save the figure"), ("both.csv", "Save the curves")):
        target = tmp_path / name
        monkeypatch.setattr(QtWidgets.QFileDialog, "getSaveFileName",
                            staticmethod(lambda *_, target=target, **__: (str(target), "")))  # fmt: skip
        user.entry(traces.bar.save, words)
        user.until(target.exists, name)
    head = next(csv.reader((tmp_path / "both.csv").open()))
    assert head[-2:] == ["force [N], interpolated linearly", "load [kg], interpolated linearly"]
