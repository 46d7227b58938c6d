"""Corners that are followed on a device, where their frames lie: the rows of the host, bit for bit."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter, shift

from kernels.executors.base import executor
from kernels.ir.image import F32, U8, ImageType
from kernels.param import Value
from pipelines.definition import load
from pipelines.graph import Bound, Pipeline, Ref, bind
from pipelines.planning.devices import find_device
from pipelines.planning.workload import workload
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.engine.engine import Engine
from pipelines.trackers.registration.batch.following_loops import SIGHTING, TURNED
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.pipelines.clips import MemoryClip
from tests.pipelines.emulated import ApartDevice, EmulatedExecutor
from tests.pipelines.streaming.clip.test_rescue import a_gpu
from tests.pipelines.trackers.devices import followed

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

SIZE, FRAMES, BATCH = 48, 60, 6
POINTS = ((14.0, 16.0), (29.3, 24.0), (20.0, 31.0))
JUMP = 51


def clip() -> np.ndarray:
    """Speckle that shakes, and jumps by five pixels once."""
    speckle = 90 + 160 * gaussian_filter(np.random.default_rng(3).normal(size=(SIZE, SIZE)), 1.3)
    rng = np.random.default_rng(4)
    made = [shift(speckle, (0.3 * np.sin(0.5 * k), 0.03 * k + 5 * (k >= JUMP)), mode="nearest") for k in range(FRAMES)]
    return (np.stack(made) + rng.normal(0, 0.4, (FRAMES, SIZE, SIZE))).astype(np.float32)


def pipeline(image: str, **more: Value) -> Pipeline:
    """`template`'s stages before this tracker, which looks at what one of them makes."""
    given = {"points": POINTS, "max_points": 0, "window": 11, "reference_frames": 4, **more}
    made = load("template")
    tracker = replace(made.trackers[0], tracker="klt", inputs={"image": Ref(image)}, params=given)
    return replace(made, trackers=(tracker,), taps=(Ref("smooth"),) if image == "gray" else ())


def bound(image: str, **more: Value) -> Bound:
    return bind(pipeline(image, **more), ImageType(F32, SIZE, SIZE))


@pytest.mark.parametrize(("image", "model"), [("smooth", "translation"), ("gray", "translation"), ("smooth", "affine")])
def test_rows_are_those_of_the_host(image: str, model: str) -> None:
    """`gray` is the clip itself: it is at hand, and followed where it went up."""
    frames, made = clip(), bound(image, model=model)
    host = followed(Engine(made, executor("reference")), frames, BATCH, Ref(image))
    executor_ = EmulatedExecutor(device=ApartDevice(1, checked=model == "affine"))
    there = followed(Engine(made, executor_, resting=made.resting), frames, BATCH, Ref(image))
    assert there.rows == host.rows
    assert there.states() == host.states()
    # Corners begin and learn; the jump, for which the frame before comes down, too.
    down = image == "smooth"
    assert there.came == [down] * 3 + [False] * 5 + [down, False]
    each = SIGHTING if model == "translation" else TURNED
    sent = 8 * len(POINTS) * (2 + each * BATCH)
    assert there.down[:8] == [0] * 3 + [sent] * 5
    assert there.down[9] > 0


def test_the_plan_knows() -> None:
    h100 = find_device("h100")
    sent = 8.0 * SIGHTING * len(POINTS)
    assert workload(bound("smooth")).crossing(h100) == (4.0 * SIZE * SIZE, sent)
    assert workload(bound("gray")).crossing(h100) == (4.0 * SIZE * SIZE, 4.0 * SIZE * SIZE + sent)  # smooth is a tap
    assert workload(bound("smooth", model="affine")).crossing(h100)[1] == sent / SIGHTING * TURNED
    corners = bind(load("corners"), ImageType(U8, SIZE, SIZE, 3))
    assert corners.resting == {Ref("gray")}
    assert workload(corners).crossing(h100)[1] - workload(replace(corners, asked=corners.taps)).crossing(h100)[1] == (
        8.0 * SIGHTING * 200 - SIZE * SIZE)  # fmt: skip


@pytest.mark.parametrize("other", [{"check": "always"}, {"method": "opencv"}, {"anchor": False}])
def test_what_it_cannot_do_there_comes_down(other: dict[str, Value]) -> None:
    made = bound("smooth").trackers[0]
    assert made.type.looks_there(made.params)
    assert not made.type.looks_there({**made.params, **other})


def test_results_carry_the_clip_that_is_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    a_gpu(monkeypatch, EmulatedExecutor())
    seen: list[Any] = []
    sink, frames = (
        SimpleNamespace(write=lambda _, results: seen.extend(one.taps["gray"] for one in results)),
        clip()[:4],
    )
    options = RunOptions(device="cuda", batch=2)
    Runner(MemoryClip(frames), bound("gray"), [sink], frames=(0, 4), options=options).run()
    assert [type(one) for one in seen] == [np.ndarray] * 4
    assert (np.stack(seen) == frames).all()
