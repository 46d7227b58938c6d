"""The status bar: numbers with units, and what they mean in the tips."""

from __future__ import annotations

import pytest

from app.desk.engine import reports as say
from pipelines.streaming.meter import Latency, MeterReading, Rate
from pipelines.streaming.states import RunState
from tests.app.gui.conftest import Desk


@pytest.mark.parametrize("live", [True, False])
def test_rates_and_delays_are_said_in_words_with_units(desk: Desk, live: bool) -> None:
    desk.open(live)
    desk.bench.state = RunState.RUNNING
    rates = {"capture": Rate(1000, 1010, 5), "engine": Rate(990, 1000, 5)}
    reading = MeterReading(1.0, {"total": Latency(0.017, 0.028, 0.1, 0.1, 5)}, rates)
    desk.link.reports.append(say.Measured(reading, ledger={"missing": 2, "left_out": 3} if live else {}))
    desk.bench.tick()
    parts = desk.window.status.parts
    first = "camera" if live else "read"
    assert parts["rates"].text() == f"{first} 1000,  processed 990,  shown 0 frames/s"
    assert parts["latency"].text() == "delay 17.0 ms,  99 % within 28.0 ms"
    assert parts["lost"].text() == ("2 lost,  3 left out" if live else "")
    assert "half of the frames" in parts["latency"].toolTip()
    assert "frames a second" in parts["rates"].toolTip()
