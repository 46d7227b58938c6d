"""What a body looks at, derived from its loads: footprint in x, y and t, and kind."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from kernels.ir.body import Body
from kernels.ir.expr import Expr, postorder

KINDS = ("opaque", "reduction", "recurrent", "resampling", "temporal", "local", "point")


@dataclass(frozen=True, slots=True)
class Reach:
    """Offsets, inclusive, of the input pixels that one output pixel depends on.

    `dt` is the oldest frame (<= 0; -inf through a recurrence); x and y are infinite through a gather. With strided
    loads offsets count input pixels from (stride*x, stride*y), where images grow from (x/up, y/up). Near an edge the
    border rule may fold an offset to anywhere within the reach of the folded pixel (wrap: to the other side of the
    image).
    """

    x0: float = 0
    x1: float = 0
    y0: float = 0
    y1: float = 0
    dt: float = 0

    def union(self, other: Reach) -> Reach:
        return Reach(
            min(self.x0, other.x0), max(self.x1, other.x1), min(self.y0, other.y0), max(self.y1, other.y1),
            min(self.dt, other.dt),
        )  # fmt: skip

    @property
    def is_point(self) -> bool:
        return self == Reach()

    def __str__(self) -> str:
        if self.is_point:
            return "1 px"
        width, height = self.x1 - self.x0 + 1, self.y1 - self.y0 + 1
        area = "any px" if math.isinf(width) else f"{width:g}x{height:g} px"
        if math.isinf(self.dt):
            return f"{area}, all frames before"
        return area if self.dt == 0 else f"{area}, {1 - self.dt:g} frames"


def _looked_at(node: Expr, own: Reach) -> list[Reach]:
    """The reach that each operand of `node` gets, where `own` is the node's."""
    match node.op:
        case "load":
            tap = node.arg
            sx, sy = tap.stride_x, tap.stride_y
            return [Reach(own.x0 * sx + tap.dx, own.x1 * sx + tap.dx, own.y0 * sy + tap.dy, own.y1 * sy + tap.dy,
                          own.dt + tap.dt)]  # fmt: skip
        case "window":
            w = node.arg
            return [Reach(own.x0 + w.x0, own.x1 + w.x1, own.y0 + w.y0, own.y1 + w.y1, own.dt)]
        case "contract":
            how = node.arg
            (rows, columns) = how.taps
            # Taps spread over (n - 1) * dilation pixels; with `up` the look is divided.
            x = _taps(own.x0, own.x1, how.stride[1], how.x0, (columns - 1) * how.dilation[1], how.up[1])
            y = _taps(own.y0, own.y1, how.stride[0], how.y0, (rows - 1) * how.dilation[0], how.up[0])
            return [Reach(*x, *y, own.dt), own]
        case "mosaic":
            by, bx = node.arg
            return [Reach(*_taps(own.x0, own.x1, 1, 0, 0, bx), *_taps(own.y0, own.y1, 1, 0, 0, by), own.dt)
                    for _ in node.src]  # fmt: skip
        case "gather":
            return [Reach(-math.inf, math.inf, -math.inf, math.inf, own.dt), own, own]
        case "recur":
            # All frames before, at the same pixels.
            past = Reach(own.x0, own.x1, own.y0, own.y1, -math.inf)
            return [past, past]
    return [own] * len(node.src)


def _taps(low: float, high: float, stride: int, first: int, spread: int, up: int) -> tuple[float, float]:
    """Offsets along one axis of what taps at first .. first + spread look at, from stride * x / up."""
    ends = low * stride + first, high * stride + first + spread
    if up == 1:
        return ends
    # Outwards: a part of a pixel is the whole one.
    return (ends[0] if math.isinf(ends[0]) else math.floor(ends[0] / up),
            ends[1] if math.isinf(ends[1]) else math.ceil(ends[1] / up))  # fmt: skip


def reach(roots: Iterable[Expr]) -> dict[int, Reach]:
    """Input index -> union of what any of `roots` looks at in it."""
    wanted = tuple(roots)
    order = list(postorder(wanted))
    # A state is its recurrence one frame ago. Each pass carries what is seen of states to their recurrences; a
    # recurrence keeps to its pixel, so this settles after as many passes as there are recurrences.
    inputs, carried = _reach_pass(wanted, order, {})
    for _ in range(sum(node.op == "recur" for node in order)):
        inputs, carried = _reach_pass(wanted, order, carried)
    return inputs


def _reach_pass(
    roots: tuple[Expr, ...], order: list[Expr], carried: dict[str, Reach]
) -> tuple[dict[int, Reach], dict[str, Reach]]:
    reached: dict[Expr, Reach] = {root: Reach() for root in roots}
    inputs: dict[int, Reach] = {}
    states: dict[str, Reach] = {}
    # Users before operands: a node's reach is complete when its operands are asked.
    for node in reversed(order):
        if node.op == "recur" and node.arg in carried:
            reached[node] = reached[node].union(carried[node.arg])
        own = reached[node]
        if node.op == "input":
            index = node.arg.index
            inputs[index] = inputs[index].union(own) if index in inputs else own
        if node.op == "state":
            states[node.arg] = states[node.arg].union(own) if node.arg in states else own
        for operand, looked in zip(node.src, _looked_at(node, own), strict=True):
            reached[operand] = reached[operand].union(looked) if operand in reached else looked
    return inputs, states


def kind(body: Body) -> str:
    """The first of KINDS that the body is."""
    if body.host is not None:
        return "opaque"
    if any(output.table is not None for output in body.outputs):
        return "reduction"
    nodes = list(postorder(body.roots))
    if any(n.op == "recur" for n in nodes):
        return "recurrent"
    if any(_resamples(n) for n in nodes):
        return "resampling"
    if any(n.op == "load" and n.arg.dt < 0 for n in nodes):
        return "temporal"
    return "point" if all(r.is_point for r in reach(body.roots).values()) else "local"


def _resamples(node: Expr) -> bool:
    if node.op == "contract":
        return bool(node.arg.size != node.src[0].size or node.arg.stride != (1, 1) or node.arg.up != (1, 1))
    return node.op in ("gather", "mosaic") or (node.op == "load" and node.arg.size is not None)
