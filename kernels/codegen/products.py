"""Taps of equal weight: the row times the weight is shifted, instead of each shifted row being multiplied."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from kernels.fusion.rows import Store
from kernels.ir.expr import Expr
from kernels.ir.planes import Border

_WEIGHTS = 2
"""Products that are kept from step to step: more of them leave no registers where there are 16 (11 taps on AVX2: 8 %
slower, and with 32 registers 3 % faster)."""

Seen = Mapping[tuple[Expr, Border | None], Store]


def shared_products(roots: Iterable[Expr], own: Collection[Expr], seen: Seen) -> frozenset[Expr]:
    """The nodes look * constant of one loop whose product with the same row is shifted by another one, too."""
    groups: dict[tuple[object, ...], set[Expr]] = {}
    stack, known = list(roots), set[Expr]()
    while stack:
        node = stack.pop()
        if node in known:
            continue
        known.add(node)
        if node not in own and (node, None) in seen:
            continue
        look = product_of(node)
        if look is not None:
            row, weight = look.arg, node.src[node.src[0] is look]
            groups.setdefault((look.src[0], row.dy, row.border, weight), set()).add(node)
        if node.op != "load":
            stack += node.src[1:] if node.op in ("recur", "gather") else node.src
    shared = [nodes for nodes in groups.values() if len(nodes) > 1]
    return frozenset(node for nodes in shared for node in nodes) if len(shared) <= _WEIGHTS else frozenset()


def product_of(node: Expr) -> Expr | None:
    """The look aside that `node` multiplies by a constant."""
    if node.op != "mul":
        return None
    a, b = node.src
    look = a if b.op == "const" else b
    other = b if look is a else a
    if other.op != "const" or look.op != "load" or look.arg.size is not None or look.arg.dt or not look.arg.dx:
        return None
    return look
