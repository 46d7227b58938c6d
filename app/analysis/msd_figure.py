"""The picture of mean squared displacements: each track, all of them, what was measured, the line of diffusion."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from app.analysis.motion import Motion
from app.evaluation.axes import Axes, Place, log_span
from app.exports.drawing import GREY, PALETTE, WHITE
from app.exports.shapes import Drawing, Shape, Words, write_drawing
from pipelines.analysis.msd import blurred, without_floor

FIGURE = "msd.png"
MOST = 200
"""Tracks that are drawn one by one."""
FAINT = (74, 74, 74)
RAW, LINE = PALETTE[1], PALETTE[0]


def draw_msd(path: Path, found: Motion, title: str) -> None:
    """Write the picture (PNG or SVG), both axes logarithmic.

    Raises:
        InputError: the file cannot be written.
    """
    write_drawing(path, drawing(found, title))


def drawing(found: Motion, title: str) -> Drawing:
    """The picture."""
    told, units = found.msd, found.units
    lag = found.interval * np.arange(1, len(told.msd) + 1)
    own, _ = without_floor(found.lags, found.noise, found.all.noise)
    with np.errstate(divide="ignore", invalid="ignore"):
        single = own / found.lags.pairs
    area = f"{units.length}^2"
    shown = np.concatenate((told.msd, told.raw, told.floor[told.floor > 0.1 * np.nanmin(told.raw)], single[:MOST, 0]))
    axes = Axes(Place(92, 84, 760, 420), "", f"lag ({units.time})", f"mean squared displacement ({area})",
                log_span(lag), log_span(shown), "xy")  # fmt: skip
    for curve in single[:MOST]:
        axes.line(lag, curve, FAINT, 0.7)
    axes.line(lag, told.raw, RAW, 1.0)
    axes.line(lag, np.where(told.floor > 10.0 ** axes.y_range[0], told.floor, math.nan), GREY, 1.0)
    low = np.maximum(told.msd - found.spread * told.error, 10.0 ** axes.y_range[0])
    apart = np.unique(np.rint(np.geomspace(1, len(lag), 40)).astype(int)) - 1  # bars side by side would be a block
    axes.bars(lag[apart], low[apart], (told.msd + found.spread * told.error)[apart], WHITE)
    axes.line(lag, told.msd, WHITE, 2.2)
    if found.all.d > 0:
        axes.line(lag, 4 * found.all.d * blurred(lag, 1.0, found.exposure), LINE, 0.9)
    axes.key((("all tracks, 95 %", WHITE), ("with the floor", RAW), ("floor", GREY), ("4 D lag", LINE)))
    d = found.all
    axes.note(f"D = {d.d:.4g} +- {d.d_error:.2g} {area}/{units.time}    exponent {found.exponent:.3f} "
              f"+- {found.exponent_error:.2g}    {len(found.each)} tracks".replace("+- nan", ""))  # fmt: skip
    parts: list[Shape] = [Words(title, 92, 34, 15, WHITE)]
    return Drawing(900, 560, (*parts, *axes.parts))
