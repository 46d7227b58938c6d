"""A's picture over B's: left of an edge that is drawn over, or how far both are apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.engine.picture_box import Shown
from app.desk.tracks.colouring import TrackColours
from app.gui import theme
from app.gui.video.colours import Levels
from app.gui.video.image_item import ImageItem
from app.gui.video.overlay import Overlay
from app.gui.video.side_label import CornerNote
from app.gui.video.view import VideoView
from pipelines.features import Tracks
from pipelines.frame import Pixels

TAKEN = 6.0
"""Pixels of the screen within which the edge is taken."""
UNDER, OVER = 4.0, 12.0
"""Below B's marks and tracks (which are drawn at 5 and 10), and over them."""


class Curtain(QtWidgets.QGraphicsRectItem):  # type: ignore[misc]
    """Lies over B's picture, and cuts off what is beyond its edge.

    Args:
        video: B.
        name: what A's tracks are called.
        drawn: called with the share when the edge is dragged.
        colours: which colours they have.

    Attributes:
        share: of the picture's width that A has.
        apart: whether the difference is shown, over the whole picture.
    """

    def __init__(
        self, video: VideoView, name: Callable[[int], str], drawn: Callable[[float], object],
        colours: Callable[[], TrackColours] = TrackColours,
    ) -> None:  # fmt: skip
        super().__init__()
        self._video = video
        self.share, self.apart = 0.5, False
        self.image, self.overlay = ImageItem(), Overlay(name, colours)
        self.setFlag(QtWidgets.QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape)
        self.setPen(QtGui.QPen(QtCore.Qt.PenStyle.NoPen))
        self.edge = Edge(lambda x: drawn(self._share_at(x)))
        self.note = CornerNote(video)
        self.image.setParentItem(self)
        self.overlay.setParentItem(self)
        for item in (self, self.edge):
            video.box.addItem(item, ignoreBounds=True)
        self._pair: tuple[Shown, Shown] | None = None
        self.set_share(self.share)

    def set_share(self, share: float) -> None:
        """Draw the curtain to a share of the picture's width."""
        self.share = share
        whole = self._video.image.mapRectToParent(self._video.image.boundingRect())
        width = whole.width() if self.apart else whole.width() * share
        self.setRect(QtCore.QRectF(whole.left(), whole.top(), width, whole.height()))
        self.edge.place(whole.left() + width, whole.top(), whole.bottom())
        self.edge.setVisible(not self.apart)

    def _share_at(self, x: float) -> float:
        whole = self._video.image.mapRectToParent(self._video.image.boundingRect())
        return float(min(1.0, max(0.0, (x - whole.left()) / whole.width())))

    def set_apart(self, apart: bool) -> None:
        """Show the difference of both, or A."""
        self.apart = apart
        self.setZValue(UNDER if apart else OVER)
        self.overlay.setVisible(not apart)
        self.set_share(self.share)
        if self._pair is not None:
            self.show_pair(self._pair, self.overlay.rows, None)

    def show_pair(self, pair: tuple[Shown, Shown], rows: Tracks, past: Tracks | None, stale: bool = False) -> None:
        """Both pictures of one frame; `rows` and `past` are A's tracks, None for those before as they were; `stale`:
        B's is of a pipeline before, and says nothing about the one that it is compared with."""
        self._pair = pair
        a, b = pair
        self.image.setPos(self._video.image.pos())
        if self.apart and self.comparable() and a.output == b.output and not stale:
            found = difference(a.pixels, b.pixels)
            self.image.show_picture(found)
            most = float(found.max(initial=0.0))
            self.image.set_look(Levels(0.0, most if most > 0 else 1.0), "gray")
            self.note.say(f"|A - B|: black is 0, white {most:.4g}" if most > 0 else "A and B are equal in every pixel")
        else:
            self.image.show_picture(a.pixels)
            self.image.set_look(self._video.levels, self._video.table)
            waits = self.apart and self.comparable()  # one of them still shows another stage
            why = "B is compiled anew" if stale else f"A shows {_stage(a)}, B shows {_stage(b)}"
            self.note.say(f"waiting: {why}" if waits else "")
        self.set_share(self.share)
        self.overlay.set_bounds(self.image.mapRectToParent(self.image.boundingRect()))
        if past is not None:
            self.overlay.show_rows(rows, past)

    def comparable(self) -> bool:
        """Whether both pictures have one size."""
        return self._pair is None or self._pair[0].pixels.shape[:2] == self._pair[1].pixels.shape[:2]

    def leave(self) -> None:
        """There is nothing to compare any more."""
        for item in (self, self.edge):
            self._video.box.removeItem(item)
        self.note.leave()


class Edge(pyqtgraph.GraphicsObject):  # type: ignore[misc]
    """The edge between A and B, which can be dragged to the sides.

    Args:
        dragged: called with x, in px of the picture.
    """

    def __init__(self, dragged: Callable[[float], object]) -> None:
        super().__init__()
        self._dragged = dragged
        self._line = QtCore.QLineF()
        self._near = 0.0
        self._pen = QtGui.QPen(QtGui.QColor(theme.DARK.warn), 2)
        self._pen.setCosmetic(True)
        self.setZValue(OVER + 1)
        self.setCursor(QtCore.Qt.CursorShape.SplitHCursor)
        self.setToolTip("A is left of it, B right; drag it")

    def place(self, x: float, top: float, bottom: float) -> None:
        """From top to bottom at x, px of the picture."""
        self.prepareGeometryChange()
        self._line = QtCore.QLineF(x, top, x, bottom)

    def viewTransformChanged(self) -> None:  # noqa: N802
        """As easily taken as before, whatever the zoom."""
        self.prepareGeometryChange()
        self._near = TAKEN * (self.pixelWidth() or 0.0)

    def boundingRect(self) -> QtCore.QRectF:  # noqa: N802
        """Where it can be taken."""
        x, near = self._line.x1(), self._near
        return QtCore.QRectF(x - near, self._line.y1(), 2 * near, self._line.dy())

    def paint(self, painter: QtGui.QPainter, *_: Any) -> None:
        """Draw."""
        painter.setPen(self._pen)
        painter.drawLine(self._line)

    def mouseDragEvent(self, event: Any) -> None:  # noqa: N802
        """Draw the curtain."""
        if event.button() != QtCore.Qt.MouseButton.LeftButton:
            event.ignore()
            return
        event.accept()
        self._dragged(self.mapFromScene(event.scenePos()).x())


def _stage(shown: Shown) -> str:
    return shown.output or "the clip"


def difference(a: Pixels, b: Pixels) -> Any:
    """|a - b| of two pictures of one size, f4 of shape (height, width): of several channels the largest.

    >>> difference(np.uint8([[3, 250]]), np.uint8([[5, 0]]))
    array([[  2., 250.]], dtype=float32)
    """
    a, b = (x if x.ndim == max(a.ndim, b.ndim) else x[..., None] for x in (a, b))
    apart = np.abs(a.astype(np.float32) - b.astype(np.float32))
    found = apart.max(axis=2) if apart.ndim == 3 else apart
    return np.nan_to_num(found, nan=0.0, posinf=0.0)
