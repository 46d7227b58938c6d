"""Tables of tracks."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pipelines.features import MANY, TRACK_DTYPE, Tracks, join_tracks


def rows_of(random: np.random.Generator, count: int) -> Tracks:
    return random.integers(0, 256, count * TRACK_DTYPE.itemsize, np.uint8).view(TRACK_DTYPE)


@given(st.integers(0, 2**32), st.lists(st.integers(0, 9) | st.just(MANY), max_size=6), st.integers(1, 3))
def test_tables_joined_are_a_copy_of_all_rows(seed: int, counts: list[int], step: int) -> None:
    random = np.random.default_rng(seed)
    parts = [rows_of(random, count)[::step] for count in counts]
    expected = np.concatenate([np.zeros(0, TRACK_DTYPE), *parts])
    joined = join_tracks(iter(parts))
    assert joined.dtype == TRACK_DTYPE
    assert joined.tobytes() == expected.tobytes()
    before = [part.copy() for part in parts]
    joined["frame"] += 1  # whoever joins them may go on with them
    assert all(part.tobytes() == old.tobytes() for part, old in zip(parts, before, strict=True))
