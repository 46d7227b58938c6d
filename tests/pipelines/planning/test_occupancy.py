"""The occupancy formula against figures of NVIDIA's occupancy calculator."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.fusion.occupancy import blocks_held, occupancy
from pipelines.planning.devices import find_device

KB = 1024


@pytest.mark.parametrize(
    ("device", "threads", "registers", "shared", "blocks", "percent", "limit"),
    [
        # compute capability 7.5: 1024 threads, 16 blocks, 64 KB
        ("gtx1660", 256, 32, 0, 4, 100, "threads"),
        ("gtx1660", 256, 64, 0, 4, 100, "threads"),
        ("gtx1660", 256, 65, 0, 3, 75, "registers"),  # 65 -> 72 registers: 28 warps
        ("gtx1660", 32, 16, 0, 16, 50, "blocks"),
        ("gtx1660", 128, 16, 32 * KB, 2, 25, "shared memory"),  # nothing is taken for the system
        # 8.0: 2048 threads, 32 blocks, 164 KB, of which a block may have 163
        ("a100", 256, 32, 0, 8, 100, "threads"),
        ("a100", 256, 33, 0, 6, 75, "registers"),  # 40 registers: 48 warps
        ("a100", 128, 63, 0, 8, 50, "registers"),
        ("a100", 1024, 33, 0, 1, 50, "registers"),
        ("a100", 1024, 65, 0, 0, 0, "registers"),  # 72 x 1024 are more than there are
        ("a100", 256, 32, 48 * KB, 3, 37.5, "shared memory"),
        ("a100", 64, 168, 0, 6, 18.75, "registers"),  # 5376 a warp: 12 warps
        # 8.6 and 8.9: 1536 threads, 16 (24) blocks, 100 KB
        ("rtx3060", 256, 40, 0, 6, 100, "threads"),
        ("rtx3060", 256, 48, 0, 5, 83.3, "registers"),  # 42 warps, counted in fours: 40
        ("rtx3060", 64, 32, 0, 16, 66.7, "blocks"),
        ("rtx4090", 64, 32, 0, 24, 100, "threads"),
        ("rtx4090", 128, 32, 24 * KB, 4, 33.3, "shared memory"),
        # 9.0: 2048 threads, 32 blocks, 228 KB
        ("h100", 512, 64, 0, 2, 50, "registers"),
        ("h100", 256, 32, 100 * KB, 2, 25, "shared memory"),
        ("h100", 33, 32, 0, 32, 100, "threads"),  # two warps a block
        # 10.0: as 9.0; 12.0: as 8.9
        ("cuda:sm_100", 256, 32, 100 * KB, 2, 25, "shared memory"),
        ("cuda:sm_100", 64, 32, 0, 32, 100, "threads"),
        ("cuda:sm_120", 64, 32, 0, 24, 100, "threads"),
        ("cuda:sm_120", 128, 32, 24 * KB, 4, 33.3, "shared memory"),
    ],
)
def test_the_calculators_figures(
    device: str, threads: int, registers: int, shared: int, blocks: int, percent: float, limit: str
) -> None:
    found = occupancy(find_device(device), threads, registers, shared)
    assert (found.blocks, found.limit) == (blocks, limit)
    assert 100 * found.share == pytest.approx(percent, abs=0.05)


def test_vectors_are_the_single_figures() -> None:
    rng = np.random.default_rng(3)
    for name in ("gtx1660", "rtx4090", "h100"):
        device = find_device(name)
        threads, registers, shared = rng.integers(32, 1025, 50), rng.integers(1, 300, 50), rng.integers(0, 120_000, 50)
        made = blocks_held(device, *(v.astype(float) for v in (threads, registers, shared)))
        alone = [occupancy(device, *map(int, v)).blocks for v in zip(threads, registers, shared, strict=True)]
        assert made.tolist() == alone


def test_what_is_not_allowed_fits_nowhere() -> None:
    device = find_device("rtx3060")
    assert occupancy(device, 128, 256).blocks == 0
    assert occupancy(device, 128, 32, 100 * KB).blocks == 0
    assert occupancy(device, 128, 32, 99 * KB).blocks == 1
