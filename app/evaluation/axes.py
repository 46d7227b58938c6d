"""A panel of the figure: axes, straight or logarithmic, and what is drawn between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.chart import AXIS, GRID, tick_texts, ticks
from app.exports.drawing import GREY, WHITE, Colour
from app.exports.shapes import Box, Dots, Line, Shape, Upright, Words

Array = npt.NDArray[Any]
MOST_POINTS = 3000
"""Points of a cloud or a line that are drawn; more are thinned."""


@dataclass(frozen=True, slots=True)
class Place:
    """A rectangle of the figure."""

    x: float
    y: float
    width: float
    height: float


class Axes:
    """One panel.

    Args:
        place: the rectangle between the axes.
        title: above it.
        x, y: what the axes show, with units.
        x_range, y_range: values at their ends.
        log: logarithmic axes: "", "x", "y" or "xy".
    """

    def __init__(
        self, place: Place, title: str, x: str, y: str, x_range: tuple[float, float], y_range: tuple[float, float],
        log: str = "",
    ) -> None:  # fmt: skip
        self.place, self.log = place, log
        self.x_range = self._steps(x_range, "x")
        self.y_range = self._steps(y_range, "y")
        self.parts: list[Shape] = [Words(title, place.x, place.y - 10, 13, WHITE)]
        self._frame(x, y)

    def _steps(self, ends: tuple[float, float], axis: str) -> tuple[float, float]:
        low, high = ends
        if axis in self.log:
            low, high = math.log10(low), math.log10(high)
        return (low, high) if abs(high - low) > 1e-12 * max(1.0, abs(low)) else (low - 0.5, high + 0.5)

    def at(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
        """Places (n, 2) of values; what lies outside is moved to the edge, NaN stays NaN."""
        out = []
        for values, (low, high), axis in ((x, self.x_range, "x"), (y, self.y_range, "y")):
            given = np.asarray(values, np.float64)
            if axis in self.log:
                given = np.log10(np.where(given > 0, given, np.nan))
            out.append(np.clip((given - low) / (high - low), 0.0, 1.0))
        where = self.place
        return np.stack((where.x + out[0] * where.width, where.y + (1 - out[1]) * where.height), axis=-1)

    def line(self, x: npt.ArrayLike, y: npt.ArrayLike, colour: Colour, width: float = 1.2) -> None:
        """Join the points."""
        self.parts.append(Line(self.at(x, y), colour, width))

    def dots(self, x: npt.ArrayLike, y: npt.ArrayLike, colour: Colour, radius: float = 1.2) -> None:
        """A cloud, thinned evenly."""
        points = self.at(x, y)
        self.parts.append(Dots(points[:: max(1, -(-len(points) // MOST_POINTS))], colour, radius))

    def bars(self, x: Array, low: Array, high: Array, colour: Colour) -> None:
        """Upright lines from low to high."""
        gap = np.full(len(x), np.nan)
        self.line(np.stack((x, x, gap), 1).ravel(), np.stack((low, high, gap), 1).ravel(), colour, 0.8)

    def key(self, entries: Sequence[tuple[str, Colour]]) -> None:
        """What the colours mean, at the top right."""
        x = self.place.x + self.place.width
        for words, colour in reversed(entries):
            x -= 7.0 * len(words)
            self.parts.append(Words(words, x, self.place.y - 10, 11.5, colour))
            x -= 14

    def note(self, words: str, line: int = 0) -> None:
        """A remark inside, at the top left."""
        self.parts.append(Words(words, self.place.x + 8, self.place.y + 16 + 15 * line, 11, GREY))

    def _frame(self, x_label: str, y_label: str) -> None:
        where = self.place
        for value, words in self._ticks("x"):
            px = where.x + (value - self.x_range[0]) / (self.x_range[1] - self.x_range[0]) * where.width
            self.parts += [Box(px, where.y, 0.6, where.height, GRID),
                           Words(words, px, where.y + where.height + 15, 10.5, GREY, 0.5)]  # fmt: skip
        for value, words in self._ticks("y"):
            py = where.y + (1 - (value - self.y_range[0]) / (self.y_range[1] - self.y_range[0])) * where.height
            self.parts += [Box(where.x, py, where.width, 0.6, GRID), Words(words, where.x - 6, py + 4, 10.5, GREY, 1.0)]
        corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]) * (where.width, where.height) + (where.x, where.y)
        self.parts += [Line(corners, AXIS, 0.8),
                       Words(x_label, where.x + where.width / 2, where.y + where.height + 31, 11, GREY, 0.5),
                       Upright(y_label, where.x - 50, where.y + where.height / 2, 11, GREY)]  # fmt: skip

    def _ticks(self, axis: str) -> list[tuple[float, str]]:
        """Place on the axis (a logarithm where it is one) and words."""
        low, high = self.x_range if axis == "x" else self.y_range
        most = int(self.place.width / 70 if axis == "x" else self.place.height / 34)
        if axis not in self.log:
            values = ticks(low, high, max(2, most))
            return list(zip(values, tick_texts(values), strict=True))
        factors = (1, 2, 5) if high - low < 2.2 else (1,)
        whole = [(d, m) for d in range(math.floor(low), math.ceil(high) + 1) for m in factors]
        step = max(1, -(-len(whole) // (3 * max(2, most)))) if factors == (1,) else 1
        marks = [(d + math.log10(m), f"{m * 10.0**d:g}") for d, m in whole[::step]]
        return [mark for mark in marks if low <= mark[0] <= high]


def span(values: Array, margin: float = 0.06, least: float = 1e-6) -> tuple[float, float]:
    """The range of the finite values with a margin, at least `least` wide; (0, 1) without any."""
    good = values[np.isfinite(values)]
    if not len(good):
        return 0.0, 1.0
    low, high = float(good.min()), float(good.max())
    if high - low < least:
        return low - 0.5 * least, high + 0.5 * least
    return low - margin * (high - low), high + margin * (high - low)


def log_span(values: Array) -> tuple[float, float]:
    """The range of the positive values, a fifth more at both ends; (0.1, 1) without any."""
    good = values[np.isfinite(values) & (values > 0)]
    return (float(good.min()) / 1.25, float(good.max()) * 1.25) if len(good) else (0.1, 1.0)
