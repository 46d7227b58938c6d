"""Conditions on tracks that ask for recording: speed, a region, a feature lost.

Each is asked with the rows of every frame, in order, and answers with the reason of a trigger or with None; it
answers once per event, not once per frame for as long as the condition holds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pipelines.features import GONE, Reason, State, Tracks


class Condition(Protocol):
    """What can trigger a recording."""

    def look(self, rows: Tracks) -> str | None:
        """The reason to record, from the rows of the next frames; None for none."""
        ...


@dataclass
class Begins(ABC):
    """Something begins to hold of a feature that is seen."""

    _holds: set[int] = field(default_factory=set, init=False)

    @abstractmethod
    def which(self, seen: Tracks) -> npt.NDArray[np.bool_]:
        """Of which of these rows it holds."""

    @abstractmethod
    def reason(self, row: Tracks) -> str:
        """In words, of a row (a scalar) of which it holds."""

    def look(self, rows: Tracks) -> str | None:
        seen = rows[rows["state"] == State.TRACKED]
        found = None
        for row, track, holds in zip(seen, seen["track"].tolist(), self.which(seen).tolist(), strict=True):
            # Once an event: a feature triggers again only after it did not hold in between.
            if not holds:
                self._holds.discard(track)
            elif track not in self._holds:
                self._holds.add(track)
                found = found or f"track {track} {self.reason(row)}"
        self._holds.difference_update(rows["track"][rows["state"] == State.LOST].tolist())  # it would only grow
        return found


@dataclass
class FasterThan(Begins):
    """A feature moves faster than `limit` px/s."""

    limit: float

    def which(self, seen: Tracks) -> npt.NDArray[np.bool_]:
        return np.asarray(np.hypot(seen["vx"], seen["vy"]) > self.limit)

    def reason(self, row: Tracks) -> str:
        return f"moves at {np.hypot(row['vx'], row['vy']):.4g} px/s, faster than {self.limit:.4g}"


@dataclass
class Enters(Begins):
    """A feature comes into the rectangle x, y, width, height (px; pixel centres at integers)."""

    region: tuple[float, float, float, float]

    def which(self, seen: Tracks) -> npt.NDArray[np.bool_]:
        x, y, width, height = self.region
        across, down = seen["x"], seen["y"]
        return np.asarray((across >= x) & (across < x + width) & (down >= y) & (down < y + height))

    def reason(self, row: Tracks) -> str:
        del row
        return "enters the region " + ",".join(f"{number:g}" for number in self.region)


@dataclass
class Lost:
    """A feature that was believed is lost, other than by leaving the picture, or the region that is looked at."""

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
                if reason not in GONE:
                    found = found or f"track {track} is lost ({Reason(reason).name.lower().replace('_', ' ')})"
        return found
