"""Markers, ids, trails and losses drawn onto the pictures of a clip."""

from __future__ import annotations

from collections import deque

import numpy as np
import numpy.typing as npt

from app.exports.drawing import (
    DARK,
    GREY,
    PALETTE,
    SHIFT,
    WHITE,
    Colour,
    Picture,
    colour_of,
    fixed,
    polylines,
    text,
    text_width,
)
from kernels.host.opencv import cv2
from pipelines.features import Reason, State, Tracks

LOST_FRAMES = 20
"""Frames for which a loss stays marked."""
MOST_LABELS = 150
MOST_WORDS = 10
"""Losses on a picture beyond which they are marked without a word; the tables hold the reasons."""
FADES = 8


class TrailPainter:
    """Draws the rows of frame after frame onto pictures, with what is left of the frames before.

    Args:
        factor: the picture's enlargement.
        trail: frames that a trail reaches back.
    """

    def __init__(self, factor: float, trail: int) -> None:
        self._factor = factor
        self._radius = 5.0 if factor <= 1 else 6.0
        self._segments: deque[tuple[Picture, Picture]] = deque(maxlen=max(0, trail))  # (n, 2, 2) fixed, (n,) colours
        self._ids: Picture = np.zeros(0, np.int64)
        self._places: Picture = np.zeros((0, 2))
        self._losses: deque[tuple[int, int, float, float, str]] = deque(maxlen=MOST_LABELS)
        self._frame = 0

    def add(self, rows: Tracks) -> None:
        """Take the rows of the next frame into the trails, without drawing."""
        self._frame += 1
        rows = rows[np.isfinite(rows["x"]) & np.isfinite(rows["y"])]
        alive = rows[rows["state"] != State.LOST]
        order = np.argsort(alive["track"], kind="stable")
        ids, places = alive["track"][order].astype(np.int64), self._display(alive)[order]
        _, now, before = np.intersect1d(ids, self._ids, return_indices=True)
        lines = fixed(np.stack((self._places[before], places[now]), axis=1)) if len(now) else np.zeros((0, 2, 2), "i4")
        self._segments.append((lines, ids[now] % len(PALETTE)))
        self._ids, self._places = ids, places
        for row, (x, y) in zip(rows, self._display(rows), strict=True):
            if row["state"] == State.LOST:
                reason = Reason(int(row["reason"])).name.lower().replace("_", " ")
                self._losses.append((self._frame, int(row["track"]), float(x), float(y), reason))
        while self._losses and self._frame - self._losses[0][0] >= LOST_FRAMES:
            self._losses.popleft()

    def draw(self, picture: npt.NDArray[np.uint8], rows: Tracks) -> npt.NDArray[np.uint8]:
        """The picture with trails, losses and the markers of `rows` (those given to `add` last)."""
        picture = self._trails(picture)
        taken: set[tuple[int, int]] = set()
        for frame, _, x, y, reason in self._losses:
            fade = 1.0 - 0.7 * (self._frame - frame) / LOST_FRAMES
            self._cross(picture, x, y, _scaled(WHITE, fade))
            if len(self._losses) <= MOST_WORDS:
                self._label(picture, taken, reason, (x + 8, y - 6), 0.38, _scaled(WHITE, fade))
        rows = rows[(rows["state"] != State.LOST) & np.isfinite(rows["x"]) & np.isfinite(rows["y"])]
        for row, (x, y) in zip(rows, self._display(rows), strict=True):
            self._marker(picture, int(row["state"]), int(row["track"]), float(x), float(y))
        believed = rows[rows["state"] != State.TENTATIVE]
        for row, (x, y) in zip(believed[:MOST_LABELS], self._display(believed), strict=False):
            words = str(row["track"])
            place = (float(x) + self._radius + 2, float(y) - self._radius)
            self._label(picture, taken, words, place, 0.42, colour_of(int(row["track"])))
        return picture

    def _display(self, rows: Tracks) -> Picture:
        s = self._factor
        return np.stack((s * rows["x"] + (s - 1) / 2, s * rows["y"] + (s - 1) / 2), axis=1)

    def _trails(self, picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        if not any(len(lines) for lines, _ in self._segments):
            return picture
        # The colours go broad onto one layer, the fading thin lines onto its opacity: edges stay smooth.
        ink = picture.copy()
        opacity = np.zeros(picture.shape[:2], np.uint8)
        count = len(self._segments)
        for k in range(FADES):  # oldest first, so that new lines lie on top
            part = [self._segments[i] for i in range(k * count // FADES, (k + 1) * count // FADES)]
            if not part:
                continue
            lines = np.concatenate([p[0] for p in part])
            colours = np.concatenate([p[1] for p in part])
            for c, colour in enumerate(PALETTE):
                cv2.polylines(ink, list(lines[colours == c]), False, colour, 4, cv2.LINE_8, SHIFT)
            polylines(opacity, list(lines), round(40 + 200 * (k + 1) / FADES))
        weight = opacity.astype(np.float32) * np.float32(1 / 255)
        return np.asarray(cv2.blendLinear(ink, picture, weight, np.float32(1) - weight), np.uint8)

    def _marker(self, picture: Picture, state: int, track: int, x: float, y: float) -> None:
        colour = GREY if state == State.TENTATIVE else colour_of(track)
        radius = 0.6 * self._radius if state == State.TENTATIVE else self._radius
        centre = tuple(fixed((x, y)).tolist())
        size = int(fixed(radius))
        cv2.circle(picture, centre, size, DARK, 3, cv2.LINE_AA, SHIFT)
        if state != State.PREDICTED:
            cv2.circle(picture, centre, size, colour, 1, cv2.LINE_AA, SHIFT)
            return
        for start in (20, 110, 200, 290):  # dashed: nothing was seen here
            cv2.ellipse(picture, centre, (size, size), 0, start, start + 50, colour, 1, cv2.LINE_AA, SHIFT)

    def _cross(self, picture: Picture, x: float, y: float, colour: Colour) -> None:
        arm = 4.0
        pieces = [fixed([(x - arm, y - arm), (x + arm, y + arm)]), fixed([(x - arm, y + arm), (x + arm, y - arm)])]
        polylines(picture, pieces, DARK, 3)
        polylines(picture, pieces, colour)

    def _label(
        self, picture: Picture, taken: set[tuple[int, int]], words: str, place: tuple[float, float], size: float,
        colour: Colour,
    ) -> None:  # fmt: skip
        """Words at a place if there is room, moved into the picture where its edges would cut them."""
        height, width = picture.shape[:2]
        x = max(2.0, min(place[0], width - 2.0 - text_width(words, size)))
        y = max(12.0, min(place[1], height - 4.0))
        if self._free(taken, x, y, words):
            text(picture, words, x, y, size=size, colour=colour)

    def _free(self, taken: set[tuple[int, int]], x: float, y: float, words: str) -> bool:
        """Whether a label has room; takes it if so (cells of 12 px, 9 px a letter)."""
        row = int(y // 12)
        cells = {(row, int(x // 12) + k) for k in range(1 + 9 * len(words) // 12)}
        if cells & taken:
            return False
        taken |= cells
        return True


def _scaled(colour: Colour, by: float) -> Colour:
    return (round(colour[0] * by), round(colour[1] * by), round(colour[2] * by))
