"""Keys, lines, signals and the clock speak to a recording; a status line says how it goes."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from app.live.asking import Listener
from app.live.status import StatusLine, status
from app.live.wanted import Look
from app.sessions.account import Account
from app.sessions.shared import RecorderState
from pipelines.streaming.common.meter import Latency, MeterReading, Rate
from pipelines.streaming.live.ledger import LiveLedger
from tests.patience import PATIENCE

posix = pytest.mark.skipif(os.name != "posix", reason="terminals and signals")
ROOT = Path(__file__).resolve().parents[3]


def until(condition: Callable[[], object], patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


@posix
def test_lines_signals_and_the_clock() -> None:
    told: list[str] = []
    reading, writing = os.pipe()
    with os.fdopen(reading) as stream, os.fdopen(writing, "wb", buffering=0) as out:
        soon = datetime.now() + timedelta(seconds=0.1)
        before = signal.getsignal(signal.SIGUSR1)
        listener = Listener(told.append, lambda: told.append("STOP"), at=(soon,), stream=stream)
        listener.open()
        out.write(b"trigger lamp\nnothing\ntrigg")
        out.write(b"er\r\nSTOP\nstop\n")
        until(lambda: "STOP" in told)
        os.kill(os.getpid(), signal.SIGUSR1)
        until(lambda: "signal" in told)
        until(lambda: any(word.startswith("time ") for word in told))
        listener.close()
        assert signal.getsignal(signal.SIGUSR1) is before
    assert [word for word in told if not word.startswith(("time ", "signal"))] == ["lamp", "external", "STOP"]
    assert f"time {soon:%H:%M:%S}" in told


@posix
def test_the_end_of_input_is_no_end() -> None:
    told: list[str] = []
    reading, writing = os.pipe()
    os.close(writing)
    with os.fdopen(reading) as stream:
        listener = Listener(told.append, lambda: told.append("STOP"), stream=stream)
        listener.open()
        time.sleep(0.2)
        listener.close()
    nothing = Listener(told.append, lambda: told.append("STOP"), stream=io.StringIO("stop\n"))
    nothing.open()
    nothing.close()
    assert told == []


KEYS = """
import fcntl, sys, termios, time
sys.path.insert(0, {root!r})
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from app.live.asking import Listener
print("before", termios.tcgetattr(0)[3] & termios.ICANON != 0, flush=True)
ended = []
listener = Listener(lambda reason: print("trigger", reason, flush=True), lambda: ended.append(1))
listener.open()
print("ready", termios.tcgetattr(0)[3] & termios.ICANON != 0, flush=True)
while not ended:
    time.sleep(0.01)
listener.close()
print("after", termios.tcgetattr(0)[3] & termios.ICANON != 0, flush=True)
"""


@posix
def test_keys_of_a_terminal() -> None:
    """Single keys, without a line's end; the terminal is left as it was."""
    ours, theirs = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", KEYS.format(root=str(ROOT))], stdin=theirs, stdout=subprocess.PIPE, text=True,
        start_new_session=True,
    ) as running:  # fmt: skip
        assert running.stdout is not None
        assert [running.stdout.readline().strip() for _ in range(2)] == ["before True", "ready False"]
        os.write(ours, b" xt")
        assert [running.stdout.readline().strip() for _ in range(2)] == ["trigger key", "trigger key"]
        os.write(ours, b"q")
        assert running.stdout.readline().strip() == "after True"
        assert running.wait(PATIENCE) == 0
    os.close(ours)
    os.close(theirs)


def look(seconds: float, recorded: int, size: int) -> Look:
    ledger = LiveLedger()
    ledger.announce(1000)
    account = Account(
        RecorderState.RECORDING, 1000, recorded, 0, 0, 12, 2000, size, size, 10**12, float("inf"), 0, 0, 0, 0, 0, ""
    )
    reading = MeterReading(rates={"capture": Rate(999.6), "track": Rate(640.2)},
                           latencies={"total": Latency(0.012, 0.034, frames=9)})  # fmt: skip
    return Look(seconds, None, reading, ledger, account, None)


def test_the_line() -> None:
    line = StatusLine()
    line.see(look(1.0, 100, 10**6))
    text = line.text(look(2.0, 1100, 263 * 10**6))
    for part in ("2 s", "captured 1000 (1000/s)", "processed 0 (640/s)", "recorded 1100 (1000/s, 262.0 MB/s)",
                 "latency 12.0/34.0 ms", "queue 12/2000", "disk full in …"):  # fmt: skip
        assert part in text
    for word in ("trigger", "to go", "lost", "left out"):
        assert word not in text
    bad = look(3.0, 1100, 10**6)
    bad.ledger.leave_out(10, 19, "behind")
    bad.ledger.gap(30, 31, 33)
    bad = replace(bad, account=replace(bad.account, dropped=7, seconds_left=90.0), triggers=0, left=61.0)
    text = line.text(bad)
    for part in ("10 left out", "7 lost (found no room before the disk)", "3 lost (never came from the camera)",
                 "waiting for a trigger", "1:01 min to go", "disk full in 1:30 min"):  # fmt: skip
        assert part in text
    assert "2 triggers" in line.text(replace(bad, triggers=2))


def test_a_log_has_a_line_now_and_then() -> None:
    log = io.StringIO()
    with status(log, every=0.0) as show:
        show(look(1.0, 1, 1))
        show(look(2.0, 1, 1))
    assert log.getvalue().count("\n") == 2
    with status(io.StringIO(), every=100.0) as show:
        show(look(1.0, 1, 1))
    with status(log, quiet=True) as show:
        show(look(1.0, 1, 1))
    assert log.getvalue().count("\n") == 2
