"""A run that fails in the engine: what it leaves for a report, and what is said to orders that come after it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from app.desk.engine import commands, reports
from app.desk.engine.desk import Desk
from pipelines.definition import load
from pipelines.streaming.engine.tracking import Tracking
from pipelines.writing import dumps
from tests.patience import PATIENCE

CLIP = Path(__file__).parents[4] / "sample_videos" / "vortex_600fps.avi"


def breaks(*_: object, **__: object) -> None:
    raise ZeroDivisionError("by hand")


def test_the_traceback_goes_to_the_window_and_later_orders_name_what_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[reports.Report] = []
    desk = Desk(heard.append)
    monkeypatch.setattr(Tracking, "follow", breaks)
    try:
        desk.obey(commands.Play())
        assert isinstance(heard[-1], reports.Refused)
        assert heard[-1].sentence == "nothing is open"
        desk.obey(commands.Open(str(CLIP), dumps(load("blobs")), speed=None))
        end = time.monotonic() + PATIENCE
        while not any(isinstance(one, reports.Refused) and one.ended for one in heard):
            assert time.monotonic() < end
            desk.look()
            time.sleep(0.01)
        (failed,) = [one for one in heard if isinstance(one, reports.Refused) and one.ended]
        assert failed.sentence == "playing failed with ZeroDivisionError: by hand"
        assert failed.details.startswith("Traceback")
        assert "in breaks" in failed.details
        desk.obey(commands.Seek(3))
        last = heard[-1]
        assert isinstance(last, reports.Refused)
        assert last.sentence == "the run of vortex_600fps.avi has ended; open it again to go on"
    finally:
        desk.close()
