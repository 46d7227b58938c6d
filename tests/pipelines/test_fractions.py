"""Host functions that are given whole gray values: which, and that nothing shows of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kernels.executors.base import executor
from kernels.ir.image import U8, U16, DType, ImageType
from kernels.ir.table import PACKED
from pipelines.definition import load
from pipelines.frame import FrameBatch
from pipelines.fusing import Unit, fuse, largest_groups
from pipelines.graph import Bound, Pipeline, Ref, bind
from pipelines.planning.devices import find_device
from pipelines.planning.workload import LIKELY_ROWS, workload
from pipelines.streaming.engine.engine import Engine
from tests.shipped import FOUND, NUMBERS

BLOBS = {"blobs": "spots", "objects": "bodies", "background-motion": "bodies", "facial-markers": "markers"}


def _bound(name: str, dtype: DType = U8, bits: int = 0, **settings: Any) -> Bound:
    return bind(_plain(name).with_settings(settings), ImageType(dtype, 64, 96, bits=bits))


def _plain(name: str) -> Pipeline:
    """With numbers in place of "auto", for a clip without broken pixels and with steady light."""
    return load(name).with_settings(NUMBERS[name] | (FOUND if name == "blobs" else {}))


def _measuring(bound: Bound, node: str, taps: tuple[Ref, ...] = ()) -> Unit:
    taps = (*bound.taps, *taps)
    return next(unit for unit in fuse(bound, largest_groups(bound, taps), taps) if unit.name == node)


@pytest.mark.parametrize(("name", "node"), BLOBS.items())
def test_blob_pipelines_measure_the_source_itself(name: str, node: str) -> None:
    bound = _bound(name)
    assert _measuring(bound, node).inputs[1] == Ref("source")
    task = next(task for task in workload(bound).tasks if task.node == node)
    assert 0 in {read.value for read in task.reads}


def test_dark_things_are_centred_by_their_contrast_with_the_ground() -> None:
    bound = _bound("background-motion", **{"ground.change": "darker", "bodies.polarity": "dark"})
    assert _measuring(bound, "bodies").inputs[1] == Ref("ground", "weight")


def test_what_is_more_than_a_division_stays() -> None:
    """Repaired pixels are whole numbers of their own; a lamp's factor is none that a division makes."""
    repaired = _bound("blobs", **{"sound.points": ((3.0, 4.0),)})
    assert _measuring(repaired, "spots").inputs[1] == Ref("sound")
    relit = _bound("objects", **{"even.reference": 0.5})
    assert _measuring(relit, "bodies").inputs[1] == Ref("even")
    coloured = bind(_plain("blobs"), ImageType(U8, 64, 96, 3))
    assert _measuring(coloured, "spots").inputs[1] == Ref("gray")


@pytest.mark.parametrize(("dtype", "bits"), [(U8, 0), (U16, 10), (U16, 0)])
@pytest.mark.parametrize("settings", [{}, {"sound.points": ((30.0, 20.0),)}], ids=("plain", "repaired"))
def test_rows_are_the_references(dtype: DType, bits: int, settings: dict[str, Any]) -> None:
    bound = _bound("blobs", dtype, bits, **settings)
    rng = np.random.default_rng(1)
    y, x = np.mgrid[:64, :96]
    light = rng.uniform(0.05, 0.1, (3, 64, 96))
    for cx, cy in rng.uniform(5, 60, (8, 2)):
        light += 0.6 * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / 4)
    pixels = (np.clip(light, 0, 1) * bound.source.white).astype(dtype.numpy)
    batch = FrameBatch(np.arange(3), np.arange(3.0), pixels)
    wanted = Engine(bound, executor("reference"), (Ref("scale"),)).step(batch)
    groups = largest_groups(bound, (*bound.taps, Ref("scale")))
    got = Engine(bound, executor("cpu"), (Ref("scale"),), groups).step(batch)
    assert sum(len(table.rows) for table in wanted[Ref("spots")]) > 6
    assert np.array_equal(got[Ref("scale")], wanted[Ref("scale")])
    for mine, theirs in zip(got[Ref("spots")], wanted[Ref("spots")], strict=True):
        assert mine.rows.tobytes() == theirs.rows.tobytes()


@pytest.mark.parametrize("name", BLOBS)
def test_features_alone_come_down(name: str) -> None:
    """As `Engine` moves it (tests of the engine on devices count the bytes): 100 bytes a feature."""
    bound = bind(_plain(name), ImageType(U8, 1024, 1024))
    up, down = workload(bound).crossing(find_device("h100"))
    assert up == 1024 * 1024
    assert down == LIKELY_ROWS * PACKED.itemsize == 100 * LIKELY_ROWS
