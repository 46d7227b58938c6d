"""Errors that neighbours share, as loops: a ground's texture, and what it does to the centres of what is on it.

Noise of pixels that err by themselves moves a sum by the sum of their variances. A texture errs alike for as long as
its grains are; then the variance of a sum is that of Newey and West (Econometrica 55, 703, 1987), whose bandwidth
Andrews' rule (Econometrica 59, 817, 1991) takes from an autoregression of first order.

The pixels around a region, in sectors by their direction from its middle, tell the variance of the slopes of their
plane so: by how much it exceeds that of pixels that err by themselves is `factor`, how much sectors beside each other
are alike is `alike`. The light within the region that is ground (`band`, what it was grown by) errs as they do. Where
the grain is wider than the few pixels between band and ring, alike^2, the plane follows the texture below the band, and
both errors cancel.
"""

from __future__ import annotations

from kernels.loops.language import F64, at, loop
from kernels.regions.structs import Ground, Listed, PlaneFit

SECTORS = 128  # at most
SECTOR = 3.0  # pixels of a ring of 2 px in a sector, so that it is 1.5 px wide: no grain that a lens shows is smaller
SURPRISE = 6.635  # squared standard deviations: 1 in 100 by chance
CHANCE = 1.0  # of a correlation by chance, the square times the sectors: two variances, as both lists have so many
# numbers (Bartlett, J. R. Stat. Soc. Suppl. 8, 27, 1946)
ROOM = 8  # of a ring of n the bandwidth is n / ROOM at most: what is as long as that is no noise of neighbours


@loop
def turn_key(x: float, y: float) -> float:
    """A number from 0 to 4 that rises with the angle of (x, y) from the x axis, once around."""
    # A pseudo-angle: monotonic in atan2 and made of + - / alone, so that every machine has the same bits.
    part = x / max(abs(x) + abs(y), 1e-300)
    return float(1.0 - part if y >= 0.0 else 3.0 + part)


@loop
def alikeness(x: F64, y: F64, n: int) -> float:
    """The correlation of neighbours around a closed ring of n numbers, of both lists together:

    sum (x[k] x[k + 1] + y[k] y[k + 1]) / sum (x[k]^2 + y[k]^2), and 0 where that is negative.
    """
    one, all_ = 0.0, 1e-300
    for k in range(n):
        # The ring is closed: the last sector's neighbour is the first.
        j = k + 1 if k + 1 < n else 0
        one += x[k] * x[j] + y[k] * y[j]
        all_ += x[k] * x[k] + y[k] * y[k]
    return float(max(one / all_, 0.0))


@loop
def bandwidth(alike: float, n: int) -> int:
    """Lags up to which numbers around a ring of n count as alike, by their correlation at lag 1 (Andrews 1991, 6.2 and
    6.4, Bartlett's kernel): the most with lags^3 <= 6 n alike^2 / (1 - alike^2)^2 and lags <= n / ROOM."""
    left, lags = 1.0 - alike * alike, 0
    wide = 6.0 * (alike * alike) * float(n)  # (lags + 1)^3 is 1.1447^3 * 4 a^2 / (1 - a^2)^2 n
    while float((lags + 1) * (lags + 1) * (lags + 1)) * (left * left) <= wide and ROOM * (lags + 1) <= n:
        lags += 1
    return lags


@loop
def long_run(one: F64, n: int, lags: int) -> float:
    """The variance of a sum of n numbers around a ring, of which neighbours may err alike (Newey and West 1987):

    the sum over lags l from -lags to lags of (1 - |l| / (lags + 1)) sum_k one[k] one[k + l], at least 0.
    """
    total = 0.0
    for lag in range(lags + 1):
        # Bartlett's weights, twice for both directions of a lag: they keep the sum from being negative but for
        # rounding.
        share = 1.0 if lag == 0 else 2.0 * (1.0 - float(lag) / float(lags + 1))
        for k in range(n):
            total += share * (one[k] * one[k + lag if k + lag < n else k + lag - n])
    return float(max(total, 0.0))


@loop
def sectors_of(pixels: int) -> int:
    """Sectors of a ring of so many pixels."""
    return max(min(int(float(pixels) / SECTOR), SECTORS), 1)


@loop
def sector_of(dx: float, dy: float, sectors: int) -> int:
    """The sector in which a pixel at dx, dy from the middle lies, 0 .. sectors - 1."""
    return min(int(turn_key(dx, dy) * (0.25 * float(sectors))), sectors - 1)


@loop
def factor_of(x: F64, y: F64, sectors: int, expected: float, out: F64) -> int:
    """Into `out` the two numbers `factor` and `alike` of a ring (see the module).

    Args:
        x, y: of each sector the sum of what the plane leaves times the place along x and y.
        expected: variance of the sums of x and of y together, if pixels erred by themselves.
        out: factor, by which the variance exceeds that (at least 1), and the correlation of sectors beside each other;
            1 and 0 where chance explains it.
    """
    alike = alikeness(x, y, sectors)
    out[0], out[1] = 1.0, 0.0
    if alike * alike * float(sectors) > CHANCE and expected > 0.0:
        lags = bandwidth(alike, sectors)
        # It has 3 n / (lags + 1) degrees of freedom (Priestley, Spectral Analysis and Time Series, 1981, table 6.2):
        # the mean of 1 / variance is what has to be right.
        free = 3.0 * float(sectors) / float(lags + 1)
        out[0] = max((long_run(x, sectors, lags) + long_run(y, sectors, lags)) / expected, 1.0) * free / (free - 2.0)
        out[1] = alike
    return 0


@loop
def factors_list(on: Listed, pixels: int, regions: int, p: PlaneFit, g: Ground, work: F64) -> int:
    """`factor_of` of the rings of regions, of listed pixels: values above each region's level, places from its middle.

    `work`: 2 SECTORS numbers a region, and two more."""
    for n in range(2 * SECTORS * regions):
        work[n] = 0.0
    for n in range(pixels):
        if p.ok[n]:
            i = on.owner[n]
            a, o = 9 * i, 2 * SECTORS * i
            k = sector_of(on.x[n], on.y[n], sectors_of(g.number[i]))
            # What the plane leaves, times the place from the middle of the pixels: the score of the slope.
            one = on.value[n] - (p.plane[3 * i] + on.x[n] * p.plane[3 * i + 1] + on.y[n] * p.plane[3 * i + 2])
            work[o + k] = work[o + k] + one * (on.x[n] - p.normal[a + 1] / p.normal[a])
            work[o + SECTORS + k] = work[o + SECTORS + k] + one * (on.y[n] - p.normal[a + 2] / p.normal[a])
    out = at(work, 2 * SECTORS * regions)
    for i in range(regions):
        a = 9 * i
        # Central second moments: Schur's complement of the level.
        wide = p.normal[a + 4] - p.normal[a + 1] * p.normal[a + 1] / p.normal[a]
        high = p.normal[a + 8] - p.normal[a + 2] * p.normal[a + 2] / p.normal[a]
        factor_of(at(work, 2 * SECTORS * i), at(work, 2 * SECTORS * i + SECTORS), sectors_of(g.number[i]),
                  g.noise[i] * (wide + high), out)  # fmt: skip
        g.factor[i], g.alike[i] = out[0], out[1]
    return 0


@loop
def lever_of(lever: float, core: float, factor: float, alike: float, slope: int, out: F64) -> int:
    """What noise of variance 1 of a ground does to a sum of light times place, into `out`: the variance by pixels, that
    of them which a steadier thing may lack (without the factor), and by how much the square of the lever times the
    variance of slopes (for pixels that err by themselves) is to be multiplied.

    Args:
        lever: sum of the squares of the pixels' places.
        core: of the mask's pixels alone.
        slope: whether the ground is a plane that follows its texture.
    """
    # The lever is cut in two: the mask's own pixels, and the band that it was grown by, which is ground.
    band = max(lever - core, 0.0)
    within, same = lever - band, alike * alike if slope else 0.0
    # Where the plane follows the texture (`same`), only the part of the lever within the mask is moved by its slope.
    part = within / max(lever, 1e-300)
    out[0], out[1] = within + (1.0 - same) * factor * band, within + (1.0 - same) * band
    out[2] = factor * (1.0 - same + same * (part * part))
    return 0


@loop
def one_sided(moment: float, squares: float, slope: int) -> float:
    """Variance by what lies beside a region on one side only: the edge of a bar, of a neighbour, of anything that is no
    ground.

    moment^2 - squares where moment^2 > SURPRISE squares, so that pixels that err by themselves hardly explain it, else
    0. It is 0 without `slope`, too: a slope that is not taken off does the same, and sigma has it already.

    Args:
        moment: sum of light times place in the outermost ring.
        squares: sum of the squares of its terms.
        slope: whether the ground's slope is taken off.
    """
    return float(moment * moment - squares if slope and moment * moment > SURPRISE * squares else 0.0)
