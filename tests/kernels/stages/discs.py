"""Pictures of discs with known centres, for tests of components."""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree
from scipy.special import erf


def discs(shape, x, y, radius, height, ground, blur=0.6, fine=6):
    """Discs with a slightly blurred rim, averaged over each pixel's area."""
    image = np.full(shape, float(ground))
    inside = (np.arange(fine) + 0.5) / fine - 0.5
    reach = int(radius + 5)
    for cx, cy in zip(x, y, strict=True):
        columns = np.arange(max(0, int(cx) - reach), min(shape[1], int(cx) + reach + 1))
        rows = np.arange(max(0, int(cy) - reach), min(shape[0], int(cy) + reach + 1))
        dx, dy = (columns[:, None] + inside).ravel() - cx, (rows[:, None] + inside).ravel() - cy
        value = 0.5 * (1 - erf((np.hypot(dx, dy[:, None]) - radius) / blur / np.sqrt(2)))
        image[np.ix_(rows, columns)] += height * value.reshape(len(rows), fine, len(columns), fine).mean(axis=(1, 3))
    return image


def sampled(image, noise, rng):
    return np.clip(np.rint(image + rng.normal(0, noise, image.shape)), 0, 255).astype(np.uint8)


def errors(rows, x, y):
    """Distance of each true place from the nearest row."""
    return cKDTree(np.column_stack((rows["x"], rows["y"]))).query(np.column_stack((x, y)))[0]


def grid(rng, step=30.0, size=300):
    along = np.arange(step, size - step / 2, step)
    return [a.ravel() + rng.uniform(-0.5, 0.5, a.size) for a in np.meshgrid(along, along)]
