"""What corrections do to rows.

A step says what it does of one frame at a time, so that reading a few frames gives exactly those rows of reading all.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from app.desk.tracks.steps import Delete, Merge, Move, Retrack, Split, Step, unpacked
from pipelines.features import TRACK_DTYPE, Reason, State, Tracks, no_tracks
from pipelines.measures import fields_of, measured_as

HAND_SIGMA = 0.5
"""Standard uncertainty of a position set by hand, px."""
Stage = Step | tuple[Move, ...]
"""A step, or all moves between two other steps: they are carried out together."""
Ranges = Sequence[tuple[int, int]]


def carry_out(stages: Sequence[Stage], rows: Tracks, ranges: Ranges) -> Tracks:
    """The rows as corrected.

    Args:
        stages: in their order.
        rows: all that the engine has of some frames (of all tracks that the steps speak of), by frame; not written.
        ranges: those frames, first and last of each run, rising.

    Returns:
        By frame; in a frame the corrected ones in any order.
    """
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
            # Moves of one track go together: between them are straight lines.
            for track in dict.fromkeys(move.track for move in stage):
                rows = _moved(rows, [move for move in stage if move.track == track], ranges)
    return rows


def seen_at_once(tracks: Sequence[Tracks]) -> int:
    """The frames in which more than one of some tracks was seen: of which merging them leaves one place.

    Args:
        tracks: the rows of each.
    """
    frames = np.concatenate([rows["frame"][rows["state"] == State.TRACKED] for rows in tracks])
    return int((np.unique(frames, return_counts=True)[1] > 1).sum())


def _merged(rows: Tracks, step: Merge) -> Tracks:
    a, b = np.flatnonzero(rows["track"] == step.track), np.flatnonzero(rows["track"] == step.other)
    if not len(b):
        return rows
    # Of two rows of one frame the better seen one stays, that of the first track where both are alike.
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
    # Only rows of known frames: `rows` holds no others either.
    parts = [new[np.searchsorted(frames, first) : np.searchsorted(frames, min(last + 1, end))]
             for first, last in ranges]  # fmt: skip
    made = measured_as(np.concatenate(parts) if parts else no_tracks(), fields_of(rows)).copy()
    made["track"] = step.track
    return _exchanged(rows, step.frame, end, step.track, made)


def _moved(rows: Tracks, moves: Sequence[Move], ranges: Sequence[tuple[int, int]]) -> Tracks:
    """Positions set by hand, straight lines between them; rows that there are not are made, in known frames only.
    Nothing else is measured there."""
    track = moves[0].track
    by_frame = {move.frame: move for move in moves}  # the last one of a frame counts
    hand = [by_frame[frame] for frame in sorted(by_frame)]
    at = np.array([move.frame for move in hand], np.int64)
    wanted = [np.arange(max(first, at[0]), min(last, at[-1]) + 1) for first, last in ranges]
    frames = np.concatenate(wanted).astype(np.int64) if wanted else np.zeros(0, np.int64)
    if not len(frames):
        return rows
    made = measured_as(np.zeros(len(frames), TRACK_DTYPE), fields_of(rows))
    made["frame"], made["track"], made["sigma"] = frames, track, HAND_SIGMA
    for name in ("time", "x", "y"):
        made[name] = np.interp(frames, at, [getattr(move, name) for move in hand])
    # In which of the straight parts each frame lies; the last place belongs to the last part.
    part = np.clip(np.searchsorted(at, frames, "right") - 1, 0, max(len(hand) - 2, 0))
    if len(hand) > 1:
        seconds = np.diff([move.time for move in hand])
        # Where times are unknown or do not rise, velocities are 0.
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
