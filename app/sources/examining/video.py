"""A close look at a video, by its codec."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.sources.examining import h264_ends, hevc_ends, jpeg_codes
from app.sources.examining.units import Packets
from app.sources.integrity import Tell
from app.sources.nal_lengths import length_bytes
from app.sources.video_index import open_container, packets_of

_ALIKE = 10
"""Pictures that have one and the same tables, so that another one that has others is damaged."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was looked at, as part of a sentence, "" for nothing; what is wrong with pictures, by the stamps of their
    packets, or by the numbers of frames where those have no stamps of their own."""

    looked: str
    flaws: dict[int, str]


def look(path: Path, codec: str, stamped: bool, tell: Tell) -> Found:
    """Look at all pictures of a video.

    Args:
        path: the file.
        codec: of the stream.
        stamped: whether each packet has a stamp of its own.
        tell: gets how many packets were looked at.
    """
    container, stream = open_container(path)
    try:
        description = bytes(stream.codec_context.extradata or b"")
    finally:
        container.close()
    examine = _EXAMINED.get(codec)
    if examine is None:
        return Found("", {})
    shown: list[int] = []
    found = examine(_packets(path, stamped), description, shown, tell)
    if stamped:
        return found
    ordinals = {number: k for k, number in enumerate(shown)}
    return Found(found.looked, {ordinals[n]: f"{why}, and so may be those after it" for n, why in found.flaws.items()
                                if n in ordinals})  # fmt: skip


def _packets(path: Path, stamped: bool) -> Packets:
    def packets() -> Iterator[tuple[int, bytes]]:
        container, stream = open_container(path)
        try:
            some = (packet for packet in packets_of(container, stream) if packet is not None and packet.size)
            for number, packet in enumerate(some):
                yield packet.pts if stamped else number, bytes(packet)
        finally:
            container.close()

    return packets


def _mjpeg(packets: Packets, description: bytes, shown: list[int], tell: Tell) -> Found:
    del description
    flaws: dict[int, str] = {}
    tables: dict[int, tuple[int, int]] = {}
    for stamp, data in packets():
        try:
            steps, codes = jpeg_codes.check(data)
            tables[stamp] = hash(steps), hash(codes)
        except jpeg_codes.OtherJpegError:
            pass
        except ValueError as error:
            flaws[stamp] = str(error)
        shown.append(stamp)
        tell(1)
    for which in (0, 1):
        odd = _odd({stamp: own[which] for stamp, own in tables.items()})
        flaws |= dict.fromkeys(odd, "its tables are unlike those of all other frames")
    return Found("each code of each picture up to its end", flaws)


def _odd(tables: Mapping[int, int]) -> list[int]:
    """The one picture whose tables are unlike those that all others share."""
    counts = Counter(tables.values()).most_common()
    if len(counts) != 2 or counts[1][1] > 1 or counts[0][1] < _ALIKE:
        return []
    return [stamp for stamp, own in tables.items() if own == counts[1][0]]


def _h264(packets: Packets, description: bytes, shown: list[int], tell: Tell) -> Found:
    flaws = h264_ends.Ends(length_bytes("h264", description), description, packets, tell, shown).look()
    return Found("", {}) if flaws is None else Found("where the data of each picture end", flaws)


def _hevc(packets: Packets, description: bytes, shown: list[int], tell: Tell) -> Found:
    flaws = hevc_ends.Ends(length_bytes("hevc", description), description, packets, tell, shown).look()
    return Found("whether three ways of decoding give the same, where the data of key frames end", flaws)


_Examine = Callable[[Packets, bytes, list[int], Tell], Found]
_EXAMINED: dict[str, _Examine] = {"mjpeg": _mjpeg, "h264": _h264, "hevc": _hevc}
