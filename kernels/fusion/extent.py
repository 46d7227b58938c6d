"""Between which values expressions lie whatever their images show, by interval arithmetic (Moore: Interval Analysis,
1966): what is computed lies within, but for rounding; that it goes so far is not said.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from kernels.fusion.algebra_recurrence import number
from kernels.fusion.narrow import limits
from kernels.ir.body import Body
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import BOOL, DType, ImageType
from kernels.ir.ops import convert
from kernels.param import Value

Extent = tuple[float, float]
ANY: Extent = (-math.inf, math.inf)


def of_source(image: ImageType) -> Extent:
    """Of the pixels of delivered frames: up to white where they have no sign; floats may be anything."""
    if image.dtype.is_float:
        return ANY
    low, high = limits(image.dtype)
    return float(low), min(float(high), image.white) if low == 0 else float(high)


def of_outputs(body: Body, inputs: Sequence[Extent | None]) -> dict[str, Extent]:
    """Of the images that leave, by name.

    Args:
        body: of which live parameters are as they were when it was built.
        inputs: of the images that go in, in order; None for others.
    """
    known = _walked([plane for one in body.outputs for plane in one.planes], inputs, body.params)
    found = {}
    for one in body.outputs:
        if isinstance(one.type, ImageType):  # of host functions nothing is known but the type
            every = [known[plane] for plane in one.planes] or [_of_type(one.type.dtype)]
            found[one.name] = _hull([end for extent in every for end in extent])
    return found


def _walked(
    roots: Sequence[Expr], inputs: Sequence[Extent | None], params: Mapping[str, Value]
) -> dict[Expr, Extent]:  # fmt: skip
    known: dict[Expr, Extent] = {}
    for node in postorder(roots):
        if node.op == "input":
            made = inputs[node.arg.index] or _of_type(node.dtype)
        else:
            # Numbers that are the same for all pixels are known as they are.
            value = number(node, params) if node.size is None else None
            made = (value, value) if value is not None else _one(node, [known[s] for s in node.src])
        low, high = made
        known[node] = ANY if math.isnan(low) or math.isnan(high) else made
    return known


def _one(node: Expr, src: Sequence[Extent]) -> Extent:
    full = _of_type(node.dtype)
    match node.op:
        case "load" | "gather" | "window":
            low, high = src[0]
            if node.arg.border.mode == "constant":
                outside = float(convert(np.array([node.arg.border.value]), node.dtype)[0])
                low, high = min(low, outside), max(high, outside)
            if node.op == "window" and node.arg.kind == "sum":
                count = (node.arg.y1 - node.arg.y0 + 1) * (node.arg.x1 - node.arg.x0 + 1)
                low, high = count * low, count * high
            return _held(low, high, full)
        case "convert":
            low, high = src[0]
            if not node.dtype.is_float and node.dtype != BOOL:
                low, high = float(np.rint(low)), float(np.rint(high))
                return max(min(low, full[1]), full[0]), max(min(high, full[1]), full[0])
            return (low, high) if node.dtype != BOOL else full
        # A divisor that does not reach 0 has its quotients' extremes at the corners.
        case "div" if src[1][0] > 0 or src[1][1] < 0:
            return _hull([a / b for a in src[0] for b in src[1]])
        case "sqrt" | "floor" | "ceil" | "rint":
            low, high = (max(end, 0.0) if node.op == "sqrt" else end for end in src[0])
            return float(getattr(np, node.op)(low)), float(getattr(np, node.op)(high))
        case "table":
            return float(min(node.arg)), float(max(node.arg))
        case "add" | "sub" | "mul" | "neg" | "abs" | "min" | "max" | "select":
            return _held(*_arithmetic(node.op, src), full)
    return full


def _arithmetic(op: str, src: Sequence[Extent]) -> Extent:
    a, b = src[-2] if len(src) > 1 else src[0], src[-1]  # of select: without its condition
    match op:
        case "add":
            return a[0] + b[0], a[1] + b[1]
        case "sub":
            return a[0] - b[1], a[1] - b[0]
        case "mul":
            return _hull([x * y for x in a for y in b])
        case "neg":
            return -a[1], -a[0]
        case "abs":
            return max(0.0, a[0], -a[1]), max(-a[0], a[1])
        case "select":
            return _hull([*a, *b])
    least = min if op == "min" else max
    return least(a[0], b[0]), least(a[1], b[1])


def _hull(values: Sequence[float]) -> Extent:
    """Of corners; all there is where one is no number, as 0 times infinity."""
    return ANY if any(map(math.isnan, values)) else (min(values), max(values))


def _held(low: float, high: float, full: Extent) -> Extent:
    """As it is; all of a type of whole numbers where it may have wrapped."""
    return (low, high) if full[0] <= low and high <= full[1] else full


def _of_type(dtype: DType) -> Extent:
    if dtype.is_float:
        return ANY
    low, high = limits(dtype)
    return float(low), float(high)
