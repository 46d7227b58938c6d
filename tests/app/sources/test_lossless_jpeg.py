"""Lossless JPEG: the values of all predictors, and what damage shows."""

from __future__ import annotations

from typing import Any

import imagecodecs
import numpy as np
import pytest

from app.sources.lossless_jpeg import decode, is_lossless
from tests.app.sources.tiff_writers import raw_picture


def _encoded(values: Any, bits: int, every: int = 0, pad: bytes = b"") -> bytes:
    """A stream by a code of five bits for each of the 17 sizes and predictor 1, with restarts after so many rows."""
    rows, columns = values.shape
    parts = []
    for first in range(0, rows, every or rows):
        text = ""
        part = values[first : first + (every or rows)].astype(int)
        for y, x in np.ndindex(part.shape):
            before = part[y, x - 1] if x else part[y - 1, 0] if y else 1 << (bits - 1)
            off = (part[y, x] - before + 32768) % 65536 - 32768
            size = 16 if off == -32768 else int(abs(off)).bit_length()
            text += f"{size:05b}"
            text += f"{off if off > 0 else off + (1 << size) - 1:0{size}b}" if 0 < size < 16 else ""
        text += "1" * (-len(text) % 8)
        parts.append(int(text, 2).to_bytes(len(text) // 8, "big").replace(b"\xff", b"\xff\0") + pad)
    data = b"".join(part + bytes([0xFF, 0xD0 + k % 8]) for k, part in enumerate(parts))[:-2]
    head = b"\xff\xd8\xff\xc3" + bytes([0, 11, bits, 0, rows, 0, columns, 1, 1, 0x11, 0])
    head += b"\xff\xc4" + bytes([0, 36, 0, *(17 * (k == 4) for k in range(16)), *range(17)])
    head += b"\xff\xdd\0\4" + (every * columns).to_bytes(2, "big") if every else b""
    return head + b"\xff\xda" + bytes([0, 8, 1, 1, 0, 1, 0, 0]) + data + b"\xff\xd9"


@pytest.mark.parametrize("bits", [8, 12, 16])
def test_values(bits: int) -> None:
    for channels in (1, 2, 3):
        values = raw_picture(bits, channels, (11, 14 * channels)).reshape(11, 14, channels)
        for predictor in range(1, 8):
            data = imagecodecs.jpeg_encode(np.squeeze(values), lossless=True, bitspersample=bits, predictor=predictor)
            assert is_lossless(data)
            np.testing.assert_array_equal(decode(data), values)


@pytest.mark.parametrize("every", [0, 1, 4])
def test_restarts_and_what_fills_up(every: int) -> None:
    values = raw_picture(16, 3, (10, 7))
    values[3, 2:4] = 0, 32768  # a difference without bits of its own
    for pad in (b"", b"\xff", b"\0"):
        np.testing.assert_array_equal(decode(_encoded(values, 16, every, pad))[..., 0], values)
    with pytest.raises(ValueError, match="elsewhere"):
        decode(_encoded(values, 16, every, bytes(3)))


def test_any_bit_that_is_flipped_is_noticed_or_changes_values_alone() -> None:
    """What cannot be noticed is a difference of another value with a code as long: the stream is as right as before."""
    smooth = np.add.outer(np.arange(12) * 90, np.arange(16) * 45) + raw_picture(5, 0, (12, 16))
    data, noticed, begin = _encoded(smooth.astype(np.uint16), 12), 0, 0
    begin = data.index(b"\xff\xda") + 10
    for place in range(8 * len(data)):
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        try:
            values = decode(bytes(flipped)) if is_lossless(bytes(flipped)) else None
        except ValueError:
            noticed += place >= 8 * begin
            continue
        assert values is None or values.max() < 1 << flipped[6]
    assert noticed > 0.45 * 8 * (len(data) - begin)
    for length in range(len(data)):
        with pytest.raises(ValueError, match=r"JPEG"):
            decode(data[:length])


def test_kinds_that_no_camera_writes() -> None:
    data = _encoded(raw_picture(8, 0, (4, 6)).astype(np.uint16), 8)
    scan = data.index(b"\xff\xda")
    shifted = data[: scan + 9] + b"\1" + data[scan + 10 :]
    with pytest.raises(ValueError, match="no camera"):
        decode(shifted)
    assert not is_lossless(imagecodecs.jpeg_encode(np.zeros((8, 8), np.uint8)))
