"""Blobs at the picture's edge or on dead pixels: a least-squares fit of the pixels that exist.

There the weighted centroid, whose missing pixels the model fills, creeps towards the same place.
"""

from __future__ import annotations

from kernels.host.bell_loops import bell
from kernels.host.loops import F64, at, loop

FIT_STEPS = 12
DAMPING = 0.01


@loop
def step_loop(pixels: F64, valid: F64, left: int, top: int, x: float, y: float, height: float, width: float,
              background: float, size: int, pitch: int, iota: F64, work: F64, normal: F64, out: F64
              ) -> int:  # fmt: skip
    """The damped Gauss-Newton (Levenberg) step of centre, amplitude, width and background of a blob, into `out`.

    `valid`: 1 where a pixel exists; `normal`: room for 5 x 6 sums and 30 more; `work`: two rows and six.
    """
    scale = 0.5 / (width * width)
    bell(work, iota, left, x, scale, pitch)
    bell(at(work, pitch), iota, top, y, scale, pitch)
    for k in range(60):
        normal[k] = 0.0
    one = 2 * pitch
    for c in range(size):
        dx = float(left + c) - x
        for k in range(30, 60):
            normal[k] = 0.0
        for r in range(size):
            if valid[r * pitch + c] > 0.0:
                dy = float(top + r) - y
                shape = work[pitch + r] * work[c]
                slope = height * shape / (width * width)
                work[one] = slope * dx
                work[one + 1] = slope * dy
                work[one + 2] = shape
                work[one + 3] = slope * (dx * dx + dy * dy) / width
                work[one + 4] = 1.0
                work[one + 5] = pixels[r * pitch + c] - height * shape - background
                for a in range(5):
                    for b in range(a, 6):
                        normal[30 + a * 6 + b] = normal[30 + a * 6 + b] + work[one + a] * work[one + b]
        for k in range(30):
            normal[k] = normal[k] + normal[30 + k]
    most = 0.0
    for a in range(5):
        for b in range(a):
            normal[a * 6 + b] = normal[b * 6 + a]
        most = max(most, DAMPING * normal[a * 6 + a])
    for a in range(5):
        d = normal[a * 6 + a]
        normal[a * 6 + a] = d + (DAMPING * d + 1e-9 * most + 1e-30)
    for a in range(5):
        for b in range(a + 1, 5):
            factor = normal[b * 6 + a] / normal[a * 6 + a]
            for k in range(a, 6):
                normal[b * 6 + k] = normal[b * 6 + k] - factor * normal[a * 6 + k]
    for k in range(5):
        a = 4 - k
        value = normal[a * 6 + 5]
        for b in range(a + 1, 5):
            value = value - normal[a * 6 + b] * out[b]
        out[a] = value / normal[a * 6 + a]
    return 0
