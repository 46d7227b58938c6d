"""Decodes a video forward from an entry point and tells which pictures are built on damaged ones.

FFmpeg conceals damage: it marks the picture whose data are broken, but not the pictures that are predicted from it,
and hands all of them out. Here each picture that was decoded after a damaged one, up to the next key frame, counts as
damaged too. As pictures are not decoded in the order in which they are shown, each is held back for as many pictures
as the stream reorders.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.sources.video_index import VideoIndex, decode_packet


@dataclass(frozen=True, slots=True)
class Walked:
    """A frame that came out of the decoder; `flaw` says what is wrong with it, "" if nothing is."""

    ordinal: int
    frame: Any
    flaw: str


@dataclass(frozen=True, slots=True)
class _Damage:
    ordinal: int  # -1: of a picture that never comes out
    rank: int
    next_key_rank: int
    next_key: int


class Walk:
    """One pass of the decoder.

    Args:
        index: the frames of the video.
        stream: the stream to decode with.
        packets: its packets from the entry point on.
        landed: ordinal of the key frame at which the packets begin.
    """

    def __init__(self, index: VideoIndex, stream: Any, packets: Iterable[Any], landed: int) -> None:
        self._index, self._stream, self._packets, self._landed = index, stream, packets, landed
        self._damage: list[_Damage] = []
        self._refused: set[int] = set()  # stamps of packets that the decoder refused; their pictures may still come out
        self.strange = False
        """True when frames bear stamps that the index does not know: the container re-stamps after a seek."""
        self.entered = True
        """False when the walk ended at once, for its entry point is none: what comes out there leans on what was before
        (intra refresh), or its own picture does not come out at all."""
        self.lost = False
        """True when the container came to an end before its last packet, as some do after a seek across damage."""

    def __iter__(self) -> Iterator[Walked]:
        # Frames wait until all that are decoded before them, and may be damaged, are known: at most `lookahead` of
        # them.
        waiting: deque[tuple[int, Any]] = deque()
        expected = self._landed
        for ordinal, frame in self._decode():
            # A frame that never comes out harms those that lean on it, too.
            for missing in range(expected, ordinal):
                self._note(missing)
            if frame.is_corrupt or frame.pts in self._index.torn or frame.pts in self._refused:
                self._note(ordinal)
            expected = max(expected, ordinal + 1)
            waiting.append((ordinal, frame))
            if len(waiting) > self._index.lookahead:
                yield self._judge(*waiting.popleft())
        while waiting:
            yield self._judge(*waiting.popleft())

    def _decode(self) -> Iterator[tuple[int, Any]]:
        """(ordinal, frame) from the entry point on.

        Frames shown before the key frame lean on the group before it, which was not decoded: they are left out.
        """
        index, counted, first, taken = self._index, self._landed, True, 0
        last = -1  # of the packets so far whose pictures are known: the latest one's rank
        for packet in self._packets:
            taken += packet is not None and bool(packet.size)
            frames = decode_packet(self._stream, packet) if packet is not None else []
            known = index.ordinal_of(packet.pts) if packet is not None else -1
            last = int(index.rank[known]) if known >= 0 else last
            if frames is None and packet.pts is not None:
                self._refused.add(packet.pts)
                # A packet that is refused and whose picture is unknown: damage at the place of the last known one.
                if known < 0 <= last:
                    self._harm(-1, last)
            for frame in frames or ():
                ordinal = index.ordinal_of(frame.pts) if len(index.order) else counted
                counted += 1
                # Stamps that the index does not know: the container counts anew after a seek.
                if ordinal < 0 and self._landed > 0:
                    self.strange = True
                    return
                if ordinal >= self._landed:
                    # The first picture behind a seek must be the key frame itself, or the entry point is none.
                    if first and self._landed > 0 and (ordinal != self._landed or not frame.key_frame):
                        self.entered = False
                        return
                    first = False
                    yield ordinal, frame
        self.lost = bool(len(index.rank)) and taken < index.frames - int(index.rank[self._landed])

    def _note(self, ordinal: int) -> None:
        """Remember a damaged or missing picture and how far its harm reaches: one a group of pictures is enough."""
        index = self._index
        if not len(index.rank) or index.rank[ordinal] < 0:
            return
        self._harm(ordinal, int(index.rank[ordinal]))

    def _harm(self, ordinal: int, rank: int) -> None:
        """Pictures that are decoded after one, up to the next key frame, are damaged."""
        index = self._index
        after = int(np.searchsorted(index.key_ranks, rank, "right"))
        last = after == len(index.key_ranks)
        next_rank = len(index.rank) if last else int(index.key_ranks[after])
        next_key = index.frames if last else int(index.key_ordinals[after])
        if after and 0 <= ordinal < index.key_ordinals[after - 1]:
            # Only pictures that are shown before their key frame, too, lean on one that is.
            next_rank, next_key = int(index.key_ranks[after - 1]), int(index.key_ordinals[after - 1])
        same = [d for d in self._damage if d.next_key_rank == next_rank]
        if not any(d.rank <= rank for d in same):
            # Groups overlap by a few pictures at most, so two groups are remembered.
            others = [d for d in self._damage if d.next_key_rank != next_rank][-1:]
            self._damage = [*others, _Damage(ordinal, rank, next_rank, next_key)]

    def _judge(self, ordinal: int, frame: Any) -> Walked:
        if frame.is_corrupt or frame.pts in self._refused:
            return Walked(ordinal, frame, "its data are damaged; the decoder could only guess parts of the picture")
        if frame.pts in self._index.torn:
            return Walked(ordinal, frame, f"its data are damaged: {self._index.torn[frame.pts]}")
        rank = int(self._index.rank[ordinal]) if len(self._index.rank) else -1
        for damage in self._damage:
            if rank > damage.rank and (rank < damage.next_key_rank or ordinal < damage.next_key):
                base = f"frame {damage.ordinal}" if damage.ordinal >= 0 else "a picture that never comes out"
                return Walked(ordinal, frame, f"it is built on {base}, whose data are damaged")
        return Walked(ordinal, frame, "")
