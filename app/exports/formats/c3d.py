"""Tracks as C3D (c3d.org), the binary table of markers that every tool of biomechanics reads.

Written by ezc3d. A marker that is not seen is an invalid point (residual -1); Z is 0: a single camera sees a plane.
"""

from __future__ import annotations

import errno
from pathlib import Path

import numpy as np

from app.exports.atomic import replacing
from app.exports.optional import need
from app.exports.table import TrackTable, wide
from kernels.errors import InputError

EXTRA = "c3d"
MOST_FRAMES = 65535
"""What every reader of the format counts to."""


def check_c3d(table: TrackTable) -> None:
    """See that it can be written.

    Raises:
        InputError: ezc3d is missing, the capture rate is not known, or there is no track.
    """
    need("ezc3d", "C3D", EXTRA)
    table.rate("a .c3d file")
    if not table.each():
        raise InputError("C3D cannot say that there is no marker: no track is left to be written")


def write_c3d(table: TrackTable, path: Path) -> None:
    """The markers track_ID as 32-bit floats in the unit of `table`.

    Raises:
        InputError: as in `check_c3d`, or more frames than the format counts.
    """
    check_c3d(table)
    package = need("ezc3d", "C3D", EXTRA)
    rate, made = table.rate("a .c3d file"), wide(table)
    count, markers = made.x.shape
    if count > MOST_FRAMES:
        raise InputError(
            f"C3D counts {MOST_FRAMES} frames and these are {count}; take fewer with --frames, or write --to trc"
        )
    file = package.c3d()
    point = file["parameters"]["POINT"]
    point["RATE"]["value"], point["UNITS"]["value"] = [rate], [table.units.length]
    point["LABELS"]["value"] = tuple(table.labels(made.tracks.tolist()))
    points = np.zeros((4, markers, count))
    points[0], points[1], points[3] = made.x.T, made.y.T, 1.0
    points[:, np.isnan(made.x.T)] = np.nan
    file["data"]["points"] = points
    with replacing(path) as temporary:
        file.write(str(temporary))
        # ezc3d says nothing about a full disk.
        if temporary.stat().st_size < 16 * markers * count:
            raise OSError(errno.ENOSPC, "the file came out too short")
