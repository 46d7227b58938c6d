"""The columns of parameters that are one below the other: names with units, sliders, numbers, the way back. A name
that there is no room for is above what belongs to it.

All widths but those of sliders and buttons go with the font, so that nothing is cut where letters are large.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.gui.elided import Elided

LEAST, MOST = 13.5, 26
"""Widths in digits: the least and the largest of names with their units."""
WIDE_NUMBERS = ("-0.00888", "-8.88e-8", "88888.8")
"""Numbers that have room."""
FOUND = " (auto)"
"""Behind a number that was found on the clip; there is room for it behind every one, so that columns stay columns."""
FRAME = 16
"""Pixels around a number."""
WIDEST = 2**24 - 1
"""Pixels: as wide as Qt lets a widget be."""
SLIDER, GOOD_SLIDER, GAP, BACK = 40, 70, 5, 24
"""Pixels: the least width of a slider, and that before names have more; between columns; the button behind them."""


class Name(Elided):
    """A parameter's name or unit; one longer than the row is cut, and the row's tip has all of it."""

    def full(self) -> int:
        """Pixels that it needs, when bold."""
        font = QtGui.QFont(self.font())
        font.setBold(True)
        return int(QtGui.QFontMetrics(font).horizontalAdvance(self.text())) + 2


class Head(QtWidgets.QToolButton):  # type: ignore[misc]
    """The heading of a section, with an arrow; Qt cuts it where there is no room, and its tip has all of it."""

    def __init__(self, words: str, tip: str) -> None:
        super().__init__()
        self.setText(words)
        self.setToolTip(f"{words}\n{tip}")
        self.setToolButtonStyle(QtCore.Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Preferred, QtWidgets.QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QtCore.QSize:  # noqa: N802
        """Its arrow and a letter or two."""
        height = int(super().sizeHint().height())
        return QtCore.QSize(2 * height, height)


class Row(Protocol):
    """What is in a row."""

    label: Name
    unit: Name
    slider: QtWidgets.QSlider | None
    control: QtWidgets.QWidget
    back: QtWidgets.QToolButton

    def arrange(self, above: bool, name: int) -> None: ...


@dataclass(frozen=True, slots=True)
class Widths:
    """Widths for a font, in pixels.

    Args:
        least, most: of names with their units.
        number: of numbers.
    """

    least: int
    most: int
    number: int

    @classmethod
    def of(cls, font: QtGui.QFont) -> Widths:
        """Of a font."""
        metrics = QtGui.QFontMetrics(font)
        digit = metrics.horizontalAdvance("0")
        number = max(metrics.horizontalAdvance(text + FOUND) for text in WIDE_NUMBERS)
        return cls(round(LEAST * digit), round(MOST * digit), number + FRAME)

    @property
    def others(self) -> int:
        """All but names and sliders."""
        return self.number + BACK + 4 * GAP

    @property
    def row(self) -> int:
        """The least width of a row in which nothing but names has to be above it."""
        return self.others + self.least + SLIDER


def align(rows: Sequence[Row], room: int, font: QtGui.QFont) -> None:
    """Give the columns of rows that are one below the other one width each; a unit is at the right end of the
    column of names.

    Args:
        room: pixels that a row has.
        font: of the rows.
    """
    if not rows:
        return
    widths = Widths.of(font)
    units = [row.unit.sizeHint().width() if row.unit.text() else 0 for row in rows]
    # All names before their controls, if they fit; else sliders get more, and long names a line of their own.
    wanted = max(row.label.full() + unit for row, unit in zip(rows, units, strict=True))
    left = room - widths.others
    good = min(wanted, left - (SLIDER if wanted <= left - SLIDER else GOOD_SLIDER))  # or some names are above anyway
    column = max(widths.least, min(widths.most, good))
    for row, unit in zip(rows, units, strict=True):
        row.arrange(row.label.full() > column - unit, column - unit)
        row.unit.setFixedWidth(unit)
        row.back.setFixedWidth(BACK)
        if row.slider is not None:
            row.control.setFixedWidth(widths.number)
