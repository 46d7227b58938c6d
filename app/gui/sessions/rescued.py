"""A session that was being recorded when a window was killed: its recorder, a process of its own, has saved it, and the
next window says so."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path
from typing import Protocol

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.files.atomic import size_text
from app.gui.settings import Settings
from app.gui.strips import Strip, Strips

KEY = "recording"


class Window(Protocol):
    """What this needs of the main window."""

    bench: Workbench
    settings: Settings
    strips: Strips

    def open(self, what: str) -> None: ...
    def guarded(self, work: Callable[[], object]) -> None: ...


class Rescued:
    """Notes what this window records, for the window after it.

    Args:
        window: the window.
    """

    def __init__(self, window: Window) -> None:
        self._window = window
        window.bench.on(Topic.RECORDING, self._note)

    def _notes(self) -> dict[str, int]:
        """What is being recorded, with the process of the window that does."""
        try:
            found = json.loads(self._window.settings.text(KEY, "{}"))
            return {str(path): int(number) for path, number in found.items()}
        except (ValueError, TypeError, AttributeError):  # somebody edited the file
            return {}

    def _note(self) -> None:
        """Keep in mind what this window records, and nothing else of its own."""
        notes = {path: number for path, number in self._notes().items() if number != os.getpid()}
        recording = self._window.bench.recording
        if recording:
            notes[str(Path(recording).absolute())] = os.getpid()
        self._window.settings.set_text(KEY, json.dumps(notes))
        self._window.settings.sync()  # what comes may be a kill

    def tell(self) -> None:
        """Say which session a window that was killed has left."""
        notes = self._notes()
        left = [path for path, number in notes.items() if not _alive(number)]
        self._window.settings.set_text(KEY, json.dumps({k: v for k, v in notes.items() if k not in left}))
        there = [Path(path) for path in left if Path(path).exists()]
        for path in sorted({Path(one) for one in left} - {*there}):
            words = f"the window ended while {path.name} was to be recorded, and {path.parent} holds no such session"
            self._window.bench.speak(Level.WARNING, f"{words}: it ended before the first frame, or somebody moved it")
        if not there:
            return
        path, strips = there[-1], self._window.strips

        def show() -> None:
            strips.remove("rescued")
            self._window.guarded(lambda: self._window.open(str(path)))

        more = f" So were {len(there) - 1} more, in {escape(str(there[0].parent))}." if len(there) > 1 else ""
        strips.put("rescued", Strip(
            f"The window ended while <b>{escape(path.name)}</b> was being recorded; what had come is saved "
            f"({size_text(path.stat().st_size)}).{more}",
            buttons=(("Open it", show),), closed=partial(strips.remove, "rescued"), tip=str(path),
        ))  # fmt: skip


def _alive(number: int) -> bool:
    """Whether a process is there."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
