"""How fast a session grows: as announced until there are some seconds of data, then as seen lately."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Mapping
from contextlib import suppress

from app.sessions.layout import Picture

SETTLED = 3.0
"""Seconds of data before which what was seen says little: files grow in pieces, and begin behind what waited."""
BACK = 8.0
"""Seconds that are looked back on."""
APART = 0.25
"""Seconds between two looks that are kept."""


class Pace:
    """See the module.

    Args:
        announced: bytes a second that are expected; 0 if unknown.
    """

    def __init__(self, announced: float = 0.0) -> None:
        self._announced = announced
        self._looks: deque[tuple[float, int]] = deque()

    def see(self, now: float, written: int, begun: bool) -> float:
        """Bytes a second, 0 for nothing or if unknown.

        Args:
            now: seconds of a clock that only rises.
            written: bytes of the file.
            begun: whether a frame is in it.
        """
        looks = self._looks
        if begun and (not looks or now - looks[-1][0] >= APART):
            looks.append((now, written))
        while len(looks) > 2 and now - looks[1][0] > BACK:
            looks.popleft()
        if not looks or now - looks[0][0] < SETTLED:
            return self._announced
        return max(0.0, (written - looks[0][1]) / (now - looks[0][0]))


def announced(facts: Mapping[str, Mapping[str, str]], picture: Picture) -> float:
    """Bytes a second that a camera will deliver, as a session says in its preamble; 0 where it does not know."""
    fps = None
    with suppress(ValueError):
        fps = json.loads(facts.get("camera", {}).get("fps", "null"))
    return float(fps) * picture.frame_bytes if isinstance(fps, int | float) and 0 < fps < float("inf") else 0.0
