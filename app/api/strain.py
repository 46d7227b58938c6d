"""`fusetrack.strain`: what the command of this name says, of runs, tables and tracks in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from app.analysis.strain import QUANTITIES, StrainField, StrainOptions, parse_extensometer, strain_of
from app.analysis.strain_figure import FIGURE, draw_strain, plot_map, plot_over_time
from app.analysis.strain_files import frame_columns, frame_rows, point_columns, point_tables, report, write_strain
from app.analysis.strain_vtk import write_vtk
from app.files.atomic import make_folder
from app.plots.look import LIGHT
from kernels.errors import ArgumentError
from pipelines.analysis.strain import MEASURES, NAMES, Measure

from .analysis import Analysis, Out, believed, columns_of, rate_of, scale_of
from .figures import axes_for
from .wording import for_python

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = npt.NDArray[Any]


class Strain(Analysis):
    """Displacement and strain of points.

    Attributes:
        table: a row a frame: points seen and left out; mean, spread, sigma, least and largest of each strain.
        tracks: (P,) ids of the points. points: (P, 2) where they are in the reference frame, px.
        frames: (F,) their numbers. times: (F,) s.
        displacement: (F, P, 2) px; NaN where a point was not seen.
        gauge_length: over which strains are means, px (or the unit of `scale`).
        extensometers: by name (length, strain, sigma of the strain), each (F,).
        found: everything, as `app.analysis.strain.StrainField`.
    """

    def __init__(self, found: StrainField, name: str) -> None:
        self.found = found
        self.tracks: Array = found.moved.tracks
        self.points: Array = found.moved.points
        self.frames: Array = found.moved.frames
        self.times: Array = found.moved.times
        self.displacement: Array = found.moved.moved
        self.gauge_length: float = found.gauge_length
        self.extensometers: dict[str, tuple[Array, Array, Array]] = {
            one.name: (one.length * found.factor, one.strain, one.sigma) for one in found.extensions
        }
        lines = [line for line in report(found) if not line.startswith("note ")]
        super().__init__(columns_of(frame_columns(found), frame_rows(found)), lines, found.notes, name)

    def field(self, quantity: str, frame: int) -> Array:
        """(P,) u, v, magnitude (px or the unit of `scale`), exx, eyy, exy, e1, e2 or von_mises of the points in a frame
        (its number); NaN where it is not known."""
        return self.found.values(_known(quantity), self._at(frame))

    def sigma(self, quantity: str, frame: int) -> Array:
        """(P,) the standard uncertainty of a strain in a frame."""
        if quantity not in NAMES:
            raise ArgumentError(f"sigma is of {', '.join(NAMES)}, not {quantity!r}")
        return np.asarray(self.found.strains(self._at(frame)).sigmas[NAMES.index(quantity)])

    def per_point(self) -> dict[str, Array]:
        """A row a frame and point, by the columns of strain.parquet."""
        parts = zip(*point_tables(self.found), strict=True)
        return {name: np.concatenate(part) for (name, _, _), part in zip(point_columns(self.found), parts, strict=True)}

    def plot(self, quantity: str = "von_mises", frame: int | None = None, ax: Axes | None = None) -> Axes:
        """Draw a field of a frame (None: the one with the largest strain), or with "time" the mean strains over time;
        `ax` as in `Tracks.plot`."""
        if quantity == "time":
            return plot_over_time(self.found, axes_for(ax), self.name)
        k = self.found.hardest if frame is None else self._at(frame)
        return plot_map(self.found, _known(quantity), k, axes_for(ax), self.name)

    def _at(self, frame: int) -> int:
        near = np.flatnonzero(self.frames == frame)
        if not len(near):
            raise ArgumentError(f"there is no frame {frame}; there are {self.frames[0]} to {self.frames[-1]}")
        return int(near[0])


def _known(quantity: str) -> str:
    if quantity not in QUANTITIES:
        raise ArgumentError(f"a field is {', '.join(QUANTITIES)}, not {quantity!r}")
    return quantity


@for_python
def strain(
    tracks: Any, *, window: int = 5, measure: Measure = "green-lagrange", subset: float | None = None,
    extensometers: Sequence[str] = (), fps: float | None = None, scale: str | None = None, out: Out = False,
) -> Strain:  # fmt: skip
    """Displacement and strain of many points by least squares over neighbours, with errors (`fusetrack strain --help`
    says how).

    >>> tracks = fusetrack.track(clip, "template", points=fusetrack.grid(12))        # doctest: +SKIP
    >>> found = fusetrack.strain(tracks)                                             # doctest: +SKIP
    >>> found.field("exx", frame=80), found.gauge_length                             # doctest: +SKIP

    Args:
        tracks: Tracks, a run's folder, a table (CSV, Parquet), a DataFrame, or an array of columns. Their first frame
            is the reference.
        window: points along a side of the windows in which planes are fitted, odd.
        measure: green-lagrange, small or hencky.
        subset: side of the windows of pixels that points were followed with, px; None for what the tracks tell.
        extensometers: lengths that are followed besides: "3,57" (tracks), "gauge=circle:100,256,40 to
            circle:400,256,40" (the means of all points in two areas).
        fps: frames a second, in place of the times.
        scale: how long a pixel is, such as "0.05 mm/px".
        out: a folder for the command's tables, figure and files for ParaView; False writes nothing.

    Raises:
        InputError: the tracks do not tell, or nothing can be written.
    """
    if measure not in MEASURES:
        raise ArgumentError(f"measure takes {', '.join(MEASURES)}, not {measure!r}")
    if subset is not None and not subset >= 1:
        raise ArgumentError(f"subset is the side of a window in px, 1 or more, not {subset!r}")
    taken, rows = believed(tracks)
    given = [extensometers] if isinstance(extensometers, str) else extensometers
    options = StrainOptions(window, measure, subset, None, tuple(map(parse_extensometer, given)))
    found = strain_of(rows, options, fps=rate_of(fps), timed=taken.timed, scale=scale_of(scale), subset=taken.subset)
    if out is not False:
        folder = make_folder(Path(out))
        write_strain(folder, found)
        write_vtk(folder, found)
        draw_strain(folder / LIGHT.name(FIGURE), found, f"{taken.name or 'tracks'}: strain")
    return Strain(found, taken.name)
