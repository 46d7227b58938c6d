"""Cameras are found again from boards, wands and known places."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.errors import InputError
from pipelines.stereo.board import Board, calibrate_by_board
from pipelines.stereo.bundle import Adjusted, Lens
from pipelines.stereo.camera_model import Array, CameraModel, rodrigues
from pipelines.stereo.direct_linear import camera_of_known_places
from pipelines.stereo.triangulation import triangulate
from pipelines.stereo.wand import MOST_POSES, calibrate_by_wand, poses_of
from tests.pipelines.stereo.rigs import board_poses, camera, seen_corners, three_cameras

BOARD = Board(7, 5, 8.0)


def measured_length(found: Adjusted, noise: float = 0.0) -> float:
    """Of a stick of 100 before the true cameras, as the calibrated ones measure it on average: errors of where cameras
    stand and of focal lengths go together, and what matters is what comes of it."""
    random, cameras = np.random.default_rng(7), three_cameras()[: len(found.cameras)]
    middle = random.uniform(-40, 40, (200, 3)) + [0, 0, 500]
    way = random.normal(size=(200, 3))
    way *= 50 / np.linalg.norm(way, axis=1, keepdims=True)
    places = np.concatenate((middle - way, middle + way))
    seen = np.stack([one.project(places) for one in cameras])
    seen += random.normal(size=seen.shape) * noise
    a, b = np.split(triangulate(found.cameras, seen, np.full(seen.shape, 0.1)).places, 2)
    return float(np.linalg.norm(b - a, axis=1).mean())


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_board_gives_cameras(count: int) -> None:
    random, cameras = np.random.default_rng(4), three_cameras()[:count]
    seen = seen_corners(BOARD, cameras, board_poses(BOARD, 20, random), 0.05, random)
    found, frames = calibrate_by_board(BOARD, seen, [one.size for one in cameras], Lens.RADIAL)
    assert found.rms == pytest.approx(0.05 * 2**0.5, rel=0.1)
    assert len(frames) == len(found.rotations) == 20
    assert found.left_out == 0
    for one, true, error in zip(found.cameras, cameras, found.focal_error, strict=True):
        assert abs(one.matrix[0, 0] - true.matrix[0, 0]) < 4 * error < 0.05 * true.matrix[0, 0]
        assert abs(one.distortion[0] - true.distortion[0]) < 0.02
    if count > 1:
        assert measured_length(found) == pytest.approx(100, abs=0.02)


def test_a_board_that_looks_the_same_after_half_a_turn_may_be_counted_from_either_end() -> None:
    random, cameras = np.random.default_rng(5), three_cameras()
    seen = seen_corners(BOARD, cameras, board_poses(BOARD, 16, random), 0.05, random)
    turned = [{frame: pixels[::-1] if (frame + at) % 3 == 0 else pixels for frame, pixels in one.items()}
              for at, one in enumerate(seen)]  # fmt: skip
    found, _ = calibrate_by_board(BOARD, turned, [one.size for one in cameras], Lens.RADIAL)
    assert found.rms < 0.09
    assert measured_length(found) == pytest.approx(100, abs=0.03)


def test_corners_that_were_found_wrongly_are_left_out() -> None:
    random, cameras = np.random.default_rng(6), three_cameras()[:2]
    seen = seen_corners(BOARD, cameras, board_poses(BOARD, 16, random), 0.05, random)
    seen[0][3][4] += 9.0
    seen[1][5][0] -= [0.0, 6.0]
    found, _ = calibrate_by_board(BOARD, seen, [one.size for one in cameras], Lens.RADIAL)
    assert 2 <= found.left_out <= 6
    assert measured_length(found) == pytest.approx(100, abs=0.03)


def test_what_a_board_does_not_tell_is_said() -> None:
    random, cameras = np.random.default_rng(8), three_cameras()[:2]
    sizes = [one.size for one in cameras]
    seen = seen_corners(BOARD, cameras, board_poses(BOARD, 12, random), 0.05, random)
    with pytest.raises(InputError, match="camera 2 sees the whole board in 3 frames"):
        calibrate_by_board(BOARD, [seen[0], dict(list(seen[1].items())[:3])], sizes, Lens.RADIAL)
    apart = [{f: p for f, p in seen[0].items() if f < 6}, {f: p for f, p in seen[1].items() if f >= 6}]
    with pytest.raises(InputError, match="camera 2 never sees the board at once"):
        calibrate_by_board(BOARD, apart, sizes, Lens.RADIAL)
    flat = [(np.eye(3), np.array([10.0 * k - 30, 0, 500])) for k in range(6)]
    with pytest.raises(InputError, match="never tilted by 5 degrees"):
        calibrate_by_board(BOARD, seen_corners(BOARD, cameras[:1], flat, 0.0, random), sizes[:1], Lens.NONE)


def test_blunders_go_and_take_no_corner_along() -> None:
    """A quarter of the corners of every third picture of one camera, by some ten pixels."""
    random, cameras = np.random.default_rng(0), three_cameras()[:2]
    seen = seen_corners(BOARD, cameras, board_poses(BOARD, 12, random), 0.05, random)
    spoilt = 0
    for frame in sorted(seen[0])[::3]:
        some = random.choice(len(BOARD.corners), 8, replace=False)
        seen[0][frame][some] += random.normal(size=(8, 2)) * 10
        spoilt += len(some)
    found, _ = calibrate_by_board(BOARD, seen, [one.size for one in cameras], Lens.RADIAL)
    assert found.left_out == spoilt
    assert found.rms == pytest.approx(0.05 * 2**0.5, rel=0.1)


def wand_ends(count: int, frames: int, noise: float, random: np.random.Generator) -> list[np.ndarray]:
    """Ends of a wand of 60, NaN outside of the pictures."""
    ends = [np.full((frames, 2, 2), np.nan) for _ in range(count)]
    for frame in range(frames):
        places = np.array([[-30.0, 0, 0], [30.0, 0, 0]]) @ rodrigues(random.uniform(-3, 3, 3)).T
        places += random.uniform(-80, 80, 3) + [0, 0, 500]
        for one, its in zip(three_cameras(), ends, strict=False):
            pixels = one.project(places)
            inside = ((pixels > 0) & (pixels < [639, 479])).all(axis=1)
            its[frame] = np.where(inside[:, None], pixels + random.normal(size=(2, 2)) * noise, np.nan)
    return ends


@pytest.mark.parametrize("count", [2, 3])
def test_a_wand_gives_cameras(count: int) -> None:
    random = np.random.default_rng(9)
    ends = wand_ends(count, 250, 0.05, random)
    found = calibrate_by_wand(60.0, ends, [(640, 480)] * count, Lens.RADIAL)
    assert len(found.rotations) == len(poses_of(ends).chosen) == MOST_POSES, "no pose is wrong"
    assert found.rms < 0.08
    assert measured_length(found) == pytest.approx(100, abs=0.05)
    for one, true in zip(found.cameras, three_cameras(), strict=False):
        assert one.matrix[0, 0] == pytest.approx(true.matrix[0, 0], rel=0.01)


def opposite(degrees: float) -> list[CameraModel]:
    """Two cameras that look at (0, 0, 500) from equally far, so that how they see each other's places tells no focal
    length."""
    turn = np.radians(degrees)
    rotation = rodrigues(np.array([0.0, turn, 0.0]))
    matrices = [np.array([[focal, 0, 319.5], [0, focal, 239.5], [0, 0, 1]]) for focal in (900.0, 940.0)]
    away = np.array([0.0, 0.0, 500.0])
    return [CameraModel((640, 480), matrices[0], np.zeros(5), np.eye(3), np.zeros(3)),
            CameraModel((640, 480), matrices[1], np.zeros(5), rotation, away - rotation @ away)]  # fmt: skip


def opposite_ends(cameras: list[CameraModel], frames: int, noise: float, random: np.random.Generator) -> list[Array]:
    """Ends of a wand of 40 before `opposite`."""
    middle = random.uniform(-45, 45, (frames, 3)) + [0, 0, 500]
    half = rodrigues(random.uniform(-3, 3, (frames, 3))) @ [20.0, 0.0, 0.0]
    places = np.stack((middle - half, middle + half), axis=1).reshape(-1, 3)
    ends = [one.project(places).reshape(-1, 2, 2) for one in cameras]
    return [one + random.normal(size=one.shape) * noise for one in ends]


def distance_error(found: Adjusted, cameras: list[CameraModel]) -> float:
    """How wrong the distance between two cameras is, by its stated standard uncertainty."""
    moved = found.cameras[1].translation
    distance = float(np.linalg.norm(moved))
    change = np.append(np.zeros(25), moved / distance)
    stated = np.sqrt(change @ found.covariance_of_cameras() @ change)
    return float((distance - np.linalg.norm(cameras[1].translation)) / stated)


@pytest.mark.parametrize(("degrees", "noise"), [(12, 0.05), (30, 0.5), (90, 0.05)])
def test_a_clean_wand_always_calibrates(degrees: float, noise: float) -> None:
    """Whatever the random numbers, and with errors as large as is said."""
    cameras, wrong = opposite(degrees), []
    for seed in range(2):
        ends = opposite_ends(cameras, 60, noise, np.random.default_rng(100 + seed))
        found = calibrate_by_wand(40.0, ends, [(640, 480)] * 2, Lens.NONE)
        assert len(found.poses) == 60
        assert found.left_out == 0
        wrong.append(distance_error(found, cameras))
    assert np.sqrt(np.mean(np.square(wrong))) < 1.9, "two values: of one in 37 sets of normal errors it is more"


@pytest.mark.parametrize("shift", [0.8, 15.0])
def test_spoilt_sights_of_a_wand_go(shift: float) -> None:
    """A tenth of the poses, by little or much: with one sight the others of its pose go, too, as two cameras do not
    tell which of them is wrong."""
    cameras, wrong = opposite(30), []
    for seed in range(2):
        ends = opposite_ends(cameras, 60, 0.05, np.random.default_rng(200 + seed))
        spoilt = np.arange(3, 60, 10)
        ends[1][spoilt, seed % 2, 1] += shift  # across the lines on which the other camera's sights lie
        found = calibrate_by_wand(40.0, ends, [(640, 480)] * 2, Lens.NONE)
        np.testing.assert_array_equal(np.unique(found.every.pose[~found.counts]), spoilt)
        assert found.left_out == 4 * len(spoilt)
        wrong.append(distance_error(found, cameras))
    assert np.sqrt(np.mean(np.square(wrong))) < 1.9


def test_lines_of_sight_that_meet_nowhere_are_said_once() -> None:
    """In a sentence, and NumPy says nothing beside it."""
    for seed in range(6):
        ends = list(np.random.default_rng(seed).uniform(0, 480, (2, 12, 2, 2)))
        with pytest.raises(InputError):
            calibrate_by_wand(40.0, ends, [(640, 480)] * 2, Lens.NONE, 1e6)


def test_what_a_wand_does_not_tell_is_said() -> None:
    random = np.random.default_rng(10)
    ends = wand_ends(2, 60, 0.05, random)
    alone = [ends[0], np.where(np.arange(60)[:, None, None] < 5, ends[1], np.nan)]
    with pytest.raises(InputError, match="camera 2 sees both ends of the wand at once"):
        calibrate_by_wand(60.0, alone, [(640, 480)] * 2, Lens.NONE)
    shuffled = [ends[0], random.permutation(ends[1])]
    with pytest.raises(InputError, match=r"agree|different enough|converge"):
        calibrate_by_wand(60.0, shuffled, [(640, 480)] * 2, Lens.NONE)


def test_known_places_give_a_camera() -> None:
    random = np.random.default_rng(11)
    true = camera(800, (-0.24, -0.24, 0), (-120, 120, 20))
    places = random.uniform(-50, 50, (20, 3)) + [0, 0, 500]
    seen = true.project(places) + random.normal(size=(20, 2)) * 0.02
    made = camera_of_known_places(places, seen, true.size)
    found, residual = made.camera, made.residual
    assert np.abs(found.centre - true.centre).max() < 2.0
    assert found.matrix[0, 0] == pytest.approx(800, rel=0.005)
    assert np.sqrt((residual**2).sum(axis=1).mean()) < 0.04
    test = random.uniform(-50, 50, (20, 3)) + [0, 0, 500]
    assert np.abs(found.project(test) - true.project(test)).max() < 0.1


def test_what_known_places_do_not_tell_is_said() -> None:
    true = camera(800, (0, 0, 0), (0, 0, 0))
    places = np.random.default_rng(12).uniform(-50, 50, (9, 3)) + [0, 0, 500]
    with pytest.raises(InputError, match="a camera needs 6 known places that it sees, and there are 5"):
        camera_of_known_places(places[:5], true.project(places[:5]), true.size)
    flat = places * [1, 1, 0] + [0, 0, 500]
    with pytest.raises(InputError, match="lie in one plane"):
        camera_of_known_places(flat, true.project(flat), true.size)
    with pytest.raises(InputError, match="mirrored"):
        camera_of_known_places(places * [-1, 1, 1], true.project(places), true.size)
