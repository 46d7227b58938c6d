"""The first use of a pipeline: what is compiled is said, how far it is, and no speed of nothing."""

from __future__ import annotations

import threading
import time

import pytest

from app.desk.engine import process, reports
from app.gui.compiling_words import first_use
from kernels.compiling import Compiling, compiling, part_of
from pipelines.streaming.common.states import RunState
from tests.app.desk.readings import clip_readings
from tests.app.gui.conftest import Desk
from tests.patience import PATIENCE

SECOND = Compiling("gray+smooth", 2, 3)


def test_the_window_says_how_far_compiling_is_until_there_is_a_picture(desk: Desk) -> None:
    desk.open()
    desk.bench.state = RunState.RUNNING
    desk.link.reports += [*clip_readings(2), reports.Compiles(SECOND)]
    desk.bench.tick()
    parts, hint = desk.window.status.parts, desk.window.video._hint
    assert parts["place"].text().startswith("compiling 2 of 3 programs")
    assert parts["rates"].text() == ""
    assert hint.isVisible()
    assert "First use: compiling 2 of 3 programs: gray + smooth" in hint.text()
    desk.link.reports.append(reports.Compiles(Compiling("", 5, 0)))
    desk.bench.tick()
    assert "function 5 of stages and trackers" in hint.text()
    desk.link.reports.append(reports.Compiles(None))
    desk.frame(0)
    assert not hint.isVisible()
    assert "compiling" not in parts["place"].text()
    assert "processed" in parts["rates"].text()


def test_a_change_that_is_compiled_hides_no_picture(desk: Desk) -> None:
    desk.open()
    desk.frame(0)
    desk.link.reports.append(reports.Compiles(SECOND))
    desk.bench.tick()
    assert not desk.window.video._hint.isVisible()
    assert "compiling 2 of 3" in desk.window.status.parts["place"].text()


def test_it_is_said_too_while_a_camera_opens(desk: Desk) -> None:
    desk.window.open("cam:sim?fps=100")
    desk.link.reports.append(reports.Compiles(SECOND))
    desk.bench.tick()
    assert desk.window.nothing.title.text() == "Opening cam:sim …\ncompiling 2 of 3 programs"
    desk.link.reports.append(reports.Compiles(None))
    desk.bench.tick()
    assert desk.window.nothing.title.text() == "Opening cam:sim …"


def test_an_engine_that_died_compiles_no_more(desk: Desk) -> None:
    desk.open()
    desk.link.reports += [reports.Compiles(SECOND), reports.Crashed("the engine ended", "")]
    desk.bench.tick()
    assert desk.bench.compiling is None
    assert "quick" in first_use(SECOND)


def test_the_engine_reports_it_also_while_it_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "COMPILES", 0.005)
    told: list[reports.Report] = []
    ended = threading.Event()
    thread = threading.Thread(target=process._watch_compiler, args=(told.append, ended))

    def until(count: int) -> None:
        end = time.monotonic() + PATIENCE
        while len(told) < count:
            assert time.monotonic() < end
            time.sleep(0.002)

    thread.start()
    with part_of("gray+smooth", 2, 3), compiling():
        until(1)
    until(2)
    ended.set()
    thread.join()
    assert told == [reports.Compiles(SECOND), reports.Compiles(None)]
