"""The fused seed chain's bytes a pixel, counted by the emulator, beside those of the planner's plan."""

from __future__ import annotations

import pytest

from app.benchmark.chains import CHAINS
from kernels.fusion.blocks import lower_blocks
from kernels.fusion.blocks_traffic import moved
from kernels.ir.image import U8, ImageType
from pipelines.definition import loads
from pipelines.graph import bind
from pipelines.planning.devices import find_device
from pipelines.planning.plan import Tile
from pipelines.planning.planner import Wishes, planner_of
from tests.kernels.codegen.shipped import chain
from tests.kernels.codegen.traffic import count

MOST = 1.15
"""The fused seed chain's counted bytes over its plan's."""


def planned(frame: ImageType, tile: tuple[int, int], batch: int, device: str) -> float:
    """The plan's bytes a pixel, for a kernel of all stages with this tile."""
    planner = planner_of(bind(loads(CHAINS["seed"].text), frame), find_device(device))
    plan = planner.plan(Wishes(batch=batch, tile=Tile(*tile, batch)))
    assert len(plan.groups) == 1
    return plan.estimate.traffic / plan.pixels


@pytest.mark.parametrize("device", ["rtx3060", "h100"])
@pytest.mark.parametrize("batch", [8, 16])
def test_the_model_of_blocks_says_little_more_than_the_plan(device, batch):
    frame = ImageType(U8, 512, 512, 4)
    (unit,) = chain("seed", frame)
    program = lower_blocks(unit.body)
    assert moved(program, batch)[0].bytes <= MOST * planned(frame, program.tile, batch, device)


def test_the_emulator_counts_little_more_than_the_plan_says(emulator):
    """Half of a frame of 512x512 RGBA, in a batch of 8."""
    frame = ImageType(U8, 256, 512, 4)
    (unit,) = chain("seed", frame)
    program = lower_blocks(unit.body)
    (each,) = count(program, emulator, 8)
    assert each.counted.bytes <= MOST * planned(frame, program.tile, 8, "h100")
    assert each.counted.bytes == pytest.approx(moved(program, 8)[0].bytes, rel=0.01)
    assert each.conflicts <= 1.05
