"""Whether a window's texture is surely not along one direction alone (`aperture.solve_across`), as loops."""

from __future__ import annotations

from kernels.loops.language import F64, I64, at, load, loop, sqrt, store
from pipelines.trackers.registration.noise.residual_statistics_loops import normals
from pipelines.trackers.registration.noise.structs import Stripes
from pipelines.trackers.registration.windows.structs import Templates

SIDES = 4  # of the filter of `aperture.high_noise`
TENTHS = 1e-6  # by how much noise must be less than what would make stripes of a window


@loop
def plain(tile: F64, stride: int, w: int, columns: int, most: float, work: F64) -> int:
    """Whether the median of what the filter of `aperture.high_noise` leaves of a tile is surely below `most`."""
    wide = w + 6 - SIDES
    beyond = 0.0
    # The fourth difference 1 -4 6 -4 1 along both axes removes what is smooth and leaves noise.
    for r in range(wide):
        for c in range(0, columns, 8):
            k = r * stride + c
            s = load(tile, k) - load(tile, k + stride) * 4.0 + load(tile, k + 2 * stride) * 6.0
            store(work, c, s - load(tile, k + 3 * stride) * 4.0 + load(tile, k + 4 * stride))
        for c in range(wide):
            value = work[c] - work[c + 1] * 4.0 + work[c + 2] * 6.0 - work[c + 3] * 4.0 + work[c + 4]
            # The median is below `most` if fewer than half are above: a count in place of a sort.
            beyond += 1.0 if abs(value) >= most else 0.0
    return 1 if 2.0 * beyond < float(wide * wide) - 1.0 else 0


@loop
def surely(tile: F64, stride: int, own: int, slot: I64, refs: Templates, stripes: Stripes, work: F64) -> int:
    """Whether a reference, drawn from a tile, has texture, and surely not along one direction alone.

    Args:
        own: slot of the reference; slot: the same, as an array of one entry.
        work: 8 values and a row.
    """
    if refs.textured[own] != 1:
        return 0
    normals(refs, slot, 1, work, at(work, 8))
    xx, xy, yy = work[0], work[1], work[2]
    half = 0.5 * (xx - yy)
    # Eigenvalues of the gradient tensor; the smaller as determinant / larger, which loses no digits.
    large = 0.5 * (xx + yy) + sqrt(half * half + xy * xy)
    if not (large > 0.0):
        return 0
    small = max(xx * yy - xy * xy, 0.0) / large
    # Where the smaller eigenvalue is at least half of the larger no noise makes stripes of the window.
    if small < 0.5 * large * (1.0 + TENTHS):
        # small - 1.5 noise < STRIPES (large - noise), or large < noise, makes stripes.
        most = min((small - stripes.share * large) / (1.5 - stripes.share), large) / stripes.slopes * (1.0 - TENTHS)
        if not (most > 0.0):
            return 0
        calm = plain(tile, stride, refs.w, refs.pitch + 8, sqrt(most) * stripes.middle, work)
        return 1 if calm > 0 else 0
    return 1
