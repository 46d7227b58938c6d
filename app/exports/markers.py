"""Markers, ids, trails and losses drawn onto the pictures of a clip."""

from __future__ import annotations

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
    label,
    label_width,
    polylines,
)
from kernels.host.opencv import cv2
from pipelines.features import Reason, State, Tracks

LOST_FRAMES = 20
"""Frames for which a loss stays marked."""
LOST_CELL = 12
"""A square of so many px shows one loss, the last one."""
MOST_LOSSES = 60
MOST_WORDS = 10
"""Losses on a picture beyond which they are marked without a word; the tables hold the reasons."""
CROWD = 100
"""Tracks beyond which rings are small and have no numbers, so that what they mark can be seen; until there are a fifth
fewer, so that it does not come and go."""
SIZE = 0.5
"""Of the letters."""


class TrailPainter:
    """Draws the rows of frame after frame onto pictures, with what is left of the frames before.

    A trail is drawn once, when it is made; each pixel remembers its colour and when it was drawn, and pales by its age.

    Args:
        factor: the pictures' enlargement.
        trail: frames that a trail reaches back.
    """

    def __init__(self, factor: float, trail: int) -> None:
        self._factor, self._trail = factor, max(0, trail)
        self._radius = 5.0 if factor <= 1 else 6.0
        self._colours: dict[int, int] = {}  # of those that were believed, in their order
        self._ids: Picture = np.zeros(0, np.int64)
        self._places: Picture = np.zeros((0, 2))
        self._new: list[tuple[int, Picture, Picture]] = []  # frame, (n, 2, 2) fixed, (n,) colours; not yet drawn
        self._layers: tuple[Picture, Picture, Picture] | None = None  # colour, opacity, frame
        self._losses: dict[tuple[int, int], tuple[int, float, float, str]] = {}
        self._frame = 0
        self._crowded = False

    @property
    def crowded(self) -> bool:
        """Whether there are so many tracks that they have no numbers."""
        return self._crowded

    def add(self, rows: Tracks) -> None:
        """Take the rows of the next frame into the trails, without drawing."""
        self._frame += 1
        rows = rows[np.isfinite(rows["x"]) & np.isfinite(rows["y"])]
        for track in rows["track"][rows["state"] == State.TRACKED].tolist():
            self._colours.setdefault(track, len(self._colours))
        alive = rows[rows["state"] != State.LOST]
        self._crowded = len(alive) > (0.8 * CROWD if self._crowded else CROWD)
        order = np.argsort(alive["track"], kind="stable")
        ids, places = alive["track"][order].astype(np.int64), self._display(alive)[order]
        _, now, before = np.intersect1d(ids, self._ids, return_indices=True)
        if self._trail and len(now):
            lines = fixed(np.stack((self._places[before], places[now]), axis=1))
            index = np.array([self._colours.get(track, -1) for track in ids[now].tolist()])
            self._new.append((self._frame, lines, np.where(index < 0, -1, index % len(PALETTE))))
            del self._new[: -self._trail]
        self._ids, self._places = ids, places
        self._lose(rows[rows["state"] == State.LOST])

    def _lose(self, rows: Tracks) -> None:
        for row, (x, y) in zip(rows, self._display(rows), strict=True):
            reason = Reason(int(row["reason"])).name.lower().replace("_", " ")
            cell = (int(x // LOST_CELL), int(y // LOST_CELL))
            self._losses.pop(cell, None)  # the newest stand last
            self._losses[cell] = (self._frame, float(x), float(y), reason)
        old = [cell for cell, loss in self._losses.items() if self._frame - loss[0] >= LOST_FRAMES]
        for cell in old + list(self._losses)[len(old) : -MOST_LOSSES]:
            self._losses.pop(cell)

    def draw(self, picture: npt.NDArray[np.uint8], rows: Tracks) -> None:
        """Draw trails, losses and the markers of `rows` (those given to `add` last) onto (height, width, 3) bytes."""
        self._trails(picture)
        taken: set[tuple[int, int]] = set()
        rows = rows[(rows["state"] != State.LOST) & np.isfinite(rows["x"]) & np.isfinite(rows["y"])]
        places = self._display(rows)
        for frame, x, y, _ in self._losses.values():
            self._cross(picture, x, y, _scaled(WHITE, self._fade(frame)))
        for row, (x, y) in zip(rows, places, strict=True):
            self._marker(picture, int(row["state"]), int(row["track"]), float(x), float(y))
        if not self._crowded:
            believed = rows["state"] != State.TENTATIVE
            for track, (x, y) in zip(rows["track"][believed].tolist(), places[believed].tolist(), strict=True):
                self._label(picture, taken, str(track), (x + self._radius + 3, y - self._radius), SIZE, WHITE)
        if len(self._losses) <= MOST_WORDS:
            for frame, x, y, reason in self._losses.values():
                self._label(picture, taken, reason, (x + 8, y - 6), 0.4, _scaled(WHITE, self._fade(frame)))

    def _fade(self, frame: int) -> float:
        return 1.0 - 0.7 * (self._frame - frame) / LOST_FRAMES

    def _display(self, rows: Tracks) -> Picture:
        s = self._factor
        return np.stack((s * rows["x"] + (s - 1) / 2, s * rows["y"] + (s - 1) / 2), axis=1)

    def _trails(self, picture: npt.NDArray[np.uint8]) -> None:
        if self._layers is None:
            if not self._new:
                return
            size = picture.shape[:2]
            self._layers = np.zeros_like(picture), np.zeros(size, np.uint8), np.zeros(size, np.float32)
        ink, opacity, born = self._layers
        for frame, lines, colours in self._new:
            # Colours and ages go broad, the thin lines onto the opacity alone: edges stay smooth.
            for c in np.unique(colours).tolist():
                same = list(lines[colours == c])
                cv2.polylines(ink, same, False, colour_of(c) if c >= 0 else GREY, 3, cv2.LINE_8, SHIFT)
            cv2.polylines(born, list(lines), False, float(frame), 3, cv2.LINE_8, SHIFT)
            polylines(opacity, list(lines), 255)
        self._new = []
        drawn = np.flatnonzero(opacity.ravel() != 0)
        if not len(drawn):
            return
        age = (self._frame - born.ravel()[drawn]) / np.float32(self._trail)
        opacity.ravel()[drawn[age >= 1]] = 0
        weight = opacity.ravel()[drawn] * np.maximum((240 - 180 * age) / 255**2, 0)
        y, x = np.divmod(drawn, picture.shape[1])
        ground = picture[y, x]
        change = (ink.reshape(-1, 3)[drawn] - ground.astype(np.float32)) * weight[:, None]
        picture[y, x] = ground + change + np.float32(0.5)

    def _marker(self, picture: Picture, state: int, track: int, x: float, y: float) -> None:
        place = -1 if state == State.TENTATIVE else self._colours.get(track, -1)
        colour = colour_of(place) if place >= 0 else GREY
        radius = self._radius * (0.6 if state == State.TENTATIVE or self._crowded else 1.0)
        centre = tuple(fixed((x, y)).tolist())
        size = int(fixed(radius))
        if not self._crowded:
            cv2.circle(picture, centre, size, DARK, 3, cv2.LINE_AA, SHIFT)
        if state != State.PREDICTED:
            cv2.circle(picture, centre, size, colour, 1, cv2.LINE_AA, SHIFT)
            return
        for start in (20, 110, 200, 290):  # dashed: nothing was seen here
            cv2.ellipse(picture, centre, (size, size), 0, start, start + 50, colour, 1, cv2.LINE_AA, SHIFT)

    def _cross(self, picture: Picture, x: float, y: float, colour: Colour) -> None:
        arm = 2.5 if self._crowded else 4.0
        pieces = [fixed([(x - arm, y - arm), (x + arm, y + arm)]), fixed([(x - arm, y + arm), (x + arm, y - arm)])]
        polylines(picture, pieces, DARK, 3)
        polylines(picture, pieces, colour)

    def _label(
        self, picture: Picture, taken: set[tuple[int, int]], words: str, place: tuple[float, float], size: float,
        colour: Colour,
    ) -> None:  # fmt: skip
        """Words at a place if there is room, moved into the picture where its edges would cut them."""
        height, width = picture.shape[:2]
        x = max(3.0, min(place[0], width - 3.0 - label_width(words, size)))
        y = max(14.0, min(place[1], height - 5.0))
        # Cells of 16 px, as high as a line of letters.
        row, first, last = int(y // 16), int(x // 16), int((x + label_width(words, size)) // 16)
        cells = {(row, k) for k in range(first, last + 1)}
        if not cells & taken:
            taken |= cells
            label(picture, words, x, y, size, colour)


def _scaled(colour: Colour, by: float) -> Colour:
    return (round(colour[0] * by), round(colour[1] * by), round(colour[2] * by))
