"""One undo for all that is changed on a clip: edits of the pipeline (its parameters, masks and points), the region,
corrections of tracks, scale and axes, events, points of a tool in hand.

Each keeps a history of its own; here is the order in which their steps were made, so that the last change is the first
that goes back, whichever it was.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from app.desk.bench.topics import Topic
from app.desk.bench.workbench import Workbench
from app.desk.services.corrector import Corrector
from app.desk.services.regions import Reopener, region
from app.desk.services.units import Units
from app.desk.steps import Stepped, Steps
from app.desk.tracks.calibration import Calibration
from pipelines.frontend import Roi

MERGE = 1.0
"""Seconds within which changes of the scale are one step (an origin that is dragged)."""


class Kind(Protocol):
    """A history of one kind of changes."""

    @property
    def owner(self) -> object:
        """What holds the steps; where it is another one, all before are gone."""

    @property
    def steps(self) -> Sequence[object]:
        """What was done and not undone, each the same object from look to look."""

    @property
    def undo_words(self) -> str: ...
    @property
    def redo_words(self) -> str: ...
    def undo(self) -> None: ...
    def redo(self) -> None: ...


class Edits:
    """Those of the pipeline."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench

    @property
    def owner(self) -> object:
        return self._bench.history

    @property
    def steps(self) -> Sequence[object]:
        return self._bench.history.done

    @property
    def undo_words(self) -> str:
        return self._bench.history.undo_words

    @property
    def redo_words(self) -> str:
        return self._bench.history.redo_words

    def undo(self) -> None:
        self._bench.editor.undo()

    def redo(self) -> None:
        self._bench.editor.redo()


class TrackSteps:
    """Corrections of tracks that were made since the clip was opened; those of its file hold."""

    def __init__(self, bench: Workbench, corrector: Corrector) -> None:
        self._bench, self._corrector = bench, corrector
        self._clip, self._read = "", 0

    def opened(self) -> None:
        """What is there now of another clip was read from its file."""
        if self._bench.clip != self._clip:
            self._clip, self._read = self._bench.clip, len(self._corrector.corrections.actions)

    @property
    def owner(self) -> object:
        return self._corrector.corrections

    @property
    def steps(self) -> Sequence[object]:
        return self._corrector.corrections.actions[self._read :]

    @property
    def undo_words(self) -> str:
        return _of_track(self._corrector.corrections.undo_words)

    @property
    def redo_words(self) -> str:
        return _of_track(self._corrector.corrections.redo_words)

    def undo(self) -> None:
        self._corrector.undo()

    def redo(self) -> None:
        self._corrector.redo()


def _of_track(words: str) -> str:
    """ "delete 5" names no thing yet; "delete 3 tracks" does."""
    verb, _, rest = words.partition(" ")
    if not rest or rest.endswith("tracks"):
        return words
    return f"{verb} {'tracks' if verb == 'merge' else 'track'} {rest}"


@dataclass(eq=False)
class _Scaled:
    before: Calibration
    after: Calibration
    at: float
    known: tuple[Calibration, Calibration]
    """Before and after, with the scale that there was though pixels were looked at."""

    @property
    def words(self) -> str:
        if self.before.per_px != self.after.per_px or self.before.unit != self.after.unit:
            return "scale"
        return "origin" if self.before.origin != self.after.origin else "axes"


class Scales(Stepped[_Scaled]):
    """Scale, origin and axes; what opening a clip does to them is no step."""

    def __init__(self, bench: Workbench, units: Units) -> None:
        self._bench, self._units = bench, units
        self._history = Steps[_Scaled]()
        self._seen, self._known = bench.calibration, units.whole
        self._clip = ""
        self.owner: object = object()

    def opened(self) -> None:
        """Another clip has a scale of its own."""
        if self._bench.clip == self._clip:
            return
        self._clip = self._bench.clip
        self._history.clear()
        self.owner, self._seen, self._known = object(), self._bench.calibration, self._units.whole

    @property
    def steps(self) -> Sequence[object]:
        now, whole, at = self._bench.calibration, self._units.whole, time.monotonic()
        if now != self._seen:
            done = self._history.done
            last = done[-1] if done else None
            step = _Scaled(self._seen, now, at, (self._known, whole))
            if last is not None and now == last.before and whole == last.known[0]:  # somebody took it back
                done.pop()
            elif last is not None and at - last.at <= MERGE and step.words == last.words:
                done[-1] = _Scaled(last.before, now, at, (last.known[0], whole))
            else:
                done.append(step)
            self._history.undone.clear()
            self._seen, self._known = now, whole
        return tuple(self._history.done)

    def undo(self) -> None:
        if (step := self._history.undo()) is not None:
            self._go(step.before, step.known[0])

    def redo(self) -> None:
        if (step := self._history.redo()) is not None:
            self._go(step.after, step.known[1])

    def _go(self, calibration: Calibration, known: Calibration) -> None:
        self._seen, self._known = calibration, known
        self._units.begin(known)  # else a scale that was taken back would still be offered and remembered
        self._bench.tracks.set_calibration(calibration)


@dataclass(eq=False)
class _Region:
    before: Roi | None
    after: Roi | None

    @property
    def words(self) -> str:
        if self.after is None:
            return "whole picture"
        return "draw region" if self.before is None else "change region"


class Regions(Stepped[_Region]):
    """The part of the picture that is processed: the clip is opened again for each step."""

    def __init__(self, bench: Workbench, reopener: Reopener) -> None:
        self._bench, self._reopener = bench, reopener
        self._history = Steps[_Region]()
        self._seen: Roi | None = None
        self._clip = ""
        self.owner: object = object()

    def opened(self) -> None:
        """A clip begins with its region; what is opened again with another one was given that."""
        now = region(self._bench)
        if self._bench.clip != self._clip:
            self._clip, self.owner = self._bench.clip, object()
            self._history.clear()
        elif now != self._seen:
            self._history.add(_Region(self._seen, now))
        self._seen = now

    @property
    def steps(self) -> Sequence[object]:
        return tuple(self._history.done)

    def undo(self) -> None:
        self._go(self._history.done[-1].before)
        self._history.undo()

    def redo(self) -> None:
        self._go(self._history.undone[-1].after)
        self._history.redo()

    def _go(self, roi: Roi | None) -> None:
        self._reopener.reopen(roi)  # raises where it cannot be, and then nothing was undone
        self._seen = roi


class Undoing:
    """See the module; what is undone ends where the clip was opened.

    Args:
        bench: the state behind the window.
        corrector: of its tracks.
        units: remembers the scale while people look at pixels.
        reopener: opens the clip with another region.
        further: other kinds of changes, by name.
    """

    def __init__(
        self,
        bench: Workbench,
        corrector: Corrector,
        units: Units,
        reopener: Reopener,
        further: Mapping[str, Kind] | None = None,
    ) -> None:
        tracks, scales, regions = TrackSteps(bench, corrector), Scales(bench, units), Regions(bench, reopener)
        self._kinds: dict[str, Kind] = {
            "pipeline": Edits(bench), "tracks": tracks, "scale": scales, "region": regions, **(further or {}),
        }  # fmt: skip
        self._owners: dict[str, object] = {}
        self._done: list[tuple[str, object]] = []
        self._undone: list[str] = []
        self._redoing = False
        for kind in (tracks, scales, regions):
            bench.on(Topic.OPENED, kind.opened)
        for topic in (Topic.OPENED, Topic.PIPELINE, Topic.VIEW):
            bench.on(topic, self._look)
        self._look()

    def _look(self) -> None:
        """Find what was done, or undone by others, since the last look."""
        for name, kind in self._kinds.items():
            owner, steps = kind.owner, kind.steps
            if owner is not self._owners.get(name):
                # What another holds from its beginning on (read from a file) was done before all that is known here.
                self._owners[name] = owner
                self._done = [(name, step) for step in steps] + [one for one in self._done if one[0] != name]
                self._undone = [one for one in self._undone if one != name]
                continue
            # By identity: two equal changes are two steps.
            known = {id(step) for one, step in self._done if one == name}
            if known == (now := {id(step) for step in steps}):
                continue
            self._done = [one for one in self._done if one[0] != name or id(one[1]) in now]
            new = [(name, step) for step in steps if id(step) not in known]
            self._done += new
            if new and not self._redoing:
                self._undone.clear()

    @property
    def undo_words(self) -> str:
        """What `undo` takes back, "" for nothing."""
        self._look()
        return self._kinds[self._done[-1][0]].undo_words if self._done else ""

    @property
    def redo_words(self) -> str:
        """What `redo` does again, "" for nothing."""
        self._look()
        while self._undone and not self._kinds[self._undone[-1]].redo_words:
            self._undone.pop()
        return self._kinds[self._undone[-1]].redo_words if self._undone else ""

    def undo(self) -> None:
        """The last change back; nothing happens where there is none."""
        self._look()
        if self._done:
            name = self._done[-1][0]
            self._kinds[name].undo()
            self._look()
            self._undone.append(name)

    def redo(self) -> None:
        """The change that was undone last, again."""
        if self.redo_words:
            name = self._undone.pop()
            self._redoing = True
            try:
                self._kinds[name].redo()
                self._look()
            finally:
                self._redoing = False
