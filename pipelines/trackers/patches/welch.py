"""Spectra of many signals while they come: averaged periodograms of overlapping pieces, in bounded memory.

Welch: The use of the fast Fourier transform for the estimation of power spectra, IEEE Transactions on Audio and
Electroacoustics 15, 1967. One-sided densities, Hann windows, pieces that overlap by half, their means taken off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
LEAST = 64  # samples of the shortest piece that is worth a spectrum


class Welch:
    """Densities of `signals` signals of each of n rows.

    Args:
        length: samples a piece, even.
        signals: a row has.
    """

    def __init__(self, length: int, signals: int) -> None:
        self.length, self.signals = length, signals
        self.filled = 0
        self.samples = np.zeros((length, 0, signals), np.float32)
        self.known = np.zeros((length, 0), bool)
        self.power = np.zeros((0, signals, length // 2 + 1))
        self.pieces = np.zeros(0, np.int64)

    def grow(self, count: int) -> None:
        """Add rows, at the end; they begin with the next sample."""
        if not len(self.pieces):  # nothing to be copied: the memory is touched as samples come
            self.samples = np.zeros((self.length, count, self.signals), np.float32)
            self.known = np.zeros((self.length, count), bool)
            self.power, self.pieces = np.zeros((count, *self.power.shape[1:])), np.zeros(count, np.int64)
            return
        self.samples = np.concatenate((self.samples, np.zeros((self.length, count, self.signals), np.float32)), axis=1)
        self.known = np.concatenate((self.known, np.zeros((self.length, count), bool)), axis=1)
        self.power = np.concatenate((self.power, np.zeros((count, *self.power.shape[1:]))))
        self.pieces = np.concatenate((self.pieces, np.zeros(count, np.int64)))

    def keep(self, mask: Array) -> None:
        """Drop rows."""
        if not mask.all():
            self.samples, self.known = self.samples[:, mask], self.known[:, mask]
            self.power, self.pieces = self.power[mask], self.pieces[mask]

    def add(self, samples: Array, known: Array) -> None:
        """Take samples.

        Args:
            samples: (frames, n, signals).
            known: bool (frames, n); False where there was none: a piece with a gap is left out.
        """
        done = 0
        while done < len(samples):
            count = min(len(samples) - done, self.length - self.filled)
            self.samples[self.filled : self.filled + count] = samples[done : done + count]
            self.known[self.filled : self.filled + count] = known[done : done + count]
            self.filled, done = self.filled + count, done + count
            if self.filled == self.length:
                self._take()

    def gap(self) -> None:
        """A sample is missing for all: begin anew."""
        self.filled = 0

    def _take(self) -> None:
        whole = self.known.all(axis=0)
        if whole.any():
            self.power[whole] += periodogram(self.samples[:, whole])
            self.pieces += whole
        half = self.length // 2
        self.samples[: self.length - half] = self.samples[half:]
        self.known[: self.length - half] = self.known[half:]
        self.filled = self.length - half

    def spectra(self) -> tuple[Array, Array, int]:
        """Densities (n, signals, frequencies) for samples 1 s apart, pieces averaged (n,), samples a piece.

        A signal too short for one piece gives the spectrum of what there is, if that is 64 samples at least; rows
        without a spectrum are NaN.
        """
        if self.pieces.any() or self.filled < LEAST:
            pieces = np.maximum(self.pieces, 1)[:, None, None]
            power = np.where(self.pieces[:, None, None] > 0, self.power / pieces, np.nan)
            return power, self.pieces.copy(), self.length
        length = self.filled - self.filled % 2
        whole: Array = np.asarray(self.known[:length].all(axis=0))
        power = np.where(whole[:, None, None], periodogram(self.samples[:length]), np.nan)
        return power, np.asarray(whole, np.int64), length

    def snapshot(self) -> dict[str, Array]:
        """The state, a copy."""
        state = {name: getattr(self, name).copy() for name in ("samples", "known", "power", "pieces")}
        return {f"welch.{name}": value for name, value in state.items()} | {"welch.filled": np.array(self.filled)}

    def restore(self, state: Mapping[str, Array]) -> None:
        """Go back to a snapshot."""
        for name in ("samples", "known", "power", "pieces"):
            setattr(self, name, state[f"welch.{name}"].copy())
        self.filled = int(state["welch.filled"])


def periodogram(samples: Array) -> Array:
    """One-sided densities of one piece, for samples 1 s apart.

    Args:
        samples: (length, n, signals), length even.

    Returns:
        (n, signals, length / 2 + 1), in the signals' unit squared times s.
    """
    length = len(samples)
    window = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(length) / length)
    signal = samples.astype(np.float64)
    signal -= signal.mean(axis=0)
    power = np.abs(np.fft.rfft(signal * window[:, None, None], axis=0)) ** 2 / np.sum(window**2)
    power[1:-1] *= 2.0
    return np.ascontiguousarray(np.moveaxis(power, 0, -1))
