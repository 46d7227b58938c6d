"""The dialog for cameras, by its fields."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from pyqtgraph.Qt import QtCore, QtTest, QtWidgets

from app.desk.engine import commands
from app.desk.jobs.orders import CamerasOrder
from app.gui.sessions.camera_dialog import CameraDialog
from tests.app.gui.conftest import Desk
from tests.patience import PATIENCE

ROLE = QtCore.Qt.ItemDataRole.UserRole


@pytest.fixture
def dialog(desk: Desk) -> CameraDialog:
    desk.window.actions_.made["camera"].trigger()
    (made,) = desk.window.findChildren(CameraDialog)
    assert isinstance(made, CameraDialog)
    assert not made.isModal()
    return made


def press(dialog: CameraDialog) -> None:
    QtTest.QTest.mouseClick(dialog.open_button, QtCore.Qt.MouseButton.LeftButton)


def opened(desk: Desk) -> str:
    order = desk.link.orders[-1]
    assert isinstance(order, commands.Open)
    return order.what


def test_what_is_proposed_opens_with_one_click_and_is_remembered(desk: Desk, dialog: CameraDialog) -> None:
    press(dialog)
    assert opened(desk) == "cam:sim?scene=vortex&size=512x512&fps=1000"
    assert desk.window.settings.recent[0] == opened(desk)


def test_fields_spell_the_address(desk: Desk, dialog: CameraDialog) -> None:
    dialog.fields["scene"].setCurrentText("beam")
    dialog.fields["size"].setCurrentText("640x480")
    dialog.fields["fps"].setValue(500)
    dialog.fields["drop"].setValue(1)
    assert dialog.address.text() == "cam:sim?scene=beam&size=640x480&fps=500&drop=0.01"
    dialog.fields["drop"].setValue(0)
    dialog.fields["jitter"].setValue(20)
    assert dialog.address.text() == "cam:sim?scene=beam&size=640x480&fps=500&jitter=0.2"
    dialog.fields["jitter"].setValue(0)
    dialog.address.setText("cam:sim?scene=beam&particles=40")
    dialog.fields["seed"].setValue(7)
    assert dialog.address.text() == "cam:sim?scene=beam&size=640x480&fps=500&seed=7&particles=40"
    press(dialog)
    assert opened(desk) == "cam:sim?scene=beam&size=640x480&fps=500&seed=7&particles=40"
    desk.window.actions_.made["camera"].trigger()
    again = [d for d in desk.window.findChildren(CameraDialog) if d.isVisible()][-1]
    assert again.fields["fps"].value() == 500
    assert again.fields["seed"].value() == 7
    again.reject()


def test_a_wrong_address_is_said_while_it_is_typed(desk: Desk, dialog: CameraDialog) -> None:
    dialog.address.clear()
    QtTest.QTest.keyClicks(dialog.address, "cam:sin")
    assert not dialog.open_button.isEnabled()
    assert "did you mean cam:sim" in dialog.trouble.text()
    dialog.address.clear()
    QtTest.QTest.keyClicks(dialog.address, "cam:0?size=640x480")
    assert dialog.open_button.isEnabled()
    assert not dialog.trouble.isVisible()
    press(dialog)
    assert opened(desk) == "cam:0?size=640x480"


def test_cameras_are_looked_for_beside(desk: Desk, dialog: CameraDialog) -> None:
    job = desk.window.jobs.all[-1]
    assert isinstance(job.order, CamerasOrder)
    assert "looking" in dialog.notes.text()
    end = time.monotonic() + PATIENCE
    while job.running:
        assert time.monotonic() < end
        desk.window.jobs.tick()
        QtWidgets.QApplication.processEvents()
        time.sleep(0.01)
    assert dialog.again.isEnabled()
    assert dialog.list.item(0).data(ROLE) == "cam:sim"
    dialog.reject()
    assert desk.link.orders == []


def test_another_camera_of_the_list_is_opened_by_a_double_click(desk: Desk, dialog: CameraDialog) -> None:
    dialog._show([{"text": "cam:sim", "sentence": "simulated camera"}, {"text": "cam:0", "sentence": "webcam"}])
    dialog.list.setCurrentRow(1)
    assert dialog.address.text() == "cam:0"
    assert not dialog.form.isEnabled()
    dialog.list.setCurrentRow(0)
    assert dialog.address.text().startswith("cam:sim?scene=")
    dialog.list.setCurrentRow(1)
    dialog.list.itemDoubleClicked.emit(dialog.list.item(1))
    assert opened(desk) == "cam:0"


def test_fields_say_what_is_typed_into_the_address(dialog: CameraDialog) -> None:
    dialog.address.selectAll()
    QtTest.QTest.keyClicks(dialog.address, "cam:sim?scene=beam&fps=200")
    assert dialog.fields["fps"].value() == 200
    assert dialog.fields["scene"].currentText() == "beam"
    assert dialog.address.text() == "cam:sim?scene=beam&fps=200", "what is typed stays as it is"
    QtTest.QTest.keyClicks(dialog.address, "&stall=0.0025")
    assert dialog.fields["stall"].text() == "0.25 % of the frames"


def test_every_number_of_the_form_has_its_unit(dialog: CameraDialog) -> None:
    units = {name: field.suffix().strip() for name, field in dialog.fields.items()
             if isinstance(field, QtWidgets.QAbstractSpinBox)}  # fmt: skip
    assert units == {"fps": "frames/s", "drop": "% of the frames", "stall": "% of the frames",
                     "disconnect": "% of the frames", "jitter": "% of the interval", "seed": ""}  # fmt: skip
    assert "px" in [label.text() for label in dialog.form.findChildren(QtWidgets.QLabel)]


def test_to_list_scenes_loads_nothing_that_draws_them() -> None:
    """SciPy took a quarter of a second of the processor, for which the window stood still."""
    code = ("import sys\nfrom app.sources.simulated.source import scenes\nassert len(scenes()) > 3\n"
            "sys.exit(any(name.partition('.')[0] == 'scipy' for name in sys.modules))")  # fmt: skip
    root = Path(__file__).resolve().parents[3]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
