"""Tracks as C3D (c3d.org), the binary table of markers that every tool of biomechanics reads.

Written by ezc3d. A marker that is not seen is an invalid point (residual -1); Z is 0 where a single camera saw a plane.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.exports.table import TrackTable, wide
from app.files.atomic import replacing
from app.files.optional import need
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
    made = wide(table)
    places = np.stack((made.x.T, made.y.T, np.zeros(made.x.T.shape)))
    labels = tuple(table.labels(made.tracks.tolist()))
    write_c3d_points(path, Markers(labels, table.rate("a .c3d file"), table.units.length, places))


@dataclass(frozen=True, slots=True, eq=False)
class Markers:
    """Args:
    labels: names of M markers.
    rate: frames a second.
    unit: of lengths.
    places: (3, M, F), NaN where a marker is not seen.
    """

    labels: tuple[str, ...]
    rate: float
    unit: str
    places: npt.NDArray[np.float64]


def check_c3d_points(timed: bool, frames: int) -> None:
    """See that places in so many frames can be written.

    Raises:
        InputError: ezc3d is missing, the capture rate is not known, or there are more frames than the format counts.
    """
    need("ezc3d", "C3D", EXTRA)
    if not timed:
        raise InputError("a .c3d file needs the capture rate, which is not known; give it with --fps")
    if frames > MOST_FRAMES:
        raise InputError(
            f"C3D counts {MOST_FRAMES} frames and these are {frames}; take fewer with --frames, or write --to trc"
        )


def write_c3d_points(path: Path, markers: Markers) -> None:
    """Markers as 32-bit floats.

    Raises:
        InputError: ezc3d is missing, more frames than the format counts, or the file cannot be written.
    """
    package = need("ezc3d", "C3D", EXTRA)
    _, count, frames = markers.places.shape
    check_c3d_points(True, frames)
    file = package.c3d()
    point = file["parameters"]["POINT"]
    point["RATE"]["value"], point["UNITS"]["value"] = [markers.rate], [markers.unit]
    point["LABELS"]["value"] = markers.labels
    points = np.ones((4, count, frames))
    points[:3] = markers.places
    points[:, np.isnan(markers.places).any(axis=0)] = np.nan
    file["data"]["points"] = points
    with replacing(path) as temporary:
        file.write(str(temporary))
        # ezc3d says nothing about a full disk.
        if temporary.stat().st_size < 16 * count * frames:
            raise OSError(errno.ENOSPC, "the file came out too short")
