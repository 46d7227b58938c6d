"""What expressions say value by value and layers make at once: products of two matrices that are both computed, and
pictures put together anew.

An expression of `product` is the sum over k of first[y, x, k] * second[k, x, c], in the order of k, each product and
each sum rounded: the bits of the chain of products and sums that it stands for. One of `rearranged` has at a pixel's
channel what its operands, one behind another, have at the place that `arg` says: (height, width, channels) of numbers
of values in the order operand, row, pixel, channel. Both are known to the lowering of layers alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.ir.expr import Expr, postorder
from kernels.ir.image import F32, I32
from kernels.ir.planes import coord, gather
from kernels.ir.rewriting import with_operands
from kernels.ir.volumes import Weights, stack, vector

MADE_WHOLE = ("product", "rearranged")
"""The operations of this file."""
FEWEST = 4
"""Terms of a sum that is a product of matrices: fewer are as soon computed one by one."""
MOST_MOVES = 32
"""Moves of which a picture may be put together before a list of its values takes their place: as many layers to plan
and to call."""
FEW_MOVES = 12
"""So many stay moves, whatever they take."""
MOST_SOURCES = 8
"""Values of which a list may put a picture together."""
MOST_VALUES = 1 << 20
"""Of a picture that a list puts together: 4 MB of numbers, which a second cache holds in part."""
_CALL, _LISTED = 14.0, 2.0
"""Slots of a call for a row, and of a value by a list (`kernels.codegen.layers_work`)."""
Array = npt.NDArray[Any]


def product(first: Expr, second: Expr) -> Expr:
    """See the module."""
    return Expr("product", (first, second), None, F32, first.size, second.channels)


def with_products(roots: Sequence[Expr], apart: Collection[Expr]) -> dict[Expr, Expr]:
    """Chains of products and sums as products of matrices.

    Args:
        apart: what is none of the layers' affair.

    Returns:
        For each expression below the roots what takes its place.
    """
    nodes = list(postorder(roots, apart))
    inner: set[Expr] = set()
    found: dict[Expr, list[tuple[Expr, Expr]]] = {}
    for node in reversed(nodes):
        if node in inner or node in apart:
            continue
        terms = _terms(node)
        if terms is not None:
            found[node] = terms
            while node.op == "add":
                node = node.src[0]
                inner.add(node)
    new: dict[Expr, Expr] = {}
    for node in nodes:
        if node in apart:
            new[node] = node
        elif node in found:
            lefts = [new[left] for left, _ in found[node]]
            new[node] = product(stack(lefts), new[found[node][0][1].src[0]])
        else:
            new[node] = with_operands(node, tuple(new[s] for s in node.src))
    return new


def _terms(node: Expr) -> list[tuple[Expr, Expr]] | None:
    """(value of one channel, row of a matrix) of each term, if that is what a sum consists of."""
    if node.op != "add" or node.dtype != F32 or node.size is None:
        return None
    terms: list[tuple[Expr, Expr]] = []
    while node.op in ("add", "mul"):
        term = node.src[1] if node.op == "add" else node
        if term.op != "mul":
            return None
        terms.append((term.src[0], term.src[1]))
        if node is term:
            break
        node = node.src[0]
    terms.reverse()
    size, matrix = terms[0][1].size, terms[0][1].src[0] if terms[0][1].src else None
    if node.op != "mul" or len(terms) < FEWEST or matrix is None or matrix.size is None or size is None:
        return None
    x = coord("x", size) if matrix.size[1] > 1 else None
    fits = matrix.size == (len(terms), size[1]) or matrix.size == (len(terms), 1)
    for k, (left, right) in enumerate(terms):
        fits = fits and right.op == "gather" and right.src[0] is matrix and right.arg.size == size == left.size
        fits = fits and left.channels == 1 and right.src[1].op == "const" and right.src[1].arg == k
        across = right.src[2] if fits else None
        fits = fits and (across is x if x is not None else across is not None and across.op == "const")
        if not fits:
            return None
    return terms


def with_rearranged(
    roots: Sequence[Expr], apart: set[Expr], chooses: Callable[[Expr], bool],
    evaluate: Callable[[Expr], Array],
) -> dict[Expr, Expr]:  # fmt: skip
    """Pictures that take many moves as ones that a list puts together.

    Args:
        apart: what is none of the layers' affair: constants, and what is made before layers.
        chooses: whether a value is one of two by where the pixel is.
        evaluate: the values of an expression without inputs.

    Returns:
        For each expression below the roots what takes its place.
    """
    nodes = [node for node in postorder(roots, apart) if node not in apart]
    leaves: dict[Expr, tuple[Expr, ...]] = {}
    moves: set[Expr] = set()
    for node in nodes:
        leaves[node] = (node,)
        sources = _moved(node, apart, chooses)
        if sources is not None and apart.isdisjoint(sources):
            under = tuple(dict.fromkeys(leaf for s in sources for leaf in leaves[s]))
            if len(under) <= MOST_SOURCES and all(leaf.size is not None for leaf in under):
                leaves[node] = under
                moves.add(node)
    ends = set(roots) | {s for node in nodes if node not in moves for s in node.src}
    new: dict[Expr, Expr] = {node: node for node in apart}
    for node in nodes:
        if node in moves and node in ends and _worth(node, leaves[node], apart):
            index = _numbers(node, leaves[node], evaluate)
            given = [new[leaf] for leaf in leaves[node]]
            if len({one.size for one in given}) == 1:
                given = [stack(given)]
            new[node] = Expr("rearranged", tuple(given), Weights(index), F32, node.size, node.channels)
        else:
            new[node] = _over(node, tuple(new.get(s, s) for s in node.src))
    return new


def _over(node: Expr, src: tuple[Expr, ...]) -> Expr:
    """`node` over other operands."""
    if node.op in MADE_WHOLE:
        return Expr(node.op, src, node.arg, node.dtype, node.size, node.channels)
    return with_operands(node, src)


def _moved(node: Expr, apart: Collection[Expr], chooses: Callable[[Expr], bool]) -> tuple[Expr, ...] | None:
    """What a value that is only moved is moved from; None if it is computed."""
    if node.dtype != F32:
        return None
    if node.op in ("stack", "part", "mosaic"):
        return node.src
    if node.op == "gather":
        inside = node.arg.border.mode == "replicate" and node.src[1] in apart and node.src[2] in apart
        return node.src[:1] if inside else None
    return node.src[1:] if chooses(node) else None


def _worth(root: Expr, leaves: Sequence[Expr], apart: Collection[Expr]) -> bool:
    """Whether a list takes less than the moves, or these are too many."""
    if root.size is None:
        return False
    values, count, slots = root.size[0] * root.size[1] * root.channels, 0, 0.0
    for node in postorder([root], {*leaves, *apart}):
        if node in leaves or node in apart or node.size is None or node.op == "part":
            continue
        for one in node.src if node.op in ("stack", "mosaic") else (node,):
            rows, pixels = one.size or node.size
            count += 1
            slots += rows * (_CALL + 2 * pixels * -(-one.channels // 16))
    most = max(values, sum(_count(leaf) for leaf in leaves))
    return most <= MOST_VALUES and (count > MOST_MOVES or (count > FEW_MOVES and slots > _LISTED * values))


def _numbers(root: Expr, leaves: Sequence[Expr], evaluate: Callable[[Expr], Array]) -> npt.NDArray[np.int32]:
    """(height, width, channels) of a picture: the number of each value among those that it is put together of, stacked
    where they are of one size, else one behind another."""
    made: dict[Expr, Expr] = {}
    alike, first = len({leaf.size for leaf in leaves}) == 1, 0
    every = sum(leaf.channels for leaf in leaves)
    for leaf in leaves:
        assert leaf.size is not None
        place = coord("y", leaf.size) * leaf.size[1] + coord("x", leaf.size)
        channels = np.arange(first, first + leaf.channels, dtype=np.int32)
        made[leaf] = place * (every if alike else leaf.channels) + vector(channels)
        first += leaf.channels if alike else _count(leaf)
    for node in postorder([root], leaves):
        if node in leaves:
            continue
        if node.op == "gather":
            made[node] = gather(made[node.src[0]], node.src[1], node.src[2], node.arg.size, node.arg.border)
        elif node.dtype == F32:
            src = tuple(made.get(s, s) for s in node.src)
            made[node] = Expr(node.op, src, node.arg, I32, node.size, node.channels)
    return evaluate(made[root]).astype(np.int32)


def _count(node: Expr) -> int:
    """Values of an expression over an image."""
    assert node.size is not None
    return node.size[0] * node.size[1] * node.channels
