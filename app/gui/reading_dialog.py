"""A dialog about what a clip's file does not say, or says wrong: rate, gaps, bits of a value, which side is up."""

from __future__ import annotations

from collections.abc import Callable

from pyqtgraph.Qt import QtWidgets

from app.sources.reading import Reading
from pipelines.frame import SourceInfo

MOST_RATE = 1e8


class ReadingDialog(QtWidgets.QDialog):  # type: ignore[misc]
    """See the module.

    Args:
        parent: the window.
        info: of the clip that is open, as it is read now.
        reading: how it is read now.
        apply: called with how it shall be read, when the user agrees.

    Attributes:
        rate, gaps, bits, turn: the fields.
    """

    def __init__(
        self, parent: QtWidgets.QWidget, info: SourceInfo, reading: Reading, apply: Callable[[Reading], object]
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"How {info.name} is read")
        self._apply = apply
        self.rate = QtWidgets.QDoubleSpinBox()
        self.rate.setDecimals(3)
        self.rate.setRange(0.0, MOST_RATE)
        self.rate.setSpecialValueText("as the file says")
        self.rate.setSuffix(" fps")
        self.rate.setValue(reading.fps or 0.0)
        self.rate.setToolTip("Frames a second of the camera; speeds, times and spectra follow from it")
        self.gaps = QtWidgets.QCheckBox("leave room for frames that are missing")
        self.gaps.setChecked(reading.gaps)
        self.gaps.setToolTip("With a rate of yours: frames that are missing by their time stamps or numbers take time")
        self.bits = QtWidgets.QSpinBox()
        self.bits.setRange(0, info.image.dtype.bits if info.image.dtype.kind == "u" else 0)
        said = f"{info.format.bits}, " if reading.bits is None else ""
        self.bits.setSpecialValueText(f"{said}as the file says")
        self.bits.setSuffix(" bit")
        self.bits.setValue(reading.bits or 0)
        self.bits.setEnabled(info.image.dtype.kind == "u" and info.format.packing == "none")
        self.bits.setToolTip("Significant bits of a value, such as 12 where they come in 16: what counts as white")
        self.turn = QtWidgets.QComboBox()
        for degrees in (0, 90, 180, 270):
            self.turn.addItem(f"by {degrees}° clockwise" if degrees else "as stored", degrees)
        self.turn.setCurrentIndex(self.turn.findData(reading.turn))
        self.turn.setToolTip("Places of tracks are those of the turned picture")
        form = QtWidgets.QFormLayout()
        form.addRow("Capture rate", self.rate)
        form.addRow("", self.gaps)
        form.addRow("Bits of a value", self.bits)
        form.addRow("Picture turned", self.turn)
        buttons = QtWidgets.QDialogButtonBox(
            QtWidgets.QDialogButtonBox.StandardButton.Ok | QtWidgets.QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(10)
        about = QtWidgets.QLabel("\n".join((info.time.note, *info.warnings)))
        about.setWordWrap(True)
        about.setProperty("muted", True)
        layout.addWidget(about)
        layout.addLayout(form)
        layout.addWidget(buttons)
        self.setMinimumWidth(420)

    @property
    def reading(self) -> Reading:
        """What the fields say."""
        turn = int(self.turn.currentData())
        return Reading(self.rate.value() or None, self.bits.value() or None, turn, self.gaps.isChecked())

    def accept(self) -> None:
        """Close, and have the clip read so."""
        super().accept()
        self._apply(self.reading)
