"""The facts about tracks in a summary: whatever the batches, the numbers that a loop over the rows gives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.provenance import TrackStatistics
from pipelines.features import TRACK_DTYPE, State, Tracks


def added(values: Iterable[float]) -> float:
    """One after the other, each time rounded: from Python 3.12 on `sum` makes up for what was rounded away."""
    total = 0.0
    for value in values:
        total += value
    return total


def one_by_one(rows: Tracks) -> list[dict[str, Any]]:
    """The same, row by row."""
    seen: dict[int, list[Any]] = {}
    for row in rows:
        if row["state"] in (State.TENTATIVE, State.TRACKED):
            seen.setdefault(int(row["track"]), []).append(row)
    made = []
    for track, its in seen.items():
        if not any(row["state"] == State.TRACKED for row in its):
            continue
        x, y = [float(row["x"]) for row in its], [float(row["y"]) for row in its]
        made.append({
            "track": track, "first_frame": int(its[0]["frame"]), "last_frame": int(its[-1]["frame"]),
            "seen_frames": len(its), "mean_x_px": added(x) / len(x), "mean_y_px": added(y) / len(y),
            "range_x_px": max(x) - min(x), "range_y_px": max(y) - min(y),
            "top_speed_px_per_s": max(float(np.hypot(row["vx"], row["vy"])) for row in its),
            "mean_sigma_px": added(float(row["sigma"]) for row in its) / len(its),
        })  # fmt: skip
    return sorted(made, key=lambda facts: (-facts["seen_frames"], facts["track"]))


@given(st.integers(0, 2**32), st.integers(0, 300), st.sampled_from((3, 40, 200)), st.integers(1, 50))
def test_statistics_are_those_of_a_loop_over_the_rows(seed: int, count: int, tracks: int, step: int) -> None:
    random = np.random.default_rng(seed)
    rows = np.zeros(count, TRACK_DTYPE)
    rows["frame"] = np.sort(random.integers(0, 20, count))
    rows["track"] = random.integers(0, tracks, count) * 7
    for name in ("x", "y", "vx", "vy", "sigma"):
        rows[name] = random.normal(0, 100, count)
    rows["state"] = random.integers(0, 4, count)
    gathered = TrackStatistics()
    for start in range(0, count, step):
        gathered.add(rows[start : start + step])
    facts = gathered.facts()
    assert facts == one_by_one(rows)
    assert all(type(value) in (int, float) for entry in facts for value in entry.values())  # JSON takes no others
