"""What a user corrects by hand in tracks: a list of steps that is applied to rows when they are read.

The engine's rows stay as they are; every step can be undone. A step says what it does of one frame at a time, so that
reading a few frames gives exactly those rows of reading all.
"""

from __future__ import annotations

import base64
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, Reason, State, Tracks, no_tracks

FIRST_OWN = 2_000_000_000
"""Tracks that a split made have ids from here on; an engine never gets there."""
HAND_SIGMA = 0.5
"""Standard uncertainty of a position set by hand, px."""
Ids = npt.NDArray[np.int64]


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


def packed(rows: Tracks) -> str:
    """Rows as text, a fraction of their size."""
    return base64.b64encode(zlib.compress(np.ascontiguousarray(rows, TRACK_DTYPE).tobytes(), 1)).decode("ascii")


@lru_cache(64)
def unpacked(text: str) -> Tracks:
    """The rows of `packed`; not to be written.

    Raises:
        ValueError: these are none.
    """
    try:
        rows: Tracks = np.frombuffer(zlib.decompress(base64.b64decode(text, validate=True)), TRACK_DTYPE)
    except zlib.error as error:
        raise ValueError(f"rows that cannot be unpacked: {error}") from error
    return rows


@dataclass(frozen=True, slots=True)
class Action:
    """What is undone at once: its words, and its steps."""

    words: str
    steps: tuple[Step, ...]


class Corrections:
    """Steps in the order in which they were made, with undo and redo.

    Attributes:
        version: rises with every change.
    """

    def __init__(self, actions: Sequence[Action] = ()) -> None:
        self._done: list[Action] = []
        self._undone: list[Action] = []
        self.version = 0
        self._look()
        for action in actions:
            self.do(action.words, *action.steps)

    def _look(self) -> None:
        self.version += 1
        self.steps: tuple[Step, ...] = tuple(step for action in self._done for step in action.steps)
        self._names: dict[int, str] = {}
        self._stages: list[Step | tuple[Move, ...]] = []
        for step in self.steps:
            if isinstance(step, Rename):
                self._names[step.track] = step.name
            elif isinstance(step, Move) and self._stages and isinstance(self._stages[-1], tuple):
                self._stages[-1] = (*self._stages[-1], step)
            else:
                self._stages.append((step,) if isinstance(step, Move) else step)

    @property
    def actions(self) -> tuple[Action, ...]:
        """All that was done and not undone."""
        return tuple(self._done)

    @property
    def names(self) -> dict[int, str]:
        """What tracks are called, of those that the user named."""
        return {track: name for track, name in self._names.items() if name}

    @property
    def undo_words(self) -> str:
        """What would be undone, "" for nothing."""
        return self._done[-1].words if self._done else ""

    @property
    def redo_words(self) -> str:
        """What would be done again, "" for nothing."""
        return self._undone[-1].words if self._undone else ""

    def do(self, words: str, *steps: Step) -> None:
        """Correct something; what was undone is gone.

        Raises:
            InputError: a merge of a track with itself, or a split whose new track there is already.
        """
        used = {track for step in self.steps for track in _tracks(step)}
        for step in steps:
            if isinstance(step, Merge) and step.track == step.other:
                raise InputError("a track cannot be merged with itself; select two tracks")
            if isinstance(step, Split) and (step.new in used or step.new < FIRST_OWN):
                raise InputError(f"there is a track {step.new} already; a split needs a new number")
            used |= set(_tracks(step))
        self._done.append(Action(words, steps))
        self._undone.clear()
        self._look()

    def undo(self) -> None:
        """One action back; nothing happens at the beginning."""
        if self._done:
            self._undone.append(self._done.pop())
            self._look()

    def redo(self) -> None:
        """One action on again; nothing happens at the end."""
        if self._undone:
            self._done.append(self._undone.pop())
            self._look()

    def clear(self) -> None:
        """Nothing is corrected, and nothing can be undone."""
        self._done.clear()
        self._undone.clear()
        self._look()

    def __len__(self) -> int:
        return len(self._done)

    @property
    def changes_rows(self) -> bool:
        """Whether rows differ from the engine's."""
        return bool(self._stages)

    def free_id(self) -> int:
        """An id for a new track of a split."""
        return max([FIRST_OWN - 1, *(step.new for step in self.steps if isinstance(step, Split))]) + 1

    def hand_frames(self, track: int) -> list[int]:
        """The frames in which a track (by its id after all steps) was set by hand."""
        rows = np.zeros(0, TRACK_DTYPE)
        found = set()
        for k, stage in enumerate(self._stages):
            if isinstance(stage, tuple | Retrack):
                for move in stage if isinstance(stage, tuple) else (stage,):
                    rows = np.zeros(1, TRACK_DTYPE)
                    rows["frame"], rows["track"], rows["state"] = move.frame, move.track, State.TRACKED
                    after = self._run(rows, self._stages[k + 1 :], ((move.frame, move.frame),))
                    if (after["track"][after["frame"] == move.frame] == track).any():
                        found.add(move.frame)
        return sorted(found)

    def sources(self, track: int) -> Ids:
        """The engine's tracks (and own ones, where only moves made them) whose rows may become those of `track`."""
        ids = {track}
        for stage in reversed(self._stages):
            if isinstance(stage, Merge) and stage.track in ids:
                ids.add(stage.other)
            elif isinstance(stage, Split) and stage.new in ids:
                ids.add(stage.track)
        return np.array(sorted(ids), np.int64)

    def apply(self, rows: Tracks, ranges: Sequence[tuple[int, int]]) -> Tracks:
        """The rows as corrected.

        Args:
            rows: all that the engine has of some frames, by frame; not written.
            ranges: those frames, first and last of each run, rising.

        Returns:
            By frame; in a frame the corrected ones in any order.
        """
        return self._run(rows, self._stages, ranges)

    def _run(
        self, rows: Tracks, stages: Sequence[Step | tuple[Move, ...]], ranges: Sequence[tuple[int, int]]
    ) -> Tracks:
        if not stages:
            return rows
        rows = rows.copy()
        for stage in stages:
            if isinstance(stage, Delete):
                rows = rows[~np.isin(rows["track"], stage.tracks)]
            elif isinstance(stage, Merge):
                rows = _merged(rows, stage)
            elif isinstance(stage, Split):
                rows["track"][(rows["track"] == stage.track) & (rows["frame"] >= stage.frame)] = stage.new
            elif isinstance(stage, Retrack):
                rows = _retracked(rows, stage, ranges)
            elif isinstance(stage, tuple):
                for track in dict.fromkeys(move.track for move in stage):
                    rows = _moved(rows, [move for move in stage if move.track == track], ranges)
        return rows


def _tracks(step: Step) -> tuple[int, ...]:
    """The tracks that a step speaks of."""
    if isinstance(step, Delete):
        return step.tracks
    if isinstance(step, Merge):
        return step.track, step.other
    if isinstance(step, Split):
        return step.track, step.new
    return (step.track,)


def _merged(rows: Tracks, step: Merge) -> Tracks:
    a, b = np.flatnonzero(rows["track"] == step.track), np.flatnonzero(rows["track"] == step.other)
    if not len(b):
        return rows
    _, at_a, at_b = np.intersect1d(rows["frame"][a], rows["frame"][b], return_indices=True)
    first, second = a[at_a], b[at_b]
    rank = np.array([1, 3, 2, 0])  # by State: seen, guessed, hardly believed, lost
    better = rank[rows["state"][second]] > rank[rows["state"][first]]
    rows["track"][b] = step.track
    keep = np.ones(len(rows), bool)
    keep[np.where(better, first, second)] = False
    return rows[keep]


def _retracked(rows: Tracks, step: Retrack, ranges: Sequence[tuple[int, int]]) -> Tracks:
    """The track's rows from the frame on replaced, in known frames only."""
    end = step.until if step.until >= 0 else np.iinfo(np.int64).max
    new = unpacked(step.rows)
    frames = np.ascontiguousarray(new["frame"])
    parts = [new[np.searchsorted(frames, first) : np.searchsorted(frames, min(last + 1, end))]
             for first, last in ranges]  # fmt: skip
    made = np.concatenate(parts) if parts else no_tracks()
    made["track"] = step.track
    return _exchanged(rows, step.frame, end, step.track, made)


def _moved(rows: Tracks, moves: Sequence[Move], ranges: Sequence[tuple[int, int]]) -> Tracks:
    """Positions set by hand, straight lines between them; rows that there are not are made, in known frames only."""
    track = moves[0].track
    by_frame = {move.frame: move for move in moves}  # the last one of a frame counts
    hand = [by_frame[frame] for frame in sorted(by_frame)]
    at = np.array([move.frame for move in hand], np.int64)
    wanted = [np.arange(max(first, at[0]), min(last, at[-1]) + 1) for first, last in ranges]
    frames = np.concatenate(wanted).astype(np.int64) if wanted else np.zeros(0, np.int64)
    if not len(frames):
        return rows
    made = np.zeros(len(frames), TRACK_DTYPE)
    made["frame"], made["track"], made["sigma"] = frames, track, HAND_SIGMA
    for name in ("time", "x", "y"):
        made[name] = np.interp(frames, at, [getattr(move, name) for move in hand])
    part = np.clip(np.searchsorted(at, frames, "right") - 1, 0, max(len(hand) - 2, 0))
    if len(hand) > 1:
        seconds = np.diff([move.time for move in hand])
        seconds = np.where(seconds > 0, seconds, np.inf)
        made["vx"] = (np.diff([move.x for move in hand]) / seconds)[part]
        made["vy"] = (np.diff([move.y for move in hand]) / seconds)[part]
    by_hand = np.isin(frames, at)
    made["state"] = np.where(by_hand, State.TRACKED, State.PREDICTED)
    made["score"] = by_hand
    made["reason"] = np.where(by_hand, Reason.NONE, Reason.NOT_DETECTED)
    near = rows[bisect_left(rows["frame"], int(frames[0])) : bisect_left(rows["frame"], int(frames[-1]) + 1)]
    old = near[(near["track"] == track) & np.isin(near["frame"], frames)]
    _, theirs, ours = np.intersect1d(old["frame"], frames, return_indices=True)
    made["time"][ours] = old["time"][theirs]  # the engine knows the frames' times
    return _exchanged(rows, int(frames[0]), int(frames[-1]) + 1, track, made)


def _exchanged(rows: Tracks, first: int, end: int, track: int, made: Tracks) -> Tracks:
    """`made` in place of a track's rows of the frames `first` to `end` - 1; only those are looked at."""
    a, b = (bisect_left(rows["frame"], frame) for frame in (first, end))  # NumPy would copy the whole column first
    part = rows[a:b]
    part = np.concatenate((part[part["track"] != track], made))
    part = part[np.argsort(part["frame"], kind="stable")]
    return part if (a, b) == (0, len(rows)) else np.concatenate((rows[:a], part, rows[b:]))


def split_name(name: str, taken: Iterable[str]) -> str:
    """What the second part of a split track is called: "3b", or "3c" ... where that is taken."""
    used = set(taken)
    return next(wish for letter in "bcdefghijklmnopqrstuvwxyz" for wish in (name + letter,) if wish not in used
                or letter == "z")  # fmt: skip
