"""What can be done with events, by menu and keyboard."""

from __future__ import annotations

from app.gui.actions import Action
from app.gui.events.marking import Marking

GROUP = 4
"""Of the menu, behind marks and problems."""


def event_actions(marking: Marking) -> list[Action]:
    """Those of the menu "Playback"."""
    kept = marking.kept
    return [
        Action("mark_event", "Playback", "Mark an event &here…", marking.mark, "H", "flag", group=GROUP,
               enabled=lambda: kept.possible,
               tip="Gives the frame that is shown a name; the last one is proposed, a number takes one used before"),
        Action("mark_again", "Playback", "Mark with the same name", marking.again, "Shift+H", group=GROUP,
               enabled=lambda: kept.possible, tip="At once, without asking", says=lambda: kept.proposed),
        Action("next_event", "Playback", "Next event", lambda: marking.go(False), "Ctrl+Right", group=GROUP,
               enabled=lambda: kept.possible),
        Action("previous_event", "Playback", "Previous event", lambda: marking.go(True), "Ctrl+Left", group=GROUP,
               enabled=lambda: kept.possible),
    ]  # fmt: skip
