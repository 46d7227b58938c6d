"""Tiles against indices that are clipped."""

from __future__ import annotations

import numpy as np

from pipelines.trackers.registration.windows.subpixel import MARGIN, tiles_at


def test_tiles_are_the_pixels_around_and_the_edge_goes_on():
    picture = np.random.default_rng(3).integers(0, 255, (80, 90)).astype(np.uint8)
    x, y = np.array([40.0, 0.0, 88.0]), np.array([35.0, 79.0, 3.0])
    away = np.arange(-MARGIN - 2, MARGIN + 3)
    tiles = tiles_at(picture, x, y, 5)
    assert tiles.dtype == np.float64
    for i in range(3):
        rows, columns = np.clip(away + int(y[i]), 0, 79), np.clip(away + int(x[i]), 0, 89)
        np.testing.assert_array_equal(tiles[i], picture[rows[:, None], columns])
    assert tiles_at(picture, x[:0], y[:0], 5).shape == (0, 5 + 2 * MARGIN, 5 + 2 * MARGIN)
