"""Tracks as MATLAB's .mat (version 5, which every MATLAB, Octave and SciPy reads).

>> load shot.mat
>> plot(tracks(1).time, tracks(1).x)
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from app.exports.columns import WORDS
from app.exports.relations import RELATIONS
from app.exports.table import TrackTable
from app.files.atomic import replacing
from app.files.summary import json_text
from kernels.errors import InputError

LARGEST = (1 << 31) - 1
"""Bytes of a variable that the format can hold."""


def write_mat(table: TrackTable, path: Path) -> None:
    """A struct array `tracks` (1 x N: id, frame, time, x, y, vx, vy, sigma, sigma_x, sigma_y, correlation, score,
    state, reason and the measures (area, diameter ...) as columns; name, where the user has named tracks) and a struct
    `info` (clip, fps, coordinates, units, the words of state and reason, metadata as JSON), and where tracks merge
    and split a struct `events` (frame, time, event, track, other_track, x, y as columns).

    Frames count from 0, as everywhere in fusetrack; state and reason from 1, as MATLAB does, so that
    info.states{tracks(1).state(5)} is a word. Tables are those of `TrackTable.each`: seen places only.

    Raises:
        InputError: more than the format holds in a variable (2 GiB).
    """
    tracks = table.each()
    columns = {column.field: column for column in table.columns if column.field != "track"}
    names = list(columns)
    own = ("name",) if table.names else ()
    # A tag and a name before each value.
    size = sum(len(rows) * (len(names) + 1) * 8 + len(names) * 80 for _, rows in tracks)
    if size > LARGEST:
        raise InputError(
            f"{path.name} would take {size / 2**30:.1f} GiB, and a .mat file of version 5 holds 2 GiB in a variable; "
            "write HDF5 (--to hdf5), which MATLAB reads with h5read, or fewer tracks with --frames or --min-frames"
        )
    # A struct array is an array of records of objects: SciPy makes an element of each.
    made = np.zeros((1, len(tracks)), [("id", object), *((name, object) for name in (*own, *names))])
    for place, (track, rows) in enumerate(tracks):
        made[0, place]["id"] = float(track)
        if table.names:
            made[0, place]["name"] = str(table.row_names(np.array([track]))[0])
        for name in names:
            # MATLAB counts from 1: codes become places in the lists of words.
            values = columns[name].of(rows)
            if name in WORDS:
                values = values + 1
            whole = values.dtype.kind in "iu" and values.itemsize == 8  # MATLAB computes in double
            made[0, place][name] = values.astype(np.float64 if whole else values.dtype)[:, None]
    info: dict[str, Any] = {
        "clip": table.name,
        "fps": table.fps,
        "coordinates": table.coordinates,
        "units": {name: table.units.of(name) or "none" for name in ("track", *names)},
        "states": np.array(WORDS["state"], object),
        "reasons": np.array(WORDS["reason"], object),
        "scale": "" if table.scale is None else table.scale.text,
        "metadata": json_text(table.facts, indent=None),
    }
    from scipy.io import savemat  # not above: it takes long to import, and all formats are known by this module

    holds: dict[str, Any] = {"tracks": made, "info": info}
    if table.events is not None and len(table.events):
        holds["events"] = _events(table.events)
    with replacing(path) as temporary, open(temporary, "wb") as file:
        savemat(file, holds, do_compression=True, long_field_names=True)


def _events(events: Any) -> dict[str, Any]:
    """A struct of columns: which tracks merge and split."""
    columns = {name: events[name].astype(np.float64)[:, None] for name in ("frame", "time", "track", "x", "y")}
    words = np.array([RELATIONS[kind] for kind in events["kind"].tolist()], object)[:, None]
    return {**columns, "event": words, "other_track": events["other"].astype(np.float64)[:, None]}
