"""What moves, renames, cuts and joins values, and arithmetic on shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from kernels.errors import ExprError
from kernels.ir.expr import Expr, lookup, select
from kernels.ir.image import I32
from kernels.ir.ops import convert as convert_values
from kernels.ir.planes import Border, Tap, coord, gather
from kernels.ir.volumes import part, stack, vector
from kernels.networks.calls import Array, Call, Known, front, operator, scalar
from kernels.networks.tensors import (
    HERE,
    Atom,
    Axis,
    Tensor,
    arranged,
    broadcast,
    constant_volume,
    internal,
    laid,
    repeated,
    reshaped,
    transposed,
    usual_roles,
)

_MOST_PARTS = 256
"""Runs of channels of which a tensor may be put together anew."""
_MOST_CONSTANT = 1 << 24
"""Values of a constant that arithmetic on shapes makes."""


def _small(shape: Sequence[int]) -> tuple[int, ...]:
    if any(n < 0 for n in shape) or math.prod(shape) > _MOST_CONSTANT:
        raise ExprError(f"a constant of the shape {list(shape)} is too large")
    return tuple(shape)


def _rank(value: Known) -> int:
    return len(value.axes) if isinstance(value, Tensor) else value.ndim


@operator("Identity", computes=False, moves=True)
def identity(call: Call) -> Known:
    """What comes in."""
    return call.value(0)


@operator("Constant", computes=False)
def constant(call: Call) -> Known:
    """A tensor that is in the node."""
    for name, dtype in (("value", None), ("value_float", np.float32), ("value_floats", np.float32),
                        ("value_int", np.int64), ("value_ints", np.int64)):  # fmt: skip
        found = call.operation.attributes.get(name)
        if found is not None:
            return np.asarray(found, dtype)
    raise ExprError("it has no value that is understood")


@operator("ConstantOfShape", computes=False)
def constant_of_shape(call: Call) -> Known:
    """One value many times."""
    shape = _small([int(n) for n in call.constant(0).reshape(-1)])
    value = np.asarray(call.operation.attributes.get("value", np.zeros(1, np.float32))).reshape(-1)
    return np.full(shape, value[0])


@operator("Shape", computes=False)
def shape_of(call: Call) -> Known:
    """The lengths of the axes."""
    value = call.value(0)
    rank = len(value.shape)
    start, end = call.whole("start", 0), call.whole("end", rank)
    return np.array(value.shape[start:end], np.int64)


@operator("Size", computes=False)
def size_of(call: Call) -> Known:
    """The number of values."""
    return np.array(math.prod(call.value(0).shape), np.int64)


@operator("Range", computes=False)
def whole_range(call: Call) -> Known:
    """Start, start + step ... below the end."""
    start, end, step = (call.constant(i) for i in range(3))
    first, last, by = (float(v.reshape(-1)[0]) for v in (start, end, step))
    if by == 0 or not all(map(math.isfinite, (first, last, by))) or (last - first) / by > _MOST_CONSTANT:
        raise ExprError(f"it counts from {first:g} to {last:g} by {by:g}")
    return np.arange(start.item(), end.item(), step.item(), dtype=start.dtype)


_OF_CONSTANTS: dict[str, Callable[[Array], Array]] = {
    "Sin": np.sin, "Cos": np.cos, "NonZero": lambda x: np.array(np.nonzero(np.atleast_1d(x)), np.int64),
}  # fmt: skip


@operator(*_OF_CONSTANTS, computes=False)
def of_constant(call: Call) -> Known:
    """Functions that only constants need, such as tables of positions."""
    return np.asarray(_OF_CONSTANTS[call.op](call.constant(0)))


@operator("Trilu", computes=False)
def triangle(call: Call) -> Known:
    """A constant with zeros below a diagonal, or above it."""
    given, k = call.constant(0), int(scalar(call.constant(1, np.zeros(1, np.int64))))
    return np.asarray(np.triu(given, k) if call.whole("upper", 1) else np.tril(given, k))


@operator("OneHot", computes=False)
def one_hot(call: Call) -> Known:
    """A constant's numbers as rows of one value and another."""
    given, depth, (off, on) = call.constant(0), int(scalar(call.constant(1))), call.constant(2)
    _small([*given.shape, depth])
    number = np.where(given < 0, given + depth, given)
    made = np.where(number[..., np.newaxis] == np.arange(depth), on, off)
    return np.asarray(np.moveaxis(made, -1, front(call.whole("axis", -1), given.ndim + 1)))


@operator("CumSum", computes=False)
def cumulative_sum(call: Call) -> Known:
    """Running sums of a constant."""
    given, axis = call.constant(0), front(int(scalar(call.constant(1))), _rank(call.value(0)))
    if call.whole("exclusive", 0) or call.whole("reverse", 0):
        raise ExprError("its sums leave something out or go backwards, which is not understood")
    return np.cumsum(given, axis, dtype=given.dtype)


@operator("GatherND", computes=False)
def gather_nd(call: Call) -> Known:
    """Entries of a constant by lists of indices."""
    given, index = call.constant(0), call.constant(1).astype(np.int64)
    if call.whole("batch_dims", 0) or not index.ndim or not 1 <= index.shape[-1] <= given.ndim:
        raise ExprError("its indices are not understood")
    _small([*index.shape[:-1], *given.shape[index.shape[-1] :]])
    return np.asarray(given[tuple(np.moveaxis(index, -1, 0))])


@operator("ScatterND", computes=False)
def scatter_nd(call: Call) -> Known:
    """A constant with entries replaced."""
    given, index, values = call.constant(0).copy(), call.constant(1).astype(np.int64), call.constant(2)
    if call.text("reduction", "none") != "none" or not index.ndim or not 1 <= index.shape[-1] <= given.ndim:
        raise ExprError("its indices are not understood")
    given[tuple(np.moveaxis(index, -1, 0))] = values
    return given


@operator("Reshape", computes=False, moves=True)
def reshape(call: Call) -> Known:
    """Another shape for the same values."""
    given = call.value(0)
    wanted = call.listed(1, "shape", ()) or ()
    zero = not call.whole("allowzero", 0)
    shape = list(given.shape)
    lengths = [shape[i] if n == 0 and zero and i < len(shape) else n for i, n in enumerate(wanted)]
    if lengths.count(-1) > 1 or any(n < -1 for n in lengths):
        raise ExprError(f"{list(wanted)} is no shape")
    if -1 in lengths:
        rest = -math.prod(lengths)
        lengths[lengths.index(-1)] = math.prod(shape) // rest if rest else 0
    return _reshaped(given, lengths)


def _reshaped(given: Known, shape: Sequence[int]) -> Known:
    if isinstance(given, Tensor):
        return reshaped(given, shape)
    if math.prod(shape) != given.size:
        raise ExprError(f"{list(given.shape)} cannot be given the shape {list(shape)}")
    return given.reshape(tuple(shape))


@operator("Flatten", computes=False, moves=True)
def flatten(call: Call) -> Known:
    """Two axes: those before `axis`, and the rest."""
    given = call.value(0)
    axis = call.whole("axis", 1)
    axis = axis + _rank(given) if axis < 0 else axis
    if not 0 <= axis <= _rank(given):
        raise ExprError(f"a tensor of {_rank(given)} axes is not cut at axis {axis}")
    return _reshaped(given, (math.prod(given.shape[:axis]), math.prod(given.shape[axis:])))


@operator("Squeeze", computes=False, moves=True)
def squeeze(call: Call) -> Known:
    """Without axes of length 1."""
    given = call.value(0)
    axes = call.listed(1, "axes")
    rank = _rank(given)
    gone = {front(a, rank) for a in axes} if axes else {i for i, n in enumerate(given.shape) if n == 1}
    if any(given.shape[i] != 1 for i in gone):
        raise ExprError(f"axes {sorted(gone)} of {list(given.shape)} are not all of length 1")
    return _reshaped(given, [n for i, n in enumerate(given.shape) if i not in gone])


@operator("Unsqueeze", computes=False, moves=True)
def unsqueeze(call: Call) -> Known:
    """With new axes of length 1."""
    given = call.value(0)
    axes = call.listed(1, "axes") or ()
    rank = _rank(given) + len(axes)
    new = {front(a, rank) for a in axes}
    if len(new) < len(axes) or rank > 16:
        raise ExprError(f"axes {list(axes)} cannot be added to {list(given.shape)}")
    rest = iter(given.shape)
    return _reshaped(given, [1 if i in new else next(rest) for i in range(rank)])


@operator("Transpose", computes=False, moves=True)
def transpose(call: Call) -> Known:
    """Axes in another order."""
    given = call.value(0)
    order = call.wholes("perm", tuple(reversed(range(_rank(given)))))
    if isinstance(given, Tensor):
        return transposed(given, order)
    if sorted(order) != list(range(given.ndim)):
        raise ExprError(f"axes {list(order)} are no order of {given.ndim} axes")
    return given.transpose(order)


@operator("Expand", "Tile", computes=False)
def expand(call: Call) -> Known:
    """Values repeated."""
    given, numbers = call.value(0), [int(n) for n in call.constant(1).reshape(-1)]
    if isinstance(given, Tensor):
        if call.op == "Expand":
            return repeated(given, broadcast([given.shape, _small(numbers)]))
        if len(numbers) != len(given.axes) or min(numbers, default=1) < 1:
            raise ExprError(f"{numbers} do not go with the shape {list(given.shape)}")
        wanted = _small([n * k for n, k in zip(given.shape, numbers, strict=True)])
        for axis, (n, k) in enumerate(zip(given.shape, numbers, strict=True)):
            given = taken(given, axis, list(range(n)) * k) if n > 1 and k > 1 else given
        return repeated(given, wanted)
    if call.op == "Expand":
        shape = broadcast([given.shape, _small(numbers)])
        return np.broadcast_to(given, _small(shape))
    if len(numbers) != given.ndim:
        raise ExprError(f"{len(numbers)} numbers do not go with {given.ndim} axes")
    _small([n * k for n, k in zip(given.shape, numbers, strict=True)])
    return np.tile(given, numbers)


def along(given: Tensor, axis: int) -> tuple[Tensor, str]:
    """The tensor so that an axis lies along one axis of the volume, and which ("1" where it is of length 1)."""
    atoms = given.axes[axis]
    lengths = {"y": given.size[0], "x": given.size[1], "c": given.volume.channels}
    if not atoms:
        return given, "1"
    if len(atoms) > 1 or atoms[0].step != 1 or atoms[0].count != lengths[atoms[0].axis]:
        roles = usual_roles(given.shape)
        given = laid(arranged(given, roles), roles)
        atoms = given.axes[axis]
    return given, atoms[0].axis


def taken(given: Tensor, axis: int, numbers: Sequence[int]) -> Tensor:
    """Some places along an axis, in this order.

    Raises:
        ExprError: there are none, or they are not there.
    """
    length = given.shape[axis]
    if not numbers or min(numbers) < 0 or max(numbers) >= length:
        raise ExprError(f"of {length} places along axis {axis} it takes {list(numbers[:4])}")
    if list(numbers) == list(range(length)):
        return given
    some = _piece(given, axis)
    if some is not None:
        return _pieces_taken(given, axis, some, numbers)
    given, name = along(given, axis)
    if name == "1":
        raise ExprError(f"one place along axis {axis} is repeated, which is not understood")
    volume = given.volume
    if name == "c":
        runs: list[list[int]] = []
        for n in numbers:
            if runs and sum(runs[-1]) == n:
                runs[-1][1] += 1
            else:
                runs.append([n, 1])
        made = stack([part(volume, first, count) for first, count in runs])
    else:
        made = _pixels(volume, "yx".index(name), numbers)
    new = (Atom(name, 1, len(numbers)),) if len(numbers) > 1 else ()
    return Tensor(made, tuple(new if i == axis else a for i, a in enumerate(given.axes)))


def _piece(given: Tensor, axis: int) -> Atom | None:
    """The piece of the channels that an axis is, where others are pieces of them, too."""
    atoms = given.axes[axis]
    found = len(atoms) == 1 and atoms[0].axis == "c" and atoms[0].count < given.volume.channels
    return atoms[0] if found else None


def _pieces_taken(given: Tensor, axis: int, piece: Atom, numbers: Sequence[int]) -> Tensor:
    """Some places along a piece of the channels."""
    block = piece.step * piece.count
    blocks = range(0, given.volume.channels, block)
    if len(blocks) * len(numbers) > _MOST_PARTS:
        raise ExprError("its values would have to be moved one by one; export it with channels where ONNX has them")
    made = stack([part(given.volume, at + n * piece.step, piece.step) for at in blocks for n in numbers])
    return Tensor(made, _recounted(given, axis, piece, len(numbers)))


def _recounted(given: Tensor, axis: int, piece: Atom, count: int) -> tuple[Axis, ...]:
    """The axes where a piece of the channels has another number of places."""
    inner = Atom("c", piece.step, count)

    def moved(atom: Atom) -> Atom:
        outer = atom.axis == "c" and atom.step > piece.step
        return Atom("c", atom.step // piece.count * count, atom.count) if outer else atom

    return tuple(
        ((inner,) if count > 1 else ()) if i == axis else tuple(map(moved, each)) for i, each in enumerate(given.axes)
    )


def _pieces_joined(values: Sequence[Known], axis: int) -> Tensor | None:
    """Tensors one after another along an axis that is a piece of their channels; None where it is not, in all alike."""
    tensors = [v for v in values if isinstance(v, Tensor)]
    known = next((p for t in tensors if (p := _piece(t, axis)) is not None), None)
    if known is None or len(tensors) < len(values):
        return None
    counts = [t.shape[axis] for t in tensors]
    own = [Atom("c", known.step, n) for n in counts]
    axes = [_recounted(t, axis, a, sum(counts)) for t, a in zip(tensors, own, strict=True)]
    blocks = {t.volume.channels / (known.step * n) for t, n in zip(tensors, counts, strict=True)}
    fits = all(t.axes[axis] == ((a,) if a.count > 1 else ()) for t, a in zip(tensors, own, strict=True))
    fits = fits and len({t.size for t in tensors}) == 1
    if not fits or len(set(axes)) > 1 or len(blocks) > 1 or len(tensors) * max(blocks) > _MOST_PARTS:
        return None
    made = stack([
        part(t.volume, k * n * known.step, n * known.step) for k in range(int(max(blocks)))
        for t, n in zip(tensors, counts, strict=True)
    ])  # fmt: skip
    return Tensor(made, axes[0])


def _pixels(volume: Expr, axis: int, numbers: Sequence[int]) -> Expr:
    """Some rows (axis 0) or columns."""
    assert volume.size is not None
    size = (len(numbers), volume.size[1]) if axis == 0 else (volume.size[0], len(numbers))
    step = numbers[1] - numbers[0] if len(numbers) > 1 else 1
    if step > 0 and all(n == numbers[0] + k * step for k, n in enumerate(numbers)):
        tap = Tap(0, numbers[0], 0, HERE, step, 1, size) if axis == 0 else Tap(0, 0, numbers[0], HERE, 1, step, size)
        return Expr("load", (volume,), tap, volume.dtype, size)
    index = lookup(list(numbers), coord("yx"[axis], size), I32)
    other = coord("yx"[1 - axis], size)
    return gather(volume, *((index, other) if axis == 0 else (other, index)), size, HERE)


@operator("Slice", computes=False, moves=True)
def slice_of(call: Call) -> Known:
    """A range along some axes."""
    given = call.value(0)
    rank = _rank(given)
    starts, ends = call.listed(1, "starts") or (), call.listed(2, "ends") or ()
    axes = call.listed(3, "axes") or tuple(range(len(starts)))
    steps = call.listed(4, "steps") or (1,) * len(starts)
    if not len(starts) == len(ends) == len(axes) == len(steps) or 0 in steps:
        raise ExprError("its starts, ends, axes and steps do not go with each other")
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        at = front(axis, rank)
        numbers = range(*slice(start, end if end > -(1 << 60) else None, step).indices(given.shape[at]))
        if isinstance(given, Tensor):
            given = taken(given, at, list(numbers))
        else:
            given = given[tuple(slice(None) if i != at else list(numbers) for i in range(rank))]
    return given


@operator("Gather", computes=False, moves=True)
def gather_of(call: Call) -> Known:
    """Places along an axis, by constant numbers."""
    given, numbers = call.value(0), call.constant(1).astype(np.int64)
    axis = call.axis(0, _rank(given))
    length = given.shape[axis]
    if numbers.size and (numbers.min() < -length or numbers.max() >= length):
        raise ExprError(f"of {length} places along axis {axis} it takes {numbers.reshape(-1)[:4].tolist()}")
    numbers = numbers % max(1, length)
    if not isinstance(given, Tensor):
        _small([*given.shape, *numbers.shape])
        return np.asarray(np.take(given, numbers, axis))
    made = taken(given, axis, numbers.reshape(-1).tolist())
    return _reshaped(made, [*given.shape[:axis], *numbers.shape, *given.shape[axis + 1 :]])


@operator("Split", computes=False, moves=True)
def split(call: Call) -> Sequence[Known]:
    """Parts along an axis."""
    given = call.value(0)
    rank = _rank(given)
    axis = call.axis(0, rank)
    length, count = given.shape[axis], len(call.operation.outputs)
    lengths = call.listed(1, "split")
    if lengths is None:
        each = -(-length // count)
        lengths = tuple(max(0, min(each, length - i * each)) for i in range(count))
    if sum(lengths) != length or len(lengths) != count or min(lengths) < 1:
        raise ExprError(f"{length} places are not cut into parts of {list(lengths)}")
    found: list[Known] = []
    at = 0
    for n in lengths:
        if isinstance(given, Tensor):
            found.append(taken(given, axis, range(at, at + n)))
        else:
            found.append(given[tuple(slice(None) if i != axis else slice(at, at + n) for i in range(rank))])
        at += n
    return found


@operator("Concat", computes=False, moves=True)
def concat(call: Call) -> Known:
    """One after another along an axis."""
    values = [call.value(i) for i in range(len(call.inputs))]
    if not values:
        raise ExprError("it needs inputs")
    rank = _rank(values[0])
    axis = call.axis(0, rank)
    for value in values:
        if _rank(value) != rank or any(a != b for i, (a, b) in enumerate(zip(value.shape, values[0].shape, strict=True))
                                       if i != axis):  # fmt: skip
            raise ExprError(f"shapes {', '.join(str(list(v.shape)) for v in values)} are joined along axis {axis}")
    if not any(isinstance(v, Tensor) for v in values):
        return np.concatenate([np.asarray(v) for v in values], axis)
    values = [v for v in values if v.shape[axis]]
    return _pieces_joined(values, axis) or joined(values, axis)


def joined(values: Sequence[Known], axis: int) -> Tensor:
    """Tensors and constants one after another along an axis, of shapes that go with each other."""
    tensors = [v for v in values if isinstance(v, Tensor)]
    shape = [sum(v.shape[axis] for v in values) if i == axis else n for i, n in enumerate(values[0].shape)]
    roles = _joint_roles(tensors, shape, axis)
    lengths = [{r: n for r, n in zip(roles, v.shape, strict=True) if r != "1"} for v in values]
    dtype = tensors[0].volume.dtype
    volumes: list[Expr] = []
    for value, along_axis in zip(values, lengths, strict=True):
        if isinstance(value, Tensor):
            volumes.append(arranged(value, roles))
            continue
        size = along_axis.get("y", 1), along_axis.get("x", 1)
        volumes.append(constant_volume(convert_values(internal(value), dtype), size, along_axis.get("c", 1), roles))
    name = roles[axis]
    if name == "c":
        return laid(stack(volumes), roles)
    if name == "1":
        return laid(volumes[0], roles)
    return laid(_one_behind_another(volumes, "yx".index(name)), roles)


def _joint_roles(tensors: Sequence[Tensor], shape: Sequence[int], axis: int) -> str:
    """Where the axes lie in all tensors if they agree, else by custom; that along which they are joined, somewhere."""
    names: list[str] = []
    for i in range(len(shape)):
        found = {(a.axis if a.step == 1 else "?") for t in tensors for a in t.axes[i]}
        mixed = len(found) > 1 or any(len(t.axes[i]) > 1 for t in tensors)
        names.append("?" if mixed else found.pop() if found else "1")
    if names[axis] == "1" and shape[axis] > 1:
        free = [n for n in "cyx" if n not in names]
        names[axis] = free[0] if free else "?"
    used = [n for n in names if n != "1"]
    return usual_roles(shape) if "?" in names or len(set(used)) < len(used) else "".join(names)


def _one_behind_another(volumes: Sequence[Expr], axis: int) -> Expr:
    """Images below (axis 0) or beside each other."""
    sizes = []
    for volume in volumes:
        assert volume.size is not None
        sizes.append(volume.size)
    total = sum(size[axis] for size in sizes)
    whole = (total, sizes[0][1]) if axis == 0 else (sizes[0][0], total)
    here, other = coord("yx"[axis], whole), coord("yx"[1 - axis], whole)
    made: Expr | None = None
    at = total
    for volume, size in zip(reversed(volumes), reversed(sizes), strict=True):
        at -= size[axis]
        index = here - at
        one = gather(volume, *((index, other) if axis == 0 else (other, index)), whole, HERE)
        made = one if made is None else select(here < at + size[axis], one, made)
    assert made is not None
    return made


@operator("Pad", computes=False, moves=True)
def pad(call: Call) -> Known:
    """More or fewer values before and behind each axis."""
    given, rank = call.value(0), _rank(call.value(0))
    pads = call.listed(1, "pads" if "pads" in call.operation.attributes else "paddings") or ()
    value = call.given(2)
    number = call.number("value", 0.0) if value is None else float(call.constant(2).reshape(-1)[0])
    axes = call.listed(3, "axes") or tuple(range(rank))
    mode = call.text("mode", "constant")
    modes = {"constant": "constant", "reflect": "reflect101", "edge": "replicate", "wrap": "wrap"}
    if len(pads) != 2 * len(axes) or mode not in modes or max(map(abs, pads), default=0) > 1 << 20:
        raise ExprError(f"pads {list(pads)} of the mode {mode!r} do not go with axes {list(axes)}")
    if not isinstance(given, Tensor):
        raise ExprError("a constant is padded, which is not understood")
    border = Border(modes[mode], number)
    for k, axis in enumerate(axes):
        given = _padded(given, front(axis, rank), pads[k], pads[k + len(axes)], border)
    return given


def _padded(given: Tensor, axis: int, before: int, behind: int, border: Border) -> Tensor:
    if before == behind == 0:
        return given
    length = given.shape[axis] + before + behind
    if length < 1:
        raise ExprError(f"nothing is left of axis {axis}")
    given, name = along(given, axis)
    volume = given.volume
    if name == "1":
        free = [n for n in "cyx" if not any(a.axis == n for each in given.axes for a in each)]
        if not free:
            raise ExprError(f"axis {axis} is padded, which is not understood")
        name = free[0]
    if name == "c":
        if border.mode != "constant":
            raise ExprError("channels are padded with copies of others, which is not understood")
        first, count = max(0, -before), volume.channels - max(0, -before) - max(0, -behind)
        if count < 1:
            raise ExprError(f"nothing is left of axis {axis}")
        dtype = volume.dtype
        number = convert_values(np.array([border.value]), dtype)[0].item()
        zeros = [vector(np.full(max(0, n), number, dtype.numpy)) if n > 0 else None for n in (before, behind)]
        made = stack([p for p in (zeros[0], part(volume, first, count), zeros[1]) if p is not None])
    else:
        made = _beyond(volume, "yx".index(name), before, length, border)
    new = (Atom(name, 1, length),) if length > 1 else ()
    return Tensor(made, tuple(new if i == axis else a for i, a in enumerate(given.axes)))


def _beyond(volume: Expr, axis: int, before: int, length: int, border: Border) -> Expr:
    """Rows or columns before and behind an image; one load for both axes where they are padded alike."""
    assert volume.size is not None
    dy, dx = (-before, 0) if axis == 0 else (0, -before)
    height, width = (length, volume.size[1]) if axis == 0 else (volume.size[0], length)
    if volume.op == "load" and volume.arg.size is not None:
        tap = volume.arg
        inner = volume.src[0]
        still = (tap.stride_y, tap.stride_x, tap.dt) == (1, 1, 0) and tap.border == border and inner.size is not None
        if still and _alone(tap, inner, axis):
            volume, dy, dx = inner, dy + tap.dy, dx + tap.dx
    size = (height, width)
    return Expr("load", (volume,), Tap(0, dy, dx, border, 1, 1, size), volume.dtype, size)


def _alone(tap: Tap, inner: Expr, axis: int) -> bool:
    """Whether a load left this axis as it was, so that one load can do both."""
    assert tap.size is not None
    assert inner.size is not None
    return tap.size[axis] == inner.size[axis] and (tap.dy, tap.dx)[axis] == 0
