"""How many blocks a multiprocessor holds at once, and what keeps it from holding more.

The rules are those of NVIDIA's occupancy calculator (CUDA C++ programming guide, compute capabilities): registers are
given to warps in units of 256, warps for that count in fours, shared memory is given to blocks in units of 128 bytes;
from compute capability 8.0 on each block takes 1 KB of it for the system (the difference between what a multiprocessor
has and what one block may use).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
WARP = 32
REGISTER_UNIT, WARP_UNIT, SHARED_UNIT, SYSTEM = 256, 4, 128, 1024
SHARED = 48 * 1024
"""Bytes of shared memory that every block may have without asking."""
LIMITS = ("threads", "blocks", "registers", "shared memory")


class Multiprocessor(Protocol):
    """What one has for its blocks (`kernels.executors.base.DeviceModel` says of what kind it is).

    Attributes:
        registers, threads, blocks: at most.
        thread_registers: of a thread at most.
        near_bytes: shared memory; `block_bytes`, of a block at most.
    """

    @property
    def registers(self) -> int: ...
    @property
    def threads(self) -> int: ...
    @property
    def blocks(self) -> int: ...
    @property
    def thread_registers(self) -> int: ...
    @property
    def near_bytes(self) -> int: ...
    @property
    def block_bytes(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Occupancy:
    """What one multiprocessor holds of a kernel.

    Args:
        blocks: at once.
        share: of the threads that it could hold at most.
        limit: what keeps it from holding more blocks, of `LIMITS`.
    """

    blocks: int
    share: float
    limit: str


def block_limits(device: Multiprocessor, threads: Vector, registers: Vector, shared: Vector) -> tuple[Vector, ...]:
    """Blocks that a multiprocessor can hold by each of `LIMITS`, whatever the others say.

    Args:
        device: a GPU.
        threads: of a block.
        registers: of a thread.
        shared: bytes of a block, static and dynamic.
    """
    warps = np.ceil(threads / WARP)
    of_warp = np.ceil(np.maximum(registers, 1) * WARP / REGISTER_UNIT) * REGISTER_UNIT
    held = np.floor(device.registers / of_warp / WARP_UNIT) * WARP_UNIT
    system = min(SYSTEM, max(0, device.near_bytes - device.block_bytes))
    taken = np.ceil((shared + system) / SHARED_UNIT) * SHARED_UNIT
    by_shared = np.where(taken > 0, np.floor(device.near_bytes / np.maximum(taken, 1)), device.blocks)
    return (np.floor(device.threads // WARP / warps), np.full_like(warps, device.blocks),
            np.where(registers <= device.thread_registers, np.floor(held / warps), 0.0),
            np.where(shared <= device.block_bytes, by_shared, 0.0))  # fmt: skip


def blocks_held(device: Multiprocessor, threads: Vector, registers: Vector, shared: Vector) -> Vector:
    """Blocks that a multiprocessor holds at once; arguments as in `block_limits`."""
    least: Vector = np.minimum.reduce(block_limits(device, threads, registers, shared))
    return least


def occupancy(device: Multiprocessor, threads: int, registers: int, shared: int = 0) -> Occupancy:
    """Of one kernel; arguments as in `block_limits`.

    >>> from pipelines.planning.devices import find_device
    >>> occupancy(find_device("a100"), 256, 40)
    Occupancy(blocks=6, share=0.75, limit='registers')
    """
    each = [float(v[0]) for v in block_limits(device, *(np.array([float(n)]) for n in (threads, registers, shared)))]
    least = min(each)
    warps = -(-threads // WARP)
    return Occupancy(int(least), least * warps * WARP / device.threads, LIMITS[each.index(least)])
