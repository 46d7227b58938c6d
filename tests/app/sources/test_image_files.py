"""What single image files say beside their pixels, values that other readers change, and damage that they pass over."""

from __future__ import annotations

import struct
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile
from hypothesis import given
from hypothesis import strategies as st

from app.sources import pnm
from app.sources.opening import open_source
from kernels.errors import BadFrame, SourceError
from kernels.opencv import cv2
from pipelines.frontend import front_nodes


def _values(largest: int, channels: int = 1, seed: int = 0) -> Any:
    shape = (5, 11) if channels == 1 else (5, 11, channels)
    values = np.random.default_rng(seed).integers(0, largest + 1, shape)
    values.flat[0] = largest
    return values.astype(np.uint8 if largest < 256 else np.uint16)


def _pnm(values: Any, largest: int, plain: bool) -> bytes:
    height, width = values.shape[:2]
    kind = {(1, False): 5, (1, True): 2, (3, False): 6, (3, True): 3}[values.ndim - 1 if values.ndim == 2 else 3, plain]
    head = f"P{kind}\n# written by a test\n{width} {height}\n{largest}\n".encode()
    if plain:
        return head + "\n".join(" ".join(str(v) for v in row.ravel()) for row in values).encode()
    return head + values.astype("u1" if largest < 256 else ">u2").tobytes()


@given(st.integers(1, 65535), st.sampled_from([1, 3]), st.booleans())
def test_maps_of_any_maximum(largest: int, channels: int, plain: bool) -> None:
    values = _values(largest, channels)
    pixels, bits = pnm.pixels_of(_pnm(values, largest, plain))
    assert bits == largest.bit_length()
    assert pixels.dtype == values.dtype
    np.testing.assert_array_equal(pixels, values)


@pytest.mark.parametrize(("largest", "channels"), [(255, 1), (4095, 1), (255, 3), (1023, 3), (255, 4), (255, 2)])
def test_any_maps(tmp_path: Path, largest: int, channels: int) -> None:
    values = _values(largest, channels)
    head = f"P7\n# by a test\nWIDTH 11\nHEIGHT 5\nDEPTH {channels}\nMAXVAL {largest}\nTUPLTYPE X\nENDHDR\n".encode()
    (tmp_path / "a.pam").write_bytes(head + values.astype("u1" if largest < 256 else ">u2").tobytes())
    if channels == 2:
        with pytest.raises(SourceError, match="it has 2 channels"):
            open_source(tmp_path / "a.pam")
        return
    with closing(open_source(tmp_path / "a.pam")) as source:
        form = source.info.format
        assert (form.color, form.bits) == ({1: "mono", 3: "rgb", 4: "rgba"}[channels], largest.bit_length())
        np.testing.assert_array_equal(source.read(0), values)


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize(("largest", "channels", "bits"), [(1023, 1, 10), (4095, 1, 12), (100, 1, 7), (255, 3, 8),
                                                           (4095, 3, 12), (65535, 1, 16)])  # fmt: skip
def test_a_sequence_of_maps(tmp_path: Path, largest: int, channels: int, bits: int, plain: bool) -> None:
    stored = [_values(largest, channels, k) for k in range(3)]
    for k, values in enumerate(stored):
        (tmp_path / f"a{k}.{'ppm' if channels == 3 else 'pgm'}").write_bytes(_pnm(values, largest, plain))
    with closing(open_source(tmp_path)) as source:
        assert (source.info.format.bits, source.info.image.bits) == (bits, bits)
        assert source.info.format.color == ("rgb" if channels == 3 else "mono")
        for k in (2, 0, 1):
            np.testing.assert_array_equal(source.read(k), stored[k])


def test_bitmaps(tmp_path: Path) -> None:
    black = _values(1) > 0
    packed = np.packbits(black, axis=1).tobytes()
    (tmp_path / "p4.pbm").write_bytes(b"P4\n11 5\n" + packed)
    (tmp_path / "p1.pbm").write_bytes(b"P1\n#x\n11 5\n" + "".join("01"[v] for v in black.ravel().astype(int)).encode())
    for name in ("p4.pbm", "p1.pbm"):
        with closing(open_source(tmp_path / name)) as source:
            assert source.info.image.dtype.name == "bool"
            np.testing.assert_array_equal(source.read(0), ~black)


@pytest.mark.parametrize("change", [lambda d: d[:-1], lambda d: d.replace(b"4095", b"0099"),
                                    lambda d: d.replace(b"11 5", b"99999999 99999999")])  # fmt: skip
def test_damaged_maps_are_refused(tmp_path: Path, change: Any) -> None:
    (tmp_path / "a.pgm").write_bytes(change(_pnm(_values(4095), 4095, False)))
    with pytest.raises(SourceError, match=r"a\.pgm"):
        open_source(tmp_path / "a.pgm")


def _png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _png(values: Any, extra: bytes = b"", kind: int = 0) -> bytes:
    height, width = values.shape[:2]
    rows = b"".join(b"\0" + row.astype(row.dtype.newbyteorder(">")).tobytes() for row in values)
    head = struct.pack(">IIBBBBB", width, height, 8 * values.itemsize, kind, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + _png_chunk(b"IHDR", head) + extra + _png_chunk(b"IDAT", zlib.compress(rows))
            + _png_chunk(b"IEND", b""))  # fmt: skip


def _shifted(values: Any, how: str) -> Any:
    return {"zeros": values << 4, "repeated": values << 4 | values >> 8, "as they were": values}[how]


@pytest.mark.parametrize("how", ["zeros", "repeated", "as they were"])
def test_significant_bits_of_a_png(tmp_path: Path, how: str) -> None:
    stored = _shifted(_values(4095), how)
    (tmp_path / "a.png").write_bytes(_png(stored, _png_chunk(b"sBIT", b"\x0c")))
    with closing(open_source(tmp_path / "a.png")) as source:
        assert source.info.format.bits == 12
        assert source.info.format.shift == (0 if how == "as they were" else 4)
        assert len(front_nodes(source.info)) == bool(source.info.format.shift)
        np.testing.assert_array_equal(source.read(0), stored)


def test_significant_bits_that_the_values_contradict(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(_png(_values(65535), _png_chunk(b"sBIT", b"\x0c")))
    with closing(open_source(tmp_path / "a.png")) as source:
        assert (source.info.format.bits, source.info.format.shift) == (16, 0)


def test_sixteen_bits_with_alpha(tmp_path: Path) -> None:
    stored = _values(65535, 4)
    (tmp_path / "a.png").write_bytes(_png(stored, kind=6))
    with closing(open_source(tmp_path / "a.png")) as source:
        assert source.info.format.color == "bgra"
        np.testing.assert_array_equal(source.read(0), stored[..., [2, 1, 0, 3]])


def _exif(value: int) -> bytes:
    return b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 274, 3, 1, value, 0, 0)


def _jpeg(*segments: bytes) -> bytes:
    """A JPEG with APP1 segments."""
    data = bytes(cv2.imencode(".jpg", _values(255))[1])
    return data[:2] + b"".join(b"\xff\xe1" + struct.pack(">H", len(s) + 2) + s for s in segments) + data[2:]


@pytest.mark.parametrize(("value", "words"), [(1, ""), (3, "180 degrees"), (6, "turned by 90 degrees clockwise"),
                                              (2, "mirrored")])  # fmt: skip
def test_orientation_is_said(tmp_path: Path, value: int, words: str) -> None:
    (tmp_path / "a.jpg").write_bytes(_jpeg(b"Exif\0\0" + _exif(value)))
    (tmp_path / "a.png").write_bytes(_png(_values(255), _png_chunk(b"eXIf", _exif(value))))
    tifffile.imwrite(tmp_path / "a.tif", _values(255), metadata=None, extratags=[(274, 3, 1, value, True)])
    for name in ("a.jpg", "a.png", "a.tif"):
        with closing(open_source(tmp_path / name)) as source:
            assert len(source.info.warnings) == bool(words)
            assert words in "".join(source.info.warnings)
            assert source.read(0).shape == (5, 11)


@pytest.mark.parametrize("text", [b'x:CaptureFrameRate="240"', b"<x:CaptureFrameRate>240</x:CaptureFrameRate>",
                                  b'x:CaptureFps="480/2"'])  # fmt: skip
def test_a_capture_rate_in_xmp(tmp_path: Path, text: bytes) -> None:
    for k in range(2):
        (tmp_path / f"a{k}.jpg").write_bytes(_jpeg(b"http://ns.adobe.com/xap/1.0/\0<x " + text + b"/>"))
    with closing(open_source(tmp_path)) as source:
        assert source.info.time.fps == 240
        assert source.info.time.origin == "header"


@pytest.mark.parametrize("name", ["a1.png", "a1.jpg"])
@pytest.mark.parametrize("change", [lambda d: d[: len(d) * 2 // 3], lambda d: d[:-12]])
def test_what_is_cut_short_is_no_picture(tmp_path: Path, name: str, change: Any) -> None:
    whole = _png(_values(255)) if name.endswith("png") else _jpeg()
    (tmp_path / name.replace("1", "0")).write_bytes(whole)
    (tmp_path / name).write_bytes(change(whole))
    with closing(open_source(tmp_path)) as source, pytest.raises(BadFrame, match="cut short"):
        source.read(1)


def test_a_check_sum_that_is_wrong(tmp_path: Path) -> None:
    data = bytearray(_png(_values(255)))
    data[data.index(b"IDAT") + 9] ^= 4
    (tmp_path / "a.png").write_bytes(data)
    with pytest.raises(SourceError, match="check sum"):
        open_source(tmp_path / "a.png")


@pytest.mark.parametrize("photometric", ["minisblack", "miniswhite"])
def test_tiff_of_one_bit(tmp_path: Path, photometric: str) -> None:
    stored = [_values(1, 1, k) > 0 for k in range(2)]
    for k, page in enumerate(stored):
        tifffile.imwrite(tmp_path / f"a{k}.tif", page, photometric=photometric, metadata=None, bitspersample=1)
    with closing(open_source(tmp_path)) as source:
        assert source.info.image.dtype.name == "bool"
        assert ("0 is white" in "".join(source.info.warnings)) == (photometric == "miniswhite")
        np.testing.assert_array_equal(source.read(1), stored[1])


def _listing(pictures: list[bytes], kinds: list[int], order: str) -> bytes:
    """The pictures as one file with an index of all (CIPA DC-007)."""
    sizes = [len(picture) for picture in pictures]
    listed = b"".join(struct.pack(order + "IIIHH", *pair, 0, 0, 0) for pair in zip(kinds, sizes, strict=True))
    entry = struct.pack(order + "HHHII", 1, 0xB002, 7, len(listed), 8 + 2 + 12 + 4) + struct.pack(order + "I", 0)
    body = b"MPF\0" + (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", 8) + entry + listed
    segment = b"\xff\xe2" + struct.pack(">H", len(body) + 2) + body
    return pictures[0][:2] + segment + pictures[0][2:] + b"".join(pictures[1:])


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_file_of_many_pictures(tmp_path: Path, order: str) -> None:
    """The first is read, and a sentence says how many there are; previews do not count."""
    pictures = [cv2.imencode(".jpg", np.full((16, 24, 3), 40 * k, np.uint8))[1].tobytes() for k in range(3)]
    path = tmp_path / "a.mpo"
    for kinds, many in (([0x20030000, 0x020003, 0x020003], 3), ([0x20030000, 0x010001, 0x010002], 1)):
        path.write_bytes(_listing(pictures, kinds, order))
        with closing(open_source(path)) as source:
            assert source.info.frames == 1
            assert not source.read(0).any()
            said = [w for w in source.info.warnings if "pictures, of which the first is read" in w]
            assert [w.split(" holds ")[1].split(" ")[0] for w in said] == ([str(many)] if many > 1 else [])
