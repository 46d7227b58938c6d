"""How trails look, from one start to the next."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import get_args

from app.exports.path_picture import By
from app.gui.settings import Settings
from app.gui.video.overlay import OverlayLook

KEPT = "trails"
SWITCHES = ("trails", "whole", "only")
LONGEST = 1_000_000
"""Frames of a trail."""


class KeptTrails:
    """Keeps what is chosen of trails: whether there are any, how long, in which colours, whose.

    Args:
        settings: where. look: what is drawn; it gets what was kept.
    """

    def __init__(self, settings: Settings, look: OverlayLook) -> None:
        self._settings, self._look = settings, look
        with suppress(ValueError, TypeError):  # somebody edited the file
            self._take(dict(json.loads(settings.text(KEPT, "{}"))))

    def _take(self, kept: dict[str, object]) -> None:
        for name in SWITCHES:
            if isinstance(kept.get(name), bool):
                setattr(self._look, name, kept[name])
        length, by = kept.get("trail"), kept.get("by")
        if isinstance(length, int) and not isinstance(length, bool) and 0 < length <= LONGEST:
            self._look.trail = length
        for known in get_args(By):
            if by == known:
                self._look.by = known

    def keep(self) -> None:
        """What is drawn now is what the next start begins with."""
        look = self._look
        chosen = {name: getattr(look, name) for name in SWITCHES} | {"trail": look.trail, "by": look.by}
        self._settings.set_text(KEPT, json.dumps(chosen))
