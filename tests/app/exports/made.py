"""Tracks to write."""

from __future__ import annotations

import numpy as np

from pipelines.features import TRACK_DTYPE, Reason, State, Tracks


def random_tracks(frames: int, tracks: int, seed: int = 0, *, mixed: bool = True) -> Tracks:
    """Each of `tracks` in each frame, awkward numbers; all states and reasons if `mixed`, else all tracked."""
    rng = np.random.default_rng(seed)
    rows = np.zeros((frames, tracks), TRACK_DTYPE)
    rows["frame"] = np.arange(frames)[:, None]
    rows["time"] = rows["frame"] / 30000.0
    rows["track"] = np.arange(tracks)
    for name in ("x", "y", "vx", "vy"):
        rows[name] = rng.normal(0, 700, rows.shape)
    rows["sigma"] = rng.uniform(0, 0.1, rows.shape)
    rows["score"] = rng.uniform(0, 1, rows.shape)
    rows["state"] = rng.choice([s.value for s in State], rows.shape) if mixed else State.TRACKED
    rows["reason"] = rng.choice([r.value for r in Reason], rows.shape)
    flat = rows.ravel()
    flat["sigma"][::7] = np.nan
    flat["x"][:3] = (-1e-9, 1e-5, 1234567.1234567)[: len(flat)]
    return flat


def lives(frames: int, seed: int) -> list[Tracks]:
    """The rows of each frame: tracks are born tentative, some are confirmed, all end LOST or with the clip."""
    rng = np.random.default_rng(seed)
    result: list[Tracks] = []
    alive: dict[int, tuple[int, int, int]] = {}  # id -> birth, confirmed at, lost at
    born = 0
    for frame in range(frames):
        for _ in range(int(rng.integers(0, 3))):
            believed = bool(rng.random() < 0.5)
            wait = int(rng.integers(0, 5))
            life = int(rng.integers(wait + 1, 40)) if believed else int(rng.integers(1, 6))
            alive[born] = (frame, frame + wait if believed else 10**9, frame + life)
            born += 1
        rows = np.zeros(len(alive), TRACK_DTYPE)
        for row, (track, (_, sure, end)) in zip(rows, list(alive.items()), strict=True):
            row["frame"], row["time"], row["track"] = frame, frame / 1000, track
            row["x"], row["y"] = rng.uniform(0, 100, 2)
            if frame >= end:
                row["state"], row["reason"] = State.LOST, Reason.NOT_DETECTED
                del alive[track]
            elif frame == sure:
                row["state"] = State.TRACKED
            else:
                row["state"] = State.TRACKED if frame > sure and rng.random() < 0.8 else State.TENTATIVE
                if frame > sure and row["state"] == State.TENTATIVE:
                    row["state"] = State.PREDICTED
        result.append(rows)
    return result


def assert_same(rows: Tracks, wanted: Tracks) -> None:
    """Equal in every field, where NaN equals NaN."""
    assert rows.dtype == wanted.dtype
    for name in wanted.dtype.names or ():
        np.testing.assert_array_equal(rows[name], wanted[name], err_msg=name)
