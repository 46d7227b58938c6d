"""What formats of clips there are, and how each is recognised: all of it without loading what reads them.

A process opens one clip, or none: the libraries and modules behind the other formats would only make it start later.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import cast

from app.sessions.records import MAGIC
from app.sources.base import ClipSource
from app.sources.numbering import Sequence


@dataclass(frozen=True, slots=True)
class Format:
    """One file format: how it is recognised and opened.

    Args:
        kind: the word of `SourceInfo.kind`.
        title: how people call it, with article ("a Phantom cine file").
        extensions: lower-case endings with the dot; none for a kind of a format whose endings stand there.
        sniff: says from the first 4096 bytes whether a file is of this kind.
        place: module in app.sources and class in it that opens a path.
    """

    kind: str
    title: str
    extensions: tuple[str, ...]
    sniff: Callable[[bytes], bool]
    place: str

    def reader(self) -> type[ClipSource]:
        """The class, whose module is loaded if it was not before."""
        module, _, name = self.place.partition(":")
        return cast("type[ClipSource]", getattr(import_module(f"app.sources.{module}"), name))

    def open(self, path: Path) -> ClipSource:
        """A clip of this format."""
        return cast("Callable[[Path], ClipSource]", self.reader())(path)


def _is_array(head: bytes) -> bool:
    return head.startswith(b"\x93NUMPY")


def _is_cine(head: bytes) -> bool:
    return head[:4] == b"CI\x2c\x00"


def _is_mraw(head: bytes) -> bool:
    return head.startswith((b"#Camera Information Header", b"!!! This file can not be edited")) or b"\nCIHX" in head


def _is_session(head: bytes) -> bool:
    return head.startswith(MAGIC)


def _is_tiff(head: bytes) -> bool:
    return head[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")


def _is_gray_avi(head: bytes) -> bool:
    """Whether a RIFF file holds gray pictures under a code that FFmpeg does not know (`avi_gray`)."""
    picture = head.find(b"strf", head.find(b"vids"))  # its code stands 24 bytes on
    code = head[picture + 24 : picture + 28]
    return head[8:12] == b"AVI " and code in (b"Y16 ", b"Y16\0", b"Y1\0\x10", b"Y8\0\0", b"L8  ", b"L16 ")


def _is_video(head: bytes) -> bool:
    if head[:4] in (b"RIFF", b"RF64"):
        return head[8:12] in (b"AVI ", b"AVIX") and not _is_gray_avi(head)
    if head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip"):
        return True
    if len(head) > 376 and head[0] == head[188] == head[376] == 0x47:  # MPEG transport stream
        return True
    known = (
        b"\x1a\x45\xdf\xa3",
        b"FLV",
        b"OggS",
        b"GIF8",
        b"\x30\x26\xb2\x75\x8e\x66\xcf\x11",
        b"\0\0\1\xba",
        b"\0\0\1\xb3",
    )
    return head.startswith((*known, b"YUV4MPEG2", b"nut/multimedia"))


_VIDEOS = (
    ".mp4", ".avi", ".mov", ".mkv", ".webm", ".m4v", ".mpg", ".mpeg", ".wmv", ".flv", ".ts", ".mts", ".m2ts", ".3gp",
    ".ogv", ".vob", ".asf", ".gif", ".y4m", ".h264", ".264", ".h265", ".hevc", ".mjpeg", ".mjpg", ".nut", ".mxf", ".dv",
)  # fmt: skip

CINE = Format("cine", "a Phantom cine file", (".cine", ".cin"), _is_cine, "cine:CineSource")
MRAW = Format("mraw", "a Photron recording", (".mraw", ".cih", ".cihx"), _is_mraw, "mraw:MrawSource")
TIFF = Format("tiff", "a TIFF file", (".tif", ".tiff", ".btf", ".tf8", ".dng"), _is_tiff, "tiff:TiffSource")
ARRAY = Format("npy", "a NumPy array", (".npy",), _is_array, "array:ArraySource")
SESSION = Format("session", "a recorded session", (".mcap",), _is_session, "session:SessionSource")
VIDEO = Format("video", "a video", _VIDEOS, _is_video, "video:VideoSource")

GRAY_AVI = Format("avi", "an uncompressed gray AVI file", (), _is_gray_avi, "avi_gray:AviGraySource")

FORMATS: tuple[Format, ...] = (CINE, MRAW, TIFF, ARRAY, SESSION, VIDEO, GRAY_AVI)
"""Formats of a whole clip in one file (or a pair), in the order in which they are tried."""

IMAGES = (
    ".tif", ".tiff", ".dng", ".png", ".bmp", ".dib", ".jpg", ".jpeg", ".jpe", ".jp2", ".pbm", ".pgm", ".ppm", ".pnm",
    ".webp", ".exr",
)  # fmt: skip
"""Endings of files that hold one picture; numbered, they are a clip together."""


def open_images(sequence: Sequence) -> ClipSource:
    """Numbered images as a clip."""
    reader = import_module("app.sources.images").ImagesSource
    return cast("Callable[[Sequence], ClipSource]", reader)(sequence)
