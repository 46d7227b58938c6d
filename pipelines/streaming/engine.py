"""The engine: one batch of frames through all stages of a bound pipeline."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from kernels.errors import DefinitionError
from kernels.executors.base import Batch, Executor, State
from kernels.ir.table import Table
from kernels.param import Value
from pipelines.frame import FrameBatch
from pipelines.graph import SOURCE, Bound, BoundNode, Ref


class Engine:
    """Runs batches of consecutive frames; results do not depend on where a batch ends.

    Args:
        bound: the pipeline.
        executor: the back end that compiles its bodies.
        keep: outputs to return besides the pipeline's own taps.
    """

    def __init__(self, bound: Bound, executor: Executor, keep: tuple[Ref, ...] = ()) -> None:
        self.bound = bound
        self.taps = tuple(dict.fromkeys((*bound.taps, *keep)))
        self.nodes = _needed(bound, self.taps)
        self.programs = {node.id: executor.compile(node.body) for node in self.nodes}
        self.params: dict[str, dict[str, Value]] = {node.id: {} for node in self.nodes}
        self.overflow: dict[str, int] = {}
        self.seconds: dict[str, float] = {node.id: 0.0 for node in self.nodes}

    def step(self, batch: FrameBatch) -> Mapping[Ref, Batch]:
        """The tapped outputs of one batch: arrays (frames, *shape), or a list of tables."""
        values: dict[Ref, Batch] = {Ref(SOURCE): batch.pixels}
        for node in self.nodes:
            start = time.perf_counter()
            inputs = [None if ref is None else values[ref] for ref in node.inputs]
            outputs = self.programs[node.id].run(inputs, self.params[node.id])
            for name, data in outputs.items():
                values[Ref(node.id, name if len(outputs) > 1 else "")] = data
                self._count_overflow(node.id, data)
            self.seconds[node.id] += time.perf_counter() - start
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
        found = next((n for n in self.nodes if n.id == node), None)
        if found is None:
            raise DefinitionError(f"there is no node {node!r} in the running pipeline")
        declared = next((p for p in found.stage.params if p.name == name), None)
        if declared is None:
            raise DefinitionError(f"node {node!r} has no parameter {name!r}")
        if declared.structural:
            raise DefinitionError(f"{node}.{name} changes the code of the pipeline and cannot change while it runs")
        self.params[node][name] = declared.check(value, f"{node}.{name}")

    def snapshot(self) -> Mapping[str, State]:
        """The state of every stage; `restore` goes on from it bit for bit."""
        return {node: program.snapshot() for node, program in self.programs.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        for node, program in self.programs.items():
            program.restore(state[node])


def _needed(bound: Bound, taps: tuple[Ref, ...]) -> tuple[BoundNode, ...]:
    """The nodes that any tap depends on, in order."""
    wanted = {tap.node for tap in taps}
    kept = []
    for node in reversed(bound.nodes):
        if node.id in wanted:
            kept.append(node)
            wanted |= {ref.node for ref in node.inputs if ref is not None}
    return tuple(reversed(kept))
