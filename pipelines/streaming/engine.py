"""The engine: one batch of frames through all stages of a bound pipeline.

What only programs on one device take stays there (`stay`); host stages and taps get NumPy arrays.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from kernels.errors import DefinitionError, ExprError, FusetrackError, InputError
from kernels.executors.base import Batch, Executor, Program, State
from kernels.ir.image import ImageType
from kernels.ir.table import Table
from kernels.param import Value
from pipelines.frame import FrameBatch
from pipelines.fusing import Unit, fuse
from pipelines.graph import SOURCE, Bound, Ref


class Engine:
    """Runs batches of consecutive frames; results depend neither on where a batch ends nor on the groups.

    Args:
        bound: the pipeline.
        executor: the back end that compiles its bodies.
        keep: outputs to return besides the pipeline's own taps.
        groups: node ids of what runs as one program each; None for one stage a program. A node may stand in several.
        exact: as `fuse` takes it; without it values depend on the groups, within the bounds of `Unit.rewritings`.

    Attributes:
        resident: the images that never leave the device that made them.
    """

    def __init__(
        self,
        bound: Bound,
        executor: Executor,
        keep: tuple[Ref, ...] = (),
        groups: Sequence[Sequence[str]] | None = None,
        exact: bool = True,
    ) -> None:
        self.bound = bound
        self.taps = tuple(dict.fromkeys((*bound.taps, *keep)))
        alone = [(node.id,) for node in bound.nodes]
        self.units = fuse(bound, alone if groups is None else groups, self.taps, exact)
        self.programs = {unit.name: _compiled(executor, unit) for unit in self.units}
        self.params: dict[str, dict[str, Value]] = {unit.name: {} for unit in self.units}
        self.resident = stay(self.units, self.programs, self.taps)
        self._done = _last_uses(self.units, self.taps)
        self.overflow: dict[str, int] = {}
        self.seconds: dict[str, float] = {unit.name: 0.0 for unit in self.units}

    def step(self, batch: FrameBatch) -> Mapping[Ref, Batch]:
        """The tapped outputs of one batch: arrays (frames, *shape), or a list of tables.

        Raises:
            InputError: there is not enough memory.
            ExprError: the function of an opaque stage fails.
        """
        values: dict[Ref, Batch] = {Ref(SOURCE): batch.pixels}
        for number, unit in enumerate(self.units):
            start = time.perf_counter()
            inputs = [None if ref is None else values[ref] for ref in unit.inputs]
            for name, data in self._run(unit, inputs, batch).items():
                values[unit.outputs[name]] = data
                self._count_overflow(unit.outputs[name].node, data)
            del inputs
            for done in self._done[number]:
                values.pop(done, None)
            self.seconds[unit.name] += time.perf_counter() - start
        return {tap: values[tap] for tap in self.taps}

    def _run(self, unit: Unit, inputs: Sequence[Batch | None], batch: FrameBatch) -> Mapping[str, Batch]:
        where = f"{unit.name} (frames {batch.indices[0]} to {batch.indices[-1]})"
        try:
            return self.programs[unit.name].run(inputs, self.params[unit.name])
        except FusetrackError:
            raise
        except MemoryError as error:
            sizes = ", ".join(str(ref_type) for ref_type in dict.fromkeys(o.type for o in unit.body.outputs))
            raise InputError(f"there is not enough memory for {where}, which makes {sizes}; take a part of the picture "
                             "(--roi) or smaller pictures") from error  # fmt: skip
        except Exception as error:
            if unit.body.host is None:
                _on_a_device(self.programs[unit.name], where, error)
                raise
            raise ExprError(f"{where} fails with {type(error).__name__}: {' '.join(str(error).split())}") from error

    def _count_overflow(self, node: str, data: Batch) -> None:
        for datum in data if isinstance(data, list) else ():
            if isinstance(datum, Table) and datum.overflow:
                self.overflow[node] = self.overflow.get(node, 0) + datum.overflow

    def set_param(self, node: str, name: str, value: object) -> None:
        """Change a live parameter from the next batch on.

        Raises:
            DefinitionError: no such node or parameter, a bad value, or a structural parameter.
        """
        units = [u for u in self.units if any(n.id == node for n in u.nodes)]
        if not units:
            raise DefinitionError(f"there is no node {node!r} in the running pipeline")
        declared = units[0].param(node, name)
        if declared is None:
            raise DefinitionError(f"node {node!r} has no parameter {name!r}")
        if declared.structural:
            raise DefinitionError(f"{node}.{name} changes the code of the pipeline and cannot change while it runs")
        checked = declared.check(value, f"{node}.{name}")
        for unit in units:  # every copy
            self.params[unit.name][unit.params[node, name]] = checked

    def snapshot(self) -> Mapping[str, State]:
        """The state of every program; `restore` goes on from it bit for bit."""
        return {name: program.snapshot() for name, program in self.programs.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on from a snapshot of an engine with the same pipeline and groups."""
        for name, program in self.programs.items():
            program.restore(state[name])


def _compiled(executor: Executor, unit: Unit) -> Program:
    try:
        return executor.compile(unit.body)
    except FusetrackError:
        raise
    except Exception as error:  # a driver says no in many ways
        _on_a_device(executor, unit.name, error)
        raise


def _on_a_device(made: object, where: str, error: Exception) -> None:
    """Say in a sentence what a driver's error ended, if `made` is on a device."""
    if getattr(made, "device", None) is not None:
        raise DefinitionError(f"{where} fails on the GPU with {type(error).__name__}: {' '.join(str(error).split())}; "
                              "start again, or use --device cpu") from error  # fmt: skip


def stay(units: Sequence[Unit], programs: Mapping[str, Program], taps: Sequence[Ref]) -> frozenset[Ref]:
    """Tell programs on devices (those with `resident` and `device`) to leave there what only programs on the same
    device take; returns what that is. A host stage, a program elsewhere or a tap needs it on the host.
    """
    takers: dict[Ref, list[Program]] = {}
    for unit in units:
        for ref in unit.inputs:
            if ref is not None:
                takers.setdefault(ref, []).append(programs[unit.name])
    found: set[Ref] = set()
    for unit in units:
        program: Any = programs[unit.name]
        if not hasattr(program, "resident"):
            continue
        images = {o.name: unit.outputs[o.name] for o in unit.body.outputs if isinstance(o.type, ImageType)}
        inside = {name: ref for name, ref in images.items() if ref not in taps and ref in takers
                  and all(getattr(p, "device", None) is program.device for p in takers[ref])}  # fmt: skip
        program.resident = frozenset(inside)
        found |= set(inside.values())
    return frozenset(found)


def _last_uses(units: Sequence[Unit], taps: Sequence[Ref]) -> list[tuple[Ref, ...]]:
    """For each unit what no later one needs, so that only what is still to be used stays in memory."""
    last: dict[Ref, int] = {}
    for number, unit in enumerate(units):
        last |= {ref: number for ref in (*unit.inputs, *unit.outputs.values()) if ref is not None}
    return [tuple(ref for ref, at in last.items() if at == number and ref not in taps) for number in range(len(units))]
