"""Expressions for a form: one sum with equal weights taken together, or a pass along rows and one down columns."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from kernels.fusion.linear import Form, between_floats, outside_value
from kernels.ir.expr import Expr, const, convert
from kernels.ir.image import DType
from kernels.ir.ops import fits
from kernels.ir.planes import Border, load

Weights = Mapping[tuple[int, int], Fraction]
"""(dy, dx) -> weight, of looks at one plane by one rule."""
ROUNDING = Fraction(1, 1 << 21)
"""Share of the largest weight by which a kernel of floats may miss an outer product: a few roundings to f32."""


MOST_COMBINATIONS = 32
"""Ways to write the looks at several planes that are all tried."""
Place = tuple[Expr, Border | None, int, int]
"""A look: plane, border, dy, dx."""


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to write the looks at one plane: weighted looks, and the operations that their planes take."""

    looks: list[tuple[Place, Fraction]]
    before: int = 0

    @property
    def operations(self) -> int:
        """What it takes by itself."""
        return self.before + _operations([weight for _, weight in self.looks])


def emissions(form: Form, dtype: DType, most: float = math.inf, there: Container[Expr] = ()) -> Iterator[Expr]:
    """Expressions of `dtype` for a form with at least one tap; floats equal it in real arithmetic up to the rounding of
    their weights, whole numbers modulo 2 ** bits.

    Args:
        most: only those that take fewer operations a pixel than this, counted from the form's planes on.
        there: what is computed in any case: passes along rows among it count nothing.
    """
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
    ways = [_group(plane, border, weights, dtype, there) for (plane, border), weights in groups.items()]
    given = sum(_is_converted(plane, dtype) for plane in form.planes) + (form.scale is not None)
    for chosen in _chosen(ways):
        looks = [look for way in chosen for look in way.looks]
        # Counted before it is built.
        if given + sum(way.before for way in chosen) + _operations([weight for _, weight in looks]) < most:
            total = _total([(_look(*place, dtype), weight) for place, weight in looks], dtype)
            if total is not None:
                yield total if form.scale is None else total * form.scale


def _chosen(ways: Sequence[Sequence[_Way]]) -> Iterator[Sequence[_Way]]:
    """A way for each plane: all combinations where they are few; else all planes in the same way, and each in the way
    that takes the fewest operations by itself."""
    if math.prod(len(here) for here in ways) <= MOST_COMBINATIONS:
        yield from product(*ways)
        return
    for k in range(max(len(here) for here in ways)):
        yield [here[min(k, len(here) - 1)] for here in ways]
    yield [min(here, key=lambda way: way.operations) for here in ways]


def _group(plane: Expr, border: Border | None, weights: Weights, dtype: DType, there: Container[Expr]) -> list[_Way]:
    """Ways to write the looks at one plane."""
    ways = [_Way([((plane, border, y, x), weights[y, x]) for y, x in sorted(weights)])]
    if border is None:
        return ways
    for down, across in _factors(weights, dtype):
        rows = _total([(_look(plane, border, 0, x, dtype), w) for x, w in across.items()], dtype)
        beyond = _beyond(border, plane.dtype, sum(across.values(), Fraction(0)), dtype)
        if rows is not None and beyond is not None:
            before = 0 if rows in there else _operations(across.values())
            # Separable: a pass along rows, then one down columns of what it made.
            ways.append(_Way([((rows, beyond, y, 0), w) for y, w in down.items()], before))
    return ways


def _operations(weights: Collection[Fraction]) -> int:
    """Additions and products of a weighted sum."""
    # n - 1 additions, and a product for each size of weight but 1.
    return len(weights) - 1 + len({abs(w) for w in weights} - {1})


def _look(plane: Expr, border: Border | None, dy: int, dx: int, dtype: DType) -> Expr:
    if between_floats(plane):  # see `converted_look`
        return convert(convert(load(plane.src[0], border or Border(), dx, dy), plane.dtype), dtype)
    return convert(load(plane, border or Border(), dx, dy), dtype)


def _is_converted(plane: Expr, dtype: DType) -> bool:
    """Whether looks at a plane take an operation (once: see `cost`)."""
    return between_floats(plane) or not (plane.dtype == dtype or _widens(plane.dtype, dtype))


def _widens(given: DType, dtype: DType) -> bool:
    return not dtype.is_float and not given.is_float and dtype.bits > given.bits


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
    # A rank-one matrix is the outer product of any of its rows and columns; the largest weight loses the fewest digits.
    pivot = max(weights, key=lambda at: abs(weights[at]))
    row = {x: weights[pivot[0], x] for x in xs}
    if dtype.is_float:
        counted = Counter(abs(w) for w in row.values())
        units = [max(counted, key=lambda w: (counted[w], w)), abs(weights[pivot])]  # these looks then need no product
    else:
        # The common divisor keeps `across` whole, and `down` takes it.
        units = [Fraction(math.gcd(*(int(w) for w in row.values())))]
    for unit in dict.fromkeys(units):
        across = {x: w / unit for x, w in row.items()}
        down = {y: weights[y, pivot[1]] / across[pivot[1]] for y in ys}
        near = abs(weights[pivot]) * ROUNDING if dtype.is_float else 0
        # Whole numbers must match exactly, floats within a few roundings of the largest weight.
        if all(abs(w - down[y] * across[x]) <= near for (y, x), w in weights.items()):
            yield down, across


def _total(terms: Sequence[tuple[Expr, Fraction]], dtype: DType) -> Expr | None:
    """The sum of terms, those of equal weight (but for the sign) together; None if a weight is none of `dtype`."""
    together: dict[Fraction, list[tuple[Expr, Fraction]]] = {}
    for term in terms:
        size = term[1] if dtype.is_float and not fits(float(term[1]), dtype) else abs(term[1])
        together.setdefault(size, []).append(term)
    total: Expr | None = None
    sums: list[tuple[Expr, bool]] = []
    for size, members in together.items():
        number = float(size) if dtype.is_float else int(size)
        if not fits(number, dtype):
            return None
        # A positive one first, so that the sum begins without a negation.
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


def cost(
    order: Iterable[Expr], area: int, operation: Mapping[str, float], converted: set[tuple[Expr, DType]] | None = None
) -> float:
    """Scalar operations a pixel of an image of `area` pixels that the nodes take, each computed once.

    Looks are free, and so are numbers that are the same for every pixel; a row that is converted and looked at many
    times is converted once; wider whole numbers are conversions of a register.

    Args:
        converted: planes that are converted already, and to what; those of the nodes are added.
    """
    total = 0.0
    converted = set() if converted is None else converted
    for node in order:
        if node.size is None:
            continue
        share = node.size[0] * node.size[1] / area
        if node.op == "window":
            total += share * (node.arg.x1 - node.arg.x0 + node.arg.y1 - node.arg.y0)
        elif node.op == "convert":
            # A look aside at a converted row is the same conversion.
            source = node.src[0].src[0] if node.src[0].op == "load" else node.src[0]
            if not _widens(source.dtype, node.dtype) and (source, node.dtype) not in converted:
                converted.add((source, node.dtype))
                total += share
        elif node.op == "gather":
            total += 4 * share
        else:
            total += share * operation.get(node.op, 0.0)
    return total
