"""Ranges and ticks of axes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from app.plots.words import RAISED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

Array = npt.NDArray[Any]
MOST_POINTS = 3000
"""Points of a cloud that are drawn; more are thinned."""


def thinned(x: Array, y: Array) -> tuple[Array, Array]:
    """A cloud's points, of many every so many-th."""
    step = max(1, -(-len(x) // MOST_POINTS))
    return x[::step], y[::step]


def log_x(axes: Axes, values: Array, room: float = 1.25) -> None:
    """Make the axis across logarithmic, with room for the positive ones of the values and a factor at both ends."""
    axes.set_xlim(*_ends(values, room))
    axes.set_xscale("log", nonpositive="mask")
    _quiet(axes.xaxis, axes.get_xlim())


def log_y(axes: Axes, values: Array, room: float = 1.25) -> None:
    """The same of the upright axis."""
    axes.set_ylim(*_ends(values, room))
    axes.set_yscale("log", nonpositive="mask")
    _quiet(axes.yaxis, axes.get_ylim())


def _ends(values: Array, room: float) -> tuple[float, float]:
    good = values[np.isfinite(values) & (values > 0)]
    return (float(good.min()) / room, float(good.max()) * room) if len(good) else (0.1, 1.0)


def _quiet(axis: Axis, ends: tuple[float, float]) -> None:
    """Numbers at powers of ten alone where there are two at least, else those of `plain_decades`."""
    from matplotlib.ticker import NullFormatter

    if math.floor(math.log10(ends[1])) > math.ceil(math.log10(ends[0])):
        axis.set_major_formatter(lambda value, _: power(value))  # matplotlib's are formulas, set ten times as slowly
        axis.set_minor_formatter(NullFormatter())
    else:
        plain_decades(axis)


def power(value: float) -> str:
    """A power of ten as it is printed.

    >>> power(1e-3), power(1.0), power(100.0), power(20.0)
    ('10⁻³', '1', '100', '')
    """
    if not value > 0.0 or abs(math.log10(value) - round(math.log10(value))) > 1e-9:
        return ""
    exponent = round(math.log10(value))
    return f"{10.0**exponent:g}" if -1 <= exponent <= 3 else f"10{str(exponent).translate(RAISED)}"


def plain_decades(axis: Axis) -> None:
    """Plain numbers at 1, 2 and 5 times powers of ten, on a logarithmic axis."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())


def degrees(axes: Axes, low: float = -180.0, high: float = 180.0) -> None:
    """Make the upright axis one of angles: ticks every 90 degrees, small ones every 45."""
    from matplotlib.ticker import MultipleLocator, StrMethodFormatter

    axes.set_ylim(low, high)
    axes.yaxis.set_major_locator(MultipleLocator(90.0))
    axes.yaxis.set_minor_locator(MultipleLocator(45.0))
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:.0f}°"))
