"""A run's spectra.csv once more, as lengths in place of pixels."""

from __future__ import annotations

import csv
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.scale import Scale
from app.exports.spectra import DENSITIES, write_spectra
from kernels.errors import InputError
from pipelines.trackers.vibration import SPECTRA_DTYPE


def is_spectra(path: Path) -> bool:
    """Whether a file is a table of spectra, by its line of names."""
    with suppress(OSError):
        if path.suffix.lower() == ".csv" and path.is_file():
            with path.open("rb") as file:
                head = file.readline(4096)
            return b"frequency_hz" in head and b"_per_sqrt_hz" in head
    return False


def export_spectra(path: Path, scale: Scale | None, out: Path | None, force: bool) -> tuple[Path, npt.NDArray[Any]]:
    """Write a run's table of spectra with amplitudes and noise floors in the unit of a scale.

    Args:
        path: the table, in px.
        scale: how long a pixel is.
        out: the file or a folder that exists; None for spectra_UNIT.csv beside the table.
        force: replace a file that exists.

    Returns:
        The file, and the rows of SPECTRA_DTYPE as they were read, in px.

    Raises:
        InputError: no scale, not in px, damaged, or the file is there already or cannot be written.
    """
    if scale is None:
        raise InputError(f'{path} holds spectra in px; say how long a pixel is, such as --scale "0.12 mm/px"')
    rows, names = _read(path)
    target = path.parent if out is None else out
    if target.is_dir():
        target /= f"{path.stem}_{scale.unit}.csv"
    if target.suffix.lower() != ".csv":
        raise InputError(f"spectra are written as .csv alone, not as {target}")
    if target.absolute() == path.absolute():
        raise InputError(f"{target} is the input itself and is not overwritten; choose another name with -o")
    if target.exists() and not force:
        raise InputError(f"{target} exists already; choose another name with -o, or replace it with --force")
    write_spectra(target, rows, scale, names)
    return target, rows


def _read(path: Path) -> tuple[npt.NDArray[Any], dict[int, str]]:
    """Rows of SPECTRA_DTYPE, and what tracks are called."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            table = list(csv.DictReader(file))
        rows = np.zeros(len(table), SPECTRA_DTYPE)
        for field in ("track", "pieces"):
            rows[field] = [int(one[field]) for one in table]
        for field, column in (("frequency", "frequency_hz"), *((n, f"{n}_px_per_sqrt_hz") for n in DENSITIES)):
            rows[field] = [float(one[column]) for one in table]
        return rows, {int(one["track"]): one["name"] for one in table if one.get("name")}
    except KeyError as error:
        raise InputError(f"{path} has no column {error.args[0]}; give the spectra.csv that a run wrote") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, TypeError, OverflowError, csv.Error) as error:
        raise InputError(f"{path} is not a table of spectra with numbers in every row: {error}") from None
