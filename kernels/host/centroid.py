"""Sub-pixel centres of small blobs: the iterated Gaussian-weighted centroid, many at once, touching ones included.

At the fixed point of c <- c + gain * sum(w g (x - c)) / sum(w g), w = exp(-|x - c|^2 / (2 sigma^2)), the blob's
correlation with a Gaussian is largest: the maximum likelihood centre of a Gaussian blob in white noise, at a fraction
of a least-squares fit's cost (Thomas et al., MNRAS 371, 2006; Bernstein and Jarvis, Astron. J. 123, 2002). A step
measures a part of the true offset, for a round blob of width s sigma^2 / (s^2 + sigma^2); `gain` its inverse. M being
the second moments of the light under the weights, about their mean, it is the matrix (1 - M / sigma^2)^-1: exact for a
Gaussian of any axes, and where steps are small Newton's method for a blob of any shape.

What would pull the centre is taken out first: the background (a plane: the level of a ring within 2.5 standard
deviations, and of its slope what cannot be noise), neighbours (their Gaussian models, blobs near each other in turns)
and pixels outside the picture or NaN (the blob's own model stands there, and a least-squares fit of the pixels that
exist finishes the work; there the background is level).

Whether the ground's slope g shows beneath a blob of width s and amplitude A as well makes a difference of g s^2 / A.
It does where the blob's light adds to it (particles, beads, spots: bells, taken so); it does not where a thing covers
it, of which flat tops tell (painted or reflective markers: less light than the bell that fits would have); of what is
darker than its ground that part of the slope is missing that is missing of the ground's light (insects, shadows; black
has to be 0). What the picture does not tell (small blurred markers; things lit as unevenly as their ground, for which
the slope beneath is 1 + A / level times as steep) moves a centre by some g s^2 / A, where without the plane it were
4 g s^2 / A: a third of one is part of the stated sigma.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.host.calling import call
from kernels.host.centre_loops import centres_loop
from kernels.host.centre_rows import ALWAYS, CHOSEN, NEVER
from kernels.host.crowd_loops import crowded_loop
from kernels.host.crowding import crowding
from kernels.host.lane_loops import BORDER as RING
from kernels.host.lane_loops import KNOWN
from kernels.host.look_loops import WAITING
from kernels.host.loop_emitter import ARRAYS, WIDTH
from kernels.host.nearby import nearest_within
from kernels.host.scratch import aligned, scratch
from kernels.ir.table import FEATURE, TableType

Array = npt.NDArray[Any]

FEATURE_DTYPE = TableType(FEATURE, 1).numpy
ROUNDING = 1.0 / 12.0  # variance of whole gray values by their rounding
NEIGHBOURS = 8  # nearest neighbours whose light is taken out
_METHODS = {"gaussian": NEVER, "radial": ALWAYS, "auto": CHOSEN}
PLAIN = frozenset(np.dtype(name) for name in ("uint8", "int8", "uint16", "int16", "float32"))  # exact in f32
_TYPES = frozenset(np.dtype(name) for name in ARRAYS.values())


def window_radius(sigma: float) -> int:
    """Half width of the window that is weighted, px: 3.3 sigma."""
    return max(2, round(3.3 * sigma))


def gaussian_centres(image: Array, x: Array, y: Array, sigma: float, grain: float = 0.0) -> Array:
    """Refine the centres of blobs that are brighter than their surroundings.

    Args:
        image: (height, width), any real type; brightness.
        x, y: (n,) starting points, px, within about 1.5 sigma of the blobs' centres.
        sigma: standard deviation of the weights, px; best the blobs' own.
        grain: variance of a pixel at least, for the forecast (`ROUNDING` for whole gray values).

    Returns:
        Rows of `FEATURE`, one a starting point, in the same order. mass is the sum over the window, peak its largest
        pixel, both above the background; area is that of the half maximum, pi (2 ln 2) width^2; xx = yy is the
        blob's width squared and xy = 0; sigma comes from the scatter of the ring, its slope and the odd part of the
        residuals, at least SETTLED; where pixels lack from the covariance of the fit, at most the window's radius;
        beside others it is larger (`crowding`).
        It is the root of the mean of the variances of x and y; anisotropy is half their difference by that mean: what
        an edge cuts is surer along it than across, and what is oblong across than along its length. A blob
        without light, or one that wanders off by more than the window's radius, keeps its start and has sigma = NaN.
    """
    return centres_in(image[None], np.zeros(len(x), np.int64), x, y, sigma, grain)


def centres_in(
    images: Array, frame: Array, x: Array, y: Array, sigma: float, grain: float = 0.0, *, single: bool = False,
    dark: bool = False, method: str = "gaussian", shapes: bool = False,
) -> Array:  # fmt: skip
    """The same in several frames at once; no blob depends on those of other frames.

    Args:
        images: (frames, height, width).
        frame: (n,) i64, the frame of each starting point.
        single: take the pixels as f32.
        dark: take the negative of the pixels, as f32.
        method: "gaussian"; "radial" takes x, y and their sigma from radial symmetry where a blob's window is whole;
            "auto" does so for small, bright blobs that stand alone, whose own shot noise counts: there it is up to 7 %
            better.
        shapes: mass, peak, xx, xy and yy come from the sums over the light within `window_radius` (its own second
            moments, noise and all) where it has light; area is 0 then.
    """
    n = len(x)
    rows = np.zeros(n, FEATURE_DTYPE)
    if n == 0:
        return rows
    if images.dtype not in _TYPES or ((single or dark) and images.dtype not in PLAIN):
        images = images.astype(np.float32 if single or dark else np.float64)
    images = np.ascontiguousarray(images)
    frame = np.ascontiguousarray(frame, np.int64)
    sigma, radius = float(sigma), window_radius(sigma)
    start_x, start_y = np.ascontiguousarray(x, np.float64), np.ascontiguousarray(y, np.float64)
    near = nearest_within(start_x, start_y, 2.0 * radius + RING, NEIGHBOURS, images.shape[1:], frame)
    size = 2 * (radius + RING) + 1
    pitch = -(-size // 8) * 8
    area = size * pitch
    fixed, around = _parts(size, pitch)
    start = np.concatenate((start_x, start_y))
    state = scratch("centres.state", 14 * n)
    room = scratch("centres.window", 12 * area + 17 * pitch + 576 + 8 * KNOWN)
    known = KNOWN + 2 * pitch + 2 * WAITING
    kind = np.dtype(np.float32 if images.dtype in PLAIN else np.float64)
    many = WIDTH[kind.name]
    lanes = scratch(f"centres.lanes.{kind.char}", many * (4 * area + 10 * pitch + known + 32), kind).reshape(-1, many)
    rooms = lanes[:area], lanes[area : area + known], lanes[area + known :]
    call(centres_loop, images.reshape(-1), images.size, *images.shape[1:], frame, -1.0 if dark else 1.0,
         images.dtype.kind != "f", n, near, NEIGHBOURS, start, state[: 6 * n], state[6 * n : 10 * n],
         state[10 * n : 12 * n], state[12 * n :], scratch("centres.due", 3 * n + 272, np.int64), sigma, radius, size,
         pitch, fixed, room, around, len(around), *rooms, grain, np.nan, _METHODS[method], shapes,
         rows.view(np.float64), pixels=images.dtype, lanes=kind)  # fmt: skip
    if method != "radial" and near[:, 0].max() >= 0:
        call(crowded_loop, n, near, NEIGHBOURS, state, sigma, radius, crowding(sigma, radius), rows.view(np.float64))
    return rows


@lru_cache(maxsize=8)
def _parts(size: int, pitch: int) -> tuple[Array, Array]:
    """1 in a window's columns (a row), in its ring and within it (a window each), and 0, 1, 2 ... (a row); where the
    ring's pixels stand in it."""
    inner = np.zeros(pitch)
    inner[:size] = 1.0
    core, ring = np.zeros((2, size, pitch))
    core[RING:-RING, RING : size - RING] = 1.0
    ring[:, :size] = 1.0 - core[:, :size]
    fixed = aligned(np.concatenate((inner, ring.reshape(-1), core.reshape(-1), np.arange(float(pitch)))))
    return fixed, np.flatnonzero(ring)
