"""Programs that see a batch in parts: those of a loop frame by frame, those that are asked for only where they are
(`pipelines.feedback`).

A loop costs what its programs cost on single frames, one after the other: threads share the rows of a frame, not the
frames of a batch, and each program is called once a frame. What is before it and behind it goes by whole batches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from kernels.executors.base import Batch, Idle, State
from kernels.ir.body import Datum, ValueType
from kernels.ir.image import ImageType
from kernels.ir.table import Table, TableType
from pipelines.feedback import nothing
from pipelines.fusing import Unit
from pipelines.graph import Ref
from pipelines.streaming.engine.pending import Pending

Run = Callable[[Pending, Unit, Sequence[Any], bool], Mapping[str, Batch]]
"""Runs a unit's program: the batch, the unit, its inputs, whether the last of its frames is the batch's."""


class FrameBefore(Idle):
    """What nodes take of the frame before, with the state of a program that remembers it.

    Args:
        types: of the values.
    """

    def __init__(self, types: Mapping[Ref, ValueType]) -> None:
        self._types = types
        self.reset()

    def reset(self) -> None:
        """The next frame is the first."""
        self.values: dict[Ref, Datum] = {ref: nothing(type_) for ref, type_ in self._types.items()}

    def snapshot(self) -> State:
        """An array a value, an array a column for tables."""
        memory: dict[str, Any] = {}
        for ref, datum in self.values.items():
            if isinstance(datum, Table):
                memory |= {f"{ref}/{name}": datum.rows[name].copy() for name in datum.rows.dtype.names or ()}
            else:
                memory[str(ref)] = np.array(datum)
        return {"frames": 0, "memory": memory, "history": []}

    def restore(self, state: State) -> None:
        """Go on from a snapshot."""
        memory = state["memory"]
        for ref, type_ in self._types.items():
            if isinstance(type_, TableType):
                rows = np.zeros(len(memory[f"{ref}/{type_.columns[0][0]}"]), type_.numpy)
                for name, _ in type_.columns:
                    rows[name] = memory[f"{ref}/{name}"]
                self.values[ref] = Table(rows)
            else:
                self.values[ref] = np.array(memory[str(ref)])


class Stepwise:
    """The part of an engine that knows about loops and what is asked for.

    Args:
        units: all, in order.
        types: of every value.
        taps: what leaves.
    """

    def __init__(self, units: Sequence[Unit], types: Mapping[Ref, ValueType], taps: Sequence[Ref]) -> None:
        self.units, self._types = units, types
        self._maker = {ref: k for k, unit in enumerate(units) if unit.asker for ref in unit.outputs.values()}
        self.before = FrameBefore({ref: types[ref] for unit in units for ref in unit.before.values()})
        self._loops: dict[str, list[int]] = {}
        for k, unit in enumerate(units):
            if unit.loop:
                self._loops.setdefault(unit.loop, []).append(k)
        self._leaving = {name: self._left(numbers, taps) for name, numbers in self._loops.items()}

    def __bool__(self) -> bool:
        return bool(self._maker) or bool(self._loops)

    @property
    def touched(self) -> frozenset[Ref]:
        """What must be at hand on the host."""
        return frozenset(ref for k, unit in enumerate(self.units) if self.handles(k)
                         for ref in (*unit.inputs, *unit.outputs.values()) if ref is not None)  # fmt: skip

    def handles(self, number: int) -> bool:
        """Whether a unit is run by `advance`."""
        unit = self.units[number]
        return bool(unit.loop or unit.asker or self._asks(unit))

    def _asks(self, unit: Unit) -> bool:
        lazy = None if unit.body.host is None else unit.body.host.lazy
        return lazy is not None and any(unit.inputs[i] in self._maker for i in lazy.inputs)

    def ends(self, number: int) -> int:
        """The number of the unit with which this one has been run in any case."""
        # Values of a loop are needed until its last unit has run, those that are asked for until their asker has.
        unit = self.units[number]
        if unit.loop:
            return self._loops[unit.loop][-1]
        if unit.asker:
            return self.ends(next(k for k, other in enumerate(self.units) if other.nodes[0].id == unit.asker))
        return number

    def advance(self, pending: Pending, number: int, run: Run) -> None:
        """Run a unit, and what it asks for; a loop at its first unit.

        Args:
            run: see `Run`; not kept, so that an engine and this are no cycle, which would keep programs in memory.
        """
        unit, frames = self.units[number], len(pending.batch.indices)
        if unit.loop:
            if number == self._loops[unit.loop][0]:
                self._loop(pending, unit.loop, frames, run)
        elif not unit.asker:
            part = _Part(self, run, pending, 0, frames, pending.values)
            part.make(number)
            pending.values |= {ref: part.values[ref] for ref in unit.outputs.values()}

    def _left(self, numbers: Sequence[int], taps: Sequence[Ref]) -> tuple[Ref, ...]:
        inside = [self.units[k] for k in numbers]
        outside = {*taps, *(ref for k, unit in enumerate(self.units) if k not in numbers for ref in unit.inputs)}
        return tuple(ref for unit in inside for ref in unit.outputs.values() if ref in outside)

    def _loop(self, pending: Pending, name: str, frames: int, run: Run) -> None:
        made: dict[Ref, list[Batch]] = {ref: [] for ref in self._leaving[name]}
        # What is asked for runs when its asker does.
        members = [k for k in self._loops[name] if not self.units[k].asker]
        kept = {ref for k in members for ref in self.units[k].before.values()}
        # Frame by frame: what the loop takes of the frame before is copied at the end of each, since the programs' own
        # memory is written again.
        for n in range(frames):
            part = _Part(self, run, pending, n, n + 1, pending.values)
            for k in members:
                part.make(k)
            for ref, parts in made.items():
                parts.append(part.values[ref])
            self.before.values |= {ref: _kept(part.value(ref)[0]) for ref in kept}
        for ref, parts in made.items():
            pending.values[ref] = _joined(parts, self._types[ref])


class _Part:
    """Frames `start` to `end` of a batch.

    Args:
        outer: values of the whole batch.
        above: a part of which this is one, whose values it has.
    """

    def __init__(
        self, steps: Stepwise, run: Run, pending: Pending, start: int, end: int, outer: Mapping[Ref, Batch],
        above: _Part | None = None,
    ) -> None:  # fmt: skip
        self.steps, self.run, self.pending, self.start, self.end = steps, run, pending, start, end
        self.outer, self.above = outer, above
        self.values: dict[Ref, Batch] = {}

    def value(self, ref: Ref) -> Batch:
        """A value; made if it was not asked for yet."""
        # Demand-driven: a unit that has an asker is run when its value is first asked for, for the frames of this part
        # alone.
        if ref not in self.values and ref in self.steps._maker:
            self.make(self.steps._maker[ref])
        if ref in self.values:
            return self.values[ref]
        if self.above is not None:
            # In the part above frames count from that part's start.
            first = self.above.start
            return self.above.value(ref)[self.start - first : self.end - first]
        return self.outer[ref][self.start : self.end]

    def make(self, number: int) -> None:
        """Run a unit."""
        unit = self.steps.units[number]
        if unit.idle:
            return
        inputs: list[Any] = [None] * len(unit.inputs)
        for i, past in unit.before.items():
            inputs[i] = [self.steps.before.values[past]]
        lazy = unit.body.host.lazy if unit.body.host is not None and self.steps._asks(unit) else None
        for i, ref in enumerate(unit.inputs):
            if ref is not None and (lazy is None or i not in lazy.inputs):
                inputs[i] = self.value(ref)
        # First what decides, then what is asked for, in the frames that need it.
        if lazy is not None:
            by = [inputs[i] for i in lazy.by]
            params = {**unit.body.params, **self.pending.params[unit.name]}
            wanted = np.asarray(lazy.wanted(by, params), np.bool_)
            for i, given in self._asked([unit.inputs[i] for i in lazy.inputs], wanted).items():
                inputs[lazy.inputs[i]] = given
        last = self.end == len(self.pending.batch.indices)
        for name, data in self.run(self.pending, unit, inputs, last).items():
            ref = unit.outputs[name]
            self.values[ref] = data
            self.pending.count_overflow(ref.node, data)

    def _asked(self, refs: Sequence[Ref | None], wanted: np.ndarray) -> dict[int, Batch]:
        """Values in the frames in which they are wanted, by their places in `refs`; in others there is nothing."""
        here = {i: ref for i, ref in enumerate(refs) if ref is not None}
        if wanted.all():
            return {i: self.value(ref) for i, ref in here.items()}
        made: dict[int, list[Batch]] = {i: [] for i in here}
        # Runs of frames that are asked for go through their programs together, each in a call of its own.
        edges = [0, *(np.flatnonzero(np.diff(wanted)) + 1).tolist(), len(wanted)]
        for first, end in pairwise(edges):
            part = None
            if wanted[first]:
                part = _Part(self.steps, self.run, self.pending, self.start + first, self.start + end, self.outer, self)
            for i, ref in here.items():
                type_ = self.steps._types[ref]
                made[i].append(part.value(ref) if part is not None else _none(type_, end - first))
        return {i: _joined(parts, self.steps._types[here[i]]) for i, parts in made.items()}


def _kept(datum: Datum) -> Datum:
    """It, in memory that is not used again."""
    return datum if isinstance(datum, Table) else np.array(datum)


def _none(type_: ValueType, frames: int) -> Batch:
    if isinstance(type_, ImageType):
        return np.broadcast_to(nothing(type_), (frames, *type_.shape))  # type: ignore[arg-type]
    return [nothing(type_)] * frames  # type: ignore[list-item]


def _joined(parts: Sequence[Batch], type_: ValueType) -> Batch:
    if len(parts) == 1:
        return parts[0]
    if isinstance(type_, ImageType):
        return np.concatenate([np.asarray(part) for part in parts])
    return [table for part in parts for table in part]
