"""What a receiver gets of a batch, and its division into packets of whole rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pipelines.features import Tracks

FRAME_DTYPE = np.dtype([("frame", "<i8"), ("time", "<f8"), ("camera_time", "<f8"), ("latency", "<f8")])
"""A frame: its number, its time as the trackers are given it, the camera's own clock, and from when the host had it to
when it is sent; s. NaN if unknown."""


@dataclass(frozen=True, slots=True)
class Message:
    """The tracks of consecutive frames.

    Args:
        batch: counts the batches from 0, those that were not sent, too, so that a receiver sees what it lacks.
        frames: (n,) of FRAME_DTYPE.
        rows: theirs, TRACK_DTYPE.
        part, parts: which part of how many this is, from 1.
    """

    batch: int
    frames: npt.NDArray[np.void]
    rows: Tracks
    part: int = 1
    parts: int = 1


Encode = Callable[[Message], bytes]


def packets(message: Message, encode: Encode, most: int) -> Iterator[bytes]:
    """A message as packets of at most `most` bytes (0: no limit): in as few parts as that takes, or one more where rows
    differ in length, each with about as many rows.

    A packet of one frame or row is sent however long it is: there is nothing less.
    """
    whole = encode(message)
    things = len(message.frames) + len(message.rows)
    if most <= 0 or len(whole) <= most or things < 2:
        yield whole
        return
    parts = min(-(-len(whole) // most), things)
    while True:
        made = [encode(part) for part in _divided(message, parts)]
        if parts == things or all(len(one) <= most for one in made):
            yield from made
            return
        parts += 1


def _divided(message: Message, parts: int) -> Iterator[Message]:
    """Frames first, then rows, in pieces that differ by one thing at most."""
    frames, things = len(message.frames), len(message.frames) + len(message.rows)
    for k in range(parts):
        first, end = (things * edge // parts for edge in (k, k + 1))
        yield replace(
            message, frames=message.frames[min(first, frames) : min(end, frames)],
            rows=message.rows[max(first - frames, 0) : max(end - frames, 0)], part=k + 1, parts=parts,
        )  # fmt: skip
