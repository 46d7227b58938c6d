"""The check sums of Matroska files: FFmpeg writes one into each cluster, which holds the frames of some seconds, and
ignores those that it reads.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_HEAD, _SEGMENT, _CLUSTER, _SUM = b"\x1a\x45\xdf\xa3", 0x18538067, 0x1F43B675, 0xBF
_SUM_BYTES = 6
"""Of the element: its name, its size, the sum."""
_PIECE = 1 << 20


def torn_clusters(path: Path) -> list[tuple[int, int]]:
    """From which byte to which clusters lie whose sums are wrong, or what no chain of elements leads through; none of
    other files, or without sums."""
    with path.open("rb") as file:
        if file.read(4) != _HEAD:
            return []
        return [(start, end) for start, end, whole in _clusters(file) if not whole or not _holds(file, start, end)]


def has_sums(path: Path) -> bool:
    """Whether this is a Matroska file whose clusters have check sums, by its first one."""
    with path.open("rb") as file:
        if file.read(4) != _HEAD:
            return False
        start, _, whole = next(_clusters(file), (0, 0, False))
        file.seek(start)
        return whole and file.read(2) == bytes((_SUM, 0x84))


def _clusters(file: BinaryIO) -> Iterator[tuple[int, int, bool]]:
    """Where the contents of clusters begin and end, and True; where the chain of elements breaks in a file that is not
    cut short, what is left of it, and False."""
    end = file.seek(0, 2)
    place, segment = 0, 0
    while place < end:
        try:
            file.seek(place)
            name, size = _number(file, keep=True), _number(file)
            start = file.tell()
        except EOFError:
            break
        # A segment is entered, since clusters are its children; everything else is stepped over. The segment's
        # size says whether the chain broke or the file was cut short.
        if name == _SEGMENT:
            place, segment = start, start + size
        elif start + size <= end:
            if name == _CLUSTER:
                yield start, start + size, True
            place = start + size
        else:
            break
    if place < end and segment <= end:
        yield place, end, False


def _number(file: BinaryIO, keep: bool = False) -> int:
    """A number whose first set bit tells how many bytes it takes (RFC 8794, section 4); `keep` leaves it there.

    Raises:
        EOFError: the file ends, or it is none.
    """
    first = file.read(1)
    if not first or not first[0]:
        raise EOFError
    rest = 8 - first[0].bit_length()
    data = first + file.read(rest)
    if len(data) < 1 + rest:
        raise EOFError
    # A size leaves its marker bit out; a name keeps it, as names are written in the specification.
    number = int.from_bytes(data, "big")
    return number if keep else number - (1 << 7 * (rest + 1))


def _holds(file: BinaryIO, start: int, end: int) -> bool:
    """Whether a cluster's sum is that of all behind it; True where it has none."""
    file.seek(start)
    head = file.read(_SUM_BYTES)
    if len(head) < _SUM_BYTES or head[0] != _SUM or head[1] != 0x84:
        return True
    # The sum covers all that follows it in the cluster, and is little-endian, unlike all other numbers (RFC 8794,
    # section 11.3.1).
    left, total = end - start - _SUM_BYTES, 0
    while left > 0 and (piece := file.read(min(left, _PIECE))):
        total, left = zlib.crc32(piece, total), left - len(piece)
    return total == int.from_bytes(head[2:], "little")
