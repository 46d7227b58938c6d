"""What people do without thinking: a key while the graph has the focus, a slider, the next clip, the next start; what
they are told of it, and where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.workbench import Workbench
from app.desk.engine.link import EngineLink
from app.gui.application import make_window
from app.gui.pipeline.parameter_row import ParameterRow
from app.gui.settings import Settings
from app.gui.start import begin
from app.gui.tracks.model import COLUMNS
from app.gui.video.hover_tip import HoverTip
from app.sources.reading import AS_STORED
from pipelines.definition import load
from tests.app.gui.trust.user import User

NOTHING = re.compile(r"± 0(?![.\d])")
"""An error of nothing."""
SIGMA = COLUMNS.index("sigma")


def _row(user: User, node: str, param: str) -> ParameterRow:
    found = user.window.panels["parameters"].sections[node].rows[param]
    assert isinstance(found, ParameterRow)
    return found


def test_ctrl_return_runs_the_clip_from_the_graph(user: User, clips: dict[str, Path]) -> None:
    user.open(clips["vortex"])
    graph = user.window.pipeline.graph
    user.click(graph.viewport(), QtCore.QPoint(8, 8))
    assert QtWidgets.QApplication.focusWidget() in (graph, graph.viewport())
    user.key("Ctrl+Return")
    user.until(lambda: user.window.jobs.all, "a run")
    assert user.window.docks["batch"].isVisible()
    user.until(lambda: not user.window.jobs.running)
    job = user.window.jobs.all[-1]
    assert job.sentence == ""
    assert list(Path(job.order.out).rglob("tracks.csv"))


def test_a_slider_that_is_dragged_stops_on_what_the_pipeline_takes(user: User, clips: dict[str, Path]) -> None:
    user.open(clips["beam"])
    user.pipeline("template")
    row = _row(user, "track", "window")
    slider = row.slider
    assert slider is not None
    user.window.panels["parameters"]._scroll.ensureWidgetVisible(slider)
    user.settle()
    seen = set()
    for far in (-9, 14, 23, -17, 31):
        option, style = QtWidgets.QStyleOptionSlider(), QtWidgets.QStyle
        slider.initStyleOption(option)
        handle = slider.style().subControlRect(style.CC_Slider, option, style.SC_SliderHandle, slider).center()
        user.pull(slider, handle, handle + QtCore.QPoint(far, 0))
        user.until(lambda: not row._timer.isActive(), "it is told")
        seen.add(user.bench.pipeline.trackers[0].params.get("window", 25))
    assert len(seen) > 2
    assert all(isinstance(one, int) and one % 2 for one in seen)
    assert not user.bench.trouble
    assert not user.told("cannot run")


def test_thresholds_and_pipeline_stay_with_their_clip(user: User, clips: dict[str, Path]) -> None:
    user.open(clips["vortex"])
    level = _row(user, "bright", "level").control
    user.click(level.lineEdit())
    level.selectAll()
    user.type("0.3")
    user.key("Return")
    user.until(lambda: user.bench.pipeline != load("blobs"))
    user.open(clips["falling"])
    assert user.bench.pipeline == load("blobs")
    assert "auto" in _row(user, "bright", "level").control.text()
    user.open(clips["vortex"])
    assert _row(user, "bright", "level").control.value() == 0.3


def test_a_start_does_not_complain_of_what_the_one_before_left(
    user: User, clips: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    user.open(clips["beam"])
    user.pipeline("vibration")
    user.stand()
    user.place_points(*((x, 95.0) for x in (121.0, 309.0)))
    user.key("Esc")
    user.key("Ctrl+Q")
    user.until(lambda: not user.window.isVisible(), "the window closes without asking")
    kept = user.bench.pipeline
    monkeypatch.setattr("sys.excepthook", lambda *_: None)
    window = make_window(Workbench(EngineLink()), Settings(user.window.settings.path))
    again = User(window)
    try:
        window.show()
        begin(window, None, AS_STORED, "", False)
        again.until(lambda: window.bench.shown is not None)
        assert window.bench.pipeline == kept
        assert not again.told("in no file")
        assert not [one.sentence for one in window.bench.messages if "no file" in one.sentence]
    finally:
        window.leaving._anyway = True
        window.close()
        window.deleteLater()
        QtWidgets.QApplication.sendPostedEvents(None, QtCore.QEvent.Type.DeferredDelete)


@pytest.mark.parametrize("name", ["template", "vibration"])
def test_the_first_rows_state_an_error_that_is_one_or_none(user: User, clips: dict[str, Path], name: str) -> None:
    user.open(clips["beam"])
    user.pipeline(name)
    user.stand()
    user.place_points(*((x, 95.0) for x in (121.0, 309.0)))
    user.until(lambda: user.bench.compiling is None and len(user.window.video.overlay.rows) == 2)
    user.key("Esc")
    user.stand()
    table = user.window.tracking.table
    user.window.show_panel("tracks")
    tip = user.window.video.findChild(HoverTip)
    for _ in range(4):
        row = user.window.video.overlay.rows[0]
        user.hover(float(row["x"]), float(row["y"]))
        user.until(tip.isVisible, "the note beside the point")
        assert not NOTHING.search(tip.text()), tip.text()
        assert row["sigma"] > 0 or "reference" in tip.text()
        table.redraw()
        said = [str(table.model.data(table.model.index(k, SIGMA)) or "") for k in range(table.model.rowCount())]
        assert "0" not in said
        before = user.bench.shown
        user.key("Right")
        user.until(lambda before=before: user.bench.shown is not before)


def test_notes_of_a_clip_that_is_cut_stand_beside_the_question_about_its_rate(
    user: User, clips: dict[str, Path], tmp_path: Path
) -> None:
    whole = clips["vortex"].read_bytes()
    cut = tmp_path / "cut.avi"
    cut.write_bytes(whole[: len(whole) // 2])
    user.open(cut)
    user.until(lambda: user.bench.opened is not None)
    assert user.bench.opened is not None
    notes = user.bench.opened.info.warnings
    assert notes
    assert any(all(word in said for word in re.split(r"\W+", notes[0])[:4]) for said in user.strips()), user.strips()


def test_where_nothing_passes_one_click_finds_a_level(user: User, clips: dict[str, Path]) -> None:
    user.open(clips["vortex"])
    level = _row(user, "bright", "level").control
    user.click(level.lineEdit())
    level.selectAll()
    user.type("0.99")
    user.key("Return")
    user.until(lambda: user.told("Nothing passes"), "a banner")
    user.press("Set it to")
    user.until(lambda: not user.told("Nothing passes"))
    assert _row(user, "bright", "level").control.value() < 0.5
    user.until(lambda: len(user.window.video.overlay.rows) > 0, "tracks are found again")
