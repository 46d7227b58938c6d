"""The published figures of the seed chain: bytes per pixel of each partition, to the printed digit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipelines.planning.candidates import Candidates
from pipelines.planning.plan import Tile
from pipelines.planning.workload import Memory, Workload, workload
from tests.pipelines.planning.made import BARE, seed_chain

SIZE = 1 << 20  # so large that the image's edges, where the halo is cut, do not show in the printed digits


def bytes_per_pixel(work: Workload, groups: str, tile: Tile) -> float:
    """Traffic of a partition such as "01|234", stages by their number."""
    model = Candidates(work, BARE, (tile.bt,), tile)
    total = 0.0
    for group in groups.split("|"):
        costs = model.costs(sum(1 << int(k) for k in group))
        assert costs is not None
        assert float(costs.traffic[0]) == pytest.approx(float(costs.dram[0]))  # no cache: all of it reaches DRAM
        total += float(costs.traffic[0])
    return total / SIZE**2


@pytest.fixture(scope="module")
def seed() -> Workload:
    return workload(seed_chain(SIZE, SIZE))


@pytest.mark.parametrize(
    ("groups", "tile", "printed"),
    [
        ("0|1|2|3|4", Tile(32, 32, 1), "42.6"),
        ("01|234", Tile(32, 32, 1), "18.6"),
        ("01|234", Tile(32, 32, 8), "15.1"),
        ("01234", Tile(32, 32, 1), "16.3"),
        ("01234", Tile(32, 32, 8), "7.85"),
        ("01234", Tile(64, 64, 32), "6.06"),
    ],
)
def test_32_bit_intermediates(seed: Workload, groups: str, tile: Tile, printed: str) -> None:
    decimals = len(printed.partition(".")[2])
    assert f"{bytes_per_pixel(seed, groups, tile):.{decimals}f}" == printed


def _sixteen() -> Workload:
    work = workload(seed_chain(SIZE, SIZE, state16=True))
    assert work.tasks[1].memories == (Memory(4.0, -1),)
    return work


def test_16_bit_intermediates_as_printed() -> None:
    # The printed 13.8 and 10.3 count the rounded output as the state's write (and read 32 bits back).
    work = _sixteen()
    tasks = list(work.tasks)
    tasks[1] = replace(tasks[1], memories=(Memory(4.0, tasks[1].writes[0]),))
    work = replace(work, tasks=tuple(tasks))
    figures = [bytes_per_pixel(work, groups, Tile(32, 32, bt)) for bt in (1, 8) for groups in ("01|234", "01234")]
    assert [f"{f:.1f}" for f in figures[:3]] == ["13.8", "16.3", "10.3"]
    assert f"{figures[3]:.2f}" == "7.85"


def test_16_bit_intermediates_with_the_state_written() -> None:
    # A 32-bit state beside its 16-bit rounding must be written too: 4 / bt bytes more, and the split wins nowhere.
    work = _sixteen()
    figures = [bytes_per_pixel(work, groups, Tile(32, 32, bt)) for bt in (1, 8) for groups in ("01|234", "01234")]
    assert [f"{f:.1f}" for f in figures] == ["17.8", "16.3", "10.8", "7.8"]


def test_edges_are_counted_exactly(seed: Workload) -> None:
    """On a small image every box is counted one by one."""
    work = workload(seed_chain(100, 70))
    model = Candidates(work, BARE, (1,), Tile(32, 16, 1))
    costs = model.costs(0b11100)
    assert costs is not None
    pixels = 0
    for x in range(0, 100, 32):
        for y in range(0, 70, 16):
            pixels += (min(100, x + 32 + 3) - max(0, x - 3)) * (min(70, y + 16 + 3) - max(0, y - 3))
    assert costs.traffic[0] == pytest.approx(4 * pixels + 7000)
