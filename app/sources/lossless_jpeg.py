"""Lossless JPEG (ITU-T T.81, annex H), as raw photographs have it. Damage is noticed wherever the data themselves show
it: each code, each value, and where the data end; and none ends the process, as it does in lj92, which others use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from app.sources.lossless_jpeg_loops import lossless_scan
from kernels.loops.calling import call
from pipelines.frame import Pixels

_START, _END, _SCAN, _TABLES, _RESTART, _LOSSLESS = 0xD8, 0xD9, 0xDA, 0xC4, 0xDD, 0xC3
_OTHERS = frozenset({0xC0, 0xC1, 0xC2})
_MARK = re.compile(rb"\xff+[^\xff\0]")
_AGAIN = range(0xD0, 0xD8)
_MOST = 1 << 28
"""Values of a picture."""
_SPARE = 24
"""Bits behind the last value that are no damage: whole bytes are filled up, and some programs add one or two."""


@dataclass(frozen=True, slots=True)
class _Header:
    """Of a picture; restarts come after `restart` places, each component has a table, data lie from `begin` on."""

    rows: int
    columns: int
    depth: int
    predictor: int
    restart: int
    tables: tuple[bytes, ...]
    begin: int


def is_lossless(data: bytes) -> bool:
    """Whether a JPEG is lossless; False for those of cosines.

    Raises:
        ValueError: it is neither.
    """
    for marker, _, _ in _segments(data):
        if marker in (_LOSSLESS, *_OTHERS):
            return marker == _LOSSLESS
    raise ValueError("no JPEG picture")


def decode(data: bytes) -> Pixels:
    """The values, (height, width, components), u16.

    Raises:
        ValueError: damaged, or of a kind that no camera writes.
    """
    head = _header(data)
    channels, rows = len(head.tables), head.rows
    # Prediction begins anew at a restart: intervals of whole rows are decoded as pictures of their own.
    if head.restart:
        if head.restart % head.columns:
            raise ValueError("lossless JPEG with restarts within a row")
        rows = min(rows, head.restart // head.columns)
    short, long = (np.concatenate([_lookup(text)[k] for text in head.tables]) for k in (0, 1))
    # Two bytes more, a marker: the loop may look one byte beyond the data.
    given, begin = np.frombuffer(data + b"\xff\xff", np.uint8), head.begin
    out = np.empty((head.rows, head.columns, channels), np.uint16)
    for first in range(0, head.rows, rows):
        some = out[first : first + rows]
        board = np.array([len(some), head.columns, channels, head.depth, head.predictor, len(data), 0, 0])
        if call(lossless_scan, given, begin, short, long, board, some, pixels=np.uint16):
            raise ValueError("damaged lossless JPEG")
        begin = _after(data, int(board[6]), int(board[7]), last=first + rows >= head.rows)
    return out


def _after(data: bytes, place: int, bits: int, last: bool) -> int:
    """Where data go on behind the mark that must follow at a place, which so many unused bits come before.

    Raises:
        ValueError: the data end too early or too late, or by another mark.
    """
    mark = _MARK.search(data, place)
    if mark is None or not 0 <= bits + 8 * (mark.start() - place) < _SPARE:
        raise ValueError("damaged lossless JPEG: its data end elsewhere")
    if mark[0][-1] not in ((_END,) if last else _AGAIN):
        raise ValueError("damaged lossless JPEG: a mark within its data")
    return mark.end()


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Marker, first byte of the content and the one behind it, of each segment up to the first scan's header."""
    if data[:2] != bytes((0xFF, _START)):
        raise ValueError("no JPEG")
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            raise ValueError("damaged JPEG header")
        marker = data[at + 1]
        if marker == 0xFF:  # filled up
            at += 1
            continue
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        yield marker, at + 4, end
        if marker == _SCAN:
            return
        at = end


def _header(data: bytes) -> _Header:
    tables: dict[int, bytes] = {}
    size, parts, restart = (0, 0, 0), b"", 0
    for marker, begin, end in _segments(data):
        text = data[begin:end]
        if len(text) < end - begin:
            break
        # One segment may define several tables, each with its class and number before it.
        if marker == _TABLES:
            while len(text) > 17:
                length = 17 + sum(text[1:17])
                if len(text) < length:
                    raise ValueError("damaged lossless JPEG: its codes are not whole")
                tables[text[0]], text = text[1:length], text[length:]
        elif marker == _RESTART:
            restart = int.from_bytes(text[:2], "big")
        elif marker == _LOSSLESS and len(text) >= 6 and len(text) == 6 + 3 * text[5]:
            size = text[0], int.from_bytes(text[1:3], "big"), int.from_bytes(text[3:5], "big")
            parts = text[6:]
        elif marker == _SCAN and text and len(text) == 4 + 2 * text[0]:
            return _checked(size, parts, text, restart, tables, end)
    raise ValueError("damaged lossless JPEG: its header is not whole")


def _checked(
    size: tuple[int, int, int], parts: bytes, scan: bytes, restart: int, tables: dict[int, bytes], begin: int
) -> _Header:  # fmt: skip
    """The header, if it is of a picture of one scan, all components of one size."""
    depth, rows, columns = size
    channels, chosen = scan[0], [scan[2 + 2 * k] >> 4 for k in range(scan[0])]
    predictor, shift = scan[1 + 2 * channels], scan[3 + 2 * channels] & 15
    whole = 2 <= depth <= 16 and rows and columns and 1 <= predictor <= 7 and set(chosen) <= set(tables)
    if not whole or rows * columns * channels > _MOST:
        raise ValueError("damaged lossless JPEG: its header cannot be")
    if shift or channels != len(parts) // 3 or any(parts[1 + 3 * k] != parts[1] for k in range(channels)):
        raise ValueError("lossless JPEG of a kind that no camera writes")
    return _Header(rows, columns, depth, predictor, restart, tuple(tables[k] for k in chosen), begin)


@lru_cache(maxsize=64)
def _lookup(text: bytes) -> tuple[Pixels, Pixels]:
    """The tables `short` and `long` of `lossless_scan` for one table of the file."""
    long, code, place = np.zeros(1 << 16, np.int32), 0, 16
    for size in range(1, 17):
        for _ in range(text[size - 1]):
            if code >= 1 << size or text[place] > 16:
                raise ValueError("damaged lossless JPEG: its codes cannot be")
            # A code of `size` bits is the beginning of 2^(16 - size) numbers of 16 bits: all of them get its entry.
            long[code << 16 - size : code + 1 << 16 - size] = text[place] << 8 | size
            code, place = code + 1, place + 1
        code <<= 1
    # Where code and value fit into 12 bits the difference is in the table already, times 256 beside their length.
    entries = long[:: 1 << 4]
    length, some = entries & 255, entries >> 8
    fits = (length > 0) & (length + some <= 12)
    value = np.arange(1 << 12) >> np.where(fits, 12 - length - some, 0) & (1 << some) - 1
    # EXTEND (F.2.2.1) for all entries at once.
    value -= np.where((some > 0) & (value >> np.maximum(some - 1, 0) == 0), (1 << some) - 1, 0)
    return np.where(fits, value * 256 + length + some, 0).astype(np.int32), long
