"""Figures of runs, coarse: most tests run a clip for its rows, and look at its figure only to see that it was written.
To draw one as people want it takes two thirds of the time of a short run, half of it for pixels that are not looked at.
What figures show is tested where they are drawn (`app/exports`, `app/plots`). Files whose runs are to draw as users'
runs do are marked `sharp`.
"""

from __future__ import annotations

import os
from dataclasses import replace

from app.exports.drawing import Picture
from app.exports.trajectories import PictureStyle, TrajectoryPicture
from app.plots.look import LIGHT, Look

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
