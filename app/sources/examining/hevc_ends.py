"""Whether the slices of HEVC end where their data end. No decoder at hand says so, but pictures tell.

Bytes that are put behind a slice are read where damage makes it read too far: then two copies with other bytes there
give two pictures. Rows of blocks that have data of their own are decoded in two ways, from where the row before ended
and from where the slice says that they begin. The last bytes of a slice belong to it: where copies with others there
all give the same picture, they were never read. The last is tried on pictures on which no others are built, and on
key frames alone, since each picture that is built on a changed one is another one anyway.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import av
import av.error
import numpy as np

from app.sources.examining.units import Stream, end_of, packet_of, units_of

_SLICES, _KEYS = range(32), range(16, 24)
"""Types of units that hold slices, and those of key frames (ITU-T H.265, table 7-1)."""
_LEAST = 64
"""Bytes of a slice whose last ones are changed: a shorter one may hold nothing but copies of other pictures."""
_NEAR = ((0, 0x55), (0, 0xAA), (0, 0x3C))
_FAR = ((0, 0x55), (32, 0x55), (16, 0x55), (8, 0x55))
"""Where and how a byte is changed: this share of a slice before its end, 0 for the last but two."""
_CORNER, _ROUGH = 64, 3.0
"""Of the last block, px; standard deviation in it, in gray values of 8 bits, from which on it takes so many bytes that
what the last ones hold is seen."""
_BEHIND = (bytes((0xB6, 0x6D)) * 16, bytes((0x49, 0x92)) * 16)

Pictures = dict[int, bytes]
"""What came out of a decoder, by stamp: a sum of the pixels, b"" for what it takes for damaged."""


@dataclass
class Ends(Stream):
    """The examination of one stream of HEVC."""

    _anew: set[int] = field(default_factory=set)
    """Stamps of key frames behind damage that the decoder finds: what was damaged is none of theirs."""

    def look(self) -> dict[int, str]:
        """What is wrong with pictures, by their stamps."""
        whole = self._decode(self.packets(), 1, lambda frame: self.shown.append(frame.pts))
        harmed = False
        for stamp, data in self.packets():
            if harmed and self._is_key(data, 0):
                self._anew.add(stamp)
                harmed = False
            harmed = harmed or not whole.get(stamp)
        if self._anew:
            whole = self._decode(self.packets(), 1)
        found: dict[int, str] = {}
        # Other bytes behind the data, decoded in one and in four threads: a decoder that reads beyond the end gives
        # different pictures.
        for threads, behind in ((1, _BEHIND[0]), (4, _BEHIND[1])):
            other = self._decode(self._with(behind), threads)
            found |= {stamp: "it cannot be decoded alike in two ways: its data do not end where the picture does"
                      for stamp, sum_ in whole.items() if sum_ and other.get(stamp) != sum_}  # fmt: skip
        # Pictures that nothing leans on may be changed without harm to others; the rest are tested alone, key frames
        # only.
        left = {stamp for stamp, data in self.packets() if stamp not in found and self._is_spare(data)}
        for change in _FAR:
            if left:
                other = self._decode(self._changed(left, change), 1)
                # A picture that stays as it is with each change near its end has data that are not needed.
                left = {stamp for stamp in left if other.get(stamp) == whole.get(stamp) != b""}
        for stamp, data in self.packets():
            if stamp not in found and whole.get(stamp) and self._is_key(data) and self._goes_on(stamp, data):
                left.add(stamp)
        return {**dict.fromkeys(left, "its data go on behind the picture's end"), **found}

    def _goes_on(self, stamp: int, data: bytes) -> bool:
        """Whether a key frame stays as it is with other bytes at its end."""
        rough: list[bool] = []
        alone = self._decode([(stamp, data)], 1, lambda frame: rough.append(_is_rough(frame))).get(stamp, b"")
        return bool(alone) and all(
            self._decode([(stamp, self._copy(data, *change))], 1).get(stamp) == alone
            for change in (_NEAR if all(rough) else _FAR)
        )

    def _decode(
        self, packets: Iterable[tuple[int, bytes]], threads: int, see: Callable[[Any], object] | None = None
    ) -> Pictures:
        """Decode packets; `see` gets each frame."""
        context, found = self._decoder(threads), Pictures()

        def take(data: bytes | None, stamp: int) -> None:
            frames = _frames(context, data, stamp)
            if frames is None:
                found[stamp] = b""
            for frame in frames or ():
                found[frame.pts] = b"" if frame.is_corrupt else _sum(frame)
                if see is not None:
                    see(frame)

        for stamp, data in packets:
            if stamp in self._anew:
                take(None, -1)
                context = self._decoder(threads)
            take(data, stamp)
            self.tell(1)
        take(None, -1)
        return found

    def _decoder(self, threads: int) -> Any:
        context: Any = av.CodecContext.create("hevc", "r")
        if self.description:
            context.extradata = self.description
        context.thread_type, context.thread_count = "SLICE", threads
        context.options = {"strict": "1"}
        return context

    def _with(self, behind: bytes) -> Iterator[tuple[int, bytes]]:
        for stamp, data in self.packets():
            units = units_of(data, self.size)
            places = [k for k, unit in enumerate(units) if _type(unit) in _SLICES]
            if len(places) == 1:  # FFmpeg reads some a little too far where there are several
                units[places[0]] += behind
            yield stamp, packet_of(units, self.size)

    def _changed(self, stamps: set[int], change: tuple[int, int]) -> Iterator[tuple[int, bytes]]:
        for stamp, data in self.packets():
            yield stamp, self._copy(data, *change) if stamp in stamps else data

    def _copy(self, data: bytes, part: int, mask: int) -> bytes:
        """A packet whose last slice has another byte near its end."""
        units = units_of(data, self.size)
        last = max(k for k, unit in enumerate(units) if _type(unit) in _SLICES)
        unit, end = units[last], end_of(units[last])
        at = end - 3 - (end // part if part else 0)
        byte = unit[at] ^ mask  # 0 to 3 behind two zeros would be a guard or the start of a unit
        units[last] = unit[:at] + bytes([byte if byte > 3 else byte | 0x80]) + unit[at + 1 :]
        return packet_of(units, self.size)

    def _slices(self, data: bytes) -> list[bytes]:
        return [unit for unit in units_of(data, self.size) if _type(unit) in _SLICES]

    def _is_spare(self, data: bytes) -> bool:
        """Whether no other picture is built on a packet's."""
        some = self._slices(data)
        # Types 0 to 14 with even numbers are sub-layer non-reference pictures (table 7-1).
        return bool(some) and all(_type(u) < 16 and _type(u) % 2 == 0 for u in some) and end_of(some[-1]) >= _LEAST

    def _is_key(self, data: bytes, least: int = _LEAST) -> bool:
        some = self._slices(data)
        return bool(some) and all(_type(u) in _KEYS for u in some) and end_of(some[-1]) >= least


def _type(unit: bytes) -> int:
    return unit[0] >> 1 & 63


def _frames(context: Any, data: bytes | None, stamp: int) -> list[Any] | None:
    """What a packet brings out of the decoder, None for its end; None where it is refused."""
    if data == b"":
        return None
    packet = None if data is None else av.Packet(data)
    if packet is not None:
        packet.pts = packet.dts = stamp
    try:
        return list(context.decode(packet))
    except (av.error.FFmpegError, ValueError):
        return [] if packet is None else None


def _is_rough(frame: Any) -> bool:
    """Whether there is something to be seen in the corner where a picture ends."""
    plane, deep = frame.planes[0], frame.format.components[0].bits - 8
    rows = np.frombuffer(plane, np.uint8).reshape(plane.height, plane.line_size).view(np.uint16 if deep else np.uint8)
    corner = rows[-_CORNER:, max(0, plane.width - _CORNER) : plane.width]
    return bool(corner.std() > _ROUGH * 2**deep)


def _sum(frame: Any) -> bytes:
    """Of the pixels, without what fills up rows."""
    total = hashlib.blake2b(digest_size=16)
    for plane in frame.planes:
        line = plane.width * (2 if frame.format.components[0].bits > 8 else 1)
        view = memoryview(plane)
        for start in range(0, plane.height * plane.line_size, plane.line_size):
            total.update(view[start : start + line])
    return total.digest()
