"""Tracks over the picture: markers, names, skeletons, trails, uncertainties, and what was lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyqtgraph
from pyqtgraph.Qt import QtCore, QtGui

from app.desk.tracks.colouring import TrackColours
from app.desk.tracks.grades import RAMP, Grades
from app.desk.tracks.problems import WORDS
from app.exports.path_picture import By
from app.exports.skeletons import Skeletons, ring_radius
from app.gui import theme
from app.gui.video.labels import place_labels
from app.gui.video.trails import Drawn, trail_paths
from app.gui.video.written import extent, height, width_of, write_words
from pipelines.features import GONE, TRACK_DTYPE, Reason, State, Tracks, ellipses, no_tracks

MOST_RINGS = 800
"""Markers that are drawn as rings; more of them become dots, which cost a hundredth."""
MOST_SMOOTH = 1500
"""Steps of trails that are drawn with smooth edges, which costs three times as much."""
RADIUS = 6.0
"""Of a ring, in pixels of the screen."""
DOTS = 2.5
"""Radius of rings below which they are drawn as dots, those of selected tracks left out."""
MOST_LOST = 50
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
        whole: trails over all of the clip (`app.gui.video.paths`), not of the last `trail` frames.
        by: what the colours of trails tell.
        only: trails of the selected tracks alone, where some are.
    """

    markers: bool = True
    names: bool = True
    trails: bool = True
    uncertainty: bool = False
    lost: bool = True
    trail: int = 120
    magnify: float = 10.0
    guesses: bool = True
    whole: bool = False
    by: By = "track"
    only: bool = False


class Overlay(pyqtgraph.GraphicsObject):  # type: ignore[misc]
    """An item that draws rows of tracks; sizes are those of the screen, whatever the zoom.

    Args:
        name: what the user calls a track.
        colours: which colour each track has.
        skeletons: which of them are joined by lines.

    Attributes:
        look: what is drawn. grades: which colours speeds and times have.
    """

    def __init__(
        self, name: Callable[[int], str] = str, colours: Callable[[], TrackColours] = TrackColours,
        skeletons: Callable[[], Skeletons] = Skeletons,
    ) -> None:  # fmt: skip
        super().__init__()
        self.look = OverlayLook()
        self._name, self._colours, self._skeletons = name, colours, skeletons
        self._rows = no_tracks()
        self._past = no_tracks()
        self._lost = no_tracks()
        self._newest = 0
        self._selected: frozenset[int] = frozenset()
        self._hovered: int | None = None
        self._mute = self._covered = False
        self._bounds = QtCore.QRectF()
        self._outside = 0.0
        self._trails: Drawn = []
        self.grades = Grades()
        self.setZValue(10)

    def set_bounds(self, bounds: QtCore.QRectF) -> None:
        """The picture, px; nothing is drawn that is outside."""
        if bounds != self._bounds:
            self.prepareGeometryChange()
            self._bounds = QtCore.QRectF(bounds)

    def show_rows(self, rows: Tracks, past: Tracks) -> None:
        """Draw the rows of a frame and trails through those of the frames before it (by rising frame)."""
        self._rows, self._past = rows, past
        self._lost, self._newest = self._find_lost() if self.look.lost else (no_tracks(), 0)
        self._trails = self._paths()
        self.update()

    def select(self, tracks: frozenset[int]) -> None:
        """Draw these more strongly."""
        self._selected = tracks
        self._trails = self._paths()
        self.update()

    def hover(self, track: int | None) -> None:
        """The track under the cursor, whose name is written before those of others."""
        if track != self._hovered:
            self._hovered = track
            self.update()

    def mute(self, mute: bool) -> None:
        """Write no names, where a tool writes its own at the same places."""
        self._mute = mute
        self.update()

    def cover(self, covered: bool) -> None:
        """Draw the selected tracks alone, where a field over the picture shows what all of them do."""
        if covered != self._covered:
            self._covered = covered
            self.update()

    @property
    def bounds(self) -> QtCore.QRectF:
        """The picture, px."""
        return self._bounds

    @property
    def rows(self) -> Tracks:
        """Of the frame that is shown."""
        return self._rows

    @property
    def past(self) -> Tracks:
        """Of the frames before it, for the trails."""
        return self._past

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

    def _paths(self) -> Drawn:
        """Trails, those of one colour in one path."""
        look, past = self.look, self._past
        if not look.trails or look.whole or not len(past):
            return []
        if look.only and self._selected:
            past = past[np.isin(past["track"], list(self._selected))]
        if look.by == "track":
            return trail_paths(past, self._selected, look.guesses, self._bounds, len(theme.TRACK_COLOURS),
                               numbers=self._colours().numbers)  # fmt: skip
        return trail_paths(past, self._selected, look.guesses, self._bounds, len(RAMP), shades=self.grades.shades(
            look.by, past, look.trail))  # fmt: skip

    def colour(self, track: int) -> str:
        """Of a track."""
        return theme.TRACK_COLOURS[self._colours().number(track)]

    def paint(self, painter: QtGui.QPainter, *_: Any) -> None:
        """Draw."""
        to_screen = painter.worldTransform()
        smooth = QtGui.QPainter.RenderHint.Antialiasing
        painter.setRenderHint(smooth, len(self._past) <= MOST_SMOOTH)
        painter.save()
        painter.setClipRect(self._bounds, QtCore.Qt.ClipOperation.IntersectClip)
        if not self._covered:
            draw_trails(painter, self._trails, self.look.by, bool(self._selected))
        painter.restore()
        if not len(self._rows) and not self.look.lost:
            return
        painter.save()
        painter.setRenderHint(smooth, len(self._rows) <= MOST_RINGS)
        # From here on in pixels of the screen, so that marks are as large at any zoom.
        painter.resetTransform()
        self._draw_points(painter, to_screen)
        painter.restore()

    def _draw_points(self, painter: QtGui.QPainter, to_screen: QtGui.QTransform) -> None:
        rows = self._rows
        edge = self._bounds
        live = rows[(rows["state"] != State.LOST) & (rows["x"] >= edge.left()) & (rows["x"] <= edge.right())
                    & (rows["y"] >= edge.top()) & (rows["y"] <= edge.bottom())]  # fmt: skip
        if not self.look.guesses:
            live = live[live["state"] == State.TRACKED]
        if self._covered:
            live = live[np.isin(live["track"], list(self._selected))]
        scale = abs(to_screen.m11())
        x = to_screen.m11() * live["x"] + to_screen.m21() * live["y"] + to_screen.dx()
        y = to_screen.m12() * live["x"] + to_screen.m22() * live["y"] + to_screen.dy()
        radius = ring_radius(np.stack((x, y), axis=1), RADIUS)
        if self.look.markers:
            self._draw_edges(painter, live, x, y)
        if self.look.uncertainty and len(live) <= MOST_RINGS:
            self._draw_uncertainty(painter, live, x, y, scale)
        if self.look.markers and len(live) > MOST_RINGS:
            self._draw_dots(painter, live, x, y)
        elif self.look.markers:
            small = (radius < DOTS) & ~np.isin(live["track"], list(self._selected))
            self._draw_dots(painter, live[small], x[small], y[small], max(1.5, 2 * radius))
            self._draw_rings(painter, live[~small], x[~small], y[~small], radius)
        self._draw_lost(painter, to_screen)
        if radius < RADIUS / 2:  # so many that their names would cover the picture
            live = live[np.isin(live["track"], [*self._selected, -1 if self._hovered is None else self._hovered])]
        self._draw_words(painter, to_screen, live if self.look.names and not self._mute else live[:0])

    def _draw_edges(self, painter: QtGui.QPainter, rows: Tracks, x: Any, y: Any) -> None:
        """Lines between the points of an animal, of its colour; dotted where an end is a guess."""
        pairs, animals = self._skeletons().joined(rows)
        if not len(pairs):
            return
        smooth = QtGui.QPainter.RenderHint.Antialiasing
        painter.setRenderHint(smooth, len(pairs) <= MOST_RINGS)
        guessed = (rows["state"][pairs] != State.TRACKED).any(axis=1)
        number = animals % len(theme.TRACK_COLOURS)
        # Lines of one colour and kind are one path.
        for one, dotted in np.unique(np.stack((number, guessed), axis=1), axis=0).tolist():
            chosen = pairs[(number == one) & (guessed == bool(dotted))].ravel()
            path = pyqtgraph.arrayToQPath(x[chosen], y[chosen], connect="pairs")
            pen = _pen(theme.TRACK_COLOURS[one], 1.4, 200)
            if dotted:
                pen.setStyle(QtCore.Qt.PenStyle.DotLine)
            painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
            painter.setPen(pen)
            painter.drawPath(path)
        painter.setRenderHint(smooth, len(self._rows) <= MOST_RINGS)

    def _draw_dots(self, painter: QtGui.QPainter, rows: Tracks, x: Any, y: Any, wide: float = 4.0) -> None:
        numbers = self._colours().numbers(rows["track"])
        for number, colour in enumerate(theme.TRACK_COLOURS):
            part = numbers == number
            if part.any():
                painter.setPen(_pen(colour, wide))
                painter.drawPoints(pyqtgraph.functions.arrayToQPolygonF(x[part], y[part]))

    def _draw_rings(self, painter: QtGui.QPainter, rows: Tracks, x: Any, y: Any, usual: float) -> None:
        painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
        for row, px, py in zip(rows, x.tolist(), y.tolist(), strict=True):
            track, state = int(row["track"]), int(row["state"])
            strong = track in self._selected
            pen = _pen(self.colour(track), 2.6 if strong else 1.6)
            if state != State.TRACKED:
                pen.setStyle(QtCore.Qt.PenStyle.DotLine)
            painter.setPen(pen)
            radius = RADIUS + 2.0 if strong else usual
            painter.drawEllipse(QtCore.QPointF(px, py), radius, radius)
            if strong:
                painter.drawLine(QtCore.QPointF(px - 2, py), QtCore.QPointF(px + 2, py))
                painter.drawLine(QtCore.QPointF(px, py - 2), QtCore.QPointF(px, py + 2))

    def _draw_uncertainty(self, painter: QtGui.QPainter, rows: Tracks, x: Any, y: Any, scale: float) -> None:
        painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
        longer, shorter, turn = ellipses(rows)
        axes = (one * (self.look.magnify * scale) for one in (longer, shorter))
        columns = (one.tolist() for one in (rows["track"], x, y, *axes, np.degrees(turn)))
        for track, px, py, a, b, degrees in zip(*columns, strict=True):
            # Ellipses too small to be seen, and those of an unknown place.
            if 0.5 < a < 1e4:
                painter.setPen(_pen(self.colour(track), 1.0, 160))
                painter.save()
                painter.translate(px, py)
                painter.rotate(degrees)
                painter.drawEllipse(QtCore.QPointF(0.0, 0.0), a, b)
                painter.restore()

    def _draw_words(self, painter: QtGui.QPainter, to_screen: QtGui.QTransform, rows: Tracks) -> None:
        """Names of these rows, and why tracks were lost a short while ago, where there is room."""
        lost = self._lost[self._newest - self._lost["frame"] < LOST_FRAMES // 2]
        tracks, ended = rows["track"].tolist(), lost["track"].tolist()
        words = [self._name(track) for track in tracks]
        words += [f"{self._name(int(row['track']))}: {WORDS[Reason(int(row['reason']))]}" for row in lost]
        colours = [self.colour(track) for track in tracks]
        colours += [theme.DARK.bad] * len(ended)
        widths = np.array([width_of(text) for text in words], np.float64)
        chosen = np.isin([*tracks, *ended], list(self._selected))
        far = np.where(chosen, RADIUS + 2.0, RADIUS)
        first = chosen if self._hovered is None else chosen | (np.array([*tracks, *ended]) == self._hovered)
        size = extent(painter.device())
        px, py = (np.concatenate((rows[name], lost[name])).astype(np.float64) for name in ("x", "y"))
        x = to_screen.m11() * px + to_screen.m21() * py + to_screen.dx()
        y = to_screen.m12() * px + to_screen.m22() * py + to_screen.dy()
        for k, left, base in place_labels(x, y, widths, height(), far, first, size):
            write_words(painter, left, base, words[k], colours[k])

    def _find_lost(self) -> tuple[Tracks, int]:
        """Rows of believed tracks that ended a short while ago, and the newest frame."""
        parts = [part[(part["state"] == State.LOST) & ~np.isin(part["reason"], GONE)]
                 for part in (self._past, self._rows)]  # fmt: skip
        newest = max((int(part["frame"].max()) for part in (self._past, self._rows) if len(part)), default=0)
        fields = list(TRACK_DTYPE.names or ())  # some have measures of spots, and rows of before may have none
        lost = np.concatenate([part[fields] for part in parts])
        edge = self._bounds
        lost = lost[(lost["frame"] > newest - LOST_FRAMES) & (lost["x"] >= edge.left()) & (lost["x"] <= edge.right())
                    & (lost["y"] >= edge.top()) & (lost["y"] <= edge.bottom())]  # fmt: skip
        if not len(lost):
            return lost, newest
        believed = [part["track"][part["state"] == State.TRACKED] for part in (self._past, self._rows)]
        again = believed[1]  # put right meanwhile, or found again
        # A candidate that was never believed is not lost, nor is a track that was found again.
        good = np.isin(lost["track"], np.concatenate(believed)) & ~np.isin(lost["track"], again)
        return lost[good][-MOST_LOST:], newest

    def _draw_lost(self, painter: QtGui.QPainter, to_screen: QtGui.QTransform) -> None:
        """Crosses where they ended, with the reason."""
        for row in self._lost:
            age = (self._newest - int(row["frame"])) / LOST_FRAMES
            at = to_screen.map(QtCore.QPointF(float(row["x"]), float(row["y"])))
            painter.setPen(_pen(theme.DARK.bad, 1.8, int(255 * (1 - age))))
            for dx in (-1, 1):
                painter.drawLine(at + QtCore.QPointF(-5 * dx, -5), at + QtCore.QPointF(5 * dx, 5))


def draw_trails(painter: QtGui.QPainter, trails: Drawn, by: By, some: bool) -> None:
    """Draw trails; where `some` are selected, those of others are faint."""
    colours = theme.TRACK_COLOURS if by == "track" else RAMP
    painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
    for number, path, strong in trails:
        painter.setPen(_pen(colours[number], 2.2 if strong else 1.0, 230 if strong or not some else 110))
        painter.drawPath(path)


def _pen(colour: str, width: float, alpha: int = 255) -> QtGui.QPen:
    made = QtGui.QColor(colour)
    made.setAlpha(alpha)
    pen = QtGui.QPen(made, width)
    pen.setCosmetic(True)
    pen.setCapStyle(QtCore.Qt.PenCapStyle.RoundCap)
    return pen
