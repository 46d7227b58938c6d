"""Finds what is in a session: by its summary when it is closed, else by walking over its groups.

Nothing in the file is believed without a look: lengths are checked against the file's size, tables by their
checksums, and in a file that was never closed the last groups by their chunks' checksums until one is whole.
Where something in the midst is damaged the walk goes on at the next place where a group can begin, and says what
it left out.
"""

from __future__ import annotations

import os
import struct
from contextlib import suppress
from pathlib import Path

import numpy as np

from app.sessions.contents import Chunk, Opening, Scan, checked_records, chunk_records
from app.sessions.disk import read_at
from app.sessions.layout import (
    ALIGN,
    CHUNK,
    INDEX_HEAD,
    TABLE_NAME,
    FrameLayout,
    FrameRows,
    aligned,
    read_table,
)
from app.sessions.preamble import read_preamble
from app.sessions.records import HEAD, Damaged, Op
from app.sessions.summary import read_summary

WINDOW = 8192
"""Bytes that are read at once: the end of a group and the head of the next."""
SEARCHED = 1 << 30
"""Bytes behind damage in which the next group is looked for."""
MOST_CHUNK = 1 << 35
"""Longest chunk that is believed, in bytes."""
CHECKED_BACK = 4 << 30
"""Bytes at the end of an unclosed file whose chunks are verified, at most (a sync is never that far behind)."""


def scan(descriptor: int, path: Path, *, verify: bool, opening: Opening | None = None) -> Scan:
    """What the file holds.

    Args:
        descriptor: open for reading.
        path: for sentences.
        verify: check the chunks at the end of an unclosed file (before it is cut); without, the last group is
            believed as long as its parts are there.
        opening: the preamble, if it was read already.

    Raises:
        SourceError: it is no session.
    """
    opening = opening or read_preamble(descriptor, path)
    made = Scan(size=os.fstat(descriptor).st_size)
    if read_summary(descriptor, opening, made):
        return made
    # A summary that cannot be trusted may have left chunks behind: begin anew.
    made = Scan(size=made.size, end=opening.end)
    extend(descriptor, opening, made)
    if verify:
        _drop_torn(descriptor, made)
    return made


def extend(descriptor: int, opening: Opening, made: Scan) -> None:
    """Walk on from `made.end` over groups that came since."""
    made.size = os.fstat(descriptor).st_size
    layout = FrameLayout(opening.picture)
    rows, places = [made.rows], [made.places]
    at = made.end
    while at < made.size:
        chunk = _group(descriptor, at, made.size)
        if chunk is None:
            # Where the summary begins, or nothing whole comes any more.
            if at % ALIGN == 0 and _is_end(descriptor, at):
                break
            following = _next_group(descriptor, at, made.size)
            if following is None:
                break
            made.damage.append((at, following))
            made.problems.append(f"bytes {at} to {following} are damaged and left out")
            at = following
            continue
        if chunk.frames:
            try:
                table = _table(descriptor, chunk, layout, made)
            except Damaged as error:
                made.problems.append(f"the chunk at byte {chunk.offset} is left out: {error}")
                made.damage.append((at, chunk.group_end))
                at = chunk.group_end
                continue
            rows.append(table)
            # A frame's place needs no search: all records of a session take the same number of bytes.
            places.append(chunk.offset + CHUNK.size + layout.stride * np.arange(len(table), dtype=np.int64))
        made.chunks.append(chunk)
        at = made.end = chunk.group_end
    made.rows, made.places = np.concatenate(rows), np.concatenate(places)


def _group(descriptor: int, at: int, size: int) -> Chunk | None:
    """The group that begins at `at`, or None if none is whole there."""
    head = read_at(descriptor, CHUNK.size, at)
    if len(head) < CHUNK.size:
        return None
    op, length, start, end, held, _, compression, inner = CHUNK.unpack(head)
    begin = at + HEAD.size + length
    # No compression is ever written, so that all three sizes of a chunk agree; anything else is no chunk of ours.
    plausible = op == Op.CHUNK and not compression and held == inner == length - CHUNK.size + HEAD.size
    if not plausible or length > MOST_CHUNK or begin > size:
        return None
    behind = begin
    indexes: dict[int, tuple[int, int]] = {}
    window, base = read_at(descriptor, WINDOW, begin), begin
    # Message indexes, then the record that fills the group up; whatever else comes says that it is no whole group.
    while True:
        if behind + INDEX_HEAD > base + len(window):
            window, base = read_at(descriptor, WINDOW, behind), behind
            if len(window) < HEAD.size:
                return None
        op, count = HEAD.unpack_from(window, behind - base)
        after = behind + HEAD.size + count
        if after > size:
            return None
        if op == Op.MESSAGE_INDEX:
            if behind + INDEX_HEAD > base + len(window):
                return None
            channel, entries = struct.unpack_from("<HI", window, behind - base + HEAD.size)
            # The content begins with a channel and the bytes of the entries, 6 in all; an entry takes 16.
            if entries != count - 6 or entries % 16:
                return None
            indexes[channel] = behind, entries // 16
        elif op in (Op.TABLE, Op.PADDING) and indexes and after % ALIGN == 0:
            return Chunk(at, begin - at, behind - begin, start, end, held, indexes, after)
        else:
            return None
        behind = after


def _is_end(descriptor: int, at: int) -> bool:
    """Whether a closed session's last part begins here (the attached table, or the end of the data)."""
    head = read_at(descriptor, HEAD.size + 64, at)
    if len(head) <= HEAD.size:
        return False
    op, length = HEAD.unpack_from(head)
    # A damaged opcode of a group must not pass for the end: the rest of the file would be given up.
    return (op == Op.DATA_END and length == 4) or (op == Op.ATTACHMENT and TABLE_NAME.encode() in head)


def _next_group(descriptor: int, at: int, size: int) -> int | None:
    """Where the next whole group begins behind damage."""
    place = aligned(at + 1)
    while place < min(size, at + SEARCHED):
        block = read_at(descriptor, 1 << 20, place)
        for offset in range(0, len(block), ALIGN):
            if block[offset] == Op.CHUNK and _group(descriptor, place + offset, size) is not None:
                return place + offset
        place += max(len(block), ALIGN)
    return None


def _table(descriptor: int, chunk: Chunk, layout: FrameLayout, made: Scan) -> FrameRows:
    """The rows of a group's frames: from its table, or from the frames themselves."""
    if chunk.size != layout.stride * chunk.frames:
        raise Damaged("its frames have another size")
    at = chunk.offset + chunk.length + chunk.index_length
    record = read_at(descriptor, chunk.group_end - at, at)
    try:
        rows = read_table(record[HEAD.size :]) if record[:1] == bytes([Op.TABLE]) else None
        if rows is not None and len(rows) == chunk.frames:
            return rows
    except Damaged:
        made.problems.append(f"the table of the chunk at byte {chunk.offset} is damaged; its frames are asked instead")
    heads = np.empty(chunk.frames, layout.prefix)
    for k in range(chunk.frames):
        data = read_at(descriptor, layout.prefix.itemsize, chunk.offset + CHUNK.size + k * layout.stride)
        heads[k] = np.frombuffer(data, layout.prefix)[0]
    return layout.rows_of(heads)


def last_message(descriptor: int, found: Scan, channel: int) -> int:
    """The highest number of a message of a channel that is whole, -1 for none."""
    # From the end: numbers rise, so that the last whole chunk has the highest.
    for chunk in reversed([c for c in found.chunks if channel in c.indexes]):
        with suppress(Damaged):
            numbers = [
                struct.unpack_from("<I", content, 2)[0] for op, _, content in chunk_records(descriptor, chunk)
                if op == Op.MESSAGE and len(content) >= 6
            ]  # fmt: skip
            if numbers:
                return int(max(numbers))
    return -1


def _whole(descriptor: int, chunk: Chunk) -> bool:
    """Whether a chunk's checksum holds."""
    try:
        return bool(checked_records(descriptor, chunk))
    except Damaged:
        return False


def _drop_torn(descriptor: int, made: Scan) -> None:
    """Cut the groups at the end whose checksums differ: the system wrote them in part when it went down.

    From the end backward, as far as a sync may have been behind; damage before a group that is whole is no torn
    end, and stays for the reader to name.
    """
    while made.chunks and not _whole(descriptor, made.chunks[-1]):
        chunk = made.chunks.pop()
        if chunk.frames:
            made.rows, made.places = made.rows[: -chunk.frames], made.places[: -chunk.frames]
        made.problems.append(f"the last chunk (byte {chunk.offset}) was written in part and is cut off")
        made.end = chunk.offset
        if made.size - made.end > CHECKED_BACK:
            break


