"""Conditions on tracks that ask for recording: speed, a region, a feature lost.

Each is asked with the rows of every frame, in order, and answers with the reason of a trigger or with None; it
answers once per event, not once per frame for as long as the condition holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from pipelines.features import Reason, State, Tracks


class Condition(Protocol):
    """What can trigger a recording."""

    def look(self, rows: Tracks) -> str | None:
        """The reason to record, from the rows of the next frames; None for none."""
        ...


@dataclass
class FasterThan:
    """A feature moves faster than `limit` px/s."""

    limit: float
    _above: set[int] = field(default_factory=set)

    def look(self, rows: Tracks) -> str | None:
        seen = rows[rows["state"] == State.TRACKED]
        speed = np.hypot(seen["vx"], seen["vy"])
        found = None
        for track, value in zip(seen["track"].tolist(), speed.tolist(), strict=True):
            fast = value > self.limit
            if fast and track not in self._above:
                self._above.add(track)
                found = found or f"track {track} moves at {value:.4g} px/s, faster than {self.limit:.4g}"
            elif not fast:
                self._above.discard(track)
        self._above.difference_update(_ended(rows))
        return found


@dataclass
class Enters:
    """A feature comes into the rectangle x, y, width, height (px; pixel centres at integers)."""

    region: tuple[float, float, float, float]
    _inside: set[int] = field(default_factory=set)

    def look(self, rows: Tracks) -> str | None:
        x, y, width, height = self.region
        seen = rows[rows["state"] == State.TRACKED]
        inside = (seen["x"] >= x) & (seen["x"] < x + width) & (seen["y"] >= y) & (seen["y"] < y + height)
        found = None
        for track, within in zip(seen["track"].tolist(), inside.tolist(), strict=True):
            if within and track not in self._inside:
                self._inside.add(track)
                found = found or f"track {track} enters the region {x:g},{y:g},{width:g},{height:g}"
            elif not within:
                self._inside.discard(track)
        self._inside.difference_update(_ended(rows))
        return found


@dataclass
class Lost:
    """A feature that was believed is lost, other than by leaving the picture."""

    _believed: set[int] = field(default_factory=set)

    def look(self, rows: Tracks) -> str | None:
        found = None
        for track, state, reason in zip(
            rows["track"].tolist(), rows["state"].tolist(), rows["reason"].tolist(), strict=True
        ):
            if state == State.TRACKED:
                self._believed.add(track)
            elif state == State.LOST and track in self._believed:
                self._believed.discard(track)
                if reason != Reason.LEFT_IMAGE:
                    found = found or f"track {track} is lost ({Reason(reason).name.lower().replace('_', ' ')})"
        return found


def _ended(rows: Tracks) -> list[int]:
    """Tracks of which nothing more will come: what is remembered of them would only grow."""
    ended: list[int] = rows["track"][rows["state"] == State.LOST].tolist()
    return ended
