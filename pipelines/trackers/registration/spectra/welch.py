"""Spectra of many signals while they come: averaged periodograms of overlapping pieces, in bounded memory.

Welch: The use of the fast Fourier transform for the estimation of power spectra, IEEE Transactions on Audio and
Electroacoustics 15, 1967. One-sided densities, Hann windows, pieces that overlap by half, their means taken off.

A piece of many rows takes longer to be transformed than a frame may. So each row has its turn at one of the samples
that fill the next half piece, until which nothing of this one is written over.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
LEAST = 64  # samples of the shortest piece that is worth a spectrum
HALVES = 3  # of a piece in memory: two that are transformed while one is filled
NUMBERS = ("count", "began", "ended", "grown")
ROWS = ("run", "whole", "turn", "power", "pieces")
SPECTRA_DTYPE = np.dtype(
    [
        ("track", "i4"),
        ("frequency", "f8"),  # Hz
        ("x", "f8"),  # amplitude density of the motion, px/sqrt(Hz)
        ("y", "f8"),
        ("noise_x", "f8"),  # of the measurement's own noise, px/sqrt(Hz)
        ("noise_y", "f8"),
        ("pieces", "i4"),  # spectra that it is the mean of
    ]
)
"""A point and a frequency a row."""


OVERLAP = 1.0 / 36.0
"""How alike the densities of two pieces are that overlap by half, of random signals: (sum of w(k) w(k + n/2) by that of
w(k)^2)^2 of the Hann window w of n samples (Welch, above)."""


def amplitude_errors(rows: Array) -> Array:
    """Standard errors of the amplitude densities of x and of y, (n, 2), px/sqrt(Hz), of motion that is random.

    A density that is the mean of so many pieces varies by 1/sqrt(pieces) of itself, a little more where they overlap,
    its root by half as much; the highest frequency, whose sine is in no piece, by sqrt(2) more. A steady tone varies by
    less, one that comes and goes by more.

    Args:
        rows: of SPECTRA_DTYPE; all of a track together, by frequency.
    """
    pieces = np.maximum(rows["pieces"].astype(np.float64), 1.0)
    share = 0.5 * np.sqrt((1.0 + 2.0 * OVERLAP * (pieces - 1.0) / pieces) / pieces)
    highest = np.append(np.diff(rows["track"]) != 0, True)[: len(rows)]
    share[highest] *= np.sqrt(2.0)
    return np.stack((share * rows["x"], share * rows["y"]), axis=1)


class Welch:
    """Densities of `signals` signals of each of n rows.

    Args:
        length: samples a piece, even.
        signals: a row has.
    """

    def __init__(self, length: int, signals: int) -> None:
        self.length, self.signals = length, signals
        self.count = self.began = 0  # samples so far; those before the last break
        self.ended = -length  # samples before the end of the last piece
        self.grown = 0  # rows so far
        self.samples = np.zeros((HALVES * (length // 2), 0, signals), np.float32)  # sample k at k modulo its length
        self.run = np.zeros(0, np.int64)  # samples without a gap up to the last
        self.whole = np.zeros(0, bool)  # which had no gap in the last piece
        self.turn = np.zeros(0, np.int64)  # with which sample after a piece they are transformed
        self.power = np.zeros((0, signals, length // 2 + 1))
        self.pieces = np.zeros(0, np.int64)

    def grow(self, count: int) -> None:
        """Add rows, at the end; they begin with the next sample."""
        turn = (self.grown + np.arange(count)) % (self.length // 2)
        self.grown += count
        samples = np.zeros((len(self.samples), count, self.signals), np.float32)
        # Where there was none nothing is copied: the memory is touched as samples come.
        self.samples = np.concatenate((self.samples, samples), axis=1) if len(self.pieces) else samples
        self.run = np.concatenate((self.run, np.zeros(count, np.int64)))
        self.whole = np.concatenate((self.whole, np.zeros(count, bool)))
        self.turn = np.concatenate((self.turn, turn))
        self.power = np.concatenate((self.power, np.zeros((count, *self.power.shape[1:]))))
        self.pieces = np.concatenate((self.pieces, np.zeros(count, np.int64)))

    def keep(self, mask: Array) -> None:
        """Drop rows."""
        if not mask.all():
            self.samples = self.samples[:, mask]
            for name in ROWS:
                setattr(self, name, getattr(self, name)[mask])

    def add(self, samples: Array, known: Array) -> None:
        """Take samples.

        Args:
            samples: (frames, n, signals).
            known: bool (frames, n); False where there was none: a piece with a gap is left out.
        """
        done, half = 0, self.length // 2
        while done < len(samples):
            filled = self.count - self.began
            since = self.count - self.ended
            ahead = self.length - filled if filled < self.length else half - since
            place = self.count % len(self.samples)
            # Up to the end of a piece, the end of the ring, or as many as have their turn: each part is one copy and at
            # most one set of transforms.
            take = min(len(samples) - done, ahead, len(self.samples) - place)
            if since < half:  # until all have had their turn their samples stay
                take = min(take, half - since)
            part = known[done : done + take]
            self.samples[place : place + take] = samples[done : done + take]
            self.run = _longer(self.run, part)
            self.count, done = self.count + take, done + take
            if since < half:
                self._take(self.whole & (self.turn >= since) & (self.turn < since + take))
            if take == ahead:
                self.ended, self.whole = self.count, self.run >= self.length

    def gap(self) -> None:
        """A sample is missing for all: begin anew."""
        self.began, self.run = self.count, np.zeros_like(self.run)

    def _take(self, mask: Array) -> None:
        """Transform the last piece of rows."""
        which = np.flatnonzero(mask)
        if len(which):
            self.power[which] += self._piece(which)
            self.pieces[which] += 1

    def _piece(self, which: Array) -> Array:
        """Densities of the last piece of the rows `which`."""
        return periodogram(self._last(self.ended, self.length, which))

    def _last(self, end: int, length: int, which: Array) -> Array:
        """The `length` samples before sample `end`, of the rows `which`."""
        return self.samples[np.arange(end - length, end)[:, None] % len(self.samples), which]

    def _waiting(self) -> Array:
        """Rows whose turn has not come since the last piece."""
        return self.whole & (self.turn >= self.count - self.ended)

    def spectra(self, mask: Array | None = None) -> tuple[Array, Array, int]:
        """Densities (k, signals, frequencies) for samples 1 s apart, pieces averaged (k,), samples a piece.

        A signal too short for one piece gives the spectrum of what there is, if that is 64 samples at least; rows
        without a spectrum are NaN.

        Args:
            mask: the k rows, bool (n,); None for all.
        """
        which = np.arange(len(self.pieces)) if mask is None else np.flatnonzero(mask)
        waiting = self._waiting()
        filled = self.count - self.began
        if filled >= self.length:
            filled = self.length // 2 + self.count - self.ended
        # Some piece was completed, or there is too little for any: the mean of the pieces. Else the signal is shorter
        # than a piece, and all of it is one.
        if filled < LEAST or self.pieces.any() or waiting.any():
            power, pieces = self.power[which], self.pieces[which]
            late = np.flatnonzero(waiting[which])
            if len(late):
                power[late] += self._piece(which[late])
                pieces[late] += 1
            counts = pieces[:, None, None]
            return np.where(counts > 0, power / np.maximum(counts, 1), np.nan), pieces, self.length
        length = filled - filled % 2
        whole = self.run[which] >= filled
        part = self._last(self.count - filled % 2, length, which)
        return np.where(whole[:, None, None], periodogram(part), np.nan), whole.astype(np.int64), length

    def snapshot(self) -> dict[str, Array]:
        """The state, a copy."""
        state = {name: getattr(self, name).copy() for name in ("samples", *ROWS)}
        state |= {name: np.array(getattr(self, name)) for name in NUMBERS}
        return {f"welch.{name}": value for name, value in state.items()}

    def restore(self, state: Mapping[str, Array]) -> None:
        """Go back to a snapshot."""
        if "welch.known" in state:
            state = self._renewed(state)
        for name in ("samples", *ROWS):
            setattr(self, name, state[f"welch.{name}"].copy())
        for name in NUMBERS:
            setattr(self, name, int(state[f"welch.{name}"]))

    def _renewed(self, state: Mapping[str, Array]) -> dict[str, Array]:
        """An older snapshot: all rows were transformed at a piece's end, and its second half stood in front."""
        filled, made = int(state["welch.filled"]), Welch(self.length, self.signals)
        made.grow(len(state["welch.pieces"]))
        made.samples[:filled] = state["welch.samples"][:filled]
        if filled:
            made.run = _longer(made.run, state["welch.known"][:filled])
        made.count = filled
        made.power, made.pieces = state["welch.power"], state["welch.pieces"]
        return made.snapshot()


def _longer(run: Array, known: Array) -> Array:
    """Samples without a gap, once there are more: known, bool (frames, n), frames > 0."""
    if known.all():
        return run + len(known)
    return np.where(known.all(axis=0), run + len(known), np.argmin(known[::-1], axis=0)).astype(np.int64)


@cache
def _window(length: int) -> Array:
    made = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(length) / length)
    made.flags.writeable = False
    return made


def periodogram(samples: Array) -> Array:
    """One-sided densities of one piece, for samples 1 s apart; of a row the same bits beside any others.

    Args:
        samples: (length, n, signals), length even.

    Returns:
        (n, signals, length / 2 + 1), in the signals' unit squared times s.
    """
    window = _window(len(samples))
    signal = np.ascontiguousarray(np.moveaxis(samples, 0, -1), np.float64)
    signal -= signal.mean(axis=-1, keepdims=True)
    power = np.asarray(np.abs(np.fft.rfft(signal * window)) ** 2 / np.sum(window**2))
    power[..., 1:-1] *= 2.0
    return power


def spectra_of(welch: Welch, which: Array, tracks: Array, fps: float) -> Array:
    """Rows of SPECTRA_DTYPE; none without a frame rate.

    Args:
        welch: heard x, y and the noise of both.
        which: of its rows, bool.
        tracks: ids of all.
        fps: frames a second; 0 where it is not known.
    """
    power, pieces, length = welch.spectra(which)
    known = np.flatnonzero(pieces > 0)
    frequencies = np.arange(1, length // 2 + 1) * (fps / length)
    made = np.zeros((len(known), len(frequencies)), SPECTRA_DTYPE)
    if fps and len(known):
        made["track"] = tracks[which][known][:, None]
        made["frequency"], made["pieces"] = frequencies, pieces[known][:, None]
        for k, name in enumerate(("x", "y", "noise_x", "noise_y")):
            made[name] = np.sqrt(power[known, k, 1:] / fps)
    return made.ravel() if fps else made[:0].ravel()
