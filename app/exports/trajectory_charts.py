"""x and y of tracks against time: the two charts beside a picture of trajectories."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from app.exports.drawing import Picture
from app.exports.ranges import usual
from app.exports.trajectory_lines import TrajectoryLines
from app.plots.look import LIGHT, Look
from app.plots.raster import Fillable
from app.plots.words import remark
from pipelines.features import State

LABELLED = 20
"""Tracks up to which the curves have numbers, too."""
LEAST = 0.02
"""px: without any motion a hundredth of a pixel of noise must not fill the panel."""


def plot_coordinates(
    lines: TrajectoryLines, axes: tuple[Fillable, Fillable], look: Look = LIGHT
) -> tuple[Fillable, Fillable]:
    """Draw x and y against time, one below the other, in the colours of the picture beside them.

    Args:
        lines: what is drawn.
        axes: of x, and of y below it.
        look: colours and widths.

    Returns:
        The axes.
    """
    # Guesses may fly far off; the axis belongs to what was seen.
    seen = lines.line["state"] != State.PREDICTED
    relative = _moves_little(lines, "x") or _moves_little(lines, "y")
    for name, panel in zip("xy", axes, strict=True):
        values = lines.line[name].astype(np.float64)
        if relative:
            values -= np.repeat(values[lines.starts], np.diff(np.append(lines.starts, len(values))))
        down = ", down" if name == "y" else ""
        panel.set_ylabel(f"{name} - start (px{down})" if relative else f"{name} (px{down})")
        low, high = _range(values[usual(values, lines.line["track"], seen)])
        # y points down in the picture, and so it does here.
        panel.set_ylim(*((high, low) if name == "y" else (low, high)))
        if len(lines.t):
            panel.set_xlim(float(lines.t.min()), max(float(lines.t.max()), float(lines.t.min()) + 1e-9))
        if len(lines.line):
            lines.plot(panel, np.stack((lines.t, values), axis=1), look, white=True)
            _numbers(panel, lines, values, look)
            _cut(panel, lines, values, seen, (low, high), look)
        else:
            panel.text(0.5, 0.5, "no tracks", transform=panel.transAxes, ha="center", color=look.dim)
    axes[0].tick_params(labelbottom=False)
    axes[1].set_xlabel(lines.label)
    return axes


def _range(values: Picture, margin: float = 0.06) -> tuple[float, float]:
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    if high - low < LEAST:
        middle = 0.5 * (low + high)
        return middle - 0.5, middle + 0.5
    return low - margin * (high - low), high + margin * (high - low)


def _numbers(panel: Fillable, lines: TrajectoryLines, values: Picture, look: Look) -> None:
    """The tracks' numbers at their curves' ends; those at the right edge are beside it, none over another."""
    if not 1 < len(lines.ids) <= LABELLED:
        return
    size = look.font - 2.5
    index, colours = lines.colours_on(look, white=True)
    bottom, top = panel.get_ylim()
    right = lines.t.max() - 0.03 * np.ptp(lines.t)
    outside: list[tuple[float, int]] = []
    for last in lines.ends.tolist():
        at = (float(values[last]) - bottom) / (top - bottom)
        if lines.t[last] >= right:
            outside.append((min(max(at, 0.02), 0.98), last))
        else:
            panel.annotate(str(lines.line["track"][last]), (lines.t[last], values[last]), (2, 0),
                           textcoords="offset points", fontsize=size, color=colours[index[last]], va="center",
                           annotation_clip=True)  # fmt: skip
    outside.sort()
    high = panel.bbox.height / panel.figure.dpi  # inches, before the layout is done
    step = min(1.5 * size / 72.0 / high, 1.0 / max(1, len(outside)))
    rows = np.arange(len(outside)) * step
    # Upwards as far as the one below asks, then downwards from the top.
    wanted = np.maximum.accumulate(np.array([at for at, _ in outside]) - rows) + rows
    over = 1.0 - (len(outside) - 1 - np.arange(len(outside))) * step
    for (_, last), at in zip(outside, np.minimum(wanted, over).tolist(), strict=True):
        panel.annotate(str(lines.line["track"][last]), (1.0, at), (3, 0), xycoords="axes fraction",
                       textcoords="offset points", fontsize=size, color=colours[index[last]], va="center",
                       annotation_clip=False)  # fmt: skip


def _cut(
    panel: Fillable, lines: TrajectoryLines, values: Picture, seen: npt.NDArray[np.bool_], ends: tuple[float, float],
    look: Look,
) -> None:  # fmt: skip
    """Say which tracks leave the panel."""
    tracks = np.unique(lines.line["track"][seen & ((values < ends[0]) | (values > ends[1]))]).tolist()
    if tracks:
        words = f"track{'s' if len(tracks) > 1 else ''} {', '.join(map(str, tracks))}" if len(tracks) < 5 else ""
        remark(panel, f"beyond the axis: {words or f'parts of {len(tracks)} tracks'} "
               f"({values[seen].min():.4g} to {values[seen].max():.4g})", look)  # fmt: skip


def _moves_little(lines: TrajectoryLines, name: str) -> bool:
    """Whether the tracks move little compared with their distances: then motion from the start on is shown."""
    values = lines.line[name]
    if len(lines.starts) < 2:
        return False
    moved = np.maximum.reduceat(values, lines.starts) - np.minimum.reduceat(values, lines.starts)
    return float(np.median(moved)) < 0.2 * float(np.ptp(values))
