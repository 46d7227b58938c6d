"""Closing the window: what is recorded or being made is asked about in the window, and nothing is lost in silence;
signals close it too."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType
from typing import Protocol

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.jobs.jobs import Job, Jobs
from app.desk.jobs.orders import CamerasOrder, RehearseOrder, ReplayOrder
from app.ending import HANGUP, heard, let_go_of_terminal
from app.gui.events.marking import Marking
from app.gui.project import Projects
from app.gui.settings import Settings
from app.gui.strips import Strip, Strips
from app.gui.terminal import print_lines
from app.gui.tracking import Tracking
from app.gui.unsaved import Unsaved

NOTHING_LOST = (CamerasOrder, RehearseOrder, ReplayOrder)
"""Orders whose end takes nothing from anybody: they only look."""
PATIENCE = 10.0
"""Seconds that corrections get to be written when the window closes."""
_UNTOLD = "untold"


class Window(Protocol):
    """What leaving needs of the main window."""

    bench: Workbench
    strips: Strips
    jobs: Jobs
    settings: Settings
    tracking: Tracking
    marking: Marking

    @property
    def unsaved(self) -> Unsaved: ...
    @property
    def projects(self) -> Projects: ...
    def close(self) -> bool: ...


class Leaving:
    """Whether the window may close now.

    Args:
        window: the window.
    """

    def __init__(self, window: Window) -> None:
        self._window = window
        self._wanted = self._anyway = self._waiting = self._lost = self._project_lost = False
        self._before: dict[int, object] = {}
        window.bench.on(Topic.RECORDING, self._recorded)

    def listen(self) -> None:
        """Once the window has its jobs: whoever waits for them closes it then."""
        self._window.jobs.on(self._went_on)

    def may_close(self) -> bool:
        """Whether nothing is recorded and nothing is being made; if something is, a strip asks."""
        bench, strips = self._window.bench, self._window.strips
        if not bench.recording:
            return self._may_stop()
        name = Path(bench.recording).name
        strips.put("leaving", Strip(
            f"{name} is being recorded.", Level.WARNING,
            buttons=(("Stop and close", self._stop_recording), ("Go on recording", lambda: strips.remove("leaving"))),
        ))  # fmt: skip
        return False

    @property
    def at_work(self) -> list[Job]:
        """Jobs whose results would not be there."""
        return [job for job in self._window.jobs.running if not isinstance(job.order, NOTHING_LOST)]

    def _may_stop(self) -> bool:
        going, strips = self.at_work, self._window.strips
        if not going or self._anyway:
            return self._lost or (self._project_kept() and self._window.unsaved.may_go(self._lose))
        self._waiting = False
        names = ", ".join(job.title for job in going[:3]) + (f" and {len(going) - 3} more" if len(going) > 3 else "")
        one = len(going) == 1
        strips.put("leaving", Strip(
            f"{'This is' if one else 'These are'} not done yet: {names}.", Level.WARNING,
            buttons=(("Close when done", self._wait), ("Stop and close", self._stop_all),
                     ("Stay", lambda: strips.remove("leaving"))),
            tip="What is stopped leaves no half of a file; a batch goes on where it was when it is run again",
        ))  # fmt: skip
        return False

    def _project_kept(self) -> bool:
        """Whether the project, and cameras without one, are saved, or need not be; if not, a strip asks."""

        def go() -> None:
            self._project_lost = True
            self._window.close()
            self._project_lost = False  # it may have been refused for something else

        return self._project_lost or self._window.projects.may_leave(go)

    def _wait(self) -> None:
        self._waiting = True
        strips = self._window.strips

        def stay() -> None:
            self._waiting = False
            strips.remove("leaving")

        strips.put("leaving", Strip("The window closes when all is done.", buttons=(("Stay", stay),)))

    def _stop_all(self) -> None:
        self._anyway = True
        self._window.close()

    def _lose(self) -> None:
        self._lost = True
        self._window.close()

    def _went_on(self, job: Job) -> None:
        # Something else is still at work, or nobody asked, or a recording goes on.
        if job.running or self.at_work or "leaving" not in self._window.strips or self._window.bench.recording:
            return
        self._window.strips.remove("leaving")
        if self._waiting:
            self._window.close()

    # ----------------------------------------------------------------------------------------- the last words

    def last_words(self) -> None:
        """The window ends: wait for corrections that are being written; what went wrong is printed, and said at the
        next start."""
        rescue = self._window.settings.folder_of_own
        said = [*self._window.tracking.corrector.kept.close(PATIENCE, rescue), *self._window.marking.kept.close(rescue),
                *self._window.tracking.labeller.close(PATIENCE, rescue)]  # fmt: skip
        print_lines(said)
        if said:
            self._window.settings.set_text(_UNTOLD, json.dumps([*self._untold(), *said]))

    def tell(self) -> None:
        """Say what could not be said at the end of last time."""
        for sentence in self._untold():
            self._window.bench.speak(Level.ERROR, f"last time: {sentence}")
        self._window.settings.set_text(_UNTOLD, "[]")

    def _untold(self) -> Sequence[str]:
        try:
            return [str(one) for one in json.loads(self._window.settings.text(_UNTOLD, "[]"))]
        except (ValueError, TypeError):  # somebody edited the file
            return []

    def stop_and_close(self) -> None:
        """Close the session properly, then the window, without a question; other work is stopped."""
        self._lost = True
        self._stop_recording()

    def _stop_recording(self) -> None:
        """Close the session properly, then the window, which may ask about what is not saved."""
        bench, strips = self._window.bench, self._window.strips
        self._wanted = self._anyway = True
        if bench.recording:
            strips.put("leaving", Strip(f"{Path(bench.recording).name} is being closed; the window closes then.",
                                        Level.WARNING))  # fmt: skip
            bench.recorder.stop()
        else:
            self._window.close()

    def _recorded(self) -> None:
        if self._window.bench.recording:
            return
        self._window.strips.remove("leaving")
        if self._wanted:
            self._wanted = False
            self._window.close()
            # Closing may have been refused: the next time it is asked again.
            self._anyway = self._lost = False

    # ------------------------------------------------------------------------------------------------- signals

    def take_signals(self) -> None:
        """Have Ctrl-C in the terminal, and the wish of the system, close the window properly.

        The second one does not wait for a session to be closed; its recorder closes it by itself.
        """

        def hear(number: int, _frame: FrameType | None) -> None:
            let_go_of_terminal()
            self._lost = True  # nobody may be there to answer
            if self._wanted and number == HANGUP:
                return
            if self._wanted:
                self._window.bench.recording = ""
                self._window.close()
            else:
                self.stop_and_close()

        for number in heard():
            self._before[number] = signal.signal(number, hear)

    def give_signals_back(self) -> None:
        """As they were."""
        restore: Callable[..., object] = signal.signal
        for number, before in self._before.items():
            restore(number, before)
        self._before.clear()
