"""Small shapes with soft edges that are drawn again and again: rings, crosses, numbers and words. Each is drawn once by
OpenCV, its dark rim and its face apart, and kept; `Marks` draws many of a frame in one go, each in its colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from app.exports.blend_loops import COLUMNS, Canvas, stamped
from app.exports.drawing import DARK, RIM, SHIFT, Colour, Picture, letters, polylines
from app.exports.planes import Bytes, Planes, yuv_of
from kernels.loops.calling import call
from kernels.opencv import cv2

SHEET_BYTES = 4 << 20
"""Of kept shapes; when they are more, all are drawn anew."""
STEPS = 1 << SHIFT
"""Places within a pixel, each way, that are distinguished."""
Layers = tuple[Picture, Picture]
"""(height, width) bytes: how much of each pixel is rim, and how much is face upon it."""


class Stamp(NamedTuple):
    """Where a kept shape is on the sheet, its size, and where its corner is from its place."""

    begin: int
    height: int
    width: int
    left: int
    top: int


class Ring(NamedTuple):
    """A kind of circle: its radius in px, whether it has a dark rim, and whether its face is dashed."""

    radius: float
    rim: bool
    dashed: bool


class Marks:
    """Shapes for one picture after the other."""

    def __init__(self) -> None:
        self._sheet = np.zeros(1 << 16, np.uint8)
        self._used = 0
        self._kept: dict[tuple[object, ...], Stamp] = {}
        self._rings: dict[Ring, Picture] = {}  # by the place within a pixel: stamps, of height 0 where none is kept yet
        self._marks: list[int] = []
        self._before: list[Picture] = []  # whole numbers, too

    def rings(self, places: Picture, kinds: Sequence[tuple[Ring, Picture]], colours: Picture) -> None:
        """Circles, in their order.

        Args:
            places: (n, 2) px.
            kinds: those that there are, and which circles (indices) are of them.
            colours: (n, 3), luma and the two of colour.
        """
        fine = np.rint(np.clip(places, -1e6, 1e6) * STEPS).astype(np.int64)
        whole, within = fine // STEPS, fine % STEPS
        at = within[:, 1] * STEPS + within[:, 0]
        marks = np.empty((len(places), COLUMNS), np.int64)
        for kind, chosen in kinds:
            stamps = self._rings.setdefault(kind, np.zeros((STEPS * STEPS, len(Stamp._fields)), np.int64))
            which = at[chosen]
            for new in np.unique(which[stamps[which, 1] == 0]).tolist():
                stamps[new] = self._keep((kind, new), _ring(new % STEPS, new // STEPS, kind))
            marks[chosen, : stamps.shape[1]] = stamps[which]
        marks[:, 3:5] += whole
        marks[:, 5:] = colours
        self._before += [np.array(self._marks, np.int64), marks.ravel()]
        self._marks.clear()

    def cross(self, x: float, y: float, arm: float, colour: Colour) -> None:
        """Two lines through a place, aslant."""
        column, row = round(min(max(x, -1e6), 1e6) * STEPS), round(min(max(y, -1e6), 1e6) * STEPS)
        fx, fy = column % STEPS, row % STEPS
        key = ("cross", arm, fx, fy)
        stamp = self._kept.get(key)
        if stamp is None:
            stamp = self._keep(key, _cross(fx, fy, arm))
        self._add(stamp, column // STEPS, row // STEPS, colour)

    def lines(self, lines: Sequence[str], places: Picture, size: float, colours: Sequence[Colour]) -> None:
        """Lines of bold letters.

        Args:
            places: (n, 2) px where each begins, on its baseline.
            size: of the letters. colours: of each line.
        """
        if not lines:
            return
        stamps = []
        for words in lines:
            stamp = self._kept.get(("words", words, size))
            if stamp is None:
                rim, face, down = letters(words, size)
                stamp = self._keep(("words", words, size), (rim, face), (-RIM, -down))
            stamps.append(stamp)
        marks = np.empty((len(lines), COLUMNS), np.int64)
        marks[:, : len(Stamp._fields)] = stamps
        marks[:, 3:5] += np.rint(places).astype(np.int64)
        marks[:, 5:] = [yuv_of(colour) for colour in colours]
        self._before += [np.array(self._marks, np.int64), marks.ravel()]
        self._marks.clear()

    def draw(self, planes: Planes, height: int, width: int) -> None:
        """Draw what was named since the last time, in that order, onto the upper left `height` x `width` px."""
        marks = np.concatenate([*self._before, np.array(self._marks, np.int64)])
        self._before.clear()
        self._marks.clear()
        if len(marks):
            canvas = Canvas(planes.y, planes.u, planes.v, *planes.pitches)
            call(stamped, canvas, height, width, self._sheet, marks, len(marks) // COLUMNS, yuv_of(DARK)[0])
        if self._used > SHEET_BYTES:
            self._kept.clear()
            self._rings.clear()
            self._used = 0

    def _keep(self, key: tuple[object, ...], layers: Layers, corner: tuple[int, int] | None = None) -> Stamp:
        """Put a shape onto the sheet; without a `corner` its place is its middle."""
        end = self._used + sum(layer.size for layer in layers)
        if end > len(self._sheet):
            self._sheet = np.concatenate([self._sheet, np.zeros(max(end, len(self._sheet)), np.uint8)])
        for k, layer in enumerate(layers):
            self._sheet[self._used + k : end : 2] = layer.ravel()
        height, width = layers[0].shape
        left, top = corner or (-(width // 2), -(height // 2))
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


def _ring(fx: int, fy: int, kind: Ring) -> Layers:
    dark, middle = _canvas(kind.radius)
    face = dark.copy()
    centre, size = (middle * STEPS + fx, middle * STEPS + fy), round(kind.radius * STEPS)
    if kind.rim:
        cv2.circle(dark, centre, size, 255, 3, cv2.LINE_AA, SHIFT)
    if not kind.dashed:
        cv2.circle(face, centre, size, 255, 1, cv2.LINE_AA, SHIFT)
    for start in (20, 110, 200, 290) if kind.dashed else ():
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
