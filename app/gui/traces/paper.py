"""The curves as they are put on paper: on white ground, whatever the window looks like."""

from __future__ import annotations

from pyqtgraph.Qt import QtCore

from app.desk.workbench import Workbench
from app.gui import theme
from app.gui.traces.bar import TracesBar
from app.gui.traces.plots import Plots

SIZE = (800, 260)
"""Width, and height of one plot, in pixels of 1/96 inch."""


def figure(drawn: Plots, bench: Workbench, bar: TracesBar) -> Plots:
    """What is drawn, drawn again in light colours, with the same limits."""
    assert drawn.found is not None
    words, tip = bar.words.text(), bar.words.toolTip()
    made = Plots(bench, bar, theme.LIGHT)
    made.graphics.setAttribute(QtCore.Qt.WidgetAttribute.WA_DontShowOnScreen)
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
        for region in made.part.regions:
            region.hide()
    return made
