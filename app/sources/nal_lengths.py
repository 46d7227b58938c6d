"""Packets of H.264 and HEVC in MP4, MOV and Matroska: chains of units, each behind its length.

Where bytes are lost or too many, each packet behind that place begins within a unit, which its lengths show. The packet
in which it happened may decode to a picture all the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

_LENGTH_AT = {"h264": (1, 4), "hevc": (1, 21)}
"""First byte of a description that has lengths, and where it says how many bytes each takes, less one (ISO/IEC
14496-15, 5.3.3.1.2 and 8.3.3.1.2)."""
WHOLE = -1


def length_bytes(codec: str, description: bytes) -> int:
    """How many bytes the length of a unit takes; 0 where units have none."""
    version, at = _LENGTH_AT.get(codec, (1, 0))
    if not at or len(description) <= at or description[0] != version:
        return 0
    return 1 + (description[at] & 3)


def spans(packet: Any, size: int) -> Iterator[tuple[int, int]]:
    """Where the units of a packet begin and end, behind their lengths of `size` bytes; the last may end past it."""
    view, at = memoryview(packet), 0
    while at + size <= len(view):
        start = at + size
        at = start + int.from_bytes(view[at:start], "big")
        yield start, at


def breaks(packet: Any, size: int) -> int:
    """The number of the unit whose length does not lead to the next one or to the packet's very end; WHOLE for none."""
    whole = memoryview(packet).nbytes
    number, end = -1, 0
    for number, (_, end) in enumerate(spans(packet, size)):
        if end > whole:
            return number
    return WHOLE if end == whole else number + 1


def doubtful(broken: Sequence[int]) -> set[int]:
    """The numbers of the packets that cannot be trusted, by which of their units' lengths is wrong: those, and the one
    before where it is the first unit: what harmed that may have begun before it."""
    # Where even the first packet is no chain of lengths, the description means something else.
    if not broken or broken[0] != WHOLE:  # this file means something else
        return set()
    return {k for k, unit in enumerate(broken) if unit != WHOLE} | {k - 1 for k, unit in enumerate(broken) if unit == 0}
