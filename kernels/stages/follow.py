"""Crops that follow things from frame to frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.decoders.following import Following, remembered, room
from kernels.decoders.placement import Cutting
from kernels.errors import DefinitionError
from kernels.ir.body import Datum, Host, Lazy, ValueType
from kernels.ir.image import F64, ImageType
from kernels.ir.placement import PLACEMENT
from kernels.ir.table import KEYPOINT, TableType
from kernels.param import Param, Value
from kernels.stage import stage

SECONDS = 4e-5  # of a frame, measured on one core at 3 GHz or so
THINGS = ("before", "second", "third")
_POINTS = TableType(KEYPOINT, 1)


@stage(
    category="Geometry",
    inputs=("boxes", "points", *THINGS, "memory"),
    optional=("boxes", "points", *THINGS, "memory"),
    params=(
        Param("width", "int", 128, "columns of the crops", unit="px", low=1, high=65536, structural=True),
        Param("height", "int", 0, "their rows; 0: as many as columns", unit="px", low=0, high=65536, structural=True),
        Param("step", "int", 1, "a crop every so many frames; in those between placements are NaN, and what is behind "
              "them rests", unit="frames", low=1, high=1 << 20),
        Param("every", "int", 0, "things are placed by the detector every so many frames, and follow their points "
              "between; 0: only when they are missing", unit="frames", low=0, high=1 << 20),
        Param("search", "int", 1, "while a thing is missing the detector looks for it every so many frames",
              unit="frames", low=1, high=1 << 20),
        Param("margin", "float", 0.25, "what is added at each side of a detected thing, of its width and height",
              unit="1", low=-0.49, high=100.0),
        Param("shift", "vector", (0.0, 0.0), "of its middle, to the right and down in the crop, of its width and "
              "height", unit="1", length=2),
        Param("level", "vector", (), "two points of the detector's; the crop is turned so that the second is to the "
              "right of the first", low=0),
        Param("own_margin", "float", 0.25, "what is added at each side of the extent of the points that are followed",
              unit="1", low=-0.49, high=100.0),
        Param("own_shift", "vector", (0.0, 0.0), "as shift, of their extent", unit="1", length=2),
        Param("own_level", "vector", (), "as level, two of these points", low=0),
        Param("around", "vector", (), "those of them whose extent counts; empty: all", low=0),
    ),
    opaque=True,
    previous={**dict.fromkeys(THINGS, _POINTS), "memory": ImageType(F64, 1, 1, room(1))},
    remembers={"memory": "memory"},
)  # fmt: skip
def follow(boxes: ValueType | None, points: ValueType | None, before: ValueType | None, second: ValueType | None,
           third: ValueType | None, memory: ValueType | None, width: int, height: int,
           **given: Any) -> Host:  # fmt: skip
    """Placements of things that are detected once and followed from then on, for `warp`: two steps in one pipeline.

    before: the points (rows of KEYPOINT) that the stages behind found in the crop: those of the frame before. Where
    there are any, their extent with its margin is the next crop, level by two of them; where there are none, the thing
    is missing and takes, of the boxes that no other has, the one nearest to where it was, at first the surest. second,
    third: the same of two more things, each with stages of its own; their placements are the outputs `second` and
    `third`. boxes, points: what a detector finds, as `place` takes it. The detector is looked at, and so computed, only
    in the first frame, every `every` frames, in the frame in which a thing is lost, and every `search` frames until all
    are there. A crop around what another follows already is given up. Placements are NaN where nothing is there, as
    those of `place`.

    memory: nothing that is to be connected: frames since the detector was looked at, where the last crops were, and
    where each thing was last.

    >>> import numpy as np
    >>> from kernels.ir.table import BOX, KEYPOINT, Table, TableType
    >>> types = [TableType(BOX, 4), None, TableType(KEYPOINT, 2)]
    >>> body = follow.build(types, {"width": 101, "margin": 0.0, "own_margin": 0.0})
    >>> box = Table(np.array([(60.0, 40.0, 20.0, 10.0, 0.9)], types[0].numpy))
    >>> seen = Table(np.zeros(2, types[2].numpy))
    >>> first = body.host.run([box, None, Table(seen.rows[:0]), None, None, None], body.params)
    >>> first["out"].ravel().round(3).tolist()
    [0.198, -0.0, 50.099, 0.0, 0.198, 30.099, 101.0, 101.0]
    >>> seen.rows["x"], seen.rows["y"] = [53, 73], [36, 46]
    >>> after = body.host.run([box, None, seen, None, None, first["memory"]], body.params)
    >>> after["out"].ravel().round(3).tolist(), after["memory"].ravel()[:2].tolist()
    ([0.198, -0.0, 53.099, 0.0, 0.198, 31.099, 101.0, 101.0], [2.0, 0.0])
    """
    places = before, second, third
    things = max([1, *(k + 1 for k, one in enumerate(places) if one is not None)])
    for name, one in zip(("points", *THINGS), (points, *places), strict=True):
        if one is not None and not (isinstance(one, TableType) and {*dict(KEYPOINT)} <= {*dict(one.columns)}):
            raise DefinitionError(f"its {name} are a table of key points, not {one}")
    columns = {*dict(boxes.columns)} if isinstance(boxes, TableType) else set()
    if boxes is not None and not ({"x", "y", "width", "height"} <= columns or {"x", "y", "xx", "yy"} <= columns):
        raise DefinitionError(f"its boxes are a table with x, y, and width and height or xx and yy, not {boxes}")
    for name in ("level", "own_level"):
        if len(given[name]) not in (0, 2):
            raise DefinitionError(f"{name} has {len(given[name])} members; it takes two, or none")
    if given["level"] and points is None:
        raise DefinitionError("to be level it needs points")
    state = ImageType(F64, 1, 1, room(things))
    if memory is not None and not (isinstance(memory, ImageType) and memory.dtype == F64):
        raise DefinitionError("its memory is its own; nothing else can be connected to it")
    size = width, height or width
    level, own_level, around = (tuple(map(int, given[name])) for name in ("level", "own_level", "around"))

    def following(params: Mapping[str, Value]) -> Following:
        value: Mapping[str, Any] = params
        detected = Cutting(*size, 0, (), (), level, float(value["margin"]), tuple(value["shift"]))
        own = Cutting(*size, 0, (), around, own_level, float(value["own_margin"]), tuple(value["own_shift"]))
        return Following(detected, own, int(value["step"]), int(value["every"]), int(value["search"]))

    def rows(table: Any, n: int) -> Any:
        return None if table is None else table[n].rows

    def batch(inputs: Sequence[Any], params: Mapping[str, Value]) -> Mapping[str, Sequence[Datum]]:
        how = following(params)
        frames = len(next(one for one in inputs if one is not None))
        made: dict[str, list[Datum]] = {name: [] for name in types}
        for n in range(frames):
            past = remembered(None if inputs[-1] is None else inputs[-1][n], things)
            seen = [rows(table, n) for table in inputs[2 : 2 + things]]
            found, kept = how.place(rows(inputs[0], n), rows(inputs[1], n), seen, past)
            values: list[Datum] = [*found, kept.reshape(state.shape)]
            for name, value in zip(made, values, strict=True):
                made[name].append(value)
        return made

    def wanted(by: Sequence[Any], params: Mapping[str, Value]) -> npt.NDArray[np.bool_]:
        how, frames = following(params), len(by[-1])
        return np.array([how.looks([rows(table, n) for table in by[:things]], remembered(by[-1][n], things))
                         for n in range(frames)])  # fmt: skip

    def run(inputs: Sequence[Datum | None], params: Mapping[str, Value]) -> Mapping[str, Datum]:
        made = batch([None if data is None else [data] for data in inputs], params)
        return {name: data[0] for name, data in made.items()}

    types = {**dict.fromkeys(("out", *THINGS[1:])[:things], PLACEMENT), "memory": state}
    lazy = Lazy((0, 1), (2, 3, 4, 5), lambda by, params: wanted((*by[:things], by[-1]), params))
    return Host(types, run, batch, SECONDS, lazy=lazy if memory is not None else None)
