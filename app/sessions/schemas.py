"""What the messages of a session mean: pictures, tracks, events, each with a schema that stock readers know how to use.

Pictures are `foxglove.RawImage` (https://docs.foxglove.dev/docs/visualization/message-schemas/raw-image) with a few
fields of our own behind the standard ones, which other readers skip; tracks are columns; events are JSON; states of a
run (`app.sessions.states`) come in parts, in bytes that only we read.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.sessions.protobuf import (
    FIXED32,
    FIXED64,
    Field,
    delimited,
    describe_file,
    describe_message,
    describe_set,
    parse,
    tag,
)
from app.sessions.records import channel, schema
from pipelines.features import TRACK_DTYPE, Tracks, no_tracks
from pipelines.measures import BY_FIELD, fields_of, in_order, measured_dtype

IMAGES, TRACKS, EVENTS, STATES = 1, 2, 3, 4
"""Channels (and their schemas)."""
TOPICS = {IMAGES: "/camera/image", TRACKS: "/tracks", EVENTS: "/events", STATES: "/states"}

RAW_IMAGE = (
    Field(1, "timestamp", "message", message=".google.protobuf.Timestamp"), Field(7, "frame_id", "string"),
    Field(2, "width", "fixed32"), Field(3, "height", "fixed32"), Field(4, "encoding", "string"),
    Field(5, "step", "fixed32"), Field(6, "data", "bytes"),
    Field(1001, "fusetrack_sequence", "fixed64"), Field(1002, "fusetrack_camera_id", "sfixed64"),
    Field(1003, "fusetrack_camera_time_ns", "sfixed64"), Field(1004, "fusetrack_host_time_ns", "sfixed64"),
    Field(1005, "fusetrack_time_s", "double"), Field(1006, "fusetrack_crc32", "fixed32"),
)  # fmt: skip
"""The foreign fields and our own."""

_COLUMNS = {
    "frame": "sfixed64", "time": "double", "track": "sfixed32", "x": "double", "y": "double", "vx": "double",
    "vy": "double", "sigma": "float", "score": "float", "state": "bytes", "reason": "bytes", "anisotropy": "float",
    "correlation": "float",
}  # fmt: skip
"""Column of a table of tracks -> its type, in the order in which they came; numbers of one byte are bytes, since
protobuf has no shorter number."""
_LATE = ("anisotropy", "correlation")
"""Columns that older sessions do not have; they are 0 then."""
_MEASURES = {
    "area": 101, "sigma_area": 102, "diameter": 103, "sigma_diameter": 104, "mass": 105, "peak": 106, "min": 107,
    "max": 108, "major": 109, "minor": 110, "sigma_major": 111, "sigma_minor": 112, "orientation": 113,
    "sigma_orientation": 114, "rotation": 115, "scale": 116,
}  # fmt: skip
"""Numbers of the columns of measures, which only rows of pipelines that measure have: they never change, and a new one
gets the next."""
_FLOATS = {"f4": "float", "f8": "double"}

_STATE = (
    Field(1, "frame", "fixed64"), Field(2, "total", "fixed64"), Field(3, "crc32", "fixed32"), Field(4, "data", "bytes"),
)  # fmt: skip
"""A part of a state: the frame that it is before, its bytes and their checksum, the bytes of this part."""

_EVENT_SCHEMA = {
    "title": "fusetrack.Event",
    "type": "object",
    "properties": {
        "kind": {"type": "string"},
        "frame": {"type": ["integer", "null"], "description": "sequence number of the frame that it belongs to"},
    },
    "required": ["kind"],
}


def schemas() -> list[bytes]:
    """The schema records."""
    stamp = describe_message("Timestamp", (Field(1, "seconds", "int64"), Field(2, "nanos", "int32")))
    stamp_file = describe_file("google/protobuf/timestamp.proto", "google.protobuf", [stamp])
    image = describe_file(
        "foxglove/RawImage.proto", "foxglove", [describe_message("RawImage", RAW_IMAGE)],
        ["google/protobuf/timestamp.proto"],
    )  # fmt: skip
    columns = [
        *(Field(k + 1, name, kind, repeated=kind != "bytes") for k, (name, kind) in enumerate(_COLUMNS.items())),
        *(Field(number, name, _FLOATS[BY_FIELD[name].type], repeated=True) for name, number in _MEASURES.items()),
    ]  # fmt: skip
    tracks = describe_file("fusetrack/Tracks.proto", "fusetrack", [describe_message("Tracks", columns)])
    states = describe_file("fusetrack/State.proto", "fusetrack", [describe_message("State", _STATE)])
    return [
        schema(IMAGES, "foxglove.RawImage", "protobuf", describe_set([stamp_file, image])),
        schema(TRACKS, "fusetrack.Tracks", "protobuf", describe_set([tracks])),
        schema(EVENTS, "fusetrack.Event", "jsonschema", json.dumps(_EVENT_SCHEMA).encode()),
        schema(STATES, "fusetrack.State", "protobuf", describe_set([states])),
    ]


def channels(picture: Mapping[str, Any]) -> list[bytes]:
    """The channel records; that of the pictures repeats their layout, should the manifest be damaged."""
    layout = {"picture": json.dumps(picture, sort_keys=True)}
    return [
        channel(IMAGES, IMAGES, TOPICS[IMAGES], "protobuf", layout),
        channel(TRACKS, TRACKS, TOPICS[TRACKS], "protobuf", {}),
        channel(EVENTS, EVENTS, TOPICS[EVENTS], "json", {}),
        channel(STATES, STATES, TOPICS[STATES], "protobuf", {}),
    ]


@dataclass(frozen=True, slots=True)
class StatePart:
    """A part of a state.

    Args:
        frame: the first that was processed after the state.
        total, crc: bytes of the whole state, and their checksum.
        data: the bytes of this part; parts are in order.
    """

    frame: int
    total: int
    crc: int
    data: bytes

    def holds(self, data: bytes) -> bool:
        """Whether these are the bytes of the whole state."""
        return zlib.crc32(data) == self.crc


def state_parts(frame: int, data: bytes, room: int) -> Iterator[bytes]:
    """A state as messages of at most `room` bytes, in order."""
    head = tag(1, FIXED64) + struct.pack("<Q", frame) + tag(2, FIXED64) + struct.pack("<Q", len(data))
    head += tag(3, FIXED32) + struct.pack("<I", zlib.crc32(data))
    step = room - len(head) - 8
    for start in range(0, len(data), step):
        yield head + delimited(4, data[start : start + step])


def state_part(data: bytes) -> StatePart:
    """What a message of `state_parts` says.

    Raises:
        ValueError: it is none.
    """
    fields = parse(data)
    frame, total, crc, held = (fields.get(number) for number in range(1, 5))
    if not (isinstance(frame, int) and isinstance(total, int) and isinstance(crc, int) and isinstance(held, bytes)):
        raise ValueError("a part of a state lacks a field")
    return StatePart(frame, total, crc, held)


def pack_tracks(rows: Tracks) -> bytes:
    """Rows, with the measures that they carry, as a message of columns, bit for bit."""
    numbers = {name: k + 1 for k, name in enumerate(_COLUMNS)} | {name: _MEASURES[name] for name in fields_of(rows)}
    return b"".join(
        delimited(number, np.ascontiguousarray(rows[name], rows.dtype[name].newbyteorder("<")).tobytes())
        for name, number in numbers.items()
    )


def unpack_tracks(data: bytes) -> Tracks:
    """The rows of a message, with the measures that it has.

    Raises:
        ValueError: the columns are no table.
    """
    fields = parse(data)
    measures = in_order(name for name, number in _MEASURES.items() if number in fields)
    dtype, columns = measured_dtype(measures), {}
    for name in (*_COLUMNS, *measures):
        held = fields.get(_MEASURES[name] if name in measures else list(_COLUMNS).index(name) + 1, b"")
        if isinstance(held, int):
            raise ValueError(f"the column {name} is a number")
        columns[name] = np.frombuffer(held, dtype[name].newbyteorder("<"))
    length = len(columns["frame"])
    for name in _LATE:
        if list(_COLUMNS).index(name) + 1 not in fields:
            columns[name] = np.zeros(length, TRACK_DTYPE[name])
    if any(len(column) != length for column in columns.values()):
        raise ValueError("the columns have different lengths")
    if not length:
        return no_tracks()
    rows = np.empty(length, dtype)
    for name, column in columns.items():
        rows[name] = column
    return rows
