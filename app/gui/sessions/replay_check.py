"""The check of a session's replay, and how it goes: in the bar of recordings, or above the video where one is open."""

from __future__ import annotations

from html import escape
from pathlib import Path

from app.desk.bench.topics import Level
from app.desk.jobs.jobs import Job, Jobs, JobState
from app.desk.jobs.orders import ReplayOrder
from app.gui import theme
from app.gui.strips import Strip, Strips

STRIP = "replay"


class ReplayCheck:
    """See the module.

    Attributes:
        job: the check that was begun last, None for none.
    """

    def __init__(self, jobs: Jobs, strips: Strips) -> None:
        self._jobs, self._strips, self._of_open = jobs, strips, ""
        self.job: Job | None = None

    def begin(self, session: str, above: bool) -> None:
        """Process a session again and compare, unless one is being checked; tell it above the video, or in a bar."""
        if not self.running:
            self._of_open = session if above else ""
            self.job = self._jobs.start("replay", ReplayOrder(session))
            self._put(self.job, "checking the replay …", Level.NOTE)

    @property
    def running(self) -> bool:
        """Whether a session is being checked."""
        return self.job is not None and self.job.running

    def clear(self) -> None:
        """Something else was opened: what was told above the video goes, unless the check still runs."""
        if not self.running:
            self._strips.remove(STRIP)

    def forget(self) -> None:
        """What it said is of before."""
        self.job = None

    def look(self) -> tuple[str, str]:
        """How the check goes, in words and in their colour; above the video it is told here."""
        job, colours = self.job, theme.current()
        assert job is not None
        text, ink = f"checking the replay … {job.share:.0%}", colours.muted
        if not job.running:
            text = f"Replayed: {job.result.get('sentence', job.sentence)}"
            ink = colours.good if job.result.get("identical") else colours.bad
        if job.state is not JobState.STOPPED:
            self._put(job, text, Level.ERROR if ink == colours.bad else Level.NOTE)
        return text, ink

    @property
    def above(self) -> bool:
        """Whether it is told above the video, for the bar of recordings is not there for a session that is open."""
        return bool(self._of_open)

    def _put(self, job: Job, text: str, level: Level) -> None:
        if not self._of_open:
            return

        def close() -> None:
            self._strips.remove(STRIP)
            if job.running:
                self._jobs.stop(job)

        words = f"<b>{escape(Path(self._of_open).name)}</b>: {escape(text)}"
        if job.running and STRIP in self._strips:
            self._strips[STRIP].label.setText(words)
        else:
            buttons = (("Stop", close),) if job.running else ()
            self._strips.put(STRIP, Strip(words, level, buttons=buttons, closed=None if job.running else close))
