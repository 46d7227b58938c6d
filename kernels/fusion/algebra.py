"""Algebra on fused bodies: linear filters composed, added, factored, and moved through linear recurrences.

Every weighted sum in a body is read as a form over the planes that it looks at (`kernels.fusion.linear`, which says
when borders let looks compose) and written again in the way that takes the fewest operations. What rounds to whole
numbers, saturates or clips is no part of a form: no rewriting crosses it.

A rewriting of whole numbers is exact: sums and products modulo 2 ** 32 do not depend on their order, and conversions
are crossed only where ranges prove that nothing was lost. One of floats is not; it states how far its result can lie
from that of the body as it was written, by forward error analysis of both (`kernels.fusion.linear_bounds`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from kernels.errors import ExprError
from kernels.fusion.algebra_layers import faster_layers
from kernels.fusion.algebra_recurrence import System, system
from kernels.fusion.deviation import Deviation, Off, Sizes
from kernels.fusion.linear import ARITHMETIC, LINEAR, Form, Forms, Look, between_floats, converted_look
from kernels.fusion.linear_bounds import Bounds, difference
from kernels.fusion.linear_emit import cost, emissions
from kernels.fusion.magnitudes import Array
from kernels.fusion.narrow import Range, ranges
from kernels.ir.body import Body, Output
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import DType, ImageType
from kernels.ir.ops import OPS
from kernels.ir.rewriting import Rewriting, substitute
from kernels.ir.table import Candidates
from kernels.ir.verify import verify
from kernels.ir.volumes import has_volumes

DEPTHS = range(5)
"""How many computed planes are looked through, one behind another."""
MOST_REWRITINGS = 64
COSTS = {name: op.cost for name, op in OPS.items()} | {"table": 1.0}
SMALL = 12
"""Forms with more looks are not written in ways that take more operations than the sum does, counted alone. What is
shared with other sums may make up for it, but hardly ever for so many."""
LEAST = 0.01
"""Operations a pixel that a rewriting must save."""


Inputs = Sequence[float | None]
"""The largest absolute value of each image that goes in; None, or missing, for full scale."""


@dataclass(frozen=True, slots=True)
class _Try:
    kind: str
    old: Expr
    new: Expr
    bound: Callable[[Inputs], float]
    detail: str = ""


def simplified(body: Body, exact: bool = True) -> tuple[Body, tuple[Rewriting, ...]]:
    """`body` with fewer operations.

    Args:
        body: expressions; an opaque body is returned as it is. Of one with volumes the layers of networks are
            rewritten (`kernels.fusion.algebra_layers`), which no exact rewriting does here.
        exact: only rewritings that keep every bit; else also those of floats, with bounds.

    Returns:
        A verified body with the same inputs, outputs and live parameters, and what was done, in order. States keep
        their names, but a recurrence that moved behind a filter has a state of its own, called by the old name with
        an apostrophe: snapshots fit only bodies that were simplified alike. Simplifying again changes nothing.
    """
    done: list[Rewriting] = []
    if body.host is None and has_volumes(body.roots):  # the forms below are of planes
        return (body, ()) if exact else _faster_layers(body)
    if body.host is not None:
        return body, ()
    forms: Forms | None = None
    tried: set[Expr] = set()
    for _ in range(MOST_REWRITINGS):
        order = list(postorder(body.roots))
        forms = Forms(order, ranges(order), not exact, body.roots, forms)
        # What the forms do not share with the body before may have changed: it is tried again.
        tried &= forms.shared.keys()
        found = _best(body, forms, exact, tried)
        if found is None:
            break
        body, made = found
        done.append(made)
    if done:
        verify(body, "the rewritten body")
    return body, tuple(done)


def _faster_layers(body: Body) -> tuple[Body, tuple[Rewriting, ...]]:
    pixels = next((t.height * t.width for t in body.inputs if isinstance(t, ImageType)), 1)
    roots, done = faster_layers(deviation(body, {}), pixels)
    if done:
        body = with_roots(body, roots)
        verify(body, "the rewritten body")
    return body, tuple(done)


def _best(body: Body, forms: Forms, exact: bool, tried: set[Expr]) -> tuple[Body, Rewriting] | None:
    """The first root, from the outputs on, whose best writing saves something.

    Args:
        tried: roots that did not in a body much like this one, so that they come last; those that do not are added.
    """
    order, known = forms.order, forms.known
    area = max((n.size[0] * n.size[1] for n in order if n.size is not None), default=1)
    before = _price(order, area)
    past = {n.src[0] for n in order if n.op == "load" and n.arg.dt < 0}
    sums = _sums(order, body.roots, exact)[::-1]
    # False sorts before True: roots that have not failed yet come first, otherwise from the outputs on.
    for root in sorted(sums, key=tried.__contains__):
        better = []
        others = _Others(body.roots, root, area)
        for attempt in _tries(root, forms, known, body, exact):
            # Cheaper than a whole body: an attempt that cannot save enough is not built. A commuted one may pay by its
            # halo.
            if attempt.kind != "commuted" and before[0] - others.price(attempt.new) <= LEAST:
                continue
            roots = substitute(body.roots, {root: attempt.new})
            nodes = list(postorder(roots))
            price = _price(nodes, area)
            saves = before[0] - price[0] > LEAST or (attempt.kind == "commuted" and price < before)
            if saves and past <= set(nodes):  # what earlier frames remember keeps its place
                better.append((price, attempt, with_roots(body, roots)))
        for price, attempt, rewritten in sorted(better, key=lambda found: found[0]):
            # Bounds are dear: of the cheapest first, until one is finite and sound.
            bound = attempt.bound(())
            if math.isfinite(bound) and (bound == 0 or attempt.old.dtype.is_float) and _sound(rewritten):
                return rewritten, _told(attempt, body, bound, before[0] - price[0])
        tried.add(root)
    return None


class _Others:
    """What a body computes beside one node, and what it costs with another in its place, without building it."""

    def __init__(self, roots: Sequence[Expr], node: Expr, area: int) -> None:
        self.area = area
        self.nodes = {n for n in postorder(roots, {node}) if n is not node}
        self.converted: set[tuple[Expr, DType]] = set()
        self.operations = cost(self.nodes, area, COSTS, self.converted)

    def price(self, new: Expr) -> float:
        """Operations a pixel."""
        more = [n for n in postorder((new,), self.nodes) if n not in self.nodes]
        return self.operations + cost(more, self.area, COSTS, set(self.converted))


def _sound(body: Body) -> bool:
    """Whether nothing looks at the state of a recurrence that went."""
    try:
        verify(body)
    except ExprError:
        return False
    return True


def _price(order: Sequence[Expr], area: int) -> tuple[float, int]:
    """Operations a pixel, and how many recurrences are looked at beside the pixel (their state has a halo then)."""
    beside: set[Expr] = set()
    for node in order:
        # All that a look aside depends on is computed with a halo.
        if node.op in ("load", "window", "gather"):
            stack = [node.src[0]]
            while stack:
                here = stack.pop()
                if here not in beside:
                    beside.add(here)
                    stack += here.src
    return cost(order, area, COSTS), sum(node.op == "recur" for node in beside)


def _sums(order: Sequence[Expr], roots: Sequence[Expr], exact: bool) -> list[Expr]:
    """The nodes that may be sums and that something takes which is no part of the same sum."""
    ends = set(roots)
    for node in order:
        # A node whose user is no part of a sum of its own type ends a sum.
        for operand in node.src:
            if node.op not in LINEAR or node.dtype != operand.dtype:
                ends.add(operand)
    return [n for n in order if n in ends and n.size is not None and n.op in (*LINEAR, "window")
            and n.dtype in ARITHMETIC and not (exact and n.dtype.is_float)]  # fmt: skip


def _tries(root: Expr, forms: Forms, known: Mapping[Expr, Range], body: Body, exact: bool) -> Iterator[_Try]:
    seen: set[tuple[tuple[Look, object], ...]] = set()
    for depth in DEPTHS:
        form = forms.form(root, depth)
        # Deeper forms that look at the same taps are the same attempt.
        key = tuple(form.taps.items())
        if key in seen or root in form.planes:
            continue
        seen.add(key)
        if exact and depth == 0 and _flat(form) and _terms(root) <= len(form.taps):
            continue
        # A plane of another kind than the sum (float or whole) and longer would lose digits on its way in.
        fits = [plane.dtype.bits <= root.dtype.bits or plane.dtype.is_float == root.dtype.is_float
                for plane in form.planes]  # fmt: skip
        if all(fits):
            yield from _rewritten(root, form, depth, forms, known, body)
        if not exact:
            yield from _commuted(root, form, forms, known, body)


def _rewritten(
    root: Expr, form: Form, depth: int, forms: Forms, known: Mapping[Expr, Range], body: Body
) -> Iterator[_Try]:
    most = math.inf if len(form.taps) <= SMALL else _taken(root, form)
    for new in emissions(form, root.dtype, most, forms.nodes):
        if new is not root:
            kind = _kind(form, new, depth, forms, root)
            if kind == "grouped" and not root.dtype.is_float:
                continue  # a product of short whole numbers takes no longer than a sum: measured, it earns nothing
            yield _Try(kind, root, new, partial(_apart, root, new, form, known, body), _shape(form))


def _taken(root: Expr, form: Form) -> float:
    """The operations a pixel from the planes of a form to its sum."""
    planes = {*form.planes} | {plane.src[0] for plane in form.planes if between_floats(plane)}
    assert root.size is not None
    sum_ = [node for node in postorder((root,), planes) if node not in planes]
    return cost(sum_, root.size[0] * root.size[1], COSTS)


def _apart(
    root: Expr, new: Expr, form: Form, known: Mapping[Expr, Range], body: Body, inputs: Inputs
) -> float:  # fmt: skip
    """How far `new` can lie from `root`, both made of the planes of `form`."""
    order = list(postorder((root, new)))
    both = {**known, **ranges(order)}
    below = set(form.planes)
    # Converted looks are the common ground of both: they have no error between them.
    looks = {node for node in order if (look := converted_look(node)) is not None and look.plane in below}
    bounds = Bounds(both, body.params, below | looks, inputs)
    written = Forms(order, both, True, (root, new))
    # The form of the new expression over the same planes: what its weights miss in real arithmetic.
    again = next((f for d in DEPTHS if set((f := written.form(new, d)).planes) == below), None)
    if again is None:
        return math.inf
    miss = difference(form, again, bounds)
    if not root.dtype.is_float:
        return miss
    return miss + bounds.estimate(root).error + bounds.estimate(new).error


def _kind(form: Form, new: Expr, depth: int, forms: Forms, root: Expr) -> str:
    """What the change is, by the passes (planes looked at one behind another) before and after."""
    if len(form.taps) == 1:
        return "scaled"
    made = {n.src[0] for n in postorder((new,)) if n.op == "load"} - set(form.planes) - forms.nodes
    before, after = depth + 1, 1 + bool(made)
    if len(forms.form(root, 0).planes) > len(form.planes) or _terms(root) > len(form.taps):
        return "added"
    return "composed" if after < before else "factored" if after > before else "grouped"


def _flat(form: Form) -> bool:
    """Whether all looks lie on a line."""
    return len({look.dy for look in form.taps}) == 1 or len({look.dx for look in form.taps}) == 1


def _terms(root: Expr) -> int:
    """The products of which a sum consists."""
    found, stack = 0, [root]
    while stack:
        node = stack.pop()
        inner = [s for s in node.src if s.size is not None] if node.op in LINEAR else []
        found += not inner
        stack += inner
    return found


def _shape(form: Form) -> str:
    ys, xs = {look.dy for look in form.taps}, {look.dx for look in form.taps}
    return f"{max(xs) - min(xs) + 1}x{max(ys) - min(ys) + 1} filter of {len(form.taps)} weights"


def _commuted(root: Expr, form: Form, forms: Forms, known: Mapping[Expr, Range], body: Body) -> Iterator[_Try]:
    """F(system(x)) as system(F(x)), where every plane of the form is the same system of its own x."""
    if all(look.border is None for look in form.taps) and len(form.planes) == 1:
        return
    if any(_holds_state(look) for look in form.taps):
        return
    systems = [system(plane) for plane in form.planes]
    first = systems[0] if systems else None
    if first is None or any(s is None or s.shape is not first.shape for s in systems):
        return
    by_plane: dict[Expr, System] = {s.node: s for s in systems if s is not None}
    # The filter over what the systems take.
    inner = Form({replace(look, plane=by_plane[look.plane].source): w for look, w in form.taps.items()})
    # Two planes with the same source would become one look: not the same filter.
    if len(inner.taps) < len(form.taps) or first.node.dtype != root.dtype:
        return
    taken = {node.arg for node in forms.order if node.op == "recur"}
    names = {}
    for name in first.names:
        # A name of its own for the moved recurrence.
        names[name] = name + "'"
        while names[name] in taken:
            names[name] += "'"
    for filtered in emissions(inner, root.dtype):
        plane = first.over(filtered, names)
        new = plane if form.scale is None else plane * form.scale
        bound = partial(_passed, root, new, filtered, first, names, inner, known, body)
        yield _Try("commuted", root, new, bound, "/".join(first.names))


def _passed(
    root: Expr, new: Expr, filtered: Expr, of: System, names: dict[str, str], inner: Form, known: Mapping[Expr, Range],
    body: Body, inputs: Inputs,
) -> float:  # fmt: skip
    """How far `new`, the system of `filtered`, can lie from `root`, the filter of systems."""
    both = {**known, **ranges(list(postorder((root, new))))}
    bounds = Bounds(both, body.params, set(inner.planes), inputs)
    weights = _apart(filtered, filtered, inner, known, body, inputs)
    gain = _gain(of, filtered, names, both, body, inputs)
    return weights * gain + bounds.estimate(root).error + bounds.estimate(new).error


def _holds_state(look: Look) -> bool:
    """Whether the value outside is a constant other than 0."""
    return look.border is not None and look.border.mode == "constant" and look.border.value != 0


def _gain(
    of: System, plane: Expr, names: dict[str, str], known: Mapping[Expr, Range], body: Body, inputs: Inputs
) -> float:  # fmt: skip
    """The most by which the system enlarges what it is given."""
    bounds = Bounds(known, body.params, {plane}, inputs)
    # The system is linear: its bound over that of what goes in is the gain.
    given = bounds.estimate(plane).most
    return bounds.estimate(of.over(plane, names)).most / given if given else 1.0


def _told(made: _Try, body: Body, bound: float, saved: float) -> Rewriting:
    names = [o.name for o in body.outputs if made.old in set(postorder(o.roots))] or ["a recurrence"]
    where = ", ".join(names)
    what = {
        "composed": "filters one behind another become one", "added": "filters side by side become one",
        "factored": "a filter becomes a pass along rows and one down columns",
        "scaled": "a division becomes a product",
        "grouped": "looks with equal weights are added before they are weighted",
        "commuted": f"the recurrence {made.detail} moves behind the filter",
    }[made.kind]  # fmt: skip
    shape = "" if made.kind == "commuted" else f" ({made.detail})"
    whole = not made.old.dtype.is_float
    place = f"{made.detail}, {where}" if made.kind == "commuted" else where
    words = f"{what}{shape}, for {where}"
    if whole:
        return Rewriting(made.kind, place, True, 0.0, saved, words)
    off = {made.old: partial(_off, made.bound)}
    return Rewriting(made.kind, place, False, bound, saved, words, deviation=deviation(body, off))


def _off(bound: Callable[[Inputs], float], sizes: Sizes) -> Array:
    return np.full(1, bound(sizes.inputs))


def deviation(body: Body, off: Mapping[Expr, Off]) -> Deviation:
    """Values of a body that are computed in another way (`kernels.fusion.deviation`).

    Args:
        off: how far each can be off.
    """
    names = [output.name for output in body.outputs for _ in output.roots]
    return Deviation((*names, *([""] * len(body.updates))), body.roots, off, body.params)


def with_roots(body: Body, roots: Sequence[Expr]) -> Body:
    """A body defined by other expressions, in the order of `Body.roots`."""
    rest = iter(roots)
    outputs = tuple(_rebuilt(output, [next(rest) for _ in output.roots]) for output in body.outputs)
    return replace(body, outputs=outputs, updates=tuple(rest))


def _rebuilt(output: Output, roots: Sequence[Expr]) -> Output:
    table = output.table
    if table is None:
        assert isinstance(output.type, ImageType)
        return replace(output, planes=tuple(roots))
    if isinstance(table, Candidates):
        names = [name for name, _ in table.columns]
        return replace(output, table=replace(table, condition=roots[0],
                                             columns=tuple(zip(names, roots[1:], strict=True))))  # fmt: skip
    columns = tuple(replace(c, expr=root) for c, root in zip(table.columns, roots, strict=True))
    return replace(output, table=replace(table, columns=columns))
