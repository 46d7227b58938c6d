"""What eight frames show of a window, beside least squares by plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import kernels.executors.natives  # noqa: F401 - provides the compiler of the loops
from pipelines.trackers.patches import answer_loops, showing_loops
from pipelines.trackers.patches.packing import places, vectors
from pipelines.trackers.patches.response import AXES, UNBENT, responses
from pipelines.trackers.patches.subpixel import tiles_at
from tests.pipelines.trackers.conftest import Speckle

WINDOW, SIDE = 15, 64
AREA = WINDOW**2


def shown(along: str, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Constants, the lane of eight frames, and what each frame leaves beside six columns and two means: sum of squares
    of all, and of what is left, (2, 8)."""
    rng, plate = np.random.default_rng(seed), Speckle(seed=5, corr=1.4)
    still = 100 + 30 * plate.image(SIDE, SIDE)
    made = responses(tiles_at(still, np.array([30.0]), np.array([31.0]), WINDOW), along=along)
    packed = places(WINDOW)
    columns = made.columns[0].reshape(2, vectors(WINDOW), 6, 16).transpose(0, 2, 1, 3).reshape(2, 6, -1).astype(float)
    lane, squares = np.zeros((400, 8)), np.zeros((2, 8))
    for k in range(8):
        frame = 100 + 30 * plate.image(SIDE, SIDE, *rng.uniform(-0.6, 0.6, 2)) + rng.normal(0, 2, (SIDE, SIDE))
        part = frame[31 - 7 : 31 + 8, 30 - 7 : 30 + 8]
        light = np.where(packed >= 0, part.ravel()[packed] - part[7, 7], 0.0)
        for half, side in enumerate((showing_loops.SIDE_A, showing_loops.SIDE_B)):
            lane[side : side + 6, k] = columns[half] @ light[half]
            lane[side + 6, k], lane[side + 7, k] = light[half].sum(), (light[half] ** 2).sum()
        there = packed >= 0
        centred = np.concatenate([light[h][there[h]] - light[h][there[h]].mean() for h in (0, 1)])
        pattern = np.concatenate([columns[h][:, there[h]] for h in (0, 1)], axis=1).T
        best = np.linalg.lstsq(pattern, centred, rcond=None)[0]
        squares[:, k] = centred @ centred, ((centred - pattern @ best) ** 2).sum()
    return made.constants[0], lane, squares


@pytest.mark.parametrize("along", ["both", "x", "y"])
def test_what_is_left_is_that_of_least_squares(along: str) -> None:
    constants, lane, (every, left) = shown(along, 3)
    showing_loops.answer(constants, WINDOW, lane)
    assert (lane[showing_loops.CLEAN] > 0).all()
    # Two means and the light; two slopes and three second derivatives, or one of each.
    spent = 8 if constants[AXES] == 2 else 5
    columns = 6 if constants[AXES] == 2 else 3
    assert spent == columns + 2
    np.testing.assert_allclose(lane[showing_loops.LEFT_OVER], left / (AREA - spent), rtol=1e-4)
    np.testing.assert_allclose(lane[showing_loops.SCORE], np.sqrt(1 - left / every), rtol=1e-6)


def test_what_bends_leave_grows_with_the_answer() -> None:
    constants, lane, _ = shown("both", 4)
    showing_loops.answer(constants, WINDOW, lane)
    showing_loops.refine(constants, 0.0, lane)
    away = lane[answer_loops.R1] ** 2 + lane[answer_loops.R2] ** 2
    assert away.min() < 0.1 < away.max()
    plain = np.minimum(away / showing_loops.HALF, 1.0) * showing_loops.BENT**2
    far = np.minimum(away / showing_loops.DISTANT, 1.0) ** 2.5 * constants[UNBENT]
    np.testing.assert_allclose(lane[showing_loops.BENT_BY], plain + far, rtol=1e-12)
