"""A small note beside the track under the cursor: its name, place, uncertainty, score and state."""

from __future__ import annotations

import math
from html import escape

import numpy as np
from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.workbench import Workbench
from app.desk.tracks.problems import WORDS
from app.gui import theme
from app.gui.video.view import PICK, VideoView
from pipelines.features import Reason, State, sigmas

ALIKE = 0.2
"""Share by which the uncertainties of x and of y may differ and yet be told as one."""
_STATES = {
    State.TENTATIVE: "seen too few times yet", State.TRACKED: "seen", State.PREDICTED: "guessed", State.LOST: "lost",
}  # fmt: skip


def words(bench: Workbench, row: np.void) -> str:
    """What a row says, as lines."""
    calibration = bench.calibration
    x, y = calibration.points(np.array([row["x"]]), np.array([row["y"]]))
    lines = [f"x {x[0]:.5g}, y {y[0]:.5g} {calibration.unit}"]
    one_row = np.asarray(row).reshape(1)
    spread = calibration.spreads(*sigmas(one_row), one_row["correlation"].astype(np.float64))
    sx, sy = (float(one[0]) for one in spread)
    if sx == 0 and sy == 0:  # a tracker of displacements counts them from here: no uncertainty, and no measurement
        lines.append("the reference from which motion is measured")
    elif math.isfinite(sx):
        both = f"± {sx:.2g}, ± {sy:.2g}" if abs(sx - sy) > ALIKE * max(sx, sy) else f"± {np.sqrt(sx * sy):.2g}"
        lines.append(f"{both} {calibration.unit}")
    state = _STATES[State(int(row["state"]))]
    reason = int(row["reason"])
    if reason != Reason.NONE:
        state += f": {WORDS[Reason(reason)]}"
    lines.append(f"{state}, score {float(row['score']):.2f}")
    return "\n".join(lines)


class HoverTip(QtWidgets.QLabel):  # type: ignore[misc]
    """See the module.

    Args:
        bench: the state behind the window.
        video: where the cursor is.
    """

    def __init__(self, bench: Workbench, video: VideoView) -> None:
        super().__init__(video)
        self._bench, self._video = bench, video
        self._at: tuple[float, float] | None = None
        self.setObjectName("hoverTip")
        self.setAttribute(QtCore.Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setTextFormat(QtCore.Qt.TextFormat.RichText)
        self.hide()
        self.themed()
        video.box.hovered.connect(self._hover)
        video.box.left.connect(self._leave)
        video.pictured.connect(self.refresh)

    def themed(self) -> None:
        """The colours of the theme."""
        now = theme.current()
        self.setStyleSheet(f"#hoverTip {{ background: {now.panel}; color: {now.text}; border: 1px solid {now.line}; "
                           "border-radius: 4px; padding: 4px 7px; }")  # fmt: skip

    def _hover(self, x: float, y: float) -> None:
        self._at = (x, y)
        self.refresh()

    def _leave(self) -> None:
        self._at = None
        self.hide()

    def refresh(self) -> None:
        """Look again at what is under the cursor."""
        if self._at is None or not self._video.picking:
            self.hide()
            return
        track = self._video.overlay.nearest(*self._at, PICK / self._video.screen_scale)
        if track is None:
            self.hide()
            return
        rows = self._video.overlay.rows
        row = rows[np.flatnonzero(rows["track"] == track)[0]]
        colour = self._video.overlay.colour(track)
        body = "<br>".join(escape(line) for line in words(self._bench, row).split("\n"))
        self.setText(f"<span style='color:{colour}'>●</span> <b>{escape(self._bench.tracks.name(track))}</b><br>{body}")
        self.adjustSize()
        at = self._video.box.mapViewToScene(QtCore.QPointF(float(row["x"]), float(row["y"])))
        x, y = round(at.x()) + 16, round(at.y()) - self.height() - 10
        x = x if x + self.width() < self._video.width() else round(at.x()) - 16 - self.width()
        self.move(max(x, 0), max(y, 0))
        self.show()
        self.raise_()
