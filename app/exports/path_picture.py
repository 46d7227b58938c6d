"""The paths of tracks over the picture they were seen in, coloured by track, speed or time, with a scale bar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from app.exports.scale import Scale, Units, round_length
from app.exports.thinning import ThinnedRows
from app.exports.trajectory_lines import MANY, TrajectoryLines, ramp_beside
from app.plots.figures import draw, heading, on
from app.plots.look import LIGHT, Look
from app.plots.words import axis, literal, symbol

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

By = Literal["track", "speed", "time"]
BY: tuple[By, ...] = ("track", "speed", "time")
MOST_ROWS = 60_000
"""Rows that are drawn: of more, those that make the lines what they are (`app.exports.thinning`)."""
GROUND = 0.75
"""Part of the picture's light, so that lines stand out."""
ON_PICTURE, SHADE = "#F5F5F5", "#181818"
"""Of letters and of the scale bar on it, and of what is behind the bar."""
BAR = 0.25
"""Part of the picture's width that a scale bar has at most."""
Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class PathStyle:
    """How the picture looks.

    Args:
        by: what the colours tell.
        title: the first line.
        scale: lengths in place of px, in the bar and of speeds.
        timed: False if the rate is unknown: speeds are px a frame then.
        names: what tracks are called, by their number.
    """

    by: By = "track"
    title: str = ""
    scale: Scale | None = None
    timed: bool = True
    names: Mapping[int, str] = field(default_factory=dict)


def draw_paths(
    path: Path, held: ThinnedRows, ground: Pixels, corner: tuple[int, int], style: PathStyle, look: Look = LIGHT
) -> None:
    """Write the figure (PNG, SVG or PDF); arguments as of `plot_paths`.

    Raises:
        InputError: the file cannot be written.
    """

    def fill(figure: Figure) -> None:
        plot_paths(held, ground, corner, style, figure.add_subplot(), look)
        count = len(TrajectoryLines(held, "id", style.timed).ids)
        words = f"{count} track{'' if count == 1 else 's'}"
        words += f" ({held.left_out} short ones not drawn)" if held.left_out else ""
        heading(figure, look, f"{style.title}: {words}" if style.title else words,
                "one colour a track; dots: their ends; faint: guessed" if style.by == "track" else "")  # fmt: skip

    high, wide = ground.shape[:2]
    draw(path, look, look.width * min(high / wide, 1.4) + 0.1 * look.font, fill)


def plot_paths(
    held: ThinnedRows, ground: Pixels, corner: tuple[int, int] = (0, 0), style: PathStyle | None = None,
    axes: Axes | None = None, look: Look = LIGHT,
) -> Axes:  # fmt: skip
    """Draw paths over a picture.

    Args:
        held: the rows, px of the whole picture.
        ground: (height, width, 3) blue, green, red.
        corner: x and y of its first pixel in the whole picture.
        style: what is shown.
        axes: where; None for those of a figure of their own.
        look: colours and widths.

    Returns:
        The axes; they count px of the whole picture.
    """
    style = style or PathStyle()
    lines = TrajectoryLines(held, "id" if style.by == "track" else style.by, style.timed)
    high, wide = ground.shape[:2]
    # Pixel centres are whole numbers, so the picture's edges lie half a pixel outside.
    ends = (corner[0] - 0.5, corner[0] + wide - 0.5, corner[1] + high - 0.5, corner[1] - 0.5)
    units = Units(style.scale.unit if style.scale else "px", "s" if lines.unit != "frame" else "frame")
    factor = style.scale.factor if style.scale is not None else 1.0
    top = above(lines.top_speed * factor)
    with on(axes, look, high / wide) as axes:
        axes.imshow(np.rint(ground * GROUND).astype(np.uint8)[:, :, ::-1], extent=ends, zorder=0)
        at = np.stack((lines.line["x"], lines.line["y"]), axis=1).astype(np.float64)
        lines.plot(axes, at, look, top / factor)
        index, colours = lines.colours_on(look, top / factor)
        # With many tracks dots are small, and numbers would only cover each other.
        thin = len(lines.ids) > MANY
        axes.scatter(at[lines.ends, 0], at[lines.ends, 1], s=((1.2 if thin else 2.4) * look.line) ** 2, lw=0, zorder=3,
                     c=[colours[k] for k in index[lines.ends].tolist()])  # fmt: skip
        for last in [] if thin else lines.ends.tolist():
            track = int(lines.line["track"][last])
            axes.annotate(literal(style.names.get(track, str(track))), at[last], (3, 3), textcoords="offset points",
                          fontsize=look.font - 2.0, color=ON_PICTURE, annotation_clip=True, zorder=4)  # fmt: skip
        axes.set_xlim(*ends[:2])
        axes.set_ylim(*ends[2:])
        axes.set_axis_off()
        _bar(axes, wide, factor, units.length, look)
        if lines.by == "speed":
            ramp_beside(axes, 0.0, top, axis("speed", units.speed))
        elif lines.by == "time" and len(lines.t):
            ramp_beside(axes, float(lines.t.min()), float(lines.t.max()), lines.label)
    return axes


def above(value: float) -> float:
    """The least of 1, 2, 5, 10 ... that is not below a value.

    >>> above(12.0), above(20.0), above(0.3), above(0.0)
    (20.0, 20.0, 0.5, 1.0)
    """
    if not value > 0:
        return 1.0
    below = round_length(value)
    return below if below >= value * (1 - 1e-9) else next(
        one for one in (round_length(below * f * (1 + 1e-9)) for f in (2.0, 2.5)) if one > below
    )  # fmt: skip


def _bar(axes: Axes, wide: int, factor: float, unit: str, look: Look) -> None:
    """In the lower right corner of the picture, dark around, to be seen on any ground."""
    length = round_length(BAR * wide * factor)
    left, right = axes.get_xlim()
    bottom, top = axes.get_ylim()
    x, y = right - 0.02 * (right - left), bottom - 0.04 * (bottom - top)
    shade = {"boxstyle": "square,pad=0.35", "fc": SHADE, "ec": "none"}
    middle = x - 0.5 * length / factor
    axes.annotate(f"{length:.10g} {symbol(unit)}", (middle, y), (0, 2), textcoords="offset points", ha="center",
                  va="bottom", fontsize=look.font - 1.0, color=ON_PICTURE, bbox=shade, zorder=5)  # fmt: skip
    axes.plot([x - length / factor, x], [y, y], color=ON_PICTURE, lw=2.0 * look.line, zorder=6, label="scale bar")
