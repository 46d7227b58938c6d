"""Whether all of a picture are numbers, wherever one is none."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.loops.finite import finite, strange


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (7, 9), (8, 8), (5, 27)])
def test_one_that_is_none_is_found(kind, shape):
    rng = np.random.default_rng(1)
    picture = rng.normal(0, 100, shape).astype(kind)
    big = np.finfo(kind).max
    assert finite(picture)
    assert finite(np.full(shape, big, kind))
    for place in range(picture.size):
        for value in (np.nan, np.inf, -np.inf):
            other = picture.copy()
            other.flat[place] = value
            assert not finite(other)
            assert not finite(np.repeat(other, 2, axis=1)[:, ::2])  # not contiguous


def test_the_largest_numbers_of_both_signs_are_numbers():
    for kind in (np.float32, np.float64):
        picture = np.full((8, 16), np.finfo(kind).max)
        picture[::2] *= -1
        assert finite(picture.astype(kind))


def test_the_loop_is_python_too():
    values, work = np.ones((4, 16), np.float32), np.empty((1, 16), np.float32)
    assert strange(values, 4, work) == 0
    values[2, 7] = np.nan
    assert strange(values, 4, work) == 1
