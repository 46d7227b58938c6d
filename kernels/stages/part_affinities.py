"""Peaks of several animals, sorted into animals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.decoders.affinities import assembled
from kernels.decoders.heatmaps import PIXELS
from kernels.decoders.placed import tables_of_placed
from kernels.errors import DefinitionError
from kernels.ir.body import Datum, Host, ValueType
from kernels.ir.image import ImageType
from kernels.ir.placement import check_placement, placements
from kernels.ir.table import FEATURE, KEYPOINT, Table, TableType
from kernels.param import Param, Value
from kernels.skeleton import skeleton
from kernels.stage import stage

# For plans, measured on one core at 3 GHz or so: seconds of a call, of an edge between animals.
CALL, EACH = 4e-5, 4e-6
_MOST = 64
"""Edges at most."""


@stage(
    category="Features",
    inputs=("points", "fields", "placement"),
    optional=("placement",),
    params=(
        Param("names", "text", "", "what the points are called, in the network's order, separated by commas",
              structural=True),
        Param("edges", "text", "", "what each pair of channels joins, from - to: pairs of names or numbers, such as "
              "nose-neck, 0-2; empty: each point and the next", structural=True),
        Param("min_affinity", "float", 0.25, "mean of a field along an edge of an animal, at least", "1", 0.0, 1.0),
        Param("samples", "int", 10, "places along an edge at which its field is read", low=2, high=1000),
        Param("longest", "float", 0.5, "of the longer side of what the network gets: longer edges are less likely",
              unit="1", low=1e-3, high=100.0),
        Param("fewest", "int", 2, "points of an animal at least", low=1, high=1000),
        Param("capacity", "int", 16, "animals of a frame at most", low=1, high=1024, structural=True),
        Param("stride", "float", 0.0, "pixels of what the network gets that one of the fields covers; 0: by their "
              "sizes, where a placement tells them", unit="px", low=0.0, high=4096.0),
        Param("pixels", "choice", "half", "where pixel k of a field lies in what the network gets, as for "
              "heatmap_peaks", choices=PIXELS),
    ),
    opaque=True,
)  # fmt: skip
def part_affinities(points: ValueType, fields: ValueType, placement: ValueType | None, names: str, edges: str,
                    capacity: int, **_: Value) -> Host:  # fmt: skip
    """Which peaks belong to one animal, by the part affinity fields of a bottom-up network (Cao et al., Realtime
    multi-person 2D pose estimation using part affinity fields, CVPR 2017; SLEAP's bottom-up models): `points` are rows
    of KEYPOINT whose `instance` is an animal, `out` the same of FEATURE, animal by animal.

    points: the peaks, several a channel (`heatmap_peaks` with instances). fields: two channels an edge of the skeleton,
    x and y of a vector that along the edge points from its first point to its second one, about 0 elsewhere. The
    affinity of two peaks is the mean of the field's component along the line between them, at `samples` places between
    pixels; a line longer than `longest` loses longest / length - 1 (OpenPose). Peaks are joined by the highest
    affinity first, over all edges together, where both animals so far have no point twice: an edge that crosses another
    animal comes late and finds its place taken, and one that closes a circle adds nothing. A point that is missing
    leaves what is behind it an animal of its own where no other edge leads there; what has fewer than `fewest`
    points is left out. Animals are numbered by the sum of their scores, the tracker `keypoints` keeps them apart over
    time (sorting = "instance").

    >>> import numpy as np
    >>> from kernels.ir.image import F32
    >>> table = TableType(KEYPOINT, 4)
    >>> body = part_affinities.build([table, ImageType(F32, 9, 12, 2), None])
    >>> peaks, field = Table(np.zeros(4, table.numpy)), np.zeros((9, 12, 2), np.float32)
    >>> peaks.rows["x"], peaks.rows["y"], peaks.rows["point"] = [2, 9, 2, 9], [2, 2, 6, 6], [0, 1, 0, 1]
    >>> field[[2, 6], 2:10, 0] = 1.0
    >>> found = body.host.run([peaks, field, None], body.params)["points"].rows
    >>> found[["y", "point", "instance"]].tolist()
    [(2.0, 0, 0), (2.0, 1, 0), (6.0, 0, 1), (6.0, 1, 1)]
    """
    if not (isinstance(points, TableType) and {*dict(KEYPOINT)} <= {*dict(points.columns)}):
        raise DefinitionError(f"its points are a table of key points, not {points}")
    if not (isinstance(fields, ImageType) and fields.dtype.is_float):
        raise DefinitionError(f"its fields are an image of floats, not {fields}")
    check_placement(placement)
    count, rest = divmod(fields.channels, 2)
    joins = skeleton(names, edges).edges or tuple((k, k + 1) for k in range(count))
    if rest or count != len(joins) or count > _MOST:
        raise DefinitionError(f"its fields have {fields.channels} channels; {len(joins)} edges take {2 * len(joins)}, "
                              f"at most {2 * _MOST}")  # fmt: skip
    if max(map(max, joins)) >= _MOST:
        raise DefinitionError(f"an edge ends at point {max(map(max, joins))}; a skeleton has {_MOST} points at most")
    shape = fields.height, fields.width, fields.channels
    types = {"out": TableType(FEATURE, points.capacity), "points": TableType(KEYPOINT, points.capacity)}

    def batch(inputs: Sequence[Any], params: Mapping[str, Value]) -> Mapping[str, Sequence[Datum]]:
        placed = placements(inputs[2], len(inputs[0]))
        tables = [Table(np.asarray(table.rows), table.overflow) for table in inputs[0]]

        def sorted_(parts: Sequence[Any], at: npt.NDArray[Any]) -> Sequence[Sequence[Table]]:
            chosen = [tables[k] for k in parts[1].ravel().tolist()]
            return assembled(chosen, np.asarray(parts[0]).reshape(len(at), *shape), at, joins, params)

        return tables_of_placed((np.asarray(inputs[1]), np.arange(len(tables))), placed, types, sorted_)

    def run(inputs: Sequence[Datum | None], params: Mapping[str, Value]) -> Mapping[str, Datum]:
        given = [inputs[0]], np.asarray(inputs[1])[None], None if inputs[2] is None else np.asarray(inputs[2])[None]
        return {name: data[0] for name, data in batch(given, params).items()}

    return Host(types, run, batch, CALL + count * EACH * capacity)
