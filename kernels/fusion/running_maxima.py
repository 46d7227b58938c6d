"""Comparisons of a pixel with many neighbours as comparisons with their maximum, which rows share; the same bits.

That a value is above each of eight neighbours takes eight comparisons and masks. Above their maximum takes one, and the
maxima along a row serve the rows above and below. Whole numbers have one order. Floats do not: a NaN is on no side of
anything, and `max` may drop it. Where one can occur (`kernels.fusion.float_ranges`), their order is taken over to whole
numbers, in which NaN is above infinity: nothing is above it as a neighbour, and as the pixel itself it is found by one
comparison.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kernels.fusion.balance import conjoined, terms_of
from kernels.fusion.float_ranges import Interval, never_nan
from kernels.fusion.narrow import rebuilt
from kernels.ir.expr import Expr, apply, postorder
from kernels.ir.image import BOOL, F32
from kernels.ir.ops import convert
from kernels.ir.planes import Border, load

_FEWEST = 4
"""Comparisons of a pixel that are worth it."""


@dataclass(frozen=True, slots=True)
class Separated:
    """Rewritten expressions.

    Args:
        roots: in the order of those given.
        kept: what must be in memory, since it would be computed twice otherwise.
    """

    roots: tuple[Expr, ...]
    kept: frozenset[Expr]


@dataclass(frozen=True, slots=True)
class _Look:
    """`here` compared with `plane` at (dx, dy): `op`(neighbour, here), or the other way round where `below`."""

    term: Expr
    here: Expr
    plane: Expr
    border: Border
    below: bool

    @property
    def key(self) -> tuple[Expr, Expr, Border, bool]:
        return self.here, self.plane, self.border, self.below

    @property
    def place(self) -> tuple[int, int]:
        tap = self.term.src[self.below].arg
        return tap.dy, tap.dx


def separate(roots: Sequence[Expr], fixed: Collection[Expr], limits: Mapping[str, Interval]) -> Separated:
    """`roots` with maxima and minima in place of conjunctions of comparisons.

    Args:
        roots: in normal form.
        fixed: planes that are remembered from frame to frame: they and what they are made of stay as they are.
        limits: of live parameters (see `kernels.ir.body.Body`).
    """
    order = list(postorder(roots))
    uses = Counter(s for node in order for s in node.src)
    uses.update(roots)
    same = set(postorder(fixed))
    # A conjunction that only another conjunction uses is part of it.
    inside = {s for node in order if _joins(node) for s in node.src if _joins(s) and uses[s] == 1}
    new: dict[Expr, Expr] = {}
    kept: set[Expr] = set()
    for node in order:
        new[node] = node if node in same else rebuilt(node, [new[s] for s in node.src], node.dtype)
        if _joins(node) and node not in inside and node not in same:
            found = _conjunction([new[t] for t in terms_of(node, inside)], kept, limits)
            new[node] = new[node] if found is None else found
    return Separated(tuple(new[root] for root in roots), frozenset(kept))


def _joins(node: Expr) -> bool:
    return node.op == "and" and node.dtype == BOOL


def _looks(term: Expr) -> Iterable[_Look]:
    """The ways to see a comparison as one with a neighbour."""
    if term.op not in ("lt", "le"):
        return
    for below in (False, True):
        look, here = term.src[below], term.src[not below]
        # A wrapped look needs the whole frame, a past one another plane: no fold along rows.
        if look.op != "load" or look.arg.dt or look.arg.size is not None or look.arg.border.mode == "wrap":
            continue
        plane = look.src[0]
        if plane.dtype == BOOL or plane.dtype.bits == 64 or (plane.dtype.is_float and (below or here is not plane)):
            continue
        yield _Look(term, here, plane, look.arg.border, below)


def _conjunction(terms: Sequence[Expr], kept: set[Expr], limits: Mapping[str, Interval]) -> Expr | None:
    looks = [look for term in terms for look in _looks(term)]
    counts = Counter(look.key for look in looks)
    if not counts:
        return None
    (key, count), = counts.most_common(1)
    rows = Counter(look.place[0] for look in looks if look.key == key)
    # Worth it only with another row that is looked at more than once: its fold is shared with rows above and below.
    if count < _FEWEST or not any(n > 1 for dy, n in rows.items() if dy):
        return None
    chosen = [look for look in looks if look.key == key]
    rest = list(dict.fromkeys(t for t in terms if t not in {look.term for look in chosen}))
    here, plane, border, below = key
    if plane.dtype == F32:
        if plane.op not in ("input", "const", "param"):
            kept.add(plane)
        # `max` may drop a NaN: then the order of whole numbers is compared, in which it is above infinity.
        if not never_nan(load(plane, border, 1), limits):  # the border's constant included
            rest.append(apply("eq", here, here))  # not a NaN
            here = plane = ordered(plane)
            border = _ordered_border(border)
    fold = "min" if below else "max"
    every = {op: {look.place for look in chosen if look.term.op == op} for op in ("lt", "le")}
    if here is plane:
        every["le"] |= _implied(every["lt"], every["le"])
    for op, places in every.items():
        if places:
            limit = _folded(plane, border, fold, sorted(places))
            rest.append(apply(op, here, limit) if below else apply(op, limit, here))
    return conjoined("and", rest)


def _implied(strict: Collection[tuple[int, int]], weak: Collection[tuple[int, int]]) -> set[tuple[int, int]]:
    """Places in the pixel's own row that may be compared once more, so that its fold is one that other rows need: the
    pixel is not below itself, nor below what it is above."""
    own = {dx for dy, dx in weak if dy == 0}
    free = {dx for dy, dx in strict if dy == 0} | {0}
    # The own row is widened to a set of places that another row has, so that one fold serves both.
    for row in sorted({dy for dy, _ in (*strict, *weak) if dy}):
        along = {dx for places in (strict, weak) for dy, dx in places if dy == row}
        if own and own <= along <= own | free:
            return {(0, dx) for dx in along}
    return set()


def _folded(plane: Expr, border: Border, fold: str, places: Sequence[tuple[int, int]]) -> Expr:
    """The fold of a plane's pixels at places (dy, dx): along the rows first."""
    parts = []
    for dy in sorted({dy for dy, _ in places}):
        # Along the row first: this fold is made once a row and looked at from several.
        along = [load(plane, border, dx) for y, dx in places if y == dy]
        while len(along) > 1:
            along = [apply(fold, *along[:2]), *along[2:]]
        outside = border
        if border.mode == "constant":  # the fold of equal values, in the plane's type
            outside = Border("constant", float(convert(np.array([border.value]), plane.dtype)[0]))
        parts.append(load(along[0], outside, 0, dy))
    while len(parts) > 1:
        parts = [apply(fold, *parts[:2]), *parts[2:]]
    return parts[0]


def ordered(plane: Expr) -> Expr:
    """f32 as i32 in the same order, the two zeros equal, every NaN above infinity."""
    bits = apply("bits", plane)
    sign = bits >> 31
    # Negative floats have their bits in falling order: turned over they rise. -0 becomes 0.
    return ((bits & 0x7FFFFFFF) ^ sign) - sign


def _ordered_border(border: Border) -> Border:
    if border.mode != "constant":
        return border
    with np.errstate(all="ignore"):
        bits = int(convert(np.array([border.value]), F32).view(np.int32)[0])
    if bits & 0x7FFFFFFF > 0x7F800000:
        return Border("constant", float(0x7FC00000))
    return Border("constant", float(bits if bits >= 0 else -(bits & 0x7FFFFFFF)))
