"""What a user corrects by hand in tracks, step by step; plain values, so that they can be kept in a file."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from pipelines.features import Tracks
from pipelines.measures import fields_of, in_order, measured_dtype

FIRST_OWN = 2_000_000_000
"""Tracks that a split made have ids from here on; an engine never gets there."""


@dataclass(frozen=True, slots=True)
class Rename:
    """A track is called otherwise; "" gives it its number back."""

    track: int
    name: str


@dataclass(frozen=True, slots=True)
class Delete:
    """Tracks that are none."""

    tracks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Merge:
    """`other` is the same thing as `track`, whose id stays. In frames that both have, the one that was seen counts,
    and `track` where both were."""

    track: int
    other: int


@dataclass(frozen=True, slots=True)
class Split:
    """From `frame` on it is another thing, called `new`."""

    track: int
    frame: int
    new: int


@dataclass(frozen=True, slots=True)
class Move:
    """The track is at (x, y) px in `frame`, which is at `time` s, whatever the engine found.

    Between two frames that were set by hand the track runs along straight lines: rows there are guesses (PREDICTED).
    """

    track: int
    frame: int
    time: float
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Retrack:
    """The track was followed anew from (x, y) px in `frame` on: from there its rows are these.

    Args:
        until: a frame from which on it is as before again, because it was set by hand there; -1: to its end.
        rows: as `packed` makes them.
    """

    track: int
    frame: int
    x: float
    y: float
    until: int
    rows: str


Step = Rename | Delete | Merge | Split | Move | Retrack


_LATE = (("c:", ()), ("a:", ("correlation",)), ("", ("correlation", "anisotropy")))
"""What the text of rows begins with, and the fields of TRACK_DTYPE that they lack: they were written before there were
any. The first is that of now."""
_MEASURED = "m:"
"""Rows that carry measures: their fields follow, joined by commas, and then the text as of other rows."""


def packed(rows: Tracks) -> str:
    """Rows as text, a fraction of their size; with the measures that they carry."""
    fields = fields_of(rows)
    begin = f"{_MEASURED}{','.join(fields)}:" if fields else ""
    data = zlib.compress(np.ascontiguousarray(rows).tobytes(), 1)
    return begin + _LATE[0][0] + base64.b64encode(data).decode("ascii")


@lru_cache(64)
def unpacked(text: str) -> Tracks:
    """The rows of `packed`; not to be written.

    Raises:
        ValueError: these are none.
    """
    fields: tuple[str, ...] = ()
    if text.startswith(_MEASURED):
        names, _, text = text.removeprefix(_MEASURED).partition(":")
        fields = tuple(names.split(","))
        if in_order(fields) != fields:
            raise ValueError(f"rows with measures that there are not: {names}")
    begin, lacks = next((begin, lacks) for begin, lacks in _LATE if text.startswith(begin))
    try:
        data = zlib.decompress(base64.b64decode(text.removeprefix(begin), validate=True))
    except zlib.error as error:
        raise ValueError(f"rows that cannot be unpacked: {error}") from error
    dtype = measured_dtype(fields)
    there = [name for name in dtype.names or () if name not in lacks]
    old = np.frombuffer(data, [(name, dtype[name]) for name in there])
    rows = np.zeros(len(old), dtype)
    for name in there:
        rows[name] = old[name]
    return rows


@dataclass(frozen=True, slots=True)
class Action:
    """What is undone at once: its words, and its steps."""

    words: str
    steps: tuple[Step, ...]


def tracks_of(step: Step) -> tuple[int, ...]:
    """The tracks that a step speaks of."""
    if isinstance(step, Delete):
        return step.tracks
    if isinstance(step, Merge):
        return step.track, step.other
    if isinstance(step, Split):
        return step.track, step.new
    return (step.track,)


def split_name(name: str, taken: Iterable[str]) -> str:
    """What the second part of a split track is called: "3b" ("wing b"), or "3c" ... where that is taken."""
    used = set(taken)
    name += " " if name[-1:].isalpha() else ""
    return next(wish for letter in "bcdefghijklmnopqrstuvwxyz" for wish in (name + letter,) if wish not in used
                or letter == "z")  # fmt: skip
