"""Finds what is in a session: by its summary when it is closed, else by walking over its groups.

Nothing in the file is believed without a look: lengths are checked against the file's size, tables by their
checksums, and in a file that was never closed the last groups by their chunks' checksums until one is whole.
Where something in the midst is damaged the walk goes on at the next place where a group can begin, and says what
it left out.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from app.sessions import records, schemas
from app.sessions.checksum import crc32
from app.sessions.disk import read_at
from app.sessions.layout import (
    ALIGN,
    CHUNK,
    FRAME_ROW,
    INDEX_HEAD,
    TABLE_NAME,
    FrameLayout,
    FrameRows,
    Picture,
    aligned,
    read_table,
)
from app.sessions.records import FOOTER_BYTES, HEAD, MAGIC, Attachment, Damaged, Fields, Op
from kernels.errors import SourceError

WINDOW = 8192
"""Bytes that are read at once: the end of a group and the head of the next."""
SEARCHED = 1 << 30
"""Bytes behind damage in which the next group is looked for."""
MOST_PREAMBLE = 256 << 20
MOST_SUMMARY = 1 << 30
MOST_CHUNK = 1 << 35
"""Longest parts that are believed, in bytes."""
CHECKED_BACK = 4 << 30
"""Bytes at the end of an unclosed file whose chunks are verified, at most (a sync is never that far behind)."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk: where it lies, what it holds.

    Args:
        offset, length: the chunk record, in bytes.
        index_length: bytes of the message indexes behind it.
        start, end: first and last log time, ns.
        size: of its records.
        indexes: channel -> (offset of its message index, number of messages).
        group_end: one past the last byte of the group.
    """

    offset: int
    length: int
    index_length: int
    start: int
    end: int
    size: int
    indexes: dict[int, tuple[int, int]]
    group_end: int

    @property
    def frames(self) -> int:
        return self.indexes.get(schemas.IMAGES, (0, 0))[1]


@dataclass
class Scan:
    """What a file holds.

    Args:
        finished: whether it was closed.
        end: one past the last whole group, where a summary belongs.
        size: bytes of the file.
        chunks: in the order of the file.
        rows, places: of each frame: its row, and the offset of its record in the file (i8).
        damage: ranges of bytes that are no session, in the midst of it.
        problems: sentences about what is wrong.
    """

    finished: bool = False
    end: int = 0
    size: int = 0
    chunks: list[Chunk] = field(default_factory=list)
    rows: FrameRows = field(default_factory=lambda: np.zeros(0, FRAME_ROW))
    places: np.ndarray[tuple[int], np.dtype[np.int64]] = field(default_factory=lambda: np.zeros(0, np.int64))
    damage: list[tuple[int, int]] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


@dataclass
class Opening:
    """The preamble of a session: the layout of its frames, its attachments, and the raw records for the summary."""

    picture: Picture
    files: dict[str, Attachment]
    schemas: list[bytes]
    channels: list[bytes]
    placed: list[tuple[int, int, int, bytes]]  # opcode, offset, length, content of metadata and attachments
    end: int
    problems: list[str]


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
    opening = opening or _open(descriptor, path)
    made = Scan(size=os.fstat(descriptor).st_size)
    if _by_summary(descriptor, opening, made):
        return made
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
    plausible = op == Op.CHUNK and not compression and held == inner == length - CHUNK.size + HEAD.size
    if not plausible or length > MOST_CHUNK or begin > size:
        return None
    behind = begin
    indexes: dict[int, tuple[int, int]] = {}
    window, base = read_at(descriptor, WINDOW, begin), begin
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
    return len(head) > HEAD.size and (
        head[0] == Op.DATA_END or (head[0] == Op.ATTACHMENT and TABLE_NAME.encode() in head)
    )


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


def last_message(descriptor: int, found: Scan) -> int:
    """The highest number of a message that is whole, -1 for none."""
    highest = -1
    for channel in (schemas.TRACKS, schemas.EVENTS):
        for chunk in reversed([c for c in found.chunks if channel in c.indexes]):
            try:
                highest = max(highest, *(
                    struct.unpack_from("<I", content, 2)[0] for op, _, content in chunk_records(descriptor, chunk)
                    if op == Op.MESSAGE and len(content) >= 6
                ))  # fmt: skip
                break
            except (Damaged, TypeError):
                continue
    return highest


def chunk_records(descriptor: int, chunk: Chunk) -> Iterator[tuple[int, int, bytes]]:
    """The records of a chunk.

    Raises:
        Damaged: its checksum differs.
    """
    yield from records.split(_checked(descriptor, chunk))


def _checked(descriptor: int, chunk: Chunk) -> bytes:
    """The bytes of a chunk's records.

    Raises:
        Damaged: their checksum differs.
    """
    data = read_at(descriptor, CHUNK.size + chunk.size, chunk.offset)
    if len(data) == CHUNK.size + chunk.size and crc32(data[CHUNK.size :]) == CHUNK.unpack_from(data)[5]:
        return data[CHUNK.size :]
    raise Damaged(f"the checksum of the chunk at byte {chunk.offset} differs")


def _whole(descriptor: int, chunk: Chunk) -> bool:
    """Whether a chunk's checksum holds."""
    try:
        return bool(_checked(descriptor, chunk))
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


def _by_summary(descriptor: int, opening: Opening, made: Scan) -> bool:
    """Take everything from the summary of a closed session; False if there is none that can be trusted."""
    tail = read_at(descriptor, FOOTER_BYTES + len(MAGIC), made.size - FOOTER_BYTES - len(MAGIC)) if (
        made.size > opening.end + FOOTER_BYTES + len(MAGIC)) else b""  # fmt: skip
    if len(tail) != FOOTER_BYTES + len(MAGIC) or tail[FOOTER_BYTES:] != MAGIC or tail[0] != Op.FOOTER:
        return False
    start, _, crc = struct.unpack_from("<QQI", tail, HEAD.size)
    length = made.size - len(tail) - start
    if not 0 <= length <= MOST_SUMMARY or start < opening.end:
        return False
    summary = read_at(descriptor, length, start)
    if len(summary) != length or zlib.crc32(tail[: FOOTER_BYTES - 4], zlib.crc32(summary)) != crc:
        return False
    try:
        table = _read_summary(summary, made)
        made.end = max((chunk.group_end for chunk in made.chunks), default=opening.end)
        made.rows, made.places = _attached_table(descriptor, opening, made, table)
    except (Damaged, struct.error):
        return False
    made.finished = True
    return True


def _read_summary(summary: bytes, made: Scan) -> tuple[int, int]:
    """Read the chunks into `made`; offset and length of the attached table."""
    table = 0, 0
    for op, _, content in records.split(summary):
        fields = Fields(content)
        if op == Op.CHUNK_INDEX:
            start, end, offset, length = fields.numbers("QQQQ")
            places = fields.counts()
            index_length = fields.number("Q")
            fields.text()
            _, size = fields.numbers("QQ")
            if offset + length + index_length > made.size:
                raise Damaged("a chunk lies beyond the end")
            indexes, last = {}, offset + length + index_length
            for channel, place in sorted(places.items(), key=lambda item: -item[1]):
                indexes[channel] = place, (last - place - INDEX_HEAD) // 16
                last = place
            frames = indexes.get(schemas.IMAGES, (0, 0))[1]
            behind = offset + length + index_length + HEAD.size
            group_end = aligned(behind + (8 + FRAME_ROW.itemsize * frames if frames else 0))
            made.chunks.append(Chunk(offset, length, index_length, start, end, size, indexes, group_end))
        elif op == Op.ATTACHMENT_INDEX:
            offset, length, *_ = fields.numbers("QQQQQ")
            if fields.text() == TABLE_NAME:
                table = offset, length
    return table


def _attached_table(
    descriptor: int, opening: Opening, made: Scan, table: tuple[int, int]
) -> tuple[FrameRows, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    offset, length = table
    data = read_at(descriptor, length, offset) if length else b""
    if len(data) != length or length < HEAD.size:
        raise Damaged("the table of the frames is not there")
    rows = read_table(records.read_attachment(data[HEAD.size :]).data)
    stride = FrameLayout(opening.picture).stride
    places = [c.offset + CHUNK.size + stride * np.arange(c.frames, dtype=np.int64) for c in made.chunks if c.frames]
    joined = np.concatenate(places) if places else np.zeros(0, np.int64)
    if len(joined) != len(rows):
        raise Damaged("the table of the frames has another length")
    return rows, joined


def read_preamble(descriptor: int, path: Path, found: Scan | None = None) -> Opening:
    """The preamble of a session; problems of `found` gain what is wrong with it."""
    opening = _open(descriptor, path)
    if found is not None:
        found.problems.extend(p for p in opening.problems if p not in found.problems)
    return opening


def _open(descriptor: int, path: Path) -> Opening:
    head = read_at(descriptor, len(MAGIC), 0)
    if head != MAGIC:
        raise SourceError(f"{path} is no MCAP file: its first bytes are {head!r}")
    size = os.fstat(descriptor).st_size
    made = Opening(Picture(1, 1, "u8", 1, 1, 1, 8), {}, [], [], [], 0, [])
    pictures: list[str] = []
    at = len(MAGIC)
    try:
        op = 0
        while op != Op.PADDING:
            begin = read_at(descriptor, HEAD.size, at)
            if len(begin) < HEAD.size:
                raise Damaged("it ends before the first frame")
            op, length = HEAD.unpack(begin)
            end = at + HEAD.size + length
            if end > min(size, MOST_PREAMBLE):
                raise Damaged("it ends before the first frame")
            _take(op, at, begin + read_at(descriptor, length, at + HEAD.size), made, pictures)
            at = end
            if op in (Op.CHUNK, Op.DATA_END, Op.FOOTER):
                raise Damaged("it was not written by fusetrack")
        made.end = at
        if not pictures:
            raise Damaged("it was not written by fusetrack")
        made.picture = Picture.from_facts(json.loads(pictures[0]))
    except (Damaged, ValueError) as error:
        raise SourceError(f"{path} is no session that can be read: {error}") from None
    return made


def _take(op: int, at: int, whole: bytes, made: Opening, pictures: list[str]) -> None:
    """Book one record of the preamble."""
    content = whole[HEAD.size :]
    match op:
        case Op.SCHEMA:
            made.schemas.append(whole)
        case Op.CHANNEL:
            made.channels.append(whole)
            fields = Fields(content)
            number, _ = fields.numbers("HH")
            fields.text(), fields.text()
            if number == schemas.IMAGES:
                pictures += [text for key, text in fields.mapping().items() if key == "picture"]
        case Op.METADATA | Op.ATTACHMENT:
            try:  # what is damaged stays where it is, and out of the summary
                if op == Op.ATTACHMENT:
                    file = records.read_attachment(content)
                    made.files[file.name] = file
                else:
                    Fields(content).text()
                made.placed.append((op, at, len(whole), content))
            except Damaged as error:
                made.problems.append(f"a part of the beginning is damaged: {error}")
