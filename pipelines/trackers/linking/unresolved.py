"""Whether a thing is two that were never seen apart.

Two things nearer to each other than about two of their widths make one peak. Where both were followed the tracker
knows (`mergers.py`); what began as one, or lost the other long ago, looks like one thing longer than it is wide. Two
of equal light at the distance s have second moments that differ by s^2 / 4 along and across the way between them,
which is the squared distance of either from their common centre; with shares a and 1 - a it is a (1 - a) s^2, and the
squared distances are (1 - a)^2 s^2 and a^2 s^2: the difference is what sigma must allow for in that direction.

Noise makes a thing long, too, but in another direction each time. (xx - yy) / 2 and xy (`stretch` and `lean` of a
feature, from weighted light) turn as a vector by twice the angle of the thing; the mean of this vector over its
sightings is what it is in truth, and noise leaves of it what is usual for one sighting, over as many. A single thing
may be long in truth; so its length counts

- beyond what is usual: the square q of one sighting's vector in units of the noise of such moments (2 w^2 s^2 for a
  bell of width w whose centre has the uncertainty s), as the mean over all that is seen. That is the one of
  q / (q + 1), so that a few long ones move it little; and few things tell little of what is usual;
- without what its own motion smears it by: a share of v^2 / 12, 1 if the shutter is always open. It is the same one for
  all things, found by least squares over all of them, in which the odd ones weigh little;
- with the chance that two are so near: of n things in the area A the share n pi (2.4 w)^2 / (2 A) would be two if they
  lay at random, and twice that is allowed for; if more are long, now or in the mean, long ones are there, and only that
  share of the length counts, and none if it is small.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipelines.features import Features
from pipelines.trackers.columns import Array, Columns
from pipelines.trackers.linking.link_loops import LENGTHIEST
from pipelines.trackers.linking.newcomers import LATEST
from pipelines.trackers.linking.unseen import SHAPES

LONG, LONGEST = 3.2, 4.8  # of what is usual: from the first on a thing may be two, from the second on it is
MAYBE = 0.999 * LONG * LONG  # who is not so long is not asked
SWAYS = 0.02  # of the squared width: by how much a shape changes without noise, a standard deviation
BESIDE = 0.004  # of the squared width: by how much what lies beside a thing changes its shape, a standard deviation
KNOWN = 3.0  # of so many sightings what is usual of a shape
FULL = 2.0 / SHAPES - 1.0  # so many sightings are in a mean that forgets
MOST = LENGTHIEST / (LENGTHIEST + 1.0)  # and no larger q / (q + 1) that is usual
FEW = 8.0  # so many things are as good as nothing to tell what is usual from: it is taken for 1 + FEW / n times as much
PAIRS = 18.0  # by n w^2 / A, twice the share that would be two at random: pi 2.4^2
RARE = 0.1  # a share of long things of which less are expected to be two is none: what is there is long
QUICK = 0.2  # of what is usual of means so much is new in each frame, as they grow where all things are long
STILL = 4.0  # so much, in squares of the noise, speaks for no smear before anything is seen
USUAL, STRANGE, FRAMES, BREADTH, SMEARED, MOVED, LASTING = range(7)
LIMIT, LONGER, EXPECTED, SMEAR, LIKELY, NOW, NEXT = range(7, 14)
KEPT, ROOM = 7, NEXT + 7
"""What `Shapes` keeps, and behind it, for loops, what holds for a frame (what is usual, the share of things that is
expected to be two, and that of the smear), how likely the last one looked at is two, the share of long ones now, and
what is kept once the frame is done."""


@dataclass(frozen=True)
class Usual:
    """What `Shapes` says of a frame."""

    known: Array  # which features have a shape
    limit: float  # q of what is usual of one sighting
    longer: float  # and of a mean of sightings, by the noise of such a mean: more where all are long
    expected: float  # the share of things of which two are expected in one
    smear: float  # of v^2 / 12: by how much motion makes things longer


class Shapes:
    """How long and how wide things are, as the mean of all frames, later of about the last 128."""

    def __init__(self) -> None:
        self.now = 0.0  # share of the things of this frame that are long
        self.kept = [0.0] * KEPT
        """Mean of q / (q + 1), mean share of things that are long, frames, mean squared width (px^2), and of the least
        squares for the smear the right side and the left one, a mean frame's; and the first of the means of shapes."""

    def look(self, found: Features, noise: Array, area: float) -> Usual:
        """Book what is usual in a frame.

        Args:
            found: its features, by rising y.
            noise: variance of each one's centre, px^2, the mean of x and y.
            area: of the picture, px^2.
        """
        lengths = lengths_of(found, noise)
        known = lengths >= 0
        count = int(np.count_nonzero(known))
        if not count:
            return Usual(known, 0.0, 0.0, 0.0, 0.0)
        kept = self.kept
        kept[FRAMES] += 1.0
        if kept[FRAMES] == 1.0:  # nothing is tracked yet, and tells what is usual
            shown = np.where(known, lengths, 0.0)
            kept[USUAL] = _sum(shown / (shown + 1.0)) / count
        few = 1.0 + FEW / count
        limit = kept[USUAL] / (1.0 - kept[USUAL]) * (few * few)
        lasting = kept[LASTING] / (1.0 - kept[LASTING]) * (few * few)
        with np.errstate(invalid="ignore", over="ignore"):  # moments that nobody knows may be anything
            total = _sum(np.where(known, 0.5 * (found["xx"] + found["yy"]), 0.0))
        kept[BREADTH] += self._late * (total / count - kept[BREADTH])
        smear = kept[SMEARED] / (kept[MOVED] + STILL * self._late)
        return Usual(known, limit, max(limit, lasting), PAIRS * total / area, max(min(smear, 1.0), 0.0))

    def book(self, likely: Array, expected: float) -> float:
        """Book how `likely` each thing is two; the share of a length that counts where such a share of them is
        `expected` to be."""
        self.now = 0.0
        if len(likely):
            total = 0.0
            for one in likely.tolist():
                total += one
            self.now = total / len(likely)
            self.kept[STRANGE] += self._late * (self.now - self.kept[STRANGE])
        return self.share(expected)

    def move(self, t: Columns, which: Array, half: Array, xy: Array, unit: Array, own: Array, usual: Usual) -> None:
        """Book how long rows are, and what they say of the smear: their shapes times what it would be, and the square
        of this, both by the noise of such shapes and by how odd they are.

        Args:
            t: columns of KALMAN_COLUMNS.
            which: rows (indices, rising).
            half, xy: their shapes (`shapes_of`).
            own: as for `lengthen`.
            unit: variance of such shapes, px^4, by the noise of the centre.
            usual: of the frame.
        """
        (a, b), lanes = _way(t, which), np.zeros((4, len(t)))
        with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
            square = half * half + xy * xy
            noise = unit * usual.limit + square
            weight = 1.0 / noise
            lanes[0, which] = ((half + usual.smear * a) * a + (xy + usual.smear * b) * b) * weight
            lanes[1, which] = (a * a + b * b) * weight
            for lane, length in ((2, square), (3, _lasting(t, which, usual.smear)[1])):
                share = length / (length + unit)
                lanes[lane, which] = np.where(share < MOST, share, MOST)
        own = own & (noise > 0)
        lanes[:, which] = np.where(own, lanes[:, which], 0.0)
        late, kept, count = self._late, self.kept, int(np.count_nonzero(own))
        kept[SMEARED] += late * (_sum(lanes[0]) - kept[SMEARED])
        kept[MOVED] += late * (_sum(lanes[1]) - kept[MOVED])
        if count:
            # The first of them know better than the detections of the first frame.
            late = max(1.0 / max(kept[FRAMES] - 1.0, 1.0), LATEST)
            kept[USUAL] += late * (_sum(lanes[2]) / count - kept[USUAL])
            kept[LASTING] += (QUICK if kept[LASTING] > 0.0 else 1.0) * (_sum(lanes[3]) / count - kept[LASTING])

    def share(self, expected: float) -> float:
        """As `book`, and nothing is booked."""
        strange = max(self.kept[STRANGE], self.now)
        share = expected / strange if expected < strange else 1.0
        return share * max(min(share / RARE - 1.0, 1.0), 0.0)

    @property
    def _late(self) -> float:
        return max(1.0 / max(self.kept[FRAMES], 1.0), LATEST)


def _sum(values: Array) -> float:
    """In the order of a loop over eight at a time."""
    if not len(values):
        return 0.0
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
        half, xy, wide = found["stretch"], found["lean"], 0.5 * (found["xx"] + found["yy"])
        made = (half * half + xy * xy) / (2.0 * wide * noise)
        return np.where((wide > 0) & (made <= LENGTHIEST), made, -1.0)


def shapes_of(t: Columns, which: Array, found: Features, noise: Array, smear: float) -> tuple[Array, Array, Array]:
    """(xx - yy) / 2 and xy of what was seen, without what its motion smears it by, px^2; and the variance of that which
    follows from the noise of its place, px^4.

    Args:
        t: columns of KALMAN_COLUMNS.
        which: rows (indices, each once).
        found, noise: the feature of each, and its variance, px^2.
        smear: of `Usual`.
    """
    a, b = _way(t, which)
    with np.errstate(invalid="ignore", over="ignore"):  # moments that nobody knows may be anything
        return found["stretch"] - smear * a, found["lean"] - smear * b, (found["xx"] + found["yy"]) * noise


def bent(t: Columns, which: Array, wide: Array, unit: Array, half: Array, xy: Array, usual: Usual) -> Array:
    """How far the shapes of rows are from the means of what they were, px^2; 0 where noise makes that much. Before
    `lengthen`; arguments as for `unresolved`."""
    with np.errstate(invalid="ignore", over="ignore"):
        along = half - (t["stretch"][which] - usual.smear * t["smear"][which])
        square = _square(along, xy - (t["lean"][which] - usual.smear * t["slant"][which]))
        least = LONG * LONG * (unit + (SWAYS * wide) * (SWAYS * wide))
        made: Array = np.where((t["shapes"][which] > KNOWN) & (unit > 0) & (square > least), np.sqrt(square), 0.0)
    return made


def lengthen(t: Columns, which: Array, found: Features, own: Array) -> None:
    """Book the shapes of what was seen, and what its motion might have added.

    Args:
        t: columns of KALMAN_COLUMNS and MASS_COLUMNS.
        which: rows (indices, each once).
        found: the feature of each.
        own: whether its shape is that of the row's thing alone.
    """
    n, (a, b) = t["shapes"][which], _way(t, which)
    learn = np.maximum(1.0 / (1.0 + n), SHAPES)
    shape = found["stretch"], found["lean"]
    for name, new in zip(("stretch", "lean", "smear", "slant"), (*shape, a, b), strict=True):
        old = t[name][which]
        t[name][which] = np.where(own, old + learn * (np.where(own, new, 0.0) - old), old)
    t["shapes"][which] = np.where(own, n + 1.0, n)


def _way(t: Columns, which: Array) -> tuple[Array, Array]:
    """By how much (xx - yy) / 2 and xy grow while the shutter is always open, px^2."""
    vx, vy = t["vx"][which], t["vy"][which]
    return (vx * vx - vy * vy) / 24.0, vx * vy / 12.0


def unresolved(
    t: Columns, which: Array, wide: Array, unit: Array, half: Array, xy: Array, alone: Array, own: Array, usual: Usual
) -> tuple[Array, Array]:
    """How likely each of the rows is two things, 0 to 1, and the variance (px^2, mean of both axes) of its place for
    that: by the mean of its shapes, of two at least, or by the shape of now, whichever makes it more.

    Args:
        t: columns of MASS_COLUMNS; `lengthen` came before.
        which: rows (indices, each once).
        wide: squared width of the feature of each, px^2.
        unit: of the shape of each row the variance, px^4.
        half, xy: their shapes.
        alone: False where the feature holds two tracks.
        own: whether its shape is that of the row's thing alone.
        usual: of the frame.
    """
    often, lasting = _lasting(t, which, usual.smear)
    likely, made = np.zeros(len(which)), np.zeros(len(which))
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        drawn, now = (BESIDE * wide) * (BESIDE * wide), np.where(own, _square(half, xy), 0.0)
        for square, by in ((lasting / often, usual.longer * unit / often), (now, usual.limit * unit)):
            beyond = square / (by + drawn) - LONG * LONG
            chance = np.minimum(np.maximum(beyond / (LONGEST * LONGEST - LONG * LONG), 0.0), 1.0)
            off = chance * np.sqrt(square)
            more = alone & (unit > 0) & (off > made)
            likely, made = np.where(more, chance, likely), np.where(more, off, made)
    return likely, made


def _lasting(t: Columns, which: Array, smear: float) -> tuple[Array, Array]:
    """Of how many sightings the mean of a row's shapes is, and the squared length of this times as many, px^4; 0 for
    one."""
    often = np.minimum(t["shapes"][which], FULL)
    square = _square(t["stretch"][which] - smear * t["smear"][which], t["lean"][which] - smear * t["slant"][which])
    return often, np.where(often > 1.0, square * often, 0.0)


def _square(half: Array, xy: Array) -> Array:
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(half * half + xy * xy)
