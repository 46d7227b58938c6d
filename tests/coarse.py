"""Figures, coarse: most tests run a clip or an analysis for its rows, and look at its figure only to see that it was
written. To draw one as people want it takes two thirds of the time of a short run, half of it for pixels that are not
looked at, or for the room that labels take from panels. What figures show, and how they are laid out, is tested where
they are drawn (`app/exports`, `app/plots`). Files whose figures are to be drawn as users' are are marked `sharp`.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from app.exports.drawing import Picture
from app.exports.trajectories import PictureStyle, TrajectoryPicture
from app.plots import figures
from app.plots.look import LIGHT, Look

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COARSE = "FUSETRACK_TESTS_COARSE"
"""A variable that is there where processes that tests start are to draw so, too."""
DPI = 50
"""Pixels an inch, in place of 200."""


class CoarsePicture(TrajectoryPicture):
    """A figure of fewer pixels, laid out as ever."""

    def save(
        self, path: str | os.PathLike[str], background: Picture | None, style: PictureStyle | None = None,
        look: Look = LIGHT,
    ) -> None:  # fmt: skip
        super().save(path, background, style, replace(look, dpi=DPI))


_ENCODED = figures.encoded


def encoded(figure: Figure, suffix: str, look: Look = LIGHT) -> bytes:
    """`figures.encoded` with fewer pixels, and without working out how much room the labels of each panel take."""
    figure.set_layout_engine(None)
    return _ENCODED(figure, suffix, replace(look, dpi=DPI))
