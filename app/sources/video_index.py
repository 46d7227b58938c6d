"""Which frames a video really has, in what order they come out of the decoder, and where it can be entered.

The header's count and the order of the time stamps are both wrong in real files, so neither is believed. Packets are
counted without decoding; a decoded sample at the start tells whether the stamps follow the pictures. Where they
do not, the whole file is decoded once.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import av
import av.error
import numpy as np
import numpy.typing as npt

from app.sources.base import check_picture, plural, reason_of
from app.sources.ffv1 import sums_hold
from app.sources.mjpeg import Table, lacking, tables_in
from kernels.errors import SourceError

_NONE = -(2**63)
"""FFmpeg's own mark for a missing time stamp."""
_ORDERLY = {"strict": "1"}
"""Pictures wait until their order is sure, also where the stream does not say by how many they are out of it."""
_CAREFUL = {"err_detect": "explode"}
"""Damage is an error, not a picture that is partly made up."""
_MARKING = frozenset({"h264", "mpeg1video", "mpeg2video", "mpeg4"})
"""Codecs whose decoders mark each picture that they had to make up, also where they do not take it for an error."""
_MAX_REORDER = 32
_SAMPLE = 48
"""Frames decoded at opening; more than any codec's reorder depth (16)."""


Stamps = npt.NDArray[np.int64]


def _no_stamps() -> Stamps:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True)
class VideoIndex:
    """The frames of a video, 64 bytes each at most.

    Args:
        frames: frames that come out of the decoder.
        order: time stamp (pts, in units of the stream's time base) of each frame in the decoder's order; empty when
            the frames have no usable stamps and only their count is known.
        entries: ordinals of the key frames, rising.
        entry_pts, entry_dts: where to seek for them.
        entry_places: bytes from the start of the file to their packets, -1 if unknown: a seek by a damaged list of
            entry points (AVI's) ends elsewhere.
        warnings: sentences about what was odd.
        by_stamp: ordinals sorted by stamp.
        rank: place of each frame in decoding order, -1 if unknown; empty without stamps.
        key_ranks, key_ordinals: of the key frames, by rising rank.
        lookahead: most frames by which a frame is decoded before another that is shown earlier.
        torn: time stamps of the packets that are damaged by what they themselves say, and what that is.
        careful: whether whatever breaks the codec's rules is taken for damage.
    """

    frames: int
    order: Stamps
    entries: Stamps
    entry_pts: Stamps
    entry_dts: Stamps
    entry_places: Stamps
    warnings: tuple[str, ...] = ()
    by_stamp: Stamps = field(default_factory=_no_stamps)
    rank: Stamps = field(default_factory=_no_stamps)
    key_ranks: Stamps = field(default_factory=_no_stamps)
    key_ordinals: Stamps = field(default_factory=_no_stamps)
    lookahead: int = 0
    torn: Mapping[int, str] = field(default_factory=dict)
    careful: bool = True

    def entry_for(self, ordinal: int) -> int:
        """The number of the last entry point at or before a frame (-1: none)."""
        return int(np.searchsorted(self.entries, ordinal, "right")) - 1

    def may_be(self, ordinal: int, place: int | None) -> bool:
        """Whether the packet of a frame that is an entry point can lie at a place of the file."""
        entry = self.entry_for(ordinal)
        if entry < 0 or self.entries[entry] != ordinal:
            return False
        return place is None or place < 0 or int(self.entry_places[entry]) in (place, -1)

    def ordinal_of(self, stamp: int | None) -> int:
        """The frame that bears a stamp (-1: none)."""
        if stamp is None or not len(self.order):
            return -1
        at = int(np.searchsorted(self.order, stamp, sorter=self.by_stamp))
        ordinal = int(self.by_stamp[at]) if at < len(self.order) else -1
        return ordinal if ordinal >= 0 and self.order[ordinal] == stamp else -1


@dataclass(frozen=True, slots=True)
class _Packets:
    """Stamps of all packets that are shown, `_NONE` where one has none; whether unshown ones come before them."""

    pts: Stamps
    dts: Stamps
    key: npt.NDArray[np.bool_]
    place: Stamps
    unshown_lead: bool
    torn: Mapping[int, str] = field(default_factory=dict)


def open_container(path: Path, careful: bool = True) -> tuple[Any, Any]:
    """The container and its first video stream.

    Args:
        path: the file.
        careful: whether to take for damage whatever breaks the codec's rules.

    Raises:
        SourceError: not a video, cut short before its index, or without a video stream.
    """
    try:
        # Nothing but this file is ever opened, whatever a playlist inside says.
        container = av.open(str(path), options={"protocol_whitelist": "file"})
    except (av.error.FFmpegError, ValueError, OSError) as error:
        what = "it is damaged, cut short or no video"
        todo = "copy it from the camera once more, or have FFmpeg save what is left: ffmpeg -i FILE -c copy NEW.mkv"
        raise SourceError(f"{path} cannot be opened as a video: {what} ({reason_of(error)}); {todo}") from None
    if not container.streams.video:
        container.close()
        raise SourceError(f"{path} holds no video stream")
    stream = container.streams.video[0]
    context = stream.codec_context
    if context is None:
        container.close()
        raise SourceError(f"{path} is coded in a way that is not known here")
    if context.width or context.height:
        try:
            check_picture(path, context.width, context.height, 6 * context.width * context.height)
        except SourceError:
            container.close()
            raise
    # Threads that decode a frame each are faster, but FFmpeg then hands out a damaged picture unmarked now and then
    # (one in some hundred), as its mark comes from another thread.
    stream.thread_type = "SLICE"
    context.options = {**context.options, **_ORDERLY, **(_CAREFUL if careful else {})}
    return container, stream


def packets_of(container: Any, stream: Any) -> Any:
    """The stream's packets until the end or the first that the container cannot deliver, then the flush packet."""
    packets = container.demux(stream)
    while True:
        try:
            yield next(packets)
        except StopIteration:
            return
        except (av.error.FFmpegError, ValueError, OSError):
            yield None
            return


def decode_packet(stream: Any, packet: Any) -> list[Any] | None:
    """Frames that a packet brings out of the decoder; None when it is broken."""
    try:
        return list(stream.decode(packet))
    except av.error.EOFError:
        return []
    except (av.error.FFmpegError, ValueError):
        return None


def build_index(path: Path) -> VideoIndex:
    """Count the frames and find the entry points.

    Raises:
        SourceError: not a video, or not one frame can be decoded.
    """
    container, stream = open_container(path)
    try:
        packets, codec = _demux(container, stream), stream.codec_context.name
    finally:
        container.close()
    if not len(packets.pts):
        raise SourceError(f"{path} holds no frames: its video stream is empty")
    warnings: list[str] = []
    # Pictures before the first key frame lean on others: packets that are decoded but not shown (an edit list), or
    # such as the file does not have.
    first = int(np.argmax(packets.key)) if packets.key.any() and not packets.unshown_lead else 0
    packets = _Packets(packets.pts[first:], packets.dts[first:], packets.key[first:], packets.place[first:], False,
                       packets.torn)  # fmt: skip
    order = np.unique(packets.pts)
    trusted = len(order) == len(packets.pts) and order[0] != _NONE
    sample, careful = _sample(path, codec)
    if not trusted:
        sample = _decode(path, None, careful)[0]
    if not sample:
        raise SourceError(f"{path} holds {plural(len(packets.pts), 'packet')}, but not one frame of it can be decoded")
    if trusted and _follows(sample, order):
        return _index(packets, order, warnings, careful)
    seen = _decode(path, None, careful)[0] if trusted else sample
    stamps = np.asarray([_NONE if s is None else s for s in seen], np.int64)
    if not trusted or (stamps == _NONE).any() or len(np.unique(stamps)) < len(stamps):
        warnings.append("the frames have no usable time stamps; they are counted and timed by their order")
        none = _no_stamps()
        return VideoIndex(len(stamps), none, none, none, none, none, tuple(warnings), careful=careful)
    if (np.diff(stamps) < 0).any():
        warnings.append("the time stamps do not follow the pictures' order and are sorted; frames come as decoded")
    return _index(packets, stamps, warnings, careful)


def _demux(container: Any, stream: Any) -> _Packets:
    """All packets that are meant to be shown."""
    pts, dts, key, place = array("q"), array("q"), array("b"), array("q")
    lead, codec = False, stream.codec_context.name
    sums: list[bool] = []  # of FFV1: whether they hold
    tables: list[frozenset[Table]] = []  # of Motion JPEG
    for packet in packets_of(container, stream):
        if packet is not None and packet.is_discard:
            lead = lead or not pts
        elif packet is not None and packet.size:
            pts.append(_NONE if packet.pts is None else packet.pts)
            dts.append(pts[-1] if packet.dts is None else packet.dts)
            key.append(bool(packet.is_keyframe))
            place.append(-1 if packet.pos is None else packet.pos)
            if codec == "ffv1":
                sums.append(sums_hold(bytes(packet)))
            elif codec == "mjpeg":
                tables.append(tables_in(packet))
    torn = {pts[k]: "its tables or its end are missing" for k in lacking(tables)}
    if any(sums):  # else the slices carry none
        torn = {pts[k]: "the check sum in the file is another" for k, holds in enumerate(sums) if not holds}
    stamps, order, places = (np.array(numbers, np.int64) for numbers in (pts, dts, place))
    return _Packets(stamps, order, np.array(key, bool), places, lead, torn)


def _sample(path: Path, codec: str) -> tuple[list[int | None], bool]:
    """Stamps of the first frames as they come out of the decoder; whether it is to take broken rules for damage.

    Some encoders break their codec's rules from the first picture on (H.264 whose key frames hold slices that lean on
    others): a decoder that takes it for damage loses most of the clip, and one that does not finds nothing wrong.
    """
    stamps, flaw = _decode(path, _SAMPLE, True)
    if flaw != 0 or codec not in _MARKING:
        return stamps, True
    others, flaw = _decode(path, _SAMPLE, False)
    return (others, False) if flaw is None else (stamps, True)


def _decode(path: Path, limit: int | None, careful: bool) -> tuple[list[int | None], int | None]:
    """Stamps of the first `limit` frames (None: of all) as they come out of the decoder; the number of the first packet
    that it found broken, or that it had to make up parts for (None: of none)."""
    container, stream = open_container(path, careful)
    stamps: list[int | None] = []
    flaw: int | None = None
    try:
        for number, packet in enumerate(packets_of(container, stream)):
            frames = decode_packet(stream, packet) if packet is not None else []
            if flaw is None and (frames is None or any(frame.is_corrupt for frame in frames)):
                flaw = number
            stamps.extend(frame.pts for frame in frames or ())
            if limit is not None and len(stamps) >= limit:
                break
    finally:
        container.close()
    return stamps, flaw


def _follows(sample: list[int | None], order: Stamps) -> bool:
    """Whether decoded stamps rise and are all known: then the sorted stamps are the pictures' order."""
    rising = [s for s in sample if s is not None]
    return len(rising) == len(sample) and rising == sorted(set(rising)) and bool(np.isin(rising, order).all())


def _index(packets: _Packets, order: Stamps, warnings: list[str], careful: bool) -> VideoIndex:
    by_stamp = np.argsort(order, kind="stable").astype(np.int64)
    place = np.minimum(np.searchsorted(order, packets.pts, sorter=by_stamp), len(order) - 1)
    ordinals = by_stamp[place]
    known = order[ordinals] == packets.pts
    rank = np.full(len(order), -1, np.int64)
    rank[ordinals[known]] = np.flatnonzero(known)
    shown = ordinals[known]
    lookahead = int((np.maximum.accumulate(shown) - shown).max(initial=0))
    keys = np.flatnonzero(packets.key & known)
    entries = keys[np.argsort(ordinals[keys], kind="stable")]
    return VideoIndex(
        len(order), order, ordinals[entries], packets.pts[entries], packets.dts[entries],
        packets.place[entries], tuple(warnings),
        by_stamp, rank, keys, ordinals[keys], min(lookahead, _MAX_REORDER), packets.torn, careful,
    )  # fmt: skip
