"""The lowering to blocks: offsets, halos, and memory that tiles share, against what they mean."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kernels.executors.reference import border_index
from kernels.fusion.blocks import BLOCKS, blocks, cost, lower_blocks, work
from kernels.fusion.blocks_plan import is_far, offset, reach
from kernels.fusion.blocks_traffic import marches, moved
from kernels.ir.image import F32, U8, ImageType
from kernels.ir.planes import BORDERS, Border, input_plane, load
from tests.kernels.codegen.shipped import chain
from tests.kernels.test_conformance import STAGES
from tests.strategies import bodies


@given(st.integers(-50, 50), st.integers(1, 12), st.sampled_from(BORDERS))
def test_the_shortest_offset_sees_the_same_pixels(d, length, mode):
    here = np.arange(length)
    assert np.array_equal(
        border_index(here + d, length, mode), border_index(here + offset(d, length, mode), length, mode)
    )
    assert abs(offset(d, length, mode)) <= length


@given(st.integers(-9, 9), st.integers(-9, 9), st.sampled_from(BORDERS), st.integers(1, 8), st.integers(1, 8))
def test_a_halo_holds_what_is_seen_and_what_fills_it(dx, dy, mode, height, width):
    """From any pixel, the cell that is looked at and (wrap aside) the pixel from which it is filled."""
    node = load(input_plane(0, 0, F32, (height, width)), Border(mode), dx, dy)
    if node.op == "input":
        return
    halo = reach(node)
    for length, d, back, ahead in ((width, dx, halo.left, halo.right), (height, dy, halo.up, halo.down)):
        for here in range(length):
            cell = here + offset(d, length, mode)
            assert -back <= cell - here <= ahead
            source = int(border_index(np.array([cell]), length, mode)[0])
            if mode in ("reflect101", "replicate"):
                assert -back <= source - here <= ahead


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(bodies())
def test_tiles_that_live_together_lie_apart(body):
    """Between the stage that makes a tile and the last that looks at it nobody else writes its bytes."""
    program = lower_blocks(body, (8, 4), 4, 32, 1 << 20)
    for plan in program.passes:
        depth = {thing.plane: thing.depth for thing in plan.things}
        lives = []
        for region in plan.regions:
            # gathers and far looks read memory, not the tile
            looks = [(t, u) for t in plan.things for u in t.uses if u.target is region.plane]
            users = [t.depth for t, u in looks if u.kind == "at" or (u.kind == "load" and not is_far(u.node))]
            size = region.cells * region.plane.dtype.itemsize * (1 + region.double)
            lives.append((region, depth[region.plane], max(users), region.offset, region.offset + size))
        for i, (a, made, last, start, end) in enumerate(lives):
            assert end <= plan.shared
            for b, made_b, last_b, start_b, end_b in lives[i + 1 :]:
                if made <= last_b and made_b <= last:
                    assert end <= start_b or end_b <= start, f"{a.name} and {b.name}"


@pytest.mark.parametrize("size", [5, 31])
def test_larger_halos_cost_more_and_the_choice_is_among_the_cheap(size):
    body = STAGES["gaussian"].build([ImageType(F32, 256, 256)], {"size": size, "sigma": 3.0})
    small, large = (lower_blocks(body, tile, shared=1 << 17) for tile in ((16, 4), (64, 32)))
    assert cost(small) > cost(large)
    assert work(small) > work(large) > 1
    assert cost(lower_blocks(body)) < cost(small)


def test_large_tiles_are_taken_where_there_are_blocks_enough():
    """Blocks that march keep one frame of blocks for a batch; others have one for each of its frames."""
    for chain_, size, tile in (("unsharp", 512, (64, 32)), ("seed", 512, (64, 16)), ("seed", 1024, (64, 32))):
        (unit,) = chain(chain_, ImageType(U8, size, size, 4 if chain_ == "seed" else 1))
        program = lower_blocks(unit.body)
        assert program.tile == tile
        assert blocks(program) >= BLOCKS
        assert marches(program) == (chain_ == "seed")
        larger = lower_blocks(unit.body, (64, 32))
        assert sum(m.bytes for m in moved(larger, 8)) <= sum(m.bytes for m in moved(program, 8))
