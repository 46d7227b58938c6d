"""Detections that hold two tracks: what `merger_loops.mergers_loop` means, in NumPy."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from kernels.host.logarithm import logs
from pipelines.features import Features
from pipelines.trackers.columns import Array, Columns
from pipelines.trackers.kalman import COVARIANCE, KALMAN_COLUMNS
from pipelines.trackers.linking.assignment import gate_pairs
from pipelines.trackers.linking.link_loops import LOST_GAP, MASS_CAP
from pipelines.trackers.linking.merger_fits import BLUR, GONE, HEAVIER, HEAVIEST, PI, SMALL, UNSEEN, WIDE
from pipelines.trackers.linking.merger_loops import MERGED_MASS, NEAREST
from pipelines.trackers.linking.merger_sigma import said
from pipelines.trackers.linking.merger_turns import bend
from pipelines.trackers.linking.shared_loops import LONGER, OFF, ROUGH, SHARES, STEEP, THIN, TURNS, USUAL
from pipelines.trackers.linking.stages import Rules
from pipelines.trackers.linking.uneven import UNEVEN_COLUMNS
from pipelines.trackers.linking.unseen import UNSEEN_COLUMNS, hold, length


def mergers(
    t: Columns, found: Features, noise: Array, choice: Array, inside: Array, rules: Rules
) -> tuple[Array, Array, Array, Array]:  # fmt: skip
    """Find detections that hold two believed tracks, of which at least one went without.

    Two tracks make a merger if the detection lies at their common centre of mass, if the sum of their masses
    explains its mass better than either does, and if both in it are likelier than one of them and the other out of
    sight (`_both`, `_less`). The nearer one (or the one that has it) gets it, in place in
    `choice`.

    Args:
        t: columns of the blob tracker.
        found: features, by rising y.
        noise: variance of each, px^2.
        choice: the feature of each track, or -1.
        inside: whether each track is expected in the picture: what is outside shares nothing.
        rules: what links go by.

    Where the two are within the detection, its shape tells (`_between`). In `choice` the other one then has `shared`
    of the detection.

    Returns:
        For each track the standard deviation in px that this adds to its place, or 0 if it is in no merger; the
        shift (2, n) from the detection to its place; of those in a merger what `_foretold` says; and of these the
        standard deviation (px) and the anisotropy (2, n) of their rows (`merger_sigma.py`).
    """
    n = len(t)
    blur, shift, told, stated = np.zeros(n), np.zeros((2, n)), np.zeros(n), np.zeros((2, n))
    believed = (t["hits"] >= rules.min_hits) & (t["mass"] > 0)
    lost = np.flatnonzero(believed & (choice < 0) & inside)
    if not len(lost):
        return blur, shift, told, stated
    radius = rules.speed * np.maximum(t["gap"][lost], 1.0)
    who, what = gate_pairs(t["x"][lost], t["y"][lost], radius, found["x"], found["y"])
    who = lost[who]
    heavy = found["mass"][what] > MERGED_MASS * t["mass"][who]
    if not heavy.any():
        return blur, shift, told, stated
    who, what = who[heavy], what[heavy]
    owner = np.full(len(found), -1)
    mine = np.flatnonzero((choice >= 0) & believed)
    owner[choice[mine]] = mine
    free = np.ones(len(found), bool)
    free[choice[choice >= 0]] = False
    for j in np.unique(what).tolist():
        members = [i for i in who[what == j].tolist() if blur[i] == 0]
        zx, zy = found["x"][j], found["y"][j]
        members.sort(key=lambda i: (length(t["x"][i] - zx, t["y"][i] - zy), i))
        if not free[j] and owner[j] < 0:
            continue
        pairs = itertools.combinations(members[:NEAREST], 2) if free[j] else ((int(owner[j]), i) for i in members)
        fits = [(_distance(t, found, noise, j, a, b, rules), a, b) for a, b in pairs]
        best = min(fits, default=(np.inf, 0, 0))
        if best[0] > rules.gate:
            continue
        _, a, b = best
        choice[a], choice[b] = j, shared(j)
        told[[a, b]] = _foretold(t, np.array((a, b)), rules)
        ex, ey, way, long, drawn, astray = _between(t, found, j, a, b, rules.drawn > 0)
        often = bend(t, found, noise, j, a, b, told, (drawn * ex, drawn * ey), astray)
        if not long:
            way = min(way, sum(min(float(t["p00"][i]), float(told[i])) for i in (a, b)))
        ma, mb = float(t["mass"][a]), float(t["mass"][b])
        wa, wb = ma / (ma + mb), mb / (ma + mb)
        blur[a] = max(math.sqrt(wb * wb * way + astray), 1e-9)
        blur[b] = max(math.sqrt(wa * wa * way + astray), 1e-9)
        shift[:, a] = (wb - drawn) * ex, (wb - drawn) * ey
        shift[:, b] = (wb - 1.0 - drawn) * ex, (wb - 1.0 - drawn) * ey
        stated[:, [a, b]] = said(t, found, noise, j, a, b, told, blur, (ex, ey, way, drawn, astray))
        stated[0, [a, b]] *= math.sqrt(often)
    return blur, shift, told, stated


def shared(j: Any) -> Any:
    """What the track without a detection of its own has as its choice while it shares detection j; its own inverse."""
    return -2 - j


def unsure(t: Columns, which: Array, told: Array, variance: Array) -> Array:
    """What the variances of the places of rows in mergers have beside the filter's, px^2, for what goes by them.

    What a merger's shape leaves open is the same in frame after frame, so that no mean makes it less, as the filter
    believes; and what it does not tell is taken from the path. Of what depends on one another in ways that nobody
    knows the mean is as sure as the surest, no more (covariance intersection: Julier, Uhlmann, ACC 1997).

    Args:
        t: columns, corrected.
        which: rows.
        told: variance of where their paths say that they are, px^2.
        variance: of where the merger says so, px^2.
    """
    made: Array = np.maximum(np.minimum(told, variance) - t["p00"][which], 0.0)
    return made


def _foretold(t: Columns, which: Array, rules: Rules) -> Array:
    """The variance of where the past of two rows says that each is (`hold`), px^2.

    The filter allows for any turn; the path of a thing that never turned is surer. Where the merger begins, the rows
    are put there then, in place, and the filter is as sure: what follows is corrected by the merger's shape.
    """
    columns = KALMAN_COLUMNS | UNSEEN_COLUMNS | UNEVEN_COLUMNS
    c = Columns(columns)
    c.append(len(which), **{name: t[name][which] for name in columns})
    hold(c, np.arange(len(which)), rules.acceleration, rules.speed)
    told, before = np.asarray(c["p00"] + c["bias"]), t["p00"][which]
    surer = (told < before) & (t["gap"][which].max() <= LOST_GAP)
    for name in ("x", "y"):
        t[name][which] = np.where(surer, c[name], t[name][which])
    less = np.where(surer, told / before, 1.0)
    for name in COVARIANCE[: 6 if "ax" in t else 3]:
        t[name][which] *= less
    return told


def _between(
    t: Columns, found: Features, j: int, a: int, b: int, centred: bool
) -> tuple[float, float, float, bool, float, float]:  # fmt: skip
    """The way (x, y; px) from track b to track a within detection j, its variance along it (px^2), and whether that is
    by the detection's shape: else it is that of the prediction, and no more than this; then what `_drawn` says where
    centres are not those of mass.

    Two round things of the shares s and 1 - s of the mass have together the second moments of one, and s (1 - s) times
    those of the way between them: a detection that is longer than what it holds shows how far and in which direction
    they are apart, but for which is which; that the prediction says. One that is not shows that they are near; the way
    is the predicted one then.
    """
    ex, ey = float(t["x"][a] - t["x"][b]), float(t["y"][a] - t["y"][b])
    away = math.sqrt(ex * ex + ey * ey)
    ma, mb = float(t["mass"][a]), float(t["mass"][b])
    wa, wb = ma / (ma + mb), mb / (ma + mb)
    both = wa * wb
    p, q = 0.5 * (float(found["xx"][j]) - float(found["yy"][j])), float(found["xy"][j])
    wide, oval = float(found["xx"][j]) + float(found["yy"][j]), math.sqrt(p * p + q * q)
    own = wa * float(t["oval"][a]) + wb * float(t["oval"][b])
    way, long, drawn, astray = SMALL, False, 0.0, 0.0
    if t["oval"][a] > 0 and t["oval"][b] > 0 and wide > 0 and wide - wide == 0 and oval - oval == 0:
        if oval > LONGER * own:
            squares = 2.0 * oval / both
            most = math.sqrt(squares)
            ux, uy = math.sqrt(max(0.5 + 0.5 * (p / oval), 0.0)), math.sqrt(max(0.5 - 0.5 * (p / oval), 0.0))
            uy = -uy if q < 0 else uy
            most = -most if ex * ux + ey * uy < 0 else most
            ex, ey = most * ux, most * uy
            vague, rough = own / both, ROUGH * squares
            way, long = vague * vague / squares + rough * rough, True
        else:
            squares = 2.0 * (oval + own) / both
            most = math.sqrt(squares)
            scale = most / away if away > most else 1.0
            ex, ey, way = scale * ex, scale * ey, 0.5 * squares
        if centred:
            usual_a, usual_b = float(t["flicker"][a]), float(t["flicker"][b])
            wrong = math.sqrt(
                SHARES * SHARES + 4.0 * USUAL * (both * both) * (usual_a * usual_a + usual_b * usual_b)
            )
            drawn, astray = _drawn(wa - wb, wrong, ex * ex + ey * ey, 0.5 * wide - oval)
    return ex, ey, way, long, drawn, astray


def _drawn(uneven: float, wrong: float, squares: float, across: float) -> tuple[float, float]:
    """By how much of the way between them the centre of two things is nearer to the first one than their mass is, and
    what variance that leaves along it, px^2.

    A centre is the fixed point of a mean under weights that fall off with the distance (`components`, refine_sigma):
    of two things of the shares w and 1 - w, the way d apart, each of the variance s^2, under weights of the variance v
    it lies u d / 2 from the middle where atanh u - q u = atanh(2 w - 1), q = d^2 / (4 (s^2 + v)): the mass is there for
    q = 0, and the farther they are apart the more the heavier one has it. Weights are best as wide as things are.

    Where q is near 1 or above it, the centre goes over to the other one for next to no mass: what other shares, as
    likely as not, would make of it is what it may be off by.

    Args:
        uneven: 2 w - 1.
        wrong: its standard deviation.
        squares: d^2, px^2.
        across: s^2, px^2.
    """
    odds = squares / (8.0 * max(across, THIN))
    side = _pulled(uneven, odds)
    spread = 0.25 * (_pulled(min(uneven + wrong, 1.0), odds) - _pulled(max(uneven - wrong, -1.0), odds))
    drawn = 0.5 * (side - uneven)
    return drawn, squares * ((OFF * drawn) * (OFF * drawn) + spread * spread)


def _pulled(uneven: float, odds: float) -> float:
    """u of `_drawn`, where q is `odds`."""
    side = uneven
    for _ in range(TURNS):
        x = odds * side
        pull = max(min(x * (15.0 + x * x) / (15.0 + 6.0 * x * x), 1.0), -1.0)  # nearly tanh x
        fixed = (uneven + pull) / (1.0 + uneven * pull)
        side = side + (fixed - side) / max(1.0 - odds * (1.0 - fixed * fixed), STEEP)
        side = max(min(side, 1.0), -1.0)
    return side


def _distance(t: Columns, found: Features, noise: Array, j: int, a: int, b: int, rules: Rules) -> float:
    """Squared distance in standard deviations of detection j from the centre of mass of tracks a and b; infinite where
    it does not hold both."""
    ma, mb, mass = float(t["mass"][a]), float(t["mass"][b]), float(found["mass"][j])
    wa, wb = ma / (ma + mb), mb / (ma + mb)
    dx = found["x"][j] - wa * t["x"][a] - wb * t["x"][b]
    dy = found["y"][j] - wa * t["y"][a] - wb * t["y"][b]
    # A threshold does not cut a merger quite at its centre of mass.
    wide, high = t["x"][a] - t["x"][b], t["y"][a] - t["y"][b]
    blur = BLUR * (wide * wide + high * high)
    distance = float((dx * dx + dy * dy) / (wa * wa * t["p00"][a] + wb * wb * t["p00"][b] + noise[j] + blur))
    if distance > rules.gate:
        return np.inf
    # The usual change of a mass is no second thing.
    usual_a, usual_b = HEAVIER * float(t["flicker"][a]), HEAVIER * float(t["flicker"][b])
    if mass - ma <= min(usual_a, HEAVIEST) * mass or mass - mb <= min(usual_b, HEAVIEST) * mass:
        return np.inf
    like_both, like_a, like_b = (float(logs(mass / other)) for other in (ma + mb, ma, mb))
    if abs(like_both) > min(abs(like_a), abs(like_b)):
        return np.inf
    both, density = _both(t, found, noise, j, a, b, rules, like_both)
    if _less(t, found, noise, j, a, b, rules, like_a, both, density):
        return np.inf
    return np.inf if _less(t, found, noise, j, b, a, rules, like_b, both, density) else distance


def _fit(ratio: float, spread: float) -> float:
    """`stages.mass_cost` of the logarithm of a ratio."""
    return min((ratio / spread) * (ratio / spread), MASS_CAP)


def _both(
    t: Columns, found: Features, noise: Array, j: int, a: int, b: int, rules: Rules, like: float
) -> tuple[float, float]:  # fmt: skip
    """-2 ln of the likelihood that detection j is tracks a and b, but for a constant: a sum, and what has 2 ln of it
    added (px^2).

    They are so near one another as its area is wide (a soft disc, over which the density of the way between them is
    summed: one of which nobody knows where it is could be anywhere, and hardly just here), and it lies where both
    say and weighs what both do.
    """
    xa, xb, ya, yb = (float(t[name][i]) for name in ("x", "y") for i in (a, b))
    pa, pb, area = float(t["p00"][a]), float(t["p00"][b]), float(found["area"][j])
    inside = max(area / PI, 1.0) if 0 < area < WIDE else SMALL
    across, high = xa - xb, ya - yb
    ma, mb = float(t["mass"][a]), float(t["mass"][b])
    wa, wb = ma / (ma + mb), mb / (ma + mb)
    squares, apart = across * across + high * high, pa + pb + inside
    nearer = wa * pa - wb * pb  # the covariance of their common centre and of the way between them
    slope = nearer / apart
    ex = float(found["x"][j]) - (wa * xa + wb * xb - slope * across)
    ey = float(found["y"][j]) - (wa * ya + wb * yb - slope * high)
    total = wa * wa * pa + wb * wb * pb - slope * nearer + float(noise[j]) + BLUR * min(squares, 4.0 * inside)
    both = squares / apart + min((ex * ex + ey * ey) / total, rules.gate) + _fit(like, rules.spread)
    return both, total * apart / inside


def _less(
    t: Columns, found: Features, noise: Array, j: int, i: int, other: int, rules: Rules, like: float, both: float,
    density: float,
) -> bool:  # fmt: skip
    """Whether that is no more likely than detection j being track i, and the other one of the two out of sight."""
    ex, ey = float(found["x"][j] - t["x"][i]), float(found["y"][j] - t["y"][i])
    total = float(t["p00"][i] + noise[j])
    unseen = UNSEEN if t["missed"][other] == 0 else GONE
    alone = min((ex * ex + ey * ey) / total, rules.gate) + _fit(like, rules.spread) + unseen
    return both + 2.0 * float(logs(density / total)) >= alone
