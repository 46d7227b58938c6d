"""The share of the peak that everyone reaches, as a picture on white: a panel a number of threads, bars by network."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from app.benchmark.networks.contender import FRAME
from app.benchmark.networks.results import Measured, NetworkResult
from app.exports.chart import ticks
from app.exports.drawing import Colour, text_width
from app.exports.shapes import Box, Drawing, Shape, Upright, Words, write_drawing

FORMATS = (".png", ".svg")
PAPER: Colour = (255, 255, 255)
INK: Colour = (20, 20, 20)
DIM: Colour = (90, 90, 90)
LINES: Colour = (222, 222, 222)
# Okabe and Ito, Color Universal Design (2008); ours is black.
COLOURS: tuple[Colour, ...] = (INK, (0, 159, 230), (115, 158, 0), (178, 114, 0), (167, 121, 204), (0, 94, 213),
                               (233, 180, 86))  # fmt: skip
LEFT, TOP, RIGHT, PANEL, GAP, SPACE, LEAST_WIDTH = 64, 84, 20, 230, 34, 12, 640
BARS = 7, 16
"""The narrowest and the widest."""
LABEL = 10.5


def write_plot(path: Path, results: Sequence[NetworkResult]) -> None:
    """Write the picture, as its ending says.

    Raises:
        InputError: the file cannot be written.
    """
    write_drawing(path, drawing(results))


def drawing(results: Sequence[NetworkResult]) -> Drawing:
    """Bars up to the share of the f32 peak by what decides (`NetworkResult.times`), with the quartiles of the clock's
    times as a line; networks whose multiply-adds are not known have none."""
    key = lambda r: (r.threads, r.load, r.pinned)  # noqa: E731
    panels = [list(group) for _, group in groupby(sorted((r for r in results if r.macs), key=key), key)]
    names = list(dict.fromkeys(c.name for panel in panels for r in panel for c in _drawn(r)))
    colours = {name: COLOURS[k % len(COLOURS)] for k, name in enumerate(names)}
    high = max([1.0, *(r.of_peak(c) for panel in panels for r in panel for c in _drawn(r))]) * 1.04
    counts = [(sum(len(_drawn(r)) for r in panel), SPACE * len(panel)) for panel in panels]
    room = LEAST_WIDTH - LEFT - RIGHT
    bar = min([float(BARS[1]), *(max(BARS[0], (room - spaces) / max(1, bars)) for bars, spaces in counts)])
    width = max([LEAST_WIDTH, *(LEFT + RIGHT + bar * bars + spaces for bars, spaces in counts)])
    foot = 16 + max([0.0, *(text_width(_label(r), LABEL / 26) for panel in panels for r in panel)])
    title = "multiply-adds a second, % of the f32 peak measured in the same run"
    parts: list[Shape] = [Words(title, LEFT, 26, 14, INK)]
    x, y = float(LEFT), 50.0
    for name in names:
        need = 34 + text_width(name, 12 / 26)
        if x + need > width - RIGHT:
            x, y = float(LEFT), y + 18
        parts += [Box(x, y - 9, 10, 10, colours[name]), Words(name, x + 15, y, 12, INK)]
        x += need
    top = max(float(TOP), y + 34)
    for panel in panels:
        parts += _panel(panel, top, width, high, bar, colours)
        top += PANEL + foot + GAP
    return Drawing(width, top, tuple(parts), PAPER)


def _drawn(result: NetworkResult) -> list[Measured]:
    return [c for c in result.contenders if c.name != FRAME and not c.wrong]


def _label(result: NetworkResult) -> str:
    told = result.kind == "f32" or result.kind in result.network
    return result.network if told else f"{result.network}, {result.kind}"


def _panel(
    panel: Sequence[NetworkResult], top: float, width: float, high: float, bar: float, colours: dict[str, Colour]
) -> list[Shape]:
    def at(share: float) -> float:
        return top + PANEL * (1 - min(high, max(0.0, share)) / high)

    parts: list[Shape] = [Words(panel[0].conditions, LEFT, top - 8, 12, DIM)]
    for percent in ticks(0.0, 100 * high, 6):
        parts += [Box(LEFT, at(percent / 100), width - LEFT - RIGHT, 0.7, LINES),
                  Words(f"{percent:.0f}", LEFT - 7, at(percent / 100) + 4, 11, DIM, 1.0)]  # fmt: skip
    parts.append(Box(LEFT, at(1.0), width - LEFT - RIGHT, 1.0, DIM))
    x = LEFT + SPACE / 2
    for result in panel:
        start = x
        for c in _drawn(result):
            level = at(result.of_peak(c))
            parts.append(Box(x, level, bar - 1, max(1.0, top + PANEL - level), colours[c.name]))
            assert result.macs is not None
            ends = [at(result.macs / seconds / (result.peak * result.threads)) for seconds in (c.wall.low, c.wall.high)]
            if all(map(math.isfinite, ends)):
                parts.append(Box(x + bar / 2 - 1, ends[0], 1, max(1.0, ends[1] - ends[0]), (150, 150, 150)))
            x += bar
        words = _label(result)
        below = top + PANEL + 8 + text_width(words, LABEL / 26) / 2
        parts.append(Upright(words, (start + x) / 2, below, LABEL, INK))
        x += SPACE
    parts.append(Box(LEFT, top + PANEL, width - LEFT - RIGHT, 1.0, INK))
    return parts
