"""Where a thing is while nobody sees it: as far as its own past says, and no farther.

A constant velocity is a good guess for the next frame and a bad one for the next ten: the velocity of a thing that
stands still is noise, and its integral runs away. What was not seen is therefore judged by the last places where it
was, on the scale of the gap itself. Over a gap of g frames, with va the mean velocity over about the last g frames it
was seen in and vb the one over as many before,

    w = va . vb / max(|va|^2, |vb|^2),  kept within 0..1

says how well the past would have foretold what came after it: 1 for a steady flight, about 0 for a random walk, for
something that just began to move and for one that turns back. It is the velocity's correlation over that time, that
of a mean-reverting velocity (Uhlenbeck, Ornstein: Phys. Rev. 36, 823, 1930). The thing is expected at

    last place + w va min(g, time that va and vb span)

so that what does not move steadily is held, and nothing goes on for longer than it was seen to. The uncertainty grows
with what w leaves unexplained, like a random walk beyond the scale on which it was seen.

What the gate must allow for is more than what is true on the average. Sigma of the rows is what the guess is off by,
from the thing's own sightings alone (`_said`): the noise of the places that it goes by; what bends a path, which past
legs of the same length tell from one to the next; what would be left of the way if it simply went on; and the turns
that it has surprised the filter with before. Where the last sighting may have been of something else (`newcomers.py`),
`doubt` adds what that makes of it; what it says that nothing was seen there, `border.py` tells.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pipelines.features import Features
from pipelines.trackers.columns import Columns
from pipelines.trackers.kalman import restless
from pipelines.trackers.linking.uneven import anisotropy

Array = npt.NDArray[Any]

LEGS = (2, 4, 8)
"""Numbers of sightings over which one of the two velocities is taken; a few, so that the place does not flicker."""
PLACES = 2 * LEGS[-1] + 1
UNSEEN_COLUMNS: dict[str, npt.DTypeLike] = {
    "age": "f8",  # frames since birth
    "px": "f8",  # where last seen, px
    "py": "f8",
    "gap": "f8",  # frames since then
    "pvar": "f8",  # variance of that place, px^2
    "bias": "f8",  # what sigma of a row has beside the filter's p00, px^2: what the next sighting shares where part of
    # the thing is hidden; out of sight the difference between what is likely and what the gate must allow for
    "doubt": "f8",  # px^2: what sigma has more, out of sight, as the last sighting may have been of something else
    "jumps": "f8",  # square of what sightings surprised the filter by, px^2, mean of all of them
    "places": "i4",  # sightings written so far
    "held": "?",  # True while the place follows from the past and not from the filter
    "hx": np.dtype(("f8", (PLACES,))),  # the last sightings, the n-th in entry n % PLACES
    "hy": np.dtype(("f8", (PLACES,))),
    "ht": np.dtype(("f8", (PLACES,))),  # age at each
}

MASS_COLUMNS: dict[str, npt.DTypeLike] = {
    "whole": "f8",  # mass of the thing where nothing hides it, 0 when unknown
    "flicker": "f8",  # usual relative change of the mass
    "oval": "f8",  # half the difference of its second moments along and across, px^2, running mean; 0 when unknown
    "stretch": "f8",  # means of (xx - yy) / 2 and of xy, px^2 (`unresolved.py`)
    "lean": "f8",
    "smear": "f8",  # what an open shutter would have added to either, and of how many sightings these are the means
    "slant": "f8",
    "shapes": "f8",
    "mixed": "f8",  # the chance that it is the other one of the two in its merger (`merger_sigma.py`)
}
JUMPS = 0.005  # least share of a new sighting in the mean of the surprises
HASTE = 2.0  # how many of its own largest steps a thing may take for one while nobody sees it
FLICKERS, HIDING = 3.0, 5.0  # up to so many times its usual change a mass changes by chance, from so many on part of it
# is hidden: were one in 100 and the changes normal, either would be as likely at 4 to 4.5 times
LOSES = 0.5  # of its usual changes what it must have lost whose shape tells that something hides it
REST = 0.01  # of a thing, at least, is what is left of it
CUT = 3.0  # widths from the picture's edge within which the edge cuts a thing
SHAPES = 0.1  # share of a new shape in the running mean


def remember(t: Columns, which: Array) -> None:
    """Book the places of rows that are seen (px, py, pvar, the list of sightings); they are no longer held."""
    slot = t["places"][which] % PLACES
    t["px"][which], t["py"][which] = t["x"][which], t["y"][which]
    t["hx"][which, slot], t["hy"][which, slot], t["ht"][which, slot] = t["x"][which], t["y"][which], t["age"][which]
    t["pvar"][which] = t["p00"][which] + t["bias"][which]
    t["pdif"][which] = t["pvar"][which] * anisotropy(t, which)
    t["places"][which] += 1
    t["gap"][which] = 0.0
    t["held"][which] = False


def forget(t: Columns, which: Array) -> None:
    """Leave of the sightings the last alone: what came before says nothing any more."""
    t["hx"][which, 0], t["hy"][which, 0] = t["px"][which], t["py"][which]
    t["ht"][which, 0] = t["age"][which] - t["gap"][which]
    t["places"][which] = 1


def hold(t: Columns, which: Array, acceleration: float, max_speed: float) -> None:
    """Put unseen rows where their past says, in place: x, y, vx, vy and the covariance.

    Args:
        t: columns of KALMAN_COLUMNS and UNSEEN_COLUMNS.
        which: rows (indices, each once), whose gap is above 0.
        acceleration: by how much, in px/frame, one frame's motion may differ from the last one's.
        max_speed: px/frame; what is known of a thing that was seen once.
    """
    if not len(which):
        return
    q = acceleration * acceleration
    gap, count, pvar = t["gap"][which], np.minimum(t["places"][which], PLACES), t["pvar"][which]
    # As long a leg as the gap, or as long as there are sightings for two of them: arrays (leg, row).
    legs = np.array(LEGS)[:, None]
    steps = np.where(count >= 3, np.minimum(legs, (count - 1) // 2), np.minimum(count - 1, 1))
    va, vb = _between(t, which, 0, steps), _between(t, which, steps, np.where(count >= 3, 2, 1) * steps)
    w, top, drift = _judged(va, vb, pvar)
    longest = np.minimum((gap > legs[:-1]).sum(axis=0), len(LEGS) - 1)
    w = np.where(np.arange(len(LEGS))[:, None] <= longest, w, 1.0).min(axis=0)
    every = longest, np.arange(len(which))
    ax, ay, at, bt, top, drift = va[0][every], va[1][every], va[2][every], vb[2][every], top[every], drift[every]
    bx, by = vb[0][every], vb[1][every]
    pace = 0.25 * ((ax * ax + ay * ay) + (bx * bx + by * by)), 0.25 * ((ax * ax - ay * ay) + (bx * bx - by * by))
    top = np.where(count > 1, top, 0.5 * max_speed * max_speed)
    time = np.maximum(at, 1.0)
    known = np.minimum(gap, at + bt)
    along = w * known
    t["x"][which], t["y"][which] = t["px"][which] + ax * along, t["py"][which] + ay * along
    t["vx"][which], t["vy"][which] = w * ax, w * ay
    speed = 0.5 * top * (1.0 - w * w) + q  # variance of the velocity, per axis
    # Whether a steady motion goes on for longer than it was seen to is open.
    beyond = 0.5 * top * w * w * np.minimum(gap - known, known) ** 2
    more = 0.5 * top * (1.0 - w * w) * np.minimum(gap, time) * gap + q * gap + drift * along**2 + beyond
    t["p00"][which] = pvar + more
    said, uneven = _said(t, which, steps[every], w, known, time, pace, (ax, ay), drift)
    p00 = t["p00"][which]
    t["bias"][which] = np.where(count >= 3, said - p00, t["doubt"][which])
    t["d00"][which] = np.where(count >= 3, p00 * (uneven / np.where(said > 0, said, 1.0)), t["pdif"][which])
    t["p11"][which] = speed + drift
    t["p01"][which] = 0.5 * np.sqrt(more * t["p11"][which])
    t["held"][which] = True
    restless(t, which, q)


def _said(
    t: Columns, which: Array, steps: Array, w: Array, known: Array, time: Array, pace: tuple[Array, Array],
    speed: tuple[Array, Array], drift: Array,
) -> tuple[Array, Array]:  # fmt: skip
    """Variance (px^2) of the places that `hold` guesses: the mean of those of x and of y, and half their difference.

    With R the variance of a place, legs of T frames, a gap of g frames, over k = min(g, 2 T) of which it is carried on
    by w times its velocity, it is

        doubt                                   whether the last sighting was its own
        + R ((1 + w k / T)^2 + (w k / T)^2)     of the two sightings that the velocity is from
        + bend (k (k + T) / (2 T))^2            how a velocity that changes by `bend` (variance) from leg to leg bends
                                                the path
        + |v|^2 / 2 (g - w k)^2                 had it gone on
        + (1 - m (1 - w^2)) jumps g^3 / 6       a steady flight turns now and then, and what rests starts: a random walk
                                                of the velocity

    of which the first and the last know no direction. What bends the path on one axis more than on the other, half the
    difference d of the mean squares of n changes, has the variance bend^2 / n by chance where there is none: so
    d - bend^2 / (n d) of it counts, nothing if that has another sign (James, Stein: Proc. 4th Berkeley Symp. Math.
    Statist. Prob. 1, 361, 1961). One change alone tells no axis from the other.

    Args:
        t, which: as for `hold`.
        steps: sightings of a leg.
        w, known: the share of the velocity that is carried on, and for how many frames.
        time: frames of a leg.
        pace: squared velocity, the mean of both axes and half their difference.
        speed, drift: velocity of the last leg, and the variance per axis that noise makes of it; m is the share of its
            square that noise does not explain.
    """
    gap, pvar, last = t["gap"][which], t["pvar"][which], np.minimum(t["places"][which], PLACES) - 1
    bends, uneven, several = np.zeros((3, len(which)))
    vx, vy, _ = _between(t, which, 0, steps)
    for k in range(1, PLACES // LEGS[0]):
        there = (k + 1) * steps <= last
        ux, uy, _ = _between(t, which, np.where(there, k * steps, 0), np.where(there, (k + 1) * steps, 0))
        ex, ey = (vx - ux) ** 2, (vy - uy) ** 2
        bends += np.where(there, ex + ey, 0.0)
        uneven += np.where(there, ex - ey, 0.0)
        several += there
        vx, vy = ux, uy
    noise = 6.0 * pvar / (time * time)  # a change from leg to leg has three places, the middle one twice
    several = np.maximum(several, 1.0)
    change, uneven = 0.5 * bends / several, 0.5 * uneven / several
    chance = change * change / several
    uneven = np.where(uneven * uneven > chance, uneven - chance / np.where(uneven != 0, uneven, 1.0), 0.0)
    bend = change - noise
    bend = np.where(bend > 0, bend, 0.0)
    uneven = np.minimum(np.maximum(uneven, -bend), bend)
    along = w * known
    share, span, rest = along / time, known * (known + time) / (2.0 * time), gap - along
    often = (1.0 + share) * (1.0 + share) + share * share
    own = speed[0] * speed[0] + speed[1] * speed[1]
    moves = 1.0 - 2.0 * drift / np.where(own > 0, own, 1.0)
    moves = np.where((own > 0) & (moves > 0), moves, 0.0)
    steady = 1.0 - moves * (1.0 - w * w)
    made = (
        t["doubt"][which]
        + pvar * often
        + bend * (span * span)
        + pace[0] * (rest * rest)
        + t["jumps"][which] * steady * (gap * gap * gap) / 6.0
    )
    return made, t["pdif"][which] * often + uneven * (span * span) + pace[1] * (rest * rest)


def top_speed(t: Columns, which: Array, otherwise: float) -> Array:
    """The fastest that each row was seen to move from one sighting to the next, px/frame: the third fastest of 16
    steps, so that one wrong link does not allow the next; `otherwise` where it was seen fewer than three times."""
    age = t["places"][which, None] - 1 - np.arange(PLACES)[None]  # number of the sighting, latest first
    slot = age % PLACES
    x, y, time = (np.take_along_axis(t[name][which], slot, 1) for name in ("hx", "hy", "ht"))
    steps = -np.diff(time, axis=1)
    there = (age[:, 1:] >= 0) & (steps > 0)
    speed = length(np.diff(x, axis=1), np.diff(y, axis=1)) / np.where(there, steps, 1.0)
    speeds = np.sort(np.where(there, speed, 0.0), axis=1)[:, ::-1]
    rank = np.minimum(there.sum(axis=1) // 6, 2)
    fastest = np.take_along_axis(speeds, rank[:, None], 1)[:, 0]
    return np.where(t["places"][which] >= 3, fastest, otherwise)


def reach(t: Columns, which: Array, change: float, max_speed: float) -> Array:
    """How far from where it was last seen each row may be by now, px.

    That is its steady motion, and around it what its own steps add up to when they know nothing of each other; never
    faster than `max_speed` (px/frame). `change` is by how much more than its largest a step may be.
    """
    gap = np.maximum(t["gap"][which], 1.0)
    step = HASTE * top_speed(t, which, max_speed) + change
    steady = np.where(gap > 1.5, length(t["vx"][which], t["vy"][which]), 0.0)
    return np.minimum(steady * gap + step * np.sqrt(gap), max_speed * gap)


def hidden(
    t: Columns, seen: Array, found: Features, alone: Array, own: Array, edge: Array, bent: Array
) -> Array:  # fmt: skip
    """Variance (px^2) of the places of what was seen because part of it may be hidden; books masses and shapes for it.

    What hides the share s of a thing moves the centre of the rest by up to about s times its half width. The rest is
    narrower than the whole: by 1 / (1 - s) its squared width makes that one's, so that behind a straight edge a disc's
    centre has 0.9 to 1.4 times the variance that it needs (s of 0.5 to 0.9). How much of a change is only flicker, its
    own past tells. Where the picture's edge cuts a thing its mass tells nothing of the whole, and what it lacks is in
    its feature's own sigma.

    What comes before a thing slowly flattens it, too: then a loss is none of the usual ones however small it is, and
    tells with the shape how far the rest's centre is from that of the whole. Of a bell that a straight edge cuts, the
    mean square of that is sqrt(lost / left) times the change of half the difference of its second moments along and
    across, within a third for half to all of it, and less where less is lost.

    Args:
        t: columns of UNSEEN_COLUMNS and MASS_COLUMNS, and `hits`.
        seen: rows (indices, each once).
        found: the feature of each of them.
        alone: False where the feature holds two of them, so that its mass says nothing.
        own: False where it has no shape (`unresolved.Shapes.look`).
        edge: how far each is from the edge, px, if its feature knows it, or else infinite.
        bent: how much more its shape has changed than noise does, px^2 (`unresolved.bent`), or 0.
    """
    whole, mass, flicker = t["whole"][seen], found["mass"], t["flicker"][seen]
    known = (whole > 0) & (mass > 0) & alone
    low, high = np.minimum(whole, mass), np.maximum(whole, mass)
    share = np.where(known, 1.0 - low / np.where(known, high, 1.0), 0.0)
    flat = known & own & (bent > 0) & (mass < whole) & (share > LOSES * flicker)
    odd = flat | (share > FLICKERS * flicker)
    width2 = 0.5 * (found["xx"] + found["yy"])
    width2 = np.where((width2 > 0) & np.isfinite(width2), width2, 0.0)
    cut = ~((edge > 0) & (edge * edge > CUT * CUT * width2))
    # A thing that stays odd has changed; but not before something that passes would have passed.
    learn = np.where(cut, 0.0, np.where(odd, 0.02, np.maximum(0.2, 1.0 / (1.0 + t["hits"][seen]))))
    first = (whole <= 0) & (mass > 0) & alone & ~cut
    t["whole"][seen] = np.where(known, whole + learn * (mass - whole), np.where(first, mass, whole))
    calm = np.where(odd, 0.25, 1.0) * learn
    t["flicker"][seen] = np.where(known, np.maximum(flicker + calm * (share - flicker), 0.02), flicker)
    with np.errstate(invalid="ignore", over="ignore"):
        oval, now = t["oval"][seen], length(0.5 * (found["xx"] - found["yy"]), found["xy"])
    usual = alone & own & ~odd & (width2 > 0) & np.isfinite(now)
    t["oval"][seen] = np.where(usual, oval + np.where(oval > 0, SHAPES, 1.0) * (np.where(usual, now, 0.0) - oval), oval)
    square, usual2 = share * share, flicker * flicker
    likely = (square - FLICKERS * FLICKERS * usual2) / ((HIDING * HIDING - FLICKERS * FLICKERS) * usual2)
    likely = np.where(likely < 1.0, np.where(likely > 0.0, likely, 0.0), 1.0)
    less = known & (mass < whole)
    wider = np.where(less, whole / np.where(less, np.maximum(mass, REST * whole), 1.0), 1.0)
    shift = np.where(flat, bent, 0.0) * np.sqrt(wider - 1.0)
    made: Array = np.where(cut & (mass < whole), 0.0, np.maximum(likely * square * (width2 * wider), shift))
    return made


def length(x: Array, y: Array) -> Array:
    """Of vectors; unlike `np.hypot` it has the same bits everywhere."""
    return np.asarray(np.sqrt(x * x + y * y))


def _judged(va: tuple[Array, Array, Array], vb: tuple[Array, Array, Array], pvar: Array) -> tuple[Array, Array, Array]:
    """w; the larger squared speed; the variance of va, per axis, that places of the variance `pvar` make."""
    own, before = va[0] ** 2 + va[1] ** 2, vb[0] ** 2 + vb[1] ** 2
    top = np.maximum(own, before)
    w = _share((va[0] * vb[0] + va[1] * vb[1]) / np.where(top > 0, top, 1.0))
    drift = 2.0 * pvar / np.maximum(va[2], 1.0) ** 2
    # What noise explains is no motion.
    return w * _share(1.0 - 2.0 * drift / np.where(own > 0, own, 1.0)), top, drift


def _share(values: Array) -> Array:
    """Kept within 0..1; a zero has no sign."""
    return np.minimum(np.where(values > 0, values, 0.0), 1.0)


def _between(t: Columns, which: Array, late: Array | int, early: Array) -> tuple[Array, Array, Array]:
    """Mean velocity (x, y; px/frame) from the sighting `early` places back to the one `late` back, and the frames
    between; 0 where they are the same."""
    last = t["places"][which] - 1
    new, old = (last - late) % PLACES, (last - early) % PLACES
    time = t["ht"][which, new] - t["ht"][which, old]
    span = np.where(time > 0, time, 1.0)
    vx = (t["hx"][which, new] - t["hx"][which, old]) / span
    vy = (t["hy"][which, new] - t["hy"][which, old]) / span
    return vx, vy, time
