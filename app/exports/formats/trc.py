"""Tracks as a table of markers (.trc, Motion Analysis' track row column), as OpenSim, Mokka and Visual3D import it.

Line 1 names the file, lines 2 and 3 tell the rate, the numbers of frames and markers and the unit, lines 4 and 5 name
the columns, line 6 is empty; then a row a frame: its number from 1, its time, and X, Y, Z of every marker, fields
separated by tabs. A marker that is not seen has three empty fields. Z is 0: a single camera sees a plane.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from app.exports.table import TrackTable, wide
from app.files.atomic import write_bytes


def check_trc(table: TrackTable) -> None:
    """See that it can be written.

    Raises:
        InputError: the capture rate is not known.
    """
    table.rate("a .trc file")


def write_trc(table: TrackTable, path: Path) -> None:
    """The markers track_ID; their unit is the table's.

    Raises:
        InputError: the capture rate is not known.
    """
    rate, made = table.rate("a .trc file"), wide(table)
    names, (count, markers) = table.labels(made.tracks.tolist()), made.x.shape
    first = int(made.frames[0]) + 1 if count else 1
    text = io.StringIO()
    text.write(f"PathFileType\t4\t(X/Y/Z)\t{_plain(path.name)}\n")
    text.write("DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n")
    text.write(f"{rate!r}\t{rate!r}\t{count}\t{markers}\t{table.units.length}\t{rate!r}\t{first}\t{count}\n")
    heads = (field for name in names for field in (name, "", ""))
    text.write("\t".join(["Frame#", "Time", *heads]).rstrip("\t") + "\n")
    axes = (f"{axis}{k + 1}" for k in range(markers) for axis in "XYZ")
    text.write("\t\t" + "\t".join(axes) + "\n\n")
    for row in range(count):
        fields = [str(row + 1), repr(float(made.times[row]))]
        for x, y in zip(made.x[row].tolist(), made.y[row].tolist(), strict=True):
            fields += ["", "", ""] if np.isnan(x) else [f"{x:.9g}", f"{y:.9g}", "0"]
        text.write("\t".join(fields) + "\n")
    write_bytes(path, text.getvalue().encode())


def _plain(name: str) -> str:
    return name.encode("ascii", "replace").decode().replace("\t", " ")
