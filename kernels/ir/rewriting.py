"""Expressions from expressions: nodes replaced bottom-up, each once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from kernels.errors import ExprError
from kernels.ir.expr import Expr, joint_size, postorder

_OWN_SIZE = ("gather", "contract", "mosaic")


def _with_operands(node: Expr, src: tuple[Expr, ...]) -> Expr:
    """`node` over other operands of the same types; its size follows theirs."""
    if src == node.src:
        return node
    if node.op in ("stack", "part"):
        return Expr(node.op, src, node.arg, node.dtype, joint_size(src), node.channels)
    if node.op in _OWN_SIZE or (node.op == "load" and node.arg.size is not None):
        return Expr(node.op, src, node.arg, node.dtype, node.size, node.channels)
    return Expr(node.op, src, node.arg, node.dtype, joint_size(src))


def rewrite(roots: Iterable[Expr], rule: Callable[[Expr], Expr | None]) -> tuple[Expr, ...]:
    """`roots` with nodes replaced bottom-up: `rule` sees each node with its new operands; None keeps it."""
    wanted = tuple(roots)
    new: dict[Expr, Expr] = {}
    for node in postorder(wanted):
        copy = _with_operands(node, tuple(new[s] for s in node.src))
        ruled = rule(copy)
        new[node] = copy if ruled is None else ruled
    return tuple(new[root] for root in wanted)


def substitute(roots: Iterable[Expr], replacements: Mapping[Expr, Expr]) -> tuple[Expr, ...]:
    """`roots` with each key of `replacements` replaced by its value, all at once (values are not searched again).

    Raises:
        ExprError: a value has another type, size or number of channels than its key.
    """
    for old, by in replacements.items():
        if old.channels != by.channels:
            raise ExprError(f"{old.op} of {old.channels} channels cannot be replaced by {by.op} of {by.channels}")
        if old.dtype != by.dtype or old.size != by.size:
            raise ExprError(f"{old.op} of {old.dtype} {old.size} cannot be replaced by {by.op} of {by.dtype} {by.size}")
    wanted = tuple(roots)
    new: dict[Expr, Expr] = {}
    for node in postorder(wanted):
        replaced = replacements.get(node)
        new[node] = _with_operands(node, tuple(new[s] for s in node.src)) if replaced is None else replaced
    return tuple(new[root] for root in wanted)
