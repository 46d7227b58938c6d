"""Proposes frames to label: reads thumbnails of the clip in a process beside the window, then goes to the frame that is
most different from all that are labelled, or at once to the one in which the tracks are trusted least."""

from __future__ import annotations

import numpy as np

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.labelling.labeller import Labeller
from app.desk.observable import Observable
from app.desk.subprocess_worker import SubprocessWorker
from app.labels.proposing import Array, ThumbnailAsk, farthest, least_sure, spread
from kernels.errors import InputError
from pipelines.features import State

WORK = "app.labels.proposing:thumbnails"


class Proposals(Observable):
    """See the module; whoever owns a clock calls `poll`. Listeners hear when it began, goes on or is through.

    Args:
        bench: whose clip.
        labeller: knows what is labelled.
        aside: the process, one of its own without.

    Attributes:
        known: thumbnails of the clip, by frame. wanted: frames that are still awaited for a proposal.
    """

    def __init__(self, bench: Workbench, labeller: Labeller, aside: SubprocessWorker | None = None) -> None:
        super().__init__()
        self._bench, self._labeller, self._worker = bench, labeller, SubprocessWorker() if aside is None else aside
        self._clip, self._number, self._asked = "", -1, False
        self.known: dict[int, Array] = {}
        self.wanted: set[int] = set()
        bench.on(Topic.OPENED, self._opened)

    @property
    def words(self) -> str:
        """How far it is, "" where nothing is awaited."""
        if not self._asked:
            return ""
        return f"looking at the clip: {len(self.known)} of {len(self.known) + len(self.wanted)} frames"

    def next(self) -> None:
        """Go to the most different frame, once thumbnails are there.

        Raises:
            InputError: nothing can be labelled.
        """
        bench, labeller = self._bench, self._labeller
        if why := labeller.why_not:
            raise InputError(why)
        assert bench.asked is not None
        assert bench.info is not None
        missing = (set(spread(bench.info.frames)) | set(labeller.sheet.frames)) - set(self.known)
        self._asked, self.wanted = True, missing
        if missing:
            ask = ThumbnailAsk(bench.asked.what, bench.asked.reading, tuple(sorted(missing)))
            self._number = self._worker.ask(WORK, ask)
        else:
            self._propose()
        self._notify()

    def least_sure(self) -> None:
        """Go to the frame in which the tracks are trusted least.

        Raises:
            InputError: there are no tracks but in labelled frames.
        """
        frames, scores = [], []
        for rows in self._bench.store.parts():
            lost = rows["state"] == State.LOST
            frames.append(rows["frame"].astype(np.int64))
            scores.append(np.where(lost | ~np.isfinite(rows["score"]), 0.0, rows["score"]).astype(float))
        labelled = list(self._labeller.sheet.frames)
        found = least_sure(np.concatenate(frames), np.concatenate(scores), labelled) if frames else None
        if found is None:
            raise InputError("there are no tracks in frames without labels; let the clip run through a pipeline first")
        self._labeller.go(found)
        self._bench.speak(Level.NOTE, f"frame {self._bench.number(found)}: the tracks have their lowest scores there, "
                                      "of frames without labels")  # fmt: skip

    def _opened(self) -> None:
        clip = "" if self._bench.asked is None else self._bench.asked.what
        if clip != self._clip or self._bench.opened is None:
            self._clip, self.known, self.wanted, self._asked = clip, {}, set(), False
            self._worker.cancel()
            self._notify()

    def poll(self) -> None:
        """Take what has come."""
        for answer in self._worker.poll():
            if answer.number != self._number:
                continue
            if answer.value:
                self.known |= answer.value
                self.wanted -= answer.value.keys()
            if answer.error:
                self._asked = False
                self._bench.speak(Level.ERROR, f"no frame can be proposed: {answer.error}", answer.details)
            elif answer.done and self._asked:
                self.wanted = set()  # those that are left cannot be read
                self._propose()
            self._notify()

    def _propose(self) -> None:
        self._asked = False
        labelled = list(self._labeller.sheet.frames)
        found = farthest(self.known, labelled, 1)
        if not found:
            self._bench.speak(Level.NOTE, "all frames that were looked at are labelled, or look like one that is")
            return
        self._labeller.go(found[0])
        beside = f"the {len(labelled)} labelled ones" if len(labelled) > 1 else "the labelled one"
        words = f"looks least like {beside}" if labelled else "looks as most frames do: a good one to begin with"
        self._bench.speak(Level.NOTE, f"frame {self._bench.number(found[0])} {words}")

    def close(self) -> None:
        """End the process."""
        self._worker.cancel()
