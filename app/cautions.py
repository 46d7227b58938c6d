"""What to beware of in a clip or its tracks: compression that rounds motion, rates of players, tracks of noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pipelines.frame import SourceInfo

if TYPE_CHECKING:
    from pipelines.graph import Pipeline

PLAYER_FPS = 120
"""A video that plays at this rate or less may well be a high-speed clip that was exported for slow playback."""
MANY = 60
"""Tracks from which on mostly short ones may be noise or texture."""

PREDICTING = frozenset(
    {"h264", "hevc", "vvc", "mpeg4", "mpeg1video", "mpeg2video", "h263", "flv", "msmpeg4v1", "msmpeg4v2", "msmpeg4",
     "wmv1", "wmv2", "wmv3", "vc1", "vp6", "vp6f", "vp8", "vp9", "libvpx", "libvpx-vp9", "av1", "libdav1d",
     "libaom-av1", "theora", "rv10", "rv20", "rv30", "rv40", "svq1", "svq3", "cinepak"}
)  # fmt: skip
"""Codecs, by FFmpeg's names, that code what a frame has that the one before has not, and round that."""


def compression_hints(info: SourceInfo) -> list[str]:
    """A sentence where frames are predicted from others: small motions are rounded away then, and nothing in the
    pictures tells, so that no tracker can state it. (Where each frame is compressed for itself what is lost looks like
    noise, and sigma is true; plates in H.264 of factor 23 had 50 times the variance that sigma states.)"""
    codec = str(info.metadata.get("codec", ""))
    keys = info.metadata.get("key_frames", 0)
    if codec not in PREDICTING or (isinstance(keys, int) and keys >= info.frames):
        return []
    return [f"{codec} predicts frames from others and rounds what is new, so that small motions come late or not at "
            "all: sigma is a lower bound in this clip, errors may be several times as large; to measure, record "
            "without loss (FFV1, TIFF) or each frame for itself (MJPEG)"]  # fmt: skip


def rate_warnings(info: SourceInfo) -> list[str]:
    """A sentence if the clip's rate is one at which videos are played rather than taken."""
    if info.time.origin != "container" or not 0 < info.time.fps <= PLAYER_FPS:
        return []
    return [f"{info.time.fps:.4g} fps is the rate at which the video is played; if the camera took it faster, all "
            "times and speeds are wrong until you give the capture rate with --fps"]  # fmt: skip


def track_hints(tracks: Sequence[Mapping[str, Any]], frames: int, pipeline: Pipeline) -> list[str]:
    """A sentence if there are many tracks and most are short: noise or texture was followed, most likely.

    Args:
        tracks: entries of `TrackStatistics.facts`.
        frames: frames processed.
    """
    life = float(np.median([track["seen_frames"] for track in tracks]))
    if len(tracks) < MANY or life > 0.5 * frames:
        return []
    text = f"{len(tracks)} tracks, half of them seen in {life:.0f} frames or fewer of {frames}"
    tries = []
    tries += [f"a larger {node.id}.min_area" for node in pipeline.nodes if node.stage == "components"]
    tries += ["a part of the picture (--roi)", "another pipeline"]
    return [f"{text}: if these are noise or texture and no things of yours, try {', '.join(tries[:-1])} or {tries[-1]}"]
