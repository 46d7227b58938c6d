"""A-priori bounds on rounding: how far a computed value can lie from its value in real arithmetic.

Node by node, the standard model of floating-point arithmetic (Higham, Accuracy and Stability of Numerical Algorithms,
2nd ed., 2.2 and 3.1): fl(a op b) = (a op b)(1 + d), |d| <= u. A sum of n products thus stays within gamma_n sum |w||x|,
gamma_n = n u / (1 - n u); the walk gives the same or less, as it knows the order of the sum, and that sums of whole
numbers below 2 ** 24 do not round. A recurrence s[t] = a s[t-1] + b x[t] + e passes errors on with |a| per frame: the
geometric series makes (e + |b| e_x) / (1 - |a|) of them.

Magnitudes: whole numbers by their ranges; images of floats by what is said of them, else within -1..1 (full scale);
live parameters as they are.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from kernels.fusion.algebra_recurrence import coefficients, number
from kernels.fusion.linear import Form, outside_value
from kernels.fusion.magnitudes import FULL, unit
from kernels.fusion.narrow import Range
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import F64, DType
from kernels.ir.recurrence import recurrences
from kernels.param import Value

_TINY = 2.0**-149


@dataclass(frozen=True, slots=True)
class Estimate:
    """|value| <= `most`, |computed - real| <= `error`; values are multiples of 2 ** `grid`, if that is not None."""

    most: float
    error: float = 0.0
    grid: int | None = None


class Bounds:
    """Estimates of nodes over given atoms, which count as free of error.

    Args:
        known: ranges of whole numbers.
        params: live parameters.
        atoms: nodes without an error.
        inputs: the largest absolute value of each image that goes in; None, or missing, for full scale.
    """

    def __init__(
        self, known: Mapping[Expr, Range], params: Mapping[str, Value], atoms: Collection[Expr],
        inputs: Sequence[float | None] = (),
    ) -> None:  # fmt: skip
        self.known = known
        self.inputs = inputs
        self.params = params
        self.atoms = frozenset(atoms)

    def estimate(self, root: Expr) -> Estimate:
        """How large and how wrong `root` can be; infinite where nothing can be said."""
        return self._walk(root, {})[root]

    def _walk(self, root: Expr, given: Mapping[Expr, Estimate]) -> dict[Expr, Estimate]:
        order = list(postorder((root,)))
        known = recurrences((root,))
        found: dict[Expr, Estimate] = {}
        for node in order:
            if node in given:
                found[node] = given[node]
            elif node.op == "state":
                found[node] = self._state(known.get(node.arg), found)
            elif node.op == "recur":
                found[node] = self._state(node, found)
            else:
                found[node] = self._one(node, [found[s] for s in node.src])
            if node in self.atoms:
                found[node] = Estimate(found[node].most, 0.0, found[node].grid)
        return found

    def _state(self, node: Expr | None, found: Mapping[Expr, Estimate]) -> Estimate:
        """The recurrence in any frame."""
        lost = Estimate(math.inf, math.inf)
        if node is None:
            return lost
        inner = Expr("state", (), node.arg, node.dtype, None)
        for source in postorder((node,)):
            seen = found.get(source)
            if seen is None or source.size is None or source is inner:
                continue
            # The recurrence as s = a s + b x, begun with f x; |a| < 1, so that what goes in dies away.
            update = coefficients(node.src[1], node.arg, source, self.params)
            first = coefficients(node.src[0], node.arg, source, self.params)
            if update is None or first is None or abs(update[0]) >= 1 or first[0]:
                continue
            a, b, f = abs(update[0]), abs(update[1]), abs(first[1])
            # The first frame's value, or the limit of the geometric series |b| x (1 + |a| + a^2 + ...).
            most = max(f * seen.most, b * seen.most / (1 - a))
            clean = {source: Estimate(seen.most), inner: Estimate(most)}
            # The rounding of one step, by walking its expression with exact operands.
            each = self._walk(node.src[1], clean)[node.src[1]].error if node.src[1] is not source else 0.0
            start = self._walk(node.src[0], clean)[node.src[0]].error if node.src[0] is not source else 0.0
            return Estimate(most, max(f * seen.error + start, (b * seen.error + each) / (1 - a)))
        return lost

    def _one(self, node: Expr, src: Sequence[Estimate]) -> Estimate:
        if node in self.known:
            low, high = self.known[node]
            return Estimate(float(max(abs(low), abs(high))), 0.0, 0)
        if node.size is None:
            value = number(node, self.params)
            if value is not None and math.isfinite(value):
                return Estimate(abs(value), 0.0, _grid(value))
        most, error = max((s.most for s in src), default=1.0), max((s.error for s in src), default=0.0)
        # The finest grid among the operands; None spreads, since a value off any grid may be anywhere.
        grids = None if any(s.grid is None for s in src) else min((s.grid or 0 for s in src), default=None)
        match node.op:
            case "load":
                # What lies outside is one of the values, with `constant`.
                outside = outside_value(node.arg.border, node.dtype) if node.arg.border.mode == "constant" else 0
                edge = math.inf if outside is None else abs(float(outside))
                return Estimate(max(most, edge), error, grids if edge == 0 else None)
            case "add" | "sub":
                return _rounded(src[0].most + src[1].most, src[0].error + src[1].error, grids, node.dtype)
            case "mul":
                a, b = src
                # (x + dx)(y + dy) - xy, with the largest sizes.
                wrong = a.error * b.most + b.error * a.most + a.error * b.error
                grid = None if a.grid is None or b.grid is None else a.grid + b.grid
                return _rounded(a.most * b.most, wrong, grid, node.dtype)
            case "div" if node.src[1].size is None and src[1].error == 0:
                by = number(node.src[1], self.params)
                if by:
                    return _rounded(most_of(src[0].most, by), src[0].error / abs(by), None, node.dtype)
            case "convert" if node.dtype.is_float:
                return _rounded(src[0].most, src[0].error, src[0].grid, node.dtype)
            case "window" if node.arg.kind == "sum":
                w = node.arg
                count = (w.x1 - w.x0 + 1) * (w.y1 - w.y0 + 1)
                # On a common grid, sums below 2^24 grid steps are whole numbers that f32 holds: no rounding.
                if count * most * 2.0 ** -(grids or 0) <= 2.0**24 and grids is not None and not error:
                    return Estimate(count * most, 0.0, grids)
                # Higham 3.1: gamma_n times the sum of sizes, whatever the order of the sum.
                gamma = count * unit(node.dtype) / (1 - count * unit(node.dtype))
                return Estimate(count * most, count * (error + gamma * (most + error)))
            case "neg" | "abs":
                return src[0]
        # An operation that is not known to pass errors on in proportion.
        if error:
            return Estimate(math.inf, math.inf)
        return Estimate(_elsewhere(node, src, most, self.inputs))


def most_of(most: float, by: float) -> float:
    """The largest |x / by|."""
    return most / abs(by)


def _elsewhere(node: Expr, src: Sequence[Estimate], most: float, inputs: Sequence[float | None]) -> float:
    match node.op:
        case "sqrt":
            return math.sqrt(most)
        case "min" | "max" | "window" | "gather" | "floor" | "ceil" | "rint":
            return most + 1
        case "select":
            return max(src[1].most, src[2].most)
        case "table":
            return float(max(abs(v) for v in node.arg))
        case "input":
            given = inputs[node.arg.index] if node.arg.index < len(inputs) else None
            return FULL if given is None else given
    return math.inf


def _rounded(most: float, error: float, grid: int | None, dtype: DType) -> Estimate:
    digits = 53 if dtype == F64 else 24
    # A multiple of 2^grid below 2^(digits + grid) is a number of the type: the operation does not round.
    if not error and grid is not None and -120 < grid < 120 and most <= 2.0 ** (digits + grid):
        return Estimate(most, 0.0, grid)
    # _TINY: a step of the subnormal f32, where the relative bound does not hold.
    return Estimate(most, error + unit(dtype) * (most + error) + _TINY)


def _grid(value: float | None) -> int | None:
    if value is None or not math.isfinite(value):
        return None
    if not value:
        return 0
    # The denominator of a float is a power of two, 2^k: the value is a multiple of 2^-k.
    return 1 - value.as_integer_ratio()[1].bit_length()


def difference(a: Form, b: Form, bounds: Bounds) -> float:
    """How far two forms over the same looks can lie apart, in real arithmetic."""
    if a.scale is not b.scale:
        return math.inf
    total = 0.0
    sizes: dict[Expr, float] = {}
    for look in {**a.taps, **b.taps}:
        apart = abs(a.taps.get(look, 0) - b.taps.get(look, 0))
        if apart:
            if look.plane not in sizes:
                sizes[look.plane] = bounds.estimate(look.plane).most
            seen = sizes[look.plane]
            if look.border is not None and look.border.mode == "constant":
                outside = outside_value(look.border, look.plane.dtype)
                seen = max(seen, math.inf if outside is None else abs(float(outside)))
            total += float(apart) * seen
    scale = 1.0 if a.scale is None else number(a.scale, bounds.params)
    return math.inf if scale is None else total * abs(scale)
