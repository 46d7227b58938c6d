"""Asks whose corrections are to stay, where two windows have corrected one clip so that both cannot be put together."""

from __future__ import annotations

from app.desk.bench.topics import Level
from app.desk.services.kept_corrections import KeptCorrections
from app.gui.strips import Strip, Strips

_NAME = "other window"


class OtherWindow:
    """See the module.

    Args:
        strips: of the window.
        kept: the corrections of what is open.
    """

    def __init__(self, strips: Strips, kept: KeptCorrections) -> None:
        self._strips, self._kept = strips, kept
        kept.asked = self._asked

    def _asked(self) -> None:
        self._strips.remove(_NAME)
        theirs = self._kept.theirs
        if theirs is None:
            return
        count = len(theirs.actions)
        self._strips.put(_NAME, Strip(
            f"Another window has changed the corrections of this clip: it has {count}, here are "
            f"{len(self._kept.made)}. Which are to stay?", Level.WARNING,
            buttons=(("Those of the other window", self._kept.take_theirs), ("Mine", self._kept.keep_mine)),
            tip=f"The others go into a file beside {theirs.path.name}; nothing is written until you say",
        ))  # fmt: skip
