"""Winograd's minimal filtering: the convolution in exact arithmetic; its operations; its bound."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.fusion.winograd import FILTERINGS, TAPS, UNIT, Filtering

ONE = np.ones(1)
EACH = pytest.mark.parametrize("how", FILTERINGS.values(), ids=str)


def exact(rows: object) -> np.ndarray:
    """A matrix of fractions."""
    return np.array(rows, object)


@EACH
@given(seed=st.integers(0, 2**32 - 1))
def test_a_tile_is_the_convolution(how: Filtering, seed: int):
    rng = np.random.default_rng(seed)
    a, g, b = map(exact, how.matrices())
    d, k = (exact([[Fraction(int(v), 7) for v in row] for row in rng.integers(-99, 100, (n, n))])
            for n in (how.tile, TAPS))  # fmt: skip
    made = a.dot((g.dot(k).dot(g.T)) * (b.dot(d).dot(b.T))).dot(a.T)
    wanted = [[(d[y : y + TAPS, x : x + TAPS] * k).sum() for x in range(how.outputs)] for y in range(how.outputs)]
    assert (made == exact(wanted)).all()


@EACH
def test_products_are_fewer(how: Filtering):
    pixels = how.outputs**2
    assert how.groups < 9 * pixels
    alone = how.operations((1, 3, 3, 1), (how.outputs, how.outputs))
    assert how.operations((64, 3, 3, 64), (how.outputs, how.outputs)) == how.groups * 64**2 + (alone - how.groups) * 64
    assert how.operations((64, 3, 3, 64), (9, 9)) < 9 * 64**2 * 81
    assert how.operations((5, 3, 3, 8), (1, 1)) == how.operations((5, 3, 3, 8), (how.outputs, how.outputs))


def test_larger_tiles_are_less_exact():
    weights = np.random.default_rng(1).standard_normal((6, 3, 3, 32))
    plain = np.abs(weights).sum((1, 2, 3)) * 32 * UNIT
    small, large = (FILTERINGS[m].error(weights, ONE) / plain for m in (2, 4))
    assert (small > 2).all()
    assert (large > 10 * small).all()
    assert (large < 400).all()
    assert np.allclose(FILTERINGS[4].error(3 * weights, ONE), 3 * FILTERINGS[4].error(weights, ONE))


def test_a_bound_of_one_tap_can_be_told_by_hand():
    """A kernel that is 1 in its middle: what goes in and out has sizes of |B| and |A| alone."""
    weights = np.zeros((1, 3, 3, 1))
    weights[0, 1, 1] = 1
    g = [Fraction(0), Fraction(1, 2), Fraction(1, 2), Fraction(0)]  # the middle tap at 0, 1, -1, infinity
    along = max(sum(abs(a * v) * s for a, v, s in zip(row, g, (2, 2, 2, 2), strict=True))
                for row in ((1, 1, 1, 0), (0, 1, 1, 1)))  # fmt: skip
    count = 1 + 1 + FILTERINGS[2].roundings + 1
    assert FILTERINGS[2].error(weights, ONE)[0] == pytest.approx(float(along) ** 2 * count * UNIT, rel=1e-4)
