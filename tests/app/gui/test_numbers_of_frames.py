"""Numbers of frames and seconds count from one place wherever people see them, or it is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.gui.status import counted
from app.gui.tracks.model import FRAMES
from pipelines.frame import TimeBase
from tests.app.gui.conftest import Desk


@pytest.mark.parametrize(("first", "begin", "since", "told"), [
    (0, 0.0, "", "count from frame 0"),
    (-300, -0.5, "", "count from the trigger"),
    (-300, -0.4985, "", "count from the trigger"),  # its own stamp, not a whole number of frames
    (-990, -2.7, "", "count from the trigger"),  # frames were lost between it and the first
    (600, 1.0, "", "count from frame 0"),
    (101, 0.0, " since 101", "its first frame, 101"),  # numbers of files
])  # fmt: skip
def test_where_both_count_from(desk: Desk, first: int, begin: float, since: str, told: str) -> None:
    info = replace(desk.source.info, first_number=first, time=TimeBase(600.0, "header", "", begin=begin))
    assert counted(info)[0] == since
    assert told in counted(info)[1]


def test_a_trigger_is_zero_in_the_status_the_table_and_what_is_said(desk: Desk) -> None:
    info = replace(desk.source.info, first_number=-3, time=TimeBase(600.0, "header", "", begin=-3 / 600))
    desk.source._info = info  # type: ignore[attr-defined]
    desk.open()
    desk.frames(range(6))
    window = desk.window
    place = window.status.parts["place"]
    assert f"frame 2 / {info.frames - 4}" in place.text()
    assert "from the trigger" in place.toolTip()
    table = window.tracking.table
    table.redraw()
    assert table.model.data(table.model.index(0, FRAMES)) == "-3 to 2"
    desk.bench.tracks.select([1])
    assert any(action.text() == "Split at frame 2" for action in table.menu().actions())
    window.tracking.corrector.kept.path = None  # keeps no file beside the sample
    window.tracking.corrector.split(1, 4)
    assert "ends before frame 1;" in desk.bench.messages[-1].sentence


def test_a_camera_counts_what_it_delivers(desk: Desk) -> None:
    desk.source._info = replace(desk.source.info, first_number=500)  # type: ignore[attr-defined]
    desk.open(live=True)
    assert desk.bench.number(7) == 7
