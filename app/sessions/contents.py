"""What is in a session's file: the chunks, the frames and where they lie, and what is before them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from app.sessions import records, schemas
from app.sessions.checksum import crc32
from app.sessions.disk import read_at
from app.sessions.layout import CHUNK, FRAME_ROW, FrameRows, Picture
from app.sessions.records import Attachment, Damaged


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
    places: npt.NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
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


def chunk_records(descriptor: int, chunk: Chunk) -> Iterator[tuple[int, int, bytes]]:
    """The records of a chunk.

    Raises:
        Damaged: its checksum differs.
    """
    yield from records.split(checked_records(descriptor, chunk))


def checked_records(descriptor: int, chunk: Chunk) -> bytes:
    """The bytes of a chunk's records.

    Raises:
        Damaged: their checksum differs.
    """
    data = read_at(descriptor, CHUNK.size + chunk.size, chunk.offset)
    if len(data) == CHUNK.size + chunk.size and crc32(data[CHUNK.size :]) == CHUNK.unpack_from(data)[5]:
        return data[CHUNK.size :]
    raise Damaged(f"the checksum of the chunk at byte {chunk.offset} differs")
