"""Stops a job from another thread, and sees to it that it is heard.

Python makes an exception of an interrupt wherever the main thread happens to be. Where that is a callback (of a weak
reference, of something that is taken apart, of a library in C) or code that takes every exception for its own, the
exception ends there and the work goes on: each module that Cython makes has such a place, passed while it is loaded
(as `numpy.random` is when it is used first). So it is watched what becomes of the exception: while it goes up through
the work and what that tidies up, it is there; if it is gone and was not taken for the end, there is another one.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import weakref
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # an order that runs no clip does not wait for all that a run takes
    from app.controller import Stoppable

AGAIN = 0.2
"""Seconds between two looks whether an interrupt was heard."""


class Interrupted(KeyboardInterrupt):
    """What Ctrl-C raises here; it can be seen whether it is still on its way."""


class Stop:
    """Ends what runs: a run after the frames in hand, anything else by what Ctrl-C does.

    Attributes:
        wanted: whether it shall end.
    """

    def __init__(self) -> None:
        self._runner: Stoppable | None = None
        self.wanted = False
        self._raised: weakref.ref[Interrupted] | None = None
        self._over = threading.Event()

    def take_signal(self) -> None:
        """Have an interrupt raise what is watched; called by the main thread, before there is much to lose."""
        signal.signal(signal.SIGINT, self._interrupt)

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        if self._over.is_set():
            return  # sent when nothing had been heard yet, and late: what has ended is not to be interrupted
        raise self._watched()  # with a name here its own traceback would hold it

    def _watched(self) -> Interrupted:
        made = Interrupted()
        self._raised = weakref.ref(made)
        return made

    def started(self, runner: Stoppable | None) -> None:
        """Take the runner that is to be stopped; None when it is through."""
        self._runner = runner
        if runner is not None and self.wanted:  # it was said while the runner was made
            runner.stop()

    def over(self) -> None:
        """The work has ended, or heard that it shall."""
        self._over.set()

    def stop(self) -> None:
        """End it. Safe from any thread."""
        if not self.wanted:
            self.wanted = True
            threading.Thread(target=self._insist, name="stop", daemon=True).start()
        if self._runner is not None:
            self._runner.stop()
        else:
            _interrupt()

    def _insist(self) -> None:
        """Interrupt again what has lost its interrupt."""
        while not self._over.wait(AGAIN):
            if self._raised is None or self._raised() is not None:
                continue  # somebody else has taken the signal, or it is on its way
            if self._runner is not None:
                self._runner.stop()
            else:
                self._raised = None
                _interrupt()


def _interrupt() -> None:
    if sys.platform == "win32":
        signal.raise_signal(signal.SIGINT)
    else:
        os.kill(os.getpid(), signal.SIGINT)  # unlike raise_signal, wakes the main thread
