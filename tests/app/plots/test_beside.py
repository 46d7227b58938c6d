"""Figures of a run, drawn by a process beside it or at once: the same files, the same errors, nothing left over."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.plots import beside
from app.plots.beside import Figures, drawing_beside
from app.plots.look import LIGHT
from app.plots.raster import words_in
from kernels.errors import InputError

forks = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")


class Odd(Exception):
    """Cannot be pickled, whatever helps exceptions to be."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"{what} {why}")
        self.held = threading.Lock()


def number(path: Path) -> None:
    path.write_text(str(os.getpid()))


def letters(path: Path) -> None:
    path.write_text(str(words_in.cache_info().currsize))


def refused(_: Path) -> None:
    raise InputError("the disk is full")


def odd(_: Path) -> None:
    raise Odd("very", "odd")


def ended_unless(process: int, path: Path) -> None:
    if os.getpid() != process:
        os.kill(os.getpid(), signal.SIGKILL)
    number(path)


@contextmanager
def begun() -> Iterator[int]:
    """The number of the process beside, which is gone afterwards."""
    with drawing_beside():
        process = beside._HELPER[0].process
        yield process
    assert not beside._HELPER
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@forks
def test_they_are_drawn_in_order_by_one_process_that_hears_no_signal(tmp_path):
    before = time.perf_counter()
    with begun() as process:
        figures = Figures()
        figures.ask(number, tmp_path / "a")
        assert before < figures.drawn() < time.perf_counter()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            os.kill(process, signal.Signals[name])
        for name in "bc":
            figures.ask(number, tmp_path / name)
        assert before < figures.drawn() < time.perf_counter()
        assert [(tmp_path / name).read_text() for name in "abc"] == [str(process)] * 3
        assert process != os.getpid()


@forks
@pytest.mark.parametrize(("wrong", "raised", "words"), [
    (refused, InputError, "the disk is full"), (odd, RuntimeError, "Odd: very odd"),
])  # fmt: skip
def test_what_one_raises_is_raised_when_all_are_waited_for(tmp_path, wrong, raised, words):
    with begun():
        figures = Figures()
        figures.ask(wrong, tmp_path)
        figures.ask(number, tmp_path / "a")
        with pytest.raises(raised, match=words):
            figures.drawn()
        assert (tmp_path / "a").exists()


@forks
def test_they_are_drawn_here_where_the_process_beside_was_ended(tmp_path):
    with drawing_beside():
        figures = Figures()
        for name in "ab":
            figures.ask(ended_unless, os.getpid(), tmp_path / name)
        assert figures.drawn() > 0.0
        figures.ask(number, tmp_path / "c")
        assert [(tmp_path / name).read_text() for name in "abc"] == [str(os.getpid())] * 3


@forks
def test_letters_are_there_before_the_figure_is_asked_for(tmp_path):
    words_in.cache_clear()
    with begun():
        figures = Figures(early=False, look=LIGHT)
        figures.ask(letters, tmp_path / "a")
        figures.drawn()
    assert (tmp_path / "a").read_text() == "2"
    assert words_in.cache_info().currsize == 0


def test_without_one_they_are_drawn_at_once(tmp_path):
    figures = Figures()
    assert figures.drawn() == 0.0
    figures.ask(number, tmp_path / "a")
    assert (tmp_path / "a").read_text() == str(os.getpid())
    assert 0.0 < figures.drawn() < time.perf_counter()
    with pytest.raises(InputError, match="the disk is full"):
        figures.ask(refused, tmp_path)
