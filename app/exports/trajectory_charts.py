"""x and y of tracks against time: the two charts beside a picture of trajectories."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from app.exports.chart import Panel, paint_frame, panel_of
from app.exports.drawing import GREY, Picture, colour_of, label, text
from app.exports.ranges import usual
from app.exports.trajectory_lines import TrajectoryLines
from pipelines.features import State

LABELLED = 20
"""Tracks up to which the curves have numbers, too."""


class TrajectoryCharts:
    """See the module.

    Args:
        lines: what is drawn.
        scale: pixels a unit of the layout.
    """

    def __init__(self, lines: TrajectoryLines, scale: int) -> None:
        self._lines, self._scale = lines, scale

    def paint(self, canvas: npt.NDArray[np.uint8], places: Sequence[tuple[int, int, int, int]]) -> None:
        """x into the first place, y into the second: (left, top, width, height), in units of the layout."""
        lines, scale = self._lines, self._scale
        label = "frame" if lines.unit == "frame" else f"time ({lines.unit})"
        # Guesses may fly far off; the axis belongs to what was seen.
        seen = lines.line["state"] != State.PREDICTED
        relative = self._moves_little("x") or self._moves_little("y")
        for name, where, last in zip("xy", places, (False, True), strict=True):
            values = lines.line[name].astype(np.float64)
            if relative:
                values -= np.repeat(values[lines.starts], np.diff(np.append(lines.starts, len(values))))
            down = ", down" if name == "y" else ""
            words = f"{name} - start (px{down})" if relative else f"{name} (px{down})"
            # y points down in the picture, and so it does here.
            fits = usual(values, lines.line["track"], seen)
            panel = panel_of(where, lines.t, values, down=name == "y", ranged=fits)
            paint_frame(canvas, panel, label if last else "", words, scale, grid=True)
            if not len(lines.line):
                x, y, w, h = (v * scale for v in where)
                text(canvas, "no tracks", x + w / 2, y + h / 2, size=0.5 * scale, colour=GREY, outline=False, align=0.5)
            # Against time, colours by time would tell nothing.
            at = panel.at(lines.t, values, scale)
            lines.draw(panel.inside(canvas, scale), at - panel.corner(scale), "id")
            self._numbers(canvas, panel, at)
            self._cut(canvas, panel, values, seen)

    def _numbers(self, canvas: npt.NDArray[np.uint8], panel: Panel, at: Picture) -> None:
        """The tracks' numbers at their curves' ends; those at the right edge stand beside it, none over another."""
        lines, scale = self._lines, self._scale
        if not 1 < len(lines.ids) <= LABELLED:
            return
        size, step = 0.34 * scale, 13.0 * scale
        right, top = (panel.left + panel.width) * scale, panel.top * scale
        bottom = top + panel.height * scale
        outside: list[tuple[float, int]] = []
        for last in lines.ends.tolist():
            x, y, track = float(at[last, 0]), float(at[last, 1]), int(lines.line["track"][last])
            y = min(max(y, top + 6.0 * scale), bottom - 2.0 * scale)
            if x > right - 24 * scale:
                outside.append((y, track))
            else:
                label(canvas, str(track), x + 4 * scale, y, size, colour_of(lines.place(track)))
        outside.sort()
        step = min(step, panel.height * scale / max(1, len(outside)))
        wanted = np.array([y for y, _ in outside])
        rows = np.arange(len(outside)) * step
        # Downwards as far as the one above asks, then upwards from the bottom.
        wanted = np.maximum.accumulate(wanted - rows) + rows
        over = bottom - (len(outside) - 1 - np.arange(len(outside))) * step
        for (_, track), y in zip(outside, np.minimum(wanted, over).tolist(), strict=True):
            label(canvas, str(track), right + 5 * scale, y + 4 * scale, size, colour_of(lines.place(track)))

    def _cut(self, canvas: npt.NDArray[np.uint8], panel: Panel, values: Picture, seen: Picture) -> None:
        """Say which tracks leave the panel."""
        lines, scale = self._lines, self._scale
        low, high = min(panel.y0, panel.y1), max(panel.y0, panel.y1)
        tracks = np.unique(lines.line["track"][seen & ((values < low) | (values > high))]).tolist()
        if tracks:
            words = f"track{'s' if len(tracks) > 1 else ''} {', '.join(map(str, tracks))}" if len(tracks) < 5 else ""
            words = f"beyond the axis: {words or f'parts of {len(tracks)} tracks'}"
            if len(seen):
                words += f" ({values[seen].min():.4g} to {values[seen].max():.4g})"
            x, y = (panel.left + 8) * scale, (panel.top + 16) * scale
            label(canvas, words, x, y, 0.34 * scale, GREY)

    def _moves_little(self, name: str) -> bool:
        """Whether the tracks move little compared with their distances: then motion from the start on is shown."""
        lines = self._lines
        values = lines.line[name]
        if len(lines.starts) < 2:
            return False
        moved = np.maximum.reduceat(values, lines.starts) - np.minimum.reduceat(values, lines.starts)
        return float(np.median(moved)) < 0.2 * float(np.ptp(values))
