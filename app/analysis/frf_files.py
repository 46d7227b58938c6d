"""Frequency responses and poles as tables with units in the names of columns, and as JSON.

`at` is where each axis of each point is measured, (P, 2, 2) px, as from `app.run_windows.measured_at`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt

from app.analysis.frf_input import Reference
from app.exports.scale import Scale
from app.files.atomic import write_bytes
from pipelines.analysis.frf import Frf
from pipelines.analysis.poles import Pole
from pipelines.analysis.series import Series

Array = npt.NDArray[Any]
RESPONSES, POLES = "frf.csv", "modes.csv"
Cell = float | int | str
POLE_COLUMNS = ("mode", "frequency_hz", "frequency_sigma_hz", "damping_ratio", "damping_ratio_sigma", "fitted_from_hz",
                "fitted_to_hz", "track", "axis")  # fmt: skip


def columns(reference: Reference, scale: Scale | None) -> tuple[str, ...]:
    """Names of the columns of the responses."""
    unit = (scale.unit if scale is not None else "px") if reference.unit else ""
    of = f"_{unit}_per_{reference.unit}" if reference.unit else ""
    return ("frequency_hz", "track", "x_px", "y_px", "axis", "measured_at_x_px", "measured_at_y_px",
            f"magnitude{of}", f"magnitude_sigma{of}", "phase_deg", "phase_sigma_deg", f"real{of}", f"imaginary{of}",
            "coherence", "coherence_low95", "coherence_high95")  # fmt: skip


def rows_of(series: Series, frf: Frf, factor: float, at: Array) -> Iterator[tuple[Cell, ...]]:
    """A row a point, coordinate and frequency; responses times `factor`."""
    low, high = frf.coherence_interval
    phase, phase_error = frf.phase, frf.phase_error
    places = series.places.mean(axis=2)
    for p, track in enumerate(series.tracks.tolist()):
        for a, name in enumerate("xy"):
            parts = (frf.response[p, a] * factor, frf.error[p, a] * factor, phase[p, a], phase_error[p, a],
                     frf.coherence[p, a], low[p, a], high[p, a])  # fmt: skip
            values = zip(frf.frequencies.tolist(), *(one.tolist() for one in parts), strict=True)
            where = (*places[p].tolist(), name, *at[p, a].tolist())
            for f, h, e, turn, turn_error, c, c_low, c_high in values:
                yield f, track, *where, abs(h), e, turn, turn_error, h.real, h.imag, c, c_low, c_high


def pole_rows(series: Series, poles: Sequence[Pole]) -> Iterator[tuple[Cell, ...]]:
    """A row a pole."""
    for number, one in enumerate(poles):
        yield (number, one.frequency, one.frequency_error, one.damping, one.damping_error, *one.band,
               int(series.tracks[one.point[0]]), "xy"[one.point[1]])  # fmt: skip


def write_frf(
    folder: Path, series: Series, frf: Frf, poles: Sequence[Pole], reference: Reference, scale: Scale | None, at: Array
) -> list[str]:
    """Write both tables; their names.

    Raises:
        InputError: a file cannot be written.
    """
    _write(folder / RESPONSES, columns(reference, scale), rows_of(series, frf, factor_of(reference, scale), at))
    _write(folder / POLES, POLE_COLUMNS, pole_rows(series, poles))
    return [RESPONSES, POLES]


def factor_of(reference: Reference, scale: Scale | None) -> float:
    """What responses are multiplied by; those beside a point of the run have no unit."""
    return scale.factor if scale is not None and reference.unit else 1.0


def as_json(
    series: Series, frf: Frf, poles: Sequence[Pole], reference: Reference, scale: Scale | None, notes: Sequence[str],
    at: Array,
) -> dict[str, Any]:
    """All of it; responses by columns."""
    names, rows = columns(reference, scale), rows_of(series, frf, factor_of(reference, scale), at)
    return {
        "reference": reference.name, "estimator": frf.estimator, "segment_frames": frf.segment,
        "averages": frf.averages, "coherence_of_chance_95": frf.chance, "points_left_out": series.left_out,
        "modes": [dict(zip(POLE_COLUMNS, row, strict=True)) for row in pole_rows(series, poles)],
        "responses": {name: list(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)},
        "notes": list(notes),
    }  # fmt: skip


def _write(path: Path, names: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    lines = [",".join(names), *(",".join(map(_cell, row)) for row in rows)]
    write_bytes(path, ("\n".join(lines) + "\n").encode())


def _cell(value: Cell) -> str:
    if isinstance(value, float):
        return f"{value:.9g}" if math.isfinite(value) else ""
    return str(value)
