"""The status bar: numbers with units, and what they mean in the tips."""

from __future__ import annotations

import pytest

from app.desk.bench.topics import Level
from app.desk.engine import reports
from pipelines.streaming.common.meter import Latency, MeterReading, Rate
from pipelines.streaming.common.states import RunState
from tests.app.gui.conftest import Desk


@pytest.mark.parametrize("live", [True, False])
def test_rates_and_delays_are_said_in_words_with_units(desk: Desk, live: bool) -> None:
    desk.open(live)
    desk.bench.state = RunState.RUNNING
    rates = {"capture": Rate(1000, 1010, 5), "track": Rate(990, 1000, 5)} if live else {"play": Rate(990, 1000, 5)}
    ledger = {"announced": 5, "missing": 2, "unprocessed_reasons": {"the engine was behind": 3}}
    reading = MeterReading(1.0, {"total": Latency(0.017, 0.028, 0.1, 0.1, 5)}, rates)
    desk.link.reports.append(reports.Measured(reading, ledger=ledger if live else {}))
    desk.bench.tick()
    parts = desk.window.status.parts
    assert parts["rates"].text() == f"{'captured 1000,  ' if live else ''}processed 990,  shown 0 frames/s"
    assert parts["latency"].text() == "latency 17.0 ms,  99 % within 28.0 ms"
    assert parts["lost"].text() == ("2 lost,  3 left out" if live else "")
    assert "half of the frames" in parts["latency"].toolTip()
    assert parts["rates"].toolTip().startswith("Frames a second")
    assert "lost: frames that are gone" in parts["lost"].toolTip()


def test_a_note_hides_no_warning_and_two_warnings_are_both_there(desk: Desk) -> None:
    toast = desk.window.status.toast
    desk.open()
    toast.clear_message()
    desk.bench.speak(Level.WARNING, "the clip is cut short")
    desk.bench.speak(Level.NOTE, "sigma is a lower bound")
    assert toast.message == "the clip is cut short"
    assert toast.text().endswith("(+1 more)")
    desk.bench.speak(Level.WARNING, "frame 3 is damaged")
    assert toast.message == "frame 3 is damaged"
    assert "the clip is cut short" in toast.toolTip()
    assert "(+1 more)" in toast.text(), "notes are behind warnings for good"
    toast.clear_message()
    desk.bench.speak(Level.NOTE, "another one")
    assert toast.text() == "another one"
