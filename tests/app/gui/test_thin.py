"""Thinned curves keep their extremes at their places, on any axis."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.gui.traces.thin import DENSE, thinned, thinned_evenly


@given(st.integers(1, 5000), st.integers(1, 60), st.booleans(), st.integers(0, 99))
def test_each_column_keeps_its_lowest_and_highest_point(count: int, columns: int, log: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    x = np.arange(1.0, count + 1)
    at = np.log10(x) if log else x
    y = np.round(random.normal(size=count), 1)
    low, high = float(at[0]), float(at[-1])
    few = thinned(at, y, low, high, columns)
    assert few[0] == 0
    assert few[-1] == count - 1
    assert (np.diff(few) > 0).all()
    assert len(few) <= max(DENSE * columns, 2 * columns + 6)
    column = np.searchsorted(np.linspace(low, high, columns + 1)[1:-1], at, side="right")
    for k in np.unique(column):
        whole, kept = y[column == k], y[few][column[few] == k]
        assert kept.max() == whole.max()
        assert kept.min() == whole.min()


@given(st.integers(1, 5000), st.integers(1, 60), st.sampled_from([0.0, 0.3, 0.99, 1.0]), st.integers(0, 99))
def test_even_columns_keep_their_extremes_and_a_gap_each(count: int, columns: int, gaps: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    at, y = np.arange(float(count)), np.round(random.normal(size=count), 1)
    y[random.random(count) < gaps] = np.nan
    few = thinned_evenly(at, y, 0.0, count - 1.0, columns)
    assert (np.diff(few) > 0).all()
    assert {0, count - 1} <= set(few.tolist())
    each = count // columns
    if each <= DENSE:
        assert len(few) == count
        return
    assert len(few) <= 3 * (columns + 2 + columns // each) + 2
    for first in range(0, count, each):
        whole = y[first : first + each]
        kept = y[few[(few >= first) & (few < first + each)]]
        assert np.isnan(kept).any() == np.isnan(whole).any() or first + each >= count - 1 or first == 0
        there = whole[np.isfinite(whole)]
        if len(there):
            assert (np.nanmin(kept), np.nanmax(kept)) == (there.min(), there.max())


def test_what_is_seen_of_a_long_curve_is_drawn_finely() -> None:
    at = np.arange(1e6)
    few = thinned_evenly(at, np.sin(at), 5e5, 5e5 + 800, 400)
    assert (few[1:-1] == np.arange(499_999, 500_802)[: len(few) - 2]).all()
    assert len(thinned_evenly(at[:0], at[:0], 0.0, 1.0, 10)) == 0


def test_slow_lines_stay_apart_on_a_logarithmic_axis() -> None:
    frequency = np.arange(1, 200_000) * 0.005
    height = np.full(len(frequency), 1e-3)
    height[[3, 9]] = 1.0  # at 0.02 and 0.05 Hz
    at = np.log10(frequency)
    few = thinned(at, height, float(at[0]), float(at[-1]), 900)
    assert {3, 9, 4, 8} <= set(few.tolist())
    assert len(few) < 2000


def test_what_is_seen_is_drawn_finely_and_the_ends_stay() -> None:
    at = np.arange(100_000.0)
    few = thinned(at, np.sin(at), 50_000.0, 50_300.0, 400)
    assert few[0] == 0
    assert few[-1] == 99_999
    assert (few[1:-1] == np.arange(49_999, 50_302)[: len(few) - 2]).all()
    assert len(thinned(at[:0], at[:0], 0.0, 1.0, 10)) == 0
