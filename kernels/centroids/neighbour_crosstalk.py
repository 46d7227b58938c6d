"""The uncertainty of the centres of two blobs near each other, by what each leaves in the other's window.

A centre settles where the sums over its window of w R x, w R y, w R and w R r^2 are 0 (w the weights, R what the models
of both blobs and the level of the ring leave): that makes its place, height and width. Whatever noise does to one blob
is so in what is taken out of the other's window, and comes back. To first order the errors e of all ten numbers answer
the pixels' noise n by J e = K n, K the weights of the sums and J what the sums say of a change of each number, so that
the covariance of the places is that of J^-1 K K' (J^-1)' (the sandwich of estimating equations: Huber, 5th Berkeley
Symposium, 1967). Weights as wide as the blobs make K the derivatives of the models: that of a least-squares fit of
both. It depends on neither blob's light. What two neighbours add to a third is added.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kernels.centroids.centroid_simd import BORDER
from kernels.centroids.neighbour_crosstalk_loops import FAR, FARS, NEAR, THIN, THINS
from kernels.loops.scratch import aligned

Array = npt.NDArray[Any]
STEPS = 4096


@lru_cache(maxsize=8)
def crowding(sigma: float, radius: int) -> Array:
    """The ratio of the variance of a place alone to that beside another blob: (THINS, FARS, 2), 0..1, along the line
    between both and across it.

    Rows are by the width of both, entries by how many widths they are apart (NEAR..FAR).

    Args:
        sigma: width of the weights, px.
        radius: of the window, px.

    >>> np.round(crowding(1.4, 5)[2, ::3, 0], 2).tolist()  # of the weights' own width
    [0.01, 0.25, 0.72, 0.95, 0.99]
    """
    table = np.ones((THINS, FARS, 2))
    for i in range(THINS):
        width = sigma * THIN * 2.0 ** (0.5 * i)
        alone = _variances(3.0 * (radius + BORDER), width, sigma, radius)
        for k in range(FARS):
            apart = width * (NEAR + (FAR - NEAR) * k / (FARS - 1))
            table[i, k] = alone / _variances(apart, width, sigma, radius)
    # In steps that are coarser than what sums differ by from machine to machine.
    return aligned(np.clip(np.rint(table * STEPS), 1.0, STEPS) / STEPS)


def _variances(apart: float, width: float, sigma: float, radius: int) -> Array:
    """Variances (2,) of a place along and across the line between two blobs `apart` px from each other, px^2 for pixels
    of variance 1 and heights of 1."""
    reach = radius + BORDER + 0.5
    side = np.arange(-np.ceil(reach + apart / 2), np.ceil(reach + apart / 2) + 1)
    x, y = side[None, :], np.arange(-np.ceil(reach), np.ceil(reach) + 1)[:, None]
    shape = (y.size, x.size)
    changes, sums = [], []  # of the models by place, height and width; and what is summed
    for middle in (-0.5 * apart, 0.5 * apart):
        dx = x - middle
        square = dx * dx + y * y
        bell, w = np.exp(-square / (2 * width**2)), np.exp(-square / (2 * sigma**2))
        window = (np.abs(dx) <= radius + 0.5) & (np.abs(y) <= radius + 0.5)
        ring = (np.abs(dx) <= reach) & (np.abs(y) <= reach) & ~window
        w = w * window
        changes.append([bell * dx, bell * y, bell, bell * square])
        sums.append([w * dx, w * y, w, w * square, ring / ring.sum()])
    flat = [np.array([np.broadcast_to(v, shape).ravel() for v in one]) for one in changes]
    kernel = [np.array([np.broadcast_to(v, shape).ravel() for v in one]) for one in sums]
    jacobian = np.zeros((10, 10))
    for i in range(2):
        for j in range(2):
            jacobian[5 * i : 5 * i + 5, 5 * j : 5 * j + 4] = kernel[i] @ flat[j].T
        jacobian[5 * i + 4, 5 * i : 5 * i + 4] = 0.0  # the ring is beyond the blob's own light
        jacobian[5 * i : 5 * i + 5, 5 * i + 4] = kernel[i].sum(axis=1)
    every = np.concatenate(kernel)
    answer = np.linalg.solve(jacobian, every)
    return np.array(((answer[0] ** 2).sum(), (answer[1] ** 2).sum()))
