"""The figure of strain: displacement with arrows and strains of one frame as maps, and strain over time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from app.analysis.strain import SYMBOLS, StrainField
from app.plots.figures import draw, heading, on
from app.plots.look import LIGHT, Look
from app.plots.words import axis, entitle
from pipelines.analysis.strain import NAMES, Strains

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = npt.NDArray[Any]
FIGURE = "strain"
SHOWN = ("magnitude", "exx", "eyy", "exy", "von_mises")
"""The maps, unless the user names others."""
CUT = 1.0
"""Percent of the values at either end that are beyond the colours: one odd point flattens no map."""
ARROWS = 18
"""Arrows along the longer side of a map at most."""


def draw_strain(
    path: Path, found: StrainField, title: str, look: Look = LIGHT, shown: Sequence[str] = SHOWN, at: int | None = None
) -> None:
    """Write the figure (PNG, SVG or PDF).

    Args:
        path: its ending says which.
        found: what is drawn.
        title: above all.
        look: how it looks.
        shown: of `app.analysis.strain.QUANTITIES`.
        at: number of the frame; None for the one with the largest strain.

    Raises:
        InputError: the file cannot be written.
    """
    k = found.hardest if at is None else at
    strains = found.strains(k)
    columns = 1 if look.narrow else 2
    rows = -(-(len(shown) + 1) // columns)
    low, high = found.moved.points.min(axis=0), found.moved.points.max(axis=0)
    # How high maps are beside their width, within what a page can hold.
    shape = float(np.clip((high[1] - low[1] + 1) / (high[0] - low[0] + 1), 0.3, 1.2))

    def fill(figure: Figure) -> None:
        grid = figure.add_gridspec(rows, columns)
        for number, quantity in enumerate((*shown, "")):
            axes = figure.add_subplot(grid[number // columns, number % columns])
            if quantity:
                plot_map(found, quantity, k, axes, "", look, strains=strains)
            else:
                plot_over_time(found, axes, "", look, at=k)
        frame, gauge = found.moved.frames[k], f"{found.gauge_length:.4g} {found.units.length}"
        heading(figure, look, title, f"frame {frame} against frame {found.moved.frames[0]}; {found.options.measure} "
                                     f"strain, gauge length {gauge}")  # fmt: skip

    draw(path, look, rows * look.height((0.52 if look.narrow else 0.34) * shape + 0.08) + 0.05 * look.font, fill)


def plot_map(
    found: StrainField, quantity: str, k: int = -1, axes: Axes | None = None, title: str = "", look: Look = LIGHT, *,
    strains: Strains | None = None,
) -> Axes:  # fmt: skip
    """Draw a field of one frame over the picture's plane, y down, with a colour bar; of displacements arrows, too.

    Args:
        found: what is shown.
        quantity: of `app.analysis.strain.QUANTITIES`.
        k: number of the frame; -1 for the last.
        axes: where; None for those of a figure of their own.
        title: above; "" for none.
        look: colours and widths.
        strains: of that frame, where they are at hand.

    Returns:
        The axes.
    """
    k %= len(found.moved.frames)
    values = found.values(quantity, k, strains)
    places = (found.moved.points + np.nan_to_num(found.moved.moved[k])) * found.factor
    with on(axes, look, 0.8) as axes:
        _surface(axes, found, places, values, axis(SYMBOLS[quantity], found.unit(quantity)))
        if quantity == "magnitude":
            _arrows(axes, found, k, look)
        axes.set_aspect("equal", adjustable="box")
        if not axes.yaxis_inverted():
            axes.invert_yaxis()
        axes.grid(visible=False)
        axes.set_xlabel(axis("x", found.units.length))
        axes.set_ylabel(axis("y", found.units.length))
        entitle(axes, title, look, always=True)
    return axes


def ends_of(values: Array) -> tuple[float, float]:
    """The values of the first and the last colour."""
    known = values[np.isfinite(values)]
    if not len(known):
        return 0.0, 1.0
    low, high = (float(one) for one in np.percentile(known, (CUT, 100.0 - CUT)))
    if high > low:
        return low, high
    room = 1e-9 + 1e-3 * abs(low)
    return low - room, high + room


def _surface(axes: Axes, found: StrainField, places: Array, values: Array, words: str) -> None:
    from matplotlib.collections import PolyCollection
    from matplotlib.ticker import ScalarFormatter

    low, high = ends_of(values)
    half = 0.5 * found.gauge.step * found.factor
    if found.gauge.lattice is not None:  # a square around each point: nothing is made up between them
        known = np.isfinite(values)
        corners = places[known, None] + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
        drawn: Any = PolyCollection(list(corners), array=values[known], cmap="viridis", edgecolors="face",
                                    linewidths=0.6, antialiaseds=False, rasterized=True)  # fmt: skip
        drawn.set_clim(low, high)
        axes.add_collection(drawn)
    elif len(found.cells):
        # A triangle is drawn if the values at all its corners are known.
        whole = np.isfinite(values)[found.cells].all(axis=1)
        drawn = axes.tripcolor(places[:, 0], places[:, 1], found.cells[whole], np.nan_to_num(values), shading="gouraud",
                               cmap="viridis", vmin=low, vmax=high, rasterized=True)  # fmt: skip
    else:
        drawn = axes.scatter(places[:, 0], places[:, 1], c=values, cmap="viridis", vmin=low, vmax=high)
    first, last = places.min(axis=0) - 2 * half, places.max(axis=0) + 2 * half
    axes.set_xlim(first[0], last[0])
    axes.set_ylim(first[1], last[1])
    # The colour bar ends in a point where values lie beyond its colours.
    beyond = np.nanmin(values, initial=low) < low, np.nanmax(values, initial=high) > high
    extend = {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}[
        bool(beyond[0]), bool(beyond[1])]  # fmt: skip
    numbers = ScalarFormatter()
    numbers.set_powerlimits((-2, 4))
    bar = axes.figure.colorbar(drawn, ax=axes, label=words, extend=extend, shrink=0.85, format=numbers)
    bar.ax.grid(visible=False)


def _arrows(axes: Axes, found: StrainField, k: int, look: Look) -> None:
    """How points moved, magnified so that the longest arrow is as long as the arrows are apart."""
    points, moved = found.moved.points, found.moved.moved[k]
    apart = max(found.gauge.step, float(np.ptp(points, axis=0).max()) / ARROWS)
    cell = np.floor((points - points.min(axis=0)) / apart)
    seen = np.flatnonzero(np.isfinite(moved[:, 0]))
    _, first = np.unique(cell[seen], axis=0, return_index=True)
    chosen = seen[first]
    longest = float(np.hypot(*moved[chosen].T).max(initial=0.0))
    if not longest > 0:
        return
    times = apart / longest
    start = (points[chosen] + moved[chosen]) * found.factor
    way = moved[chosen] * times * found.factor
    axes.quiver(*start.T, *way.T, angles="xy", scale_units="xy", scale=1.0, color=look.ink, width=0.004, pivot="middle")
    axes.text(0.99, 0.99, f"arrows {times:.2g} x", transform=axes.transAxes, ha="right", va="top",
              fontsize=look.font - 2.0, color="white",
              bbox={"facecolor": "black", "alpha": 0.5, "lw": 0, "pad": 1.5})  # fmt: skip


def plot_over_time(
    found: StrainField, axes: Axes | None = None, title: str = "", look: Look = LIGHT, *, at: int | None = None
) -> Axes:
    """Draw the mean strains over time, with how they differ from point to point, and extensometers.

    Args:
        found: what is shown. axes, title, look: as of `plot_map`.
        at: number of a frame that a line marks.

    Returns:
        The axes.
    """
    times = found.moved.times
    with on(axes, look) as axes:
        for number, name in enumerate(NAMES[:3]):
            mean, spread = (np.array([getattr(one, what)[number] for one in found.frames]) for what in
                            ("mean", "spread"))  # fmt: skip
            axes.plot(times, mean, color=look.colour(number), label=SYMBOLS[name], marker="" if len(times) > 1 else "o")
            axes.fill_between(times, mean - spread, mean + spread, color=look.colour(number), alpha=0.2, lw=0.0)
        for number, one in enumerate(found.extensions):
            axes.plot(times, one.strain, color=look.ink, ls=("--", ":", "-.")[number % 3], label=one.name)
        if at is not None and len(times) > 1:
            axes.axvline(float(times[at]), color=look.dim, lw=0.6 * look.line, zorder=1)
        axes.set_xlabel(axis("time", found.units.time))
        axes.set_ylabel("mean strain, its spread")
        axes.legend(loc="best")
        entitle(axes, title, look, always=True)
    return axes
