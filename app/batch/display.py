"""How far a batch has come: bars on a terminal, lines else; all on stderr."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn

from app.batch.job import DONE, FAILED, RUNNING, STOPPED, Row
from app.batch.report import BatchReport
from app.progress import duration

EVERY = 10.0
"""Seconds between two lines about what runs."""
LEAST_BYTES = 1_000_000
"""As which smaller clips count in the time left: starting takes its time, too."""
NAME = 42


class Display(Protocol):
    """What a batch tells people."""

    def say(self, line: str) -> None:
        """A line that stays."""
        ...

    def show(self, report: BatchReport) -> None:
        """The state has changed, or time has passed."""
        ...


class QuietDisplay:
    """Says nothing."""

    def say(self, line: str) -> None:
        del line

    def show(self, report: BatchReport) -> None:
        del report


class PlainDisplay:
    """Lines for logs and pipes.

    Args:
        stream: where they go.
        every: seconds between two lines about what runs.
        clock: seconds; replaced in tests.
    """

    def __init__(self, stream: TextIO, every: float = EVERY, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._every, self._clock = stream, every, clock
        self._due = clock() + every

    def say(self, line: str) -> None:
        print(line, file=self._stream, flush=True)

    def show(self, report: BatchReport) -> None:
        if self._clock() < self._due:
            return
        self._due = self._clock() + self._every
        running = [f"{row['name']}{share_text(row)}" for row in report.rows.values() if row["status"] == RUNNING]
        self.say(f"... {overall(report)}; running: {', '.join(running[:8]) or 'nothing yet'}")


class BarDisplay:
    """Bars on a terminal: one for all clips, one for each that runs."""

    def __init__(self, stream: TextIO) -> None:
        # Markup stays off: a file may be called "[clip].mp4".
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), TextColumn("{task.fields[text]}",
                   markup=False))  # fmt: skip
        self.bar = Progress(*columns, console=Console(file=stream, markup=False, highlight=False))
        self._whole: TaskID | None = None
        self._tasks: dict[str, tuple[TaskID, float, str]] = {}

    def say(self, line: str) -> None:
        self.bar.console.print(line, soft_wrap=True)

    def show(self, report: BatchReport) -> None:
        if self._whole is None:
            self._whole = self.bar.add_task("all clips", total=len(report.rows), text="")
        ended = report.count(DONE, FAILED, STOPPED, "skipped")
        running = {path: row for path, row in report.rows.items() if row["status"] == RUNNING}
        shares = sum(share(row) for row in running.values())
        self.bar.update(self._whole, completed=ended + shares, text=overall(report))
        now = time.monotonic()
        for path in [*self._tasks]:
            if path not in running:
                self.bar.remove_task(self._tasks.pop(path)[0])
        for path, row in running.items():
            name = row["name"] if len(row["name"]) <= NAME else f"...{row['name'][3 - NAME:]}"
            if path not in self._tasks:
                self._tasks[path] = (self.bar.add_task(name, total=row.get("total"), text=""), now, "")
            task, begin, _ = self._tasks[path]
            done, total = row.get("done", 0), row.get("total")
            rate = done / max(now - begin, 1e-9)
            text = "opening" if not total else f"{done}/{total}  {rate:.0f} fps"
            if total and done:
                text += f"  {duration((total - done) / rate)} left"
            if row.get("bad"):
                text += f"  {row['bad']} unreadable"
            self.bar.update(task, total=total, completed=done, text=text)


@contextmanager
def showing(quiet: bool, stream: TextIO | None = None) -> Iterator[Display]:
    """The display for a stream, stderr unless given."""
    stream = stream or sys.stderr
    if quiet:
        yield QuietDisplay()
    elif not stream.isatty():
        yield PlainDisplay(stream)
    else:
        made = BarDisplay(stream)
        with made.bar:
            yield made


def share(row: Mapping[str, Any]) -> float:
    """The part of a running clip that is done, 0 to 1."""
    return min(1.0, row.get("done", 0) / row["total"]) if row.get("total") else 0.0


def share_text(row: Mapping[str, Any]) -> str:
    """The same for people, after a name."""
    return f" {100 * share(row):.0f} %" if row.get("total") else ""


def overall(report: BatchReport) -> str:
    """All clips in a few words: counts, frames a second, time left."""
    totals = report.totals()
    ended = totals["clips"] - totals["waiting"] - totals[RUNNING]
    text = f"{ended} of {totals['clips']} clips"
    if totals[FAILED]:
        text += f", {totals[FAILED]} failed"
    text += f", {totals['fps']:.0f} fps"
    left = time_left(report, totals["seconds"])
    return text + (f", about {duration(left)} left" if math.isfinite(left) else "")


def time_left(report: BatchReport, seconds: float) -> float:
    """Seconds, by the bytes of the clips; infinite while unknown."""
    done = todo = 0.0
    for row in report.rows.values():
        if row["status"] == "skipped":
            continue
        weight = float(max(row["bytes"], LEAST_BYTES))
        part = share(row) if row["status"] == RUNNING else float(row["status"] in (DONE, FAILED, STOPPED))
        done += part * weight
        todo += (1.0 - part) * weight
    return seconds * todo / done if done > 0 else math.inf


def outcome_line(row: Row, place: str) -> str:
    """What became of a clip.

    Args:
        row: its row in the report.
        place: "[3/12]".
    """
    if row["status"] != DONE:
        return f"{place} {row['name']}: {row['status'].upper()}: {row['reason']}"
    frames = row["frames"]
    bad = f" ({frames['bad']} unreadable)" if frames["bad"] else ""
    tracks = f"{row['tracks']} track{'' if row['tracks'] == 1 else 's'}"
    scores = row.get("scores")
    score = f", recall {scores['recall']:.3f}" if scores and scores["recall"] is not None else ""
    return (f"{place} {row['name']}: {frames['processed']} frames{bad}, {row['fps']:.0f} fps, {tracks}{score}, "
            f"{duration(row['seconds'])}")  # fmt: skip
