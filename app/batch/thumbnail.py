"""A small picture of what a run followed: the clip's middle picture, dim, with the trajectories on it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from app.exports.drawing import PALETTE, WHITE, Picture, find_levels, fixed, polylines, to_display
from app.exports.thinning import ThinnedRows
from app.exports.trajectories import GROUND
from app.files.atomic import write_bytes
from kernels.opencv import cv2
from pipelines.features import State
from pipelines.frame import FrameBatch, Result
from pipelines.streaming.engine.tracking import PICTURE
from pipelines.trackers.base import confirmed

NAME = "thumbnail.jpg"
SIDE = 320, 180
"""The largest width and height, px."""
MOST_ROWS = 50_000
QUALITY = 82


class Thumbnail:
    """A sink of `Runner`: gathers a picture and rows, bounded, and draws at the end.

    Args:
        middle: the frame whose picture is wanted; the last before it that can be read is taken.
    """

    def __init__(self, middle: int) -> None:
        self._middle = middle
        self._rows = ThinnedRows(MOST_ROWS)
        self._picture: Picture | None = None

    def write(self, frames: FrameBatch, results: Sequence[Result]) -> None:
        del frames
        for result in results:
            self._rows.add(result.tracks)
        if not results or (self._picture is not None and results[0].index > self._middle):
            return
        shown = [r for r in results if PICTURE in r.taps]
        before = [r for r in shown if r.index <= self._middle] or (shown[:1] if self._picture is None else [])
        if before:
            self._picture = before[-1].taps[PICTURE].copy()

    def close(self) -> None:
        pass

    def save(self, file: Path) -> bool:
        """Write it as JPEG; False if no picture could be read.

        Raises:
            InputError: the file cannot be written.
        """
        picture = self._picture
        if picture is None:
            return False
        grey = to_display(picture, find_levels([picture]))
        height, width = grey.shape[:2]
        zoom = min(SIDE[0] / width, SIDE[1] / height)
        size = max(8, round(width * zoom)), max(8, round(height * zoom))
        drawn = cv2.resize(cv2.LUT(grey, GROUND), size, interpolation=cv2.INTER_AREA if zoom < 1 else cv2.INTER_CUBIC)
        rows = confirmed(self._rows.rows)
        rows = rows[rows["state"] != State.LOST]
        tracks, breaks = np.unique(rows["track"]), np.append(~self._rows.joined(rows), True)[: len(rows)]
        for place, track in enumerate(tracks.tolist()):
            mine = rows["track"] == track
            own = rows[mine]
            at = np.stack((own["x"] + 0.5, own["y"] + 0.5), axis=1) * zoom - 0.5
            pieces = np.split(fixed(at), np.flatnonzero(breaks[mine][:-1]) + 1)
            polylines(drawn, pieces, PALETTE[place % len(PALETTE)], 1)
            if len(tracks) <= 200:
                centre = tuple(fixed(at[-1]).tolist())
                cv2.circle(drawn, centre, int(fixed(2.0)), WHITE, 1, cv2.LINE_AA, 4)
        done, data = cv2.imencode(".jpg", drawn, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if done:
            write_bytes(file, data.tobytes())
        return bool(done)
