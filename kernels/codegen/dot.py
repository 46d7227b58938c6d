"""Weighted sums of interleaved bytes: two channels a product, as instruction sets have it, instead of one.

Gray of RGBA is such a sum. Red and blue are the low bytes of 16-bit numbers that lie side by side, green and alpha the
high ones; a product of pairs (LLVM finds pmaddwd in it) takes both at once, and no channel is picked out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kernels.codegen.writer import Writer, mask, vector
from kernels.ir.expr import Expr
from kernels.ir.image import I32, U8

_TERMS = 8
"""Longer sums are not of channels."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A sum with two channels of one image in it.

    Args:
        planes: the two, two channels apart.
        weights: of each.
        rest: the other terms.
    """

    planes: tuple[Expr, Expr]
    weights: tuple[int, int]
    rest: tuple[Expr, ...]


def dot_of(node: Expr, channels: Callable[[int], int], kept: Callable[[Expr], bool]) -> Dot | None:
    """`node` as such a sum, if it is one; whole numbers may be added in any order."""
    if node.op != "add" or node.dtype != I32:
        return None
    terms, stack = list[Expr](), [node]
    while stack:
        one = stack.pop()
        if one is node or (one.op == "add" and not kept(one)):
            stack += reversed(one.src)
        else:
            terms.append(one)
        if len(terms) + len(stack) > _TERMS:
            return None
    found: dict[tuple[int, int], tuple[Expr, int, Expr]] = {}
    for term in terms:
        known = None if kept(term) else _weighted(term)
        # A channel that is in a padded row is read from there: the loop may run beyond the caller's memory.
        if known is not None and not kept(known[0]) and channels(known[0].arg.index) == 4:
            found[known[0].arg.index, known[0].arg.channel] = (*known, term)
    for (index, channel), (plane, weight, term) in found.items():
        other = found.get((index, channel + 2))
        if other is not None:
            rest = tuple(t for t in terms if t is not term and t is not other[2])
            return Dot((plane, other[0]), (weight, other[1]), rest)
    return None


def _weighted(term: Expr) -> tuple[Expr, int] | None:
    """A channel of bytes times a weight of 16 bits."""
    if term.op != "mul" or {term.src[0].op, term.src[1].op} != {"convert", "const"}:
        return None
    value, weight = term.src if term.src[0].op == "convert" else term.src[::-1]
    plane = value.src[0]
    fits = -(2**15) <= weight.arg < 2**15
    return (plane, int(weight.arg)) if fits and plane.op == "input" and plane.dtype == U8 else None


def write_dot(w: Writer, dot: Dot, lanes: int, pixels: str, rest: list[str]) -> str:
    """The sum, from the bytes of four channels."""
    bytes_, halves, wide, whole = (vector(n * lanes, t) for n, t in ((4, "i8"), (2, "i16"), (2, "i32"), (1, "i32")))
    pairs = w.op(f"bitcast {bytes_} {pixels} to {halves}")
    high = dot.planes[0].arg.channel == 1
    picked = w.op(f"lshr {halves} {pairs}, splat (i16 8)" if high else f"and {halves} {pairs}, splat (i16 255)")
    longer = w.op(f"sext {halves} {picked} to {wide}")
    weights = ", ".join(f"i32 {weight}" for weight in dot.weights * lanes)
    products = w.op(f"mul {wide} {longer}, <{weights}>")
    sides = [w.op(f"shufflevector {wide} {products}, {wide} poison, {mask(range(first, 2 * lanes, 2))}")
             for first in (0, 1)]  # fmt: skip
    total = w.op(f"add {whole} {sides[0]}, {sides[1]}")
    for term in rest:
        total = w.op(f"add {whole} {total}, {term}")
    return total
