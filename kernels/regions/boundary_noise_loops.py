"""What the rim of a region cuts off, on this side or that, as loops.

Which pixels a mask has is chance where its rim passes within them: in or out, a variance of 1/6 of the square of what
is there (the mean of p - p^2 for p from 0 to 1). It goes in runs: growing by a pixel of eight neighbours turns one of
the mask's into 2 grow + 1 side by side. What is there is the light of the ring that would be next. Light falls towards
it as it did towards the outermost ring: of a disc nothing is left, of a bell that its mask cuts much. Each ring has
eight pixels more than the one within it, and they are farther out by as much. (Of bells of 1.2 to 2.3 px without noise,
cut by bands and by levels, errors were 0.1 to 2.3 times as much, 0.9 on average: squares.) Where light falls
steeply it falls more steeply farther out, as an edge does that a lens has blurred: below STEEP the next ring's share of
this one's is less than this one's of the ring before. (Squares of errors of discs of 1.8 to 2.8 px without noise, cut
at half their height, were 0.1 to 0.6 times what the same share makes of them.) What is smaller has too few pixels to
tell the noise of its own light (`kernels.regions.shot_noise_loops`): there the rim's takes its place.

Noise moves the rim, too, by s px, its standard deviation by what the light falls in a px: then in or out is a variance
of E|a - b| / 2, a and b being where the rim may pass, even over a pixel and normal about it, sqrt(1 + 12 s^2) / 6. The
wider a thing and the weaker, the more that is; what rings farther out tell of s is not believed without end. (Bells of
2 to 4 px and SNR 10, cut at a fifth to .6 of their height, had z^2 of 1 to 2.2 without, and have 0.9 to 1.5.)
"""

from __future__ import annotations

from kernels.loops.language import F64, loop, sqrt
from kernels.regions.structs import Listed

STEEP = 0.08  # of a ring's light^2 in the one before
FARTHEST = 0.6  # px^2 that noise moves the rim
FEW, SMALL = 7.0, 1.1  # px^2, area and second moment of things whose pixels tell the noise of their light


@loop
def rim_share(square: float, many: float, before: float, fewer: float, noise: float, area: float,
              size: float) -> float:  # fmt: skip
    """By what the outermost ring's sum of light^2 x^2 is multiplied for that of the next ring, the one cut off: the
    noise of pixels is taken off, and what noise moves the rim by is added (see the module).

    Args:
        square, many: sums of light^2 and of share^2 there.
        before, fewer: of the ring before.
        noise: variance of a pixel.
        area: pixels of the mask.
        size: smaller one of the second moments along x and y, px^2.
    """
    # Squares of light hold the noise of their pixels: sigma^2 times the sum of share^2 is taken off.
    clear, more = square - noise * many, before - noise * fewer
    if not (clear > 0.0 and many > 0.0):
        return 0.0
    ratio = 1.0
    # The next ring keeps the ratio of the last two (a geometric fall), never more than the outermost one.
    if clear * fewer < more * many:
        ratio = clear * fewer / (more * many)
        if ratio < STEEP and area >= FEW and size > SMALL:
            ratio *= ratio / STEEP
    # Pixels and their distance both grow by `wider`; squares of places: wider^3 in all.
    wider = (many + 8.0) / many
    falls = sqrt(max(more, 0.0) / max(fewer, 1e-300)) - sqrt(clear / many)
    # Variance of the rim's place: noise over the squared fall of light a pixel.
    moved = min(noise / max(falls * falls, 1e-300), FARTHEST)
    return float(ratio * (clear / square) * (wider * wider * wider) * sqrt(1.0 + 12.0 * moved))


@loop
def edge_list(on: Listed, pixels: int, square: F64, many: F64) -> int:
    """Sums of light^2 and share^2 of listed pixels of each region, which begin at 0."""
    for n in range(pixels):
        i = on.owner[n]
        square[i] = square[i] + on.light[n] * on.light[n]
        many[i] = many[i] + on.share[n] * on.share[n]
    return 0
