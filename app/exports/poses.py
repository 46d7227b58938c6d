"""Tracks of key points by frame, animal and point, as programs for poses of animals count them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.exports.table import MOST_CELLS, TrackTable, seen
from kernels.errors import InputError


@dataclass(frozen=True, slots=True)
class Poses:
    """Tracks by animal and point; NaN where a point has no place.

    Args:
        frames, times: (T,); no frame between the first and the last is left out.
        animals: (A,) their numbers.
        points: (P,) what the points are called, each once.
        edges: (E, 2) places in `points`.
        x, y: (T, A, P), in the table's units.
        score: (T, A, P), 0 to 1, 0 where a point has no place.
    """

    frames: npt.NDArray[np.int64]
    times: npt.NDArray[np.float64]
    animals: npt.NDArray[np.int64]
    points: tuple[str, ...]
    edges: npt.NDArray[np.int64]
    x: npt.NDArray[np.float64]
    y: npt.NDArray[np.float64]
    score: npt.NDArray[np.float64]

    @property
    def names(self) -> list[str]:
        """What the animals are called in files."""
        return [f"animal_{animal + 1}" for animal in self.animals.tolist()]


def poses(table: TrackTable) -> Poses:
    """The poses of a table; tracks that are no key points are left out. Where none is, every track is a point of one
    animal, called as the table calls it.

    Raises:
        InputError: it would not fit into memory.
    """
    keypoints = table.keypoints
    rows = table.rows if table.guesses else table.rows[seen(table.rows)]
    if keypoints.tracks:
        rows = rows[np.isin(rows["track"], np.fromiter(keypoints.tracks, np.int64))]
    known = np.unique(rows["track"]).tolist()
    which: Mapping[int, tuple[int, int]] = keypoints.tracks or {track: (0, k) for k, track in enumerate(known)}
    animals = np.unique([which[track][0] for track in known]).astype(np.int64)
    numbers = sorted({which[track][1] for track in known} | {p for a, b, c in keypoints.edges for p in (b, c)}
                     | set(keypoints.names))  # fmt: skip
    names = table.labels(known)
    # A point of the skeleton that was never seen keeps its place.
    if keypoints.tracks:
        names = _once(re.sub(r'[,"\x00-\x1f]+', "_", keypoints.names.get(k) or f"point_{k}") for k in numbers)
    all_frames, index = np.unique(table.rows["frame"], return_index=True)
    first, count = (int(all_frames[0]), int(np.ptp(all_frames)) + 1) if len(all_frames) else (0, 0)
    shape = count, len(animals), len(numbers)
    if count * len(animals) * len(numbers) > MOST_CELLS:
        raise InputError(
            f"a table of {count} frames, {len(animals)} animals and {len(numbers)} points is too large for the memory; "
            "take fewer with --frames or --min-frames"
        )
    made = {"x": np.full(shape, np.nan), "y": np.full(shape, np.nan), "score": np.zeros(shape)}
    tracks, at = np.unique(rows["track"], return_inverse=True)
    place = np.array([which[track] for track in tracks.tolist()], np.int64).reshape(-1, 2)
    cell = (rows["frame"] - first, np.searchsorted(animals, place[at, 0]), np.searchsorted(numbers, place[at, 1]))
    for name, values in made.items():
        values[cell] = rows[name]
    frames = np.arange(first, first + count)
    # Frames in which nothing was followed have no row to tell their time.
    times = np.interp(frames, all_frames, table.rows["time"][index]) if count else np.zeros(0)
    joined = {(numbers.index(a), numbers.index(b)) for _, a, b in keypoints.edges}
    return Poses(frames, times, animals, tuple(names), np.array(sorted(joined), np.int64).reshape(-1, 2), **made)


def _once(names: Iterable[str]) -> list[str]:
    """Names, each once: the second "ear" is "ear_2"."""
    made: list[str] = []
    for name in names:
        count = 2
        called = name
        while called in made:
            called, count = f"{name}_{count}", count + 1
        made.append(called)
    return made
