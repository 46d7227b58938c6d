"""Programs of one device that follow one another begin their parts of a batch together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernels.executors.base import Program
from kernels.ir.image import ImageType
from pipelines.fusing import Unit
from pipelines.graph import Ref


@dataclass(frozen=True, slots=True)
class JointStart:
    """Units that begin together.

    Args:
        first: number of the first.
        units: in order.
        wires: of each, which of its inputs an earlier one makes: number of that among `units`, its output.
        start: begins them (`kernels.executors.cuda_start.Start`).
    """

    first: int
    units: tuple[Unit, ...]
    wires: tuple[Mapping[int, tuple[int, str]], ...]
    start: Any


def joint_starts(
    units: Sequence[Unit], programs: Mapping[str, Program], apart: Callable[[int], bool]
) -> dict[int, JointStart]:
    """Such units, two and more, by the number of the first.

    Args:
        apart: whether a unit sees batches in parts.
    """
    found: dict[int, JointStart] = {}
    runs: list[list[int]] = []
    for number, unit in enumerate(units):
        program: Any = programs[unit.name]
        able = hasattr(program, "join") and not apart(number)
        # Runs of neighbours on one device; a unit that cannot join ends the run (an empty list stands for it).
        if able and runs and runs[-1] and programs[units[runs[-1][-1]].name].device is program.device:  # type: ignore[attr-defined]
            runs[-1].append(number)
        else:
            runs.append([number] if able else [])
    for run in runs:
        if len(run) < 2:
            continue
        own = tuple(units[number] for number in run)
        wires = _wires(own)
        first, *others = (programs[unit.name] for unit in own)
        found[run[0]] = JointStart(run[0], own, wires, first.join(others, wires))  # type: ignore[attr-defined]
    return found


def _wires(units: Sequence[Unit]) -> tuple[Mapping[int, tuple[int, str]], ...]:
    makers: dict[Ref, tuple[int, str]] = {}
    wires = []
    for number, unit in enumerate(units):
        wires.append({i: makers[ref] for i, ref in enumerate(unit.inputs) if ref is not None and ref in makers})
        makers |= {unit.outputs[o.name]: (number, o.name) for o in unit.body.outputs if isinstance(o.type, ImageType)}
    return tuple(wires)
