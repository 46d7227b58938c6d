"""How a campaign of measurements is shown while it runs, and what is said at its end."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, ProgressColumn, Task, TextColumn
from rich.progress import Progress as RichBar
from rich.text import Text

from app.benchmark.campaign import Campaign
from app.progress import duration


def last_words(console: Console, campaign: Campaign[Any], done: int, left_out: Iterable[str]) -> None:
    """Who and what was left out.

    Args:
        done: measurements that there are.
        left_out: sentences, each said once.
    """
    for said in dict.fromkeys(left_out):
        console.print(f"[dim]left out: {escape(said)}[/]")
    if campaign.left:
        console.print(f"[yellow]no time was left for {', '.join(job.label for job in campaign.left)}; "
                      "give more --seconds[/]")  # fmt: skip
    if campaign.interrupted:
        console.print(f"[yellow]stopped; {done} of {len(campaign.jobs)} measurements are kept[/]")


class _Left(ProgressColumn):
    """The time left, which is known: it is given."""

    def render(self, task: Task) -> Text:
        return Text(f"{duration(task.fields['seconds'] * (1 - task.completed))} left", style="cyan")


@contextmanager
def progress_bar(seconds: float, quiet: bool) -> Iterator[Callable[[str, float], None]]:
    """A bar on a terminal, drawn between rounds only, so that nothing else runs while the clock does."""
    if quiet or not sys.stderr.isatty():
        yield lambda _label, _share: None
        return
    console = Console(file=sys.stderr, markup=False)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), _Left())
    with RichBar(*columns, console=console, auto_refresh=False, transient=True,
                 redirect_stdout=sys.stdout.isatty()) as bar:  # fmt: skip
        task, drawn = bar.add_task("", total=1.0, seconds=seconds), [-1.0]

        def show_progress(label: str, share: float) -> None:
            if share - drawn[0] > 0.002 or share < drawn[0]:
                drawn[0] = share
                bar.update(task, description=label, completed=share, refresh=True)

        yield show_progress
