"""Mean squared displacements as tables: CSV with units in the names of columns, JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from app.analysis.motion import Motion, words_of
from app.files.atomic import write_bytes
from pipelines.analysis.msd import without_floor

ENSEMBLE, TRACKS, DIFFUSION = "msd.csv", "msd-tracks.csv", "diffusion.csv"


def write_msd(folder: Path, found: Motion) -> list[str]:
    """Write the three tables; their names.

    Raises:
        InputError: a file cannot be written.
    """
    _write(folder / ENSEMBLE, ensemble_columns(found), ensemble(found))
    area, lag = f"{found.units.length}2", _lag(found)
    own = ("track", lag, *(f"{name}_{area}" for name in ("msd", "standard_error", "raw")), "pairs")
    _write(folder / TRACKS, own, _tracks(found))
    rate = f"{area}_per_{found.units.time}"
    names = ("track", "steps", f"d_{rate}", f"d_standard_error_{rate}", f"d_with_stated_sigma_{rate}",
             f"d_with_stated_sigma_standard_error_{rate}", f"noise_variance_{area}",
             f"stated_variance_{area}")  # fmt: skip
    rows = ((track, one.steps, one.d, one.d_error, one.d_stated, one.d_stated_error, one.noise, one.stated)
            for track, one in found.each.items())  # fmt: skip
    _write(folder / DIFFUSION, names, rows)
    return [ENSEMBLE, TRACKS, DIFFUSION]


def as_json(found: Motion) -> dict[str, Any]:
    """All of it: the ensemble as columns, D of all and of each track."""
    rows = ensemble(found)
    columns = {name: [row[k] for row in rows] for k, name in enumerate(ensemble_columns(found))}
    return {
        "units": {"length": found.units.length, "time": found.units.time},
        "tracks": len(found.each), "tracks_left_out": found.left_out,
        "interval": found.interval, "exposure": found.exposure if found.exposure_known else None,
        "noise_taken_away": found.noise, "drift": found.drift, "drift_standard_error": found.drift_error,
        "drift_taken_away": found.drift_taken, "exponent": found.exponent,
        "exponent_standard_error": found.exponent_error, "diffusion": asdict(found.all), "msd": columns,
        "each": {str(track): asdict(one) for track, one in found.each.items()}, "notes": words_of(found),
    }  # fmt: skip


def _lag(found: Motion) -> str:
    return "lag_s" if found.units.time == "s" else "lag_frames"


def ensemble_columns(found: Motion) -> tuple[str, ...]:
    """Names of the columns of the table of all tracks."""
    area = f"{found.units.length}2"
    names = ("msd", "standard_error", "low95", "high95", "raw", "floor")
    return (_lag(found), *(f"{name}_{area}" for name in names), "tracks", "pairs")


def ensemble(found: Motion) -> list[tuple[float | int, ...]]:
    """Its rows, one a lag."""
    mean, wide = found.msd, found.spread
    return [
        (found.interval * (k + 1), m, e, m - wide * e, m + wide * e, raw, floor, int(tracks), int(pairs))
        for k, (m, e, raw, floor, tracks, pairs) in enumerate(
            zip(mean.msd.tolist(), mean.error.tolist(), mean.raw.tolist(), mean.floor.tolist(), mean.tracks.tolist(),
                mean.pairs.tolist(), strict=True)) if pairs
    ]  # fmt: skip


def _tracks(found: Motion) -> Iterable[tuple[float | int, ...]]:
    own, _ = without_floor(found.lags, found.noise, found.all.noise)
    errors = found.own_errors()
    for row, track in enumerate(found.lags.tracks.tolist()):
        for k in np.flatnonzero(found.lags.pairs[row]).tolist():
            pairs = int(found.lags.pairs[row, k])
            yield (track, found.interval * (k + 1), float(own[row, k]) / pairs, float(errors[row, k]),
                   float(found.lags.square[row, k]) / pairs, pairs)  # fmt: skip


def _write(path: Path, names: Sequence[str], rows: Iterable[Sequence[float | int]]) -> None:
    lines = [",".join(names), *(",".join(_cell(value) for value in row) for row in rows)]
    write_bytes(path, ("\n".join(lines) + "\n").encode())


def _cell(value: float | int) -> str:
    if isinstance(value, int):
        return str(value)
    return f"{value:.9g}" if math.isfinite(value) else ""
