"""How far a run has come: a bar for people, a line now and then for logs, nothing for the quiet.

Everything goes to stderr; stdout belongs to results.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TextIO


class Progress(Protocol):
    """What a run tells while it works."""

    def advance(self, frames: int, bad: int = 0) -> None:
        """`frames` more frames are done, `bad` of them could not be read."""
        ...


class QuietProgress:
    """Says nothing, counts all the same."""

    def __init__(self) -> None:
        self.done = 0
        self.bad = 0

    def advance(self, frames: int, bad: int = 0) -> None:
        self.done += frames
        self.bad += bad


class ToldProgress(QuietProgress):
    """Passes the counts on to another process, not too often.

    Args:
        tell: called with {"done": frames, "bad": of these}.
        every: seconds between two calls.
    """

    def __init__(self, tell: Callable[[dict[str, int]], object], every: float) -> None:
        super().__init__()
        self._tell, self._every, self._said = tell, every, 0.0

    def advance(self, frames: int, bad: int = 0) -> None:
        super().advance(frames, bad)
        if time.monotonic() - self._said >= self._every:
            self.say()

    def say(self) -> None:
        """Tell now."""
        self._said = time.monotonic()
        self._tell({"done": self.done, "bad": self.bad})


class PlainProgress(QuietProgress):
    """One line every few seconds, for logs and pipes.

    Args:
        label: what is being worked on.
        total: frames to come, or None if unknown.
        stream: where the lines go.
        every: seconds between two lines.
        clock: seconds; replaced in tests.
    """

    def __init__(
        self,
        label: str,
        total: int | None,
        stream: TextIO,
        every: float = 5.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._label, self._total, self._stream, self._every, self._clock = label, total, stream, every, clock
        self._start = self._said = clock()
        self._said_done = -1

    def advance(self, frames: int, bad: int = 0) -> None:
        super().advance(frames, bad)
        now = self._clock()
        if now - self._said >= self._every:
            self._said = now
            self._say(now)

    def finish(self) -> None:
        """The last line, unless it has just been said."""
        if self._said_done != self.done:
            self._say(self._clock())

    def _say(self, now: float) -> None:
        self._said_done = self.done
        rate = self.done / max(now - self._start, 1e-9)
        parts = [f"{self._label}: {_of(self.done, self._total)} frames", f"{rate:.0f} fps"]
        if self._total and 0 < self.done < self._total:
            parts.append(f"{duration((self._total - self.done) / rate)} left")
        if self.bad:
            parts.append(f"{self.bad} unreadable")
        print(", ".join(parts), file=self._stream, flush=True)


@contextmanager
def showing(label: str, total: int | None, *, quiet: bool = False, stream: TextIO | None = None) -> Iterator[Progress]:
    """Show the progress of a run while the block lasts.

    Args:
        label: what is being worked on (the clip's name).
        total: frames to come, or None if unknown.
        quiet: show nothing.
        stream: stderr unless given; a bar if it is a terminal, else a line every few seconds and one at the end.
    """
    stream = stream or sys.stderr
    if quiet:
        yield QuietProgress()
    elif not stream.isatty():
        plain = PlainProgress(label, total, stream)
        try:
            yield plain
        finally:
            if plain.done:  # else an error has its line for itself
                plain.finish()
    else:
        from app.progress_bar import bar  # here: no process but a terminal's waits for what draws

        with bar(label, total, stream) as shown:
            yield shown


def duration(seconds: float) -> str:
    """Seconds for people.

    >>> duration(7.4), duration(75), duration(7300), duration(float("inf"))
    ('7 s', '1:15 min', '2:01 h', 'unknown')
    """
    if not math.isfinite(seconds):
        return "unknown"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02d} h"


def _of(done: int, total: int | None) -> str:
    return f"{done}/{total}" if total else str(done)


def until_full(seconds: float) -> str:
    """How long a disk lasts, for people; "…" if unknown."""
    return duration(seconds) if math.isfinite(seconds) else "…"
