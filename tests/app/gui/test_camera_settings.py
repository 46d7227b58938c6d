"""The dialog for what can be set of a camera, by its fields."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore, QtTest

from app.cameras.controls import Control, adjusted
from app.desk.bench.topics import Topic
from app.desk.engine import commands, reports
from app.gui.sessions.camera_presets import CameraPresets
from app.gui.sessions.camera_settings import CameraSettingsDialog
from app.project import read_project
from tests.app.gui.conftest import Desk

ADDRESS = "cam:pylon:123?Gain=2&fps=800"
CONTROLS = (
    Control("ExposureTime", "900.0", "time of exposure", "us", 1.0, 1e7, 0.5, live=True),
    Control("Gain", "2", "gain", "dB", 0.0, 48.0, live=True),
    Control("TriggerMode", "Off", "whether a signal begins each frame", choices=("Off", "On")),
    Control("Width", "640", "width of the region on the sensor", "px", 1.0, 4096.0, 1.0),
    Control("fourcc", "MJPG", "code"),
)  # fmt: skip


@pytest.fixture
def dialog(desk: Desk) -> CameraSettingsDialog:
    """Of a camera that is open."""
    desk.open()
    assert not desk.window.actions_.made["camera-settings"].isEnabled()  # a clip has none
    desk.open(live=True)
    opened = desk.bench.opened
    assert opened is not None
    info = replace(opened.info, metadata={"controls": [one.facts() for one in CONTROLS]}, identity={"address": ADDRESS})
    desk.bench.opened = replace(opened, info=info)
    desk.window.actions_.refresh()
    desk.window.actions_.made["camera-settings"].trigger()
    (made,) = desk.window.findChildren(CameraSettingsDialog)
    assert isinstance(made, CameraSettingsDialog)
    assert not made.isModal()
    return made


def press(dialog: CameraSettingsDialog) -> None:
    QtTest.QTest.mouseClick(dialog.apply_button, QtCore.Qt.MouseButton.LeftButton)


def orders(desk: Desk) -> list[str]:
    return [order.what for order in desk.link.orders if isinstance(order, commands.Open)]


def told(desk: Desk) -> list[tuple[tuple[str, str], ...]]:
    return [order.values for order in desk.link.orders if isinstance(order, commands.SetCamera)]


def says(desk: Desk, **values: str) -> None:
    """The camera says that it is set so now."""
    assert desk.bench.opened is not None
    desk.link.reports.append(reports.CameraIs(adjusted(desk.bench.opened.info, values)))
    desk.bench.tick()


def test_what_the_camera_takes_while_it_delivers_is_set_at_once(desk: Desk, dialog: CameraSettingsDialog) -> None:
    before = orders(desk)
    field = dialog.fields["ExposureTime"]
    field.setFocus()
    field.selectAll()
    QtTest.QTest.keyClicks(field, "250.5")
    assert not told(desk), "not each digit"
    QtTest.QTest.keyClick(field, QtCore.Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert told(desk) == [(("ExposureTime", "250.5"),)]
    says(desk, ExposureTime="250.0")  # as the driver rounds it
    assert dialog.value("ExposureTime") == "250"
    assert dialog.changed == {}
    assert told(desk) == [(("ExposureTime", "250.5"),)]
    assert orders(desk) == before, "it is not opened again"
    assert desk.bench.asked is not None
    assert desk.bench.asked.what == "cam:pylon:123?Gain=2&fps=800&ExposureTime=250.0"
    assert "at once" in field.toolTip()


def test_what_else_is_changed_opens_the_camera_again_with_its_pipeline(
    desk: Desk, dialog: CameraSettingsDialog
) -> None:
    desk.bench.editor.set_param("bright", "level", 0.07)
    mine = desk.bench.pipeline
    dialog.fields["Gain"].setValue(3.0)
    says(desk, Gain="3")
    dialog.fields["TriggerMode"].setCurrentText("On")
    assert dialog.changed == {"TriggerMode": "On"}
    press(dialog)
    assert orders(desk)[-1] == "cam:pylon:123?Gain=3&fps=800&TriggerMode=On"
    assert desk.bench.pipeline == mine


def test_a_dialog_of_a_camera_that_is_closed_closes(desk: Desk, dialog: CameraSettingsDialog) -> None:
    desk.link.reports.append(reports.Closed())
    desk.bench.tick()
    assert not dialog.isVisible()
    desk.bench.tell(Topic.CAMERA, Topic.STATE, Topic.OPENED)  # it hears of nothing any more


def test_nothing_changed_opens_nothing(desk: Desk, dialog: CameraSettingsDialog) -> None:
    before = orders(desk)
    press(dialog)
    assert orders(desk) == before


def test_fields_are_what_controls_are(dialog: CameraSettingsDialog) -> None:
    width, exposure = dialog.fields["Width"], dialog.fields["ExposureTime"]
    assert (width.decimals(), width.maximum(), width.suffix()) == (0, 4096, " px")
    assert (exposure.minimum(), exposure.singleStep()) == (1.0, 0.5)
    assert exposure.toolTip() == "Time of exposure, 1 to 1e+07 us; set at once"
    assert dialog.value("fourcc") == "MJPG"


def names(dialog: CameraSettingsDialog) -> list[str]:
    return [dialog.presets.itemText(k) for k in range(dialog.presets.count())]


def take(dialog: CameraSettingsDialog, name: str) -> None:
    dialog.presets.setCurrentText(name)
    dialog.presets.activated.emit(dialog.presets.currentIndex())


def other(desk: Desk, controls: tuple[Control, ...] = CONTROLS) -> CameraSettingsDialog:
    """The dialog of another camera."""
    opened = desk.bench.opened
    assert opened is not None
    info = replace(opened.info, metadata={"controls": [one.facts() for one in controls]}, identity={"address": "cam:0"})
    desk.bench.opened = replace(opened, info=info)
    return CameraSettingsDialog(desk.window, desk.bench, CameraPresets(desk.window.settings), lambda _: None)


def test_presets_are_kept_and_taken_by_cameras_that_have_less(desk: Desk, dialog: CameraSettingsDialog) -> None:
    dialog.fields["Gain"].setValue(12)
    dialog.keep_preset("bright")
    desk.link.orders.clear()
    less = other(desk, CONTROLS[1:3])
    assert names(less) == ["preset …", "bright"]
    take(less, "bright")
    assert less.changed == {"Gain": "12"}
    assert told(desk) == [(("Gain", "12"),)], "what is live of it is set at once"
    assert "no ExposureTime, Width, fourcc" in less.note.text()
    desk.window.settings.set_text("camera_presets", "[broken")
    assert not other(desk).presets.isEnabled()


def test_presets_belong_to_the_project_that_is_open(desk: Desk, dialog: CameraSettingsDialog, tmp_path: Path) -> None:
    dialog.keep_preset("dim")
    project = desk.window.projects.desk
    project.save(tmp_path / "study.ftproj")
    dialog.fields["Width"].setValue(320)
    dialog.keep_preset("narrow")
    assert project.dirty
    assert names(dialog) == ["preset …", "narrow", "dim"]
    take(dialog, "dim")
    assert list(project.presets) == ["narrow", "dim"], "what is used on a project belongs to it"
    project.save()
    assert not project.dirty
    assert read_project(tmp_path / "study.ftproj").presets == project.presets
    assert list(CameraPresets(desk.window.settings).all()) == ["dim"]
    project.close()
    assert not project.presets
    project.begin(project.read(tmp_path / "study.ftproj"), tmp_path / "study.ftproj")
    assert project.presets["narrow"]["Width"] == "320"
    assert not project.dirty
