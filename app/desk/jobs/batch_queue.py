"""The queue of clips that are to be run, are running, or have been."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from app.desk.jobs.jobs import Job, Jobs, JobState
from app.desk.jobs.kept_orders import order_of, plain
from app.desk.jobs.orders import BatchOrder, RunOrder
from app.desk.observable import Observable
from app.sources.formats import stands_for
from app.sources.reading import AS_STORED, Reading
from kernels.errors import InputError
from pipelines.graph import Pipeline
from pipelines.writing import dumps

WAITING, RUNNING, DONE, FAILED, STOPPED, SKIPPED = "waiting", "running", "done", "failed", "stopped", "skipped"
"""As `app.batch.job` calls them."""
ENDED = (DONE, FAILED, STOPPED, SKIPPED)
MOST_KEPT = 1000
"""Lines of what has ended that are kept from window to window; the report of a batch has all."""
MOST_ORDERS = 100
"""Of single runs, the newest ones, whose orders are kept, too: each has its pipeline in it."""
BEFORE = -1
"""The job of a line whose window is no more."""


@dataclass
class Line:
    """A clip, or a folder or pattern whose clips are not known yet.

    Args:
        path: as given; of clips that were found, absolute.
        name: for people.
        status: one of the above.
        done, total: frames.
        fps: frames a second that were processed.
        tracks: how many were found.
        note: why it failed, what is odd.
        folder: of its results, "" while there are none.
        own: the number of its own job, 0 for a part of the batch; `BEFORE` for one of a window before.
    """

    path: str
    name: str
    status: str = WAITING
    done: int = 0
    total: int = 0
    fps: float = 0.0
    tracks: int = -1
    note: str = ""
    folder: str = ""
    own: int = 0

    @property
    def share(self) -> float:
        """The part that is done, 0 to 1."""
        if self.status in (DONE, SKIPPED):
            return 1.0
        return min(1.0, self.done / self.total) if self.total else 0.0


class BatchQueue(Observable):
    """See the module; used by one thread.

    Args:
        jobs: run it.

    Attributes:
        lines: by key, in order.
        job: the batch that runs or ran last.
    """

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self._jobs = jobs
        self.lines: dict[str, Line] = {}
        self.job: Job | None = None
        self._orders: dict[str, RunOrder] = {}
        jobs.on(self._heard)

    @property
    def running(self) -> bool:
        """Whether the batch runs; clips that are added meanwhile wait for the next start."""
        return self.job is not None and self.job.running

    def add(self, paths: Iterable[str]) -> None:
        """Put clips, folders or patterns at the end; each once."""
        for path in paths:
            text = path if path.startswith("sim:") else os.path.abspath(os.path.expanduser(path))
            name = stands_for(text).name + ("/  (all clips in it)" if os.path.isdir(text) else "")
            self.lines.setdefault(text, Line(text, text if text.startswith("sim:") else name))
        self._notify()

    def kept(self) -> tuple[Mapping[str, object], ...]:
        """All lines in plain values, for the next window; of those that have ended the newest `MOST_KEPT`."""
        ended = [key for key, line in self.lines.items() if line.status in ENDED]
        old = set(ended[:-MOST_KEPT])
        ordered = {key: plain(self._orders[key]) for key in list(self._orders)[-MOST_ORDERS:]}
        return tuple({**asdict(line), **({"order": ordered[key]} if key in ordered else {})}
                     for key, line in self.lines.items() if key not in old)  # fmt: skip

    def take_up(self, kept: Iterable[Mapping[str, object]]) -> None:
        """Go on with what another window had: what has ended is there as it ended, the rest waits."""
        known = {one.name: one.type for one in fields(Line)}
        for one in kept:
            # Annotations are strings here; a value of another type is left out.
            given = {name: value for name, value in one.items() if type(value).__name__ == known.get(name)}
            line = Line(**{"name": Path(str(one["path"])).name, **given})  # type: ignore[arg-type]
            if line.own:
                key, line.own = self._unused(), BEFORE
                order = order_of(one.get("order"))
                if order is not None:
                    self._orders[key] = order
            else:
                key = line.path
            if line.status not in ENDED:
                line.status, line.done, line.fps = (STOPPED if line.own else WAITING), 0, 0.0
                line.note = "the window was closed before it was done" if line.own else ""
            elif line.folder and not os.path.isdir(line.folder):
                line.note, line.folder = f"its results are no longer in {line.folder}", ""
            self.lines.setdefault(key, line)
        self._notify()

    def _unused(self) -> str:
        """A key for a line of a window before."""
        number = len(self.lines)
        while f"before {number}" in self.lines:
            number += 1
        return f"before {number}"

    def clear_done(self) -> None:
        """Take out what is done; its results stay where they are."""
        self.remove([key for key, line in self.lines.items() if line.status in (DONE, SKIPPED)])

    def remove(self, keys: Iterable[str]) -> None:
        """Take lines out; what runs stays."""
        for key in keys:
            if key in self.lines and self.lines[key].status != RUNNING:
                del self.lines[key]
                self._orders.pop(key, None)
        self._notify()

    def start(
        self,
        pipeline: Pipeline,
        out: str,
        *,
        at_once: int | None = None,
        redo: bool = False,
        reading: Reading = AS_STORED,
        overlay: bool = True,
        only: Collection[str] | None = None,
    ) -> Job:
        """Run all lines; what is done already with the same pipeline is skipped.

        Args:
            only: just these lines, whether they are done or not; those with a job of their own as they were ordered.

        Raises:
            InputError: there is nothing to run, or it runs already.
        """
        # Those with a job of their own run as they were ordered, the rest as a batch.
        own = [key for key in only or () if key in self._orders]
        for key in own:
            line = self.lines.pop(key)
            started = self.run(self._orders.pop(key), line.name)
        lines = [line for key, line in self.lines.items() if not line.own and (only is None or key in only)]
        if own and not lines:
            return started
        if self.running:
            raise InputError("the batch runs already; stop it, or wait for its end")
        redo = redo or only is not None
        if not lines:
            raise InputError("there is nothing to run: add clips or folders, or drop them here")
        if not out.strip():
            raise InputError("say where the results go")
        for line in lines:
            line.status, line.done, line.total, line.note, line.fps, line.tracks = WAITING, 0, 0, "", 0.0, -1
        order = BatchOrder(tuple(line.path for line in lines), dumps(pipeline), os.path.abspath(out), at_once, redo,
                           reading, overlay)  # fmt: skip
        # How many clips a folder holds is known when it has been looked through.
        name = "batch" if any(os.path.isdir(line.path) for line in lines) else f"batch of {len(lines)}"
        self.job = self._jobs.start(name, order)
        self._notify()
        return self.job

    def run(self, order: RunOrder, name: str) -> Job:
        """Run one clip as a job of its own."""
        job = self._jobs.start(f"run {name}", order)
        self.lines[f"job {job.number}"] = Line(order.clip, name, RUNNING, own=job.number)
        self._orders[f"job {job.number}"] = order
        self._notify()
        return job

    def repeatable(self, key: str) -> bool:
        """Whether a line can be run again: of the oldest ones it is not known what was asked for."""
        line = self.lines.get(key)
        return line is not None and (not line.own or key in self._orders)

    def stop(self) -> None:
        """Stop what runs after the frames in hand; once more: at once."""
        for job in self._jobs.running:
            if job is self.job or f"job {job.number}" in self.lines:
                self._jobs.stop(job)

    def _heard(self, job: Job) -> None:
        if job is self.job:
            self._batch(job)
        elif f"job {job.number}" in self.lines:
            self._own(job, self.lines[f"job {job.number}"])
        else:
            return
        self._notify()

    def _own(self, job: Job, line: Line) -> None:
        line.status = {JobState.RUNNING: RUNNING, JobState.DONE: DONE, JobState.FAILED: FAILED,
                       JobState.STOPPED: STOPPED}[job.state]  # fmt: skip
        line.done, line.total, line.fps = job.done, job.total, job.rate
        if not job.running:
            line.folder = str(job.result.get("folder", ""))
            line.note = job.sentence or (f"in {Path(line.folder).name}" if line.folder else "")
            line.tracks = int(job.result.get("tracks", -1))
            line.fps = float(job.result.get("fps", line.fps))

    def _batch(self, job: Job) -> None:
        order = job.order
        assert isinstance(order, BatchOrder)
        for path, row in job.rows.items():
            line = self.lines.get(path)
            if line is None:
                line = self.lines[path] = Line(path, str(row.get("name", Path(path).name)))
            _fill(line, row, order.out)
        if job.listed:  # folders and patterns have become clips
            found = set(job.rows)
            for key in [k for k, line in self.lines.items() if line.path in order.clips and k not in found]:
                del self.lines[key]
        if not job.running:
            for line in self.lines.values():
                if not line.own and line.status in (WAITING, RUNNING) and line.path in (*order.clips, *job.rows):
                    line.status = FAILED if job.state is JobState.FAILED else STOPPED
                    line.note = line.note or job.sentence


def _fill(line: Line, row: Mapping[str, Any], out: str) -> None:
    line.status = str(row.get("status", line.status))
    line.done, line.total = int(row.get("done") or 0), int(row.get("total") or 0)
    line.fps = float(row.get("fps") or 0.0)
    line.tracks = int(row.get("tracks", -1))
    line.note = str(row.get("reason", "") or "; ".join(row.get("hints", ())[:1]))
    if line.status in (DONE, SKIPPED) and row.get("folder"):
        line.folder = os.path.join(out, str(row["folder"]))
