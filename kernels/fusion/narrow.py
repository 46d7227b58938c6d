"""Whole numbers in 16 bits where they provably fit: twice the pixels in a vector, half the bytes in a row.

An interval is known of every whole number: from the types of the images, through the arithmetic. What is i32 only
because `kernels.ir.image` promotes to it, and never leaves 16 bits, is computed in 16 bits; the values are the same.

The operation "wrap" is an exchange of types for a value that both have: cheaper than `convert`, which saturates.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from kernels.ir.expr import Expr, postorder
from kernels.ir.image import BOOL, F32, I16, I32, I64, U16, DType
from kernels.ir.ops import convert

Range = tuple[int, int]
_KEEP = ("add", "sub", "mul", "neg", "abs", "shr", "min", "max", "select", "convert", "load")
_COMPARE = ("lt", "le", "eq", "ne")


def limits(dtype: DType) -> Range:
    """The smallest and the largest value of a type of whole numbers."""
    if dtype == BOOL:
        return 0, 1
    info = np.iinfo(dtype.numpy)  # type: ignore[type-var]
    return int(info.min), int(info.max)


def ranges(order: Sequence[Expr]) -> dict[Expr, Range]:
    """What the whole numbers among `order` (operands before users) can be."""
    # Interval arithmetic from the operands up. A result that does not fit its type may have wrapped round, so that
    # nothing but the type's own limits is known of it.
    known: dict[Expr, Range] = {}
    for node in order:
        if not node.dtype.is_float:
            least, most = limits(node.dtype)
            low, high = _range(node, known)
            known[node] = (low, high) if least <= low and high <= most else (least, most)  # else it may have wrapped
    return known


def _range(node: Expr, known: Mapping[Expr, Range]) -> Range:
    full = limits(node.dtype)
    if node.op == "const":
        return int(node.arg), int(node.arg)
    if node.op == "coord":
        assert node.size is not None
        return 0, node.size[node.arg == "x"] - 1
    if node.op == "table":
        return int(min(node.arg)), int(max(node.arg))
    if node.op in ("load", "gather"):
        return _seen(node, known)
    given = [known.get(s) for s in node.src]
    if node.op in ("convert", "wrap") and given[0] is not None:
        return _clamp(given[0], full) if node.dtype != BOOL else full
    if any(g is None for g in given):
        return full
    src = [g for g in given if g is not None]
    return _arithmetic(node, src, full)


def _seen(node: Expr, known: Mapping[Expr, Range]) -> Range:
    low, high = known[node.src[0]]
    border = node.arg.border
    here = node.op == "load" and (node.arg.dy, node.arg.dx, node.arg.size) == (0, 0, None)
    if border.mode != "constant" or here:
        return low, high
    outside = int(convert(np.array([border.value]), node.dtype)[0])
    return min(low, outside), max(high, outside)


def _clamp(given: Range, to: Range) -> Range:
    low, high = (min(max(v, to[0]), to[1]) for v in given)
    return low, high


def _arithmetic(node: Expr, src: Sequence[Range], full: Range) -> Range:
    a, b = src[0] if src else full, src[-1] if src else full
    match node.op:
        case "add":
            return a[0] + b[0], a[1] + b[1]
        case "sub":
            return a[0] - b[1], a[1] - b[0]
        case "mul":
            # A product's extremes lie at corners of the two intervals.
            products = [x * y for x in a for y in b]
            return min(products), max(products)
        case "neg":
            return -a[1], -a[0]
        case "abs":
            return max(0, a[0], -a[1]), max(-a[0], a[1])
        # A shift is a floor division: it keeps the order.
        case "shr" if b[0] == b[1] and 0 <= b[0] < 32:
            return a[0] >> b[0], a[1] >> b[0]
        case "min":
            return min(a[0], b[0]), min(a[1], b[1])
        case "max":
            return max(a[0], b[0]), max(a[1], b[1])
        case "select":
            return min(src[1][0], b[0]), max(src[1][1], b[1])
        # A number without a sign bounds the result of `and`, whatever the other is.
        case "and" if b[0] >= 0 or a[0] >= 0:
            return 0, min(r[1] for r in (a, b) if r[0] >= 0)
        case "mod" if b[0] > 0:
            return 0, b[1] - 1
    return full


def _fits(given: Range | None, dtype: DType) -> bool:
    least, most = limits(dtype)
    return given is not None and least <= given[0] and given[1] <= most


def narrow(roots: Sequence[Expr], fixed: Collection[Expr]) -> tuple[Expr, ...]:
    """`roots` with i32 as i16 or u16 wherever every value fits; the roots keep their types.

    Args:
        roots: in normal form.
        fixed: nodes whose type is seen from outside.
    """
    order = list(postorder(roots))
    known = ranges(order)
    new: dict[Expr, Expr] = {}
    for node in order:
        new[node] = _narrowed(node, known, new, node in fixed)
    return tuple(typed(new[root], root.dtype, known.get(root)) for root in roots)


def _narrowed(node: Expr, known: Mapping[Expr, Range], new: Mapping[Expr, Expr], fixed: bool) -> Expr:
    if node.op in _COMPARE and node.src[0].dtype == I32:
        # Comparisons keep their outcome in any type that holds both sides.
        for dtype in (I16, U16):
            if all(_fits(known[s], dtype) for s in node.src):
                return rebuilt(node, [typed(new[s], dtype, known[s]) for s in node.src], BOOL)
    fixed = fixed or (node.op == "load" and node.arg.dt < 0)  # it names the very plane that is remembered
    # In 16 bits if the result and every operand fit: then no step wraps, and the values are the same.
    if not fixed and node.dtype == I32 and node.op in _KEEP and node.src[0].dtype not in (F32, I64):
        for dtype in (I16, U16):
            if _fits(known[node], dtype) and all(_fits(known.get(s), dtype) for s in node.src):
                wanted = [BOOL if s.dtype == BOOL and node.op == "select" else dtype for s in node.src]
                src = [typed(new[s], t, known[s]) for s, t in zip(node.src, wanted, strict=True)]
                return src[0] if node.op == "convert" else rebuilt(node, src, dtype)
    if node.op == "convert" and _fits(known.get(node.src[0]), node.dtype if not node.dtype.is_float else I32):
        inner = new[node.src[0]]
        if node.dtype.is_float:
            return Expr("convert", (typed(inner, inner.dtype, None),), None, node.dtype, node.size)
        return typed(inner, node.dtype, known[node.src[0]]) if node.dtype != BOOL else _plain(node, known, new)
    return _plain(node, known, new)


def _plain(node: Expr, known: Mapping[Expr, Range], new: Mapping[Expr, Expr]) -> Expr:
    return rebuilt(node, [typed(new[s], s.dtype, known.get(s)) for s in node.src], node.dtype)


def rebuilt(node: Expr, src: Sequence[Expr], dtype: DType) -> Expr:
    """`node` over other operands, of the type `dtype`."""
    return node if tuple(src) == node.src else Expr(node.op, tuple(src), node.arg, dtype, node.size)


def typed(node: Expr, dtype: DType, given: Range | None) -> Expr:
    """`node`, all of whose values are values of `dtype`, in that type."""
    if node.dtype == dtype:
        return node
    if node.op == "const":
        return Expr("const", (), node.arg if node.dtype != BOOL else int(node.arg), dtype, None)
    if node.op == "wrap" or (node.op == "convert" and not node.src[0].dtype.is_float and _fits_type(node)):
        inner = node.src[0]  # a widening before it said nothing new
        if not inner.dtype.is_float and inner.dtype != node.dtype:
            return typed(inner, dtype, given)
    if dtype.bits > node.dtype.bits:
        return Expr("convert", (node,), None, dtype, node.size)
    assert given is not None
    return Expr("wrap", (node,), None, dtype, node.size)


def _fits_type(node: Expr) -> bool:
    """Whether a conversion keeps every value of its operand's type."""
    return _fits(limits(node.src[0].dtype), node.dtype)
