"""A picture that stays still beside a track, or beside a body of several tracks: each frame is moved back by what these
have moved."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from kernels.opencv import cv2
from pipelines.analysis.ground import Ground, beside_ground
from pipelines.analysis.trails import Trail, trails_of
from pipelines.features import State, Tracks
from pipelines.frame import Pixels

_ARM = 1000.0
"""Pixels between two probes whose places tell how a frame is moved; of no influence on the result."""


class Still:
    """See the module. With one track its motion is taken away, with two or more the rigid motion that suits all best.

    Args:
        rows: TRACK_DTYPE, px of the picture.
        follow: the tracks.
        keys: (n,) by which number `rows` knows each frame that will come, rising.
        names: what tracks are called, for complaints.

    Attributes:
        guessed: how many frames lie where the tracks were not seen: between frames where they were the motion is taken
            as even, before the first and behind the last as none.

    Raises:
        InputError: the tracks were not seen in these frames.
    """

    def __init__(self, rows: Tracks, follow: Sequence[int], keys: npt.NDArray[np.int64]) -> None:
        wanted = rows[np.isin(rows["track"], follow) & np.isin(rows["frame"], keys)].copy()
        known = set(np.unique(wanted["track"]).tolist())
        missing = [track for track in follow if track not in known]
        if missing:
            raise InputError(f"track {missing[0]} was not seen in these frames, so that the picture cannot stay still "
                             "beside it")  # fmt: skip
        wanted["state"][wanted["state"] == State.TENTATIVE] = State.TRACKED  # sightings, of what was believed later
        wanted["time"] = wanted["frame"]  # real times do not matter here, and may be unknown
        trails = trails_of(wanted).trails
        frames = np.unique(np.concatenate([trail.frames for trail in trails])) if trails else np.zeros(0, np.int64)
        probes = tuple(_probe(f"probe {place:g}", frames, place) for place in (0.0, _ARM))
        kind: Ground = "shift" if len(follow) == 1 else "rigid"
        try:
            found = beside_ground((*trails, *probes), [trail.name for trail in trails], kind).trails[-2:]
        except ValueError as error:
            raise InputError(f"the picture cannot stay still beside these tracks: {error}") from None
        at = found[0].frames
        begin, end = (one.values[0] + 1j * one.values[1] for one in found)
        turn = np.unwrap(np.angle(end - begin))
        self._turn = np.interp(keys, at, turn)
        # Between frames it is the body's middle that goes evenly, not the picture's corner about which it turns.
        first = wanted[wanted["frame"] == at[0]]
        self._middle = complex(begin[0] + np.exp(1j * turn[0]) * complex(first["x"].mean(), first["y"].mean()))
        path = (self._middle - begin) * np.exp(-1j * turn)
        self._path = np.interp(keys, at, path.real) + 1j * np.interp(keys, at, path.imag)
        self.guessed = int((~np.isin(keys, at)).sum())

    def matrix(self, number: int, corner: tuple[int, int] = (0, 0)) -> npt.NDArray[np.float64]:
        """(2, 3): where a place of a frame (the number of its key) lies in the still picture.

        Args:
            corner: of the part of the still picture that is wanted, px.
        """
        spin = np.exp(1j * self._turn[number])
        shift = self._middle - spin * self._path[number] - complex(*corner)
        return np.array([[spin.real, -spin.imag, shift.real], [spin.imag, spin.real, shift.imag]])

    def picture(self, pixels: Pixels, number: int, part: tuple[int, int, int, int]) -> Pixels:
        """A frame as it lies in a part (x, y, width, height) of the still picture; black where it has nothing."""
        made = cv2.warpAffine(pixels, self.matrix(number, part[:2]), part[2:], flags=cv2.INTER_LINEAR)
        return np.asarray(made)

    def rows(self, rows: Tracks, number: int, corner: tuple[int, int]) -> Tracks:
        """Tracks of a frame there; a copy."""
        made, matrix = rows.copy(), self.matrix(number, corner)
        for name, line in zip(("x", "y"), matrix, strict=True):
            made[name] = line[0] * rows["x"] + line[1] * rows["y"] + line[2]
        return made


def _probe(name: str, frames: npt.NDArray[np.int64], x: float) -> Trail:
    """A place of the picture, x px to the right of its corner, in each frame."""
    values = np.zeros((2, len(frames)))
    values[0] = x
    return Trail(name, frames, frames.astype(float), values, np.ones((2, len(frames))))
