"""The camera of the simulated scenes: from light to digital numbers.

A pixel holds at most 10 000 electrons. Light frees electrons, Poisson-distributed (shot noise); the read-out adds
8 electrons rms of Gaussian noise; a converter of 8 to 16 bits maps 0 .. full well linearly to 0 .. 2**bits - 1 and
clips outside. The two noises are drawn as one Gaussian of variance electrons + 64, which differs from the exact sum
only below some 20 electrons (0.2 % of full scale), where no scene has its pixels.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

FULL_WELL = 10_000.0
"""Electrons at full scale."""
READ_NOISE = 8.0
"""Electrons rms."""

Image = npt.NDArray[np.float32]


def expose(light: Image, bits: int, rng: np.random.Generator | None) -> npt.NDArray[np.uint8 | np.uint16]:
    """The digital picture of `light`.

    Args:
        light: (height, width) f32, share of the full well, 0..1 (more saturates).
        bits: of the converter, 8..16; above 8 the result is u16.
        rng: draws the noise; None for none (rounding to the converter's steps remains).
    """
    white = 2**bits - 1
    levels = light * np.float32(white)
    if rng is not None:
        # Shot noise as a Gaussian of the electrons' number, read noise added in squares.
        variance = np.maximum(light, 0) * np.float32(FULL_WELL)
        variance += np.float32(READ_NOISE**2)
        np.sqrt(variance, out=variance)
        variance *= rng.standard_normal(light.shape, np.float32)
        variance *= np.float32(white / FULL_WELL)
        levels += variance
    np.rint(levels, out=levels)
    np.clip(levels, 0, white, out=levels)
    return levels.astype(np.uint8 if bits <= 8 else np.uint16)


def noise_of(level: float, bits: int) -> float:
    """Standard deviation, in digital numbers, of a pixel whose mean is `level` digital numbers (with rounding)."""
    white = 2**bits - 1
    electrons = level / white * FULL_WELL
    return math.hypot(math.sqrt(max(electrons, 0) + READ_NOISE**2) * white / FULL_WELL, 1 / math.sqrt(12))


def lamp(time: float, frequency: float, depth: float, exposure: float) -> float:
    """Mean light of a mains-driven lamp over an exposure, 1 - depth .. 1.

    The light follows the power, sin^2 of half the given frequency (100 Hz on 50 Hz mains); the mean over the exposure
    is exact.

    Args:
        time: centre of the exposure, s.
        frequency: of the light, Hz.
        depth: 0 (steady) .. 1 (dark between the half-waves).
        exposure: s.
    """
    ripple = math.cos(2 * math.pi * frequency * time) * float(np.sinc(frequency * exposure))
    return 1 - depth * (0.5 + 0.5 * ripple)
