"""The two tables that leave a pipeline: features (what was seen in one frame) and tracks (what was followed).

Both are NumPy structured arrays, so that they cross threads, processes and files as plain memory.
Units: pixels and seconds; x right, y down, pixel centres at integers.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.ir.table import FEATURE, TableType

Features = npt.NDArray[Any]
Tracks = npt.NDArray[Any]

FEATURE_DTYPE = TableType(FEATURE, 1).numpy
"""One detected feature a row (`kernels.ir.table.FEATURE` says what its columns are): the very type of tables that
stages make, not another like it, as to compare the two would take longer than all else that is asked of a table."""

TRACK_DTYPE = np.dtype(
    [
        ("frame", "i8"),
        ("time", "f8"),  # s
        ("track", "i4"),  # id, from 0, never reused
        ("x", "f8"),  # px
        ("y", "f8"),
        ("vx", "f8"),  # px/s
        ("vy", "f8"),
        ("sigma", "f4"),  # standard uncertainty, px: root of the mean of the variances of x and of y
        ("anisotropy", "f4"),  # by how much these differ: (of x - of y) / (their sum), -1..1
        ("correlation", "f4"),  # of the errors of x and of y, -1..1; with both sigmas an ellipse
        ("score", "f4"),  # 0..1, how well it was seen (ZNCC, peak ratio ...); 0 when it was not seen
        ("state", "u1"),  # State
        ("reason", "u1"),  # Reason
    ]
)
"""One followed feature in one frame a row."""

RELATION_DTYPE = np.dtype([
    ("frame", "i8"), ("time", "f8"), ("kind", "u1"), ("track", "i4"), ("other", "i4"), ("x", "f8"), ("y", "f8"),
])  # fmt: skip
"""A merger (kind 1: `track` shares the detection of `other` from this frame on) or a split (kind 2: `track` is
seen by itself from this frame on, and was one with `other`, or came out of it); x and y of where, px."""


class State(IntEnum):
    """What a row of a track says of the frame."""

    TENTATIVE = 0  # seen, but too few times yet to be believed
    TRACKED = 1  # seen in this frame
    PREDICTED = 2  # not seen in this frame; the motion model's guess
    LOST = 3  # the last row of a track that ended; `reason` says why


class Reason(IntEnum):
    """Why a feature was not seen by itself, or why its track ended."""

    NONE = 0
    NOT_DETECTED = 1  # nothing within the gate
    LEFT_IMAGE = 2  # predicted outside the picture
    LOW_SCORE = 3  # correlation or contrast too small
    FORWARD_BACKWARD = 4  # tracking back does not return to the start
    NO_TEXTURE = 5  # the normal matrix is singular
    JUMP = 6  # moved more than the limit in one frame
    MERGED = 7  # in one detection with another track; TRACKED while they cross, its place by their common centre
    BAD_FRAME = 8  # the frame could not be read
    LEFT_REGION = 9  # where it is expected a mask hides it, or nothing is processed


GONE = (Reason.LEFT_IMAGE, Reason.LEFT_REGION)
"""Reasons that are no failure: it went where nothing looks."""
MANY = 256  # rows from which on a view of their bytes is made in less time than a copy


def join_tracks(parts: Iterable[Tracks]) -> Tracks:
    """A copy of the rows of several tables of one type one behind the other, as `np.concatenate` gives them, which
    takes many times as long to find that the tables are of one type, and copies field after field."""
    parts = list(parts)
    lying = bytearray().join([_bytes_of(part) for part in parts])
    return np.frombuffer(lying, parts[0].dtype) if lying else no_tracks()


def _bytes_of(rows: Tracks) -> Any:
    return rows.view(np.uint8) if len(rows) >= MANY and rows.flags.c_contiguous else rows.tobytes()


def sigmas(rows: Features | Tracks) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The standard uncertainties of x and of y of rows of either table, px, f8; NaN where unknown.

    >>> row = np.zeros(1, TRACK_DTYPE)
    >>> row["sigma"], row["anisotropy"] = 5.0, 0.28
    >>> [round(float(one[0]), 6) for one in sigmas(row)]
    [5.656854, 4.242641]
    """
    sigma, part = rows["sigma"].astype(np.float64), np.clip(rows["anisotropy"].astype(np.float64), -1.0, 1.0)
    return sigma * np.sqrt(1.0 + part), sigma * np.sqrt(1.0 - part)


def ellipses(rows: Features | Tracks) -> tuple[npt.NDArray[np.float64], ...]:
    """The ellipses of one standard uncertainty of rows of either table: their longer and their shorter half axis, px,
    and the direction of the longer one against x, towards y, radians; features have level ones.

    >>> row = np.zeros(1, TRACK_DTYPE)
    >>> row["sigma"], row["correlation"] = 1.0, 0.5
    >>> [round(float(one[0]), 6) for one in ellipses(row)]
    [1.224745, 0.707107, 0.785398]
    """
    x, y = sigmas(rows)
    both = rows["correlation"] * x * y if "correlation" in (rows.dtype.names or ()) else np.zeros(len(rows))
    half, mean = 0.5 * (x * x - y * y), 0.5 * (x * x + y * y)
    far = np.hypot(half, both)
    return np.sqrt(mean + far), np.sqrt(np.maximum(mean - far, 0.0)), 0.5 * np.arctan2(both, half)


def no_tracks() -> Tracks:
    """An empty table of tracks."""
    return np.zeros(0, TRACK_DTYPE)
