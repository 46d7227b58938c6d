"""What networks give is a heat map, or no picture at all, and lies where the stage says."""

from __future__ import annotations

import numpy as np
import pytest

from app.desk.pipeline.heat_maps import heat_place, is_picture, lies_over
from kernels.ir.expr import const
from kernels.ir.image import F32
from kernels.ir.planes import spread
from kernels.networks.fitting import RESIZES, fitted
from pipelines.definition import loads

PIPELINE = """
[stages.gray]
[stages.half]
use = "pyramid_down"
[stages.net]
use = "network"
model = "shipped:quadrant_targets.onnx"
resize = "{}"
[stages.where]
use = "place"
inputs = {{ boxes = "net.boxes" }}
[stages.cut]
use = "warp"
inputs = {{ image = "source", placement = "where" }}
[stages.points]
use = "network"
model = "shipped:quadrant_targets.onnx"
"""


def test_lists_are_no_pictures_and_maps_of_crops_lie_elsewhere() -> None:
    pipeline = loads(PIPELINE.format("stretch"))
    for output, words, picture, over in (
        ("gray", "64x48 u8", True, False), ("gray", "64x1 u8", True, False), ("net", "16x12x17 f32", True, True),
        ("net.boxes", "16x12x17 f32", True, True), ("net.scores", "1x896x16 f32", False, False),
        ("net.vector", "1x1x1404 f32", False, False), ("points", "16x16 f32", True, False),
        ("gray", "table", False, False),
    ):  # fmt: skip
        assert (is_picture(pipeline, output, words), lies_over(pipeline, output, words)) == (picture, over), output


@pytest.mark.parametrize("resize", RESIZES)
def test_a_map_lies_where_the_placement_says(resize: str) -> None:
    taken = (36, 48) if resize == "none" else (32, 40)  # height, width of what the network gets of a frame of 48 x 36
    (across, _, x, _, down, y, *_) = fitted([spread(const(0.0, F32), (36, 48))], taken, resize, 0.0)[1]
    left, top, wide, high = heat_place(
        loads(PIPELINE.format(resize)), "net", (taken[1] / 4, taken[0] / 4), (48, 36)
    )  # fmt: skip
    np.testing.assert_allclose((wide, high), (across * taken[1], down * taken[0]))
    np.testing.assert_allclose((left, top), (x + 0.5 - 0.5 * across, y + 0.5 - 0.5 * down), atol=1e-9)
