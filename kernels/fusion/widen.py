"""Conversions before looks to the side: a row of bytes that a filter looks at many times is converted once."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from kernels.fusion.narrow import limits, rebuilt, typed
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import BOOL, DType
from kernels.ir.ops import convert
from kernels.ir.planes import Border, Tap


def widen_rows(roots: Sequence[Expr], fixed: Collection[Expr]) -> tuple[Expr, ...]:
    """`roots` with convert(load(p, dx)) as load(convert(p), dx), where every look at p along its row is converted to
    the same longer type; the same values.

    Args:
        roots: in normal form.
        fixed: planes that are remembered from frame to frame, as they are.
    """
    users: dict[Expr, list[Expr]] = {}
    order = list(postorder(roots))
    for node in order:
        for operand in node.src:
            users.setdefault(operand, []).append(node)
    wanted: dict[Expr, set[DType]] = {}
    # A plane is converted before the looks only if all looks at it are along its row and are converted to one type:
    # else the short row would be needed beside the long one.
    barred = set(fixed)
    for node in order:
        if node.op != "load":
            continue
        plane = node.src[0]
        if not _along(node) or node in roots or plane.dtype.bits > 8:
            barred.add(plane)
            continue
        for user in users.get(node, []):
            if user.op == "convert" and user.dtype.bits > plane.dtype.bits:
                wanted.setdefault(plane, set()).add(user.dtype)
            else:
                barred.add(plane)
    chosen = {plane for plane, types in wanted.items() if len(types) == 1 and plane not in barred}
    if not chosen:
        return tuple(roots)

    new: dict[Expr, Expr] = {}
    for node in order:  # `chosen` and what it is made of may change too, so that a rule over new nodes would miss it
        look = node.src[0] if node.op == "convert" else node
        if look is not node and look.op == "load" and look.src[0] in chosen:
            new[node] = _swapped(node, new[look.src[0]])
        else:
            new[node] = rebuilt(node, [new[s] for s in node.src], node.dtype)
    return tuple(new[root] for root in roots)


def _along(node: Expr) -> bool:
    tap: Tap = node.arg
    return tap.dt == 0 and tap.dy == 0 and tap.dx != 0 and tap.size is None


def _swapped(node: Expr, plane: Expr) -> Expr:
    """A converted look as a look at the converted plane, which is spelled as `narrow` spells it: so the plane's own
    pixel, where it is in the longer type too, is the same node."""
    look, dtype = node.src[0], node.dtype
    tap = look.arg
    border = tap.border
    if border.mode == "constant":
        outside = convert(np.array([border.value]), plane.dtype)  # in the plane's type first, as the look says it
        border = Border("constant", float(outside[0]))
    if dtype.is_float or plane.dtype == BOOL:
        wide = Expr("convert", (plane,), None, dtype, plane.size)
    else:
        wide = typed(plane, dtype, limits(plane.dtype))
    return Expr("load", (wide,), Tap(0, 0, tap.dx, border), dtype, node.size)
