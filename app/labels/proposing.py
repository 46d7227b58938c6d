"""Which frames are worth labelling next: those that differ most from what is labelled already.

Frames are compared as small gray thumbnails without their mean brightness (a lamp that flickers makes no new posture).
They are chosen one after the other, each as the one that is farthest from all before it (Gonzalez, Clustering to
minimize the maximum intercluster distance, 1985): the greedy solution of the k-centre problem, never more than twice as
far off as the best one, and what active learning calls a core-set (Sener & Savarese, ICLR 2018).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.sources.opening import open_source
from app.sources.reading import AS_STORED, Reading
from kernels.errors import BadFrame, InputError

Array = npt.NDArray[np.float32]
SIDE = 32
"""Of a thumbnail, at most, pixels: an animal of a tenth of the picture is still three of them wide."""
LOOKED = 300
"""Frames of a clip that are looked at, evenly spread: of an hour at 30 frames/s every 12 s; some seconds to read."""
PART = 8
"""Thumbnails that are handed on at a time."""


@dataclass(frozen=True)
class ThumbnailAsk:
    """Which thumbnails are wanted of which clip; plain values, for another process."""

    what: str
    reading: Reading
    frames: tuple[int, ...]


def spread(frames: int, most: int = LOOKED) -> tuple[int, ...]:
    """At most so many of the frames of a clip, evenly spread.

    >>> spread(10, 4), spread(3)
    ((1, 3, 6, 8), (0, 1, 2))
    """
    if frames <= most:
        return tuple(range(frames))
    return tuple(int((k + 0.5) * frames / most) for k in range(most))


def thumbnail(picture: Array) -> Array:
    """A gray picture (height, width) as means of squares, SIDE at most along each side, less the mean of all; flat."""
    height, width = picture.shape
    step = max(1, -(-max(height, width) // SIDE))
    rows, columns = np.arange(0, height, step), np.arange(0, width, step)
    # Sums of squares of `step` pixels by reduceat; the last row and column may be of fewer.
    sums = np.add.reduceat(np.add.reduceat(picture.astype(np.float64), rows, axis=0), columns, axis=1)
    counts = np.diff(np.append(rows, height))[:, None] * np.diff(np.append(columns, width))
    means: npt.NDArray[np.float64] = sums / counts
    return np.asarray(means - means.mean(), np.float32).ravel()


def thumbnails(ask: ThumbnailAsk) -> Iterator[dict[int, Array]]:
    """Thumbnails by frame, some at a time; frames that cannot be read are left out.

    Raises:
        InputError: the clip cannot be opened.
    """
    from app.labels.frames import PlainFrames  # here, for the window proposes and reads no frames

    with closing(open_source(ask.what, ask.reading)) as source:
        plain, found = PlainFrames(source, gray=True), dict[int, Array]()
        for frame in sorted(set(ask.frames)):
            if not 0 <= frame < source.info.frames:
                continue
            try:
                found[frame] = thumbnail(plain.fractions(frame))
            except BadFrame:
                continue
            if len(found) == PART:
                yield found
                found = {}
        yield found


def farthest(known: Mapping[int, Array], labelled: Iterable[int], count: int) -> list[int]:
    """So many frames, the most different one first, each far from what is labelled and from those before it.

    Args:
        known: thumbnails by frame.
        labelled: frames that need no more labels. With none the first is the frame nearest to the mean of all, which
            looks as most do.
        count: how many are wanted; fewer are given where there are no more that differ at all.
    """
    frames = sorted(known)
    if not frames:
        return []
    pictures = np.stack([known[frame] for frame in frames]).astype(np.float64)
    near = np.full(len(frames), np.inf)
    done = set(labelled)

    def take(place: int) -> None:
        # Distance to the nearest one chosen, updated by each new one: k-centre in n steps a choice.
        away = ((pictures - pictures[place]) ** 2).mean(axis=1)
        np.minimum(near, away, out=near)
        near[place] = 0.0

    for place, frame in enumerate(frames):
        if frame in done:
            take(place)
    chosen: list[int] = []
    while len(chosen) < count:
        # Nothing is labelled: the most ordinary frame begins.
        if np.isinf(near).all():
            place = int(((pictures - pictures.mean(axis=0)) ** 2).mean(axis=1).argmin())
        else:
            place = int(near.argmax())
        if near[place] <= 0:
            break
        take(place)
        chosen.append(frames[place])
    return chosen


def least_sure(frames: npt.NDArray[np.int64], scores: npt.NDArray[np.float64], labelled: Sequence[int]) -> int | None:
    """The frame in which what was found is trusted least: the lowest mean score; None without any but labelled ones.

    Args:
        frames, scores: (n,) of each row of tracks; a point that was not found has 0.
        labelled: frames that are left out.
    """
    known = ~np.isin(frames, np.asarray(labelled, np.int64))
    if not known.any():
        return None
    first = int(frames[known].min())
    place = frames[known] - first
    count = np.bincount(place)
    total = np.bincount(place, weights=scores[known])
    mean = np.where(count > 0, total / np.maximum(count, 1), np.inf)
    return first + int(mean.argmin())


def propose(clip: str, labelled: Sequence[int], count: int) -> list[int]:
    """Frames of a clip to label next.

    Raises:
        InputError: the clip cannot be read.
    """
    with closing(open_source(clip)) as source:
        frames = source.info.frames
    known: dict[int, Array] = {}
    for part in thumbnails(ThumbnailAsk(clip, AS_STORED, (*spread(frames), *labelled))):
        known |= part
    if not known:
        raise InputError(f"no frame of {clip} can be read")
    return farthest(known, labelled, count)
