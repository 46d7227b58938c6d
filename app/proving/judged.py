"""What `--fast` computes, program by program, against the reference of what is written, from the inputs that each was
given: how far it is off, and how far it may be (`kernels.fusion.deviation`).

From equal inputs, and besides stage by stage, since a bound that holds from the picture to the end of a deep network
says nothing: it is the product of what every layer may add. Bounds are for the largest values that the inputs have in
these frames.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from app.proving.comparing import Compared, compare
from kernels.executors.base import Batch, Executor
from kernels.ir.rewriting import at_outputs
from kernels.ir.table import TableType
from pipelines.fusing import Unit, fuse
from pipelines.graph import SOURCE, Ref
from pipelines.streaming.engine.engine import Engine


def judged(
    engine: Engine, source: npt.NDArray[Any], mine: Mapping[Ref, Batch], reference: Executor, first: int, against: str,
    time_is_up: Callable[[], bool],
) -> tuple[tuple[Compared, ...], str]:  # fmt: skip
    """The outputs of each program, compared; and a sentence where there is a but.

    Args:
        engine: which computed the frames, not exactly.
        source: the frames.
        mine: all that goes into and leaves its programs.
        reference: the back end that tells what is written.
        first: the number of the first frame.
        against: what the comparison is called.
        time_is_up: asked before every frame but the first.
    """
    values = {Ref(SOURCE): source, **mine}
    groups = [[node.id for node in unit.nodes] for unit in engine.units]
    units = [unit for unit in engine.units if unit.body.host is None and not unit.idle and not unit.asker]
    written = {unit.name: unit for unit in fuse(engine.bound, groups, engine.taps)}
    programs = [_Written(written[unit.name], values, reference) for unit in units]
    count = 0
    while count < len(source) and not (count and time_is_up()):
        for program in programs:
            program.frame(count)
        count += 1
    found = [one for unit, program in zip(units, programs, strict=True)
             for one in _compared(engine, unit, program.made(), values, against, first)]  # fmt: skip
    remarks = [f"{unit.name} is computed in some frames only, and was not compared"
               for unit in engine.units if unit.asker and unit.body.host is None]  # fmt: skip
    if count < len(source):
        remarks.append(f"the reference had time for {count} of the {len(source)} frames, program by program")
    return tuple(found), "; ".join(remarks)


class _Written:
    """A program as it is written, in the reference, a frame at a time."""

    def __init__(self, unit: Unit, values: Mapping[Ref, Batch], reference: Executor) -> None:
        self.program = reference.compile(unit.body)
        self.inputs = [None if ref is None else values[ref] for ref in unit.inputs]
        self.parts: list[Mapping[str, Batch]] = []

    def frame(self, k: int) -> None:
        made = self.program.run([None if data is None else data[k : k + 1] for data in self.inputs], {})
        self.parts.append({name: data.copy() if isinstance(data, np.ndarray) else list(data)
                           for name, data in made.items()})  # fmt: skip

    def made(self) -> dict[str, Batch]:
        """All frames together."""
        joined: dict[str, Batch] = {}
        for name in self.parts[0]:
            some = [part[name] for part in self.parts]
            whole = isinstance(some[0], np.ndarray)
            joined[name] = np.concatenate([np.asarray(p) for p in some]) if whole else [t for p in some for t in p]
        return joined


def _compared(
    engine: Engine, unit: Unit, made: Mapping[str, Batch], values: Mapping[Ref, Batch], against: str, first: int
) -> Iterator[Compared]:
    count = len(next(iter(made.values())))
    given = [_largest(values, ref, count) for ref in unit.inputs]
    off = at_outputs(unit.rewritings, engine.executor.name, given)
    for name, ref in unit.outputs.items():
        (one,) = compare(engine.bound, [ref], {ref: values[ref][:count]}, {ref: made[name]}, against, first)
        limit = off.get(name, 0.0)
        table = isinstance(engine.bound.types[ref], TableType)
        yield replace(one, bound=np.inf if limit and table else limit)


def _largest(values: Mapping[Ref, Batch], ref: Ref | None, count: int) -> float | None:
    """The largest absolute value of an image of floats; None of others."""
    data = None if ref is None else values[ref]
    if not isinstance(data, np.ndarray) or data.dtype.kind != "f":
        return None
    return float(np.abs(data[:count].astype(np.float64)).max(initial=0.0))
