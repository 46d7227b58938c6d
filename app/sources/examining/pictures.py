"""A close look at still pictures: JPEG files and pieces, LZW pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from app.sources.examining import jpeg_codes
from app.sources.examining.lzw_codes import LzwTables
from app.sources.integrity import Examined, Tell

_JPEG = b"\xff\xd8\xff"
_ENOUGH = 4
"""One page in so many may hold codes for fewer bytes than possible; where more do, the encoder wrote them so."""


def look_at_jpegs(pictures: Iterable[bytes], tell: Tell) -> Examined:
    """Look at JPEG pictures; others in between are none of ours.

    Args:
        pictures: the data of each frame, in order; b"" for what cannot be read.
        tell: gets how many were looked at.
    """
    flaws: dict[int, str] = {}
    looked = False
    for index, data in enumerate(pictures):
        if data.startswith(_JPEG):
            try:
                jpeg_codes.check(data)
                looked = True
            except jpeg_codes.OtherJpegError:
                pass
            except ValueError as error:
                looked, flaws[index] = True, str(error)
        tell(1)
    return Examined("each code of each picture up to its end" if looked else "", flaws)


def look_at_lzw(pages: Iterable[Callable[[], Any]], tell: Tell) -> Examined:
    """Look at the LZW pages of a TIFF stack.

    Args:
        pages: what gives the tifffile page of each frame; it may raise what damage makes it.
        tell: gets how many were looked at.
    """
    tables, odd, frames = LzwTables(), set[int](), 0
    for index, page_of in enumerate(pages):
        frames += 1
        try:
            page = page_of()
            file = page.parent.filehandle
            for start, count in zip(page.dataoffsets, page.databytecounts, strict=True):
                file.seek(start)
                if tables.count(file.read(count)):
                    odd.add(index)
        except Exception:  # reading that frame says what is wrong
            odd.discard(index)
        tell(1)
    if _ENOUGH * len(odd) > max(frames, _ENOUGH):
        return Examined()
    why = "its LZW codes are not such as an encoder writes"
    return Examined("each LZW code", dict.fromkeys(odd, why))
