"""Which colour each track has: its number says so, unless it is picked beside another one that looks like it.

Every view asks the same object, so a track has one colour in the picture, in the table and in the curves. What a track
was given it keeps, so that nothing changes under the eyes of somebody who picks one more, or one less.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

PALETTE = (
    "#4cc9f0", "#ffb703", "#80ed99", "#f78fb3", "#b5a7ff", "#ff7b54", "#2ec4b6", "#ffe066", "#c77dff", "#a3be8c",
    "#ff99c8", "#90dbf4",
)  # fmt: skip
"""Colours of tracks on pictures, which are dark or grey: light, and told apart by lightness as well as by hue."""
ALIKE = 24.0
"""Colours that are less apart than this (CIE 1976, L*a*b*) are taken for the same by a hasty eye."""

MOST = 60
"""Tracks that are kept apart; more colours look alike."""


def lab(colour: str) -> npt.NDArray[np.float64]:
    """L*, a*, b* (CIE 1976, white D65) of an sRGB colour, "#rrggbb"."""
    code = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255.0
    light = np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ light
    share = xyz / np.array([0.9505, 1.0, 1.089])
    root = np.where(share > (6 / 29) ** 3, np.cbrt(share), share * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def distances(colours: Sequence[str]) -> npt.NDArray[np.float64]:
    """How far each two colours are apart, in units of L*a*b*."""
    places = np.array([lab(colour) for colour in colours])
    return np.asarray(np.linalg.norm(places[:, None] - places[None], axis=2))


class TrackColours:
    """See the module; colours are numbers of `PALETTE`."""

    def __init__(self) -> None:
        self._far = distances(PALETTE)
        self._given: dict[int, int] = {}
        self._apart: set[int] = set()

    def number(self, track: int) -> int:
        """Of a track."""
        return self._given.get(track, track % len(PALETTE))

    def numbers(self, tracks: npt.NDArray[np.integer]) -> npt.NDArray[np.int64]:
        """Of many."""
        made = tracks.astype(np.int64) % len(PALETTE)
        for track, number in self._given.items():
            if track % len(PALETTE) != number:
                made[tracks == track] = number
        return made

    def keep_apart(self, tracks: Sequence[int]) -> None:
        """These are looked at together: no two of them look alike, as long as there are colours enough.

        Those that were among them before keep their colours; of the others the first comes first.
        """
        tracks = tracks[:MOST]
        before = set(tracks) & self._apart
        counts = np.zeros(len(PALETTE), np.int64)
        for track in sorted(tracks, key=lambda track: track not in before):  # stable
            number = self.number(track)
            if track not in before and counts.any() and self._far[number, counts > 0].min() < ALIKE:
                number = self._farthest(counts)
            if number != self.number(track):
                self._given[track] = number
            counts[number] += 1
        self._apart = set(tracks)

    def _farthest(self, counts: npt.NDArray[np.int64]) -> int:
        """The colour that is told apart best from those that are taken; of colours that all are, the rarest."""
        away = self._far[:, counts > 0].min(axis=1)
        return int(np.lexsort((-away, counts))[0])

    def forget(self) -> None:
        """Tracks are others."""
        self._given.clear()
        self._apart = set()
