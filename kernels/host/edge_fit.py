"""Blobs at the picture's edge or on dead pixels: a least-squares fit of the pixels that exist.

There the weighted centroid, whose missing pixels the model fills, creeps towards the same place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.bell_loops import bell
from kernels.host.centroid_loops import WIDTHS, clean
from kernels.host.loops import F64, I64, U8, at, loop
from kernels.host.windows import Blobs, Windows, total_of

Array = npt.NDArray[Any]

FIT_STEPS = 12
DAMPING = 0.01
NARROW, WIDE = WIDTHS
UNKNOWNS = 5  # x, y, amplitude, width, background


def fit(windows: Windows, blobs: Blobs, near: Array, chosen: Array, sigma: float) -> None:
    """Least-squares fit of centre, amplitude, width and background (Levenberg), in place."""
    for _ in range(FIT_STEPS if len(chosen) else 0):
        step = _steps(windows, blobs, near, chosen)
        limit = 0.5 * sigma
        blobs.x[chosen] += np.clip(step[:, 0], -limit, limit)
        blobs.y[chosen] += np.clip(step[:, 1], -limit, limit)
        blobs.amplitude[chosen] = np.maximum(blobs.amplitude[chosen] + step[:, 2], 0.0)
        blobs.width[chosen] = np.clip(blobs.width[chosen] + step[:, 3], sigma * NARROW, sigma * WIDE)
        blobs.background[chosen] += step[:, 4]


def _steps(windows: Windows, blobs: Blobs, near: Array, chosen: Array) -> Array:
    """(m, 5): the damped Gauss-Newton step of each blob."""
    x, y, height, width = blobs.x[chosen], blobs.y[chosen], blobs.amplitude[chosen], blobs.width[chosen]
    across, down = windows.bells(x, y, 0.5 / (width * width), chosen)
    dx = (windows.columns[chosen] - x[:, None])[:, None, :]
    dy = (windows.rows[chosen] - y[:, None])[:, :, None]
    height, width = height[:, None, None], width[:, None, None]
    shape = down[:, :, None] * across[:, None, :]
    slope = height * shape / (width * width)
    valid = windows.there(chosen)
    columns = (slope * dx, slope * dy, shape, slope * (dx * dx + dy * dy) / width, np.ones_like(shape))
    design = [np.where(valid, c, 0.0) for c in columns]
    rest = windows.cleaned(blobs, near, chosen) - height * shape - blobs.background[chosen][:, None, None]
    rest = np.where(valid, rest, 0.0)
    normal = np.zeros((len(chosen), UNKNOWNS, UNKNOWNS + 1))
    for i in range(UNKNOWNS):
        for j in range(i, UNKNOWNS):
            normal[:, i, j] = normal[:, j, i] = total_of(design[i] * design[j])
        normal[:, i, UNKNOWNS] = total_of(design[i] * rest)
    diagonal = np.arange(UNKNOWNS)
    damping = DAMPING * normal[:, diagonal, diagonal]
    normal[:, diagonal, diagonal] += damping + 1e-9 * damping.max(axis=1, keepdims=True) + 1e-30
    # Positive definite: Gauss's elimination needs no choice of pivots.
    for i in range(UNKNOWNS):
        for j in range(i + 1, UNKNOWNS):
            factor = normal[:, j, i] / normal[:, i, i]
            normal[:, j, i:] -= factor[:, None] * normal[:, i, i:]
    step = np.zeros((len(chosen), UNKNOWNS))
    for i in range(UNKNOWNS - 1, -1, -1):
        value = normal[:, i, UNKNOWNS]
        for j in range(i + 1, UNKNOWNS):
            value = value - normal[:, i, j] * step[:, j]
        step[:, i] = value / normal[:, i, i]
    return step


@loop
def step_loop(pixels: F64, valid: U8, left: int, top: int, x: float, y: float, height: float, width: float,
              background: float, size: int, pitch: int, iota: F64, work: F64, normal: F64, out: F64
              ) -> int:  # fmt: skip
    """`_steps` of one blob. `normal`: 5 x 6 sums and 30 more; `work`: two rows and five."""
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
            if valid[r * pitch + c]:
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


@loop
def fit_loop(values: F64, valid: U8, left: I64, top: I64, near: I64, most: int, x: F64, y: F64, amplitude: F64,
             spread: F64, background: F64, chosen: I64, count: int, steps: int, sigma: float, size: int,
             pitch: int, iota: F64, buffer: F64, work: F64, out: F64) -> int:  # fmt: skip
    """`fit` as a loop."""
    limit = 0.5 * sigma
    for _ in range(steps):
        for n in range(count):
            i = chosen[n]
            clean(i, values, left, top, near, most, x, y, amplitude, spread, size, pitch, iota, work, buffer)
            step_loop(buffer, at(valid, i * size * pitch), left[i], top[i], x[i], y[i], amplitude[i], spread[i],
                      background[i], size, pitch, iota, work, at(work, 4 * pitch), at(out, 5 * n))  # fmt: skip
        for n in range(count):
            i = chosen[n]
            s = 5 * n
            x[i] = x[i] + min(max(out[s], -limit), limit)
            y[i] = y[i] + min(max(out[s + 1], -limit), limit)
            amplitude[i] = max(amplitude[i] + out[s + 2], 0.0)
            spread[i] = min(max(spread[i] + out[s + 3], sigma * NARROW), sigma * WIDE)
            background[i] = background[i] + out[s + 4]
    return 0
