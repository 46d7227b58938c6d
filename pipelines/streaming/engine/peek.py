"""A look at values that a fused program keeps inside.

What is fused away is written nowhere. To show it, the program's twin is compiled, with those values as further
outputs; for the frames that are shown it is given the program's state and inputs and run beside it. The program itself
runs on as it is, and frames that are not looked at cost nothing.
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
from pipelines.fusing import Unit, with_outputs
from pipelines.graph import Bound, Ref

OFTEN = 1 / 30
"""Seconds between two looks, at least, while frames come faster than they can be looked at."""

Look = Callable[[], "dict[str, Pixels]"]


class Peek:
    """The twins of some programs; the engine's thread calls `look`.

    Args:
        parts: units, with values that their nodes make.
        executor: compiles the twins.
        exact: as the engine's.
        every: seconds between two looks, at least.

    Raises:
        InputError: one cannot be compiled, or is a host stage.
    """

    def __init__(
        self, parts: Sequence[tuple[Unit, Sequence[Ref]]], executor: Executor, exact: bool = True, every: float = OFTEN
    ) -> None:
        self._every, self._due, self._frame = every, 0.0, -1
        self._twins: dict[str, tuple[Program, dict[str, str]]] = {}
        for unit, refs in parts:
            made = with_outputs(unit, refs, exact)
            last = made.body.outputs[len(made.body.outputs) - len(refs) :]
            names = {str(ref): output.name for ref, output in zip(refs, last, strict=True)}
            self._twins[unit.name] = executor.compile(made.body), names

    def look(
        self, frame: int, name: str, program: Program, inputs: Sequence[Any], params: Mapping[str, Value]
    ) -> Look | None:
        """Called before a program runs; None if there is nothing to look at now, else what gives the pictures of the
        last frame of the batch by name, to be called after the program was begun.

        Args:
            frame: the batch's first one: all programs are looked at in the same batches.
        """
        if name not in self._twins or not self._turn(frame):
            return None
        # The state before the batch: the program goes on at once, the twin repeats the batch from it.
        (twin, names), state = self._twins[name], program.snapshot()

        def pictures() -> dict[str, Pixels]:
            twin.restore(state)
            made = twin.run(inputs, params)
            found = {ref: made[output] for ref, output in names.items()}
            return {ref: np.array(batch[-1]) for ref, batch in found.items()
                    if isinstance(batch, np.ndarray) and len(batch)}  # fmt: skip

        return pictures

    def _turn(self, frame: int) -> bool:
        now = time.perf_counter()
        # One decision a batch: all programs are looked at in the same ones.
        if frame != self._frame:
            if now < self._due:
                return False
            self._frame, self._due = frame, now + self._every
        return True


class Peeking:
    """What a run shows besides what it computes anyway; compiled in the background.

    Args:
        note: called with a sentence where an output cannot be shown.
        every: see `Peek`.
    """

    def __init__(self, note: Callable[[str], None], every: float = OFTEN) -> None:
        self._note, self._every = note, every
        self._wanted: tuple[str, ...] = ()
        self._lock = threading.Lock()
        self._made: tuple[int, tuple[str, ...]] = (0, ())
        self._peek: Peek | None = None
        self._thread: threading.Thread | None = None

    def show(self, output: str, *beside: str) -> None:
        """Which output is wanted: "node" or "node.output"; "" for none.

        Args:
            beside: others, of the same frame.
        """
        self._wanted = (output, *beside) if output else ()

    def attend(self, engine: Any) -> None:
        """Have the engine look at what is wanted; called by its thread between two batches."""
        # The compiled twin belongs to one engine and one wish: if either changes, it is made anew.
        key = (id(engine), self._wanted)
        if key != self._made:
            fresh = self._wanted != self._made[1]
            self._made, self._peek = key, None
            engine.peek = None
            # what went with another pipeline is no news
            refs = [ref for ref in map(Ref.parse, self._wanted)
                    if ref not in engine.taps and (fresh or ref in engine.bound.types)]  # fmt: skip
            if refs:
                self._thread = threading.Thread(target=self._compile, args=(engine, refs, key), name="peek",
                                                daemon=True)  # fmt: skip
                self._thread.start()
        if engine.peek is not self._peek:
            engine.peek = self._peek

    def wait(self, engine: Any) -> None:
        """`attend`, and wait until what is wanted is compiled, or cannot be."""
        self.attend(engine)
        if self._thread is not None:
            self._thread.join()
        self.attend(engine)

    def _compile(self, engine: Any, refs: Sequence[Ref], key: tuple[int, tuple[str, ...]]) -> None:
        of_units: dict[str, tuple[Unit, list[Ref]]] = {}
        ref = refs[0]
        try:
            for ref in refs:
                unit = _maker(engine.units, engine.bound, ref)
                of_units.setdefault(unit.name, (unit, []))[1].append(ref)
            made = Peek([*of_units.values()], engine.executor, every=self._every)
        except FusetrackError as error:
            self._note(f"{ref} cannot be shown: {error}")
            return
        # Only if it is still what is wanted.
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
