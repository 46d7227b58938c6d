"""Winograd's minimal filtering: m x m pixels of a 3x3 convolution by (m + 2)^2 products a pair of channels, not 9 m^2.

A tile d of (m + 2)^2 pixels and the kernel g are evaluated at points, multiplied there, and m^2 pixels interpolated:
A^T [(G g G^T) * (B^T d B)] A (Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2016). With the points
0, +-p and infinity, B^T and A^T hold small whole numbers, and rows of +p and -p share their even and odd parts.

In real arithmetic that is the convolution; computed, what cancels in A and B leaves roundings that are larger than
those of the plain sum by the sizes of these matrices (Barabasz, Anderson, Soodhalter, Gregg, Error analysis and
improving the accuracy of Winograd convolution for deep neural networks, 2020). `Filtering.error` is that bound. What is
no finite number spreads over its tile.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
TAPS = 3
"""Of a kernel, each way."""
UNIT = 2.0**-24


@dataclass(frozen=True, slots=True)
class Filtering:
    """F(m x m, 3 x 3).

    Args:
        outputs: m.
        points: the positive ones.
    """

    outputs: int
    points: tuple[int, ...]

    @property
    def tile(self) -> int:
        """Pixels that a tile looks at, each way."""
        return self.outputs + TAPS - 1

    @property
    def groups(self) -> int:
        """Products a pair of channels."""
        return self.tile**2

    @property
    def pairs(self) -> list[tuple[int, ...]]:
        """The numbers of the points in their order; those of +p and -p, which share operations, together."""
        return [(0,), *((1 + 2 * k, 2 + 2 * k) for k in range(len(self.points))), (self.tile - 1,)]

    def even(self, without: int = 0) -> tuple[int, ...]:
        """The coefficients of the product of z - p^2 over the points p but one, from that of 1 on."""
        made = [1]
        for p in self.points:
            if p != without:
                made = [a - p * p * b for a, b in zip([0, *made], [*made, 0], strict=True)]
        return tuple(made)

    @property
    def roundings(self) -> int:
        """Of a value on its way into a product, both ways, and from there to a pixel: at most."""
        return 2 * len(self.points) + 2 * (len(self.points) + 1)

    @property
    def reading(self) -> int:
        """Operations of B^T times a column."""
        k = len(self.points)
        return 2 * k + k * 2 * k

    @property
    def making(self) -> int:
        """Operations of A^T times a column; sums and differences of two points are shared by its rows."""
        k = len(self.points)
        return 2 * k + self.outputs * (k - 1) + 2

    def operations(self, weights: tuple[int, int, int, int], size: tuple[int, int]) -> int:
        """Of a layer of weights (F, 3, 3, C), a multiply-add being one: products, what goes in and what comes out."""
        f, _, _, c = weights
        tiles = -(-size[0] // self.outputs) * -(-size[1] // self.outputs)
        out = (self.tile + self.outputs) * self.making
        return tiles * (self.groups * f * c + 2 * self.tile * self.reading * c + out * f)

    def matrices(self) -> tuple[list[list[Fraction]], list[list[Fraction]], list[list[Fraction]]]:
        """A^T (outputs, tile), G (tile, taps), B^T (tile, tile); of the points 0, p, -p ..., infinity in this order."""
        finite = [0, *(sign * p for p in self.points for sign in (1, -1))]
        a = [[Fraction(x**r) for x in finite] + [Fraction(r == self.outputs - 1)] for r in range(self.outputs)]
        g = [[Fraction(x**k, math.prod(x - y for y in finite if y != x)) for k in range(TAPS)] for x in finite]
        g.append([Fraction(k == TAPS - 1) for k in range(TAPS)])
        b = [_product([[-y, 1] for y in finite if y != x], self.tile) for x in finite]
        b.append(_product([[-y, 1] for y in finite], self.tile))
        return a, g, b

    def transformed(self, weights: Array) -> Array:
        """G g G^T of weights (F, 3, 3, C), f64: (tile, tile, F, C)."""
        g = np.array(self.matrices()[1], np.float64)
        return np.asarray(np.einsum("ij,fjkc,lk->ilfc", g, weights.astype(np.float64), g, optimize=True))

    def rounded(self, channels: int) -> float:
        """By which share of its terms' sizes a pixel can be off: gamma(n), n the roundings on the longest way to it.

        A sum of so many products, of the bias and weights that were rounded, a step of what goes in and out each.
        """
        count = channels + 1 + self.roundings + 1
        return count * UNIT / (1 - count * UNIT) if count * UNIT < 1 else math.inf

    def error(self, weights: Array, size: Array) -> Array:
        """How far what is computed can lie from the real sum, for each channel that is made, f64; what a sum begins
        with is off by `rounded` of itself besides.

        Terms' sizes are those of A, U and B without signs (Higham, Accuracy and Stability of Numerical Algorithms, 2nd
        ed., 3.1 and 3.5).

        Args:
            weights: (F, 3, 3, C).
            size: the largest |x| of each channel that is looked at, or of all.
        """
        a, _, b = (np.abs(np.array(m, np.float64)) for m in self.matrices())
        seen = b.sum(1)
        products = (np.abs(self.transformed(weights)) * size).sum(3) * np.outer(seen, seen)[..., np.newaxis]
        sizes = np.einsum("ri,ijf,sj->rsf", a, products, a, optimize=True).max((0, 1))
        return np.asarray(sizes * self.rounded(weights.shape[3]))


def _product(factors: list[list[int]], length: int) -> list[Fraction]:
    """Polynomials multiplied, from the coefficient of 1 on."""
    made = [1]
    for low, high in factors:
        made = [low * x + high * y for x, y in zip([*made, 0], [0, *made], strict=True)]
    return [Fraction(x) for x in made] + [Fraction(0)] * (length - len(made))


FILTERINGS = {2: Filtering(2, (1,)), 4: Filtering(4, (1, 2))}
"""By the pixels that a tile makes, each way."""
