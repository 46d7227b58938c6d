"""Linear filters inside a body: what a node is as a weighted sum of looks at planes, in real arithmetic.

A form is exact: weights are fractions (every float is one). Looks through computed planes compose,

    sum_j v_j P(x + d_j), P(x) = sum_i w_i Q(x + e_i)   ->   sum_ij v_j w_i Q(x + d_j + e_i),

but only where the borders allow it: "compute P whole, extend it, look there" must be "extend Q, look there". Along an
axis in which the outer look moves that is so

* for any two equal rules, if the inner filter does not move along that axis (a column pass over a row pass);
* for wrap, always: both are periodic;
* for reflect101, if the inner weights are symmetric along that axis: beyond an edge P is mirrored, and the mirrored
  filter of a mirrored image is the filter itself. An antisymmetric one (a derivative) changes its sign there;
* for replicate and constant never otherwise: P beyond the edge is one number, the filter of the extended Q is not.

What does not compose is an atom: a plane that the form looks at. Additions, products with constants, whole-number
conversions that lose nothing and roundings of floats are looked through; anything that saturates or rounds to whole
numbers is an atom.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from kernels.fusion.narrow import Range, limits
from kernels.ir.expr import Expr, Size, postorder
from kernels.ir.image import BOOL, F32, F64, I32, I64, DType
from kernels.ir.ops import convert
from kernels.ir.planes import Border

MOST_TAPS = 256
"""Forms with more looks are atoms: composing them never pays, and would take long."""
ARITHMETIC = (I32, I64, F32, F64)


@dataclass(frozen=True, slots=True)
class Look:
    """A look at `plane` at (dx, dy) in the same frame; `border` is None where it does not move."""

    plane: Expr
    border: Border | None
    dy: int
    dx: int


@dataclass(frozen=True, slots=True)
class Form:
    """scale * sum of weight * look; `scale` is an expression that is the same for every pixel (live parameters)."""

    taps: Mapping[Look, Fraction]
    scale: Expr | None = None

    @property
    def planes(self) -> tuple[Expr, ...]:
        """What it looks at, in the order of the taps."""
        return tuple(dict.fromkeys(look.plane for look in self.taps))


class Forms:
    """The forms of the nodes below some roots.

    Args:
        order: the nodes, operands before users.
        known: the ranges of the whole numbers among them (`kernels.fusion.narrow`).
        floats: whether floats are looked into; else they are atoms.
    """

    def __init__(self, order: Sequence[Expr], known: Mapping[Expr, Range], floats: bool) -> None:
        self.order = order
        self.known = known
        self.floats = floats
        self.passes = {n.src[0] for n in order if n.op == "window" or (n.op == "load" and n.arg.size is None)}
        self._made: list[dict[Expr, Form]] = []
        self._settled = False

    def form(self, node: Expr, depth: int) -> Form:
        """`node`, with looks through at most `depth` computed planes, one behind another, composed."""
        while (
            len(self._made) <= depth and not self._settled
        ):  # level by level and bottom-up, as chains of additions are deep
            made: dict[Expr, Form] = {}
            self._made.append(made)
            depth_here = len(self._made) - 1
            for each in self.order:  # level by level and bottom-up: chains of additions are deep
                found = self._form(each, depth_here) if each.size is not None else None
                if found is None or not 0 < len(found.taps) <= MOST_TAPS:
                    found = atom(each)
                made[each] = found
            self._settled = len(self._made) > 1 and all(made[n].taps == f.taps for n, f in self._made[-2].items())
        return self._made[min(depth, len(self._made) - 1)][node]

    def _seen(self, node: Expr, depth: int) -> Form:
        """What `node` is to its user: what is also looked at beside the pixel is a plane, and counts as one."""
        if node not in self.passes:
            return self.form(node, depth)
        return self.form(node, depth - 1) if depth else atom(node)

    def _form(self, node: Expr, depth: int) -> Form | None:
        if node.dtype.is_float and not self.floats:
            return None
        match node.op:
            case "add" | "sub":
                if node.src[0].size is None or node.src[1].size is None:
                    return None
                a, b = (self._seen(s, depth) for s in node.src)
                return _sum(a, b, 1 if node.op == "add" else -1)
            case "neg":
                return times(self._seen(node.src[0], depth), Fraction(-1))
            case "mul" | "div":
                return self._scaled(node, depth)
            case "convert":
                return self._converted(node, depth)
            case "load" if node.arg.dt == 0 and node.arg.size is None:
                look = Look(node.src[0], node.arg.border, node.arg.dy, node.arg.dx)
                through = self._through(look, depth)
                return through if through is not None else Form({look: Fraction(1)})
            case "window" if node.arg.kind == "sum":
                return self._window(node, depth)
        return None

    def _scaled(self, node: Expr, depth: int) -> Form | None:
        a, b = node.src
        if node.op == "mul" and a.size is None:
            a, b = b, a
        if a.size is None or b.size is not None or (node.op == "div" and b.op != "const"):
            return None
        form = self._seen(a, depth)
        if b.op == "const":
            if not math.isfinite(b.arg) or (node.op == "div" and b.arg == 0):
                return None
            weight = Fraction(b.arg)
            return times(form, weight if node.op == "mul" else 1 / weight)
        if form.scale is not None or _has_state(b):
            return None
        return replace(form, scale=b)

    def _converted(self, node: Expr, depth: int) -> Form | None:
        source = node.src[0]
        if source.size is None or BOOL in (source.dtype, node.dtype) or source.dtype.is_float:
            return None
        low, high = (0, 0) if node.dtype.is_float else limits(node.dtype)
        form = self._seen(source, depth)
        given = self.range(form)
        inside, (least, most) = source.dtype, limits(source.dtype)
        if inside not in (I32, I64):  # a byte, say, is itself an atom or a sum that was found to fit
            return form if node.dtype.is_float or (given and low <= given[0] and given[1] <= high) else None
        if given is None or not (least <= given[0] and given[1] <= most):
            return None  # it may have wrapped
        return form if node.dtype.is_float or (low <= given[0] and given[1] <= high) else None

    def _window(self, node: Expr, depth: int) -> Form | None:
        w = node.arg
        if (w.y1 - w.y0 + 1) * (w.x1 - w.x0 + 1) > MOST_TAPS:
            return None
        looks = [Look(node.src[0], w.border if dy or dx else None, dy, dx)
                 for dy in range(w.y0, w.y1 + 1) for dx in range(w.x0, w.x1 + 1)]  # fmt: skip
        total: Form | None = None
        for look in looks:
            here = self._through(look, depth) if look.border else self._seen(look.plane, depth)
            if here is None:
                return Form(dict.fromkeys(looks, Fraction(1)))
            total = here if total is None else _sum(total, here, 1)
            if total is None or len(total.taps) > MOST_TAPS:
                return Form(dict.fromkeys(looks, Fraction(1)))
        return total

    def _through(self, look: Look, depth: int) -> Form | None:
        if depth <= 0:
            return None
        inner = self.form(look.plane, depth - 1)
        assert look.border is not None
        return None if look.plane in inner.planes else shifted(inner, look, look.plane.dtype)

    def range(self, form: Form) -> Range | None:
        """What a form of whole numbers can be; None if it is not known."""
        if form.scale is not None:
            return None
        total = [Fraction(0), Fraction(0)]
        for look, weight in form.taps.items():
            if look.plane not in self.known:
                return None
            low, high = self.known[look.plane]
            if look.border is not None and look.border.mode == "constant":
                outside = int(convert(np.array([look.border.value]), look.plane.dtype)[0])
                low, high = min(low, outside), max(high, outside)
            total[0] += weight * (low if weight > 0 else high)
            total[1] += weight * (high if weight > 0 else low)
        return math.floor(total[0]), math.ceil(total[1])


def atom(node: Expr) -> Form:
    """`node` as a look at itself."""
    return Form({Look(node, None, 0, 0): Fraction(1)})


def times(form: Form, weight: Fraction) -> Form:
    """weight * form."""
    return Form({look: w * weight for look, w in form.taps.items() if w * weight}, form.scale)


def _sum(a: Form, b: Form, sign: int) -> Form | None:
    if a.scale is not b.scale:
        return None
    taps = dict(a.taps)
    for look, weight in b.taps.items():
        taps[look] = taps.get(look, Fraction(0)) + sign * weight
    return Form({look: w for look, w in taps.items() if w}, a.scale)


def _has_state(node: Expr) -> bool:
    return any(n.op == "state" for n in postorder((node,)))


def shifted(inner: Form, look: Look, dtype: DType) -> Form | None:
    """`inner` as it is seen by `look` at the plane (of `dtype`) that it makes, or None where borders forbid it."""
    border = look.border
    assert border is not None
    constant = _outside(inner, border, dtype) if border.mode == "constant" else border
    if constant is None or not all(_compatible(inner, plane, look) for plane in inner.planes):
        return None
    taps: dict[Look, Fraction] = {}
    for tap, weight in inner.taps.items():
        dy, dx = tap.dy + look.dy, tap.dx + look.dx
        seen = Look(tap.plane, constant if dy or dx else None, dy, dx)
        taps[seen] = taps.get(seen, Fraction(0)) + weight
    return Form({seen: w for seen, w in taps.items() if w}, inner.scale)


def _compatible(inner: Form, plane: Expr, look: Look) -> bool:
    assert look.border is not None
    mode = look.border.mode
    taps = {(t.dy, t.dx): w for t, w in inner.taps.items() if t.plane is plane}
    if any(t.border is not None and t.border.mode != mode for t in inner.taps if t.plane is plane):
        return False
    if mode == "wrap":
        return True
    for moves, axis in ((look.dy, 0), (look.dx, 1)):
        if not moves or all(at[axis] == 0 for at in taps):
            continue
        mirrored = {(-y, x) if axis == 0 else (y, -x): w for (y, x), w in taps.items()}
        if mode != "reflect101" or mirrored != taps:
            return False
    return True


def _outside(inner: Form, border: Border, dtype: DType) -> Border | None:
    """The one constant outside the inner planes for which that of the outer look is the filter's answer, or None."""
    wanted = outside_value(border, dtype)
    given = {outside_value(t.border, t.plane.dtype) for t in inner.taps if t.border is not None}
    if wanted is None or None in given or len(given) > 1 or len({p.dtype for p in inner.planes}) > 1:
        return None
    if any(t.border is not None and t.border.mode != "constant" for t in inner.taps):
        return None
    if given:
        value = given.pop()
    elif wanted == 0:
        value = Fraction(0)
    else:
        return None
    assert value is not None
    if (wanted and inner.scale is not None) or sum(inner.taps.values()) * value != wanted:
        return None
    return Border("constant", float(value))


def outside_value(border: Border, dtype: DType) -> Fraction | None:
    """What stands outside a plane of `dtype`, if it is a finite number (and +0, not -0)."""
    with np.errstate(all="ignore"):
        value = float(convert(np.array([border.value]), dtype)[0])
    if not math.isfinite(value) or repr(value) == "-0.0":
        return None
    return Fraction(value)


def size_of(form: Form) -> Size:
    """(height, width) of the image over which a form varies."""
    size = next(iter(form.taps)).plane.size
    assert size is not None
    return size
