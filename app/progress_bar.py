"""A bar on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.progress import Progress as RichBar
from rich.text import Text

from app.progress import QuietProgress


class BarProgress(QuietProgress):
    """Moves a bar."""

    def __init__(self, bar: RichBar, label: str, total: int | None) -> None:
        super().__init__()
        self._bar = bar
        self._task = bar.add_task(label, total=total, bad=0)

    def advance(self, frames: int, bad: int = 0) -> None:
        super().advance(frames, bad)
        self._bar.update(self._task, completed=self.done, bad=self.bad)


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        text = f"{speed:.0f} fps" if speed else "- fps"
        bad = task.fields.get("bad", 0)
        return Text(text, style="cyan") + (Text(f"  {bad} unreadable", style="yellow") if bad else Text(""))


@contextmanager
def bar(label: str, total: int | None, stream: TextIO) -> Iterator[BarProgress]:
    """Show a bar while the block lasts; see `app.progress.showing`."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
    )
    # Markup stays off: a file may be called "[clip].mp4".
    with RichBar(*columns, console=Console(file=stream, markup=False)) as made:
        yield BarProgress(made, label, total)
