"""Small shapes with soft edges that are drawn again and again: rings, crosses, numbers and words. Each is drawn once by
OpenCV, its dark rim and its face apart, and kept; `Marks` draws many of a frame in one go, each in its colour.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

import numpy as np

import kernels.executors.natives  # noqa: F401 - provides the compiler of loops
from app.exports.blend_loops import COLUMNS, stamped
from app.exports.drawing import DARK, RIM, SHIFT, Colour, Picture, letters, polylines
from app.exports.planes import Bytes, Planes, yuv_of
from kernels.host.calling import call
from kernels.host.opencv import cv2

SHEET_BYTES = 4 << 20
"""Of kept shapes; when they are more, all are drawn anew."""
STEPS = 1 << SHIFT
"""Places within a pixel, each way, that are told apart."""
Layers = tuple[Picture, Picture]
"""(height, width) bytes: how much of each pixel is rim, and how much is face upon it."""


class Stamp(NamedTuple):
    """Where a kept shape stands on the sheet, its size, and where its corner is from its place."""

    begin: int
    height: int
    width: int
    left: int
    top: int


class Marks:
    """Shapes for one picture after the other."""

    def __init__(self) -> None:
        self._sheet = np.zeros(1 << 16, np.uint8)
        self._used = 0
        self._kept: dict[tuple[object, ...], Stamp] = {}
        self._marks: list[int] = []

    def ring(self, x: float, y: float, radius: float, colour: Colour, *, rim: bool, dashed: bool) -> None:
        """A circle about a place."""
        self._place(("ring", radius, rim, dashed), x, y, colour, lambda fx, fy: _ring(fx, fy, radius, rim, dashed))

    def cross(self, x: float, y: float, arm: float, colour: Colour) -> None:
        """Two lines through a place, aslant."""
        self._place(("cross", arm), x, y, colour, lambda fx, fy: _cross(fx, fy, arm))

    def words(self, words: str, size: float, x: float, y: float, colour: Colour) -> None:
        """A line of bold letters that begins at x, baseline at y."""
        key = ("words", words, size)
        stamp = self._kept.get(key)
        if stamp is None:
            rim, face, down = letters(words, size)
            stamp = self._keep(key, (rim, face), -RIM, -down)
        self._add(stamp, round(x), round(y), colour)

    def draw(self, planes: Planes, height: int, width: int) -> None:
        """Draw what was named since the last time, in that order, onto the upper left `height` x `width` px."""
        if self._marks:
            marks = np.array(self._marks, np.int64)
            self._marks.clear()
            call(stamped, planes.y, planes.u, planes.v, *planes.pitches, height, width, self._sheet, marks,
                 len(marks) // COLUMNS, yuv_of(DARK)[0])  # fmt: skip
        if self._used > SHEET_BYTES:
            self._kept.clear()
            self._used = 0

    def _place(
        self, kind: tuple[object, ...], x: float, y: float, colour: Colour, layers: Callable[[int, int], Layers]
    ) -> None:
        column, row = round(min(max(x, -1e6), 1e6) * STEPS), round(min(max(y, -1e6), 1e6) * STEPS)
        fx, fy = column % STEPS, row % STEPS
        key = (*kind, fx, fy)
        stamp = self._kept.get(key)
        if stamp is None:
            made = layers(fx, fy)
            stamp = self._keep(key, made, -(made[0].shape[1] // 2), -(made[0].shape[0] // 2))
        self._add(stamp, column // STEPS, row // STEPS, colour)

    def _keep(self, key: tuple[object, ...], layers: Layers, left: int, top: int) -> Stamp:
        pixels = np.stack(layers, axis=2).ravel()
        end = self._used + len(pixels)
        if end > len(self._sheet):
            self._sheet = np.concatenate([self._sheet, np.zeros(max(end, len(self._sheet)), np.uint8)])
        self._sheet[self._used : end] = pixels
        height, width = layers[0].shape
        stamp = self._kept[key] = Stamp(self._used, height, width, left, top)
        self._used = end
        return stamp

    def _add(self, stamp: Stamp, x: int, y: int, colour: Colour) -> None:
        begin, height, width, left, top = stamp
        self._marks += (begin, height, width, x + left, y + top, *yuv_of(colour))


def _canvas(reach: float) -> tuple[Bytes, int]:
    """Black, with a pixel in the middle; and that pixel's number each way."""
    middle = int(np.ceil(reach)) + RIM
    return np.zeros((2 * middle + 1, 2 * middle + 1), np.uint8), middle


def _ring(fx: int, fy: int, radius: float, rim: bool, dashed: bool) -> Layers:
    dark, middle = _canvas(radius)
    face = dark.copy()
    centre, size = (middle * STEPS + fx, middle * STEPS + fy), round(radius * STEPS)
    if rim:
        cv2.circle(dark, centre, size, 255, 3, cv2.LINE_AA, SHIFT)
    if not dashed:
        cv2.circle(face, centre, size, 255, 1, cv2.LINE_AA, SHIFT)
    for start in (20, 110, 200, 290) if dashed else ():
        cv2.ellipse(face, centre, (size, size), 0, start, start + 50, 255, 1, cv2.LINE_AA, SHIFT)
    return dark, face


def _cross(fx: int, fy: int, arm: float) -> Layers:
    dark, middle = _canvas(arm)
    face = dark.copy()
    x, y, reach = middle * STEPS + fx, middle * STEPS + fy, round(arm * STEPS)
    pieces = [np.array([(x - reach, y - sign * reach), (x + reach, y + sign * reach)], np.int32) for sign in (1, -1)]
    polylines(dark, pieces, 255, 3)
    polylines(face, pieces, 255)
    return dark, face


@lru_cache(1)
def palette_of(colours: tuple[Colour, ...]) -> Picture:
    """Luma and the two of colour of each, one after the other (I64)."""
    return np.array([yuv_of(colour) for colour in colours], np.int64).ravel()
