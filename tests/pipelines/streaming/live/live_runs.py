"""Whole live runs of a camera in this process, and the same run of a clip."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

from pipelines.definition import loads
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.live.live_runner import LiveRunner
from pipelines.streaming.live.options import LiveOptions
from pipelines.streaming.live.report import LiveReport
from tests.patience import PATIENCE
from tests.pipelines.clips import MemoryClip, moving_spots
from tests.pipelines.streaming.clip.test_runner import SPOTS, Keep
from tests.pipelines.streaming.live.cameras import FakeCamera
from tests.records import taken

CLIP = moving_spots(60, 48)
WHOLE: dict[str, Any] = {"latency": 1000.0, "slots": 3000, "device": "cpu"}
"""Nothing is left out."""


def live(camera: FakeCamera, sinks: Sequence[Any] = (), **options: Any) -> tuple[LiveRunner, LiveReport]:
    """A whole run."""
    options = {**WHOLE, **options}
    runner = LiveRunner(camera, options.pop("pipeline", loads(SPOTS)), sinks, taken(LiveOptions, options), **options)
    runner.start()
    report = runner.wait(PATIENCE)
    assert report is not None
    assert runner.state is report.state
    report.ledger.check(ended=True)
    return runner, report


def offline(clip: Any = CLIP, pipeline: Any = None, **options: Any) -> Keep:
    keep, source = Keep(), MemoryClip(clip)
    bound = prepare(pipeline or loads(SPOTS), source, options.get("roi"))
    Runner(source, bound, [keep], frames=(0, len(clip)), options=RunOptions(device="cpu", **options)).run()
    return keep


def gone() -> bool:
    """Whether no thread of a run is left."""
    names = {"capture", "engine", "track", "live", "sink 0"}
    end = time.monotonic() + PATIENCE
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
