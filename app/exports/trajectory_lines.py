"""The trajectories of a picture: which rows a line joins, in which colours, and how they are drawn into a panel."""

from __future__ import annotations

import math
from collections.abc import Sequence

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
        colour_by, timed: as `app.exports.trajectories.PictureStyle` has them.

    Attributes:
        rows: of confirmed tracks, each track's together.
        line: those of them that are on lines: all but LOST ones, whose places are guesses; they only say that and where
            a track ended.
        ids: of the tracks.
        t: a time of each row of `line`, in `unit`: "s", "ms" or "frame".
        by_time: whether colours tell time rather than ids.
        starts, ends: of each track, the first and the last row of `line`.
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
        self.by_time = colour_by == "time" or (not colour_by and len(self.ids) > MANY)
        edge = np.diff(self.line["track"]) != 0
        on = held.joined(self.line)
        self._joined = np.flatnonzero(on)  # row i goes on to i + 1
        self._alone = np.flatnonzero(~(np.append(False, on) | np.append(on, False))[: len(self.line)])
        self.starts = np.flatnonzero(np.append(True, edge)) if len(self.line) else np.zeros(0, np.int64)
        self.ends = np.flatnonzero(np.append(edge, True)) if len(self.line) else np.zeros(0, np.int64)
        self._places = believed_order(self.rows)

    def colours(self, by_time: bool) -> tuple[npt.NDArray[np.int64], Sequence[Colour]]:
        """An index for each row, and the colours that the indices stand for."""
        if not by_time:
            places = np.array([self.place(k) for k in self.line["track"][self.starts].tolist()], np.int64)
            return np.repeat(places, self.ends - self.starts + 1), PALETTE
        low, span = (float(self.t.min()), float(np.ptp(self.t))) if len(self.t) else (0.0, 0.0)
        share = (self.t - low) / span if span > 0 else np.zeros(len(self.t))
        return np.minimum((share * TIME_COLOURS).astype(np.int64), TIME_COLOURS - 1), time_colours()

    def place(self, track: int) -> int:
        """Of a track's colour in the palette."""
        return self._places.get(track, track) % len(PALETTE)

    def draw(self, view: npt.NDArray[np.uint8], at: Picture, by_time: bool) -> None:
        """All trajectories into a panel's pixels, at these places of the rows of `line`; guessed stretches dim."""
        pieces = fixed(np.stack((at[self._joined], at[self._joined + 1]), axis=1))
        index, colours = self.colours(by_time)
        guessed = self.line["state"] == State.PREDICTED
        either = guessed[self._joined] | guessed[self._joined + 1]  # the way back from a guess is one, too
        for guess in (True, False):
            for k, colour in enumerate(colours):
                chosen = (index[self._joined] == k) & (either == guess)
                shade = tuple(round(v * (0.5 if guess else 1.0)) for v in colour)
                polylines(view, list(pieces[chosen]), shade, 1 if len(self.ids) > MANY else 2)
        for k in self._alone.tolist():  # what no line reaches
            shade = tuple(round(v * (0.5 if guessed[k] else 1.0)) for v in colours[index[k]])
            cv2.circle(view, tuple(fixed(at[k]).tolist()), int(fixed(1.5)), shade, cv2.FILLED, cv2.LINE_AA, SHIFT)


def time_colours() -> list[Colour]:
    """Colours from early to late (viridis without its darkest part), blue, green, red."""
    ramp = np.linspace(60, 255, TIME_COLOURS).astype(np.uint8)[:, None]
    table = cv2.applyColorMap(ramp, cv2.COLORMAP_VIRIDIS)[:, 0]
    return [(math.floor(b), math.floor(g), math.floor(r)) for b, g, r in table]
