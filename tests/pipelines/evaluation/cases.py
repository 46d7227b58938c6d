"""Crowds with known truth, and tracks that go wrong in every way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipelines.features import TRACK_DTYPE, State
from pipelines.truth import TRUTH_DTYPE


def truth(rows):
    """rows: (frame, thing, x, y[, visible])."""
    return np.array([(f, f / 10, k, x, y, *(rest or (True,))) for f, k, x, y, *rest in rows], TRUTH_DTYPE)


def tracks(rows, sigma=np.nan):
    """rows: (frame, track, x, y[, state])."""
    out = np.zeros(len(rows), TRACK_DTYPE)
    for row, (f, k, x, y, *rest) in zip(out, rows, strict=True):
        row["frame"], row["time"], row["track"], row["x"], row["y"] = f, f / 10, k, x, y
        row["state"] = rest[0] if rest else State.TRACKED
    out["sigma"] = sigma
    return out


@dataclass(frozen=True)
class Crowd:
    """How a crowd is drawn.

    Args:
        frames, things: how many.
        side: of the square that they move in, px; they come back in on the other side.
        noise: standard deviation of the tracks' positions, px.
        miss, swap, renew, hide: chance that a thing is not seen, gives its track to another, gets a new one, is hidden.
        false: tracks of one row a thing and frame.
    """

    frames: int = 20
    things: int = 6
    side: float = 20.0
    noise: float = 0.5
    miss: float = 0.1
    swap: float = 0.05
    renew: float = 0.02
    hide: float = 0.0
    false: float = 0.1

    def draw(self, seed: int):
        """Tracks and truth."""
        rng = np.random.default_rng(seed)
        place, speed = rng.uniform(0, self.side, (self.things, 2)), rng.normal(0, 1, (self.things, 2))
        track, following = np.arange(self.things) + 3, self.things + 3
        real, mine = [], []
        for frame in range(self.frames):
            place = (place + speed) % self.side
            for k in range(self.things):
                if rng.random() < self.swap:
                    other = rng.integers(self.things)
                    track[[k, other]] = track[[other, k]]
                if rng.random() < self.renew:
                    track[k], following = following, following + 1
            for k in range(self.things):
                real.append((frame, k, *place[k], bool(rng.random() >= self.hide)))
                if rng.random() >= self.miss:
                    mine.append((frame, track[k], *(place[k] + rng.normal(0, self.noise, 2))))
            for _ in range(rng.poisson(self.false * self.things)):
                mine.append((frame, following, *rng.uniform(0, self.side, 2)))
                following += 1
        return tracks(mine, self.noise), truth(real)
