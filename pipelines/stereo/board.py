"""Cameras from a board of corners that is held before them in many poses (Zhang 2000): each camera alone by OpenCV,
then their places by the poses that two of them saw at once, then everything together (`bundle`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from kernels.errors import InputError
from kernels.opencv import cv2
from pipelines.stereo.bundle import Adjusted, Lens, Sights, adjust
from pipelines.stereo.camera_model import Array, CameraModel

LEAST_POSES = 5
"""Poses in which a camera has to see the board: three would do without noise (Zhang 2000, section 3.1)."""
NEAR = 10.0
"""Degrees within which two frames agree on the pose of one camera to the other."""
LEAST_TILT = 5.0
"""Degrees that some pose has to be tilted against another: from boards that lie all alike no focal length follows."""


@dataclass(frozen=True, slots=True)
class Board:
    """A chessboard.

    Args:
        columns, rows: inner corners.
        square: length of a square's side, in the unit of space.
    """

    columns: int
    rows: int
    square: float

    @property
    def corners(self) -> Array:
        """(columns * rows, 3), row by row, in the plane z = 0."""
        y, x = np.mgrid[: self.rows, : self.columns]
        return np.column_stack((x.ravel(), y.ravel(), np.zeros(x.size))) * self.square


def calibrate_by_board(
    board: Board, seen: Sequence[Mapping[int, Array]], sizes: Sequence[tuple[int, int]], lens: Lens
) -> tuple[Adjusted, tuple[int, ...]]:
    """Cameras that saw a board.

    Args:
        board: which.
        seen: of each camera, by frame, the corners in the order of `Board.corners`, px.
        sizes: of each camera's pictures.
        lens: what is free.

    Returns:
        The cameras in the space of the first, and the frames of the poses.

    Raises:
        InputError: too few poses, cameras that never see the board at once, or no convergence.
    """
    for at, corners in enumerate(seen):
        if len(corners) < LEAST_POSES:
            raise InputError(f"camera {at + 1} sees the whole board in {len(corners)} frames of those that were looked "
                             f"at; {LEAST_POSES} or more in different poses are needed")  # fmt: skip
    alone = [_alone(board, corners, size, lens, at) for at, (corners, size) in enumerate(zip(seen, sizes, strict=True))]
    cameras, reached = _chained(board, alone)
    alone, seen = _alike(board, cameras, reached, alone, seen)
    frames = tuple(sorted(set().union(*seen)))
    rotations, translations = np.empty((len(frames), 3, 3)), np.empty((len(frames), 3))
    for row, frame in enumerate(frames):  # by the camera that was reached first
        at = next(at for at in reached if frame in seen[at])
        turned, moved = alone[at].poses[frame]
        rotations[row] = cameras[at].rotation.T @ turned
        translations[row] = cameras[at].rotation.T @ (moved - cameras[at].translation)
    row_of = {frame: row for row, frame in enumerate(frames)}
    parts = np.arange(board.columns * board.rows)
    each = [(at, row_of[frame], pixels) for at, corners in enumerate(seen) for frame, pixels in corners.items()]
    sights = Sights(
        np.repeat([at for at, _, _ in each], len(parts)), np.repeat([row for _, row, _ in each], len(parts)),
        np.tile(parts, len(each)), np.concatenate([pixels for _, _, pixels in each]),
    )  # fmt: skip
    return adjust(cameras, board.corners, rotations, translations, sights, lens), frames


@dataclass(frozen=True, slots=True, eq=False)
class _Alone:
    """A camera and the poses of the board before it."""

    camera: CameraModel
    poses: Mapping[int, Pose]


def _alone(board: Board, corners: Mapping[int, Array], size: tuple[int, int], lens: Lens, at: int) -> _Alone:
    flags = cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_FIX_K3
    if lens is not Lens.FULL:
        flags |= cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K2
    if lens is Lens.NONE:
        flags |= cv2.CALIB_FIX_K1 | cv2.CALIB_FIX_PRINCIPAL_POINT
    flags |= cv2.CALIB_USE_INTRINSIC_GUESS
    places = board.corners.astype(np.float32)
    wide = max(size) * 1.2
    guess = np.array([[wide, 0.0, (size[0] - 1) / 2], [0.0, wide, (size[1] - 1) / 2], [0.0, 0.0, 1.0]])
    initial = cv2.initCameraMatrix2D([places] * len(corners), [p.astype(np.float32) for p in corners.values()], size, 1)
    if np.isfinite(initial).all() and 0.2 < initial[0, 0] / max(size) < 50.0:
        guess[[0, 1], [0, 1]] = initial[0, 0]
    try:
        _, matrix, distortion, turns, moves = cv2.calibrateCamera(
            [places] * len(corners), [p.astype(np.float32) for p in corners.values()], size, guess, np.zeros(5),
            flags=flags,
        )  # fmt: skip
    except cv2.error as error:
        raise InputError(f"camera {at + 1} cannot be calibrated by its board: {error}") from error
    poses = {frame: (cv2.Rodrigues(turn)[0], move.ravel())
             for frame, turn, move in zip(corners, turns, moves, strict=True)}  # fmt: skip
    normals = np.array([turned[:, 2] for turned, _ in poses.values()])
    if np.degrees(np.arccos(np.clip((normals @ normals.T).min(), -1, 1))) < LEAST_TILT:
        raise InputError(f"the board before camera {at + 1} is never tilted by {LEAST_TILT:g} degrees against another "
                         "pose, so that no focal length follows; tilt it")  # fmt: skip
    camera = CameraModel(size, matrix, np.ravel(distortion)[:5].astype(float), np.eye(3), np.zeros(3))
    return _Alone(camera, poses)


def _chained(board: Board, alone: Sequence[_Alone]) -> tuple[list[CameraModel], list[int]]:
    """Each camera's place, by poses that it and one whose place is known saw at once, beginning with the first; and the
    order in which they were reached."""
    cameras, reached = {0: alone[0].camera}, [0]
    while len(cameras) < len(alone):
        common = {(known, new): alone[known].poses.keys() & alone[new].poses.keys()
                  for known in cameras for new in range(len(alone)) if new not in cameras}  # fmt: skip
        known, new = max(common, key=lambda pair: len(common[pair]))
        if not common[known, new]:
            missing = ", ".join(str(at + 1) for at in range(len(alone)) if at not in cameras)
            raise InputError(f"camera {missing} never sees the board at once with the others; are the clips "
                             "synchronised (--offset)?")  # fmt: skip
        between = [_between(alone[known].poses[frame], pose) for frame in sorted(common[known, new])
                   for pose in (alone[new].poses[frame], _half_turned(board, alone[new].poses[frame]))]  # fmt: skip
        turns = np.array([turn for turn, _ in between])
        near = _angles(turns[:, None], turns[None]) < NEAR
        best = near[near.sum(axis=1).argmax()]
        move = np.median(np.array([moved for _, moved in between])[best], axis=0)
        rotation, base = _mean_rotation(turns[best]), cameras[known]
        cameras[new] = replace(alone[new].camera, rotation=rotation @ base.rotation,
                               translation=rotation @ base.translation + move)  # fmt: skip
        reached.append(new)
    return [cameras[at] for at in range(len(alone))], reached


def _alike(
    board: Board, cameras: Sequence[CameraModel], reached: Sequence[int], alone: Sequence[_Alone],
    seen: Sequence[Mapping[int, Array]],
) -> tuple[list[_Alone], list[dict[int, Array]]]:  # fmt: skip
    """With corners counted from the same end by all cameras: of a board that looks the same after half a turn, each
    camera, and each frame, may have begun at either end."""
    poses = [dict(one.poses) for one in alone]
    corners = [dict(one) for one in seen]
    for frame in set().union(*seen):
        first, *others = [at for at in reached if frame in seen[at]]
        for at in others:
            turned = cameras[at].rotation @ cameras[first].rotation.T
            pose = poses[at][frame]
            half = _half_turned(board, pose)
            wrong = [_angles(_between(poses[first][frame], one)[0], turned) for one in (pose, half)]
            if wrong[1] < wrong[0]:
                poses[at][frame], corners[at][frame] = half, corners[at][frame][::-1]
    return [replace(one, poses=its) for one, its in zip(alone, poses, strict=True)], corners


Pose = tuple[Array, Array]
"""Rotation and translation of the board before a camera."""


def _between(known: Pose, new: Pose) -> Pose:
    rotation = new[0] @ known[0].T
    return rotation, new[1] - rotation @ known[1]


def _half_turned(board: Board, pose: Pose) -> Pose:
    """The pose of a board whose corners are counted from the other end."""
    across = np.array([board.columns - 1.0, board.rows - 1.0, 0.0]) * board.square
    return pose[0] @ np.diag([-1.0, -1.0, 1.0]), pose[1] + pose[0] @ across


def _angles(one: Array, other: Array) -> Array:
    """Degrees between rotations."""
    trace = (one * other).sum(axis=(-2, -1))
    return np.asarray(np.degrees(np.arccos(np.clip((trace - 1.0) / 2.0, -1.0, 1.0))))


def _mean_rotation(rotations: Array) -> Array:
    """The chordal mean (Hartley, Trumpf, Dai, Li 2013)."""
    left, _, right = np.linalg.svd(rotations.sum(axis=0))
    return np.asarray(left @ np.diag([1.0, 1.0, np.linalg.det(left @ right)]) @ right)
