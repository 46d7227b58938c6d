"""The ratios of all measurements as a picture: bars on a logarithmic scale, a panel a number of threads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from app.benchmark.results import Measured, Result
from app.exports.chart import AXIS, GRID
from app.exports.drawing import GREY, PALETTE, WHITE, Colour, text_width
from app.exports.shapes import Box, Drawing, Words, write_drawing

LEFT, TOP, RIGHT, PANEL, GAP, FOOT = 64, 92, 24, 260, 92, 20
BAR, SPACE, LEAST_WIDTH = 11, 16, 760
FORMATS = (".png", ".svg")


def write_plot(path: Path, results: Sequence[Result]) -> None:
    """Write the picture, as its ending says.

    Raises:
        InputError: another ending, or the file cannot be written.
    """
    write_drawing(path, drawing(results))


def drawing(results: Sequence[Result]) -> Drawing:
    """Panels by threads, frames a call and load; in each, groups by chain and size, and in those a bar a contender."""
    names = list(dict.fromkeys(c.name for r in results for c in _drawn(r)))
    colours = {name: PALETTE[k % len(PALETTE)] for k, name in enumerate(names)}
    key = lambda r: (r.threads, r.batch, r.pinned, r.load)  # noqa: E731
    panels = [list(group) for _, group in groupby(sorted(results, key=key), key)]
    ratios = [c.ratio.median for r in results for c in r.contenders if c.ratio is not None]
    low = 10 ** math.floor(math.log10(min([*ratios, 0.9])))
    high = max([*ratios, 2.0]) * 1.25
    widest = max(sum(BAR * _bars(r) + SPACE for r in panel) for panel in panels)
    width = max(LEAST_WIDTH, LEFT + widest + RIGHT)
    parts: list[Box | Words] = [Words(f"times as fast as {results[0].baseline}", LEFT, 30, 17, WHITE)]
    x = float(LEFT)
    y = 56.0
    for name in names:
        need = 44 + text_width(name, 12 / 26)
        if x + need > width - RIGHT:
            x, y = float(LEFT), y + 20
        parts += [Box(x, y - 9, 11, 11, colours[name]), Words(name, x + 17, y, 12, WHITE)]
        x += need
    top = max(float(TOP), y + 36)
    for panel in panels:
        parts += _panel(panel, top, width, low, high, colours)
        top += PANEL + GAP
    return Drawing(width, top - GAP + 44 + FOOT, tuple(parts))


def _drawn(result: Result) -> list[Measured]:
    """The contenders that have a bar: not the baseline, which is the line at 1, and not what does a part only."""
    part = result.part or "\0"
    return [c for c in result.contenders if c.ratio and c.name != result.baseline and not c.name.endswith(part)]


def _bars(result: Result) -> int:
    return len(_drawn(result))


def _panel(
    panel: Sequence[Result], top: float, width: float, low: float, high: float, colours: dict[str, Colour]
) -> list[Box | Words]:
    def at(value: float) -> float:
        share = math.log(value / low) / math.log(high / low)
        return top + PANEL * (1 - min(1.0, max(0.0, share)))

    first = panel[0]
    parts: list[Box | Words] = [Words(first.conditions, LEFT, top - 10, 13, GREY)]
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for value in (m * 10.0**d for d in decades for m in (1, 2, 5)):
        if low <= value <= high:
            parts.append(Box(LEFT, at(value), width - LEFT - RIGHT, 1, GRID))
            parts.append(Words(f"{value:g}", LEFT - 8, at(value) + 4, 11, GREY, 1.0))
    x = LEFT + SPACE / 2
    for chain, group in groupby(panel, lambda r: r.chain):
        start = x
        for result in group:
            middle = x + BAR * _bars(result) / 2
            for c in _drawn(result):
                assert c.ratio is not None
                a, b = sorted((at(c.ratio.median), at(1.0)))
                parts.append(Box(x, a, BAR - 2, max(1.5, b - a), colours[c.name]))
                ends = at(c.ratio.high), at(c.ratio.low)
                if math.isfinite(ends[0] + ends[1]):
                    parts.append(Box(x + BAR / 2 - 1.5, ends[0], 1, max(1.0, ends[1] - ends[0]), WHITE))
                x += BAR
            parts.append(Words(str(result.size), middle, top + PANEL + 16, 11, GREY, 0.5))
            x += SPACE
        parts.append(Words(chain, (start + x - SPACE) / 2, top + PANEL + 34, 12.5, WHITE, 0.5))
    parts.append(Box(LEFT, at(1.0), width - LEFT - RIGHT, 1.5, AXIS))
    return parts
