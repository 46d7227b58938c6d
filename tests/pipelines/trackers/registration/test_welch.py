"""Spectra while the signal comes: units, gaps, pieces of any length."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.signal
from hypothesis import given
from hypothesis import strategies as st

from pipelines.trackers.registration.spectra import welch as module
from pipelines.trackers.registration.spectra.welch import Welch, amplitude_errors, periodogram, spectra_of


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
    signal = np.random.default_rng(count).normal(size=(count, 40, 1)).astype(np.float32)
    power, pieces, used = made(signal, length, parts).spectra()
    want = min(length, count - count % 2)
    assert used == want
    _, expected = scipy.signal.welch(signal[..., 0].astype(np.float64), 1.0, "hann", want, want // 2,
                                     detrend="constant", axis=0)  # fmt: skip
    np.testing.assert_allclose(power[:, 0], expected.T, rtol=1e-6, atol=1e-12)
    assert pieces.tolist() == [max(1, (count - want) // (want // 2) + 1)] * 40


@given(st.lists(st.integers(1, 90), max_size=8), st.integers(0, 2**31))
def test_parts_other_rows_and_snapshots_change_no_bit(parts, seed):
    random = np.random.default_rng(seed)
    count, rows = int(random.integers(1, 400)), int(random.integers(1, 80))
    signal, known = random.normal(size=(count, rows, 3)), random.random((count, rows)) > 0.002
    cuts, breaks = np.cumsum([0, *parts, count]), np.flatnonzero(random.random(count) < 0.01)
    cuts = np.unique(np.concatenate((cuts, breaks)).clip(0, count)).tolist()
    states, dropped, kept = [], int(random.integers(0, count)), random.random(rows) > 0.3

    def dropping(welch, at):
        if at == dropped:
            welch.keep(kept)
        return kept if at >= dropped else np.ones(rows, bool)

    for some in (sorted({*cuts, dropped}), range(count + 1)):
        welch = Welch(64, 3)
        welch.grow(rows)
        for first, last in zip(some, [*some[1:], count], strict=True):
            if first in breaks:
                welch.gap()
            mine = dropping(welch, first)
            welch.add(signal[first:last][:, mine], known[first:last][:, mine])
            if first % 7 == 0:
                state, welch = welch.snapshot(), Welch(64, 3)
                welch.restore(state)
        states.append({name: value.tobytes() for name, value in welch.snapshot().items()})
        states[-1]["spectra"] = welch.spectra()[0].tobytes()
        one = np.arange(len(welch.pieces)) == len(welch.pieces) // 2
        assert np.array_equal(welch.spectra(one)[0], welch.spectra()[0][one], equal_nan=True)
    assert states[0] == states[1]


def test_rows_are_transformed_in_turns(monkeypatch):
    taken = []
    monkeypatch.setattr(module, "periodogram", lambda samples: taken.append(samples.shape[1]) or periodogram(samples))
    signal = np.random.default_rng(0).normal(size=(200, 70, 2))
    welch = Welch(64, 2)
    welch.grow(70)
    for sample in signal:
        before = sum(taken)
        welch.add(sample[None], np.ones((1, 70), bool))
        assert sum(taken) - before <= 3  # of 70 rows in 32 samples
    assert sum(taken) == 4 * 70 + 6 * 3 + 2 * 2  # and of the fifth piece eight turns
    assert (welch.spectra()[1] == 5).all()


def test_an_older_snapshot_goes_on_with_what_it_had():
    signal = np.random.default_rng(1).normal(size=(300, 3, 2)).astype(np.float32)
    known = np.ones((300, 3), bool)
    known[110, 1] = False
    # Of 120 samples the last 56 from the second half of the last piece on stood in front.
    old = {"samples": np.concatenate((signal[64:120], np.zeros((8, 3, 2), np.float32))),
           "known": np.concatenate((known[64:120], np.zeros((8, 3), bool))), "filled": np.array(56)}  # fmt: skip
    part = made(signal[:96], 64)
    old |= {"power": part.spectra()[0] * 2, "pieces": np.full(3, 2)}
    welch = Welch(64, 2)
    welch.restore({f"welch.{name}": value for name, value in old.items()})
    welch.add(signal[120:], known[120:])
    wanted = made(signal, 64, known=known).spectra()
    np.testing.assert_allclose(welch.spectra()[0], wanted[0], rtol=1e-12)
    assert welch.spectra()[1].tolist() == wanted[1].tolist()


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


@pytest.mark.parametrize("pieces", [1, 4, 15])
def test_amplitudes_vary_by_their_stated_errors(pieces):
    count = 64 + 32 * (pieces - 1)
    signal = np.random.default_rng(pieces).normal(size=(count, 3000, 4)).astype(np.float32)
    welch = made(signal, 64)
    rows = spectra_of(welch, np.ones(3000, bool), np.arange(3000), 1000.0)
    assert (rows["pieces"] == pieces).all()
    stated = amplitude_errors(rows).reshape(3000, 32, 2)
    seen = np.stack((rows["x"], rows["y"]), axis=-1).reshape(3000, 32, 2)
    ratio = seen.std(axis=0) / np.sqrt((stated**2).mean(axis=0))
    # Of one piece the root is too skew for half the error of the square to be exact.
    assert ratio[1:-1].mean() == pytest.approx(1.0, abs={1: 0.1, 4: 0.03}.get(pieces, 0.012))
    assert ratio[-1].mean() == pytest.approx(1.0, abs=0.2 if pieces == 1 else 0.1)
    assert amplitude_errors(rows[:0]).shape == (0, 2)
