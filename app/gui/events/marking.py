"""What can be done with events in the window: mark frames, name them, go from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from pyqtgraph.Qt import QtCore, QtWidgets

from app.desk.bench.topics import Level
from app.desk.bench.workbench import Workbench
from app.desk.events import Event, between, next_event
from app.desk.services.kept_events import KeptEvents
from app.gui.actions import Actions
from app.gui.events.namer import Namer
from app.gui.settings import Settings
from app.gui.traces.timeline import Timeline
from app.gui.tracks.table import TracksTable

_MOST = 6
"""Events beside the cursor that a menu lists."""


class Marking:
    """See the module.

    Args:
        parent: the window.
        bench: the state behind it.
        settings: remember the names.
        guard: called with what may go wrong; turns errors into messages.

    Attributes:
        kept: the events of what is open. namer: asks for names.
    """

    def __init__(
        self, parent: QtWidgets.QWidget, bench: Workbench, settings: Settings,
        guard: Callable[[Callable[[], object]], object],
    ) -> None:
        self._bench, self._guard, self._parent = bench, guard, parent
        self.kept = KeptEvents(bench, settings)
        self.namer = Namer(parent)
        self._timeline: Timeline | None = None

    def begin(self, timeline: Timeline, tracks: TracksTable, actions: Actions) -> None:
        """Names are asked for over this timeline; its menu is that of events, and that of tracks can mark, too."""
        self._timeline = timeline
        timeline.asked.connect(lambda frame, reach, at: self.menu(frame, reach).popup(at))
        tracks.further.append(actions.made["mark_event"])

    @property
    def frame(self) -> int:
        """The frame that is shown."""
        shown = self._bench.shown
        return shown.frame if shown is not None else max(0, self._bench.position)

    def mark(self, frame: int | None = None) -> None:
        """Ask for the name of a frame, by default of the one that is shown, and mark it."""
        at = self.frame if frame is None else frame
        kept = self.kept
        self._ask(f"Event in frame {self._bench.number(at)}:", kept.proposed, at, lambda name: self._mark(at, name))

    def again(self) -> None:
        """Mark the frame that is shown with the last name."""
        self._mark(self.frame, self.kept.proposed)

    def _mark(self, frame: int, name: str) -> None:
        made = self.kept.mark(frame, name)
        self._bench.speak(Level.NOTE, f"frame {self._bench.number(frame)} is marked as {made.name}")

    def ask_name(self, event: Event) -> None:
        """Ask for another name."""
        words = f"Event in frame {self._bench.number(event.frame)} is called:"
        self._ask(words, event.name, event.frame, lambda name: self.kept.rename(event, name))

    def called(self, event: Event, name: str) -> None:
        """It is to be called so; what is wrong with the name is said."""
        if event in self._bench.events and name != event.name:
            self._guard(lambda: self.kept.rename(event, name))

    def _ask(self, words: str, proposed: str, frame: int, done: Callable[[str], object]) -> None:
        self.namer.ask(words, proposed, self.kept.names, self._place(frame), lambda n: self._guard(partial(done, n)))

    def _place(self, frame: int) -> QtCore.QPoint:
        line = self._timeline
        if line is None or not line.isVisible():  # only the video is seen
            return self._parent.mapToGlobal(self._parent.rect().center())
        return line.mapToGlobal(QtCore.QPoint(round(line.place(frame)), 0))

    def delete(self, events: Sequence[Event]) -> None:
        """They are none."""
        self.kept.delete(events)
        gone = f"event {events[0].name}" if len(events) == 1 else f"{len(events)} events"
        self._bench.speak(Level.NOTE, f"deleted {gone}; undo brings {'it' if len(events) == 1 else 'them'} back")

    def go_to(self, event: Event) -> None:
        """Show its frame."""
        self._bench.player.pause()
        self._bench.player.seek(event.frame)

    def go(self, back: bool) -> None:
        """Show the next event, or the one before."""
        bench = self._bench
        found = next_event(bench.events, self.frame, back)
        if found is None:
            bench.speak(Level.NOTE, f"no event {'before' if back else 'after'} frame {bench.number(self.frame)}")
            return
        self.go_to(found)
        here = between(bench.events, found.frame, found.frame)
        names = ", ".join(event.name for event in here)
        first = bench.events.index(here[0]) + 1
        which = f"{first}" if len(here) == 1 else f"{first} to {first + len(here) - 1}"
        bench.speak(Level.NOTE, f"{names}, frame {bench.number(found.frame)} (event {which} of {len(bench.events)})")

    def menu(self, frame: int, reach: int) -> QtWidgets.QMenu:
        """What can be done with a frame of the timeline and the events near it."""
        bench = self._bench
        menu = QtWidgets.QMenu(self._parent)
        menu.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)

        def add(words: str, work: Callable[[], object]) -> None:
            menu.addAction(words.replace("&", "&&")).triggered.connect(lambda _=False: self._guard(work))

        add(f"Mark frame {bench.number(frame)} as an event…", partial(self.mark, frame))
        menu.actions()[0].setEnabled(self.kept.possible)
        for event in between(bench.events, frame - reach, frame + reach)[:_MOST]:
            menu.addSeparator()
            named = f"{event.name} ({bench.number(event.frame)})"
            add(f"Go to {named}", partial(self.go_to, event))
            add(f"Rename {named}…", partial(self.ask_name, event))
            add(f"Delete {named}", partial(self.delete, [event]))
        return menu
