"""Figures that are drawn by a process beside the run, while the run ends. What they will want, matplotlib or letters,
is loaded there while frames are processed here.

The process is forked from the command's own before that has threads, so that nothing is loaded twice; where that cannot
be done, or nobody has asked for it, figures are drawn at once, by the same functions. It hears of no signal and ends
with its orders, so that it is never left over.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, NamedTuple

from app.ending import ENDS
from app.plots.figures import load_early
from app.plots.loading import load
from app.plots.look import Look
from app.plots.raster import load_letters

Drawing = Callable[..., object]


class _Helper(NamedTuple):
    """The process beside, and both ways to it."""

    process: int
    orders: BinaryIO
    answers: BinaryIO


_HELPER: list[_Helper] = []
"""The one that this process has, or none."""


@contextmanager
def drawing_beside() -> Iterator[None]:
    """Have the figures of the run within drawn by a process beside, where one can be had."""
    helper = None if _HELPER else _forked()
    if helper is not None:
        _HELPER.append(helper)
    try:
        yield
    finally:
        if helper is not None:
            _let_go()


class Figures:
    """The figures of a run.

    Args:
        early: one of them will want matplotlib, which is loaded from now on.
        look: of one that is drawn without it, whose letters are loaded from now on where a process beside has the time.
    """

    def __init__(self, early: bool = True, look: Look | None = None) -> None:
        self._asked: deque[tuple[Drawing, tuple[Any, ...]]] = deque()
        self._last = 0.0
        if early and _ordered(load, ()):
            self._asked.append((load, ()))
        elif early:
            load_early()
        if look is not None and _ordered(load_letters, (look,)):
            self._asked.append((load_letters, (look,)))

    def ask(self, draw: Drawing, *given: Any) -> None:
        """Have one drawn, beside or at once.

        Args:
            draw: writes it. given: for it. Both can be pickled.

        Raises:
            InputError: `draw` does, at once; else `drawn` raises it.
        """
        if not _ordered(draw, given):
            draw(*given)
            self._last = time.perf_counter()
            return
        self._asked.append((draw, given))

    def drawn(self) -> float:
        """Wait for all that were asked for; when the last was there (`time.perf_counter`), 0 without any.

        Raises:
            InputError: what the first that failed has raised.
        """
        failed: Exception | None = None
        while self._asked:
            draw, given = self._asked.popleft()
            try:
                error, self._last = pickle.load(_HELPER[0].answers)
            except (IndexError, EOFError, OSError, pickle.UnpicklingError):  # it was ended, for memory for instance
                _let_go()
                draw(*given)
                error, self._last = None, time.perf_counter()
            failed = failed or error
        if failed is not None:
            raise failed
        return self._last


def _ordered(draw: Drawing, given: tuple[Any, ...]) -> bool:
    """Whether the process beside was told to draw this."""
    try:
        pickle.dump((draw, given), _HELPER[0].orders, pickle.HIGHEST_PROTOCOL)
        _HELPER[0].orders.flush()
    except (IndexError, OSError):
        _let_go()
        return False
    return True


def _let_go() -> None:
    """Close the ways to the process, which ends it, and wait for that."""
    if _HELPER:
        helper = _HELPER.pop()
        for way in (helper.orders, helper.answers):
            with contextlib.suppress(OSError):
                way.close()
        with contextlib.suppress(OSError):
            os.waitpid(helper.process, 0)


def _forked() -> _Helper | None:
    if sys.platform != "linux":  # elsewhere not all that the system has loaded outlives a fork
        return None
    ways = [os.pipe(), os.pipe()]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of BLAS's threads, which look after themselves
            process = os.fork()
    except OSError:
        for end in (end for way in ways for end in way):
            os.close(end)
        return None
    (orders, order), (answer, answers) = ways
    if process:
        os.close(orders)
        os.close(answers)
        return _Helper(process, os.fdopen(order, "wb"), os.fdopen(answer, "rb"))
    try:
        os.close(order)
        os.close(answer)
        _serve(os.fdopen(orders, "rb"), os.fdopen(answers, "wb"))
    finally:
        os._exit(0)  # nothing of what the other process has to do at its end is done here


def _serve(orders: BinaryIO, answers: BinaryIO) -> None:
    """What the process beside does."""
    for number in ENDS:
        signal.signal(number, signal.SIG_IGN)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):  # whoever reads what the command says is not to wait for this process
        os.dup2(nothing, stream)
    while True:
        try:
            draw, given = pickle.load(orders)
        except (EOFError, OSError):
            return
        error: Exception | None = None
        try:
            draw(*given)
        except Exception as raised:
            error = raised
        try:
            packed = pickle.dumps((error, time.perf_counter()))
            pickle.loads(packed)
        except Exception:  # not every exception can be made anew from what it holds
            packed = pickle.dumps((RuntimeError(f"{type(error).__name__}: {error}"), time.perf_counter()))
        answers.write(packed)
        answers.flush()
