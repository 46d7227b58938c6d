"""A dialog about a data channel: what its file holds, which columns are shown, and where its times come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pyqtgraph.Qt import QtCore, QtWidgets

from app.channels.channel import SECONDS, Channel, ChannelColumn, Contents
from app.channels.files import look
from kernels.errors import FusetrackError, InputError

MARKS = (("as found", ""), ("tab", "\t"), ("semicolon ;", ";"), ("comma ,", ","), ("bar |", "|"), ("blanks", " "))
POINTS = (("as found", ""), ("point 1.5", "."), ("comma 1,5", ","))
RATE = "from the sample rate"
MOST_RATE = 1e10


class ChannelDialog(QtWidgets.QDialog):  # type: ignore[misc]
    """See the module.

    Args:
        parent: the window.
        channel: as it was or is read; of one that is opened now its path alone.
        contents: of its file.
        apply: called with how it shall be read, when the user agrees; what it raises is said here.

    Attributes:
        columns: a row a column: whether it is shown, its unit, a factor. boxes: the first of these. preview: the first
            rows of the file.
        delimiter, decimal, clock, unit, rate: the fields. words: why it cannot be read so. ok: the button.
    """

    def __init__(
        self, parent: QtWidgets.QWidget, channel: Channel, contents: Contents, apply: Callable[[Channel], object]
    ) -> None:
        super().__init__(parent)
        self._channel, self._contents, self._apply = channel, contents, apply
        self._path = Path(channel.path)
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Data channel {self._path.name}")
        self.delimiter, self.decimal = QtWidgets.QComboBox(), QtWidgets.QComboBox()
        for combo, choices, value, tip in (
            (self.delimiter, MARKS, channel.delimiter, "What separates the numbers of a row"),
            (self.decimal, POINTS, channel.decimal, "The mark in front of decimals"),
        ):
            for words, mark in choices:
                combo.addItem(words, mark)
            combo.setCurrentIndex(max(0, combo.findData(value)))
            combo.setToolTip(tip)
        self.clock = QtWidgets.QComboBox()
        self.clock.setToolTip("The column with the time of each sample, or a fixed rate")
        self.unit = QtWidgets.QComboBox()
        self.unit.addItems(list(SECONDS))
        self.unit.setToolTip("In what the times are")
        self.rate = QtWidgets.QDoubleSpinBox()
        self.rate.setDecimals(6)
        self.rate.setRange(0.0, MOST_RATE)
        self.rate.setSuffix(" samples/s")
        self.rate.setToolTip("Samples a second of the channel")
        self.boxes: list[QtWidgets.QCheckBox] = []
        self.columns = QtWidgets.QTableWidget(0, 3)
        self.columns.setHorizontalHeaderLabels(["show", "unit", "factor"])
        self.columns.setToolTip("Which columns are shown, in what unit, and by what the numbers of the file are "
                                "multiplied (volts of a load cell by N/V)")  # fmt: skip
        self.columns.verticalHeader().hide()
        self.columns.horizontalHeader().setSectionResizeMode(0, QtWidgets.QHeaderView.ResizeMode.Stretch)
        self.columns.setMinimumHeight(120)
        self.preview = QtWidgets.QTableWidget()
        self.preview.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
        self.preview.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.NoSelection)
        self.preview.setToolTip("The first rows of the file")
        self.preview.setMaximumHeight(150)
        self.preview.verticalHeader().hide()
        self.words = QtWidgets.QLabel()
        self.words.setWordWrap(True)
        buttons = QtWidgets.QDialogButtonBox(
            QtWidgets.QDialogButtonBox.StandardButton.Ok | QtWidgets.QDialogButtonBox.StandardButton.Cancel
        )
        self.ok = buttons.button(QtWidgets.QDialogButtonBox.StandardButton.Ok)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form = QtWidgets.QFormLayout()
        self._text = contents.kind == "CSV"
        if self._text:
            row = QtWidgets.QHBoxLayout()
            for words, combo in (("between numbers", self.delimiter), ("decimals", self.decimal)):
                label = QtWidgets.QLabel(words)
                label.setProperty("muted", True)
                row.addWidget(label)
                row.addWidget(combo)
            row.addStretch(1)
            form.addRow("Written with", row)
        times = QtWidgets.QHBoxLayout()
        for widget in (self.clock, self.unit, self.rate):
            times.addWidget(widget)
        times.addStretch(1)
        form.addRow("Times", times)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(10)
        layout.addWidget(self.preview)
        layout.addLayout(form)
        layout.addWidget(self.columns, 1)
        layout.addWidget(self.words)
        layout.addWidget(buttons)
        self.setMinimumWidth(520)
        self._fill(first=True)
        for combo in (self.delimiter, self.decimal):
            combo.currentIndexChanged.connect(lambda _: self._look())
        self.clock.currentIndexChanged.connect(lambda _: self._arrange())

    # --------------------------------------------------------------------------------------------------- filling

    def _fill(self, first: bool) -> None:
        contents, channel = self._contents, self._channel
        chosen = {column.name: column for column in channel.columns} if first else {}
        names = [column.name for column in contents.columns]
        self.clock.blockSignals(True)
        self.clock.clear()
        self.clock.addItem(RATE, "")
        if contents.kind != "WAV":
            for name in names:
                self.clock.addItem(name, name)
        clock = contents.clock(channel) if first else contents.time
        self.clock.setCurrentIndex(max(0, self.clock.findData(clock)))
        self.clock.blockSignals(False)
        self.unit.setCurrentText((channel.time_unit if first else "") or contents.time_unit)
        self.rate.setValue((channel.rate if first else None) or contents.rate or 1000.0)
        self.columns.setRowCount(0)
        self.columns.setRowCount(len(names))
        self.boxes = []
        beside = [name for name in names if name != clock]
        for row, column in enumerate(contents.columns):
            known = chosen.get(column.name)
            shown = column.name in chosen if chosen else column.name == (beside[0] if beside else "")
            box = QtWidgets.QCheckBox(column.name)
            box.setToolTip(f"Whether {column.name} is shown")
            box.setChecked(shown)
            self.boxes.append(box)
            self.columns.setCellWidget(row, 0, box)
            self.columns.setItem(row, 1, QtWidgets.QTableWidgetItem(known.unit if known else column.unit))
            self.columns.setItem(row, 2, QtWidgets.QTableWidgetItem(f"{known.factor:g}" if known else "1"))
        wide = max((len(row) for row in contents.preview), default=0)
        self.preview.setRowCount(len(contents.preview))
        self.preview.setColumnCount(wide)
        self.preview.horizontalHeader().setVisible(self._text)
        self.preview.setHorizontalHeaderLabels([names[k] if k < len(names) else "" for k in range(wide)])
        for row, cells in enumerate(contents.preview):
            for place, cell in enumerate(cells):
                self.preview.setItem(row, place, QtWidgets.QTableWidgetItem(cell))
        self.words.setText(" ".join(contents.notes))
        self._arrange()

    def _arrange(self) -> None:
        clock = str(self.clock.currentData() or "")
        self.unit.setVisible(bool(clock))
        self.rate.setVisible(not clock)
        for row, box in enumerate(self.boxes):
            self.columns.setRowHidden(row, bool(clock) and box.text() == clock)

    def _look(self) -> None:
        """Look into the file again, written with other marks."""
        try:
            self._contents = look(self._path, str(self.delimiter.currentData()), str(self.decimal.currentData()))
        except InputError as error:
            self.words.setText(str(error))
            self.ok.setEnabled(False)
            return
        self.ok.setEnabled(True)
        self._fill(first=False)

    # -------------------------------------------------------------------------------------------------- answering

    @property
    def channel(self) -> Channel:
        """What the fields say.

        Raises:
            InputError: they say nothing that makes sense.
        """
        clock = str(self.clock.currentData() or "")
        columns = []
        for row, name in enumerate(self.boxes):
            unit, factor = (self.columns.item(row, k) for k in (1, 2))
            if not name.isChecked() or name.text() == clock:
                continue
            try:
                times = float(factor.text().replace(",", "."))
            except ValueError:
                raise InputError(f"{name.text()} is multiplied by a number, not by {factor.text()!r}") from None
            columns.append(ChannelColumn(name.text(), unit.text().strip(), times))
        if not columns:
            raise InputError("choose a column")
        if not clock and not self.rate.value():
            raise InputError("say how many samples a second the channel has, or which column holds the times")
        own = self._contents.rate == self.rate.value()  # what the file says is not said again
        return replace(
            self._channel, columns=tuple(columns), time=clock, time_unit=self.unit.currentText() if clock else "",
            rate=None if clock or own else self.rate.value(), delimiter=str(self.delimiter.currentData()),
            decimal=str(self.decimal.currentData()),
        )  # fmt: skip

    def accept(self) -> None:
        """Close, and have it read so."""
        try:
            self._apply(self.channel)
        except FusetrackError as error:
            self.words.setText(str(error))
            return
        super().accept()
