"""Whether the slices of H.264 end where their data end.

FFmpeg stops at a picture's last block, whether or not the data end there: what damage leaves over, or reads too far, it
does not say. So it decodes a copy whose sequence says that pictures are one row of blocks higher. How slices are parsed
depends on no pixels, and a slice that is whole still ends before that row: it alone is missing then (`skip_bottom`
tells the decoder that this is no damage). One that goes on into that row, or ends before it, is told.

With arithmetic codes, a slice may also end at the right block and leave bytes over. Each slice's last bytes belong to
its code, so that of a copy with others the end moves; where it does not, they were never read.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import av
import av.error

from app.sources.examining.units import Stream, changed, described, end_of, guarded, packet_of, payload, units_of

_SLICES, _FRESH, _SEQUENCE, _PICTURE = frozenset({1, 5}), 5, 7, 8
"""Types of units: slices, those with which all begins anew, parameters."""
_WITH_FORMAT = frozenset({100, 110, 122, 244, 44, 83, 86, 118, 128})
"""Profiles whose parameters name how colours are sampled (ITU-T H.264, 7.3.2.1.1)."""
_LEAST = 24
"""Bytes of a slice whose last ones are changed: in a shorter one they may belong to its header."""
_BEFORE_END = 2
"""Bytes from the last one to that which is changed: an arithmetic decoder looks 9 bits ahead of what it needs."""
_MASKS = (0x55, 0xAA, 0x3C, 0x69)
"""What that byte is changed by, one after the other, where the end did not move: by chance it stays with 1 in 200."""
_MOST_SLICES = 8


class _Bits:
    """A unit's payload, bit by bit."""

    # A unit as text of bits: pictures' parameters are short, and slicing text is simple.
    def __init__(self, data: bytes) -> None:
        self.text = "".join(format(byte, "08b") for byte in data)
        self.at = 0

    def take(self, count: int) -> int:
        self.at += count
        return int(self.text[self.at - count : self.at] or "0", 2)

    def unsigned(self) -> int:
        """An Exp-Golomb code (9.1)."""
        # Zeros before the first 1 say how many bits follow it.
        zeros = self.text.index("1", self.at) - self.at
        self.at += zeros
        return self.take(zeros + 1) - 1

    def signed(self) -> int:
        code = self.unsigned()
        return (code + 1) // 2 if code & 1 else -(code // 2)


@dataclass
class Parameters:
    """What the parameters of a stream say: rows of blocks by which pictures were made higher, 2 where they may be
    interlaced, and whether codes are arithmetic."""

    rows: int = 1
    arithmetic: bool = False

    def higher(self, unit: bytes) -> bytes:
        """The change of a unit that makes pictures higher."""
        kind = unit[0] & 31
        if kind == _PICTURE:
            bits = _Bits(payload(unit[1:]))
            bits.unsigned(), bits.unsigned()
            self.arithmetic = self.arithmetic or bool(bits.take(1))
        if kind != _SEQUENCE:
            return unit
        # pic_height_in_map_units_minus1 is raised by one, and all bits behind it move, since an Exp-Golomb code has the
        # length that its number needs. The stop bit and the zeros that fill the last byte are made anew.
        bits = _Bits(payload(unit[1:]))
        _skip_to_height(bits)
        start, height = bits.at, bits.unsigned()
        end = bits.at
        self.rows = 2 - bits.take(1)  # frame_mbs_only_flag: without it a map unit is two rows of blocks
        code = format(height + 2, "b")
        text = (bits.text[:start] + "0" * (len(code) - 1) + code + bits.text[end:]).rstrip("0")
        text += "0" * (-len(text) % 8)
        return unit[:1] + guarded(int(text, 2).to_bytes(len(text) // 8, "big"))


def _skip_to_height(bits: _Bits) -> None:
    # The fields of a sequence's parameters in their order (7.3.2.1.1); those that are read are named.
    profile = bits.take(8)
    bits.take(16)  # constraints, level
    bits.unsigned()  # seq_parameter_set_id
    if profile in _WITH_FORMAT:
        sampling = bits.unsigned()
        bits.take(1 if sampling == 3 else 0)
        bits.unsigned(), bits.unsigned(), bits.take(1)  # depths of luma and chroma, bypass
        if bits.take(1):  # seq_scaling_matrix_present_flag
            for k in range(12 if sampling == 3 else 8):
                if bits.take(1):
                    _skip_scale(bits, 16 if k < 6 else 64)
    bits.unsigned()  # log2_max_frame_num_minus4
    order = bits.unsigned()  # pic_order_cnt_type
    if order == 0:
        bits.unsigned()
    elif order == 1:
        bits.take(1), bits.signed(), bits.signed()
        for _ in range(bits.unsigned()):
            bits.signed()
    bits.unsigned(), bits.take(1), bits.unsigned()  # reference frames, gaps, width


def _skip_scale(bits: _Bits, count: int) -> None:
    # A list of differences; 0 ends it, the rest repeats the last (7.3.2.1.1.1).
    last = following = 8
    for _ in range(count):
        if following:
            following = (last + bits.signed()) % 256
        last = following or last


@dataclass
class Ends(Stream):
    """The examination of one stream of H.264."""

    def look(self) -> dict[int, str] | None:
        """What is wrong with pictures, by their stamps; None where this cannot be told of the stream."""
        wrong, parameters = self._wrong(shown=self.shown)
        sizes = {
            stamp: [end_of(u) for u in units_of(data, self.size) if _is_slice(u)] for stamp, data in self.packets()
        }
        # Where most pictures fail, the stream does something that this does not know.
        if 2 * len(wrong) > len(sizes):
            return None
        found = dict.fromkeys(wrong, "its data do not end where the picture does")
        if not parameters.arithmetic or parameters.rows > 1:
            return found
        # What goes on behind the picture's end shows by this: its last bytes can be changed without any effect.
        for number in range(min(_MOST_SLICES, max(map(len, sizes.values()), default=0))):
            left = {stamp for stamp, some in sizes.items() if len(some) > number and some[number] >= _LEAST} - wrong
            for mask in _MASKS:
                left = left - self._wrong((number, mask))[0] if left else left
            found.update(dict.fromkeys(left, "its data go on behind the picture's end"))
        return found

    def _wrong(
        self, tail: tuple[int, int] | None = None, shown: list[int] | None = None
    ) -> tuple[set[int], Parameters]:
        """The stamps of pictures that do not end before the row that was added.

        Args:
            tail: number of the slice of each picture whose last bytes are changed, and by what.
            shown: gets the stamps of pictures as they come out of the decoder.
        """
        shown = [] if shown is None else shown
        parameters, wrong, harmed = Parameters(), set[int](), False
        description = described(self.description, parameters.higher)
        if not description:
            # Without a description the parameters come with the first packet: it is looked at for what they say.
            changed(next(iter(self.packets()))[1], self.size, parameters.higher)  # to know the rows
        context = _decoder(description, parameters.rows)
        for stamp, data in self.packets():
            units = [parameters.higher(unit) for unit in units_of(data, self.size)]
            if harmed and any(unit[0] & 31 == _FRESH for unit in units):  # what was damaged is none of this group's
                wrong |= _flawed(context, None, -1, shown)
                context, harmed = _decoder(description, parameters.rows), False
            if tail is not None:
                _change_tail(units, *tail)
            flawed = _flawed(context, packet_of(units, self.size), stamp, shown)
            harmed, wrong = harmed or bool(flawed), wrong | flawed
            self.tell(1)
        return wrong | _flawed(context, None, -1, shown), parameters


def _decoder(description: bytes, rows: int) -> Any:
    context: Any = av.CodecContext.create("h264", "r")
    if description:
        context.extradata = description
    context.thread_count = 1
    # The decoder skips the row of blocks at the bottom that was added.
    context.options = {"skip_bottom": str(rows), "strict": "1", "skip_loop_filter": "all", "flags2": "+showall"}
    return context


def _is_slice(unit: bytes) -> bool:
    return unit[0] & 31 in _SLICES


def _change_tail(units: list[bytes], number: int, mask: int) -> None:
    places = [k for k, unit in enumerate(units) if _is_slice(unit)]
    if number < len(places) and end_of(unit := units[places[number]]) >= _LEAST:
        at = end_of(unit) - 1 - _BEFORE_END
        # 0 to 3 behind two zeros would look like a guard, or the start of a unit: such a byte gets its highest bit.
        byte = unit[at] ^ mask
        units[places[number]] = unit[:at] + bytes([byte if byte > 3 else byte | 0x80]) + unit[at + 1 :]


def _flawed(context: Any, data: bytes | None, stamp: int, shown: list[int]) -> set[int]:
    """The stamps of damaged pictures that a packet brings out of the decoder, None for its end; the packet's where it
    is refused."""
    if data == b"":
        return {stamp}
    packet = None if data is None else av.Packet(data)
    if packet is not None:
        packet.pts = packet.dts = stamp
    try:
        frames = context.decode(packet)
    except (av.error.FFmpegError, ValueError):
        return set() if packet is None else {stamp}
    shown += [frame.pts for frame in frames]
    return {frame.pts for frame in frames if frame.is_corrupt}
