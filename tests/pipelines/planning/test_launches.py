"""Plans for GPUs have the tiles of the code that is launched, and reckon with its registers and waves; and with what
trackers take."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from app.commands.source import sources
from kernels.codegen.nvrtc import Usage
from kernels.executors.cuda_shapes import Compiler
from kernels.ir.image import U8, ImageType
from pipelines.fusing import fuse, largest_groups
from pipelines.graph import Bound, bind
from pipelines.planning.devices import find_device
from pipelines.planning.launches import Launch, launches
from pipelines.planning.plan import Plan
from pipelines.planning.planner import Wishes, planner_of
from pipelines.trackers.blob import BlobTracker
from tests.shipped import fixed

CARD = find_device("h100")


def _bound(name: str, size: int = 512) -> Bound:
    return bind(fixed(name), ImageType(U8, size, size))


def _saying(registers: int) -> Compiler:
    """A compiler that says the same of every kernel."""

    def compiled(text: str) -> tuple[bytes, Mapping[str, Usage]]:
        names = re.findall(r"__global__ void __launch_bounds__\([^)]*\) (\w+)\(", text)
        return b"", {name: Usage(registers=registers, spills=0, stack=0, shared=0) for name in names}

    return compiled


def _launched(bound: Bound, compiled: Compiler, tile: tuple[int, int] | None = None, batch: int = 16) -> Plan:
    planner = planner_of(bound, CARD)
    plan = planner.plan(Wishes(batch=batch))
    units = fuse(bound, plan.partition, bound.taps)
    found = {tuple(node.id for node in unit.nodes): launches(unit.body, CARD, batch, compiled, tile) for unit in units}
    return planner.launched(plan, found)


@pytest.mark.parametrize("tile", [None, (32, 16)])
@pytest.mark.parametrize("name", ["blobs", "facial-markers"])
def test_the_plans_tile_is_the_codes(name: str, tile: tuple[int, int] | None) -> None:
    bound, compiled = _bound(name), _saying(40)
    plan = _launched(bound, compiled, tile)
    text = sources(bound, plan.partition, "cuda", compiled=compiled, tile=tile)[0][1]
    found = re.search(r"each for (\d+)x(\d+) pixels", text)
    assert found is not None
    printed = int(found[1]), int(found[2])
    group = plan.groups[0]
    assert (group.tile.bx, group.tile.by) == printed == group.launches[0].tile
    assert tile in (None, printed)


def test_registers_say_how_many_blocks_there_are() -> None:
    """As the occupancy calculator: 74 registers leave an H100 3 blocks of 256 threads, 37.5 % of its threads."""
    bound = _bound("facial-markers", 1024)
    (unit, *_) = fuse(bound, largest_groups(bound, bound.taps), bound.taps)
    (one,) = launches(unit.body, CARD, 16, _saying(74))
    assert (one.threads, one.resident, one.share, one.held) == (256, 3, 0.375, "registers")
    assert one.waves == one.blocks / (132 * 3)
    assert one.blocks == -(-1024 // one.tile[0]) * -(-1024 // one.tile[1])  # it marches: frames add no blocks


def test_few_registers_and_full_waves_are_faster() -> None:
    bound = _bound("facial-markers", 1024)
    few, many = (_launched(bound, _saying(registers)) for registers in (32, 168))
    assert many.groups[0].launches[0].share < 0.2
    assert many.groups[0].estimate.occupancy == many.groups[0].launches[0].share
    assert many.groups[0].estimate.seconds > 1.5 * few.groups[0].estimate.seconds
    assert many.estimate.seconds - few.estimate.seconds == pytest.approx(many.kernels - few.kernels)


def test_the_last_wave_is_as_long_as_the_others() -> None:
    one = Launch("k", (64, 32), 512, 256, 74, 0, 0, 3, "registers", 0.375, 512 / 396)
    assert one.tail == pytest.approx(2 * 396 / 512)
    assert replace(one, waves=2.0).tail == replace(one, waves=0.3).tail == 1.0


def test_without_a_compiler_nothing_is_said() -> None:
    bound = _bound("blobs")
    planner = planner_of(bound, CARD)
    plan = planner.plan()
    assert planner.launched(plan, {}).groups == plan.groups
    (unit, *_) = fuse(bound, plan.partition, bound.taps)
    assert launches(unit.body, CARD, 16, None) == ()


def test_trackers_are_priced(monkeypatch: pytest.MonkeyPatch) -> None:
    for device in ("h100", "this-cpu"):
        with monkeypatch.context() as patched:
            before = planner_of(_bound("blobs"), find_device(device)).plan(Wishes(batch=8))
            patched.setattr(BlobTracker, "seconds", BlobTracker.seconds + 1e-3)
            after = planner_of(_bound("blobs"), find_device(device)).plan(Wishes(batch=8))
        assert after.host - before.host == pytest.approx(1e-3)
        assert after.steady - before.steady == pytest.approx(1e-3)
    for name, least, there in (("template", 5e-4, 3e-5), ("vibration", 1e-4, 1.5e-5), ("corners", 8e-4, 2.5e-5),
                               ("blobs", 1.2e-5, 1.2e-5)):  # fmt: skip
        for device, given in (("this-cpu", least), ("h100", there)):
            plan = planner_of(_bound(name), find_device(device)).plan(Wishes(batch=8))
            assert given < plan.trackers < 2.5 * given
            assert plan.steady >= plan.trackers
        bound = _bound(name)  # nothing may rest there
        assert planner_of(replace(bound, asked=bound.taps), CARD).plan(Wishes(batch=8)).trackers > least
