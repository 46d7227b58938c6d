"""Closing a session and repairing one are the same: find what is whole, cut the rest, write the summary.

The summary is what stock readers look things up with. Whatever happens in the midst of this, the file is again one
that is not closed, and closing can begin anew.
"""

from __future__ import annotations

import os
import struct
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from app.sessions import records, schemas
from app.sessions.disk import lock, sync, unlock, write_all
from app.sessions.layout import TABLE_HEAD, TABLE_NAME
from app.sessions.records import Fields, Op
from app.sessions.scan import Opening, Scan, read_preamble, scan
from kernels.errors import SourceError


def finish(descriptor: int, path: Path) -> Scan:
    """Make the file a closed session with everything in it that is whole; a closed one stays as it is.

    Args:
        descriptor: open for reading and writing; the caller holds the lock.
        path: for sentences.

    Raises:
        OSError: the system refuses to write; every frame stays.
        SourceError: it is no session.
    """
    opening = read_preamble(descriptor, path)
    found = scan(descriptor, path, verify=True, opening=opening)
    if found.finished:
        return found
    os.ftruncate(descriptor, found.end)
    data = _ending(opening, found)
    write_all(descriptor, data, found.end)
    sync(descriptor)
    found.finished, found.size = True, found.end + len(data)
    return found


def _ending(opening: Opening, found: Scan) -> bytes:
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


@dataclass(frozen=True, slots=True)
class Repair:
    """What `repair` did: whether anything had to be done, the frames that are there, the bytes that were cut off,
    and sentences about what is wrong."""

    needed: bool
    frames: int
    cut: int
    problems: tuple[str, ...]


def repair(path: Path) -> Repair:
    """Close a session whose recorder died.

    Raises:
        SourceError: it is no session, it is being recorded, or it cannot be written.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    except OSError as error:
        raise SourceError(f"{path} cannot be repaired: {error.strerror}") from None
    try:
        if not lock(descriptor):
            raise SourceError(f"{path} is being recorded; it needs no repair")
        before = scan(descriptor, path, verify=False)
        if before.finished:
            return Repair(False, len(before.rows), 0, tuple(before.problems))
        found = finish(descriptor, path)
        return Repair(True, len(found.rows), before.size - found.end, tuple(found.problems))
    except OSError as error:
        raise SourceError(f"{path} cannot be repaired: {error.strerror}; its frames are kept") from None
    finally:
        with suppress(OSError):
            unlock(descriptor)
        os.close(descriptor)
