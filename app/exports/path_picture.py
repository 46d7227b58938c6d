"""The paths of tracks over the picture they were seen in, coloured by track, speed or time, with a scale bar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from app.exports.drawing import DARK, GREY, WHITE, Colour
from app.exports.scale import Scale, Units, round_length
from app.exports.shapes import Box, Dots, Drawing, Line, Raster, Shape, Words
from app.exports.thinning import ThinnedRows
from app.exports.trajectory_lines import MANY, TIME_COLOURS, TrajectoryLines, dimmed, time_colours

By = Literal["track", "speed", "time"]
BY: tuple[By, ...] = ("track", "speed", "time")
MOST_ROWS = 60_000
"""Rows that are drawn: of more, those that make the lines what they are (`app.exports.thinning`)."""
LONG = 960
"""Units of the picture's longer side."""
LEFT, TOP, BELOW = 24, 44, 52
GROUND = 0.75
"""Part of the picture's light, so that lines stand out."""
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
        timed: False where nobody knows the rate: speeds are px a frame then.
        names: what tracks are called, by their number.
    """

    by: By = "track"
    title: str = ""
    scale: Scale | None = None
    timed: bool = True
    names: Mapping[int, str] = field(default_factory=dict)


def path_drawing(held: ThinnedRows, ground: Pixels, corner: tuple[int, int], style: PathStyle) -> Drawing:
    """The picture.

    Args:
        held: the rows, px of the whole picture.
        ground: (height, width, 3) blue, green, red.
        corner: x and y of its first pixel in the whole picture.
        style: how it looks.
    """
    lines = TrajectoryLines(held, "id" if style.by == "track" else style.by, style.timed)
    high, wide = ground.shape[:2]
    zoom = LONG / max(high, wide)
    width, height = wide * zoom, high * zoom
    at = np.stack((lines.line["x"] - corner[0], lines.line["y"] - corner[1]), axis=1).astype(np.float64)
    inside = np.asarray(((at >= -0.5) & (at <= (wide - 0.5, high - 0.5))).all(axis=1))
    at = np.where(inside[:, None], (at + 0.5) * zoom + (LEFT, TOP), np.nan)
    dark = np.rint(ground * GROUND).astype(np.uint8)
    parts: list[Shape] = [Raster(LEFT, TOP, width, height, dark)]
    units = Units(style.scale.unit if style.scale else "px", "s" if lines.unit != "frame" else "frame")
    factor = style.scale.factor if style.scale is not None else 1.0
    top = above(lines.top_speed * factor)
    index, colours = lines.colours(lines.by, top / factor)
    thin = len(lines.ids) > MANY
    for k, guessed, steps in lines.steps(index, len(colours)):
        if len(steps):
            parts.append(Line(_chained(at, steps), dimmed(colours[k], guessed), 0.8 if thin else 1.4))
    if len(lines.alone):
        parts += [Dots(at[lines.alone][index[lines.alone] == k], colour, 1.2) for k, colour in enumerate(colours)]
    for last in lines.ends.tolist():
        x, y = at[last].tolist()
        if not inside[last]:
            continue
        parts.append(Dots(at[last][None], colours[index[last]], 1.6 if thin else 3.0))
        if not thin:
            track = int(lines.line["track"][last])
            right = x < LEFT + width - 60
            words = style.names.get(track, str(track))
            parts.append(Words(words, x + (6 if right else -6), y - 5, 12, WHITE, 0.0 if right else 1.0))
    parts += _bar(width, height, zoom, factor, units.length)
    count = f"{len(lines.ids)} track{'' if len(lines.ids) == 1 else 's'}"
    count += f" ({lines.left_out} short ones not drawn)" if lines.left_out else ""
    parts += [Words(style.title, LEFT, 28, 15, WHITE), Words(count, LEFT + width, 28, 12, GREY, 1.0)]
    base = TOP + height + 30
    if lines.by == "speed":
        parts += _ramp(base, f"0 to {top:g} {units.speed}")
    elif lines.by == "time" and len(lines.t):
        unit = "" if lines.unit == "frame" else f" {lines.unit}"
        words = f"{'' if unit else 'frame '}{lines.t.min():.4g} to {lines.t.max():.4g}{unit}"
        parts += _ramp(base, words)
    else:
        parts.append(Words("one colour a track; dots: their ends; dim: guessed", LEFT, base, 12, GREY))
    return Drawing(round(2 * LEFT + width), round(TOP + height + BELOW), tuple(parts))


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


def _chained(at: npt.NDArray[np.float64], steps: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
    """The points of steps, those that follow one another in one piece, with NaN between pieces."""
    broken = np.full((1, 2), np.nan)
    runs = np.split(steps, np.flatnonzero(np.diff(steps) != 1) + 1)
    return np.concatenate([part for run in runs for part in (at[run[0] : run[-1] + 2], broken)])


def _ramp(base: float, words: str) -> list[Shape]:
    boxes: list[Shape] = [Box(LEFT + 5 * k, base - 10, 5, 10, colour) for k, colour in enumerate(time_colours())]
    return [*boxes, Words(words, LEFT + 5 * TIME_COLOURS + 10, base, 12, GREY)]


def _bar(width: float, height: float, zoom: float, factor: float, unit: str) -> list[Shape]:
    """In the lower right corner of the picture, dark around, to be seen on any ground."""
    length = round_length(BAR * width / zoom * factor)
    long = length / factor * zoom
    x, y = LEFT + width - 16 - long, TOP + height - 18
    edge: Colour = DARK
    return [
        Box(x - 6, y - 20, long + 12, 30, edge), Box(x, y, long, 3, WHITE),
        Words(f"{length:.10g} {unit}", x + long / 2, y - 5, 12, WHITE, 0.5),
    ]  # fmt: skip
