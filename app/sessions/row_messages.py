"""Rows of tracks on their way to the recorder: the rows as they lie in memory, behind a number that says which measures
they carry, a bit each."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

from pipelines.features import Tracks
from pipelines.measures import FIELDS, fields_of, measured_dtype

_HEAD = struct.Struct("<Q")


def row_messages(rows: Tracks, room: int) -> Iterator[bytes]:
    """Messages of at most `room` bytes, which both processes write and read with the same version."""
    carried = fields_of(rows)
    head = _HEAD.pack(sum(1 << k for k, name in enumerate(FIELDS) if name in carried))
    most = (room - len(head)) // rows.itemsize
    lying = np.ascontiguousarray(rows, measured_dtype(carried))
    for start in range(0, len(rows), most):
        yield head + lying[start : start + most].tobytes()


def rows_of_message(data: bytes) -> Tracks:
    """The rows of one of them; a view."""
    (bits,) = _HEAD.unpack_from(data)
    carried = tuple(name for k, name in enumerate(FIELDS) if bits >> k & 1)
    return np.frombuffer(data, measured_dtype(carried), offset=_HEAD.size)
