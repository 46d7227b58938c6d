"""The trajectories of a picture: which rows a line joins, in which colours, and how they are drawn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from app.exports.drawing import PALETTE, Colour, Picture
from app.exports.ranges import believed_order
from app.exports.thinning import ThinnedRows
from app.exports.track_colours import hex_of, seen_on
from app.plots.look import Look
from app.plots.raster import Fillable
from app.plots.words import axis
from kernels.opencv import cv2
from pipelines.features import State
from pipelines.trackers.base import confirmed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TIME_COLOURS = 32
MANY = 40
"""Tracks beyond which lines are thin and nothing is labelled."""
GUESSED = 0.5
"""How much of a colour guessed stretches have."""


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

    @property
    def label(self) -> str:
        """Of an axis of `t`."""
        return "frame" if self.unit == "frame" else axis("time", self.unit)

    def colours_on(
        self, look: Look, most: float = 0.0, white: bool = False
    ) -> tuple[npt.NDArray[np.int64], list[str]]:
        """As `colours`, by `by`, in those of a figure (`app.exports.track_colours.seen_on`)."""
        index, colours = self.colours(self.by, most)
        return index, seen_on(colours, look, white)

    def plot(self, axes: Fillable, at: Picture, look: Look, most: float = 0.0, white: bool = False) -> None:
        """Draw all trajectories at these places (n, 2) of the rows of `line`; guessed stretches faint."""
        index, colours = self.colours_on(look, most, white)
        width = (0.5 if len(self.ids) > MANY else 1.0) * look.line
        for k, guess, steps in self.steps(index, len(colours)):
            if len(steps):
                axes.plot(*chained(at, steps).T, color=colours[k], lw=width, alpha=GUESSED if guess else 1.0)
        for k in np.unique(index[self.alone]).tolist():
            axes.plot(*at[self.alone[index[self.alone] == k]].T, ".", color=colours[k], ms=2.0 * width, mew=0)


def chained(at: Picture, steps: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
    """The points of steps, those that follow one another in one piece, with NaN between pieces.

    >>> chained(np.arange(10.0).reshape(5, 2), np.array([0, 1, 3]))[:, 0].tolist()
    [0.0, 2.0, 4.0, nan, 6.0, 8.0, nan]
    """
    last = np.append(np.diff(steps) != 1, True)
    place = np.arange(len(steps)) + 2 * (np.cumsum(last) - last)
    chain = np.full((len(steps) + 2 * int(last.sum()), 2), np.nan)
    chain[place] = at[steps]
    chain[place[last] + 1] = at[steps[last] + 1]
    return chain


def ramp_beside(axes: Axes, low: float, high: float, label: str) -> None:
    """What `time_colours` mean, below a picture."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import ListedColormap, Normalize

    colours = ListedColormap([hex_of(colour) for colour in time_colours()])
    scale = ScalarMappable(Normalize(low, high if high > low else low + 1.0), colours)
    figure = axes.get_figure(root=True)
    assert figure is not None
    figure.colorbar(scale, ax=axes, location="bottom", label=label, aspect=40, shrink=0.8)


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
