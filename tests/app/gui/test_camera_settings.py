"""The dialog for what can be set of a camera, by its fields."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pyqtgraph.Qt import QtCore, QtTest

from app.cameras.controls import Control
from app.desk.engine import commands
from app.gui.sessions.camera_settings import CameraSettingsDialog
from tests.app.gui.conftest import Desk

ADDRESS = "cam:pylon:123?Gain=2&fps=800"
CONTROLS = (
    Control("ExposureTime", "900.0", "time of exposure", "us", 1.0, 1e7, 0.5),
    Control("Gain", "2", "gain", "dB", 0.0, 48.0),
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


def test_what_is_changed_opens_the_camera_again(desk: Desk, dialog: CameraSettingsDialog) -> None:
    assert dialog.changed == {}
    dialog.fields["ExposureTime"].setValue(250.5)
    dialog.fields["TriggerMode"].setCurrentText("On")
    assert dialog.changed == {"ExposureTime": "250.5", "TriggerMode": "On"}
    press(dialog)
    assert orders(desk)[-1] == "cam:pylon:123?Gain=2&fps=800&ExposureTime=250.5&TriggerMode=On"


def test_nothing_changed_opens_nothing(desk: Desk, dialog: CameraSettingsDialog) -> None:
    before = orders(desk)
    press(dialog)
    assert orders(desk) == before


def test_fields_are_what_controls_are(dialog: CameraSettingsDialog) -> None:
    width, exposure = dialog.fields["Width"], dialog.fields["ExposureTime"]
    assert (width.decimals(), width.maximum(), width.suffix()) == (0, 4096, " px")
    assert (exposure.minimum(), exposure.singleStep()) == (1.0, 0.5)
    assert exposure.toolTip() == "Time of exposure, 1 to 1e+07 us"
    assert dialog.value("fourcc") == "MJPG"


def test_presets_are_kept_and_taken_by_cameras_that_have_less(desk: Desk, dialog: CameraSettingsDialog) -> None:
    dialog.fields["Gain"].setValue(12)
    dialog.keep_preset("bright")
    other = CameraSettingsDialog(desk.window, "cam:0", CONTROLS[1:3], desk.window.settings, lambda _: None)
    assert [other.presets.itemText(k) for k in range(other.presets.count())] == ["preset …", "bright"]
    other.presets.setCurrentIndex(1)
    other.presets.activated.emit(1)
    assert other.changed == {"Gain": "12"}
    assert "no ExposureTime, Width, fourcc" in other.note.text()
    desk.window.settings.set_text("camera_presets", "[broken")
    again = CameraSettingsDialog(desk.window, "cam:0", CONTROLS, desk.window.settings, lambda _: None)
    assert not again.presets.isEnabled()
