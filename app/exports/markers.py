"""Markers, names, skeletons, trails and losses drawn onto the pictures of a clip, as planes of luma and colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

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
from pipelines.features import Reason, State, Tracks, join_tracks

LOST_FRAMES = 20
"""Pictures for which a loss stays marked."""
LOST_CELL = 12
"""A square of so many px shows one loss, the last one."""
MOST_LOSSES = 60
MOST_WAITING = 16
"""Frames that are looked at together, at most."""
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


@dataclass(frozen=True, slots=True)
class _Seen:
    """Where tracks were in frames that were looked at together.

    Args:
        last: the last of the frames.
        at: (n, 3) frame, x, y (px of the video).
        ids: (n,) tracks.
    """

    last: int
    at: Picture
    ids: Picture


@dataclass(frozen=True, slots=True)
class _Ways:
    """What trails are drawn of.

    Args:
        ways: (n, 2) in `fixed` numbers, of one track each.
        owners: their tracks.
        steps: a frame, and (n, 2, 2) of it: the same, in pieces.
    """

    ways: list[Picture]
    owners: list[int]
    steps: list[tuple[int, Picture]]


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
        self._waiting: list[Tracks] = []  # of the frames since those that were looked at
        self._seen: list[_Seen] = []  # from the frame that was drawn last on, as far as trails reach back
        self._drawn = 0  # the frame that was drawn last
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
        self._waiting.append(rows.copy())
        if len(self._waiting) >= MOST_WAITING:
            self._look()

    # One look at many frames costs as much as one at a single frame.
    def _look(self) -> None:
        """Take in the frames that wait, all at once: to look at each costs as much as to look at some."""
        some, self._waiting = self._waiting, []
        first = self._frame + 1
        frames = np.repeat(np.arange(first, first + len(some)), [len(rows) for rows in some])
        self._frame += len(some)
        rows = join_tracks(some)
        x, y, tracks, states = rows["x"], rows["y"], rows["track"], rows["state"]  # by name: rows are wide to copy
        placed = np.isfinite(x) & np.isfinite(y)
        lost = states == LOST
        believed = dict.fromkeys(tracks[placed & (states == TRACKED)].tolist())
        if not self._colours.keys() >= believed.keys():
            # Colours by the order in which tracks were believed: neighbours in time differ.
            for track in believed:
                self._colours.setdefault(track, len(self._colours))
        alive = np.flatnonzero(placed & ~lost)
        for count in np.bincount(frames[alive] - first, minlength=len(some)).tolist():
            # Hysteresis: numbers do not come and go where the count is near the limit.
            self._crowded = count > (0.8 * CROWD if self._crowded else CROWD)
        if self._trail:
            at = np.column_stack((frames[alive], self._display(x[alive], y[alive])))
            self._seen.append(_Seen(self._frame, at, tracks[alive].astype(np.int64)))
            # Frames that no trail reaches back to are let go of.
            while self._seen[0].last < self._frame - self._trail:
                self._seen.pop(0)
        if self._losses or lost.any():
            for number in range(first, first + len(some)):
                self._lose(rows[placed & lost & (frames == number)], number)

    def _ways(self) -> _Ways | None:
        """How the trails go on to where tracks are now, since the frame that was drawn last; a frame without a track
        ends its trail there."""
        at = np.concatenate([seen.at for seen in self._seen])
        ids = np.concatenate([seen.ids for seen in self._seen])
        order = np.lexsort((at[:, 0], ids))
        order = order[at[order, 0] >= self._frame - self._trail]
        at, ids = at[order], ids[order]
        now = at[:, 0] == self._frame
        self._seen = [_Seen(self._frame, at[now], ids[now])]
        # A way is broken where the track changes or a frame is missing in between.
        first = (np.diff(ids, prepend=-1) != 0) | (np.diff(at[:, 0], prepend=-1) != 1)
        begins, later = np.flatnonzero(first), np.flatnonzero(~first)
        if not len(later):
            return None
        lines = fixed(at[:, 1:])
        long = np.diff(np.append(begins, len(ids))) > 1
        ways = [way for way, good in zip(_parts(lines, begins[1:]), long.tolist(), strict=True) if good]
        # The same steps by frames: pixels of a step remember the frame that drew it.
        later = later[np.argsort(at[later, 0], kind="stable")]
        cuts = np.flatnonzero(np.diff(at[later, 0])) + 1
        steps = _parts(np.stack((lines[later - 1], lines[later]), axis=1), cuts)
        numbers = at[later[[0, *cuts]], 0].astype(int).tolist()
        return _Ways(ways, ids[begins[long]].tolist(), list(zip(numbers, steps, strict=True)))

    def _lose(self, rows: Tracks, frame: int) -> None:
        for row, (x, y) in zip(rows, self._display(rows["x"], rows["y"]), strict=True):
            reason = Reason(int(row["reason"])).name.lower().replace("_", " ")
            cell = (int(x // LOST_CELL), int(y // LOST_CELL))
            # One loss a cell: a place where tracks are lost again and again shows the newest.
            self._losses.pop(cell, None)  # the newest are last
            self._losses[cell] = (frame, float(x), float(y), reason)
        # Those that are too old, and the oldest beyond MOST_LOSSES.
        old = [cell for cell, loss in self._losses.items() if frame - loss[0] >= self._marked]
        for cell in old + list(self._losses)[len(old) : -MOST_LOSSES]:
            self._losses.pop(cell)

    def draw(self, planes: Planes, size: tuple[int, int], rows: Tracks) -> None:
        """Draw trails, skeletons, losses and the markers of `rows` (those given to `add` last) onto the upper left
        (height, width) px."""
        self._look()
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
            names = [self._names.get(track, str(track)) for track in rows["track"][known].tolist()]
            beside = places[known] + (self._radius + 3, -self._radius)
            kept, begins = self._room(size, taken, names, beside, SIZE)
            self._marks.lines([names[k] for k in kept], begins, SIZE, [WHITE] * len(kept))
        if 0 < len(self._losses) <= MOST_WORDS:
            frames, *lost, reasons = zip(*self._losses.values(), strict=True)
            kept, begins = self._room(size, taken, reasons, np.transpose(lost) + (8, -6), 0.4)
            colours = [_scaled(WHITE, self._fade(frames[k])) for k in kept]
            self._marks.lines([reasons[k] for k in kept], begins, 0.4, colours)
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
        new = self._ways() if self._seen else None
        if self._layers is None:
            if new is None:
                return
            whole = (height + 1) // 2 * 2, line
            self._layers = np.zeros(whole, np.uint8), np.zeros(whole, np.uint8), np.zeros(whole, np.int32)
        opacity, tint, born = (layer[:height, :width] for layer in self._layers)
        if self._frame - self._drawn >= self._trail:  # all of it is over, and new bands must not make it young again
            opacity[:] = 0
        self._drawn = self._frame
        if new is not None:
            # Tints and ages go broad, the thin lines onto the opacity alone: edges stay smooth.
            of_tint: dict[int, list[Picture]] = {}
            for c, line_ in zip(self._tints(new.owners).tolist(), new.ways, strict=True):
                of_tint.setdefault(c, []).append(line_)
            for c, some in of_tint.items():
                cv2.polylines(tint, some, False, c, 3, cv2.LINE_8, SHIFT)
            for frame, pieces in new.steps:
                cv2.polylines(born, list(pieces), False, frame, 3, cv2.LINE_8, SHIFT)
            polylines(opacity, new.ways, 255)
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
        tints = np.where(states == TENTATIVE, _UNBELIEVED, self._tints(tracks.tolist()))
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

    def _tints(self, tracks: Sequence[int]) -> Picture:
        """The places of tracks' colours in `_COLOURS`."""
        places = self._colours
        return np.array([places[k] % len(PALETTE) if k in places else _UNBELIEVED for k in tracks], np.int64)

    def _room(
        self, size: tuple[int, int], taken: dict[int, int], words: Sequence[str], places: Picture, letters: float
    ) -> tuple[list[int], Picture]:
        """Which of some words at places (n, 2) there is room for, one after the other, and where they begin: moved into
        the picture where its edges would cut them."""
        height, width = size
        long = np.array([label_width(one, letters) for one in words], np.float64)
        x = np.maximum(3.0, np.minimum(places[:, 0], width - 3.0 - long))
        y = np.maximum(14.0, np.minimum(places[:, 1], height - 5.0))
        # Cells of 16 px, as high as a line of letters: a bit each of their row's number.
        cells = (np.stack((y, x, x + long)) // 16).astype(np.int64)
        kept = []
        for k, (row, first, last) in enumerate(cells.T.tolist()):
            bits, before = (1 << (last + 1)) - (1 << first), taken.get(row, 0)
            if not before & bits:
                taken[row] = before | bits
                kept.append(k)
        return kept, np.stack((x, y), axis=1)[kept]


def _parts(whole: Picture, cuts: Picture) -> list[Picture]:
    """What `np.split` gives, in a tenth of the time."""
    return [whole[first:end] for first, end in pairwise([0, *cuts.tolist(), len(whole)])]


def _scaled(colour: Colour, by: float) -> Colour:
    return (round(colour[0] * by), round(colour[1] * by), round(colour[2] * by))
