"""Figures of tracks, on axes of the caller's or of a figure of their own."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from app.plots.figures import on
from app.plots.look import LIGHT, Look
from app.plots.words import axis, entitle
from pipelines.features import State

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def axes_for(axes: Axes | None) -> Axes | None:
    """The axes, or new ones of pyplot where a program has it loaded, so that they show where its own figures do."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    if axes is not None or pyplot is None:
        return axes
    made: Axes = pyplot.subplots()[1]
    return made


def plot_tracks(
    rows: npt.NDArray[Any], size: tuple[int, int] | None, axes: Axes | None = None, title: str = "", look: Look = LIGHT
) -> Axes:
    """Draw where tracks went: a line a track over the picture's plane, y down, broken where nothing was seen.

    Args:
        rows: TRACK_DTYPE, sorted by frame.
        size: width and height of the picture, px; None fits what is there.
        axes: where; None for those of a figure of their own.
        title: above; "" for none.
        look: colours and widths.

    Returns:
        The axes.
    """
    high = 0.75 if size is None else min(max(size[1] / size[0], 0.3), 1.5)
    with on(axes, look, high) as axes:
        seen = rows[rows["state"] <= State.TRACKED]
        for number, track in enumerate(np.unique(seen["track"]).tolist()):
            one = seen[seen["track"] == track]
            gap = np.flatnonzero(np.diff(one["frame"]) > max(1, int(np.median(np.diff(one["frame"])))
                                                             if len(one) > 1 else 1)) + 1  # fmt: skip
            x, y = (np.insert(one[name], gap, np.nan) for name in "xy")
            axes.plot(x, y, color=look.colour(number), lw=0.7 * look.line, marker="." if len(one) == 1 else None)
        if size is not None:
            axes.set_xlim(-0.5, size[0] - 0.5)
            axes.set_ylim(size[1] - 0.5, -0.5)
        elif not axes.yaxis_inverted():
            axes.invert_yaxis()
        axes.set_aspect("equal")
        axes.set_xlabel(axis("x", "px"))
        axes.set_ylabel(axis("y", "px"))
        entitle(axes, title, look)
    return axes
