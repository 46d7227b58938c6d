"""How a recording goes, in a line: on a terminal it stays in its place, in a log it comes every few seconds."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text

from app.files.atomic import size_text
from app.frame_counts import NEVER_CAME, NO_ROOM
from app.live.wanted import Look
from app.progress import duration, until_full

LOG_EVERY = 5.0
"""Seconds between two lines of a log."""
RATE_SECONDS = 3.0
"""Seconds that rates look back on."""
REDRAWS = 5
"""Times a second that the line of a terminal is drawn."""


class StatusLine:
    """Makes the line; it remembers looks for the rates of the disk.

    Args:
        tracks: whether there is a pipeline of whose work it can tell.
    """

    def __init__(self, tracks: bool = True) -> None:
        self._tracks = tracks
        self._looks: deque[tuple[float, int, int]] = deque()

    def see(self, look: Look) -> None:
        """Take notice of a look that is not shown."""
        self._looks.append((look.seconds, look.account.recorded, look.account.bytes))
        # Two looks stay: the rate is that between the first and the last.
        while len(self._looks) > 2 and look.seconds - self._looks[0][0] > RATE_SECONDS:
            self._looks.popleft()

    def _rates(self) -> tuple[float, float]:
        """Frames and bytes a second that reached the file lately."""
        (before, frames, size), (now, frames_now, size_now) = self._looks[0], self._looks[-1]
        passed = now - before
        return ((frames_now - frames) / passed, (size_now - size) / passed) if passed > 0 else (0.0, 0.0)

    def text(self, look: Look) -> str:
        """The line for now."""
        self.see(look)
        frames, size = self._rates()
        reading, ledger, account = look.reading, look.ledger, look.account
        fps = {hop: rate.sustained for hop, rate in reading.rates.items()}
        parts = [
            f"{duration(look.seconds)}",
            f"captured {ledger.announced} ({fps.get('capture', 0.0):.0f}/s)",
            *([f"processed {ledger.processed} ({fps.get('track', 0.0):.0f}/s)"] if self._tracks else []),
            f"recorded {account.recorded} ({frames:.0f}/s, {size_text(size)}/s)",
        ]
        total = reading.latencies.get("total")
        if self._tracks and total is not None and total.frames:
            parts.append(f"latency {1e3 * total.p50:.1f}/{1e3 * total.p99:.1f} ms")
        parts.append(f"queue {account.waiting}/{account.slots}")
        parts += lost(look)
        if look.triggers is not None:
            parts.append(f"{look.triggers} triggers" if look.triggers else "waiting for a trigger")
        if look.left is not None:
            parts.append(f"{duration(max(0.0, look.left))} to go")
        parts.append(f"disk full in {until_full(account.seconds_left)}")
        return ", ".join(parts)


def lost(look: Look) -> list[str]:
    """What did not get through, only where there is some."""
    ledger, account = look.ledger, look.account
    counts = (
        (ledger.left_out, "left out"), (ledger.missing, f"lost ({NEVER_CAME})"), (account.dropped, f"lost ({NO_ROOM})"),
        (ledger.duplicates, "twice"), (ledger.late, "late"), (ledger.losses, "times without the camera"),
        (account.restarts, "recorder restarts"),
    )  # fmt: skip
    return [f"{count} {what}" for count, what in counts if count]


@contextmanager
def status(
    stream: TextIO, *, quiet: bool = False, every: float = LOG_EVERY, tracks: bool = True
) -> Iterator[Callable[[Look], None]]:
    """Show looks while the block lasts.

    Args:
        stream: a terminal, or a log.
        quiet: show nothing.
        every: seconds between two lines of a log.
        tracks: whether there is a pipeline.
    """
    line, due = StatusLine(tracks), time.monotonic() + every
    if quiet:
        yield lambda _: None
    elif stream.isatty():
        with Live(console=Console(file=stream, markup=False), refresh_per_second=REDRAWS, transient=True) as live:
            yield lambda look: live.update(Text(line.text(look)))
    else:

        def say(look: Look) -> None:
            nonlocal due
            if time.monotonic() >= due:
                due = time.monotonic() + every
                print(line.text(look), file=stream, flush=True)
            else:
                # No line is due, but rates count from looks in between, too.
                line.see(look)

        yield say
