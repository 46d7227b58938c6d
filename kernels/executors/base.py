"""What every back end offers: it compiles a body into a program, and a program runs batches of frames.

`pipelines` sees of the back ends only this file; `executor("reference")` finds the module by its name.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy.typing as npt

from kernels.errors import DefinitionError
from kernels.ir.body import Body
from kernels.ir.table import Table
from kernels.param import Value

Batch = npt.NDArray[Any] | Sequence[Table]
"""One input or output over the frames of a batch: an array of shape (frames, *image shape), or a list of tables."""

State = Mapping[str, Any]
"""Everything that a program remembers between frames, as plain arrays and numbers."""


class Program(Protocol):
    """A compiled body with its state. Feeding frames one by one or in batches of any length gives the same bits."""

    def run(self, inputs: Sequence[Batch | None], params: Mapping[str, Value]) -> Mapping[str, Batch]:
        """Outputs by name for a batch of consecutive frames.

        Args:
            inputs: one batch per input of the body, all of the same length; None where not connected.
            params: values of the live parameters; those left out keep the body's.
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
        launch: seconds that one call of a kernel costs besides its work.
        bus: bandwidth between the host's memory and the device's; infinite where they are one.
        registers: 32-bit registers of one unit (GPU).
        thread_registers: most registers of one thread (GPU).
        threads: most threads that one unit holds (GPU).
        block_threads: most threads of a block (GPU).
        blocks: most blocks that one unit holds (GPU).
        origin: where the numbers are from: "datasheet", "default" or "measured".
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
    registers: int = 65536
    thread_registers: int = 255
    threads: int = 1024
    block_threads: int = 1024
    blocks: int = 16
    origin: str = "datasheet"

    def __post_init__(self) -> None:
        if self.kind not in ("cpu", "cuda"):
            raise DefinitionError(f"device {self.name!r} is a {self.kind!r}; a device is a cpu or a cuda device")
        positive = ("units", "dram", "cache", "near", "near_bytes", "block_bytes", "rate", "bus", "registers",
                    "thread_registers", "threads", "block_threads", "blocks")  # fmt: skip
        wrong = [n for n in positive if not getattr(self, n) > 0]
        wrong += [n for n in ("cache_bytes", "launch") if not getattr(self, n) >= 0]
        if wrong:
            raise DefinitionError(f"device {self.name!r} has no positive {wrong[0]}: {getattr(self, wrong[0])}")


EXECUTORS = ("reference", "cpu")


def executor(name: str, threads: int = 0) -> Executor:
    """The back end called `name`.

    Args:
        threads: how many it may use; 0 for its own choice. Results do not depend on it.

    Raises:
        DefinitionError: there is none.
    """
    if name not in EXECUTORS:
        raise DefinitionError(f"there is no back end {name!r}; one of {', '.join(EXECUTORS)}")
    module = importlib.import_module(f"kernels.executors.{name}")
    return cast(Executor, module.create(threads))
