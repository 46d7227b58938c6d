"""A project: saved, changed, opened again elsewhere, asked about before it is lost; as a user does it."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.engine import commands, reports
from app.desk.events import Event
from app.desk.sidecars import events_file
from app.desk.tracks.calibration import Calibration
from app.gui.settings import Settings
from app.gui.start import begin
from app.project import SeveralCameras, read_project
from app.sources.reading import AS_STORED
from kernels.errors import FusetrackError
from pipelines.definition import load
from tests.app.gui.conftest import CLIP, Desk
from tests.app.gui.test_undo_per_clip import answer, key, opened


@pytest.fixture
def clip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clip in a folder of its own, whose events lie beside it."""
    monkeypatch.setattr(events_file, "path_for", lambda of: Path(f"{of}.events.csv"))
    (tmp_path / "take 1").mkdir()
    made = tmp_path / "take 1" / "vortex.avi"
    shutil.copy(CLIP, made)
    return made


def asks(monkeypatch: pytest.MonkeyPatch, kind: str, path: Path | str) -> None:
    """The next dialog is answered so."""
    monkeypatch.setattr(QtWidgets.QFileDialog, kind, lambda *_a, **_k: (str(path), ""))


def worked(desk: Desk, clip: Path) -> None:
    """A clip with a pipeline of its own, a threshold, a scale, marks, an event, a region and a name of a track."""
    opened(desk, str(clip))
    desk.bench.files.choose("objects")
    desk.bench.editor.set_param("mask", "level", 0.125)
    desk.window.tracking.reopener.reopen((16, 32, 200, 180))
    answer(desk)
    desk.frame(7)
    desk.bench.tracks.set_calibration(Calibration(0.25, "mm", (10.0, 20.0), 30.0, True))
    desk.bench.player.set_range(5, 50)
    desk.window.marking.kept.mark(7, "onset")
    desk.window.tracking.corrector.rename(1, "left wing")


def checked(desk: Desk) -> None:
    """All of that is there."""
    bench = desk.bench
    assert bench.pipeline.name == "objects"
    assert bench.pipeline == load("objects").with_settings({"mask.level": 0.125})
    assert bench.calibration == Calibration(0.25, "mm", (10.0, 20.0), 30.0, True)
    assert bench.range == (5, 50)
    assert bench.events == (Event(7, "onset"),)
    assert bench.asked is not None
    assert bench.asked.roi == (16, 32, 200, 180)
    assert bench.names == {1: "left wing"}


def save_as(desk: Desk, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asks(monkeypatch, "getSaveFileName", path)
    key("Ctrl+Shift+S")


def reopened(desk: Desk, project: Path) -> commands.Open:
    """As from the menu of recent files."""
    desk.window.open(str(project))
    return answer(desk)


def forgotten(desk: Desk, tmp_path: Path) -> None:
    """Another user's window: nothing is remembered of the clip."""
    desk.window.projects.close()
    desk.bench.history = type(desk.bench.history)(load("blobs"))
    opened(desk, "sim:blobs")
    for name in [*desk.window.settings.names(""), "recent"]:
        desk.window.settings.remove(name)


def test_all_that_was_done_on_a_clip_is_saved_and_opened_again(
    desk: Desk, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked(desk, clip)
    file = clip.parent / "study"
    save_as(desk, file, monkeypatch)
    file = file.with_suffix(".ftproj")
    assert desk.window.windowTitle() == "study.ftproj - vortex.avi - objects - fusetrack"
    desk.window.marking.kept.mark(9, "contact")
    assert desk.window.windowTitle().startswith("study.ftproj* - ")
    key("Ctrl+Z")
    assert desk.window.windowTitle().startswith("study.ftproj - "), "as it was saved"
    forgotten(desk, tmp_path)
    order = reopened(desk, file)
    assert order.what == str(clip)
    assert not order.play
    checked(desk)
    assert commands.Seek(7) in desk.link.orders or desk.window.projects.desk._frames[str(clip)] == 7
    assert desk.window.windowTitle().startswith("study.ftproj - "), "opening changes nothing"
    assert desk.window.settings.recent[0] == str(file)
    key("Ctrl+Z")
    checked(desk)


def test_a_folder_that_moved_takes_its_project_along_and_copies_serve_where_nothing_lies_beside_the_clip(
    desk: Desk, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked(desk, clip)
    save_as(desk, clip.parent / "study.ftproj", monkeypatch)
    forgotten(desk, tmp_path)
    there = tmp_path / "elsewhere"
    there.mkdir()
    clip.rename(there / clip.name)  # without what lies beside it
    (clip.parent / "study.ftproj").rename(there / "study.ftproj")
    shutil.rmtree(clip.parent)
    assert reopened(desk, there / "study.ftproj").what == str(there / clip.name)
    checked(desk)
    assert (there / "vortex.avi.events.csv").exists(), "where the next change goes"
    assert [m.sentence for m in desk.bench.messages if "put beside the clip" in m.sentence]
    assert not desk.window.projects.desk.dirty


def test_what_lies_beside_the_clip_wins_and_the_projects_can_be_taken(
    desk: Desk, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked(desk, clip)
    file = clip.parent / "study.ftproj"
    save_as(desk, file, monkeypatch)
    desk.window.marking.kept.mark(9, "contact")
    assert desk.window.projects.desk.dirty
    desk.window.projects.desk.close()  # without saving
    forgotten(desk, tmp_path)
    reopened(desk, file)
    assert desk.bench.events == (Event(7, "onset"), Event(9, "contact"))
    strip = desk.window.strips["project differs"]
    assert "The events beside the clip are others than those of" in strip.label.text()
    strip.buttons["Take those of the project"].click()
    assert desk.bench.events == (Event(7, "onset"),)
    assert "project differs" not in desk.window.strips
    key("Ctrl+Z")
    assert desk.bench.events == (Event(7, "onset"), Event(9, "contact"))


def test_a_clip_that_is_not_there_is_asked_for(
    desk: Desk, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked(desk, clip)
    file = clip.parent / "study.ftproj"
    save_as(desk, file, monkeypatch)
    forgotten(desk, tmp_path)
    far = tmp_path / "disk" / "a" / "b" / "renamed.avi"
    far.parent.mkdir(parents=True)
    clip.rename(far)
    desk.link.orders.clear()
    desk.window.open(str(file))
    assert not desk.link.orders, "nothing is opened"
    assert "is no longer at" in desk.window.strips["project clip"].label.text()
    asks(monkeypatch, "getOpenFileName", far)
    desk.window.strips["project clip"].buttons["Find the clip…"].click()
    assert answer(desk).what == str(far)
    checked(desk)
    assert desk.window.projects.desk.dirty, "the file says where it was"
    key("Ctrl+S")
    assert read_project(file).clip.path == str(far)


def test_changes_are_asked_about_before_the_window_closes(
    desk: Desk, clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked(desk, clip)
    file = clip.parent / "study.ftproj"
    save_as(desk, file, monkeypatch)
    desk.bench.editor.set_param("mask", "level", 0.5)
    desk.window.close()
    assert desk.window.isVisible()
    strip = desk.window.strips["project unsaved"]
    strip.buttons["Stay"].click()
    assert "project unsaved" not in desk.window.strips
    desk.window.close()
    assert desk.window.isVisible(), "it is asked again"
    desk.window.strips["project unsaved"].buttons["Save"].click()
    assert not desk.window.isVisible()
    assert read_project(file).clip.pipeline["stages"]["mask"]["level"] == 0.5


def test_what_another_program_wrote_is_not_written_over(
    desk: Desk, clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked(desk, clip)
    file = clip.parent / "study.ftproj"
    save_as(desk, file, monkeypatch)
    text = file.read_text()
    file.write_text(text.replace("0.125", "0.25"))
    desk.bench.editor.set_param("mask", "level", 0.5)
    key("Ctrl+S")
    assert "0.25" in file.read_text()
    strip = desk.window.strips["project changed"]
    strip.buttons["Open that of the file"].click()
    answer(desk)
    assert desk.bench.pipeline.nodes != load("objects").nodes
    assert desk.bench.pipeline == load("objects").with_settings({"mask.level": 0.25})


def test_another_clip_joins_the_project_and_each_keeps_its_own(
    desk: Desk, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked(desk, clip)
    other = clip.with_name("other.avi")
    shutil.copy(CLIP, other)
    file = clip.parent / "study.ftproj"
    save_as(desk, file, monkeypatch)
    opened(desk, str(other))
    desk.bench.editor.set_param("bright", "level", 0.03125)
    projects = desk.window.projects
    assert projects.desk.dirty
    key("Ctrl+S")
    found = read_project(file)
    assert [one.name for one in found.clips] == ["vortex.avi", "other.avi"]
    assert found.shown == 1
    forgotten(desk, tmp_path)
    assert reopened(desk, file).what == str(other)
    assert desk.bench.pipeline == load("blobs").with_settings({"bright.level": 0.03125})
    projects.menu.aboutToShow.emit()
    entry = next(action for action in projects.menu.actions() if "vortex.avi" in action.text())
    entry.trigger()
    answer(desk)
    checked(desk)
    assert not projects.desk.dirty
    projects.menu.aboutToShow.emit()
    projects.menu.actions()[-1].trigger()  # take it out
    key("Ctrl+S")
    assert [one.name for one in read_project(file).clips] == ["other.avi"]


def test_a_scene_to_try_does_not_join_the_project(desk: Desk, clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    worked(desk, clip)
    projects = desk.window.projects
    assert not projects.menu.menuAction().isEnabled()
    save_as(desk, clip.parent / "study.ftproj", monkeypatch)
    assert projects.menu.menuAction().isEnabled()
    desk.window.marking.kept.mark(9, "contact")
    desk.window.actions_.made["sample_ball"].trigger()
    assert projects.desk.path is not None, "it is asked first"
    desk.window.strips["project unsaved"].buttons["Do not save"].click()
    assert projects.desk.path is None
    assert answer(desk).what.endswith("falling_ball_1000fps.avi")
    assert len(read_project(clip.parent / "study.ftproj").clips) == 1


def test_what_the_window_knew_of_the_clip_is_offered_and_not_lost(
    desk: Desk, clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked(desk, clip)
    file = clip.parent / "study.ftproj"
    save_as(desk, file, monkeypatch)
    desk.window.projects.desk.close()
    desk.bench.editor.set_param("mask", "level", 0.75)
    desk.bench.tracks.set_calibration(Calibration(4.0, "um"))
    reopened(desk, file)
    checked(desk)
    strips = desk.window.strips
    assert "vortex.avi before?" in strips["pipeline of before"].label.text()
    assert "4 um" in strips["scale"].label.text()
    strips["pipeline of before"].buttons["Use objects"].click()
    assert desk.bench.pipeline == load("objects").with_settings({"mask.level": 0.75})


def test_a_project_is_dropped_and_the_next_start_begins_with_it(
    desk: Desk, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked(desk, clip)
    file = clip.parent / "study.ftproj"
    save_as(desk, file, monkeypatch)
    forgotten(desk, tmp_path)
    data = QtCore.QMimeData()
    data.setUrls([QtCore.QUrl.fromLocalFile(str(file))])
    for kind in (QtGui.QDragEnterEvent, QtGui.QDropEvent):
        where = QtCore.QPoint(300, 300) if kind is QtGui.QDragEnterEvent else QtCore.QPointF(300, 300)
        event = kind(where, QtCore.Qt.DropAction.CopyAction, data, QtCore.Qt.MouseButton.LeftButton,
                     QtCore.Qt.KeyboardModifier.NoModifier)  # fmt: skip
        QtWidgets.QApplication.sendEvent(desk.window, event)
    assert answer(desk).what == str(clip)
    checked(desk)
    desk.window.projects.desk.close()
    opened(desk, "sim:blobs")
    desk.window.settings.add_recent(str(file))
    desk.window.settings.sync()
    assert Settings(desk.window.settings.path).recent[0] == str(file)
    begin(desk.window, None, AS_STORED, "", False)
    assert answer(desk).what == str(clip)
    menu = desk.window.opening.menu
    menu.aboutToShow.emit()
    assert "study.ftproj" in menu.actions()[0].text()


def test_panels_and_plots_are_as_they_were(
    desk: Desk, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked(desk, clip)
    window = desk.window
    window.show_panel("analysis")
    window.panels["analysis"].bar.tabs.setCurrentIndex(3)  # type: ignore[attr-defined]
    window.panels["traces"].bar.choice[0].setCurrentText("speed")  # type: ignore[attr-defined]
    window.docks["events"].hide()
    QtWidgets.QApplication.processEvents()
    file = clip.parent / "study.ftproj"
    save_as(desk, file, monkeypatch)
    forgotten(desk, tmp_path)
    window.default_layout()
    window.panels["traces"].bar.choice[0].setCurrentText("x")  # type: ignore[attr-defined]
    window.panels["analysis"].bar.tabs.setCurrentIndex(0)  # type: ignore[attr-defined]
    reopened(desk, file)
    QtWidgets.QApplication.processEvents()
    assert window.docks["events"].isHidden()
    assert window.panels["traces"].bar.choice[0].currentText() == "speed"  # type: ignore[attr-defined]
    assert window.panels["analysis"].bar.tabs.currentIndex() == 3  # type: ignore[attr-defined]
    assert not window.docks["analysis"].visibleRegion().isEmpty()


@pytest.mark.parametrize(
    "text", ["", "format = 3", "\0\1", "format = 'fusetrack project 2'\nversion = '9.0'", "[" * 5000]
)
def test_a_file_that_is_no_project_is_one_sentence_and_changes_nothing(desk: Desk, tmp_path: Path, text: str) -> None:
    desk.open()
    file = tmp_path / "bad.ftproj"
    file.write_text(text)
    desk.link.orders.clear()
    desk.window.guarded(lambda: desk.window.open(str(file)))
    assert "bad.ftproj" in desk.bench.messages[-1].sentence
    assert not desk.link.orders
    assert desk.window.projects.desk.path is None


def test_a_project_of_a_run_shows_the_tracks_as_they_were_written(desk: Desk, tmp_path: Path) -> None:
    from app.controller import run_clip
    from app.project import Project, ProjectClip, as_document, write_project

    folder = tmp_path / "out"
    run_clip(CLIP, frames=(0, 12), out=folder, overlay=False)
    file = tmp_path / "of run.ftproj"
    held = ProjectClip(str(CLIP), str(folder), pipeline=as_document(load("blobs"), tmp_path), pipeline_from="blobs")
    write_project(Project((held,)), file)
    desk.window.open(str(file))
    order = next(order for order in reversed(desk.link.orders) if isinstance(order, commands.Open))
    assert order.run == str(folder)
    assert order.frames == (0, 12)
    desk.link.reports.append(reports.Opened(desk.source.info, False, order.pipeline, "cpu", ("a",), (), "",
                                            number=order.number))  # fmt: skip
    desk.bench.tick()
    assert desk.bench.kept == str(folder)
    assert desk.window.windowTitle().startswith("of run.ftproj - ")


def test_cameras_that_were_calibrated_without_a_project_are_asked_about(
    desk: Desk, clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup, projects = desk.window.camera_setup, desk.window.projects
    opened(desk, str(clip))
    file = clip.parent / "study.ftproj"
    setup.keep(SeveralCameras(rig="of the project"))
    save_as(desk, file, monkeypatch)
    projects.desk.close()
    setup.keep(SeveralCameras(rig="made here"))
    project = read_project(file)
    broken = replace(project, clips=(replace(project.clip, pipeline={}),))
    with pytest.raises(FusetrackError):
        projects.desk.begin(broken, file)
    assert setup.now.rig == "made here", "what cannot be opened brings no cameras"
    monkeypatch.setattr(desk.window, "calibrate_cameras", lambda: shown.append(True))
    shown: list[bool] = []
    for words in ("Show the calibration", "Stay"):
        desk.window.open(str(file))
        desk.window.strips["cameras unsaved"].buttons[words].click()
        assert "cameras unsaved" not in desk.window.strips
        assert projects.desk.path is None
        assert setup.now.rig == "made here"
    assert shown == [True]
    desk.window.open(str(file))
    desk.window.strips["cameras unsaved"].buttons["Do not save"].click()
    assert projects.desk.path == file
    assert setup.now.rig == "of the project"
    projects.desk.close()
    setup.keep(SeveralCameras(rig="made here and saved"))
    setup.written()
    desk.window.open(str(file))
    assert setup.now.rig == "of the project"


def test_cameras_that_were_calibrated_are_asked_about_before_the_window_closes(
    desk: Desk, clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup, strips = desk.window.camera_setup, desk.window.strips
    opened(desk, str(clip))
    setup.keep(SeveralCameras(rig="made here"))
    for _ in range(2):
        desk.window.close()
        assert desk.window.isVisible()
        strips["cameras unsaved"].buttons["Stay"].click()
        assert "cameras unsaved" not in strips
    file = clip.parent / "study.ftproj"
    save_as(desk, file, monkeypatch)
    setup.keep(SeveralCameras(rig="made anew"))
    desk.window.close()
    assert "project unsaved" in strips, "those of a project are asked about with it, once"
    assert "cameras unsaved" not in strips
    strips["project unsaved"].buttons["Stay"].click()
    desk.window.projects.desk.close()
    desk.window.close()
    strips["cameras unsaved"].buttons["Do not save"].click()
    assert not desk.window.isVisible()
