"""Tables of the reference executor: reductions over regions, and lists of the pixels where something holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

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
    regions = table.regions
    boxes, overflow = regions.rectangles(size, params[regions.boxes] if regions.boxes else ())
    rows = np.zeros(len(boxes), type_.numpy)
    for column in table.columns:
        plane = np.broadcast_to(values[column.expr], size)
        for i, (left, top, w, h) in enumerate(boxes):
            region = plane[max(0, top) : max(0, top + h), max(0, left) : max(0, left + w)]
            rows[column.name][i] = _reduced(column.kind, region)
    return Table(rows, overflow)


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
