"""Epilogues that end in whole numbers, as quantisers write them, in fewer steps of the same value.

round(x) + zero point within the limits of a byte is a rounded i32 plus the zero point, limited once; less the zero
point again, it is x within limits, rounded, and never leaves the floats. Constants of the layer become leaves of the
epilogue, so that layers which differ in them alone share a kernel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_epilogue import Epilogue, scalar
from kernels.codegen.layers_record import SCALARS
from kernels.fusion.float_ranges import float_ranges
from kernels.fusion.narrow import limits
from kernels.ir.expr import Expr, const, convert, maximum, minimum, postorder, rint
from kernels.ir.image import F32, I8, I32, U8
from kernels.ir.ops import OPS
from kernels.ir.ops import convert as convert_values
from kernels.ir.rewriting import substitute

Array = npt.NDArray[Any]
_FAR = 512.0
"""Beyond it any zero point of a byte leaves a byte's limits."""
_SAFE = 2.0**30
MIDDLE = 128
"""What an i8 is more in a map."""


def prepared(root: Expr, tables: Mapping[str, tuple[float, float]]) -> tuple[Epilogue, Array]:
    """The epilogue of an expression, and the constants of its layer, 32 bits each.

    Args:
        tables: between which values the constants a channel lie, by the names of their leaves.
    """
    if not any(node.dtype in (U8, I8) or (node.op == "input" and node.dtype != F32) for node in postorder([root])):
        return Epilogue(root), np.zeros(0, np.int32)
    root = _floating(_multiplied(_unsigned(root, tables)), tables)
    short = _rounded_once(root, tables, far=False)
    known = float_ranges([short], tables)
    whole = [n.src[0] for n in postorder([short]) if n.op == "convert" and (n.src[0].dtype, n.dtype) == (F32, I32)]
    calm = bool(whole) and all(n in known and known[n][0] >= -_SAFE and known[n][1] <= _SAFE for n in whole)
    made, values = _parted(short if calm else _rounded_once(root, tables, far=True))
    return Epilogue(made, calm), values


def _rounds(node: Expr) -> bool:
    return node.op == "convert" and node.src[0].dtype == F32 and not node.dtype.is_float


def _rebuilt(node: Expr, src: tuple[Expr, ...]) -> Expr:
    return node if src == node.src else Expr(node.op, src, node.arg, node.dtype, node.size, node.channels)


def _unsigned(root: Expr, tables: Mapping[str, tuple[float, float]]) -> Expr:
    """Bytes with a sign that are kept without (128 more) as what they are kept as."""
    known = float_ranges([root], tables)
    made: dict[Expr, Expr] = {}
    for node in postorder([root]):
        made[node] = _rebuilt(node, tuple(made[s] for s in node.src))
        if node.op != "convert" or node.src[0].dtype.is_float:
            continue
        given = node.src[0]
        if (given.dtype, node.dtype) == (I8, I32) and given.op == "convert":
            kept, less = given.src[0], 0
            if kept.op == "sub" and kept.src[1].op == "const":
                kept, less = kept.src[0], kept.src[1].arg
            if kept.op == "convert" and kept.src[0].dtype == U8 and less == MIDDLE:  # all of it fits an i8
                made[node] = made[given.src[0]]
        elif node.dtype == U8 and given.op == "add" and given.src[1].op == "const" and given.src[1].arg == MIDDLE:
            byte = given.src[0].src[0] if given.src[0].op == "convert" else given
            found = _quantised(byte) if byte.dtype == I8 else None
            if found is not None and found[0] in known:  # a NaN becomes 0 in both
                made[node] = convert(rint(made[found[0]]) + float(found[1] + MIDDLE), U8)
    return made[root]


def _floating(root: Expr, tables: Mapping[str, tuple[float, float]]) -> Expr:
    """Bytes that become floats again on the way to a byte. What differs is the sign of zeros, which the last byte does
    not show."""
    if root.dtype not in (U8, I8):
        return root
    known = float_ranges([root], tables)
    signs = _signs_of_zeros(root)
    made: dict[Expr, Expr] = {}
    for node in postorder([root]):
        made[node] = _rebuilt(node, tuple(made[s] for s in node.src))
        byte, less = _dequantised(node)
        found = _quantised(byte) if byte is not None else None
        if byte is None or found is None or node not in signs:
            continue
        value, zero = found
        if byte.dtype == I8 and value not in known:
            continue  # a NaN becomes 0
        low, high = limits(byte.dtype)
        inside = minimum(maximum(made[value], float(low - zero)), float(high - zero))
        made[node] = rint(inside) if less == zero else rint(inside) + float(zero - less)
    return made[root]


def _dequantised(node: Expr) -> tuple[Expr | None, int]:
    """(byte, n) of a float that is byte - n."""
    if node.op != "convert" or node.dtype != F32:
        return None, 0
    whole, less = node.src[0], 0
    if whole.op == "sub" and whole.src[1].op == "const":
        whole, less = whole.src[0], whole.src[1].arg
    byte = whole.src[0] if whole.op == "convert" and whole.dtype == I32 else whole
    return (byte, less) if byte.dtype in (U8, I8) else (None, 0)


def _quantised(byte: Expr) -> tuple[Expr, int] | None:
    """(x, zero point) of a byte that is round(x) + zero point."""
    given = byte.src[0] if _rounds(byte) else None
    zero = 0.0
    if given is not None and given.op == "add" and given.src[1].op == "const":
        given, zero = given.src[0], float(given.src[1].arg)
    if given is None or given.op != "rint" or zero != round(zero) or abs(zero) > _FAR / 2:
        return None
    return given.src[0], int(zero)


def _signs_of_zeros(root: Expr) -> set[Expr]:
    """Floats of which only a byte is made, by what keeps differences in the sign of a zero what they are."""
    order = list(postorder([root]))
    users: dict[Expr, list[Expr]] = {node: [] for node in order}
    for node in order:
        for operand in node.src:
            users[operand].append(node)
    made: set[Expr] = set()
    for node in reversed(order):
        if node.dtype != F32:
            continue
        keep = True
        for user in users[node]:
            byte = user.op == "convert" and not user.dtype.is_float
            still = user.op in ("mul", "add", "sub", "max", "min", "rint") and user in made
            divided = user.op == "div" and user.src[1].op == "const" and user.src[0] is node and user in made
            keep &= byte or still or divided
        if keep:
            made.add(node)
    return made


def _rounded_once(root: Expr, tables: Mapping[str, tuple[float, float]], far: bool) -> Expr:
    """Floats that become bytes, by way of an i32.

    Args:
        far: whether floats may be beyond an i32.
    """
    known = float_ranges([root], tables)
    made: dict[Expr, Expr] = {}
    for node in postorder([root]):
        made[node] = _rebuilt(node, tuple(made[s] for s in node.src))
        if not _rounds(node) or node.dtype not in (U8, I8):
            continue
        found = _quantised(node)
        if found is None or (far and node.dtype == I8 and found[0] not in known):
            continue  # a NaN becomes 0, which is no limit of an i8
        value = made[found[0]]
        value = minimum(maximum(value, -_FAR), _FAR) if far else value
        made[node] = convert(convert(value, I32) + found[1], node.dtype)
    return made[root]


def _multiplied(root: Expr) -> Expr:
    """Divisions by a constant as products with its inverse, where a byte that is computed from one or two bytes stays
    the same for all that these can be; a product takes a fraction of the time."""
    inverse: dict[Expr, Expr] = {}
    for node in postorder([root]):
        if node.op != "div" or node.dtype != F32 or node.src[1].op != "const" or not node.src[1].arg:
            continue
        user = _byte_of(root, node)
        cut = _bytes_in(user) if user is not None else None
        if user is None or cut is None:
            continue
        bytes_ = _all_bytes(cut)
        wanted, near = valued(user, bytes_), np.float32(1 / node.src[1].arg)
        for factor in (near, np.nextafter(near, np.float32(0)), np.nextafter(near, np.float32(np.inf))):
            product = node.src[0] * const(factor.item(), F32)
            (made,) = substitute([user], {node: product})
            if np.isfinite(factor) and np.array_equal(valued(made, bytes_), wanted):
                inverse[node] = product
                break
    (made,) = substitute([root], inverse)
    return made


def _byte_of(root: Expr, node: Expr) -> Expr | None:
    """The byte that a float becomes, if it becomes nothing else; None otherwise."""
    users = [n for n in postorder([root]) if node in n.src]
    while len(users) == 1 and users[0].dtype == F32:
        node = users[0]
        users = [n for n in postorder([root]) if node in n.src]
    return users[0] if len(users) == 1 and users[0].dtype in (U8, I8) else None


def _bytes_in(user: Expr) -> list[Expr] | None:
    """The one or two bytes from which alone a byte is computed; None otherwise."""
    found: list[Expr] = []
    waiting, seen = list(user.src), set[Expr]()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        if one.dtype in (U8, I8) and one.op != "const":
            found.append(one)
        elif one.op in ("input", "param"):
            return None
        else:
            waiting += one.src
    return found if 0 < len(found) <= 2 else None


def _all_bytes(cut: Sequence[Expr]) -> dict[Expr, Array]:
    """All values that bytes can have, each with each other."""
    lines = [np.arange(*(low, high + 1)) for low, high in (limits(one.dtype) for one in cut)]
    grids = np.meshgrid(*lines, indexing="ij", sparse=True)  # what depends on one byte is computed 256 times
    return {one: grid.astype(one.dtype.numpy) for one, grid in zip(cut, grids, strict=True)}


def valued(node: Expr, known: Mapping[Expr, Array]) -> Array:
    """The values of an expression of scalar operations, from those of its leaves."""
    made = dict(known)
    with np.errstate(all="ignore"):
        for one in postorder([node], set(known)):
            if one in made:
                continue
            src = [made[s] for s in one.src]
            if one.op == "const":
                made[one] = np.asarray(one.arg, one.dtype.numpy)
            else:
                made[one] = convert_values(src[0], one.dtype) if one.op == "convert" else OPS[one.op].numpy(*src)
    return made[node]


def _parted(root: Expr) -> tuple[Expr, Array]:
    """An expression with leaves for its constants, each where it stands, and the constants."""
    values: list[np.generic] = []
    made: dict[Expr, Expr] = {}

    def leaf(one: Expr) -> Expr:
        plain = one.op != "const" or one.dtype not in (F32, I32) or not one.arg or abs(one.arg) == _FAR
        if plain or len(values) == SCALARS:
            return made.get(one, one)
        values.append(one.dtype.numpy.type(one.arg))
        return scalar(len(values) - 1, one.dtype)

    for node in postorder([root]):
        made[node] = _rebuilt(node, tuple(leaf(s) for s in node.src))
    return made[root], np.array([v.view(np.int32) for v in values], np.int32)
