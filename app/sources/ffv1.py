"""The check sums of FFV1 slices (RFC 9043, section 4.9.3).

FFmpeg notices a slice whose check sum is wrong, puts the picture before in its place and says nothing that a program
could hear; so the sums are checked here, before decoding.
"""

from __future__ import annotations

import zlib

_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
_FOOTER = 8
"""Bytes after each slice: its size (3), error status (1), check sum (4)."""


def sums_hold(packet: bytes) -> bool:
    """Whether a packet is a chain of slices whose check sums are right; False too where slices carry none.

    The sum is a CRC-32 with the usual polynomial, most significant bit first, from 0; over a slice and its sum it is 0.
    """
    end = len(packet)
    while end > 0:
        start = end - _FOOTER - int.from_bytes(packet[end - _FOOTER : end - _FOOTER + 3], "big")
        if end < _FOOTER or start < 0 or _crc(packet[start:end]):
            return False
        end = start
    return len(packet) > 0


def _crc(data: bytes) -> int:
    # zlib counts bits from the least significant one and inverts at both ends.
    return zlib.crc32(data.translate(_REVERSED), 0xFFFFFFFF) ^ 0xFFFFFFFF
