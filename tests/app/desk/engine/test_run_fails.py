"""A run that fails in the engine: what it leaves for a report, and what is said to orders that come after it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from app.desk.engine import orders as ask
from app.desk.engine import reports as say
from app.desk.engine.desk import Desk
from pipelines.definition import load
from pipelines.streaming.tracking import Tracking
from pipelines.writing import dumps

CLIP = Path(__file__).parents[4] / "sample_videos" / "vortex_600fps.mp4"


def breaks(*_: object, **__: object) -> None:
    raise ZeroDivisionError("by hand")


def test_the_traceback_goes_to_the_window_and_later_orders_name_what_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[say.Report] = []
    desk = Desk(heard.append)
    monkeypatch.setattr(Tracking, "follow", breaks)
    try:
        desk.obey(ask.Play())
        assert isinstance(heard[-1], say.Refused)
        assert heard[-1].sentence == "nothing is open"
        desk.obey(ask.Open(str(CLIP), dumps(load("blobs")), speed=None))
        end = time.monotonic() + 60
        while not any(isinstance(one, say.Refused) and one.ended for one in heard):
            assert time.monotonic() < end
            desk.look()
            time.sleep(0.01)
        (failed,) = [one for one in heard if isinstance(one, say.Refused) and one.ended]
        assert failed.sentence == "playing failed with ZeroDivisionError: by hand"
        assert failed.details.startswith("Traceback")
        assert "in breaks" in failed.details
        desk.obey(ask.Seek(3))
        last = heard[-1]
        assert isinstance(last, say.Refused)
        assert last.sentence == "the run of vortex_600fps.mp4 has ended; open it again to go on"
    finally:
        desk.close()
