"""The results as a picture: identity and error by scene, speed by the number of features."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.benchmark.trackers.results import Accuracy, Speed
from app.benchmark.trackers.scenes import Kind
from app.evaluation.axes import Axes, Place, log_span
from app.exports.chart import AXIS, GRID
from app.exports.drawing import GREY, PALETTE, WHITE, Colour, text_width
from app.exports.shapes import Box, Drawing, Shape, Words, write_drawing

ENDINGS = (".png", ".svg")
LEFT, TOP, HIGH, GAP, BAR, SPACE = 76, 96, 170, 92, 12, 26
WIDE = 430


def write_plot(path: Path, accuracies: Sequence[Accuracy], speeds: Sequence[Speed]) -> None:
    """Write the picture, as its ending says.

    Raises:
        InputError: the file cannot be written.
    """
    write_drawing(path, drawing(accuracies, speeds))


def drawing(accuracies: Sequence[Accuracy], speeds: Sequence[Speed]) -> Drawing:
    """Bars of HOTA and RMSE for things, of RMSE for points, lines of ms a frame."""
    names = list(dict.fromkeys([r.contender for r in accuracies] + [r.contender for r in speeds]))
    colours = {name: PALETTE[k % len(PALETTE)] for k, name in enumerate(names)}
    parts: list[Shape] = [Words("trackers and their peers", LEFT, 30, 17, WHITE)]
    x, y = float(LEFT), 58.0
    for name in names:
        need = 36 + text_width(name, 12 / 26)
        if x + need > LEFT + 2 * WIDE + GAP:
            x, y = float(LEFT), y + 20
        parts += [Box(x, y - 9, 11, 11, colours[name]), Words(name, x + 17, y, 12, WHITE)]
        x += need
    top, right = max(float(TOP), y + 46), float(LEFT + 2 * WIDE + GAP)
    panels: list[tuple[str, Kind, Callable[[Accuracy], float], bool]] = [
        ("HOTA (larger is better)", "things", lambda r: r.hota, False),
        ("RMSE of things, px (smaller is better)", "things", lambda r: r.rmse, True),
        ("RMSE of points, px (smaller is better)", "points", lambda r: r.rmse, True),
    ]
    for title, kind, value, log in panels:
        shown = [r for r in accuracies if r.kind == kind and math.isfinite(value(r))]
        if shown:
            more, end = _bars(shown, title, value, colours, top, log)
            parts += more
            right, top = max(right, end), top + HIGH + GAP
    kinds: list[Kind] = [kind for kind in ("things", "points") if any(s.kind == kind and s.rounds for s in speeds)]
    for column, kind in enumerate(kinds):
        parts += _speeds([s for s in speeds if s.kind == kind and s.rounds], kind, colours,
                         Place(LEFT + column * (WIDE + GAP), top, WIDE, 1.3 * HIGH))  # fmt: skip
    if kinds:
        top += 1.3 * HIGH + GAP
    return Drawing(right + 28, top - GAP + 60, tuple(parts))


def _bars(
    shown: Sequence[Accuracy], title: str, value: Callable[[Accuracy], float], colours: dict[str, Colour], top: float,
    log: bool,
) -> tuple[list[Shape], float]:  # fmt: skip
    scenes = list(dict.fromkeys(r.scene for r in shown))
    widths = [max(BAR * sum(r.scene == scene for r in shown), text_width(scene, 11 / 26)) + SPACE for scene in scenes]
    values: npt.NDArray[Any] = np.array([value(r) for r in shown])
    low, high = log_span(values) if log else (0.0, 1.0)
    place = Place(LEFT, top, sum(widths), HIGH)
    axes = Axes(place, title, "", "", (0.0, 1.0), (low / 1.5 if log else low, high), "y" if log else "")
    # The axis across has scenes, no numbers.
    axes.parts = [part for part in axes.parts if not _across(part, place)]
    x = float(LEFT)
    for scene, width in zip(scenes, widths, strict=True):
        mine = [r for r in shown if r.scene == scene]
        at = x + (width - BAR * len(mine)) / 2
        for r in mine:
            level = float(axes.at(0.0, value(r))[1])
            axes.parts.append(Box(at, level, BAR - 2, max(1.5, top + HIGH - level), colours[r.contender]))
            at += BAR
        axes.parts.append(Words(scene, x + width / 2, top + HIGH + 16, 11, GREY, 0.5))
        x += width
    axes.parts.append(Box(LEFT, top + HIGH, sum(widths), 1.2, AXIS))
    return axes.parts, x


def _across(part: Shape, place: Place) -> bool:
    below = isinstance(part, Words) and part.y > place.y + place.height + 8
    return below or (isinstance(part, Box) and part.width < 1 and part.colour == GRID)


def _speeds(speeds: Sequence[Speed], kind: str, colours: dict[str, Colour], place: Place) -> list[Shape]:
    counts = np.array([s.features for s in speeds], float)
    every = np.array([v for s in speeds for v in (s.low, s.high)])
    axes = Axes(place, f"speed: {kind}, 512 x 512", f"{kind} in the picture", "ms a frame", log_span(counts),
                log_span(every), "xy")  # fmt: skip
    for name in dict.fromkeys(s.contender for s in speeds):
        mine = sorted((s for s in speeds if s.contender == name), key=lambda s: s.features)
        x = np.array([float(s.features) for s in mine])
        axes.line(x, [s.ms for s in mine], colours[name], 1.5)
        axes.dots(x, [s.ms for s in mine], colours[name], 2.6)
        axes.bars(x, np.array([s.low for s in mine]), np.array([s.high for s in mine]), colours[name])
    return axes.parts
