"""The results on a terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

from rich.console import Console
from rich.table import Table

from app.benchmark.trackers.results import Accuracy, Speed

THINGS = ("", "recall", "precision", "MOTA", "IDF1", "HOTA", "switches", "RMSE px", "var z", "ms/frame")
SPREAD = ("hota", "switches", "rmse", "z_variance")
POINTS = ("", "seen", "HOTA", "RMSE px", "bias px", "noise px", "S-curve px", "var z", "ms/frame")


def show_scene(console: Console, results: Sequence[Accuracy]) -> None:
    """One scene's contenders; the best of a column is bold."""
    if not results:
        return
    things = results[0].kind == "things"
    seeds = max(result.seeds for result in results)
    title = f"[bold]{results[0].scene}[/]" + (f", medians (least to largest) of {seeds} seeds" if seeds > 1 else "")
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), title=title, title_justify="left")
    for name in THINGS if things else POINTS:
        table.add_column(name, justify="right" if name else "left", no_wrap=True)
    columns = [_values(result, things) for result in results]
    best = [_best(values, sign) for values, sign in zip(zip(*columns, strict=True), _signs(things), strict=True)]
    for result, values in zip(results, columns, strict=True):
        if result.wrong:
            table.add_row(result.contender, *("-" for _ in values))
            continue
        ranges = [_range(result, name, digits) for name, digits in zip(_names(things), _digits(things), strict=True)]
        cells = [_cell(value, digits, value == top) + spread for value, digits, top, spread in
                 zip(values, _digits(things), best, ranges, strict=True)]  # fmt: skip
        table.add_row(result.contender, *cells)
    console.print(table)
    for result in results:
        if result.wrong:
            console.print(f"{result.contender} failed: {result.wrong}", style="red", markup=False)
    console.print()


def _names(things: bool) -> tuple[str, ...]:
    if things:
        return ("recall", "precision", "mota", "idf1", "hota", "switches", "rmse", "z_variance", "ms")
    return ("recall", "hota", "rmse", "bias", "noise", "s_curve", "z_variance", "ms")


def _values(r: Accuracy, things: bool) -> tuple[float, ...]:
    return tuple(float(getattr(r, name)) for name in _names(things))


def _range(r: Accuracy, name: str, digits: int) -> str:
    """How far the seeds go, of what is compared most; of one seed's variance of z the standard error."""
    if name == "z_variance" and r.seeds == 1 and math.isfinite(r.z_error):
        return f" ±{r.z_error:.{digits}f}"
    if name not in SPREAD or name not in r.low:
        return ""
    return f" ({r.low[name]:.{digits}f}-{r.high[name]:.{digits}f})"


def _signs(things: bool) -> tuple[int, ...]:
    """1: large is good; -1: small is good; 0: 1 is right, nothing is best."""
    return (1, 1, 1, 1, 1, -1, -1, 0, -1) if things else (1, 1, -1, -1, -1, -1, 0, -1)


def _digits(things: bool) -> tuple[int, ...]:
    return (3, 3, 3, 3, 3, 0, 4, 2, 2) if things else (4, 4, 4, 4, 4, 4, 2, 2)


def _best(values: Sequence[float], sign: int) -> float:
    known = [value for value in values if math.isfinite(value)]
    if not sign or len(known) < 2:
        return math.nan
    return max(known) if sign > 0 else min(known)


def _cell(value: float, digits: int, best: bool) -> str:
    words = f"{value:.{digits}f}" if math.isfinite(value) else "-"
    return f"[bold]{words}[/]" if best else words


def show_speed(console: Console, results: Sequence[Speed]) -> None:
    """ms a frame and features a second; a row a contender, a column a number of features. Then ms of single frames."""
    for kind, group in groupby(results, key=lambda result: result.kind):
        found = list(group)
        counts = sorted({result.features for result in found})
        title = f"[bold]speed, {kind}, 512 x 512, ms a frame (quartiles), features a second[/]"
        table = _by_count(title, kind, counts)
        by_name = {(result.contender, result.features): result for result in found}
        for name in dict.fromkeys(result.contender for result in found):
            table.add_row(name, *(_speed(by_name.get((name, count))) for count in counts))
        console.print(table)
        _show_singles(console, kind, counts, [result for result in found if result.singles])
        for result in found:
            if result.wrong:
                words = f"{result.contender}, {result.features} {kind}: {result.wrong}"
                console.print(words, style="red", markup=False)
        console.print()


def _by_count(title: str, kind: str, counts: Sequence[int]) -> Table:
    """An empty table with a column of names and one a number of features."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), title=title, title_justify="left")
    table.add_column("")
    for count in counts:
        table.add_column(f"{count} {kind}", justify="right", no_wrap=True)
    return table


def _show_singles(console: Console, kind: str, counts: Sequence[int], results: Sequence[Speed]) -> None:
    if not results:
        return
    title = f"[bold]{kind}, frames delivered one by one, ms: p50, p99, p99.9[/]"
    table = _by_count(title, kind, counts)
    by_name = {(result.contender, result.features): result for result in results}
    for name in dict.fromkeys(result.contender for result in results):
        found = (by_name.get((name, count)) for count in counts)
        table.add_row(name, *(f"{r.p50:.3g}  {r.p99:.3g}  {r.p999:.3g}" if r is not None else "-" for r in found))
    console.print(table)


def _speed(result: Speed | None) -> str:
    if result is None or result.wrong:
        return "failed" if result else "-"
    return f"{result.ms:.3g} ({result.low:.3g}-{result.high:.3g})  {amount(result.per_second)}/s"


def amount(value: float) -> str:
    """A number with k or M.

    >>> amount(412.3), amount(15300.0), amount(1.25e6)
    ('412', '15.3 k', '1.25 M')
    """
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"
