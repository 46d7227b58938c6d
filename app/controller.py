"""A whole run without a window: a clip in, tables, pictures and a summary out."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, cast

import numpy as np

from app.cautions import compression_hints
from app.comparison import Comparison, compare, find_truth
from app.exports.axes import Axes
from app.exports.background import InBackground
from app.exports.columns import chosen_measures, told_columns
from app.exports.physical_csv import Counting, PhysicalCsv, counting_of
from app.exports.scale import Scale
from app.exports.table_writer import TableWriter, table_names
from app.exports.tables import as_columns, read_tracks
from app.exports.track_writer import TrackWriter
from app.exports.trajectories import PictureStyle, TrajectoryPicture, by_pixels
from app.files.atomic import make_folder
from app.files.claim import claimed
from app.files.summary import versions, write_summary
from app.foresight import precision_hints
from app.hinting.levels import level_hints
from app.hinting.look import part_of
from app.hinting.others import another, stands_still
from app.hinting.pace import pace_hints
from app.hinting.points import lost_at_once, poor_references
from app.hinting.room import room_hints
from app.hinting.trying import proposed, without_worse
from app.hints import run_hints
from app.keypoints import write_keypoints
from app.plots.beside import Figures
from app.plots.look import LIGHT, Look, look_of
from app.provenance import TrackStatistics, pipeline_facts, source_facts
from app.result_sinks import FirstPicture, FullTables, KeypointSink, MeasuredSink, OverlaySink, TableSink, TrackSink
from app.results import (
    EVENTS,
    RUN_STEMS,
    SUMMARY,
    TRACKS_CSV,
    TRACKS_PARQUET,
    absolute_clip,
    default_folder,
    events_text,
    outdated,
    replaced,
    spared,
    take_events,
)
from app.run_relations import leave_relations
from app.run_spectra import leave_spectra, leaving_spectra
from app.run_windows import leave_windows, window_hints
from app.sources.opening import open_source
from app.sources.reading import AS_STORED, Reading
from kernels.errors import ArgumentError, ArgumentTypeError, BadFrame, InputError
from kernels.executors.natives import compiling_seconds
from kernels.executors.placement import available
from kernels.ir.table import TableType
from pipelines.analysis.point_grid import PointGrid
from pipelines.automatic.settling import settle_on
from pipelines.definition import load
from pipelines.evaluation import Scores
from pipelines.features import Tracks
from pipelines.frame import FrameSource, Sink, SourceInfo
from pipelines.frontend import Roi, corner_of
from pipelines.graph import Bound, Pipeline, find_tracker
from pipelines.streaming.clip.report import Report
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import frame_range, prepare
from pipelines.streaming.engine.measuring import measures_of
from pipelines.writing import dumps

DEFAULT_PIPELINE = "blobs"
OVERLAY, TRAJECTORIES = "overlay.mp4", "trajectories"


class Built(Protocol):
    """What a pipeline is built with (`app.api.pipeline`)."""

    @property
    def graph(self) -> Pipeline: ...


@dataclass(frozen=True)
class Job:
    """What to run.

    Args:
        clip: path, pattern or "sim:SCENE".
        pipeline: name of a shipped pipeline, path of a definition, or one that is built already.
        settings: parameters by "node.param".
        points: for pipelines whose tracker takes points: centres in px of the whole picture, with or without the frame
            in which each begins, or a grid that fills areas with them; () leaves the pipeline's.
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
        columns: which of the measures that the pipeline has are in the tables besides places, by name ("none" for
            none of them, None for all).
        key: whether tracks.csv says of each column what it is, in lines before its header.
        counting: how positions count in tracks.csv.
        look: of its figures.
        events: (frame, name) that a project has, which count where none lie beside the clip.
    """

    clip: str
    pipeline: str | Path | Pipeline | Built = DEFAULT_PIPELINE
    settings: Mapping[str, object] = field(default_factory=dict)
    points: tuple[tuple[float, ...], ...] | PointGrid = ()
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
    columns: str | None = None
    key: bool = False
    counting: Counting = field(default_factory=Counting)
    look: Look = LIGHT
    events: tuple[tuple[int, str], ...] = ()


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


def _tapped_tables(pipeline: Pipeline, bound: Bound) -> dict[str, tuple[str, TableType]]:
    """The tables among the pipeline's own taps: by the name that results have them under, that of their files, and
    their type."""
    asked = {str(tap) for tap in pipeline.taps}
    own = {str(ref): type_ for ref in bound.taps if isinstance(type_ := bound.types[ref], TableType)
           and {str(ref), f"{ref.node}.{ref.output}"} & asked}  # fmt: skip
    names = table_names([*own], RUN_STEMS)
    return {tap: (name, type_) for (tap, type_), name in zip(own.items(), names, strict=True)}


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a run was, in seconds of wall time.

    Args:
        frames: processed.
        seconds: from the first frame to the last.
        waited: of them, how long the frames waited for the overlay to be drawn and encoded.
        compiled: of them, what it took to make machine code of loops, which later runs find.
        whole: from the first frame until all tables and pictures were written.
    """

    frames: int
    seconds: float
    waited: float
    compiled: float
    whole: float

    def facts(self) -> dict[str, float]:
        """Frames a second that were tracked, and with tables, overlay and pictures; on how many processors."""
        alone = self.seconds - self.waited - self.compiled
        return {
            "tracked_fps": self.frames / alone if alone > 0 else 0.0,
            "whole_fps": self.frames / self.whole if self.whole > 0 else 0.0,
            "whole_seconds": self.whole,
            "compiled_seconds": self.compiled,
            "processors": available(),
        }


class Stoppable(Protocol):
    """What a caller gets to stop a run with."""

    def stop(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Watch:
    """Who is told how a run goes.

    Args:
        progress: called with (label, frames to come); returns a context manager that gives a `Progress`.
        started: called with the runner before the first frame, so that it can be stopped from elsewhere.
        notify: called with each sentence that is worth reading before the frames are processed.
    """

    progress: Callable[[str, int], Any] | None = None
    started: Callable[[Stoppable], None] | None = None
    notify: Callable[[str], None] | None = None

    def tell(self, sentence: str) -> None:
        """Pass on a sentence, where it is wanted."""
        if self.notify is not None:
            self.notify(sentence)


UNWATCHED = Watch()


class MakesRun(Protocol):
    """What a run is made by: `Runner`, or one that also changes things on the way."""

    def __call__(
        self, source: FrameSource, bound: Bound, sinks: Sequence[Sink], /, *, frames: tuple[int, int],
        options: RunOptions, notify: Callable[[str], None] | None,
    ) -> Runner: ...  # fmt: skip


def open_job(job: Job) -> tuple[FrameSource, Pipeline]:
    """The clip and the pipeline with the job's settings.

    Raises:
        InputError: anything that the user got wrong.
    """
    built: Any = getattr(job.pipeline, "graph", job.pipeline)
    pipeline = (built if isinstance(built, Pipeline) else load(built)).with_settings(job.settings)
    if job.points and not isinstance(job.points, PointGrid):
        pipeline = with_points(pipeline, job.points)
    source = open_source(job.clip, job.reading)
    if isinstance(job.points, PointGrid):
        try:
            pipeline = with_grid(pipeline, job.points, source.info, job.roi)
        except BaseException:
            source.close()
            raise
    return source, pipeline


def _takers(pipeline: Pipeline) -> list[str]:
    """The trackers that follow points of the user's choice."""
    return [t.id for t in pipeline.trackers if any(p.name == "points" for p in find_tracker(t.tracker).params)]


def _some_takers(pipeline: Pipeline) -> list[str]:
    """The same; raises InputError where there are none."""
    found = _takers(pipeline)
    if not found:
        raise InputError(f"pipeline {pipeline.name!r} finds its points itself; --pipeline template follows given ones")
    return found


def with_points(pipeline: Pipeline, points: tuple[tuple[float, ...], ...]) -> Pipeline:
    """The pipeline whose trackers follow these points.

    Raises:
        InputError: none of them takes points, or a point is none.
    """
    return pipeline.with_settings({f"{taker}.points": points for taker in _some_takers(pipeline)})


def with_grid(pipeline: Pipeline, grid: PointGrid, info: SourceInfo, roi: Roi | None = None) -> Pipeline:
    """The pipeline whose trackers follow the points of a grid, and no corners that they would find besides.

    Args:
        pipeline: whose trackers take points.
        grid: keeps the window of each tracker inside the picture.
        info: of the clip or camera. roi: the part of it that is processed.

    Raises:
        InputError: none of the trackers takes points, or there is no room for one.
    """
    settings: dict[str, object] = {}
    for taker in _some_takers(pipeline):
        node = next(one for one in pipeline.trackers if one.id == taker)
        kind = find_tracker(node.tracker)
        params = {param.name: param for param in kind.params}
        window = int(cast(int, node.params.get("window", params["window"].default))) if "window" in params else 1
        placed = grid.points(info.width, info.height, window, roi)
        if not len(placed):
            raise InputError(f"the grid {grid} holds no point whose window of {window} px lies inside the picture; "
                             "take larger areas or a smaller window")  # fmt: skip
        settings[f"{taker}.points"] = tuple(map(tuple, placed.tolist()))
        if "max_points" in params and any(one.kind == "features" for one in kind.inputs):
            settings[f"{taker}.max_points"] = 0
    return pipeline.with_settings(settings)


def run_clip(
    clip: str | Path,
    pipeline: str | Path | Pipeline | Built = DEFAULT_PIPELINE,
    *,
    settings: Mapping[str, object] | None = None,
    points: Sequence[tuple[float, ...]] | PointGrid = (),
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
    figure: str = "",
    dark: bool = False,
    columns: str | None = None,
    key: bool = False,
    scale: str | Scale | None = None,
    origin: tuple[float, float] | Axes | None = None,
    y_up: bool = False,
    events: Sequence[tuple[int, str]] = (),
    progress: Callable[[str, int], Any] | None = None,
    started: Callable[[Stoppable], None] | None = None,
    notify: Callable[[str], None] | None = None,
    **unknown: Any,
) -> Outcome:
    """Run one clip through a pipeline and write the results.

    Args:
        clip: path, pattern or "sim:SCENE".
        pipeline: name of a shipped pipeline, path of a definition, or a `fusetrack.Pipeline`.
        settings: parameters by "node.param", such as {"bright.level": 0.05}.
        points: x, y in px of the whole picture, or x, y and the frame in which a point begins, for pipelines whose
            tracker takes points; or a grid that fills areas with them (`fusetrack.grid`).
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
        figure: how figures look: "paper", "double", "pdf", "svg", joined by commas; "" for wide ones as PNG.
        dark: figures on dark ground.
        columns: which of the pipeline's measures (`area,diameter` ...) the tables have; "none" for places alone, None
            for all that the pipeline has.
        key: whether tracks.csv begins with lines that say what its columns are.
        scale: how long a pixel is, such as "0.12 mm/px": positions, speeds, sizes and uncertainties in tracks.csv are
            lengths. tracks.parquet, and all that is returned, stays in px of the picture, y down.
        origin: x, y in px of the picture from where positions in tracks.csv count.
        y_up: y points up in tracks.csv.
        events: (frame, name) that are left with the results where none lie beside the clip.
        progress: called with (label, frames to come); returns a context manager that gives a `Progress`.
        started: called with the runner before the first frame, so that it can be stopped from elsewhere.
        notify: called with each sentence that is worth reading before the frames are processed.

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
    if not isinstance(clip, str | os.PathLike):
        raise ArgumentTypeError("run_clip takes a clip's file, and writes files; fusetrack.track takes arrays, too, "
                                f"and writes none; this is a {type(clip).__name__}")  # fmt: skip
    if isinstance(out, bool):
        raise ArgumentError("run_clip writes files; fusetrack.track gives the same rows and writes none")
    job = Job(
        str(clip), pipeline, settings or {}, points if isinstance(points, PointGrid) else tuple(points), roi, frames,
        reading if reading != AS_STORED else Reading(fps, bits, turn, gaps), out, overlay, truth, batch, device, exact,
        tune, columns, key, counting_of(scale, origin, y_up), look_of(figure, dark), tuple(events),
    )  # fmt: skip
    source, made = open_job(job)
    with closing(source):
        return run_job(job, source, made, Watch(progress, started, notify))


def hints_before(source: FrameSource, bound: Bound, frames: tuple[int, int], roi: Roi | None) -> list[str]:
    """Sentences about how well a clip can be measured, before it is.

    Args:
        source: the clip.
        bound: the pipeline that will run.
        frames: first frame and one past the last.
        roi: the region that is processed.
    """
    hints, corner = compression_hints(source.info) + level_hints(bound), corner_of(roi)
    with contextlib.suppress(BadFrame):
        hints += precision_hints(source, bound, frames, corner) + window_hints(source, bound, frames, corner)
        hints += poor_references(source, bound, frames, corner)
    return hints


def hints_after(
    asked: Pipeline, pipeline: Pipeline, source: FrameSource, roi: Roi | None, done: tuple[int, int],
    found: tuple[int, int],
) -> list[str]:  # fmt: skip
    """Sentences about which settings would have found more, or better.

    Args:
        asked: the pipeline, as the user set it; `pipeline` has numbers in place of "auto".
        source, roi: the clip, and the region that was processed.
        done: the first frame and how many were processed.
        found: how many tracks, and rows.

    Raises:
        BadFrame: a frame that is looked at cannot be read.
    """
    part, where = part_of(pipeline, source, roi)
    seen = run_hints(source, part, *done, *found)
    return [hint + where for hint in without_worse(seen, source, asked, roi, *done)]


def run_job(
    job: Job,
    source: FrameSource,
    pipeline: Pipeline,
    watch: Watch = UNWATCHED,
    *,
    sinks: Sequence[Sink] = (),
    runner: MakesRun = Runner,
    facts: Mapping[str, Any] | None = None,
    spare: bool = False,
) -> Outcome:
    """A job whose source and pipeline are open; raises as `run_clip`.

    Args:
        job: the rest of what to do.
        source: the clip; it stays open.
        pipeline: with the job's settings.
        watch: who is told how it goes.
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
    measures = chosen_measures(job.columns, measures_of(bound))
    tapped = _tapped_tables(pipeline, bound)
    counted = PhysicalCsv(job.counting, (info.width, info.height), info.time.fps > 0) if job.counting else None
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
    hints = hints_before(source, bound, frames, job.roi)
    corner = corner_of(job.roi)
    for hint in hints:
        watch.tell(hint)
    statistics = TrackStatistics()
    with ExitStack() as stack:
        stack.enter_context(claimed(folder))
        table = stack.enter_context(TrackWriter(folder / TRACKS_CSV, folder / TRACKS_PARQUET, meta,
                                                measures=measures, key=job.key, counted=counted))  # fmt: skip
        trajectories, first = TrajectoryPicture(info.width, info.height), FirstPicture()
        takers = [TrackSink(take) for take in (statistics.add, trajectories.add)]
        all_sinks: list[Sink] = [*sinks, MeasuredSink(table.append, measures), *takers, first]
        tables = [stack.enter_context(TableWriter(folder / name, type_, corner, meta, info.time.fps > 0, job.key))
                  for name, type_ in tapped.values()]  # fmt: skip
        all_sinks += [TableSink(tap, one.append) for tap, one in zip(tapped, tables, strict=True)]
        if job.overlay:
            from app.exports.overlay import OverlayStyle, OverlayWriter, slow_motion  # here: it brings the codecs

            count = frames[1] - frames[0]
            style = OverlayStyle(every=slow_motion(info.time.fps, count))
            overlay = stack.enter_context(
                OverlayWriter(folder / OVERLAY, info.width, info.height, info.time.fps, style, count)
            )
            painted = OverlaySink(overlay)
            drawing = stack.enter_context(InBackground(painted))
            all_sinks += [KeypointSink(lambda: run.tracking, painted.coming.append), drawing]
        pixels = by_pixels(job.look)
        figures = Figures(bool(leaving_spectra(bound)) or not pixels, job.look if pixels else None)
        options = RunOptions(device=job.device, roi=job.roi, batch=job.batch, pictures=True, exact=job.exact,
                             tune_first=job.tune, measures=measures)  # fmt: skip
        run = runner(source, bound, all_sinks, frames=frames, options=options, notify=watch.notify)
        room = room_hints(run.engine, run.batch)
        hints += room
        for hint in room:
            watch.tell(hint)
        if watch.notify is not None:
            all_sinks.append(FullTables(lambda: run.engine.overflow, watch.notify))
        if watch.started is not None:
            watch.started(run)
        label = f"{info.name} through {pipeline.name}"
        begun, before = time.perf_counter(), compiling_seconds()
        if watch.progress is None:
            report = run.run()
        else:
            with watch.progress(label, frames[1] - frames[0]) as bar:
                report = run.run(bar)
        waited, compiled = drawing.waited if job.overlay else 0.0, compiling_seconds() - before
        info = source.info  # with what was found out while its frames were read
        shown = PictureStyle(title=info.name, timed=info.time.fps > 0)
        figures.ask(trajectories.save, folder / job.look.name(TRAJECTORIES), first.picture, shown, job.look)
        counts = table.close(complete=not report.interrupted)
        for one in tables:
            one.close()
        if job.overlay:  # last, since it is drawn beside the rest
            drawing.finish()
            overlay.close()
    spectra, words = leave_spectra(folder, run, counts.tracks, figures, job.look)
    hints += words
    spectra += leave_windows(folder, run, statistics.facts()) + leave_relations(folder, run)
    spectra += write_keypoints(folder, run.tracking.tables())
    written = time.perf_counter()
    done = frames[0], frames[0] + report.ledger.processed + report.ledger.bad
    known = events_text(job.events, source.info.time).encode() if job.events else b""
    events = [EVENTS] if take_events(job.clip, folder / EVENTS, done, notes, known) else []
    own = [file.name for one in tables for file in one.files]
    pictures = [job.look.name(TRAJECTORIES), *([OVERLAY] if job.overlay else [])]
    names = [TRACKS_CSV, TRACKS_PARQUET, *own, *pictures, *spectra, *events]
    compared = Comparison(None, "")
    if truth is not None:
        compared = compare(read_tracks(folder / TRACKS_PARQUET), truth, done, job.roi, bool(_takers(pipeline)))
    if report.ledger.processed:
        with contextlib.suppress(BadFrame):
            did = frames[0], report.ledger.processed
            seen = hints_after(asked, pipeline, source, job.roi, did, (counts.tracks, counts.rows))
            proposals = [hint for hint in (*hints, *seen) if proposed(hint)]
            doubted = not proposals or (not counts.tracks and stands_still(proposals, source, asked, job.roi, did))
            pace = pace_hints(folder / TRACKS_PARQUET, statistics.facts(), done, info.time.fps)
            instead = another(source, asked, job.roi, did, statistics.facts()) if doubted and not pace else []
            hints += [hint for hint in seen if not ((instead or pace) and proposed(hint))] + instead + pace
            hints += lost_at_once(source, bound, done, statistics.facts(), folder / TRACKS_PARQUET, corner)
    speed = Speed(report.ledger.processed, report.seconds, waited, compiled, max(written, figures.drawn()) - begun)
    files = tuple(folder / name for name in names if (folder / name).exists())
    summary = {
        **(facts or {}),
        **meta,
        "source": source_facts(info),
        "clip": absolute_clip(job.clip),
        "definition": dumps(asked),
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
        "rewritings": [{"group": u.name, **r.as_dict()} for u in run.engine.units for r in u.rewritings],
        "roi": job.roi,
        "range": frames,
        "columns": {name: {"unit": unit, "meaning": doc} for name, unit, doc in told_columns(measures)},
        "units": job.counting.facts(),
        "overlay": {"seconds": drawing.seconds, "waited_seconds": waited, **overlay.facts} if job.overlay else None,
        "frames": report.ledger.facts(),
        "interrupted": report.interrupted,
        "tracks": {**asdict(counts), "list": statistics.facts()},
        "overflow": dict(report.overflow),
        "sent_back": dict(report.sent_back),
        "seconds": report.seconds,
        "fps": report.fps,
        "speed": speed.facts(),
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
