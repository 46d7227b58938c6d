"""A job that shall end does, wherever its interrupt is lost; and it is not interrupted while it tidies up."""

from __future__ import annotations

import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator

import pytest

from app.desk.jobs import stopping
from app.desk.jobs.stopping import Stop
from tests.patience import PATIENCE


@pytest.fixture
def stop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stop]:
    """In place of what Ctrl-C does."""
    monkeypatch.setattr(stopping, "AGAIN", 0.02)
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    before = signal.getsignal(signal.SIGINT)
    made = Stop()
    made.take_signal()
    yield made
    made.over()
    for thread in threading.enumerate():
        if thread.name == "stop":  # what it sends last is not to reach what tests
            thread.join(PATIENCE)
    signal.signal(signal.SIGINT, before)


def patiently(seconds: float = PATIENCE) -> None:
    """Work that nobody interrupts fails the test."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.001)
    raise AssertionError("it was not interrupted")


def everything_is_mine(stop: Stop) -> None:
    """As some libraries do while they are loaded."""
    for _ in range(3):
        try:
            stop.stop()
            patiently()
        except:  # noqa: E722
            pass


def callback(stop: Stop) -> None:
    """As in the reference to something that goes."""

    class Thing:
        pass

    def gone(_: object) -> None:
        stop.stop()
        patiently()

    thing = Thing()
    reference = weakref.ref(thing, gone)
    del thing
    assert reference() is None


@pytest.mark.parametrize("lose", [everything_is_mine, callback])
def test_an_interrupt_that_is_lost_comes_again(stop: Stop, lose: Callable[[Stop], None]) -> None:
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012
        try:
            lose(stop)
            patiently()
        finally:
            stop.over()  # on a busy machine the next one would come before the fixture ends them


def test_an_interrupt_that_comes_when_all_is_over_is_none(stop: Stop) -> None:
    stop.over()
    for _ in range(3):
        stopping._interrupt()
        time.sleep(0.001)
    assert not stop.wanted


def test_what_tidies_up_is_not_interrupted_again(stop: Stop) -> None:
    tidied = []

    def work() -> None:
        try:
            stop.stop()
            patiently()
        finally:
            time.sleep(20 * stopping.AGAIN)
            tidied.append(True)

    def worked() -> None:
        try:
            work()
        finally:
            stop.over()

    with pytest.raises(KeyboardInterrupt):
        worked()
    assert tidied == [True]
    time.sleep(5 * stopping.AGAIN)  # nor afterwards


def test_who_takes_the_signal_for_himself_is_told_once(stop: Stop) -> None:
    heard: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    stop.stop()
    time.sleep(10 * stopping.AGAIN)
    assert heard == [signal.SIGINT]


def test_a_runner_is_told_also_where_it_comes_after_the_wish(stop: Stop) -> None:
    class Runner:
        told = 0

        def stop(self) -> None:
            self.told += 1

    early, late = Runner(), Runner()
    stop.started(early)
    stop.stop()
    assert early.told == 1
    stop.started(late)
    assert late.told == 1
    stop.started(None)
    assert stop.wanted


def test_it_ends_with_the_work(stop: Stop) -> None:
    stop.over()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stop.stop()
    end = time.monotonic() + PATIENCE
    while any(thread.name == "stop" for thread in threading.enumerate()):
        assert time.monotonic() < end
        time.sleep(0.01)
