"""Networks of layers as machine code: rows by row kernels, in the order of tables of steps, which threads share.

Bit for bit the fixed order of sums (`kernels.codegen.layers_dense`, `layers_depthwise`; whole numbers are exact in any
order), whatever the schedule and the processor.
"""

from __future__ import annotations

import copy
import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_across import Across
from kernels.codegen.layers_dense import DRIVER, Tile
from kernels.codegen.layers_dense_int8 import INT8_DRIVER, Int8Tile
from kernels.codegen.layers_dot import FOUR
from kernels.codegen.layers_network import Layer, Network
from kernels.codegen.layers_record import FIELDS, FRAMES, JOB, at
from kernels.codegen.layers_steps import RUN, TAKE, Kernel, generate
from kernels.codegen.layers_target import Target
from kernels.codegen.layers_watched import WATCH, watched
from kernels.codegen.pool import LINE, SEQUENCE, architecture
from kernels.executors.cache import ObjectCache
from kernels.executors.machine import Library, Machine
from kernels.executors.manifest import generator, name_of
from kernels.executors.memory import address, aligned
from kernels.executors.workers import Workers
from kernels.fusion.layers_schedule import Phases, filled, schedule

Array = npt.NDArray[Any]


def target_of(machine: Machine) -> Target:
    """The register tiles for a machine."""
    return Target.of(architecture(machine.triple), machine.cpu, machine.features)


def compiled(
    kernels: Sequence[Kernel], target: Target, machine: Machine, cache: ObjectCache | None, watching: bool = False
) -> Library:
    """The machine code of some row kernels and of what runs steps; kept on disk under what it is made from.

    Args:
        watching: whether they note what they read and write (`kernels.codegen.layers_watched`).
    """
    unique = list(dict.fromkeys(kernels))
    names = [RUN, TAKE, DRIVER, INT8_DRIVER, *(kernel.name for kernel in unique), *([WATCH] if watching else [])]
    key = name_of("layers", generator(), repr(target), *names, *machine.identity) if generator() else ""
    made = cache.get(key) if cache and key else None
    if made is None:
        text = generate(unique, target).text
        made = machine.compile(watched(text) if watching else text)
        if cache and key:
            cache.put(key, made)
    return machine.load(made, names)


class LayerProgram:
    """A network that runs.

    Args:
        network: written for `target_of(machine)`, or for tiles that this machine can run, too.
        phases: the orders of all its rows (see `kernels.fusion.layers_schedule`); `[[order]]` is one order.
        machine: the compiler.
        cached: whether machine code is kept on disk.

    Raises:
        DefinitionError: the order cannot be.
    """

    def __init__(self, network: Network, phases: Phases, machine: Machine, cached: bool = True) -> None:
        self.network = network
        self.schedule = schedule(network, phases)
        layers = network.settled()
        kernels = [kernel for layer in layers for kernel in layer.kernels]
        self._library = compiled(kernels, network.target, machine, ObjectCache() if cached else None, self.watching)
        self._alive: list[Array] = []
        self._records = np.zeros((len(network.layers), len(FIELDS)), np.int64)
        for record, layer, words in zip(self._records, layers, self.schedule.words, strict=True):
            self._record(record, layer, words)
        self._run: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._library.address(RUN))
        self._types = {bank: map_.dtype.numpy for map_ in network.maps
                       for bank in (map_.bank, *(bank for _, _, bank in map_.parts))}  # fmt: skip
        self._arrange()

    watching = False
    """Whether its code notes what it reads and writes."""

    def _room(self, size: int) -> Array:
        """Bytes for constants and for what a run writes, from a line on."""
        return aligned(size)

    def _arrange(self) -> None:
        """The memory that a run works in, and the blocks of its jobs."""
        tables = self.schedule.steps
        self._values = self._room(4 * self.schedule.values).view(np.float32)
        filled(self._values, self.schedule)
        self._banks = np.zeros(1 + max(self._types, default=0), np.int64)
        self._banks[0] = address(self._values)
        strips = len(tables[0])
        self._runs = np.zeros((strips, -(-max(1, self.network.runs) // LINE) * LINE), np.int64)
        self._jobs = np.zeros((len(tables), strips, len(JOB)), np.int64)
        for phase, job in zip(tables, self._jobs, strict=True):
            for steps, block, runs in zip(phase, job, self._runs, strict=True):
                words = {"steps": address(steps), "steps_end": address(steps) + steps.nbytes,
                         "layers": address(self._records), "banks": address(self._banks), "runs": address(runs)}
                block[:] = [words[name] for name in JOB]  # fmt: skip
        jobs = self._jobs.reshape(-1, len(JOB))
        self._addresses = np.array([address(job) for job in jobs], np.int64)
        self._state = np.zeros((len(tables), LINE), np.int64)
        self._fresh = np.zeros_like(self._state)
        self._fresh[:, 0] = (1 << strips) - 1
        words = {"phases": len(tables), "tables": strips, "run": self._library.address(RUN),
                 "jobs": address(self._addresses), "state": address(self._state), "syscall": 0}  # fmt: skip
        self._sequence = np.array([words[name] for name in SEQUENCE], np.int64)
        self._parts = np.array([(address(self._sequence), strip) for strip in range(strips)], np.int64)
        self._takers = np.array([address(part) for part in self._parts], np.int64)

    def twin(self, phases: Phases | None = None) -> LayerProgram:
        """The same network with memory of its own for what a run writes: it may run at the same time.

        Args:
            phases: its orders; those of this one without.
        """
        made = copy.copy(self)
        made.schedule = self.schedule if phases is None else schedule(self.network, phases)
        made._arrange()
        return made

    def _at(self, array: Array) -> int:
        """Where constants lie, which stay alive with the program. Vectors may be loaded up to the end of a line."""
        if not array.size:
            return 0
        kept = self._room(array.nbytes)
        kept[:] = np.ascontiguousarray(array).view(np.uint8).ravel()
        self._alive.append(kept)
        return address(kept)

    def _record(self, record: npt.NDArray[np.int64], layer: Layer, words: int) -> None:
        maps, look, place = self.network.maps, layer.looks[0], layer.place
        source, result = maps[look.map], maps[place.map]
        first = layer.kernels[0]
        dense = isinstance(first, Tile | Across | Int8Tile)
        step_in, step_out, *steps = self.network.steps(layer)
        names = {Tile: DRIVER, Across: DRIVER, Int8Tile: INT8_DRIVER}
        values = {
            "function": self._library.address(names.get(type(first), first.name)),
            "words": words,
            "bank_out": result.bank,
            "bank_in": source.bank,
            "width": layer.size[1],
            "channels": layer.channels,
            "step_out": step_out,
            "step_in": step_in,
            "rows": look.taps[0],
            "taps": look.taps[1],
            "step_tap": source.pitch * look.dilation[1],
            "blocks": layer.run[0],
            "step_block": layer.run[1] * layer.step_run,
            "run": layer.run[1],
            "run_last": layer.run[2],
            "step_run": layer.step_run,
            "weights": self._at(layer.weights),
            "bias": self._at(layer.bias),
        }
        if dense:
            values["segments"] = len(layer.counts)
            for k, (tile, count) in enumerate(zip(layer.kernels, layer.counts, strict=True)):
                values |= {f"tile{k}": self._library.address(tile.name), f"count{k}": count}
        for k, (beside, step) in enumerate(zip(layer.looks[1:], steps, strict=True)):
            values |= {f"bank_beside{k}": maps[beside.map].bank, f"step_beside{k}": step}
        values |= {f"table{k}": self._at(table) for k, table in enumerate(layer.tables)}
        values["scalars"] = self._at(layer.scalars)
        for name, value in values.items():
            record[at(name)] = value
        if layer.joined:
            record[at("taps")] = 1
        elif dense and layer.run[0] == 1:
            # Taps that lie side by side are one run: the same steps in the same order, in a longer loop.
            room = layer.run[1] * (FOUR if isinstance(first, Int8Tile) else layer.step_run)
            if room == values["step_tap"]:
                record[at("taps")], record[at("run_last")] = 1, layer.run[1] * look.taps[1]

    def rows(self, number: int) -> Array:
        """A kept map, (height, width, channels): to be filled before a run, or looked at after it."""
        map_, ring = self.network.maps[number], self.schedule.rings[number][0]
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
        self._sequence[SEQUENCE.index("syscall")] = workers.syscall
        workers.run(workers.sequence, address(self._takers), len(self._takers))
