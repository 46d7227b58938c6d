"""The Pareto front of a plan as a figure: bytes, near memory and operations of each plan against its latency."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.plots.bars import key_below
from app.plots.figures import draw, heading
from app.plots.look import LIGHT, Look
from app.plots.scales import log_x, log_y
from app.plots.words import axis
from pipelines.planning.pareto import Point, point
from pipelines.planning.plan import Plan

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

QUANTITIES = (("bytes", 1e6, "traffic (MB a frame)"), ("on_chip", 1e3, "near memory (kB)"),
              ("operations", 1e6, "operations (millions a frame)"))  # fmt: skip
ROOM = 2.2
"""Both axes go on by this factor, so that there is room for numbers beside the last dots."""
APART = 0.09, 0.05
"""Shares of a panel by which numbers must be apart; others are left out."""


def draw_front(path: Path, points: Sequence[Point], plan: Plan, title: str, look: Look = LIGHT) -> None:
    """Write the figure (PNG, SVG or PDF): a panel a quantity.

    Raises:
        InputError: another ending, or the file cannot be written.
    """

    def fill(figure: Figure) -> None:
        grid = figure.subplots(*((3, 1) if look.narrow else (1, 3)), squeeze=False).ravel()
        for axes, (name, unit, label) in zip(grid, QUANTITIES, strict=True):
            plot_front(points, plan, name, unit, label, axes, look)
        key_below(figure, look)
        heading(figure, look, title, "each dot is a plan of which no other is better in all four; beside it its number "
                "of kernels, frames a batch")  # fmt: skip

    draw(path, look, look.height(3 * 0.6 if look.narrow else 0.46), fill)


def plot_front(
    points: Sequence[Point], plan: Plan, name: str, unit: float, label: str, axes: Axes, look: Look = LIGHT
) -> Axes:
    """A quantity of each plan against its latency.

    Args:
        points: the front.
        plan: the chosen one.
        name: of a field of `Point`. unit: it is divided by it. label: of the axis.
        axes: where.
        look: colours and widths.

    Returns:
        The axes.
    """
    own = point(plan)
    latency = 1e3 * np.array([p.latency for p in points])
    values = np.array([getattr(p, name) / unit for p in points])
    log_x(axes, np.append(latency, 1e3 * own.latency), ROOM)
    log_y(axes, np.append(values, getattr(own, name) / unit), ROOM)
    axes.plot(latency, values, "o", ms=3.6 * look.line, color=look.colour(0), label="front")
    axes.plot([1e3 * own.latency], [getattr(own, name) / unit], "o", ms=5.6 * look.line, mfc="none",
              color=look.colour(1), label="chosen")  # fmt: skip
    axes.set_xlabel(axis("latency", "ms"))
    axes.set_ylabel(label)
    scaled = [np.log(np.maximum(of, 1e-300) / low) / np.log(high / low)
              for of, (low, high) in ((latency, axes.get_xlim()), (values, axes.get_ylim()))]  # fmt: skip
    taken: list[tuple[float, float]] = []
    for x, y, p in zip(*(one.tolist() for one in scaled), points, strict=True):
        if 0 <= y <= 1 and all(abs(x - a) > APART[0] or abs(y - b) > APART[1] for a, b in taken):
            axes.annotate(f"{len(p.plan.groups)}, {p.plan.batch}", (1e3 * p.latency, getattr(p, name) / unit), (4, 3),
                          textcoords="offset points", fontsize=look.font - 2.5, color=look.dim)  # fmt: skip
            taken.append((x, y))
    return axes
