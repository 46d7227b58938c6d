"""Places that are known in space and where cameras see them, as a table."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.exports.scale import METRES
from app.exports.tables import load_table
from kernels.errors import InputError
from pipelines.stereo.camera_model import Array


@dataclass(frozen=True, slots=True, eq=False)
class ControlPoints:
    """Args:
    places: (N, 3), in `unit`.
    pixels: of each camera (N, 2), NaN where it does not see one.
    unit: a word of METRES.
    """

    places: Array
    pixels: tuple[Array, ...]
    unit: str


def read_control(path: Path, cameras: int) -> ControlPoints:
    """A table (CSV, Parquet) with columns x_mm, y_mm, z_mm (or another unit) and u1_px, v1_px, u2_px, v2_px ..., empty
    where a camera does not see a place.

    Raises:
        InputError: it is not there, a column is missing, or a value is no number.
    """
    table = load_table(path)
    units = {match.group(1) for name in table.column_names if (match := re.fullmatch(r"[xyz]_([a-z]+)", name))}
    if len(units) != 1 or not units <= METRES.keys():
        raise InputError(f"{path} needs columns x_mm, y_mm and z_mm (or all in another of {', '.join(METRES)})")
    unit = units.pop()

    def column(name: str, empty: bool) -> Array:
        if name not in table.column_names:
            raise InputError(f"{path} has no column {name}; u1_px, v1_px are of the first camera, u2_px, v2_px of the "
                             "second")  # fmt: skip
        try:
            found = np.array(table[name].to_pylist(), dtype=object)
            values = np.array([np.nan if one is None or one == "" else float(one) for one in found])
        except (TypeError, ValueError) as error:
            raise InputError(f"{path}, column {name}: {error}") from None
        if np.isinf(values).any() or (not empty and np.isnan(values).any()):
            raise InputError(f"{path}, column {name}: a value is missing or infinite")
        return values

    places = np.column_stack([column(f"{along}_{unit}", empty=False) for along in "xyz"])
    pixels = tuple(np.column_stack([column(f"{along}{at}_px", empty=True) for along in "uv"])
                   for at in range(1, cameras + 1))  # fmt: skip
    return ControlPoints(places, pixels, unit)
