"""Whether a detection is what was out of sight, or something else that appears by itself.

After some frames out of sight a track's gate is wide, and detections that are nobody's appear everywhere: noise above
the threshold, new things, fragments. In the gate of a thing that has left for good one of them will come to lie, and
the track would go on from there. How many there are the tracker has seen: those that no track took began one. With
their density (a frame and px^2), the chance `RETURNS` that a thing out of sight is seen again in this frame, and the
density of places and masses of the thing itself,

    against = density / (RETURNS p(place, mass))

are the odds against the track's own (the likelihood ratio of Sittler: IEEE Transactions on Military Electronics 8, 125,
1964; as a gate Blackman, Popoli: Design and Analysis of Modern Tracking Systems, 1999). What is more likely something
else is not taken. p is a t distribution, as sightings after a gap have longer tails than a normal one:
with the variance V of the difference and q the squared distance in units of it and of the masses' scatter,
p = (1 + q / 5)^-4 / (2 pi V); masses of what appears by itself are taken to scatter as much as a thing's own.

What is seen nowhere that its own steps lead to, for the first time, may have started: it is anywhere in the disc of the
radius r that the fastest motion allows. That it is out of sight just as something else appears there is less likely as
long as

    density LEAVES pi r^2 < STARTS

Where that does not hold for all of this disc, it does near by: on which scale a thing starts nobody knows, so that each
step up to r is as likely by its logarithm, and pi d^2 2 ln(r / least) takes the place of pi r^2 at the distance d.
"""

from __future__ import annotations

import math

import numpy as np

from kernels.host.loops import F64, I32, I64, at, higher, loop, lowest, mask, vec, where
from pipelines.trackers.columns import Array
from pipelines.trackers.linking.columns import DOUBT, MASS, MISSED, P00, X, Y
from pipelines.trackers.linking.link_loops import DX, DY, LIGHT, MASS_CAP, NOISE, SPREAD, mass_cost

RETURNS = 0.2  # the chance, in each frame, that a thing out of sight is seen again: gaps are of some five frames
LEAVES = 0.05  # the chance that a thing that is seen is out of sight in the next frame
STARTS = 1e-4  # the chance that it is farther off there than its steps were, as an insect that takes off
TAILS = 5.0  # degrees of freedom of the t distribution; its power below follows from them and from three dimensions
LATEST = 1.0 / 128.0  # least share of a frame in the mean of what appears
AWAY = 0.5 * RETURNS * LEAVES / STARTS  # what `rarity` is multiplied by where one starts, or leaves as another comes
SCALES = 8.0  # 2 ln(r / least), of scales from the fastest motion down to a fiftieth of it
MEAN, FRAMES = 0, 1


class Newcomers:
    """How many detections of a frame no track takes: the mean of all frames, later of about the last 128.

    In the first frame all are new; it counts as one in which none is.
    """

    def __init__(self) -> None:
        self.kept = [0.0, 0.0]
        """The mean, and how many frames there were."""

    @property
    def mean(self) -> float:
        """Of a frame."""
        return self.kept[MEAN]

    def book(self, count: int) -> None:
        """The next frame has so many."""
        frames, mean = self.kept[FRAMES] + 1.0, self.mean
        some = float(count) if frames > 1.0 else 0.0
        self.kept = [mean + max(1.0 / frames, LATEST) * (some - mean), frames]


@loop
def book_loop(kept: F64, count: int) -> int:
    """`Newcomers.book`."""
    frames, mean = kept[FRAMES] + 1.0, kept[MEAN]
    some = float(count) if frames > 1.0 else 0.0
    kept[MEAN], kept[FRAMES] = mean + max(1.0 / frames, LATEST) * (some - mean), frames
    return 0


def rarity(width: float, height: float) -> float:
    """What the mean of newcomers is multiplied by: 2 pi / (RETURNS times the picture's area), 1/px^2."""
    return 2.0 * math.pi / (RETURNS * width * height)


def against(strange: float, total: Array, distance: Array, unlike: Array) -> Array:
    """The odds against a detection's being the track's own.

    Args:
        strange: mean of newcomers times `rarity`, 1/px^2.
        total: variance of the difference of the two places, px^2.
        distance: squared distance in units of it.
        unlike: that of the logarithms of the masses, in units of their scatter (`stages.mass_cost`).
    """
    base = 1.0 + (distance + unlike) / TAILS
    square = base * base
    return np.asarray(strange * total * (square * square))


def starts(strange: float, most: Array) -> Array:
    """How far off (px, `most` at most) what is out of sight for the first time has rather started than left."""
    near = 1.0 / math.sqrt(SCALES * (strange * AWAY)) if strange > 0 else 0.0
    return np.where(strange * AWAY * (most * most) < 1.0, most, np.minimum(near, most))


def doubted(odds: Array, total: Array, squares: Array) -> Array:
    """Variance (px^2, of x and of y) that one sighting leaves where nothing follows it: a mixture.

    If it was something else, which is `odds` to one, nothing is seen in the next frame; if it was the track's own, that
    has the chance LEAVES. With the share of the first the thing is where it was thought to be, off by `squares` (px^2)
    and with the variance `total`, to which what was doubtful before belongs.
    """
    return np.asarray(odds / (odds + LEAVES) * (total + 0.5 * squares))


@loop
def against_loop(strange: float, total: float, distance: float, unlike: float) -> float:
    """`against`."""
    base = 1.0 + (distance + unlike) / TAILS
    square = base * base
    return float(strange * total * (square * square))


@loop
def returns_loop(strange: float, total: float, distance: float, mass: float, light: float, spread: float) -> int:
    """`stages.returns` of a pair. What masses may say has its limits, so that their logarithms matter to few."""
    if against_loop(strange, total, distance, 0.0) > 1.0:
        return 0
    if against_loop(strange, total, distance, MASS_CAP) <= 1.0:
        return 1
    return int(against_loop(strange, total, distance, mass_cost(mass, light, spread)) <= 1.0)


@loop
def doubtful_loop(f: F64, n: I32, room: int, count: int, d: F64, wide: int, p: F64, choice: I64,
                  strange: float) -> int:  # fmt: skip
    """`stages.doubtful`."""
    doubt, p00, missed = at(f, DOUBT * room), at(f, P00 * room), at(n, MISSED * room)
    for first in range(0, count, 8):
        word = mask(where(vec(missed, first) > 0.0, 1.0, vec(doubt, first)) > 0.0) & ((1 << min(count - first, 8)) - 1)
        while word != 0:
            i = first + lowest(word)
            word, j, before = higher(word), choice[i], doubt[i]
            if j < 0:
                continue
            doubt[i] = 0.0
            if missed[i] > 0 or before > p00[i]:
                dx, dy = d[DX * wide + j] - f[X * room + i], d[DY * wide + j] - f[Y * room + i]
                squares, total = dx * dx + dy * dy, p00[i] + d[NOISE * wide + j]
                unlike = mass_cost(f[MASS * room + i], d[LIGHT * wide + j], p[SPREAD])
                odds = against_loop(strange, total, squares / total, unlike)
                doubt[i] = odds / (odds + LEAVES) * (total + before + 0.5 * squares)
    return 0
