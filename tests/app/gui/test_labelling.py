"""Key points labelled in the window by mouse and keys, kept, and handed on to a training."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.desk.engine import commands, reports
from app.desk.jobs.jobs import JobState
from app.desk.jobs.orders import LabelsOrder, TrainOrder
from app.training import architecture
from app.training.recipe import state_of
from tests.app.gui.conftest import Desk
from tests.app.gui.mouse import RIGHT, click, drag, take
from tests.app.gui.test_main_window import press

KEYS, SHIFT = QtCore.Qt.Key, QtCore.Qt.KeyboardModifier.ShiftModifier
NONE = QtCore.Qt.KeyboardModifier.NoModifier


def key(desk: Desk, which: int, held: QtCore.Qt.KeyboardModifier = NONE) -> None:
    """As typed while the video has the keys."""
    graphics = desk.window.video.graphics
    graphics.setFocus()
    QtTest.QTest.keyClick(graphics, which, held)
    QtWidgets.QApplication.processEvents()


@pytest.fixture
def labelling(desk: Desk) -> Desk:
    desk.open()
    desk.frame(4)
    desk.window.show_panel("labels")
    QtWidgets.QApplication.processEvents()
    panel = desk.window.labels
    panel.names.setText("nose, ear, tail")
    panel.edges.setText("nose-tail")
    QtTest.QTest.keyClick(panel.names, KEYS.Key_Return)
    take(desk, "W")
    return desk


def places(desk: Desk) -> list[list[float]]:
    found = desk.window.tracking.labeller.marks.places
    return [] if not len(found) else found[0].round(1).tolist()


def test_points_are_set_dragged_nudged_undone_and_there_again(labelling: Desk, tmp_path: Path) -> None:
    desk, model = labelling, labelling.window.tracking.labeller
    assert (model.sheet.points, model.sheet.edges) == (("nose", "ear", "tail"), ((0, 2),))
    hint = desk.window.tracking.tools.panel.hint
    assert not desk.window.video.overlay.isVisible(), "tracks would hide what is to be labelled"
    assert "click: nose" in hint.text()
    before = desk.window.video.box.viewRect()
    for x, y in ((200.0, 150.0), (250.0, 180.0)):
        click(desk, x, y)
    assert np.allclose(places(desk)[:2], [[200, 150], [250, 180]], atol=1.5)
    assert "click: tail" in hint.text()
    drag(desk, (200.0, 150.0), (180.0, 120.0), (170.0, 100.0))
    assert places(desk)[0] == pytest.approx([170, 100], abs=2)
    assert desk.window.video.box.viewRect() == before, "the picture stands still"
    desk.link.orders.clear()
    x, y = model.marks.places[0, 0].tolist()
    key(desk, KEYS.Key_Right)
    key(desk, KEYS.Key_Up, SHIFT)
    assert model.marks.places[0, 0].tolist() == pytest.approx([x + 0.1, y - 1.0])
    assert not desk.link.orders, "arrows move the point, not the clip"
    press(desk, "Esc")  # lets it go
    key(desk, KEYS.Key_Right)
    assert desk.link.orders == [commands.Step(1)]
    key(desk, KEYS.Key_Tab)
    assert (model.point, model.held) == (0, (0, 0)), "after the tail comes the nose, which is set"
    key(desk, KEYS.Key_Delete)
    assert (model.marks.placed.tolist(), model.point) == ([[False, True, False]], 0)
    click(desk, 60.0, 60.0, RIGHT)
    assert model.marks.hidden.tolist() == [[True, False, False]]
    for _ in range(4):
        press(desk, "Ctrl+Z")  # hidden, removed, nudged, dragged
    assert np.allclose(places(desk)[:2], [[200, 150], [250, 180]], atol=1.5)
    press(desk, "Ctrl+Y")
    assert places(desk)[0] == pytest.approx([170, 100], abs=2)
    press(desk, "Y")
    click(desk, 300.0, 250.0)
    chosen = desk.window.labels.animal
    assert (chosen.currentText(), chosen.count()) == ("animal 2", 2)
    model.flush()
    kept = json.loads((tmp_path / "vortex_600fps.avi.labels.json").read_text())
    assert len(kept["annotations"]) == 2
    wanted = model.marks.places.round(4)
    desk.bench.close()
    desk.link.reports.append(reports.Closed())
    desk.bench.tick()
    assert desk.window.tracking.labeller.sheet.points == ()
    desk.open()
    desk.frame(4)
    np.testing.assert_array_equal(model.marks.places, wanted)
    assert desk.window.labels.frames.topLevelItem(0).text(1) == "3 of 6"
    assert not desk.window.tracking.tools.active
    assert desk.window.video.overlay.isVisible()


def test_drafts_are_taken_by_enter_and_frames_are_gone_to(labelling: Desk) -> None:
    desk, model = labelling, labelling.window.tracking.labeller
    rows = desk.bench.store.at(4)
    click(desk, float(rows["x"][0]), float(rows["y"][0]))  # on a track, which goes 1 px a frame to the right
    desk.frame(9)
    wanted = model.sheet.frames[4].places[0, 0] + (5, 0)
    assert model.drafts[0, 0] == pytest.approx(wanted)
    assert desk.window.labels.points.topLevelItem(0).text(1) == "draft"
    assert desk.window.tracking.tools.panel.done.isEnabled()
    press(desk, "Return")
    assert model.marks.places[0, 0] == pytest.approx(wanted)
    assert desk.window.tracking.tools.tool.name == "label", "one goes on"
    assert not desk.window.tracking.tools.panel.done.isEnabled()
    desk.link.orders.clear()
    item = desk.window.labels.frames.topLevelItem(0)
    desk.window.labels.frames.itemClicked.emit(item, 0)
    press(desk, "PgUp")
    assert [order for order in desk.link.orders if isinstance(order, commands.Seek)] == [commands.Seek(4)] * 2


def test_a_training_is_ordered_told_and_its_network_offered(
    labelling: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, model = labelling, labelling.window.tracking.labeller
    row = desk.window.labels.training
    assert row.out.text() == str(tmp_path / "vortex_600fps-network.onnx")
    with monkeypatch.context() as missing:
        missing.setattr(architecture.importlib.util, "find_spec", lambda _: None)
        press_train(desk)
    assert 'pip install "fusetrack[train]"' in desk.bench.messages[-1].sentence
    monkeypatch.setattr("app.desk.labelling.ordering.check_torch", lambda: None)
    press_train(desk)
    assert "nothing is labelled yet" in desk.bench.messages[-1].sentence
    for frame in range(4):
        desk.frame(frame)
        model.place((50.0 + frame, 60.0))
    made: list[object] = []
    jobs = desk.window.jobs
    monkeypatch.setattr("app.desk.jobs.jobs._Worker", lambda task, tell: made.append(task) or Worker())
    row.steps.setValue(300)
    press_train(desk)
    job = row.job
    assert job is not None
    order = job.order
    assert isinstance(order, TrainOrder)
    assert (len(order.labels.frames), order.recipe.steps, order.resume) == (4, 300, False)
    jobs._events.put((job.number, {"label": "pictures", "total": 2400}))
    jobs._events.put((job.number, {"done": 600, "note": "step 75 of 300, epoch 2, mean error 3.10 px"}))
    jobs.tick()
    assert (row.bar.maximum(), row.bar.value(), row.train.isEnabled()) == (2400, 600, False)
    assert "mean error 3.10 px" in row.words.text()
    assert "left" in row.words.text()
    row.stop.click()
    assert "stopping" in row.words.text()
    state_of(Path(row.out.text())).write_bytes(b"")
    jobs._events.put((job.number, {"stopped": "stopped at step 76; it can go on from there"}))
    jobs.tick()
    assert row.train.text() == "Go on with the training"
    press_train(desk)
    assert isinstance(row.job.order, TrainOrder)  # type: ignore[union-attr]
    assert row.job.order.resume  # type: ignore[union-attr]
    result = {"network": str(tmp_path / "n.onnx"), "pipeline": "template", "words": "error .5 px", "error": 0.5}
    jobs._events.put((row.job.number, {"result": result}))  # type: ignore[union-attr]
    jobs.tick()
    strip = desk.window.strips["trained"]
    assert "n.onnx" in strip.label.text()
    strip.buttons["Run it on this clip"].click()
    assert (desk.bench.pipeline.name, desk.link.orders[-1]) == ("template", commands.Play())
    jobs.all[-1].state = JobState.DONE
    desk.window.labels.export_to(tmp_path / "a.slp", True)
    assert isinstance(jobs.all[-1].order, LabelsOrder)
    assert jobs.all[-1].order.pictures


def press_train(desk: Desk) -> None:
    desk.window.labels.training.train.click()
    QtWidgets.QApplication.processEvents()


class Worker:
    """A process that does nothing."""

    def stop(self, now: bool) -> None:
        pass
