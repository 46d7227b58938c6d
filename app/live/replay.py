"""A recorded session again: the tracks that it holds, bit for bit, or what another pipeline makes of its frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from app.controller import Job, Outcome, Stoppable, Watch, run_job
from app.exports.physical_csv import Counting
from app.live.clip import Resumed, Schedule, ScheduledRunner
from app.live.wanted import PLACES
from app.result_sinks import MeasuredSink
from app.results import default_folder
from app.sessions import events
from app.sessions.absence import Absence, number_in
from app.sessions.likeness import Likeness
from app.sessions.reader import SessionReader
from app.sources.opening import open_source
from app.sources.session import NumberedSession, SessionSource
from app.version import __version__
from kernels.errors import InputError, SourceError
from pipelines.automatic.settling import settle_on
from pipelines.definition import load, loads
from pipelines.frontend import Roi, is_place, moved, seen_from
from pipelines.graph import Pipeline, find_tracker
from pipelines.streaming.clip.report import Report
from pipelines.streaming.common.changes import AnyChange, Change, Structure
from pipelines.streaming.common.options import RunOptions
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.checkpoint import Checkpoint
from pipelines.streaming.engine.settings import declared

MOST_NAMED = 5
"""Ranges of frames that are named one by one."""


@dataclass(frozen=True)
class Wish:
    """What to replay.

    Args:
        session: path.
        pipeline: another one, by name or path; None for the session's own.
        settings: parameters by "node.param", in place of the recorded ones; with any, nothing is compared.
        out: folder for the results; None for `default_folder`.
        check: compare only, and write nothing.
        overlay: whether to write the overlay video.
        device: as `Runner` takes it.
        batch: frames a batch, at most.
        columns, key, counting: of the tables, as `app.controller.Job` takes them.
    """

    session: str | Path
    pipeline: str | None = None
    settings: Mapping[str, object] | None = None
    out: str | Path | None = None
    check: bool = False
    overlay: bool = True
    device: str = "auto"
    batch: int = 16
    columns: str | None = None
    key: bool = False
    counting: Counting = field(default_factory=Counting)

    @property
    def own(self) -> bool:
        """Whether the session's own tracks are wanted."""
        return self.pipeline is None and not self.settings


@dataclass(frozen=True)
class Replayed:
    """What a replay gave.

    Args:
        report: frames and time.
        outcome: the results, None for a check.
        likeness: the comparison, None if there was nothing to compare with.
        remarks: sentences: what was left out, why the tracks cannot be the same.
    """

    report: Report
    outcome: Outcome | None
    likeness: Likeness | None
    remarks: tuple[str, ...]

    @property
    def identical(self) -> bool:
        """False if the tracks were compared and differ."""
        return self.likeness is None or self.likeness.identical


def replay(
    wish: Wish,
    progress: Callable[[str, int], Any] | None = None,
    started: Callable[[Stoppable], None] | None = None,
) -> Replayed:
    """Process a session again.

    Args:
        wish: what and how.
        progress, started: as `app.controller.run_clip` takes them.

    Raises:
        InputError: it is no session, or has no pipeline and none was given, or the disk refuses.
    """
    opened = open_source(wish.session)
    if not isinstance(opened, SessionSource):
        opened.close()
        raise SourceError(f"{wish.session} is no recorded session; `fusetrack run` takes clips")
    with closing(opened):
        source = NumberedSession(opened)
        session, line = opened.session, source.timeline
        pipeline, remarks = _pipeline(wish, session)
        roi, exact = _roi(session), _exact(session)
        settled = settle_on(pipeline, source, roi)
        pipeline, remarks = settled.pipeline, [*remarks, *settled.words]
        wanted, changes = line.frames, line.changes
        # Older versions counted places from the corner of the region.
        back = _corner(session)
        if wish.pipeline is None:
            pipeline = seen_from(pipeline, *back)
        # Changes of parameters that trackers have no more say nothing to this version.
        changes = tuple(_seen_from(change, pipeline, *back) for change in changes if not _retired(change, pipeline))
        if not wish.own:  # what the live run had no time for can be processed now
            wanted, changes = np.union1d(np.flatnonzero(line.places >= 0), [*line.unreadable]).astype(np.int64), ()
        if not len(wanted):
            raise InputError(f"{wish.session} has no frame that was processed; --pipeline NAME processes it now")
        frames = int(wanted[0]), int(wanted[-1]) + 1
        likeness = _likeness(source) if wish.own else None
        sinks = [] if likeness is None else [MeasuredSink(likeness.add)]
        refused: dict[int, str] = {}
        make = partial(ScheduledRunner, schedule=Schedule(pipeline, changes, wanted))
        if wish.own and line.states:
            make = partial(make, resumed=Resumed(_states(session, *back), line.states, refused.__setitem__))
        outcome = None
        # Compare only: no folder, no tables, no pictures.
        if wish.check:
            options = RunOptions(device=wish.device, roi=roi, batch=wish.batch, exact=exact)
            run = make(source, prepare(pipeline, source, roi), sinks, frames=frames, options=options)
            if started is not None:
                started(run)
            shown = nullcontext() if progress is None else progress(f"checking {source.info.name}", len(wanted))
            with shown as bar:
                report = run.run(bar)
        else:
            out = wish.out or default_folder(opened.info, pipeline.name, (0, opened.info.frames), roi)
            job = Job(str(wish.session), pipeline.name, roi=roi, frames=frames, out=out, overlay=wish.overlay,
                      batch=wish.batch, device=wish.device, exact=exact, columns=wish.columns, key=wish.key,
                      counting=wish.counting)  # fmt: skip
            facts = {"session": session.manifest.get("uuid", ""), "changes": len(changes)}
            outcome = run_job(job, source, pipeline, Watch(progress, started), sinks=sinks, runner=make, facts=facts)
            report = outcome.report
        if likeness is not None and not report.interrupted:
            likeness.finish()
        if wish.own:
            remarks += _remarks(source, report, likeness, refused)
        said = () if wish.check else opened.info.warnings  # those of a whole run are in its report
        remarks += [problem for problem in session.problems if problem not in said]
        return Replayed(report, outcome, likeness, tuple(remarks))


def _pipeline(wish: Wish, session: SessionReader) -> tuple[Pipeline, list[str]]:
    """The pipeline to begin with, and what is to be said of it."""
    if wish.pipeline is not None:
        return load(wish.pipeline).with_settings(wish.settings or {}), []
    text = session.pipeline_toml
    if not text:
        raise InputError(f"{wish.session} was recorded without a pipeline; give one with --pipeline NAME")
    made = loads(text, f"the pipeline of {session.path.name}", recorded=True)
    recorded_as = session.manifest.get("pipeline")
    remarks = []
    if isinstance(recorded_as, dict) and (anew := _trackers_anew(made, recorded_as)):
        remarks.append(f"an earlier fusetrack recorded it with another tracker of this name ({', '.join(anew)}): this "
                       f"one ({__version__}) links anew, so that ids and rows differ")  # fmt: skip
        return made.with_settings(wish.settings or {}), remarks
    # Defaults may have changed since: every parameter is set as the manifest has it, then compared once more.
    if isinstance(recorded_as, dict) and recorded_as.get("hash") != made.digest:
        made = _as_recorded(made, recorded_as)
    if isinstance(recorded_as, dict) and recorded_as.get("hash") != made.digest:
        remarks.append(f"the stages of this fusetrack ({__version__}) have other parameters than those of the one that "
                       "recorded, so that this is not quite the same pipeline")  # fmt: skip
    return made.with_settings(wish.settings or {}), remarks


def _as_recorded(pipeline: Pipeline, recorded_as: Mapping[str, Any]) -> Pipeline:
    """With every parameter as the manifest has it, whatever the defaults are by now; what is not known is left out."""
    nodes = recorded_as.get("nodes")
    for node in nodes if isinstance(nodes, list) else ():
        params = node.get("params") if isinstance(node, dict) else None
        for name, value in params.items() if isinstance(params, dict) else ():
            with suppress(InputError):
                pipeline = pipeline.with_settings({f"{node.get('id')}.{name}": value})
    return pipeline


def _trackers_anew(pipeline: Pipeline, recorded_as: Mapping[str, Any]) -> list[str]:
    """The trackers that the manifest says had parameters which they have no more: these link in another way now."""
    nodes = recorded_as.get("nodes")
    recorded = {str(node.get("id")): node.get("params") for node in nodes if isinstance(node, dict)} if isinstance(
        nodes, list) else {}  # fmt: skip
    anew = set()
    for node in pipeline.trackers:
        params = recorded.get(node.id)
        if isinstance(params, dict) and not find_tracker(node.tracker).retired.keys().isdisjoint(params):
            anew.add(node.tracker)
    return sorted(anew)


def _retired(change: AnyChange, pipeline: Pipeline) -> bool:
    """Whether a change is of a parameter that a tracker of the pipeline had in earlier versions."""
    return isinstance(change, Change) and any(
        node.id == change.node and change.param in find_tracker(node.tracker).retired for node in pipeline.trackers
    )


def _settings(session: SessionReader) -> dict[str, Any]:
    settings = session.manifest.get("settings")
    return settings if isinstance(settings, dict) else {}


def _roi(session: SessionReader) -> Roi | None:
    roi = _settings(session).get("roi")
    if not (isinstance(roi, list) and len(roi) == 4 and all(isinstance(n, int) for n in roi)):
        return None
    x, y, width, height = roi
    return x, y, width, height


def _corner(session: SessionReader) -> tuple[int, int]:
    """How far places of its pipelines are to be moved: older versions count them from the region's corner."""
    roi = _roi(session)
    return (0, 0) if roi is None or _settings(session).get("points") == PLACES else (-roi[0], -roi[1])


def _seen_from(change: AnyChange, pipeline: Pipeline, dx: int, dy: int) -> AnyChange:
    """A change of a session, with its places moved."""
    if isinstance(change, Structure):
        return replace(change, pipeline=seen_from(change.pipeline, dx, dy))
    if not dx and not dy:
        return change
    try:
        declared_as, _ = declared(pipeline, change.node, change.param, change.value)
    except InputError:
        return change  # of a pipeline that came later, which tells in full
    return replace(change, value=moved(change.value, dx, dy)) if is_place(declared_as) else change


def _exact(session: SessionReader) -> bool:
    return _settings(session).get("exact") is not False


def _likeness(source: NumberedSession) -> Likeness | None:
    """What to compare with; None if nothing was processed while the session was recorded."""
    session = source.source.session
    recorded, happened = session.tracks(), session.events()
    reports = [event for event in happened if event["kind"] == events.PROCESSED]
    if not reports and not len(recorded):
        return None
    return Likeness(recorded, source.timeline.frames, bool(reports and reports[-1].get("complete")))


def _states(session: SessionReader, dx: int, dy: int) -> Iterator[Checkpoint]:
    """What the session holds of the run's state, rising."""
    points = (state.point for state in session.states() if state.point is not None)
    return (replace(point, pipeline=seen_from(point.pipeline, dx, dy)) for point in points)


def how_far(frame: int, mends: Sequence[int]) -> str:
    """Up to where a replay cannot be the same from a frame on.

    Args:
        mends: frames before which a state was stored that the replay goes on from.

    >>> how_far(7, [5, 40, 90]), how_far(90, [40])
    ('from there up to frame 40, before which the session holds the state again', 'from there on')
    """
    mended = min((at for at in mends if at > frame), default=None)
    return "from there on" if mended is None else (
        f"from there up to frame {mended}, before which the session holds the state again"
    )


def _remarks(
    source: NumberedSession, report: Report, likeness: Likeness | None, refused: Mapping[int, str]
) -> list[str]:
    """Why the tracks may not be, or cannot be, those that were recorded."""
    session, line = source.source.session, source.timeline
    made = []
    if likeness is None:
        made.append("no tracks were recorded, so there is nothing to compare with")
    elif not likeness.whole:
        made.append("the recording ended before the program could say its last word; what comes behind its last row "
                    "is not compared")  # fmt: skip
    if line.unprocessed:
        made.append(f"left out as they were then: {_spans(line.unprocessed)}")
    if likeness is None:
        return made
    end = np.inf if likeness.whole or not likeness.rows else likeness.last
    begun = [absence for absence in line.resumed if not any(frame > absence.last for frame in refused)]
    # What was processed then and cannot be replayed, as far as rows are compared.
    absent = [absence for absence in (*line.absent, *line.resumed) if absence.first <= end and absence not in begun]
    if begun:
        made.append(f"processed then and not recorded, but the state behind is in the session, and was gone on from: "
                    f"{_spans(begun)}")  # fmt: skip
    mends = [absence.last + 1 for absence in begun]
    made += [f"the state of stages and trackers before frame {frame} is damaged, so that no replay can be the same "
             f"{how_far(frame, mends)}: {why}" for frame, why in line.damaged.items()]  # fmt: skip
    made += [f"{why}, so that no replay can be the same {how_far(frame, mends)}" for frame, why in refused.items()]
    if absent:
        made.append(f"processed then and not recorded, so that no replay can be the same "
                    f"{how_far(absent[-1].last, mends)}: "
                    f"{_spans(absent)}")  # fmt: skip
    damaged = [index for index, _ in report.ledger.bad_frames if index not in line.unreadable]
    if damaged:
        made.append(f"damaged since, so that no replay can be the same {how_far(damaged[-1], mends)}: "
                    f"{', '.join(f'frame {index}' for index in damaged[:MOST_NAMED])}")  # fmt: skip
    lost = sum(number_in(e, "count") for e in session.events() if e["kind"] == events.LOST_MESSAGES)
    if lost:
        made.append(f"{lost} tables of tracks or events found no room while it was recorded")
    if not _exact(session):
        made.append("it was recorded with --fast, whose sums may come out differently with other groups of stages")
    made += [str(e.get("text")) for e in session.events() if e["kind"] == events.NOTE]
    return made


def _spans(ranges: Sequence[Absence]) -> str:
    """Ranges of frames with their reasons."""
    shown = [f"{'frame' if a.count == 1 else 'frames'} {a.first}{f'-{a.last}' if a.count > 1 else ''} ({a.reason})"
             for a in ranges[:MOST_NAMED]]  # fmt: skip
    more = sum(a.count for a in ranges[MOST_NAMED:])
    places = _counted(len(ranges) - MOST_NAMED, "more place")
    return ", ".join(shown) + (f" and {_counted(more, 'frame')} in {places}" if more else "")


def _counted(count: int, what: str) -> str:
    """
    >>> _counted(1, "frame"), _counted(2, "more place")
    ('1 frame', '2 more places')
    """
    return f"{count} {what}{'' if count == 1 else 's'}"
