"""The picture of frequency responses: magnitude, phase and coherence of the points that answer most."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from app.evaluation.axes import Axes, Place, log_span
from app.exports.drawing import GREY, WHITE, colour_of
from app.exports.shapes import Drawing, Shape, Words, write_drawing
from pipelines.analysis.frf import Frf
from pipelines.analysis.poles import Pole
from pipelines.analysis.series import Series

FIGURE = "frf.png"
MOST = 6
"""Points and coordinates that are drawn."""
LEFT, WIDE = 92, 760
SURE, CLEAR = 2.0, 5.0
"""Standard errors above which a phase is drawn, and above which one response must be of what is drawn."""


def draw_frf(path: Path, series: Series, frf: Frf, poles: Sequence[Pole], title: str, unit: str, factor: float) -> None:
    """Write the picture (PNG or SVG).

    Args:
        path: ends with .png or .svg.
        series, frf, poles: what is drawn.
        title: above all.
        unit: of magnitudes.
        factor: responses are multiplied by it.

    Raises:
        InputError: the file cannot be written.
    """
    write_drawing(path, drawing(series, frf, poles, title, unit, factor))


def strongest(frf: Frf, most: int = MOST) -> list[tuple[int, int]]:
    """Index of the points and coordinates that answer most, that most first: what is drawn."""
    moves = (np.abs(frf.response) > CLEAR * frf.error) & (frf.error > 0)
    strength = (np.abs(frf.response) * frf.coherence * moves).max(axis=2).ravel()
    return [divmod(k, 2) for k in np.argsort(-strength, kind="stable")[:most].tolist() if strength[k] > 0]


def drawing(series: Series, frf: Frf, poles: Sequence[Pole], title: str, unit: str, factor: float) -> Drawing:
    """The picture; arguments as of `draw_frf`."""
    size, f = np.abs(frf.response) * factor, frf.frequencies
    shown = strongest(frf)
    ends = (float(f[0]), float(f[-1]))
    values = np.array([size[one] for one in shown]) if shown else np.ones((1, 2))
    panels = (
        Axes(Place(LEFT, 92, WIDE, 240), "", "", f"|H| ({unit})" if unit else "|H|", ends, log_span(values), "y"),
        Axes(Place(LEFT, 366, WIDE, 120), "", "", "ahead (degrees)", ends, (-180.0, 180.0)),
        Axes(Place(LEFT, 520, WIDE, 120), "", "frequency (Hz)", "coherence", ends, (0.0, 1.0)),
    )
    low = values[values > 0].min(initial=1e-12)
    for pole in poles:
        for panel, reach in zip(panels, ((low, values.max(initial=low)), (-180, 180), (0, 1)), strict=True):
            panel.line(np.full(2, pole.frequency), np.array(reach), GREY, 0.7)
    panels[2].line(np.array(ends), np.full(2, frf.chance), GREY, 0.7)
    for number, one in enumerate(shown):
        known = np.abs(frf.response[one]) > SURE * frf.error[one]
        panels[0].line(f, size[one], colour_of(number))
        panels[1].dots(f[known], frf.phase[one][known], colour_of(number), 1.2)
        panels[2].line(f, frf.coherence[one], colour_of(number))
    panels[0].key([(f"{series.tracks[p]} {'xy'[a]}", colour_of(k)) for k, (p, a) in enumerate(shown)])
    parts: list[Shape] = [Words(title, LEFT, 34, 15, WHITE),
                          Words(f"grey: natural frequencies; coherence of nothing stays below {frf.chance:.2g} in 95 "
                                "of 100 cases", LEFT, 56, 11, GREY)]  # fmt: skip
    return Drawing(LEFT + WIDE + 28, 700, (*parts, *(part for panel in panels for part in panel.parts)))
