"""How far what a body gives can lie from what is written, where some of its values are computed in another way.

What changes roundings (`--fast`) says of each value that it computes differently how far it can be off there. From
there on errors go with the values: a sum passes on those of its terms times their weights, a product those of each
factor times the other's size, a maximum and a look at a neighbour as they are; a smooth function (`magnitudes.SMOOTH`)
times its steepest slope. Whatever is computed of two values that differ is also rounded differently: 2u of its size.
Behind a comparison, a floor, a conversion to whole numbers a value may be another one altogether: what is bounded
anyhow (a choice between two bounded values, a whole number that lies one further) stays bounded, anything else has no
bound. All that is forward error analysis (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 1.5, 3.1).
It holds for whatever pixels, and so is far above what is seen, the more the deeper a network is; who judges by it does
so a few layers at a time, from equal inputs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kernels.fusion.algebra_recurrence import number
from kernels.fusion.magnitudes import Array, gamma, linear, magnitudes, smooth, spread, terms, unit
from kernels.ir.expr import Expr, postorder
from kernels.ir.image import F32
from kernels.ir.recurrence import recurrences
from kernels.param import Value

_NONE = np.zeros(1)
_LOST = np.full(1, math.inf)


@dataclass(frozen=True, slots=True)
class Sizes:
    """What is known of a body's values.

    Args:
        known: node -> its largest absolute value, channel by channel.
        inputs: of the images by their number; None where `FULL` is assumed.
    """

    known: Mapping[Expr, Array]
    inputs: tuple[float | None, ...]

    def of(self, node: Expr) -> Array:
        """The largest absolute value, infinite if unknown."""
        return self.known.get(node, _LOST)


Off = Callable[[Sizes], Array]
"""How far a value can be off where it is computed in another way, a number a channel (or one for all)."""


@dataclass(frozen=True, slots=True, eq=False)
class Deviation:
    """Values of a body that are computed in another way than they are written.

    Args:
        names, roots: of the body as it is written: its outputs, each as often as it has roots; "" of recurrences
            that no output holds.
        off: how far each of these values can be off, from operands as they should be.
        params: with which the body was built.
    """

    names: tuple[str, ...]
    roots: tuple[Expr, ...]
    off: Mapping[Expr, Off]
    params: Mapping[str, Value]

    def at_outputs(self, inputs: Sequence[float | None] = ()) -> dict[str, float]:
        """How far each output can be off; infinite where no bound holds, 0 where it is untouched.

        Args:
            inputs: the largest absolute value of each image that goes in; None, or missing, for full scale.
        """
        order = list(postorder(self.roots))
        sizes = Sizes(magnitudes(order, inputs, self.params), tuple(inputs))
        found = _Walk(self, sizes).errors(order)
        reached: dict[str, float] = {}
        for name, root in zip(self.names, self.roots, strict=True):
            if name:
                reached[name] = max(reached.get(name, 0.0), float(found[root].max()))
        return reached


class _Walk:
    """Errors from the operands to the users."""

    def __init__(self, of: Deviation, sizes: Sizes) -> None:
        self.of, self.sizes = of, sizes
        self.known = recurrences(of.roots)

    def errors(self, order: Sequence[Expr]) -> dict[Expr, Array]:
        """(channels,) or (1,) a node."""
        touched = self._touched(order)
        found: dict[Expr, Array] = {}
        for node in order:
            own = self.of.off[node](self.sizes) if node in self.of.off else _NONE
            passed = self._passed(node, found) if node in touched else _NONE
            # inf - inf and the like: no bound.
            found[node] = np.where(np.isnan(own + passed), math.inf, own + passed)
        return found

    def _touched(self, order: Sequence[Expr]) -> set[Expr]:
        """The nodes that something off goes into, states by the frames before."""
        touched: set[Expr] = set()
        states: set[str] = set()
        # A fixed point, since a recurrence carries errors into its state of the next frame.
        while True:
            before = len(touched), len(states)
            for node in order:
                late = node.op == "state" and node.arg in states
                if late or any(s in touched or s in self.of.off for s in node.src):
                    touched.add(node)
                    if node.op == "recur":
                        states.add(node.arg)
            if (len(touched), len(states)) == before:
                return touched

    def _passed(self, node: Expr, found: Mapping[Expr, Array]) -> Array:
        if node.op in ("state", "recur"):
            return self._state(self.known.get(node.arg), found)
        src = [found[s] for s in node.src]
        if (known := smooth(node)) is not None:
            function, x = known
            # |f(x) - f(y)| <= slope |x - y|; both are computed, and each may be off.
            return function.slope * found[x] + 2 * function.off
        if node.op == "select":
            return self._choice(node, found)
        passed = self._arithmetic(node, src)
        return passed + self._rounded(node, passed)

    def _rounded(self, node: Expr, passed: Array) -> Array:
        """By how much more two values of a node differ that are rounded from values that differ by so much."""
        if not node.dtype.is_float or node.op not in ("add", "sub", "mul", "div", "sqrt", "convert"):
            return _NONE
        # Each of two values rounds by u of its size; the second may be larger by what was passed. 2^-148: subnormal
        # numbers.
        return unit(node.dtype) * (2 * self.sizes.of(node) + passed) + 2.0**-148

    def _arithmetic(self, node: Expr, src: Sequence[Array]) -> Array:
        a, b = src[0], src[-1]
        match node.op:
            case "add" | "sub":
                return a + b
            case "neg" | "abs" | "load":
                return a
            case "min" | "max":
                return np.maximum(a, b)
            case "mul":
                x, y = (self.sizes.of(s) for s in node.src)
                return _product(a, y) + _product(b, x) + _product(a, b)
            case "div":
                return self._quotient(node, a, b)
            # Places that are off would take other pixels: only an exact place keeps a bound.
            case "gather" if not (src[1].any() or src[2].any()):
                return a
            case "mosaic":
                return np.asarray(np.max(np.broadcast_arrays(*src), 0))
            case "stack":
                return np.concatenate([np.broadcast_to(e, s.channels) for e, s in zip(src, node.src, strict=True)])
            case "part":
                first, count = node.arg
                return a[first : first + count] if len(a) > 1 else a
            case "window":
                return self._window(node, a)
            case "contract":
                return self._contract(node, a, b)
            case "convert" | "floor" | "ceil" | "rint":
                # Rounding to whole numbers may fall on either side: one further.
                return a + (not node.dtype.is_float or node.op != "convert")
            case "sqrt":
                return np.sqrt(a)  # |sqrt x - sqrt y| <= sqrt |x - y|
        return _LOST

    def _quotient(self, node: Expr, a: Array, b: Array) -> Array:
        by = number(node.src[1], self.of.params) if node.src[1].size is None and not b.any() else None
        return a / abs(by) if by else _LOST

    def _window(self, node: Expr, a: Array) -> Array:
        w = node.arg
        if w.kind != "sum":
            return a
        count = (w.x1 - w.x0 + 1) * (w.y1 - w.y0 + 1)
        return np.asarray(count * (a + 2 * gamma(count, unit(node.dtype)) * (self.sizes.of(node.src[0]) + a)))

    def _contract(self, node: Expr, a: Array, b: Array) -> Array:
        how = node.arg
        found = spread(how, a) + b
        if node.dtype != F32:
            return found
        again = terms(how, node.src[1], self.sizes.of(node.src[0])) + found
        return found + 2 * gamma(how.weights.array[0].size + 1) * again

    def _choice(self, node: Expr, found: Mapping[Expr, Array]) -> Array:
        decides, first, second = (found[s] for s in node.src)
        same = np.maximum(first, second)
        if not decides.any():
            return same
        # The other branch may be taken: both sizes bound how far apart they are.
        either = same + self.sizes.of(node.src[1]) + self.sizes.of(node.src[2])
        x, steepest = _bent(node)
        return either if x is None else np.minimum(np.maximum(same, _product(found[x], steepest)), either)

    def _state(self, node: Expr | None, found: Mapping[Expr, Array]) -> Array:
        """Of a linear recurrence s = a s + b x: errors of all frames together, (|b| e + rounding) / (1 - |a|)."""
        known = None if node is None else linear(node, self.of.params)
        if node is None or known is None or known.source not in found:
            return _LOST
        error, size = found[known.source], self.sizes.of(known.source)
        steps = sum(1 for _ in postorder((node.src[1],), {known.source}))
        # Two ways of computing, `steps` roundings a frame each, summed over all frames.
        again = _product(np.full(1, 2 * steps * unit(node.dtype)), size) * known.most / (1 - known.a)
        return error * known.most + again


def _product(error: Array, size: Array) -> Array:
    """An error times the size of what it is multiplied by; of no error nothing, whatever the size."""
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(error == 0, 0.0, error * size))


def _bent(node: Expr) -> tuple[Expr | None, Array]:
    """x and the steepest slope where a choice is x or a share of it on either side of 0, as rectifiers have it: it has
    no step there."""
    test = node.src[0]
    if test.op in ("lt", "le"):
        for x, other in (test.src, test.src[::-1]):
            slopes = [slope for branch in node.src[1:] if (slope := _slope(branch, x)) is not None]
            if other.op == "const" and other.arg == 0 and len(slopes) == 2:
                return x, np.maximum(*slopes)
    return None, _NONE


def _slope(branch: Expr, x: Expr) -> Array | None:
    """|s| where a branch is x or x * s, s a number for each channel."""
    if branch is x:
        return np.ones(1)
    if branch.op == "mul" and x in branch.src:
        by = branch.src[1] if branch.src[0] is x else branch.src[0]
        if by.op == "const":
            return np.array([abs(float(by.arg))])
        if by.op == "vector":
            return np.asarray(np.abs(by.arg.array.astype(np.float64)))
    return None
