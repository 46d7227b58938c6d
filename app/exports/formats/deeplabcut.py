"""Tracks as DeepLabCut writes its results (CSV, HDF5).

Header lines scorer, individuals (only of several animals), bodyparts, coords; then a row a frame: its number, and x, y,
likelihood of each point. The likelihood is the score, 0 where nothing was seen.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.exports.columns import DECIMALS
from app.exports.formats.hdf5 import EXTRA
from app.exports.formats.text import rounded, write_text
from app.exports.pandas_hdf5 import Key, NumberTable, write_table
from app.exports.poses import poses
from app.exports.table import TrackTable
from app.files.optional import need
from kernels.errors import InputError

SCORER = "fusetrack"
KEY = "df_with_missing"
"""Under which DeepLabCut looks for its table in HDF5."""


def write_dlc(table: TrackTable, path: Path) -> None:
    """CSV. A point's columns are called as the point is; tracks that are no key points are points of one animal."""
    levels, columns, frames, arrays = _columns(table)
    heads = [[name, *(column[k] for column in columns)] for k, name in enumerate(levels)]
    write_text(path, [",".join(head) for head in heads], [frames, *arrays])


def write_dlc_hdf5(table: TrackTable, path: Path) -> None:
    """As `write_dlc`, as a table of pandas in HDF5, which DeepLabCut's own tools read.

    Raises:
        InputError: there are no tracks, or the file cannot be written.
    """
    levels, columns, frames, arrays = _columns(table)
    if not columns or not len(frames):
        raise InputError("there are no tracks, and pandas keeps no empty table in HDF5")
    values = np.stack(arrays, axis=1).astype(np.float64)
    made = NumberTable([(str(frame),) for frame in frames.tolist()], columns, values, levels)
    write_table(made, path, KEY, "DeepLabCut's HDF5")


def check_dlc_hdf5(table: TrackTable) -> None:
    """See that it can be written; raises InputError where h5py is missing."""
    del table
    need("h5py", "DeepLabCut's HDF5", EXTRA)


def _columns(table: TrackTable) -> tuple[Key, list[Key], npt.NDArray[np.int64], list[npt.NDArray[Any]]]:
    """What the lines of the head and the columns are called; the numbers of the frames; the columns."""
    made = poses(table)
    several = len(made.animals) > 1
    levels = ("scorer", *(("individuals",) if several else ()), "bodyparts", "coords")
    columns: list[Key] = []
    arrays: list[npt.NDArray[Any]] = []
    for a, animal in enumerate(made.names):
        for p, point in enumerate(made.points):
            columns += [(SCORER, *((animal,) if several else ()), point, one) for one in ("x", "y", "likelihood")]
            arrays += [rounded(table, made.x[:, a, p]), rounded(table, made.y[:, a, p]),
                       np.round(made.score[:, a, p], DECIMALS)]  # fmt: skip
    return levels, columns, made.frames, arrays
