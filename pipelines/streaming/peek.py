"""A look at a value that a fused program keeps inside.

What is fused away is written nowhere. To show it, the program's twin is compiled, with that one value as a further
output; for the frames that are shown it is given the program's state and inputs and run beside it. The program itself
runs on as it is, and the frames that nobody looks at cost nothing.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from kernels.errors import DefinitionError, FusetrackError
from kernels.executors.base import Executor, Program
from kernels.ir.image import ImageType
from kernels.param import Value
from pipelines.frame import Pixels
from pipelines.fusing import Unit, with_output
from pipelines.graph import Bound, Ref

OFTEN = 1 / 30
"""Seconds between two looks, at least, while frames come faster than anybody can look."""

Look = Callable[[], "Pixels | None"]


class Peek:
    """The twin of one program; the engine's thread calls `look`.

    Args:
        unit: the program's unit, `ref` among what its nodes make.
        ref: the value.
        executor: compiles the twin.
        exact: as the engine's.
        every: seconds between two looks, at least.

    Raises:
        InputError: it cannot be compiled, or the unit is a host stage.
    """

    def __init__(self, unit: Unit, ref: Ref, executor: Executor, exact: bool = True, every: float = OFTEN) -> None:
        self.ref, self._name, self._every = ref, unit.name, every
        self._due = 0.0
        made = with_output(unit, ref, exact)
        self._output = made.body.outputs[-1].name
        self._twin = executor.compile(made.body)

    def look(
        self, name: str, program: Program, inputs: Sequence[Any], params: Mapping[str, Value]
    ) -> Look | None:
        """Called before a program runs; None if there is nothing to look at now, else what gives the picture of the
        last frame of the batch, to be called after the program was begun."""
        if name != self._name or time.perf_counter() < self._due:
            return None
        self._due = time.perf_counter() + self._every
        twin, state = self._twin, program.snapshot()

        def picture() -> Pixels | None:
            twin.restore(state)
            made = twin.run(inputs, params)[self._output]
            return np.array(made[-1]) if isinstance(made, np.ndarray) and len(made) else None

        return picture


class Peeking:
    """What a run shows besides what it computes anyway; compiled in the background.

    Args:
        note: called with a sentence where an output cannot be shown.
        every: see `Peek`.
    """

    def __init__(self, note: Callable[[str], None], every: float = OFTEN) -> None:
        self._note, self._every = note, every
        self._wanted = ""
        self._lock = threading.Lock()
        self._made: tuple[int, str] = (0, "")
        self._peek: Peek | None = None
        self._thread: threading.Thread | None = None

    def show(self, output: str) -> None:
        """Which output is wanted: "node" or "node.output"; "" for none."""
        self._wanted = output

    @property
    def wanted(self) -> str:
        """What was asked for."""
        return self._wanted

    def attend(self, engine: Any) -> None:
        """Have the engine look at what is wanted; called by its thread between two batches."""
        key = (id(engine), self._wanted)
        if key != self._made:
            self._made, self._peek = key, None
            engine.peek = None
            ref = Ref.parse(self._wanted)
            if self._wanted and ref not in engine.taps:
                self._thread = threading.Thread(target=self._compile, args=(engine, ref, key), name="peek", daemon=True)
                self._thread.start()
        if engine.peek is not self._peek:
            engine.peek = self._peek

    def wait(self, engine: Any) -> None:
        """`attend`, and wait until what is wanted is compiled, or cannot be."""
        self.attend(engine)
        if self._thread is not None:
            self._thread.join()
        self.attend(engine)

    def _compile(self, engine: Any, ref: Ref, key: tuple[int, str]) -> None:
        try:
            made = Peek(_maker(engine.units, engine.bound, ref), ref, engine.executor, every=self._every)
        except FusetrackError as error:
            self._note(f"{ref} cannot be shown: {error}")
            return
        with self._lock:
            if self._made == key:
                self._peek = made


def _maker(units: Sequence[Unit], bound: Bound, ref: Ref) -> Unit:
    """The program that makes a value.

    Raises:
        DefinitionError: none does, or it is no picture.
    """
    type_ = bound.types.get(ref)
    if not isinstance(type_, ImageType):
        raise DefinitionError("it is no picture" if type_ is not None else "there is no such output")
    for unit in units:
        if any(node.id == ref.node for node in unit.nodes):
            if unit.body.host is not None:
                raise DefinitionError("it comes from a stage that runs on the host; give the pipeline a tap there")
            return unit
    raise DefinitionError("nothing that is computed needs it; give the pipeline a tap there")
