"""What the planner must know of a GPU, by what its driver says of it."""

from __future__ import annotations

from collections.abc import Callable

from kernels.executors.base import DeviceModel

TENSOR_RATES = {
    "sm_80": (512, 1024, 2048), "sm_86": (128, 256, 1024), "sm_87": (512, 1024, 2048), "sm_89": (128, 256, 1024),
    "sm_90": (1024, 2048, 4096), "sm_100": (2048, 4096, 8192), "sm_120": (128, 256, 1024),
}  # fmt: skip
"""Multiply-adds of tf32, f16 and int8 that the tensor cores of a multiprocessor make in a clock, dense, sums in 32 bits
(NVIDIA's architecture whitepapers: A100, GA102, Orin, AD102, H100, Blackwell RTX; sm_100 from what is published of the
B200). Of sm_75 some cards have none."""
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
    tensor = [rate * units * clock for rate in TENSOR_RATES.get(architecture, (0, 0, 0))]
    return DeviceModel(
        name, "cuda", units, dram=dram, cache=max(32 * units * clock, dram), near=128 * units * clock,
        cache_bytes=ask("L2CacheSize"), near_bytes=ask("MaxSharedMemoryPerMultiprocessor"),
        block_bytes=ask("MaxSharedMemoryPerBlockOptin"), rate=lanes * units * clock, launch=4e-6, bus=24e9,
        registers=ask("MaxRegistersPerMultiprocessor"), threads=ask("MaxThreadsPerMultiProcessor"),
        blocks=ask("MaxBlocksPerMultiprocessor"), tensor_tf32=tensor[0], tensor_f16=tensor[1], tensor_int8=tensor[2],
        origin="default",
    )  # fmt: skip
