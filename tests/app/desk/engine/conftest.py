"""A bench with an engine, which the tests of a file share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from app.desk.bench.workbench import Workbench
from app.desk.engine import commands, reports
from app.desk.engine.link import EngineLink
from app.desk.engine.live_desk import LiveDesk
from tests.patience import PATIENCE


def until(bench: Workbench, done: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Tick until something holds."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, ([m.sentence for m in bench.messages], bench.store.ranges, bench.state)
        bench.tick()
        time.sleep(0.01)


def begun(desk: LiveDesk, order: commands.StartRecording, report: Callable[[reports.Report], object]) -> None:
    """Have a recording begin; it may wait for memory."""
    desk.obey(order, report)
    end = time.monotonic() + PATIENCE
    while desk.beginning:
        assert time.monotonic() < end
        desk.look(report)
        time.sleep(0.01)


@pytest.fixture
def bench(link: EngineLink) -> Iterator[Workbench]:
    made = Workbench(link)
    yield made
    made.close()
    if made.opened is not None:
        until(made, lambda: made.opened is None)
