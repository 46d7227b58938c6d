"""Closing the window: what is recorded is asked about in the window, and never lost; signals close it too."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Protocol

from app.desk.bench.topics import Level, Topic
from app.desk.workbench import Workbench
from app.gui.strips import Strip, Strips

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Window(Protocol):
    """What leaving needs of the main window."""

    bench: Workbench
    strips: Strips

    def close(self) -> bool: ...


class Leaving:
    """Whether the window may close now.

    Args:
        window: the window.
    """

    def __init__(self, window: Window) -> None:
        self._window = window
        self._wanted = False
        self._before: dict[int, object] = {}
        window.bench.on(Topic.RECORDING, self._recorded)

    def may_close(self) -> bool:
        """Whether nothing is recorded; if something is, a strip asks."""
        bench, strips = self._window.bench, self._window.strips
        if not bench.recording:
            return True
        name = Path(bench.recording).name
        strips.put("leaving", Strip(
            f"{name} is being recorded.", Level.WARNING,
            buttons=(("Stop and close", self.stop_and_close), ("Go on recording", lambda: strips.remove("leaving"))),
        ))  # fmt: skip
        return False

    def stop_and_close(self) -> None:
        """Close the session properly, then the window."""
        bench, strips = self._window.bench, self._window.strips
        self._wanted = True
        if bench.recording:
            strips.put("leaving", Strip(f"{Path(bench.recording).name} is being closed; the window closes then.",
                                        Level.WARNING))  # fmt: skip
            bench.stop_recording()
        else:
            self._window.close()

    def _recorded(self) -> None:
        if self._window.bench.recording:
            return
        self._window.strips.remove("leaving")
        if self._wanted:
            self._wanted = False
            self._window.close()

    # ------------------------------------------------------------------------------------------------- signals

    def take_signals(self) -> None:
        """Have Ctrl-C in the terminal, and the wish of the system, close the window properly.

        The second one does not wait for a session to be closed; its recorder closes it by itself.
        """

        def hear(_number: int, _frame: FrameType | None) -> None:
            if self._wanted:
                self._window.bench.recording = ""
                self._window.close()
            else:
                self.stop_and_close()

        for number in SIGNALS:
            self._before[number] = signal.signal(number, hear)

    def give_signals_back(self) -> None:
        """As they were."""
        restore: Callable[..., object] = signal.signal
        for number, before in self._before.items():
            restore(number, before)
        self._before.clear()
