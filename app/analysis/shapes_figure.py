"""The figure of operating deflection shapes: a panel a peak, the points along the direction in which they lie."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from app.plots.bars import key_below
from app.plots.figures import draw, heading, on
from app.plots.look import LIGHT, Look
from app.plots.words import entitle, measured
from pipelines.analysis.deflection import Shape as Deflection
from pipelines.analysis.deflection import Spectrum

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Array = npt.NDArray[Any]
FIGURE = "shapes"
MOST = 8
"""Panels: the peaks at which points move most."""


def draw_shapes(
    path: Path, found: Spectrum, shapes: Sequence[Deflection], title: str, at: Array, unit: str = "px",
    factor: float = 1.0, look: Look = LIGHT,
) -> None:  # fmt: skip
    """Write the figure (PNG, SVG or PDF), at most `MOST` panels.

    Args:
        path: its ending says which.
        found, shapes: what is drawn.
        title: above all.
        at: where each axis of each point is measured, (P, 2, 2) px; NaN where that is not known.
        unit, factor: of amplitudes, which are multiplied by it.
        look: how it looks.

    Raises:
        InputError: the file cannot be written.
    """
    shown = sorted(sorted(shapes, key=lambda one: -float(one.amplitude.max()))[:MOST], key=lambda one: one.frequency)
    columns = 1 if look.narrow or len(shown) < 2 else 2
    rows = max(1, -(-len(shown) // columns))

    def fill(figure: Figure) -> None:
        grid = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes, shape in zip(grid, shown, strict=False):
            plot_shape(found, shape, at, axes, unit, factor, look)
        for axes in grid[len(shown) :]:
            axes.set_axis_off()
        heading(figure, look, title, "" if shown else "no peaks")
        key_below(figure, look)

    draw(path, look, rows * look.height(0.28 if columns == 2 else 0.45) + 0.06 * look.font, fill)


def plot_shape(
    found: Spectrum, shape: Deflection, at: Array | None = None, axes: Axes | None = None, unit: str = "px",
    factor: float = 1.0, look: Look = LIGHT,
) -> Axes:  # fmt: skip
    """Draw a shape: how each point moves beside the reference point, against where it lies.

    Args:
        found, shape: the spectra and one of their shapes.
        at: as of `draw_shapes`; None for nowhere.
        axes: where; None for those of a figure of their own.
        unit, factor: of amplitudes.
        look: colours and widths.

    Returns:
        The axes.
    """
    # Points are drawn along the axis of the picture along which they spread farther.
    lying = int(np.ptp(found.places[:, 1]) > np.ptp(found.places[:, 0]))
    point, axis = shape.reference
    own = np.full(len(found.tracks), np.nan) if at is None else at[:, axis, lying]
    along = np.where(np.isfinite(own), own, found.places[:, lying])
    order = np.argsort(along, kind="stable")
    ratio, error = shape.ratio[order, axis], 2.0 * np.nan_to_num(shape.ratio_error[order, axis])
    with on(axes, look, 0.45) as axes:
        axes.axhline(0.0, color=look.dim, lw=0.6 * look.line, zorder=1)
        axes.plot(along[order], ratio.imag, "o", mfc="none", ms=2.4 * look.line, mew=0.6 * look.line,
                  color=look.colour(1), label="a quarter of a turn ahead of it")  # fmt: skip
        axes.errorbar(along[order], ratio.real, error, fmt="o", ms=2.4 * look.line, elinewidth=0.6 * look.line,
                      color=look.colour(0), label="in phase with the reference point, ± 2 sigma of noise")  # fmt: skip
        if not (ratio.real.any() or ratio.imag.any()):
            axes.set_ylim(-1.0, 1.0)
        axes.set_xlabel(f"{'xy'[lying]} (px)")
        axes.set_ylabel(f"{'xy'[axis]} / {'xy'[axis]} of track {found.tracks[point]}")
        moves = measured(float(shape.amplitude[point, axis]) * factor,
                         float(shape.amplitude_error[point, axis]) * factor, unit)  # fmt: skip
        entitle(axes, f"{shape.frequency:.5g} Hz: track {found.tracks[point]} by {moves}", look, always=True)
    return axes
