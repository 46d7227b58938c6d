"""As much of Protocol Buffers as a session needs: descriptors for stock readers, and fields of fixed width.

The descriptors are written by hand from small tables (https://protobuf.dev/programming-guides/encoding), so that
nothing needs to be generated or installed.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
TYPES = {
    "double": (1, FIXED64), "float": (2, FIXED32), "int64": (3, VARINT), "int32": (5, VARINT),
    "fixed64": (6, FIXED64), "fixed32": (7, FIXED32), "string": (9, BYTES), "message": (11, BYTES),
    "bytes": (12, BYTES), "sfixed32": (15, FIXED32), "sfixed64": (16, FIXED64),
}  # fmt: skip
"""Name of a type -> its number in a descriptor, its wire type."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a message: its number, name and type; `message` names the type of a message field."""

    number: int
    name: str
    type: str
    repeated: bool = False
    message: str = ""


def varint(value: int) -> bytes:
    """A number >= 0 in the shortest spelling.

    >>> varint(300).hex()
    'ac02'
    """
    made = bytearray()
    while value > 0x7F:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)


def tag(number: int, wire: int) -> bytes:
    """What is before a field's value."""
    return varint(number << 3 | wire)


def long_varint(value: int) -> bytes:
    """A number in 0 .. 2**35 - 1 in exactly five bytes, so that what follows never moves.

    >>> long_varint(300).hex()
    'ac82808000'
    """
    return bytes(value >> 7 * k & 0x7F | (0x80 if k < 4 else 0) for k in range(5))


def delimited(number: int, data: bytes) -> bytes:
    """A field of bytes, text, a message, or packed numbers."""
    return tag(number, BYTES) + varint(len(data)) + data


def _text(number: int, value: str) -> bytes:
    return delimited(number, value.encode())


def _number(number: int, value: int) -> bytes:
    return tag(number, VARINT) + varint(value)


def describe_message(name: str, fields: Sequence[Field]) -> bytes:
    """A DescriptorProto; repeated numbers are packed."""
    made = _text(1, name)
    for field in fields:
        inner = _text(1, field.name) + _number(3, field.number) + _number(4, 3 if field.repeated else 1)
        inner += _number(5, TYPES[field.type][0])
        if field.message:
            inner += _text(6, field.message)
        made += delimited(2, inner)
    return made


def describe_file(name: str, package: str, messages: Sequence[bytes], imports: Sequence[str] = ()) -> bytes:
    """A FileDescriptorProto of syntax proto3."""
    made = _text(1, name) + _text(2, package)
    made += b"".join(_text(3, other) for other in imports)
    made += b"".join(delimited(4, message) for message in messages)
    return made + _text(12, "proto3")


def describe_set(files: Sequence[bytes]) -> bytes:
    """A FileDescriptorSet, which is what MCAP takes as a schema; imported files come first."""
    return b"".join(delimited(1, file) for file in files)


def parse(data: bytes) -> dict[int, bytes | int]:
    """The fields of a message by number (the last of each): bytes, or an integer for the other wire types.

    Raises:
        ValueError: this is no message.
    """
    made: dict[int, bytes | int] = {}
    at = 0
    try:
        while at < len(data):
            key, at = _read_varint(data, at)
            # A key is the field's number and, in its three lowest bits, the wire type, which says how long the value
            # is.
            number, wire = key >> 3, key & 7
            if wire == VARINT:
                made[number], at = _read_varint(data, at)
            elif wire == BYTES:
                count, at = _read_varint(data, at)
                if at + count > len(data):
                    raise ValueError("a field reaches beyond the message")
                made[number], at = data[at : at + count], at + count
            elif wire in (FIXED64, FIXED32):
                form = "<Q" if wire == FIXED64 else "<I"
                made[number] = struct.unpack_from(form, data, at)[0]
                at += struct.calcsize(form)
            else:
                raise ValueError(f"wire type {wire} is not known")
    except (IndexError, struct.error):
        raise ValueError("the message ends inside a field") from None
    return made


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        # Seven bits a byte, the lowest first; the eighth says that more follow.
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
        if shift > 63:
            raise ValueError("a number is longer than 64 bits")
