"""Another of the shipped pipelines, where one follows nothing that lasts: tried on the run's first frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from app.hinting.trying import spacing_of, things, trial
from pipelines.definition import load
from pipelines.features import Tracks
from pipelines.frame import FrameSource
from pipelines.frontend import Roi
from pipelines.graph import Pipeline

OTHERS = ("background-motion", "insects", "objects", "blobs")
"""Pipelines that find all they need on the clip; those that follow nothing that stands still first."""
FEWEST = 12
"""Frames of a run that tell what lasts."""
BRIEF = 0.5
"""Share of a run's sightings that are of tracks seen in less than a third of it from which on another is looked for."""
CLEAN = 0.7
"""Share of what another pipeline sees that is of things which last and go steadily, at the least."""
THERE = 0.5
"""Things that it sees in a frame, on the average, at the least."""
MANY = 60
"""Things that it sees in a frame at the most: more of them may be texture."""
MOVES = 3.0
"""px that they go at the least, on the average, in the later half of the frames that are tried: what stands still may
be the trace of what was there at first, or a part of the ground."""


def another(
    source: FrameSource, asked: Pipeline, roi: Roi | None, done: tuple[int, int], tracks: Sequence[Mapping[str, float]]
) -> list[str]:
    """A sentence with the first pipeline that follows things which last, where this one does not.

    Args:
        source, roi: of the run.
        asked: the pipeline that ran.
        done: the first frame and how many were processed.
        tracks: entries of `TrackStatistics.facts`.
    """
    first, processed = done
    if processed < FEWEST or [one.tracker for one in asked.trackers] != ["blob"] or asked.name not in OTHERS:
        return []
    lives = [int(track["seen_frames"]) for track in tracks]
    if sum(life for life in lives if 3 * life < processed) < BRIEF * sum(lives):
        return []
    for name in OTHERS:
        if name == asked.name:
            continue
        rows, count = trial(source, load(name), {}, roi, first, processed)
        if rows is None:
            continue
        lasting = things(rows, count, spacing_of(rows, source, roi, count))
        each = float(lasting.sum()) / count
        if THERE <= each <= MANY and lasting.mean() >= CLEAN and _way(rows[lasting]) >= MOVES:
            seen = "one thing" if round(each) <= 1 else f"some {each:.0f} things"
            return [f"hardly anything that {asked.name} follows lasts: try -p {name}, which follows {seen} steadily "
                    f"in the first {count} frames"]  # fmt: skip
    return []


def _way(rows: Tracks) -> float:
    """How far tracks go in the later half of the frames, the longer side of what they lie in, on the average over their
    sightings, px."""
    frames = rows["frame"]
    rows = rows[2 * frames.astype(np.int64) > int(frames.min()) + int(frames.max())]
    if not len(rows):
        return 0.0
    _, which = np.unique(rows["track"], return_inverse=True)
    sides = []
    for name in ("x", "y"):
        low, high = np.full(which.max() + 1, np.inf), np.full(which.max() + 1, -np.inf)
        np.minimum.at(low, which, rows[name])
        np.maximum.at(high, which, rows[name])
        sides.append(high - low)
    return float(np.max(sides, axis=0)[which].mean())
