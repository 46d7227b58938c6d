"""Axes with round numbers, drawn with OpenCV."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.exports.drawing import GREY, Colour, Picture, text, text_width
from kernels.host.opencv import cv2

GRID: Colour = (52, 52, 52)
AXIS: Colour = (110, 110, 110)


@dataclass(frozen=True, slots=True)
class Panel:
    """A rectangle of the layout and the values at its edges.

    Args:
        left, top, width, height: in units of the layout.
        x0, x1: values at the left and the right edge.
        y0, y1: values at the top and the bottom edge.
    """

    left: int
    top: int
    width: int
    height: int
    x0: float
    x1: float
    y0: float
    y1: float

    def at(self, x: npt.ArrayLike, y: npt.ArrayLike, scale: int) -> Picture:
        """Places of the values in the picture of `scale` pixels a unit, (n, 2); edges lie between pixels."""
        px = (self.left + (np.asarray(x, np.float64) - self.x0) / (self.x1 - self.x0) * self.width) * scale - 0.5
        py = (self.top + (np.asarray(y, np.float64) - self.y0) / (self.y1 - self.y0) * self.height) * scale - 0.5
        return np.stack((px, py), axis=-1)

    def corner(self, scale: int) -> tuple[int, int]:
        """The left upper one in the picture of `scale` pixels a unit, px."""
        return self.left * scale, self.top * scale

    def inside(self, canvas: npt.NDArray[np.uint8], scale: int) -> npt.NDArray[np.uint8]:
        """The panel's pixels of such a picture; what is drawn there is clipped to it."""
        x, y = self.corner(scale)
        return canvas[y : y + self.height * scale, x : x + self.width * scale]


def panel_of(
    where: tuple[int, int, int, int], x: Picture, y: Picture, *, down: bool, ranged: Picture | None = None
) -> Panel:
    """A panel that holds (x, y) with a margin.

    Args:
        down: y grows downwards.
        ranged: which values of y must fit in; None for all.
    """
    x0, x1 = _range(x, 0.0)
    y0, y1 = _range(y[ranged] if ranged is not None and ranged.any() else y, 0.06)
    return Panel(*where, x0, x1, *((y0, y1) if down else (y1, y0)))


def _range(values: Picture, margin: float) -> tuple[float, float]:
    if not len(values):
        return 0.0, 1.0
    low, high = float(values.min()), float(values.max())
    # Without any motion a hundredth of a pixel of noise must not fill the panel.
    if high - low < 0.02:
        middle = 0.5 * (low + high)
        return middle - 0.5, middle + 0.5
    return low - margin * (high - low), high + margin * (high - low)


def ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers (1, 2 or 5 times a power of ten) within low..high, at most `most` of them.

    >>> ticks(-0.5, 99.5, 6)
    [0.0, 20.0, 40.0, 60.0, 80.0]
    >>> ticks(0.0, 0.031, 4)
    [0.0, 0.01, 0.02, 0.03]
    """
    low, high = min(low, high), max(low, high)
    raw = (high - low) / max(1, most)
    if not raw > 0 or not math.isfinite(raw):
        return []
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return [round(k * step, digits) + 0.0 for k in range(first, last + 1)]


def tick_texts(values: list[float]) -> list[str]:
    """The numbers with as many digits as tell them apart.

    >>> tick_texts([0.0, 0.5, 1.0]), tick_texts([0.0, 20.0]), tick_texts([1000000.0, 2000000.0])
    (['0.0', '0.5', '1.0'], ['0', '20'], ['1000000', '2000000'])
    """
    step = abs(values[1] - values[0]) if len(values) > 1 else abs(values[0]) if values else 0.0
    digits = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
    return [f"{value:.{digits}f}" for value in values]


def paint_frame(
    canvas: npt.NDArray[np.uint8], panel: Panel, x_label: str, y_label: str, scale: int, *, grid: bool
) -> None:
    """The panel's outline, ticks with numbers, labels, and a grid if asked."""
    x, y, w, h = (v * scale for v in (panel.left, panel.top, panel.width, panel.height))
    size = 0.38 * scale
    for value, words in _labelled(panel.x0, panel.x1, max(2, panel.width // 90)):
        px = round(float(panel.at(value, panel.y0, scale)[0]))
        if grid:
            cv2.line(canvas, (px, y), (px, y + h), GRID, 1)
        cv2.line(canvas, (px, y + h), (px, y + h + 4 * scale), AXIS, scale)
        if x_label or not grid:
            text(canvas, words, px, y + h + 18 * scale, size=size, colour=GREY, outline=False, align=0.5)
    for value, words in _labelled(panel.y0, panel.y1, max(2, panel.height // 36)):
        py = round(float(panel.at(panel.x0, value, scale)[1]))
        if grid:
            cv2.line(canvas, (x, py), (x + w, py), GRID, 1)
        cv2.line(canvas, (x - 4 * scale, py), (x, py), AXIS, scale)
        text(canvas, words, x - 8 * scale, py + 4 * scale, size=size, colour=GREY, outline=False, align=1.0)
    cv2.rectangle(canvas, (x - 1, y - 1), (x + w, y + h), AXIS, 1)
    if x_label:
        text(canvas, x_label, x + w / 2, y + h + 36 * scale, size=size, colour=GREY, outline=False, align=0.5)
    _upright(canvas, y_label, x - 46 * scale, y + h / 2, size)


def _labelled(low: float, high: float, most: int) -> list[tuple[float, str]]:
    values = ticks(low, high, most)
    return list(zip(values, tick_texts(values), strict=True))


def _upright(canvas: npt.NDArray[np.uint8], words: str, x: float, y: float, size: float) -> None:
    """One line turned upwards, centred at (x, y); what does not fit is cut."""
    width, height = text_width(words, size) + 8, round(44 * size)
    slip = np.zeros((height, width, 3), np.uint8)
    text(slip, words, 4, height * 0.7, size=size, colour=GREY, outline=False)
    slip = np.rot90(slip)
    top, left = max(0, round(y - width / 2)), max(0, round(x - height / 2))
    view = canvas[top : top + width, left : left + height]
    np.maximum(view, slip[: view.shape[0], : view.shape[1]], out=view)
