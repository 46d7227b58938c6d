"""Pooled skips: the max pool of a residual block with a stride, computed where it is added.

Such a block adds the max pool of its input, padded with channels where it makes more, to what its last convolution
makes. The pool, written as the largest of its window's pixels, each a look at the block's input, is then computed in
the epilogue of that convolution, whose rows are made while those of the input are at hand: it is never written. The
pixels are compared in the order in which a window is folded, so every bit stays.

A pool stays a layer where it looks beyond its picture's edges, where its window has more pixels than an epilogue looks
at further rows, and where others want it, too.

Source: the blocks of BlazeFace (Bazarevsky et al. 2019, figure 2); their fusion with the skip in FusePlanner's
terms is an epilogue (Qararyah et al. 2024).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from kernels.ir.expr import Expr, maximum, postorder
from kernels.ir.image import F32, I8, U8
from kernels.ir.ops import OPS
from kernels.ir.rewriting import with_operands
from kernels.ir.volumes import stack

MOST_PIXELS = 4
"""Of a window: further rows that an epilogue looks at (`kernels.codegen.layers_record.BESIDE`)."""

Users = Mapping[Expr, Collection[Expr]]


@dataclass(frozen=True, slots=True)
class PooledSkip:
    """A pool that is computed where it is added.

    Args:
        pool: the layer that it was.
        core: the contraction in whose epilogue it is.
    """

    pool: Expr
    core: Expr

    @property
    def spared(self) -> int:
        """Bytes that are not written and read."""
        assert self.pool.size is not None
        height, width = self.pool.size
        return 2 * height * width * self.pool.channels * self.pool.dtype.itemsize


@dataclass(frozen=True, slots=True)
class Skipped:
    """Values after pools were moved.

    Args:
        new: what each value became.
        skips: what was moved.
    """

    new: Mapping[Expr, Expr]
    skips: tuple[PooledSkip, ...]


def with_pooled_skips(roots: Sequence[Expr]) -> Skipped:
    """`roots`, and all that they are made of, with pooled skips as the largest of some looks."""
    order = list(postorder(roots))
    users: dict[Expr, dict[Expr, None]] = {node: {} for node in order}
    for node in order:
        for operand in node.src:
            users[operand][node] = None
    leaving = set(roots)
    new: dict[Expr, Expr] = {}
    skips = []
    computed: set[Expr] = set()  # by layers, whose rows an epilogue can look at
    for node in order:
        if node.op == "contract" or not computed.isdisjoint(node.src):
            computed.add(node)
        pool = _pool(node, users, leaving)
        core = None if pool is None or pool not in computed else _added_to(node, users, leaving)
        if pool is None or core is None:
            new[node] = with_operands(node, tuple(new[s] for s in node.src))
            continue
        behind = node.src[1:] if node is not pool else ()
        new[node] = _largest(pool, new[pool.src[0].src[0]], behind)
        skips.append(PooledSkip(pool, core))
    return Skipped(new, tuple(skips))


def _pool(node: Expr, users: Users, leaving: Collection[Expr]) -> Expr | None:
    """The pool that a value is, or that constants are put behind; None if it is no pool that an epilogue has room
    for, or one that is put behind which comes at its turn."""
    padded = node.op == "stack" and len(node.src) == 2 and node.src[1].op in ("const", "vector")
    pool = node.src[0] if padded else node
    if pool.op != "load" or pool.src[0].op != "window":
        return None
    window = pool.src[0]
    alone = all(len(users[one]) == 1 and one not in leaving for one in {pool, node, window})
    last = padded or next(iter(users[pool]), pool).op != "stack"
    return pool if alone and last and _inside(pool) else None


def _inside(pool: Expr) -> bool:
    """Whether a pool is a max pool of few pixels that looks at nothing beyond its picture's edges."""
    tap, window = pool.arg, pool.src[0].arg
    picture = pool.src[0].src[0]
    if window.kind != "max" or picture.dtype not in (F32, U8, I8):
        return False
    assert pool.size is not None
    assert picture.size is not None
    spans = ((tap.dy + window.y0, window.y1 - window.y0), (tap.dx + window.x0, window.x1 - window.x0))
    axes = zip(spans, (tap.stride_y, tap.stride_x), pool.size, picture.size, strict=True)
    few = (spans[0][1] + 1) * (spans[1][1] + 1) <= MOST_PIXELS
    return few and all(at >= 0 and at + (n - 1) * s + more < whole for (at, more), s, n, whole in axes)


def _added_to(value: Expr, users: Users, leaving: Collection[Expr]) -> Expr | None:
    """The contraction that a value, alone with constants up to there, meets in a function of both."""
    while value not in leaving and len(users[value]) == 1:
        (user,) = users[value]
        if not _pointwise(user):
            return None
        others = [s for s in user.src if s is not value and s.op not in ("const", "vector")]
        if others:
            return _core(others[0], user, users, leaving) if len(others) == 1 else None
        value = user
    return None


def _core(value: Expr, end: Expr, users: Users, leaving: Collection[Expr]) -> Expr | None:
    """The one contraction that leads to a value on its way to `end`, which nothing else looks at."""
    inside, waiting = {end}, [value]
    cores = []
    while waiting:
        node = waiting.pop()
        if node in inside or node.op in ("const", "vector"):
            continue
        inside.add(node)
        if _pointwise(node):
            waiting += node.src
        else:
            cores.append(node)
    wanted = any(node in leaving or not inside.issuperset(users[node]) for node in inside - {end})
    if len(cores) != 1 or wanted or cores[0].op != "contract" or cores[0].arg.up != (1, 1):
        return None
    return cores[0]


def _largest(pool: Expr, picture: Expr, behind: Sequence[Expr]) -> Expr:
    """The largest pixel of each window, along its rows and then down, with constants behind the channels."""
    tap, window = pool.arg, pool.src[0].arg
    total: Expr | None = None
    for dy in range(window.y0, window.y1 + 1):
        along: Expr | None = None
        for dx in range(window.x0, window.x1 + 1):
            at = replace(tap, dy=tap.dy + dy, dx=tap.dx + dx)
            look = Expr("load", (picture,), at, pool.dtype, pool.size)
            look = stack([look, *behind]) if behind else look
            along = look if along is None else maximum(along, look)
        assert along is not None
        total = along if total is None else maximum(total, along)
    assert total is not None
    return total


def _pointwise(node: Expr) -> bool:
    return node.op in OPS or node.op == "convert"
