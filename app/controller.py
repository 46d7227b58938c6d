"""A whole run without a window: a clip in, tables, pictures and a summary out."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from app.comparison import Comparison, compare, find_truth
from app.exports.atomic import make_folder
from app.exports.background import InBackground
from app.exports.claim import claimed
from app.exports.keypoints import write_keypoints
from app.exports.summary import versions, write_summary
from app.exports.tables import as_columns, read_tracks
from app.exports.track_writer import TrackWriter
from app.exports.trajectories import PictureStyle, TrajectoryPicture
from app.foresight import precision_hints
from app.hinting.levels import level_hints
from app.hinting.look import part_of
from app.hinting.points import lost_at_once, poor_references
from app.hinting.room import room_hints
from app.hinting.trying import without_worse
from app.hints import run_hints
from app.lossy import compression_hints
from app.provenance import TrackStatistics, pipeline_facts, source_facts
from app.result_sinks import FirstPicture, FullTables, KeypointSink, OverlaySink, TrackSink
from app.results import (
    EVENTS,
    SUMMARY,
    TRACKS_CSV,
    TRACKS_PARQUET,
    default_folder,
    outdated,
    replaced,
    spared,
    take_events,
)
from app.run_relations import leave_relations
from app.run_spectra import leave_spectra
from app.run_windows import leave_windows, window_hints
from app.sources.opening import open_source
from app.sources.reading import AS_STORED, Reading
from kernels.errors import BadFrame, InputError
from pipelines.automatic.settling import settle_on
from pipelines.definition import load
from pipelines.evaluation import Scores
from pipelines.features import Tracks
from pipelines.frame import FrameSource, Sink, SourceInfo
from pipelines.frontend import Roi
from pipelines.graph import Pipeline, find_tracker
from pipelines.streaming.preparing import frame_range, prepare
from pipelines.streaming.report import Report
from pipelines.streaming.runner import Runner

DEFAULT_PIPELINE = "blobs"
OVERLAY, TRAJECTORIES = "overlay.mp4", "trajectories.png"


@dataclass(frozen=True)
class Job:
    """What to run.

    Args:
        clip: path, pattern or "sim:SCENE".
        pipeline: name of a shipped pipeline, or path of a definition.
        settings: parameters by "node.param".
        points: for pipelines whose tracker takes points: centres in px of the whole picture, with or without the frame
            in which each begins; () leaves the pipeline's.
        roi: x, y, width, height in px; None for the whole picture.
        frames: first frame and one past the last, as `frame_range` takes them.
        reading: how the clip is read, in place of what its file says.
        out: folder for the results; None for `default_folder`.
        overlay: whether to write the overlay video.
        truth: a table of true positions to compare with; None looks for <clip>.truth.csv beside the clip.
        batch: frames a batch, at most; results do not depend on it.
        device: what computes: "cpu", "cuda", "cuda:1" ..., "reference", or "auto" for the fastest that can be had.
        exact: False allows rewritings of float sums within stated bounds (`kernels.fusion.algebra`).
        tune: time the planner's best groups on the first frames before, and keep the fastest for later runs.
    """

    clip: str
    pipeline: str = DEFAULT_PIPELINE
    settings: Mapping[str, object] = field(default_factory=dict)
    points: tuple[tuple[float, ...], ...] = ()
    roi: Roi | None = None
    frames: tuple[int | None, int | None] | None = None
    reading: Reading = AS_STORED
    out: str | Path | None = None
    overlay: bool = True
    truth: str | Path | None = None
    batch: int = 16
    device: str = "auto"
    exact: bool = True
    tune: bool = False


@dataclass(frozen=True, repr=False)
class Outcome:
    """What a run did and where its results are.

    Args:
        source, pipeline: what was run, with every setting, those that were "auto" as they were found on the clip.
        report: frames, time, what had no room.
        folder, files: the results.
        summary: what summary.json holds.
        scores: against the truth, where there is one.
        compared: with what, in words, or why not; "" without a truth.
        notes: sentences for the user about the results.
    """

    source: SourceInfo
    pipeline: Pipeline
    report: Report
    folder: Path
    files: tuple[Path, ...]
    summary: Mapping[str, Any]
    scores: Scores | None
    compared: str = ""
    notes: tuple[str, ...] = ()

    @cached_property
    def tracks(self) -> Tracks:
        """All rows, read back from the table: an array with the fields frame, time, track, x, y, vx, vy, sigma, score,
        and state and reason as numbers (`pipelines.features`). `table` has them under the files' names.
        """
        return read_tracks(self.folder / TRACKS_PARQUET)

    def table(self) -> dict[str, np.ndarray[Any, Any]]:
        """All rows as columns with the names of tracks.csv (`x_px`, `time_s` ...); state and reason as words."""
        return as_columns(self.tracks)

    def __repr__(self) -> str:
        ledger, count = self.report.ledger, len(self.summary["tracks"]["list"])
        return (
            f"<Outcome: {self.source.name} through {self.pipeline.name}, {ledger.processed} of {ledger.announced} "
            f"frames, {count} track{'' if count == 1 else 's'}; results in {self.folder}>"
        )


class Stoppable(Protocol):
    """What a caller gets to stop a run with."""

    def stop(self) -> None: ...


def open_job(job: Job) -> tuple[FrameSource, Pipeline]:
    """The clip and the pipeline with the job's settings.

    Raises:
        InputError: anything that the user got wrong.
    """
    pipeline = load(job.pipeline).with_settings(job.settings)
    if job.points:
        pipeline = _with_points(pipeline, job.points)
    return open_source(job.clip, job.reading), pipeline


def _takers(pipeline: Pipeline) -> list[str]:
    """The trackers that follow points of the user's choice."""
    return [t.id for t in pipeline.trackers if any(p.name == "points" for p in find_tracker(t.tracker).params)]


def _with_points(pipeline: Pipeline, points: tuple[tuple[float, ...], ...]) -> Pipeline:
    takers = _takers(pipeline)
    if not takers:
        raise InputError(f"pipeline {pipeline.name!r} finds its points itself; --pipeline template follows given ones")
    return pipeline.with_settings({f"{taker}.points": points for taker in takers})


def run_clip(
    clip: str | Path,
    pipeline: str = DEFAULT_PIPELINE,
    *,
    settings: Mapping[str, object] | None = None,
    points: Sequence[tuple[float, ...]] = (),
    roi: Roi | None = None,
    frames: tuple[int | None, int | None] | None = None,
    reading: Reading = AS_STORED,
    fps: float | None = None,
    bits: int | None = None,
    turn: int = 0,
    gaps: bool = True,
    out: str | Path | None = None,
    overlay: bool = True,
    truth: str | Path | None = None,
    batch: int = 16,
    device: str = "auto",
    exact: bool = True,
    tune: bool = False,
    progress: Callable[[str, int], Any] | None = None,
    started: Callable[[Stoppable], None] | None = None,
    told: Callable[[str], None] | None = None,
    **unknown: Any,
) -> Outcome:
    """Run one clip through a pipeline and write the results.

    Args:
        clip: path, pattern or "sim:SCENE".
        pipeline: name of a shipped pipeline, or path of a definition.
        settings: parameters by "node.param", such as {"bright.level": 0.05}.
        points: x, y in px of the whole picture, or x, y and the frame in which a point begins, for pipelines whose
            tracker takes points.
        roi: x, y, width, height in px; None for the whole picture.
        frames: first frame and one past the last; None for an open end, negative ones count from the end.
        reading: how the clip is read in place of what its file says, where that is at hand as a record.
        fps: the capture rate in place of the file's.
        bits: significant bits of a value, such as 12 where they come in 16; None for the file's.
        turn: degrees by which the pictures are turned clockwise: 0, 90, 180 or 270.
        gaps: whether `fps` leaves room for frames that are missing.
        out: folder for the results; None for fusetrack-out/<clip>-<pipeline>.
        overlay: whether to write the overlay video.
        truth: a table of true positions to compare with; None looks for <clip>.truth.csv beside the clip.
        batch: frames a batch, at most; results do not depend on it.
        device: "cpu", "cuda", "cuda:1" ..., "reference", or "auto" for the fastest that can be had.
        exact: False allows other orders of float sums, within stated bounds.
        tune: time the best groups of stages first, and keep the fastest.
        progress: called with (label, frames to come); returns a context manager that gives a `Progress`.
        started: called with the runner before the first frame, so that it can be stopped from elsewhere.
        told: called with each sentence that is worth reading before the frames are processed.

    Returns:
        The outcome: `tracks`, `table()`, `summary`, `scores`, `folder`.

    Raises:
        InputError: anything that the user got wrong, the disk included.
        TypeError: an option that there is not.
    """
    if unknown:
        name, known = next(iter(unknown)), list(run_clip.__kwdefaults__ or ())
        near = get_close_matches(name, known, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"
        raise TypeError(f"run_clip has no option {name!r}; {hint}")
    job = Job(
        str(clip), pipeline, settings or {}, tuple(points), roi, frames,
        reading if reading != AS_STORED else Reading(fps, bits, turn, gaps), out, overlay, truth, batch, device, exact,
        tune,
    )  # fmt: skip
    source, made = open_job(job)
    with closing(source):
        return run_job(job, source, made, progress, started, told=told)


def run_job(
    job: Job,
    source: FrameSource,
    pipeline: Pipeline,
    progress: Callable[[str, int], Any] | None = None,
    started: Callable[[Stoppable], None] | None = None,
    *,
    told: Callable[[str], None] | None = None,
    sinks: Sequence[Sink] = (),
    runner: Callable[..., Runner] = Runner,
    facts: Mapping[str, Any] | None = None,
    spare: bool = False,
) -> Outcome:
    """A job whose source and pipeline are open; raises as `run_clip`.

    Args:
        job: the rest of what to do.
        source: the clip; it stays open.
        pipeline: with the job's settings.
        progress, started, told: as `run_clip` takes them.
        sinks: more of them, before those that write the results.
        runner: makes the run, called as `Runner`.
        facts: more for the summary.
        spare: results of other settings in `default_folder` stay there, and these go into a folder beside it.
    """
    info = source.info
    frames = frame_range(info.frames, job.frames)
    asked = pipeline
    settled = settle_on(asked, source, job.roi)
    pipeline = settled.pipeline
    bound = prepare(pipeline, source, job.roi)
    truth = find_truth(job.clip, job.truth, source, frames)
    folder = Path(job.out) if job.out else default_folder(info, pipeline.name, frames, job.roi)
    meta = {"source": source_facts(info), "pipeline": pipeline_facts(pipeline), "versions": versions()}
    about = {**meta, "range": frames, "roi": job.roi}
    folder = make_folder(spared(folder, about) if spare and not job.out else folder)
    notes = [replaced(folder, about), outdated(folder)]
    if job.frames is not None and (job.frames[1] or 0) > info.frames:
        notes.append(f"the clip ends before frame {job.frames[1]}: all from frame {frames[0]} on were taken")
    if not job.overlay and (folder / OVERLAY).exists():
        notes.append(f"{OVERLAY} there is that of an earlier run (--no-overlay)")
    notes += settled.words
    hints = compression_hints(info) + level_hints(bound)
    corner = job.roi[:2] if job.roi else (0, 0)
    with contextlib.suppress(BadFrame):
        hints += precision_hints(source, bound, frames, corner) + window_hints(source, bound, frames, corner)
        hints += poor_references(source, bound, frames, corner)
    for hint in hints:
        if told is not None:
            told(hint)
    statistics = TrackStatistics()
    with ExitStack() as stack:
        stack.enter_context(claimed(folder))
        table = stack.enter_context(TrackWriter(folder / TRACKS_CSV, folder / TRACKS_PARQUET, meta))
        trajectories, first = TrajectoryPicture(info.width, info.height), FirstPicture()
        takers = [TrackSink(take) for take in (table.append, statistics.add, trajectories.add)]
        all_sinks: list[Sink] = [*sinks, *takers, first]
        if job.overlay:
            from app.exports.overlay import OverlayWriter  # here: it brings the codecs

            count = frames[1] - frames[0]
            overlay = stack.enter_context(
                OverlayWriter(folder / OVERLAY, info.width, info.height, info.time.fps, frames=count)
            )
            painted = OverlaySink(overlay)
            drawing = stack.enter_context(InBackground(painted))
            all_sinks += [KeypointSink(lambda: run.tracking, painted.told.append), drawing]
        run = runner(source, bound, all_sinks, device=job.device, frames=frames, roi=job.roi, batch=job.batch,
                     pictures=True, exact=job.exact, tune_first=job.tune, told=told)  # fmt: skip
        room = room_hints(run.engine, run.batch)
        hints += room
        if told is not None:
            for hint in room:
                told(hint)
            all_sinks.append(FullTables(lambda: run.engine.overflow, told))
        if started is not None:
            started(run)
        label = f"{info.name} through {pipeline.name}"
        if progress is None:
            report = run.run()
        else:
            with progress(label, frames[1] - frames[0]) as bar:
                report = run.run(bar)
        info = source.info  # with what was found out while its frames were read
        counts = table.close(complete=not report.interrupted)
        if job.overlay:
            drawing.finish()
            overlay.close()
        trajectories.save(folder / TRAJECTORIES, first.picture, PictureStyle(title=info.name, timed=info.time.fps > 0))
    spectra, words = leave_spectra(folder, run, counts.tracks)
    hints += words
    spectra += leave_windows(folder, run, statistics.facts()) + leave_relations(folder, run)
    spectra += write_keypoints(folder, run.tracking.tables())
    done = frames[0], frames[0] + report.ledger.processed + report.ledger.bad
    events = [EVENTS] if take_events(job.clip, folder / EVENTS, done, notes) else []
    names = [TRACKS_CSV, TRACKS_PARQUET, TRAJECTORIES, *([OVERLAY] if job.overlay else []), *spectra, *events]
    files = tuple(folder / name for name in names if (folder / name).exists())
    compared = Comparison(None, "")
    if truth is not None:
        compared = compare(read_tracks(folder / TRACKS_PARQUET), truth, done, job.roi, bool(_takers(pipeline)))
    if report.ledger.processed:
        with contextlib.suppress(BadFrame):
            part, where = part_of(pipeline, source, job.roi)
            seen = run_hints(source, part, frames[0], report.ledger.processed, counts.tracks, counts.rows)
            seen = without_worse(seen, source, asked, job.roi, frames[0], report.ledger.processed)
            hints += [hint + where for hint in seen]
            hints += lost_at_once(source, bound, done, statistics.facts(), folder / TRACKS_PARQUET, corner)
    summary = {
        **(facts or {}),
        **meta,
        "source": source_facts(info),
        "hints": hints,
        "found": {"values": settled.found, "words": settled.words},
        "back_end": {
            "name": run.back_end,
            **run.choice.facts,
            "note": run.note,
            "groups": [u.name for u in run.engine.units],
            "tuned": None if run.tuned is None else asdict(run.tuned),
        },
        "exact": job.exact,
        "rewritings": [{"group": u.name, **asdict(r)} for u in run.engine.units for r in u.rewritings],
        "roi": job.roi,
        "range": frames,
        "overlay": {"seconds": drawing.seconds, "waited_seconds": drawing.waited} if job.overlay else None,
        "frames": report.ledger.facts(),
        "interrupted": report.interrupted,
        "tracks": {**asdict(counts), "list": statistics.facts()},
        "overflow": dict(report.overflow),
        "seconds": report.seconds,
        "fps": report.fps,
        "stage_seconds": report.stage_seconds,
        "compared_with": compared.words or None,
        "scores": None if compared.scores is None else asdict(compared.scores),
    }
    write_summary(folder / SUMMARY, summary)
    notes += [r.words for u in run.engine.units for r in u.rewritings if r.kind == "host"]
    return Outcome(
        info, pipeline, report, folder, (*files, folder / SUMMARY), summary, compared.scores, compared.words,
        tuple(filter(None, notes)),
    )  # fmt: skip
