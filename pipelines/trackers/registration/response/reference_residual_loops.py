"""What of a reference's noise is left beside its patterns in frames (`response.left_by`), as a loop."""

from __future__ import annotations

from kernels.loops.language import F64, at, loop
from pipelines.trackers.registration.noise.autocovariance_loops import FAR, SIDE
from pipelines.trackers.registration.response.design_loops import STEEPER
from pipelines.trackers.registration.windows.structs import PATTERNS

BASIS, PLAIN, CONSTANTS = 27, 36, 328  # as `response` lays them out; its tests compare
LOOKS = 16  # scratch memory: sums, what noise has in common with patterns


@loop
def hidden_of(constants: F64, grain: F64, slopes: F64, count: int, area: float, away: F64, own: F64, hidden: F64,
              work: F64) -> int:  # fmt: skip
    """As `response.left_by`.

    Args:
        constants: (count, CONSTANTS); grain: (count, SIDE, SIDE).
        slopes: `reference_noise.tables`.
        area: pixels of a window.
        away: (count, 2), px.
        own, hidden: (count,), filled.
    """
    looks = at(work, 8)
    for n in range(count):
        constant, g = at(constants, n * CONSTANTS), at(grain, n * SIDE * SIDE)
        for p in range(6):
            one = 0.0
            for k in range(SIDE * SIDE):
                one += slopes[p * SIDE * SIDE + k] * g[k]
            work[p] = one
        k = SIDE * FAR + FAR
        x, y = STEEPER * (g[k + 1] - 2.0 * g[k] + g[k - 1]), STEEPER * (g[k + SIDE] - 2.0 * g[k] + g[k - SIDE])
        z = 0.25 * STEEPER * (g[k + SIDE + 1] - g[k + SIDE - 1] - g[k - SIDE + 1] + g[k - SIDE - 1])
        dx, dy = away[2 * n], away[2 * n + 1]
        # The factors of the second-order patterns at the displacement.
        p_, q_, r_ = 0.5 * dx * dx, dx * dy, 0.5 * dy * dy
        # What the noise of the patterns' sum has in common with that of light, slopes and second derivatives.
        light, mx, my = g[k] + p_ * x + q_ * z + r_ * y, dx * work[0], dy * work[1]
        mxx, mxy, myy = x + p_ * work[2] + r_ * work[5], z + q_ * work[3], y + p_ * work[5] + r_ * work[4]
        own[n] = light + dx * mx + dy * my + p_ * mxx + q_ * mxy + r_ * myy
        ax, ay, bx, by = constant[BASIS], constant[BASIS + 1], constant[BASIS + 2], constant[BASIS + 3]
        # In the window's own directions, as its patterns are.
        looks[0], looks[1], looks[2] = light, ax * mx + ay * my, bx * mx + by * my
        looks[3] = ax * ax * mxx + 2.0 * ax * ay * mxy + ay * ay * myy
        looks[4] = ax * bx * mxx + (ax * by + ay * bx) * mxy + ay * by * myy
        looks[5] = bx * bx * mxx + 2.0 * bx * by * mxy + by * by * myy
        # The part that least squares with all patterns takes out of the noise.
        both = 0.0
        for i in range(PATTERNS):
            for j in range(PATTERNS):
                both += looks[i] * looks[j] * constant[PLAIN + PATTERNS * i + j]
        hidden[n] = area * both
    return 0
