"""What the regions of a reduction hold for each of their columns of pixels while rows are added (see
`kernels.codegen.reduction`)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from kernels.codegen.powers import MOST_Y, Powers, Term
from kernels.codegen.writer import element, splat
from kernels.fusion.narrow import Range, ranges
from kernels.ir.expr import Expr, Number, postorder
from kernels.ir.image import BOOL, DType
from kernels.ir.table import Column, Reduction

BLOCK = 64
"""The most rows of a block."""
BEGINS, ENDS = 1, 2
"""Flags of a row of a region: the first and the last of a block. Entries of "list:N" are FLAGS * region + flags."""
PLACE = 4
"""Numbers of a region in "spans:N": columns from, to; what to add to them for the columns of "hold:N", of which those
from 0 on belong to regions whose rows are blocks each; the first row."""
FLAGS = 8 * PLACE
"""An entry without its flags is an offset in "spans:N"."""
COLUMNS = 64
"""What parts of "hold:N" are multiples of: columns, as many as the longest vector has pixels."""
_BITS = (16, 32, 64)


def neutral(kind: str, dtype: DType) -> Number:
    """What a reduction starts from."""
    if kind in ("sum", "count"):
        return 0
    info = np.finfo(dtype.numpy) if dtype.is_float else np.iinfo(dtype.numpy)  # type: ignore[type-var]
    value = info.max if kind == "min" else info.min
    return float(value) if dtype.is_float else int(value)


def counted(column: Column) -> bool:
    """Whether a column is the number of pixels, which follows from the region alone: the code leaves it out."""
    return column.kind == "count" and column.expr.op == "const" and bool(column.expr.arg)


def most_held(table: Reduction) -> int:
    """Bytes that a column of pixels takes at most in "hold:N"."""
    return sum(8 * (MOST_Y + 1) if c.kind in ("sum", "count") else 8 for c in table.columns)


@dataclass(slots=True)
class ColumnState:
    """Running values, one for each column of pixels.

    Args:
        kind: "sum", "min" or "max".
        expr: the summand, or what is looked for.
        dtype: in which extrema are kept.
        bits, signed: in which sums are.
        sums: how many T there are.
        offset: bytes of the values before it, for one column.
    """

    kind: str
    expr: Expr
    dtype: DType
    bits: int
    signed: bool = True
    sums: int = 1
    offset: int = 0

    @property
    def type(self) -> str:
        return f"i{self.bits}" if self.kind == "sum" else element(self.dtype)

    @property
    def item(self) -> int:
        return self.bits // 8

    def places(self) -> list[int]:
        """Bytes before each of its values, for one column."""
        return [self.offset + i * self.item for i in range(self.sums)]

    def start(self) -> str:
        return "zeroinitializer" if self.kind == "sum" else splat(neutral(self.kind, self.dtype), self.dtype)


@dataclass(frozen=True, slots=True)
class Scheme:
    """What a table's regions hold.

    Args:
        held: the running values; bytes: of all, for one column of pixels.
        columns: how each column of the table that is not `counted` follows from them.
    """

    held: tuple[ColumnState, ...]
    bytes: int
    columns: tuple[tuple[Column, ColumnState, Term], ...]


def scheme_of(table: Reduction, roots: Sequence[Expr], kept: Collection[Expr]) -> Scheme:
    """What a table's regions hold.

    Args:
        table: what is reduced.
        roots: its columns' expressions as they are computed.
        kept: planes that are in memory.
    """
    powers = Powers(ranges(list(postorder(roots))), kept)
    wanted = [(column, root) for column, root in zip(table.columns, roots, strict=True) if not counted(column)]
    terms = [Term(powers.plain(r)) if c.kind in ("min", "max") else powers.term(r) for c, r in wanted]
    held: dict[tuple[str, Expr], ColumnState] = {}
    columns = []
    for (column, _), term in zip(wanted, terms, strict=True):
        # Whether all or none of a block's pixels are 1 follows from their sum.
        summed = column.kind in ("sum", "count") or term.base.dtype == BOOL
        key = "sum" if summed else column.kind, term.base
        if key not in held:
            held[key] = ColumnState(*key, term.base.dtype, 8 * term.base.dtype.itemsize)
        one = held[key]
        if summed:
            one.sums = max(one.sums, term.py + 1)
            one.bits, one.signed = _short(powers.range(term.base), one.sums)
        columns.append((column, one, term))
    size = 0
    for one in sorted(held.values(), key=lambda one: -one.item):  # what is long stays aligned
        one.offset = size
        size += one.sums * one.item
    return Scheme(tuple(held.values()), size, tuple(columns))


def _short(given: Range, sums: int) -> tuple[int, bool]:
    """Bits that the sums over a block need, and whether they have a sign."""
    most = 1
    for i in range(sums):  # of 1 down a block: BLOCK, BLOCK (BLOCK + 1) / 2, ...
        most = most * (BLOCK + i) // (i + 1)
    low, high = (most * min(0, given[0]), most * max(0, given[1]))
    signed = low < 0
    # The shortest that holds the sums of a whole block: more columns fit a vector.
    for bits in _BITS:
        if -(2 ** (bits - 1)) <= low and high < 2 ** (bits - signed):
            return bits, signed
    return _BITS[-1], True
