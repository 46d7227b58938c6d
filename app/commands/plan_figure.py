"""The Pareto front of a plan as a picture: bytes, near memory and operations of each plan against its latency."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from app.evaluation.axes import Axes, Place, log_span
from app.exports.drawing import GREY, PALETTE, WHITE
from app.exports.shapes import Drawing, Shape, Words, write_drawing
from pipelines.planning.pareto import Point, point
from pipelines.planning.plan import Plan

WIDTH, HEIGHT, LEFT, GAP, TOP = 300, 300, 84, 96, 96
QUANTITIES = (("bytes", 1e6, "traffic (MB a frame)"), ("on_chip", 1e3, "near memory (kB)"),
              ("operations", 1e6, "operations (millions a frame)"))  # fmt: skip
ROOM = 1.6
"""The axis of latency goes on by this factor, so that there is room for numbers beside the last dots."""
FRONT, CHOSEN = PALETTE[0], PALETTE[1]


def draw_front(path: Path, points: Sequence[Point], plan: Plan, title: str) -> None:
    """Write the picture (PNG or SVG), axes logarithmic.

    Raises:
        InputError: another ending, or the file cannot be written.
    """
    write_drawing(path, drawing(points, plan, title))


def drawing(points: Sequence[Point], plan: Plan, title: str) -> Drawing:
    """A panel a quantity; a plan is a dot in each, the number beside it that of its groups."""
    parts: list[Shape] = [Words(title, LEFT, 34, 15, WHITE),
                          Words("each dot is a plan of which no other is better in all four; beside it its number of "
                                "kernels, frames a batch", LEFT, 54, 11.5, GREY)]  # fmt: skip
    latency = 1e3 * np.array([p.latency for p in points])
    own = point(plan)
    low, high = log_span(np.append(latency, 1e3 * own.latency))
    for k, (name, unit, label) in enumerate(QUANTITIES):
        values = np.array([getattr(p, name) / unit for p in points])
        place = Place(LEFT + k * (WIDTH + GAP), TOP, WIDTH, HEIGHT)
        every = np.append(values, getattr(own, name) / unit)
        axes = Axes(place, "", "latency (ms)", label, (low, ROOM * high), log_span(every), "xy")
        axes.dots(latency, values, FRONT, 4.0)
        axes.dots([1e3 * own.latency], every[-1:], CHOSEN, 5.0)
        axes.key((("front", FRONT), ("chosen", CHOSEN)))
        taken: list[tuple[float, float]] = []
        for (x, y), p in zip(axes.at(latency, values), points, strict=True):
            if all(abs(x - a) > 30 or abs(y - b) > 12 for a, b in taken):
                axes.parts.append(Words(f"{len(p.plan.groups)}, {p.plan.batch}", x + 8, y - 5, 10, GREY))
                taken.append((x, y))
        parts += axes.parts
    return Drawing(LEFT + 3 * WIDTH + 2 * GAP + 28, TOP + HEIGHT + 56, tuple(parts))
