"""The tables that each picture of a Motion JPEG stream brings along, and the mark at its end.

A decoder takes a table that a picture lacks from one that it decoded before, whichever that was: what a damaged picture
looks like would depend on the order of reading. What is cut short it fills up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

_QUANTIZATION, _HUFFMAN = 0xDB, 0xC4
_SCAN, _END = 0xDA, 0xD9
_HEAD, _TAIL = 4096, 64
"""Bytes of a packet within which its tables and its end are."""

Table = tuple[int, int]
"""Marker of its segment, number."""


def tables_in(data: Any) -> frozenset[Table]:
    """The tables before the first scan of a JPEG; its end mark counts as one."""
    view = memoryview(data)
    packet = bytes(view[:_HEAD])
    found = {(_END, 0)} if b"\xff\xd9" in bytes(view[-_TAIL:]) else set()
    at = 2
    while at + 5 <= len(packet) and packet[at] == 0xFF and packet[at + 1] != _SCAN:
        marker, end = packet[at + 1], at + 2 + int.from_bytes(packet[at + 2 : at + 4], "big")
        place = at + 4
        while marker in (_QUANTIZATION, _HUFFMAN) and place < min(end, len(packet)):
            number = packet[place]
            # Quantisation and Huffman tables bear their number, and class or precision, in the first byte.
            found.add((marker, number & 0x1F))
            counts = packet[place + 1 : place + 17]
            place += 17 + sum(counts) if marker == _HUFFMAN else 1 + (128 if number >> 4 else 64)
        at = end
    return frozenset(found)


def lacking(tables: Sequence[frozenset[Table]]) -> list[int]:
    """The numbers of the pictures that lack tables which most others have."""
    if not tables:
        return []
    usual, _ = Counter(tables).most_common(1)[0]
    return [number for number, own in enumerate(tables) if usual - own]
