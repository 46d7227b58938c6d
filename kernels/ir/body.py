"""A body: what a stage (or several fused ones) computes, with typed inputs and outputs.

A body is either expressions (`outputs` with planes or a table) or a host function (`Host`), which no compiler
looks into.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from kernels.ir.expr import Expr
from kernels.ir.image import DType, ImageType
from kernels.ir.planes import input_plane
from kernels.ir.table import Candidates, Reduction, Table, TableType
from kernels.param import Value

ValueType = ImageType | TableType
Datum = npt.NDArray[Any] | Table
"""What flows along an edge for one frame: an image array, or a table."""


@dataclass(frozen=True, slots=True)
class Output:
    """One output: its name, its type, and the planes or the table that define it.

    A plane is a channel, or a volume (`kernels.ir.volumes`), which is as many as it has. A mask may leave as
    `kernels.ir.bits.Bits` where `words` says so: its readers take those, too.
    """

    name: str
    type: ValueType
    planes: tuple[Expr, ...] = ()
    table: Reduction | Candidates | None = None
    words: bool = False

    @property
    def roots(self) -> tuple[Expr, ...]:
        return self.planes if self.table is None else self.table.roots


HostFunction = Callable[[Sequence[Datum | None], Mapping[str, Value]], Mapping[str, Datum]]
HostBatch = Callable[[Sequence[Any], Mapping[str, Value]], Mapping[str, Sequence[Datum]]]
"""As `HostFunction`, with a sequence of frames for every input and output."""


class Decoder:
    """What a host function computes, where it is of a kind that back ends may have code of their own for. Subclasses
    (`kernels.components`, `kernels.decoders`) say which, and with what."""

    __slots__ = ()
    packed: ClassVar[bool] = False
    """Whether a device sends its rows of `FEATURE` as `kernels.ir.table.PACKED`."""

    def settings(self, params: Mapping[str, Value]) -> npt.NDArray[np.uint8]:
        """What a device gets of the parameters' values beside those that its code takes one by one: bytes."""
        del params
        return np.zeros(0, np.uint8)

    def of_fractions(self, number: int, dtype: DType, white: int) -> Decoder | None:
        """This decoder for an input `number` of whole numbers of `dtype` that are meant as fractions of `white`; None
        where back ends have no code for that."""
        del number, dtype, white
        return None


@dataclass(frozen=True, slots=True)
class Host:
    """An opaque body.

    Args:
        outputs: types of its outputs.
        run: a function (input data, parameters) -> output data, for one frame. It reads its inputs, which others are
            given, too; to write into one is an error.
        batch: the same for many frames at once where that is faster; no frame may change what another gives. It must
            not write into its inputs either, of which nothing but tests keeps it.
        seconds: what a typical frame takes besides the moving of its data, for plans (s).
        near: where it looks at an image only near the pixels of a mask.
        lazy: where it looks at some inputs in some frames only.
        decoder: what it computes, where others than the host can.
        fractions: numbers of inputs that may come as `kernels.loops.fractions.Fractions`, to `run` as a batch of one.
        words: the same as `batch` for masks that come as `kernels.ir.bits.Bits`, where it takes such; masks that it
            makes are `Bits`, too.
    """

    outputs: Mapping[str, ValueType]
    run: HostFunction
    batch: HostBatch | None = None
    seconds: float = 0.0
    near: Near | None = None
    lazy: Lazy | None = None
    decoder: Decoder | None = None
    fractions: tuple[int, ...] = ()
    words: HostBatch | None = None


@dataclass(frozen=True, slots=True)
class Lazy:
    """That a host function looks at some inputs only in frames in which others say so: what makes them need not be
    computed in the rest.

    Args:
        inputs: numbers of the inputs that it may not look at.
        by: numbers of those that decide.
        wanted: a function (batches of `by`, parameters) -> whether it looks at `inputs`, a bool a frame. What it is
            given for them in other frames must not matter.
    """

    inputs: tuple[int, ...]
    by: tuple[int, ...]
    wanted: Callable[[Sequence[Any], Mapping[str, Value]], npt.NDArray[np.bool_]]


@dataclass(frozen=True, slots=True)
class Near:
    """That a host function looks at one input only near the true pixels of another.

    Args:
        mask, image: numbers of the two inputs.
        reach: how far from them, px along each axis, with given parameters.
    """

    mask: int
    image: int
    reach: Callable[[Mapping[str, Value]], int]


@dataclass(frozen=True, slots=True)
class Body:
    """What runs as one unit.

    Args:
        inputs: types of the inputs, in order; None where an optional one is not connected.
        outputs: the outputs, in order.
        live: live parameters by name, with their scalar type (None: a vector or points, seen by regions only).
        params: the values with which it was built (structural ones are in the code; live ones are first values).
        host: the host function of an opaque body.
        updates: recurrences that no output contains but whose states some output looks at, when outputs were dropped.
        limits: the least and the largest value of live parameters that have both; back ends refuse others.
    """

    inputs: tuple[ValueType | None, ...]
    outputs: tuple[Output, ...]
    live: Mapping[str, DType | None]
    params: Mapping[str, Value]
    host: Host | None = None
    updates: tuple[Expr, ...] = ()
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def roots(self) -> tuple[Expr, ...]:
        """Every expression that must be computed: those that define an output, and `updates`."""
        return (*(root for output in self.outputs for root in output.roots), *self.updates)

    def output(self, name: str) -> Output:
        return next(o for o in self.outputs if o.name == name)

    def unchanged(self, output: Output) -> int | None:
        """The number of the input that an output is, pixel by pixel; None where something is computed."""
        first = output.planes[0] if output.planes else None
        if first is None or first.op != "input":
            return None
        index = int(first.arg.index)
        type_, made = self.inputs[index], output.type
        if not isinstance(type_, ImageType) or not isinstance(made, ImageType):
            return None
        size = (type_.height, type_.width)
        whole = tuple(input_plane(index, channel, type_.dtype, size) for channel in range(type_.channels))
        if first.channels > 1:  # an input_volume, which is all channels
            whole = (first,)
        return index if output.planes == whole and (made.shape, made.dtype) == (type_.shape, type_.dtype) else None


Source = int | tuple[str, str] | None
"""Where an input comes from: an input of the fused body by its number, (part, output) inside it, or nowhere."""


@dataclass(frozen=True, slots=True)
class Part:
    """One stage to be fused.

    Args:
        id: unique among the parts; prefixes its parameters ("id.name") and states ("id/name") in the fused body.
        body: expressions, no host function.
        inputs: where each of the body's inputs comes from, in order.
    """

    id: str
    body: Body
    inputs: tuple[Source, ...]
