"""Heat maps, coordinates and boxes with anchors as tables that are made on the device: the reference's bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernels.centroids.background_simd import flattened
from kernels.codegen import cuda_decoders, nvrtc
from kernels.codegen.cuda import cuda
from kernels.codegen.cuda_loops import loop_texts
from kernels.decoders import anchors as detectors
from kernels.decoders import heatmaps
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.normal import Unsupported
from kernels.ir.body import Body
from kernels.ir.image import F32, F64, ImageType
from kernels.ir.placement import PLACEMENT
from kernels.ir.table import BOX, TableType
from kernels.stages.anchors import anchors
from kernels.stages.coordinates import coordinates
from kernels.stages.heatmap_peaks import heatmap_peaks
from kernels.stages.place import place
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.kernels.codegen.emulated import Launcher, assert_equal
from tests.kernels.stages.test_anchors import heads
from tests.pipelines.emulated import EmulatedExecutor

FRAMES = 3


def places(rng: np.random.Generator) -> np.ndarray:
    """Placements of three frames, of which the second lies nowhere."""
    made = rng.uniform(-2, 2, (FRAMES, 1, 1, 8))
    made[..., 6:] = 128
    made[1, 0, 0, 4] = np.nan
    return made


def bumps(rng: np.random.Generator, shape: tuple[int, int, int], count: int) -> np.ndarray:
    """Heat maps with some Gaussians, plateaus, a channel of NaN and one of the same number."""
    height, width, channels = shape
    y, x = np.mgrid[0:height, 0:width][..., None]
    made = rng.normal(0, 0.02, (FRAMES, *shape))
    for _ in range(count):
        cx, cy = rng.uniform(-1, width, (FRAMES, 1, 1, channels)), rng.uniform(-1, height, (FRAMES, 1, 1, channels))
        made += rng.uniform(0.1, 1, cx.shape) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 4)
    made = made.astype(np.float32)
    if channels > 2:
        made[..., 1] = np.nan
        made[..., 2] = np.round(made[..., 2], 1)
        made[0, ..., channels - 1] = -0.0
    return made


def run(emulator: Any, body: Body, clip: list[Any], checked: bool = True, **params: Any) -> Any:
    return assert_equal(cuda(body), Launcher(emulator, checked=checked), clip, ((0, 2), (2, 3)), params)


@pytest.mark.parametrize(
    ("method", "pixels", "instances"),
    [("pixel", "middle", 1), ("dark", "half", 1), ("parabola", "corner", 3), ("integral", "half", 3)],
)
def test_peaks_of_heat_maps(emulator, method, pixels, instances):
    rng = np.random.default_rng(instances)
    shape = (17, 13, 5) if instances > 1 else (9, 11, 7)
    offsets = method == "pixel"
    types = [ImageType(F32, *shape), ImageType(F32, *shape[:2], 2 * shape[2]) if offsets else None, PLACEMENT]
    ask = {"method": method, "pixels": pixels, "instances": instances, "threshold": -0.01}
    clip = [bumps(rng, shape, 3), rng.normal(size=(FRAMES, *shape[:2], 2 * shape[2])).astype(np.float32) if offsets
            else None, places(rng)]  # fmt: skip
    body = heatmap_peaks.build(types, ask)
    found = run(emulator, body, clip, checked=method in ("pixel", "parabola"), separation=4.0)
    assert sum(len(table.rows) for table in found["points"])


@pytest.mark.parametrize(("shape", "instances"), [((5, 3, 300), 1), ((3, 70, 33), 9), ((1, 1, 1), 9)])
def test_peaks_of_any_size_without_a_placement(emulator, shape, instances):
    rng = np.random.default_rng(0)
    maps = np.round(rng.normal(0, 1, (FRAMES, *shape)), 1).astype(np.float32)  # many equal ones
    maps[rng.random(maps.shape) < 0.1] = rng.choice(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0], np.float32))
    type_ = ImageType(F32, *shape)
    body = heatmap_peaks.build([type_, None, None], {"instances": instances, "method": "parabola"})
    run(emulator, body, [maps.reshape(FRAMES, *type_.shape), None, None], checked=False, threshold=0.1, separation=2.5)


def test_peaks_beyond_the_room_are_counted(emulator, monkeypatch):
    monkeypatch.setattr(heatmaps, "ROOM", 40)
    monkeypatch.setattr(cuda_decoders, "PEAK_ROOM", 40)
    maps = np.zeros((FRAMES, 30, 30), np.float32)
    maps[:, ::3, ::3] = np.random.default_rng(0).random((FRAMES, 10, 10))
    body = heatmap_peaks.build([ImageType(F32, 30, 30, 1), None, None], {"instances": 4})
    found = run(emulator, body, [maps, None, None], threshold=0.0, separation=1.0)
    assert [(len(t.rows), t.overflow) for t in found["out"]] == [(4, 60 + 36)]  # 100 maxima, 40 of them looked at


@pytest.mark.parametrize(("layout", "unit", "scores"), [("xy", "signed", 1), ("yxs", "unit", 0), ("xy-", "px", 300)])
def test_coordinates(emulator, layout, unit, scores):
    rng = np.random.default_rng(len(layout))
    each = len(layout) or 2
    values = rng.normal(0, 3, (FRAMES, 1, 300, each)).astype(np.float32)
    values[:, 0, 5:9, 0] = np.nan, np.inf, -np.inf, 0
    types = [ImageType(F32, 1, 300, each), ImageType(F32, 1, 1, scores) if scores else None, PLACEMENT]
    sure = rng.normal(0, 2, (FRAMES, 1, 1, scores)).astype(np.float32) if scores > 1 else rng.random((FRAMES, 1, 1))
    activation = "none" if scores == 1 else "sigmoid"
    body = coordinates.build(types, {"layout": layout, "unit": unit, "activation": activation})
    clip = [values, sure.astype(np.float32).reshape(FRAMES, *types[1].shape) if types[1] else None, places(rng)]
    found = run(emulator, body, clip, min_score=0.2)
    assert 0 < len(found["points"][0].rows) < 300


@pytest.mark.parametrize("way", ["apart", "first", "parts"])
def test_boxes_with_anchors(emulator, way):
    points = 6 if way == "apart" else 1
    numbers, scores = heads(4, points=points, likely=0.03, frames=FRAMES)
    numbers[0, 3, 0, 2], numbers[0, 9, 0, 0], scores[0, 3], scores[0, 9] = -4, np.inf, 9, 9
    scores[1, 7], scores[1, 8], scores[2, 11:13] = np.nan, np.inf, 3.25
    clip: list[Any] = [numbers, scores, None, None, places(np.random.default_rng(0))]
    ask: dict[str, Any] = {"capacity": 5}
    if way == "first":
        sure = (1 / (1 + np.exp(-scores))).astype(np.float32)
        clip[:2] = [np.concatenate([sure[..., None], numbers], -1), None]
        ask |= {"score_place": "first", "activation": "none", "scale": 100.0}
    if way == "parts":
        clip[:4] = [numbers[:, :512], scores[:, :512], numbers[:, 512:], scores[:, 512:]]
        clip[4], ask = None, ask | {"size": (128.0, 128.0)}
    types = [None if c is None else PLACEMENT if c.dtype == np.float64 else ImageType(F32, *(*c.shape[1:], 1)[:3])
             for c in clip]  # fmt: skip
    clip = [None if c is None or t is None else c.reshape(FRAMES, *t.shape) for c, t in zip(clip, types, strict=True)]
    found = run(emulator, anchors.build(types, ask), clip, checked=way in ("first", "parts"), min_score=0.4)
    assert [len(table.rows) for table in found["out"]] == [5]
    assert found["out"][0].overflow


def test_anchors_beyond_the_room_are_counted(emulator, monkeypatch):
    monkeypatch.setattr(detectors, "ROOM", 30)
    monkeypatch.setattr(cuda_decoders, "ANCHOR_ROOM", 30)
    numbers, scores = heads(5, points=0, likely=0.1, frames=FRAMES)
    types = [ImageType(F32, 896, 1, 4), ImageType(F32, 896, 1), None, None, None]
    body = anchors.build(types, {"size": (128.0, 128.0)})
    found = run(emulator, body, [numbers, scores, None, None, None], checked=False)
    assert all(table.overflow > 30 for table in found["boxes"])


@pytest.mark.parametrize(("points", "likely", "capacity"), [(0, 0.02, 16), (1, 0.6, 600)])
def test_tables_come_down_as_far_as_they_are_filled(points, likely, capacity):
    """None of key points, and more rows than came with the batch."""
    try:
        executor = EmulatedExecutor()
        default_compiler()
    except NoCompilerError as error:
        pytest.skip(str(error))
    numbers, scores = heads(6, points=points, likely=likely, frames=2)
    types = [ImageType(F32, 896, 1, 4 + 2 * points), ImageType(F32, 896, 1), None, None, None]
    body = anchors.build(types, {"size": (128.0, 128.0), "capacity": capacity, "overlap": 0.95})
    program = executor.compile(body)
    for _ in range(2):
        made, wanted = (p.run([numbers, scores, None, None, None], {}) for p in (program, ReferenceProgram(body)))
        for name, tables in wanted.items():
            assert [(t.rows.tobytes(), t.overflow) for t in made[name]] == [
                (t.rows.tobytes(), t.overflow) for t in tables]  # fmt: skip
    assert max(len(table.rows) for table in made["boxes"]) > (200 if points else 2)


MAPS = [ImageType(F32, 64, 64, 17), None, PLACEMENT]
DETECTOR = [ImageType(F32, 896, 1, 16), ImageType(F32, 896, 1), None, None, PLACEMENT]


@pytest.mark.parametrize(("stage", "types", "ask"), [
    (heatmap_peaks, MAPS, {"method": "integral"}), (heatmap_peaks, MAPS, {"instances": 4}), (anchors, DETECTOR, {}),
    (coordinates, [ImageType(F32, 1, 468, 3), None, PLACEMENT], {"layout": "xys"}),
])  # fmt: skip
def test_kernels_compile_without_spills(stage, types, ask):
    if not nvrtc.available():
        pytest.skip("NVRTC is not installed (wheel nvidia-cuda-nvrtc)")
    architecture = nvrtc.ARCHITECTURES[0 if ask else -1]
    usage = nvrtc.compile_text(cuda(stage.build(types, ask)).text, architecture).usage
    assert not any(used.spills or used.stack for used in usage.values()), usage


def test_what_has_no_text_says_so():
    with pytest.raises(Unsupported, match="a host function"):
        cuda(place.build([TableType(BOX, 1), None], {}))
    with pytest.raises(Unsupported, match="a host function"):  # of other numbers than f32
        cuda(heatmap_peaks.build([ImageType(F64, 9, 9, 2), None, None], {}))
    with pytest.raises(Unsupported, match="takes a frame"):
        cuda(heatmap_peaks.build([ImageType(F32, 9, 9, 2), None, None], {}), vector=4)
    with pytest.raises(Unsupported, match="the loop flattened has a call of lane_count"):
        loop_texts([flattened])
