"""A track that is followed anew from a place that a user gave: the same pipeline, one track, from that frame on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np

from app.controller import Stoppable
from app.desk.jobs.orders import RetrackOrder
from app.desk.tracks.seeding import Seed, Seeded, lead
from app.sources.opening import open_source
from kernels.errors import InputError
from kernels.ir.reach import reach
from pipelines.automatic.settling import settle_on
from pipelines.definition import loads
from pipelines.features import State, Tracks, no_tracks
from pipelines.frame import FrameBatch, Result
from pipelines.graph import Bound
from pipelines.streaming.clip.runner import Runner
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.measuring import measured_rows, measures_of


class RowsToTheEnd:
    """Keeps rows, and ends the run once the one in which the track is lost is among them.

    The tracker knows of that sooner, and is not asked: it may be batches ahead of what is written, and what a run has
    not written when it is stopped is lost.

    Args:
        stop: ends the run.
        fields: the measures that rows carry.

    Attributes:
        ended: whether the track was lost.
    """

    def __init__(self, stop: Callable[[], None], fields: tuple[str, ...]) -> None:
        self._stop, self._fields = stop, fields
        self._parts: list[Tracks] = []
        self.ended = False

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        del frames
        for result in results:
            rows = measured_rows([result], self._fields)
            self._parts.append(rows)
            self.ended |= bool((rows["state"] == State.LOST).any())
        if self.ended:
            self._stop()

    def close(self) -> None:
        pass

    @property
    def rows(self) -> Tracks:
        return np.concatenate(self._parts) if self._parts else no_tracks()


def retrack(
    order: RetrackOrder, progress: Callable[[str, int], Any], started: Callable[[Stoppable | None], None]
) -> Tracks | None:
    """The track's rows from the frame on, its number that of the order; None where the run was stopped.

    Raises:
        InputError: there is nothing to follow at the place, or anything that a run may raise.
    """
    with closing(open_source(order.clip, order.reading)) as source:
        pipeline = settle_on(loads(order.pipeline), source, order.roi).pipeline
        if not pipeline.trackers:
            raise InputError(f"the pipeline {pipeline.name!r} has no tracker that could follow anything")
        chosen = pipeline.trackers[order.tracker % len(pipeline.trackers)]
        bound = prepare(replace(pipeline, trackers=(chosen,), taps=()), source, order.roi)
        first, end = order.frames[0], min(order.frames[1], source.info.frames)
        if not first <= order.frame < end:
            raise InputError(f"frame {order.frame} is not one of the frames {first} to {end - 1}")
        # Stages that remember need the frames before, and trackers their lead.
        begin = max(first, order.frame - _needed(bound))
        x, y = order.roi[:2] if order.roi else (0, 0)
        fields = measures_of(bound)
        options = RunOptions(device=order.device, roi=order.roi, measures=fields)
        runner = Runner(source, bound, (), frames=(begin, end), options=options)
        # The tracker sees the region alone: places count from its corner.
        tracker = Seeded(bound.trackers[0], bound, source.info.time.fps, Seed(order.frame, order.x - x, order.y - y))
        sink = RowsToTheEnd(runner.stop, fields)
        runner.tracking.followers = tuple(replace(one, tracker=tracker) for one in runner.tracking.followers)
        runner.sinks = (sink,)
        started(runner)
        with progress(f"{source.info.name} from frame {order.frame} on", end - begin) as bar:
            report = runner.run(bar)
        if report.interrupted and not sink.ended:
            return None
        rows = sink.rows
        rows["track"] = order.track
        _seen_again(rows, order)
        return rows


def _seen_again(rows: Tracks, order: RetrackOrder) -> None:
    """Nothing but guesses is no track, and is not to take the place of what was found before.

    Raises:
        InputError: the thing is seen in no later frame.
    """
    later = rows[rows["frame"] > order.frame]
    if len(later) and not (later["state"] == State.TRACKED).any():
        raise InputError(
            f"what is at ({order.x:.1f}, {order.y:.1f}) is seen in none of the frames after this one, so the track "
            "stays as it was; put it nearer to the thing's middle, or set it by hand, without re-tracking"
        )


def _needed(bound: Bound) -> int:
    """Frames before the first one that matters; a stage that remembers wants all."""
    back = sum(min((r.dt for r in reach(node.body.roots).values()), default=0.0) for node in bound.nodes)
    return 1 << 62 if back == -np.inf else int(-back) + lead(bound)
