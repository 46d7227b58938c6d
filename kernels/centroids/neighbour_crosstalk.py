"""The uncertainty of the centres of two blobs near each other, by what each leaves in the other's window.

A centre settles where the sums over its window of w R x, w R y, w R and w R r^2 are 0 (w the weights, R what the models
of both blobs and the level of the ring leave): that makes its place, height and width. Whatever noise does to one blob
is so in what is taken out of the other's window, and comes back. To first order the errors e of all ten numbers answer
the pixels' noise n by J e = K n, K the weights of the sums and J what the sums say of a change of each number, so that
the covariance of the places is that of J^-1 K K' (J^-1)' (the sandwich of estimating equations: Huber, 5th Berkeley
Symposium, 1967). Weights as wide as the blobs make K the derivatives of the models: that of a least-squares fit of
both. It depends on neither blob's light. What two neighbours add to a third is added.

All of these functions are sums of products of a factor in x and one in y, so that sums over pixels are products of sums
over columns and rows, of all distances and widths at once: the table takes 4 ms where sums over pixels took 16.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

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
    widths = sigma * THIN * 2.0 ** (0.5 * np.arange(THINS)[:, None])
    apart = NEAR + (FAR - NEAR) * np.arange(FARS) / (FARS - 1)
    alone = _variances(np.full((THINS, 1), 3.0 * (radius + BORDER)), widths, sigma, radius)
    # In steps that are coarser than what sums differ by from machine to machine.
    table = np.rint(alone / _variances(widths * apart, widths, sigma, radius) * STEPS)
    return aligned(np.clip(table, 1.0, STEPS) / STEPS)


def _variances(apart: Array, width: Array, sigma: float, radius: int) -> Array:
    """Variances of a place along and across the line between two blobs, px^2 for pixels of variance 1 and heights of 1.

    Args:
        apart: (n, m) px between the blobs. width: (n, 1) of both, px.
        sigma, radius: as of `crowding`.

    Returns:
        (n, m, 2).
    """
    reach = radius + BORDER + 0.5
    far = np.ceil(reach + apart.max() / 2)
    x, y = np.arange(-far, far + 1), np.arange(-np.ceil(reach), np.ceil(reach) + 1)
    apart, width = apart[..., None], width[..., None]
    changes: list[_Function] = []  # of the models by place, height, width and level
    sums: list[_Function] = []
    for middle in (-0.5 * apart, 0.5 * apart):
        sides = x - middle, y
        bell = [np.exp(-(side**2) / (2 * width**2)) for side in sides]
        within, whole = ([1.0 * (np.abs(side) <= ends) for side in sides] for ends in (radius + 0.5, reach))
        w = [np.exp(-(side**2) / (2 * sigma**2)) * inside for side, inside in zip(sides, within, strict=True)]
        changes += [*_moments(bell, sides), [(np.ones(1), np.ones(1))]]
        sums += [*_moments(w, sides), [(whole[0], whole[1]), (-within[0], within[1])]]
    weights, models = _Functions.of(sums), _Functions.of(changes)
    jacobian = weights.products(models)
    # The ring is beyond the blob's own light, and its level is of its own window alone.
    jacobian[..., 4, :4] = jacobian[..., 9, 5:9] = jacobian[..., :5, 9] = jacobian[..., 5:, 4] = 0.0
    places = np.linalg.inv(jacobian)[..., :2, :]
    return np.asarray(np.einsum("...ij,...jk,...ik->...i", places, weights.products(weights), places))


_Function = list[tuple[Array, Array]]
"""Of x and y: the sum of products of a factor in x and one in y."""


class _Functions(NamedTuple):
    """Some of them: (..., functions, terms, columns) and (..., functions, terms, rows)."""

    x: Array
    y: Array

    @staticmethod
    def of(functions: Sequence[_Function]) -> _Functions:
        none = [(np.zeros(1), np.zeros(1))]
        terms = [pair for one in functions for pair in (one + none)[:2]]
        made = [np.stack(np.broadcast_arrays(*side), axis=-2) for side in zip(*terms, strict=True)]
        return _Functions(*(one.reshape(*one.shape[:-2], len(functions), 2, one.shape[-1]) for one in made))

    def products(self, others: _Functions) -> Array:
        """(..., functions, functions of `others`): the sums over all pixels of the product of each with each."""
        pairs = zip(self, others, strict=True)
        along, down = (np.einsum("...isx,...jtx->...isjt", *pair, optimize=True) for pair in pairs)
        return np.asarray((along * down).sum(axis=(-3, -1)))


def _moments(factors: Sequence[Array], sides: tuple[Array, Array]) -> list[_Function]:
    """A function of one factor in x and one in y, times x, y, 1 and x^2 + y^2 of its middle."""
    (f, g), (x, y) = factors, sides
    return [[(f * x, g)], [(f, g * y)], [(f, g)], [(f * x * x, g), (f, g * y * y)]]
