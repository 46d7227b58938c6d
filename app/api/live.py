"""`fusetrack.live`: a camera through a pipeline, with a function that hears of each batch of frames."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from app.cameras.opening import open_camera
from app.controller import with_grid, with_points
from app.live.first_frames import settled_on_camera
from kernels.errors import ArgumentError, ArgumentTypeError, InputError
from pipelines.analysis.point_grid import PointGrid
from pipelines.features import Tracks as TrackRows
from pipelines.frame import Camera, FrameBatch, Pixels, Result
from pipelines.frontend import Roi
from pipelines.graph import Pipeline as Graph
from pipelines.measures import Unwrapping
from pipelines.streaming.common.states import RunState
from pipelines.streaming.engine.measuring import measured_rows
from pipelines.streaming.engine.tracking import PICTURE
from pipelines.streaming.live.live_runner import LiveRunner
from pipelines.streaming.live.options import LATENCY, LiveOptions
from pipelines.streaming.live.report import LiveReport

from .pipeline import Pipeline, Step, graph_of
from .settings import with_parameters
from .tracking import Points, check_roi, points_of
from .tracks import Tracks
from .wording import in_python, worded

PATIENCE = 0.1
"""Seconds between two looks for Ctrl-C and the end."""


class LiveBatch:
    """Frames of a camera that are through the pipeline, one after the other. All of it may be kept.

    Attributes:
        frames: (B,) their numbers; those that are missing between them were lost by the camera or left out.
        times: (B,) s, since the run began.
    """

    def __init__(
        self, frames: FrameBatch, results: Sequence[Result], rows: TrackRows, about: Mapping[str, Any]
    ) -> None:  # fmt: skip
        self.frames: npt.NDArray[np.int64] = frames.indices.copy()
        self.times: npt.NDArray[np.float64] = frames.times.copy()
        self._results, self._rows, self._about = results, rows, about

    @property
    def tracks(self) -> Tracks:
        """The rows of these frames, those that are not believed yet, too (state "tentative"), with the measures that
        the pipeline has (area, diameter ...)."""
        return Tracks(self._rows, **self._about)

    @property
    def pictures(self) -> Pixels:
        """The plain pictures, (B, height, width) or (B, height, width, 3)."""
        return np.stack([result.taps[PICTURE] for result in self._results])

    @property
    def taps(self) -> dict[str, Any]:
        """What trackers take, and the pipeline's taps, by name: of images an array (B, *shape), of tables a list of
        structured arrays."""
        made: dict[str, Any] = {}
        for name in (name for name in self._results[0].taps if name != PICTURE):
            values = [result.taps[name] for result in self._results]
            made[name] = values if values[0].dtype.names else np.stack(values)
        return made

    def __len__(self) -> int:
        return len(self.frames)

    def __repr__(self) -> str:
        return f"<LiveBatch: frames {self.frames[0]} to {self.frames[-1]}>"


class _Teller:
    """Calls the caller's function with each batch; what it raises ends the run, and False, too."""

    def __init__(self, on_batch: Callable[[LiveBatch], Any], about: Mapping[str, Any]) -> None:
        self.on_batch, self.about = on_batch, about
        self._unwrapping = Unwrapping()
        self.stop: Callable[[], None] = lambda: None
        self.error: BaseException | None = None
        self._over = threading.Event()

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        # Batches that were under way when the caller said stop.
        if self._over.is_set():
            return
        try:
            rows = measured_rows(results)
            self._unwrapping.unwrap(rows)  # angles go on from batch to batch
            go_on = self.on_batch(LiveBatch(frames, results, rows, self.about))
        # Ctrl+C in this thread, too: it is raised where the caller waits.
        except BaseException as error:
            self.error, go_on = error, False
        if go_on is False:
            self._over.set()
            self.stop()

    def close(self) -> None:
        """Nothing is held."""


def live(
    camera: str | Camera, pipeline: str | os.PathLike[str] | Pipeline | Graph | Iterable[Step] = "blobs", *,
    on_batch: Callable[[LiveBatch], Any], seconds: float | None = None, frames: int | None = None,
    fps: float | None = None, points: Points = (), roi: Roi | None = None,
    settings: Mapping[str, object] | None = None, latency: float = LATENCY, batch: int | None = None,
    device: str = "auto", exact: bool = True, **parameters: object,
) -> LiveReport:  # fmt: skip
    """Track a camera live; returns when it is over. Nothing is recorded (`fusetrack record` does that).

    >>> def show(batch):                                                             # doctest: +SKIP
    ...     for row in batch.tracks.tracked:
    ...         print(row["frame"], row["track"], row["x"], row["y"])
    >>> report = fusetrack.live("cam:0", "blobs", on_batch=show, seconds=10)         # doctest: +SKIP

    Args:
        camera: "cam:0" (OpenCV), "cam:pylon", "cam:genicam:FILE.cti", "cam:sim?fps=500" (simulated); `fusetrack
            cameras` lists those that are there; or a camera that is open, which stays open.
        pipeline: as `fusetrack.track` takes it.
        on_batch: called with each `LiveBatch` in order, in a thread of its own. Return False to end the run; what it
            raises ends it, too, and is raised here. While it works frames wait for it, as many as `latency` allows;
            more are left out and counted.
        seconds, frames: when to end; None for Ctrl-C, False of `on_batch`, or the end of the stream.
        fps: the rate to ask for, or that holds where the camera does not tell.
        points, roi, settings, device, exact, parameters: as in `fusetrack.track`.
        latency: seconds from camera to tracks, at most; what would take longer is left out, counted and named.
        batch: frames a batch; None adapts.

    Returns:
        How it went: `ledger` (every frame accounted for: announced, processed ...), `reading` (latencies, rates),
        `notes`.

    Raises:
        InputError: the camera is not there or was lost, or the pipeline does not fit it.
    """
    if not callable(on_batch):
        raise ArgumentTypeError(f"on_batch is a function of a batch, not {type(on_batch).__name__}")
    if seconds is not None and not seconds > 0:
        raise ArgumentError(f"seconds must be positive, not {seconds:g}")
    with worded():
        graph = with_parameters(graph_of(pipeline), settings, parameters, "live", live.__kwdefaults__ or ())
        check_roi(roi)
        given = points_of(points)
        if given and not isinstance(given, PointGrid):
            graph = with_points(graph, given)
        options = LiveOptions(device=device, roi=roi, exact=exact, pictures=True, latency=latency, batch=batch,
                              frames=frames, measured=True)  # fmt: skip
        if isinstance(camera, str):
            if not camera.startswith("cam:"):
                raise ArgumentError(f"a camera is named cam:0, cam:pylon, cam:sim ..., not {camera!r}; fusetrack.track "
                                    "takes clips")  # fmt: skip
            found, words, sample = settled_on_camera(graph, camera, fps, roi)
            with closing(open_camera(camera, fps=fps)) as opened:
                graph = found or graph
                if isinstance(given, PointGrid):
                    graph = with_grid(graph, given, opened.info, roi)
                return _run(opened, graph, words, sample, on_batch, seconds, options)
        if isinstance(given, PointGrid):
            graph = with_grid(graph, given, camera.info, roi)
        return _run(camera, graph, (), None, on_batch, seconds, options)


def _run(
    camera: Camera, graph: Graph, words: Sequence[str], sample: Pixels | None, on_batch: Callable[[LiveBatch], Any],
    seconds: float | None, options: LiveOptions,
) -> LiveReport:  # fmt: skip
    info = camera.info
    about = {"fps": info.time.fps, "size": (info.width, info.height), "name": info.name, "pipeline": graph.name}
    teller = _Teller(on_batch, about)
    runner = LiveRunner(camera, graph, [teller], options, sample=sample)
    teller.stop = runner.request_stop
    timer = None if seconds is None else threading.Timer(seconds, runner.request_stop)
    try:
        runner.start()
        if timer is not None:
            timer.daemon = True
            timer.start()
        # In short waits: Python hears Ctrl+C only between them.
        while runner.wait(PATIENCE) is None:
            pass
    except KeyboardInterrupt:  # what was taken is finished
        runner.request_stop()
    finally:
        if timer is not None:
            timer.cancel()
        report = runner.stop()
    if teller.error is not None:
        raise teller.error
    assert report is not None
    if report.state is RunState.FAILED:
        raise InputError(report.error)
    return replace(report, notes=tuple(in_python(note) for note in (*words, *report.notes)))
