"""What a track gets that is followed anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np

from app.desk.jobs.retracking import RowsToTheEnd
from pipelines.features import State, Tracks, no_tracks
from pipelines.frame import FrameBatch, Result
from pipelines.measures import measures_dtype

NO_FRAMES = cast(FrameBatch, None)


def _result(frame: int, state: State | None) -> Result:
    rows: Tracks = no_tracks() if state is None else np.zeros(1, no_tracks().dtype)
    rows["frame"], rows["state"] = frame, 0 if state is None else state
    nothing: dict[str, Any] = {}
    return Result(frame, frame / 100, nothing, rows)


def test_a_run_ends_when_the_row_that_says_lost_is_written_and_not_when_the_tracker_has_found_it() -> None:
    stops: list[int] = []
    sink = RowsToTheEnd(lambda: stops.append(len(sink.rows)), ())
    sink.write(NO_FRAMES, [_result(0, None), _result(1, State.TRACKED), _result(2, State.PREDICTED)])
    assert not stops, "batches after this one may hold the end"
    assert not sink.ended
    sink.write(NO_FRAMES, [_result(3, State.PREDICTED), _result(4, State.LOST), _result(5, None)])
    assert stops == [4]
    assert sink.ended
    assert sink.rows["frame"].tolist() == [1, 2, 3, 4]


def test_a_track_of_which_there_is_nothing_has_no_rows() -> None:
    sink = RowsToTheEnd(lambda: None, ())
    sink.write(NO_FRAMES, [_result(0, None)])
    assert len(sink.rows) == 0
    assert sink.rows.dtype == no_tracks().dtype


def test_rows_carry_what_was_measured_of_them() -> None:
    sink = RowsToTheEnd(lambda: None, ("area",))
    measured = np.array([(7.5,)], measures_dtype(("area",)))
    sink.write(NO_FRAMES, [replace(_result(0, State.TRACKED), measures=measured), _result(1, State.PREDICTED)])
    assert sink.rows["area"][0] == 7.5
    assert np.isnan(sink.rows["area"][1])
