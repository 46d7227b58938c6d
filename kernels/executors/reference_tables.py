"""Tables of the reference executor: reductions over regions, and lists of the pixels where something holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.ir.expr import Expr
from kernels.ir.table import Candidates, Reduction, Table, TableType, joint_table_size
from kernels.param import Value

Array = npt.NDArray[Any]


def table_of(
    table: Reduction | Candidates, type_: TableType, values: Mapping[Expr, Array], params: Mapping[str, Value]
) -> Table:
    """The rows of a table, in its order.

    Args:
        table: what is wanted.
        type_: of the table.
        values: (height, width) of every expression in it, or what broadcasts to that.
        params: live parameters.

    Raises:
        DefinitionError: a region is no rectangle.
    """
    size = joint_table_size(table)
    if isinstance(table, Candidates):
        y, x = np.nonzero(np.broadcast_to(values[table.condition], size))
        kept = slice(0, table.capacity)
        rows = np.zeros(len(y[kept]), type_.numpy)
        rows["x"], rows["y"] = x[kept], y[kept]
        for name, expr in table.columns:
            rows[name] = np.broadcast_to(values[expr], size)[y[kept], x[kept]]
        return Table(rows, max(0, len(y) - table.capacity))
    boxes, overflow = _boxes(table, size, params)
    rows = np.zeros(len(boxes), type_.numpy)
    for column in table.columns:
        plane = np.broadcast_to(values[column.expr], size)
        for i, (left, top, w, h) in enumerate(boxes):
            region = plane[max(0, top) : max(0, top + h), max(0, left) : max(0, left + w)]
            rows[column.name][i] = _reduced(column.kind, region)
    return Table(rows, overflow)


def _boxes(
    table: Reduction, size: tuple[int, int], params: Mapping[str, Value]
) -> tuple[list[tuple[int, int, int, int]], int]:
    regions = table.regions
    if regions.kind == "whole":
        return [(0, 0, size[1], size[0])], 0
    if regions.kind == "grid":
        w, h = regions.width, regions.height
        return [(x, y, w, h) for y in range(0, size[0], h) for x in range(0, size[1], w)], 0
    given = params[regions.boxes]
    boxes = []
    for box in given if isinstance(given, tuple) else ():
        if not isinstance(box, tuple) or len(box) != 4:
            raise DefinitionError(f"a region is (x, y, width, height), not {box!r}")
        left, top, w, h = (round(v) for v in box)
        boxes.append((left, top, w, h))
    return boxes[: regions.capacity], max(0, len(boxes) - regions.capacity)


def _reduced(kind: str, region: Array) -> Any:
    if kind in ("sum", "count"):
        return region.sum(dtype=np.int64)
    if region.dtype.kind == "f":
        finite: Any = np.finfo(region.dtype)
        if kind == "min":
            return np.fmin.reduce(region, axis=None, initial=finite.max) + region.dtype.type(0)
        return np.fmax.reduce(region, axis=None, initial=finite.min) + region.dtype.type(0)
    limits: Any = np.iinfo(region.dtype)
    return region.min(initial=limits.max) if kind == "min" else region.max(initial=limits.min)
