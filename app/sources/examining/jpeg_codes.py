"""Whether a baseline JPEG is one by all that its codes say: each code is in its table, no block holds too many values,
no mean is brighter than white, and each interval's data end where its last block does. A decoder looks at less."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from math import ceil

import numpy as np
import numpy.typing as npt

from app.sources.examining.jpeg_loops import walk
from kernels.loops.calling import call
from kernels.opencv import cv2

_START, _END, _SCAN, _CODES, _STEPS, _RESTART = 0xD8, 0xD9, 0xDA, 0xC4, 0xDB, 0xDD
_BEGIN = b"\xff\xd8\xff"
_BASELINE = frozenset({0xC0, 0xC1})
_PICTURES = frozenset({*range(0xC0, 0xD0)}) - {_CODES, 0xC8, 0xCC}
_ALONE = frozenset({_START, 0x01, *range(0xD0, 0xD8)})
_MARK = re.compile(rb"\xff+[^\xff\x00]")
_MOST = 1024
"""Of a block's mean, eight times the deviation of 8 bits from gray."""
_SPARE = 8
"""Bits that fill up the last byte of an interval are fewer."""


class OtherJpegError(ValueError):
    """A JPEG of a kind whose codes are not walked (progressive, 12 bits, arithmetic)."""


@dataclass
class _State:
    """What segments said so far."""

    codes: dict[int, npt.NDArray[np.int32]] = field(default_factory=dict)
    steps: dict[int, int] = field(default_factory=dict)
    size: tuple[int, int] = (0, 0)
    parts: list[tuple[int, int, int, int]] = field(default_factory=list)
    """Number, blocks across and down a unit, table of steps."""
    restart: int = 0
    scans: int = 0
    tables: tuple[bytes, bytes] = (b"", b"")
    """Steps; codes."""


def check(data: bytes) -> tuple[bytes, bytes]:
    """Look at each picture of a packet (interlaced ones are two).

    Returns:
        The tables of steps that it brings along, one after the other, and those of codes.

    Raises:
        OtherJpegError: it is of a kind that is not examined.
        ValueError: damaged.
    """
    if not data.startswith(_BEGIN):
        raise ValueError("no JPEG begins where one must")
    state, begin = _State(), 0
    while begin >= 0:
        begin = data.find(_BEGIN, _picture(state, data, begin))
    return state.tables


def _picture(state: _State, data: bytes, begin: int) -> int:
    """Where a picture ends that begins there."""
    at, state.scans = begin, 0
    # Segments follow one another without gaps up to a scan; what is in between is damage.
    while at + 2 <= len(data):
        if data[at] != 0xFF:
            raise ValueError("a segment of its header is longer or shorter than it says")
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker == _END:
            if not state.scans:
                raise ValueError("it holds no picture")
            return at + 2
        elif marker in _ALONE:
            at += 2
        else:
            end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
            _segment(state, marker, data[at + 4 : end])
            at = _scan(state, data, data[at + 4 : end], end) if marker == _SCAN else end
    raise ValueError("its end is missing")


def _segment(state: _State, marker: int, text: bytes) -> None:
    if marker in _PICTURES:
        if marker not in _BASELINE or not text or text[0] != 8:
            raise OtherJpegError
        if len(text) < 6 or len(text) != 6 + 3 * text[5]:
            raise ValueError("its header cannot be")
        state.size = int.from_bytes(text[1:3], "big"), int.from_bytes(text[3:5], "big")
        state.parts = [(text[k], text[k + 1] >> 4, text[k + 1] & 15, text[k + 2]) for k in range(6, len(text), 3)]
        if not all(state.size) or not all(1 <= n <= 4 for _, across, down, _ in state.parts for n in (across, down)):
            raise ValueError("its header cannot be")
    elif marker == _CODES:
        state.tables = state.tables[0], state.tables[1] + text
        while text:
            length = 17 + sum(text[1:17])
            if len(text) < length:
                raise ValueError("its codes are not whole")
            state.codes[text[0]], text = _lookup(text[1:length]), text[length:]
    elif marker == _STEPS:
        state.tables = state.tables[0] + text, state.tables[1]
        while text:
            length = 129 if text[0] >> 4 else 65
            if len(text) < length:
                raise ValueError("its steps are not whole")
            state.steps[text[0] & 15] = int.from_bytes(text[1 : 3 if length > 65 else 2], "big")
            text = text[length:]
    elif marker == _RESTART:
        state.restart = int.from_bytes(text[:2], "big")


def _scan(state: _State, data: bytes, text: bytes, begin: int) -> int:
    """Walk through a scan; where its data end."""
    if not text or len(text) != 4 + 2 * text[0] or not state.parts:
        raise ValueError("its header cannot be")
    # The scan header names components and, in two halves of a byte, which tables are theirs (DC, AC).
    chosen = {text[1 + 2 * k]: text[2 + 2 * k] for k in range(text[0])}
    parts = [part for part in state.parts if part[0] in chosen]
    if len(parts) != len(chosen) or any(part[3] not in state.steps for part in parts):
        raise ValueError("its header cannot be")
    known = state.codes or _usual_codes()
    # AC tables bear 16 more in their number, as in the segment that defines them.
    wanted = {t for k in chosen.values() for t in (k >> 4, 16 | k & 15)}
    if not wanted <= known.keys():
        raise ValueError("its codes are missing")
    names = sorted(wanted)
    # The blocks of a unit in their order: as many of each component as its sampling factors say.
    blocks = [(k, names.index(chosen[part[0]] >> 4), names.index(16 | chosen[part[0]] & 15))
              for k, part in enumerate(parts) for _ in range(part[1] * part[2] if len(parts) > 1 else 1)]  # fmt: skip
    codes = np.concatenate([known[name] for name in names])
    given = np.frombuffer(data + b"\xff\xff", np.uint8)
    steps = np.array([state.steps[part[3]] for part in parts])
    for units, final in _intervals(state, parts):
        board = np.array([units, len(blocks), len(data), begin, _MOST, 0, 0])
        # Predictions of first values begin with 0 in each interval.
        if call(walk, given, codes, np.array(blocks), steps, np.zeros(len(parts), np.int64), board):
            raise ValueError("a code, or what it stands for, cannot be")
        mark = _MARK.search(data, int(board[5]))
        if mark is None or not _filled_up(given, int(board[5]), int(board[6]), mark.start()):
            raise ValueError("its data do not end where the picture does")
        if not final and not 0xD0 <= mark[0][-1] < 0xD8:
            raise ValueError("its data end too early")
        begin = mark.start() if final else mark.end()
    state.scans += 1
    return begin


def _filled_up(data: npt.NDArray[np.uint8], place: int, bits: int, end: int) -> bool:
    """Whether so many bits before a place, which were not used, and all behind them up to the end fill up a byte: they
    are ones (F.1.2.3), or zeros as some encoders write them."""
    spare = bits + 8 * (end - place)
    if not 0 <= spare < _SPARE:
        return False
    # A last byte FF is followed by a stuffed 00, which is not the byte that was filled up.
    byte, ones = int(data[end - 1 if data[end - 1] or data[end - 2] != 0xFF else end - 2]), (1 << spare) - 1
    return byte & ones in (0, ones)


def _intervals(state: _State, parts: list[tuple[int, int, int, int]]) -> Iterator[tuple[int, bool]]:
    """Units (MCUs) of each interval of a scan, and whether it is the last."""
    across, down = (max(part[k] for part in state.parts) for k in (1, 2))
    height, width = state.size
    # A scan of one component is not interleaved: its units are blocks, as many as its own samples take (A.2.2), not
    # those that fill up whole MCUs.
    if len(parts) == 1:
        _, own_across, own_down, _ = parts[0]
        units = ceil(ceil(width * own_across / across) / 8) * ceil(ceil(height * own_down / down) / 8)
    else:
        units = ceil(width / (8 * across)) * ceil(height / (8 * down))
    while units > 0:
        some = min(units, state.restart or units)
        units -= some
        yield some, units == 0


@cache
def _lookup(text: bytes) -> npt.NDArray[np.int32]:
    """The codes of one table, as `walk` has them."""
    # Canonical Huffman codes (annex C): a table lists how many codes there are of each length, then their values; codes
    # of a length are consecutive numbers, and the next length goes on from twice the next one.
    found, code, place = np.zeros(1 << 16, np.int32), 0, 16
    for size in range(1, 17):
        for _ in range(text[size - 1]):
            if code >= 1 << size:
                raise ValueError("its codes cannot be")
            found[code << 16 - size : code + 1 << 16 - size] = text[place] << 8 | size
            code, place = code + 1, place + 1
        code <<= 1
    return found


@cache
def _usual_codes() -> dict[int, npt.NDArray[np.int32]]:
    """The tables that cameras leave out of Motion JPEG (T.81, K.3), as an encoder writes them that uses no others."""
    state, at = _State(), 2
    data = cv2.imencode(".jpg", np.zeros((8, 8, 3), np.uint8))[1].tobytes()
    while data[at + 1] != _SCAN:
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        _segment(state, data[at + 1], data[at + 4 : end])
        at = end
    return state.codes
