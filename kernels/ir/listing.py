"""Expressions as text, a line a node: for people, for golden files, and as the key of a compiled program."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from kernels.ir.expr import Expr, postorder


def listing(roots: Iterable[Expr]) -> str:
    """Every node below `roots` once, operands first; equal graphs give equal texts, in every process.

    >>> from kernels.ir.planes import input_plane
    >>> from kernels.ir.image import F32
    >>> x = input_plane(0, 0, F32, (4, 6))
    >>> print(listing([x * x + 1]))
    %0 = input Input(index=0, channel=0, size=(4, 6)) : f32 6x4
    %1 = mul %0, %0 : f32 6x4
    %2 = const 1.0 : f32
    %3 = add %1, %2 : f32 6x4
    return %3
    """
    wanted = tuple(roots)
    index: dict[Expr, int] = {}
    lines = []
    for node in postorder(wanted):
        operands = ", ".join(f"%{index[s]}" for s in node.src)
        detail = "" if node.arg is None else repr(node.arg)
        size = "" if node.size is None else f" {node.size[1]}x{node.size[0]}"
        size += f" x{node.channels}" if node.channels > 1 else ""  # planes are printed as they always were
        index[node] = len(index)
        lines.append(f"%{index[node]} = {' '.join(filter(None, (node.op, operands, detail)))} : {node.dtype}{size}")
    return "\n".join([*lines, f"return {', '.join(f'%{index[root]}' for root in wanted)}"])


def fingerprint(roots: Iterable[Expr]) -> str:
    """SHA-256 of the listing, in hexadecimal."""
    return hashlib.sha256(listing(roots).encode()).hexdigest()
