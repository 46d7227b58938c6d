"""Peaks of heat maps put together to animals, as tables (the loops: `kernels.decoders.affinity_loops`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.decoders.affinity_loops import Fields, Pairs, Peaks, affinity_loop
from kernels.decoders.heatmaps import PIXELS
from kernels.ir.table import FEATURE, KEYPOINT, Table, TableType
from kernels.loops.calling import call
from kernels.param import Value

Array = npt.NDArray[Any]
Edges = Sequence[tuple[int, int]]
_FEATURE, _KEYPOINT = (TableType(columns, 1).numpy for columns in (FEATURE, KEYPOINT))


def assembled(
    tables: Sequence[Table], fields: Array, placed: Array, edges: Edges, params: Mapping[str, Value]
) -> tuple[list[Table], list[Table]]:
    """A table of FEATURE and one of KEYPOINT for each frame, animal by animal, with the same rows.

    Args:
        tables: of KEYPOINT, a frame each.
        fields: (frames, height, width, 2 edges), f32: x and y of each edge.
        placed: (frames, `kernels.ir.placement.PARTS`), f64.
        edges: the two points that each joins.
        params: of the stage `part_affinities`.
    """
    frames, height, width, _ = fields.shape
    given = [table.rows[table.rows["point"] >= 0] for table in tables]
    rows_each = [len(rows) for rows in given]
    rows = np.empty(sum(rows_each), _KEYPOINT)
    for name in _KEYPOINT.names or ():
        rows[name] = np.concatenate([own[name] for own in given])
    # As many as are named anywhere: an edge may name one that no map has.
    points = 1 + max([int(rows["point"].max(initial=0)), *(max(edge) for edge in edges)])
    until = np.cumsum(rows_each)
    m = Fields()
    m.frames, m.height, m.width, m.edges, m.points = frames, height, width, len(edges), points
    m.samples, m.animals, m.fewest = (int(params[name]) for name in ("samples", "capacity", "fewest"))  # type: ignore[arg-type]
    m.pixels, m.threshold = PIXELS.index(str(params["pixels"])), float(params["min_affinity"])  # type: ignore[arg-type]
    m.longest, m.stride = float(params["longest"]), float(params["stride"])  # type: ignore[arg-type]
    # Candidates of a frame: for each edge, every pair of peaks of its two points.
    most = 0
    for first, end in pairwise((0, *until.tolist())):
        count = np.bincount(rows["point"][first:end], minlength=points)
        most = max(most, int(sum(count[a] * count[b] for a, b in edges)))
    xs, ys, sure = (np.ascontiguousarray(rows[name], np.float64) for name in ("x", "y", "score"))
    point, instance = np.ascontiguousarray(rows["point"], np.int64), np.empty(len(rows), np.int64)
    # For each peak its animal, and a row of `points` numbers (`joined`).
    work, overflow = np.empty(max(rows_each, default=0) * (1 + points), np.int64), np.empty(frames, np.int64)
    peaks, room = Peaks(xs, ys, sure, point, instance), Pairs(np.empty(7 + most), np.empty(2 * most, np.int64))
    call(affinity_loop, np.ascontiguousarray(fields, np.float32), m, np.array(edges, np.int64).ravel(), placed, peaks,
         until, room, work, overflow)  # fmt: skip
    rows["instance"] = instance
    features, made = [], []
    for (first, end), table, more in zip(pairwise((0, *until.tolist())), tables, overflow.tolist(), strict=True):
        own = rows[first:end]
        # By animal, then by point; peaks of none (-1) come first and are dropped.
        own = own[np.lexsort((own["point"], own["instance"]))]
        own = own[own["instance"] >= 0]
        alone = np.empty(len(own), _FEATURE)
        for name in _FEATURE.names or ():
            alone[name] = own[name]
        made.append(Table(own, table.overflow + more))
        features.append(Table(alone, table.overflow + more))
    return features, made
