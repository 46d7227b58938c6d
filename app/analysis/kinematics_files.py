"""How tracks move as tables: CSV with units in the names of columns, JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from app.analysis.kinematics import Kinematics, Moving, gravity_of, title_of
from app.files.atomic import write_bytes
from app.files.summary import json_text
from pipelines.analysis.curve_fits import Fit

ROWS, TRACKS, SPEEDS, MEASURES, FITS = "motion.csv", "motion-tracks.csv", "speeds.csv", "measures.csv", "fits.json"


def write_kinematics(folder: Path, found: Kinematics) -> list[str]:
    """Write the tables, those of measures and fits where there are some; their names. Those that there are none of and
    that an earlier call left are removed.

    Raises:
        InputError: a file cannot be written.
    """
    _write(folder / ROWS, row_columns(found), rows_of(found))
    _write(folder / TRACKS, *_table(found))
    edges, seconds = found.speeds
    speed = f"{found.units.length}_per_s"
    _write(folder / SPEEDS, (f"from_{speed}", f"to_{speed}", "time_s"),
           zip(edges[:-1].tolist(), edges[1:].tolist(), seconds.tolist(), strict=True))  # fmt: skip
    names = [ROWS, TRACKS, SPEEDS]
    if found.measures:
        _write(folder / MEASURES, MEASURE_COLUMNS, _measure_rows(found))
        names.append(MEASURES)
    if found.fits:
        write_bytes(folder / FITS, (json_text({"units": _units(found), "fits": fits_of(found),
                                               "notes": list(found.notes)}) + "\n").encode())  # fmt: skip
        names.append(FITS)
    for name in (MEASURES, FITS):
        if name not in names:
            (folder / name).unlink(missing_ok=True)
    return names


def as_json(found: Kinematics) -> dict[str, Any]:
    """All but the rows: window, noise, what each track did, speeds, fits."""
    columns, rows = _table(found)
    edges, seconds = found.speeds
    choice = found.choice
    return {
        "units": _units(found), "coordinates": found.coordinates,
        "window": {"width_s": found.window.width, "order": found.window.order, "chosen": choice is not None,
                   "expected_velocity_error": choice.error if choice is not None else None},
        "ground": None if found.beside is None else {
            "farthest_shift": found.beside.shift, "largest_turn_deg": math.degrees(found.beside.turn),
            "left_of_references": found.beside.left, "places_left_out": found.beside.lost},
        "tracks": [dict(zip(columns, row, strict=True)) for row in rows], "tracks_left_out": found.left_out,
        "speeds": {"edges": edges.tolist(), "seconds": seconds.tolist()},
        "measures": [{"name": one.trail.name, "unit": one.unit, "samples": len(one.trail.times), "noise": one.noise,
                      "mean": float(one.trail.values.mean())} for one in found.measures],
        "fits": fits_of(found), "notes": list(found.notes),
    }  # fmt: skip


def fits_of(found: Kinematics) -> list[dict[str, Any]]:
    """Fits as JSON: parameters with standard errors and units."""
    return [_fit(found, one) for one in found.fits]


def _fit(found: Kinematics, fitted: Fit) -> dict[str, Any]:
    gravity = gravity_of(found, fitted)
    of = "measure" if any(one.trail.name == fitted.name for one in found.measures) else "track"
    parameters = {
        name: {"value": one.value, "standard_error": one.error, "unit": found.unit_of(fitted.name, one.unit)}
        for name, one in fitted.parameters.items()
    }
    if gravity is not None:
        parameters["acceleration_si"] = {"value": gravity[0], "standard_error": gravity[1], "unit": "m/s2"}
    return {
        "model": fitted.model, of: int(fitted.name) if of == "track" else fitted.name, "from_s": fitted.start,
        "samples": fitted.samples, "direction": fitted.axis, "parameters": parameters, "rms_left": fitted.left,
        "correlation_of_neighbours_left": fitted.alike,
    }  # fmt: skip


def _units(found: Kinematics) -> dict[str, str]:
    return {"length": found.units.length, "time": found.units.time, "angle": "deg"}


def row_columns(found: Kinematics) -> tuple[str, ...]:
    """The columns of motion.csv."""
    length = found.units.length
    unit = (length, f"{length}_per_s", f"{length}_per_s2")
    parts = (("x", "y"), ("vx", "vy"), ("ax", "ay"))
    values = [f"{name}_{unit[order]}" for order, names in enumerate(parts) for name in names]
    spread = [f"sigma_{name}_{unit[order]}" for order, names in enumerate(parts) for name in names]
    return ("frame", "time_s", "track", *values, f"speed_{unit[1]}", f"acceleration_{unit[2]}", *spread,
            f"sigma_speed_{unit[1]}")  # fmt: skip


def rows_of(found: Kinematics) -> Iterable[Sequence[float | int | str]]:
    """The rows of motion.csv, by track and frame."""
    for one in found.tracks:
        values, spread = (part.reshape(6, -1) for part in (one.smoothed.values, one.smoothed.variances**0.5))
        columns = (one.trail.frames, one.trail.times, *values, one.speed, one.acceleration, *spread, one.speed_sigma)
        for frame, time, *rest in zip(*(column.tolist() for column in columns), strict=True):
            yield (frame, time, int(one.trail.name), *rest)


MEASURE_COLUMNS = ("measure", "unit", "frame", "time_s", "value", "sigma", "smoothed", "rate_per_s",
                   "acceleration_per_s2", "sigma_smoothed", "sigma_rate_per_s",
                   "sigma_acceleration_per_s2")  # fmt: skip


def _measure_rows(found: Kinematics) -> Iterable[Sequence[float | int | str]]:
    for one in found.measures:
        trail = one.trail
        columns = (trail.frames, trail.times, trail.values[0], trail.sigmas[0], *one.smoothed.values[:, 0],
                   *(one.smoothed.variances[:, 0] ** 0.5))  # fmt: skip
        for row in zip(*(column.tolist() for column in columns), strict=True):
            yield (trail.name, one.unit, *row)


def _table(found: Kinematics) -> tuple[tuple[str, ...], list[tuple[float | int, ...]]]:
    """A row a track: what it did as a whole."""
    length = found.units.length
    columns = ["track", "samples", "from_s", "duration_s", f"path_{length}", f"net_{length}", "straightness",
               f"mean_speed_{length}_per_s", f"highest_speed_{length}_per_s", f"noise_{length}"]  # fmt: skip
    for region in found.dwells[0] if found.dwells else ():
        columns += [f"{region.region}_{what}" for what in ("time_s", "share", "visits", "first_s")]
    rows = []
    for one, way, dwells in zip(found.tracks, found.travels, found.dwells, strict=True):
        row: list[float | int] = [int(one.trail.name), len(one.trail.times), float(one.trail.times[0]), way.duration,
                                  way.path, way.net, way.straightness, way.mean_speed, way.highest_speed,
                                  one.noise]  # fmt: skip
        for dwell in dwells:
            row += [dwell.time, dwell.share, dwell.visits, dwell.first]
        rows.append(tuple(row))
    return tuple(columns), rows


def report(found: Kinematics, most: int = 12) -> list[str]:
    """What is printed: record, window, ground, what tracks did, fits; of many tracks and fits the first ones."""
    length, window = found.units.length, found.window
    few = f"; {found.left_out} seen in too few frames left out" if found.left_out else ""
    lines = [f"tracks   {len(found.tracks)} with {sum(len(one.trail.times) for one in found.tracks)} places, "
             f"{1.0 / found.step:.6g} frames/s{few}"]  # fmt: skip
    window_line = f"window   {window.width:.4g} s ({round(window.width / found.step)} frames), order {window.order}"
    if found.choice is not None and math.isfinite(found.choice.error):
        window_line += f", chosen: velocities to {found.choice.error:.3g} {length}/s (rms, a coordinate)"
    lines.append(window_line)
    if found.beside is not None:
        lines.append(f"ground   moved by {found.beside.shift:.4g} {length} and turned by "
                     f"{math.degrees(found.beside.turn):.3g} degrees at most; reference points still move by "
                     f"{found.beside.left:.2g} {length} beside each other")  # fmt: skip
    for one, way, dwells in list(zip(found.tracks, found.travels, found.dwells, strict=True))[:most]:
        stay = "".join(f"; in {dwell.region} {dwell.time:.4g} s, {dwell.visits} visit{'s' if dwell.visits != 1 else ''}"
                       for dwell in dwells)  # fmt: skip
        lines.append(f"track {one.trail.name:<3s} path {way.path:.5g} {length}, net {way.net:.5g} {length}, speed "
                     f"{way.mean_speed:.4g} on average, {way.highest_speed:.4g} {length}/s at most, noise "
                     f"{one.noise:.2g} {length}{stay}")  # fmt: skip
    if len(found.tracks) > most:
        lines.append(f"         and {len(found.tracks) - most} more in {TRACKS}")
    lines += [_measure_line(one) for one in found.measures]
    for fitted in found.fits[:most]:
        lines += _fit_lines(found, fitted)
    if len(found.fits) > most:
        lines.append(f"         and {len(found.fits) - most} more in {FITS}")
    return [*lines, *(f"note     {words}" for words in found.notes)]


def _measure_line(one: Moving) -> str:
    values, rate = one.trail.values[0], float(np.nanmax(np.abs(one.smoothed.values[1, 0])))
    return (f"measure  {one.trail.name}: {values.min():.6g} to {values.max():.6g} {one.unit}, mean "
            f"{values.mean():.6g}, fastest {rate:.4g} {one.unit}/s, noise {one.noise:.2g} {one.unit}")  # fmt: skip


def _fit_lines(found: Kinematics, fitted: Fit) -> list[str]:
    head = f"{fitted.model} through {title_of(fitted.name)}"
    axis = "" if fitted.axis is None else f" along ({fitted.axis[0]:.3f}, {fitted.axis[1]:.3f})"
    left = found.unit_of(fitted.name, "length")
    lines = [f"fit      {head}{axis}, {fitted.samples} places, leaves {fitted.left:.3g} {left} (rms)"]
    for name, one in fitted.parameters.items():
        unit = found.unit_of(fitted.name, one.unit).replace("s2", "s^2")
        error = f" +- {one.error:.2g}" if math.isfinite(one.error) else ""
        lines.append(f"         {name.replace('_', ' ')} {_number(one.value, one.error)}{error} {unit}".rstrip())
    gravity = gravity_of(found, fitted)
    if gravity is not None:
        lines.append(f"         that is {_number(*gravity)} +- {gravity[1]:.2g} m/s^2")
    return lines


def _number(value: float, error: float) -> str:
    """As many digits as two of its error are worth."""
    if not (math.isfinite(error) and error > 0 and math.isfinite(value) and value):
        return f"{value:.6g}"
    digits = math.floor(math.log10(abs(value))) - math.floor(math.log10(error)) + 2
    return f"{value:.{min(max(digits, 3), 12)}g}"


def _write(path: Path, names: Sequence[str], rows: Iterable[Sequence[float | int | str]]) -> None:
    lines = [",".join(names), *(",".join(_cell(value) for value in row) for row in rows)]
    write_bytes(path, ("\n".join(lines) + "\n").encode())


def _cell(value: float | int | str) -> str:
    if isinstance(value, float):
        return f"{value:.9g}" if math.isfinite(value) else ""
    return str(value)
