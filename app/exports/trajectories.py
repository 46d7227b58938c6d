"""One figure of all trajectories: over the clip's background on the left (or on top), x and y against time beside it.

`TrajectoryPicture` takes the rows while they come and holds a bounded number of them (`app.exports.thinning`). What
runs leave, PNG that is for no paper, is drawn without matplotlib (`app.plots.raster`), by the code that fills its axes.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.exports.drawing import Picture, find_levels, to_display
from app.exports.thinning import MOST_ROWS, ThinnedRows
from app.exports.trajectory_charts import plot_coordinates
from app.exports.trajectory_lines import GUESSED, MANY, TrajectoryLines, ramp_beside
from app.exports.trajectory_pixels import Arranged, drawn
from app.files.atomic import write_bytes
from app.plots.bars import key_below
from app.plots.figures import draw, heading, on
from app.plots.look import LIGHT, Look
from app.plots.png import png
from app.plots.raster import Fillable
from kernels.opencv import cv2
from pipelines.features import State, Tracks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GROUND = np.rint(255 * 0.45 * (np.arange(256) / 255) ** 0.7).astype(np.uint8)
"""How the ground's grey levels are shown: dim, so that lines stand out, yet with its dark parts raised."""
ON_PICTURE = "#F5F5F5"
"""Of marks and letters on it."""
PART = 0.6
"""Of a figure's width that the picture has at most where charts are beside it: no pixel more of it could be seen."""
CHART = 0.24
"""Of a figure's width: the height of a chart below the picture (`Look.height`)."""
WIDTH = 11.5
"""Inches of a figure with its charts beside the picture, where it is not for a paper."""


@dataclass(frozen=True, slots=True)
class PictureStyle:
    """What the figure shows.

    Args:
        colour_by: "id", "time", or "" for ids of up to 40 tracks and time beyond.
        title: the first line; the clip's name.
        rgb: True if a colour background is red, green, blue; False for blue, green, red.
        levels: pixel values of the background shown black and white; None: found in it.
        timed: False if the rate is unknown: the charts count frames then.
    """

    colour_by: str = ""
    title: str = ""
    rgb: bool = True
    levels: tuple[float, float] | None = None
    timed: bool = True


class TrajectoryPicture:
    """Collects rows with flat memory and draws them at the end.

    Args:
        width, height: of the clip, px.
        most_rows: rows held (66 bytes each).
    """

    def __init__(self, width: int, height: int, most_rows: int = MOST_ROWS) -> None:
        self._width, self._height = width, height
        self._rows = ThinnedRows(most_rows)

    def add(self, rows: Tracks) -> None:
        """Take rows of TRACK_DTYPE, of any frames; they are copied."""
        self._rows.add(rows)

    def save(
        self, path: str | os.PathLike[str], background: Picture | None, style: PictureStyle | None = None,
        look: Look = LIGHT,
    ) -> None:  # fmt: skip
        """Write the figure (PNG, SVG or PDF).

        Args:
            path: its ending says which.
            background: the mean or the first frame, (height, width) or with channels, any dtype; None for black.
            style: what is shown.
            look: how it looks.

        Raises:
            InputError: the file cannot be written.
        """
        path, shape, chart = Path(path), self._height / self._width, look.height(CHART)
        stacked = self._stacked(look)
        wide = look.width if look.paper or stacked else WIDTH
        high = wide * min(shape, 1.2) + 2 * chart if stacked else wide * max(0.36, 0.44 * min(shape, 1.3))
        high += 0.11 * look.font  # inches: the title, the key, and the numbers of the axis below the picture
        if not by_pixels(look, path.suffix.lower()):
            draw(path, look, high, lambda figure: self.fill(figure, background, style, look), wide)
            return
        style = style or PictureStyle()
        lines = TrajectoryLines(self._rows, style.colour_by, style.timed)
        arranged = Arranged(wide, high, self._width, self._height, chart if stacked else 0.0)
        figure = drawn(arranged, look, _title(lines, style),
                       lambda picture, charts: self._plot(lines, background, picture, charts, style, look))  # fmt: skip
        write_bytes(path, png(figure.pixels, look.dpi))

    def fill(
        self, figure: Figure, background: Picture | None, style: PictureStyle | None = None, look: Look = LIGHT
    ) -> tuple[Axes, Axes, Axes]:
        """Draw into an empty figure; the axes of the picture, of x and of y."""
        style = style or PictureStyle()
        lines = TrajectoryLines(self._rows, style.colour_by, style.timed)
        if self._stacked(look):
            chart = look.height(CHART)
            picture_height = figure.get_figheight() - 2 * chart
            grid = figure.add_gridspec(3, 1, height_ratios=(picture_height, chart, chart))
            picture, x, y = (figure.add_subplot(grid[k, 0]) for k in range(3))
        else:
            grid = figure.add_gridspec(2, 2, width_ratios=(1.0, 1.15))
            picture, x, y = (figure.add_subplot(grid[where]) for where in (np.s_[:, 0], np.s_[0, 1], np.s_[1, 1]))
        self._plot(lines, background, picture, (x, y), style, look)
        key_below(figure, look)
        heading(figure, look, _title(lines, style))
        return picture, x, y

    def _stacked(self, look: Look) -> bool:
        """Whether the charts are below the picture, not beside it."""
        return look.narrow or self._width > 1.8 * self._height

    def _plot(
        self, lines: TrajectoryLines, background: Picture | None, picture: Fillable, charts: tuple[Fillable, Fillable],
        style: PictureStyle, look: Look,
    ) -> None:  # fmt: skip
        """Fill the panels of either kind."""
        plot_over(lines, background, self._width, self._height, picture, style, look, beside=True)
        plot_coordinates(lines, charts, look)


def by_pixels(look: Look, suffix: str = "") -> bool:
    """Whether such a figure is drawn without matplotlib.

    Args:
        look: of the figure.
        suffix: of its file; "" for the look's own.
    """
    return not look.paper and (suffix or look.suffix) == ".png"


def _title(lines: TrajectoryLines, style: PictureStyle) -> str:
    count = f"{len(lines.ids)} track{'' if len(lines.ids) == 1 else 's'}"
    count += f" ({lines.left_out} short ones not drawn)" if lines.left_out else ""
    return f"{style.title}: {count}" if style.title else count


def plot_over(
    lines: TrajectoryLines, background: Picture | None, width: int, height: int, axes: Fillable = None,
    style: PictureStyle | None = None, look: Look = LIGHT, beside: bool = False,
) -> Fillable:  # fmt: skip
    """Draw trajectories over the clip's picture.

    Args:
        lines: what is drawn.
        background, style: as `TrajectoryPicture.save` takes them.
        width, height: of the clip, px.
        axes: where; None for those of a figure of their own.
        look: colours and widths.
        beside: charts are beside it, which have the same colours and tell what those of time are.

    Returns:
        The axes.
    """
    style = style or PictureStyle()
    with on(axes, look, height / width) as axes:
        if background is None:
            shown = np.full((1, 1, 3), 12, np.uint8)
        else:
            shown = to_display(background, style.levels or find_levels([background]), style.rgb)
            most = look.dpi * look.width * (PART if beside and not look.narrow else 1.0)
            if (share := most / max(shown.shape[:2])) < 1.0:  # matplotlib takes 40 bytes for a pixel that it is given
                size = max(1, round(share * shown.shape[1])), max(1, round(share * shown.shape[0]))
                shown = np.asarray(cv2.resize(shown, size, interpolation=cv2.INTER_AREA), np.uint8)
            shown = np.asarray(cv2.LUT(shown, GROUND), np.uint8)[:, :, ::-1]
        axes.imshow(shown, extent=(-0.5, width - 0.5, height - 0.5, -0.5), zorder=0)
        axes.grid(visible=False)
        at = np.stack((lines.line["x"], lines.line["y"]), axis=1).astype(np.float64)
        lines.plot(axes, at, look, white=beside)
        _marks(axes, lines, at, look, beside)
        axes.set_xlim(-0.5, width - 0.5)
        axes.set_ylim(height - 0.5, -0.5)
        axes.set_xlabel("x (px)")
        axes.set_ylabel("y (px)")
        axes.set_anchor("N")
        if lines.by_time and len(lines.t) and not beside:
            ramp_beside(axes, float(lines.t.min()), float(lines.t.max()), lines.label)
    return axes


def _marks(axes: Fillable, lines: TrajectoryLines, at: Picture, look: Look, white: bool) -> None:
    """Where tracks start, end and are lost, their numbers, and what the marks mean."""
    many = len(lines.ids) > MANY
    index, colours = lines.colours_on(look, white=white)
    size = (1.2 if many else 2.6) * look.line
    line = 0.4 * look.line if many else 0.8 * look.line
    axes.scatter(at[lines.starts, 0], at[lines.starts, 1], s=size**2, lw=0, zorder=3,
                 c=[colours[k] for k in index[lines.starts].tolist()])  # fmt: skip
    lost = np.isin(lines.line["track"][lines.ends], lines.rows["track"][lines.rows["state"] == State.LOST])
    for ends, mark, wide in ((lines.ends[~lost], "o", size + 2.0 * line), (lines.ends[lost], "x", size)):
        axes.plot(*at[ends].T, mark, mfc="none", mec=ON_PICTURE, mew=line, ms=wide, zorder=3)
    if not many:
        for last in lines.ends.tolist():
            track = int(lines.line["track"][last])
            axes.annotate(str(track), at[last], (3, 3), textcoords="offset points", fontsize=look.font - 2.5,
                          color=ON_PICTURE, annotation_clip=True, zorder=4)  # fmt: skip
    for style, words in (("o", "start"), ("o", "end"), ("x", "lost"), ("-", "predicted")):
        axes.plot([], [], style, color=look.ink, label=words, ms=2.6 * look.line, mew=0.8 * look.line,
                  alpha=GUESSED if style == "-" else 1.0, mfc="none" if words == "end" else None)  # fmt: skip
