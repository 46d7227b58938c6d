"""How sure a row in a merger is of its place: along the way between the two things, and across it.

Links and the filter take a merger's place for as sure on either axis as it is along the way (`mergers`): careful, as
the next frame's errors are this one's. What a row says of itself when it leaves is told here, and nothing goes by it.

Of things that are round but for o_a and o_b (half the difference of their second moments, mean length; directions
know nothing of each other, so that 2 / pi of the square is the variance along any) the shares w_a and w_b make a
merger whose shape errs by e, var e = 2 / pi (w_a^2 o_a^2 + w_b^2 o_b^2): the way d by e / (w_a w_b d) along, and
across, as that turns it. Thresholds cut it along (ROUGH), and wrong shares move the centre along (`mergers._drawn`).
The place of one has the share of the other one of the former, and all of the latter.

The two are not all there is, or not what they were, where the merger does not weigh what they do, but the share m of
its mass more than both:

- what their usual change does not explain of m^2 is variance of the shares, of one or of the other;
- a third one of that share is there the more likely the more usual changes m is (as in `unseen.hidden`). Were the shape
  of the merger, o, all that one's doing, the centre would be off by 2 o m / (1 - m), squared, and the way for nothing,
  which is 2 o w / (1 - w) with w of the other. It is as likely as not. Where either has half the shape it lies up to 45
  degrees from the way, so that 1/2 - 1/pi of that is across.

What the shape says may not be true of the two at all. Of the way e that is foretold, with the variance P on either
axis, and the way d that the merger says, with R along it, the difference is Student's with four degrees of freedom, as
P is from a few sightings: its density is in proportion to 1 / (1 + |e - d|^2 / (4 (P + R)))^3. It is the same about -d,
where a long merger's ends are mixed up, and the way is off by 2 d: from then on, as
long as they are one, since no later shape tells which is which. And it is 2 (P + R) / d^2, anywhere alike on a disc
of the radius d, where the shape is another one's doing, as in one of 30 (`MISREAD`): then the way is off by e - d, give
or take P. Each counts by its share of the sum.

The filter weighs such a place by its gain k, and what it foretold by the rest. Where the way is the foretold one, both
have the same error.
"""

from __future__ import annotations

import math

import numpy as np

from pipelines.features import Features
from pipelines.trackers.columns import Array, Columns
from pipelines.trackers.linking.shared_loops import ASIDE, LONGER, MISREAD, MOST, OFF, ROUGH, ROUND, SHARES, USUAL
from pipelines.trackers.linking.unseen import FLICKERS, HIDING


def said(
    t: Columns, found: Features, noise: Array, j: int, a: int, b: int, told: Array, blur: Array,
    between: tuple[float, float, float, float, float],
) -> Array:  # fmt: skip
    """Standard deviation (px) and anisotropy of what the filter makes of the merger j: columns, of a and of b; books in
    `mixed`.

    Args:
        t, found, noise, j, a, b: as for `mergers._distance`; the tracks are foretold, and not corrected yet.
        told, blur: of all tracks, as `mergers` returns them.
        between: what `mergers._between` says.
    """
    ex, ey, way, drawn, astray = between
    ma, mb, mass, sure = float(t["mass"][a]), float(t["mass"][b]), float(found["mass"][j]), float(noise[j])
    wa, wb = ma / (ma + mb), mb / (ma + mb)
    p, q = 0.5 * (float(found["xx"][j]) - float(found["yy"][j])), float(found["xy"][j])
    wide, oval = float(found["xx"][j]) + float(found["yy"][j]), math.sqrt(p * p + q * q)
    of_a, of_b, squares = float(t["oval"][a]), float(t["oval"][b]), ex * ex + ey * ey
    pa, pb = min(float(t["p00"][a]), float(told[a])), min(float(t["p00"][b]), float(told[b]))
    along, across, common, third_a, third_b, long = way, way, way / (pa + pb), 0.0, 0.0, False
    if of_a > 0 and of_b > 0 and wide > 0 and wide - wide == 0 and oval - oval == 0:
        own, both = wa * of_a + wb * of_b, wa * wb
        if oval > LONGER * own:
            ga, gb, rough = wa * of_a, wb * of_b, ROUGH * squares
            across = ROUND * (ga * ga + gb * gb) / (both * both * squares)
            along, common, long = across + rough * rough, 0.0, True
        usual_a, usual_b = float(t["flicker"][a]), float(t["flicker"][b])
        wrong = SHARES * SHARES + 4.0 * USUAL * (both * both) * (usual_a * usual_a + usual_b * usual_b)
        over, usual_a, usual_b = 1.0 - (ma + mb) / mass, wa * usual_a, wb * usual_b
        odd, usual = over * over, usual_a * usual_a + usual_b * usual_b
        off = squares * ((OFF * drawn) * (OFF * drawn))
        astray = off + min((astray - off) * (1.0 + max(odd - usual, 0.0) / wrong), MOST * squares)
        likely = (odd - FLICKERS * FLICKERS * usual) / ((HIDING * HIDING - FLICKERS * FLICKERS) * usual)
        third = (min(max(likely, 0.0), 1.0) if over > 0 else 0.0) * (oval + own)
        more = mass / (ma + mb) - 1.0
        third_a, third_b = third * (more + wb / wa), third * (more + wa / wb)
    mixed = max(float(t["mixed"][a]), float(t["mixed"][b]))
    odd_x, odd_y, mixed = _misread(
        float(t["x"][a] - t["x"][b]), float(t["y"][a] - t["y"][b]), ex, ey, pa + pb, way, long, mixed
    )
    t["mixed"][[a, b]] = mixed
    either, apart = 0.5 * (odd_x + odd_y), 0.5 * (odd_x - odd_y)
    cx = ex * ex / squares if squares > 0 else 0.5
    made = np.empty((2, 2))
    for n, (i, w, prior, third) in enumerate(((a, wb, pa, third_a), (b, wa, pb, third_b))):
        before, variance = float(t["p00"][i]), sure + float(blur[i]) * float(blur[i])
        gain = before / (before + variance)
        rest = 1.0 - gain
        path = min(rest * (gain * variance), rest * rest * float(told[i])) + 2.0 * rest * gain * (w * common * prior)
        aside = sure + ASIDE * third
        far, side = w * w * along + astray + (1.0 - 2.0 * ASIDE) * third, w * w * across
        total = path + gain * gain * (aside + (0.5 * (far + side) + w * w * either))
        made[:, n] = math.sqrt(total), gain * gain * (0.5 * (far - side) * (2.0 * cx - 1.0) + w * w * apart) / total
    return made


def _misread(
    said_x: float, said_y: float, ex: float, ey: float, prior: float, way: float, long: bool, mixed: float
) -> tuple[float, float, float]:  # fmt: skip
    """Mean squares (x, y; px^2) of what the way (ex, ey) from one to the other is off by where a shape misleads, and
    the chance that its ends are mixed up.

    Args:
        said_x, said_y: the way that is foretold, px.
        ex, ey: the one that the merger says, px.
        prior, way: variances of these, px^2.
        long: whether the merger's shape says how far apart they are.
        mixed: the chance of before.
    """
    scale, ux, uy = prior + way, said_x - ex, said_y - ey
    straight = 1.0 + (ux * ux + uy * uy) / (4.0 * scale)
    mixed_x, mixed_y, squares = said_x + ex, said_y + ey, ex * ex + ey * ey
    turned = 1.0 + (mixed_x * mixed_x + mixed_y * mixed_y) / (4.0 * scale)
    straight, turned = 1.0 / (straight * straight * straight), 1.0 / (turned * turned * turned) if long else 0.0
    other = MISREAD * 2.0 * scale / (squares if squares > 1.0 else 1.0)
    either = straight + turned
    mixed, other = mixed + (1.0 - 2.0 * mixed) * turned / either, other / (either + other)
    turned = 4.0 * mixed * (1.0 - other)
    return turned * (ex * ex) + other * (ux * ux + prior), turned * (ey * ey) + other * (uy * uy + prior), mixed
