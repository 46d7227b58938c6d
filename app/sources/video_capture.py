"""The rate at which a video was captured, where the camera says it: players show slow motion more slowly."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

_ANDROID = "com.android.capture.fps"
_SONY = re.compile(rb"captureFps=\"([0-9]{1,6}(?:\.[0-9]{1,6})?)[pi]?\"")
_MOST = 1 << 20
"""Bytes of XML that are looked through."""
_MOST_BOXES = 10_000
_HEADS = (b"ftyp", b"uuid", b"free", b"wide", b"mdat", b"moov")


def capture_rate(path: Path, tags: Mapping[str, str]) -> float:
    """Frames a second at which a video was captured; 0 where nothing says it.

    Android's cameras write it as a tag, Sony's as XML within the file or beside it (C0001M01.XML beside C0001.MP4).

    Args:
        path: of the video.
        tags: of the file and the stream.
    """
    named = {key.lower(): value for key, value in tags.items()}
    with suppress(ValueError):
        rate = float(named.get(_ANDROID, ""))
        if 0 < rate < 1e9:
            return rate
    return _sony(path)


def _sony(path: Path) -> float:
    texts = [path.with_name(f"{path.stem}M01{ending}") for ending in (".XML", ".xml")]
    with suppress(OSError):
        for beside in texts:
            if beside.is_file() and (found := _SONY.search(beside.read_bytes()[:_MOST])):
                return _exact(float(found[1]))
        for text in _boxes(path):
            if found := _SONY.search(text):
                return _exact(float(found[1]))
    return 0.0


def _boxes(path: Path) -> list[bytes]:
    """What lies in the boxes "meta" at the top of an MP4 or MOV file; nothing of other files."""
    found: list[bytes] = []
    with path.open("rb") as file:
        for number in range(_MOST_BOXES):
            place = file.tell()
            head = file.read(16)
            if len(head) < 8 or (not number and head[4:8] not in _HEADS):
                break
            size, kind = struct.unpack_from(">I4s", head)
            if size == 1 and len(head) == 16:
                (size,) = struct.unpack_from(">Q", head, 8)
            if size < 8:  # to the end, or damaged
                break
            if kind == b"meta":
                file.seek(place)
                found.append(file.read(min(size, _MOST)))
            file.seek(place + size)
    return found


def _exact(rate: float) -> float:
    """The rate that two decimals round: 119.88 is 120000/1001.

    >>> _exact(119.88) == 120000 / 1001, _exact(100.0), _exact(12.5)
    (True, 100.0, 12.5)
    """
    nominal = round(rate * 1.001)
    exact = nominal * 1000 / 1001
    return exact if rate != round(rate) and abs(exact - rate) < 0.005 else rate
