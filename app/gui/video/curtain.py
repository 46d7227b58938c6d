"""A's picture over B's: left of an edge that is drawn over, or how far both are apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from pyqtgraph.Qt import QtCore, QtGui, QtWidgets

from app.desk.engine.picture_box import Shown
from app.gui import theme
from app.gui.video.colours import auto_levels
from app.gui.video.image_item import ImageItem
from app.gui.video.overlay import Overlay
from app.gui.video.view import VideoView
from pipelines.features import Tracks
from pipelines.frame import Pixels

UNDER, OVER = 4.0, 12.0
"""Below B's marks and tracks (which are drawn at 5 and 10), and over them."""


class Curtain(QtWidgets.QGraphicsRectItem):  # type: ignore[misc]
    """Lies over B's picture, and cuts off what is beyond its edge.

    Args:
        video: B.
        name: what A's tracks are called.

    Attributes:
        share: of the picture's width that A has.
        apart: whether the difference is shown, over the whole picture.
    """

    def __init__(self, video: VideoView, name: Callable[[int], str]) -> None:
        super().__init__()
        self._video = video
        self.share, self.apart = 0.5, False
        self.image, self.overlay = ImageItem(), Overlay(name)
        self.setFlag(QtWidgets.QGraphicsItem.GraphicsItemFlag.ItemClipsChildrenToShape)
        self.setPen(QtGui.QPen(QtCore.Qt.PenStyle.NoPen))
        pen = QtGui.QPen(QtGui.QColor(theme.DARK.warn), 2)
        pen.setCosmetic(True)
        self.edge = QtWidgets.QGraphicsLineItem()
        self.edge.setPen(pen)
        self.edge.setZValue(OVER + 1)
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
        self.edge.setLine(whole.left() + width, whole.top(), whole.left() + width, whole.bottom())
        self.edge.setVisible(not self.apart)

    def set_apart(self, apart: bool) -> None:
        """Show the difference of both, or A."""
        self.apart = apart
        self.setZValue(UNDER if apart else OVER)
        self.overlay.setVisible(not apart)
        self.set_share(self.share)
        if self._pair is not None:
            self.show_pair(self._pair, self.overlay.rows, None)

    def show_pair(self, pair: tuple[Shown, Shown], rows: Tracks, past: Tracks | None) -> None:
        """Both pictures of one frame; `rows` and `past` are A's tracks, None for those before as they were."""
        self._pair = pair
        a, b = pair
        self.image.setPos(self._video.image.pos())
        if self.apart and self.comparable():
            found = difference(a.pixels, b.pixels)
            self.image.show_picture(found)
            self.image.set_look(auto_levels(found), "gray")
        else:
            self.image.show_picture(a.pixels)
            self.image.set_look(self._video.levels, self._video.table)
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


def difference(a: Pixels, b: Pixels) -> Any:
    """|a - b| of two pictures of one size, f4 of shape (height, width): of several channels the largest.

    >>> difference(np.uint8([[3, 250]]), np.uint8([[5, 0]]))
    array([[  2., 250.]], dtype=float32)
    """
    a, b = (x if x.ndim == max(a.ndim, b.ndim) else x[..., None] for x in (a, b))
    apart = np.abs(a.astype(np.float32) - b.astype(np.float32))
    found = apart.max(axis=2) if apart.ndim == 3 else apart
    return np.nan_to_num(found, nan=0.0, posinf=0.0)
