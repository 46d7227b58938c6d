"""Volumes: images of which a pixel has many channels, as one expression; and the contraction that mixes channels.

What `kernels.ir.expr` and `kernels.ir.planes` do with planes they do with volumes, channel by channel; an operand of
one channel goes with any number of them. Only the nodes below mix, count or name channels:

    contract  src = (volume, start): a weighted sum over channels and taps, added to `start`; arg = Contract
    stack     the channels of its operands one after another
    part      some channels of a volume; arg = (first, count)
    vector    a constant a channel; arg = Weights
    mosaic    pixels of its operands in turn, in blocks of by x bx; arg = (by, bx)
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.errors import ExprError
from kernels.ir.expr import Expr, Size, const, joint_channels, joint_size, postorder
from kernels.ir.image import F32, I8, I32, U8, DType, ImageType, dtype_of
from kernels.ir.ops import fits
from kernels.ir.planes import Input, input_plane

VOLUMES = ("contract", "stack", "part", "vector", "mosaic")
"""The operations of this file."""
CHANNEL_BLOCK = 64
"""Channels whose taps a contraction sums before it goes to the next ones (see `Contract`); part of what it means."""


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Constants by their content: equal ones are equal, wherever they lie (in a mapped file, too).

    Args:
        array: their values; it is copied if it can be written to.

    Attributes:
        digest: of type, shape and values; it replaces them in texts and keys.
    """

    array: npt.NDArray[Any]
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        array = np.ascontiguousarray(self.array).reshape(self.array.shape)
        # Walk to the owner of the memory: a read-only view of memory that can be written to is not constant.
        base: Any = array
        while isinstance(base, np.ndarray) and not base.flags.writeable:
            base = base.base
        if isinstance(base, np.ndarray):
            array = array.copy()
        # Subclasses of arrays (memory maps) are seen as plain ones: no copy.
        array = array.view(np.ndarray)
        array.flags.writeable = False
        found = hashlib.sha256(f"{array.dtype.str}{array.shape}".encode())
        found.update(array.tobytes() if array.size == 0 else array.data)
        object.__setattr__(self, "array", array)
        object.__setattr__(self, "digest", found.hexdigest()[:32])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Weights) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"Weights({'x'.join(map(str, self.array.shape))} {self.array.dtype} {self.digest})"

    def __reduce__(self) -> tuple[Callable[..., Weights], tuple[Any, ...]]:
        return Weights, (self.array,)


@dataclass(frozen=True, slots=True)
class Contract:
    """How a contraction looks at its volume.

    out(y, x, f) is start(f), to which are added in this order, each by one fused multiply-add (f32) or exactly
    (integers, modulo 2**32): for every block of `CHANNEL_BLOCK` channels of the group, for row j, column i and channel
    c of the block

        volume((y*stride + y0 + j*dilation) / up, (x*stride + x0 + i*dilation) / up, g*C + c) * weights(f, j, i, c)

    where g = f // (F / groups). Taps at which a division by `up` leaves a rest are not there (as in a transposed
    convolution); pixels beyond the edge are `outside`, and are added like others. The order is a part of the meaning.

    Args:
        weights: (F, rows, columns, C), where C is the number of channels of a group.
        size: (height, width) of the result.
        y0, x0: where the first tap of pixel (0, 0) lies.
        stride, dilation, up: (y, x) each, at least 1.
        groups: into so many equal parts the channels of the volume and of the result fall.
        outside: the value beyond the edge, finite; -0 is 0.
        tensor: "" for the sum as it is said; else a GPU's tensor cores may make it: "tf32" and "f16" of operands that
            are rounded to these, in any order, within the bound that was stated where it was allowed; "int8" exactly.
            Back ends without such take no notice.
        tiles: 0 for the sum as it is said; else a processor may make it of tiles of up to so many pixels each way, by
            fewer products (`kernels.fusion.winograd`), within the bound that was stated where it was allowed.
        siblings: how many contractions became this one (`kernels.networks.siblings`), which plans show; 0 for none.
    """

    weights: Weights
    size: Size
    y0: int = 0
    x0: int = 0
    stride: tuple[int, int] = (1, 1)
    dilation: tuple[int, int] = (1, 1)
    groups: int = 1
    up: tuple[int, int] = (1, 1)
    outside: float = 0.0
    tensor: str = ""
    tiles: int = 0
    siblings: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "outside", float(self.outside) + 0.0)  # so that 0, 0.0 and -0.0 are one

    @property
    def taps(self) -> tuple[int, int]:
        """(rows, columns) of the weights."""
        _, rows, columns, _ = self.weights.array.shape
        return rows, columns

    @property
    def features(self) -> int:
        """Channels of the result."""
        return int(self.weights.array.shape[0])

    @property
    def macs(self) -> int:
        """Multiply-adds of one frame (with `up`: of the taps that are there, about)."""
        _, rows, columns, c = self.weights.array.shape
        return int(self.size[0] * self.size[1] * self.features * rows * columns * c // math.prod(self.up))


def contract_type(volume: Expr, start: Expr, how: Contract) -> DType:
    """The type of a contraction: f32 of f32, i32 of u8 or i8 with weights of i8.

    Raises:
        ExprError: what does not fit, in one sentence.
    """
    array = how.weights.array
    if array.ndim != 4 or array.size == 0:
        raise ExprError(f"the weights of a contraction have four axes (features, rows, columns, channels of a group), "
                        f"none of them empty, not the shape {array.shape}")  # fmt: skip
    features, _, _, channels = array.shape
    if how.groups < 1 or features % how.groups or volume.channels != channels * how.groups:
        raise ExprError(f"a contraction of {volume.channels} channels to {features} in {how.groups} groups does not "
                        f"go with weights for {channels} channels a group")  # fmt: skip
    if start.channels not in (1, features) or start.size is not None:
        raise ExprError(f"a contraction to {features} channels starts from a constant a channel, not from "
                        f"{start.channels} channels{'' if start.size is None else ' of an image'}")  # fmt: skip
    if min(*how.stride, *how.dilation, *how.up, *how.size) < 1:
        raise ExprError("strides, dilations, size and `up` of a contraction must be at least 1")
    if volume.size is None:
        raise ExprError("a contraction needs an image, not a value that is the same everywhere")
    given = dtype_of(array.dtype)
    result = {(F32, F32): F32, (U8, I8): I32, (I8, I8): I32}.get((volume.dtype, given))
    if result is None:
        raise ExprError(f"a contraction of {volume.dtype} with weights of {given} is not made; it takes f32 with f32, "
                        "u8 or i8 with i8")  # fmt: skip
    if start.dtype != result:
        raise ExprError(f"a contraction of {volume.dtype} starts from {result}, not from {start.dtype}")
    beyond = how.outside
    if not (math.isfinite(beyond) and fits(beyond if volume.dtype.is_float else int(beyond), volume.dtype)):
        raise ExprError(f"{beyond:g} beyond the edge is not a value of {volume.dtype}")
    return result


def contract(volume: Expr, start: Expr, how: Contract) -> Expr:
    """A convolution (of groups, depthwise, dilated, transposed) or, with 1x1 weights, a product with a matrix.

    Args:
        volume: f32, u8 or i8, over an image.
        start: what the sum begins with (the bias): a constant, or one a channel (`vector`).
        how: weights and where they look.

    Raises:
        ExprError: they do not fit; see `contract_type`.
    """
    return Expr("contract", (volume, start), how, contract_type(volume, start, how), how.size, how.features)


def vector(values: npt.ArrayLike) -> Expr:
    """A constant a channel; of one value an ordinary constant.

    Raises:
        ExprError: not one axis, nothing in it, or of a type that fusetrack has not.
    """
    array = np.asarray(values)
    if array.ndim != 1 or not array.size:
        raise ExprError(f"a vector has one axis and at least one value, not the shape {array.shape}")
    if len(array) == 1:
        return const(array[0].item(), dtype_of(array.dtype))
    return Expr("vector", (), Weights(array), dtype_of(array.dtype), None, len(array))


def stack(parts: Sequence[Expr]) -> Expr:
    """The channels of `parts` one after another; slices of one value that follow each other in it are one slice.

    Raises:
        ExprError: there are none, or types or sizes differ.
    """
    parts = _adjoined(parts)
    if len(parts) == 1:
        return parts[0]
    if not parts:
        raise ExprError("a stack needs at least one part")
    if len({p.dtype for p in parts}) > 1:
        raise ExprError(f"only values of one type can be stacked, not {', '.join(str(p.dtype) for p in parts)}")
    return Expr("stack", tuple(parts), None, parts[0].dtype, joint_size(parts), sum(p.channels for p in parts))


def _adjoined(parts: Sequence[Expr]) -> list[Expr]:
    """Neighbours that are slices of one value, one behind the other, as one."""
    found: list[Expr] = []
    for one in parts:
        last = found[-1] if found else None
        if last is not None and last.op == one.op == "part" and last.src == one.src:
            first, count = last.arg
            if first + count == one.arg[0]:
                found[-1] = part(one.src[0], first, count + one.arg[1])
                continue
        found.append(one)
    return found


def part(volume: Expr, first: int, count: int = 1) -> Expr:
    """Channels first .. first + count - 1 of a volume.

    Raises:
        ExprError: it has no such channels.
    """
    if first < 0 or count < 1 or first + count > volume.channels:
        raise ExprError(f"a volume of {volume.channels} channels has no channels {first}..{first + count - 1}")
    made = _shorter(volume, first, count)
    return Expr("part", (volume,), (first, count), volume.dtype, volume.size, count) if made is None else made


def _shorter(volume: Expr, first: int, count: int) -> Expr | None:
    """`part` without a node of its own, where that is possible and keeps type and size."""
    if (first, count) == (0, volume.channels):
        return volume
    if volume.op == "input" and count == 1:
        return input_plane(volume.arg.index, first, volume.dtype, volume.arg.size)
    if volume.op == "part":
        return part(volume.src[0], volume.arg[0] + first, count)
    if volume.op == "stack":
        at = 0
        # Channels that lie in one operand of the stack are a part of it.
        for one in volume.src:
            if at <= first and first + count <= at + one.channels and one.size == volume.size:
                return part(one, first - at, count)
            at += one.channels
    return None


def simplest_part(node: Expr) -> Expr | None:
    """What a node `part` may be without being one: a rule of `kernels.ir.simplify`."""
    return _shorter(node.src[0], *node.arg) if node.op == "part" else None


def mosaic(parts: Sequence[Expr], block: tuple[int, int]) -> Expr:
    """out(y, x) = parts[(y % by) * bx + x % bx](y // by, x // bx): pixels of by * bx images in turn (DepthToSpace).

    Raises:
        ExprError: the number of parts, their types, sizes or channels do not fit.
    """
    size, channels = mosaic_shape(parts, block)
    return Expr("mosaic", tuple(parts), block, parts[0].dtype, size, channels)


def mosaic_shape(parts: Sequence[Expr], block: tuple[int, int]) -> tuple[Size, int]:
    """(size, channels) of a mosaic.

    Raises:
        ExprError: as `mosaic`.
    """
    by, bx = block
    if min(block) < 1 or len(parts) != by * bx:
        raise ExprError(f"a mosaic in blocks of {bx}x{by} does not go with {len(parts)} images")
    first = parts[0]
    if any((p.dtype, p.size, p.channels) != (first.dtype, first.size, first.channels) for p in parts):
        raise ExprError("a mosaic is made of images of one type and size")
    if first.size is None:
        raise ExprError("a mosaic needs images, not values that are the same everywhere")
    return (first.size[0] * by, first.size[1] * bx), first.channels


def input_volume(index: int, type_: ImageType) -> Expr:
    """All channels of input `index`; of one channel it is `input_plane`."""
    size = (type_.height, type_.width)
    if type_.channels == 1:
        return input_plane(index, 0, type_.dtype, size)
    return Expr("input", (), Input(index, WHOLE, size), type_.dtype, size, type_.channels)


WHOLE = -1
"""The channel of an `Input` that is all channels."""


def has_volumes(roots: Iterable[Expr]) -> bool:
    """Whether anything below `roots` has several channels, or is made by the operations of this file."""
    return any(node.channels > 1 or node.op in VOLUMES for node in postorder(roots))


def channels_of(node: Expr) -> int:
    """How many channels a node has, by what it is made of (those of an input are its image's own affair).

    Raises:
        ExprError: operands do not fit.
    """
    match node.op:
        case "input":
            return node.channels if node.arg.channel == WHOLE else 1
        case "contract":
            contract_type(node.src[0], node.src[1], node.arg)
            return int(node.arg.features)
        case "vector":
            return int(node.arg.array.size)
        case "stack":
            return sum(s.channels for s in node.src)
        case "part":
            return int(node.arg[1])
        case "mosaic":
            return mosaic_shape(node.src, node.arg)[1]
    return joint_channels(node.src)
