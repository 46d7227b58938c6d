"""Simplification of expressions, only by rules that keep every bit (NaN payloads aside, which mean nothing).

Each rule sees one node whose operands are simple already and returns what may replace it, or None. A rule never
changes the type, the size or the channels of a node; tests/kernels/test_simplify.py runs each against the reference.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np

from kernels.ir.expr import Expr, convert
from kernels.ir.ops import OPS, exact
from kernels.ir.rewriting import rewrite
from kernels.ir.volumes import simplest_part

Rule = Callable[[Expr], Expr | None]


def fold_constants(node: Expr) -> Expr | None:
    """An operation on constants is a constant: what `kernels.ir.ops` says. (`convert` folds when it is built.)"""
    if node.op not in OPS or any(s.op != "const" for s in node.src):
        return None
    with np.errstate(all="ignore"):
        value = OPS[node.op].numpy(*(np.asarray(s.arg, s.dtype.numpy) for s in node.src))
    return Expr("const", (), np.asarray(value, node.dtype.numpy).item(), node.dtype, None)


def pick_side(node: Expr) -> Expr | None:
    """select(True, a, b) = a; select(False, a, b) = b; select(c, a, a) = a; select(~c, a, b) = select(c, b, a)."""
    if node.op != "select":
        return None
    condition, a, b = node.src
    if condition.op == "const":
        return a if condition.arg else b
    if condition.op == "not":
        return Expr("select", (condition.src[0], b, a), None, node.dtype, node.size)
    return a if a is b else None


def join_conversions(node: Expr) -> Expr | None:
    """convert(convert(x, wide), to) = convert(x, to), where `wide` holds every value of x."""
    if node.op != "convert" or node.src[0].op != "convert":
        return None
    inner = node.src[0].src[0]
    return convert(inner, node.dtype) if exact(inner.dtype, node.src[0].dtype) else None


def drop_neutral(node: Expr) -> Expr | None:
    """x * 1, x / 1, x - 0, x + (-0.0) and, for whole numbers, x + 0, x // 1, x | 0, x ^ 0, x << 0, x >> 0 are x.

    x + 0.0 is not x: -0.0 + 0.0 is 0.0.
    """
    if node.op not in OPS or len(node.src) != 2:
        return None
    x, c = node.src
    # The constant second, where the order does not matter.
    if x.op == "const" and OPS[node.op].commutes:
        x, c = c, x
    if c.op != "const" or x.dtype != node.dtype:
        return None
    # copysign tells -0.0 from 0.0.
    negative = node.dtype.is_float and math.copysign(1.0, c.arg) < 0
    neutral = {
        "mul": c.arg == 1, "div": c.arg == 1, "floordiv": c.arg == 1,
        "sub": c.arg == 0 and not negative, "add": c.arg == 0 and (negative or not node.dtype.is_float),
        "or": c.arg == 0, "xor": c.arg == 0, "shl": c.arg == 0, "shr": c.arg == 0,
    }  # fmt: skip
    return x if neutral.get(node.op) else None


def cancel_twice(node: Expr) -> Expr | None:
    """-(-x), ~~x and from_bits(bits(x)) are x; min(x, x), max(x, x), x & x and x | x too."""
    if node.op in ("neg", "not") and node.src[0].op == node.op:
        return node.src[0].src[0]
    if node.op == "from_bits" and node.src[0].op == "bits":
        return node.src[0].src[0]
    if node.op in ("min", "max", "and", "or") and node.src[0] is node.src[1]:
        return node.src[0]
    return None


RULES: tuple[Rule, ...] = (fold_constants, pick_side, join_conversions, drop_neutral, cancel_twice, simplest_part)


def simplify(roots: Iterable[Expr]) -> tuple[Expr, ...]:
    """`roots`, simplified by `RULES` until none applies; bit for bit the same."""
    return rewrite(roots, _simplest)


def _simplest(node: Expr) -> Expr:
    changed = True
    # A rule may make room for another; each makes the node smaller, so that this ends.
    while changed:
        changed = False
        for rule in RULES:
            other = rule(node)
            if other is not None and other is not node and _kind(other) == _kind(node):
                node, changed = other, True
    return node


def _kind(node: Expr) -> tuple[object, ...]:
    return node.dtype, node.size, node.channels
