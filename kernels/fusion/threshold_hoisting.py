"""Comparisons with a level that is the same for every pixel: what the pixel costs goes to the level, the same bits."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from kernels.fusion.narrow import Range, ranges, rebuilt
from kernels.ir.expr import Expr, apply, const, convert, maximum, minimum, postorder, select
from kernels.ir.image import BOOL, F32, I32
from kernels.ir.ops import OPS

_LARGEST = 0x7F7FFFFF
"""The bits of the largest finite f32."""

_WHOLE = 1 << 24
"""Up to here every whole number is an f32."""


def without_root(node: Expr) -> Expr | None:
    """level < sqrt(x) as limit(level) < x: the root is the dearest of operations, and the limit is found once.

    The root rounds, but it never falls as x rises: the limit is the largest float whose rounded root is not above the
    level, which lies within two floats of the level's rounded square.
    """
    if node.op != "lt" or node.src[1].op != "sqrt" or node.dtype != BOOL or node.src[0].dtype != F32:
        return None
    level, x = node.src[0], node.src[1].src[0]
    return limit_of_root(level) < x if _is_level(level) else None


def _is_level(node: Expr) -> bool:
    """Whether all pixels of all images see the same value."""
    return all(n.op in OPS or n.op in ("const", "param", "convert") for n in postorder((node,)))


def limit_of_root(level: Expr) -> Expr:
    """The f32 t for which level < sqrt(x) is t < x, for every x (NaN and negative ones included)."""
    # The bits of positive floats, as whole numbers, are in the order of the floats: +-3 are the three floats above and
    # below. The largest candidate whose rounded root is not above the level is the limit.
    near = apply("bits", level * level)
    limit = const(0.0, F32)
    for k in range(-3, 4):
        candidate = apply("from_bits", minimum(maximum(near + k, 0), _LARGEST))
        limit = select(apply("sqrt", candidate) <= level, candidate, limit)
    limit = select(level < 0.0, apply("from_bits", const(-(2**31) + 1)), limit)  # every x from -0 on has a root
    return select(level < math.inf, limit, level)  # infinity and NaN are their own limits


def whole_levels(roots: Sequence[Expr]) -> tuple[Expr, ...]:
    """`roots` with level < f32(i), i a whole number that f32 holds, as floor(level) < i, and so on for the others."""
    order = list(postorder(roots))
    known: Mapping[Expr, Range] | None = None
    new: dict[Expr, Expr] = {}
    for node in order:
        made = rebuilt(node, [new[s] for s in node.src], node.dtype)
        if node.op in ("lt", "le") and node.src[0].dtype == F32:
            for side in (0, 1):
                x = node.src[1 - side]
                if x.op == "convert" and x.src[0].dtype.kind in "iu" and x.src[0].dtype.bits <= 32:
                    known = known or ranges(order)
                    low, high = known[x.src[0]]
                    if low >= -_WHOLE and high <= _WHOLE and _is_level(node.src[side]):
                        made = _whole(node.op, new[x.src[0]], new[node.src[side]], side == 0, (low, high))
                        break
        new[node] = made
    return tuple(new[root] for root in roots)


def _whole(op: str, x: Expr, level: Expr, first: bool, limits: Range) -> Expr:
    """level `op` x (`first`) or x `op` level, in whole numbers. NaN is on neither side of anything."""
    low, high = limits
    # For whole x: level < x is floor(level) < x, and x < level is x < ceil(level).
    down = (op == "lt") == first  # what is above 2.5 is above 2, what is not above 2.5 is not above 2
    least, most = (low - 1, high) if down else (low, high + 1)
    nearest = convert(apply("floor" if down else "ceil", level), I32)
    # Clamped beyond the range of x, where the outcome is the same, so that i32 holds it.
    limit = minimum(maximum(nearest, least), most)
    never = (high if op == "lt" else high + 1) if first else (low if op == "lt" else low - 1)
    # NaN is on neither side: a limit that no x passes.
    limit = select(level <= level, limit, never)
    x = convert(x, I32)
    return apply(op, limit, x) if first else apply(op, x, limit)
