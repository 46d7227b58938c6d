"""`fusetrack.motion`: what the command of this name says, of runs, tables and tracks in memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.analysis.kinematics import Kinematics, Wanted, kinematics_of
from app.analysis.kinematics_figure import FIGURE, draw_kinematics, plot_speeds
from app.analysis.kinematics_files import fits_of, report, row_columns, rows_of, write_kinematics
from app.files.atomic import make_folder
from app.plots.look import LIGHT
from kernels.errors import ArgumentError
from pipelines.analysis.curve_fits import MODELS
from pipelines.analysis.ground import GROUNDS, Ground

from .analysis import Analysis, Out, believed, columns_of, rate_of, scale_of
from .figures import axes_for
from .wording import for_python

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Motion(Analysis):
    """How tracks move.

    Attributes:
        table: a row a place: smoothed x, y, velocities, accelerations with sigma, speed.
        window, order: of the polynomials: s, and their degree.
        fits: one a curve, as in fits.json: model, track or measure, parameters with value, standard error and unit.
        found: everything, as `app.analysis.kinematics.Kinematics`.
    """

    def __init__(self, found: Kinematics, name: str) -> None:
        self.found = found
        self.window, self.order = found.window.width, found.window.order
        self.fits = fits_of(found)
        lines = [line for line in report(found) if not line.startswith("note ")]
        super().__init__(columns_of(row_columns(found), rows_of(found)), lines, found.notes, name)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw speeds over time; `ax` as in `Tracks.plot`."""
        return plot_speeds(self.found, axes_for(ax), self.name)


@for_python
def motion(
    tracks: Any, *, fit: str | Sequence[str] = (), window: float | None = None, order: int | None = None,
    only: Sequence[int] = (), reference: Sequence[int] = (), ground: Ground | None = None,
    distances: Sequence[tuple[int, int]] = (), angles: Sequence[Sequence[int]] = (), least: int = 5,
    fps: float | None = None, scale: str | None = None, out: Out = False,
) -> Motion:  # fmt: skip
    """Smoothed velocities, accelerations, distances and angles, fits with errors (`fusetrack motion --help` says how).

    Args:
        tracks: Tracks, a run's folder, a table (CSV, Parquet), a DataFrame, or an array of columns.
        fit: line, parabola, sine, damped-sine, two-damped-sines, exponential or circle, or several of them.
        window, order: s and degree of the polynomials; None for what suits.
        only: these tracks.
        reference: tracks fixed to a ground whose motion is taken away.
        ground: how that moves: shift, rigid or similarity.
        distances: pairs of tracks. angles: pairs, or three with the vertex in the middle.
        least: tracks seen in fewer frames are left out.
        fps: frames a second, in place of the times.
        scale: how long a pixel is, such as "0.12 mm/px".
        out: a folder for the command's tables and figure; False writes nothing.

    Raises:
        InputError: the tracks do not tell, or nothing can be written.
    """
    models = (fit,) if isinstance(fit, str) else tuple(fit)
    for model in models:
        if model not in MODELS:
            raise ArgumentError(f"fit takes {', '.join(MODELS)}, not {model!r}")
    if ground is not None and ground not in GROUNDS:
        raise ArgumentError(f"ground takes {', '.join(GROUNDS)}, not {ground!r}")
    if least < 1 or (window is not None and not window > 0) or (order is not None and not 1 <= order <= 6):
        raise ArgumentError("least is 1 or more, window a time in seconds, order 1 to 6")
    if any(len(pair) != 2 for pair in distances) or any(len(of) not in (2, 3) for of in angles):
        raise ArgumentError("distances are pairs of tracks, angles pairs or three of them")
    taken, rows = believed(tracks)
    wanted = Wanted(
        tracks=tuple(only), least=least, width=window, order=order, references=tuple(reference),
        ground=ground or ("shift" if len(reference) == 1 else "rigid"), distances=tuple((a, b) for a, b in distances),
        angles=tuple(tuple(of) for of in angles), models=models,
    )  # fmt: skip
    found = kinematics_of(rows, wanted, fps=rate_of(fps), timed=taken.timed, scale=scale_of(scale))
    if out is not False:
        folder = make_folder(Path(out))
        write_kinematics(folder, found)
        draw_kinematics(folder / LIGHT.name(FIGURE), found, f"{taken.name or 'tracks'}: motion")
    return Motion(found, taken.name)
