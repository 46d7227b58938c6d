"""A body in normal form: fewer kinds of nodes, the same bits.

* windows become folds of loads: along the row first, then down the column, as `Window` orders it;
* a load back in time looks at its own pixel only (`load(dt, 0, 0)`), and a load in space looks at that;
* what `kernels.ir.simplify` can do is done, divisions by constants are products (`kernels.fusion.exact_division`), and
  whole numbers are in 16 bits where they fit (`kernels.fusion.narrow`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from kernels.fusion.balance import balance
from kernels.fusion.exact_division import multiply
from kernels.fusion.narrow import narrow
from kernels.fusion.threshold_hoisting import whole_levels, without_root
from kernels.fusion.widen import widen_rows
from kernels.ir.body import Body
from kernels.ir.expr import Expr, Size, apply, postorder
from kernels.ir.image import ImageType
from kernels.ir.ops import OPS, convert
from kernels.ir.planes import Border, Tap, load, spread
from kernels.ir.recurrence import recurrences
from kernels.ir.rewriting import rewrite
from kernels.ir.simplify import simplify
from kernels.ir.table import Candidates, joint_table_size
from kernels.ir.volumes import has_volumes

HERE = Border()
"""The border of a load that stays at its pixel: it has none, and one spelling makes equal loads one node."""


class Unsupported(Exception):
    """This body cannot be lowered; says why. Never reaches the user: the reference runs the body instead.

    Attributes:
        node: the value that is at fault, where it is known.
    """

    def __init__(self, reason: str, node: Expr | None = None) -> None:
        super().__init__(reason)
        self.node = node


@dataclass(frozen=True, slots=True)
class Normal:
    """A body's expressions in normal form.

    Args:
        outputs: the roots of each output, in the body's order (see `Output.roots`).
        recurrences: by name, operands before users.
        histories: the planes that are looked at back in time and how many frames, in the reference's order.
    """

    outputs: tuple[tuple[Expr, ...], ...]
    recurrences: Mapping[str, Expr]
    histories: tuple[tuple[Expr, int], ...]

    @property
    def roots(self) -> tuple[Expr, ...]:
        """Every expression that must be computed."""
        planes = (plane for plane, _ in self.histories)
        return (*(root for roots in self.outputs for root in roots), *self.recurrences.values(), *planes)


def ends(body: Body, normal: Normal) -> Iterator[tuple[int, str, tuple[Expr, ...], Size]]:
    """What leaves a body, in its order: the output's index, its kind ("output" for an image, "candidates",
    "reduction"), what is computed for it, (height, width)."""
    for index, (output, roots) in enumerate(zip(body.outputs, normal.outputs, strict=True)):
        if output.table is None:
            assert isinstance(output.type, ImageType)
            yield index, "output", roots, (output.type.height, output.type.width)
            continue
        size = joint_table_size(output.table)
        if isinstance(output.table, Candidates):
            yield index, "candidates", (spread(roots[0], size), *roots[1:]), size
        else:
            yield index, "reduction", roots, size


def depths(body: Body) -> dict[Expr, int]:
    """The planes that are looked at back in time -> how many frames, in the order of first use."""
    found: dict[Expr, int] = {}
    for node in postorder(body.roots):
        if node.op == "load" and node.arg.dt < 0:
            found[node.src[0]] = max(found.get(node.src[0], 0), -node.arg.dt)
    return found


def normalise(body: Body) -> Normal:
    """The normal form of a body of expressions.

    Raises:
        Unsupported: it has volumes, or a constant outside an i64 window is no float64.
    """
    if has_volumes(body.roots):
        raise Unsupported("it has layers of a network (volumes), for which there is no code yet")
    known, past = recurrences(body.roots), depths(body)
    counts = [len(output.roots) for output in body.outputs]
    # Outputs, recurrences and pasts in one list: they share nodes, and are split again by their counts.
    roots = multiply(simplify(rewrite((*body.roots[: sum(counts)], *known.values(), *past), _rule)))
    # What other frames remember keeps its type.
    fixed = {*roots[sum(counts) :]}
    roots = balance(narrow(whole_levels(roots), fixed))
    roots = widen_rows(roots, {*roots[sum(counts) :]})
    outputs, start = [], 0
    for count in counts:
        outputs.append(roots[start : start + count])
        start += count
    updates = dict(zip(known, roots[start:], strict=False))
    planes = roots[start + len(known) :]
    return Normal(tuple(outputs), updates, tuple(zip(planes, past.values(), strict=True)))


def is_delay(node: Expr) -> bool:
    """Whether `node` is its plane at the same pixel some frames ago."""
    return node.op == "load" and node.arg.dt < 0


def is_strided(node: Expr) -> bool:
    """Whether `node` is a load whose result is an image of its own size."""
    return node.op == "load" and node.arg.size is not None


def _rule(node: Expr) -> Expr | None:
    if node.op == "load" and node.arg.dt < 0:
        tap, plane = node.arg, node.src[0]
        # load(dt, dy, dx) = a look in space at the plane's past: then only pixels' own pasts are kept.
        delayed = Expr("load", (plane,), Tap(tap.dt, 0, 0, HERE), plane.dtype, plane.size)
        still = Tap(0, tap.dy, tap.dx, tap.border, tap.stride_y, tap.stride_x, tap.size)
        if (tap.dy, tap.dx, tap.size) == (0, 0, None):
            return delayed
        return Expr("load", (delayed,), still, node.dtype, node.size)
    return _window(node) if node.op == "window" else without_root(node)


def _window(node: Expr) -> Expr:
    w, plane = node.arg, node.src[0]
    fold = "add" if w.kind == "sum" else w.kind
    # From left to right, then from the top down: `Window` says so, and sums of floats depend on it.
    along = load(plane, w.border, w.x0)
    for dx in range(w.x0 + 1, w.x1 + 1):
        along = apply(fold, along, load(plane, w.border, dx))
    beyond = _folded_border(node, fold, w.x1 - w.x0 + 1)
    total = load(along, beyond, 0, w.y0)
    for dy in range(w.y0 + 1, w.y1 + 1):
        total = apply(fold, total, load(along, beyond, 0, dy))
    return total


def _folded_border(node: Expr, fold: str, count: int) -> Border:
    """The border of the rows of a window: outside stand folds of the constant."""
    border: Border = node.arg.border
    if border.mode != "constant":
        return border
    with np.errstate(all="ignore"):
        # Rows of constants fold to another constant, by the same operation as inside.
        value = one = convert(np.array([border.value]), node.dtype)
        for _ in range(count - 1):
            value = OPS[fold].numpy(value, one)
        beyond = Border("constant", float(value[0]))
        if not np.array_equal(convert(np.array([beyond.value]), node.dtype), value, equal_nan=node.dtype.is_float):
            raise Unsupported(f"the constant {value[0]} outside a window is no float64")
    return beyond
