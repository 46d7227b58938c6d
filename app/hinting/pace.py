"""Things that go farther from frame to frame than tells which is which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from app.exports.tables import rows_of_frame
from pipelines.features import State, Tracks

FAR = 0.5
"""Of the distance to the nearest other thing: where things go farther than half of it in a frame the nearest one in the
next frame may be another. Wing strokes that could not be followed had .55 to .75, all else that was followed .3 and
less."""
FASTEST = 0.05
"""Share of the steps that are longer than what counts as the fastest one: some are of tracks that jump."""
LEAST = 8.0
"""px that the usual step is long at the least: noise, and parts of smoke, are linked within the 5 px up to which the
tracker looks for what turned."""
BRIEF = 0.5
"""Share of a run's frames for which the usual track is seen at most where tracks break."""
ENOUGH = 0.2
"""Of the distance to the nearest other thing, the step at which things are followed: wing strokes of .8 of it had a
HOTA of .1 to .7, at twice the frame rate .7, at three times .99."""
PLACES = 40
"""Pairs of frames that are looked at."""
MOST = 200
"""Things of a frame whose nearest ones are looked for."""


def pace_hints(table: Path, tracks: Sequence[Mapping[str, float]], frames: tuple[int, int], fps: float) -> list[str]:
    """A sentence if tracks break and things go too far in a frame for the distance at which they are.

    Args:
        table: rows of a run, Parquet.
        tracks: entries of `TrackStatistics.facts`.
        frames: first frame that was processed, and one past the last.
        fps: frames a second; 0 if that is not known.
    """
    count = frames[1] - frames[0]
    if not tracks or float(np.median([track["seen_frames"] for track in tracks])) > BRIEF * count:
        return []
    steps: list[float] = []
    nearest: list[float] = []
    for frame in range(frames[0], frames[1] - 1, -(-count // PLACES)):
        here, there = (_seen(rows_of_frame(table, k)) for k in (frame, frame + 1))
        _, one, other = np.intersect1d(here["track"], there["track"], return_indices=True)
        steps += np.hypot(*(there[name][other] - here[name][one] for name in ("x", "y"))).tolist()
        nearest += _apart(here)
    if not steps or not nearest:
        return []
    step, apart = float(np.quantile(steps, 1.0 - FASTEST)), float(np.median(nearest))
    if step <= FAR * apart or float(np.median(steps)) < LEAST:
        return []
    times = step / (ENOUGH * apart)
    rate = f"{float(f'{times * fps:.2g}'):g} frames/s" if fps > 0 else f"{times:.2g} times the frame rate"
    return [f"things go up to {step:.2g} px from frame to frame and are some {apart:.2g} px from one another, so that "
            f"nothing tells which is which: their tracks break, and no setting mends that; {rate} would do"]


def _seen(rows: Tracks) -> Tracks:
    return rows[rows["state"] <= State.TRACKED]


def _apart(rows: Tracks) -> list[float]:
    """Distances of sightings of a frame from the nearest other ones, px."""
    if len(rows) < 2:
        return []
    some = np.arange(0, len(rows), -(-len(rows) // MOST))
    away = np.hypot(rows["x"][some, None] - rows["x"], rows["y"][some, None] - rows["y"])
    away[np.arange(len(some)), some] = np.inf
    nearest: list[float] = away.min(axis=1).tolist()
    return nearest
