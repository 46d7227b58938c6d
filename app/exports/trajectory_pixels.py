"""Where the panels of the figure of trajectories are, when it is drawn straight into pixels."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from app.plots.look import Look
from app.plots.raster import Box, Fillable, Panel, Raster, key, rgb_of

SHARE = 1.15
"""How wide the charts are beside a picture, which has 1."""


class Arranged(NamedTuple):
    """What is to be placed.

    Args:
        wide, high: of the figure, inches.
        width, height: of the clip, px.
        chart: the height of a chart with its numbers, inches, where they are below the picture; 0: they are beside it.
    """

    wide: float
    high: float
    width: int
    height: int
    chart: float


def drawn(
    arranged: Arranged, look: Look, title: str, fill: Callable[[Fillable, tuple[Fillable, Fillable]], object]
) -> Raster:
    """The figure.

    Args:
        arranged: its sizes.
        look: how it looks.
        title: above all.
        fill: told the picture's panel and those of x and y, draws into them.
    """
    figure = Raster(look, arranged.wide, arranged.high)
    letter = figure.px(look.font)
    top, bottom = round(2.2 * letter), round(figure.high - 2.4 * letter)  # below it the key
    axis, between, margin = round(3.2 * letter), round(1.3 * letter), round(0.6 * letter)
    right = round(figure.wide - 2.6 * letter)  # the charts' curves have their numbers there
    first = round(bottom - 2 * figure.dpi * arranged.chart + between) if arranged.chart else top
    middle = (first + bottom - axis) // 2
    heights = (top, first - between - axis if arranged.chart else bottom - axis), (first, middle - between // 2), (
        middle + between // 2, bottom - axis)  # fmt: skip
    picture, x, y = panels = [Panel(figure, Box(0, above, right, below)) for above, below in heights]
    fill(picture, (x, y))
    rooms = picture.left_room() + margin, max(x.left_room(), y.left_room()) + margin
    if arranged.chart:
        start = max(rooms)
        widest, left = right - start, start
    else:
        widest, left = round((right - sum(rooms)) / (1.0 + SHARE)), rooms[0]
    scale = min(widest / arranged.width, picture.bbox.height / arranged.height)
    wide, high = max(1, round(scale * arranged.width)), max(1, round(scale * arranged.height))
    if not arranged.chart:
        start = left + wide + rooms[1]
    picture.bbox = Box(left, top, left + wide, top + high)
    for chart in (x, y):
        chart.bbox = chart.bbox._replace(left=start)
    for panel in panels:
        panel.draw()
    figure.write(title, margin, 1.4 * letter, look.font + 2.0, rgb_of(look.ink))
    key(figure, panels, margin, figure.high - 1.2 * letter)
    return figure
