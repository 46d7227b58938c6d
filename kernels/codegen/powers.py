"""Summands as a factor times powers of the coordinates: what a sum over a region need not multiply pixel by pixel."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from kernels.fusion.narrow import Range, limits
from kernels.ir.expr import Expr
from kernels.ir.image import BOOL, I32, I64, DType

MOST_X, MOST_Y = 4, 2
"""The highest powers that are taken out."""
_DEEPEST = 24
"""Products of more factors than anybody writes stay as they are: Python's stack has an end."""


@dataclass(frozen=True, slots=True)
class Term:
    """weight * x**px * y**py * base, as whole numbers modulo 2**64."""

    base: Expr
    px: int = 0
    py: int = 0
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Powers:
    """Finds terms.

    Args:
        known: what the whole numbers can be.
        kept: planes that are in memory; what they were made of may not, so they are not taken apart.
    """

    known: Mapping[Expr, Range]
    kept: Collection[Expr]

    def term(self, root: Expr) -> Term:
        """`root` as a product, where no operation on the way can have wrapped or saturated."""
        found = self._factors(root, 0)[0]
        return found if found.px <= MOST_X and found.py <= MOST_Y else Term(self.plain(root))

    def plain(self, node: Expr) -> Expr:
        """The shortest spelling of a whole number: before conversions that keep every value."""
        while node.op in ("convert", "wrap") and node not in self.kept and node.dtype != BOOL:
            inner = node.src[0]
            if inner.dtype.is_float or node.dtype.is_float:
                break
            if node.op == "convert" and not _within(self.range(inner), node.dtype):
                break
            node = inner
        return node

    def range(self, node: Expr) -> Range:
        while node.op == "wrap" and node not in self.kept:
            node = node.src[0]
        return (1, 1) if node is _ONE else self.known[node]

    def _factors(self, root: Expr, depth: int) -> tuple[Term, Range]:
        node = self.plain(root)
        own = self.range(node)
        if node in self.kept or depth > _DEEPEST:
            return Term(node), own
        if node.op == "const" and node.dtype != BOOL:
            return Term(_ONE, weight=int(node.arg)), own
        if node.op == "coord":
            return Term(_ONE, int(node.arg == "x"), int(node.arg == "y")), own
        if node.op == "mul":
            (a, of_a), (b, of_b) = (self._factors(s, depth + 1) for s in node.src)
            # The product's range is spanned by its factors' ends.
            ends = [i * j for i in of_a for j in of_b]
            product = min(ends), max(ends)
            # i64 wraps as the sums do.
            if (node.dtype == I64 or _within(product, node.dtype)) and _ONE in (a.base, b.base):
                base = b.base if a.base is _ONE else a.base
                return Term(base, a.px + b.px, a.py + b.py, a.weight * b.weight), product
        return Term(node), own


_ONE = Expr("const", (), 1, I32, None)


def _within(given: Range, dtype: DType) -> bool:
    least, most = limits(dtype)
    return least <= given[0] and given[1] <= most
