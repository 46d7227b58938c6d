"""Layouts of blocks: what they cost is counted without counting one by one, and what they share is found once."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.fusion import blocks_pass
from kernels.fusion.blocks import lower_blocks
from kernels.fusion.blocks_plan import Extent
from kernels.fusion.blocks_traffic import SECTOR, _sectors
from kernels.ir.image import F32, ImageType
from kernels.plugins import registry

SIZES = st.integers(1, 90)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_sectors_of_all_blocks_are_those_that_are_counted_one_by_one(data: st.DataObject) -> None:
    item = data.draw(st.sampled_from((1, 2, 3, 4, 6, 8, 16)))
    of, size = (data.draw(st.tuples(SIZES, SIZES)) for _ in range(2))
    stride = data.draw(st.sampled_from(((1, 1), (2, 2), (1, 3))))
    shift = data.draw(st.tuples(st.integers(-9, 9), st.integers(-9, 9)))
    box = Extent(*(data.draw(st.integers(0, 7)) for _ in range(4)))
    vector, tile = data.draw(st.sampled_from((4, 8))), (data.draw(st.sampled_from((8, 16, 32))), data.draw(SIZES))
    (dx, dy), (sx, sy), (high, wide), total = shift, stride, size, 0
    left, right = -(-box.left // vector) * vector, -(-box.right // vector) * vector
    for y in range(0, of[0], tile[1]):
        rows = {min(max(k * sy + dy, 0), high - 1)
                for k in range(max(0, y - box.up), min(of[0], min(of[0], y + tile[1]) + box.down))}  # fmt: skip
        for x in range(0, of[1], tile[0]):
            first, last = (min(max(k * sx + dx, 0), wide - 1) for k in (
                max(0, x - left), min(of[1], min(of[1], x + tile[0]) + right) - 1))  # fmt: skip
            total += sum(((r * wide + last + 1) * item - 1) // SECTOR - (r * wide + first) * item // SECTOR + 1
                         for r in rows)  # fmt: skip
    assert _sectors(item, shift, stride, size, box, vector, tile, of) == total


def test_what_is_the_same_for_all_tiles_is_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a body that tries cuts: passes are placed for each cut, not for each of its tiles and shapes too."""
    image = ImageType(F32, 128, 128)
    wide = registry()["dilate"].build([image], {"size": 25, "shape": "cross"})
    made, programs = [0], [0]
    place, build = blocks_pass.PassLayout.__init__, blocks_pass.PassLayout.build

    def placing(self: Any, *values: Any) -> None:
        made[0] += 1
        place(self, *values)

    def building(self: Any, *values: Any) -> Any:
        programs[0] += 1
        return build(self, *values)

    monkeypatch.setattr(blocks_pass.PassLayout, "__init__", placing)
    monkeypatch.setattr(blocks_pass.PassLayout, "build", building)
    lower_blocks(wide)
    assert programs[0] >= 36
    assert made[0] <= programs[0] // 8
