"""Frames with their tracks drawn in, as the overlay video of a run; without tracks, a plain video for people."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.exports.formats.mosaic import plain
from app.exports.frame_stack import FrameStack
from app.exports.overlay import OverlayStyle, OverlayWriter
from app.exports.still import Still
from app.exports.video_look import PLAIN, VideoLook
from app.keypoints import Keypoints
from kernels.errors import InputError
from pipelines.features import Tracks, no_tracks
from pipelines.frontend import Roi


def write_overlay(
    stack: FrameStack,
    path: Path,
    rows: Tracks | None,
    numbers: npt.NDArray[np.int64] | None = None,
    playback: float | None = None,
    keypoints: Keypoints | None = None,
    look: VideoLook = PLAIN,
    still: Still | None = None,
    part: Roi | None = None,
) -> None:
    """The overlay as H.264 in MP4.

    Args:
        stack: the frames.
        path: the .mp4.
        rows: TRACK_DTYPE in px of the whole picture; None for none.
        numbers: by which number `rows` knows each frame of the clip; None for its index.
        playback: frames a second; None for slow motion that can be watched.
        keypoints: which of the tracks are points of a skeleton.
        look: words, stopwatch, contrast.
        still: moves each frame so that a body stays where it is; its keys are those of the frames.
        part: of the still picture that is shown; None for as much as a frame has.
    """
    rate = None if playback is None else Fraction(playback).limit_denominator(1000)
    shown: Roi = part or (0, 0, stack.width, stack.height)
    left, top = (0, 0) if stack.roi is None or still is not None else stack.roi[:2]
    rows = no_tracks() if rows is None or not look.marks else rows[np.argsort(rows["frame"], kind="stable")]
    # Places count from the corner of what is shown.
    rows = rows.copy()
    rows["x"] -= left
    rows["y"] -= top
    keys = keys_of(stack, numbers)
    # Rows are sorted by frame: those of one are a slice.
    starts, ends = (np.searchsorted(rows["frame"], keys, side) for side in ("left", "right"))
    style = OverlayStyle(playback=rate, levels=levels_of(stack, look), look=look, zero=zero_of(stack, look))
    writer = OverlayWriter(path, shown[2], shown[3], stack.fps, style, len(stack))
    if keypoints is not None:
        writer.know(keypoints)
    try:
        for k, (pixels, time) in enumerate(zip(stack, stack.times.tolist(), strict=True)):
            picture, here = plain(pixels, stack.mosaic), rows[starts[k] : ends[k]]
            if still is not None:
                picture, here = still.picture(picture, k, shown), still.rows(here, k, shown[:2])
            writer.write(picture, here, stack.first + k, time)
        writer.close()
    except BaseException:
        writer.discard()  # unlike a run's overlay, half an export is none
        raise


def keys_of(stack: FrameStack, numbers: npt.NDArray[np.int64] | None) -> npt.NDArray[np.int64]:
    """By which number tracks know each of the frames."""
    return np.arange(stack.first, stack.end) if numbers is None else numbers[stack.first : stack.end]


def levels_of(stack: FrameStack, look: VideoLook) -> tuple[float, float] | None:
    """Values of pixels that are shown black and white; None: found in the first frames."""
    if look.levels is None:
        return None
    white = float((1 << stack.bits) - 1) if stack.unsigned else 1.0
    return look.levels[0] * white, look.levels[1] * white


def zero_of(stack: FrameStack, look: VideoLook) -> float:
    """The time from which a stopwatch counts, s.

    Raises:
        InputError: the capture rate is unknown, or the clip has no such frame.
    """
    if not look.stopwatch:
        return 0.0
    if not stack.fps > 0:
        raise InputError("a stopwatch needs the capture rate, which the clip does not say; say it with --fps")
    if look.zero is None:
        return 0.0
    if not 0 <= look.zero < stack.info.frames:
        raise InputError(f"the stopwatch cannot count from frame {look.zero}: the clip has {stack.info.frames} frames")
    return stack.info.time.time(look.zero)
