"""A network in the window: one box with its outputs, whatever programs its layers run in, and a file to choose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.engine import commands, reports
from app.desk.pipeline.heat_maps import HeatMap
from app.gui.pipeline.looks import hulls
from app.gui.pipeline.parameter_editor import ParameterEditor
from app.gui.pipeline.parameter_row import ParameterRow
from app.gui.plan.source_view import SourceView
from app.gui.video.levels import LevelsPanel
from pipelines.definition import load
from pipelines.trackers.keypoints import EDGE_DTYPE, NAMED_DTYPE
from pipelines.writing import dumps
from tests.app.gui.conftest import Desk
from tests.app.gui.graph_by_hand import panel

LAYERS = tuple(f"heat/conv_{k}" for k in range(40))
GROUPS = ("gray+even", "+".join(LAYERS[:20]), "+".join((*LAYERS[20:], "heat")), "candidates", "targets")


def row(desk: Desk, node: str, param: str) -> ParameterRow:
    editor = desk.window.panels["parameters"]
    assert isinstance(editor, ParameterEditor)
    return editor.sections[node].rows[param]


@pytest.fixture
def running(desk: Desk) -> Desk:
    """The shipped network, with its layers in two programs."""
    desk.bench.files.choose("quadrant-targets")
    desk.open()
    outputs = (("gray", "u8 384x288"), ("even", "u8 384x288"), ("heat", "f32 96x72"))
    desk.link.reports.append(reports.Built(dumps(desk.bench.pipeline), "cpu", GROUPS, outputs, 0))
    desk.bench.tick()
    panel(desk).redraw()
    return desk


def test_all_layers_are_one_box_and_its_group_says_all_of_them(running: Desk) -> None:
    graph = panel(running).graph
    assert set(graph.boxes) == {"source", *(member.id for member in load("quadrant-targets").members)}
    assert graph.boxes["heat"].look.line == "network, 40 layers"
    drawn = next(hull.look for hull in graph.hulls if "heat" in hull.look.names)
    assert drawn.names == ("heat",)
    assert "2 programs" in drawn.tip
    assert all(layer in drawn.tip for layer in LAYERS)
    assert max(map(len, drawn.tip.splitlines())) < 130


def test_a_hull_stands_for_the_programs_before_that_hold_a_networks_layers_alone() -> None:
    found = hulls(("gray+a/in", "a/x", "b/x", "a/y+a", "b/y+b+peaks"), {"gray", "a", "b", "peaks"})
    assert [(hull.names, hull.groups) for hull in found] == [
        (("gray",), ("gray+a/in",)), (("a",), ("a/x", "a/y+a")), (("b", "peaks"), ("b/x", "b/y+b+peaks")),
    ]  # fmt: skip


def test_a_stage_is_added_behind_the_first_output_of_a_network(running: Desk) -> None:
    outputs = (("heat.maps", "f32 96x72"), ("heat.offsets", "f32 96x72"))
    running.link.reports.append(reports.Built(dumps(running.bench.pipeline), "cpu", GROUPS, outputs, 0))
    running.bench.tick()
    panel(running).redraw()
    assert [name for name, _ in panel(running).graph.boxes["heat"].box.outputs][:2] == ["maps", "offsets"]
    assert str(panel(running).edits.place("heat")) == "heat.maps"
    assert str(panel(running).edits.place("even")) == "even"


def test_a_model_is_chosen_as_a_file_and_its_name_is_seen(running: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    found = row(running, "heat", "model")
    assert found.file is not None
    assert row(running, "heat", "output").file is None
    assert found.file in found.control.actions()
    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    found.file.trigger()
    assert running.bench.pipeline == load("quadrant-targets")
    path = "/a/place/that/is/far/down/where/models/lie/nothing.onnx"
    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileName", lambda *_: (path, ""))
    found.file.trigger()
    found._tell()  # what the timer does
    assert path in dumps(running.bench.pipeline)
    assert found.control.cursorPosition() == len(path)
    assert path in found.toolTip()
    assert "there is no model" in running.bench.trouble
    assert "\n" not in running.bench.trouble
    assert panel(running).graph.boxes["heat"].look.bad


def test_pipelines_that_take_networks_ask_for_their_files(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file once, after the words that say where such files come from; who cancels changes nothing."""
    told, asked, answers, folders = list[str](), list[str](), list[str](), list[str]()
    button = QtWidgets.QMessageBox.StandardButton
    replies = [button.Cancel, button.Open, button.Open]

    def say_it(box: QtWidgets.QMessageBox) -> object:
        told.append(f"{box.text()} {box.informativeText()}")
        return replies.pop(0)

    def ask_file(_: object, title: str, folder: str, *__: object) -> tuple[str, str]:
        asked.append(title)
        folders.append(folder)
        return answers.pop(0), ""

    monkeypatch.setattr(QtWidgets.QMessageBox, "exec", say_it)
    monkeypatch.setattr(QtWidgets.QFileDialog, "getOpenFileName", ask_file)
    combo, before = panel(desk).choice, desk.bench.pipeline

    def choose(name: str) -> None:
        combo.setCurrentIndex(combo.findText(name))
        combo.activated.emit(combo.currentIndex())

    choose("face-points")
    assert (desk.bench.pipeline, combo.currentText(), asked) == (before, before.name, [])
    answers[:] = ["/nets/a.onnx", ""]
    choose("two-face-points")
    assert (desk.bench.pipeline, len(asked)) == (before, 2)
    answers[:] = ["/nets/a.onnx", "/nets/b.onnx"]
    choose("two-face-points")
    assert asked[2:] == ["The network of detector: face_detection_short_range.onnx",
                         "The network of mesh and mesh2: face_landmark.onnx"]  # fmt: skip
    assert folders[3] == "/nets"  # the second is looked for where the first was
    models = {node.id: node.params["model"] for node in desk.bench.pipeline.nodes if node.stage == "network"}
    assert models == {"detector": "/nets/a.onnx", "mesh": "/nets/b.onnx", "mesh2": "/nets/b.onnx"}
    assert combo.currentText() == "two-face-points"
    assert "two-face-points takes 2 networks of yours" in told[1]
    assert "Apache License" in told[0]  # where they come from
    desk.bench.editor.undo()
    assert desk.bench.pipeline == before


def test_what_lists_groups_counts_layers(app: QtWidgets.QApplication) -> None:
    view = SourceView()
    sources = [("gray+even", "define a"), ("+".join(LAYERS), "define b")]
    view.show_sources(sources)
    assert [view.group.itemText(k) for k in range(2)] == ["gray + even", "heat/conv_0 … (40 layers)"]
    view.show_group("+".join(LAYERS))
    assert view.code == "define b"
    view.show_sources([*sources, ("targets", "define c")])  # the one that was looked at stays
    assert view.code == "define b"
    view.deleteLater()


def test_tracks_are_drawn_over_maps_of_the_frames_size_alone(running: Desk) -> None:
    running.frame(3)
    view = running.window.video
    assert len(view.overlay.rows)
    shown = running.bench.shown
    assert shown is not None
    view.show_picture(replace(shown, output="heat"))
    assert len(view.overlay.rows) == len(shown.rows)
    view.show_picture(replace(shown, output="heat", pixels=np.zeros((72, 96), np.float32)))
    assert not len(view.overlay.rows)
    assert not len(view.overlay.past)
    view.show_picture(replace(shown, output="even", pixels=np.zeros((72, 96), np.float32)))
    assert len(view.overlay.rows) == len(shown.rows)


def seen(desk: Desk, places: list[tuple[float, float]]) -> np.ndarray:
    """Red, green, blue of the screen at places of the clip, px."""
    view = desk.window.video
    QtWidgets.QApplication.processEvents()
    shot = view.graphics.grab().toImage()
    at = [view.box.mapViewToScene(QtCore.QPointF(*place)) * shot.devicePixelRatio() for place in places]
    return np.array([shot.pixelColor(round(p.x()), round(p.y())).getRgb()[:3] for p in at], int)


def test_joined_points_have_a_line_and_names_of_the_skeleton(running: Desk) -> None:
    running.frame(3)
    bench = running.bench
    running.window.video.overlay.look.trails = False
    line = [(43 + 30 * share, 50 + 10 * share) for share in np.linspace(0.4, 0.6, 9).tolist()]
    before = seen(running, line)
    assert bench.tracks.name(1) == "1"
    named = np.array([(0, 0, 0, "nose"), (1, 0, 1, "tail")], NAMED_DTYPE)
    running.link.reports.append(reports.Tables({"keypoints": named, "edges": np.array([(0, 0, 1)], EDGE_DTYPE)}))
    bench.tick()
    assert [bench.tracks.name(track) for track in range(3)] == ["nose", "tail", "2"]
    assert (np.abs(seen(running, line) - before).max(axis=1) > 60).all()
    running.link.reports.append(reports.Outdated())
    bench.tick()
    np.testing.assert_array_equal(seen(running, line), before)
    assert bench.tracks.name(1) == "1"


def test_a_heat_map_lies_over_the_clip_as_opaque_as_wanted(running: Desk) -> None:
    running.frame(3)
    bench, view, combo = running.bench, running.window.video, running.window.transport.output
    levels = running.window.panels["levels"]
    assert isinstance(levels, LevelsPanel)
    assert [combo.itemText(k) for k in range(combo.count())] == ["clip", "gray", "even", "heat", "clip + heat"]
    assert levels.over.isHidden()
    plain = seen(running, [(100.0, 200.0), (300.0, 80.0)])
    seen_plain = seen(running, [(200.0, 100.0)])
    combo.setCurrentIndex(4)
    combo.activated.emit(4)
    assert running.link.orders[-1] == commands.Show("heat", True)
    heat = np.zeros((72, 96), np.float32)
    heat[45:55, 20:30] = 0.9  # a pixel is four of the clip
    assert bench.shown is not None
    running.link.pictures.append(replace(bench.shown, heat=HeatMap(heat, (4.0, 0.0, 1.5, 0.0, 4.0, 1.5))))
    bench.tick()
    assert not levels.over.isHidden()
    laid = seen(running, [(100.0, 200.0), (300.0, 80.0)])
    assert np.abs(laid[0] - plain[0]).max() > 60
    np.testing.assert_array_equal(laid[1], plain[1])
    levels.opacity.setValue(0)
    np.testing.assert_array_equal(seen(running, [(100.0, 200.0)]), plain[:1])
    levels.opacity.setValue(70)
    # a crop that is turned by a quarter, a pixel of the map two of it: x, y lie at 100 + 2 y, 150 - 2 x
    turned = HeatMap(heat, (0.0, 2.0, 100.0, -2.0, 0.0, 150.0))
    running.link.pictures.append(replace(bench.shown, heat=turned))
    bench.tick()
    laid = seen(running, [(200.0, 100.0), (100.0, 200.0), (300.0, 80.0)])
    assert np.abs(laid[0] - seen_plain[0]).max() > 60
    np.testing.assert_array_equal(laid[1:], plain)
    running.link.pictures.append(replace(bench.shown, heat=None))  # a frame in which the network rests
    bench.tick()
    assert not view.heat.shown
    combo.setCurrentIndex(0)
    combo.activated.emit(0)
    running.frame(4)
    assert not view.heat.shown
    assert levels.over.isHidden()
