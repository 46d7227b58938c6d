"""Rows on their way from the thread that plays to the window."""

from __future__ import annotations

import numpy as np

from app.desk.engine.reports import Outdated, Rows, Tables
from app.desk.engine.rows_sink import MOST, RowsSink
from pipelines.features import TRACK_DTYPE
from pipelines.frame import FrameBatch, Result
from pipelines.trackers.base import Tracker


def written(sink: RowsSink, *frames: int) -> None:
    results = []
    for frame in frames:
        rows = np.zeros(2, TRACK_DTYPE)
        rows["frame"] = frame
        results.append(Result(frame, float(frame), {}, rows))
    indices = np.array(frames, np.int64)
    sink.write(FrameBatch(indices, indices.astype(float), np.zeros((len(frames), 1, 1), np.uint8)), results)


def test_batches_that_follow_one_another_come_as_one() -> None:
    sink = RowsSink()
    written(sink, 0, 1)
    written(sink, 2)
    written(sink, 0)
    found = sink.take()
    assert [(part.first, part.last) for part in found if isinstance(part, Rows)] == [(0, 2), (0, 0)]
    assert sink.take() == []


def test_what_is_of_other_parameters_never_leaves() -> None:
    sink = RowsSink()
    written(sink, 0, 1)
    sink.outdated()
    written(sink, 1, 2)
    first, second = sink.take()
    assert isinstance(first, Outdated)
    assert isinstance(second, Rows)
    assert (second.first, second.last) == (1, 2)
    sink.outdated()
    sink.outdated()
    assert sink.take() == [Outdated()]
    assert sink.take() == []


class _Tracking:
    """Trackers that have something to tell."""

    def __init__(self, rows: int) -> None:
        self.followers = ()
        self.rows, self.points, self.asked = rows, 0, 0

    def tables(self, kind: type[Tracker] = Tracker) -> dict[str, np.ndarray]:
        if kind is not Tracker:
            return {"keypoints": np.zeros(self.points)}
        self.asked += 1
        return {"spectra": np.zeros(self.rows)}


def test_tables_come_now_and_then_and_at_the_end() -> None:
    sink, tracking = RowsSink(), _Tracking(5)
    sink.tracking, sink.end = lambda: tracking, 10  # type: ignore[assignment, return-value]
    for frame in range(9):
        written(sink, frame)
    assert tracking.asked == 1
    assert [type(part) for part in sink.take()] == [Rows, Tables]
    written(sink, 9)
    assert tracking.asked == 2
    assert [type(part) for part in sink.take()] == [Rows, Tables]
    tracking.rows = MOST + 1
    sink.outdated()
    written(sink, 3)
    assert [type(part) for part in sink.take()] == [Outdated, Rows]  # too long to come again and again
    written(sink, 9)
    assert [type(part) for part in sink.take()] == [Rows, Tables]
    tracking.rows = 0
    written(sink, 9)
    assert [type(part) for part in sink.take()] == [Rows]


def test_key_points_come_with_new_tracks_also_those_of_a_camera() -> None:
    sink, tracking = RowsSink(), _Tracking(5)
    tracking.points = 3
    sink.elsewhere = lambda: tracking  # type: ignore[assignment, return-value]
    for frame, tables in ((0, 1), (1, 0), (0, 1)):  # sought: another run
        written(sink, frame)
        found = [part for part in sink.take() if isinstance(part, Tables)]
        assert [list(part.tables) for part in found] == [["keypoints"]] * tables
    assert tracking.asked == 0
