"""Tracks are drawn over what lies where the frame does."""

from __future__ import annotations

from app.desk.pipeline.frame_grid import on_frame_grid
from pipelines.definition import loads

PIPELINE = loads("""
[stages.gray]
[stages.half]
use = "pyramid_down"
[stages.net]
use = "network"
inputs = "gray"
model = "shipped:quadrant_targets.onnx"
[stages.where]
use = "place"
inputs = { boxes = "net.boxes" }
[stages.crop]
use = "warp"
inputs = { image = "source", placement = "where" }
[stages.smooth]
use = "gaussian"
inputs = "crop"
""")
FRAME = (64, 48)


def test_crops_and_maps_of_another_size_lie_elsewhere() -> None:
    for output in ("", "gray", "net", "net.placement"):
        assert on_frame_grid(PIPELINE, output, FRAME, FRAME), output
    assert on_frame_grid(PIPELINE, "half", (32, 24), FRAME)
    for output in ("crop", "smooth", "net", "net.boxes", "where"):
        assert not on_frame_grid(PIPELINE, output, (32, 32), FRAME), output
    assert not on_frame_grid(PIPELINE, "crop", FRAME, FRAME)
    assert on_frame_grid(PIPELINE, "gone", (32, 32), FRAME)
