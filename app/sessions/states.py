"""States of a run that a session holds, so that what begins in the midst can be replayed from there on.

A recording that waits for a trigger keeps some of them in memory, one for every so many frames; when a trigger fires,
recording begins at the frame of one of them, and this one is written, before the frames.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from app.sessions import events
from app.sessions.absence import number_in
from app.sessions.packing import pack, unpack
from app.sessions.schemas import StatePart, state_part
from kernels.errors import FusetrackError
from pipelines.definition import loads
from pipelines.streaming.engine.checkpoint import Checkpoint, TrackerState, newest
from pipelines.streaming.engine.tracking import Piece
from pipelines.writing import dumps

Array = npt.NDArray[Any]
MOST_BYTES = 512 << 20
"""Memory of the states that are kept; beyond it every second one is given up."""


class KeptStates:
    """The states of the last frames of a run.

    Args:
        every: frames between two, about.
        back: how many frames before the newest one a recording may begin, at most.
        most: bytes.
    """

    def __init__(self, every: int, back: int, most: int = MOST_BYTES) -> None:
        self.every, self.back, self.most = every, back, most
        self._due = 0
        self._kept: list[Checkpoint] = []
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def nbytes(self) -> int:
        """Memory of the states."""
        return sum(point.nbytes for point in self._kept)

    def wants(self, frame: int) -> bool:
        """Whether one before this frame is wanted; says so once."""
        if frame < self._due:
            return False
        self._due = frame + self.every
        return True

    def put(self, point: Checkpoint, announced: int) -> None:
        """Keep one, and let go of those that no trigger will ask for: `announced` frames have come."""
        with self._lock:
            self._kept.append(point)
            while len(self._kept) > 1 and self._kept[1].frame <= announced - self.back:
                del self._kept[0]
            while self.nbytes > self.most and len(self._kept) > 1:
                self._kept = self._kept[len(self._kept) % 2 ^ 1 :: 2]  # the newest stays

    def newest(self, first: int, last: int) -> Checkpoint | None:
        """The last one whose frame is in `first` .. `last`."""
        with self._lock:
            return newest(self._kept, first, last)


def pack_state(point: Checkpoint) -> bytes:
    """A state as it is stored."""
    trackers = [
        {"node": tracker.node, "pieces": [[p.raw, p.given, p.stride] for p in tracker.pieces],
         "state": {key: _columns(array) for key, array in tracker.state.items()}}
        for tracker in point.trackers
    ]  # fmt: skip
    return pack({
        "frame": point.frame, "pipeline": dumps(point.pipeline), "groups": point.groups, "pictures": point.pictures,
        "engine": point.engine, "trackers": trackers, "end": point.end,
    })  # fmt: skip


def unpack_state(data: bytes) -> Checkpoint:
    """What `pack_state` stored.

    Raises:
        ValueError: it is damaged, or its pipeline cannot be read.
    """
    tree = unpack(data)
    try:
        where = f"the pipeline from frame {tree['frame']} on"
        return Checkpoint(
            _whole(tree["frame"]), loads(tree["pipeline"], where, recorded=True),
            tuple(tuple(map(str, group)) for group in tree["groups"]), bool(tree["pictures"]),
            _programs(tree["engine"]), tuple(_tracker(entry) for entry in tree["trackers"]), _whole(tree["end"]),
        )  # fmt: skip
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"it holds something else than a state ({error})") from None
    except FusetrackError as error:
        raise ValueError(str(error)) from None


def _programs(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: {"frames": _whole(state["frames"]), "memory": dict(state["memory"]), "history": list(state["history"])}
        for name, state in entry.items()
    }


def _columns(array: Array) -> Array | dict[str, Array] | list[Any]:
    """Rows of a table by their columns: what is stored holds arrays of plain numbers alone. Of rows in another shape
    than one after the other, this shape is first: columns do not tell it from that of their own entries."""
    if array.dtype.names is None:
        return array
    columns = {name: array[name] for name in array.dtype.names}
    return columns if array.ndim == 1 else [list(array.shape), columns]


def _rows(stored: Array | Mapping[str, Array] | list[Any]) -> Array:
    """Back from `_columns`."""
    if isinstance(stored, Mapping):
        lengths = {len(column) for column in stored.values()}
        if len(lengths) != 1:
            raise TypeError("a table whose columns are not of one length")
        shape, columns = tuple(lengths), stored
    elif isinstance(stored, list):
        shape, columns = tuple(map(_whole, stored[0])), stored[1]
        if any(column.shape[: len(shape)] != shape for column in columns.values()):
            raise TypeError("a table whose columns are not of its shape")
    else:
        return np.asarray(stored)
    rows = np.zeros(shape, [(name, column.dtype, column.shape[len(shape) :]) for name, column in columns.items()])
    for name, column in columns.items():
        rows[name] = column
    return rows


def _tracker(entry: Mapping[str, Any]) -> TrackerState:
    state = {key: _rows(array) for key, array in entry["state"].items()}
    return TrackerState(entry["node"], tuple(Piece(*map(_whole, piece)) for piece in entry["pieces"]), state)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number")
    return value


@dataclass(frozen=True, slots=True)
class StoredState:
    """One that a session holds.

    Args:
        frame: the first that was processed after it.
        point: the state, None if it cannot be used.
        problem: why not, or "".
        nbytes: of what was stored.
    """

    frame: int
    point: Checkpoint | None
    problem: str
    nbytes: int


def stored_states(messages: Iterable[bytes]) -> Iterator[StoredState]:
    """The states in the messages of their channel, as they were recorded, one in memory at a time."""
    parts: list[StatePart] = []
    for message in messages:
        try:
            part = state_part(message)
        except ValueError:
            continue  # the state is not whole then
        if parts and (part.frame, part.crc, part.total) != (parts[0].frame, parts[0].crc, parts[0].total):
            yield _joined(parts)
            parts = []
        parts.append(part)
    if parts:
        yield _joined(parts)


def held_states(states: Iterable[StoredState], happened: Iterable[dict[str, Any]]) -> dict[int, str]:
    """The frames of a session's states with what is wrong with each, "" if nothing; of those that triggers name and
    that are not there, too."""
    found: dict[int, str] = {}
    for state in states:
        if found.get(state.frame) != "":
            found[state.frame] = state.problem
    for event in happened:
        if event["kind"] == events.TRIGGER and "state" in event:
            found.setdefault(number_in(event, "state"), "it is not there")
    return dict(sorted(found.items()))


def _joined(parts: list[StatePart]) -> StoredState:
    """One state of its parts."""
    first = parts[0]
    data = b"".join(part.data for part in parts)
    if len(data) != first.total or not first.holds(data):
        cut = len(data) < first.total
        problem = f"{len(data)} of its {first.total} bytes are there" if cut else "its checksum differs"
        return StoredState(first.frame, None, problem, len(data))
    try:
        return StoredState(first.frame, unpack_state(data), "", len(data))
    except ValueError as error:
        return StoredState(first.frame, None, str(error), len(data))
