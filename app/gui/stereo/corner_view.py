"""The picture of one camera with what was found in it, and how far projections are from that."""

from __future__ import annotations

import numpy as np
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtWidgets

from app.gui import theme
from app.gui.stereo.picture_reader import Picture
from app.gui.video.side_label import CornerNote
from pipelines.stereo.camera_model import Array

GROUND = 40
"""Gray of a picture that is not there."""


class CornerView(pyqtgraph.GraphicsView):  # type: ignore[misc]
    """See the module. The wheel zooms, dragging moves, a double click shows all.

    Attributes:
        image: the picture. path, corners, first, misses: corners in their order, each, the first, and lines from them
            to their projections, drawn `times` longer. seen: the corners that are drawn. times: how much longer.
    """

    def __init__(self) -> None:
        super().__init__()
        self.box = pyqtgraph.ViewBox(lockAspect=True, invertY=True, enableMenu=False, defaultPadding=0.01)
        self.setCentralItem(self.box)
        self.image = pyqtgraph.ImageItem(axisOrder="row-major")
        self.path, self.misses = pyqtgraph.PlotCurveItem(), pyqtgraph.PlotCurveItem(connect="pairs")
        self.corners, self.first = pyqtgraph.ScatterPlotItem(pxMode=True), pyqtgraph.ScatterPlotItem(pxMode=True)
        for item in (self.image, self.path, self.misses, self.corners, self.first):
            self.box.addItem(item)
        self.note = CornerNote(self)
        self.seen: Array = np.empty((0, 2))
        self.times = 1.0
        self._size = (0, 0)
        self.setMinimumSize(140, 110)
        self.setToolTip("Yellow: what was found, in its order, from the ring; red: from there to where the calibration "
                        "puts it, drawn longer. The wheel zooms, a double click shows all")  # fmt: skip
        self.themed()

    def show_picture(self, picture: Picture | None, size: tuple[int, int]) -> None:
        """A frame; without one a plain ground of so many px."""
        if picture is None:
            picture = np.full((size[1], size[0]), GROUND, np.uint8)
        self.image.setImage(picture, autoLevels=False, levels=(0, 255))
        self.image.setRect(QtCore.QRectF(-0.5, -0.5, picture.shape[1], picture.shape[0]))
        now = (picture.shape[1], picture.shape[0])
        if now != self._size:
            self._size = now
            self.fit()

    def show_found(self, seen: Array, wrong: Array, words: str, joined: bool) -> None:
        """What was found.

        Args:
            seen: (N, 2) px, NaN of what was not.
            wrong: (N, 2) px, seen less projected; NaN where it does not count.
            words: in the corner.
            joined: whether it has an order.
        """
        good = np.isfinite(seen).all(axis=1)
        self.seen = seen[good]
        colours = theme.current()
        line = self.seen if joined else np.empty((0, 2))
        self.path.setData(line[:, 0].copy(), line[:, 1].copy(), pen=pyqtgraph.mkPen("#f0b429", width=1))
        self.corners.setData(self.seen[:, 0].copy(), self.seen[:, 1].copy(), symbol="o", size=5,
                             pen=pyqtgraph.mkPen("#f0b429", width=1.2), brush=None)  # fmt: skip
        self.first.setData(self.seen[:1, 0].copy(), self.seen[:1, 1].copy(), symbol="o", size=14,
                           pen=pyqtgraph.mkPen("#f0b429", width=2), brush=None)  # fmt: skip
        counts = good & np.isfinite(wrong).all(axis=1)
        ends = np.stack((seen[counts], seen[counts] - self.times * wrong[counts]), axis=1).reshape(-1, 2)
        self.misses.setData(ends[:, 0].copy(), ends[:, 1].copy(), pen=pyqtgraph.mkPen(colours.bad, width=2))
        self.note.say(words)

    def clear(self) -> None:
        """Show nothing."""
        self.image.clear()
        self.show_found(np.empty((0, 2)), np.empty((0, 2)), "", False)

    def fit(self) -> None:
        """Show all of it."""
        width, height = self._size
        self.box.setRange(QtCore.QRectF(-0.5, -0.5, max(width, 1), max(height, 1)), padding=0.01)

    def mouseDoubleClickEvent(self, event: object) -> None:  # noqa: N802
        """Show all of it."""
        del event
        self.fit()

    def themed(self) -> None:
        """Take the colours of the theme."""
        self.setBackground(theme.current().surround)


class CornerViews(QtWidgets.QWidget):  # type: ignore[misc]
    """The pictures of all cameras side by side.

    Attributes:
        views: one a camera.
    """

    def __init__(self) -> None:
        super().__init__()
        self.views: list[CornerView] = []
        self._row = QtWidgets.QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(4)

    def set_count(self, count: int) -> None:
        """Have so many."""
        while len(self.views) > count:
            view = self.views.pop()
            view.setParent(None)
            view.deleteLater()
        while len(self.views) < count:
            view = CornerView()
            self.views.append(view)
            self._row.addWidget(view, 1)

    def themed(self) -> None:
        """Take the colours of the theme."""
        for view in self.views:
            view.themed()
