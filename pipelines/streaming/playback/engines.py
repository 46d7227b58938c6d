"""The engines of one clip's timeline, one of which runs; the processor takes over from a GPU that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from kernels.errors import InputError
from kernels.param import Value
from pipelines.frame import FrameBatch
from pipelines.graph import Pipeline
from pipelines.streaming.common.changes import Change
from pipelines.streaming.engine.building import Built, Order, in_place_of, may_fall_back, set_live
from pipelines.streaming.engine.pending import Pending
from pipelines.streaming.engine.rescue import GpuFailed, go_on_counting, let_go
from pipelines.streaming.engine.restructuring import build_checked

MOST = 8
"""Engines that are kept."""


class Engines:
    """Engines by number; number 0 is there from the beginning, runs first and stays.

    What processor and GPU remember is the same, and so are the groups of an engine that takes another's place: a state
    of the one is one of the other.

    Args:
        first: engine number 0.
        order: how others are built.
        note: called with a sentence where the processor takes over.

    Attributes:
        running: the number of the one that runs.
        settings: its live parameters that were changed, by node and name.
    """

    def __init__(self, first: Built, order: Order, note: Callable[[str], None]) -> None:
        self._made, self._order, self._note = {0: first}, order, note
        self.running = 0
        self.settings: dict[tuple[str, str], Value] = {}

    @property
    def built(self) -> Built:
        """The one that runs."""
        return self._made[self.running]

    def add(self, number: int, built: Built) -> None:
        """One that is compiled already."""
        self._made[number] = built

    def go_over(self, number: int, pipeline: Pipeline, frame: int) -> list[int]:
        """Run another one from its first-frame state on, at `frame`; the numbers of those that are given up."""
        if number not in self._made:
            self._made[number] = build_checked(pipeline, self._order)
        self._run(number)
        try:
            with self._failing(frame):
                self.built.engine.reset()
        except GpuFailed as failed:
            self.replace(failed)
        self._set({})
        old = [n for n in self._made if n not in (0, number)][: max(0, len(self._made) - MOST)]
        for one in old:
            del self._made[one]
        return old

    def _run(self, number: int) -> None:
        self._made[number] = self._made.pop(number)  # the last that was used is last
        self.running = number

    def change(self, change: Change) -> None:
        """Change a live parameter."""
        set_live(self.built.engine, change)
        self.settings[change.node, change.param] = change.value

    def _set(self, settings: Mapping[tuple[str, str], Value]) -> None:
        """Give the engine these live parameters and no others."""
        engine = self.built.engine
        for params in engine.params.values():
            params.clear()
        engine.settings.clear()
        self.settings = dict(settings)
        for (node, param), value in settings.items():
            set_live(engine, Change(0, node, param, value))

    def step(self, batch: FrameBatch) -> tuple[Mapping[Any, Any], Pending]:
        """The outputs of a batch.

        Raises:
            GpuFailed: the processor may take over.
        """
        pending = self.built.engine.submit(batch)
        with self._failing(int(batch.indices[0])):
            return pending.result(), pending

    def snapshot(self, frame: int) -> Mapping[str, Any]:
        """What the programs of the engine remember before `frame`.

        Raises:
            GpuFailed: a GPU has it and does not give it.
        """
        with self._failing(frame):
            return self.built.engine.snapshot()

    def beginning(self, frame: int) -> Mapping[str, Any]:
        """What they remember before the first frame.

        Raises:
            GpuFailed: as `snapshot`.
        """
        engine = self.built.engine
        with self._failing(frame):
            now = engine.snapshot()
            engine.reset()
            begun = engine.snapshot()
            engine.restore(now)
        return begun

    def restore(
        self, number: int, settings: Mapping[tuple[str, str], Value], state: Mapping[str, Any], frame: int
    ) -> None:
        """Run an engine from a snapshot on, at `frame`."""
        self._run(number)
        self._set(settings)
        try:
            with self._failing(frame):
                self.built.engine.restore(state)
        except GpuFailed as failed:
            self.replace(failed)
            self.built.engine.restore(state)

    @contextmanager
    def _failing(self, frame: int) -> Iterator[None]:
        """Tell a GPU's failure at `frame` from others, where the processor may take over."""
        try:
            yield
        except InputError as error:
            if not may_fall_back(self.built.choice):
                raise
            raise GpuFailed(error, frame) from error

    def replace(self, failed: GpuFailed) -> None:
        """Have the processor compute in place of the GPU that runs; the state is that of the first frame."""
        lost = self.built
        made = in_place_of(lost, self._order, failed.error, failed.frame)
        self._made[self.running] = made
        go_on_counting(made.engine, lost.engine)
        self._set(self.settings)
        let_go(lost.engine, failed)
        self._note(made.note)

    @property
    def overflow(self) -> dict[str, int]:
        """Rows that did not fit into a table, by node; of frames that were processed again, again."""
        return {key: int(value) for key, value in _added([b.engine.overflow for b in self._made.values()]).items()}

    @property
    def seconds(self) -> dict[str, float]:
        """Time by group of stages."""
        return _added([built.engine.seconds for built in self._made.values()])


def _added(parts: Sequence[Mapping[str, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for part in parts:
        for key, value in part.items():
            found[key] = found.get(key, 0) + value
    return found
