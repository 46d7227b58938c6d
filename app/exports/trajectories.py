"""One picture of all trajectories: over the clip's background on the left (or on top), x and y against time beside it.

`TrajectoryPicture` takes the rows while they come and holds a bounded number of them (`app.exports.thinning`).
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.exports.atomic import write_bytes
from app.exports.chart import Panel, paint_frame, panel_of
from app.exports.drawing import (
    DARK,
    GREY,
    PALETTE,
    SHIFT,
    WHITE,
    Colour,
    Picture,
    ascii_text,
    colour_of,
    find_levels,
    fixed,
    label,
    label_width,
    polylines,
    text,
    text_width,
    to_display,
)
from app.exports.ranges import believed_order, usual
from app.exports.thinning import MOST_ROWS, ThinnedRows
from kernels.host.opencv import cv2
from pipelines.features import State, Tracks
from pipelines.trackers.base import confirmed

TIME_COLOURS = 32
MANY = 40
"""Tracks beyond which lines are thin and nothing is labelled."""
LABELLED = 20
"""Tracks up to which the curves have numbers, too."""
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
        done, data = cv2.imencode(".png", self.paint(background, style))
        assert done
        write_bytes(path_png, data.tobytes())

    def paint(self, background: Picture | None, style: PictureStyle | None = None) -> npt.NDArray[np.uint8]:
        """The picture as (height, width, 3) blue, green, red bytes."""
        held = self._rows
        return _Painter(self._width, self._height, held, style or PictureStyle()).paint(background)


class _Painter:
    def __init__(self, width: int, height: int, held: ThinnedRows, style: PictureStyle) -> None:
        rows = confirmed(held.rows)
        self.width, self.height, self.rows, self.style, self.left_out = width, height, rows, style, held.left_out
        # A LOST row's place is a guess; it only says that and where the track ended.
        self.line = rows[rows["state"] != State.LOST]
        self.ids = np.unique(self.line["track"])
        known = style.timed and bool(len(rows)) and bool(np.isfinite(rows["time"]).all())
        self.t = self.line["time"] if known else self.line["frame"].astype(np.float64)
        span = float(np.ptp(self.t)) if len(self.t) else 0.0
        self.unit, factor = ("frame", 1.0) if not known else ("s", 1.0) if span >= 2 else ("ms", 1e3)
        self.t = self.t * factor
        self.by_time = style.colour_by == "time" or (not style.colour_by and len(self.ids) > MANY)
        edge = np.diff(self.line["track"]) != 0
        on = held.joined(self.line)
        self.joined = np.flatnonzero(on)  # row i goes on to i + 1
        self.alone = np.flatnonzero(~(np.append(False, on) | np.append(on, False))[: len(self.line)])
        self.starts = np.flatnonzero(np.append(True, edge)) if len(self.line) else np.zeros(0, np.int64)
        self.ends = np.flatnonzero(np.append(edge, True)) if len(self.line) else np.zeros(0, np.int64)
        self.places = believed_order(rows)

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
        self._charts(canvas, charts)
        self._words(canvas, total)
        return canvas

    def _background(self, canvas: npt.NDArray[np.uint8], place: Panel, background: Picture | None) -> None:
        view = _inner(canvas, place)
        view[:] = 12
        if background is not None:
            grey = to_display(background, self.style.levels or find_levels([background]), self.style.rgb)
            size = (view.shape[1], view.shape[0])
            how = cv2.INTER_AREA if size[0] < grey.shape[1] else cv2.INTER_CUBIC
            view[:] = cv2.resize(cv2.LUT(grey, GROUND), size, interpolation=how)

    def _colours(self, by_time: bool) -> tuple[npt.NDArray[np.int64], Sequence[Colour]]:
        """An index for each row, and the colours that the indices stand for."""
        if not by_time:
            places = np.array([self._place(k) for k in self.line["track"][self.starts].tolist()], np.int64)
            return np.repeat(places, self.ends - self.starts + 1), PALETTE
        low, span = (float(self.t.min()), float(np.ptp(self.t))) if len(self.t) else (0.0, 0.0)
        share = (self.t - low) / span if span > 0 else np.zeros(len(self.t))
        return np.minimum((share * TIME_COLOURS).astype(np.int64), TIME_COLOURS - 1), time_colours()

    def _place(self, track: int) -> int:
        return self.places.get(track, track) % len(PALETTE)

    def _lines(self, view: npt.NDArray[np.uint8], at: Picture, by_time: bool) -> None:
        """All trajectories into a panel's pixels; guessed stretches dim."""
        pieces = fixed(np.stack((at[self.joined], at[self.joined + 1]), axis=1))
        index, colours = self._colours(by_time)
        guessed = self.line["state"] == State.PREDICTED
        either = guessed[self.joined] | guessed[self.joined + 1]  # the way back from a guess is one, too
        for guess in (True, False):
            for k, colour in enumerate(colours):
                chosen = (index[self.joined] == k) & (either == guess)
                shade = tuple(round(v * (0.5 if guess else 1.0)) for v in colour)
                polylines(view, list(pieces[chosen]), shade, 1 if len(self.ids) > MANY else 2)
        for k in self.alone.tolist():  # what no line reaches
            shade = tuple(round(v * (0.5 if guessed[k] else 1.0)) for v in colours[index[k]])
            cv2.circle(view, tuple(fixed(at[k]).tolist()), int(fixed(1.5)), shade, cv2.FILLED, cv2.LINE_AA, SHIFT)

    def _picture(self, canvas: npt.NDArray[np.uint8], place: Panel) -> None:
        view, at = _inner(canvas, place), place.at(self.line["x"], self.line["y"], SCALE) - _corner(place)
        self._lines(view, at, self.by_time)
        index, colours = self._colours(self.by_time)
        lost = set(self.rows["track"][self.rows["state"] == State.LOST].tolist())
        many = len(self.ids) > MANY
        radius, thick = (2.5, 1) if many else (5.0, 2)
        for first, last in zip(self.starts.tolist(), self.ends.tolist(), strict=True):
            centre = tuple(fixed(at[first]).tolist())
            cv2.circle(view, centre, int(fixed(radius)), colours[index[first]], cv2.FILLED, cv2.LINE_AA, SHIFT)
            x, y = at[last]
            track = int(self.line["track"][last])
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
                label(view, words, x, max(y - 10, 20), size, colour_of(self._place(track)))

    def _charts(self, canvas: npt.NDArray[np.uint8], places: Sequence[tuple[int, int, int, int]]) -> None:
        label = "frame" if self.unit == "frame" else f"time ({self.unit})"
        # Guesses may fly far off; the axis belongs to what was seen.
        seen = self.line["state"] != State.PREDICTED
        relative = self._moves_little("x") or self._moves_little("y")
        for name, where, last in zip("xy", places, (False, True), strict=True):
            values = self.line[name].astype(np.float64)
            if relative:
                values -= np.repeat(values[self.starts], np.diff(np.append(self.starts, len(values))))
            down = ", down" if name == "y" else ""
            words = f"{name} - start (px{down})" if relative else f"{name} (px{down})"
            # y points down in the picture, and so it does here.
            fits = usual(values, self.line["track"], seen)
            panel = panel_of(where, self.t, values, down=name == "y", ranged=fits)
            paint_frame(canvas, panel, label if last else "", words, SCALE, grid=True)
            if not len(self.line):
                x, y, w, h = (v * SCALE for v in where)
                text(canvas, "no tracks", x + w / 2, y + h / 2, size=0.5 * SCALE, colour=GREY, outline=False, align=0.5)
            # Against time, colours by time would tell nothing.
            at = panel.at(self.t, values, SCALE)
            self._lines(_inner(canvas, panel), at - _corner(panel), False)
            self._numbers(canvas, panel, at)
            self._cut(canvas, panel, values, seen)

    def _numbers(self, canvas: npt.NDArray[np.uint8], panel: Panel, at: Picture) -> None:
        """The tracks' numbers at their curves' ends; those at the right edge stand beside it, none over another."""
        if not 1 < len(self.ids) <= LABELLED:
            return
        size, step = 0.34 * SCALE, 13.0 * SCALE
        right, top = (panel.left + panel.width) * SCALE, panel.top * SCALE
        bottom = top + panel.height * SCALE
        outside: list[tuple[float, int]] = []
        for last in self.ends.tolist():
            x, y, track = float(at[last, 0]), float(at[last, 1]), int(self.line["track"][last])
            y = min(max(y, top + 6.0 * SCALE), bottom - 2.0 * SCALE)
            if x > right - 24 * SCALE:
                outside.append((y, track))
            else:
                label(canvas, str(track), x + 4 * SCALE, y, size, colour_of(self._place(track)))
        outside.sort()
        step = min(step, panel.height * SCALE / max(1, len(outside)))
        wanted = np.array([y for y, _ in outside])
        rows = np.arange(len(outside)) * step
        # Downwards as far as the one above asks, then upwards from the bottom.
        wanted = np.maximum.accumulate(wanted - rows) + rows
        over = bottom - (len(outside) - 1 - np.arange(len(outside))) * step
        for (_, track), y in zip(outside, np.minimum(wanted, over).tolist(), strict=True):
            label(canvas, str(track), right + 5 * SCALE, y + 4 * SCALE, size, colour_of(self._place(track)))

    def _cut(self, canvas: npt.NDArray[np.uint8], panel: Panel, values: Picture, seen: Picture) -> None:
        """Say which tracks leave the panel."""
        low, high = min(panel.y0, panel.y1), max(panel.y0, panel.y1)
        tracks = np.unique(self.line["track"][seen & ((values < low) | (values > high))]).tolist()
        if tracks:
            words = f"track{'s' if len(tracks) > 1 else ''} {', '.join(map(str, tracks))}" if len(tracks) < 5 else ""
            words = f"beyond the axis: {words or f'parts of {len(tracks)} tracks'}"
            if len(seen):
                words += f" ({values[seen].min():.4g} to {values[seen].max():.4g})"
            x, y = (panel.left + 8) * SCALE, (panel.top + 16) * SCALE
            label(canvas, words, x, y, 0.34 * SCALE, GREY)

    def _moves_little(self, name: str) -> bool:
        """Whether the tracks move little compared with their distances: then motion from the start on is shown."""
        values = self.line[name]
        if len(self.starts) < 2:
            return False
        moved = np.maximum.reduceat(values, self.starts) - np.minimum.reduceat(values, self.starts)
        return float(np.median(moved)) < 0.2 * float(np.ptp(values))

    def _words(self, canvas: npt.NDArray[np.uint8], total: tuple[int, int]) -> None:
        s = SCALE
        count = f"{len(self.ids)} track{'' if len(self.ids) == 1 else 's'}"
        if self.left_out:
            count += f" ({self.left_out} short ones not drawn)"
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
        if self.by_time and len(self.t):
            for k, colour in enumerate(time_colours()):
                canvas[y - 16 : y, x + 6 * k : x + 6 * k + 6] = colour
            words = f"{self.t.min():.4g} to {self.t.max():.4g} {'' if self.unit == 'frame' else self.unit}".rstrip()
            self._note(canvas, f"{'frame ' if self.unit == 'frame' else ''}{words}", x + 6 * TIME_COLOURS + 12, y)

    def _note(self, canvas: npt.NDArray[np.uint8], words: str, x: int, y: int) -> int:
        text(canvas, words, x, y, size=0.4 * SCALE, colour=GREY, outline=False)
        return x + text_width(words, 0.4 * SCALE) + 36


def _corner(panel: Panel) -> tuple[int, int]:
    return panel.left * SCALE, panel.top * SCALE


def _inner(canvas: npt.NDArray[np.uint8], panel: Panel) -> npt.NDArray[np.uint8]:
    """The panel's pixels; what is drawn there is clipped to it."""
    x, y = _corner(panel)
    return canvas[y : y + panel.height * SCALE, x : x + panel.width * SCALE]


def time_colours() -> list[Colour]:
    """Colours from early to late (viridis without its darkest part), blue, green, red."""
    ramp = np.linspace(60, 255, TIME_COLOURS).astype(np.uint8)[:, None]
    table = cv2.applyColorMap(ramp, cv2.COLORMAP_VIRIDIS)[:, 0]
    return [(math.floor(b), math.floor(g), math.floor(r)) for b, g, r in table]
