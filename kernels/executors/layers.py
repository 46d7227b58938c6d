"""Networks of layers as machine code: rows by row kernels, in the order of tables of steps, which threads share.

Bit for bit the fixed order of sums (`kernels.codegen.layers_dense`, `layers_depthwise`; whole numbers are exact in any
order), whatever the schedule and the processor.
"""

from __future__ import annotations

import copy
import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_across import Across
from kernels.codegen.layers_dense import DRIVER, Tile
from kernels.codegen.layers_dense_int8 import INT8_DRIVER, Int8Tile
from kernels.codegen.layers_network import Layer, Network
from kernels.codegen.layers_record import FIELDS, FRAMES, JOB, at
from kernels.codegen.layers_steps import RUN, TAKE, Kernel, generate
from kernels.codegen.layers_target import Target
from kernels.codegen.layers_watched import WATCH, watched
from kernels.codegen.layers_winograd import GROUPED_DRIVER, TilesIn
from kernels.codegen.pool import LINE as WORDS
from kernels.codegen.pool import SEQUENCE, architecture
from kernels.executors.cache import ObjectCache
from kernels.executors.frozen import LINE
from kernels.executors.machine import Library, Machine
from kernels.executors.manifest import generator, name_of
from kernels.executors.memory import address, aligned
from kernels.executors.workers import Workers
from kernels.fusion.layers import Map
from kernels.fusion.layers_schedule import Phases, Schedule, filled, schedule

Array = npt.NDArray[Any]
_SYSCALL = SEQUENCE.index("syscall")


def target_of(machine: Machine) -> Target:
    """The register tiles for a machine."""
    return Target.of(architecture(machine.triple), machine.cpu, machine.features)


@dataclass(frozen=True, slots=True)
class LayerCode:
    """A network as data: with memory of its own and the addresses of its functions it runs.

    Args:
        maps: the network's.
        runs: addresses that the layer with the most runs needs room for.
        schedule: of its rows.
        records: a row a layer (`kernels.codegen.layers_record`), addresses left out.
        functions: (layer, field, number in `names`) of those of functions.
        names: of the functions.
        places: (layer, field, where in `constants` it points) of those of constants.
        constants: bytes of all weights, biases and tables, each from a cache line on.
        object: the name under which the machine code is kept; empty if it is not.
    """

    maps: tuple[Map, ...]
    runs: int
    schedule: Schedule
    records: Array
    functions: Array
    names: tuple[str, ...]
    places: Array
    constants: Array
    object: str


def coded(
    network: Network, phases: Phases, machine: Machine, watching: bool = False
) -> tuple[LayerCode, list[Kernel]]:
    """A network as data, and the kernels that it takes.

    Args:
        network: written for `target_of(machine)`, or for tiles that this machine can run, too.
        phases: orders of all its rows (see `kernels.fusion.layers_schedule`); `[[order]]` is one order.
        watching: whether its code notes what it reads and writes (`kernels.codegen.layers_watched`).

    Raises:
        DefinitionError: an order cannot be.
    """
    layers = network.settled()
    # Each once, however many layers take it.
    kernels = list(dict.fromkeys(kernel for layer in layers for kernel in layer.kernels))
    drivers = (DRIVER, INT8_DRIVER, *([GROUPED_DRIVER] if any(isinstance(k, TilesIn) for k in kernels) else []))
    names = (RUN, TAKE, *drivers, *(kernel.name for kernel in kernels), *([WATCH] if watching else []))
    made = schedule(network, phases)
    writer = _Records(network, names, made)
    for number, layer in enumerate(layers):
        writer.add(number, layer)
    key = name_of("layers", generator(), repr(network.target), *names, *machine.identity) if generator() else ""
    functions, places = (np.array(some, np.int64).reshape(-1, 3) for some in (writer.functions, writer.places))
    return LayerCode(tuple(network.maps), network.runs, made, writer.records, functions, names, places,
                     writer.packed(), key), kernels  # fmt: skip


def loaded(code: LayerCode, machine: Machine, cache: ObjectCache) -> Library | None:
    """The machine code of a network, as far as it is kept."""
    kept = cache.get(code.object) if code.object else None
    return None if kept is None else machine.load(kept, code.names)


def compiled(
    code: LayerCode, kernels: Sequence[Kernel], target: Target, machine: Machine, cache: ObjectCache | None
) -> Library:
    """The same, made where it is not kept, and kept then."""
    found = loaded(code, machine, cache) if cache else None
    if found is not None:
        return found
    text = generate(kernels, target).text
    made = machine.compile(watched(text) if WATCH in code.names else text)
    if cache and code.object:
        cache.put(code.object, made)
    return machine.load(made, code.names)


class _Records:
    """Writes the record of each layer, and what these point at."""

    def __init__(self, network: Network, names: Sequence[str], made: Schedule) -> None:
        self.network, self.schedule = network, made
        self.records = np.zeros((len(network.layers), len(FIELDS)), np.int64)
        self.functions: list[tuple[int, int, int]] = []
        self.places: list[tuple[int, int, int]] = []
        self._numbers = {name: number for number, name in enumerate(names)}
        self._constants: list[Array] = []
        self._size = 0

    def packed(self) -> Array:
        """All constants one after another. Vectors may be loaded up to the end of a line."""
        made = aligned(self._size)
        for (_, _, first), array in zip(self.places, self._constants, strict=True):
            made[first : first + array.nbytes] = np.ascontiguousarray(array).view(np.uint8).ravel()
        return made

    def _point(self, number: int, name: str, array: Array) -> None:
        if array.size:
            self.places.append((number, at(name), self._size))
            self._constants.append(array)
            self._size += -(-array.nbytes // LINE) * LINE

    def add(self, number: int, layer: Layer) -> None:
        """The record of a layer."""
        maps, look, place = self.network.maps, layer.looks[0], layer.place
        source, result = maps[look.map], maps[place.map]
        first = layer.kernels[0]
        dense = isinstance(first, Tile | Across | Int8Tile)
        step_in, step_out, *steps = self.network.steps(layer)
        rows, taps, blocks, run, last = self.network.runs_of(layer)
        values = {
            "words": self.schedule.words[number],
            "bank_out": result.bank,
            "bank_in": source.bank,
            "width": layer.size[1],
            "channels": layer.channels,
            "step_out": step_out,
            "step_in": step_in + look.fall * self.schedule.rings[look.map][0].size,
            "rows": rows,
            "taps": taps,
            "step_tap": source.pitch * look.dilation[1],
            "blocks": blocks,
            "step_block": run * layer.step_run,
            "run": run,
            "run_last": last,
            "step_run": layer.step_run,
        }
        # Tiles of dense layers are called by a driver, which goes over rows, taps and blocks.
        drivers = {Tile: DRIVER, Across: DRIVER, Int8Tile: INT8_DRIVER}
        functions = {"function": drivers.get(type(first), first.name)}
        if dense and layer.groups > 1:
            functions["function"] = GROUPED_DRIVER
            values |= {"groups": layer.groups, "group_in": self.network.group(look.map, layer.groups),
                       "group_out": self.network.group(place.map, layer.groups) - layer.channels,
                       "group_weights": layer.weights.size // layer.groups}  # fmt: skip
        if dense:
            values["segments"] = len(layer.counts)
            for k, (tile, count) in enumerate(zip(layer.kernels, layer.counts, strict=True)):
                functions[f"tile{k}"] = tile.name
                values[f"count{k}"] = count
        for k, (beside, step) in enumerate(zip(layer.looks[1:], steps, strict=True)):
            values |= {f"bank_beside{k}": maps[beside.map].bank, f"step_beside{k}": step}
        record = self.records[number]
        for name, value in values.items():
            record[at(name)] = value
        self.functions += [(number, at(name), self._numbers[function]) for name, function in functions.items()]
        tables = {f"table{k}": table for k, table in enumerate(layer.tables)}
        for name, array in {"weights": layer.weights, "bias": layer.bias, "scalars": layer.scalars, **tables}.items():
            self._point(number, name, array)


class LayerProgram:
    """A network that runs.

    Args:
        network, phases: see `coded`.
        machine: the compiler.
        cached: whether machine code is kept on disk.

    Raises:
        DefinitionError: the order cannot be.
    """

    watching = False
    """Whether its code notes what it reads and writes."""

    def __init__(self, network: Network, phases: Phases, machine: Machine, cached: bool = True) -> None:
        code, kernels = coded(network, phases, machine, self.watching)
        self.network = network
        self._made_of(code, compiled(code, kernels, network.target, machine, ObjectCache() if cached else None))

    @classmethod
    def of(cls, code: LayerCode, library: Library) -> LayerProgram:
        """The same of what it is as data and its machine code; it knows no `network`."""
        made = cls.__new__(cls)
        made._made_of(code, library)
        return made

    def _made_of(self, code: LayerCode, library: Library) -> None:
        self.code, self.schedule = code, code.schedule
        self._library = library
        constants = code.constants
        if self.watching:
            constants = self._room(constants.nbytes)
            constants[:] = code.constants
        self._alive = [constants]
        self._records = code.records.copy()
        layers, fields, numbers = code.functions.T
        # Addresses are put in here alone: records themselves can be kept on disk.
        self._records[layers, fields] = np.array([library.address(name) for name in code.names])[numbers]
        layers, fields, offsets = code.places.T
        self._records[layers, fields] = address(constants) + offsets
        self._run: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library.address(RUN))
        self._types = {bank: map_.dtype.numpy for map_ in code.maps
                       for bank in (map_.bank, *(bank for _, _, bank in map_.parts))}  # fmt: skip
        self._arrange()

    def _room(self, size: int) -> Array:
        """Bytes for constants and for what a run writes, from a line on."""
        return aligned(size)

    def _arrange(self) -> None:
        """The memory that a run works in, and the blocks of its jobs."""
        tables = self.schedule.steps
        self._values = self._room(4 * self.schedule.values).view(np.float32)
        filled(self._values, self.schedule)
        self._banks = np.zeros(1 + max(self._types, default=0), np.int64)
        # Bank 0 is the program's own memory.
        self._banks[0] = address(self._values)
        strips = len(tables[0])
        self._runs = np.zeros((strips, -(-max(1, self.code.runs) // WORDS) * WORDS), np.int64)
        self._jobs = np.zeros((len(tables), strips, len(JOB)), np.int64)
        for phase, job in zip(tables, self._jobs, strict=True):
            for steps, block, runs in zip(phase, job, self._runs, strict=True):
                words = {"steps": address(steps), "steps_end": address(steps) + steps.nbytes,
                         "layers": address(self._records), "banks": address(self._banks), "runs": address(runs)}
                block[:] = [words[name] for name in JOB]  # fmt: skip
        jobs = self._jobs.reshape(-1, len(JOB))
        self._addresses = np.array([address(job) for job in jobs], np.int64)
        self._state = np.zeros((len(tables), WORDS), np.int64)
        self._fresh = np.zeros_like(self._state)
        # A bit a strip that nobody has taken.
        self._fresh[:, 0] = (1 << strips) - 1
        words = {"phases": len(tables), "tables": strips, "run": self._library.address(RUN),
                 "jobs": address(self._addresses), "state": address(self._state), "syscall": 0}  # fmt: skip
        self._sequence = np.array([words[name] for name in SEQUENCE], np.int64)
        self._parts = np.array([(address(self._sequence), strip) for strip in range(strips)], np.int64)
        self._takers = np.array([address(part) for part in self._parts], np.int64)
        self._together = address(self._takers)

    def twin(self, phases: Phases | Schedule | None = None) -> LayerProgram:
        """The same network with memory of its own for what a run writes: it may run at the same time.

        Args:
            phases: its orders, or its schedule; that of this one without.
        """
        # Code, constants and records are shared; what a run writes is not.
        twin = copy.copy(self)
        if phases is not None:
            twin.schedule = phases if isinstance(phases, Schedule) else schedule(self.network, phases)
        twin._arrange()
        return twin

    def rows(self, number: int) -> Array:
        """A kept map, (height, width, channels): to be filled before a run, or looked at after it."""
        map_, ring = self.code.maps[number], self.schedule.rings[number][0]
        begin, each = ring.offset, map_.dtype.itemsize
        values = self._values.view(map_.dtype.numpy)
        whole = values[begin : begin + (map_.height - 1) * ring.size + map_.width * map_.pitch]
        strides = (each * ring.size, each * map_.pitch, each)
        return np.lib.stride_tricks.as_strided(whole, (map_.height, map_.width, map_.channels), strides)

    def timed(self, clock: Callable[[], float]) -> npt.NDArray[np.float64]:
        """Run all steps once, a strip after another, with what the last run was given.

        Returns: the seconds of a job without steps, which is what a call and a look at the clock take; then those of
            each phase and strip.
        """
        nothing = self._jobs[0, 0].copy()
        nothing[JOB.index("steps_end")] = nothing[JOB.index("steps")]
        jobs = [address(nothing), *self._addresses.tolist()]
        # Once before the clock: the first call meets cold memory.
        self._run(jobs[0])
        times = [clock()]
        for job in jobs:
            self._run(job)
            times.append(clock())
        return np.diff(times)

    def takes(self, lists: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The words (`FRAMES`) by which a thread takes frames through this program; what a batch gives is missing.

        Args:
            lists: its outputs by lists, rows of `LIST`.
        """
        words = {"table": address(self._banks), "jobs": address(self._addresses), "tables": len(self._addresses),
                 "lists": address(lists), "listed": len(lists)}  # fmt: skip
        return np.array([words.get(name, 0) for name in FRAMES], np.int64)

    def place(self, places: Mapping[int, int]) -> None:
        """The address of each of some banks from now on."""
        for number, place in places.items():
            self._banks[number] = place

    @property
    def taking(self) -> int:
        """The address of the function that does so."""
        return self._library.address(TAKE)

    def run(self, given: Mapping[int, Array] | None = None, workers: Workers | None = None) -> None:
        """Run all steps once.

        Args:
            given: what each bank but the program's own holds, contiguous; without, as before.
            workers: who share the strips of each phase; without, the caller makes one after another.
        """
        for number, array in (given or {}).items():
            assert array.dtype == self._types[number]
            assert array.flags.c_contiguous
            self._banks[number] = address(array)
        if workers is None or len(self._takers) == 1:
            for job in self._addresses.tolist():
                self._run(job)
            return
        self._state[:] = self._fresh
        self._sequence[_SYSCALL] = workers.syscall
        workers.run(workers.sequence, self._together, len(self._takers))
