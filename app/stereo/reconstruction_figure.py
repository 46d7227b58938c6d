"""The figure of things in space: three views, and x, y, z over time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from app.plots.figures import draw, heading, panel
from app.plots.look import LIGHT, Look
from app.plots.words import axis, entitle
from pipelines.stereo.camera_model import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIGURE = "places"
VIEWS = (("from the front", 0, 1), ("from above", 0, 2), ("from the side", 2, 1))
MOST = 12
"""Things whose coordinates are drawn over time: those seen longest."""


class Things(Protocol):
    """What is drawn of an `app.stereo.reconstruction.Reconstruction`."""

    @property
    def unit(self) -> str: ...
    @property
    def timed(self) -> bool: ...
    @property
    def down(self) -> bool: ...
    @property
    def thing(self) -> npt.NDArray[np.int64]: ...
    @property
    def time(self) -> Array: ...
    @property
    def places(self) -> Array: ...


def draw_reconstruction(path: Path, found: Things, title: str, look: Look = LIGHT) -> None:
    """Write the figure (PNG, SVG or PDF); `title` is that of what was followed.

    Raises:
        InputError: the file cannot be written.
    """
    columns = 1 if look.narrow else 2

    def fill(figure: Figure) -> None:
        grid = figure.subplots(6 // columns, columns, squeeze=False)
        left, right = (grid[:, 0], grid[:, 1]) if columns == 2 else (grid[:3, 0], grid[3:, 0])
        for axes, (name, across, up) in zip(left, VIEWS, strict=True):
            _view(axes, found, name, across, up, look)
        for axes, along in zip(right, range(3), strict=True):
            _over_time(axes, found, along, look)
        heading(figure, look, f"{title}: places in space")

    draw(path, look, 3 * look.height(0.27 if columns == 2 else 1.0), fill)


def _view(axes: Axes, found: Things, name: str, across: int, up: int, look: Look) -> None:
    for number in np.unique(found.thing):
        mine = found.places[found.thing == number]
        axes.plot(mine[:, across], mine[:, up], "-", lw=0.6 * look.line, color=look.colour(int(number)))
        axes.plot(mine[-1:, across], mine[-1:, up], "o", ms=1.6 * look.line, color=look.colour(int(number)))
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(axis("xyz"[across], found.unit))
    axes.set_ylabel(axis("xyz"[up], found.unit))
    if found.down:
        entitle(axes, name, look, always=True)
        if up == 1:
            axes.invert_yaxis()


def _over_time(axes: Axes, found: Things, along: int, look: Look) -> None:
    numbers, counts = np.unique(found.thing, return_counts=True)
    for number in numbers[np.argsort(-counts, kind="stable")][:MOST]:
        mine = found.thing == number
        axes.plot(found.time[mine], found.places[mine, along], "-", lw=0.6 * look.line, color=look.colour(int(number)))
    axes.set_xlabel(axis("time", "s" if found.timed else "frames"))
    axes.set_ylabel(axis("xyz"[along], found.unit))


@panel
def plot_above(found: Things, axes: Axes, look: Look) -> None:
    """Draw things from above: x, and z away from the first camera."""
    _view(axes, found, "", 0, 2, look)
