"""Portable gray and colour maps (PBM, PGM, PPM, PAM), values as they are stored: their maximum says how many bits they
have, and other readers stretch some of them to the bits of their type.
"""

from __future__ import annotations

import re

import numpy as np

from pipelines.frame import Pixels

_SPACE = rb"(?:\s|#[^\n\r]*[\n\r])+"
_HEADS = {
    kind: re.compile(rb"P" + kind + _SPACE + _SPACE.join([rb"(\d{1,9})"] * count) + rb"(?:\s|#[^\n\r]*[\n\r])")
    for kind, count in ((b"1", 2), (b"2", 3), (b"3", 3), (b"4", 2), (b"5", 3), (b"6", 3))
}
_ANY = re.compile(rb"P7\s[^\0]*?\nENDHDR\n")
_FIELD = re.compile(rb"^(WIDTH|HEIGHT|DEPTH|MAXVAL)\s+(\d{1,9})\s*$", re.MULTILINE)
_MOST = 65535
_HEADER = 4096
"""Bytes within which that of a PAM file ends."""


def size_of(data: bytes) -> tuple[int, int, int, int, int] | None:
    """Width, height, channels, largest value and where the values begin; None if it is no such file."""
    if found := _ANY.match(data, 0, _HEADER):
        header = {name: int(number) for name, number in _FIELD.findall(found[0])}
        width, height, channels, largest = (header.get(name, 0) for name in (b"WIDTH", b"HEIGHT", b"DEPTH", b"MAXVAL"))
        return width, height, channels, largest, found.end()
    head = _HEADS.get(data[1:2])
    found = head.match(data) if head is not None and data[:1] == b"P" else None
    if found is None:
        return None
    width, height, *most = (int(n) for n in found.groups())
    largest = most[0] if most else 1
    return (width, height, 3 if data[1:2] in b"36" else 1, largest, found.end()) if 0 < largest <= _MOST else None


def pixels_of(data: bytes) -> tuple[Pixels, int]:
    """The values, (height, width) or (height, width, 3: red, green, blue, or 4 with opacity), and their bits. 1 of a
    PBM, black, is False.

    Raises:
        ValueError: the file is damaged or cut short.
    """
    head = size_of(data)
    if head is None:
        raise ValueError("its header is damaged")
    width, height, channels, largest, start = head
    if channels not in (1, 3, 4) or not 0 < largest <= _MOST:
        raise ValueError(f"it has {channels} channels and a largest value of {largest}")
    shape = (height, width) if channels == 1 else (height, width, channels)
    kind, count = data[1:2], height * width * channels
    dtype = np.dtype(np.uint8 if largest < 256 else ">u2")
    if kind == b"4":
        row = -(-width // 8)
        packed = np.frombuffer(data, np.uint8, row * height, start).reshape(height, row)
        return np.unpackbits(packed, axis=1, count=width) == 0, 1
    if kind in b"567":
        values = np.frombuffer(data, dtype, count, start).reshape(shape)
    else:
        text = re.sub(rb"#[^\n\r]*", b" ", data[start - 1 :])
        words = list(text.translate(None, b" \t\n\v\f\r").decode("ascii")) if kind == b"1" else text.split()
        if len(words) < count:
            raise ValueError("it is cut short")
        numbers = np.array([int(word) for word in words[:count]])
        if kind == b"1":
            return (numbers == 0).reshape(shape), 1
        values = numbers.reshape(shape)
    if int(values.max(initial=0)) > largest:
        raise ValueError(f"it holds the value {int(values.max())}, more than the {largest} that its header names")
    return values.astype(dtype.newbyteorder("=")), largest.bit_length()
