"""Algebra on layers of networks that changes roundings: parallel contractions added, serial ones composed; and which
may be made by tensor cores.

Parallel: contract(x) + contract'(x), a residual unit of a RepVGG block or two branches that meet, is one contraction
with the weights summed; a smaller kernel lies somewhere in the larger one. Serial: a 1x1 contraction of a contraction
without an activation between them is one with the weights multiplied, where that takes fewer multiply-adds.

Both give, in real arithmetic, the same; computed, they differ by roundings. The bound is a priori (Higham, Accuracy and
Stability of Numerical Algorithms, 2nd ed., 3.1 and 3.5): a sum of n products by fused multiply-adds lies within
gamma_n sum |w||x| of the real one, gamma_n = n u / (1 - n u), weights that are rounded anew add u |w|; with |x| at most
what interval arithmetic says of it (`kernels.fusion.float_ranges`), images of floats counted as within -1..1.

Tensor cores round both operands to 11 bits (tf32, f16), multiply exactly, and add in an order and with a rounding that
nobody promises, to single precision at least (PTX ISA, mma): a product is off by 2v + v^2 of itself, v = 2^-11, and u
becomes 2^-23, for sums may be cut off. Of f16, what is below 2^-14 is off by up to 2^-25. Bytes are exact. The bound is
a share of sum |w||x|, whatever the size of x.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from kernels.ir.expr import Expr, postorder
from kernels.ir.image import F32
from kernels.ir.rewriting import Rewriting, substitute
from kernels.ir.volumes import Contract, Weights, contract, vector

Array = npt.NDArray[np.float64]
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


@dataclass(frozen=True, slots=True)
class _Found:
    kind: str
    old: Expr
    new: Expr
    bound: float
    words: str


def faster_layers(roots: Sequence[Expr], names: Sequence[str], pixels: int) -> tuple[list[Expr], list[Rewriting]]:
    """`roots` with linear layers added and composed, and what was done.

    Args:
        names: of the roots, for people.
        pixels: of the source, by which savings are told.
    """
    roots, done = list(roots), []
    for _ in range(MOST):
        order = list(postorder(roots))
        users: dict[Expr, int] = dict.fromkeys(roots, 1)
        for node in order:
            for operand in dict.fromkeys(node.src):
                users[operand] = users.get(operand, 0) + 1
        most = _largest(order)
        found = next((f for node in order if (f := _tried(node, users, most)) is not None), None)
        if found is None:
            break
        places = [n for n, r in zip(names, roots, strict=True) if found.old in set(postorder([r]))]
        saved = _macs(roots)
        roots = list(substitute(roots, {found.old: found.new}))
        saved -= _macs(roots)
        done.append(Rewriting(found.kind, ", ".join(places), False, found.bound, saved / pixels,
                              f"{found.words}, for {', '.join(places)}"))  # fmt: skip
    roots, more = _tensors(roots, names)
    return roots, done + more


def _tensors(roots: Sequence[Expr], names: Sequence[str]) -> tuple[list[Expr], list[Rewriting]]:
    """`roots` with the contractions that tensor cores may make, and how far each is from what it was."""
    order = list(postorder(roots))
    most = _largest(order)
    chosen: dict[Expr, tuple[str, float, float]] = {}
    for node in order:
        if node.op == "contract" and not node.arg.tensor and (kind := _fragments(node, most.get(node.src[0]))):
            chosen[node] = (kind, *_off(node.arg, kind, most.get(node.src[0], 0.0)))
    new: dict[Expr, Expr] = {}
    for node in order:
        arg = replace(node.arg, tensor=chosen[node][0]) if node in chosen else node.arg
        src = tuple(new[s] for s in node.src)
        new[node] = Expr(node.op, src, arg, node.dtype, node.size, node.channels) if node.src else node
    places, done = ", ".join(dict.fromkeys(name for name in names if name)), []
    for kind in dict.fromkeys(kind for kind, _, _ in chosen.values()):
        some = [(share, tiny) for own, share, tiny in chosen.values() if own == kind]
        share, tiny = (max(column) for column in zip(*some, strict=True))
        more = f" (and {tiny:.0e}, for subnormal ones)" if tiny else ""
        how = "exactly" if kind == "int8" else f"of {kind}, by a share of its terms' sizes added up{more}"
        done.append(Rewriting("tensor", places, kind == "int8", share, 0.0,
                              f"{len(some)} convolutions by tensor cores where a GPU has them, {how}"))  # fmt: skip
    return [new[root] for root in roots], done


def _fragments(node: Expr, size: float | None) -> str:
    """The numbers from which tensor cores may make a contraction; "" where they cannot.

    Args:
        size: of what it looks at, at most; None where nobody knows.
    """
    how: Contract = node.arg
    features, _, _, channels = how.weights.array.shape
    if min(features, channels) < TENSOR or how.groups > 1 or how.up != (1, 1):
        return ""
    if node.dtype != F32:
        return "int8"
    largest = max(math.inf if size is None else size, abs(how.outside), float(np.abs(how.weights.array).max()))
    return "f16" if largest <= _HALF else "tf32"  # the latter goes as far as f32


def _off(how: Contract, kind: str, size: float) -> tuple[float, float]:
    """By which share of sum |w||x| + |start| tensor cores' sums can differ from those of f32, and by what besides."""
    if kind == "int8":
        return 0.0, 0.0
    weights = np.abs(_weights(how))
    count = weights[0].size + 1
    added = 2 * count * _UNIT / (1 - 2 * count * _UNIT)  # cut off
    share = 2 * _ROUNDED + _ROUNDED**2 + added * (1 + _ROUNDED) ** 2 + _gamma(count)
    tiny = _TINY * float((weights.sum((1, 2, 3)) + count * max(size, abs(how.outside))).max()) if kind == "f16" else 0.0
    return share, tiny


def _macs(roots: Sequence[Expr]) -> int:
    return sum(n.arg.macs for n in postorder(roots) if n.op == "contract")


def _tried(node: Expr, users: Mapping[Expr, int], most: Mapping[Expr, float]) -> _Found | None:
    if node.op == "add" and node.dtype == F32 and all(s.op == "contract" and users[s] == 1 for s in node.src):
        return _added(node, most)
    if node.op == "contract" and node.dtype == F32:
        inner = node.src[0]
        if inner.op == "contract" and users[inner] == 1:
            return _composed(node, inner, most)
    return None


def _added(node: Expr, most: Mapping[Expr, float]) -> _Found | None:
    a, b = node.src
    x = a.src[0]
    how, other = a.arg, b.arg
    if a is b or b.src[0] is not x or x not in most or a.channels != b.channels:
        return None
    if how.macs < other.macs:
        a, b, how, other = b, a, other, how
    bare = [replace(h, weights=_ANY, y0=0, x0=0) for h in (how, other)]
    if bare[0] != bare[1] or how.up != (1, 1):
        return None
    at = [(o - h) / d for o, h, d in zip((other.y0, other.x0), (how.y0, how.x0), how.dilation, strict=True)]
    rows, columns = other.taps
    y, x0 = int(at[0]), int(at[1])
    if at != [y, x0] or min(y, x0) < 0 or y + rows > how.taps[0] or x0 + columns > how.taps[1]:
        return None
    weights = _weights(how)
    weights[:, y : y + rows, x0 : x0 + columns] += _weights(other)
    start = _line(a.src[1], a.channels) + _line(b.src[1], b.channels)
    new = contract(x, vector(start.astype(np.float32)), replace(how, weights=Weights(weights.astype(np.float32))))
    size = most[x]
    bound = sum(_error(h, s, size) for h, s in ((how, a.src[1]), (other, b.src[1]), (how, new.src[1])))
    bound += _error(new.arg, new.src[1], size) + 2 * _UNIT * (_sum(how, a.src[1], size) + _sum(other, b.src[1], size))
    kernels = f"{how.taps[1]}x{how.taps[0]} and {columns}x{rows}"
    return _Found("added", node, new, bound, f"contractions {kernels} of one value that are added become one")


_ANY = Weights(np.zeros((1, 1, 1, 1), np.float32))


def _composed(outer: Expr, inner: Expr, most: Mapping[Expr, float]) -> _Found | None:
    last, first = outer.arg, inner.arg
    x = inner.src[0]
    plain = last.taps == last.stride == last.up == (1, 1) and (last.y0, last.x0) == (0, 0)
    if not plain or last.groups != 1 or first.groups != 1 or first.up != (1, 1) or last.size != first.size:
        return None
    if x not in most:
        return None
    matrix, weights = _weights(last)[:, 0, 0], _weights(first)
    joint = np.tensordot(matrix, weights, 1)
    how = replace(first, weights=Weights(joint.astype(np.float32)))
    if how.macs >= last.macs + first.macs:
        return None
    start = matrix @ _line(inner.src[1], inner.channels) + _line(outer.src[1], outer.channels)
    new = contract(x, vector(start.astype(np.float32)), how)
    size = most[x]
    reach = np.abs(weights).sum((1, 2, 3)) * size + np.abs(_line(inner.src[1], inner.channels))
    between = _gamma(weights[0].size + 1) * reach
    bound = float((np.abs(matrix) @ between).max())
    bound += float((np.abs(matrix) @ (reach + between) + np.abs(_line(outer.src[1], outer.channels))).max()
                   * _gamma(matrix.shape[1] + 1))  # fmt: skip
    bound += _error(how, new.src[1], size) + _UNIT * _sum(how, new.src[1], size)
    return _Found("composed", outer, new, bound, "a contraction and a 1x1 one behind it become one")


def _weights(how: Contract) -> Array:
    return np.asarray(how.weights.array, np.float64).copy()


def _line(start: Expr, channels: int) -> Array:
    if start.op == "const":
        return np.full(channels, float(start.arg))
    return np.asarray(start.arg.array, np.float64)


def _gamma(count: int) -> float:
    return count * _UNIT / (1 - count * _UNIT)


def _sum(how: Contract, start: Expr, size: float) -> float:
    """The most that the terms of a sum can be together."""
    size = max(size, abs(how.outside))
    return float((np.abs(_weights(how)).sum((1, 2, 3)) * size + np.abs(_line(start, how.features))).max())


def _error(how: Contract, start: Expr, size: float) -> float:
    """How far a computed sum can lie from the real one."""
    return _gamma(how.weights.array[0].size + 1) * _sum(how, start, size)


def _largest(order: Sequence[Expr]) -> dict[Expr, float]:
    """The largest absolute value of floats, where something can be said: images within -1..1."""
    found: dict[Expr, float] = {}
    for node in order:
        known = [found.get(s) for s in node.src]
        value = _most(node, known)
        if value is not None and math.isfinite(value) and value < 1e30:
            found[node] = value
    return found


def _most(node: Expr, src: Sequence[float | None]) -> float | None:
    match node.op:
        case "input":
            return 1.0 if node.dtype.is_float else 2.0**node.dtype.bits
        case "const":
            return abs(float(node.arg))
        case "vector":
            return float(np.abs(node.arg.array.astype(np.float64)).max())
        case "contract" if src[0] is not None and node.dtype == F32:
            return _sum(node.arg, node.src[1], src[0]) * (1 + _gamma(node.arg.weights.array[0].size + 1))
        case "add" | "sub" if None not in src:
            return (1 + _UNIT) * sum(s for s in src if s is not None)
        case "mul" if None not in src:
            return (1 + _UNIT) * math.prod(s for s in src if s is not None)
        case "min" | "max" | "stack" | "mosaic" if None not in src:
            return max(s for s in src if s is not None)
        case "select" if src[1] is not None and src[2] is not None:
            return max(src[1], src[2])
        case "part" | "neg" | "abs":
            return src[0]
        case "convert" if node.src[0].dtype.is_float or src[0] is not None:
            return src[0]
        case "load" | "gather" if src[0] is not None:
            border = node.arg.border
            return max(src[0], abs(border.value)) if border.mode == "constant" else src[0]
        case "window" if src[0] is not None and node.arg.kind != "sum":
            beyond = node.arg.border.value if node.arg.border.mode == "constant" else 0.0
            return max(src[0], abs(beyond)) if math.isfinite(beyond) else src[0]  # each window has a pixel of its own
        case "div" if src[0] is not None and node.src[1].op == "const" and node.src[1].arg:
            return (1 + _UNIT) * src[0] / abs(float(node.src[1].arg))
    return None
