"""What the compression of a clip does to measurements in it."""

from __future__ import annotations

from pipelines.frame import SourceInfo

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
