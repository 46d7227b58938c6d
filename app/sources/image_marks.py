"""What image files say beside their pixels: significant bits, how they are to be shown, a capture rate; and whether
they are whole, as far as a check sum or an end mark tells. Decoders read past all that.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8\xff"
_RATE = re.compile(rb"Capture(?:FrameRate|Fps)[^0-9<>]{0,8}[>\"'][ ]*([0-9]+(?:\.[0-9]+)?)(?:/([0-9]+))?")
_MOST_ENTRIES = 4096
_MANY, _LISTED, _PREVIEW = b"MPF\0", 0xB002, 1
"""Of the index of a file of many pictures: how it begins, its tag that lists them, the class of previews."""


ORIENTATION = 274
"""The tag of EXIF and TIFF that says how pictures are to be shown, turned and mirrored: 1 to 8."""
_SHOWN = {
    2: "mirrored", 3: "turned by 180 degrees", 4: "mirrored and turned by 180 degrees",
    5: "mirrored and turned by 270 degrees clockwise", 6: "turned by 90 degrees clockwise",
    7: "mirrored and turned by 90 degrees clockwise", 8: "turned by 270 degrees clockwise",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Marks:
    """What one file says.

    Args:
        flaw: what is damaged, as part of a sentence; "" for nothing.
        significant: bits that the camera's values had before they were spread over the file's (PNG's sBIT); 0: unknown.
        orientation: of EXIF, 1 for as stored.
        fps: frames a second at which it was captured; 0: unknown.
        pictures: how many the file holds (MPO), previews left out.
    """

    flaw: str = ""
    significant: int = 0
    orientation: int = 1
    fps: float = 0.0
    pictures: int = 1


def marks_of(data: bytes) -> Marks:
    """The marks of a PNG or JPEG file; none of other files."""
    if data.startswith(_PNG):
        return _png(data)
    return _jpeg(data) if data.startswith(_JPEG) else Marks()


def _png(data: bytes) -> Marks:
    significant, orientation, at, ended = 0, 1, len(_PNG), False
    while at + 12 <= len(data) and not ended:
        (length,) = struct.unpack_from(">I", data, at)
        # Each chunk of a PNG: length, kind, data, check sum of kind and data.
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        at += 12 + length
        if at > len(data):
            break
        if zlib.crc32(body, zlib.crc32(kind)) != struct.unpack_from(">I", data, at - 4)[0]:
            return Marks("its data are damaged: a check sum in the file is another")
        if kind == b"sBIT" and len(set(body)) == 1:
            significant = body[0]
        elif kind == b"eXIf":
            orientation = _orientation(body)
        ended = kind == b"IEND"
    return Marks("" if ended else "it is cut short", significant, orientation)


def _jpeg(data: bytes) -> Marks:
    orientation, fps, pictures, at = 1, 0.0, 1, 2
    for marker, start, end in _segments(data):
        body = data[start:end]
        if marker == 0xE1 and body.startswith(b"Exif\0\0"):
            orientation = _orientation(body[6:])
        elif marker == 0xE1 and (found := _RATE.search(body)):
            rate = float(found[1]) / float(found[2] or 1) if float(found[2] or 1) else 0.0
            fps = rate if 0 < rate < 1e9 else 0.0
        elif marker == 0xE2 and body.startswith(_MANY):
            pictures = _pictures(body[len(_MANY) :])
        at = end
    return Marks("" if data.find(b"\xff\xd9", at) >= 0 else "it is cut short", 0, orientation, fps, pictures)


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """(marker, begin, end) of a JPEG's segments up to its first scan."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # fill
            at += 1
            continue
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        yield marker, at + 4, end
        if marker == 0xDA:
            return
        at = end


def _pictures(index: bytes) -> int:
    """How many pictures a file lists (CIPA DC-007, 5.2.3), which is a small TIFF file; previews are none."""
    order = "<" if index[:2] == b"II" else ">"
    try:
        (place,) = struct.unpack_from(order + "I", index, 4)
        (count,) = struct.unpack_from(order + "H", index, place)
        for k in range(min(count, _MOST_ENTRIES)):
            tag, _, size, start = struct.unpack_from(order + "HHII", index, place + 2 + 12 * k)
            if tag == _LISTED:
                kinds = [struct.unpack_from(order + "I", index, start + at)[0] & 0xFFFFFF for at in range(0, size, 16)]
                return max(1, [kind >> 16 != _PREVIEW for kind in kinds].count(True))
    except struct.error:
        pass
    return 1


def _orientation(exif: bytes) -> int:
    """That of EXIF data, which are a small TIFF file."""
    order = "<" if exif[:2] == b"II" else ">"
    try:
        (place,) = struct.unpack_from(order + "I", exif, 4)
        (count,) = struct.unpack_from(order + "H", exif, place)
        for k in range(min(count, _MOST_ENTRIES)):
            tag, kind, many, value = struct.unpack_from(order + "HHIH", exif, place + 2 + 12 * k)
            if (tag, kind, many) == (ORIENTATION, 3, 1):
                return int(value)
    except struct.error:
        pass
    return 1


def many_sentence(path: Path, pictures: int) -> str:
    """Says that a file holds more than the picture that is read; "" for one."""
    if pictures < 2:
        return ""
    how = f"exiftool -b -MPImage2 {path.name} > NEW.jpg writes the second one"
    return f"{path.name} holds {pictures} pictures, of which the first is read; {how}"


def orientation_sentence(value: object) -> str:
    """A warning about the number of the tag Orientation; "" where pictures are shown as they are stored.

    >>> orientation_sentence(6)
    'the file asks to be shown turned by 90 degrees clockwise; frames come as stored'
    """
    shown = _SHOWN.get(value) if isinstance(value, int) else None
    return f"the file asks to be shown {shown}; frames come as stored" if shown else ""
