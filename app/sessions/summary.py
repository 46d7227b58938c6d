"""The end of a closed session, written and read: the table of all frames, and what stock readers look up."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import numpy.typing as npt

from app.sessions import records, schemas
from app.sessions.contents import Chunk, Opening, Scan
from app.sessions.disk import read_at
from app.sessions.layout import (
    CHUNK,
    FRAME_ROW,
    INDEX_HEAD,
    TABLE_HEAD,
    TABLE_NAME,
    FrameLayout,
    FrameRows,
    aligned,
    read_table,
)
from app.sessions.records import FOOTER_BYTES, HEAD, MAGIC, Damaged, Fields, Op

MOST_SUMMARY = 1 << 30
"""Longest summary that is believed, in bytes."""


def ending(opening: Opening, found: Scan) -> bytes:
    """Everything behind the last group."""
    rows = found.rows.tobytes()
    time = max((chunk.end for chunk in found.chunks), default=0)
    table = records.attachment(
        TABLE_NAME, "application/octet-stream", TABLE_HEAD.pack(zlib.crc32(rows), len(found.rows)) + rows, time
    )
    placed = [*opening.placed, (int(Op.ATTACHMENT), found.end, len(table), table[records.HEAD.size :])]
    data_end = records.record(Op.DATA_END, struct.pack("<I", 0))
    start = found.end + len(table) + len(data_end)
    groups = [
        (Op.SCHEMA, b"".join(opening.schemas)),
        (Op.CHANNEL, b"".join(opening.channels)),
        (Op.STATISTICS, _statistics(opening, found, placed)),
        (Op.CHUNK_INDEX, b"".join(_chunk_indexes(found))),
        (Op.ATTACHMENT_INDEX, b"".join(_attachment_index(*p[1:]) for p in placed if p[0] == Op.ATTACHMENT)),
        (Op.METADATA_INDEX, b"".join(_metadata_index(*p[1:]) for p in placed if p[0] == Op.METADATA)),
    ]
    summary, offsets, at = b"", b"", start
    # The summary's groups, and where each begins: what stock readers look up first.
    for op, data in groups:
        if data:
            offsets += records.record(Op.SUMMARY_OFFSET, struct.pack("<BQQ", op, at, len(data)))
            summary += data
            at += len(data)
    return table + data_end + summary + offsets + records.footer(start, at, summary + offsets) + records.MAGIC


def _statistics(opening: Opening, found: Scan, placed: list[tuple[int, int, int, bytes]]) -> bytes:
    counts = dict.fromkeys(schemas.TOPICS, 0)
    for chunk in found.chunks:
        for number, (_, count) in chunk.indexes.items():
            counts[number] = counts.get(number, 0) + count
    fixed = struct.pack(
        "<QHIIIIQQ", sum(counts.values()), len(opening.schemas), len(opening.channels),
        sum(p[0] == Op.ATTACHMENT for p in placed), sum(p[0] == Op.METADATA for p in placed), len(found.chunks),
        min((c.start for c in found.chunks), default=0), max((c.end for c in found.chunks), default=0),
    )  # fmt: skip
    return records.record(Op.STATISTICS, fixed, records.counts(counts))


def _chunk_indexes(found: Scan) -> list[bytes]:
    return [
        records.record(
            Op.CHUNK_INDEX, struct.pack("<QQQQ", c.start, c.end, c.offset, c.length),
            records.counts({number: place for number, (place, _) in c.indexes.items()}),
            struct.pack("<Q", c.index_length), records.text(""), struct.pack("<QQ", c.size, c.size),
        )
        for c in found.chunks
    ]  # fmt: skip


def _attachment_index(offset: int, length: int, content: bytes) -> bytes:
    fields = Fields(content)
    logged, created = fields.numbers("QQ")
    name, media = fields.text(), fields.text()
    size = fields.number("Q")
    numbers = struct.pack("<QQQQQ", offset, length, logged, created, size)
    return records.record(Op.ATTACHMENT_INDEX, numbers, records.text(name), records.text(media))


def _metadata_index(offset: int, length: int, content: bytes) -> bytes:
    return records.record(Op.METADATA_INDEX, struct.pack("<QQ", offset, length), records.text(Fields(content).text()))


def read_summary(descriptor: int, opening: Opening, made: Scan) -> bool:
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
    # The footer's checksum covers summary and its own first fields: a summary that is torn is no summary.
    if len(summary) != length or zlib.crc32(tail[: FOOTER_BYTES - 4], zlib.crc32(summary)) != crc:
        return False
    try:
        table = _read_chunks(summary, made)
        made.end = max((chunk.group_end for chunk in made.chunks), default=opening.end)
        made.rows, made.places = _attached_table(descriptor, opening, made, table)
    except (Damaged, struct.error):
        return False
    made.finished = True
    return True


def _read_chunks(summary: bytes, made: Scan) -> tuple[int, int]:
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
            # Indexes lie one behind the other: each ends where the next one begins, from the back.
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
) -> tuple[FrameRows, npt.NDArray[np.int64]]:
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


