"""The engine: one batch of frames through all stages of a bound pipeline."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from kernels.errors import DefinitionError
from kernels.executors.base import Batch, Executor, State
from kernels.ir.table import Table
from kernels.param import Value
from pipelines.frame import FrameBatch
from pipelines.fusing import fuse
from pipelines.graph import SOURCE, Bound, Ref


class Engine:
    """Runs batches of consecutive frames; results depend neither on where a batch ends nor on the groups.

    Args:
        bound: the pipeline.
        executor: the back end that compiles its bodies.
        keep: outputs to return besides the pipeline's own taps.
        groups: node ids of what runs as one program each; None for one stage a program.
    """

    def __init__(
        self,
        bound: Bound,
        executor: Executor,
        keep: tuple[Ref, ...] = (),
        groups: Sequence[Sequence[str]] | None = None,
    ) -> None:
        self.bound = bound
        self.taps = tuple(dict.fromkeys((*bound.taps, *keep)))
        alone = [(node.id,) for node in bound.nodes]
        self.units = fuse(bound, alone if groups is None else groups, self.taps)
        self.programs = {unit.name: executor.compile(unit.body) for unit in self.units}
        self.params: dict[str, dict[str, Value]] = {unit.name: {} for unit in self.units}
        self.overflow: dict[str, int] = {}
        self.seconds: dict[str, float] = {unit.name: 0.0 for unit in self.units}

    def step(self, batch: FrameBatch) -> Mapping[Ref, Batch]:
        """The tapped outputs of one batch: arrays (frames, *shape), or a list of tables."""
        values: dict[Ref, Batch] = {Ref(SOURCE): batch.pixels}
        for unit in self.units:
            start = time.perf_counter()
            inputs = [None if ref is None else values[ref] for ref in unit.inputs]
            outputs = self.programs[unit.name].run(inputs, self.params[unit.name])
            for name, data in outputs.items():
                values[unit.outputs[name]] = data
                self._count_overflow(unit.outputs[name].node, data)
            self.seconds[unit.name] += time.perf_counter() - start
        return {tap: values[tap] for tap in self.taps}

    def _count_overflow(self, node: str, data: Batch) -> None:
        for datum in data:
            if isinstance(datum, Table) and datum.overflow:
                self.overflow[node] = self.overflow.get(node, 0) + datum.overflow

    def set_param(self, node: str, name: str, value: object) -> None:
        """Change a live parameter from the next batch on.

        Raises:
            DefinitionError: no such node or parameter, a bad value, or a structural parameter.
        """
        unit = next((u for u in self.units if any(n.id == node for n in u.nodes)), None)
        if unit is None:
            raise DefinitionError(f"there is no node {node!r} in the running pipeline")
        declared = unit.param(node, name)
        if declared is None:
            raise DefinitionError(f"node {node!r} has no parameter {name!r}")
        if declared.structural:
            raise DefinitionError(f"{node}.{name} changes the code of the pipeline and cannot change while it runs")
        self.params[unit.name][unit.params[node, name]] = declared.check(value, f"{node}.{name}")

    def snapshot(self) -> Mapping[str, State]:
        """The state of every program; `restore` goes on from it bit for bit."""
        return {name: program.snapshot() for name, program in self.programs.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a snapshot of an engine with the same pipeline and groups."""
        for name, program in self.programs.items():
            program.restore(state[name])
