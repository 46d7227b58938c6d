"""What decoders read and write of a GPU's memory: on the emulator what was planned, within a tenth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernels.codegen.cuda import cuda
from kernels.decoders.anchors import Detector
from kernels.errors import DefinitionError
from kernels.executors.reference import ReferenceProgram
from kernels.fusion.decoder_traffic import Found, decoder_traffic
from kernels.ir.body import Body
from kernels.ir.image import BOOL, F32, U8, ImageType
from kernels.ir.placement import PLACEMENT
from kernels.ir.table import BOX, TableType
from kernels.stages.anchors import anchors
from kernels.stages.coordinates import coordinates
from kernels.stages.fill import fill
from kernels.stages.heatmap_peaks import heatmap_peaks
from kernels.stages.otsu import otsu
from kernels.stages.place import place
from tests.kernels.codegen.cuda_driver import Driver
from tests.kernels.codegen.emulated import Launcher
from tests.kernels.codegen.test_cuda_decoders import bumps, places
from tests.kernels.stages.test_anchors import heads


def moved(emulator: Any, body: Body, clip: list[Any], found: Found, **params: Any) -> None:
    """One frame: counted against planned, loads and stores apart."""
    launcher = Launcher(emulator, checked=True)
    Driver(cuda(body), launcher).run([None if c is None else c[:1] for c in clip], params)
    ((_, report),) = launcher.reports
    planned = decoder_traffic(body, found)
    assert 32 * report.sectors_of_blocks["load"] == pytest.approx(planned.loads, rel=0.1)
    assert 32 * report.sectors_of_blocks["store"] == pytest.approx(planned.stores, rel=0.1)


def rows_of(body: Body, clip: list[Any], **params: Any) -> int:
    made = ReferenceProgram(body).run([None if c is None else c[:1] for c in clip], {**body.params, **params})
    return len(made["out"][0].rows)  # type: ignore[union-attr]


@pytest.mark.parametrize(("instances", "offsets"), [(1, False), (1, True), (5, False), (12, False)])
def test_peaks(emulator, instances, offsets):
    rng = np.random.default_rng(1)
    shape = (24, 20, 17)
    types = [ImageType(F32, *shape), ImageType(F32, *shape[:2], 2 * shape[2]) if offsets else None, PLACEMENT]
    beside = rng.normal(size=(3, *shape[:2], 2 * shape[2])).astype(np.float32) if offsets else None
    clip = [bumps(rng, shape, 3), beside, places(rng)]
    body = heatmap_peaks.build(types, {"instances": instances, "threshold": 0.2, "method": "parabola"})
    rows = rows_of(body, clip)
    assert rows > 10
    moved(emulator, body, clip, Found(rows))


def test_points(emulator):
    rng = np.random.default_rng(2)
    types = [ImageType(F32, 1, 468, 3), None, PLACEMENT]
    body = coordinates.build(types, {"layout": "xys", "unit": "unit", "activation": "none"})
    clip = [rng.random((3, 1, 468, 3)).astype(np.float32), None, places(rng)]
    rows = rows_of(body, clip, min_score=0.3)
    assert 100 < rows < 468
    moved(emulator, body, clip, Found(rows), min_score=0.3)


@pytest.mark.parametrize("way", ["apart", "first"])
def test_things(emulator, way):
    numbers, scores = heads(4, points=6, likely=0.06, frames=3)
    clip: list[Any] = [numbers, scores, None, None, places(np.random.default_rng(0))]
    ask: dict[str, Any] = {"min_score": 0.4}
    if way == "first":
        sure = (1 / (1 + np.exp(-scores))).astype(np.float32)
        clip[:2] = [np.concatenate([sure[..., None], numbers], -1), None]
        ask |= {"score_place": "first", "activation": "none"}
    types = [None if c is None else PLACEMENT if c.dtype == np.float64 else ImageType(F32, *(*c.shape[1:], 1)[:3])
             for c in clip]  # fmt: skip
    clip = [None if c is None or t is None else c.reshape(3, *t.shape) for c, t in zip(clip, types, strict=True)]
    body = anchors.build(types, ask)
    rows = rows_of(body, clip)
    many = int((1 / (1 + np.exp(-scores[0])) > 0.4).sum())
    assert many > rows > 5
    assert body.host is not None
    assert isinstance(body.host.decoder, Detector)
    moved(emulator, body, clip, Found(rows, many, 4))


def test_holes(emulator):
    height, width = 96, 160
    y, x = np.mgrid[0:height, 0:width]
    mask = np.zeros((1, height, width), np.bool_)
    places = [(cx, cy) for cy in range(12, height - 6, 20) for cx in range(12, width - 6, 20)]
    for cx, cy in places:
        mask |= abs(np.hypot(x - cx, y - cy) - 6) < 0.8
    moved(emulator, fill.build([ImageType(BOOL, height, width)], {}), [mask], Found(len(places)))


def test_levels_that_frames_choose(emulator):
    frame = np.random.default_rng(1).integers(0, 256, (1, 48, 64)).astype(np.uint8)
    moved(emulator, otsu.build([ImageType(U8, 48, 64)], {"polarity": "dark"}), [frame], Found(0))


def test_what_is_no_decoder_moves_nothing_on_a_gpu():
    with pytest.raises(DefinitionError, match="no GPU computes"):
        decoder_traffic(place.build([TableType(BOX, 1), None], {}), Found(1))
