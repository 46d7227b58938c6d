"""The paths of tracks over the first of the frames, as PNG, SVG or PDF."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.exports.drawing import find_levels, to_display
from app.exports.formats.mosaic import plain
from app.exports.frame_stack import FrameStack
from app.exports.path_picture import MOST_ROWS, By, PathStyle, draw_paths
from app.exports.scale import Scale
from app.exports.thinning import ThinnedRows
from app.plots.figures import check_figure
from app.plots.look import LIGHT, Look
from kernels.errors import InputError
from pipelines.features import Tracks


def write_paths(
    stack: FrameStack, path: Path, rows: Tracks | None, numbers: npt.NDArray[np.int64] | None = None,
    scale: Scale | None = None, by: By = "track", names: Mapping[int, str] | None = None, look: Look = LIGHT,
) -> None:  # fmt: skip
    """The picture; of the rows those in the frames of the stack.

    Args:
        stack: the frames.
        path: .png, .svg or .pdf.
        rows: TRACK_DTYPE in px of the whole picture.
        numbers: by which number `rows` knows each frame of the clip; None for its index.
        scale: how long a pixel is.
        by: what colours tell.
        names: what tracks are called.
        look: how it looks.

    Raises:
        InputError: there are no tracks, another ending, or the file cannot be written.
    """
    check_figure(path, "--to paths")
    if rows is None or not len(rows):
        raise InputError("there are no tracks whose paths could be drawn; `fusetrack run` finds some")
    first = plain(next(iter(stack)), stack.mosaic)
    keys = np.arange(stack.first, stack.end) if numbers is None else numbers[stack.first : stack.end]
    held = ThinnedRows(MOST_ROWS)
    chosen = rows[np.isin(rows["frame"], keys)]
    held.add(chosen[np.argsort(chosen["frame"], kind="stable")])
    corner = (0, 0) if stack.roi is None else stack.roi[:2]
    style = PathStyle(by, stack.info.name, scale, stack.fps > 0, names or {})
    ground = to_display(first, find_levels([first]))
    draw_paths(path, held, ground, corner, style, look)
    if stack.progress is not None:
        stack.progress.advance(len(stack), 0)
