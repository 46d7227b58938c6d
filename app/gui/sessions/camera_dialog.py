"""Choose a camera: those that are there, a simulated one with all that can go wrong, or one by its address."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from pyqtgraph.Qt import QtCore, QtWidgets

from app.cameras.query import parse_address
from app.desk.jobs.jobs import Job, Jobs, JobState
from app.desk.jobs.orders import CamerasOrder
from app.gui.icons import icon
from app.gui.settings import Settings
from app.sources.simulated.source import scenes
from kernels.errors import FusetrackError

FIRST = "cam:sim?scene=vortex&size=512x512&fps=1000"
SIMULATED = "cam:sim"
PERCENT = 0.01


class CameraDialog(QtWidgets.QDialog):  # type: ignore[misc]
    """See the module. It does not block the window.

    Args:
        parent: the window.
        jobs: look for cameras.
        settings: remember what was opened last.
        open_camera: called with the address that was chosen.

    Attributes:
        list: the cameras that were found. address: what will be opened. fields: of the simulated camera, by name.
        open_button: opens it.
    """

    def __init__(
        self, parent: QtWidgets.QWidget, jobs: Jobs, settings: Settings, open_camera: Callable[[str], object]
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Open a camera")
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        self._jobs, self._settings, self._open = jobs, settings, open_camera
        self._closed = self._filling = False
        self.list = QtWidgets.QListWidget()
        self.list.currentItemChanged.connect(lambda *_: self._chosen())
        self.list.itemDoubleClicked.connect(lambda _: self.accept())
        self.again = QtWidgets.QPushButton("Look again")
        self.again.setToolTip("Look for cameras that were connected since")
        self.themed()
        self.again.setAutoDefault(False)
        self.again.clicked.connect(self.look)
        self.notes = QtWidgets.QLabel()
        self.notes.setWordWrap(True)
        self.notes.setProperty("muted", True)
        self.fields: dict[str, QtWidgets.QWidget] = {}
        self._shares: dict[str, float] = {}
        self.form = self._make_form()
        self.address = QtWidgets.QLineEdit(settings.text("camera", FIRST))
        self.address.setToolTip("cam:sim?..., cam:0, cam:rtsp://ADDRESS, cam:pylon:SERIAL?ExposureTime=500, "
                                "cam:genicam:FILE.cti")  # fmt: skip
        self.address.textEdited.connect(self._typed)
        self.trouble = QtWidgets.QLabel()
        self.trouble.setProperty("bad", True)
        self.trouble.setWordWrap(True)
        buttons = QtWidgets.QDialogButtonBox()
        roles = QtWidgets.QDialogButtonBox.ButtonRole
        self.open_button = buttons.addButton("Open", roles.AcceptRole)
        self.open_button.setDefault(True)
        buttons.addButton("Cancel", roles.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        left, right = QtWidgets.QVBoxLayout(), QtWidgets.QVBoxLayout()
        for widget in (QtWidgets.QLabel("Cameras that are there"), self.list, self.notes, self.again):
            left.addWidget(widget, int(widget is self.list))
        right.addWidget(self.form)
        right.addStretch()
        columns = QtWidgets.QHBoxLayout()
        columns.setSpacing(16)
        columns.addLayout(left, 4)
        columns.addLayout(right, 5)
        row = QtWidgets.QHBoxLayout()
        row.addWidget(QtWidgets.QLabel("Address"))
        row.addWidget(self.address, 1)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(10)
        layout.addLayout(columns, 1)
        layout.addLayout(row)
        layout.addWidget(self.trouble)
        layout.addWidget(buttons)
        self.resize(760, 480)
        self._job: Job | None = None
        jobs.on(self._job_changed)
        self._show([{"text": SIMULATED, "sentence": "simulated camera"}])
        self._fill(self.address.text())
        self._check()
        self.look()

    # ------------------------------------------------------------------------------------------------------ form

    def _make_form(self) -> QtWidgets.QGroupBox:
        box = QtWidgets.QGroupBox("Simulated camera")
        form = QtWidgets.QFormLayout(box)
        form.setLabelAlignment(QtCore.Qt.AlignmentFlag.AlignRight)
        scene = QtWidgets.QComboBox()
        for name, found in scenes().items():
            scene.addItem(name)
            scene.setItemData(scene.count() - 1, found.summary, QtCore.Qt.ItemDataRole.ToolTipRole)
        self._add(form, "scene", "scene", scene, "What it looks at")
        size = QtWidgets.QComboBox()
        size.setEditable(True)
        size.addItems(["256x256", "512x512", "640x480", "1024x1024", "1280x1024", "2048x2048"])
        size.setCurrentText("512x512")
        self._add(form, "size", "size", size, "Width and height of the pictures in pixels, such as 512x512", "px")
        self._add(form, "fps", "frame rate", _number(1000, 1, 1_000_000, 0), "Frames a second", "frames/s")
        self._add(form, "color", "pixels", _choice("mono", "rgb"), "Grey or colour")
        for name, label, what in (("drop", "lost frames", "never come"), ("stall", "pauses", "follow a pause of 0.1 s"),
                                  ("disconnect", "disconnections", "lose the camera, for 0.2 s")):  # fmt: skip
            self._add(form, name, label, _number(0, 0, 100, 2), f"Frames of 100 that {what}; the address has it as a "
                      "probability, 0 to 1", "% of the frames", PERCENT)  # fmt: skip
        stray = "How far exposures stray from the beat, in a share of the frame interval; the address has 0 to 0.9"
        self._add(form, "jitter", "jitter", _number(0, 0, 90, 0), stray, "% of the interval", PERCENT)
        self._add(form, "seed", "seed", _number(1, 0, 1_000_000, 0), "Chooses the noise and the faults")
        return box

    def _add(
        self, form: QtWidgets.QFormLayout, name: str, label: str, field: QtWidgets.QWidget, tip: str, unit: str = "",
        share: float = 1.0,
    ) -> None:  # fmt: skip
        """A row; `share`: of the number that the field shows is in the address."""
        field.setToolTip(tip)
        if isinstance(field, QtWidgets.QAbstractSpinBox):
            field.setSuffix(f" {unit}" if unit else "")
            form.addRow(label, field)
        elif unit:
            row = QtWidgets.QHBoxLayout()
            row.addWidget(field, 1)
            row.addWidget(QtWidgets.QLabel(unit))
            form.addRow(label, row)
        else:
            form.addRow(label, field)
        self.fields[name] = field
        self._shares[name] = share
        signal = field.currentTextChanged if isinstance(field, QtWidgets.QComboBox) else field.valueChanged
        signal.connect(lambda _: self._spell())

    def _value(self, name: str) -> str:
        field = self.fields[name]
        if isinstance(field, QtWidgets.QComboBox):
            return str(field.currentText()).strip()
        share = self._shares[name]
        return f"{field.value():.0f}" if share == 1.0 else f"{field.value() * share:.6g}"

    def _spell(self) -> None:
        """The address from the fields; what the fields do not know stays."""
        if self._filling:
            return
        try:
            before = parse_address(self.address.text())
            rest = dict(before.query) if before.kind == "sim" else {}
        except FusetrackError:
            rest = {}
        always = {"scene", "size", "fps"}
        plain = {"color": "mono", "drop": "0", "stall": "0", "disconnect": "0", "jitter": "0", "seed": "1"}
        for name in self.fields:
            value = self._value(name)
            rest.pop(name, None)
            if name in always or value != plain[name]:
                rest[name] = value
        order = [*(n for n in self.fields if n in rest), *(n for n in rest if n not in self.fields)]
        if "clip" in rest:
            order = [n for n in order if n not in ("scene", "size")]
        self.address.setText(f"{SIMULATED}?" + "&".join(f"{n}={quote(rest[n], safe='/:@,.-')}" for n in order))
        self._check()

    def _fill(self, text: str) -> None:
        """The fields from an address."""
        try:
            address = parse_address(text)
        except FusetrackError:
            return
        if address.kind != "sim":
            return
        self._filling = True
        for name, value in address.query.items():
            field = self.fields.get(name)
            if isinstance(field, QtWidgets.QComboBox):
                field.setCurrentText(value)
            elif field is not None:
                number = value.replace(".", "", 1)
                if number.isdigit():
                    field.setValue(float(value) / self._shares[name])
        self._filling = False

    def _typed(self, text: str) -> None:
        """The fields say what the address says."""
        self._fill(text)
        self._check()

    def _check(self) -> None:
        """Say what is wrong with the address while it is typed."""
        words = ""
        try:
            parse_address(self.address.text().strip())
        except FusetrackError as error:
            words = str(error)
        self.trouble.setText(words)
        self.trouble.setVisible(bool(words))
        self.open_button.setEnabled(not words)

    # ------------------------------------------------------------------------------------------------------ list

    def look(self) -> None:
        """Look for cameras; what is found shows when it is."""
        self.again.setEnabled(False)
        self.notes.setText("looking for cameras …")
        self._job = self._jobs.start("cameras", CamerasOrder())

    def _job_changed(self, job: Job) -> None:
        if self._closed or job is not self._job or job.running:
            return
        self.again.setEnabled(True)
        if job.state is JobState.DONE:
            self._show(job.result["cameras"])
            self.notes.setText("\n".join(job.result["notes"]))
        else:
            self.notes.setText(f"cameras cannot be looked for: {job.sentence}")

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.again.setIcon(icon("reset"))
        for row in range(self.list.count()):
            self.list.item(row).setIcon(icon("camera"))

    def _show(self, cameras: list[dict[str, str]]) -> None:
        now = self.list.currentItem().data(QtCore.Qt.ItemDataRole.UserRole) if self.list.currentItem() else None
        self.list.blockSignals(True)
        self.list.clear()
        for camera in cameras:
            words = camera.get("name") or camera["sentence"]
            item = QtWidgets.QListWidgetItem(icon("camera"), f"{words}\n{camera['text']}")
            item.setToolTip(camera["sentence"])
            item.setData(QtCore.Qt.ItemDataRole.UserRole, camera["text"])
            self.list.addItem(item)
            if camera["text"] == (now or SIMULATED):
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)

    def _chosen(self) -> None:
        item = self.list.currentItem()
        if item is None:
            return
        text = item.data(QtCore.Qt.ItemDataRole.UserRole)
        simulated = text == SIMULATED
        self.form.setEnabled(simulated)
        if simulated:
            self.address.setText(SIMULATED)
            self._spell()
        else:
            self.address.setText(text)
        self._check()

    def done(self, result: int) -> None:
        """Open what was chosen, or nothing."""
        self._closed = True
        if self._job is not None and self._job.running:
            self._jobs.stop(self._job)
        text = self.address.text().strip()
        super().done(result)
        if result == QtWidgets.QDialog.DialogCode.Accepted and text:
            self._settings.set_text("camera", text)
            self._open(text)


def _number(value: float, low: float, high: float, decimals: int) -> QtWidgets.QDoubleSpinBox:
    made = QtWidgets.QDoubleSpinBox()
    made.setDecimals(decimals)
    made.setRange(low, high)
    made.setSingleStep(10.0 ** -min(decimals, 2) if decimals else 1.0)
    made.setValue(value)
    return made


def _choice(*words: str) -> QtWidgets.QComboBox:
    made = QtWidgets.QComboBox()
    made.addItems(words)
    return made
