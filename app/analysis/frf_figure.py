"""The figure of frequency responses: magnitude, phase and coherence of the points that answer most."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.plots.figures import draw, heading, sheet, styled
from app.plots.look import LIGHT, Look
from app.plots.scales import degrees, log_y
from app.plots.words import axis, key_above
from pipelines.analysis.frf import Frf
from pipelines.analysis.poles import Pole
from pipelines.analysis.series import Series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIGURE = "frf"
MOST = 6
"""Points and coordinates that are drawn."""
SURE, CLEAR = 2.0, 5.0
"""Standard errors above which a phase is drawn, and above which one response must be of what is drawn."""


def strongest(frf: Frf, most: int = MOST) -> list[tuple[int, int]]:
    """Index of the points and coordinates that answer most, that most first: what is drawn."""
    # Only frequencies count at which the response is clear of its own error.
    moves = (np.abs(frf.response) > CLEAR * frf.error) & (frf.error > 0)
    strength = (np.abs(frf.response) * frf.coherence * moves).max(axis=2).ravel()
    return [divmod(k, 2) for k in np.argsort(-strength, kind="stable")[:most].tolist() if strength[k] > 0]


def draw_frf(
    path: Path, series: Series, frf: Frf, poles: Sequence[Pole], title: str, unit: str, factor: float,
    look: Look = LIGHT,
) -> None:  # fmt: skip
    """Write the figure (PNG, SVG or PDF); arguments as of `plot_frf`.

    Raises:
        InputError: the file cannot be written.
    """

    def fill(figure: Figure) -> None:
        plot_frf(series, frf, poles, unit, factor, stacked(figure), look)
        heading(figure, look, title, f"grey: natural frequencies; coherence of nothing stays below {frf.chance:.2g} in "
                "95 of 100 cases")  # fmt: skip

    draw(path, look, look.height(0.78), fill)


def stacked(figure: Figure) -> tuple[Axes, Axes, Axes]:
    """Axes of magnitude, phase and coherence, one below the other, with one axis of frequency."""
    top, middle, bottom = figure.subplots(3, 1, sharex=True, height_ratios=(2, 1, 1))
    return top, middle, bottom


def plot_frf(
    series: Series, frf: Frf, poles: Sequence[Pole], unit: str = "px", factor: float = 1.0,
    axes: tuple[Axes, Axes, Axes] | None = None, look: Look = LIGHT,
) -> tuple[Axes, Axes, Axes]:  # fmt: skip
    """Draw the responses of the points that answer most.

    Args:
        series, frf, poles: what is drawn.
        unit: of magnitudes; "" for none.
        factor: responses are multiplied by it.
        axes: of magnitude, phase and coherence; None for those of a figure of their own.
        look: colours and widths.

    Returns:
        The axes.
    """
    if axes is None:
        with styled(look):
            return plot_frf(series, frf, poles, unit, factor, stacked(sheet(look, look.height(0.78))), look)
    top, middle, bottom = axes
    size, f = np.abs(frf.response) * factor, frf.frequencies
    shown = strongest(frf)
    values = np.array([size[one] for one in shown]) if shown else np.ones((1, 2))
    log_y(top, values)
    top.set_ylabel(axis("|H|", unit))
    degrees(middle)
    middle.set_ylabel("phase ahead")
    bottom.set_ylim(0.0, 1.02)
    bottom.set_ylabel("coherence")
    bottom.set_xlabel(axis("frequency", "Hz"))
    for panel in axes:
        panel.set_xlim(float(f[0]), float(f[-1]))
        for pole in poles:
            panel.axvline(pole.frequency, color=look.dim, lw=0.6 * look.line, zorder=1)
    bottom.axhline(frf.chance, color=look.dim, lw=0.6 * look.line, ls="--", zorder=1)
    for number, one in enumerate(shown):
        colour = look.colour(number)
        # The phase of a response near 0 is random: it is drawn where the response surely differs from 0.
        known = np.abs(frf.response[one]) > SURE * frf.error[one]
        label = f"{series.tracks[one[0]]} {'xy'[one[1]]}"
        top.plot(f, np.where(size[one] > 0, size[one], np.nan), color=colour, lw=0.8 * look.line, label=label)
        middle.plot(f[known], frf.phase[one][known], ".", ms=3.0 * look.line, mew=0, color=colour)
        bottom.plot(f, frf.coherence[one], color=colour, lw=0.8 * look.line)
    key_above(top, look)
    return axes
