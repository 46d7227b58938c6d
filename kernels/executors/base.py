"""What every back end offers: it compiles a body into a program, and a program runs batches of frames.

`pipelines` sees of the back ends only this file; `executor("reference")` finds the module by its name.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.ir.bits import Bits
from kernels.ir.body import Body, Datum, ValueType
from kernels.ir.image import ImageType
from kernels.ir.table import Table, TableType
from kernels.param import Value

Batch = npt.NDArray[Any] | Sequence[Table]
"""One input or output over the frames of a batch: an array of shape (frames, *image shape), or a list of tables;
between programs masks may be `kernels.ir.bits.Bits` (`kernels.ir.body.Output.words`), which nobody else meets."""

Out = Mapping[str, npt.NDArray[Any]]
"""Arrays of the caller's for outputs, by name."""

State = Mapping[str, Any]
"""Everything that a program remembers between frames, as plain arrays and numbers."""


class PartError(Exception):
    """One of several programs that begin a batch together fails: its number among them, and the error."""

    def __init__(self, number: int, error: Exception) -> None:
        super().__init__(number, error)
        self.number, self.error = number, error


class Program(Protocol):
    """A compiled body with its state. Feeding frames one by one or in batches of any length gives the same bits."""

    def run(
        self, inputs: Sequence[Batch | None], params: Mapping[str, Value], out: Out | None = None
    ) -> Mapping[str, Batch]:
        """Outputs by name for a batch of consecutive frames.

        Args:
            inputs: one batch per input of the body, all of the same length; None where not connected.
            params: values of the live parameters; those left out keep the body's.
            out: for outputs that are images, where the result is to be written; see `OutputCheck`.

        Raises:
            DefinitionError: anything of that is not what the body takes; nothing has been computed then.
        """
        ...

    def reset(self) -> None:
        """Forget all state: the next frame is the first."""
        ...

    def snapshot(self) -> State:
        """A copy of the state."""
        ...

    def restore(self, state: State) -> None:
        """Go on from a snapshot of a program of the same body."""
        ...


class Executor(Protocol):
    """A back end."""

    name: str

    def compile(self, body: Body) -> Program:
        """A program for `body`, in its first-frame state."""
        ...


class Idle:
    """The program of a body without outputs, whose state is that of one without memory."""

    def run(
        self, inputs: Sequence[Batch | None], params: Mapping[str, Value], out: Out | None = None
    ) -> Mapping[str, Batch]:
        """Nothing."""
        del inputs, params, out
        return {}

    def reset(self) -> None:
        """There is nothing to forget."""

    def snapshot(self) -> State:
        return {"frames": 0, "memory": {}, "history": []}

    def restore(self, state: State) -> None:
        """There is nothing to go on from."""


def compiled(executor: Executor, body: Body) -> Program:
    """A program for `body`, which may have no outputs."""
    return executor.compile(body) if body.outputs else Idle()


@dataclass(frozen=True, slots=True)
class DeviceModel:
    """What the planner knows of a device. Bandwidths in bytes/s and rates in operations/s are those of all units.

    Memory has three levels: DRAM; a cache that all units share (a GPU's L2, a CPU's L3); and what is near one unit (a
    GPU's shared memory, a CPU core's L2).

    Args:
        name: as the user spells it.
        kind: "cpu" or "cuda".
        units: cores, or streaming multiprocessors.
        dram: bandwidth of the main memory.
        cache: bandwidth of the shared cache.
        near: bandwidth of the memory near the units.
        cache_bytes: size of the shared cache; 0 for none.
        near_bytes: size of the near memory of one unit.
        block_bytes: most of it that one block (CPU: one strip) may use.
        rate: scalar 32-bit operations a second.
        macs: multiply-adds a second of convolutions of floats; `macs_int8`, of bytes. Without, `rate` of each.
        tensor_tf32, tensor_f16, tensor_int8: the same of tensor cores, dense, sums in 32 bits; 0 where there are none.
        launch: seconds that one call of a kernel costs besides its work.
        row: seconds that one row of a loop costs a core besides its pixels (CPU).
        bus: bandwidth between the host's memory and the device's; infinite where they are one.
        registers: 32-bit registers of one unit (GPU).
        thread_registers: most registers of one thread (GPU).
        threads: most threads that one unit holds (GPU).
        block_threads: most threads of a block (GPU).
        blocks: most blocks that one unit holds (GPU).
        scratchpad: the near memory is all there is: what does not fit it cannot run (CPU).
        origin: where the numbers are from: "datasheet", "reported" (by others than the maker), "default", "measured",
            or the file that describes the device.
    """

    name: str
    kind: str
    units: int
    dram: float
    cache: float
    near: float
    cache_bytes: int
    near_bytes: int
    block_bytes: int
    rate: float
    launch: float
    bus: float = float("inf")
    row: float = 0.0
    registers: int = 65536
    thread_registers: int = 255
    threads: int = 1024
    block_threads: int = 1024
    blocks: int = 16
    macs: float = 0.0
    macs_int8: float = 0.0
    tensor_tf32: float = 0.0
    tensor_f16: float = 0.0
    tensor_int8: float = 0.0
    scratchpad: bool = False
    origin: str = "datasheet"

    def __post_init__(self) -> None:
        if self.kind not in ("cpu", "cuda"):
            raise DefinitionError(f"device {self.name!r} is a {self.kind!r}; a device is a cpu or a cuda device")
        for name in ("macs", "macs_int8"):
            object.__setattr__(self, name, getattr(self, name) or self.rate)
        positive = ("units", "dram", "cache", "near", "near_bytes", "block_bytes", "rate", "bus", "registers",
                    "thread_registers", "threads", "block_threads", "blocks", "macs", "macs_int8")  # fmt: skip
        wrong = [n for n in positive if not getattr(self, n) > 0]
        others = ("cache_bytes", "launch", "row", "tensor_tf32", "tensor_f16", "tensor_int8")
        wrong += [n for n in others if not getattr(self, n) >= 0]
        if wrong:
            raise DefinitionError(f"device {self.name!r} has no positive {wrong[0]}: {getattr(self, wrong[0])}")


class InputCheck:
    """What every back end asks of a batch before it computes anything of it.

    Args:
        body: whose inputs and parameters are checked.
    """

    def __init__(self, body: Body) -> None:
        self._params, self._live, self._limits = body.params, body.live, body.limits
        self._types = body.inputs
        self._images = [(t.shape, t.dtype.numpy) if isinstance(t, ImageType) else None for t in body.inputs]
        self._rows = [t.numpy if isinstance(t, TableType) else None for t in body.inputs]

    def __call__(self, inputs: Sequence[Batch | None], params: Mapping[str, Value]) -> int:
        """The number of frames in a batch.

        Raises:
            DefinitionError: the inputs are not what was announced, or of several lengths; there is no such parameter,
                it is part of the code, or its value is beyond its limits.
        """
        if not params and (frames := self._plainly(inputs)):
            return frames
        lengths = {len(batch) for batch in inputs if batch is not None}
        if len(lengths) != 1:
            raise DefinitionError(f"the inputs of a batch need one length in frames, not {sorted(lengths)}")
        if len(inputs) != len(self._types):
            raise DefinitionError(f"{len(inputs)} inputs came where {len(self._types)} were announced")
        for name, value in params.items():
            if name not in self._params:
                raise DefinitionError(f"there is no parameter {name!r} in this program")
            if name not in self._live and value != self._params[name]:
                raise DefinitionError(f"parameter {name!r} is part of the code and cannot change while it runs")
            low, high = self._limits.get(name, (value, value))
            if not low <= value <= high:  # type: ignore[operator] # those with limits are numbers
                raise DefinitionError(f"parameter {name!r} goes from {low:g} to {high:g}, not {value:g}")
        for batch, type_, image, rows in zip(inputs, self._types, self._images, self._rows, strict=True):
            if image is None or not isinstance(batch, np.ndarray | Bits):
                for datum in (batch,) if batch is None or isinstance(batch, np.ndarray) else batch:
                    if rows is not None and isinstance(datum, Table) and datum.rows.dtype is rows:
                        continue
                    check_datum(datum, type_, "a frame")
            elif batch.shape[1:] != image[0] or batch.dtype != image[1]:
                raise DefinitionError(f"a frame of {batch.shape[1:]} {batch.dtype} came where {type_} was announced")
        return lengths.pop()

    def _plainly(self, inputs: Sequence[Batch | None]) -> int:
        """The number of frames where all inputs are arrays of what was announced; 0 where more must be looked at."""
        if len(inputs) != len(self._images):
            return 0
        frames = 0
        for batch, image in zip(inputs, self._images, strict=True):
            if image is None or not isinstance(batch, np.ndarray):
                return 0
            count, *shape = batch.shape
            if tuple(shape) != image[0] or batch.dtype != image[1] or frames not in (0, count):
                return 0
            frames = count
        return frames


def check_datum(datum: Datum | None, type_: ValueType | None, what: str) -> None:
    """Whether one frame's datum is of a type (None: not connected).

    Raises:
        DefinitionError: it is not; `what` names it.
    """
    if isinstance(datum, Table) and isinstance(type_, TableType) and datum.rows.dtype == type_.numpy:
        return
    if datum is None and type_ is None:
        return
    if isinstance(datum, np.ndarray) and isinstance(type_, ImageType):
        if datum.shape == type_.shape and datum.dtype == type_.dtype.numpy:
            return
        raise DefinitionError(f"{what} of {datum.shape} {datum.dtype} came where {type_} was announced")
    raise DefinitionError(f"{what} came as {type(datum).__name__} where {type_ or 'nothing'} was announced")


class OutputCheck:
    """Whether arrays can take the outputs of a batch: of the output's type and (frames, *image shape), one block of
    memory in C order, writable, and sharing no memory with an input or with each other.

    Args:
        body: whose outputs they are.
    """

    def __init__(self, body: Body) -> None:
        self._images = {output.name: (output.type.shape, output.type.dtype.numpy) for output in body.outputs
                        if isinstance(output.type, ImageType)}  # fmt: skip

    def __call__(self, out: Out, frames: int, inputs: Sequence[Batch | None]) -> None:
        """See the class.

        Raises:
            DefinitionError: one cannot; says which and why.
        """
        others = [array for array in inputs if isinstance(array, np.ndarray)]
        for name, array in out.items():
            if name not in self._images:
                raise DefinitionError(f"there is no image {name!r} among the outputs of this program")
            image, dtype = self._images[name]
            shape = (frames, *image)
            if not isinstance(array, np.ndarray) or array.shape != shape or array.dtype != dtype:
                came = f"{array.shape} {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
                raise DefinitionError(f"output {name!r} needs an array of {shape} {dtype}, not {came}")
            if not array.flags.carray:  # in C order, aligned and writable
                raise DefinitionError(f"output {name!r} needs a writable array in one block of memory")
            for other in others:
                if np.may_share_memory(array, other):
                    raise DefinitionError(
                        f"the array for output {name!r} shares memory with an input or another output"
                    )
            others.append(array)


EXECUTORS = ("reference", "cpu", "cuda")


def executor(name: str, threads: int = 0) -> Executor:
    """The back end called `name`; "cuda:1" is that of the second GPU.

    Args:
        threads: how many it may use; 0 for its own choice. Results do not depend on it.

    Raises:
        DefinitionError: there is none, or this machine lacks what it needs.
    """
    kind, _, number = name.partition(":")
    numbered = kind == "cuda" and number.isdecimal()
    if kind not in EXECUTORS or (":" in name and not numbered):
        raise DefinitionError(f"there is no back end {name!r}; one of {', '.join(EXECUTORS)}, cuda:1 ...")
    module = importlib.import_module(f"kernels.executors.{kind}")
    return cast(Executor, module.create(threads, int(number)) if numbered else module.create(threads))
