"""The figure of motion: paths, speeds, accelerations, how long things went how fast, and fits with what they leave."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from app.analysis.kinematics import Kinematics, title_of
from app.plots.figures import draw, heading, on
from app.plots.look import LIGHT, Look
from app.plots.words import axis, entitle
from pipelines.analysis.curve_fits import Fit, main_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = npt.NDArray[Any]
FIGURE = "motion"
MOST = 8
"""Tracks and fits that have a colour; of the others the paths are behind them."""


def draw_kinematics(path: Path, found: Kinematics, title: str, look: Look = LIGHT) -> None:
    """Write the figure (PNG, SVG or PDF).

    Raises:
        InputError: the file cannot be written.
    """
    panels = [plot_paths, plot_speed_histogram, plot_speeds, plot_accelerations]
    if found.fits:
        panels += [plot_fits, plot_left]
    columns = 1 if look.narrow else 2
    rows = -(-len(panels) // columns)

    def fill(figure: Figure) -> None:
        grid = figure.add_gridspec(rows, columns)
        for number, panel in enumerate(panels):
            panel(found, figure.add_subplot(grid[number // columns, number % columns]), look=look)
        heading(figure, look, title)

    draw(path, look, rows * look.height(0.62 if look.narrow else 0.31), fill)


def plot_paths(found: Kinematics, axes: Axes | None = None, title: str = "", look: Look = LIGHT) -> Axes:
    """Draw smoothed paths, y as in the picture; arguments and what is returned as in `plot_speeds`."""
    with on(axes, look) as axes:
        for number, one in enumerate(found.tracks):
            x, y = one.smoothed.values[0]
            named = number < MOST
            colour = look.colour(number) if named else look.faint
            axes.plot(x, y, color=colour, lw=look.line if named else 0.5 * look.line, zorder=2 if named else 1.5,
                      label=title_of(one.trail.name) if named else "")  # fmt: skip
            axes.plot(x[:1], y[:1], "o", color=colour, ms=2.0 * look.line)
        for number, fitted in enumerate(found.fits[:MOST]):
            if len(fitted.curve) == 2 and fitted.model in ("circle", "line", "parabola"):
                axes.plot(*fitted.curve, color=look.ink, lw=0.6 * look.line, ls="--", label="" if number else "fit")
        axes.set_aspect("equal", adjustable="datalim")
        if "y down" in found.coordinates:
            axes.invert_yaxis()
        axes.set_xlabel(axis("x", found.units.length))
        axes.set_ylabel(axis("y", found.units.length))
        if len(found.tracks) > 1 or found.fits:
            axes.legend(loc="best")
        entitle(axes, title, look)
    return axes


def plot_speeds(found: Kinematics, axes: Axes | None = None, title: str = "", look: Look = LIGHT) -> Axes:
    """Draw speeds over time, with one standard uncertainty.

    Args:
        found: what is shown. axes: where; None for those of a figure of their own. title: above; "" for none.
        look: its colours and widths.

    Returns:
        The axes.
    """
    with on(axes, look) as axes:
        for number, one in enumerate(found.tracks[:MOST]):
            sigma = one.speed_sigma
            axes.fill_between(one.trail.times, one.speed - sigma, one.speed + sigma, color=look.colour(number),
                              alpha=0.25, lw=0)  # fmt: skip
            axes.plot(one.trail.times, one.speed, color=look.colour(number))
        axes.set_xlabel(axis("time", "s"))
        axes.set_ylabel(axis("speed", found.units.speed))
        _from_zero(axes)
        entitle(axes, title, look)
    return axes


def plot_accelerations(found: Kinematics, axes: Axes | None = None, title: str = "", look: Look = LIGHT) -> Axes:
    """Draw how large accelerations are over time; as `plot_speeds`."""
    with on(axes, look) as axes:
        for number, one in enumerate(found.tracks[:MOST]):
            axes.plot(one.trail.times, one.acceleration, color=look.colour(number))
        axes.set_xlabel(axis("time", "s"))
        axes.set_ylabel(axis("acceleration", f"{found.units.length}/s^2"))
        _from_zero(axes)
        entitle(axes, title, look)
    return axes


def plot_speed_histogram(found: Kinematics, axes: Axes | None = None, title: str = "", look: Look = LIGHT) -> Axes:
    """Draw how much time all tracks together spent at which speed; as `plot_speeds`."""
    with on(axes, look) as axes:
        edges, seconds = found.speeds
        if len(seconds):
            axes.stairs(seconds, edges, fill=True, color=look.colour(0), alpha=0.6)
        axes.set_xlabel(axis("speed", found.units.speed))
        axes.set_ylabel(axis("time of all tracks", "s"))
        entitle(axes, title, look)
    return axes


def plot_fits(found: Kinematics, axes: Axes | None = None, title: str = "", look: Look = LIGHT) -> Axes:
    """Draw what was fitted and the curves, each from its mean; as `plot_speeds`."""
    with on(axes, look) as axes:
        for number, one in enumerate(found.fits[:MOST]):
            times, data, curve = _drawn(found, one)
            axes.plot(times, data, ".", ms=1.5 * look.line, color=look.colour(number), alpha=0.6)
            axes.plot(times, curve, color=look.ink if len(found.fits) == 1 else look.colour(number),
                      lw=0.8 * look.line, label=f"{one.model}, {title_of(one.name)}")  # fmt: skip
        axes.set_xlabel(axis("time", "s"))
        axes.set_ylabel(axis("from the mean", _unit(found)))
        axes.legend(loc="best")
        entitle(axes, title, look)
    return axes


def plot_left(found: Kinematics, axes: Axes | None = None, title: str = "", look: Look = LIGHT) -> Axes:
    """Draw what the fits leave; as `plot_speeds`."""
    with on(axes, look) as axes:
        for number, one in enumerate(found.fits[:MOST]):
            times, data, curve = _drawn(found, one)
            axes.plot(times, data - curve, ".", ms=1.5 * look.line, color=look.colour(number))
        axes.axhline(0.0, color=look.dim, lw=0.5 * look.line)
        axes.set_xlabel(axis("time", "s"))
        axes.set_ylabel(axis("left by the fit", _unit(found)))
        entitle(axes, title, look)
    return axes


def _from_zero(axes: Axes) -> None:
    """The upright axis from 0 to above what is drawn, also where that hardly changes."""
    top = axes.dataLim.y1
    axes.set_ylim(0.0, 1.06 * top if np.isfinite(top) and top > 0 else None)


def _unit(found: Kinematics) -> str:
    units = {found.unit_of(one.name, "length") for one in found.fits[:MOST]}
    return units.pop() if len(units) == 1 else ""


def _drawn(found: Kinematics, fitted: Fit) -> tuple[Array, Array, Array]:
    """Times, samples and curve along the direction of the fit; without one that in which the curve goes farthest; of a
    circle the distance from its centre beside its radius."""
    trail = next(one.trail for one in (*found.tracks, *found.measures) if one.trail.name == fitted.name)
    if fitted.model == "circle":
        middle = np.array([[fitted.parameters[name].value] for name in ("centre_x", "centre_y")])
        return trail.times, np.hypot(*(trail.values - middle)) - fitted.parameters["radius"].value, 0.0 * trail.times
    if len(trail.values) == 1:
        data, curve = trail.values[0], fitted.curve[0]
    else:
        way = np.array(fitted.axis) if fitted.axis is not None else np.array(main_axis(fitted.curve))
        data, curve = way @ trail.values, way @ fitted.curve
    middle = curve.mean()
    return trail.times, data - middle, curve - middle

