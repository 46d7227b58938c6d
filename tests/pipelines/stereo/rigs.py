"""Simulated cameras, and what they see."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipelines.stereo.board import Board
from pipelines.stereo.camera_model import Array, CameraModel, rodrigues


def camera(
    focal: float, turn: Sequence[float], at: Sequence[float], lens: Sequence[float] = (0.0,) * 5,
    size: tuple[int, int] = (640, 480),
) -> CameraModel:  # fmt: skip
    """One that is turned by `turn` and stands at `at`, its principal point some pixels beside the middle."""
    matrix = np.array([[focal, 0.0, size[0] / 2 + 3], [0.0, focal, size[1] / 2 - 4], [0.0, 0.0, 1.0]])
    rotation = rodrigues(np.array(turn, float))
    return CameraModel(size, matrix, np.array(lens, float), rotation, -rotation @ np.array(at, float))


def three_cameras() -> list[CameraModel]:
    """The first at the origin; all look at places about (0, 0, 500)."""
    return [camera(900, (0, 0, 0), (0, 0, 0), (-0.2, 0, 0, 0, 0)),
            camera(950, (0, 0.5, 0.02), (250, 0, 60), (-0.1, 0, 0, 0, 0)),
            camera(800, (-0.24, -0.24, 0), (-120, 120, 20))]  # fmt: skip


def board_poses(board: Board, count: int, random: np.random.Generator) -> list[tuple[Array, Array]]:
    """Rotations and translations of a board before `three_cameras`."""
    poses = []
    for _ in range(count):
        rotation = rodrigues(random.uniform(-0.5, 0.5, 3))
        middle = random.uniform(-40, 40, 3) + [0, 0, 500]
        poses.append((rotation, middle - rotation @ board.corners.mean(axis=0)))
    return poses


def seen_corners(
    board: Board, cameras: Sequence[CameraModel], poses: Sequence[tuple[Array, Array]], noise: float,
    random: np.random.Generator,
) -> list[dict[int, Array]]:  # fmt: skip
    """Of each camera, by pose, the corners where all are in its picture."""
    seen: list[dict[int, Array]] = [{} for _ in cameras]
    for frame, (rotation, translation) in enumerate(poses):
        places = board.corners @ rotation.T + translation
        for one, its in zip(cameras, seen, strict=True):
            pixels = one.project(places)
            if ((pixels > 0) & (pixels < np.array(one.size) - 1)).all():
                its[frame] = pixels + random.normal(size=pixels.shape) * noise
    return seen


def picture_of(board: Board, one: CameraModel, rotation: Array, translation: Array, finer: int = 3) -> np.ndarray:
    """A picture of a board on gray ground, u8, `finer` x `finer` rays a pixel."""
    width, height = one.size
    steps = (np.arange(finer) + 0.5) / finer - 0.5
    x = (np.arange(width)[:, None] + steps).ravel()
    y = (np.arange(height)[:, None] + steps).ravel()
    rays = one.rays(np.stack(np.meshgrid(x, y), axis=2).reshape(-1, 2))
    turned = one.rotation @ rotation
    moved = one.rotation @ translation + one.translation
    # a ray r meets the plane spanned by the board's x and y at s r = turned (u, v, 0) + moved
    inverse = np.linalg.inv(np.column_stack((turned[:, :2], moved)))
    hit = np.column_stack((rays, np.ones(len(rays)))) @ inverse.T
    with np.errstate(all="ignore"):
        u, v = (hit[:, :2] / hit[:, 2:]).T / board.square
    inside = (u >= -1) & (u < board.columns) & (v >= -1) & (v < board.rows)
    rim = (u >= -1.5) & (u < board.columns + 0.5) & (v >= -1.5) & (v < board.rows + 0.5)
    black = inside & ((np.floor(u) + np.floor(v)) % 2 == 0)
    light = np.where(black, 30.0, np.where(rim, 220.0, 120.0))
    fine = light.reshape(height, finer, width, finer).mean(axis=(1, 3))
    return np.rint(fine).astype(np.uint8)
