"""Results as people read them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from app.benchmark.networks.contender import FAST, FRAME, OWN
from app.benchmark.networks.peers.frame import SIZE
from app.benchmark.networks.results import Measured, NetworkResult
from app.benchmark.timing import WIDE

FRAME_WORDS = f"from a frame of {SIZE}x{SIZE}"
WORDS = {FRAME: FRAME_WORDS, FAST: "fusetrack --fast"}
"""What ours are called, where not by their names."""


def show(console: Console, result: NetworkResult) -> None:
    """Print a result: a row a contender."""
    macs = "" if result.macs is None else f", {result.macs / 1e6:.1f} MMAC"
    name = f"[bold]{escape(result.network)}[/]"
    console.print(f"{name}  {result.kind}{macs}, {escape(result.given)}; {result.conditions}")
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 1))
    headers = ("", "", "least CPU µs", "median wall µs", "spread %", "GMAC/s", "of f32 peak", "ours is", "differs")
    for number, header in enumerate(headers):
        table.add_column(header, justify="left" if number < 2 else "right", no_wrap=True)
    for contender in result.contenders:
        table.add_row(*_row(result, contender))
    console.print(table)
    for line in notes(result):
        console.print(line)
    console.print()


def _row(result: NetworkResult, c: Measured) -> list[str]:
    wall = c.wall
    doubt = "[yellow]?[/]" if wall.wide else ""
    spread = f"-{100 * (1 - wall.low / wall.median):.0f}+{100 * (wall.high / wall.median - 1):.0f}{doubt}"
    differs = "-" if c.difference is None else f"{c.difference:.0e}"
    return [
        WORDS.get(c.name, c.name),
        "" if c.own else " ".join((c.version, c.note)),
        micro(c.processor), micro(wall.median), spread,
        number(result.rate(c) / 1e9, ".1f"), number(100 * result.of_peak(c), ".0f", " %"),
        "-" if c.own else number(result.against(c), ".2f", "x"),
        f"[bold red]{differs}[/]" if c.wrong else differs,
    ]  # fmt: skip


def notes(result: NetworkResult) -> list[str]:
    """What is to be said below the table."""
    ours, fast, best, lines = result.of(OWN), result.of(FAST), result.best_peer, []
    if ours is not None:
        words = f"fusetrack: [bold]{micro(result.times(ours))}[/] µs"
        if not math.isnan(result.of_peak(ours)):
            words += f", {100 * result.of_peak(ours):.0f} % of the peak of {result.peak / 1e9:.1f} GMAC/s a thread"
        if best is not None:
            words += f", [bold]{result.against(best):.2f}x[/] as fast as the best peer ({best.name})"
        if fast is not None and not fast.wrong:
            words += f"; with --fast [bold]{micro(result.times(fast))}[/] µs"
            if best is not None:
                words += f", [bold]{number(result.times(best) / result.times(fast), '.2f', 'x')}[/]"
        lines.append(words)
    wrong = [c.name for c in result.contenders if c.wrong]
    if wrong:
        lines.append(f"[bold red]the outputs of {', '.join(wrong)} are not those of {result.judge}; left out of the "
                     "ratio[/]")  # fmt: skip
    lines += [f"[dim]left out: {escape(said)}[/]" for said in result.left_out]
    if any(c.wall.wide for c in result.contenders):
        lines.append(f"[yellow]?: the quartiles lie more than {WIDE:g} times apart, or the runs are few[/]")
    return lines


def show_all(console: Console, results: Sequence[NetworkResult]) -> None:
    """A row a network: ours and the best of the others."""
    if not results:
        return
    several = len({result.load for result in results}) > 1
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 1), title_justify="left",
                  title="[bold]ours and the best peer[/], µs: least processor time of one thread, median wall time of "
                  "several")  # fmt: skip
    headers = ["network", "", "MMAC", "threads", *(["load"] if several else []), "fusetrack", "of f32 peak",
               "--fast", FRAME_WORDS, "best peer", "µs", "ours is"]  # fmt: skip
    for header in headers:
        table.add_column(header, justify="left" if header in ("network", "", "best peer") else "right", no_wrap=True)
    for result in results:
        ours, best = result.of(OWN), result.best_peer
        further = (result.of(name) for name in (FAST, FRAME))
        macs = math.nan if result.macs is None else result.macs / 1e6
        table.add_row(
            escape(result.network), result.kind, number(macs, ".1f"), str(result.threads),
            *([str(result.load)] if several else []),
            *_figures(result, ours), *("-" if one is None else micro(result.times(one)) for one in further),
            *(("-", "-", "-") if best is None else
              (best.name, micro(result.times(best)), f"[bold]{number(result.against(best), '.2f', 'x')}[/]")),
        )  # fmt: skip
    console.print(table)
    console.print()


def _figures(result: NetworkResult, ours: Measured | None) -> tuple[str, str]:
    if ours is None:
        return "-", "-"
    return micro(result.times(ours)), number(100 * result.of_peak(ours), ".0f", " %")


def micro(seconds: float) -> str:
    """µs with three digits or more.

    >>> micro(34.56e-6), micro(0.0123456), micro(float("nan"))
    ('34.6', '12346', '-')
    """
    return number(1e6 * seconds, ".1f" if seconds < 99.95e-6 else ".0f")


def number(value: float, form: str, unit: str = "") -> str:
    """A number with its unit; "-" where it is not known."""
    return "-" if math.isnan(value) else f"{value:{form}}{unit}"
