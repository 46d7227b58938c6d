"""`fusetrack.track`: frames in, tracks out, nothing written."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.controller import hints_after, hints_before, with_grid, with_points
from app.exports.columns import chosen_measures, ordered
from app.hinting.room import room_hints
from app.points_file import read_points
from app.progress import showing
from app.result_sinks import MeasuredSink
from app.run_windows import subset_told
from kernels.errors import ArgumentError, ArgumentTypeError, BadFrame, InputError
from kernels.ir.image import ImageType
from pipelines.analysis.areas import parse_area
from pipelines.analysis.point_grid import PointGrid
from pipelines.automatic.settling import settle_on
from pipelines.features import no_tracks
from pipelines.frame import FrameBatch, FrameSource, Result, SourceInfo
from pipelines.frontend import Roi
from pipelines.graph import Bound, Ref
from pipelines.graph import Pipeline as Graph
from pipelines.measures import Unwrapping
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import frame_range, prepare
from pipelines.streaming.engine.measuring import measures_of
from pipelines.trackers.base import confirmed

from .clip import Clip, as_clip, in_time, unknown_rate
from .pictures import Pictures
from .pipeline import Pipeline, Step, graph_of
from .settings import plain, with_parameters
from .tracks import Tracks
from .wording import in_python, worded

Areas = str | Sequence[str]
Frames = str | os.PathLike[str] | Clip | FrameSource | Pictures
Points = str | os.PathLike[str] | npt.ArrayLike | Sequence[tuple[float, ...]] | PointGrid


def track(
    clip: Frames, pipeline: str | os.PathLike[str] | Pipeline | Graph | Iterable[Step] = "blobs", *,
    fps: float | None = None, times: npt.ArrayLike | None = None, points: Points = (), roi: Roi | None = None,
    frames: tuple[int | None, int | None] | slice | range | None = None,
    settings: Mapping[str, object] | None = None, taps: str | Sequence[str] = (),
    columns: str | Sequence[str] | None = None, bits: int | None = None,
    turn: int = 0, gaps: bool = True, color: str = "rgb", device: str = "auto", exact: bool = True, batch: int = 16,
    progress: bool | Callable[[str, int], Any] = False, **parameters: object,
) -> Tracks:  # fmt: skip
    """Follow what moves in a clip; nothing is written to disk.

    >>> tracks = fusetrack.track(frames, "blobs", fps=1000, bright__level=0.05)   # doctest: +SKIP
    >>> seen = tracks.tracked                                                     # doctest: +SKIP
    >>> seen["x"], seen["y"], seen["sigma"]                                       # doctest: +SKIP

    The rows are those of `fusetrack run` with the same clip and settings, bit for bit.

    Args:
        clip: an array of pictures (frames, height, width) or (frames, height, width, 3), of u8, u16, f32 or other
            numbers; a list or a generator of pictures (which is read to its end first); a file's path; or what
            `fusetrack.open` gives, also a part of it, such as clip[10:20], whose frames keep their numbers and times.
        pipeline: a shipped pipeline by name (`fusetrack.library()` lists them), a .toml file, a `fusetrack.Pipeline`,
            or a list of steps.
        fps: the capture rate, frames a second. Without it the times of an array's rows count frames, and velocities
            are px/frame.
        times: of arrays, in place of even times: seconds of each frame, rising, (frames,).
        points: for pipelines that follow given points ("template", "vibration"): (points, 2) of x and y in px, or
            (points, 3) with the frame in which each begins; a DataFrame with columns x_px and y_px (or x and y);
            a CSV file's path; or what `fusetrack.grid` gives. Tracks are numbered in their order, from 0.
        roi: x, y, width, height in px; None for the whole picture. Positions stay those of the whole picture.
        frames: which frames: (first, one past the last) or a slice; None for an open end, negative ones count from
            the end.
        settings: parameters by "node.param", such as {"bright.level": 0.05}.
        taps: outputs that are kept besides, "node" or "node.output": `tracks.taps` has them, as `fusetrack.apply`
            gives them.
        columns: which of the measures that the pipeline has (area, diameter ...) rows carry besides places, by name;
            () for none, None for all.
        bits: significant bits of a value, such as 12 where they come in 16; levels are shares of white.
        turn: degrees by which pictures are turned clockwise: 0, 90, 180 or 270.
        gaps: whether `fps` leaves room for frames that are missing from a file.
        color: of arrays with three channels: "rgb" or "bgr" (as OpenCV reads them).
        device: "cpu", "cuda", "cuda:1" ..., "reference" (NumPy, slow), or "auto" for the fastest that can be had.
        exact: False allows other orders of float sums, within stated bounds.
        batch: frames at a time, at most; results do not depend on it.
        progress: True shows a bar; a function is called with (label, frames to come) and returns a context manager
            that gives an object whose `advance(frames, bad)` is called.
        parameters: parameters by keyword: bright__level=0.05 for "bright.level", or level=0.05 where one node alone
            has a `level`. `print(fusetrack.Pipeline("blobs").describe())` shows all.

    Returns:
        The tracks, sorted by frame; `notes` holds sentences that are worth reading, also what to try where nothing
        was found.

    Raises:
        InputError: one sentence that says what is wrong; of arguments a ValueError or a TypeError, too.
    """
    with worded():
        made = with_parameters(graph_of(pipeline), settings, parameters, "track", track.__kwdefaults__ or ())
        if not made.trackers and not taps:
            raise ArgumentError(f"pipeline {made.name!r} has no tracker to follow anything with; end it with one, such "
                                "as .blob(), or take what its stages make with fusetrack.apply")  # fmt: skip
        given = points_of(points)
        opened, _ = as_clip(clip, fps=fps, times=times, bits=bits, turn=turn, gaps=gaps, color=color)
        check_roi(roi)
        if given:
            made = _pointed(made, given, opened.source.info, roi)
        part = opened if frames is None else opened[_slice(frames, len(opened))]
        source, span, step = in_time(part)
        # What the caller opened stays open.
        owned = not isinstance(clip, Clip) and not hasattr(clip, "info")
        with closing(opened) if owned else nullcontext():
            return _run(source, span, part.numbers.start if step > 1 else 0, step, made,
                        [taps] if isinstance(taps, str) else list(taps), _measures(columns),
                        RunOptions(device=device, roi=roi, exact=exact, batch=batch), progress)  # fmt: skip


def _pointed(pipeline: Graph, points: tuple[tuple[float, ...], ...] | PointGrid, info: SourceInfo, roi: Any) -> Graph:
    if isinstance(points, PointGrid):
        return with_grid(pipeline, points, info, roi)
    return with_points(pipeline, points)


def _run(
    source: FrameSource, span: tuple[int, int], begin: int, step: int, asked: Graph, taps: Sequence[str],
    columns: str | None, options: RunOptions, progress: bool | Callable[[str, int], Any],
) -> Tracks:  # fmt: skip
    roi = options.roi
    # What is "auto" is found on the clip as it will be processed, before anything is bound to it.
    settled = settle_on(asked, source, roi)
    pipeline = settled.pipeline
    if taps:
        # An output is kept only where it is a tap; the pipeline's own stay.
        pipeline = Pipeline(pipeline).with_taps(*dict.fromkeys((*map(str, pipeline.taps), *taps))).graph
    bound = prepare(pipeline, source, roi)
    rows: list[Any] = []
    kept = Taps(bound, [Ref.parse(name) for name in taps], span[1] - span[0])
    measures = chosen_measures(columns, measures_of(bound))
    sinks: list[Any] = [MeasuredSink(rows.append, measures), *([kept] if taps else [])]
    run = Runner(source, bound, sinks, frames=span, options=replace(options, measures=measures))
    notes = [*settled.words, *hints_before(source, bound, span, roi), *room_hints(run.engine, run.batch)]
    if not progress:
        report = run.run()
    else:
        shown: Callable[[str, int], Any] = showing if progress is True else progress
        with shown(f"{source.info.name} through {pipeline.name}", span[1] - span[0]) as bar:
            report = run.run(bar)
    info, counts = source.info, report.ledger
    found = ordered(confirmed(np.concatenate(rows) if rows else no_tracks()))
    Unwrapping().unwrap(found)  # as the writers of tables do
    notes = [*info.warnings, *notes, run.note]
    if unknown_rate(info.time):
        notes.append("the capture rate is not known: times count frames, velocities are px/frame; give it with --fps")
    if counts.bad:
        first = next(iter(counts.reasons))
        notes.append(f"{counts.bad} of {counts.announced} frames could not be read; the first: {first}")
    notes += [f"{node} finds more than {node}.capacity lets through: {count} rows are left out; raise it, or the "
              "threshold" for node, count in report.overflow.items() if count]  # fmt: skip
    # Hints look at frames again: one that cannot be read now costs the hints alone.
    if counts.processed and bound.trackers:
        with suppress(BadFrame):
            notes += hints_after(asked, settled.pipeline, source, roi, (span[0], counts.processed),
                                 (len(np.unique(found["track"])), len(found)))  # fmt: skip
    # Every n-th frame was read as a clip of its own: back to the numbers of the clip.
    if step > 1:
        found["frame"] = begin + step * found["frame"]
    exposure = info.metadata.get("exposure_s")
    return Tracks(
        found, fps=info.time.fps, size=(info.width, info.height), name=info.name, pipeline=pipeline.name,
        timed=not unknown_rate(info.time), exposure=float(exposure) if isinstance(exposure, int | float) else None,
        notes=[in_python(one) for one in dict.fromkeys(notes) if one], taps=kept.values, tables=run.tracking.tables(),
        found=settled.found, subset=subset_told(tracker.params for tracker in bound.trackers),
    )  # fmt: skip


class Taps:
    """Keeps outputs of a pipeline: of images an array (frames, *shape), of tables a list of structured arrays.

    Args:
        bound: the pipeline.
        wanted: the outputs, by their names.
        frames: how many will come.
    """

    def __init__(self, bound: Bound, wanted: Sequence[Ref], frames: int) -> None:
        self.values: dict[str, Any] = {}
        self._names = [(str(ref), full) for ref in wanted for full in [_full(bound, ref)]]
        self._place = 0
        for name, full in self._names:
            type_ = bound.types[full]
            self.values[name] = []
            if isinstance(type_, ImageType):
                self.values[name] = np.zeros((frames, *type_.shape), type_.dtype.numpy)

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        """Take the outputs of a batch; those of a frame that could not be read are 0."""
        del frames
        for result in results:
            for name, full in self._names:
                value, kept = result.taps.get(str(full)), self.values[name]
                if isinstance(kept, list):
                    kept.append(np.zeros(0) if value is None else value.copy())
                elif value is not None:
                    kept[self._place] = value
            self._place += 1

    def close(self) -> None:
        """Nothing is held."""


def _full(bound: Bound, ref: Ref) -> Ref:
    """The output that a name without one means."""
    return next((tap for tap in bound.taps if tap == ref), next(tap for tap in bound.taps if tap.node == ref.node))


def _measures(columns: str | Sequence[str] | None) -> str | None:
    """Columns as the option has them."""
    if columns is None or isinstance(columns, str):
        return columns
    return ",".join(map(str, columns)) or "none"


def check_roi(roi: object) -> None:
    """See that a region is one.

    Raises:
        ArgumentTypeError: it is not four whole numbers.
    """
    if roi is None:
        return
    values = plain(roi)
    if not isinstance(values, list) or len(values) != 4 or not all(isinstance(one, int) for one in values):
        raise ArgumentTypeError(f"roi is x, y, width, height in whole px, such as (100, 80, 256, 256), not {roi!r}")


def _slice(frames: Any, count: int) -> slice:
    if isinstance(frames, slice):
        return frames
    if isinstance(frames, range):
        return slice(frames.start, frames.stop, frames.step)
    if isinstance(frames, tuple | list) and len(frames) == 2:
        first, end = (None if one is None else operator.index(one) for one in frames)
        return slice(*frame_range(count, (first, end)))
    raise ArgumentTypeError(f"frames is (first, one past the last), a slice or a range, not {frames!r}")


def grid(step: int, within: Areas = (), without: Areas = ()) -> PointGrid:
    """Points on a square grid, for `points` of `track` and `run_clip`, with a pipeline that follows given points.

    >>> tracks = fusetrack.track(clip, "template", points=fusetrack.grid(12, "circle:200,150,90"))  # doctest: +SKIP

    Args:
        step: px between neighbours.
        within: areas that it fills, such as "rect:80,60,200,150" (left, top, width, height), "circle:X,Y,R",
            "ellipse:X,Y,RX,RY" or "polygon:X,Y,X,Y,X,Y", or several of them; () for the whole picture.
        without: areas that it leaves out.

    Raises:
        InputError: a step or an area that is none.
    """
    try:
        areas = [[parse_area(one) for one in ([given] if isinstance(given, str) else given)]
                 for given in (within, without)]  # fmt: skip
        return PointGrid(operator.index(step), tuple(areas[0]), tuple(areas[1]))
    except InputError as error:
        raise ArgumentError(str(error)) from None


def points_of(points: Any) -> tuple[tuple[float, ...], ...] | PointGrid:
    """Points as a parameter takes them."""
    if isinstance(points, PointGrid):
        return points
    if isinstance(points, str | os.PathLike):
        return read_points(Path(os.path.expanduser(points)), lambda _: None)
    if hasattr(points, "columns") and hasattr(points, "to_dict"):  # a DataFrame
        named = [next((one for one in (f"{axis}_px", axis) if one in points.columns), None) for axis in "xy"]
        if None in named:
            raise ArgumentError(f"a DataFrame of points has columns x_px and y_px, or x and y, not "
                                f"{', '.join(map(str, points.columns))}")  # fmt: skip
        begins = ["frame"] if "frame" in points.columns else []
        points = points[[*named, *begins]].to_numpy()
    try:
        return tuple(tuple(float(value) for value in point) for point in plain(points))
    except (TypeError, ValueError):
        said = f"x and y in px, (points, 2), such as [[120, 88], [200, 91]], not {points!r}"
        raise ArgumentTypeError(f"points are {said}") from None

