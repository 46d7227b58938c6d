"""How the points of a structure move at one peak, drawn over the picture: magnified, in slow motion, with sigma."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from pyqtgraph.Qt import QtCore, QtGui

from app.gui import theme
from app.gui.video.marks import OVER, Layer
from app.gui.video.tools import Brush
from app.gui.video.view import VideoView
from app.gui.video.written import write_words

Row = Mapping[str, Any]
TURN = 2.0
"""Seconds of one turn."""
BEAT = 40
"""Milliseconds between two drawings."""
FAR = 36.0
"""Pixels of the screen that the largest motion gets unless a magnification is given."""
NARROW = 0.2
"""Of the way along which points lie: those that lie less far apart across are joined by a line."""
SURE = 2.0
"""Times sigma that ellipses show."""


class Bending(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        video: over whose picture.

    Attributes:
        places, amplitudes, phases, sigmas: (P, 2) px, px, radians, px; what is drawn.
    """

    def __init__(self, video: VideoView) -> None:
        super().__init__(video)
        self._video = video
        self.places = self.amplitudes = self.phases = self.sigmas = np.zeros((0, 2))
        self._words = ""
        self._moving, self._times = True, 0
        self._began = time.monotonic()
        self._timer = QtCore.QTimer(self)
        self._timer.setInterval(BEAT)
        self._layer = Layer(OVER, self._draw)
        self._timer.timeout.connect(self._layer.update)
        video.box.addItem(self._layer, ignoreBounds=True)

    def show_rows(self, rows: Sequence[Row], per_px: float) -> None:
        """Draw one peak; () for nothing.

        Args:
            rows: of `fusetrack shapes --json`, both axes of each point.
            per_px: the unit of their amplitudes is a pixel divided by it.
        """
        count = len(rows) // 2
        name = next((key for key in rows[0] if key.startswith("amplitude_") and "sigma" not in key), "") if rows else ""
        sigma = name.replace("amplitude_", "amplitude_sigma_")

        def of(key: str) -> npt.NDArray[np.float64]:
            values = [0.0 if row[key] is None else float(row[key]) for row in rows]
            return np.array(values).reshape(count, 2)

        if count:
            self.places = np.stack((of("x_px")[:, 0], of("y_px")[:, 0]), axis=1)
            self.amplitudes, self.sigmas = of(name) / per_px, of(sigma) / per_px
            self.phases = np.radians(of("phase_deg"))
            self._words = f"{rows[0]['frequency_hz']:.5g} Hz"
        else:
            self.places = self.amplitudes = self.phases = self.sigmas = np.zeros((0, 2))
        self._run()

    def animate(self, on: bool) -> None:
        """Let them move, or stand where the reference point is farthest out."""
        self._moving = on
        self._run()

    def magnify(self, times: int) -> None:
        """Draw motions so many times larger than they are; 0 for so large that they can be seen."""
        self._times = times
        self._layer.update()

    def _run(self) -> None:
        if len(self.places) and self._moving:
            self._timer.start()
        else:
            self._timer.stop()
        self._layer.update()

    @property
    def running(self) -> bool:
        """Whether it is drawn again and again."""
        return bool(self._timer.isActive())

    def times(self, scale: float) -> float:
        """How many times larger motions are drawn, at so many pixels of the screen a pixel."""
        if self._times:
            return float(self._times)
        largest = float(self.amplitudes.max(initial=0.0))
        if not largest > 0:
            return 1.0
        raw = FAR / scale / largest
        power = 10.0 ** math.floor(math.log10(raw))
        return max(next(f * power for f in (5.0, 2.0, 1.0) if f * power <= raw * (1 + 1e-9)), 1e-3)

    def ways(self, turn: float) -> npt.NDArray[np.float64]:
        """(P, 2) px from the mean places, `turn` radians after the reference point was farthest out."""
        return np.asarray(self.amplitudes * np.cos(turn + self.phases))

    def _draw(self, brush: Brush) -> None:
        if not len(self.places):
            return
        painter, times = brush.painter, self.times(brush.scale)
        turn = 2 * math.pi * ((time.monotonic() - self._began) / TURN % 1.0) if self._moving else 0.0
        ends = self.places + times * self.ways(turn)
        faint, bright = QtGui.QColor(theme.DARK.text), QtGui.QColor(theme.DARK.warn)
        faint.setAlpha(90)
        painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
        rest, out = ([brush.at(tuple(place)) for place in some.tolist()] for some in (self.places, ends))
        order = self._line()
        if order is not None:
            for points, ink, width in ((rest, faint, 1.0), (out, bright, 1.6)):
                painter.setPen(QtGui.QPen(ink, width))
                painter.drawPolyline(QtGui.QPolygonF([points[k] for k in order]))
        for k, (a, b) in enumerate(zip(rest, out, strict=True)):
            painter.setPen(QtGui.QPen(faint, 1.0))
            painter.drawEllipse(a, 2.0, 2.0)
            painter.setPen(QtGui.QPen(bright, 2.0))
            painter.drawLine(a, b)
            wide, high = (SURE * times * brush.scale * self.sigmas[k]).tolist()
            painter.setPen(QtGui.QPen(bright, 1.0))
            if max(wide, high) > 1.0:
                painter.drawEllipse(b, wide, high)
            painter.setBrush(bright)
            painter.drawEllipse(b, 2.6, 2.6)
            painter.setBrush(QtCore.Qt.BrushStyle.NoBrush)
        box = self._video.box
        corner = box.mapToScene(box.boundingRect().topLeft())
        words = f"{self._words}, motion {times:g} times as large, ellipses {SURE:g} sigma"
        write_words(painter, corner.x() + 14, corner.y() + 24, words, theme.DARK.text)

    def _line(self) -> list[int] | None:
        """The order of points that lie along a line; None of others."""
        apart = np.ptp(self.places, axis=0)
        lying = int(apart[1] > apart[0])
        if len(self.places) < 3 or apart[1 - lying] > NARROW * apart[lying]:
            return None
        return [int(k) for k in np.argsort(self.places[:, lying])]
