"""Tracks as HDF5: a group "tracks" with a dataset a column, units and meanings as attributes.

h5py, MATLAB (`h5read(file, "/tracks/x")`), Julia and R read it; with pandas:
`pandas.DataFrame({name: data[:] for name, data in h5py.File(path)["tracks"].items()})`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from app.exports.columns import COLUMNS, WORDS
from app.exports.relations import MEANINGS, RELATIONS
from app.exports.table import TrackTable
from app.files.atomic import write_bytes
from app.files.optional import need
from app.files.summary import json_text

EXTRA = "hdf5"


def check_hdf5(table: TrackTable) -> None:
    """See that it can be written.

    Raises:
        InputError: h5py is missing.
    """
    del table
    need("h5py", "HDF5", EXTRA)


def write_hdf5(table: TrackTable, path: Path) -> None:
    """Datasets frame, time, track, x, y, vx, vy, sigma, sigma_x, sigma_y, correlation, score, state, reason and the
    measures (area, diameter ...), all of one length; state and reason are codes, whose words are in the attribute
    "words". Where the user has named tracks, a dataset `name` has their names. A group `events` (frame, time, event,
    track, other_track, x, y) says which tracks merge and split, where some do.
    """

    def fill(file: Any, stack: ExitStack) -> None:
        del stack
        file.attrs["format"] = "fusetrack tracks 1"
        file.attrs["clip"] = _text(table.name)
        file.attrs["coordinates"] = table.coordinates
        file.attrs["length_unit"], file.attrs["time_unit"] = table.units.length, table.units.time
        if table.fps > 0:
            file.attrs["fps"] = table.fps
        if table.scale is not None:
            file.attrs["scale"] = table.scale.text
        # Attributes of more than 64 kB are none in the older layout, which every reader knows.
        file.create_dataset("metadata", data=json_text(table.facts))
        group = file.create_group("tracks")
        for column in table.columns:
            # Compressed datasets must not be empty.
            packed = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if len(table.rows) else {}
            data = group.create_dataset(column.field, data=column.of(table.rows), **packed)
            data.attrs["description"] = table.describe(column)
            data.attrs["units"] = table.units.of(column.field)
            if column.field in WORDS:
                data.attrs["words"] = list(WORDS[column.field])
        if table.events is not None and len(table.events):
            _events(file.create_group("events"), table)
        if table.names:
            words = np.array([name.encode() for name in table.row_names(table.rows["track"]).tolist()] or [b""])
            kind = need("h5py", "HDF5", EXTRA).string_dtype("utf-8", max(1, words.dtype.itemsize))
            data = group.create_dataset("name", data=words[: len(table.rows)].astype(kind), dtype=kind)
            data.attrs["description"] = "what the user calls the track"

    write_bytes(path, hdf5_image(fill, "HDF5"))


def _events(group: Any, table: TrackTable) -> None:
    events = table.events
    assert events is not None
    named = {"kind": "event", "other": "other_track"}
    docs = {column.field: table.describe(column) for column in COLUMNS} | MEANINGS
    for name in events.dtype.names or ():
        own = named.get(name, name)
        data = group.create_dataset(own, data=np.ascontiguousarray(events[name]))
        data.attrs["description"], data.attrs["units"] = docs[own], table.units.of(own)
        if own == "event":
            data.attrs["words"] = ["", *RELATIONS.values()]


def hdf5_image(fill: Callable[[Any, ExitStack], None], what: str, extra: str = EXTRA) -> bytes:
    """The bytes of an HDF5 file, made in memory: libhdf5 takes no full disk with grace.

    Args:
        fill: writes into the open h5py.File; what has to be closed afterwards goes onto the stack.
        what: the format, for the sentence without h5py.
        extra: which extra installs it.
    """
    h5py = need("h5py", what, extra)
    with ExitStack() as stack:
        file = stack.enter_context(h5py.File("memory", "w", driver="core", backing_store=False))
        fill(file, stack)
        file.flush()
        image: bytes = file.id.get_file_image()
    return image


def _text(value: str) -> str:
    return value.encode("utf-8", "backslashreplace").decode()
