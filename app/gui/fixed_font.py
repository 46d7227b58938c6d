"""A font whose letters are all as wide as each other, for tables and programs."""

from __future__ import annotations

from pyqtgraph.Qt import QtGui, QtWidgets


def fixed_font(smaller: float = 0.0) -> QtGui.QFont:
    """The platform's; where that has letters of different widths (Qt without a desktop), the first that has not.

    Args:
        smaller: points less than the window's own font.
    """
    font = QtGui.QFontDatabase.systemFont(QtGui.QFontDatabase.SystemFont.FixedFont)
    if not QtGui.QFontInfo(font).fixedPitch():
        known = QtGui.QFontDatabase()
        families = [name for name in known.families() if known.isFixedPitch(name) and known.isSmoothlyScalable(name)]
        if families:
            font = QtGui.QFont(min(families, key=lambda name: "mono" not in name.lower()))
    font.setStyleHint(QtGui.QFont.StyleHint.Monospace)
    font.setPointSizeF(max(8.0, QtWidgets.QApplication.font().pointSizeF() - smaller))
    return font
