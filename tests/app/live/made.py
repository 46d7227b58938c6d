"""Sessions of a small clip, recorded as `fusetrack record` does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from app.live.clip import Schedule, ScheduledRunner
from app.sessions.manifest import Manifest
from app.sessions.recording import Recording
from app.sessions.recording_options import RecordingOptions
from app.sessions.sink import SessionSink
from app.sources.opening import open_source
from kernels.errors import BadFrame
from pipelines.definition import load
from pipelines.features import Tracks
from pipelines.frame import FrameBatch, FrameSource, Pixels, Result, SourceInfo
from pipelines.streaming.common.changes import AnyChange, Change, Structure
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from tests.shipped import fixed

CLIP = "sim:vortex?width=64&height=48&particles=12"
FRAMES = 50


class Keep:
    """A sink that keeps all rows."""

    def __init__(self) -> None:
        self.rows: list[Tracks] = []

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        self.rows += [result.tracks.copy() for result in results]

    def close(self) -> None:
        pass

    @property
    def all(self) -> Tracks:
        return np.concatenate(self.rows)


class Torn:
    """A clip of which some frames cannot be read."""

    def __init__(self, source: FrameSource, torn: set[int]) -> None:
        self.source, self.torn = source, torn

    @property
    def info(self) -> SourceInfo:
        return self.source.info

    def read(self, index: int, out: Pixels | None = None) -> Pixels:
        if index in self.torn:
            raise BadFrame(index, "torn")
        return self.source.read(index, out)

    def close(self) -> None:
        self.source.close()


def changes_of(name: str) -> list[AnyChange]:
    """A live parameter, a tracker's, one that changes the code (twice at one frame), and another pipeline."""
    pipeline = fixed(name)
    if name == "blobs":
        wider = pipeline.with_settings({"band.sigma": 1.6})
        return [
            Change(9, "bright", "level", 0.05), Change(17, "follow", "gate", 5.0), Structure(23, wider),
            Change(23, "bright", "level", 0.06), Structure(34, load("corners")), Structure(41, wider),
        ]  # fmt: skip
    return [Structure(30, fixed("blobs")), Structure(38, pipeline)]


def record(
    path: Path, name: str, changes: Sequence[AnyChange] = (), *, torn: set[int] | None = None,
    spoil: Callable[[Recording], Any] | None = None, batch: int = 7, queue: int | None = None,
) -> Tracks:  # fmt: skip
    """Record the clip as `fusetrack record` does; the rows, numbered as in the session."""
    source, pipeline = Torn(open_source(CLIP), torn or set()), fixed(name)
    begin = Manifest(source.info, pipeline, "cpu").preamble()
    recording = Recording.start(path, begin, RecordingOptions(wait=True, queue=queue))
    sink, keep = SessionSink(recording), Keep()
    runner = ScheduledRunner(
        source, prepare(pipeline, source), [sink, keep], frames=(0, FRAMES),
        schedule=Schedule(pipeline, changes, applied=sink.changed), options=RunOptions(batch=batch, device="cpu")
    )  # fmt: skip
    runner.run()
    if spoil is not None:
        spoil(recording)
    sink.close()
    source.close()
    return keep.all
