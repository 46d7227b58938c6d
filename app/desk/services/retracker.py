"""Corrections that are followed up: a track put right in one frame is followed anew from there, in a process beside.

Nothing changes until what follows is known; then it is one correction, which undo takes back.
"""

from __future__ import annotations

from dataclasses import dataclass

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.jobs.jobs import Job, Jobs, JobState
from app.desk.jobs.orders import RetrackOrder
from app.desk.observable import Observable
from app.desk.services.corrector import Corrector
from app.desk.services.regions import region
from app.desk.tracks.owners import owner
from app.desk.tracks.steps import FIRST_OWN, unpacked
from kernels.errors import InputError
from pipelines.features import State, Tracks
from pipelines.writing import dumps


@dataclass(frozen=True, slots=True)
class Following:
    """A track that is being followed anew."""

    job: Job
    order: RetrackOrder


class Retracker(Observable):
    """See the module. Listeners hear when something began, went on or ended.

    Args:
        bench: the state behind the window.
        corrector: gets what was found.
        jobs: run it.

    Attributes:
        following: what goes on, by the job's number.
    """

    def __init__(self, bench: Workbench, corrector: Corrector, jobs: Jobs) -> None:
        super().__init__()
        self._bench, self._corrector, self._jobs = bench, corrector, jobs
        self.following: dict[int, Following] = {}
        corrector.follow, corrector.progress = self.begin, lambda: self.words
        corrector.pending = self.pending
        jobs.on(self._told)
        bench.on(Topic.OPENED, self.cancel)

    def begin(self, track: int, frame: int, x: float, y: float) -> Job:
        """Follow a track anew from (x, y), px of the whole picture, in `frame`, up to where it was set by hand later.

        Raises:
            InputError: no clip is open, or its pipeline follows nothing.
        """
        bench = self._bench
        if bench.opened is None or bench.asked is None or bench.info is None:
            raise InputError("open a clip first; there are no tracks to correct")
        if bench.live:
            raise InputError("a camera's frames are gone once they are shown; record them, and correct the session")
        if not bench.pipeline.trackers:
            raise InputError(f"the pipeline {bench.pipeline.name!r} has no tracker that could follow anything")
        if bench.trouble:
            raise InputError(f"the pipeline does not fit the clip, so nothing can be followed: {bench.trouble}")
        first, end = bench.asked.frames or (0, bench.info.frames)
        until = self._corrector.next_hand(track, frame)
        order = RetrackOrder(
            bench.asked.what, dumps(bench.pipeline), track, frame, float(x), float(y),
            (first, end if until < 0 else until), self._tracker_of(track), bench.asked.reading,
            region(bench), bench.asked.device,
        )  # fmt: skip
        for number, other in list(self.following.items()):  # of two places in one frame the later counts
            if (other.order.track, other.order.frame) == (track, frame):
                del self.following[number]
                self._jobs.stop(other.job)
        job = self._jobs.start(f"re-track {bench.tracks.name(track)}", order)
        self.following[job.number] = Following(job, order)
        self._notify()
        return job

    def _tracker_of(self, track: int) -> int:
        """The place among the pipeline's trackers of the one that found a track.

        Raises:
            InputError: it is none of them.
        """
        trackers = [one.id for one in self._bench.pipeline.trackers]
        ids = [one for one in self._corrector.corrections.sources(track).tolist() if one < FIRST_OWN]
        found = next((name for one in ids if (name := owner(self._bench.owners, one))), "")
        if len(trackers) == 1 or not (found or self._bench.owners):
            return 0
        if found not in trackers:
            which = self._bench.tracks.name(track)
            raise InputError(f"no tracker of {self._bench.pipeline.name!r}, as it is now, has found {which}; undo its "
                             "change, or set this track by hand, frame by frame")  # fmt: skip
        return trackers.index(found)

    def cancel(self) -> None:
        """Follow nothing any more; tracks stay as they are."""
        going, self.following = self.following, {}
        for one in going.values():
            self._jobs.stop(one.job)
        if going:
            self._notify()

    @property
    def words(self) -> str:
        """What goes on, for a line of status; "" for nothing."""
        names = ", ".join(self._bench.tracks.name(one.order.track) for one in self.following.values())
        done, total = (sum(getattr(one.job, name) for one in self.following.values()) for name in ("done", "total"))
        return f"following {names}: {100 * done // total} %" if total else f"following {names}" if names else ""

    def pending(self, track: int) -> list[tuple[int, tuple[float, float]]]:
        """The places from which a track is being followed, with their frames."""
        orders = [one.order for one in self.following.values()]
        return [(order.frame, (order.x, order.y)) for order in orders if order.track == track]

    def _told(self, job: Job) -> None:
        found = self.following.get(job.number)
        if found is None:
            return
        if not job.running:
            del self.following[job.number]
            order = found.order
            if job.state is JobState.DONE and self._corrector.corrections.gone(order.track):
                name = self._bench.tracks.name(order.track)
                self._bench.speak(Level.WARNING, f"{name} was followed anew, but is gone by now (deleted, merged or "
                                                 "undone); nothing was changed")  # fmt: skip
            elif job.state is JobState.DONE:
                self._corrector.retracked(order.track, order.frame, order.x, order.y, str(job.result["packed"]))
                self._bench.speak(Level.NOTE, self._found(order, unpacked(str(job.result["packed"]))))
            elif job.state is JobState.FAILED:
                self._bench.speak(Level.ERROR, job.sentence, job.details)
        self._notify()

    def _found(self, order: RetrackOrder, rows: Tracks) -> str:
        """What came of it: in how many frames the thing was seen, and where it was lost."""
        name, number = self._bench.tracks.name(order.track), self._bench.number
        lost = rows[rows["state"] == State.LOST]["frame"]
        count = len(rows) - len(lost)
        seen = int((rows["state"] == State.TRACKED).sum())
        frames = f"for {count} frame{'s' if count != 1 else ''}" + (f", seen in {seen}" if seen < count else "")
        end = f"; lost in frame {number(int(lost[-1]))}" if len(lost) else ""
        return f"{name} was followed anew from frame {number(order.frame)} on, {frames}{end}"
