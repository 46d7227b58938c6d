"""What a recording will sustain here, tried before it matters: the disk, the pipeline on the camera's frames, and both
together: a recording of the camera that is thrown away. Only that one has to share the processor with the camera and
the recorder, and leaves frames out, behind which linking costs more."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.cameras.opening import open_camera
from app.live.first_frames import FRAMES, PATIENCE, taken
from app.live.recording import record_camera
from app.live.wanted import Look, Wanted, pipeline_of
from app.sessions.asking import Asked
from app.sessions.layout import Picture
from app.sessions.rehearsal import rehearse
from app.sources.opening import open_source
from pipelines.automatic.sample import Sample, sample_from
from pipelines.automatic.settling import settle
from pipelines.frame import FrameBatch, Pixels, SourceInfo
from pipelines.graph import Pipeline
from pipelines.streaming.building import Order, build
from pipelines.streaming.tracking import Tracking

BATCH = 16
"""Frames a batch."""
FEW = 0.02
"""Share of the frames that may be left out while all threads begin, besides those that may be in hand."""


def rehearsal(wanted: Wanted, seconds: float, begun: Callable[[], None] = lambda: None) -> tuple[list[str], bool]:
    """Sentences about what will be sustained, and whether it is enough.

    Args:
        wanted: what is to be recorded; nothing of it is.
        seconds: of each trial.
        begun: called once the source is there, before anything that takes time.

    Raises:
        InputError: it cannot be recorded at all.
    """
    pipeline = pipeline_of(wanted)
    info, frames = _frames(wanted, begun)
    fps, enough = info.time.fps, True
    disk = rehearse(wanted.path.absolute().parent, Picture.of(info), seconds=seconds, name=wanted.path.name)
    if not fps > 0:
        said = [f"{disk.fps:.0f} frames/s can be recorded here; {info.name} does not say its rate"]
    else:
        said, enough = [disk.describe(fps)], disk.sustains(fps) or not wanted.live
    if pipeline is None:
        return said, enough
    if not len(frames):
        return [*said, f"{info.name} gave no frame within {PATIENCE:g} seconds, so pipeline {pipeline.name!r} was not "
                       "tried"], enough  # fmt: skip
    speed = pipeline_speed(wanted, pipeline, info, frames, seconds)
    text = f"pipeline {pipeline.name!r} takes {speed:.0f} frames/s of {info.name} here"
    if wanted.live and fps > 0:
        sustained = together(wanted, sample_from(info, frames), seconds)
        if sustained is not None:
            text = f"pipeline {pipeline.name!r} takes {min(speed, sustained):.0f} frames/s of {info.name} here while "
            text += f"they are recorded ({speed:.0f} alone)"
        if speed < fps or sustained is not None:
            enough = False
            text += f", NOT enough for {fps:g} frames/s: frames that it has no time for are recorded and not processed"
        else:
            text += f", enough for {fps:g} frames/s"
    return [*said, text], enough


def together(wanted: Wanted, sample: Sample, seconds: float) -> float | None:
    """Frames a second that go through the pipeline in a recording of the camera that is thrown away; None where all do.

    Args:
        wanted: what is to be recorded.
        sample: the camera's frames.
        seconds: of the trial.

    Raises:
        InputError: it cannot be recorded.
    """
    looks: list[tuple[float, int, int]] = []

    def look(at: Look) -> None:
        looks.append((at.seconds, at.ledger.announced, at.ledger.processed))

    place = Path(tempfile.mkdtemp(prefix=".rehearsal-", dir=wanted.path.absolute().parent))
    try:
        record_camera(replace(wanted, path=place / wanted.path.name, seconds=seconds, frames=None, before=None,
                              after=None, asked=Asked(), changes=(), trial=True), sample=sample, look=look)  # fmt: skip
    finally:
        shutil.rmtree(place, ignore_errors=True)
    after, announced, processed = looks[-1] if looks else (seconds, 0, 0)
    if announced - processed <= FEW * announced + wanted.latency * sample.info.time.fps:
        return None
    begin, _, before = next(one for one in looks if one[2] or one is looks[-1])  # behind what is done once
    return (processed - before) / (after - begin) if processed > before else processed / after


def pipeline_speed(wanted: Wanted, pipeline: Pipeline, info: SourceInfo, frames: Pixels, seconds: float) -> float:
    """Frames a second that a pipeline takes: those of its slower part, stages or trackers, which work side by side.

    Args:
        wanted: device, region, exactness.
        pipeline: what to try.
        info: what the frames are.
        frames: (n, *shape), n >= 1.
        seconds: of the trial.
    """
    pipeline = settle(pipeline, sample_from(info, frames), wanted.roi).pipeline
    built = build(pipeline, Order(info, wanted.device, wanted.roi, BATCH, exact=wanted.exact))
    offset = (wanted.roi[0], wanted.roi[1]) if wanted.roi else (0, 0)
    tracking = Tracking(built.bound, info.time.fps, offset)
    interval = 1 / info.time.fps if info.time.fps > 0 else 1.0
    size, count, spent = min(BATCH, built.most, len(frames)), 0, np.zeros(2)
    end = time.perf_counter() + seconds
    while count < 2 * size or time.perf_counter() < end:
        begin = count % (len(frames) - size + 1)
        indices = np.arange(count, count + size)
        batch = FrameBatch(indices, (indices * interval).astype(np.float64), frames[begin : begin + size])
        times = [time.perf_counter()]
        tapped = built.engine.step(batch)
        times.append(time.perf_counter())
        tracking.follow(batch, tapped)
        times.append(time.perf_counter())
        if count:  # the first batch comes to memory that nobody has touched
            spent += np.diff(times)
        count += size
    return float((count - size) / spent.max())


def _frames(wanted: Wanted, begun: Callable[[], None]) -> tuple[SourceInfo, npt.NDArray[np.generic]]:
    """What the source says of itself, and some of its frames, if a pipeline is to be tried."""
    most = FRAMES if wanted.pipeline is not None else 0
    if wanted.live:
        with closing(open_camera(wanted.source, fps=wanted.reading.fps)) as camera:
            begun()
            return camera.info, taken(camera, most)
    with closing(open_source(wanted.source, wanted.reading)) as source:
        begun()
        info = source.info
        some = range(min(most, info.frames))
        return info, np.array([source.read(k) for k in some]).reshape(-1, *info.image.shape)
