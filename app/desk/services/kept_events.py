"""The events of what is open: read from the file beside its clip when it is opened, written after each change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from app.desk.bench.topics import Level, Topic
from app.desk.bench.workbench import Workbench
from app.desk.events import FIRST, Event, Events, clean
from app.desk.sidecars import events_file
from app.desk.sidecars.events_file import EventsFile, Known, WantedEvents, events_of_run
from kernels.errors import InputError
from pipelines.frame import TimeBase

SCENES, _OF_SCENES = 50, "events of scenes"
"""Simulated scenes whose events are remembered, those that were marked last, and under which name."""
MOST = 9
"""Names that are remembered, one for each number key."""
_NAME = "event names"


class Kept(Protocol):
    """Where names are remembered from one start to the next."""

    def text(self, name: str, default: str = "") -> str: ...
    def set_text(self, name: str, value: str) -> None: ...


class KeptEvents:
    """See the module; one of the kinds of `app.desk.services.undoing`.

    Args:
        bench: the state behind the window; `bench.events` are those of its clip.
        kept: remembers the names.

    Attributes:
        path: of the file; None where the clip is no file (scenes that are simulated: theirs are kept with the names).
        names: those that were used last, the newest first.
    """

    def __init__(self, bench: Workbench, kept: Kept) -> None:
        self._bench, self._kept = bench, kept
        self._events = Events()
        self._known = Known()
        self._clip = ""
        self._time = TimeBase(float("nan"), "unknown", "")
        self._file = EventsFile(self._written)
        self.path: Path | None = None
        self.names = _names(kept.text(_NAME, "[]"))
        bench.on(Topic.OPENED, self._opened)

    @property
    def possible(self) -> bool:
        """Whether frames can be marked: of a clip, not of a camera."""
        return self._bench.opened is not None and not self._bench.live

    @property
    def proposed(self) -> str:
        """The name of the last event."""
        return self.names[0] if self.names else FIRST

    # -------------------------------------------------------------------------------------------------- changing

    def mark(self, frame: int, name: str) -> Event:
        """Something happens in that frame.

        Raises:
            InputError: no clip is open, the name is empty, or the frame has it already.
        """
        if not self.possible:
            raise InputError("open a clip first; events are frames of it")
        made = Event(frame, clean(name))
        if made in self._bench.events:
            raise InputError(f"frame {self._bench.number(frame)} is marked as {made.name} already")
        self._do(f"mark {made.name}", (), (made,))
        return made

    def rename(self, event: Event, name: str) -> Event:
        """It is called so.

        Raises:
            InputError: the name is empty, or another event of the frame has it.
        """
        made = Event(event.frame, clean(name))
        if made != event and made in self._bench.events:
            raise InputError(f"frame {self._bench.number(event.frame)} is marked as {made.name} already")
        self._do(f"rename {event.name}", (event,), (made,))
        return made

    def delete(self, events: Sequence[Event]) -> None:
        """They are none."""
        named = f"event {events[0].name}" if len(events) == 1 else f"{len(events)} events"
        self._do(f"delete {named}", events, ())

    def replace_all(self, events: Sequence[Event], words: str) -> None:
        """These are the events now, and no others: a step."""
        self._do(words, self._events.made, events)

    @property
    def there(self) -> bool:
        """Whether there are some, or a file that says that there are none."""
        return bool(self._events.made) or (self.path is not None and self.path.exists())

    def begin(self, events: Sequence[Event]) -> None:
        """What is open begins with these, which are written beside it; that is no step."""
        self._events = Events(events)
        self._changed()

    def _do(self, words: str, gone: Iterable[Event], new: Sequence[Event]) -> None:
        if not self._events.do(words, gone, new):
            return
        for event in new:
            self.names = [event.name, *(name for name in self.names if name != event.name)][:MOST]
            self._kept.set_text(_NAME, json.dumps(self.names))
        self._changed()

    # ------------------------------------------------------------------------------------------------- a kind of undo

    @property
    def owner(self) -> object:
        """What holds the steps: another clip has its own."""
        return self._events

    @property
    def steps(self) -> Sequence[object]:
        """What was done and not undone."""
        return self._events.done

    @property
    def undo_words(self) -> str:
        """What would be undone, "" for nothing."""
        return self._events.undo_words

    @property
    def redo_words(self) -> str:
        """What would be done again, "" for nothing."""
        return self._events.redo_words

    def undo(self) -> None:
        """One step back."""
        self._events.undo()
        self._changed()

    def redo(self) -> None:
        """One step on again."""
        self._events.redo()
        self._changed()

    # --------------------------------------------------------------------------------------------------- the file

    def _opened(self) -> None:
        bench = self._bench
        if bench.opened is None or bench.asked is None or bench.live:
            bench.set_events(())
            return
        what = bench.asked.what
        clip = what if what.startswith("sim:") else str(Path(what).absolute())
        if clip != self._clip:  # else it was opened anew, with another region
            self._clip = clip
            self._time = bench.opened.info.time
            self.path = None if clip.startswith("sim:") else events_file.path_for(clip)
            self._events, self._known = Events(), Known()
            if self.path is not None:
                self._read(self.path, bench.opened.info.frames)
            else:
                self._events = Events(_of_scenes(self._kept).get(clip, ()))
        bench.set_events(self._events.made)

    def _read(self, path: Path, frames: int) -> None:
        bench = self._bench
        if path in self._file.failed:
            unwritten = self._file.failed[path]
            self._events, self._known = Events(unwritten.made), unwritten.known
            bench.speak(Level.WARNING, f"the events are those that could not be written into {path.name}")
            return
        try:
            self._known = events_file.load(path)
        except InputError as error:
            bench.speak(Level.WARNING, str(error))
            return
        found = self._known.events
        if not found and not path.exists():
            found = events_of_run(Path(self._clip))
        self._events = Events(found)
        if found:
            bench.speak(Level.NOTE, f"{len(found)} event{'s' if len(found) > 1 else ''} read from "
                                    f"{path.name if path.exists() else 'the folder of the run'}")  # fmt: skip
        late = sum(event.frame >= frames for event in found)
        if late:
            bench.speak(Level.WARNING, f"{late} of the events of {path.name} lie behind the last frame of this clip; "
                                       "is it another one?")  # fmt: skip

    def _changed(self) -> None:
        """Write them, then tell the bench."""
        made = self._events.made
        if self.path is None:
            scenes = {clip: found for clip, found in _of_scenes(self._kept).items() if clip != self._clip}
            scenes |= {self._clip: made} if made else {}
            newest = list(scenes.items())[-SCENES:]
            self._kept.set_text(_OF_SCENES, json.dumps({clip: [(e.frame, e.name) for e in of] for clip, of in newest}))
        else:
            try:
                self._file.save(WantedEvents(self.path, made, self._known, self._time))
            except InputError as error:  # said, not raised: the events hold, and are tried again
                self._bench.speak(Level.ERROR, str(error))
        self._bench.set_events(self._events.made)

    def _written(self, wanted: WantedEvents, known: Known, aside: Path | None) -> None:
        name = wanted.path.name
        if wanted.path == self.path:
            self._known = known
            self._events.adopt(known.events)
        if aside is not None:
            self._bench.speak(Level.WARNING, f"{name} could not be read; it lies in {aside.name} now")
        elif known.events != wanted.made:
            self._bench.speak(Level.NOTE, f"{name} was changed by another window or program; its events and yours "
                                          "are put together")  # fmt: skip

    def close(self, rescue: Path) -> list[str]:
        """The program ends: try again what could not be written; see `SidecarFile.close`."""
        return self._file.close(0.0, rescue)


def _of_scenes(kept: Kept) -> dict[str, tuple[Event, ...]]:
    """By scene, those that were marked last at the end."""
    try:
        found = dict(json.loads(kept.text(_OF_SCENES, "{}")))
        return {str(clip): tuple(Event(int(frame), clean(str(name))) for frame, name in of)
                for clip, of in found.items()}  # fmt: skip
    except (ValueError, TypeError, InputError):  # somebody edited the file
        return {}


def _names(text: str) -> list[str]:
    try:
        return [clean(str(name)) for name in json.loads(text)][:MOST]
    except (ValueError, TypeError, InputError):  # somebody edited the file
        return []
