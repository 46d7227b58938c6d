"""Whole live runs of a camera in this process, and the same run of a clip."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

from pipelines.definition import loads
from pipelines.streaming.live import LiveRunner
from pipelines.streaming.live_report import LiveReport
from pipelines.streaming.preparing import prepare
from pipelines.streaming.runner import Runner
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.streaming.cameras import FakeCamera
from tests.pipelines.test_runner import SPOTS, Keep

CLIP = moving_spots(60, 48)
WHOLE: dict[str, Any] = {"latency": 1000.0, "slots": 3000, "device": "cpu"}
"""Nothing is left out."""


def live(camera: FakeCamera, sinks: Sequence[Any] = (), **options: Any) -> tuple[LiveRunner, LiveReport]:
    """A whole run."""
    runner = LiveRunner(camera, options.pop("pipeline", loads(SPOTS)), sinks, **{**WHOLE, **options})
    runner.start()
    report = runner.wait(30)
    assert report is not None
    assert runner.state is report.state
    report.ledger.check(ended=True)
    return runner, report


def offline(clip: Any = CLIP, pipeline: Any = None, **options: Any) -> Keep:
    keep, source = Keep(), MemoryClip(clip)
    bound = prepare(pipeline or loads(SPOTS), source, options.get("roi"))
    Runner(source, bound, [keep], frames=(0, len(clip)), device="cpu", **options).run()
    return keep


def gone() -> bool:
    """Whether no thread of a run is left."""
    names = {"capture", "engine", "track", "live", "sink 0"}
    end = time.monotonic() + 5
    while time.monotonic() < end:
        if not [t for t in threading.enumerate() if t.name in names]:
            return True
        time.sleep(0.005)
    return False


class Closing(Keep):
    """Says whether it was closed."""

    closed = 0

    def close(self) -> None:
        self.closed += 1
