"""The results as a figure: identity and error by scene, speed by the number of features."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.benchmark.trackers.results import Accuracy, Speed
from app.benchmark.trackers.scenes import Kind
from app.plots.bars import Bar, Group, colours_of, draw_groups, key_below
from app.plots.figures import save, sheet, styled
from app.plots.look import LIGHT, Look
from app.plots.scales import log_x, log_y
from app.plots.words import axis, entitle, literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BAR, LABEL = 0.13, 0.09
"""Inches of a bar and of a letter below it, at least, where the figure may be as wide as that takes."""
BARS: tuple[tuple[str, Kind, Callable[[Accuracy], float], bool], ...] = (
    ("HOTA (larger is better)", "things", lambda r: r.hota, False),
    ("RMSE of things (px, smaller is better)", "things", lambda r: r.rmse, True),
    ("RMSE of points (px, smaller is better)", "points", lambda r: r.rmse, True),
)


def write_plot(path: Path, accuracies: Sequence[Accuracy], speeds: Sequence[Speed], look: Look = LIGHT) -> None:
    """Write the figure, as its ending says.

    Raises:
        InputError: the file cannot be written.
    """
    save(figure(accuracies, speeds, look), path, look)


def figure(accuracies: Sequence[Accuracy], speeds: Sequence[Speed], look: Look = LIGHT) -> Figure:
    """Bars of HOTA and RMSE for things, of RMSE for points, lines of ms a frame."""
    colours = colours_of([r.contender for r in accuracies] + [s.contender for s in speeds], look)
    shown = [(title, value, log, [r for r in accuracies if r.kind == kind and math.isfinite(value(r))])
             for title, kind, value, log in BARS]  # fmt: skip
    shown = [one for one in shown if one[3]]
    kinds: tuple[Kind, ...] = ("things", "points")
    measured = {kind: [s for s in speeds if s.kind == kind and s.rounds] for kind in kinds}
    timed = [(kind, mine) for kind, mine in measured.items() if mine]
    widths = [sum(max(BAR * (len(g.bars) + 1.2), LABEL * len(g.label)) for g in _groups(rows, value))
              for _, value, _, rows in shown]  # fmt: skip
    lines = len(timed) if look.narrow else min(1, len(timed))
    with styled(look):
        made = sheet(look, max(1, len(shown)) * look.height(0.28) + lines * look.height(0.4), max([0.0, *widths]))
        columns = 1 if look.narrow else max(1, len(timed))
        heights = [*[0.28] * len(shown), *[0.4] * lines] or [1.0]
        grid = made.add_gridspec(len(heights), columns, height_ratios=heights)
        for row, (title, value, log, rows) in enumerate(shown):
            plot_bars(rows, title, value, made.add_subplot(grid[row, :]), colours, log, look)
        for number, (kind, mine) in enumerate(timed):
            row, column = divmod(number, columns)
            plot_speeds(mine, kind, made.add_subplot(grid[len(shown) + row, column]), colours, look)
        key_below(made, look)
    return made


def _groups(rows: Sequence[Accuracy], value: Callable[[Accuracy], float]) -> list[Group]:
    scenes = dict.fromkeys(r.scene for r in rows)
    return [Group(scene, [Bar(r.contender, value(r)) for r in rows if r.scene == scene]) for scene in scenes]


def plot_bars(
    rows: Sequence[Accuracy], title: str, value: Callable[[Accuracy], float], axes: Axes, colours: Mapping[str, str],
    log: bool, look: Look,
) -> Axes:  # fmt: skip
    """A figure of merit of each contender, by scene; the axes."""
    base = 0.0
    if log:
        log_y(axes, np.array([value(r) for r in rows]), 1.5)
        base = axes.get_ylim()[0]
    else:
        axes.set_ylim(0.0, 1.0)
    draw_groups(axes, _groups(rows, value), colours, look, base, upright=look.narrow)
    entitle(axes, title, look, always=True)
    return axes


def plot_speeds(speeds: Sequence[Speed], kind: str, axes: Axes, colours: Mapping[str, str], look: Look) -> Axes:
    """Milliseconds a frame by the number of features, with their quartiles; the axes."""
    log_x(axes, np.array([float(s.features) for s in speeds]))
    log_y(axes, np.array([v for s in speeds for v in (s.low, s.high)]))
    for name in dict.fromkeys(s.contender for s in speeds):
        mine = sorted((s for s in speeds if s.contender == name), key=lambda s: s.features)
        ms = np.array([s.ms for s in mine])
        reach = np.abs(np.array([[s.low for s in mine], [s.high for s in mine]]) - ms)
        axes.errorbar([s.features for s in mine], ms, reach, fmt="o", ms=2.4 * look.line, elinewidth=0.6 * look.line,
                      ls=look.dash(list(colours).index(name)), color=colours[name], label=literal(name))  # fmt: skip
    axes.set_xlabel(f"{kind} in the picture")
    axes.set_ylabel(axis("time a frame", "ms"))
    entitle(axes, f"speed: {kind}, 512 by 512 px", look, always=True)
    return axes
