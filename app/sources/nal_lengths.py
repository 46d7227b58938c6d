"""Packets of H.264 and HEVC in MP4, MOV and Matroska: chains of units, each behind its length.

Where bytes are lost or too many, each packet behind that place begins within a unit, which its lengths show. The packet
in which it happened may decode to a picture all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_LENGTH_AT = {"h264": (1, 4), "hevc": (1, 21)}
"""First byte of a description that has lengths, and where it says how many bytes each takes, less one (ISO/IEC
14496-15, 5.3.3.1.2 and 8.3.3.1.2)."""


def length_bytes(codec: str, description: bytes) -> int:
    """How many bytes the length of a unit takes; 0 where units have none."""
    version, at = _LENGTH_AT.get(codec, (1, 0))
    if not at or len(description) <= at or description[0] != version:
        return 0
    return 1 + (description[at] & 3)


def holds(packet: Any, size: int) -> bool:
    """Whether the lengths in a packet, of `size` bytes each, lead to its very end."""
    view, at = memoryview(packet), 0
    while at + size <= len(view):
        at += size + int.from_bytes(view[at : at + size], "big")
    return at == len(view)


def doubtful(held: Sequence[bool]) -> set[int]:
    """The numbers of the packets that cannot be trusted: those that do not hold, and one before where it goes on."""
    if not held or not held[0]:  # this file means something else
        return set()
    broken = {k for k, right in enumerate(held) if not right}
    return broken | {k - 1 for k in broken if k + 1 in broken or k + 1 == len(held)}
