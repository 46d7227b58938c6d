"""The figure of mean squared displacements: each track, all of them, what was measured, the line of diffusion."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.analysis.motion import Motion
from app.plots.figures import draw, on
from app.plots.look import LIGHT, Look
from app.plots.scales import log_x, log_y
from app.plots.words import axis, entitle, measured
from pipelines.analysis.msd import blurred, without_floor

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FIGURE = "msd"
MOST = 200
"""Tracks that are drawn one by one."""
ALL, RAW, FLOOR, EACH, LINE = KEY = (
    "all, less the floor, 95 %", "all, as measured", "floor by errors of places", "each track", "4 D lag",
)  # fmt: skip
"""What the key says; long words first, above the curves, which rise."""


def draw_msd(path: Path, found: Motion, title: str, look: Look = LIGHT) -> None:
    """Write the figure (PNG, SVG or PDF).

    Raises:
        InputError: the file cannot be written.
    """
    draw(path, look, look.height(0.62), lambda figure: plot_msd(found, figure.add_subplot(), title, look))


def plot_msd(found: Motion, axes: Axes | None = None, title: str = "", look: Look = LIGHT) -> Axes:
    """Draw mean squared displacements against the lag, both axes logarithmic.

    Args:
        found: what is shown.
        axes: where; None for those of a figure of their own.
        title: above; "" for none.
        look: its colours and widths.

    Returns:
        The axes.
    """
    with on(axes, look) as axes:
        _fill(axes, found, look)
        entitle(axes, title, look)
    return axes


def _fill(axes: Axes, found: Motion, look: Look) -> None:
    mean, units = found.msd, found.units
    lag = found.interval * np.arange(1, len(mean.msd) + 1)
    own, _ = without_floor(found.lags, found.noise, found.all.noise)
    with np.errstate(divide="ignore", invalid="ignore"):
        single = own / found.lags.pairs
    area = f"{units.length}^2"
    floor = mean.floor[mean.floor > 0.1 * np.nanmin(mean.raw)]  # one that is as good as nothing would flatten the rest
    shown = np.concatenate((mean.msd, mean.raw, floor, single[:MOST, 0]))
    log_x(axes, lag, 1.1)
    log_y(axes, shown)
    for number, curve in enumerate(single[:MOST]):
        axes.plot(lag, np.where(curve > 0, curve, np.nan), color=look.faint, lw=0.5 * look.line,
                  label="" if number else EACH, zorder=1.5)  # fmt: skip
    axes.plot(lag, mean.raw, color=look.colour(0), label=RAW)
    if len(floor):
        axes.plot(lag, np.where(mean.floor > 0, mean.floor, np.nan), color=look.dim, ls=":",
                  label=FLOOR)  # fmt: skip
    reach = np.where(mean.msd > 0, found.spread * mean.error, np.nan)
    apart = np.unique(np.rint(np.geomspace(1, len(lag), 40)).astype(int)) - 1  # bars side by side would be a block
    above = np.where(mean.msd > 0, mean.msd, np.nan)
    axes.errorbar(lag[apart], above[apart], reach[apart], fmt="o", ms=1.8 * look.line, color=look.ink,
                  elinewidth=0.6 * look.line, label=ALL)  # fmt: skip
    rate = f"{area}/{units.time}"
    if found.all.d > 0:
        axes.plot(lag, 4 * found.all.d * blurred(lag, 1.0, found.exposure), color=look.colour(1),
                  label=LINE)  # fmt: skip
    axes.set_xlabel(axis("lag", units.time))
    axes.set_ylabel(axis("mean squared displacement", area))
    exponent = measured(found.exponent, found.exponent_error)
    count = f"{len(found.each)} track{'' if len(found.each) == 1 else 's'}"
    result = f"{count}, exponent {exponent}\nD = {measured(found.all.d, found.all.d_error, rate)}"
    entries = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    known = [label for label in KEY if label in entries]
    axes.legend([entries[label] for label in known], known, loc="upper left", title=result, alignment="left",
                frameon=False)  # fmt: skip
