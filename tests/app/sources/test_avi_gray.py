"""Uncompressed gray AVI files: codes that FFmpeg does not know, palettes that are none."""

from __future__ import annotations

import struct
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.sources.opening import open_source
from kernels.errors import BadFrame
from tests.app.sources.writers import write_video

RAMP = bytes(v for k in range(256) for v in (k, k, k, 0))
COLOURS = bytes(v for k in range(256) for v in (k, 0, 255 - k, 0))
NO_CODE = b"\0\0\0\0"


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def write_avi(path: Path, pictures: Any, code: bytes, *, palette: bytes = b"", height_sign: int = 1,
              padded: bool = True, sound: bool = False) -> Path:  # fmt: skip
    """An AVI of gray pictures, u1 or u2, (frames, height, width); None in their place is a frame that was dropped."""
    first = next(p for p in pictures if p is not None)
    (height, width), bits = first.shape, 8 * first.itemsize
    upwards = code == NO_CODE and height_sign > 0
    frames = []
    for picture in pictures:
        rows = () if picture is None else picture[:: -1 if upwards else 1]
        frames.append(b"".join(r.tobytes() + b"\0" * (-len(r.tobytes()) % 4 if padded else 0) for r in rows))
    n, size = len(frames), max(map(len, frames))
    main = struct.pack("<14I", 2000, 0, 0, 0x10, n, 0, 1, size, width, height, 0, 0, 0, 0)
    head = b"vids" + code + struct.pack("<10I4H", 0, 0, 0, 1, 500, 0, n, size, 0xFFFFFFFF, 0, 0, 0, width, height)
    form = struct.pack("<IiiHH4sIiiII", 40, width, height_sign * height, 1, bits, code, size, 0, 0, len(palette) // 4,
                       0)  # fmt: skip
    streams = _chunk(b"LIST", b"strl" + _chunk(b"strh", head) + _chunk(b"strf", form + palette))
    if sound:
        wave = b"auds" + struct.pack("<11I4H", 0, 0, 0, 0, 1, 8000, 0, 8, 0, 0, 1, 0, 0, 0, 0)
        streams = _chunk(b"LIST", b"strl" + _chunk(b"strh", wave) + _chunk(b"strf", b"\1\0" * 8)) + streams
    name = b"01db" if sound else b"00db"
    movie, index = b"", b""
    for data in frames:
        index += name + struct.pack("<III", 0x10, 4 + len(movie), len(data))
        movie += _chunk(name, data) + (_chunk(b"01wb" if not sound else b"00wb", b"1234567") if sound else b"")
    body = b"AVI " + _chunk(b"LIST", b"hdrl" + _chunk(b"avih", main) + streams)
    body += _chunk(b"LIST", b"movi" + movie) + _chunk(b"idx1", index)
    path.write_bytes(_chunk(b"RIFF", body))
    return path


def pictures(bits: int, count: int = 5) -> Any:
    made = np.random.default_rng(bits).integers(0, 1 << bits, (count, 12, 17))
    return made.astype(np.uint8 if bits == 8 else np.uint16)


CODES = [(b"Y16 ", 16), (b"Y16\0", 16), (b"Y1\0\x10", 16), (b"L16 ", 16), (b"Y8\0\0", 8), (b"Y800", 8), (b"Y8  ", 8),
         (b"GREY", 8)]  # fmt: skip


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("height_sign", [1, -1])
@pytest.mark.parametrize(("code", "bits"), CODES)
def test_gray_codes(tmp_path: Path, code: bytes, bits: int, height_sign: int, padded: bool) -> None:
    stored = pictures(bits)
    path = write_avi(tmp_path / "a.avi", stored, code, height_sign=height_sign, padded=padded)
    with closing(open_source(path)) as source:
        info = source.info
        assert (info.kind, info.frames, info.width, info.height) == ("video", 5, 17, 12)
        assert (info.format.color, info.format.bits, info.time.fps) == ("mono", bits, 500)
        assert "playback rate" in info.time.note
        assert not info.warnings
        for k in (4, *range(5)):
            np.testing.assert_array_equal(source.read(k), stored[k])
            assert source.read(k).dtype == info.image.dtype.numpy


@pytest.mark.parametrize("palette", [b"", RAMP, RAMP[:400]])
@pytest.mark.parametrize("height_sign", [1, -1])
def test_a_palette_that_is_none(tmp_path: Path, palette: bytes, height_sign: int) -> None:
    stored = pictures(8)
    path = write_avi(tmp_path / "a.avi", stored, NO_CODE, palette=palette, height_sign=height_sign)
    with closing(open_source(path)) as source:
        assert source.info.format.color == "mono"
        for k in (4, *range(5)):
            np.testing.assert_array_equal(source.read(k), stored[k])
            np.testing.assert_array_equal(source.read(k, np.zeros((12, 17), np.uint8)), stored[k])


def test_a_palette_of_colours(tmp_path: Path) -> None:
    stored = pictures(8)
    with closing(open_source(write_avi(tmp_path / "a.avi", stored, NO_CODE, palette=COLOURS))) as source:
        assert source.info.format.color == "rgb"
        red, green, blue = np.moveaxis(source.read(3), -1, 0)
        np.testing.assert_array_equal(red, 255 - stored[3])
        np.testing.assert_array_equal(blue, stored[3])
        assert not green.any()


def test_beside_sound_and_with_dropped_frames(tmp_path: Path) -> None:
    stored: list[Any] = list(pictures(16))
    stored[2] = None
    with closing(open_source(write_avi(tmp_path / "a.avi", stored, b"Y16 ", sound=True))) as source:
        assert source.info.frames == 5
        for k in (0, 1, 3, 4):
            np.testing.assert_array_equal(source.read(k), stored[k])
        with pytest.raises(BadFrame, match="0 bytes"):
            source.read(2)


def test_what_is_cut_short_is_served_as_far_as_it_goes(tmp_path: Path) -> None:
    stored = pictures(16)
    path = write_avi(tmp_path / "a.avi", stored, b"Y16 ")
    data = path.read_bytes()
    path.write_bytes(data[: data.rindex(b"00db", 0, data.index(b"idx1")) + 50])
    with closing(open_source(path)) as source:
        assert (source.info.frames, source.info.declared_frames) == (4, 5)
        assert "4 of 5" in source.info.warnings[0]
        np.testing.assert_array_equal(source.read(3), stored[3])


@pytest.mark.parametrize(("codec", "pixel_format", "bits"), [
    ("ffv1", "gray", 8), ("ffv1", "gray10le", 10), ("ffv1", "gray12le", 12), ("ffv1", "gray16le", 16),
    ("ffvhuff", "gray", 8), ("ffvhuff", "gray16le", 16), ("png", "gray", 8), ("png", "gray16be", 16),
])  # fmt: skip
def test_lossless_codecs_stay_exact(tmp_path: Path, codec: str, pixel_format: str, bits: int) -> None:
    stored = pictures(bits)
    if pixel_format.endswith("be"):
        stored = stored.astype(">u2")
    swapped = stored.view("<u2") if pixel_format.endswith("be") else stored
    path = write_video(tmp_path / "a.avi", list(swapped), codec, pixel_format)
    with closing(open_source(path)) as source:
        assert source.info.format.bits == bits
        for k in (4, *range(5)):
            np.testing.assert_array_equal(source.read(k), stored[k])
