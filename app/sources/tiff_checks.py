"""How damage of a TIFF page is noticed whose data have no check sums and can be decoded all the same.

LZW and PackBits: how much a piece decodes to; decoders cut off what is too much. Lossless JPEG has a reader of its own.
"""

from __future__ import annotations

import copy
import math
from typing import Any

import imagecodecs

from app.sources import lossless_jpeg
from app.sources.integrity import Integrity

_DECODERS = {5: imagecodecs.lzw_decode, 32773: imagecodecs.packbits_decode}
_LZW, _LZW_END = 5, 257
_NONE, _SUMMED = 1, frozenset({8, 32946, 34925, 34933})
"""Compressions with check sums: deflate (Adler-32), LZMA, PNG."""
_MORE = 64
"""Bytes past the right length for which there is room."""


def integrity_of(page: Any) -> Integrity:
    """By what damage to the pixels of a tifffile page can be noticed."""
    compression = int(page.compression)
    if compression in _SUMMED:
        return Integrity.SUMS
    return Integrity.PLAIN if compression == _NONE else Integrity.PACKED


def is_lzw(page: Any) -> bool:
    """Whether a tifffile page is packed by LZW as the standard has it."""
    return int(page.compression) == _LZW and int(page.fillorder) == 1


def check_lengths(page: Any) -> None:
    """Have each strip or tile of a tifffile page decode to exactly the pixels that it holds, or raise ValueError."""
    decompress = _DECODERS.get(int(page.compression))
    if decompress is None or int(page.fillorder) != 1:
        return
    lzw, plain = int(page.compression) == _LZW, copy.copy(page)
    # A copy of the page that takes its data for uncompressed arranges strips and tiles as tifffile does.
    plain.compression = 1
    for kept in ("hash", "decode"):
        plain.__dict__.pop(kept, None)
    arrange = plain.decode
    rows = int(page.tilelength if page.is_tiled else page.rowsperstrip)

    def decode(data: bytes | None, index: int, **options: Any) -> Any:
        if data is None:
            return arrange(data, index, **options)
        _, _, (depth, length, width, samples) = arrange(None, index)
        line = -(-width * samples * int(page.bitspersample) // 8)
        # The last strip may hold fewer rows than the others; some writers fill it up.
        whole, full = depth * length * line, depth * max(length, rows) * line
        try:
            raw = decompress(data, out=full + _MORE)
        except imagecodecs.LzwError:
            raw = decompress(data, out=full)  # only behind the pixels
        if len(raw) not in (whole, full) and not (lzw and len(raw) > whole and _may_go_on(data, bytes(raw[whole:]))):
            raise ValueError(f"a piece of {whole} bytes holds {len(raw)}")
        return arrange(raw, index, **options)

    page.decode = decode


def _may_go_on(data: bytes, more: bytes) -> bool:
    """Whether LZW data that are right may decode to `more` behind the pixels: without the code that says where they
    end, what fills up the last bytes may be read as another one; and where its size is by one bit too large, as some
    programs write it, it is read as 128."""
    last = int.from_bytes(data[-3:], "big")
    ends = any(last >> k & 0x1FF == _LZW_END and not last & (1 << k) - 1 for k in range(8))
    return not ends or more == b"\x80"


_JPEG = frozenset({6, 7, 33007, 34892})


def decode_lossless(page: Any) -> None:
    """Have the lossless JPEG of a tifffile page decoded by our own reader."""
    if int(page.compression) not in _JPEG:
        return
    page.__dict__.pop("decode", None)
    other = page.decode

    def decode(data: bytes | None, index: int, jpegtables: bytes | None = None, **options: Any) -> Any:
        # Tables that are kept once for all tiles are put before each, without their end mark.
        whole = data if data is None or not jpegtables else jpegtables[:-2] + data[2:]
        if whole is None or page.jpegheader is not None or not lossless_jpeg.is_lossless(whole):
            return other(data, index, jpegtables=jpegtables, **options)
        _, place, shape = other(None, index, **options)
        pixels, count = lossless_jpeg.decode(whole).reshape(-1), math.prod(shape)
        if len(pixels) < count:
            raise ValueError("its JPEG data hold too few pixels")
        return pixels[:count].astype(page.dtype).reshape(shape), place, shape

    page.decode = decode
