"""Operating deflection shapes as a table with units in the names of columns, and as JSON."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy.typing as npt

from app.exports.scale import Scale
from app.files.atomic import write_bytes
from pipelines.analysis.deflection import Shape, Spectrum

Array = npt.NDArray[Any]
TABLE = "shapes.csv"
Cell = float | int | str


def columns(scale: Scale | None) -> tuple[str, ...]:
    """Names of the columns."""
    unit = scale.unit if scale is not None else "px"
    return ("peak", "frequency_hz", "track", "x_px", "y_px", "axis", "measured_at_x_px", "measured_at_y_px",
            f"amplitude_{unit}", f"amplitude_sigma_{unit}",
            "phase_deg", "phase_sigma_deg", "relative", "relative_real", "relative_imaginary", "relative_sigma",
            "coherence", "reference_track", "reference_axis")  # fmt: skip


def rows_of(found: Spectrum, shapes: Sequence[Shape], scale: Scale | None, at: Array) -> Iterator[tuple[Cell, ...]]:
    """A row a peak, point and coordinate; what is not known is NaN. `at`: as from `app.run_windows.measured_at`."""
    factor = scale.factor if scale is not None else 1.0
    for number, shape in enumerate(shapes):
        point, axis = shape.reference
        for p, track in enumerate(found.tracks.tolist()):
            for a, name in enumerate("xy"):
                h = complex(shape.ratio[p, a])
                yield (number, shape.frequency, track, *found.places[p].tolist(), name, *at[p, a].tolist(),
                       float(shape.amplitude[p, a]) * factor, float(shape.amplitude_error[p, a]) * factor,
                       float(shape.phase[p, a]), float(shape.phase_error[p, a]), abs(h), h.real, h.imag,
                       float(shape.ratio_error[p, a]), float(shape.coherence[p, a]), int(found.tracks[point]),
                       "xy"[axis])  # fmt: skip


def write_shapes(path: Path, found: Spectrum, shapes: Sequence[Shape], scale: Scale | None, at: Array) -> None:
    """Write the table; what is not known is empty.

    Raises:
        InputError: the file cannot be written.
    """
    lines = [",".join(columns(scale)), *(",".join(map(_cell, row)) for row in rows_of(found, shapes, scale, at))]
    write_bytes(path, ("\n".join(lines) + "\n").encode())


def as_json(
    found: Spectrum, shapes: Sequence[Shape], scale: Scale | None, notes: Sequence[str], at: Array
) -> dict[str, Any]:  # fmt: skip
    """The table as a list of rows, and what is said of it."""
    names = columns(scale)
    return {"resolution_hz": found.step, "points": len(found.tracks), "points_left_out": found.left_out,
            "bridged_places": found.bridged, "peaks_hz": [shape.frequency for shape in shapes],
            "shapes": [dict(zip(names, row, strict=True)) for row in rows_of(found, shapes, scale, at)],
            "notes": list(notes)}  # fmt: skip


def _cell(value: Cell) -> str:
    if isinstance(value, float):
        return f"{value:.9g}" if math.isfinite(value) else ""
    return str(value)
