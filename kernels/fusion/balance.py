"""Long conjunctions as trees: masks depend on one another over three steps instead of eight, the same bits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from kernels.fusion.narrow import rebuilt
from kernels.ir.expr import Expr, apply, postorder
from kernels.ir.image import BOOL

_JOINS = ("and", "or")


def balance(roots: Sequence[Expr]) -> tuple[Expr, ...]:
    """`roots` with chains of `and` or of `or` over bools halved again and again."""
    order = list(postorder(roots))
    uses = Counter(s for node in order for s in node.src)
    uses.update(roots)
    inside = {s for node in order if _joins(node) for s in node.src if s.op == node.op and uses[s] == 1}
    new: dict[Expr, Expr] = {}
    for node in order:
        if _joins(node) and node not in inside:
            new[node] = conjoined(node.op, [new[t] for t in terms_of(node, inside)])
        else:
            new[node] = rebuilt(node, [new[s] for s in node.src], node.dtype)
    return tuple(new[root] for root in roots)


def _joins(node: Expr) -> bool:
    return node.op in _JOINS and node.dtype == BOOL


def terms_of(node: Expr, inside: Collection[Expr]) -> list[Expr]:
    """The operands of a chain of one operation, in order; `inside`: the nodes that are links of some chain."""
    terms, stack = [], [*reversed(node.src)]
    while stack:
        one = stack.pop()
        if one in inside and one.op == node.op:
            stack += reversed(one.src)
        else:
            terms.append(one)
    return terms


def conjoined(op: str, terms: list[Expr]) -> Expr:
    """`and` or `or` of bools, as a tree."""
    while len(terms) > 1:
        pairs = [apply(op, *terms[i : i + 2]) for i in range(0, len(terms) - 1, 2)]
        terms = pairs + terms[2 * len(pairs) :]
    return terms[0]
