"""The records of an MCAP file (https://mcap.dev/spec, version 0) as bytes, written and read.

Every record is an opcode (u8), the length of its content (u64), its content; all numbers are little-endian.
Opcodes from 0x80 on are for applications; every reader skips them.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum

MAGIC = b"\x89MCAP0\r\n"
HEAD = struct.Struct("<BQ")
"""Opcode and length of the content: what every record begins with."""
FOOTER_BYTES = HEAD.size + 20
"""A whole footer record."""


class Op(IntEnum):
    """What a record is; the last two are our own."""

    HEADER = 0x01
    FOOTER = 0x02
    SCHEMA = 0x03
    CHANNEL = 0x04
    MESSAGE = 0x05
    CHUNK = 0x06
    MESSAGE_INDEX = 0x07
    CHUNK_INDEX = 0x08
    ATTACHMENT = 0x09
    ATTACHMENT_INDEX = 0x0A
    STATISTICS = 0x0B
    METADATA = 0x0C
    METADATA_INDEX = 0x0D
    SUMMARY_OFFSET = 0x0E
    DATA_END = 0x0F
    PADDING = 0x80
    TABLE = 0x81


def record(op: Op, *parts: bytes) -> bytes:
    """A whole record."""
    return HEAD.pack(op, sum(map(len, parts))) + b"".join(parts)


def text(value: str) -> bytes:
    """A string: its length (u32) and UTF-8."""
    data = value.encode("utf-8", "backslashreplace")
    return struct.pack("<I", len(data)) + data


def mapping(values: Mapping[str, str]) -> bytes:
    """A map of strings."""
    data = b"".join(text(key) + text(value) for key, value in values.items())
    return struct.pack("<I", len(data)) + data


def counts(values: Mapping[int, int]) -> bytes:
    """A map from channel (u16) to a number (u64)."""
    data = b"".join(struct.pack("<HQ", key, value) for key, value in values.items())
    return struct.pack("<I", len(data)) + data


def header(profile: str, library: str) -> bytes:
    """The first record."""
    return record(Op.HEADER, text(profile), text(library))


def schema(number: int, name: str, encoding: str, data: bytes) -> bytes:
    """What messages of a kind mean."""
    return record(Op.SCHEMA, struct.pack("<H", number), text(name), text(encoding), struct.pack("<I", len(data)), data)


def channel(number: int, schema_number: int, topic: str, encoding: str, facts: Mapping[str, str]) -> bytes:
    """A row of messages of one schema."""
    numbers = struct.pack("<HH", number, schema_number)
    return record(Op.CHANNEL, numbers, text(topic), text(encoding), mapping(facts))


def message(channel_number: int, sequence: int, log_time: int, publish_time: int, data: bytes) -> bytes:
    """One message; times in ns since 1970."""
    fixed = struct.pack("<HIQQ", channel_number, sequence & 0xFFFFFFFF, log_time, publish_time)
    return record(Op.MESSAGE, fixed, data)


def metadata(name: str, values: Mapping[str, str]) -> bytes:
    """A named map of texts."""
    return record(Op.METADATA, text(name), mapping(values))


def attachment(name: str, media: str, data: bytes, time: int) -> bytes:
    """A file inside the file.

    Args:
        name: its name.
        media: its media type.
        data: its bytes.
        time: when it was logged and made, ns since 1970.
    """
    content = struct.pack("<QQ", time, time) + text(name) + text(media) + struct.pack("<Q", len(data)) + data
    return record(Op.ATTACHMENT, content, struct.pack("<I", zlib.crc32(content)))


def padding(room: int) -> bytes:
    """A private record that fills exactly `room` bytes (at least those of its head)."""
    return HEAD.pack(Op.PADDING, room - HEAD.size) + bytes(room - HEAD.size)


def message_index(channel_number: int, entries: bytes) -> bytes:
    """Entries are pairs (log time u64, offset in the chunk u64)."""
    return record(Op.MESSAGE_INDEX, struct.pack("<HI", channel_number, len(entries)), entries)


def footer(summary_start: int, offsets_start: int, before: bytes) -> bytes:
    """The footer; its checksum covers the summary `before` it and its own first fields."""
    head = HEAD.pack(Op.FOOTER, 20) + struct.pack("<QQ", summary_start, offsets_start)
    return head + struct.pack("<I", zlib.crc32(head, zlib.crc32(before)))


class Damaged(Exception):
    """A record does not hold what its opcode promises."""


class Fields:
    """Reads the fields of one record's content in order.

    Raises:
        Damaged: in every method, when the content ends too early or is no text.
    """

    def __init__(self, content: bytes) -> None:
        self._content, self._at = content, 0

    def take(self, count: int) -> bytes:
        end = self._at + count
        if count < 0 or end > len(self._content):
            raise Damaged("a record ends inside a field")
        data, self._at = self._content[self._at : end], end
        return data

    def numbers(self, form: str) -> tuple[int, ...]:
        """Numbers as `struct` spells them, without the byte order."""
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))

    def number(self, form: str) -> int:
        return self.numbers(form)[0]

    def text(self) -> str:
        try:
            return self.take(self.number("I")).decode()
        except UnicodeDecodeError:
            raise Damaged("a text is not UTF-8") from None

    def mapping(self) -> dict[str, str]:
        inner = Fields(self.take(self.number("I")))
        made = {}
        while inner.left:
            key = inner.text()
            made[key] = inner.text()
        return made

    def counts(self) -> dict[int, int]:
        inner = Fields(self.take(self.number("I")))
        made = {}
        while inner.left:
            key, value = inner.numbers("HQ")
            made[key] = value
        return made

    @property
    def left(self) -> int:
        """Bytes that have not been read."""
        return len(self._content) - self._at

    @property
    def at(self) -> int:
        """Bytes that have been read."""
        return self._at


@dataclass(frozen=True, slots=True)
class Attachment:
    """An attachment that was read: its name, media type and bytes."""

    name: str
    media: str
    data: bytes


def read_attachment(content: bytes) -> Attachment:
    """Parse and check an attachment's content.

    Raises:
        Damaged: it is cut or its checksum differs.
    """
    fields = Fields(content)
    fields.numbers("QQ")
    name, media = fields.text(), fields.text()
    data = fields.take(fields.number("Q"))
    if fields.number("I") != zlib.crc32(content[: fields.at - 4]):
        raise Damaged(f"the checksum of the attachment {name} differs")
    return Attachment(name, media, data)


def split(data: bytes) -> Iterable[tuple[int, int, bytes]]:
    """The records in `data`: opcode, offset of the record, content.

    Raises:
        Damaged: a record reaches beyond the end.
    """
    at = 0
    while at < len(data):
        if at + HEAD.size > len(data):
            raise Damaged("a record ends inside its head")
        op, length = HEAD.unpack_from(data, at)
        end = at + HEAD.size + length
        if end > len(data):
            raise Damaged("a record reaches beyond the end")
        yield op, at, data[at + HEAD.size : end]
        at = end
