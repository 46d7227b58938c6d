"""The tags of FLV files (Adobe Flash Video File Format 10.1, E.4): each says how long its data are, and behind them
its length is repeated. FFmpeg goes on where it finds a tag that looks right, and says nothing."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

_HEAD = 11
"""Bytes of a tag before its data: type (1), size (3), time (4), stream (3)."""
_BACK = 4
"""Of the size behind them."""
_TYPES = frozenset({8, 9, 18})


def broken_tags(path: Path, places: Iterable[int]) -> set[int]:
    """Those of the places at which a tag begins whose data are longer or shorter than it says.

    A size behind a tag that is wrong alone is no harm to the tag; the next tag shows that it is.
    """
    with path.open("rb") as file:
        return {place for place in places if place >= 0 and not _leads_on(file, place)}


def _leads_on(file: BinaryIO, place: int) -> bool:
    end, said = _end(file, place)
    if end < 0 or said is None or said == end - place:
        return True  # cut short is another thing
    further, size = _end(file, end + _BACK)
    return further >= 0 and size in (None, further - end - _BACK)


def _end(file: BinaryIO, place: int) -> tuple[int, int | None]:
    """Where a tag's data end, -1 where none begins; the size that is behind it, None where the file ends."""
    file.seek(place)
    head = file.read(_HEAD)
    if len(head) < _HEAD or head[0] & 0x1F not in _TYPES:
        return -1, None
    end = place + _HEAD + int.from_bytes(head[1:4], "big")
    file.seek(end)
    back = file.read(_BACK)
    return end, int.from_bytes(back, "big") if len(back) == _BACK else None
