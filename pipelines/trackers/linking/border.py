"""What it says of a guess that nothing was seen there: near the picture's border, and beyond it.

`unseen.hold` says where a thing is by its own past alone. What is in the picture is seen, but for a few; so a guess
inside that nobody sees may lie outside, and one outside is not back. Of places across a border that scatter by s^2
about the guess, a distance a inside of where things are seen, the share Q lies outside; of those inside the share h
(`LEAVES`) is not seen all the same. About the guess, what is not seen scatters by

    s^2 (M(a) + h (1 - M(a))) / (Q(a) + h (1 - Q(a)))

with M the part of s^2 that is from outside. As s is itself an estimate from a few sightings the distribution is
Student's with four degrees of freedom, of which both are polynomials of u = a / sqrt(2 s^2 + a^2):

    Q = (1 - u)^2 (2 + u) / 4,    M = (1 - u^3) / 2

Beyond another border nothing would be seen either, so that there h is the share of those in h and there.

Outside, a thing goes straight on or has turned round, nobody knows where. Let any place be as likely for that, as far
out as it is waited for, L. After a way of d px outside it has not turned in (L - d) / L of the cases. If it has, it is
at any place from d px outside to d px inside, as likely as at any other; but of those that are back only the share h is
not seen. What is farther out than r = 3 of its widths is none of the picture's things any more: nothing is left of it
that a picture could be right or wrong about, and its track is kept for those that come back. So with F the chance that
the way straight on ends before r, and n = min(d, r),

    turned, outside : turned, back : straight on = n / 2 : h d / 2 : (L - d) F

and what has turned is off by (d - n / 2)^2 + n^2 / 12 and 7 d^2 / 3, the means over these places.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.loops import F64, loop, sqrt
from pipelines.trackers.columns import Columns
from pipelines.trackers.linking.columns import BIAS, D00, P00, X, Y
from pipelines.trackers.linking.link_loops import BOTTOM, LEAVE, OUTSIDE, RIGHT
from pipelines.trackers.linking.newcomers import LEAVES
from pipelines.trackers.linking.uneven import anisotropy
from pipelines.trackers.linking.unseen import CUT
from pipelines.trackers.linking.unseen_loops import share_loop

Array = npt.NDArray[Any]


def extent(breadth: float, leave: float) -> float:
    """How far beyond where things are seen they are still the picture's, px; `breadth` is the mean of their squared
    widths, px^2, 0 if unknown: then it is as far as they are waited for."""
    return max(CUT * float(np.sqrt(breadth)) - OUTSIDE, 0.0) if breadth > 0.0 else leave


def beyond(t: Columns, which: Array, right: float, bottom: float, leave: float, reach: float, missed: float) -> None:
    """Say how sure guesses are, given that nothing was seen there, in place.

    Args:
        t, which: as for `unseen.hold`, which came before.
        right, bottom: of the last pixel's centre, px.
        leave: how far outside a thing is waited for, px.
        reach: what `extent` says, px.
        missed: the chance that one inside is not seen; 1 where nobody looked.
    """
    share, p00 = anisotropy(t, which), t["p00"][which]
    before = p00 + t["bias"][which]
    x, y = t["x"][which], t["y"][which]
    dx, dy = np.maximum(-x, x - right) - OUTSIDE, np.maximum(-y, y - bottom) - OUTSIDE
    vx, vy = before * (1.0 + share), before * (1.0 - share)
    ux, uy = _inside(dx, vx), _inside(dy, vy)
    qx, qy = _outside(ux), _outside(uy)
    vx = _said(dx, vx, ux, qx, missed + (1.0 - missed) * qy, leave, reach)
    vy = _said(dy, vy, uy, qy, missed + (1.0 - missed) * qx, leave, reach)
    both = 0.5 * (vx + vy)
    t["bias"][which] = both - p00
    t["d00"][which] = p00 * (0.5 * (vx - vy) / np.where(both > 0, both, 1.0))


def _inside(out: Array, variance: Array) -> Array:
    """u of places so far outside (px; negative inside)."""
    square = 2.0 * variance + out * out
    return -out / np.sqrt(np.where(square > 0, square, 1.0))


def _outside(u: Array) -> Array:
    """Q."""
    return 0.25 * ((1.0 - u) * (1.0 - u)) * (2.0 + u)


def _said(
    out: Array, variance: Array, u: Array, share: Array, missed: Array, leave: float, reach: float
) -> Array:  # fmt: skip
    """Variance across a border, px^2.

    Args:
        out: how far beyond where things are seen the guess is, px.
        variance: of the guess by itself, px^2.
        u, share: u and Q of these.
        missed: h.
        leave, reach: as for `beyond`.
    """
    cube = u * u * u
    straight = variance * ((1.0 - cube + missed * (1.0 + cube)) / (2.0 * (share + missed * (1.0 - share))))
    way = np.maximum(out, 0.0)
    back = np.minimum(way, reach)
    on = np.maximum(leave - way, 0.0) * _outside(_inside(reach - way, variance))
    turned, inside = 0.5 * back, 0.5 * missed * way
    every = np.where(inside > 0, turned + inside + on, 1.0)
    turned, inside, off = turned / every, inside / every, way - 0.5 * back
    away = turned * (off * off + back * back / 12.0) + inside * (way * way * 7.0 / 3.0)
    return straight - (turned + inside) * straight + away


@loop
def beyond_loop(f: F64, room: int, i: int, reach: float, p: F64) -> int:
    """`beyond` of a row."""
    share, p00 = share_loop(f, room, i), f[P00 * room + i]
    before = p00 + f[BIAS * room + i]
    x, y = f[X * room + i], f[Y * room + i]
    dx, dy = max(-x, x - p[RIGHT]) - OUTSIDE, max(-y, y - p[BOTTOM]) - OUTSIDE
    vx, vy = before * (1.0 + share), before * (1.0 - share)
    ux, uy = inside_of(dx, vx), inside_of(dy, vy)
    qx, qy = outside_of(ux), outside_of(uy)
    vx = across_loop(dx, vx, ux, qx, LEAVES + (1.0 - LEAVES) * qy, p[LEAVE], reach)
    vy = across_loop(dy, vy, uy, qy, LEAVES + (1.0 - LEAVES) * qx, p[LEAVE], reach)
    both = 0.5 * (vx + vy)
    f[BIAS * room + i] = both - p00
    f[D00 * room + i] = p00 * (0.5 * (vx - vy) / (both if both > 0.0 else 1.0))
    return 0


@loop
def extent_loop(breadth: float, p: F64) -> float:
    """`extent`."""
    return max(CUT * float(sqrt(breadth)) - OUTSIDE, 0.0) if breadth > 0.0 else p[LEAVE]


@loop
def inside_of(out: float, variance: float) -> float:
    """`_inside`."""
    square = 2.0 * variance + out * out
    return -out / float(sqrt(square if square > 0.0 else 1.0))


@loop
def outside_of(u: float) -> float:
    """`_outside`."""
    return 0.25 * ((1.0 - u) * (1.0 - u)) * (2.0 + u)


@loop
def across_loop(out: float, variance: float, u: float, share: float, missed: float, leave: float,
                reach: float) -> float:  # fmt: skip
    """`_said`."""
    cube = u * u * u
    straight = variance * ((1.0 - cube + missed * (1.0 + cube)) / (2.0 * (share + missed * (1.0 - share))))
    way = max(out, 0.0)
    back = min(way, reach)
    on = max(leave - way, 0.0) * outside_of(inside_of(reach - way, variance))
    turned, inside = 0.5 * back, 0.5 * missed * way
    every = turned + inside + on if inside > 0.0 else 1.0
    turned, inside, off = turned / every, inside / every, way - 0.5 * back
    away = turned * (off * off + back * back / 12.0) + inside * (way * way * 7.0 / 3.0)
    return straight - (turned + inside) * straight + away
