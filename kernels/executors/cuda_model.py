"""What the planner must know of a GPU, by what its driver says of it."""

from __future__ import annotations

from collections.abc import Callable

from kernels.executors.base import DeviceModel

CLOCK, DRAM = 1e9, 100e9
"""Hz and bytes/s, cautious, of a GPU whose driver does not say them; `fusetrack doctor --calibrate` measures the
latter."""


def described(name: str, architecture: str, ask: Callable[[str], int]) -> DeviceModel:
    """A model of a GPU; bandwidths by clock and bus width.

    Args:
        name: of the device ("cuda:0").
        architecture: such as "sm_90".
        ask: the value of an attribute, by its name in the runtime without cudaDevAttr.
    """
    clock = ask("ClockRate") * 1e3 or CLOCK  # virtual and embedded GPUs do not say all of it
    units = ask("MultiProcessorCount")
    dram = 2 * ask("MemoryClockRate") * 1e3 * ask("GlobalMemoryBusWidth") / 8 or DRAM
    lanes = 64 if architecture in ("sm_75", "sm_80") else 128
    return DeviceModel(
        name, "cuda", units, dram=dram, cache=max(32 * units * clock, dram), near=128 * units * clock,
        cache_bytes=ask("L2CacheSize"), near_bytes=ask("MaxSharedMemoryPerMultiprocessor"),
        block_bytes=ask("MaxSharedMemoryPerBlockOptin"), rate=lanes * units * clock, launch=4e-6, bus=24e9,
        registers=ask("MaxRegistersPerMultiprocessor"), threads=ask("MaxThreadsPerMultiProcessor"),
        blocks=ask("MaxBlocksPerMultiprocessor"), origin="default",
    )  # fmt: skip
