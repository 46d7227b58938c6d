"""How the light of regions tilts, and how far that pulls their centres: what `kernels.host.tilt_loops` computes.

What a ground's slope leaves in the light v = C (A + h x) above it (C: how much of a pixel the thing covers, A: its
height) is a tilt h of its own: -g where a thing of even light covers a ground of slope g, g A / ground where both are
lit alike, 0 where the light adds to the ground's. It moves the mean by m = M h / A, M the second moments. The picture
tells h of a thing with a flat top: a second mean S = sum w v x about the first, with weights w = (1 - d2 / 4)^2 that
end where the rim of an even ellipse of such moments would be (d2 = x M^-1 x), feels h less and an offset more:

    S = m (sum w v d2 / 2 - T),    T = sum v (w + w' d2)

T being what an offset makes of S (by parts: sum of -w x times the slope of v). Of a bell both terms are the same: its
tilt is an offset. So the tilt that S tells counts as far as its noise, sigma^2 sum w^2 x^2 and T times the noise of the
mean, over the square of the bracket, is small by what may be expected (`PULL` of M g / A): the mean of both by their
variances (a Wiener filter), and the variance that it has is stated. A tilt that is not small pulls farther than so
(`STEEP`). Where the ground is level by its noise nothing is changed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kernels.host.tilt_loops import DOUBT, MOST, PULL, STEEP, VAGUE

Array = npt.NDArray[Any]


class Ground(NamedTuple):
    """What is below n regions: `plane` (n, 3), value at the region's middle and slopes in x and y; `noise` (n,),
    variance of a pixel; `tilt` (2, n), variances of the slopes for pixels of variance 1; `lean` (2, n), slopes that a
    ground has which is taken to be level; `factors` (n, 2), what its texture makes of that
    (`correlation_loops.factor_of`)."""

    plane: Array
    noise: Array
    tilt: Array
    lean: Array
    factors: Array


def forms(rows: Array) -> Array:
    """(rows, 3): of each `tilt_loops.form_of`, 0 where there is none."""
    xx, xy, yy = rows["xx"], rows["xy"], rows["yy"]
    with np.errstate(divide="ignore", invalid="ignore"):
        det = xx * yy - xy * xy
        there = (xx > 0) & (yy > 0) & (det > 0)
        return np.ascontiguousarray(np.where(there, np.stack((yy / det, -2.0 * xy / det, xx / det)), 0.0).T)


def tilts(rows: Array, owners: Array, x: Array, y: Array, v: Array, share: Array) -> Array:
    """(rows, SUMS), of listed pixels: `tilt_loops.tilt_list`."""
    every = forms(rows)
    form = every.T[:, owners]
    dx, dy = x - rows["x"][owners], y - rows["y"][owners]
    d = form[0] * dx * dx + form[1] * dy * dx + form[2] * (dy * dy)
    one = np.maximum(1.0 - 0.25 * d, 0.0)
    w = one * one
    wv, u = w * v, w * share
    each = (u, wv, wv * dx, wv * dy, wv * d, v * one * (one - 0.5 * d), u * share * (dx * dx), u * share * (dy * dy),
            u * u * (dx * dx), u * u * (dy * dy))  # fmt: skip
    sums = np.stack([np.bincount(owners, one, len(rows)) for one in each], axis=1)
    return np.where(every[:, :1] > 0, sums, 0.0)


def believed(ground: Array, noise: Array, tilt: Array, doubt: float = DOUBT) -> Array:
    """Share of each ground's slopes that cannot be noise: 0 where they are not above `doubt` times their variance.

    Args:
        ground: (n, 3) planes.
        noise: (n,) variance of a pixel.
        tilt: (2, n) variances of the slopes for pixels of variance 1.
    """
    gx, gy = ground[:, 1], ground[:, 2]
    square = gx * gx + gy * gy
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(square > 0, np.maximum(1.0 - doubt * (noise * (tilt[0] + tilt[1])) / square, 0.0), 0.0)


def righted(
    rows: Array, sums: Array, kept: Array, ground: Array, noise: Array, variance: Array, lever: Array, slope: Array
) -> Array:
    """(4, rows): what to take off x and y, and their variances then; `tilt_loops.righted` of each row.

    Args:
        noise: variance of a thing's pixel.
        variance: (2, rows) of x and y without any tilt.
        lever: (2, rows) how far a slope of the ground below all of the region moves x and y.
        slope: (2, rows) variances of such slopes.
    """
    gx, gy = ground[:, 1:].T
    with np.errstate(divide="ignore", invalid="ignore"):
        height, moved = sums[:, 1] / sums[:, 0], sums[:, 5]
        tilted = (kept > 0) & (sums[:, 0] > 0) & (sums[:, 1] > 0)
        told = 0.5 * sums[:, 4] - moved
        both, some, square = noise / rows["mass"], moved * moved, told * told
        near = np.stack((rows["xx"], rows["yy"])) / height
        alone = variance - lever * lever * slope
        pulls, wides, seen = [], [], []
        for k, (one, two) in enumerate((("xx", "xy"), ("xy", "yy"))):
            pull = PULL * kept * (rows[one] * gx + rows[two] * gy) / height
            pull = pull * pull
            wide = (noise * sums[:, 8 + k] - 2.0 * (moved * (both * sums[:, 6 + k])) + some * alone[k]) / square
            far = MOST * np.sqrt(pull + np.maximum(wide, 0.0))
            pulls.append(pull)
            wides.append(wide)
            seen.append(np.clip(sums[:, 2 + k] / told, -far, far))
        xx, xy, yy, (x, y) = rows["xx"], rows["xy"], rows["yy"], seen
        steep = (x * (x * yy) - 2.0 * (x * (y * xy)) + y * (y * xx)) / (xx * yy - xy * xy)
        off, left = np.zeros((2, 2, len(rows)))
        for k, (pull, wide) in enumerate(zip(pulls, wides, strict=True)):
            common = (both * sums[:, 6 + k] - moved * alone[k]) / told
            part = pull / (pull + wide)
            tilt, rest = part * seen[k], 1.0 - part
            vague = VAGUE * steep * tilt
            far = lever[k] - part * near[k]
            error = alone[k] + rest * rest * pull + far * far * slope[k] + part * (part * wide - 2.0 * common)
            found = tilted & (told > 0) & (pull > 0) & (wide >= 0)
            off[k] = np.where(found, tilt + STEEP * steep * tilt, 0.0)
            left[k] = np.where(found, np.maximum(error, 0.0) + vague * vague,
                               np.where(tilted, variance[k] + pull, variance[k]))  # fmt: skip
    return np.concatenate((off, left))
