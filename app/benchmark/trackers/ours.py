"""Our own trackers, through whole pipelines: from the camera's pixels to tracks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from app.benchmark.trackers.contender import MEMORY, Contender, Run
from app.benchmark.trackers.scenes import SMALL_MOTIONS, Clip
from pipelines.definition import load
from pipelines.features import Tracks, no_tracks
from pipelines.frame import FrameBatch, Pixels, Result
from pipelines.graph import Pipeline
from pipelines.streaming.preparing import prepare
from pipelines.streaming.runner import Runner
from pipelines.trackers.base import confirmed


@dataclass
class Collected:
    """A sink that keeps the rows, and tapped tables."""

    parts: list[Tracks] = field(default_factory=list)
    taps: list[Mapping[str, Pixels]] = field(default_factory=list)

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:  # noqa: ARG002 - a sink takes both
        self.parts += [result.tracks for result in results]
        self.taps += [result.taps for result in results]

    def close(self) -> None:
        """Nothing is held."""

    @property
    def tracks(self) -> Tracks:
        return np.concatenate(self.parts) if self.parts else no_tracks()


def run_of(pipeline: Pipeline, clip: Clip, sink: Collected | None = None) -> Run:
    """A run of the pipeline on the processor; a `Runner` runs once, so that each run is made anew."""
    kept = sink or Collected()
    runner = Runner(clip, prepare(pipeline, clip), [kept], device="cpu", frames=(0, len(clip)))

    def run() -> Tracks:
        runner.run()
        return confirmed(kept.tracks)

    return run


def _blobs(clip: Clip, level: float) -> Run:
    return run_of(blob_pipeline(clip, level), clip)


def blob_pipeline(clip: Clip, level: float) -> Pipeline:
    """The pipeline `blobs` with a threshold and the fastest motion of the scene."""
    speed = 3.0 * clip.scene.reach
    settings: dict[str, object] = {
        "bright.level": level,
        "follow.max_speed": max(8.0, speed),
        "follow.max_missed": MEMORY,
    }
    if clip.scene.dark:
        settings |= {"bright.level": -level, "bright.polarity": "dark", "spots.polarity": "dark"}
    return load("blobs").with_settings(settings)


def _markers(clip: Clip, level: float) -> Run:
    return run_of(load("facial-markers").with_settings({"rim.level": level}), clip)


def _template(clip: Clip, frames: float) -> Run:
    """`frames` are averaged in the reference of each window."""
    settings = {"reference_frames": int(frames), "model": "rigid" if clip.scene.turns else "translation"}
    return _pointed("template", clip, settings)


def _vibration(clip: Clip, _: float) -> Run:
    return _pointed("vibration", clip, {})


def _pointed(name: str, clip: Clip, settings: Mapping[str, object]) -> Run:
    pipeline = load(name)
    taker = pipeline.trackers[0].id
    points = tuple((float(x), float(y)) for x, y in clip.points)
    given: dict[str, object] = {"points": points, "window": 21, **settings}
    return run_of(pipeline.with_settings({f"{taker}.{key}": value for key, value in given.items()}), clip)


LEVELS = (0.0015, 0.0025, 0.004, 0.007, 0.012, 0.02, 0.035, 0.06)
OURS = (
    Contender("fusetrack blobs", "things", _blobs, LEVELS),
    Contender("fusetrack facial-markers", "things", _markers, (0.5, 0.8, 1.2), scenes=("face",)),
    Contender("fusetrack template", "points", _template, (1, 16)),
    Contender("fusetrack vibration", "points", _vibration, scenes=SMALL_MOTIONS),
)
