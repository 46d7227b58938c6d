"""Tracks over the picture: markers, names, trails, uncertainties, and what was lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui

from app.desk.tracks.problems import WORDS
from app.gui import theme
from pipelines.features import Reason, State, Tracks, no_tracks

MOST_RINGS = 800
"""Markers that are drawn as rings; more of them become dots, which cost a hundredth."""
MOST_NAMES = 150
MOST_SMOOTH = 1500
"""Steps of trails that are drawn with smooth edges, which costs three times as much."""
RADIUS = 6.0
"""Of a ring, in pixels of the screen."""
LOST_FRAMES = 120
"""Frames for which a lost point stays marked."""
OUTSIDE = 240.0
"""Pixels of the screen that marks and words may stand out of the picture; what is painted there is erased, too."""


@dataclass
class OverlayLook:
    """What is drawn.

    Args:
        markers, names, trails, uncertainty, lost: whether.
        trail: frames of a trail.
        magnify: times that uncertainties are drawn larger than they are.
        guesses: draw predicted and tentative points too.
    """

    markers: bool = True
    names: bool = True
    trails: bool = True
    uncertainty: bool = False
    lost: bool = True
    trail: int = 120
    magnify: float = 10.0
    guesses: bool = True


class Overlay(pyqtgraph.GraphicsObject):  # type: ignore[misc]
    """An item that draws rows of tracks; sizes are those of the screen, whatever the zoom.

    Args:
        name: what the user calls a track.
    """

    def __init__(self, name: Callable[[int], str] = str) -> None:
        super().__init__()
        self.look = OverlayLook()
        self._name = name
        self._rows = no_tracks()
        self._past = no_tracks()
        self._selected: frozenset[int] = frozenset()
        self._bounds = QtCore.QRectF()
        self._outside = 0.0
        self._trails: list[tuple[str, QtGui.QPainterPath, bool]] = []
        self.setZValue(10)

    def set_bounds(self, width: int, height: int) -> None:
        """The size of the picture."""
        self.prepareGeometryChange()
        self._bounds = QtCore.QRectF(-0.5, -0.5, width, height)

    def show_rows(self, rows: Tracks, past: Tracks) -> None:
        """Draw the rows of a frame and trails through those of the frames before it (by rising frame)."""
        self._rows, self._past = rows, past
        self._trails = self._paths() if self.look.trails and len(past) else []
        self.update()

    def select(self, tracks: frozenset[int]) -> None:
        """Draw these more strongly."""
        self._selected = tracks
        self._trails = self._paths() if self.look.trails and len(self._past) else []
        self.update()

    @property
    def rows(self) -> Tracks:
        """Of the frame that is shown."""
        return self._rows

    def nearest(self, x: float, y: float, reach: float) -> int | None:
        """The track whose marker lies nearest to a point (px), within `reach` px."""
        rows = self._rows[self._rows["state"] != State.LOST]
        if not len(rows):
            return None
        far = np.hypot(rows["x"] - x, rows["y"] - y)
        k = int(np.argmin(far))
        return int(rows["track"][k]) if far[k] <= reach else None

    def boundingRect(self) -> QtCore.QRectF:  # noqa: N802
        """The picture, and what may stand out of it."""
        far = self._outside
        return self._bounds.adjusted(-far, -far, far, far)

    def viewTransformChanged(self) -> None:  # noqa: N802
        """Zoomed: what stands out of the picture is as large as before on the screen."""
        wide = self.pixelWidth()
        far = OUTSIDE * wide if wide else 0.0
        if far != self._outside:
            self.prepareGeometryChange()
            self._outside = far

    def _paths(self) -> list[tuple[str, QtGui.QPainterPath, bool]]:
        """Trails, those of one colour in one path."""
        past = self._past
        past = past[(past["state"] == State.TRACKED) | (self.look.guesses & (past["state"] == State.PREDICTED))]
        if not len(past):
            return []
        past = past[np.argsort(past["track"], kind="stable")]
        made = []
        colours = len(theme.TRACK_COLOURS)
        chosen = np.isin(past["track"], list(self._selected))
        for strong in (False, True):
            for number in range(colours):
                part = past[(past["track"] % colours == number) & (chosen == strong)]
                if len(part) > 1:
                    near = np.append((np.diff(part["track"]) == 0) & (np.diff(part["frame"]) <= 3), False)
                    path = pyqtgraph.arrayToQPath(part["x"].copy(), part["y"].copy(), connect=near.astype(np.int32))
                    made.append((theme.TRACK_COLOURS[number], path, strong))
        return made

    def paint(self, painter: QtGui.QPainter, *_: Any) -> None:
        """Draw."""
        to_screen = painter.worldTransform()
        smooth = QtGui.QPainter.RenderHint.Antialiasing
        painter.setRenderHint(smooth, len(self._past) <= MOST_SMOOTH)
        for colour, path, strong in self._trails:
            painter.setPen(_pen(colour, 2.2 if strong else 1.0, 230 if strong or not self._selected else 110))
            painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
            painter.drawPath(path)
        if not len(self._rows) and not self.look.lost:
            return
        painter.save()
        painter.setRenderHint(smooth, len(self._rows) <= MOST_RINGS)
        painter.resetTransform()
        self._draw_points(painter, to_screen)
        painter.restore()

    def _draw_points(self, painter: QtGui.QPainter, to_screen: QtGui.QTransform) -> None:
        rows = self._rows
        live = rows[rows["state"] != State.LOST]
        if not self.look.guesses:
            live = live[live["state"] == State.TRACKED]
        scale = abs(to_screen.m11())
        x = to_screen.m11() * live["x"] + to_screen.m21() * live["y"] + to_screen.dx()
        y = to_screen.m12() * live["x"] + to_screen.m22() * live["y"] + to_screen.dy()
        if self.look.uncertainty and len(live) <= MOST_RINGS:
            self._draw_uncertainty(painter, live, x, y, scale)
        if self.look.markers and len(live) > MOST_RINGS:
            self._draw_dots(painter, live, x, y)
        elif self.look.markers:
            self._draw_rings(painter, live, x, y)
        if self.look.names:
            self._draw_names(painter, live, x, y)
        if self.look.lost:
            self._draw_lost(painter, to_screen)

    def _draw_dots(self, painter: QtGui.QPainter, rows: Tracks, x: Any, y: Any) -> None:
        colours = len(theme.TRACK_COLOURS)
        for number in range(colours):
            part = rows["track"] % colours == number
            if part.any():
                painter.setPen(_pen(theme.TRACK_COLOURS[number], 4.0))
                painter.drawPoints(pyqtgraph.functions.arrayToQPolygonF(x[part], y[part]))

    def _draw_rings(self, painter: QtGui.QPainter, rows: Tracks, x: Any, y: Any) -> None:
        painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
        for row, px, py in zip(rows, x.tolist(), y.tolist(), strict=True):
            track, state = int(row["track"]), int(row["state"])
            strong = track in self._selected
            pen = _pen(theme.TRACK_COLOURS[track % len(theme.TRACK_COLOURS)], 2.6 if strong else 1.6)
            if state != State.TRACKED:
                pen.setStyle(QtCore.Qt.PenStyle.DotLine)
            painter.setPen(pen)
            radius = RADIUS + 2.0 if strong else RADIUS
            painter.drawEllipse(QtCore.QPointF(px, py), radius, radius)
            if strong:
                painter.drawLine(QtCore.QPointF(px - 2, py), QtCore.QPointF(px + 2, py))
                painter.drawLine(QtCore.QPointF(px, py - 2), QtCore.QPointF(px, py + 2))

    def _draw_uncertainty(self, painter: QtGui.QPainter, rows: Tracks, x: Any, y: Any, scale: float) -> None:
        painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
        for row, px, py in zip(rows, x.tolist(), y.tolist(), strict=True):
            radius = float(row["sigma"]) * self.look.magnify * scale
            if 0.5 < radius < 1e4:
                colour = theme.TRACK_COLOURS[int(row["track"]) % len(theme.TRACK_COLOURS)]
                painter.setPen(_pen(colour, 1.0, 160))
                painter.drawEllipse(QtCore.QPointF(px, py), radius, radius)

    def _draw_names(self, painter: QtGui.QPainter, rows: Tracks, x: Any, y: Any) -> None:
        some = len(rows) <= MOST_NAMES
        for row, px, py in zip(rows, x.tolist(), y.tolist(), strict=True):
            track = int(row["track"])
            if some or track in self._selected:
                colour = theme.TRACK_COLOURS[track % len(theme.TRACK_COLOURS)]
                far = RADIUS + 2.0 if track in self._selected else RADIUS
                write_words(painter, px + far + 2, py - far + 1, self._name(track), colour)

    def _draw_lost(self, painter: QtGui.QPainter, to_screen: QtGui.QTransform) -> None:
        """Crosses where believed tracks ended a short while ago, with the reason."""
        both = np.concatenate((self._past, self._rows))
        lost = both[(both["state"] == State.LOST) & (both["reason"] != Reason.LEFT_IMAGE)]
        if not len(lost):
            return
        believed = np.unique(both["track"][both["state"] == State.TRACKED])
        newest = int(both["frame"].max())
        again = self._rows["track"][self._rows["state"] == State.TRACKED]  # put right meanwhile, or found again
        for row in lost[np.isin(lost["track"], believed) & ~np.isin(lost["track"], again)][-50:]:
            age = (newest - int(row["frame"])) / LOST_FRAMES
            if age >= 1:
                continue
            at = to_screen.map(QtCore.QPointF(float(row["x"]), float(row["y"])))
            painter.setPen(_pen(theme.DARK.bad, 1.8, int(255 * (1 - age))))
            for dx in (-1, 1):
                painter.drawLine(at + QtCore.QPointF(-5 * dx, -5), at + QtCore.QPointF(5 * dx, 5))
            if age < 0.5:
                words = f"{self._name(int(row['track']))}: {WORDS[Reason(int(row['reason']))]}"
                write_words(painter, at.x() + 8, at.y() + 4, words, theme.DARK.bad)


def _pen(colour: str, width: float, alpha: int = 255) -> QtGui.QPen:
    made = QtGui.QColor(colour)
    made.setAlpha(alpha)
    pen = QtGui.QPen(made, width)
    pen.setCosmetic(True)
    pen.setCapStyle(QtCore.Qt.PenCapStyle.RoundCap)
    return pen


def write_words(painter: QtGui.QPainter, x: float, y: float, text: str, colour: str) -> None:
    """Words with a dark edge, to be read on any ground; y is that of their base line."""
    picture, descent = _words(text, colour, painter.device().devicePixelRatioF())
    painter.drawPixmap(QtCore.QPointF(round(x) - 1, round(y) + descent - picture.height() / picture.devicePixelRatio()),
                       picture)  # fmt: skip


@lru_cache(4096)
def _words(text: str, colour: str, ratio: float) -> tuple[QtGui.QPixmap, int]:
    """A picture of some words, drawn once: with their edge they cost five drawings of text."""
    font = QtGui.QFont()
    font.setPointSizeF(8.5)
    metrics = QtGui.QFontMetrics(font)
    width, height, descent = metrics.horizontalAdvance(text) + 3, metrics.height() + 2, metrics.descent() + 1
    picture = QtGui.QPixmap(round(width * ratio), round(height * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(QtCore.Qt.GlobalColor.transparent)
    painter = QtGui.QPainter(picture)
    painter.setFont(font)
    painter.setPen(QtGui.QColor(0, 0, 0, 200))
    base = height - descent
    for dx, dy in ((0, 0), (2, 0), (1, -1), (1, 1)):
        painter.drawText(QtCore.QPointF(dx, base + dy), text)
    painter.setPen(QtGui.QColor(colour))
    painter.drawText(QtCore.QPointF(1, base), text)
    painter.end()
    return picture, descent
