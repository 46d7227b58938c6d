"""Which rows of a frame a skeleton joins, against the definition; and rings where there is no room."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.exports.skeletons import FEW, LEAST, Skeletons, ring_radius
from app.keypoints import Keypoints, keypoints_of
from pipelines.features import TRACK_DTYPE, State
from pipelines.trackers.keypoints import EDGE_DTYPE, NAMED_DTYPE

POINT = st.tuples(st.integers(0, 1), st.integers(0, 2))


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.integers(0, 9), POINT, min_size=4),
       st.sets(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=3),
       st.lists(st.tuples(st.integers(0, 11), st.sampled_from(State), st.booleans()), min_size=4,
                unique_by=lambda row: row[0]))  # fmt: skip
def test_what_is_joined_is_what_the_tables_say(
    tracks: dict[int, tuple[int, int]], edges: set[tuple[int, int]], frame: list[tuple[int, State, bool]],
) -> None:  # fmt: skip
    known = Keypoints(tracks, {}, tuple((animal, a, b) for animal in range(2) for a, b in sorted(edges)))
    rows = np.zeros(len(frame), TRACK_DTYPE)
    taken: set[tuple[int, int]] = set()
    for row, (track, state, placed) in zip(rows, frame, strict=True):
        row["track"], row["state"], row["x"] = track, state, 1.0 if placed else np.nan
        if tracks.get(track) in taken:  # of a point there is one track at a time
            row["x"] = np.nan
        elif state != State.LOST and placed and track in tracks:
            taken.add(tracks[track])
    at = {tracks[int(r["track"])]: k for k, r in enumerate(rows)
          if int(r["track"]) in tracks and r["state"] != State.LOST and np.isfinite(r["x"])}  # fmt: skip
    wanted = {(at[n, a], at[n, b], n) for n, a, b in known.edges if (n, a) in at and (n, b) in at}
    pairs, animals = Skeletons(known).joined(rows)
    assert {(*pair, n) for pair, n in zip(pairs.tolist(), animals.tolist(), strict=True)} == wanted
    assert len(pairs) == len(wanted)


def test_tables_of_trackers_become_key_points() -> None:
    tables = {"keypoints": np.array([(4, 1, 0, "nose")], NAMED_DTYPE), "edges": np.array([(1, 0, 2)], EDGE_DTYPE)}
    assert keypoints_of(tables) == Keypoints({4: (1, 0)}, {0: "nose"}, ((1, 0, 2),))
    assert keypoints_of({}) == Keypoints()


def test_rings_shrink_where_many_lie_close_together() -> None:
    grid = np.stack(np.meshgrid(np.arange(20), np.arange(20)), axis=-1).reshape(-1, 2)
    found = [ring_radius(grid * step, 6.0) for step in (40.0, 12.0, 8.0, 4.0, 1.0)]
    assert found[0] == 6.0
    assert found == sorted(found, reverse=True)
    assert found[2] < 4.0
    assert found[-1] == LEAST
    assert ring_radius(np.zeros((FEW, 2)), 6.0) == 6.0
