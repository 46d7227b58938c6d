"""Units of H.264 and HEVC in packets, behind lengths or between start codes, and copies of packets with others."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from app.sources.integrity import Tell
from app.sources.nal_lengths import spans

_START = re.compile(rb"\x00\x00\x01")
_NEXT = b"\0\0\0\1"
_FILLED = re.compile(rb"(?:\x00\x00\x03)*\x00*\Z")

Packets = Callable[[], Iterable[tuple[int, bytes]]]
"""All packets of a stream from the first one on: stamp, data."""


@dataclass
class Stream:
    """What is examined of a stream.

    Args:
        size: bytes of a unit's length in packets, 0 for start codes.
        description: the stream's.
        packets: of the stream.
        tell: gets the number of packets that were decoded.
        shown: gets the stamps of pictures in the order in which they are shown.
    """

    size: int
    description: bytes
    packets: Packets
    tell: Tell
    shown: list[int] = field(default_factory=list)


Change = Callable[[bytes], bytes]
"""What a unit becomes; itself where it stays."""


def units_of(packet: bytes, size: int) -> list[bytes]:
    """The units of a packet whose lengths take `size` bytes, 0 for start codes between them."""
    if size:
        return [packet[start:end] for start, end in spans(packet, size) if start < end <= len(packet)]
    begins = [mark.end() for mark in _START.finditer(packet)]
    ends = [*(begin - 3 for begin in begins[1:]), len(packet)][: len(begins)]
    # Zeros before a start code belong to it (or fill up), not to the unit.
    return [packet[a:b].rstrip(b"\0") for a, b in zip(begins, ends, strict=True) if a < b]


def packet_of(units: list[bytes], size: int) -> bytes:
    """The inverse of `units_of`."""
    return b"".join((len(unit).to_bytes(size, "big") if size else _NEXT) + unit for unit in units)


def changed(packet: bytes, size: int, change: Change) -> bytes:
    """A packet with each unit changed."""
    return packet_of([change(unit) for unit in units_of(packet, size)], size)


def described(description: bytes, change: Change) -> bytes:
    """The description of an H.264 stream with its units changed (ISO/IEC 14496-15, 5.3.3.1.2), or units between start
    codes."""
    if not description or description[0] != 1:
        return changed(description, 0, change) if description else b""
    out, at = bytearray(description[:5]), 5
    for mask in (0x1F, 0xFF):  # sequence parameters, picture parameters
        count = description[at] & mask
        out.append(description[at])
        at += 1
        for _ in range(count):
            end = at + 2 + int.from_bytes(description[at : at + 2], "big")
            unit = change(description[at + 2 : end])
            out += len(unit).to_bytes(2, "big") + unit
            at = end
    return bytes(out + description[at:])


def payload(unit: bytes) -> bytes:
    """A unit without the bytes that keep start codes out of it (ITU-T H.264, 7.4.1)."""
    return unit.replace(b"\0\0\3", b"\0\0")


def guarded(data: bytes) -> bytes:
    """The inverse of `payload`."""
    return re.sub(rb"\x00\x00(?=[\x00-\x03])", b"\0\0\3", data)


def end_of(unit: bytes) -> int:
    """Where a unit's code ends: zeros that fill up may follow, each two of them guarded (7.2, 7.3.2.10)."""
    found = _FILLED.search(unit)
    return len(unit) if found is None else found.start()
