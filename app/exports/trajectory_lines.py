"""The trajectories of a picture: which rows a line joins, in which colours, and how they are drawn into a panel."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from app.exports.drawing import PALETTE, SHIFT, Colour, Picture, fixed, polylines
from app.exports.ranges import believed_order
from app.exports.thinning import ThinnedRows
from kernels.host.opencv import cv2
from pipelines.features import State
from pipelines.trackers.base import confirmed

TIME_COLOURS = 32
MANY = 40
"""Tracks beyond which lines are thin and nothing is labelled."""


class TrajectoryLines:
    """See the module.

    Args:
        held: the rows.
        colour_by: "id", "time", "speed", or "" for ids of up to `MANY` tracks and time beyond.
        timed: as `app.exports.trajectories.PictureStyle` has it.

    Attributes:
        rows: of confirmed tracks, each track's together.
        line: those of them that are on lines: all but LOST ones, whose places are guesses; they only say that and where
            a track ended.
        ids: of the tracks.
        t: a time of each row of `line`, in `unit`: "s", "ms" or "frame".
        by: what colours tell: "id", "time" or "speed". by_time: whether it is time.
        speed: of each row of `line`, px a unit of time.
        starts, ends: of each track, the first and the last row of `line`.
        joined: rows that a line leads from, to the next one. alone: those that none reaches.
        left_out: tracks that are not held.
    """

    def __init__(self, held: ThinnedRows, colour_by: str, timed: bool) -> None:
        self.rows, self.left_out = confirmed(held.rows), held.left_out
        self.line = self.rows[self.rows["state"] != State.LOST]
        self.ids = np.unique(self.line["track"])
        known = timed and bool(len(self.rows)) and bool(np.isfinite(self.rows["time"]).all())
        self.t = self.line["time"] if known else self.line["frame"].astype(np.float64)
        span = float(np.ptp(self.t)) if len(self.t) else 0.0
        self.unit, factor = ("frame", 1.0) if not known else ("s", 1.0) if span >= 2 else ("ms", 1e3)
        self.t = self.t * factor
        self.by = colour_by or ("time" if len(self.ids) > MANY else "id")
        self.by_time = self.by == "time"
        self.speed = np.nan_to_num(np.hypot(self.line["vx"], self.line["vy"]).astype(np.float64))
        edge = np.diff(self.line["track"]) != 0
        on = held.joined(self.line)
        self.joined = np.flatnonzero(on)  # row i goes on to i + 1
        self.alone = np.flatnonzero(~(np.append(False, on) | np.append(on, False))[: len(self.line)])
        self.starts = np.flatnonzero(np.append(True, edge)) if len(self.line) else np.zeros(0, np.int64)
        self.ends = np.flatnonzero(np.append(edge, True)) if len(self.line) else np.zeros(0, np.int64)
        self._places = believed_order(self.rows)

    def colours(self, by: str, most: float = 0.0) -> tuple[npt.NDArray[np.int64], Sequence[Colour]]:
        """An index for each row, and the colours that the indices stand for.

        Args:
            by: as the attribute.
            most: the speed of the last colour; 0 for `top_speed`.
        """
        if by == "id":
            places = np.array([self.place(k) for k in self.line["track"][self.starts].tolist()], np.int64)
            return np.repeat(places, self.ends - self.starts + 1), PALETTE
        if by == "speed":
            return graded(self.speed, 0.0, most or self.top_speed), time_colours()
        low, high = (float(self.t.min()), float(self.t.max())) if len(self.t) else (0.0, 0.0)
        return graded(self.t, low, high), time_colours()

    @property
    def top_speed(self) -> float:
        """That 99 of 100 rows do not exceed, px a unit of time."""
        seen = self.speed[self.line["state"] == State.TRACKED]
        return float(np.quantile(seen, 0.99)) if len(seen) else 0.0

    def place(self, track: int) -> int:
        """Of a track's colour in the palette."""
        return self._places.get(track, track) % len(PALETTE)

    def steps(self, index: npt.NDArray[np.int64], count: int) -> Iterator[tuple[int, bool, npt.NDArray[np.intp]]]:
        """What lines join, in the order in which it is drawn: the index of a colour, whether the steps are guessed, and
        which: k is that from row k of `line` to the next.

        Args:
            index: of each row; a step has that of its first one.
            count: of colours.
        """
        guessed = self.line["state"] == State.PREDICTED
        either = guessed[self.joined] | guessed[self.joined + 1]  # the way back from a guess is one, too
        for guess in (True, False):
            for k in range(count):
                yield k, guess, self.joined[(index[self.joined] == k) & (either == guess)]

    def draw(self, view: npt.NDArray[np.uint8], at: Picture, by: str) -> None:
        """All trajectories into a panel's pixels, at these places of the rows of `line`; guessed stretches dim."""
        index, colours = self.colours(by)
        for k, guess, steps in self.steps(index, len(colours)):
            pieces = fixed(np.stack((at[steps], at[steps + 1]), axis=1))
            polylines(view, list(pieces), dimmed(colours[k], guess), 1 if len(self.ids) > MANY else 2)
        guessed = self.line["state"] == State.PREDICTED
        for k in self.alone.tolist():
            shade = dimmed(colours[index[k]], bool(guessed[k]))
            cv2.circle(view, tuple(fixed(at[k]).tolist()), int(fixed(1.5)), shade, cv2.FILLED, cv2.LINE_AA, SHIFT)


def dimmed(colour: Colour, guessed: bool) -> Colour:
    """Of what is guessed, half as light."""
    blue, green, red = colour
    return (round(0.5 * blue), round(0.5 * green), round(0.5 * red)) if guessed else colour


def graded(values: npt.NDArray[np.float64], low: float, high: float) -> npt.NDArray[np.int64]:
    """Which of `time_colours` values have; those beyond the range that of its end."""
    share = (values - low) / (high - low) if high > low else np.zeros(len(values))
    made: npt.NDArray[np.int64] = np.clip((share * TIME_COLOURS).astype(np.int64), 0, TIME_COLOURS - 1)
    return made


def time_colours() -> list[Colour]:
    """Colours from early to late (viridis without its darkest part), blue, green, red."""
    ramp = np.linspace(60, 255, TIME_COLOURS).astype(np.uint8)[:, None]
    table = cv2.applyColorMap(ramp, cv2.COLORMAP_VIRIDIS)[:, 0]
    return [(math.floor(b), math.floor(g), math.floor(r)) for b, g, r in table]
