"""The ratios of all measurements as a figure: bars on a logarithmic scale, a panel a number of threads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from app.benchmark.results import Measured, Result
from app.plots.bars import Bar, Group, colours_of, draw_groups, key_below
from app.plots.figures import draw
from app.plots.look import LIGHT, Look
from app.plots.scales import plain_decades
from app.plots.words import entitle, literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAR = 0.12
"""Inches of a bar, at least, where the figure may be as wide as that takes."""


def write_plot(path: Path, results: Sequence[Result], look: Look = LIGHT) -> None:
    """Write the figure, as its ending says.

    Raises:
        InputError: another ending, or the file cannot be written.
    """
    panels = panels_of(results)
    bars = max(sum(len(_drawn(r)) + 1.2 for r in panel) for panel in panels)
    draw(path, look, len(panels) * look.height(0.4), lambda figure: fill(figure, panels, look), BAR * bars)


def panels_of(results: Sequence[Result]) -> list[list[Result]]:
    """By threads, frames a call and load."""
    key = lambda r: (r.threads, r.batch, r.pinned, r.load)  # noqa: E731
    return [list(group) for _, group in groupby(sorted(results, key=key), key)]


def fill(figure: Figure, panels: Sequence[Sequence[Result]], look: Look) -> None:
    """Panels one below the other, with one scale; in each, groups by chain and size, in those a bar a contender."""
    every = [r for panel in panels for r in panel]
    colours = colours_of((c.name for r in every for c in _drawn(r)), look)
    ratios = [c.ratio.median for r in every for c in r.contenders if c.ratio is not None]
    ends = 10 ** math.floor(math.log10(min([*ratios, 0.9]))), max([*ratios, 2.0]) * 1.25
    for axes, panel in zip(figure.subplots(len(panels), 1, squeeze=False).ravel(), panels, strict=True):
        axes.set_yscale("log")
        axes.set_ylim(*ends)
        plot_ratios(panel, axes, colours, look)
    key_below(figure, look)


def plot_ratios(panel: Sequence[Result], axes: Axes, colours: dict[str, str], look: Look) -> Axes:
    """The bars of one panel, from the baseline at 1; the axes."""
    groups = [Group(str(r.size), [Bar(c.name, c.ratio.median, c.ratio.low, c.ratio.high) for c in _drawn(r) if c.ratio])
              for r in panel]  # fmt: skip
    middles = draw_groups(axes, groups, colours, look, base=1.0)
    axes.axhline(1.0, color=look.dim, lw=0.8 * look.line)
    plain_decades(axes.yaxis)
    axes.set_ylabel(f"times as fast as {literal(panel[0].baseline)}")
    for chain, group in groupby(range(len(panel)), lambda k: panel[k].chain):
        own = list(group)
        middle = 0.5 * (middles[own[0]] + middles[own[-1]])
        axes.annotate(literal(chain), (middle, 0.0), (0.0, -2.2 * look.font), xycoords=("data", "axes fraction"),
                      textcoords="offset points", ha="center", va="top")  # fmt: skip
    entitle(axes, panel[0].conditions, look, always=True)
    return axes


def _drawn(result: Result) -> list[Measured]:
    """The contenders that have a bar: not the baseline, which is the line at 1, and not what does a part only."""
    part = result.part or "\0"
    return [c for c in result.contenders if c.ratio and c.name != result.baseline and not c.name.endswith(part)]
