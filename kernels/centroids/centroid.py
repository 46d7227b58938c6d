"""Sub-pixel centres of small blobs: the iterated Gaussian-weighted centroid, many at once, touching ones included.

At the fixed point of c <- c + gain * sum(w g (x - c)) / sum(w g), w = exp(-|x - c|^2 / (2 sigma^2)), the blob's
correlation with a Gaussian is largest: the maximum likelihood centre of a Gaussian blob in white noise, at a fraction
of a least-squares fit's cost (Thomas et al., MNRAS 371, 2006; Bernstein and Jarvis, Astron. J. 123, 2002). A step
measures a part of the true offset, for a round blob of width s sigma^2 / (s^2 + sigma^2); `gain` its inverse. M being
the second moments of the light under the weights, about their mean, it is the matrix (1 - M / sigma^2)^-1: exact for a
Gaussian of any axes, and where steps are small Newton's method for a blob of any shape.

What would pull the centre is taken out first: the background (a plane: the level of a ring within 2.5 standard
deviations, and of its slope what cannot be noise), neighbours (their Gaussian models, blobs near each other in turns)
and pixels outside the picture or NaN (the blob's own model is there, and a least-squares fit of the pixels that
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

from kernels.centroids.batch_loops import centred_loop, centred_room
from kernels.centroids.centroid_simd import BORDER as RING
from kernels.centroids.neighbour_crosstalk import crowding
from kernels.centroids.row_loops import ALWAYS, CHOSEN, NEVER
from kernels.centroids.structs import Memory, Method, Starts, Windows
from kernels.ir.table import FEATURE, TableType
from kernels.loops.calling import call
from kernels.loops.emitter import ARRAYS
from kernels.loops.fractions import Images, dense, flat, pixels_of
from kernels.loops.scratch import LINE, aligned, scratch
from kernels.regions.structs import Frames

Array = npt.NDArray[Any]

FEATURE_DTYPE = TableType(FEATURE, 1).numpy
ROUNDING = 1.0 / 12.0  # variance of whole gray values by their rounding
METHODS = {"gaussian": NEVER, "radial": ALWAYS, "auto": CHOSEN}
PLAIN = frozenset(np.dtype(name) for name in ("uint8", "int8", "uint16", "int16", "float32"))  # exact in f32
LEAST_RADIUS = 2
"""px; of narrower windows no ground and no slope could be told from the light."""
_LANES = {8: "centres.lanes.8", 16: "centres.lanes.16"}
_TYPES = frozenset(np.dtype(name) for name in ARRAYS.values())


def window_radius(sigma: float) -> int:
    """Half width of the window that is weighted, px: 3.3 sigma."""
    return max(LEAST_RADIUS, round(3.3 * sigma))


def centres_in(
    images: Array, frame: Array, x: Array, y: Array, sigma: float, grain: float = 0.0, *, dark: bool = False,
    method: str = "gaussian", together: bool = False,
) -> Array:  # fmt: skip
    """Refine the centres of blobs that are brighter than their surroundings, in several frames at once; no blob depends
    on those of other frames.

    Args:
        images: (frames, height, width), any real type; brightness.
        frame: (n,) i64, the frame of each starting point.
        x, y: (n,) starting points, px, within about 1.5 sigma of the blobs' centres.
        sigma: standard deviation of the weights, px; best the blobs' own.
        grain: variance of a pixel at least, for the forecast (`ROUNDING` for whole gray values).
        dark: take the negative of the pixels, as f32.
        method: "gaussian"; "radial" takes x, y and their sigma from radial symmetry where a blob is round and its
            window whole; "auto" does so for small, bright blobs that are alone, whose own shot noise counts: there it
            is up to 7 % better.
        together: sigma comes from what all blobs of a frame tell of the noise of pixels (`pooled_noise_loops`), which
            scatters less; else each blob's own window alone tells; `frame` has to rise.

    Returns:
        Rows of `FEATURE`, one a starting point, in the same order. mass is the sum over the window, peak its largest
        pixel, both above the background; area is that of the half maximum, pi (2 ln 2) width^2; xx = yy is the
        blob's width squared and xy = 0; stretch and lean are half the difference of the second moments and the mixed
        one, as they follow from the weighted light (`row_loops.shape_of`): their variance in noise is 2 width^2
        times that of a coordinate, the Cramer-Rao bound; sigma comes from the scatter of the ring, its slope and the
        odd part of the residuals, at least SETTLED; where pixels lack from the covariance of the fit, at most the
        window's radius; beside others it is larger (`neighbour_crosstalk`).
        min and max are NaN: a window is no region.
        It is the root of the mean of the variances of x and y; anisotropy is half their difference by that mean: what
        an edge cuts is surer along it than across, and what is oblong across than along its length. A blob
        without light, or one that wanders off by more than the window's radius, nearer to where another one begins or
        farther out of the picture than two sigma, keeps its start and has sigma = NaN.
    """
    # min and max stay NaN; the loops write all other columns.
    n = len(x)
    rows = np.zeros(n, FEATURE_DTYPE)
    rows["min"] = rows["max"] = np.nan
    if n == 0:
        return rows
    looked, kind = pictures(images, dark)
    frame = np.ascontiguousarray(frame, np.int64)
    start_x, start_y = np.ascontiguousarray(x, np.float64), np.ascontiguousarray(y, np.float64)
    weights = windows(sigma)
    memory = memory_of(kind, *centred_room(n, weights, *images.shape[1:]))
    how, start = Method(grain, np.nan, METHODS[method], False), np.concatenate((start_x, start_y))
    starts = Starts(frame, n, start, together, rows.view(np.float64).reshape(-1))
    call(centred_loop, frames_of(looked, dark), weights, how, memory, starts, pixels=pixels_of(looked), lanes=kind)
    return rows


def frames_of(images: Images, dark: bool) -> Frames:
    """Images (frames, height, width), contiguous, as loops take them."""
    pixels, (height, width) = flat(images), images.shape[1:]
    return Frames(pixels, pixels.size, height, width, -1.0 if dark else 1.0, images.dtype.kind != "f")


def pictures(images: Images, single: bool) -> tuple[Images, np.dtype[Any]]:
    """Images as `centred_loop` takes them, as f32 if `single`, and the type of its LANES."""
    if images.dtype not in _TYPES or (single and images.dtype not in PLAIN):
        images = np.asarray(images, np.float32 if single else np.float64)
    return dense(images), np.dtype(np.float32 if images.dtype in PLAIN else np.float64)


def sized(radius: int) -> Windows:
    """Windows of a size, without what is in them: for who asks how much memory they take."""
    # A row is padded to a multiple of eight, the numbers that one load takes.
    size, none = 2 * (radius + RING) + 1, np.empty(0)
    return Windows(1.0, radius, size, -(-size // 8) * 8, 2.0 * radius + RING, none, none, 0, none)


@lru_cache(maxsize=8)
def windows(sigma: float) -> Windows:
    """Those for weights of a standard deviation, px."""
    bare = sized(radius := window_radius(sigma))
    size, pitch = bare.size, bare.pitch
    inner = np.zeros(pitch)
    inner[:size] = 1.0
    core, ring = np.zeros((2, size, pitch))
    core[RING:-RING, RING : size - RING] = 1.0
    ring[:, :size] = 1.0 - core[:, :size]
    fixed = aligned(np.concatenate((inner, ring.reshape(-1), core.reshape(-1), np.arange(float(pitch)))))
    around = np.flatnonzero(ring)
    return Windows(float(sigma), radius, size, pitch, bare.reach, fixed, around, len(around),
                   crowding(float(sigma), radius))  # fmt: skip


def memory_of(kind: np.dtype[Any], whole: int, floats: int, vectors: int) -> Memory:
    """Memory of the thread's own for so many whole numbers, floats, and vectors of LANES of a kind."""
    many = LINE // kind.itemsize
    lanes = scratch(_LANES[many], many * vectors, kind).reshape(-1, many)
    return Memory(scratch("centres.whole", whole, np.int64), scratch("centres.floats", floats), lanes)
