"""A new user's path through the real window over the real engine: every step by the widget that people use."""

from __future__ import annotations

import csv
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.desk.bench.workbench import Workbench
from app.desk.engine.link import EngineLink
from app.desk.services.exporting import What
from app.gui import theme
from app.gui.main_window import MainWindow
from app.gui.sessions.export_dialog import ExportDialog
from app.gui.settings import Settings
from app.sources.opening import open_source
from kernels.executors.reference import evaluate
from kernels.plugins import find_stage
from pipelines.features import State
from pipelines.streaming.common.states import RunState
from tests.app.gui.conftest import CLIP
from tests.patience import PATIENCE
from tests.track_summaries import summaries

CAMERA = "cam:sim?scene=vortex&fps=200&size=128x96"
pytestmark = pytest.mark.starts


def until(done: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Let the window live until something holds."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        QtTest.QTest.qWait(5)


def press(button: QtWidgets.QWidget) -> None:
    """A click of the left button."""
    assert button.isEnabled()
    QtTest.QTest.mouseClick(button, QtCore.Qt.MouseButton.LeftButton)


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MainWindow]:
    """The window over the real engine; its own clock ticks."""
    app = QtWidgets.QApplication.instance() or QtWidgets.QApplication([])
    theme.apply(app, theme.DARK)
    folder = tmp_path_factory.mktemp("path")
    settings = Settings(folder / "settings.ini")
    settings.set_text("sessions", str(folder))
    settings.set_text("exports", str(folder))
    settings.set_text("batch", str(folder / "batch"))
    bench = Workbench(EngineLink())
    made = MainWindow(bench, settings)
    made.resize(1280, 800)
    made.show()
    QtWidgets.QApplication.setActiveWindow(made)
    yield made
    bench.recording = ""
    made.close()
    made.deleteLater()
    QtWidgets.QApplication.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)


@pytest.fixture
def opened(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    """The sample clip, opened by the dialog, with the shipped pipeline "blobs"."""
    bench = window.bench
    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileName", lambda *a, **k: (str(CLIP), ""))
    bench.player.set_loop(False)
    bench.player.set_speed(None)
    before = bench.opened
    window.actions_.made["open"].trigger()
    until(lambda: bench.opened is not None and bench.opened is not before and bench.shown is not None)
    choice = window.pipeline.choice
    choice.setCurrentIndex(choice.findText("blobs"))
    running = bench.built
    choice.activated.emit(choice.currentIndex())
    until(lambda: bench.built is not running)  # what was known until then is forgotten
    bench.player.pause()
    until(lambda: bench.state is RunState.PAUSED)
    return window


@pytest.fixture
def played(opened: MainWindow) -> MainWindow:
    """Played to its end."""
    _settled(opened)
    return opened


def _settled(window: MainWindow) -> bool:
    """Play the clip from its first frame to its end; False, so that it can be tried again."""
    bench = window.bench
    last = bench.range[1] - 1
    bench.player.pause()  # from a jump in full play the clip may be at its end before its first picture is drawn
    until(lambda: bench.state is RunState.PAUSED)
    bench.player.seek(0)
    until(lambda: bench.shown is not None and bench.shown.frame == 0)
    bench.player.play()
    until(lambda: bench.position > 0)
    until(lambda: bench.state is RunState.PAUSED and bench.position == last and bench.store.known(last))
    return False


def _rows(window: MainWindow) -> int:
    return len(window.bench.store)


def test_a_threshold_changes_the_tracks_while_it_plays(played: MainWindow) -> None:
    before = _rows(played)
    assert before > 1000
    row = played.panels["parameters"].sections["bright"].rows["level"]
    row.control.setFocus()
    row.control.selectAll()
    QtTest.QTest.keyClicks(row.control, "0.12")
    QtTest.QTest.keyClick(row.control, QtCore.Qt.Key.Key_Return)
    assert "level = 0.12" in _text(played)
    _settled(played)
    assert 0 < _rows(played) < before
    press(row.back)  # to what is found on the clip
    assert 'level = "auto"' in _text(played)
    assert row.control.suffix() == " (auto)"
    until(lambda: _settled(played) or _rows(played) == before)  # it may be compiled while the first turn runs


def _text(window: MainWindow) -> str:
    from_bench = window.bench.facts()["pipeline"]
    assert isinstance(from_bench, str)
    return from_bench


def test_the_plan_is_shown_and_proved_on_the_frames_of_the_clip(opened: MainWindow) -> None:
    opened.actions_.made["plan"].trigger()
    until(lambda: opened.planning.report is not None and opened.plan.groups.view.rowCount() > 0)
    assert opened.plan.groups.view.rowCount() == len(opened.planning.report.groups) >= 2  # type: ignore[union-attr]
    opened.plan.show_tab("Source")
    until(lambda: "define" in opened.plan.source.code)
    opened.actions_.made["prove"].trigger()
    proof = opened.plan.proof
    until(lambda: not proof.running)
    assert proof.proof is not None
    assert proof.proof.done
    assert proof.proof.same
    assert "Every bit" in proof.words.text()


def test_tracks_are_exported_as_csv_with_what_was_corrected(played: MainWindow, tmp_path: Path) -> None:
    bench = played.bench
    tracks = sorted(summaries(bench.store), key=lambda summary: -summary.seen)
    gone = tracks[0].track
    bench.tracks.select([gone])
    played.actions_.made["delete"].trigger()
    played.actions_.made["export"].trigger()
    dialog = played.findChildren(ExportDialog)[-1]
    dialog.what[What.SEEN].setChecked(True)
    dialog.format.setCurrentIndex(dialog.format.findData("csv"))
    path = tmp_path / "tracks.csv"
    dialog.file.setText(str(path))
    press(dialog.export)
    until(lambda: dialog._job is not None and not dialog._job.running)
    assert path.is_file(), dialog.words.text()
    dialog.close()
    with path.open(newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    found = {int(row["track"]) for row in csv.DictReader(lines)}
    assert gone not in found
    assert tracks[1].track in found
    played.actions_.made["undo"].trigger()
    assert gone in {summary.track for summary in summaries(bench.store)}


def test_a_stage_that_was_fused_away_is_shown(opened: MainWindow) -> None:
    bench, combo = opened.bench, opened.transport.output
    bench.player.seek(100)
    until(lambda: bench.shown is not None and bench.shown.frame == 100)
    combo.setCurrentIndex(combo.findText("gray"))
    combo.activated.emit(combo.currentIndex())
    until(lambda: bench.shown is not None and bench.shown.output == "gray" and bench.shown.frame == 100)
    assert bench.shown is not None
    with_source = open_source(CLIP)
    picture = np.asarray(with_source.read(100))
    with_source.close()
    expected = evaluate(find_stage("gray"), picture)
    np.testing.assert_array_equal(bench.shown.pixels, expected)
    combo.setCurrentIndex(0)
    combo.activated.emit(0)
    until(lambda: bench.shown is not None and bench.shown.output == "")


def test_two_parameter_sets_side_by_side(played: MainWindow) -> None:
    bench, compare = played.bench, played.tracking.compare
    played.actions_.made["pin"].trigger()
    until(lambda: compare.view is not None and compare.pinned.side is not None
          and compare.pinned.side.shown is not None)  # fmt: skip
    side = compare.pinned.side
    assert side is not None
    bench.editor.set_param("bright", "level", 0.12)
    bench.player.seek(200)
    until(lambda: bench.shown is not None and bench.shown.frame == 200
          and side.shown is not None and side.shown.frame == 200)  # fmt: skip
    assert bench.shown is not None
    assert side.shown is not None
    np.testing.assert_array_equal(bench.shown.pixels, side.shown.pixels)
    assert len(bench.shown.rows) < len(side.shown.rows)
    played.actions_.made["pin"].trigger()
    assert compare.view is None
    bench.editor.undo()


def test_a_scale_turns_pixels_into_lengths_everywhere(played: MainWindow) -> None:
    bench, video = played.bench, played.video
    played.actions_.made["tool_scale"].trigger()
    tool = played.tracking.tools.tool
    for x, y in ((100.0, 200.0), (200.0, 200.0)):
        at = video.graphics.mapFromScene(video.box.mapViewToScene(QtCore.QPointF(x, y)))
        QtTest.QTest.mouseClick(video.graphics.viewport(), QtCore.Qt.MouseButton.LeftButton, pos=at)
    tool.length.setValue(25.0)  # type: ignore[attr-defined]
    tool.unit.setCurrentText("mm")  # type: ignore[attr-defined]
    played.actions_.made["tool_finish"].trigger()
    assert bench.calibration.per_px == pytest.approx(0.25, rel=0.03)
    played.show_panel("traces")
    traces = played.panels["traces"]
    until(lambda: "mm" in traces.drawn.plots[0].getAxis("left").labelText)
    track = max(summaries(bench.store), key=lambda summary: summary.seen).track
    bench.tracks.select([track])
    until(lambda: set(traces.drawn.curves) == {(0, track), (1, track)})
    _, x = traces.drawn.curves[0, track].getOriginalDataset()
    rows = bench.store.track(track)
    seen = rows["x"][rows["state"] == State.TRACKED]
    assert np.nanmax(x) - np.nanmin(x) == pytest.approx(bench.calibration.per_px * np.ptp(seen), rel=1e-6)
    bench.tracks.select([])
    bench.tracks.set_calibration(type(bench.calibration)())


def test_the_clip_is_run_by_the_batch(opened: MainWindow) -> None:
    bench = opened.bench
    bench.player.set_range(0, 40)
    opened.actions_.made["run_clip"].trigger()
    job = opened.jobs.all[-1]
    until(lambda: not job.running)
    assert job.sentence == ""
    folder = Path(job.order.out)  # type: ignore[union-attr]
    assert list(folder.rglob("tracks.csv")), list(folder.rglob("*"))
    bench.player.set_range(0, 480)


def test_a_camera_is_recorded_opened_and_its_replay_is_the_same(window: MainWindow) -> None:
    bench, bar = window.bench, window.record_bar
    window.open(CAMERA)
    until(lambda: bench.live and bench.shown is not None)
    assert bar.isVisible()
    press(bar.record)
    until(lambda: bench.measured is not None and bench.measured.recording is not None
          and bench.measured.recording.recorded > 60)  # fmt: skip
    assert QtWidgets.QApplication.activeModalWidget() is None
    window.close()  # a strip asks, no box
    assert window.isVisible()
    assert "leaving" in window.strips
    press(window.strips["leaving"].buttons["Go on recording"])
    press(bar.record)
    until(lambda: bool(bench.recorded))
    assert bench.recorded[-1].account.dropped == 0
    press(bar.check)
    until(lambda: bar.checking.job is not None and not bar.checking.job.running)
    assert bar.checking.job is not None
    assert bar.checking.job.result["identical"], bar.words.text()
    press(bar.open_button)
    until(lambda: bench.opened is not None and not bench.live and bench.shown is not None)
    assert bench.info is not None
    assert bench.info.frames == bench.recorded[-1].account.recorded
    until(lambda: _rows(window) > 0)
