"""Products of matrices of which both may be computed for each frame (attention), and the forms of Einsum that are such.

A product of two computed ones is a sum in the order of the inner axis, from 0, product and sum each rounded.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from kernels.errors import ExprError
from kernels.ir.expr import Expr, const
from kernels.ir.image import F32
from kernels.ir.planes import coord, gather
from kernels.ir.volumes import part
from kernels.networks.calls import Call, Known, floats, operator
from kernels.networks.operators.convolution import exact_product, product
from kernels.networks.tensors import HERE, Atom, Axis, Tensor, arranged, laid, transposed

NOTHING = const(0.0, F32)
"""What sums begin with."""
MOST_INNER = 512
"""Products of which an entry may be the sum where both matrices are computed: as many expressions."""


def last_two_turned(given: Tensor) -> Tensor:
    """A stack of matrices, each transposed."""
    rank = len(given.axes)
    return transposed(given, [*range(rank - 2), rank - 1, rank - 2])


def computed_product(a: Tensor, b: Tensor) -> Tensor:
    """A (.., n, k) times b (.., k, m); of the axes before, several may be longer than 1 where both have them.

    Raises:
        ExprError: they do not go with each other, or there are more axes.
    """
    rank = max(len(a.axes), len(b.axes))
    a, b = (Tensor(t.volume, ((),) * (rank - len(t.axes)) + t.axes) for t in (a, b))
    if rank < 2 or a.shape[-1] != b.shape[-2]:
        raise ExprError(f"matrices of the shapes {list(a.shape)} and {list(b.shape)} do not go with each other")
    inner = a.shape[-1]
    if inner > MOST_INNER:
        raise ExprError(f"sums of {inner} products of computed values are made, more than {MOST_INNER}")
    long = [i for i in range(rank - 2) if max(a.shape[i], b.shape[i]) > 1]
    if len(long) > 1 and a.shape[:-2] != b.shape[:-2]:
        raise ExprError(f"stacks of matrices of the shapes {list(a.shape)} and {list(b.shape)} are multiplied")
    if any(1 not in (a.shape[i], b.shape[i]) and a.shape[i] != b.shape[i] for i in long):
        raise ExprError(f"stacks of the shapes {list(a.shape)} and {list(b.shape)} do not go with each other")
    roles = "".join("x" if i in long else "1" for i in range(rank - 2)) + "yc"
    first, second = arranged(a, roles), arranged(b, roles)
    lengths = [max(a.shape[i], b.shape[i]) for i in long]
    count = math.prod(lengths)
    size = a.shape[-2], count

    def over(volume: Expr, y: Expr) -> Expr:
        assert volume.size is not None
        x = coord("x", size) if volume.size[1] > 1 else const(0)
        return gather(volume, y, x, size, HERE)

    total: Expr | None = None
    for k in range(inner):
        left = part(first, k)
        left = left if left.size == size else over(left, coord("y", size))
        term = left * over(second, const(k))
        total = term if total is None else total + term
    assert total is not None
    if len(long) < 2:
        return laid(total, roles)
    axes: dict[int, Axis] = {rank - 2: _along("y", size[0]), rank - 1: _along("c", b.shape[-1])}
    step = count
    for i, length in zip(long, lengths, strict=True):
        step //= length
        axes[i] = (Atom("x", step, length),)
    return Tensor(total, tuple(axes.get(i, ()) for i in range(rank)))


def _along(name: str, count: int) -> Axis:
    return (Atom(name, 1, count),) if count > 1 else ()


@operator("MatMul")
def matmul(call: Call) -> Tensor:
    """A product of two tensors, one of which may be a constant."""
    a, b = call.value(0), call.value(1)
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return computed_product(floats(a), floats(b))
    index = 1 if isinstance(a, Tensor) else 0
    made = exact_product(call, 1, None) if index else None
    if made is not None:
        return made
    matrix = call.weights(index)
    if matrix.ndim > 2 and math.prod(matrix.shape[:-2]) == 1:
        matrix = matrix.reshape(matrix.shape[-2:])
    if matrix.ndim != 2:
        raise ExprError("it takes a tensor and a constant matrix")
    if index:
        return product(floats(call.tensor(0)), matrix.T, NOTHING)
    given = floats(call.tensor(1))
    if len(given.axes) < 2:
        raise ExprError("its second input has one axis, which is not understood")
    return last_two_turned(product(last_two_turned(given), matrix, NOTHING))


@operator("Einsum")
def einsum(call: Call) -> Tensor:
    """Two tensors with one axis summed over: a product of matrices with axes in some order."""
    found = re.fullmatch(r"([a-zA-Z]+),([a-zA-Z]+)->([a-zA-Z]+)", call.text("equation", "").replace(" ", ""))
    if found is None or len(call.inputs) != 2 or any(len(set(t)) < len(t) for t in found.groups()):
        raise ExprError(f"its equation {call.text('equation', '')[:60]!r} is not understood")
    (one, other, out), (a, b) = found.groups(), (call.value(0), call.value(1))
    inner = [n for n in one if n in other and n not in out]
    if len(inner) != 1 or len(one) != len(a.shape) or len(other) != len(b.shape) or not set(out) <= set(one + other):
        raise ExprError(f"its equation {call.text('equation', '')[:60]!r} is not understood")
    k = inner[0]
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return _both(floats(a), one, floats(b), other, out, k)
    (given, names), (matrix, labels) = ((a, one), (call.weights(1), other)) if isinstance(a, Tensor) else (
        (b, other), (call.weights(0), one))  # fmt: skip
    if not isinstance(given, Tensor) or len(labels) != 2 or set(labels) & set(names) != {k}:
        raise ExprError("it takes a tensor and a constant matrix")
    new = labels.replace(k, "")
    left = [n for n in names if n != k]
    made = product(floats(_ordered(given, names, [*left, k])), matrix if labels[1] == k else matrix.T, NOTHING)
    return _ordered(made, [*left, new], out)


def _both(a: Tensor, one: str, b: Tensor, other: str, out: str, k: str) -> Tensor:
    both = [n for n in one if n in other and n != k]
    rows, columns = ([n for n in names if n not in both and n != k] for names in (one, other))
    if len(rows) != 1 or len(columns) != 1 or not set(both + rows + columns) == set(out):
        raise ExprError("its equation is no product of two stacks of matrices")
    made = computed_product(_ordered(a, one, [*both, *rows, k]), _ordered(b, other, [*both, k, *columns]))
    return _ordered(made, [*both, *rows, *columns], out)


def _ordered(given: Tensor, names: Sequence[str], wanted: Sequence[str]) -> Tensor:
    return transposed(given, [list(names).index(n) for n in wanted])


@operator("Mean")
def mean(call: Call) -> Known:
    """The mean of tensors of one shape, summed from the left."""
    values = [call.tensor(i) for i in range(len(call.inputs))]
    if any(v.axes != values[0].axes for v in values):
        raise ExprError("it takes the mean of tensors of different shapes, which is not understood")
    total = values[0].volume
    for value in values[1:]:
        total = total + value.volume
    return values[0].over(total / float(len(values)))
