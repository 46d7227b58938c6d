"""Cameras map space to pictures as OpenCV says, and back."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.opencv import cv2
from pipelines.stereo.camera_model import essential_matrix, rodrigues
from tests.pipelines.stereo.rigs import camera, three_cameras

LENS = (-0.2, 0.05, 0.001, -0.002, 0.01)


def places(count: int = 200) -> np.ndarray:
    return np.random.default_rng(1).uniform(-60, 60, (count, 3)) + [0, 0, 500]


def test_projections_are_those_of_opencv() -> None:
    one = camera(900, (0.1, -0.2, 0.3), (20, -30, 10), LENS)
    theirs, _ = cv2.projectPoints(places(), cv2.Rodrigues(one.rotation)[0], one.translation, one.matrix, one.distortion)
    np.testing.assert_allclose(one.project(places()), theirs.reshape(-1, 2), atol=1e-9)


def test_the_jacobian_is_that_of_small_steps() -> None:
    one, at = camera(900, (0.1, -0.2, 0.3), (20, -30, 10), LENS), places(20)
    _, change = one.project_with_jacobian(at)
    for axis in range(3):
        step = 1e-4 * np.eye(3)[axis]
        seen = (one.project(at + step) - one.project(at - step)) / 2e-4
        np.testing.assert_allclose(change[:, :, axis], seen, atol=1e-6)


def test_rays_take_the_lens_away() -> None:
    one, at = camera(900, (0.1, -0.2, 0.3), (20, -30, 10), LENS), places()
    before = at @ one.rotation.T + one.translation
    np.testing.assert_allclose(one.rays(one.project(at)), before[:, :2] / before[:, 2:], atol=1e-11)


def test_what_no_lens_can_have_sent_there_has_no_ray() -> None:
    """With k1 = -.5 nothing is farther from the middle than .544 focal lengths."""
    one = camera(900, (0, 0, 0), (0, 0, 0), (-0.5, 0, 0, 0, 0))
    far = one.matrix[:2, 2] + [[900 * 0.5, 0.0], [900 * 0.6, 0.0]]
    assert np.isfinite(one.rays(far)).all(axis=1).tolist() == [True, False]


def test_what_lies_behind_is_not_seen() -> None:
    one = camera(900, (0, 0, 0), (0, 0, 0))
    seen = one.project(np.array([[0.0, 0, 5], [0, 0, -5], [0, 0, 0]]))
    assert np.isfinite(seen).all(axis=1).tolist() == [True, False, False]


def test_lines_of_sight_to_one_place_meet_in_the_essential_matrix() -> None:
    one, other, _ = three_cameras()
    a, b = (np.column_stack((k.rays(k.project(places())), np.ones(200))) for k in (one, other))
    matrix = essential_matrix(one, other)
    assert np.abs(np.einsum("ni,ij,nj->n", b, matrix, a)).max() < 1e-9 * np.abs(matrix).max()


def test_direct_linear_coefficients_give_the_same_pixels() -> None:
    one = camera(800, (-0.24, -0.24, 0), (-120, 120, 20))
    l1 = np.append(one.direct_linear(), 1.0).reshape(3, 4)
    flat = np.column_stack((places(), np.ones(200))) @ l1.T
    np.testing.assert_allclose(flat[:, :2] / flat[:, 2:], one.project(places()), atol=1e-8)


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), (1e-9, 0.0, 0.0), (0.3, -0.2, 0.9), (0.0, 3.0, 0.0)])
def test_turns_and_back(turn: tuple[float, float, float]) -> None:
    matrix = rodrigues(np.array(turn))
    np.testing.assert_allclose(matrix, cv2.Rodrigues(np.array(turn))[0], atol=1e-12)
    np.testing.assert_allclose(cv2.Rodrigues(matrix)[0].ravel(), turn, atol=1e-9)
