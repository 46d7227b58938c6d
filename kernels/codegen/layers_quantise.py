"""Epilogues that end in whole numbers, as quantisers write them, in fewer steps of the same value.

round(x) + zero point within the limits of a byte is a rounded i32 plus the zero point, limited once. Constants of the
layer become leaves of the epilogue, so that layers which differ in them alone share a kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_epilogue import Epilogue, scalar
from kernels.codegen.layers_record import SCALARS
from kernels.fusion.float_ranges import float_ranges
from kernels.ir.expr import Expr, convert, maximum, minimum, postorder
from kernels.ir.image import F32, I8, I32, U8

Array = npt.NDArray[Any]
_FAR = 512.0
"""Beyond it any zero point of a byte leaves a byte's limits."""
_SAFE = 2.0**30


def prepared(root: Expr, tables: Mapping[str, tuple[float, float]]) -> tuple[Epilogue, Array]:
    """The epilogue of an expression, and the constants of its layer, 32 bits each.

    Args:
        tables: between which values the constants a channel lie, by the names of their leaves.
    """
    if not any(node.dtype in (U8, I8) or (node.op == "input" and node.dtype != F32) for node in postorder([root])):
        return Epilogue(root), np.zeros(0, np.int32)
    short = _rounded_once(root, tables, far=False)
    known = float_ranges([short], tables)
    whole = [n.src[0] for n in postorder([short]) if n.op == "convert" and (n.src[0].dtype, n.dtype) == (F32, I32)]
    calm = bool(whole) and all(n in known and known[n][0] >= -_SAFE and known[n][1] <= _SAFE for n in whole)
    made, values = _parted(short if calm else _rounded_once(root, tables, far=True))
    return Epilogue(made, calm), values


def _rounds(node: Expr) -> bool:
    return node.op == "convert" and node.src[0].dtype == F32 and not node.dtype.is_float


def _rebuilt(node: Expr, src: tuple[Expr, ...]) -> Expr:
    return node if src == node.src else Expr(node.op, src, node.arg, node.dtype, node.size, node.channels)


def _rounded_once(root: Expr, tables: Mapping[str, tuple[float, float]], far: bool) -> Expr:
    """Floats that become bytes, by way of an i32.

    Args:
        far: whether floats may be beyond an i32.
    """
    known = float_ranges([root], tables)
    made: dict[Expr, Expr] = {}
    for node in postorder([root]):
        made[node] = _rebuilt(node, tuple(made[s] for s in node.src))
        if not _rounds(node) or node.dtype not in (U8, I8):
            continue
        given, zero = node.src[0], 0.0
        if given.op == "add" and given.src[0].op == "rint" and given.src[1].op == "const":
            given, zero = given.src[0], float(given.src[1].arg)
        if given.op != "rint" or zero != round(zero) or abs(zero) > _FAR / 2:
            continue
        if far and node.dtype == I8 and given not in known:
            continue  # a NaN becomes 0, which is no limit of an i8
        value = made[given.src[0]]
        value = minimum(maximum(value, -_FAR), _FAR) if far else value
        made[node] = convert(convert(value, I32) + int(zero), node.dtype)
    return made[root]


def _parted(root: Expr) -> tuple[Expr, Array]:
    """An expression with leaves for its constants, each where it stands, and the constants."""
    values: list[np.generic] = []
    made: dict[Expr, Expr] = {}

    def leaf(one: Expr) -> Expr:
        plain = one.op != "const" or one.dtype not in (F32, I32) or not one.arg or abs(one.arg) == _FAR
        if plain or len(values) == SCALARS:
            return made.get(one, one)
        values.append(one.dtype.numpy.type(one.arg))
        return scalar(len(values) - 1, one.dtype)

    for node in postorder([root]):
        made[node] = _rebuilt(node, tuple(leaf(s) for s in node.src))
    return made[root], np.array([v.view(np.int32) for v in values], np.int32)
