"""Points that a network gives as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.decoders.coordinates import ORIGINS, UNITS, Regressor
from kernels.decoders.placed import lazy_by, of_floats, tables_of_placed
from kernels.errors import DefinitionError
from kernels.ir.body import Datum, Host, ValueType
from kernels.ir.image import ImageType
from kernels.ir.placement import check_placement, placements
from kernels.ir.table import FEATURE, KEYPOINT, Table, TableType
from kernels.param import Param, Value
from kernels.stage import stage

# For plans, measured on one core at 3 GHz or so: seconds of a call, a point.
CALL, EACH = 2e-5, 3e-8


@stage(
    category="Features",
    inputs=("values", "scores", "placement"),
    optional=("scores", "placement"),
    params=(
        Param("layout", "text", "", "a letter for each number of a point: x, y, s (its score), - (left out); empty: "
              "xy, or xy- where points have three", structural=True),
        Param("unit", "choice", "px", "what x and y count: pixels, or parts of width and height (unit: 0..1, signed: "
              "-1..1)", choices=tuple(UNITS), structural=True),
        Param("origin", "choice", "edge", "of px: where 0 is, at the edge of the first pixel or at its centre",
              choices=tuple(ORIGINS), structural=True),
        Param("size", "vector", (), "width and height of what the network gets; empty: as the placement says",
              unit="px", low=1.0, high=65536.0, structural=True),
        Param("activation", "choice", "sigmoid", "what makes scores of what the network gives",
              choices=("sigmoid", "none"), structural=True),
        Param("min_score", "float", 0.5, "points must be as sure", unit="1", low=0.0, high=1.0),
    ),
    opaque=True,
)  # fmt: skip
def coordinates(values: ValueType, scores: ValueType | None, placement: ValueType | None, layout: str, unit: str,
                size: tuple[float, ...], **_: Value) -> Host:  # fmt: skip
    """Points of a network that gives their coordinates: `out` are rows of FEATURE, `points` the same of KEYPOINT.

    values: a list of points (1, n, numbers), or all numbers in one vector, point after point, of which `layout` says
    what they are: "xy" for 68 points in 136 numbers, "xy-" for 468 points with a depth, "yxs" for MoveNet, "xy--s" for
    BlazePose. scores: one number for all points (whether the thing is there at all) or one each; points that are less
    sure than `min_score`, or not finite, are left out. Without scores all are as sure as can be (1).

    x, y are px of the frame where `placement` tells where what the network got lies in it (output `placement` of
    `network`), else px of what the network got. mass, peak and score are the score, area is 1; nothing is known of
    moments and sigma (NaN).

    >>> import numpy as np
    >>> from kernels.executors.reference import evaluate
    >>> found = evaluate(coordinates, np.array([[[3, 4]], [[5.5, 2]]], np.float32))["points"].rows
    >>> found["x"].tolist(), found["y"].tolist(), found["point"].tolist()
    ([2.5, 5.0], [3.5, 1.5], [0, 1])
    """
    for name, given in (("values", values), ("scores", scores)):
        if given is not None and not (isinstance(given, ImageType) and given.dtype.is_float):
            raise DefinitionError(f"its {name} are an image of floats, not {given}")
    assert isinstance(values, ImageType)
    check_placement(placement)
    total, each = values.height * values.width * values.channels, values.channels
    if not layout:
        if each not in (2, 3):
            raise DefinitionError(f"it gets {total} numbers; layout must say what those of a point are, such as xy")
        layout = "xy-"[:each]
    if set(layout) - set("xys-") or any(layout.count(name) != 1 for name in "xy") or layout.count("s") > 1:
        raise DefinitionError(f"layout is made of one x, one y, at most one s, and -, not {layout!r}")
    points, rest = divmod(total, len(layout))
    if rest:
        raise DefinitionError(f"its {total} numbers are not a whole number of points with {len(layout)} each")
    apart = 0
    if scores is not None:
        assert isinstance(scores, ImageType)
        apart = scores.height * scores.width * scores.channels
        if apart not in (1, points) or "s" in layout:
            more = ", and its layout has one, too" if "s" in layout else ""
            raise DefinitionError(f"it gets {apart} scores for {points} points{more}; it takes one, or one a point")
    if len(size) not in (0, 2):
        raise DefinitionError(f"size takes two members, width and height, not {len(size)}")
    if unit != "px" and placement is None and not size:
        raise DefinitionError("without a placement it needs size, the width and height of what the network gets")
    regressor = Regressor(points, layout, apart, (size[0], size[1]) if size else (0.0, 0.0))

    types = {"out": TableType(FEATURE, points), "points": TableType(KEYPOINT, points)}

    def batch(inputs: Sequence[Any], params: Mapping[str, Value]) -> Mapping[str, Sequence[Datum]]:
        def locate(parts: Sequence[Any], placed: npt.NDArray[Any]) -> Sequence[Sequence[Table]]:
            frames = len(placed)
            numbers = np.ascontiguousarray(np.asarray(parts[0], np.float32).reshape(frames, points, len(layout)))
            sure = numbers
            if parts[1] is not None:
                sure = np.ascontiguousarray(np.asarray(parts[1], np.float32).reshape(frames, apart))
            return regressor.locate(numbers, sure, placed, params)

        return tables_of_placed(inputs[:2], placements(inputs[2], len(inputs[0])), types, locate)

    def run(inputs: Sequence[Datum | None], params: Mapping[str, Value]) -> Mapping[str, Datum]:
        made = batch([None if data is None else np.asarray(data)[None] for data in inputs], params)
        return {name: data[0] for name, data in made.items()}

    return Host(types, run, batch, CALL + points * EACH, lazy=lazy_by((0, 1), 2) if placement else None,
                decoder=of_floats(regressor, (values, scores)))  # fmt: skip
