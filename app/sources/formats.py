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
from app.sources.parts import beside, split_part


@dataclass(frozen=True, slots=True)
class Format:
    """One file format: how it is recognised and opened.

    Args:
        kind: the word of `SourceInfo.kind`.
        title: how people call it, with article ("a Phantom cine file").
        extensions: lower-case endings with the dot, the usual one first; none for a kind of a format whose
            endings are there.
        sniff: says from the first 4096 bytes whether a file is of this kind.
        place: module in app.sources and class in it that opens a path.
        marked: whether all files begin with what `sniff` looks for, so that others are damaged or something else.
        sure: endings that tell more than the first bytes do, which may be anything.
        headers: endings of files beside a clip that describe it and are given in its place.
        numbered: whether a file of one picture is a clip together with those that are numbered on.
        parts: whether a file may hold several clips, or none, and FILE:PART names one; the class takes the part, too.
    """

    kind: str
    title: str
    extensions: tuple[str, ...]
    sniff: Callable[[bytes], bool]
    place: str
    marked: bool = True
    sure: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    numbered: bool = False
    parts: bool = False

    def holds(self, head: bytes, ending: str) -> bool:
        """Whether a file of these first bytes and this ending is of this format."""
        return ending in self.sure or self.sniff(head)

    def reader(self) -> type[ClipSource]:
        """The class, whose module is loaded if it was not before."""
        module, _, name = self.place.partition(":")
        return cast("type[ClipSource]", getattr(import_module(f"app.sources.{module}"), name))

    def open(self, clip: Path | Sequence, part: str = "") -> ClipSource:
        """A clip of this format; a sequence where that is `IMAGES`, a part where there are some."""
        given = (clip, part) if self.parts else (clip,)
        return cast("Callable[..., ClipSource]", self.reader())(*given)


def _is_array(head: bytes) -> bool:
    return head.startswith(b"\x93NUMPY")


def _is_cine(head: bytes) -> bool:
    return head[:4] == b"CI\x2c\x00"


def _is_mraw(head: bytes) -> bool:
    return head.startswith((b"#Camera Information Header", b"!!! This file can not be edited")) or b"\nCIHX" in head


def _is_hdf5(head: bytes) -> bool:
    # Behind a block of the user's; MATLAB's turns the axes round, and is none of ours.
    return not head.startswith(b"MATLAB") and any(
        head[at : at + 8] == b"\x89HDF\r\n\x1a\n" for at in (0, 512, 1024, 2048)
    )


def _is_npz(head: bytes) -> bool:
    return head.startswith(b"PK\3\4") and b".npy" in head[30:1024]


def _is_seq(head: bytes) -> bool:
    return head.startswith(b"\xed\xfe\0\0")


def _is_session(head: bytes) -> bool:
    return head.startswith(MAGIC)


def _is_tiff(head: bytes) -> bool:
    return head[:4] in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")


def _is_gray_avi(head: bytes) -> bool:
    """Whether a RIFF file holds gray pictures under a code that FFmpeg does not know (`avi_gray`)."""
    picture = head.find(b"strf", head.find(b"vids"))  # its code is 24 bytes on
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
        b"YUV4MPEG2",
        b"nut/multimedia",
        b"DKIF",
    )
    moving_png = head.startswith(_PNG) and 0 < head.find(b"acTL") < head.find(b"IDAT") % len(head)
    return moving_png or head.startswith(known)


_PNG = b"\x89PNG\r\n\x1a\n"


def _is_image(head: bytes) -> bool:
    known = (
        _PNG,
        b"\xff\xd8\xff",
        b"BM",
        *(b"P%d" % k for k in range(1, 8)),
        b"\0\0\0\x0cjP  ",
        b"\x76\x2f\x31\x01",
        b"#?R",  # Radiance's
        b"Pf\n",
        b"PF\n",
    )
    return head.startswith(known)


_HEADERS = (".cihx", ".cih")
_IMAGES = (
    ".png", ".bmp", ".dib", ".jpg", ".jpeg", ".jpe", ".mpo", ".jp2", ".pbm", ".pgm", ".ppm", ".pnm", ".pam", ".webp",
    ".exr", ".hdr", ".pfm",
)  # fmt: skip
_JPEGS = (".mjpeg", ".mjpg")  # one image after another
_VIDEOS = (
    ".mp4", ".avi", ".mov", ".mkv", ".webm", ".m4v", ".mpg", ".mpeg", ".wmv", ".flv", ".ts", ".mts", ".m2ts", ".3gp",
    ".ogv", ".vob", ".asf", ".gif", ".y4m", ".h264", ".264", ".h265", ".265",
    ".hevc", ".ivf", ".apng", ".mjpeg", ".mjpg", ".nut", ".mxf", ".dv",
)  # fmt: skip

CINE = Format("cine", "a Phantom cine file", (".cine", ".cin"), _is_cine, "cine:CineSource")
TIFF = Format(
    "tiff", "a TIFF file", (".tif", ".tiff", ".btf", ".tf8", ".dng"), _is_tiff, "tiff:TiffSource", numbered=True
)  # fmt: skip
SEQ = Format("seq", "a NorPix sequence", (".seq",), _is_seq, "seq:SeqSource")
ARRAY = Format("npy", "a NumPy array", (".npy",), _is_array, "array:ArraySource")
HDF5 = Format(
    "hdf5", "an HDF5 file", (".h5", ".hdf5", ".hdf", ".he5"), _is_hdf5, "hdf5:Hdf5Source", parts=True
)  # fmt: skip
NPZ = Format("npz", "a NumPy archive", (".npz",), _is_npz, "npz:NpzSource", parts=True)
SESSION = Format("session", "a recorded session", (".mcap",), _is_session, "session:SessionSource")
MRAW = Format(
    "mraw", "a Photron recording", (".mraw", *_HEADERS), _is_mraw, "mraw:MrawSource", sure=(".mraw", *_HEADERS),
    headers=_HEADERS,
)  # fmt: skip
GRAY_AVI = Format("video", "an uncompressed gray AVI file", (), _is_gray_avi, "avi_gray:AviGraySource")
VIDEO = Format(
    "video", "a video", _VIDEOS, _is_video, "video:VideoSource", marked=False, sure=_JPEGS
)  # fmt: skip
IMAGES = Format(
    "images", "an image", _IMAGES, _is_image, "images:ImagesSource", marked=False, numbered=True
)  # fmt: skip

FORMATS: tuple[Format, ...] = (CINE, SEQ, TIFF, ARRAY, HDF5, NPZ, SESSION, MRAW, GRAY_AVI, VIDEO, IMAGES)
"""All formats, in the order in which they are tried. Whatever opens, finds or offers clips goes by this list alone."""

ENDINGS = tuple(ending for form in FORMATS for ending in form.extensions)
"""Of all clips."""
HEADERS = tuple(ending for form in FORMATS for ending in form.headers)
"""Of files that are given in place of the clip beside them."""
PICTURES = tuple(ending for form in FORMATS if form.numbered for ending in form.extensions)
"""Of files that may hold one picture; numbered, they are a clip together."""
_PARTED = tuple(ending for form in FORMATS if form.parts for ending in form.extensions)


def split(clip: str) -> tuple[str, str]:
    """File (or folder, or pattern) and part of what names a clip (`parts.split_part`)."""
    return split_part(clip, _PARTED)


def stands_for(clip: str | Path) -> Path:
    """What a clip is called in the names of files beside it (`parts.beside`)."""
    file, part = split(str(clip))
    return beside(Path(file), part)


def format_of(head: bytes, ending: str) -> Format | None:
    """The format of a file by its first bytes, or by an ending that is surer."""
    return next((form for form in FORMATS if form.holds(head, ending)), None)


def named(ending: str) -> Format | None:
    """The format whose files are called so."""
    return next((form for form in FORMATS if ending in form.extensions), None)
