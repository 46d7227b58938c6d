"""The share of the peak that everyone reaches, as a figure: a panel a number of threads, bars by network."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from app.benchmark.networks.contender import FAST, FRAME
from app.benchmark.networks.results import Measured, NetworkResult
from app.plots.bars import Bar, Group, colours_of, draw_groups, key_below
from app.plots.figures import draw
from app.plots.look import LIGHT, Look
from app.plots.words import entitle

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAR = 0.09
"""Inches of a bar, at least, where the figure may be as wide as that takes."""


def write_plot(path: Path, results: Sequence[NetworkResult], look: Look = LIGHT) -> None:
    """Write the figure, as its ending says.

    Raises:
        InputError: the file cannot be written.
    """
    panels = panels_of(results)
    bars = max([0.0, *(sum(len(_drawn(r)) + 1.2 for r in panel) for panel in panels)])
    draw(path, look, max(1, len(panels)) * look.height(0.45), lambda figure: fill(figure, panels, look), BAR * bars)


def panels_of(results: Sequence[NetworkResult]) -> list[list[NetworkResult]]:
    """By threads and load; networks whose multiply-adds are not known have none."""
    key = lambda r: (r.threads, r.load, r.pinned)  # noqa: E731
    return [list(group) for _, group in groupby(sorted((r for r in results if r.macs), key=key), key)]


def fill(figure: Figure, panels: Sequence[Sequence[NetworkResult]], look: Look) -> None:
    """Panels one below the other, with one scale."""
    every = [r for panel in panels for r in panel]
    colours = colours_of((c.name for r in every for c in _drawn(r)), look)
    high = 104.0 * max([1.0, *(r.of_peak(c) for r in every for c in _drawn(r))])
    if panels:
        for axes, panel in zip(figure.subplots(len(panels), 1, squeeze=False).ravel(), panels, strict=True):
            plot_shares(panel, axes, colours, look)
            axes.set_ylim(0.0, high)
    key_below(figure, look)


def plot_shares(panel: Sequence[NetworkResult], axes: Axes, colours: dict[str, str], look: Look) -> Axes:
    """Bars up to the share of the f32 peak by what decides (`NetworkResult.times`), with the quartiles of the clock's
    times as a line; the axes."""
    draw_groups(axes, [Group(_label(r), [_bar(r, c) for c in _drawn(r)]) for r in panel], colours, look, upright=True)
    axes.axhline(100.0, color=look.dim, lw=0.8 * look.line)
    axes.set_ylabel("% of the f32 peak")
    entitle(axes, panel[0].conditions, look, always=True)
    return axes


def _bar(result: NetworkResult, contender: Measured) -> Bar:
    assert result.macs is not None
    whole = result.macs / (result.peak * result.threads)
    low, high = (100.0 * whole / seconds for seconds in (contender.wall.high, contender.wall.low))
    return Bar(contender.name, 100.0 * result.of_peak(contender), low, high)


def _drawn(result: NetworkResult) -> list[Measured]:
    return [c for c in result.contenders if c.name not in (FAST, FRAME) and not c.wrong]


def _label(result: NetworkResult) -> str:
    named = result.kind == "f32" or result.kind in result.network
    return result.network if named else f"{result.network}, {result.kind}"
