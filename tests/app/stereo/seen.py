"""Clips and tables of tracks of simulated cameras."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from app.exports.tables import write_tracks_parquet
from pipelines.features import TRACK_DTYPE, State, Tracks
from pipelines.stereo.board import Board
from pipelines.stereo.camera_model import Array, CameraModel
from tests.pipelines.stereo.rigs import board_poses, camera, picture_of

SIZE = (320, 240)
BOARD = Board(7, 5, 12.0)
FPS = 500.0


def pair() -> list[CameraModel]:
    """Two small cameras that look at places about (0, 0, 500)."""
    return [camera(450, (0, 0, 0), (0, 0, 0), size=SIZE), camera(470, (0, 0.5, 0.02), (250, 0, 60), size=SIZE)]


def board_clips(folder: Path, cameras: Sequence[CameraModel], count: int = 6) -> list[str]:
    """Clips of a board in `count` poses."""
    poses = board_poses(BOARD, count, np.random.default_rng(1))
    names = []
    for at, one in enumerate(cameras):
        names.append(str(folder / f"board{at}.npy"))
        np.save(names[-1], np.stack([picture_of(BOARD, one, *pose, finer=2) for pose in poses]))
    return names


def tracks_of(one: CameraModel, ways: Array, sigma: float, first: int = 0, seed: int = 0) -> Tracks:
    """What a camera's tracks of ways (things, frames, 3) are; its frames begin at `first`."""
    things, frames, _ = ways.shape
    pixels = np.stack([one.project(way) for way in ways])
    pixels += np.random.default_rng(seed).normal(size=pixels.shape) * sigma
    rows = np.zeros(things * frames, TRACK_DTYPE)
    rows["frame"] = np.tile(np.arange(first, first + frames), things)
    rows["time"], rows["track"] = rows["frame"] / FPS, np.repeat(np.arange(things), frames)
    rows["x"], rows["y"] = pixels.reshape(-1, 2).T
    rows["sigma"], rows["score"], rows["state"] = sigma, 1.0, State.TRACKED
    return rows


def table(path: Path, rows: Tracks) -> str:
    """The rows as a file."""
    write_tracks_parquet(path, rows, {})
    return str(path)


def ways(things: int = 3, frames: int = 40) -> Array:
    """Of things that fly about."""
    random = np.random.default_rng(3)
    begin, speed = random.uniform(-40, 40, (things, 1, 3)), random.uniform(-1, 1, (things, 1, 3))
    return np.asarray(begin + speed * np.arange(frames)[None, :, None] + [0, 0, 500])
