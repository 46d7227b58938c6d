"""Rows of a window on their way into a job: written to a file piece by piece, by a thread that the window does not
feel, and corrected in the job's process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from app.desk.jobs.orders import AnalyseOrder, ExportOrder, JobOrder
from app.desk.tracks.corrections import Corrections
from kernels.errors import InputError
from pipelines.features import Tracks
from pipelines.measures import Unwrapping, measured_dtype

PIECE = 1 << 14
"""Rows that are written at once, a megabyte: between two of them other threads have their turn."""


def hand_over(order: JobOrder, folder: str) -> JobOrder:
    """The order with the rows of its store in a file of `folder`.

    Raises:
        OSError: the file cannot be written.
    """
    if not isinstance(order, ExportOrder | AnalyseOrder) or order.store is None:
        return order
    store, path = order.store, Path(folder) / "rows"
    with path.open("wb") as file:
        for rows in store.parts():
            for first in range(0, len(rows), PIECE):
                file.write(np.ascontiguousarray(rows[first : first + PIECE]).data)
    return replace(order, store=None, rows_file=str(path), measures=store.fields,
                   corrections=store.corrections.actions, ranges=tuple(store.ranges))  # fmt: skip


def taken_over(order: ExportOrder | AnalyseOrder) -> Tracks:
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
