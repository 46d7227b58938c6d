"""Every track in one value, made of all rows at once; `app.desk.tracks.table` keeps the same up while rows come."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.desk.tracks.store import TrackStore
from pipelines.features import State


@dataclass(frozen=True, slots=True)
class TrackSummary:
    """One track: frames in which it stands, rows in which it was seen, their mean score and sigma (px), and how its
    last row stands."""

    track: int
    first: int
    last: int
    seen: int
    score: float
    state: State
    reason: int
    sigma: float = 0.0


def summaries(store: TrackStore) -> list[TrackSummary]:
    """Every track of a store, by its id."""
    rows = store.all()
    if not len(rows):
        return []
    order = np.lexsort((rows["frame"], rows["track"]))
    rows = rows[order]
    begins = np.flatnonzero(np.diff(rows["track"], prepend=rows["track"][0] - 1))
    ends = np.append(begins[1:], len(rows)) - 1
    there = np.isin(rows["state"], (State.TRACKED, State.TENTATIVE))
    seen = np.add.reduceat(there, begins, dtype=np.int64)
    score = np.add.reduceat(np.where(there, np.nan_to_num(rows["score"]), 0.0), begins)
    sigma = np.add.reduceat(np.where(there, np.nan_to_num(rows["sigma"]), 0.0), begins)
    return [
        TrackSummary(int(rows["track"][a]), int(rows["frame"][a]), int(rows["frame"][b]), int(n),
                     float(s / n) if n else 0.0, State(int(rows["state"][b])), int(rows["reason"][b]),
                     float(g / n) if n else 0.0)
        for a, b, n, s, g in zip(begins, ends, seen, score, sigma, strict=True)
    ]  # fmt: skip
