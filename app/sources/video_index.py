"""Which frames a video really has, in what order they come out of the decoder, and where it can be entered.

The header's count and the order of the time stamps are both wrong in real files, so neither is believed. Packets are
counted without decoding; a decoded sample at the start tells whether the stamps follow the pictures. Where they
do not, the whole file is decoded once.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import av.error
import numpy as np
import numpy.typing as npt

from app.sources.base import check_picture, plural, reason_of
from app.sources.distinct import distinct
from app.sources.ffv1 import sums_hold
from app.sources.flv_tags import broken_tags
from app.sources.matroska_sums import torn_clusters
from app.sources.mjpeg import Table, lacking, tables_in
from app.sources.nal_lengths import breaks, doubtful, length_bytes
from kernels.errors import SourceError

_NONE = -(2**63)
"""FFmpeg's own mark for a missing time stamp."""
_ORDERLY = {"strict": "1"}
"""Pictures wait until their order is sure, also where the stream does not say by how many they are out of it."""
_CAREFUL = {"err_detect": "crccheck+explode"}
"""Damage is an error, not a picture that is partly made up; check sums are looked at (PNG; HEVC where it has some)."""
_EXACT = {**_CAREFUL, "bug": "0"}
"""Encoders' known faults are none of this file's. A decoder that looks for them learns from picture to picture how far
data may go on behind a picture's end, so that what it takes for damage would depend on the order of reading."""
_FAULTS = {"flv": (), "h263": (), "h263i": (), "h263p": (), "mpeg4": (b"DivX", b"XviD")}
"""Codecs whose decoders do, and the names of encoders for which they must."""
_MARKING = frozenset({"h264", "mpeg1video", "mpeg2video", "mpeg4"})
"""Codecs whose decoders mark each picture that they had to make up, also where they do not take it for an error."""
_MAX_REORDER = 32
_COARSE = 2
"""Ticks by which two stamps of frames one after the other may be farther apart than usual, by rounding."""
_HEAD = 4096
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
        options: how the decoder is opened: what it takes for damage.
        hidden: pictures that the file's list of edits leaves out.
        summed: whether each frame has a check sum.
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
    options: Mapping[str, str] = field(default_factory=dict)
    hidden: int = 0
    summed: bool = False

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
    summed: bool = False
    """Whether each packet has a check sum of its own."""
    hidden: int = 0
    """Packets that are not shown."""
    head: bytes = b""
    """The codec's description and the first packet."""


def open_container(path: Path, options: Mapping[str, str] = _CAREFUL) -> tuple[Any, Any]:
    """The container and its first video stream.

    Args:
        path: the file.
        options: of the decoder.

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
    if context.name == "h264":
        context.thread_count = 1  # with threads its decoder does not look for parts of a picture that never came
    context.options = {**context.options, **_ORDERLY, **options}
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
    # Encoders that skip a picture (Theora) leave a stamp without data, which FFmpeg's decoders refuse. The packet that
    # asks for what they still hold has neither.
    if not packet.size and packet.pts is not None:
        return []
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
        packets, codec, form = _demux(container, stream), stream.codec_context.name, container.format.name
        tick = float(stream.time_base or 0)
    finally:
        container.close()
    if not len(packets.pts):
        raise SourceError(f"{path} holds no frames: its video stream is empty")
    warnings: list[str] = []
    # Pictures before the first key frame lean on others: packets that are decoded but not shown (an edit list), or
    # such as the file does not have.
    first = int(np.argmax(packets.key)) if packets.key.any() and not packets.unshown_lead else 0
    packets = replace(
        packets, pts=packets.pts[first:], dts=packets.dts[first:], key=packets.key[first:], place=packets.place[first:],
        unshown_lead=False,
    )  # fmt: skip
    if first:
        left = f"{plural(first, 'picture')} before the first key frame {'is' if first == 1 else 'are'} left out"
        warnings.append(f"{left}: what they lean on is not in the file, or damaged")
    # Sorted, each stamp once: the pictures' order if every packet has one of its own.
    order = distinct(packets.pts)
    torn = dict.fromkeys(_broken(path, form, packets), "bytes are missing or too many")
    packets = replace(packets, torn={**torn, **packets.torn})
    if not packets.summed:
        warnings += _damaged_clusters(path, packets, order)
    trusted = len(order) == len(packets.pts) and order[0] != _NONE
    sample, options = _sample(path, codec, packets.head)
    if not trusted:
        # Without trusted stamps the whole file is decoded, to count its frames.
        sample = _decode(path, None, options)[0]
    if not sample:
        raise SourceError(f"{path} holds {plural(len(packets.pts), 'packet')}, but not one frame of it can be decoded")
    if trusted and _follows(sample, order):
        return _index(packets, order, warnings, options)
    seen = _decode(path, None, options)[0] if trusted else sample
    stamps = np.asarray([_NONE if s is None else s for s in seen], np.int64)
    if not trusted or (stamps == _NONE).any() or len(distinct(stamps)) < len(stamps):
        warnings.append("the frames have no usable time stamps; they are counted and timed by their order")
        warnings += _pauses(stamps, tick)
        none = _no_stamps()
        return VideoIndex(len(stamps), none, none, none, none, none, tuple(warnings), options=options,
                          summed=packets.summed)  # fmt: skip
    if (np.diff(stamps) < 0).any():
        warnings.append("the time stamps do not follow the pictures' order and are sorted; frames come as decoded")
    return _index(packets, stamps, warnings, options)


def _demux(container: Any, stream: Any) -> _Packets:
    """All packets that are meant to be shown."""
    pts, dts, key, place = array("q"), array("q"), array("b"), array("q")
    lead, hidden, codec = False, 0, stream.codec_context.name
    sums: list[bool] = []  # of FFV1: whether they hold
    tables: list[frozenset[Table]] = []  # of Motion JPEG
    head = bytes(stream.codec_context.extradata or b"")
    size = length_bytes(codec, head)
    torn: dict[int, str] = {}
    chains: list[int] = []  # of H.264 and HEVC: which of their units' lengths is wrong
    for packet in packets_of(container, stream):
        if packet is not None and packet.is_discard:
            # Packets that the file's list of edits leaves out: those before the first shown one may still be leant on.
            lead, hidden = lead or not pts, hidden + bool(packet.size)
        elif packet is not None and packet.size:
            head = head if pts else head + bytes(packet)[:_HEAD]
            pts.append(_NONE if packet.pts is None else packet.pts)
            # A packet without a decoding stamp has its presentation stamp.
            dts.append(pts[-1] if packet.dts is None else packet.dts)
            key.append(bool(packet.is_keyframe))
            place.append(-1 if packet.pos is None else packet.pos)
            if packet.is_corrupt:
                torn[pts[-1]] = "by the container they are not whole"
            # Each codec whose packets say themselves whether they are whole.
            if codec == "ffv1":
                sums.append(sums_hold(bytes(packet)))
            elif codec == "mjpeg":
                tables.append(tables_in(packet))
            elif size:
                chains.append(breaks(packet, size))
    torn.update((pts[k], "its tables or its end are missing") for k in lacking(tables))
    torn.update((pts[k], "bytes are missing or too many, here or in the frame before") for k in doubtful(chains))
    if any(sums):  # else the slices carry none
        torn.update((pts[k], "the check sum in the file is another") for k, right in enumerate(sums) if not right)
    stamps, order, places = (np.array(numbers, np.int64) for numbers in (pts, dts, place))
    return _Packets(stamps, order, np.array(key, bool), places, lead, torn, any(sums), hidden, head)


def _pauses(stamps: Stamps, tick: float) -> list[str]:
    """Where frames are missing between stamps that are too coarse to time each frame: Matroska's of more than 1000
    frames a second.

    >>> _pauses(np.array([0, 0, 1, 1, 2, 9, 9, 10, 10]), 0.001)
    ['by the time stamps there is a pause of 7 ms after frame 4: frames are missing there']
    """
    steps = np.diff(stamps)
    if not len(steps) or (stamps == _NONE).any() or (steps < 0).any():
        return []
    # Steps are coarse (whole ticks): one counts as a pause that is longer than the usual one by more than rounding
    # makes.
    far = np.flatnonzero(steps > float(np.median(steps)) + _COARSE)
    if not len(far) or len(far) > len(steps) // 4:
        return []
    named = " and ".join(f"{1e3 * tick * steps[k]:.4g} ms after frame {k}" for k in far[:3])
    more = f" and {len(far) - 3} more" if len(far) > 3 else ""
    pauses = "there is a pause" if len(far) == 1 else "there are pauses"
    return [f"by the time stamps {pauses} of {named}{more}: frames are missing there"]


def _broken(path: Path, form: str, packets: _Packets) -> list[int]:
    """The stamps of packets of an FLV file whose tags are longer or shorter than they say."""
    if form != "flv":
        return []
    places = broken_tags(path, packets.place.tolist())
    return [int(stamp) for stamp, place in zip(packets.pts, packets.place, strict=True) if int(place) in places]


def _damaged_clusters(path: Path, packets: _Packets, order: Stamps) -> list[str]:
    """Which frames have damage among them by the check sums of a Matroska file, whether or not they can be decoded."""
    inside = np.zeros(len(packets.pts), bool)
    for start, end in torn_clusters(path):
        inside |= (start <= packets.place) & (packets.place < end)
    if not inside.any():
        return []
    frames = distinct(np.searchsorted(order, packets.pts[inside]))
    # Runs of consecutive frames; sentinels at both ends close the first and the last.
    ends = np.flatnonzero(np.diff(frames, prepend=-2, append=frames[-1] + 2) > 1)
    spans = [f"{frames[a]} to {frames[b - 1]}" for a, b in pairwise(ends)]
    return [f"by the check sums in the file there is damage in frames {' and '.join(spans)}, in one of them or more; "
            "those that can be decoded all the same are served"]  # fmt: skip


def _sample(path: Path, codec: str, head: bytes) -> tuple[list[int | None], Mapping[str, str]]:
    """Stamps of the first frames as they come out of the decoder, and how it is opened.

    Some encoders break their codec's rules from the first picture on (H.264 whose key frames hold slices that lean on
    others): a decoder that takes it for damage loses most of the clip, and one that does not finds nothing wrong.

    Args:
        path: the file.
        codec: of the stream.
        head: its description and first packet, which may name the encoder.
    """
    # Exact checks are tried unless the stream names an encoder that breaks its codec's rules; they are dropped where
    # most frames look flawed by them.
    if codec in _FAULTS and not any(name in head for name in _FAULTS[codec]):
        stamps, flawed = _decode(path, _SAMPLE, _EXACT)
        if 2 * len(flawed) <= len(stamps):
            return stamps, _EXACT
    stamps, flawed = _decode(path, _SAMPLE, _CAREFUL)
    # A flaw in the very first packet of a codec that marks damage is the encoder's habit, if a decoder without checks
    # finds none at all.
    if (0 in flawed and codec in _MARKING) or not stamps:
        others, flawed = _decode(path, _SAMPLE, {})
        if not flawed:
            return others, {}
    return stamps, _CAREFUL


def _decode(path: Path, limit: int | None, options: Mapping[str, str]) -> tuple[list[int | None], list[int]]:
    """Stamps of the first `limit` frames (None: of all) as they come out of the decoder; the numbers of the packets
    that it found broken, or that it had to make up parts for."""
    container, stream = open_container(path, options)
    stamps: list[int | None] = []
    flawed: list[int] = []
    try:
        for number, packet in enumerate(packets_of(container, stream)):
            frames = decode_packet(stream, packet) if packet is not None else []
            if frames is None or any(frame.is_corrupt for frame in frames):
                flawed.append(number)
            stamps.extend(frame.pts for frame in frames or ())
            if limit is not None and len(stamps) >= limit:
                break
    finally:
        container.close()
    return stamps, flawed


def _follows(sample: list[int | None], order: Stamps) -> bool:
    """Whether decoded stamps rise and are all known: then the sorted stamps are the pictures' order."""
    rising = [s for s in sample if s is not None]
    return len(rising) == len(sample) and rising == sorted(set(rising)) and bool(np.isin(rising, order).all())


def _index(packets: _Packets, order: Stamps, warnings: list[str], options: Mapping[str, str]) -> VideoIndex:
    by_stamp = np.argsort(order, kind="stable").astype(np.int64)
    # Packets are in decoding order, `order` in the decoder's output order: each packet's frame by its stamp.
    place = np.minimum(np.searchsorted(order, packets.pts, sorter=by_stamp), len(order) - 1)
    ordinals = by_stamp[place]
    known = order[ordinals] == packets.pts
    rank = np.full(len(order), -1, np.int64)
    rank[ordinals[known]] = np.flatnonzero(known)
    shown = ordinals[known]
    # The most frames by which a frame is decoded before another that is shown earlier.
    lookahead = int((np.maximum.accumulate(shown) - shown).max(initial=0))
    keys = np.flatnonzero(packets.key & known)
    entries = keys[np.argsort(ordinals[keys], kind="stable")]
    return VideoIndex(
        len(order), order, ordinals[entries], packets.pts[entries], packets.dts[entries],
        packets.place[entries], tuple(warnings),
        by_stamp, rank, keys, ordinals[keys], min(lookahead, _MAX_REORDER), packets.torn, options, packets.hidden,
        packets.summed,
    )  # fmt: skip
