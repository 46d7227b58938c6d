"""Whether a window is surely not of stripes (`stripes.solve_across`), as loops."""

from __future__ import annotations

from kernels.host.loops import F64, I64, at, loop, put, sqrt, vec
from pipelines.trackers.patches.look_loops import normals

SIDES = 4  # of the filter of `stripes.high_noise`
TENTHS = 1e-6  # by how much noise must be less than what would make stripes of a window


@loop
def plain(tile: F64, stride: int, w: int, columns: int, most: float, work: F64) -> int:
    """Whether the median of what the filter of `stripes.high_noise` leaves of a tile is surely below `most`."""
    wide = w + 6 - SIDES
    beyond = 0.0
    for r in range(wide):
        for c in range(0, columns, 8):
            k = r * stride + c
            s = vec(tile, k) - vec(tile, k + stride) * 4.0 + vec(tile, k + 2 * stride) * 6.0
            put(work, c, s - vec(tile, k + 3 * stride) * 4.0 + vec(tile, k + 4 * stride))
        for c in range(wide):
            value = work[c] - work[c + 1] * 4.0 + work[c + 2] * 6.0 - work[c + 3] * 4.0 + work[c + 4]
            beyond += 1.0 if abs(value) >= most else 0.0
    return 1 if 2.0 * beyond < float(wide * wide) - 1.0 else 0


@loop
def surely(tile: F64, stride: int, own: int, slot: I64, w: int, pitch: int, p: int, jacobian: F64, textured: I64,
           stripes: F64, work: F64) -> int:  # fmt: skip
    """Whether a reference that was made of a tile has texture, and surely not of stripes.

    Args:
        slot: of the reference, one entry; own: the same.
        stripes: STRIPES, w^2 SLOPE_NOISE, the median of `stripes.high_noise` for noise of 1.
    """
    if textured[own] != 1:
        return 0
    normals(jacobian, slot, 1, w, pitch, p, work, at(work, 8))
    xx, xy, yy = work[0], work[1], work[2]
    half = 0.5 * (xx - yy)
    large = 0.5 * (xx + yy) + sqrt(half * half + xy * xy)
    if not (large > 0.0):
        return 0
    small = max(xx * yy - xy * xy, 0.0) / large
    if small < 0.5 * large * (1.0 + TENTHS):
        # small - 1.5 noise < STRIPES (large - noise), or large < noise, makes stripes.
        most = min((small - stripes[0] * large) / (1.5 - stripes[0]), large) / stripes[1] * (1.0 - TENTHS)
        if not (most > 0.0):
            return 0
        calm = plain(tile, stride, w, pitch + 8, sqrt(most) * stripes[2], work)
        return 1 if calm > 0 else 0
    return 1
