"""Markers, names, skeletons, trails and losses drawn onto the pictures of a clip, as planes of luma and colour."""

from __future__ import annotations

import numpy as np

from app.exports.blend_loops import WORD, Canvas, Layers, Paling, trailed
from app.exports.drawing import (
    DARK,
    GREY,
    PALETTE,
    SHIFT,
    WHITE,
    Colour,
    Picture,
    fixed,
    label_width,
    polylines,
)
from app.exports.planes import Planes, yuv_of
from app.exports.skeletons import Skeletons, ring_radius
from app.exports.stamps import Marks, Ring, palette_of
from app.keypoints import Keypoints
from kernels.loops.calling import call
from kernels.opencv import cv2
from pipelines.features import Reason, State, Tracks

LOST_FRAMES = 20
"""Pictures for which a loss stays marked."""
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
STRONG, WEAK = 240, 60
"""Of 255 parts, how far a trail covers the ground when it is new and when it vanishes."""

TRACKED, PREDICTED, TENTATIVE, LOST = map(int, (State.TRACKED, State.PREDICTED, State.TENTATIVE, State.LOST))

_COLOURS = palette_of((*PALETTE, GREY))
_UNBELIEVED = len(PALETTE)
"""Of tracks that are not confirmed yet: GREY."""


class TrailPainter:
    """Draws the rows of frame after frame onto pictures, with what is left of the frames before.

    A trail is drawn once, when it is made; each pixel remembers its colour and when it was drawn, and pales by its age.

    Args:
        factor: the pictures' enlargement.
        trail: frames that a trail reaches back.
        every: each so-manieth frame is drawn: losses stay marked for as many pictures as if all were.
    """

    def __init__(self, factor: float, trail: int, every: int = 1) -> None:
        self._factor, self._trail, self._marked = factor, max(0, trail), LOST_FRAMES * every
        self._radius = 5.0 if factor <= 1 else 6.0
        self._colours: dict[int, int] = {}  # of those that were believed, in their order
        self._ids: Picture = np.zeros(0, np.int64)
        self._places: Picture = np.zeros((0, 2))
        self._new: list[tuple[int, Picture, Picture]] = []  # frame, (n, 2, 2) px, (n,) tracks; not yet drawn
        self._layers: tuple[Picture, Picture, Picture] | None = None  # opacity, tint, frame
        self._marks = Marks()
        self._losses: dict[tuple[int, int], tuple[int, float, float, str]] = {}
        self._frame = 0
        self._crowded = False
        self._skeletons, self._names = Skeletons(), dict[int, str]()

    def know(self, keypoints: Keypoints) -> None:
        """Draw the skeletons of tracks that are key points, and their names in place of numbers, from now on."""
        self._skeletons, self._names = Skeletons(keypoints), keypoints.track_names()

    @property
    def crowded(self) -> bool:
        """Whether there are so many tracks that they have no numbers."""
        return self._crowded

    def add(self, rows: Tracks) -> None:
        """Take the rows of the next frame into the trails, without drawing."""
        self._frame += 1
        x, y, tracks, states = rows["x"], rows["y"], rows["track"], rows["state"]  # by name: rows are wide to copy
        placed = np.isfinite(x) & np.isfinite(y)
        lost = states == LOST
        believed = tracks[placed & (states == TRACKED)].tolist()
        if not self._colours.keys() >= set(believed):
            for track in believed:
                self._colours.setdefault(track, len(self._colours))
        alive = np.flatnonzero(placed & ~lost)
        self._crowded = len(alive) > (0.8 * CROWD if self._crowded else CROWD)
        alive = alive[np.argsort(tracks[alive], kind="stable")]
        ids, places = tracks[alive].astype(np.int64), self._display(x[alive], y[alive])
        now, before = _common(ids, self._ids)
        if self._trail and len(now):
            self._new.append((self._frame, np.stack((self._places[before], places[now]), axis=1), ids[now]))
            del self._new[: -self._trail]
        self._ids, self._places = ids, places
        if self._losses or lost.any():
            self._lose(rows[placed & lost])

    def _lose(self, rows: Tracks) -> None:
        for row, (x, y) in zip(rows, self._display(rows["x"], rows["y"]), strict=True):
            reason = Reason(int(row["reason"])).name.lower().replace("_", " ")
            cell = (int(x // LOST_CELL), int(y // LOST_CELL))
            self._losses.pop(cell, None)  # the newest are last
            self._losses[cell] = (self._frame, float(x), float(y), reason)
        old = [cell for cell, loss in self._losses.items() if self._frame - loss[0] >= self._marked]
        for cell in old + list(self._losses)[len(old) : -MOST_LOSSES]:
            self._losses.pop(cell)

    def draw(self, planes: Planes, size: tuple[int, int], rows: Tracks) -> None:
        """Draw trails, skeletons, losses and the markers of `rows` (those given to `add` last) onto the upper left
        (height, width) px."""
        self._trails(planes, size)
        taken: dict[int, int] = {}
        rows = rows[(rows["state"] != LOST) & np.isfinite(rows["x"]) & np.isfinite(rows["y"])]
        places = self._display(rows["x"], rows["y"])
        self._edges(planes, size, rows, places)
        arm = 2.5 if self._crowded else 4.0
        for frame, x, y, _ in self._losses.values():
            self._marks.cross(x, y, arm, _scaled(WHITE, self._fade(frame)))
        self._rings(places, rows["state"], rows["track"])
        if not self._crowded:
            known = rows["state"] != TENTATIVE
            for track, (x, y) in zip(rows["track"][known].tolist(), places[known].tolist(), strict=True):
                name = self._names.get(track, str(track))
                self._label(size, taken, name, (x + self._radius + 3, y - self._radius), SIZE, WHITE)
        if len(self._losses) <= MOST_WORDS:
            for frame, x, y, reason in self._losses.values():
                self._label(size, taken, reason, (x + 8, y - 6), 0.4, _scaled(WHITE, self._fade(frame)))
        self._marks.draw(planes, *size)

    def _fade(self, frame: int) -> float:
        return 1.0 - 0.7 * (self._frame - frame) / self._marked

    def _display(self, x: Picture, y: Picture) -> Picture:
        places = np.empty((len(x), 2))
        places[:, 0], places[:, 1] = x, y
        places *= self._factor
        places += (self._factor - 1) / 2
        return places

    def _trails(self, planes: Planes, size: tuple[int, int]) -> None:
        height, width = size
        line = -(-width // WORD) * WORD
        if self._layers is None:
            if not self._new:
                return
            whole = (height + 1) // 2 * 2, line
            self._layers = np.zeros(whole, np.uint8), np.zeros(whole, np.uint8), np.zeros(whole, np.int32)
        opacity, tint, born = (layer[:height, :width] for layer in self._layers)
        if self._new:
            # Tints and ages go broad, the thin lines onto the opacity alone: edges stay smooth.
            lines = list(fixed(np.concatenate([lines for _, lines, _ in self._new])))
            tints = self._tints(np.concatenate([ids for *_, ids in self._new])).tolist()
            of_tint: dict[int, list[Picture]] = {}
            for c, line_ in zip(tints, lines, strict=True):
                of_tint.setdefault(c, []).append(line_)
            for c, some in of_tint.items():
                cv2.polylines(tint, some, False, c, 3, cv2.LINE_8, SHIFT)
            first = 0
            for frame, of_frame, _ in self._new:
                end = first + len(of_frame)
                cv2.polylines(born, lines[first:end], False, frame, 3, cv2.LINE_8, SHIFT)
                first = end
            polylines(opacity, lines, 255)
        self._new = []
        canvas = Canvas(planes.y, planes.u, planes.v, *planes.pitches)
        layers = Layers(*self._layers, len(self._layers[0]), line)
        call(trailed, canvas, layers, Paling(self._frame, self._trail, _COLOURS, STRONG, WEAK))

    def _edges(self, planes: Planes, size: tuple[int, int], rows: Tracks, places: Picture) -> None:
        """Lines between the points of an animal, of its colour with a dark rim; paler where an end is a guess."""
        pairs, animals = self._skeletons.joined(rows)
        if not len(pairs):
            return
        guessed = (rows["state"][pairs] != TRACKED).any(axis=1)
        rims = [yuv_of(DARK)] * len(pairs)
        faces = [yuv_of(_scaled(PALETTE[animal % len(PALETTE)], 0.6 if pale else 1.0))
                 for animal, pale in zip(animals.tolist(), guessed.tolist(), strict=True)]  # fmt: skip
        height, width = size
        for colours, thick in ((rims, 3), (faces, 1)):
            if thick == 3 and self._crowded:
                continue
            for plane, k in zip((planes.luma, *planes.colours), range(3), strict=True):
                half = k > 0  # a square of two by two pixels has one place in the planes of colour
                lines = fixed((places[pairs] - 0.5) / 2 if half else places[pairs])
                view = plane[: (height + 1) // 2, : (width + 1) // 2] if half else plane[:height, :width]
                values = np.array([colour[k] for colour in colours])
                for value in np.unique(values).tolist():
                    polylines(view, list(lines[values == value]), value, max(1, thick // 2) if half else thick)

    def _rings(self, places: Picture, states: Picture, tracks: Picture) -> None:
        tints = np.where(states == TENTATIVE, _UNBELIEVED, self._tints(tracks))
        kinds = []
        largest = ring_radius(places, self._radius)
        for small in (False, True):
            for dashed in (False, True):  # nothing was seen there
                chosen = ((states == TENTATIVE) | self._crowded) == small
                of_kind = np.flatnonzero(chosen & ((states == PREDICTED) == dashed))
                if len(of_kind):
                    radius = min(largest, self._radius * (0.6 if small else 1.0))
                    kinds.append((Ring(radius, not self._crowded, dashed), of_kind))
        self._marks.rings(places, kinds, _COLOURS.reshape(-1, 3)[tints])

    def _tints(self, tracks: Picture) -> Picture:
        """The places of tracks' colours in `_COLOURS`."""
        places = self._colours
        return np.array([places[k] % len(PALETTE) if k in places else _UNBELIEVED for k in tracks.tolist()], np.int64)

    def _label(
        self, size: tuple[int, int], taken: dict[int, int], words: str, place: tuple[float, float],
        letters: float, colour: Colour,
    ) -> None:  # fmt: skip
        """Words at a place if there is room, moved into the picture where its edges would cut them."""
        height, width = size
        long = label_width(words, letters)
        x = max(3.0, min(place[0], width - 3.0 - long))
        y = max(14.0, min(place[1], height - 5.0))
        # Cells of 16 px, as high as a line of letters: a bit each of their row's number.
        row, first, last = int(y // 16), int(x // 16), int((x + long) // 16)
        cells = (1 << (last + 1)) - (1 << first)
        before = taken.get(row, 0)
        if not before & cells:
            taken[row] = before | cells
            self._marks.words(words, letters, x, y, colour)


def _common(a: Picture, b: Picture) -> tuple[Picture, Picture]:
    """Where the numbers that are in both are in each; both rise."""
    if not len(a) or not len(b):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    place = np.minimum(np.searchsorted(b, a), len(b) - 1)
    both = np.flatnonzero(b[place] == a)
    return both, place[both]


def _scaled(colour: Colour, by: float) -> Colour:
    return (round(colour[0] * by), round(colour[1] * by), round(colour[2] * by))
