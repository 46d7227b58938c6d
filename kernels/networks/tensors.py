"""Tensors of a network as volumes: which axis of an ONNX tensor lies where in an image (height, width, channels).

ONNX counts axes as it likes and turns, cuts and joins them at no cost. So a `Tensor` is a volume and, for each axis of
the ONNX tensor, the pieces (`Atom`) of the volume's axes that it runs over: transposing and reshaping changes these
names and computes nothing. Pixels are moved (`arranged`) only where an operator needs an axis where it is not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import ExprError
from kernels.ir.expr import Expr, const, lookup, select
from kernels.ir.image import F32, dtype_of
from kernels.ir.planes import Border, coord, gather
from kernels.ir.volumes import Contract, Weights, contract, mosaic, part, stack, vector

MOST_VALUES = 1 << 28
"""Of one tensor: 1 GB of floats; a file that announces more is refused before memory is taken."""
_MOST_PIECES = 1 << 12
"""Parts of which a tensor that is moved may be put together."""
_CHOSEN_PIECES = 1 << 8
"""Of these, those of which each says for every pixel what it takes; of more, channels become pixels first."""
_MOST_ENTRIES = 1 << 18
"""Of a constant that differs from pixel to pixel."""
_ONE_BY_ONE = "its values would have to be moved one by one; export it with channels where ONNX has them"
HERE = Border("replicate")
"""Of gathers that stay inside."""
Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Atom:
    """A piece of an axis of a volume: k = 0 .. count - 1 is at k * step along "y", "x" or "c"; counts are above 1."""

    axis: str
    step: int
    count: int


Axis = tuple[Atom, ...]
"""An axis of an ONNX tensor, the slowest piece first; () of length 1."""


@dataclass(frozen=True, slots=True)
class Whole:
    """That floats are whole numbers times a scale: value = (number - zero) * scale.

    Args:
        volume: the numbers, u8, i8 or i32.
        zero: the number of 0.
        scale: one, or one a channel of the volume; f32.
        rectified: whether floats below 0 are 0.
    """

    volume: Expr
    zero: int
    scale: Array
    rectified: bool = False


@dataclass(frozen=True, slots=True)
class Tensor:
    """A volume under ONNX's names.

    Args:
        volume: over an image.
        axes: for each axis of the tensor, where it lies; together they are all of the volume.
        whole: the whole numbers that the values stand for, where they come from a quantiser.
    """

    volume: Expr
    axes: tuple[Axis, ...]
    whole: Whole | None = field(default=None, compare=False)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(math.prod(a.count for a in axis) for axis in self.axes)

    @property
    def size(self) -> tuple[int, int]:
        """(height, width) of the volume."""
        assert self.volume.size is not None
        return self.volume.size

    def over(self, volume: Expr) -> Tensor:
        """The same axes over another volume of the same size and channels."""
        return Tensor(volume, self.axes)

    def values(self, image: Array) -> Array:
        """The ONNX tensor of an image (height, width[, channels]) that this volume became."""
        image = image.reshape(*self.size, self.volume.channels)
        at = {"y": np.zeros((), np.int64), "x": np.zeros((), np.int64), "c": np.zeros((), np.int64)}
        for number, axis in enumerate(self.axes):
            for name in at:
                along = np.zeros(1, np.int64)
                for atom in axis:
                    here = np.arange(atom.count) * (atom.step if atom.axis == name else 0)
                    along = (along[:, np.newaxis] + here).reshape(-1)
                at[name] = at[name] + along.reshape(-1, *([1] * (len(self.axes) - 1 - number)))
        return np.asarray(image[at["y"], at["x"], at["c"]]).reshape(self.shape)


def laid(volume: Expr, roles: str) -> Tensor:
    """`volume` as a tensor whose axes lie along "y", "x", "c" or ("1") along none: an image in ONNX's order is "1cyx".

    Raises:
        ExprError: it is too large.
    """
    if volume.size is None:
        raise ExprError("a tensor of a network varies over an image")
    lengths = {"y": volume.size[0], "x": volume.size[1], "c": volume.channels}
    if math.prod(lengths.values()) > MOST_VALUES:
        raise ExprError(f"a tensor of {volume.size[1]}x{volume.size[0]} px and {volume.channels} channels is too large")
    axes = tuple((Atom(r, 1, lengths[r]),) if r in lengths and lengths[r] > 1 else () for r in roles)
    return Tensor(volume, axes)


def transposed(tensor: Tensor, order: Sequence[int]) -> Tensor:
    """Axes in another order."""
    if sorted(order) != list(range(len(tensor.axes))):
        raise ExprError(f"axes {list(order)} are no order of {len(tensor.axes)} axes")
    return Tensor(tensor.volume, tuple(tensor.axes[i] for i in order))


def reshaped(tensor: Tensor, shape: Sequence[int]) -> Tensor:
    """The same values in the same order under another shape; they are moved where its borders do not fall on borders
    of pieces.

    Raises:
        ExprError: another number of values, or too much would have to be put together.
    """
    if math.prod(shape) != math.prod(tensor.shape) or any(n < 1 for n in shape):
        raise ExprError(f"{list(tensor.shape)} cannot be given the shape {list(shape)}")
    made = _cut(tensor, shape)
    if made is None:
        line = Tensor(tensor.volume, (tuple(atom for axis in tensor.axes for atom in axis),))
        made = _cut(laid(arranged(line, "x"), "x"), shape)
    assert made is not None
    return made


def _cut(tensor: Tensor, shape: Sequence[int]) -> Tensor | None:
    """Another shape where its borders fall on borders of pieces; None where they do not."""
    rest = _merged([atom for axis in tensor.axes for atom in axis])
    axes: list[Axis] = []
    for length in shape:
        axis: list[Atom] = []
        while length > 1:
            first = rest.pop(0)
            if length % first.count == 0:
                axis.append(first)
                length //= first.count
            elif first.count % length == 0:
                inner = first.count // length
                axis.append(Atom(first.axis, first.step * inner, length))
                rest.insert(0, Atom(first.axis, first.step, inner))
                length = 1
            else:
                return None
        axes.append(tuple(axis))
    return Tensor(tensor.volume, tuple(axes))


def _merged(atoms: Sequence[Atom]) -> list[Atom]:
    """Neighbours that are one piece as one."""
    found: list[Atom] = []
    for atom in atoms:
        last = found[-1] if found else None
        if last is not None and last.axis == atom.axis and last.step == atom.step * atom.count:
            found[-1] = Atom(atom.axis, atom.step, last.count * atom.count)
        else:
            found.append(atom)
    return found


def natural_roles(tensor: Tensor) -> str:
    """Where the axes lie when each lies along one axis of the volume, else where they are to lie (see `laid`).

    Raises:
        ExprError: an axis for the batch is longer than 1, or there are too many axes.
    """
    axes = [_merged(axis) for axis in tensor.axes]
    if all(len(axis) <= 1 and all(a.step == 1 for a in axis) for axis in axes):
        names = [axis[0].axis if axis else "1" for axis in axes]
        whole = sum(1 for n in names if n != "1")
        if whole == len({n for n in names if n != "1"}):
            return "".join(names)
    return usual_roles(tensor.shape)


def settled(tensor: Tensor) -> Tensor:
    """The tensor over an image of its own: one with four axes as it lies, vectors by custom, so that nothing depends on
    how it was computed.

    Raises:
        ExprError: it is no image, or one that takes too much to be put together.
    """
    roles = natural_roles(tensor) if len(tensor.axes) == 4 else usual_roles(tensor.shape)
    return laid(arranged(tensor, roles), roles)


def usual_roles(shape: Sequence[int]) -> str:
    """Where the axes of a tensor of this shape lie by custom: images "1cyx", lists of vectors "1yc", vectors "1c".

    Raises:
        ExprError: there is no such custom.
    """
    long = [i for i, n in enumerate(shape) if n > 1]
    if len(shape) == 4 and shape[0] == 1:
        return "1cyx"
    if len(shape) == 3 and shape[0] == 1:
        return "1yc"
    if len(long) > 3:
        raise ExprError(f"a tensor of the shape {list(shape)} is no image")
    names = dict(zip(long, {0: "", 1: "c", 2: "yc", 3: "yxc"}[len(long)], strict=True))
    return "".join(names.get(i, "1") for i in range(len(shape)))


def arranged(tensor: Tensor, roles: str) -> Expr:
    """The volume with the axes where `roles` says; moved only if they are not there.

    Raises:
        ExprError: an axis that is to lie nowhere is longer than 1, or too much would have to be put together.
    """
    target: dict[str, list[Atom]] = {"y": [], "x": [], "c": []}
    for role, axis in zip(roles, tensor.axes, strict=True):
        if role == "1" and axis:
            raise ExprError(f"a tensor of the shape {list(tensor.shape)} is used where the first axis must be 1")
        target.get(role, []).extend(axis)
    lengths = {"y": tensor.size[0], "x": tensor.size[1], "c": tensor.volume.channels}
    merged = {name: _merged(atoms) for name, atoms in target.items()}
    if all(merged[n] == ([Atom(n, 1, lengths[n])] if lengths[n] > 1 else []) for n in lengths):
        return tensor.volume
    return _moved(tensor.volume, merged)


def _moved(volume: Expr, target: dict[str, list[Atom]]) -> Expr:
    """`volume` with its pieces where `target` says."""
    height, width = (math.prod(a.count for a in target[n]) for n in "yx")
    going = math.prod(a.count for n in "yx" for a in target[n] if a.axis == "c")
    if going > 1 and going * sum(1 for _ in _runs(target["c"])) > _CHOSEN_PIECES:
        return _moved(*_spread_out(volume, target))
    source: dict[str, Expr] = {"y": const(0), "x": const(0)}
    chosen: list[tuple[Expr, Atom]] = []  # pieces of channels that become pixels
    for name in "yx":
        inner = height if name == "y" else width
        for atom in target[name]:
            inner //= atom.count
            index = coord(name, (height, width)) // inner % atom.count
            if atom.axis == "c":
                chosen.append((index, atom))
            else:
                source[atom.axis] = source[atom.axis] + index * atom.step
    pieces: list[Expr] = []
    for y, x, c, count in _runs(target["c"]):
        options = list(_options(chosen))
        if len(pieces) * len(options) > _MOST_PIECES:
            raise ExprError(_ONE_BY_ONE)
        made: Expr | None = None
        for condition, shift in options:
            one = gather(part(volume, c + shift, count), source["y"] + y, source["x"] + x, (height, width), HERE)
            made = one if made is None or condition is None else select(condition, one, made)
        assert made is not None
        pieces.append(made)
    return stack(pieces)


def _spread_out(volume: Expr, target: dict[str, list[Atom]]) -> tuple[Expr, dict[str, list[Atom]]]:
    """The channels that become pixels as pixels, side by side, and where all pieces are to lie then."""
    assert volume.size is not None
    going = [atom for n in "yx" for atom in target[n] if atom.axis == "c"]
    staying = sorted((atom for atom in target["c"] if atom.axis == "c"), key=lambda atom: -atom.step)
    kept, count = list(_runs(staying)), math.prod(atom.count for atom in going)
    if count * len(kept) > _MOST_PIECES:
        raise ExprError(_ONE_BY_ONE)
    shifts = [sum(n * a.step for n, a in zip(numbers, going, strict=True))
              for numbers in product(*(range(a.count) for a in going))]  # fmt: skip
    beside = mosaic([stack([part(volume, c + shift, n) for _, _, c, n in kept]) for shift in shifts], (1, count))
    steps: dict[Atom, Atom] = {}
    step = 1
    for atom in reversed(going):
        steps[atom], step = Atom("x", step, atom.count), step * atom.count
    inner = 1
    for atom in reversed(staying):
        steps[atom], inner = Atom("c", inner, atom.count), inner * atom.count

    def moved(atom: Atom) -> Atom:
        return steps[atom] if atom.axis == "c" else replace(atom, step=atom.step * (count if atom.axis == "x" else 1))

    return beside, {name: [moved(atom) for atom in atoms] for name, atoms in target.items()}


def _options(chosen: Sequence[tuple[Expr, Atom]]) -> Iterator[tuple[Expr | None, int]]:
    """By which channel a pixel shifts what it takes, and where; the first holds where no other does."""
    for numbers in product(*(range(atom.count) for _, atom in chosen)):
        condition: Expr | None = None
        for number, (index, _) in zip(numbers, chosen, strict=True):
            here = index.eq(number)
            condition = here if condition is None else condition & here
        yield condition, sum(n * atom.step for n, (_, atom) in zip(numbers, chosen, strict=True))


def _runs(atoms: Sequence[Atom]) -> Iterator[tuple[int, int, int, int]]:
    """Channels that are taken together: offsets in y, x and c, and how many follow one another."""
    run: list[int] = []
    for numbers in product(*(range(a.count) for a in atoms)):
        at = {"y": 0, "x": 0, "c": 0}
        for number, atom in zip(numbers, atoms, strict=True):
            at[atom.axis] += number * atom.step
        if run and run[:2] == [at["y"], at["x"]] and run[2] + run[3] == at["c"]:
            run[3] += 1
            continue
        if run:
            yield run[0], run[1], run[2], run[3]
        run = [at["y"], at["x"], at["c"], 1]
    yield run[0], run[1], run[2], run[3]


def together(values: Sequence[Tensor | Array]) -> tuple[list[Expr], Tensor]:
    """Operands of a point-wise operator, ONNX's broadcasting done, and a tensor whose axes the result has.

    Raises:
        ExprError: shapes do not go with each other.
    """
    shape = broadcast([v.shape for v in values])
    tensors = [_of_rank(v, len(shape)) for v in values if isinstance(v, Tensor)]
    like = max(tensors, key=lambda t: (math.prod(t.shape), -tensors.index(t)))
    like = repeated(like, shape)  # where every operand lacks something of the result, as a row and a column do
    if not all(_goes_with(t, like) or _channels_of(t, like) is not None for t in tensors):
        roles = usual_roles(shape)
        like = laid(arranged(like, roles), roles)
    found = []
    for value in values:
        if isinstance(value, Tensor):
            found.append(_spread(_of_rank(value, len(shape)), like))
        else:
            found.append(constant_over(np.asarray(value), like))
    return found, like


def repeated(given: Tensor, shape: Sequence[int]) -> Tensor:
    """A tensor repeated along axes of length 1, and along new ones before its own.

    Raises:
        ExprError: nothing is left, or the shape is no image.
    """
    given = _of_rank(given, len(shape))
    if given.shape == tuple(shape):
        return given
    if min(shape) < 1:
        raise ExprError(f"a tensor is given the shape {list(shape)}")
    roles = _roles_of_more(given, shape)
    lengths = dict(zip(roles, shape, strict=True))
    dtype = given.volume.dtype
    size, channels = (lengths.get("y", 1), lengths.get("x", 1)), lengths.get("c", 1)
    like = laid(constant_volume(np.zeros(1, dtype.numpy), size, channels, roles), roles)
    value = _spread(given, like)
    if value.channels < channels:
        value = stack([value] * channels)
    return like.over(value)


def _roles_of_more(given: Tensor, shape: Sequence[int]) -> str:
    """Where axes lie when some of length 1 grow: by custom, but those that are there already stay where they are."""
    usual = usual_roles(shape)
    found = [r if axis else "1" for r, axis in zip(natural_roles(given), given.axes, strict=True)]
    free = [n for n in "yxc" if n not in found]
    grown = [i for i, (axis, n) in enumerate(zip(given.axes, shape, strict=True)) if not axis and n > 1]
    if len(grown) > len(free):
        return usual
    for i in sorted(grown, key=lambda i: usual[i] not in free):
        found[i] = usual[i] if usual[i] in free else free[0]
        free.remove(found[i])
    return "".join(found)


def broadcast(shapes: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The joint shape.

    Raises:
        ExprError: there is none, or it is too large.
    """
    try:
        shape = np.broadcast_shapes(*(tuple(s) for s in shapes))
    except ValueError:
        raise ExprError(f"shapes {', '.join(str(list(s)) for s in shapes)} do not go with each other") from None
    if math.prod(shape) > MOST_VALUES:
        raise ExprError(f"a tensor of the shape {list(shape)} is too large")
    return shape


def _of_rank(tensor: Tensor, rank: int) -> Tensor:
    return Tensor(tensor.volume, ((),) * (rank - len(tensor.axes)) + tensor.axes)


def _goes_with(tensor: Tensor, like: Tensor) -> bool:
    """Whether it lies as `like` does, along the axes that it has, whole axes of the volume."""
    if tensor.axes == like.axes and tensor.volume.channels == like.volume.channels and tensor.size == like.size:
        return True
    named = [(a, b) for a, b in zip(tensor.axes, like.axes, strict=True) if a]
    lengths = {"y": tensor.size[0], "x": tensor.size[1], "c": tensor.volume.channels}
    every = {"y": like.size[0], "x": like.size[1], "c": like.volume.channels}
    return all(a == b for a, b in named) and all(n in (1, every[name]) for name, n in lengths.items())


def _channels_of(tensor: Tensor, like: Tensor) -> npt.NDArray[np.int64] | None:
    """For each channel of `like` the one of a tensor of one pixel that goes with it, where some pieces of the channels
    are all that the tensor has (of groups a value each); None else, and where nothing need be done for it."""
    if tensor.volume.dtype != F32 or tensor.size != (1, 1) or _goes_with(tensor, like):
        return None
    made = np.zeros(like.volume.channels, np.int64)
    for own, other in zip(tensor.axes, like.axes, strict=True):
        if not own:
            continue
        if len(own) != len(other) or any(b.axis != "c" or a.count != b.count for a, b in zip(own, other, strict=True)):
            return None
        for a, b in zip(own, other, strict=True):
            made += np.arange(len(made)) // b.step % b.count * a.step
    return made


def _spread(tensor: Tensor, like: Tensor) -> Expr:
    """The volume of a tensor over the image of `like`."""
    numbers = _channels_of(tensor, like)
    if numbers is not None:
        ones = (numbers[:, np.newaxis] == np.arange(tensor.volume.channels)).astype(np.float32)
        how = Contract(Weights(ones.reshape(len(ones), 1, 1, -1)), tensor.size)
        tensor = Tensor(contract(tensor.volume, const(0.0, F32), how), like.axes)
    elif not _goes_with(tensor, like):
        roles = natural_roles(like)
        shorter = "".join(r if axis else "1" for r, axis in zip(roles, tensor.axes, strict=True))
        tensor = laid(arranged(tensor, shorter), shorter)
    if tensor.size == like.size:
        return tensor.volume
    y = coord("y", like.size) if tensor.size[0] > 1 else const(0)
    x = coord("x", like.size) if tensor.size[1] > 1 else const(0)
    return gather(tensor.volume, y, x, like.size, HERE)


def constant_over(values: Array, like: Tensor) -> Expr:
    """A constant tensor, broadcast to the shape of `like`, as an expression in the places of its volume.

    Raises:
        ExprError: it differs from pixel to pixel and is large.
    """
    values = internal(values)
    dtype = dtype_of(values.dtype)
    if values.size == 1:
        return const(values.reshape(-1)[0].item(), dtype)
    full = np.broadcast_to(values, like.shape)
    lengths = (*like.size, like.volume.channels)
    steps = {"y": 0, "x": 1, "c": 2}
    # The axes of `full` cut into pieces, those of one axis of the volume next to each other, the slowest first.
    atoms = [atom for axis in like.axes for atom in axis]
    pieces = full.reshape([a.count for a in atoms])
    order = sorted(range(len(atoms)), key=lambda i: (steps[atoms[i].axis], -atoms[i].step))
    image = pieces.transpose(order).reshape(lengths)
    if (image == image[:1, :1]).all():
        line = image[0, 0]
        return const(line[0].item(), dtype) if line.size == 1 or (line == line[0]).all() else vector(line)
    if image.size > _MOST_ENTRIES:
        raise ExprError(f"a constant of the shape {list(values.shape)} differs from pixel to pixel, which is kept only "
                        f"up to {_MOST_ENTRIES} values")  # fmt: skip
    index = coord("y", like.size) * lengths[1] + coord("x", like.size)
    return stack([lookup(image[..., c].reshape(-1).tolist(), index, dtype) for c in range(lengths[2])])


def constant_volume(values: Array, size: tuple[int, int], channels: int, roles: str) -> Expr:
    """A constant as a volume, laid as `roles` says."""
    dtype = dtype_of(values.dtype)
    zero = vector(np.zeros(channels, dtype.numpy))
    empty = select(coord("x", size) >= 0, zero, zero)
    made = constant_over(values, laid(empty, roles))
    if made.size is None or made.channels != channels:
        made = select(coord("x", size) >= 0, made, zero)
    return made


def internal(values: Array) -> Array:
    """Constants in the types in which tensors are computed: f32 for other floats, i32 for longer whole numbers.

    Raises:
        ExprError: a whole number does not fit.
    """
    if values.dtype.kind == "f":
        return values.astype(np.float32, copy=False)
    if values.dtype in (np.int64, np.uint32, np.uint64):
        limits = np.iinfo(np.int32)
        if values.size and (values.min() < limits.min or values.max() > limits.max):
            if values.dtype == np.int64:
                return np.clip(values, limits.min, limits.max).astype(np.int32)  # "to the end" is written as 2**63 - 1
            raise ExprError("the network holds a whole number of more than 31 bits")
        return values.astype(np.int32)
    return values
