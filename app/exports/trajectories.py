"""One picture of all trajectories: over the clip's background on the left (or on top), x and y against time beside it.

`TrajectoryPicture` takes the rows while they come and holds a bounded number of them (`app.exports.thinning`).
"""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.exports.atomic import write_bytes
from app.exports.chart import Panel, paint_frame
from app.exports.drawing import (
    DARK,
    GREY,
    SHIFT,
    WHITE,
    Picture,
    ascii_text,
    colour_of,
    encoded,
    find_levels,
    fixed,
    label,
    label_width,
    polylines,
    text,
    text_width,
    to_display,
)
from app.exports.thinning import MOST_ROWS, ThinnedRows
from app.exports.trajectory_charts import TrajectoryCharts
from app.exports.trajectory_lines import MANY, TIME_COLOURS, TrajectoryLines, time_colours
from kernels.host.opencv import cv2
from pipelines.features import State, Tracks

GROUND = np.rint(255 * 0.45 * (np.arange(256) / 255) ** 0.7).astype(np.uint8)
"""How the ground's grey levels are shown: dim, so that lines stand out, yet with its dark parts raised."""
MARGIN = 52
"""Right of everything; the curves' numbers stand there."""
SCALE = 2
"""Pixels of the picture for one of the layout: fine lines and letters on any screen."""


@dataclass(frozen=True, slots=True)
class PictureStyle:
    """How the picture looks.

    Args:
        colour_by: "id", "time", or "" for ids of up to 40 tracks and time beyond.
        title: the first line; the clip's name.
        rgb: True if a colour background is red, green, blue; False for blue, green, red.
        levels: pixel values of the background shown black and white; None: found in it.
        timed: False where nobody knows the rate: the charts count frames then.
    """

    colour_by: str = ""
    title: str = ""
    rgb: bool = True
    levels: tuple[float, float] | None = None
    timed: bool = True


def draw_trajectories(
    path_png: str | os.PathLike[str],
    tracks: Tracks,
    background: Picture | None,
    width: int,
    height: int,
    style: PictureStyle | None = None,
) -> None:
    """Write the picture of `tracks` as PNG.

    Args:
        tracks: rows of TRACK_DTYPE, any order.
        background: the mean or the first frame, (height, width) or with channels, any dtype; None for black.
        width, height: of the clip, px.
        style: how it looks.

    Raises:
        InputError: the file cannot be written.
    """
    picture = TrajectoryPicture(width, height)
    picture.add(tracks)
    picture.save(path_png, background, style)


class TrajectoryPicture:
    """Collects rows with flat memory and paints them at the end.

    Args:
        width, height: of the clip, px.
        most_rows: rows held (66 bytes each).
    """

    def __init__(self, width: int, height: int, most_rows: int = MOST_ROWS) -> None:
        self._width, self._height = width, height
        self._rows = ThinnedRows(most_rows)

    def add(self, rows: Tracks) -> None:
        """Take rows of TRACK_DTYPE, of any frames; they are copied."""
        self._rows.add(rows)

    def save(
        self, path_png: str | os.PathLike[str], background: Picture | None, style: PictureStyle | None = None
    ) -> None:
        """Write the picture; as in `draw_trajectories`."""
        write_bytes(path_png, encoded(self.paint(background, style)))

    def paint(self, background: Picture | None, style: PictureStyle | None = None) -> npt.NDArray[np.uint8]:
        """The picture as (height, width, 3) blue, green, red bytes."""
        held = self._rows
        return _Painter(self._width, self._height, held, style or PictureStyle()).paint(background)


class _Painter:
    def __init__(self, width: int, height: int, held: ThinnedRows, style: PictureStyle) -> None:
        self.width, self.height, self.style = width, height, style
        self.lines = TrajectoryLines(held, style.colour_by, style.timed)

    def paint(self, background: Picture | None) -> npt.NDArray[np.uint8]:
        wide = self.width > 1.8 * self.height
        room = (1120, 620) if wide else (640, 640)
        zoom = min(room[0] / self.width, room[1] / self.height)
        shown = (max(60, round(self.width * zoom)), max(40, round(self.height * zoom)))
        left, top, gap = 64, 62, 92
        if wide:
            total = (left + max(shown[0], 900) + MARGIN, top + shown[1] + 64 + 2 * 220 + 92)
            y0 = top + shown[1] + 74
            charts = [(left, y, total[0] - left - MARGIN, 190) for y in (y0, y0 + 222)]
        else:
            high = max(shown[1], 420)
            x0 = left + shown[0] + gap
            total = (x0 + 620 + MARGIN, top + high + 92)
            half = (high - 34) // 2
            charts = [(x0, top, 620, half), (x0, top + half + 34, 620, high - half - 34)]
        canvas = np.empty((total[1] * SCALE, total[0] * SCALE, 3), np.uint8)
        canvas[:] = DARK
        place = Panel(left, top, *shown, -0.5, self.width - 0.5, -0.5, self.height - 0.5)
        self._background(canvas, place, background)
        paint_frame(canvas, place, "x (px)", "y (px)", SCALE, grid=False)
        self._picture(canvas, place)
        TrajectoryCharts(self.lines, SCALE).paint(canvas, charts)
        self._words(canvas, total)
        return canvas

    def _background(self, canvas: npt.NDArray[np.uint8], place: Panel, background: Picture | None) -> None:
        view = place.inside(canvas, SCALE)
        view[:] = 12
        if background is not None:
            grey = to_display(background, self.style.levels or find_levels([background]), self.style.rgb)
            size = (view.shape[1], view.shape[0])
            how = cv2.INTER_AREA if size[0] < grey.shape[1] else cv2.INTER_CUBIC
            view[:] = cv2.resize(cv2.LUT(grey, GROUND), size, interpolation=how)

    def _picture(self, canvas: npt.NDArray[np.uint8], place: Panel) -> None:
        lines, view = self.lines, place.inside(canvas, SCALE)
        at = place.at(lines.line["x"], lines.line["y"], SCALE) - place.corner(SCALE)
        lines.draw(view, at, lines.by)
        index, colours = lines.colours(lines.by)
        lost = set(lines.rows["track"][lines.rows["state"] == State.LOST].tolist())
        many = len(lines.ids) > MANY
        radius, thick = (2.5, 1) if many else (5.0, 2)
        for first, last in zip(lines.starts.tolist(), lines.ends.tolist(), strict=True):
            centre = tuple(fixed(at[first]).tolist())
            cv2.circle(view, centre, int(fixed(radius)), colours[index[first]], cv2.FILLED, cv2.LINE_AA, SHIFT)
            x, y = at[last]
            track = int(lines.line["track"][last])
            if track in lost:
                for sign in (-1, 1):
                    arm = [fixed([(x - radius, y - sign * radius), (x + radius, y + sign * radius)])]
                    polylines(view, arm, WHITE, thick)
            else:
                centre = tuple(fixed((x, y)).tolist())
                cv2.circle(view, centre, int(fixed(radius + 2)), WHITE, thick, cv2.LINE_AA, SHIFT)
            if not many:
                words, size = str(track), 0.36 * SCALE
                # At the right edge the id goes to the left of its place.
                right = x + 12 + label_width(words, size) < view.shape[1]
                x = x + 12 if right else x - 12
                x -= 0 if right else label_width(words, size)
                label(view, words, x, max(y - 10, 20), size, colour_of(lines.place(track)))

    def _words(self, canvas: npt.NDArray[np.uint8], total: tuple[int, int]) -> None:
        lines, s = self.lines, SCALE
        count = f"{len(lines.ids)} track{'' if len(lines.ids) == 1 else 's'}"
        if lines.left_out:
            count += f" ({lines.left_out} short ones not drawn)"
        title = ascii_text(self.style.title)
        text(canvas, title or count, 64 * s, 34 * s, size=0.58 * s, outline=False)
        if title:
            text(canvas, count, (total[0] - MARGIN) * s, 34 * s, size=0.42 * s, colour=GREY, outline=False, align=1.0)
        x, y = 64 * s, (total[1] - 22) * s
        cv2.circle(canvas, (x + 8, y - 8), 5, WHITE, cv2.FILLED, cv2.LINE_AA)
        x = self._note(canvas, "start", x + 22, y)
        cv2.circle(canvas, (x + 8, y - 8), 7, WHITE, 2, cv2.LINE_AA)
        x = self._note(canvas, "end", x + 24, y)
        cv2.line(canvas, (x + 3, y - 13), (x + 13, y - 3), WHITE, 2, cv2.LINE_AA)
        cv2.line(canvas, (x + 3, y - 3), (x + 13, y - 13), WHITE, 2, cv2.LINE_AA)
        x = self._note(canvas, "lost", x + 24, y)
        cv2.line(canvas, (x, y - 8), (x + 30, y - 8), tuple(v // 2 for v in WHITE), 2, cv2.LINE_AA)
        x = self._note(canvas, "predicted", x + 40, y)
        if lines.by_time and len(lines.t):
            for k, colour in enumerate(time_colours()):
                canvas[y - 16 : y, x + 6 * k : x + 6 * k + 6] = colour
            words = f"{lines.t.min():.4g} to {lines.t.max():.4g} {'' if lines.unit == 'frame' else lines.unit}".rstrip()
            self._note(canvas, f"{'frame ' if lines.unit == 'frame' else ''}{words}", x + 6 * TIME_COLOURS + 12, y)

    def _note(self, canvas: npt.NDArray[np.uint8], words: str, x: int, y: int) -> int:
        text(canvas, words, x, y, size=0.4 * SCALE, colour=GREY, outline=False)
        return x + text_width(words, 0.4 * SCALE) + 36
