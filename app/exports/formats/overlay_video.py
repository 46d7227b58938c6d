"""Frames with their tracks drawn in, as the overlay video of a run; without tracks, a plain video for people."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.exports.formats.mosaic import plain
from app.exports.frame_stack import FrameStack
from app.exports.keypoints import Keypoints
from app.exports.overlay import OverlayStyle, OverlayWriter
from pipelines.features import Tracks, no_tracks


def write_overlay(
    stack: FrameStack,
    path: Path,
    rows: Tracks | None,
    numbers: npt.NDArray[np.int64] | None = None,
    playback: float | None = None,
    keypoints: Keypoints | None = None,
) -> None:
    """The overlay as H.264 in MP4.

    Args:
        stack: the frames.
        path: the .mp4.
        rows: TRACK_DTYPE in px of the whole picture; None for none.
        numbers: by which number `rows` knows each frame of the clip; None for its index.
        playback: frames a second; None for slow motion that can be watched.
        keypoints: which of the tracks are points of a skeleton.
    """
    rate = None if playback is None else Fraction(playback).limit_denominator(1000)
    left, top = (0, 0) if stack.roi is None else stack.roi[:2]
    rows = no_tracks() if rows is None else rows[np.argsort(rows["frame"], kind="stable")]
    rows = rows.copy()
    rows["x"] -= left
    rows["y"] -= top
    keys = np.arange(stack.first, stack.end) if numbers is None else numbers[stack.first : stack.end]
    starts, ends = (np.searchsorted(rows["frame"], keys, side) for side in ("left", "right"))
    writer = OverlayWriter(path, stack.width, stack.height, stack.fps, OverlayStyle(playback=rate), len(stack))
    if keypoints is not None:
        writer.know(keypoints)
    try:
        for k, (pixels, time) in enumerate(zip(stack, stack.times.tolist(), strict=True)):
            picture = plain(pixels, stack.mosaic)
            writer.write(picture, rows[starts[k] : ends[k]], stack.first + k, time)
        writer.close()
    except BaseException:
        writer.discard()  # unlike a run's overlay, half an export is none
        raise
