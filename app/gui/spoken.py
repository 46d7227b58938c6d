"""What was said, where people look: in the status bar, and what went wrong in a strip over the video's upper edge, too.

A panel that came to the front for it would cover the traces, and a strip above the video would move what is below the
mouse. While a tool is in hand, whose panel lies there, the status bar alone says it.
"""

from __future__ import annotations

from html import escape
from typing import Protocol

from pyqtgraph.Qt import QtCore

from app.desk.bench.topics import Level, Message, Topic
from app.desk.bench.workbench import Workbench
from app.gui.messages_panel import MessagesPanel
from app.gui.modes import Modes
from app.gui.open_dialog import ENDED
from app.gui.pipeline.broken import BROKEN
from app.gui.status import SECONDS, Status
from app.gui.strips import Strip, Strips
from app.gui.tracking import Tracking

WRONG = "wrong"
"""The strip's name."""
LONG = 400
"""Letters of a sentence that a strip shows; the tip and the messages have all."""


class Window(Protocol):
    """What is needed of the main window."""

    bench: Workbench
    strips: Strips
    refusals: Strips
    modes: Modes
    messages: MessagesPanel
    status: Status
    tracking: Tracking

    def show_panel(self, name: str) -> None: ...


class Spoken(QtCore.QObject):  # type: ignore[misc]
    """See the module.

    Args:
        window: the window; its panels are there.
    """

    def __init__(self, window: Window) -> None:
        super().__init__(window)  # its clock ends with the window
        self._window = window
        self._told: Message | None = None
        self._timer = QtCore.QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(int(1e3 * SECONDS[Level.ERROR]))
        self._timer.timeout.connect(self.clear)
        window.status.toast.clicked.connect(self.show_newest)
        window.bench.on(Topic.MESSAGE, self._spoken)

    def _spoken(self) -> None:
        message = self._window.bench.messages[-1]
        self._window.status.toast.say(message)
        if message.level is Level.ERROR and not self._window.modes.alone:
            self._told = message
            QtCore.QTimer.singleShot(0, self._tell)  # by then what has a strip of its own has it

    def _tell(self) -> None:
        message, self._told = self._told, None
        if message is None or self._window.tracking.tools.active:  # it would lie over what is to be clicked
            return
        if any(name in self._window.strips for name in (BROKEN, ENDED)):
            return
        words = message.sentence if len(message.sentence) <= LONG else f"{message.sentence[:LONG]} …"
        self._window.refusals.put(WRONG, Strip(
            f"<span>{escape(words)}</span>", Level.ERROR, closed=self.clear, tip=message.sentence,
            buttons=(("Show messages", self.show_cause),),
        ))  # fmt: skip
        self._timer.start()

    def clear(self) -> None:
        """Something else is done: what went wrong before is said in the messages alone."""
        self._told = None
        self._timer.stop()
        self._window.refusals.remove(WRONG)

    def show_newest(self) -> None:
        """Bring the messages to the front, the newest selected."""
        self._window.show_panel("messages")
        self._window.messages.show_newest()

    def show_cause(self) -> None:
        """Bring the messages to the front, with all that is known of the newest error."""
        self.clear()
        self._window.show_panel("messages")
        self._window.messages.show_cause()
