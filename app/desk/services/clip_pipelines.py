"""Each clip has its pipeline, as it has its scale: found again when it is opened again. Another one begins with what
the window began with, and is offered that of the clip before."""

from __future__ import annotations

import hashlib
import json
import time
from dataclasses import asdict
from pathlib import Path

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.observable import Observable
from app.desk.pipeline.history import Edit, History
from app.desk.pipeline.unsaved_pipelines import Kept, Store, history_of, kept_of, key_of
from kernels.errors import FusetrackError

MOST = 100
"""Clips whose pipelines are remembered, those that were worked with last."""
_GROUP = "pipelines/"


class ClipPipelines(Observable):
    """See the module.

    Args:
        bench: the state behind the window.
        store: remembers.

    Attributes:
        offered: a pipeline for what is open: that of the clip before, or the changes of a session's own that were made
            when it was open last; None for nothing. `whose` is what the clip is called that it comes from;
            listeners hear when one of them has changed.
    """

    def __init__(self, bench: Workbench, store: Store) -> None:
        super().__init__()
        self._bench, self._store = bench, store
        self._began = self._first = self._now = bench.history.now
        self._of = self._name = self.whose = ""
        self.offered: Edit | None = None
        self._changes = False  # those of a session are offered
        self._given: dict[str, History] = {}
        self._taken: tuple[str, History | None] = "", None
        bench.begins = self._begins
        bench.on(Topic.PIPELINE, self._changed)
        bench.on(Topic.OPENED, self._opened)

    def belongs(self, what: str) -> None:
        """The pipeline of the bench is that of this clip, which is not open yet; others begin as the window did."""
        self._of, self._first, self._now = key_of(what), self._began, self._bench.history.now

    def give(self, what: str, history: History) -> None:
        """A clip begins with this when it is opened next, whatever it had: a project says so."""
        self._given[key_of(what)] = history

    def take_back(self) -> None:
        """What was given and did not begin yet is forgotten."""
        self._given.clear()

    def take(self) -> None:
        """The pipeline that is offered holds here, too: a step that can be undone."""
        offered, self.offered = self.offered, None
        if offered is not None:
            self._bench.files.go_back_to(offered, f"pipeline {offered.pipeline.name} as on {self.whose}")
        self._notify()

    def leave(self) -> None:
        """It does not; nothing is offered any more."""
        self.offered = None
        self._notify()

    def keep(self) -> None:
        """Remember the pipeline of what is open."""
        unanswered = self.offered is not None and self._changes
        if not self._of or unanswered or (self._now is self._first and not self._store.text(_slot(self._of))):
            return
        made = kept_of(self._now)
        if made == self._read(_slot(self._of)):
            return
        self._store.set_text(_slot(self._of), json.dumps({"what": self._of, "at": time.time(), **asdict(made)}))
        slots = self._store.names(_GROUP)
        for oldest in sorted(slots, key=self._at)[: max(0, len(slots) - MOST)]:
            self._store.remove(oldest)

    def _begins(self, what: str) -> History | None:
        """What something begins with, as `BenchState.begins` has it."""
        key = key_of(what)
        if key in self._given:
            self._taken = key, self._bench.history if key == self._of else self._known(key)
            return self._given.pop(key)
        if key == self._of:
            return self._bench.history
        known = self._known(key)
        if known is not None or not self._of:  # without a clip it was chosen for the next one
            return known
        return History(self._first.pipeline, self._first.origin, not self._first.unsaved)

    def _known(self, key: str) -> History | None:
        """The pipeline that a clip had."""
        self._store.sync()
        kept = self._read(_slot(key))
        try:
            return None if kept is None else history_of(kept)
        except FusetrackError as error:
            self._bench.speak(Level.WARNING, f"the pipeline that {Path(key).name} had cannot be read any more: {error}")
            return None

    def _changed(self) -> None:
        bench, now = self._bench, self._bench.history.now
        if now is self._now or (bench.clip and bench.clip != self._of):  # of a clip that is opened right now
            return
        self._now = now
        if bench.opened is None:
            self._of, self._first = "", now
        elif now.opens and self.offered is not None:
            self.leave()

    def _opened(self) -> None:
        bench, info = self._bench, self._bench.info
        self.keep()
        if info is None or not bench.clip:
            return
        own = bench.brings
        before, self._now = self._now, bench.history.now
        known = self._known(bench.clip) if own and bench.clip != self._of else None
        taken, self._taken = self._taken, ("", None)
        if taken[0] == bench.clip and not own:
            left = None if taken[1] is None else taken[1].now
            self.offered = left if left is not None and left.unsaved else None
            self.whose = f"{info.name} before"
        elif bench.clip == self._of and not own:
            pass
        elif own:
            left = before if bench.clip == self._of else None if known is None else known.now
            self.offered, self.whose = left if left is not None and left.unsaved else None, info.name
        else:
            self.offered, self.whose = before if self._of else None, self._name
        if self.offered is not None and self.offered.pipeline == self._now.pipeline:
            self.offered = None
        self._of, self._name, self._changes = bench.clip, info.name, own
        self._notify()

    def _read(self, slot: str) -> Kept | None:
        try:
            entry = json.loads(self._store.text(slot))
            return Kept(str(entry["came"]), str(entry["text"]), bool(entry["unsaved"]), str(entry["digest"]))
        except (ValueError, KeyError, TypeError):  # nothing, or what somebody spoiled
            return None

    def _at(self, slot: str) -> float:
        try:
            return float(json.loads(self._store.text(slot))["at"])
        except (ValueError, KeyError, TypeError):
            return 0.0


def _slot(key: str) -> str:
    """Under which name a clip's pipeline is remembered: paths may be long."""
    return _GROUP + hashlib.sha256(key.encode()).hexdigest()[:24]
