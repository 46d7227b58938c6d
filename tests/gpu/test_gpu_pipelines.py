"""Pipelines on a GPU give the reference's bits: the shipped ones and random ones, in any groups and batches."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.benchmark.chains import CHAINS
from app.benchmark.gpu_measure import GpuMeasurement
from app.benchmark.gpu_results import Case
from app.benchmark.gpu_rig import cuda_rig
from kernels.executors.base import executor
from kernels.executors.cuda_calibration import calibrate_gpu
from kernels.executors.cuda_runner import CudaRunner
from kernels.ir.image import F32, U8, U16, DType, ImageType
from pipelines.frame import FrameBatch
from pipelines.fusing import largest_groups
from pipelines.graph import Bound, bind
from pipelines.planning.devices import gpu as present
from pipelines.planning.spills import program_usage, spills
from pipelines.streaming.engine.engine import Engine
from tests.gpu.conftest import Gpu
from tests.pipelines.clips import moving_spots
from tests.pipelines.drawn import bounds, frames, groupings
from tests.pipelines.test_random_pipelines import equal, source_of
from tests.pipelines.test_random_pipelines import run as run_drawn
from tests.shipped import WITHOUT_LAYERS, fixed

pytestmark = pytest.mark.gpu
COUNT = 9
KINDS: tuple[tuple[DType, int, int, int], ...] = ((U8, 64, 64, 1), (U8, 63, 65, 3), (U8, 48, 130, 4), (U16, 57, 33, 1),
                                                  (F32, 40, 40, 1))  # fmt: skip


def clip_of(dtype: DType, height: int, width: int, channels: int) -> np.ndarray:
    spots = moving_spots(COUNT, max(height, width))[:, :height, :width]
    made = spots.astype(np.float32) / 255 if dtype == F32 else spots.astype(dtype.numpy) << (8 if dtype == U16 else 0)
    return made if channels == 1 else np.stack([made // (c + 1) for c in range(channels)], axis=-1)


def run(engine: Engine, clip: np.ndarray, cuts: tuple[int, ...]) -> list[Any]:
    said = []
    for a, b in pairwise(sorted({0, len(clip), *cuts})):
        out = engine.step(FrameBatch(np.arange(a, b), np.arange(a, b) / 1000, clip[a:b]))
        said += [{tap: getattr(data[i], "rows", data[i]).tobytes() for tap, data in out.items()} for i in range(b - a)]
    return said


def ways(bound: Bound) -> dict[str, list[list[str]]]:
    return {"fused": largest_groups(bound, bound.taps), "apart": [[node.id] for node in bound.nodes]}


@pytest.mark.parametrize("name", WITHOUT_LAYERS)
@pytest.mark.parametrize("kind", KINDS, ids=lambda k: f"{k[0]}-{k[2]}x{k[1]}x{k[3]}")
def test_shipped_pipelines(gpu: Gpu, name: str, kind: tuple[DType, int, int, int]) -> None:
    dtype, height, width, channels = kind
    bound = bind(fixed(name), ImageType(dtype, height, width, channels))
    clip = clip_of(*kind)
    expected = run(Engine(bound, executor("reference")), clip, ())
    for groups in ways(bound).values():
        for cuts in ((), (1, 4), tuple(range(COUNT))):
            engine = Engine(bound, gpu.executor, groups=groups)
            assert any(isinstance(p, CudaRunner) for p in engine.programs.values())
            assert run(engine, clip, cuts) == expected
    assert Engine(bound, gpu.executor, groups=ways(bound)["apart"]).resident  # nothing goes to the host and back


@pytest.mark.parametrize("graphs", [False, True])
@pytest.mark.parametrize("name", WITHOUT_LAYERS)
def test_shipped_pipelines_with_batches_ahead(
    gpu: Gpu, monkeypatch: pytest.MonkeyPatch, name: str, graphs: bool
) -> None:
    """As a run has it: frames in memory that is uploaded from where it lies and used again, several batches begun."""
    monkeypatch.setattr(gpu.executor, "graphs", graphs)
    bound = bind(fixed(name), ImageType(U8, 40, 48))
    clip = np.concatenate([clip_of(U8, 40, 48, 1)] * 3)[:20]
    expected = run(Engine(bound, executor("reference")), clip, ())
    for groups in ways(bound).values():
        engine = Engine(bound, gpu.executor, groups=groups)
        assert engine.ahead == 2
        pending = []
        for i in range(len(clip)):
            frames = engine.host_buffer((1, 40, 48), np.uint8)
            frames[...] = clip[i]
            pending.append(engine.submit(FrameBatch(np.array([i]), np.array([i / 1000]), frames)))
            del frames
        out = [each.result() for each in pending]
        found = [{tap: getattr(data[0], "rows", data[0]).tobytes() for tap, data in each.items()} for each in out]
        assert found == expected
        recorded = [p.start.graphs.recorded for p in engine.programs.values() if isinstance(p, CudaRunner)]
        assert all(recorded) if graphs else not any(recorded)


@pytest.mark.parametrize("name", WITHOUT_LAYERS)
def test_shipped_pipelines_spill_nothing(gpu: Gpu, name: str) -> None:
    bound = bind(fixed(name), ImageType(U8, 1024, 1024))
    engine = Engine(bound, gpu.executor, groups=largest_groups(bound, bound.taps))
    for unit, program in engine.programs.items():
        assert spills(program) == 0, unit
        if isinstance(program, CudaRunner) and not gpu.emulated:
            assert program_usage(program)


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_pipelines(gpu: Gpu, data: st.DataObject) -> None:
    bound = data.draw(bounds())
    clip = data.draw(frames(source_of(bound), 7))
    expected = run_drawn(Engine(bound, executor("reference")), clip, list(range(7)))
    groups = data.draw(groupings(bound))
    cuts = data.draw(st.lists(st.integers(1, 6), max_size=4))
    found = run_drawn(Engine(bound, gpu.executor, groups=groups), clip, cuts)
    for i in range(7):
        assert equal(found[i], expected[i]), (i, groups)


@pytest.mark.parametrize(("chain", "channels"), [("seed", 1), ("seed", 4), ("seed-f32", 4), ("harris", 1)])
def test_the_bench_finds_all_outputs_right(gpu: Gpu, chain: str, channels: int) -> None:
    if gpu.emulated:
        pytest.skip("tests/app/benchmark/test_gpu_bench.py does this on the emulator")
    rig, device, _ = cuda_rig(gpu.executor.device.index)
    limits = calibrate_gpu(device, rig.clock, rounds=3)
    measurement = GpuMeasurement(rig, CHAINS[chain], Case(640, 360, channels, 4))
    result = measurement.result(0.5, (limits.copy, limits.up, limits.down))
    assert not [c.name for c in result.contenders if c.wrong]
    assert not [text for text in result.left_out if "fails" in text]
    assert 1e9 < limits.up < limits.copy
    assert present(gpu.executor.device.index).model.units > 0
