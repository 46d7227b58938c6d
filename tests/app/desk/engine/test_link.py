"""The window's end of the engine's process, where that does not start."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.desk.bench.workbench import Workbench
from app.desk.engine import commands, reports
from app.desk.engine.link import TRIES, EngineLink
from tests.patience import PATIENCE


@pytest.fixture
def dying(tmp_path: Path) -> Iterator[tuple[EngineLink, Path]]:
    """A link whose engine dies as soon as it loads the user's stages."""
    plugin = tmp_path / "no_luck.py"
    plugin.write_text("import os, sys\nprint('no luck today', file=sys.stderr, flush=True)\nos._exit(3)\n", "utf-8")
    link = EngineLink((str(plugin),))
    yield link, plugin
    link.close()


def said(link: EngineLink, count: int) -> list[reports.Report]:
    found: list[reports.Report] = []
    end = time.monotonic() + PATIENCE
    while len(found) < count:
        assert time.monotonic() < end, found
        found += link.poll()
        time.sleep(0.01)
    return found


def test_an_engine_that_dies_at_its_start_is_not_started_for_ever(dying: tuple[EngineLink, Path]) -> None:
    link, plugin = dying
    crashes = said(link, TRIES)
    assert [crash.down for crash in crashes if isinstance(crash, reports.Crashed)] == [False] * (TRIES - 1) + [True]
    last = crashes[-1]
    assert isinstance(last, reports.Crashed)
    for word in ("cannot be started", f"{TRIES} times", "exit code 3", "no luck today", "fusetrack doctor", "Help"):
        assert word in last.sentence
    assert "no luck today" in last.details
    assert link.down
    pid = link.pid
    for _ in range(50):
        assert link.poll() == []
        link.send(commands.Close())
        time.sleep(0.01)
    assert link.pid == pid
    plugin.write_text("", "utf-8")
    link.start_again()
    assert not link.down
    link.send(commands.Seek(3))
    assert said(link, 1) == [reports.Refused("nothing is open", number=-1)]


def test_a_system_that_gives_no_process_is_named(
    dying: tuple[EngineLink, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    link, _ = dying
    said(link, TRIES)

    def refuse() -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(link, "_spawn", refuse)
    bench = Workbench(link)
    bench.engine_down = True
    bench.start_engine()
    bench.tick()
    assert bench.engine_down
    assert "Resource temporarily unavailable" in bench.messages[-1].sentence


@pytest.mark.skipif(os.name != "posix", reason="stops a process")
def test_orders_wait_for_a_busy_engine_and_the_window_does_not() -> None:
    link = EngineLink()
    try:
        until = time.monotonic() + PATIENCE
        while not link._ready and time.monotonic() < until:
            link.poll()
            time.sleep(0.01)
        pid = link.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)  # as one that opens a long clip: it reads nothing
        orders = threading.Thread(target=lambda: [link.send(commands.Seek(k)) for k in range(2000)], daemon=True)
        orders.start()
        orders.join(PATIENCE)
        stuck = orders.is_alive()
        os.kill(pid, signal.SIGCONT)
        assert not stuck
        assert said(link, 2000) == [reports.Refused("nothing is open", number=-1)] * 2000
    finally:
        link.close()
