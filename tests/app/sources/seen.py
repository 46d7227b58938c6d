"""Where things are seen in a picture, for tests of scenes: independent of the program's own measurements."""

from __future__ import annotations

import numpy as np


def centroid(picture, x, y, half):
    """Plain centroid of a square window on a background of 0."""
    rows, columns = np.mgrid[round(y) - half : round(y) + half + 1, round(x) - half : round(x) + half + 1]
    weight = picture[rows, columns].astype(float)
    return (weight * columns).sum() / weight.sum(), (weight * rows).sum() / weight.sum()


def shift_of(reference, moved):
    """Displacement of a picture by least squares on the phases of its strong, low frequencies (Hann window)."""
    window = np.outer(np.hanning(reference.shape[0]), np.hanning(reference.shape[1]))
    a, b = (np.fft.fft2((p - p.mean()) * window) for p in (reference, moved))
    fy, fx = np.meshgrid(np.fft.fftfreq(a.shape[0]), np.fft.fftfreq(a.shape[1]), indexing="ij")
    cross = a * b.conj()
    use = (np.hypot(fx, fy) < 0.25) & (np.hypot(fx, fy) > 0)
    weight, phase = np.abs(cross[use]), np.angle(cross[use]) / (2 * np.pi)
    design = np.stack([fx[use], fy[use]], 1)
    return np.linalg.solve(design.T @ (weight[:, None] * design), design.T @ (weight * phase))
