"""Windows of `template` that are followed on a device, where their frames lie: the rows of the host, bit for bit, and
no pixel comes down as long as nothing unusual happens."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter, rotate, shift

from kernels.codegen import nvrtc
from kernels.errors import DefinitionError
from kernels.executors.base import executor
from kernels.ir.image import F32, ImageType
from pipelines.definition import load
from pipelines.features import Reason
from pipelines.graph import Bound, Ref, bind
from pipelines.planning.devices import find_device
from pipelines.planning.workload import workload
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.engine import rescue
from pipelines.streaming.engine.engine import Engine
from pipelines.trackers.lying_images import LyingImages
from pipelines.trackers.registration.batch.device_tracking import REFERENCES, DeviceTracking, tracking
from pipelines.trackers.registration.batch.following_loops import SIGHTING, TURNED
from pipelines.trackers.registration.batch.warp_models import Warps
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.pipelines.clips import MemoryClip
from tests.pipelines.emulated import ApartDevice, EmulatedExecutor
from tests.pipelines.streaming.clip.test_rescue import Doomed, Keep, a_gpu
from tests.pipelines.trackers.devices import followed

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

SIZE, FRAMES, BATCH = 40, 72, 6
POINTS = ((12.0, 14.0), (25.3, 20.0))
LATE = (16.0, 27.0, 42.0)
"""A point that begins later."""
PICTURE = Ref("smooth")


def clip(turns: bool = False) -> np.ndarray:
    """Speckle that shakes; it is dark in frame 38, or `turns` from frame 24 on and is dark at one point in frame 79."""
    speckle = 90 + 160 * gaussian_filter(np.random.default_rng(3).normal(size=(SIZE, SIZE)), 1.3)
    rng = np.random.default_rng(4)
    ways = [(0.3 * np.sin(0.5 * k), 0.04 * k) for k in range(96 if turns else FRAMES)]
    made = np.stack([shift(speckle, way, mode="nearest") for way in ways])
    if turns:
        made[24:] = [rotate(one, 0.6 * k, reshape=False, mode="nearest") for k, one in enumerate(made[24:])]
        made[79, :, :20] = 50.0
    else:
        made[38] = 50.0
    made += rng.normal(0, 0.4, made.shape)
    return made.astype(np.float32)


def bound(**more: object) -> Bound:
    settings = {"track.points": POINTS, "track.window": 11, "track.reference_frames": 4, **more}
    return bind(load("template").with_settings(settings), ImageType(F32, SIZE, SIZE))


@pytest.fixture(autouse=True)
def versions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of references before each call. Whatever changes one has to say so, else a device goes on with the one before."""
    plain, found = DeviceTracking.follow, list[int]()

    def follow(self: Any, *args: Any) -> Any:
        corners, sets = args[2:4]
        found.append(self.version)
        for rows, own in corners.sets() if self.version == corners.anchors.version else ():
            slots = corners.t["slot"][rows]
            for name in REFERENCES:
                here = getattr(own, name)[: int(slots.max()) + 1]
                memory = self.there(f"{name}{own.layout.p}")
                there = self.device.fetch(memory, here.nbytes, here.nbytes, 1).view(here.dtype).reshape(here.shape)
                assert there[slots].tobytes() == here[slots].tobytes()
                assert own is sets[own.layout.p]
        return plain(self, *args)

    monkeypatch.setattr(DeviceTracking, "follow", follow)
    return found


def test_rows_are_those_of_the_host_and_pixels_stay_there() -> None:
    frames, made = clip(), bound(**{"track.points": (*POINTS, LATE)})
    host = followed(Engine(made, executor("reference")), frames, BATCH, PICTURE)
    executor_ = EmulatedExecutor(device=ApartDevice(1, checked=True))
    there = followed(Engine(made, executor_, resting=made.resting), frames, BATCH, PICTURE)
    assert there.rows == host.rows
    assert there.states() == host.states()
    assert {int(Reason.NONE), int(Reason.LOW_SCORE)} <= host.reasons
    # Windows begin and learn; the dark frame; another begins and learns.
    assert there.came == [True] * 3 + [False] * 3 + [True] * 4 + [False] * 2
    sent = [8 * (2 + SIGHTING * frames) for frames in (BATCH, 1)]  # of a window, in a batch and in one frame
    assert there.down == [0] * 3 + [2 * sent[0]] * 4 + [2 * sent[1]] + [0] * 2 + [3 * sent[0]] * 2


def test_windows_that_turn_are_noticed_and_followed_there(versions: list[int]) -> None:
    frames, made = clip(turns=True), bound()
    host = followed(Engine(made, executor("reference")), frames, BATCH, PICTURE)
    executor_ = EmulatedExecutor(device=ApartDevice(2))
    there = followed(Engine(made, executor_, resting=made.resting), frames, BATCH, PICTURE, wanted=(11,))
    assert there.rows == host.rows
    assert there.states() == host.states()
    assert versions.count(-1) == 2  # at first, and after what turns went on where another window could not
    turned = host.tracking.tables()["warps"]
    assert turned["frame"].tolist() == [31, 31]
    # Windows begin and learn; are fitted with more parameters, and learn again; one that was wanted; the dark frame.
    assert there.came == [True] * 3 + [False] + [True] * 4 + [False] * 3 + [True] + [False] + [True] + [False] * 2
    sent = [8 * len(POINTS) * (2 + width * BATCH) for width in (SIGHTING, TURNED)]
    assert there.down == [0] * 3 + [sent[0]] * 3 + [0] * 2 + [sent[1]] * 3 + [0] + [sent[1]] * 4


def test_windows_that_may_turn_from_the_beginning() -> None:
    """Their references are drawn anew on the way, which their uncertainties in each frame know."""
    frames, made = clip(turns=True)[:66], bound(**{"track.model": "rigid"})
    host = followed(Engine(made, executor("reference")), frames, BATCH, PICTURE)
    there = followed(Engine(made, EmulatedExecutor(), resting=made.resting), frames, BATCH, PICTURE)
    assert there.rows == host.rows
    assert there.states() == host.states()
    assert there.came == [True] * 3 + [False] * 8


@pytest.mark.parametrize("call", ["launch", "fetch"])
def test_a_gpu_that_fails_under_the_tracker_is_named_in_a_sentence(monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    doomed, made, frames = Doomed(1 << 30, call, "lost"), bound(), clip()
    plain = DeviceTracking.follow if call == "launch" else LyingImages.frame

    def fails(*args: Any) -> Any:
        doomed.left = 0
        return plain(*args)

    monkeypatch.setattr(DeviceTracking if call == "launch" else LyingImages, plain.__name__, fails)
    with pytest.raises(DefinitionError, match="failed on the GPU with RuntimeError: cudaErrorIllegalAddress: an"):
        followed(Engine(made, doomed, resting=made.resting), frames, BATCH, PICTURE)


@pytest.mark.parametrize("spacing", [0.0, 1e9])
def test_the_processor_takes_over_from_a_gpu_that_fails_under_the_tracker(
    monkeypatch: pytest.MonkeyPatch, spacing: float
) -> None:
    """Where the user leaves the choice: trackers go back to what they knew when the engine's state was kept."""
    doomed, made, frames = Doomed(1 << 30, "launch", "lost"), bound(**{"track.points": (*POINTS, LATE)}), clip()
    a_gpu(monkeypatch, doomed)
    monkeypatch.setattr(rescue, "SPACING", spacing)
    plain, calls = DeviceTracking.follow, list[int]()

    def fails(self: DeviceTracking, *args: Any) -> Any:
        calls.append(0)
        doomed.left = 0 if len(calls) == 3 else 1 << 30
        return plain(self, *args)

    monkeypatch.setattr(DeviceTracking, "follow", fails)
    expected, keep = Keep(), Keep()
    for sink, device in ((expected, "reference"), (keep, "auto")):
        options = RunOptions(device=device, batch=BATCH)
        runner = Runner(MemoryClip(frames), made, [sink], frames=(0, len(frames)), options=options)
        report = runner.run()
    assert [one.tobytes() for one in keep.rows] == [one.tobytes() for one in expected.rows]
    assert keep.frames == expected.frames
    assert len(calls) == 3
    assert report.ledger.processed == len(frames)
    assert "cuda:0 failed at frame 30: windows failed on the GPU with RuntimeError" in runner.note


def test_the_plan_knows() -> None:
    work, tracker = workload(bound()), bound().trackers[0]
    assert work.crossing(find_device("h100")) == (4.0 * SIZE * SIZE, 8.0 * SIGHTING * len(POINTS))
    assert tracker.type.sent({**tracker.params, "points": ()}) == 8.0 * SIGHTING * 50  # as many as are chosen
    assert tracker.type.sent({**tracker.params, "model": "rigid"}) == 8.0 * TURNED * len(POINTS)
    assert not tracker.type.looks_there({**tracker.params, "update": "on_low_score"})


@pytest.mark.skipif(not nvrtc.available(), reason="NVRTC is not installed (wheel nvidia-cuda-nvrtc)")
def test_it_compiles_without_spills() -> None:
    anchors = Warps(25).anchors
    text = tracking(25, anchors.side, anchors.stride, anchors.edge, "uint8", 1024, 1024).text
    assert nvrtc.compile_text(text, nvrtc.ARCHITECTURES[0]).usage["follow_windows"].spills == 0
