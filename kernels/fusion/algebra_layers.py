"""Algebra on layers of networks that changes roundings: parallel contractions added, serial ones composed; and which
may be made by tensor cores, or of tiles.

Parallel: contract(x) + contract'(x), a residual unit of a RepVGG block or two branches that meet, is one contraction
with the weights summed; a smaller kernel lies somewhere in the larger one. Serial: a 1x1 contraction of a contraction
without an activation between them is one with the weights multiplied, where that takes fewer multiply-adds.

Both give, in real arithmetic, the same; computed, they differ by roundings. The bound is a priori (Higham, Accuracy and
Stability of Numerical Algorithms, 2nd ed., 3.1 and 3.5): a sum of n products by fused multiply-adds lies within
gamma_n sum |w||x| of the real one, gamma_n = n u / (1 - n u), weights that are rounded anew add u |w|; with |x| at most
what interval arithmetic says of it (`kernels.fusion.magnitudes`), images of floats counted as within -1..1 unless
more is known. What that makes of the outputs: `kernels.fusion.deviation`.

Tensor cores round both operands to 11 bits (tf32, f16), multiply exactly, and add in an order and with a rounding that
are not promised, to single precision at least (PTX ISA, mma): a product is off by 2v + v^2 of itself, v = 2^-11, and u
becomes 2^-23, for sums may be cut off. Of f16, what is below 2^-14 is off by up to 2^-25. Bytes are exact. The bound is
a share of sum |w||x|, whatever the size of x.

Tiles (`kernels.fusion.winograd`) add what cancels again: there a value is off by a share of sum |w| times the largest
|x| that its tile looks at, and of |start|, whatever their sizes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from kernels.fusion.deviation import Deviation, Off, Sizes
from kernels.fusion.magnitudes import Array, constants, gamma, magnitudes, spread, terms
from kernels.fusion.winograd import FILTERINGS, TAPS
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import F32
from kernels.ir.rewriting import Rewriting, substitute
from kernels.ir.volumes import Contract, Weights, contract, vector

_UNIT = 2.0**-24
_ROUNDED = 2.0**-11
"""By how much of itself a number is off that is rounded to tf32 or f16."""
_TINY = 2.0**-25
"""By how much one is off at most that is below the normal numbers of f16."""
_HALF = 65504.0
"""The largest number of f16."""
MOST = 64
"""Rewritings of one body."""
TENSOR = 16
"""Channels of either side from which on a contraction fills the fragments of tensor cores."""
TILED = 8
"""Channels of either side from which on tiles may pay: what goes in and out is computed channel by channel."""


@dataclass(frozen=True, slots=True)
class _Found:
    kind: str
    old: Expr
    new: Expr
    off: Off
    words: str


def faster_layers(written: Deviation, pixels: int) -> tuple[list[Expr], list[Rewriting]]:
    """Its roots with linear layers added and composed, and what was done.

    Args:
        written: a body's values, of which none is off yet.
        pixels: of the source, by which savings are told.
    """
    names, roots, done = written.names, list(written.roots), list[Rewriting]()
    # One rewriting at a time, since each changes sizes, users and what else may go together.
    for _ in range(MOST):
        order = list(postorder(roots))
        users: dict[Expr, int] = dict.fromkeys(roots, 1)
        for node in order:
            for operand in dict.fromkeys(node.src):
                users[operand] = users.get(operand, 0) + 1
        sizes = Sizes(magnitudes(order, (), written.params), ())
        found = next((f for node in order if (f := _tried(node, users, sizes.known)) is not None), None)
        if found is None:
            break
        # Outputs that the changed value reaches.
        places = [n for n, r in zip(names, roots, strict=True) if found.old in set(postorder([r]))]
        # Bounds belong to the body as it was before this step: each step adds its own.
        deviation = replace(written, roots=tuple(roots), off={found.old: found.off})
        saved = _macs(roots)
        roots = list(substitute(roots, {found.old: found.new}))
        saved -= _macs(roots)
        done.append(Rewriting(found.kind, ", ".join(places), False, float(found.off(sizes).max()), saved / pixels,
                              f"{found.words}, for {', '.join(places)}", deviation=deviation))  # fmt: skip
    roots, tiled = _tiles(replace(written, roots=tuple(roots)), pixels)
    roots, more = _tensors(replace(written, roots=tuple(roots)))
    return roots, done + tiled + more


def _tiles(written: Deviation, pixels: int) -> tuple[list[Expr], list[Rewriting]]:
    """Its roots with the contractions that a processor may make of tiles, and how far each is from what it was."""
    some = [n for n in postorder(written.roots) if n.op == "contract" and not n.arg.tiles and _plain(n)]
    if not some:
        return list(written.roots), []
    most = max(FILTERINGS)
    roots = _with_args(written.roots, {node: replace(node.arg, tiles=most) for node in some})
    share = max(_tiled_share(node.arg, most) for node in some)
    saved = sum(node.arg.macs - FILTERINGS[most].operations(node.arg.weights.array.shape, node.arg.size)
                for node in some)  # fmt: skip
    where = ", ".join(dict.fromkeys(name for name in written.names if name))
    words = (f"{len(some)} convolutions 3x3 of tiles of {most}x{most} pixels (Winograd) where a CPU is predicted to "
             "take less time so, by a share of the weights' sizes added up times the largest value that a tile "
             "looks at")  # fmt: skip
    off = {node: partial(_tiled_off, node, most) for node in some}
    return roots, [Rewriting("tiles", where, False, share, saved / pixels, words, device="cpu",
                             deviation=replace(written, off=off))]  # fmt: skip


def _plain(node: Expr) -> bool:
    """Whether a contraction may be made of tiles, and has as many channels as pay for these."""
    how: Contract = node.arg
    features, rows, columns, channels = how.weights.array.shape
    still = how.stride == how.dilation == how.up == (1, 1) and how.groups == 1
    return node.dtype == F32 and still and rows == columns == TAPS and min(features, channels) >= TILED


def _tiled_share(how: Contract, outputs: int) -> float:
    """By which share of sum |w| times the largest |x| of its tile, and |start|, a value made of tiles can differ from
    the sum in its order, at most."""
    sizes = spread(how, np.ones(1))
    found = FILTERINGS[outputs].error(how.weights.array, np.ones(1)) / np.where(sizes > 0, sizes, 1.0)
    return float(found.max()) + gamma(_count(how))


def _tiled_off(node: Expr, outputs: int, sizes: Sizes) -> Array:
    """How far a contraction of tiles can be off; infinite as long as what it looks at is unknown."""
    how, filtering = node.arg, FILTERINGS[outputs]
    size = np.maximum(sizes.of(node.src[0]), abs(how.outside))
    if not np.isfinite(size).all():
        return np.full(1, math.inf)
    start = np.abs(constants(node.src[1])) * filtering.rounded(how.weights.array.shape[3])
    plain = gamma(_count(how)) * terms(how, node.src[1], size)
    return np.asarray(filtering.error(how.weights.array, size) + start + plain)


def _tensors(written: Deviation) -> tuple[list[Expr], list[Rewriting]]:
    """Its roots with the contractions that tensor cores may make, and how far each is from what it was."""
    order, names = list(postorder(written.roots)), written.names
    most = magnitudes(order, (), written.params)
    chosen: dict[Expr, tuple[str, float, float]] = {}
    for node in order:
        size = most.get(node.src[0]) if node.src else None
        if node.op == "contract" and not node.arg.tensor and (kind := _fragments(node, size)):
            chosen[node] = (kind, _share(node.arg, kind), float(_tiny(node.arg, kind, size).max()))
    args = {node: replace(node.arg, tensor=kind) for node, (kind, _, _) in chosen.items()}
    places, done = ", ".join(dict.fromkeys(name for name in names if name)), []
    for kind in dict.fromkeys(kind for kind, _, _ in chosen.values()):
        some = [(share, tiny) for own, share, tiny in chosen.values() if own == kind]
        share, tiny = (max(column) for column in zip(*some, strict=True))
        more = f" (and {tiny:.0e}, for subnormal ones)" if tiny else ""
        how = "exactly" if kind == "int8" else f"of {kind}, by a share of its terms' sizes added up{more}"
        off = {node: partial(_off, node, kind) for node, (own, _, _) in chosen.items() if own == kind}
        done.append(Rewriting("tensor", places, kind == "int8", share, 0.0,
                              f"{len(some)} convolutions by tensor cores where a GPU has them, {how}", device="cuda",
                              deviation=None if kind == "int8" else replace(written, off=off)))  # fmt: skip
    return _with_args(written.roots, args), done


def _with_args(roots: Sequence[Expr], args: Mapping[Expr, Contract]) -> list[Expr]:
    """`roots` with some contractions told otherwise."""
    new: dict[Expr, Expr] = {}
    for node in postorder(roots):
        src = tuple(new[s] for s in node.src)
        arg = args.get(node, node.arg)
        new[node] = Expr(node.op, src, arg, node.dtype, node.size, node.channels) if node.src else node
    return [new[root] for root in roots]


def _fragments(node: Expr, size: Array | None) -> str:
    """The numbers from which tensor cores may make a contraction; "" where they cannot.

    Args:
        size: of what it looks at, at most; None if unknown.
    """
    how: Contract = node.arg
    features, _, _, channels = how.weights.array.shape
    if min(features, channels) < TENSOR or how.groups > 1 or how.up != (1, 1):
        return ""
    if node.dtype != F32:
        return "int8"
    seen = math.inf if size is None else float(size.max())
    # f16 ends at 65504: beyond, operands would become infinite.
    largest = max(seen, abs(how.outside), float(np.abs(how.weights.array).max()))
    return "f16" if largest <= _HALF else "tf32"  # the latter goes as far as f32


def _share(how: Contract, kind: str) -> float:
    """By which share of sum |w||x| + |start| tensor cores' sums can differ from those of f32."""
    if kind == "int8":
        return 0.0
    count = _count(how)
    # Two roundings an addition: to 2^-23, as sums may be cut off instead of rounded.
    added = gamma(2 * count)  # cut off
    return 2 * _ROUNDED + _ROUNDED**2 + added * (1 + _ROUNDED) ** 2 + gamma(count)


def _tiny(how: Contract, kind: str, size: Array | None) -> Array:
    """By how much besides, of numbers that are below the normal ones of f16, for each channel."""
    if kind != "f16" or size is None:
        return np.zeros(1)
    weights = np.abs(how.weights.array.astype(np.float64)).sum((1, 2, 3))
    # Each operand may be off by _TINY: times the sum of the other's sizes.
    return np.asarray(_TINY * (weights + _count(how) * max(float(size.max()), abs(how.outside))))


def _off(node: Expr, kind: str, sizes: Sizes) -> Array:
    """How far a contraction of tensor cores can be off."""
    size = sizes.of(node.src[0])
    return _share(node.arg, kind) * terms(node.arg, node.src[1], size) + _tiny(node.arg, kind, size)


def _macs(roots: Sequence[Expr]) -> int:
    return sum(n.arg.macs for n in postorder(roots) if n.op == "contract")


def _tried(node: Expr, users: Mapping[Expr, int], most: Mapping[Expr, Array]) -> _Found | None:
    # Each of the two sums must be used here alone: else it would be computed once more.
    if node.op == "add" and node.dtype == F32 and all(s.op == "contract" and users[s] == 1 for s in node.src):
        return _added(node, most)
    if node.op == "contract" and node.dtype == F32:
        inner = node.src[0]
        if inner.op == "contract" and users[inner] == 1:
            return _composed(node, inner, most)
    return None


def _added(node: Expr, most: Mapping[Expr, Array]) -> _Found | None:
    a, b = node.src
    x = a.src[0]
    how, other = a.arg, b.arg
    if a is b or b.src[0] is not x or x not in most or a.channels != b.channels:
        return None
    # The larger kernel takes the smaller one in.
    if how.macs < other.macs:
        a, b, how, other = b, a, other, how
    # Equal but for weights and place: stride, dilation, groups and what lies outside must agree.
    bare = [replace(h, weights=_ANY, y0=0, x0=0, siblings=0) for h in (how, other)]
    if bare[0] != bare[1] or how.up != (1, 1):
        return None
    # Where the smaller kernel's first tap lies in the larger one, in taps: a whole number, and inside.
    at = [(o - h) / d for o, h, d in zip((other.y0, other.x0), (how.y0, how.x0), how.dilation, strict=True)]
    rows, columns = other.taps
    y, x0 = int(at[0]), int(at[1])
    if at != [y, x0] or min(y, x0) < 0 or y + rows > how.taps[0] or x0 + columns > how.taps[1]:
        return None
    weights = _weights(how)
    weights[:, y : y + rows, x0 : x0 + columns] += _weights(other)
    start = _line(a.src[1], a.channels) + _line(b.src[1], b.channels)
    new = contract(x, vector(start.astype(np.float32)), replace(how, weights=Weights(weights.astype(np.float32))))
    off = partial(_added_off, ((how, a.src[1]), (other, b.src[1]), (new.arg, new.src[1])), x)
    kernels = f"{how.taps[1]}x{how.taps[0]} and {columns}x{rows}"
    return _Found("added", node, new, off, f"contractions {kernels} of one value that are added become one")


_ANY = Weights(np.zeros((1, 1, 1, 1), np.float32))


def _composed(outer: Expr, inner: Expr, most: Mapping[Expr, Array]) -> _Found | None:
    last, first = outer.arg, inner.arg
    x = inner.src[0]
    # A 1x1 look at the same pixels, one group: the product of two matrices for each tap.
    plain = last.taps == last.stride == last.up == (1, 1) and (last.y0, last.x0) == (0, 0)
    if not plain or last.groups != 1 or first.groups != 1 or first.up != (1, 1) or last.size != first.size:
        return None
    if x not in most:
        return None
    matrix, weights = _weights(last)[:, 0, 0], _weights(first)
    # (F, M) times (M, rows, columns, C): the weights of the composed layer.
    joint = np.tensordot(matrix, weights, 1)
    how = replace(first, weights=Weights(joint.astype(np.float32)))
    # The composed layer may take more multiply-adds than both: a narrow map between them was the point.
    if how.macs >= last.macs + first.macs:
        return None
    start = matrix @ _line(inner.src[1], inner.channels) + _line(outer.src[1], outer.channels)
    new = contract(x, vector(start.astype(np.float32)), how)
    off = partial(_composed_off, outer, inner, new)
    return _Found("composed", outer, new, off, "a contraction and a 1x1 one behind it become one")


def _added_off(sums: tuple[tuple[Contract, Expr], ...], x: Expr, sizes: Sizes) -> Array:
    """Of two contractions and the one that is made of both: each is rounded, and so are the weights of the last."""
    size = sizes.of(x)
    first, second, joint = (terms(how, start, size) for how, start in sums)
    counts = [_count(how) for how, _ in sums]
    # The joint sum twice: what was written and what is computed both lie around the real one.
    rounded = gamma(counts[0]) * first + gamma(counts[1]) * second + 2 * gamma(counts[2]) * joint
    return np.asarray(rounded + 2 * _UNIT * (first + second))


def _composed_off(outer: Expr, inner: Expr, new: Expr, sizes: Sizes) -> Array:
    """Of one contraction behind another and the one that is made of both, whose weights are rounded."""
    size = sizes.of(inner.src[0])
    reach = terms(inner.arg, inner.src[1], size)
    between = gamma(_count(inner.arg)) * reach
    # The inner error goes through the outer weights; the outer sum adds its own.
    bound = spread(outer.arg, between)
    bound = bound + (spread(outer.arg, reach + between) + np.abs(constants(outer.src[1]))) * gamma(_count(outer.arg))
    return np.asarray(bound + (gamma(_count(new.arg)) + _UNIT) * terms(new.arg, new.src[1], size))


def _count(how: Contract) -> int:
    """Terms of a sum, its start included."""
    return int(how.weights.array[0].size) + 1


def _weights(how: Contract) -> Array:
    return np.asarray(how.weights.array, np.float64).copy()


def _line(start: Expr, channels: int) -> Array:
    if start.op == "const":
        return np.full(channels, float(start.arg))
    return np.asarray(start.arg.array, np.float64)
