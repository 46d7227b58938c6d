"""Windows of vibration that are followed on a device, where their frames lie: the rows of the host, bit for bit, and no
pixel comes down as long as nothing unusual happens."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter, shift

from kernels.executors.base import executor
from kernels.ir.image import F32, ImageType
from pipelines.definition import load
from pipelines.features import Reason
from pipelines.frame import FrameBatch
from pipelines.graph import Bound, Ref, bind
from pipelines.planning.devices import find_device
from pipelines.planning.planner import Wishes, planner_of
from pipelines.planning.workload import workload
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.engine.choice import predicted
from pipelines.streaming.engine.engine import Engine
from pipelines.trackers.registration.response.response_loops import OUT, STATE
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.pipelines.clips import MemoryClip
from tests.pipelines.emulated import ApartDevice, EmulatedExecutor
from tests.pipelines.streaming.clip.test_rescue import Keep, a_gpu
from tests.pipelines.trackers.devices import followed

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

SIZE, FRAMES, BATCH = 32, 48, 6
POINTS = ((12.0, 14.0), (20.0, 18.0), (25.0, 10.0))
"""The last window reaches over the edge when it moves."""
PICTURE = Ref("smooth")


def clip() -> np.ndarray:
    """Speckle that shakes; it is dark in frame 34, a pixel is no number in frame 37."""
    speckle = 90 + 160 * gaussian_filter(np.random.default_rng(3).normal(size=(SIZE, SIZE)), 1.3)
    rng = np.random.default_rng(4)
    made = np.stack([shift(speckle, (0.3 * np.sin(0.5 * k), 0.04 * k), mode="nearest") for k in range(FRAMES)])
    made += rng.normal(0, 0.4, made.shape)
    made[34] = 50.0
    made[37, 14, 12] = np.nan
    return made.astype(np.float32)


def bound(size: int = SIZE) -> Bound:
    settings = {"follow.points": POINTS, "follow.window": 11, "follow.reference_frames": 4}
    return bind(load("vibration").with_settings(settings), ImageType(F32, size, size))


def test_rows_are_those_of_the_host_and_pixels_stay_there() -> None:
    frames, made = clip(), bound()
    host = followed(Engine(made, executor("reference")), frames, BATCH, PICTURE)
    executor_ = EmulatedExecutor(device=ApartDevice(1))
    there = followed(Engine(made, executor_, resting=made.resting), frames, BATCH, PICTURE)
    assert there.rows == host.rows
    assert there.states() == host.states()
    assert {int(Reason.NONE), int(Reason.LOW_SCORE)} <= host.reasons
    # Windows begin and learn; a pixel is no number, and then all are looked at; a dark frame is none of these.
    assert there.came == [True, False, False, False, False, False, True, True]
    assert there.down[1:6] == [8 * len(POINTS) * (STATE + 1 + BATCH * OUT)] * 5


def test_what_a_pipeline_names_comes_down() -> None:
    made = bound()
    assert made.resting == {PICTURE}
    assert bind(replace(load("vibration"), taps=(PICTURE,)), made.source).resting == frozenset()
    engine = Engine(made, EmulatedExecutor(device=ApartDevice(2)))  # nobody says that it may stay
    assert isinstance(engine.step(FrameBatch(np.arange(2), np.arange(2) / 1000, clip()[:2]))[PICTURE], np.ndarray)


def test_the_plan_knows() -> None:
    work, tracker = workload(bound()), bound().trackers[0]
    assert work.crossing(find_device("h100")) == (4.0 * SIZE * SIZE, 8.0 * OUT * len(POINTS))
    large, h100 = bound(512), replace(find_device("h100"), bus=1e9)  # so that the bus says what it takes
    steady = [planner_of(one, h100).plan(Wishes(batch=16)).steady for one in (large, replace(large, asked=large.taps))]
    assert predicted(large, large.taps, 16, h100) == steady[1] > steady[0]  # for `auto` it comes down
    assert tracker.type.sent({**tracker.params, "points": ()}) == 8.0 * OUT * 100  # as many as are chosen


@pytest.mark.parametrize("asked", ["cuda", "auto"])
def test_a_run_leaves_pixels_there(monkeypatch: pytest.MonkeyPatch, asked: str) -> None:
    a_gpu(monkeypatch, EmulatedExecutor())
    made, expected, keep = bound(), Keep(), Keep()
    frames = clip()[:10]
    for sink, device in ((expected, "reference"), (keep, asked)):
        runner = Runner(MemoryClip(frames), made, [sink], frames=(0, 10), options=RunOptions(device=device, batch=3))
        runner.run()
    assert PICTURE in runner.engine.resident
    assert [one.tobytes() for one in keep.rows] == [one.tobytes() for one in expected.rows]
    assert not any("smooth" in taps for taps in keep.taps)
