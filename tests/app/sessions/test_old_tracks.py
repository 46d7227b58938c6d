"""Tracks of sessions that were recorded by earlier versions."""

from __future__ import annotations

import numpy as np
import pytest

from app.sessions.protobuf import delimited
from app.sessions.schemas import pack_tracks, unpack_tracks
from pipelines.features import TRACK_DTYPE, Tracks, no_tracks
from tests.app.sessions.made import tracks

OLD = ("frame", "time", "track", "x", "y", "vx", "vy", "sigma", "score", "state", "reason")
"""Columns by their numbers, from 1, in sessions of before there was an anisotropy."""


def rows_of(frames: int) -> Tracks:
    rows = tracks(3, frames) if frames else no_tracks()
    rows["anisotropy"], rows["correlation"] = np.linspace(-1, 1, len(rows)), np.linspace(0.5, -1, len(rows))
    return rows


def packed(rows: Tracks, names: tuple[str, ...]) -> bytes:
    return b"".join(delimited(k + 1, np.ascontiguousarray(rows[name]).tobytes()) for k, name in enumerate(names))


@pytest.mark.parametrize("frames", [0, 1, 9])
@pytest.mark.parametrize("late", [(), ("anisotropy",)])
def test_they_open_and_say_that_both_axes_are_as_certain(frames: int, late: tuple[str, ...]) -> None:
    rows = rows_of(frames)
    back = unpack_tracks(packed(rows, OLD + late))
    for name in ("anisotropy", "correlation"):
        if name not in late:
            rows[name] = 0
    assert back.dtype == TRACK_DTYPE
    assert back.tobytes() == rows.tobytes()


def test_those_of_now_keep_every_bit_and_earlier_versions_find_theirs() -> None:
    rows = rows_of(7)
    data = pack_tracks(rows)
    assert unpack_tracks(data).tobytes() == rows.tobytes()
    assert data.startswith(packed(rows, OLD))
    with pytest.raises(ValueError, match="different lengths"):
        unpack_tracks(packed(rows, OLD) + delimited(len(OLD) + 1, b"\0" * 4))
