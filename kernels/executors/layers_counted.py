"""Networks of layers that count, while they run, what their row kernels read and write.

Of each phase (what lies between two cuts) it is counted byte by byte in the memory of the program that runs
(`kernels.codegen.layers_watched`): maps that enter or leave the phase, weights, and the rows at hand between its
layers. A byte counts once a phase however often it is looked at: rows that are looked at again are at hand, and so is
what the phase made itself.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.codegen.layers_network import Network
from kernels.codegen.layers_watched import WATCH, WRITTEN
from kernels.executors.layers import LayerProgram
from kernels.executors.machine import Machine
from kernels.executors.memory import address, aligned
from kernels.fusion.layers_runs import map_bytes
from kernels.fusion.layers_schedule import Phases, own_maps

Array = npt.NDArray[Any]
_APART = 256
"""Bytes between pieces of watched memory, at least: what lies behind a piece is none of the next."""


@dataclass(frozen=True, slots=True)
class Accesses:
    """Bytes that a phase reads and writes; those of `values` are activations.

    Args:
        read, written: of whole maps, which enter and leave it.
        values: how many values these are together.
        weights: weights, biases and other constants that are read.
        rings: of the program's own memory that is touched for nothing but rows at hand.
    """

    read: int
    written: int
    values: int
    weights: int
    rings: int


class CountedProgram(LayerProgram):
    """A network that counts as it runs, a hundred times as slowly.

    Args:
        network, phases, machine: see `LayerProgram`.
    """

    watching = True

    def __init__(self, network: Network, phases: Phases, machine: Machine, cached: bool = True) -> None:
        self._own = own_maps(network, phases)
        self._looked = [
            {m for n in {n for order in phase for n, _ in order}
             for m in (network.layers[n].place.map, *(look.map for look in network.layers[n].looks))}
            for phase in phases
        ]  # fmt: skip
        self._block = self._notes = aligned(0)
        self._used, self._rooms = 0, dict[int, Array]()
        super().__init__(network, phases, machine, cached)
        watch = ctypes.CFUNCTYPE(None, *(ctypes.c_uint64,) * 3)(self._library.address(WATCH))
        watch(address(self._block), self._block.nbytes, address(self._notes))

    def _room(self, size: int) -> Array:
        if not self._block.size:
            self._block = aligned(self._needed())
            self._notes = np.zeros_like(self._block)
        begin, self._used = self._used, self._used + _apart(size)
        return self._block[begin : begin + size]

    def _needed(self) -> int:
        """Bytes of all constants, of the program's own memory, and of copies of what is given."""
        found = _apart(4 * self.schedule.values)
        for layer in self.network.settled():
            found += sum(_apart(array.nbytes) for array in (layer.weights, layer.bias, layer.scalars, *layer.tables))
        banks = {bank: _apart(map_bytes(map_)) for map_ in self.network.maps
                 for bank in (map_.bank, *(bank for _, _, bank in map_.parts)) if bank}  # fmt: skip
        return found + sum(banks.values())

    def _noted(self, array: Array) -> Array:
        """The notes on a piece of watched memory."""
        begin = address(array) - address(self._block)
        return self._notes[begin : begin + array.nbytes]

    def counted(self, given: Mapping[int, Array] | None = None) -> list[Accesses]:
        """Run all steps once, and what each phase reads and writes.

        Args:
            given: see `LayerProgram.run`.
        """
        for number, array in (given or {}).items():
            if number not in self._rooms:
                self._rooms[number] = self._room(array.nbytes)
            self._rooms[number][:] = array.reshape(-1).view(np.uint8)
            self._banks[number] = address(self._rooms[number])
        found = []
        self._notes[:] = 0
        for phase, looked in zip(self._addresses.reshape(len(self._looked), -1), self._looked, strict=True):
            for job in phase.tolist():
                self._run(job)
            found.append(self._accesses(looked))
        for number, array in (given or {}).items():
            array.reshape(-1).view(np.uint8)[:] = self._rooms[number]
        return found

    def _accesses(self, looked: Collection[int]) -> Accesses:
        """Take down the notes on the maps of a phase."""
        read = written = values = rings = 0
        banks: set[int] = set()
        for number in looked:
            map_ = self.network.maps[number]
            own = number in self._own and not map_.bank
            if own:
                rings += sum(_taken(notes) for notes in self._of_rings(number))
            elif not map_.bank or map_.bank not in banks:
                banks.add(map_.bank)
                for notes in self._of_map(number):
                    put = int(np.count_nonzero(notes & WRITTEN))
                    got = int(np.count_nonzero(notes)) - put  # READ alone
                    read, written, values = read + got, written + put, values + (got + put) // map_.dtype.itemsize
                    notes[:] = 0
        return Accesses(read, written, values, sum(_taken(self._noted(array)) for array in self._alive), rings)

    def _of_map(self, number: int) -> list[Array]:
        """The notes on the values of a map that is whole, (height, width, bytes of a pixel) or (height, channels, bytes
        of a plane's row), or on the arrays that it leaves in.
        """
        map_, ring = self.network.maps[number], self.schedule.rings[number][0]
        if map_.bank:
            return [self._noted(self._rooms[bank])
                    for bank in ([bank for _, _, bank in map_.parts] or [map_.bank])]  # fmt: skip
        each = map_.dtype.itemsize
        begin = self._noted(self._values)[each * ring.offset :]
        shape, step = (map_.height, map_.width, each * map_.channels), map_.pitch
        if map_.planes:
            shape, step = (map_.height, map_.channels, each * map_.width), ring.channel
        return [np.lib.stride_tricks.as_strided(begin, shape, (each * ring.size, each * step, 1))]

    def _of_rings(self, number: int) -> list[Array]:
        """The notes on the rows that each strip has of a map."""
        map_ = self.network.maps[number]
        each, notes = map_.dtype.itemsize, self._noted(self._values)
        begins = [(ring.offset - ring.left * map_.pitch, ring.rows * ring.size) for ring in self.schedule.rings[number]]
        return [notes[each * first : each * (first + size)] for first, size in begins]


def _apart(size: int) -> int:
    """Bytes that a piece of watched memory takes, so that what lies behind it is none of the next."""
    return -(-(size + _APART) // 64) * 64


def _taken(notes: Array) -> int:
    """How many bytes there are notes on, which are cleared."""
    found = int(np.count_nonzero(notes))
    notes[:] = 0
    return found


def total(phases: Sequence[Accesses]) -> Accesses:
    """Of a frame: all phases together; of the rows at hand, which take one place after another, the most."""
    names = ("read", "written", "values", "weights")
    sums = {name: sum(getattr(one, name) for one in phases) for name in names}
    return Accesses(**sums, rings=max((one.rings for one in phases), default=0))
