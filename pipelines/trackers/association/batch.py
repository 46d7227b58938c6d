"""Batches of frames of the blob tracker through the loops, and the memory that these work in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np

from kernels.loops.calling import call
from kernels.loops.language import address
from kernels.loops.records import Record
from kernels.loops.scratch import LINE, from_line
from pipelines.features import RELATION_DTYPE, TRACK_DTYPE, Features, Tracks
from pipelines.trackers.association import frames
from pipelines.trackers.association.detections import FIELDS
from pipelines.trackers.association.hidden import WEIGHTS
from pipelines.trackers.association.kalman import predict
from pipelines.trackers.association.model import USUAL_WIDTH
from pipelines.trackers.association.records import (
    KEPT,
    TRACK_COLUMNS,
    Cells,
    Detections,
    Given,
    Memory,
    Pairs,
    Population,
    Relations,
    Settings,
    Work,
)
from pipelines.trackers.association.records import Tracks as TrackRecord
from pipelines.trackers.association.rows import ROW
from pipelines.trackers.base import Array, Clock
from pipelines.trackers.columns import Columns, spread

PAIRS = 16  # pairs within the gates for each track and each detection, for which there is room at first
COPIED = 64  # rows a table up to which copying is cheaper than asking where it lies
F8 = np.dtype("f8")
R = TypeVar("R", bound=Record)
NO_RELATIONS = np.zeros((0, len(RELATION_DTYPE.names or ())))


class Association:
    """The tracks of a picture, and what is done with a batch of its detections.

    Args:
        settings: fields of `Settings` by name.
    """

    def __init__(self, settings: Mapping[str, float]) -> None:
        self.tracks = Columns(TRACK_COLUMNS)
        self.settings, self.population = Settings(), Population()
        self.population.light = 1.0
        for name, value in settings.items():
            setattr(self.settings, name, value)
        self._columns: Array = np.zeros(0)
        self._record: Any = None
        self._detections, self._work = _sized(Detections, 16), _sized(Work, WEIGHTS)
        self._pairs, self._cells = _sized(Pairs, 64), _sized(Cells, 64)
        self._relations, self._past_relations = _sized(Relations, 64), NO_RELATIONS
        self.seen_as: list[Array] = []
        """Of each row of the last batch, frame after frame, the feature that it was seen as, alone, or -1."""

    def run(
        self, tables: Sequence[Features], indices: Sequence[int], times: Sequence[float], clock: Clock, next_track: int
    ) -> tuple[list[Tracks], int, bool]:
        """The rows of each frame, the next track's id, and whether all frames were in order: at the first that is not
        it stops."""
        p, t, count = self.population, self.tracks, len(tables)
        sizes = [len(one) for one in tables]
        ends = [0, *accumulate(sizes)]
        found, starts = _lying(tables, ends)
        lists = np.array((*indices, *starts, *sizes, *(0,) * count), np.int64)
        stamps = np.array(times, np.float64)
        p.index, p.time, p.rate, p.next_track = clock.index, clock.time, clock.rate, next_track
        p.tracks, p.done, p.predicted, p.skipped, p.settled, wide = len(t), 0, 0, 0, 0, max(sizes)
        made: list[Tracks] = []
        self.seen_as = []
        while True:
            first = p.done
            self._make_room(wide)
            p.rows, rows = 0, (count - first) * (len(t) + wide + wide // 8 + 8)
            out, seen_as = np.empty(ROW * rows, np.uint8), np.empty(rows, np.int64)
            memory = Memory(self._detections, self._work, self._pairs, self._cells, self._relations)
            given = Given(found, lists, stamps, count)
            why = call(frames.batch, self._record, self._columns, memory, self.settings, p, given, rows, out,
                       seen_as)  # fmt: skip
            t.resize(p.tracks)
            self._take_relations()
            end = 0
            for many in lists[3 * count + first : 3 * count + p.done].tolist():
                made.append(np.frombuffer(out, TRACK_DTYPE, many, ROW * end))  # a sixth of the time of a view
                end += many
            self.seen_as.append(seen_as[:end])
            if why == frames.MORE_PAIRS:
                self._pairs = _sized(Pairs, 2 * self._pairs.room)
            elif why != frames.MORE_ROWS:
                break
        clock.index, clock.time, clock.rate = p.index, p.time, p.rate
        return made, p.next_track, why == frames.FINISHED

    def predict(self, dt: float) -> None:
        """All tracks to `dt` frames later, and none of them seen."""
        self._make_room(0)
        call(predict, self._record, len(self.tracks), dt, self.settings)

    @property
    def relations(self) -> Array:
        """Mergers and splits so far, as RELATION_DTYPE; a copy."""
        made = np.zeros(len(self._past_relations), RELATION_DTYPE)
        for name, values in zip(RELATION_DTYPE.names or (), self._past_relations.T, strict=True):
            made[name] = values
        return made

    def _take_relations(self) -> None:
        r, count = self._relations, self.population.relations
        if count:
            fresh = np.stack([getattr(r, name)[:count] for name in RELATION_DTYPE.names or ()], axis=1)
            self._past_relations = np.concatenate((self._past_relations, fresh))
            self.population.relations = 0

    def snapshot(self) -> dict[str, Array]:
        """A copy of all that is kept."""
        kept = np.array([getattr(self.population, name) for name in KEPT])
        return self.tracks.snapshot() | {"population": kept, "relations": self._past_relations.copy()}

    def restore(self, state: Mapping[str, Array]) -> None:
        """Go back to a snapshot; one of an earlier version's linker lacks what that did not keep."""
        self.tracks.restore(state)
        self._past_relations = np.array(state.get("relations", NO_RELATIONS), np.float64)
        kept = dict(zip(KEPT, state["population"].tolist() if "population" in state else (), strict=False))
        for name in KEPT:
            setattr(self.population, name, kept.get(name, 1.0 if name == "light" else 0.0))
        if "population" not in state:
            t = self.tracks
            t["scale"][:], t["last_mass"][:], t["width"][:] = 1.0, t["mass"], USUAL_WIDTH

    def _make_room(self, wide: int) -> None:
        """For frames of up to `wide` detections and what begins in them."""
        t = self.tracks
        if len(t) + 2 * wide + 8 > t.room:
            t.reserve(2 * len(t) + 4 * wide + 64)
        if self._columns is not t.blocks[F8]:
            self._columns = t.blocks[F8]
            self._record = TrackRecord(self._columns, t.room)
        if wide + 8 > self._detections.room:
            self._detections = _sized(Detections, spread(wide + wide // 2 + 8))
            self._cells = _sized(Cells, 2 * self._detections.room)
        if 2 * t.room > self._relations.room:
            self._relations = _sized(Relations, 2 * t.room)
        if max(t.room, self._detections.room) + 8 > self._work.room:
            self._work = _sized(Work, spread(max(t.room, self._detections.room, WEIGHTS) + 8))
        most = PAIRS * self._work.room
        if most > self._pairs.room:
            self._pairs = _sized(Pairs, most)


def _sized(kind: type[Any], room: int) -> Any:
    size = len(kind.layout.fields) * room
    return kind(from_line(np.zeros(8 * size + LINE, np.uint8), size, F8), room)


def _lying(tables: Sequence[Features], ends: Sequence[int]) -> tuple[Array, Sequence[int]]:
    """The features of all tables as floats, and where each table begins, in floats from there: machine code reads large
    tables where they lie, as that of a frame alone; small ones and Python one behind the other."""
    if len(tables) == 1 and tables[0].flags.c_contiguous:
        alone = tables[0].view(F8)
        if alone.flags.aligned:
            return alone, (0,)
    if ends[-1] > COPIED * len(tables) and frames.batch.native() is not None:
        places = [address(one) if one.flags.c_contiguous else 1 for one in tables]
        if not any(place % 8 for place in places):
            return tables[0].view(F8), [(place - places[0]) // 8 for place in places]
    lying = bytearray().join([one.tobytes() for one in tables])  # `np.concatenate` copies field after field
    return np.frombuffer(lying) if lying else np.zeros(0), [FIELDS * end for end in ends[:-1]]
