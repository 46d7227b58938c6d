"""Where a run went wrong, as far as its rows tell: what a user looks at first."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from pipelines.features import GONE, Reason, State, Tracks

LOW_SCORE = 0.5
APART = 10
"""Frames: low scores that follow each other more closely are one problem."""
JUMP = 6.0
"""A change of the step is a jump from so many times the track's usual one (a robust standard deviation) on ..."""
LEAST_JUMP = 2.0
"""... and from so many px a frame on ..."""
LEAST_SEEN = 9
"""... of tracks that were seen so often."""

WORDS = {
    Reason.NONE: "ended", Reason.NOT_DETECTED: "not detected", Reason.LEFT_IMAGE: "left the picture",
    Reason.LOW_SCORE: "low score", Reason.FORWARD_BACKWARD: "does not track back", Reason.NO_TEXTURE: "no texture",
    Reason.JUMP: "moved too far", Reason.MERGED: "merged with another", Reason.BAD_FRAME: "unreadable frame",
    Reason.LEFT_REGION: "left the region",
}  # fmt: skip


class Kind(StrEnum):
    """What goes wrong, as people call it."""

    LOST = "losses"
    JUMP = "jumps"
    SCORE = "low scores"


_WEIGHTS = {Kind.LOST: 3.0, Kind.JUMP: 2.0, Kind.SCORE: 1.0}


@dataclass(frozen=True, slots=True)
class Problem:
    """One place: which frame, which track, what in words, and of which kind."""

    frame: int
    track: int
    what: str
    kind: Kind

    @property
    def weight(self) -> float:
        """How bad; larger is worse."""
        return _WEIGHTS[self.kind]


def find_problems(rows: Tracks) -> list[Problem]:
    """Losses, low scores and jumps, by frame; tracks that were never confirmed are left out.

    Args:
        rows: of a whole run, any order.
    """
    found: list[Problem] = []
    if not len(rows):
        return found
    rows = rows[np.lexsort((rows["frame"], rows["track"]))]
    begins = np.flatnonzero(np.diff(rows["track"], prepend=rows["track"][0] - 1))
    for part in np.split(rows, begins[1:]):
        if (part["state"] == State.TRACKED).any():
            found += _of_track(part)
    return sorted(found, key=lambda problem: (problem.frame, -problem.weight, problem.track))


def _of_track(part: Tracks) -> list[Problem]:
    track = int(part["track"][0])
    lost = part[(part["state"] == State.LOST) & ~np.isin(part["reason"], GONE)]
    found = [Problem(int(row["frame"]), track, f"lost: {WORDS[Reason(int(row['reason']))]}", Kind.LOST) for row in lost]
    good = part[part["state"] == State.TRACKED]
    weak = good["score"] < LOW_SCORE
    low_frames = good["frame"][weak]
    starts = np.flatnonzero(weak)[np.diff(low_frames, prepend=-APART - 1) > APART] if len(low_frames) else ()
    found += [Problem(int(good["frame"][k]), track, f"score {good['score'][k]:.2f}", Kind.SCORE) for k in starts]
    return found + (_jumps(good, track) if len(good) >= LEAST_SEEN else [])


def _jumps(good: Tracks, track: int) -> list[Problem]:
    """Steps that are not like those before them, in the frame where each arrives."""
    frames = np.diff(good["frame"])
    change = np.hypot(np.diff(np.diff(good["x"]) / frames), np.diff(np.diff(good["y"]) / frames))
    usual = 1.4826 * float(np.median(change)) + 1e-9
    found: list[Problem] = []
    last = -2
    for k in np.flatnonzero((change > JUMP * usual) & (change > LEAST_JUMP)).tolist():
        if k == last + 1:  # the second difference is large before and behind a jump: the first of two tells
            last = -2
            continue
        last = k
        what = jump_words(float(change[k]), int(frames[k + 1]))
        found.append(Problem(int(good["frame"][k + 2]), track, what, Kind.JUMP))
    return found


def jump_words(change: float, frames: int) -> str:
    """A jump that took so many frames and changed the step by so many px a frame."""
    return f"jump of {change * frames:.1f} px{f' in {frames} frames' if frames > 1 else ''}"


def next_problem(problems: Sequence[Problem], frame: int, back: bool = False) -> Problem | None:
    """The next place after `frame` (or before it); problems by frame."""
    if back:
        k = bisect_left(problems, frame, key=lambda problem: problem.frame) - 1
        return problems[k] if k >= 0 else None
    k = bisect_right(problems, frame, key=lambda problem: problem.frame)
    return problems[k] if k < len(problems) else None


def beside(problems: Sequence[Problem], frame: int) -> tuple[int, int, int]:
    """How many there are before a frame, in it, and after it; problems by frame."""
    before = bisect_left(problems, frame, key=lambda problem: problem.frame)
    until = bisect_right(problems, frame, key=lambda problem: problem.frame)
    return before, until - before, len(problems) - until
