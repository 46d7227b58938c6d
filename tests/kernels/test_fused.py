"""The fused multiply-add in NumPy against whole numbers; ties are constructed, since random numbers never make one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.ir.fused import fma32
from tests.exact import fma
from tests.strategies import same

floats = st.floats(width=32) | st.sampled_from((0.0, -0.0, 1e-40, -1e-45, 1.1754944e-38, 3.4028235e38, np.inf, np.nan))


def both(a, b, c):
    a, b, c = (np.float32(v) for v in (a, b, c))
    with np.errstate(all="ignore"):
        return fma32(a, b, c), fma(a, b, c)


@given(floats, floats, floats)
@settings(max_examples=500)
def test_any_numbers(a, b, c):
    assert same(*both(a, b, c))


def tie(mantissa, exponent, sign, below):
    """A product that is half a step of c, and by a part in 2**46 less or not."""
    c = np.float32(mantissa) * np.float32(2.0) ** exponent
    half = np.float32(2.0) ** (exponent - 1)
    near = 2.0**-23
    a, b = (1 + near, 1 - near) if below else (1.0, 1.0)
    return np.float32(a) * half, np.float32(b * sign), c


@given(st.integers(2**23, 2**24 - 1), st.integers(-120, 100), st.sampled_from((1, -1)), st.booleans())
@settings(max_examples=500)
def test_ties_and_what_is_a_hair_beside_them(mantissa, exponent, sign, below):
    a, b, c = tie(mantissa, exponent, sign, below)
    assert same(*both(a, b, c))
    assert same(*both(a, -b, -c))


@given(st.integers(2**23, 2**24 - 1), st.integers(2**23, 2**24 - 1), st.integers(-150, -100), st.integers(-60, 0))
@settings(max_examples=300)
def test_below_the_normal_numbers(m, n, small, other):
    a, b = np.ldexp(np.float32(m), small), np.ldexp(np.float32(n), other)
    for c in (0.0, 1e-45, -3e-45, 1e-39, -1.1754944e-38):
        assert same(*both(a, b, c))


def test_rounding_twice_is_wrong_where_this_is_right():
    a, b, c = tie(2**23 + 1, 0, 1, True)  # the exact sum lies below the middle, its float64 is the middle
    twice = np.float32(np.float64(a) * np.float64(b) + np.float64(c))
    assert fma32(a, b, c) == np.float32(2**23 + 1)
    assert twice == np.float32(2**23 + 2)


@pytest.mark.parametrize("shapes", [((3, 1), (4,), (3, 4)), ((), (2,), ()), ((0, 2), (2,), (1,))])
def test_operands_broadcast(shapes):
    rng = np.random.default_rng(1)
    a, b, c = (rng.standard_normal(s).astype(np.float32) for s in shapes)
    found = fma32(a, b, c)
    assert found.dtype == np.float32
    assert found.shape == np.broadcast_shapes(*shapes)
    for index in np.ndindex(found.shape):
        assert found[index] == fma(*(np.broadcast_to(v, found.shape)[index] for v in (a, b, c)))
