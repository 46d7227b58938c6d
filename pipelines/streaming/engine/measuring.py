"""Which measures the rows of a pipeline have, and those of a batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from kernels.components.outlines import CENTRES
from kernels.ir.table import FEATURE, TableType
from pipelines.features import FEATURE_DTYPE, Tracks, join_tracks
from pipelines.frame import Result
from pipelines.graph import Bound, BoundTracker, Ref
from pipelines.measures import (
    OF_AXES,
    Array,
    Measures,
    carrying,
    in_order,
    measures_dtype,
    no_measures,
    of_features,
    with_fields,
)
from pipelines.trackers.base import Tracker

SHAPES = ("area", "diameter", "major", "minor", "orientation")
LIGHT = ("mass", "peak")
GRAYS = ("min", "max")
ERRORS = ("sigma_area", "sigma_diameter", *OF_AXES)
WITHOUT = ("heatmap_peaks", "part_affinities", "anchors", "coordinates")
"""Stages whose features are points of a network, or the boxes that it gives: they have no size of their own."""


class Measuring:
    """What is measured of the rows of one tracker.

    Args:
        node: the tracker.
        bound: its pipeline.
    """

    def __init__(self, node: BoundTracker, bound: Bound) -> None:
        self.name, self.outlined = "", False
        of_stage: tuple[str, ...] = ()
        for name, ref in node.inputs.items():
            type_ = bound.types[ref]
            if isinstance(type_, TableType) and type_.columns[: len(FEATURE)] == FEATURE:
                self.name = name
                of_stage, self.outlined = _of_stage(ref, bound)
        self.own = node.type.measures(node.params)
        self.fields = in_order((*of_stage, *self.own)) if node.type.seen_as is not Tracker.seen_as or self.own else ()

    def of(self, tracker: Tracker, frames: Sequence[Tracks], inputs: Sequence[Mapping[str, Any]],
           fields: tuple[str, ...]) -> list[Measures]:  # fmt: skip
        """The measures of the rows of each frame, as the tracker gave them last.

        Args:
            frames: these rows.
            inputs: of each frame.
            fields: that are wanted.
        """
        sizes = [len(rows) for rows in frames]
        edges = [0, *accumulate(sizes)]
        places, own = tracker.reported()
        made = no_measures(edges[-1], fields) if not self.name else self._seen(places, sizes, inputs, fields)
        if [len(one) for one in own] == sizes:
            for name in {*fields} & {*self.own}:
                made[name] = np.concatenate([one[name] for one in own])
        return [made[start:end] for start, end in pairwise(edges)]

    def _seen(self, places: Array | None, sizes: Sequence[int], inputs: Sequence[Mapping[str, Any]],
              fields: tuple[str, ...]) -> Measures:  # fmt: skip
        if places is None or len(places) != sum(sizes):
            return no_measures(sum(sizes), fields)
        tables = [one[self.name] for one in inputs]
        begins = np.fromiter(accumulate([0, *map(len, tables[:-1])]), np.int64, len(tables))
        found = np.where(places >= 0, places + np.repeat(begins, sizes), -1)
        other = [table for table in tables if table.dtype is not FEATURE_DTYPE and table.dtype != FEATURE_DTYPE]
        if other:  # with more columns, such as key points
            joined = np.concatenate([table[list(FEATURE_DTYPE.names or ())] for table in tables])
        else:
            joined = np.frombuffer(b"".join([table.tobytes() for table in tables]), FEATURE_DTYPE)
        return of_features(joined, found, fields, self.outlined)


def _of_stage(ref: Ref, bound: Bound) -> tuple[tuple[str, ...], bool]:
    """What the features of a stage tell, and whether their areas are those of outlines."""
    node = next(one for one in bound.nodes if one.id == ref.node)
    name, params = node.stage.name, node.body.params
    if name in WITHOUT:
        return (), False
    if name == "refine":  # of round spots
        return ("area", "diameter", *LIGHT), False
    weighed = name != "components" or node.inputs[1] is not None
    outlined = name == "components" and params.get("centre") in CENTRES[1:]
    return (*SHAPES, *((*LIGHT, *GRAYS) if weighed else ()), *(ERRORS if outlined else ())), outlined


def measures_of(bound: Bound) -> tuple[str, ...]:
    """The measures (fields of `pipelines.measures.MEASURES`) that rows of a pipeline have, of any of its trackers."""
    return in_order(name for node in bound.trackers for name in Measuring(node, bound).fields)


def joined(parts: Sequence[Measures], fields: tuple[str, ...]) -> Measures:
    """Measures one behind the other, with these fields."""
    lying = bytearray().join([with_fields(part, fields).tobytes() for part in parts])
    return np.frombuffer(lying, measures_dtype(fields)) if lying else no_measures(0, fields)


def measured_rows(results: Sequence[Result], fields: tuple[str, ...] | None = None) -> Tracks:
    """The rows of a batch with these measures, None for those that its results carry; NaN where nothing was measured.
    """
    rows = join_tracks(result.tracks for result in results)
    if fields is None:
        fields = next((one.measures.dtype.names or () for one in results if one.measures is not None), ())
    if not fields:
        return rows
    parts = [no_measures(len(one.tracks), fields) if one.measures is None else with_fields(one.measures, fields)
             for one in results]  # fmt: skip
    return carrying(rows, joined(parts, fields))
