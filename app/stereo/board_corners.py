"""The corners of a board in frames of synchronised clips."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.labels.frames import PlainFrames
from kernels.errors import BadFrame, InputError
from kernels.opencv import cv2
from pipelines.frame import FrameSource
from pipelines.stereo.board import Board
from pipelines.stereo.camera_model import Array

LOOKED = 160
"""Moments that are looked at, spread over all."""
POSES = 40
"""Of those with a board the ones that count, those that differ most."""
WINDOW, LARGEST = 0.45, 15
"""Half the side of the window in which a corner is refined (Foerstner, Guelch 1987), in distances of neighbouring
corners, which must not be in it, and px at most. On rendered boards it halves the errors of what the detector gives."""
REFINED = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)
"""At most 40 steps, or none longer than 1e-4 px."""


@dataclass(frozen=True, slots=True)
class Corners:
    """Args:
    seen: of each camera, by moment, the corners in the order of `Board.corners`, px.
    looked: moments that were looked at.
    """

    seen: tuple[dict[int, Array], ...]
    looked: int


def find_corners(
    board: Board, sources: Sequence[FrameSource], offsets: Sequence[int], moments: range,
    done: Callable[[int], object] = int,
) -> Corners:  # fmt: skip
    """Look for a board.

    Args:
        board: which.
        sources: one of each camera.
        offsets: by how many frames each clip is ahead: its frame of a moment is moment + offset.
        moments: to look at, some of them where there are many.
        done: called after each, with 1.

    Raises:
        InputError: no moment is in all clips.
    """
    ends = [source.info.frames for source in sources]
    inside = [moment for moment in moments
              if any(0 <= moment + offset < end for end, offset in zip(ends, offsets, strict=True))]  # fmt: skip
    if not inside:
        raise InputError("no frame is in any of the clips; look at --frames and --offset")
    # Evenly spread over all moments, LOOKED of them at most.
    chosen = np.unique(np.linspace(0, len(inside) - 1, min(LOOKED, len(inside))).round().astype(int))
    plain = [PlainFrames(source, gray=True) for source in sources]
    seen: tuple[dict[int, Array], ...] = tuple({} for _ in sources)
    for at in chosen:
        moment = inside[at]
        for camera, (source, offset) in enumerate(zip(sources, offsets, strict=True)):
            if not 0 <= moment + offset < source.info.frames:
                continue
            try:
                found = corners_in(board, plain[camera].bytes(moment + offset))
            except BadFrame:
                continue
            if found is not None:
                seen[camera][moment] = found
        done(1)
    kept = _different(seen)
    return Corners(tuple({moment: one[moment] for moment in kept if moment in one} for one in seen), len(chosen))


def corners_in(board: Board, picture: npt.NDArray[np.uint8]) -> Array | None:
    """The corners of a board in a picture, (N, 2) px; None where it is not seen whole (Duda, Frese 2018, as OpenCV has
    their detector)."""
    try:
        flags = cv2.CALIB_CB_ACCURACY | cv2.CALIB_CB_NORMALIZE_IMAGE
        found, corners = cv2.findChessboardCornersSB(picture, (board.columns, board.rows), flags=flags)
    except cv2.error:  # a picture smaller than the detector's windows
        return None
    if not found or corners is None:
        return None
    # Windows of the refinement must not reach a neighbouring corner: the smallest distance of neighbours bounds them.
    grid = corners.reshape(board.rows, board.columns, 2)
    apart = min(float(np.linalg.norm(np.diff(grid, axis=axis), axis=2).min()) for axis in (0, 1))
    window = int(np.clip(WINDOW * apart, 2, LARGEST))
    fine = cv2.cornerSubPix(picture, corners.astype(np.float32), (window, window), (-1, -1), REFINED)
    return np.asarray(fine, float).reshape(-1, 2)


def _different(seen: Sequence[dict[int, Array]]) -> list[int]:
    """At most `POSES` moments, each the farthest from those before it (Gonzalez 1985), those first that all cameras
    see."""
    every = sorted(set().union(*seen), key=lambda moment: (-sum(moment in one for one in seen), moment))
    if len(every) <= POSES:
        return sorted(every)
    looks = np.full((len(every), 8 * len(seen)), np.nan)
    # A view is described by four of its corners in each camera.
    for row, moment in enumerate(every):
        for camera, one in enumerate(seen):
            if moment in one:
                outer = one[moment]
                looks[row, 8 * camera : 8 * camera + 8] = outer[[0, len(outer) // 3, 2 * len(outer) // 3, -1]].ravel()
    spread = np.nanstd(looks, axis=0)
    # Each coordinate in units of its own spread; a camera that does not see the board counts as average there.
    looks = np.nan_to_num((looks - np.nanmean(looks, axis=0)) / np.where(spread > 0, spread, 1.0))
    most = max(sum(moment in one for one in seen) for moment in every)
    shared = np.array([sum(moment in one for one in seen) == most for moment in every])
    chosen, apart = [0], np.linalg.norm(looks - looks[0], axis=1)
    # Farthest-point selection; moments that most cameras see count twice.
    while len(chosen) < POSES:
        score = np.where(shared, 2.0, 1.0) * apart
        at = int(score.argmax())
        if apart[at] <= 0:
            break
        chosen.append(at)
        apart = np.minimum(apart, np.linalg.norm(looks - looks[at], axis=1))
    return sorted(every[at] for at in chosen)
