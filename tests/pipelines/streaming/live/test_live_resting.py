"""What trackers look at on a GPU that the user names stays there in live runs and in playback, too: the rows of the
reference."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

from pipelines.definition import load
from pipelines.graph import Pipeline
from pipelines.streaming.engine import building
from pipelines.streaming.engine.choice import Choice
from pipelines.streaming.live.live_runner import LiveRunner
from pipelines.streaming.live.options import LiveOptions
from pipelines.streaming.live.worker import TrackWork
from pipelines.streaming.playback.options import PlaybackOptions
from pipelines.streaming.playback.playback import Playback
from pipelines.trackers.registration.batch.device_tracking import DeviceTracking
from tests.emulator.compiler import NoCompilerError, default_compiler
from tests.patience import PATIENCE
from tests.pipelines.clips import MemoryClip
from tests.pipelines.emulated import EmulatedExecutor
from tests.pipelines.streaming.clip.test_runner import Keep
from tests.pipelines.streaming.live.cameras import FakeCamera
from tests.pipelines.trackers.test_klt_device import pipeline
from tests.pipelines.trackers.test_template_device import POINTS, clip

try:
    default_compiler()
except NoCompilerError as error:
    pytest.skip(str(error), allow_module_level=True)

FRAMES = clip()[:36]


SETTINGS = {"track.points": POINTS, "track.window": 11, "track.reference_frames": 4}
TEMPLATE = load("template").with_settings(SETTINGS)
CORNERS = pipeline("gray", points=POINTS)


def played(pipeline: Pipeline, device: str = "reference") -> Keep:
    keep = Keep()
    Playback(MemoryClip(FRAMES), pipeline, [keep], PlaybackOptions(device=device, batch=4)).run()
    return keep


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many frames each call followed on the device."""
    plain, found = DeviceTracking.follow, list[int]()

    def follow(self: Any, images: Any, *args: Any) -> Any:
        found.append(len(images))
        return plain(self, images, *args)

    monkeypatch.setattr(DeviceTracking, "follow", follow)
    return found


def a_gpu(monkeypatch: pytest.MonkeyPatch, asked: str) -> None:
    made = EmulatedExecutor()
    monkeypatch.setattr(building, "choose", lambda device, *_: Choice(made, asked, "cuda:0", machine={}))


@pytest.mark.parametrize("asked", ["cuda", "auto"])
def test_playback(monkeypatch: pytest.MonkeyPatch, calls: list[int], asked: str) -> None:
    expected = played(TEMPLATE)
    a_gpu(monkeypatch, asked)
    keep = played(TEMPLATE, "cuda")
    assert keep.tracks.tobytes() == expected.tracks.tobytes()
    assert bool(calls) == (asked == "cuda")  # where the processor may take over, trackers get pixels


@pytest.mark.parametrize("pipeline", [TEMPLATE, CORNERS], ids=["template", "corners"])
def test_a_live_run_waits_for_trackers(monkeypatch: pytest.MonkeyPatch, calls: list[int], pipeline: Pipeline) -> None:
    """The trackers' thread is slow: what it looks at must not be written over by the batches behind."""
    expected = played(pipeline)
    a_gpu(monkeypatch, "cuda")
    slow, plain = threading.Event(), TrackWork._track

    def track(self: TrackWork, work: Any) -> bool:
        slow.wait(0.02)
        return plain(self, work)

    monkeypatch.setattr(TrackWork, "_track", track)
    keep = Keep()
    options = LiveOptions(latency=1000.0, slots=64, batch=3)
    runner = LiveRunner(FakeCamera(FRAMES, most=5), pipeline, [keep], options)
    runner.start()
    report = runner.wait(PATIENCE)
    assert report is not None
    assert report.error == ""
    assert keep.tracks.tobytes() == expected.tracks.tobytes()
    shown = [result.taps for result in keep.results]
    assert all("gray" in taps for taps in shown) == (pipeline is CORNERS)  # the clip itself is at hand, and kept
    assert all((taps["gray"] == frame).all() for taps, frame in zip(shown, FRAMES, strict=True) if "gray" in taps)
    assert not any(np.may_share_memory(taps["gray"], runner._ring.pixels) for taps in shown if "gray" in taps)
    assert len(calls) >= 4
    assert np.sum(calls) >= 12
