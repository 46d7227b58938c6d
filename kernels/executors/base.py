"""What every back end offers: it compiles a body into a program, and a program runs batches of frames.

`pipelines` sees of the back ends only this file; `executor("reference")` finds the module by its name.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
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


EXECUTORS = ("reference",)


def executor(name: str) -> Executor:
    """The back end called `name`.

    Raises:
        DefinitionError: there is none.
    """
    if name not in EXECUTORS:
        raise DefinitionError(f"there is no back end {name!r}; one of {', '.join(EXECUTORS)}")
    module = importlib.import_module(f"kernels.executors.{name}")
    return cast(Executor, module.create())
