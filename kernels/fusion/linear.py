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
conversions that lose nothing and roundings of floats are looked through (of a float that is converted to another, only
to say that looks at it are looks at one plane); anything that saturates or rounds to whole numbers is an atom.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from kernels.fusion.narrow import Range, limits
from kernels.ir.expr import Expr, Size, postorder
from kernels.ir.image import BOOL, F32, F64, I32, I64, DType
from kernels.ir.ops import convert
from kernels.ir.planes import Border

MOST_TAPS = 256
"""Forms with more looks are atoms: composing them never pays, and would take long."""
ARITHMETIC = (I32, I64, F32, F64)
LINEAR = ("add", "sub", "neg", "mul", "div")
"""The operations that sums consist of."""


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
    """The forms of the nodes below some roots, where something takes them that is no part of the same sum.

    They are made level by level (looks composed through one more plane each time) and bottom-up, as chains of additions
    are deep. What only another sum takes is added up in place and has no form of its own, so that a sum of n terms
    takes n steps; a level makes anew what the level before changed.

    Args:
        order: the nodes, operands before users.
        known: the ranges of the whole numbers among them (`kernels.fusion.narrow`).
        floats: whether floats are looked into; else they are atoms.
        roots: those that nothing need take.
        like: forms of much the same nodes, with the same `floats`: what they share is not made again.
    """

    def __init__(
        self, order: Sequence[Expr], known: Mapping[Expr, Range], floats: bool, roots: Iterable[Expr],
        like: Forms | None = None,
    ) -> None:  # fmt: skip
        self.order = order
        self.nodes = frozenset(order)
        self.known = known
        self.floats = floats
        self.passes = {n.src[0] for n in order if n.op == "window" or (n.op == "load" and n.arg.size is None)}
        self._chains = self._sums(roots)
        self._made: list[dict[Expr, Form]] = []
        self._changed: set[Expr] = set(order)
        self._settled = False
        self.shared: dict[Expr, list[Form]] = {} if like is None else self._shared(like)

    def form(self, node: Expr, depth: int) -> Form:
        """`node`, with looks through at most `depth` computed planes, one behind another, composed."""
        while len(self._made) <= depth and not self._settled:
            self._level()
        return self._made[min(depth, len(self._made) - 1)][node]

    def _sums(self, roots: Iterable[Expr]) -> dict[Expr, list[Expr]]:
        """For each node that has a form of its own: it and what is added up for it alone, operands first."""
        # A sum of n terms is a chain of n - 1 additions, each used once: made as one form it takes n steps, made
        # addition by addition every one would copy all terms so far.
        uses: Counter[Expr] = Counter(roots)
        for node in self.order:
            uses.update(node.src)
        # Additions that one sum of the same type uses, and nothing else: inner links of a chain. Planes that are looked
        # at from other pixels are no links.
        inner = {s for n in self.order for s in n.src if n.op in LINEAR and s.op in LINEAR and n.dtype == s.dtype
                 and uses[s] == 1 and s.size is not None and s not in self.passes}  # fmt: skip
        chains: dict[Expr, list[Expr]] = {}
        for node in self.order:
            if node.size is not None:
                # Chains of the operands are taken over, so that each node is in one chain.
                parts = [chains.pop(s) for s in node.src if s in inner]
                chains[node] = parts[0] if parts else []
                for part in (*parts[1:], [node]):
                    chains[node] += part
        return chains

    def _shared(self, like: Forms) -> dict[Expr, list[Form]]:
        """The forms, level by level, of the sums that are made of the same there."""
        same: dict[Expr, list[Form]] = {}
        # A plane that is looked at in only one of the two bodies has another form there.
        unlike = self.passes ^ like.passes
        for end, chain in self._chains.items():
            if chain == like._chains.get(end) and not any(
                s in unlike or (s in self._chains and s not in same) for node in chain for s in node.src
            ):
                same[end] = [made[end] for made in like._made]
        return same

    def _level(self) -> None:
        made: dict[Expr, Form] = {}
        depth = len(self._made)
        self._made.append(made)
        changed: set[Expr] = set()
        for end, chain in self._chains.items():
            # Levels are a fixed point iteration: level d + 1 differs from level d only where something below it did.
            if depth and not self._affected(chain, changed):
                made[end] = self._made[-2][end]
                continue
            if depth < len(same := self.shared.get(end, ())):
                made[end] = same[depth]
                if not depth or made[end] is not self._made[-2][end]:
                    changed.add(end)
                continue
            own: dict[Expr, Form] = {}
            # Forms of a chain grow in place: `_form` may use up those in `own`.
            for node in chain:
                found = self._form(node, depth, own)
                own[node] = found if found is not None and 0 < len(found.taps) <= MOST_TAPS else atom(node)
            made[end] = own[end]
            if not depth or made[end].taps != self._made[-2][end].taps:
                changed.add(end)
        self._changed = changed
        self._settled = depth > 0 and not changed

    def _affected(self, chain: Sequence[Expr], changed: Collection[Expr]) -> bool:
        """Whether what a sum is made of has changed: on this level, or for planes that it looks at on that before."""
        return any(s in (self._changed if s in self.passes else changed) for node in chain for s in node.src)

    def _seen(self, node: Expr, depth: int, own: Mapping[Expr, Form]) -> Form:
        """What `node` is to its user: what is also looked at beside the pixel is a plane, and counts as one."""
        if node in own:
            return own[node]
        if node not in self.passes:
            return self.form(node, depth)
        # A plane that is looked at beside the pixel is one level deeper than its user.
        return self.form(node, depth - 1) if depth else atom(node)

    def _form(self, node: Expr, depth: int, own: Mapping[Expr, Form]) -> Form | None:
        """The form of a node; its taps are a dict of its own. Those of operands in `own` may be used up."""
        if node.dtype.is_float and not self.floats:
            return None
        match node.op:
            case "add" | "sub":
                # A number is the same at every pixel: with it added the form would be affine, not linear.
                if node.src[0].size is None or node.src[1].size is None:
                    return None
                a, b = (self._seen(s, depth, own) for s in node.src)
                total = a if node.src[0] in own else _copied(a)
                return total if _add(total, b, 1 if node.op == "add" else -1) else None
            case "neg":
                return times(self._seen(node.src[0], depth, own), Fraction(-1))
            case "mul" | "div":
                return self._scaled(node, depth, own)
            case "convert":
                return self._converted(node, depth)
            case "load" if node.arg.dt == 0 and node.arg.size is None:
                look = Look(node.src[0], node.arg.border, node.arg.dy, node.arg.dx)
                through = self._through(look, depth)
                return through if through is not None else Form({look: Fraction(1)})
            case "window" if node.arg.kind == "sum":
                return self._window(node, depth)
        return None

    def _scaled(self, node: Expr, depth: int, own: Mapping[Expr, Form]) -> Form | None:
        a, b = node.src
        if node.op == "mul" and a.size is None:
            a, b = b, a
        if a.size is None or b.size is not None or (node.op == "div" and b.op != "const"):
            return None
        form = self._seen(a, depth, own)
        if b.op == "const":
            if not math.isfinite(b.arg) or (node.op == "div" and b.arg == 0):
                return None
            # A float is a fraction of a power of two: forms are exact.
            weight = Fraction(b.arg)
            return times(form, weight if node.op == "mul" else 1 / weight)
        # One scale a form, which never changes from frame to frame by a state.
        if form.scale is not None or _has_state(b):
            return None
        return Form(dict(form.taps), b)

    def _converted(self, node: Expr, depth: int) -> Form | None:
        source = node.src[0]
        if source.size is None or BOOL in (source.dtype, node.dtype):
            return None
        if source.dtype.is_float:
            look = converted_look(node)
            return None if look is None else Form({look: Fraction(1)})
        low, high = (0, 0) if node.dtype.is_float else limits(node.dtype)
        form = self._seen(source, depth, {})
        given = self.range(form)
        # Whole numbers wrap round: a form says what the sum is in real arithmetic, which is what was computed only if
        # it fits the type.
        inside, (least, most) = source.dtype, limits(source.dtype)
        if inside not in (I32, I64):  # a byte, say, is itself an atom or a sum that was found to fit
            fits = node.dtype.is_float or (given and low <= given[0] and given[1] <= high)
            return _copied(form) if fits else None
        if given is None or not (least <= given[0] and given[1] <= most):
            return None  # it may have wrapped
        return _copied(form) if node.dtype.is_float or (low <= given[0] and given[1] <= high) else None

    def _window(self, node: Expr, depth: int) -> Form | None:
        w = node.arg
        if (w.y1 - w.y0 + 1) * (w.x1 - w.x0 + 1) > MOST_TAPS:
            return None
        looks = [Look(node.src[0], w.border if dy or dx else None, dy, dx)
                 for dy in range(w.y0, w.y1 + 1) for dx in range(w.x0, w.x1 + 1)]  # fmt: skip
        total: Form | None = None
        for look in looks:
            here = self._through(look, depth) if look.border else self._seen(look.plane, depth, {})
            if here is None:
                return Form(dict.fromkeys(looks, Fraction(1)))
            if total is None:
                total = _copied(here)
            elif not _add(total, here, 1) or len(total.taps) > MOST_TAPS:
                # The window as a plain sum of looks, where the composed sum would be too long or borders do not fit.
                return Form(dict.fromkeys(looks, Fraction(1)))
        return total

    def _through(self, look: Look, depth: int) -> Form | None:
        if depth <= 0:
            return None
        inner = self.form(look.plane, depth - 1)
        assert look.border is not None
        # A recurrence may look at its own plane: no endless composition.
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
            # Interval arithmetic: a negative weight takes the other end.
            total[0] += weight * (low if weight > 0 else high)
            total[1] += weight * (high if weight > 0 else low)
        return math.floor(total[0]), math.ceil(total[1])


def atom(node: Expr) -> Form:
    """`node` as a look at itself."""
    return Form({Look(node, None, 0, 0): Fraction(1)})


def times(form: Form, weight: Fraction) -> Form:
    """weight * form."""
    return Form({look: w * weight for look, w in form.taps.items() if w * weight}, form.scale)


def between_floats(node: Expr) -> bool:
    """Whether a node is a float that is converted to other floats."""
    return node.op == "convert" and node.dtype.is_float and node.src[0].dtype.is_float


def converted_look(node: Expr) -> Look | None:
    """A look at a plane of floats that is converted to other floats, as a look at the converted plane (the same bits);
    None of anything else."""
    if not between_floats(node) or node.src[0].op != "load":
        return None
    seen = node.src[0]
    tap, plane, border = seen.arg, seen.src[0], seen.arg.border
    if tap.dt or tap.size is not None:
        return None
    if border.mode == "constant":
        with np.errstate(all="ignore"):
            outside = convert(convert(np.array([border.value]), plane.dtype), node.dtype)[0]
        border = Border("constant", float(outside))
    return Look(Expr("convert", (plane,), None, node.dtype, plane.size), border, tap.dy, tap.dx)


def _copied(form: Form) -> Form:
    return Form(dict(form.taps), form.scale)


def _add(total: Form, other: Form, sign: int) -> bool:
    """Adds sign * `other` to `total`, in place; False if they have no sum."""
    if total.scale is not other.scale:
        return False
    taps = total.taps
    assert isinstance(taps, dict)
    for look, weight in other.taps.items():
        sum_ = taps.get(look, 0) + (weight if sign > 0 else -weight)
        if sum_:
            taps[look] = sum_
        else:
            del taps[look]
    return True


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
        # A look that does not move has no border; several inner looks may fall together.
        seen = Look(tap.plane, constant if dy or dx else None, dy, dx)
        taps[seen] = taps.get(seen, Fraction(0)) + weight
    return Form({seen: w for seen, w in taps.items() if w}, inner.scale)


def _compatible(inner: Form, plane: Expr, look: Look) -> bool:
    assert look.border is not None
    mode = look.border.mode
    taps = {(t.dy, t.dx): w for t, w in inner.taps.items() if t.plane is plane}
    # Two rules at one plane do not compose, whatever the offsets.
    if any(t.border is not None and t.border.mode != mode for t in inner.taps if t.plane is plane):
        return False
    if mode == "wrap":
        return True
    # The conditions of the module's docstring, axis by axis: an outer look that does not move along an axis, or an
    # inner filter that does not, needs nothing of its border.
    for moves, axis in ((look.dy, 0), (look.dx, 1)):
        if not moves or all(at[axis] == 0 for at in taps):
            continue
        # A reflected outer look sees the filter reflected: the same only if the filter is symmetric along that axis.
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
    # Outside stands the filter's answer to a constant: the sum of the weights times it must be the outer constant.
    if (wanted and inner.scale is not None) or sum(inner.taps.values()) * value != wanted:
        return None
    return Border("constant", float(value))


@lru_cache(maxsize=256)
def outside_value(border: Border, dtype: DType) -> Fraction | None:
    """The value outside a plane of `dtype`, if it is a finite number (and +0, not -0)."""
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
