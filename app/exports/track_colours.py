"""The colours of tracks in figures: those of the overlay, dark enough for a light ground where there is one."""

from __future__ import annotations

from collections.abc import Sequence

from app.exports.drawing import Colour
from app.plots.look import DARK, Look

LIGHTEST = 0.28
"""Relative luminance of a line on white, at most: a contrast of 3 (Web Content Accessibility Guidelines, 1.4.11)."""


def hex_of(colour: Colour) -> str:
    """Blue, green, red bytes as matplotlib takes them.

    >>> hex_of((0, 159, 230))
    '#e69f00'
    """
    blue, green, red = colour
    return f"#{red:02x}{green:02x}{blue:02x}"


def seen_on(colours: Sequence[Colour], look: Look, white: bool) -> list[str]:
    """The overlay's colours, in their order, as matplotlib takes them.

    Args:
        colours: of the overlay.
        look: of the figure.
        white: charts beside the picture have these colours, too; on a light ground all of them are then darkened.
    """
    return [hex_of(darkened(colour) if white and look.ink != DARK.ink else colour) for colour in colours]


def darkened(colour: Colour) -> Colour:
    """A colour of the same hue that is seen on white.

    >>> darkened((0, 159, 230)), darkened((230, 140, 70))
    ((0, 132, 191), (230, 140, 70))
    """
    linear = [(v / 255.0) ** 2.2 for v in colour]
    light = 0.0722 * linear[0] + 0.7152 * linear[1] + 0.2126 * linear[2]
    share = min(1.0, LIGHTEST / light)
    blue, green, red = (round(255.0 * (share * v) ** (1 / 2.2)) for v in linear)
    return blue, green, red
