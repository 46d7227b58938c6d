"""Linear recurrences of a pixel: what is needed to move a filter through them.

A system is a node made of one source plane x, its own states and numbers that are the same for every pixel, linear and
without a constant: y[t] = y[t-1] + alpha (x[t] - y[t-1]) and x - y, for example. It acts on each pixel alike and on
each alone, so a filter F that does not change in time passes through: F(y) is the system of F(x), in real arithmetic,
in the first frame and with numbers that change from frame to frame too. Borders pass: extending by copies of pixels is
the same before and after, and the constant 0 outside stays 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from kernels.ir.expr import Expr, postorder
from kernels.ir.ops import OPS, convert
from kernels.ir.planes import Input
from kernels.ir.recurrence import recurrences, rename_states
from kernels.ir.rewriting import substitute
from kernels.param import Value


@dataclass(frozen=True, slots=True)
class System:
    """A linear system.

    Args:
        node: what it gives.
        source: the plane x that it takes.
        names: of its recurrences.
        shape: the same expression over a stand-in for x with its names numbered; equal systems share one.
    """

    node: Expr
    source: Expr
    names: tuple[str, ...]
    shape: Expr

    def over(self, plane: Expr, names: Mapping[str, str]) -> Expr:
        """The system of another plane, its recurrences renamed."""
        numbered = {f"#{k}": names[name] for k, name in enumerate(self.names)}
        renamed = rename_states((self.shape,), lambda name: numbered[name])
        return substitute(renamed, {_stand_in(self.source): plane})[0]


def _stand_in(like: Expr) -> Expr:
    assert like.size is not None
    return Expr("input", (), Input(1 << 30, 0, like.size), like.dtype, like.size)


def system(node: Expr) -> System | None:
    """`node` as a linear system of one plane of its own type, or None."""
    if not node.dtype.is_float or node.size is None:
        return None
    recurs: dict[str, Expr] = {}
    sources: dict[Expr, None] = {}
    stack = [(node, frozenset[str]())]
    done: set[tuple[Expr, frozenset[str]]] = set()
    # Each node is met under the recurrences that it lies in: a state counts only inside its own recurrence.
    while stack:
        here, inside = stack.pop()
        if (here, inside) in done:
            continue
        done.add((here, inside))
        step = _below(here, inside)
        if step is None:
            return None
        if step is _SOURCE:
            sources[here] = None
            continue
        if here.op == "recur":
            recurs[here.arg] = here
        stack += step
    # One source and at least one recurrence; all else is no system of one plane.
    if len(sources) != 1 or not recurs:
        return None
    source = next(iter(sources))
    if source.dtype != node.dtype or source.size != node.size:
        return None
    names = tuple(sorted(recurs))
    shape = substitute((node,), {source: _stand_in(source)})[0]
    # A recurrence that only its state shows, or a state from elsewhere, would be left behind.
    below = recurrences((shape,))
    if set(below) != set(names) or any(n.op == "state" and n.arg not in below for n in postorder((shape,))):
        return None
    number = {name: f"#{k}" for k, name in enumerate(names)}
    return System(node, source, names, rename_states((shape,), lambda name: number[name])[0])


_Step = list[tuple[Expr, frozenset[str]]]
_SOURCE: _Step = []


def _below(node: Expr, inside: frozenset[str]) -> _Step | None:
    """What a node of a system is made of; `_SOURCE` where x begins; None where it is not linear."""
    if _plain(node):
        return None  # a constant is not linear
    if node.op == "recur":
        # The first value lies outside the recurrence, the update inside.
        return [(node.src[0], inside), (node.src[1], inside | {node.arg})]
    if node.op == "state":
        return [] if node.arg in inside else None
    if node.op == "neg":
        return [(node.src[0], inside)]
    if node.op == "mul" and _plain(node.src[0]):
        return [(node.src[1], inside)]
    if node.op in ("mul", "div") and _plain(node.src[1]):
        return [(node.src[0], inside)]
    # Nothing of a recurrence below: x begins here.
    if not _holds(node) and not _states(node):
        return _SOURCE
    return [(s, inside) for s in node.src] if node.op in ("add", "sub") else None


def _plain(node: Expr) -> bool:
    return node.size is None and not _states(node)


def _pointwise(node: Expr) -> set[Expr]:
    """The nodes that `node` is made of at its own pixel."""
    found: set[Expr] = set()
    stack = [node]
    while stack:
        here = stack.pop()
        if here not in found:
            found.add(here)
            if here.op not in ("load", "window", "gather"):
                stack += here.src
    return found


def _holds(node: Expr) -> bool:
    return any(n.op == "recur" for n in _pointwise(node))


def _states(node: Expr) -> bool:
    return any(n.op == "state" for n in _pointwise(node))


def number(node: Expr, params: Mapping[str, Value]) -> float | None:
    """What a number that is the same for every pixel is with these parameters, or None."""
    values: dict[Expr, np.ndarray[tuple[int, ...], np.dtype[np.generic]]] = {}
    with np.errstate(all="ignore"):
        for each in postorder((node,)):
            if each.op in ("const", "param"):
                value = each.arg if each.op == "const" else params.get(each.arg)
                if not isinstance(value, bool | int | float):
                    return None
                values[each] = np.asarray(value, each.dtype.numpy)
            elif each.op == "convert":
                values[each] = convert(values[each.src[0]], each.dtype)
            elif each.op in OPS:
                values[each] = np.asarray(OPS[each.op].numpy(*(values[s] for s in each.src)), each.dtype.numpy)
            else:
                return None
    return float(values[node].item())


def coefficients(root: Expr, state: str, source: Expr, params: Mapping[str, Value]) -> tuple[float, float] | None:
    """(a, b) with root = a * state + b * source, by the parameters as they are; None if it is not of this kind."""
    known: dict[Expr, tuple[float, float]] = {source: (0.0, 1.0)}
    for node in postorder((root,)):
        if node in known:
            continue
        if node.op == "state" and node.arg == state:
            known[node] = (1.0, 0.0)
        elif node.op == "neg" and node.src[0] in known:
            a, b = known[node.src[0]]
            known[node] = (-a, -b)
        elif node.op in ("add", "sub") and all(s in known for s in node.src):
            sign = 1 if node.op == "add" else -1
            (a, b), (c, d) = known[node.src[0]], known[node.src[1]]
            known[node] = (a + sign * c, b + sign * d)
        elif node.op in ("mul", "div"):
            # Either factor may be the number; of a division only the divisor.
            x, factor = node.src if node.src[0] in known or node.op == "div" else node.src[::-1]
            by = number(factor, params) if factor.size is None else None
            if x in known and by is not None and (by or node.op == "mul"):
                by = by if node.op == "mul" else 1.0 / by
                known[node] = (known[x][0] * by, known[x][1] * by)
    return known.get(root)
