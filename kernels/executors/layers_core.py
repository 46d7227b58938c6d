"""What this machine's cores make and move, measured with the code that networks of layers consist of.

Multiply-adds as `PeakLoop` makes them; bytes as a layer that only copies moves them: between maps that stay in a core's
own second cache, and between maps that are several times as large, where each line that is written is fetched before;
where it counts, also between maps that are larger than the shared cache.
Figures are the least times of all rounds: whatever else runs on the machine only adds. What all processors share is
seldom left alone for long, so there a round is some milliseconds, as a network is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import thread_time

import numpy as np

from kernels.codegen.layers_network import Network
from kernels.executors.layers import LayerProgram, target_of
from kernels.executors.machine import Machine
from kernels.executors.peak import PeakLoop
from kernels.executors.placement import first_cache, own_cache, shared_cache, shared_part
from kernels.fusion.layers import Look
from kernels.fusion.layers_runs import Core
from kernels.fusion.layers_schedule import pulled

WIDTH, CHANNELS = 32, 32
"""Of the maps that are copied."""
SHARE, TIMES = 8, 8
"""A map that stays near is this part of the second cache; one that does not is as many times as large."""
BEYOND = 2
"""A map that no cache holds is as many times as large as the shared one."""
IN_A_ROW = 3


class CoreProbe:
    """Measures a core, a round at a time, so that what it is compared with can have its turns between.

    Args:
        clock: seconds.
        beyond: whether what memory gives counts; else it is told as it is without a measurement.
    """

    def __init__(self, machine: Machine, clock: Callable[[], float] = thread_time, beyond: bool = False) -> None:
        self._clock, self._room, self._lanes = clock, own_cache(), target_of(machine).lanes
        self._peak = PeakLoop(machine)
        self._near, self._far = _copy(machine, self._room // SHARE), _copy(machine, self._room * TIMES)
        self._beyond = _copy(machine, shared_cache() * BEYOND) if beyond else None
        self._took = np.full((4, 2), np.inf)

    def round(self) -> None:
        """Measure once more."""
        for _ in range(IN_A_ROW):
            begin = self._clock()
            self._peak()
            self._took[0, 1] = min(self._took[0, 1], self._clock() - begin)
        near = np.min([self._near.timed(self._clock) for _ in range(IN_A_ROW)], axis=0)
        far = np.mean([self._far.timed(self._clock) for _ in range(IN_A_ROW)], axis=0)  # as long as a network takes
        self._took[1:3] = np.minimum(self._took[1:3], [near, far])
        if self._beyond is not None:
            self._took[3] = np.minimum(self._took[3], self._beyond.timed(self._clock))

    @property
    def core(self) -> Core:
        """What was found."""
        took = self._took[:, 1] - np.where(np.isinf(self._took[:, 0]), 0, self._took[:, 0])
        peak, near, far, beyond = (max(float(seconds), 1e-9) for seconds in took)
        sizes = [4.0 * program.rows(0).size for program in (self._near, self._far)]
        core = Core(self._room, first_cache(), self._peak.macs / self._lanes / peak, 2 * sizes[0] / near,
                    3 * sizes[1] / far, shared_part())  # fmt: skip
        if self._beyond is None:
            return core
        # Copies of both sizes fetch each line that they write; no cache is slower than memory but by mischance.
        return replace(core, memory=min(core.shared, 3 * 4.0 * self._beyond.rows(0).size / beyond))


def _copy(machine: Machine, size: int) -> LayerProgram:
    """A layer that copies a map of so many bytes."""
    network = Network(target_of(machine))
    height = max(1, size // (4 * WIDTH * CHANNELS))
    source = network.map(height, WIDTH, CHANNELS, kept=True)
    network.maps[network.move([Look(source)], (height, WIDTH), CHANNELS)].kept = True
    return LayerProgram(network, [[pulled(network)]], machine)
