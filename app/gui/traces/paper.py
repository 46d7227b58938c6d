"""The curves as they are put on paper: on white ground, whatever the window looks like."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.workbench import Workbench
from app.gui import theme
from app.gui.traces.bar import TracesBar
from app.gui.traces.curves import COLUMNS
from app.gui.traces.plots import Plots

SIZE = (800, 260)
"""Width, and height of one plot, in pixels of 1/96 inch."""


class Paper:
    """Draws what is drawn once more, in light colours, with the same limits.

    Args:
        owner: the widget with which it goes; Qt takes a scene apart well only as a part of a window.
        bench: the state behind the window.
        bar: the row of choices.
    """

    def __init__(self, owner: QtWidgets.QWidget, bench: Workbench, bar: TracesBar) -> None:
        self._owner, self._bench, self._bar = owner, bench, bar
        self._made: Plots | None = None

    def figure(self, drawn: Plots) -> Plots:
        """The curves of `drawn` at the size of the paper; the next call draws into the same."""
        assert drawn.found is not None
        bar = self._bar
        words, tip = bar.words.text(), bar.words.toolTip()
        made = self._made = self._blank() if self._made is None else self._made
        count = sum(plot.isVisible() for plot in drawn.plots)
        made.graphics.resize(SIZE[0], SIZE[1] if count == 1 else round(SIZE[1] * 1.7))
        made.themed()
        made.graphics.show()
        made.draw(found=drawn.found)
        bar.words.setText(words)
        bar.words.setToolTip(tip)
        for cursor in made.cursors:
            cursor.hide()
        for own, shown in zip(made.plots, drawn.plots, strict=True):
            own.vb.setRange(QtCore.QRectF(shown.vb.viewRect()), padding=0)
        made.part.hide()
        made.thin_all(COLUMNS)
        return made

    def _blank(self) -> Plots:
        made = Plots(self._bench, self._bar, theme.LIGHT)
        made.setParent(self._owner)
        made.part.words.setParent(self._owner)
        made.graphics.setParent(self._owner, QtCore.Qt.WindowType.Window)
        made.graphics.setAttribute(QtCore.Qt.WidgetAttribute.WA_DontShowOnScreen)
        return made
