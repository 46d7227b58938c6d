"""What a recording will sustain here, tried before it matters: the disk, the pipeline on the camera's frames, and both
together: a recording of the camera that is thrown away. Only that one has to share the processor with the camera and
the recorder, and leaves frames out, behind which linking costs more."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.cameras.opening import open_camera
from app.live.first_frames import FRAMES, PATIENCE, taken
from app.live.recording import record_camera
from app.live.wanted import Wanted, pipeline_of
from app.sessions.asking import Asked
from app.sessions.enough import enough_words, spares
from app.sessions.layout import Picture
from app.sessions.rehearsal import rehearse
from app.sources.opening import open_source
from pipelines.automatic.sample import Sample, sample_from
from pipelines.automatic.settling import settle
from pipelines.frame import FrameBatch, Pixels, SourceInfo
from pipelines.graph import Pipeline
from pipelines.streaming.common.meter import MeterReading
from pipelines.streaming.engine.building import Order, build
from pipelines.streaming.engine.tracking import Tracking
from pipelines.streaming.live.ledger import LiveLedger

BATCH = 16
"""Frames a batch."""
FEW = 0.02
"""Share of the frames that may be left out in a trial that shows what a pipeline could take: others had the processor
for a moment."""
JUST = "some frames may be recorded and left out, whenever something else wants the processor"
SHORT = "frames that it has no time for are recorded and left out"


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
        found = together(wanted, sample_from(info, frames), seconds)
        least = min(speed, found or speed)  # of a slow camera a trial sees few frames, and hardly any track
        if found:
            text = f"pipeline {pipeline.name!r} takes {least:.0f} frames/s of {info.name} here while they are "
            text += f"recorded ({speed:.0f} alone)"
        text += ", " + enough_words(least, fps, JUST, SHORT)
        enough = enough and spares(least, fps)
    return [*said, text], enough


@dataclass(frozen=True)
class Seen:
    """How far a recording has come.

    Args:
        seconds: since some moment.
        processed: frames that came through the pipeline; left_out: for which it had no time.
        busy: seconds for which each of its threads had something to do, by name.
    """

    seconds: float
    processed: int
    left_out: int
    busy: Mapping[str, float]


def seen(reading: MeterReading, ledger: LiveLedger) -> Seen:
    """What a run says of itself, as numbers that stay as they are."""
    return Seen(reading.seconds, ledger.processed, ledger.left_out, reading.busy)


def sustained(course: Sequence[Seen]) -> float:
    """Frames a second that a pipeline takes: where all came through as many as could have, had its threads never
    waited for any, else no more than came through. From the first that came through on, as some things are done once;
    0 where none did.

    Args:
        course: how far a recording had come, again and again; the last is its end.
    """
    end = course[-1]
    begin = next(one for one in course if one.processed or one is end)
    if end.processed == begin.processed:  # all at once
        begin = Seen(0.0, 0, 0, {})
    frames, left_out = end.processed - begin.processed, end.left_out - begin.left_out
    if not frames:
        return 0.0
    # The busiest thread sets the pace: had it never waited, so many frames would have come through.
    busy = max((seconds - begin.busy.get(name, 0.0) for name, seconds in end.busy.items()), default=0.0)
    possible = frames / max(busy, 1e-6)
    # Hardly any were left out: what could have been. Else no more than what was.
    if left_out <= FEW * (frames + left_out):
        return possible
    return min(possible, frames / max(end.seconds - begin.seconds, 1e-6))


def together(wanted: Wanted, sample: Sample, seconds: float) -> float:
    """Frames a second that the pipeline takes in a recording of the camera that is thrown away: it meets the scene as
    it goes on, with as many tracks as live in it, and pays for linking behind each gap. 0 where no frame came through.

    Args:
        wanted: what is to be recorded.
        sample: the camera's frames.
        seconds: of the trial.

    Raises:
        InputError: it cannot be recorded.
    """
    course: list[Seen] = []
    place = Path(tempfile.mkdtemp(prefix=".rehearsal-", dir=wanted.path.absolute().parent))
    try:
        made = record_camera(replace(wanted, path=place / wanted.path.name, seconds=seconds, frames=None, before=None,
                                     after=None, asked=Asked(), changes=(), trial=True),
                             sample=sample, look=lambda at: course.append(seen(at.reading, at.ledger)))  # fmt: skip
    finally:
        shutil.rmtree(place, ignore_errors=True)
    if made.live is not None:
        course.append(seen(made.live.reading, made.live.ledger))
    return sustained(course) if course else 0.0


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
    # Two batches at least: the first is not timed.
    while count < 2 * size or time.perf_counter() < end:
        indices = np.arange(count, count + size)
        batch = FrameBatch(indices, (indices * interval).astype(np.float64), frames[to_and_fro(indices, len(frames))])
        times = [time.perf_counter()]
        tapped = built.engine.step(batch)
        times.append(time.perf_counter())
        tracking.follow(batch, tapped)
        times.append(time.perf_counter())
        if count:  # the first batch comes to memory that was never touched
            spent += np.diff(times)
        count += size
    # The slower of stages and trackers, which work side by side.
    return float((count - size) / spent.max())


def to_and_fro(indices: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    """Which of `count` frames are shown, forwards and backwards by turns: nothing jumps, as between the last and the
    first, and tracks live on.

    >>> to_and_fro(np.arange(8), 3).tolist(), to_and_fro(np.arange(3), 1).tolist()
    ([0, 1, 2, 1, 0, 1, 2, 1], [0, 0, 0])
    """
    last = max(count - 1, 1)
    # A triangle wave of period 2 (count - 1).
    shown: npt.NDArray[np.int64] = np.minimum(last - np.abs(indices % (2 * last) - last), count - 1)
    return shown


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
