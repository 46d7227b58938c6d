"""Whether a body is linear in its inputs: what tests say of stages."""

from __future__ import annotations

import math
from functools import reduce

from kernels.ir.body import Body
from kernels.ir.expr import Expr, postorder
from kernels.ir.ops import exact


def is_linear(body: Body) -> bool:
    """Whether every output is linear in the inputs, in real arithmetic (rounding to integers is not linear)."""
    if body.host is not None or any(output.table is not None for output in body.outputs):
        return False
    degree: dict[Expr, float] = {}
    for node in postorder(body.roots):
        degree[node] = _degree(node, [degree[s] for s in node.src])
        if node.op == "recur" and degree[node] != 1:  # then its state is not linear, as _degree takes it to be
            return False
    return all(degree[root] == 1 for root in body.roots)


_AFFINE = 1.5
"""Linear plus a constant; with 0 (constant), 1 (linear) and infinity (anything else) a degree of `is_linear`."""


def _degree(node: Expr, src: list[float]) -> float:
    match node.op:
        case "const":
            return 0 if node.arg else -1  # a zero adds to anything without harm
        case "param" | "coord":
            return 0
        case "vector":
            return 0 if node.arg.array.any() else -1
        case "input" | "state":
            return 1
        case "contract":
            seen = math.inf if node.arg.outside and src[0] > 0 else src[0]
            return _sum_degree(seen, src[1])
        case "stack" | "mosaic":
            return reduce(_sum_degree, src)
        case "part":
            return src[0]
        case "load" | "window" | "gather":
            constant = node.arg.border.mode == "constant" and node.arg.border.value != 0
            folded = node.op == "window" and node.arg.kind != "sum"
            return math.inf if constant or folded or max(src[1:], default=0) > 0 else src[0]
        case "recur":
            return 1 if max(src) <= 1 and min(src) in (-1, 1) else math.inf
        case "neg":
            return src[0]
        case "add" | "sub":
            return _sum_degree(*src)
        case "select":  # where one rule holds and where the other does not depend on the pixels
            return math.inf if src[0] > 0 else _sum_degree(src[1], src[2])
        case "mul":
            return max(src) if min(src) <= 0 else math.inf
        case "div":
            return src[0] if src[1] <= 0 else math.inf
        case "convert":
            widens = node.dtype.is_float or exact(node.src[0].dtype, node.dtype)
            return src[0] if src[0] <= 0 or widens else math.inf
    return 0 if max(src, default=0) <= 0 else math.inf


def _sum_degree(a: float, b: float) -> float:
    low, high = sorted((a, b))
    if low == -1 or low == high:
        return high
    return _AFFINE if high <= _AFFINE else math.inf
