"""Rows of a window on their way into a job: written to a file piece by piece, by a thread that the window does not
feel, and corrected in the job's process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from app.desk.jobs.orders import AnalyseOrder, CalibrateOrder, ExportOrder, GivenRows, JobOrder, ReconstructOrder
from app.desk.tracks.corrections import Corrections
from kernels.errors import InputError
from pipelines.features import Tracks
from pipelines.measures import Unwrapping, measured_dtype

PIECE = 1 << 14
"""Rows that are written at once, a megabyte: between two of them other threads have their turn."""


Rows = TypeVar("Rows", ExportOrder, AnalyseOrder, GivenRows)
"""What has rows of a store."""


def hand_over(order: JobOrder, folder: str) -> JobOrder:
    """The order with the rows of its stores in files of `folder`.

    Raises:
        OSError: a file cannot be written.
    """
    if isinstance(order, CalibrateOrder | ReconstructOrder):
        tracks = tuple(_written(one, Path(folder) / f"rows{at}") for at, one in enumerate(order.tracks))
        return replace(order, tracks=tracks)
    if isinstance(order, ExportOrder):
        return _written(order, Path(folder) / "rows")
    return _written(order, Path(folder) / "rows") if isinstance(order, AnalyseOrder) else order


def _written(order: Rows, path: Path) -> Rows:
    if order.store is None:
        return order
    store = order.store
    with path.open("wb") as file:
        for rows in store.parts():
            for first in range(0, len(rows), PIECE):
                file.write(np.ascontiguousarray(rows[first : first + PIECE]).data)
    return replace(order, store=None, rows_file=str(path), measures=store.fields,
                   corrections=store.corrections.actions, ranges=tuple(store.ranges))  # fmt: skip


def without_rows(order: JobOrder) -> JobOrder:
    """The order as it is remembered: rows are not kept for long."""
    if isinstance(order, CalibrateOrder | ReconstructOrder):
        return replace(order, tracks=tuple(replace(one, store=None) for one in order.tracks))
    return replace(order, store=None) if isinstance(order, ExportOrder | AnalyseOrder) else order


def taken_over(order: ExportOrder | AnalyseOrder | GivenRows) -> Tracks:
    """The rows with their measures, as the user corrected them; angles go on along tracks.

    Raises:
        InputError: the file is gone.
    """
    try:
        rows: Tracks = np.fromfile(order.rows_file, measured_dtype(order.measures))
    except OSError as error:
        raise InputError(f"the tracks to export are no longer at {order.rows_file}: {error.strerror}") from error
    made = Corrections(order.corrections).apply(rows, order.ranges)
    Unwrapping().unwrap(made)
    return made
