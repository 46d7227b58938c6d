"""Whether something has come before a part of a window, and where the thing is by the part that is left.

What comes before a thing changes one side of its window and leaves the other as it was; light, focus, noise and what
turns change all of it. So each half of a window (of eight: four, and those turned by 45 degrees) is compared with that
half of the reference on its own: gain, bias and a shift by least squares. A half that looks as usual, opposite to one
of which the reference explains far less, shows a cover; the shift of the half that is left says where the thing is,
for the whole window is drawn along by the cover's edge.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pipelines.trackers.columns import Columns
from pipelines.trackers.registration.warp.fit import References, inverted
from pipelines.trackers.registration.warp.structs import Fit
from pipelines.trackers.registration.windows.windows import sampled

Array = npt.NDArray[Any]

FALL, UNEVEN = 0.001, 0.4  # a score is lower than usual by more than this and this part of what is missing to 1
HOLD = 20  # frames for which what fell behind a cover is taken for hidden by it
CLEAR = 0.005  # least share of a window's light that a cover changes
LITTLE = 0.002  # the same where it is asked whether a window bends
RATIO = 4.0  # how many times as much as of the other half, slopes considered
WHOLE = 0.05  # share of a half that may be unexplained, beside noise, where nothing covers it
FARTHEST = 3.0  # px from the whole window's place to that of what is left
STEPS = 3
AT_ONCE = 2**15  # pixels of windows that are looked at together: what is made of them stays in the processor's memory
WITHOUT_TURNING = (0, 1, 2, 3, 5)
ODD = 3.0  # how many times its variance a half's place must differ with each of its eighths left out, to be no noise
MISLED, MORE = 0.5, 1.5  # part of what a half leaves that may all be one thing, from so many times the noise on
TINY = 1e-12  # px^2, or share of light: as good as nothing


class Covering(NamedTuple):
    """Of n windows.

    covered: whether a cover shows (bool); x, y: where the thing is then, px; variance: of these, px^2 (mean of both
    axes), for even white noise; score: correlation of what is left with that of the reference.
    """

    covered: Array
    x: Array
    y: Array
    variance: Array
    score: Array


class _Halves(NamedTuple):
    """Of the halves of n windows, (n, 8): what the reference explains of each, with light and shift of its own.

    factors: of 1, the reference, its slopes along x and along y, (n, 8, 4); spread: variances of the shifts for pixels
    of variance 1, px^2; left: squares that are not explained; light: squares about the mean; mine: those of the
    reference; slopes: of the reference; pixels: how many. All of a whole window's squares are 1.
    """

    factors: Array
    spread: Array
    left: Array
    light: Array
    mine: Array
    slopes: Array
    pixels: Array

    @property
    def weight(self) -> Array:
        """Share of a window's light that is in a half: in the reference or, where that is more, now."""
        made: Array = np.maximum(self.light, self.mine)
        return made

    @property
    def share(self) -> Array:
        """Share of a half's light that is not explained."""
        made: Array = self.left / np.maximum(self.light, TINY)
        return made

    @property
    def shows(self) -> Array:
        """Which halves look like the reference at all: what is even is explained by no light of it, at any place."""
        made: Array = (self.factors[..., 1] > 0) & (self.light > TINY)
        return made

    def of(self, which: Array, half: Array) -> _Halves:
        """One half of each of some windows."""
        return _Halves(*(part[which, half] for part in self))


def fallen(score: Array, level: Array, fall: float = FALL) -> Array:
    """Which scores are so much lower than usual (`level`; 0: not known) that it is no noise."""
    usual = np.where(level > 0, level, 1.0)
    made: Array = score < usual - (fall + UNEVEN * (1.0 - usual))
    return made


def covering(
    picture: Array, refs: References, slots: Array, x: Array, y: Array, usual: Array, clear: float = CLEAR
) -> Covering:
    """Look for covers.

    Args:
        picture: as from `ready`.
        refs, slots: whose reference each window has, (n,).
        x, y: where the windows were found, px.
        usual: their usual scores.
        clear: least share of a window's light that a cover changes.
    """
    found = Covering(np.zeros(len(slots), bool), x.copy(), y.copy(), np.zeros(len(slots)), np.zeros(len(slots)))
    room = max(AT_ONCE // (refs.layout.w * refs.layout.w), 1)
    for first in range(0, len(slots), room):
        some = slice(first, first + room)
        made = _covering(picture, refs, slots[some], x[some], y[some], 1.0 - np.minimum(usual[some], 1.0) ** 2, clear)
        for whole, part in zip(found, made, strict=True):
            whole[some] = part
    return found


def _covering(
    picture: Array, refs: References, slots: Array, x: Array, y: Array, noise: Array, clear: float
) -> Covering:
    # Sums of products over the eighths are made once; all eight halves, with and without turning, and the jackknife
    # (`_apart`) follow from them by adding small matrices.
    n, w, parts = len(slots), refs.layout.w, _parts(refs, slots)
    sums = _of_halves(_of_eighths((*parts, _turning(parts, w), _seen(picture, refs, x, y)), w))
    halves = _halves(sums[..., WITHOUT_TURNING, :][..., WITHOUT_TURNING])
    half, good = _left_half(sums, halves, noise, clear, w)
    found = Covering(good, x.copy(), y.copy(), np.zeros(n), np.zeros(n))
    rows = np.flatnonzero(good)
    if not len(rows):  # most often
        return found
    parts, half, one = tuple(part[rows] for part in parts), half[rows], halves.of(rows, half[rows])
    # The window is moved to where the half that shows fits, and looked at again.
    px, py, good = x[rows], y[rows], np.ones(len(rows), bool)
    for step in range(STEPS):
        if step > 0:
            eighths = _of_eighths((*parts, _seen(picture, refs, px, py)), w)
            one = _halves(_of_halves(eighths)).of(np.arange(len(rows)), half)
        good &= one.shows
        # Factors are of 1, f and its slopes, g = b + a f - a dx f_x - a dy f_y: the shift is a slope's factor over the
        # gain. An infinite gain moves windows that are out of the question by 0.
        gain = np.where(good, one.factors[:, 1], np.inf)
        px, py = px - one.factors[:, 2] / gain, py - one.factors[:, 3] / gain
        away = np.hypot(px - x[rows], py - y[rows])
        good &= away < FARTHEST
        px, py = np.where(good, px, x[rows]), np.where(good, py, y[rows])
    found.covered[rows], found.x[rows], found.y[rows] = good, px, py
    variance = _misled(one.left / gain**2, noise[rows], one.pixels, w) * one.spread
    apart = _apart(eighths, half)
    # The jackknife's variance, where it is more than ODD times what noise of single pixels makes.
    found.variance[rows] = np.where(apart > ODD * variance, apart, variance)
    found.score[rows] = np.sqrt(np.maximum(1.0 - one.share, 0.0))
    return found


def unveil(picture: Array, refs: References, t: Columns, rows: Array, fit: Fit, shown: Array) -> None:
    """Look for what has come before those of the windows `rows` whose scores fell; take the places of what is left.

    Args:
        picture: as from `ready`.
        refs: of the windows' references.
        t: columns slot, level, veiled (gets HOLD where a cover shows, is counted down where it does not, and 0 where
            all is as usual).
        rows: windows that were found, int64.
        fit: of all windows; gets the places and scores.
        shown: of all windows; gets `Covering.variance` where a cover shows, above 0.
    """
    # Stripes slide along themselves: halves of them say too little.
    rows = rows[(t["level"][rows] > 0) & (refs.textured[t["slot"][rows]] == 1)]
    fell = fallen(fit.score[rows], t["level"][rows])
    t["veiled"][rows[~fell]] = 0
    own = rows[fell]
    if not len(own):
        return
    found = covering(picture, refs, t["slot"][own], fit.x[own], fit.y[own], t["level"][own])
    here = found.covered
    t["veiled"][own] = np.where(here, HOLD, np.maximum(t["veiled"][own] - 1, 0))
    fit.x[own[here]], fit.y[own[here]], fit.score[own[here]] = found.x[here], found.y[here], found.score[here]
    shown[own[here]] = np.maximum(found.variance[here], TINY)


def _left_half(sums: Array, halves: _Halves, noise: Array, clear: float, w: int) -> tuple[Array, Array]:
    """Which half of each window is best left while the one opposite is not, and whether there is one."""
    # What turns is no cover: of the other half, turning is explained, too.
    other = np.maximum(sums[..., 5, 5] - _explained(sums)[1], 0.0) / np.maximum(halves.light, TINY) * halves.weight
    # Half k is opposite to half k + 4; each has about half of the usual noise.
    opposite, usual = (np.arange(8) + 4) % 8, 0.5 * noise[:, None]
    # A half counts as uncovered if it leaves no more than twice the noise that the whole window usually leaves, by its
    # part of the light, and WHOLE besides.
    fine = halves.share <= np.minimum(2.0 * usual / np.maximum(halves.mine, 1e-3), 0.5) + WHOLE
    # Where the opposite half has steeper slopes, a fit that is slightly off leaves more there without any cover.
    times = RATIO * np.maximum(halves.slopes[:, opposite] / np.maximum(halves.slopes, TINY), 1.0)
    most = np.maximum(times * halves.share * halves.weight, 2.0 * usual) + clear
    good = fine & halves.shows & (other[:, opposite] > most)
    gain = np.maximum(halves.factors[..., 1], 1e-6)
    off = _misled(halves.left / gain**2, noise[:, None], halves.pixels, w) * halves.spread
    # Of several halves that show, the one whose place is surest.
    half = np.where(good, off, np.inf).argmin(axis=1)
    return half, good[np.arange(len(good)), half]


def _misled(left: Array, noise: Array, count: Array, w: int) -> Array:
    """Variance of a pixel for squares that fits of halves leave: what is more than noise is no noise, of which every
    pixel has its own, but may be one thing that draws a half along."""
    usual = np.minimum(noise * count / (w * w), 1.0)
    made: Array = left / np.maximum(count - 4.0, 1.0) + MISLED * np.maximum(left - MORE * usual, 0.0)
    return made


def _seen(picture: Array, refs: References, x: Array, y: Array) -> Array:
    """Windows of the picture, (n, pixels by octants), of mean 0 and squares that sum to 1."""
    w = refs.layout.w
    g = sampled(picture, x, y, w, refs.layout.pitch)[:, :, :w].reshape(len(x), -1)
    g = g.take(_octants(w)[1], axis=1)  # not [:, order]: it has pixels behind each other that sums then run over
    g = g - g.mean(axis=1, keepdims=True)
    own = np.sqrt((g * g).sum(axis=1))
    made: Array = g / np.where(own > 0, own, 1.0)[:, None]
    return made


def _parts(refs: References, slots: Array) -> tuple[Array, ...]:
    """Of whole references of squares that sum to 1, by octants: 1, themselves, their slopes along x and along y."""
    n, w = len(slots), refs.layout.w
    order = _octants(w)[1]
    size = np.where(refs.norm[slots] > 0, refs.norm[slots], 1.0)[:, None]
    f = refs.pixels[slots][:, :, :w].reshape(n, -1).take(order, axis=1) / size
    jx, jy = (refs.jacobian[slots, q][:, :, :w].reshape(n, -1).take(order, axis=1) / size for q in (0, 1))
    return np.ones_like(f), f, jx, jy


def _turning(parts: tuple[Array, ...], w: int) -> Array:
    """What turning adds to references."""
    along, down = _levers(w)
    made: Array = parts[3] * along - parts[2] * down
    return made


def _halves(sums: Array) -> _Halves:
    """From the sums of products of `_parts` and of what is seen."""
    factors, explained, inverse = _explained(sums)
    count, whole = sums[..., 0, 0], sums[..., 4, 4]
    return _Halves(
        factors, 0.5 * (inverse[..., 2, 2] + inverse[..., 3, 3]), np.maximum(whole - explained, 0.0),
        whole - sums[..., 0, 4] ** 2 / count, sums[..., 1, 1] - sums[..., 0, 1] ** 2 / count,
        sums[..., 2, 2] + sums[..., 3, 3], count,
    )  # fmt: skip


def _explained(sums: Array) -> tuple[Array, Array, Array]:
    """Least squares of the last part by the others, from sums of products: factors, squares that these explain, and the
    inverses of the normal matrices."""
    p = sums.shape[-1] - 1
    normal, right = np.ascontiguousarray(sums[..., :p, :p]), sums[..., :p, p]
    inverse = inverted(normal.reshape(-1, p, p)).reshape(normal.shape)
    factors = (inverse * right[..., None, :]).sum(axis=-1)
    return factors, (factors * right).sum(axis=-1), inverse


def _of_eighths(parts: tuple[Array, ...], w: int) -> Array:
    """Sums of the products of `parts` (each (n, pixels by octants)) over the eighths, (n, 8, parts, parts)."""
    many, stacked = len(parts), np.stack(parts, 1)
    a, b = np.triu_indices(many)
    made = np.empty((len(stacked), 8, many, many))
    eighths = np.add.reduceat(stacked[:, a] * stacked[:, b], _octants(w)[0], axis=2)
    made[:, :, a, b] = made[:, :, b, a] = eighths.swapaxes(1, 2)
    return made


def _of_halves(eighths: Array) -> Array:
    """The sums over the eight halves: those of four eighths on end."""
    made: Array = eighths + np.roll(eighths, -1, axis=1) + np.roll(eighths, -2, axis=1) + np.roll(eighths, -3, axis=1)
    return made


def _apart(eighths: Array, half: Array) -> Array:
    """How much what is left says differently with each of its eighths left out, as variance of the shift, px^2, mean of
    both axes: the jackknife (Tukey: Ann. Math. Statist. 29, 614, 1958).

    Pixels that err each by itself make what `Covering.variance` says of it. What the edge of a cover makes of a half in
    which it lies are errors of pixels that are beside one another: an eighth.
    """
    four = np.take_along_axis(eighths, ((half[:, None] + np.arange(4)) % 8)[:, :, None, None], axis=1)
    whole = four.sum(axis=1, keepdims=True)
    factors = _explained(np.concatenate((whole, whole - four), axis=1))[0]
    # Row 0 is the whole half, the others leave out one eighth each. One whose light nearly vanishes says nothing.
    gain = np.where(factors[..., 1] > 0.1 * factors[:, :1, 1], factors[..., 1], np.inf)
    shifts = factors[..., 2:] / gain[..., None]
    off = shifts[:, 1:] - shifts[:, :1]
    # (n - 1) / n = 3/4 of the sum of squares is the jackknife's variance for n = 4 parts; half of both axes' sum is
    # their mean.
    made: Array = 0.5 * 0.75 * (off * off).sum(axis=(1, 2))
    return made


@cache
def _octants(w: int) -> tuple[Array, Array]:
    """Where each eighth of a window begins among its pixels in their order, and this order: by rising angle."""
    v, u = np.mgrid[:w, :w] - w // 2
    # By the signs and by which is larger, for angles may be rounded to either side.
    behind = (v < 0) | ((v == 0) & (u < 0))
    a, b = np.where(behind, -u, u), np.where(behind, -v, v)
    eighth = (np.where(a > b, 0, np.where(a > 0, 1, np.where(-a < b, 2, 3))) + 4 * behind).ravel()
    order = np.argsort(eighth, kind="stable")
    return np.searchsorted(eighth[order], np.arange(8)), order


@cache
def _levers(w: int) -> tuple[Array, Array]:
    """Places of pixels in a window along x and along y, -1..1, by octants."""
    v, u = (np.mgrid[:w, :w] - w // 2).reshape(2, -1)[:, _octants(w)[1]] / max(w // 2, 1)
    return u, v
