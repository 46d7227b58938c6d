"""Clips and tables of tracks of simulated cameras."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from app.exports.tables import write_tracks_parquet
from pipelines.features import TRACK_DTYPE, State, Tracks
from pipelines.stereo.board import Board
from pipelines.stereo.camera_model import Array, CameraModel, rodrigues
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


ASTRAY, SHIFTED = 9, (5, 20)
"""Frames of `wand_tables` that are spoilt: in which the ends are taken for one another's neighbour, and in which one is
taken for something else."""


def wand_tables(folder: Path, length: float = 40.0, *, frames: int = 80, spoilt: bool = False) -> list[str]:
    """Tables of the tracks of a wand's ends; the second camera has the ends the other way round.

    Args:
        folder: for them. length: of the wand. frames: how many.
        spoilt: whether the second camera is wrong in some frames.
    """
    random = np.random.default_rng(5)
    middle = random.uniform(-30, 30, (frames, 3)) + [0, 0, 500]
    turns = rodrigues(random.uniform(-3, 3, (frames, 3)))
    ends = np.stack([middle + turns @ [side * length / 2, 0, 0] for side in (-1, 1)])
    rows = [tracks_of(one, ends if at == 0 else ends[::-1], 0.03, seed=at) for at, one in enumerate(pair())]
    if spoilt:
        for one in rows:
            near, far = (np.flatnonzero((one["frame"] == ASTRAY) & (one["track"] == track)) for track in (0, 1))
            one["x"][far], one["y"][far] = one["x"][near] + 0.5, one["y"][near]
        one["y"][np.isin(one["frame"], SHIFTED) & (one["track"] == 0)] += 15.0
    return [table(folder / f"wand{at}.parquet", one) for at, one in enumerate(rows)]


def known_places(folder: Path) -> tuple[list[str], str]:
    """Black clips of two cameras, and a table of 12 places, cm, that both see, and one that the first sees alone."""
    known = np.random.default_rng(6).uniform(-40, 40, (12, 3)) + [0, 0, 500]
    cameras = pair()
    path = folder / "known.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["x_cm", "y_cm", "z_cm", "u1_px", "v1_px", "u2_px", "v2_px"])
        for place, *both in zip(known / 10, *(one.project(known) for one in cameras), strict=True):
            writer.writerow([*place, *both[0], *both[1]])
        writer.writerow([0, 0, 50, *cameras[0].project(np.array([[0.0, 0, 500]]))[0], "", ""])
    clips = [str(folder / f"{name}.npy") for name in ("left", "right")]
    for clip in clips:
        np.save(clip, np.zeros((2, SIZE[1], SIZE[0]), np.uint8))
    return clips, str(path)
