"""Spectra that a tracker leaves: a table, and a figure of motion and noise against frequency."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from app.exports.scale import Scale
from app.files.atomic import write_bytes
from app.plots.bars import key_below
from app.plots.figures import draw, heading, sheet, styled
from app.plots.look import LIGHT, Look
from app.plots.scales import log_x, log_y
from app.plots.words import axis, literal
from pipelines.trackers.registration.spectra.welch import amplitude_errors

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Rows = npt.NDArray[Any]
DENSITIES = ("x", "y", "noise_x", "noise_y")
LONGEST = 16  # letters of a name in the picture
MOST = 8  # points that are drawn: those that move most


def write_spectra(
    path: str | os.PathLike[str], rows: Rows, scale: Scale | None = None, names: Mapping[int, str] | None = None
) -> None:
    """Write rows of `pipelines.trackers.vibration.SPECTRA_DTYPE`, with the standard errors of motion, as CSV.

    Args:
        scale: how long a pixel is; densities are lengths then, and the columns' names say so.
        names: what tracks are called; a column `name` has them.

    Raises:
        InputError: the file cannot be written.
    """
    unit = scale.unit if scale is not None else "px"
    rows = physical_spectra(rows, scale)
    head = ["track", *(["name"] if names else []), "frequency_hz", *(f"{n}_{unit}_per_sqrt_hz" for n in DENSITIES),
            "pieces", *(f"{n}_sigma_{unit}_per_sqrt_hz" for n in "xy")]  # fmt: skip
    columns: list[list[str]] = [[str(track) for track in rows["track"].tolist()]]
    if names:
        columns.append([names.get(track, "") for track in rows["track"].tolist()])
    columns.append([f"{value:.6g}" for value in rows["frequency"].tolist()])
    columns += [[f"{value:.4e}" for value in rows[name].tolist()] for name in DENSITIES]
    columns.append([str(count) for count in rows["pieces"].tolist()])
    columns += [[f"{value:.4e}" for value in one] for one in amplitude_errors(rows).T.tolist()]
    text = io.StringIO()
    made = csv.writer(text, lineterminator="\n")
    made.writerow(head)
    made.writerows(zip(*columns, strict=True))
    write_bytes(path, text.getvalue().encode())


def physical_spectra(rows: Rows, scale: Scale | None) -> Rows:
    """The densities as lengths; a copy where there is a scale."""
    if scale is None:
        return rows
    made = rows.copy()
    for name in DENSITIES:
        made[name] *= scale.factor
    return made


def draw_spectra(
    path: str | os.PathLike[str], rows: Rows, title: str, scale: Scale | None = None,
    names: Mapping[int, str] | None = None, look: Look = LIGHT,
) -> None:  # fmt: skip
    """Draw amplitude densities of x and y and the median noise of all points (PNG, SVG or PDF).

    Raises:
        InputError: the file cannot be written.
    """
    unit = scale.unit if scale is not None else "px"

    def fill(figure: Figure) -> None:
        plot_spectra(physical_spectra(rows, scale), stacked(figure), unit, names or {}, look)
        key_below(figure, look)
        heading(figure, look, title)

    draw(Path(path), look, look.height(0.72), fill)


def stacked(figure: Figure) -> tuple[Axes, Axes]:
    """Axes of x and of y, one below the other, with one axis of frequency."""
    top, bottom = figure.subplots(2, 1, sharex=True)
    return top, bottom


def plot_spectra(
    rows: Rows, axes: tuple[Axes, Axes] | None = None, unit: str = "px",
    names: Mapping[int, str] = MappingProxyType({}), look: Look = LIGHT,
) -> tuple[Axes, Axes]:  # fmt: skip
    """Draw amplitude densities, both axes logarithmic; the points that move most, others are left out.

    Args:
        rows: of SPECTRA_DTYPE, densities in `unit` by the root of Hz.
        axes: of x and of y; None for those of a figure of their own.
        unit: of lengths.
        names: what tracks are called.
        look: colours and widths.

    Returns:
        The axes.
    """
    if axes is None:
        with styled(look):
            return plot_spectra(rows, stacked(sheet(look, look.height(0.72))), unit, names, look)
    tracks = np.unique(rows["track"])
    by_track = [rows[rows["track"] == track] for track in tracks.tolist()]
    order = sorted(range(len(tracks)), key=lambda k: -float(np.sum(by_track[k]["x"] ** 2 + by_track[k]["y"] ** 2)))
    shown = sorted(order[:MOST])
    grids = {len(one): one["frequency"] for one in by_track}
    frequency = grids[max(grids)]
    alike = [one for one in by_track if len(one) == len(frequency)]
    for panel, name in zip(axes, "xy", strict=True):
        noise = np.median([one[f"noise_{name}"] for one in alike], axis=0)
        log_x(panel, frequency, 1.0)
        log_y(panel, _matters(np.concatenate([noise, *(by_track[k][name] for k in shown)]), noise))
        for place, k in enumerate(shown):
            panel.plot(by_track[k]["frequency"], _positive(by_track[k][name]), color=look.colour(place),
                       ls=look.dash(place), lw=0.8 * look.line, label=_called(int(tracks[k]), names))  # fmt: skip
        panel.plot(frequency, _positive(noise), color=look.ink, lw=1.4 * look.line, label="median noise of all points")
        panel.set_ylabel(axis(name, f"{unit}/sqrt(Hz)"))
    axes[1].set_xlabel(axis("frequency", "Hz"))
    return axes


def _called(track: int, names: Mapping[int, str]) -> str:
    return literal(names[track][:LONGEST] if track in names else f"point {track}")


def _matters(values: Rows, noise: Rows) -> Rows:
    """What the axis holds: a spectrum has gaps that go down to nothing; what matters is above the noise."""
    known, floor = (of[np.isfinite(of) & (of > 0)] for of in (values, noise))
    if not len(known):
        return known
    most = float(known.max())
    return np.array([max(0.1 * float(np.median(floor)) if len(floor) else 1e-4 * most, 1e-7 * most), most])


def _positive(values: Rows) -> Rows:
    """Logarithms know no others."""
    return np.where(values > 0, values, np.nan)
