"""Whether a thing is two that were never seen apart.

Two things nearer to each other than about two of their widths make one peak. Where both were followed the tracker
knows (`mergers.py`); what began as one, or lost the other long ago, looks like one thing longer than it is wide. Two
of equal light at the distance s have second moments that differ by s^2 / 4 along and across the way between them,
which is the squared distance of either from their common centre; with shares a and 1 - a it is a (1 - a) s^2, and the
squared distances are (1 - a)^2 s^2 and a^2 s^2: the difference is what sigma must allow for in that direction.

A single thing may be long, too. So a length counts only

- beyond what is usual: its square q in units of the noise of such moments (2 w^2 s^2 for a bell of width w whose centre
  has the uncertainty s), as a mean over the track's sightings, against the mean over all that is seen. That is the one
  of q / (q + 1), so that a few long ones move it little; and few things, or sightings, tell little of what is usual;
- where nothing else is near, whose light would belong to its moments;
- without what its own motion smears it by, v^2 / 12 if the shutter is open all the time;
- with the chance that two are so near: of n things in the area A the share n pi (2.4 w)^2 / (2 A) is expected to be
  two; if more than a few times as many are long, long ones are there, and only that share of the length counts.
"""

from __future__ import annotations

import numpy as np

from pipelines.features import Features
from pipelines.trackers.columns import Array, Columns
from pipelines.trackers.linking.link_loops import LENGTHIEST
from pipelines.trackers.linking.newcomers import LATEST
from pipelines.trackers.linking.unseen import SHAPES

LONG, LONGEST = 2.5, 4.0  # of what is usual: from the first on a thing may be two, from the second on it is
SCATTER = 0.5  # of one length, by its mean: noise is distributed as Rayleigh has it
NEAR = 16.0  # squared widths (across its length) within which another detection's light belongs to the moments
FEW = 4.0  # so many things are as good as nothing to tell what is usual from: it is taken for 1 + FEW / n times as much
PAIRS = 36.0  # four times the share of things that are two, by n w^2 / A: 4 pi 2.4^2 / 2
USUAL, STRANGE, FRAMES, BREADTH, LIMIT, SHARE, NEXT = range(7)
KEPT, ROOM = 4, 10
"""What `Shapes` keeps, and behind it, for `shapes_loop`, what holds for a frame (what is usual, the share of a length
that counts) and what is kept once that is done."""


class Shapes:
    """How long and how wide things are, as the mean of all frames, later of about the last 128."""

    def __init__(self) -> None:
        self.kept = [0.0] * KEPT
        """Mean of q / (q + 1), mean share of things that are long, frames, and mean squared width, px^2."""

    def look(self, found: Features, lengths: Array, area: float) -> tuple[Array, tuple[float, float]]:
        """Book a frame.

        Args:
            found: its features, by rising y.
            lengths: of each, as `lengths_of` says.
            area: of the picture, px^2.

        Returns:
            The lengths, -1 also where something else is near; and what is usual, and the share of a length that counts.
        """
        known = lengths >= 0
        count = int(np.count_nonzero(known))
        if not count:
            return lengths, (0.0, 0.0)
        with np.errstate(invalid="ignore", over="ignore"):  # moments that nobody knows may be anything
            wide, half = 0.5 * (found["xx"] + found["yy"]), 0.5 * (found["xx"] - found["yy"])
            across = wide - np.sqrt(half * half + found["xy"] * found["xy"])
        usual, strange, frames, breadth = self.kept
        frames += 1.0
        late = max(1.0 / frames, LATEST)
        usual += late * (_sum(np.where(known, lengths, 0.0) / (np.where(known, lengths, 0.0) + 1.0)) / count - usual)
        few = 1.0 + FEW / count
        limit = usual / (1.0 - usual) * (few * few)
        lengths = lengths.copy()
        long = np.flatnonzero(lengths > LONG * LONG * limit)
        for j in long:
            dx, dy = found["x"] - found["x"][j], found["y"] - found["y"][j]
            near = dx * dx + dy * dy < NEAR * across[j]
            near[j] = False
            if near.any():
                lengths[j] = -1.0
        strange += late * (float(np.count_nonzero(lengths[long] >= 0)) / count - strange)
        total = _sum(np.where(known, wide, 0.0))
        self.kept = [usual, strange, frames, breadth + late * (total / count - breadth)]
        expected = PAIRS * total / area
        return lengths, (limit, expected / strange if expected < strange else 1.0)


def _sum(values: Array) -> float:
    """In the order of a loop over eight at a time."""
    eights = np.zeros((-(-len(values) // 8), 8))
    eights.ravel()[: len(values)] = values
    return float(np.cumsum(np.cumsum(eights, 0)[-1])[-1])


def lengths_of(found: Features, noise: Array) -> Array:
    """Square of half the difference of the second moments along and across, by the noise of that; -1 where unknown.

    Args:
        found: features.
        noise: variance of each one's centre, px^2, the mean of x and y.
    """
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        half, wide = 0.5 * (found["xx"] - found["yy"]), 0.5 * (found["xx"] + found["yy"])
        made = (half * half + found["xy"] * found["xy"]) / (2.0 * wide * noise)
        return np.where((wide > 0) & np.isfinite(made), np.minimum(made, LENGTHIEST), -1.0)


def lengthen(t: Columns, which: Array, lengths: Array, alone: Array) -> None:
    """Book the lengths of what was seen; before `hits` is.

    Args:
        which: rows (indices, each once).
        lengths: of the feature of each, or -1.
        alone: False where the feature holds two tracks.
    """
    old = t["long"][which]
    learn = np.where(old > 0, np.maximum(1.0 / (1.0 + t["hits"][which]), SHAPES), 1.0)
    t["long"][which] = np.where(alone & (lengths >= 0), old + learn * (lengths - old), old)


def unresolved(
    t: Columns, which: Array, found: Features, noise: Array, lengths: Array, alone: Array, often: Array,
    usual: tuple[float, float],
) -> Array:  # fmt: skip
    """Variance (px^2, mean of both axes) of places since each may be two things.

    Args:
        t: columns of KALMAN_COLUMNS and MASS_COLUMNS; `lengthen` came before.
        which, lengths, alone: as for it.
        found, noise: the feature of each, and its variance, px^2.
        often: sightings of each, with this one.
        usual: what is, and the share of a length that counts (`Shapes.look`).
    """
    long, vx, vy = t["long"][which], t["vx"][which], t["vy"][which]
    scatter = 1.0 + SCATTER / np.sqrt(often)
    limit, share = usual[0] * (scatter * scatter), usual[1]
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        half, xy, wide = 0.5 * (found["xx"] - found["yy"]), found["xy"], 0.5 * (found["xx"] + found["yy"])
        a, b = (vx * vx - vy * vy) / 24.0, vx * vy / 12.0
        square = a * a + b * b
        smeared = (half * a + xy * b) / np.where(square > 0, square, 1.0)
        smeared = np.where(smeared > 0, np.where(smeared < 1, smeared, 1.0), 0.0)
        half, xy = half - smeared * a, xy - smeared * b
        oval = half * half + xy * xy
        now = oval / (2.0 * wide * noise)
        likely = (np.where(now < long, now, long) / limit - LONG * LONG) / (LONGEST * LONGEST - LONG * LONG)
        likely = np.where(likely < 1, likely, 1.0)
        good = alone & (lengths > LONG * LONG * usual[0]) & (long > LONG * LONG * limit) & (likely > 0)
        return np.where(good, share * likely * np.sqrt(oval), 0.0)
