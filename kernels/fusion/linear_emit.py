"""Expressions for a form: one sum with equal weights taken together, or a pass along rows and one down columns."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

from kernels.fusion.linear import Form, outside_value
from kernels.ir.expr import Expr, const, convert
from kernels.ir.image import DType
from kernels.ir.ops import fits
from kernels.ir.planes import Border, load

Weights = Mapping[tuple[int, int], Fraction]
"""(dy, dx) -> weight, of looks at one plane by one rule."""
ROUNDING = Fraction(1, 1 << 21)
"""Share of the largest weight by which a kernel of floats may miss an outer product: a few roundings to f32."""


def emissions(form: Form, dtype: DType) -> Iterator[Expr]:
    """Expressions of `dtype` for a form with at least one tap; floats equal it in real arithmetic up to the rounding of
    their weights, whole numbers modulo 2 ** bits."""
    groups: dict[tuple[Expr, Border | None], dict[tuple[int, int], Fraction]] = {}
    for look, weight in form.taps.items():
        groups.setdefault((look.plane, look.border), {})[look.dy, look.dx] = weight
    for (plane, border), weights in list(groups.items()):  # the look that does not move has no rule: any will do
        partner = next((b for p, b in groups if p is plane and b is not None), None)
        if border is None and partner is not None:
            groups[plane, partner] |= weights
            del groups[plane, None]
    if not dtype.is_float and any(w.denominator != 1 for w in form.taps.values()):
        return
    ways = [_group(plane, border, weights, dtype) for (plane, border), weights in groups.items()]
    for chosen in product(*ways):
        terms = [term for part in chosen for term in part]
        total = _total(terms, dtype)
        if total is not None:
            yield total if form.scale is None else total * form.scale


Term = tuple[Expr, Fraction]


def _group(plane: Expr, border: Border | None, weights: Weights, dtype: DType) -> list[list[Term]]:
    """Ways to write the looks at one plane, each a list of weighted terms."""
    ways = [[(_look(plane, border, y, x, dtype), weights[y, x]) for y, x in sorted(weights)]]
    if border is None:
        return ways
    for down, across in _factors(weights, dtype):
        rows = _total([(_look(plane, border, 0, x, dtype), w) for x, w in across.items()], dtype)
        beyond = _beyond(border, plane.dtype, sum(across.values(), Fraction(0)), dtype)
        if rows is not None and beyond is not None:
            ways.append([(load(rows, beyond, dy=y), w) for y, w in down.items()])
    return ways


def _look(plane: Expr, border: Border | None, y: int, x: int, dtype: DType) -> Expr:
    return convert(load(plane, border or Border(), x, y), dtype)


def _beyond(border: Border, given: DType, gain: Fraction, dtype: DType) -> Border | None:
    if border.mode != "constant":
        return border
    outside = outside_value(border, given)
    if outside is None or (outside and dtype.is_float):
        return None  # floats outside would have to be rounded as inside
    value = outside * gain
    return Border("constant", float(value)) if fits(int(value), dtype) and abs(value) < 2**53 else None


def _factors(weights: Weights, dtype: DType) -> Iterator[tuple[dict[int, Fraction], dict[int, Fraction]]]:
    """Ways (down, across) with weights[y, x] = down[y] * across[x]; none if there are none or they save nothing."""
    ys, xs = sorted({y for y, _ in weights}), sorted({x for _, x in weights})
    if len(ys) < 2 or len(xs) < 2 or len(weights) != len(ys) * len(xs):
        return
    pivot = max(weights, key=lambda at: abs(weights[at]))
    row = {x: weights[pivot[0], x] for x in xs}
    if dtype.is_float:
        counted = Counter(abs(w) for w in row.values())
        units = [max(counted, key=lambda w: (counted[w], w)), abs(weights[pivot])]  # these looks then need no product
    else:
        units = [Fraction(math.gcd(*(int(w) for w in row.values())))]
    for unit in dict.fromkeys(units):
        across = {x: w / unit for x, w in row.items()}
        down = {y: weights[y, pivot[1]] / across[pivot[1]] for y in ys}
        miss = max(abs(w - down[y] * across[x]) for (y, x), w in weights.items())
        if miss <= (abs(weights[pivot]) * ROUNDING if dtype.is_float else 0):
            yield down, across


def _total(terms: Sequence[Term], dtype: DType) -> Expr | None:
    """The sum of terms, those of equal weight (but for the sign) together; None if a weight is none of `dtype`."""
    together: dict[Fraction, list[Term]] = {}
    for term in terms:
        size = term[1] if dtype.is_float and not fits(float(term[1]), dtype) else abs(term[1])
        together.setdefault(size, []).append(term)
    total: Expr | None = None
    sums: list[tuple[Expr, bool]] = []
    for size, members in together.items():
        number = float(size) if dtype.is_float else int(size)
        if not fits(number, dtype):
            return None
        members = sorted(members, key=lambda term: term[1] < 0)
        negative = members[0][1] < 0
        value = members[0][0]
        for other, weight in members[1:]:
            value = value - other if (weight < 0) != negative else value + other
        sums.append((value if size == 1 else value * const(number, dtype), negative))
    for value, negative in sorted(sums, key=lambda part: part[1]):
        first = -value if negative else value
        total = first if total is None else total - value if negative else total + value
    return total


def cost(order: Sequence[Expr], area: int, operation: Mapping[str, float]) -> float:
    """Scalar operations a pixel of an image of `area` pixels that the nodes take, each computed once.

    Looks are free, and so are numbers that are the same for every pixel; a row that is converted and looked at many
    times is converted once; wider whole numbers are conversions of a register.
    """
    total = 0.0
    converted: set[tuple[Expr, DType]] = set()
    for node in order:
        if node.size is None:
            continue
        share = node.size[0] * node.size[1] / area
        if node.op == "window":
            total += share * (node.arg.x1 - node.arg.x0 + node.arg.y1 - node.arg.y0)
        elif node.op == "convert":
            source = node.src[0].src[0] if node.src[0].op == "load" else node.src[0]
            widens = not node.dtype.is_float and not source.dtype.is_float and node.dtype.bits > source.dtype.bits
            if not widens and (source, node.dtype) not in converted:
                converted.add((source, node.dtype))
                total += share
        elif node.op == "gather":
            total += 4 * share
        else:
            total += share * operation.get(node.op, 0.0)
    return total
