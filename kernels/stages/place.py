"""Where to cut a thing out of the frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kernels.decoders.placement import Cutting
from kernels.errors import DefinitionError
from kernels.ir.body import Datum, Host, ValueType
from kernels.ir.placement import PLACEMENT
from kernels.ir.table import TableType
from kernels.param import Param, Value
from kernels.stage import stage

SECONDS = 1.5e-5  # of a frame, measured on one core at 3 GHz or so


@stage(
    category="Geometry",
    inputs=("boxes", "points"),
    optional=("boxes", "points"),
    params=(
        Param("width", "int", 128, "columns of the crop", unit="px", low=1, high=65536, structural=True),
        Param("height", "int", 0, "its rows; 0: as many as columns", unit="px", low=0, high=65536, structural=True),
        Param("instance", "int", 0, "which thing: 0 is the one with the best score", low=0, high=1 << 20),
        Param("margin", "float", 0.25, "what is added at each side, of the thing's width and height", unit="1",
              low=-0.49, high=100.0),
        Param("shift", "vector", (0.0, 0.0), "of the middle, to the right and down in the crop, of the thing's width "
              "and height", unit="1", length=2),
        Param("size", "vector", (), "width and height of a thing; empty: as its table says", unit="px", low=1e-3),
        Param("level", "vector", (), "two points; the crop is turned so that the second is to the right of the first",
              low=0),
        Param("around", "vector", (), "without boxes: the points whose extent is the thing's; empty: all", low=0),
    ),
    opaque=True,
)  # fmt: skip
def place(boxes: ValueType | None, points: ValueType | None, width: int, height: int, size: tuple[float, ...],
          level: tuple[float, ...], around: tuple[float, ...], **_: Value) -> Host:  # fmt: skip
    """The placement of one thing of the frame, for `warp`: where a crop of width x height pixels around it lies.

    boxes: a table with x, y, and width and height (output `boxes` of `anchors`) or second moments (any table of
    FEATURE; the thing is as large as an even rectangle with these moments). The crop keeps its shape: it holds the box
    with its margins, by the side that needs more. points: a table of KEYPOINT; without boxes the extent of some of them
    is the box, in any case two of them can level the crop (rows of `instance`; where one of the two is missing, it is
    not turned). Where there is no such thing the placement is NaN: `warp` makes a crop of 0 of it, and stages that make
    points or boxes of a network's results find none.

    >>> import numpy as np
    >>> from kernels.ir.table import BOX, Table, TableType
    >>> body = place.build([TableType(BOX, 4)], {"width": 101, "margin": 0.0})
    >>> table = Table(np.array([(60.0, 40.0, 20.0, 10.0, 0.9)], TableType(BOX, 4).numpy))
    >>> body.host.run([table, None], body.params)["out"].ravel().round(3).tolist()
    [0.198, -0.0, 50.099, 0.0, 0.198, 30.099, 101.0, 101.0]
    """
    for name, given, wanted in (("boxes", boxes, ("x", "y")), ("points", points, ("x", "y", "point", "instance"))):
        if given is not None and not (isinstance(given, TableType) and {*wanted} <= {*dict(given.columns)}):
            raise DefinitionError(f"its {name} are a table with columns {', '.join(wanted)}, not {given}")
    columns = dict(boxes.columns) if isinstance(boxes, TableType) else {}
    if columns and not size and not ({"width", "height"} <= {*columns} or {"xx", "yy"} <= {*columns}):
        raise DefinitionError("its boxes have neither width and height nor xx and yy; give their size")
    for name, values, counts in (("size", size, (0, 2)), ("level", level, (0, 2))):
        if len(values) not in counts:
            raise DefinitionError(f"{name} has {len(values)} members; it takes two, or none")
    if level and points is None:
        raise DefinitionError("to be level it needs points")
    numbers = {name: tuple(int(v) for v in values) for name, values in (("level", level), ("around", around))}

    def batch(inputs: Sequence[Any], params: Mapping[str, Value]) -> Mapping[str, Sequence[Datum]]:
        frames = len(next(tables for tables in inputs if tables is not None))
        cutting = Cutting(width, height or width, int(params["instance"]), size, numbers["around"], numbers["level"],  # type: ignore[arg-type]
                          float(params["margin"]), tuple(params["shift"]))  # type: ignore[arg-type]
        return {"out": [cutting.place(*(None if tables is None else tables[n].rows for tables in inputs))
                        for n in range(frames)]}  # fmt: skip

    def run(inputs: Sequence[Datum | None], params: Mapping[str, Value]) -> Mapping[str, Datum]:
        made = batch([None if data is None else [data] for data in inputs], params)
        return {name: data[0] for name, data in made.items()}

    return Host({"out": PLACEMENT}, run, batch, SECONDS)
