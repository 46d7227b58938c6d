"""Where values stay while a batch passes through an engine, and for how long."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from kernels.executors.base import Program
from kernels.ir.body import Near, Output
from kernels.ir.image import BOOL, ImageType
from pipelines.fusing import Unit
from pipelines.graph import Ref


def stay(
    units: Sequence[Unit], programs: Mapping[str, Program], taps: Sequence[Ref], resting: Collection[Ref] = ()
) -> frozenset[Ref]:
    """Tell programs on devices (those with `resident` and `device`) to leave there what only programs on the same
    device take, or nobody but trackers that look at it there (`resting`); returns what that is. A host stage, a program
    elsewhere or a tap needs it on the host.
    """
    takers: dict[Ref, list[Program]] = {}
    for unit in units:
        # Readers of each value; an idle unit takes none.
        for ref in () if unit.idle else unit.inputs:
            if ref is not None:
                takers.setdefault(ref, []).append(programs[unit.name])
    found: set[Ref] = set()
    for unit in units:
        program: Any = programs[unit.name]
        if not hasattr(program, "resident"):
            continue
        images = {o.name: unit.outputs[o.name] for o in unit.body.outputs if isinstance(o.type, ImageType)}
        # It stays if nobody else needs it on the host, and all its readers are on the device that makes it.
        inside = {name: ref for name, ref in images.items() if ref not in taps and (ref in takers or ref in resting)
                  and all(getattr(p, "device", None) is program.device for p in takers.get(ref, ()))}  # fmt: skip
        program.resident = frozenset(inside)
        found |= set(inside.values())
    return frozenset(found)


def in_words(units: Sequence[Unit], taps: Sequence[Ref], devices: bool) -> tuple[Unit, ...]:
    """The units, with masks marked that only host functions take which take them as words of bits.

    Args:
        taps: what must be at hand as it is.
        devices: whether programs leave words; host functions do.
    """
    takers: dict[Ref, list[Unit]] = {}
    for unit in units:
        for ref in (*unit.inputs, *unit.before.values()):
            if ref is not None:
                takers.setdefault(ref, []).append(unit)

    def leaves(unit: Unit, output: Output) -> bool:
        ref, host = unit.outputs[output.name], unit.body.host
        able = devices if host is None else host.words is not None
        mask = isinstance(output.type, ImageType) and output.type.dtype == BOOL and output.type.channels == 1
        taking = [other.body.host for other in takers.get(ref, ())]
        taken = [host is not None and host.words is not None and not (devices and host.decoder) for host in taking]
        return able and mask and ref not in taps and bool(taken) and all(taken)

    def marked(unit: Unit) -> Unit:
        outputs = tuple(replace(output, words=leaves(unit, output)) for output in unit.body.outputs)
        changed = any(output.words for output in outputs)
        return replace(unit, body=replace(unit.body, outputs=outputs)) if changed else unit

    return tuple(map(marked, units))


class Nearby(NamedTuple):
    """Outputs of a program: a mask, and an image that only one host stage takes, which looks at it only near the
    mask."""

    mask: str
    image: str
    taker: Unit
    near: Near


def looked_at_nearby(units: Sequence[Unit], programs: Mapping[str, Program], taps: Sequence[Ref]) -> dict[str, Nearby]:
    """Such outputs by the names of the units that make them, where their programs can make use of it."""
    found: dict[str, Nearby] = {}
    for unit in units:
        near = None if unit.body.host is None else unit.body.host.near
        if near is None:
            continue
        mask, image = unit.inputs[near.mask], unit.inputs[near.image]
        takers = [other for other in units for ref in other.inputs if ref == image]
        for maker in units:
            names = {ref: name for name, ref in maker.outputs.items()}
            able = getattr(programs[maker.name], "keeps_near", False)
            if able and mask in names and image in names and len(takers) == 1 and image not in taps:
                found[maker.name] = Nearby(names[mask], names[image], unit, near)
    return found


def last_uses(
    units: Sequence[Unit], taps: Sequence[Ref], run_with: Callable[[int], int] = int
) -> list[tuple[Ref, ...]]:
    """For each unit what no later one needs, so that only what is still to be used stays in memory.

    Args:
        run_with: the number of the unit by whose end one of a number has been run.
    """
    last: dict[Ref, int] = {}
    for number, unit in enumerate(units):
        for ref in (*unit.inputs, *unit.before.values(), *unit.outputs.values()):
            if ref is not None:
                last[ref] = max(last.get(ref, 0), run_with(number))
    return [tuple(ref for ref, at in last.items() if at == number and ref not in taps) for number in range(len(units))]
