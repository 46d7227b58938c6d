"""Spectra while the signal comes: units, gaps, pieces of any length."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal
from hypothesis import given
from hypothesis import strategies as st

from pipelines.trackers.patches.welch import Welch


def made(signal, length, parts=(10**9,), known=None):
    welch, at = Welch(length, signal.shape[2]), 0
    welch.grow(signal.shape[1])
    known = np.ones(signal.shape[:2], bool) if known is None else known
    for part in [*parts, len(signal)]:
        welch.add(signal[at : at + part], known[at : at + part])
        at += part
    return welch


@given(st.lists(st.integers(1, 200), max_size=8), st.sampled_from([64, 128]), st.integers(64, 700))
def test_it_is_scipys_welch_in_parts_of_any_length(parts, length, count):
    signal = np.random.default_rng(count).normal(size=(count, 2, 1)).astype(np.float32)
    power, pieces, used = made(signal, length, parts).spectra()
    want = min(length, count - count % 2)
    assert used == want
    _, expected = scipy.signal.welch(signal[:, 0, 0].astype(np.float64), 1.0, "hann", want, want // 2,
                                     detrend="constant")  # fmt: skip
    np.testing.assert_allclose(power[0, 0], expected, rtol=1e-6, atol=1e-12)
    assert pieces.tolist() == [max(1, (count - want) // (want // 2) + 1)] * 2


def test_a_piece_with_a_gap_is_left_out_for_that_row_alone():
    signal = np.random.default_rng(0).normal(size=(256, 2, 1))
    known = np.ones((256, 2), bool)
    known[70, 1] = False
    welch = made(signal, 64, known=known)
    assert welch.spectra()[1].tolist() == [7, 5]
    welch.keep(np.array([False, True]))
    assert welch.spectra()[0].shape == (1, 1, 33)


def test_too_little_gives_nothing_and_a_break_begins_anew():
    signal = np.random.default_rng(0).normal(size=(63, 1, 1))
    welch = made(signal, 64)
    assert welch.spectra()[1].tolist() == [0]
    assert np.isnan(welch.spectra()[0]).all()
    welch.gap()
    welch.add(signal, np.ones((63, 1), bool))
    assert welch.spectra()[1].tolist() == [0]


def test_a_snapshot_goes_on_alike():
    signal = np.random.default_rng(1).normal(size=(300, 1, 2))
    one, other = made(signal[:150], 64), Welch(64, 2)
    other.restore(one.snapshot())
    for welch in (one, other):
        welch.add(signal[150:], np.ones((150, 1), bool))
    assert one.spectra()[0].tobytes() == other.spectra()[0].tobytes()


def test_a_tone_has_its_power():
    signal = (0.7 * np.sin(2 * np.pi * 0.125 * np.arange(512)))[:, None, None]
    power = made(signal, 128).spectra()[0][0, 0]
    assert np.sum(power) / 128 == pytest.approx(0.7**2 / 2, rel=1e-3)
