"""What all blobs of a frame together tell of the noise of a pixel, as a loop.

A blob's own residuals have some ten degrees of freedom: a variance from them alone scatters by 45 %, though photons
arrive at all blobs by the same law. So the variance of a pixel is taken as n + g L, n that of the ground, L the light
of the blob where its centre comes from, and g >= 0 one gain for the whole frame (photon transfer; Janesick, SPIE PM170,
2007), and each blob's own residuals r count beside that as far as blobs differ by more than chance: the credibility of
Buehlmann (ASTIN Bulletin 4, 199, 1967), which is the posterior mean where variances are scaled inverse chi-squared
(Smyth, Statistical Applications in Genetics and Molecular Biology 3(1), 3, 2004). Where blobs have textures or shapes
of their own, or there are FEW of them, each is told by itself, and one whose residuals no chance explains always is.
"""

from __future__ import annotations

from kernels.centroids.centroid_loops import SETTLED
from kernels.ir.table import ANISOTROPY, COLUMNS, SIGMA
from kernels.loops.language import F64, I64, at, loop, sqrt
from kernels.regions.shot_noise_loops import variance_of

NOISES = 5  # numbers of a blob: residual variance and its degrees of freedom, variance of the ground's pixels, light
# where the centre comes from, variance of the place that is not of pixels
FEW = 3
ROUNDS = 4
FARTHEST = 3.3  # standard deviations of the normal that a chi-squared is made (Wilson, Hilferty, PNAS 17, 684, 1931)
LOST = 0.25  # of the square of a window's radius: what is that far off hangs on where the window ends


@loop
def most_of(freedom: float) -> float:
    """By how much a variance of some degrees of freedom exceeds the true one at most, by chance."""
    a = 2.0 / (9.0 * freedom)
    root = 1.0 - a + FARTHEST * sqrt(a)
    return float(root * root * root)


@loop
def prior_of(scatter: float, by_chance: float, others: float) -> float:
    """Degrees of freedom that what all tell has beside one's own.

    Args:
        scatter: variance of what each tells, by its mean.
        by_chance: how much of it is of chance.
        others: degrees of freedom of all others.
    """
    # What is seen scatters by d + c (1 + d), d the scatter of the true variances and c chance's: solved for d.
    differ = max((scatter - by_chance) / (1.0 + by_chance), 0.0)  # variance of the true variances
    # The common value counts for 2 (1 + d) / d degrees of freedom, and never for more than all others have.
    return float(1.0 / (differ / (2.0 * (1.0 + differ)) + 1.0 / others))


@loop
def grounds(begin: int, end: int, free: float, noise: F64, out: F64) -> int:
    """The variances of the ground's pixels of blobs, each of `free` degrees of freedom, nearer to their mean as far as
    they differ by chance alone; below 0: there is none."""
    most, limit, mean, many = most_of(free), 1e300, 0.0, 0.0
    # Outliers go in rounds: each mean is of what lies below the limit that the mean before allows.
    for _ in range(ROUNDS):
        total, many = 0.0, 0.0
        for i in range(begin, end):
            if noise[i] >= 0.0 and noise[i] <= limit:
                total += noise[i]
                many += 1.0
        mean = total / max(many, 1.0)
        limit = most * mean
    scatter = 0.0
    for i in range(begin, end):
        if noise[i] >= 0.0 and noise[i] <= limit:
            u = noise[i] / max(mean, 1e-300) - 1.0
            scatter += u * u
    prior = 0.0
    if many >= FEW and mean > 0.0:
        prior = prior_of(scatter / (many - 1.0), 2.0 / free, (many - 1.0) * free)
    # Shrinkage towards the mean; an outlier keeps what its own pixels say.
    for i in range(begin, end):
        out[i] = noise[i]
        if noise[i] <= limit:
            out[i] = (prior * mean + free * noise[i]) / (prior + free)
    return 0


@loop
def pooled_frame(begin: int, end: int, count: int, ring: float, noises: F64, work: F64, farthest: float,
                 rows: F64) -> int:  # fmt: skip
    """sigma of the blobs begin to end, those of a frame; arguments as for `pooled_loop`."""
    own, free, plain = at(noises, 0), at(noises, count), at(noises, 2 * count)
    light, other = at(noises, 3 * count), at(noises, 4 * count)
    noise, model, pooled, limit = at(work, 0), at(work, count), at(work, 2 * count), at(work, 3 * count)
    for i in range(begin, end):
        error = rows[COLUMNS * i + SIGMA]
        pooled[i], limit[i] = 1.0, most_of(free[i])
        # `error - error` is 0 of numbers alone: rows without a centre take no part.
        if not (error - error == 0.0 and own[i] > 0.0 and plain[i] >= 0.0):
            plain[i], pooled[i] = -1.0, 0.0
    grounds(begin, end, ring, plain, noise)
    # No gain is known yet: the first weights take the larger of the two variances that each blob has itself.
    for i in range(begin, end):
        model[i] = max(noise[i], own[i])
    many, every, gain, prior = 0.0, 0.0, 0.0, 0.0
    # The gain is a straight line through 0 of own - noise over light, by iteratively reweighted least squares; a blob
    # whose residuals exceed the line by more than chance is left out of the next round.
    for step in range(ROUNDS):
        top, bottom = 0.0, 0.0
        for i in range(begin, end):
            if pooled[i] > 0.0:
                by = free[i] * (light[i] / (model[i] * model[i]))
                top += by * (own[i] - noise[i])
                bottom += by * light[i]
        gain, many, every, mean, scatter = max(top / max(bottom, 1e-300), 0.0), 0.0, 0.0, 0.0, 0.0
        for i in range(begin, end):
            pooled[i] = 0.0
            if plain[i] >= 0.0:
                model[i] = noise[i] + gain * light[i]
                # The variances of own / model, weighted by degrees of freedom, tell how much blobs differ beyond
                # chance.
                if own[i] <= limit[i] * model[i]:
                    u = own[i] / model[i]
                    pooled[i], part = 1.0, free[i] * u
                    many += 1.0
                    every += free[i]
                    mean += part
                    scatter += part * u
        if many < FEW:
            return 0
        if step == ROUNDS - 1:
            # Weighted variance about the mean, with Bessel's correction. By chance alone a ratio scatters by 2 / free,
            # of which the weighted mean is 2 many / every.
            scatter = (scatter - mean * mean / every) / every * (many / (many - 1.0))
            prior = prior_of(scatter, 2.0 * many / every, every * (1.0 - 1.0 / many))
    for i in range(begin, end):
        o = COLUMNS * i
        before, all_ = rows[o + SIGMA] * rows[o + SIGMA], prior + free[i]
        if pooled[i] > 0.0 and before < LOST * farthest:
            pixel = (prior * model[i] + free[i] * own[i]) / all_
            # What all tell is not known better than by all: the mean of 1 / variance is what has to be right.
            pixel = pixel * (1.0 + 2.0 * (prior / all_) * (prior / all_) / (every * (1.0 - 1.0 / many)))
            # Only the part of sigma^2 that comes of pixels scales with their variance; `other` is of the ground's
            # slope.
            moved = max(before - other[i], 0.0) * (pixel / variance_of(plain[i], own[i], free[i]))
            after = min(max(moved + min(other[i], before), SETTLED * SETTLED), farthest)
            # Anisotropy is a difference by a mean: the difference scales as the pixels' part does, the mean as the
            # whole.
            turned = before * moved / max(max(before - other[i], 1e-300) * after, 1e-300)
            rows[o + ANISOTROPY] = rows[o + ANISOTROPY] * turned
            rows[o + SIGMA] = sqrt(after)
    return 0


@loop
def pooled_loop(frames: I64, count: int, many: int, radius: int, noises: F64, work: F64, rows: F64) -> int:
    """sigma and its anisotropy of the rows of blobs, by what all of each frame tell of the noise of a pixel.

    Args:
        frames: of each blob; rises.
        many: pixels of the ground around a blob; their variance has three degrees of freedom less.
        radius: half width of the window, px.
        noises: the first of NOISES of all blobs, then the second ...; used up.
        work: room for four numbers a blob.
    """
    # Rows of a frame lie side by side, so a frame is a run of equal numbers.
    begin = 0
    while begin < count:
        end = begin + 1
        while end < count and frames[end] == frames[begin]:
            end += 1
        if end - begin >= FEW:
            pooled_frame(begin, end, count, float(many - 3), noises, work, float(radius * radius), rows)
        begin = end
    return 0
