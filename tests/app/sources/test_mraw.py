"""Photron recordings written by the tests: every depth, both headers, short and damaged files."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.sources.mraw import MrawSource
from kernels.errors import SourceError
from tests.app.sources.writers import picture, unpack, write_mraw


@pytest.mark.parametrize("header", ["cih", "cihx"])
@pytest.mark.parametrize(("bits", "white"), [(8, 255), (16, 4095)])
def test_whole_bytes(tmp_path: Path, header: str, bits: int, white: int) -> None:
    stored = [picture(5, 9, white, k) for k in range(4)]
    source = MrawSource(write_mraw(tmp_path / "a.mraw", stored, bits=bits, header=header, start=-7))
    info = source.info
    assert (info.width, info.height, info.frames, info.declared_frames) == (9, 5, 4, 4)
    assert (info.format.bits, info.format.shift, info.format.packing) == (8 if bits == 8 else 12, 0, "none")
    assert (info.first_number, info.warnings) == (-7, ())
    for k in (3, 0, 2):
        assert np.array_equal(source.read(k), stored[k])
    source.close()


@pytest.mark.parametrize("bits", [10, 12])
def test_packed(tmp_path: Path, bits: int) -> None:
    stored = [picture(3, 8, 2**bits - 1, k).astype(np.uint16) for k in range(3)]
    source = MrawSource(write_mraw(tmp_path / "a.mraw", stored, bits=bits))
    assert source.info.format.packing == f"msb{bits}"
    assert source.info.image.shape == (3, bits)
    assert source.info.format.bits == bits
    assert [unpack(row, 8, bits) for row in source.read(2)] == stored[2].tolist()
    source.close()


@pytest.mark.parametrize("bits", [10, 12])
def test_packed_rows_that_share_bytes_are_unpacked(tmp_path: Path, bits: int) -> None:
    height = 4  # 4 x 7 samples fill whole bytes in both depths
    stored = [picture(height, 7, 2**bits - 1, k).astype(np.uint16) for k in range(3)]
    path = write_mraw(tmp_path / "a.mraw", stored, bits=bits)
    source = MrawSource(path)
    assert source.info.format.packing == "none"
    assert np.array_equal(source.read(2), stored[2])
    source.close()


@pytest.mark.parametrize(("bits", "white"), [(8, 255), (12, 4095), (16, 4095)])
def test_colour(tmp_path: Path, bits: int, white: int) -> None:
    stored = [picture(4, 6, white, k, 3) for k in range(3)]
    source = MrawSource(write_mraw(tmp_path / "a.mraw", stored, bits=bits))
    assert source.info.format.color == "rgb"
    assert source.info.image.shape == (4, 6, 3)
    assert source.info.format.bits == (8 if bits == 8 else 12)
    assert np.array_equal(source.read(1), stored[1])
    source.close()


@pytest.mark.parametrize(
    ("fields", "color", "assumed"),
    [
        ({"color": "Bayer"}, "rggb", True),
        ({"color": "Bayer GRBG"}, "grbg", False),
        ({"color": "Raw"}, "mono", False),
        ({"color": "Raw", "camera": "FASTCAM Nova S16 type 1100K-C-64GB"}, "rggb", True),
        ({"color": "Raw", "camera": "FASTCAM Nova S16 type 1100K-M-64GB"}, "mono", False),
    ],
)
def test_mosaic(tmp_path: Path, fields: dict[str, str], color: str, assumed: bool) -> None:
    source = MrawSource(write_mraw(tmp_path / "a.mraw", [picture(4, 6, 255, 0)], **fields))
    assert source.info.format.color == color
    assert any("assumed" in w for w in source.info.warnings) == assumed
    source.close()


def test_left_justified_samples(tmp_path: Path) -> None:
    stored = [picture(4, 6, 4095, 0).astype(np.uint16) << 4]
    source = MrawSource(write_mraw(tmp_path / "a.mraw", stored, bits=16, side="Higher"))
    assert (source.info.format.shift, source.info.format.bits) == (4, 12)
    assert np.array_equal(source.read(0), stored[0])  # delivered as stored; the shift is the front end's
    source.close()


def test_eight_bits_of_a_deep_sensor_are_not_shifted(tmp_path: Path) -> None:
    source = MrawSource(write_mraw(tmp_path / "a.mraw", [picture(4, 6, 255, 0)], side="Higher", depth=12))
    assert (source.info.format.shift, source.info.format.bits) == (0, 8)
    source.close()


@pytest.mark.parametrize("header", ["cih", "cihx"])
def test_save_step_gives_the_effective_rate(tmp_path: Path, header: str) -> None:
    path = write_mraw(tmp_path / "a.mraw", [picture(4, 6, 255, 0)], header=header, rate=50000, step=2500)
    source = MrawSource(path)
    assert source.info.time.fps == 20.0
    assert "2500" in source.info.time.note
    assert source.info.metadata["exposure_s"] == pytest.approx(2e-4 if header == "cih" else 5e-6)
    source.close()


def test_unknown_rate_asks_for_it(tmp_path: Path) -> None:
    source = MrawSource(write_mraw(tmp_path / "a.mraw", [picture(4, 6, 255, 0)], rate="EXT"))
    assert math.isnan(source.info.time.fps)
    assert "--fps" in source.info.time.note
    source.close()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp932"])
@pytest.mark.parametrize("header", ["cih", "cihx"])
def test_japanese_comments(tmp_path: Path, encoding: str, header: str) -> None:
    comment = "高速度カメラ 表示ソ"  # the last character has a backslash byte in Shift-JIS
    path = write_mraw(tmp_path / "a.mraw", [picture(4, 6, 255, 0)], header=header, encoding=encoding, comment=comment)
    source = MrawSource(path)
    assert source.info.metadata["comment"] == comment
    source.close()


@pytest.mark.parametrize("opened", ["Clip.MRAW", "cLIP.cih"])
def test_pair_in_any_case(tmp_path: Path, opened: str) -> None:
    stored = [picture(4, 6, 255, k) for k in range(2)]
    path = write_mraw(tmp_path / "x.mraw", stored)
    path.rename(tmp_path / "Clip.MRAW")
    path.with_suffix(".cih").rename(tmp_path / "cLIP.cih")
    source = MrawSource(tmp_path / opened)
    assert np.array_equal(source.read(1), stored[1])
    source.close()


def test_missing_half(tmp_path: Path) -> None:
    path = write_mraw(tmp_path / "a.mraw", [picture(4, 6, 255, 0)])
    path.with_suffix(".cih").unlink()
    with pytest.raises(SourceError, match=r"a\.cihx or a\.cih"):
        MrawSource(path)
    path = write_mraw(tmp_path / "b.mraw", [picture(4, 6, 255, 0)])
    path.unlink()
    with pytest.raises(SourceError, match=r"b\.mraw"):
        MrawSource(path.with_suffix(".cih"))


@pytest.mark.parametrize("bits", [8, 12, 16])
def test_short_file_serves_whole_frames(tmp_path: Path, bits: int) -> None:
    stored = [picture(4, 6, 255, k) for k in range(5)]
    path = write_mraw(tmp_path / "a.mraw", stored, bits=bits)
    path.write_bytes(path.read_bytes()[:-1])
    source = MrawSource(path)
    assert (source.info.frames, source.info.declared_frames) == (4, 5)
    assert "4 of 5" in source.info.warnings[0]
    with pytest.raises(IndexError):
        source.read(4)
    source.close()


def test_longer_file_says_so(tmp_path: Path) -> None:
    path = write_mraw(tmp_path / "a.mraw", [picture(4, 6, 255, k) for k in range(2)])
    path.write_bytes(path.read_bytes() + b"xyz")
    source = MrawSource(path)
    assert source.info.frames == 2
    assert "3 bytes" in source.info.warnings[0]
    source.close()


def test_twelve_bits_in_sixteen_are_recognised_by_size(tmp_path: Path) -> None:
    stored = [picture(4, 6, 4095, k) for k in range(3)]
    path = write_mraw(tmp_path / "a.mraw", stored, bits=12)
    path.write_bytes(b"".join(p.astype("<u2").tobytes() for p in stored))
    source = MrawSource(path)
    assert "16-bit words" in source.info.warnings[0]
    assert np.array_equal(source.read(2), stored[2])
    source.close()


def test_empty_and_pointer(tmp_path: Path) -> None:
    path = write_mraw(tmp_path / "a.mraw", [picture(4, 6, 255, 0)])
    path.write_bytes(b"")
    with pytest.raises(SourceError, match="is empty"):
        MrawSource(path)
    path.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n")
    with pytest.raises(SourceError, match="git-LFS pointer"):
        MrawSource(path)


@pytest.mark.parametrize("header", ["cih", "cihx"])
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"width": 0}, "width|Width"),
        ({"width": "many"}, "width|Width"),
        ({"height": 10**12}, "picture size"),
        ({"width": 131072, "height": 131072, "bits": 48}, "one frame takes|cut short"),
        ({"frames": 0}, "rame"),
        ({"bits": 9}, "9 bits"),
        ({"format": "AVI"}, "AVI"),
        ({"height": 5000}, "cut short"),
    ],
)
def test_damaged_headers_are_refused(tmp_path: Path, header: str, fields: dict[str, Any], said: str) -> None:
    path = write_mraw(tmp_path / "a.mraw", [picture(4, 6, 255, 0)], header=header, **fields)
    with pytest.raises(SourceError, match=said) as caught:
        MrawSource(path)
    assert str(tmp_path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content", ["<cih><a>", "<cih>&x;</cih>", '<!DOCTYPE x><cih><!ENTITY a "b"></cih>', "<cih></cih>"]
)
def test_damaged_xml_is_refused(tmp_path: Path, content: str) -> None:
    path = write_mraw(tmp_path / "a.mraw", [picture(4, 6, 255, 0)], header="cihx")
    path.with_suffix(".cihx").write_text(content)
    with pytest.raises(SourceError):
        MrawSource(path)
