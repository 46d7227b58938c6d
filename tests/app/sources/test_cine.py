"""Cine files written by the tests: every pixel kind, flips, stamps, old and damaged headers."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from app.sources.cine import CineSource
from app.sources.cine_log import P10_TO_LINEAR
from kernels.errors import BadFrame, SourceError
from tests.app.sources.writers import picture, unpack, write_cine


def steady(count: int, step: float, start: int = 1_500_000_000) -> list[tuple[int, int]]:
    return [(start + int(k * step), round((k * step % 1) * 2**32) % 2**32) for k in range(count)]


@pytest.mark.parametrize(("bits", "white"), [(8, 255), (16, 4095), (16, 65535)])
@pytest.mark.parametrize("flip_v", [False, True])
@pytest.mark.parametrize("flip_h", [False, True])
def test_whole_bytes_and_flips(tmp_path: Path, bits: int, white: int, flip_v: bool, flip_h: bool) -> None:
    stored = [picture(6, 16, white, k) for k in range(3)]
    real = {255: 8, 4095: 12, 65535: 16}[white]
    source = CineSource(write_cine(tmp_path / "a.cine", stored, bits=bits, real_bpp=real, flip_v=flip_v, flip_h=flip_h))
    info = source.info
    assert (info.width, info.height, info.frames, info.format.bits, info.image.bits) == (16, 6, 3, real, real)
    assert info.metadata["flipped_vertically"] == flip_v
    assert info.metadata["flipped_horizontally"] == flip_h
    for k, image in enumerate(stored):
        shown = image[::-1] if flip_v else image
        shown = shown[:, ::-1] if flip_h else shown
        assert np.array_equal(source.read(k), shown)
        assert source.read(k).dtype == info.image.dtype.numpy
    source.close()


@pytest.mark.parametrize("bits", [10, 12])
@pytest.mark.parametrize("flip_v", [False, True])
def test_packed_rows_stay_packed(tmp_path: Path, bits: int, flip_v: bool) -> None:
    stored = [picture(5, 8, 2**bits - 1, k).astype(np.uint16) for k in range(2)]
    source = CineSource(write_cine(tmp_path / "a.cine", stored, bits=bits, flip_v=flip_v))
    info = source.info
    assert (info.image.shape, info.width, info.height) == ((5, bits), 8, 5)
    assert (info.format.packing, info.format.bits) == (f"msb{bits}", 12)
    assert info.format.lut == (P10_TO_LINEAR if bits == 10 else ())
    for k, image in enumerate(stored):
        rows = [unpack(row, 8, bits) for row in source.read(k)]
        assert rows == (image[::-1] if flip_v else image).tolist()
    source.close()


@pytest.mark.parametrize("bits", [10, 12])
@pytest.mark.parametrize(("width", "run_on", "flip_h"), [(7, False, False), (7, True, False), (8, False, True)])
def test_packed_rows_that_must_be_unpacked(tmp_path: Path, bits: int, width: int, run_on: bool, flip_h: bool) -> None:
    stored = [picture(5, width, 2**bits - 1, k).astype(np.uint16) for k in range(2)]
    path = write_cine(tmp_path / "a.cine", stored, bits=bits, flip_h=flip_h, run_on=run_on)
    source = CineSource(path)
    assert source.info.format.packing == "none"
    assert len(source.info.format.lut) == (1024 if bits == 10 else 0)
    assert np.array_equal(source.read(1), stored[1][:, ::-1] if flip_h else stored[1])
    source.close()


@pytest.mark.parametrize("bits", [24, 48])
def test_colour_with_padded_rows(tmp_path: Path, bits: int) -> None:
    stored = [picture(4, 5, 255 if bits == 24 else 4095, k, 3) for k in range(2)]
    source = CineSource(write_cine(tmp_path / "a.cine", stored, bits=bits, real_bpp=12 if bits == 48 else 8))
    assert source.info.format.color == "bgr"
    assert source.info.image.shape == (4, 5, 3)
    assert np.array_equal(source.read(1)[..., ::-1], stored[1])
    source.close()


@pytest.mark.parametrize(
    ("cfa", "compression", "flip_v", "flip_h", "color"),
    [
        (0, 2, False, False, "mono"),
        (3, 2, False, False, "gbrg"),
        (4, 2, False, False, "rggb"),
        (3, 2, True, False, "rggb"),
        (3, 2, False, True, "bggr"),
        (4, 2, True, True, "bggr"),
        (3, 0, False, False, "mono"),  # a colour camera that was told to save gray
        (3 | 0x80000000, 2, False, False, "mono"),  # a gray head of a colour camera
    ],
)
def test_bayer(tmp_path: Path, cfa: int, compression: int, flip_v: bool, flip_h: bool, color: str) -> None:
    stored = [picture(4, 8, 255, 1)]
    path = write_cine(tmp_path / "a.cine", stored, cfa=cfa, compression=compression, flip_v=flip_v, flip_h=flip_h)
    source = CineSource(path)
    assert source.info.format.color == color
    source.close()


def test_flipped_mosaic_names_the_colours_that_are_delivered(tmp_path: Path) -> None:
    mosaic = np.zeros((4, 8), np.uint8)
    mosaic[1::2, 0::2] = 200  # gb/rg: red is the first pixel of the second row
    for flip_v in (False, True):
        for flip_h in (False, True):
            path = write_cine(tmp_path / "a.cine", [mosaic], cfa=3, compression=2, flip_v=flip_v, flip_h=flip_h)
            source = CineSource(path)
            shown = source.read(0)[:2, :2].ravel()
            assert source.info.format.color.index("r") == int(np.argmax(shown))
            source.close()


def test_unknown_filter_is_said(tmp_path: Path) -> None:
    source = CineSource(write_cine(tmp_path / "a.cine", [picture(4, 8, 255, 1)], cfa=1, compression=2))
    assert source.info.format.color == "mono"
    assert "colour filter" in " ".join(source.info.warnings)
    source.close()


@pytest.mark.parametrize("first", [-5417, 0, 151325])
def test_first_number_annotations_and_metadata(tmp_path: Path, first: int) -> None:
    stored = [picture(4, 8, 255, k) for k in range(3)]
    stamps = steady(3, 1 / 4096)
    path = write_cine(
        tmp_path / "a.cine", stored, first=first, annotation=b"x" * 24, stamps=stamps, exposures=[1e-5] * 3
    )
    source = CineSource(path)
    info = source.info
    assert info.first_number == first
    assert info.metadata["camera"] == "Phantom Own"
    assert info.metadata["serial"] == 4711
    assert info.metadata["exposure_s"] == pytest.approx(1e-5, rel=1e-4)
    assert info.metadata["trigger_utc"] == "2017-07-14T02:40:00.500000000Z"
    assert info.metadata["first_frame_from_trigger_s"] == -0.5
    assert info.identity["bytes"] == path.stat().st_size
    assert np.array_equal(source.read(2), stored[2])
    source.close()


def test_old_setup_without_depth(tmp_path: Path) -> None:
    stored = [picture(4, 8, 60000, k) for k in range(2)]
    source = CineSource(write_cine(tmp_path / "a.cine", stored, bits=16, setup_length=808, rate=70000))
    assert source.info.format.bits == 16
    assert source.info.time.fps == 70000
    assert source.info.time.origin == "header"
    assert np.array_equal(source.read(0), stored[0])
    source.close()


def test_stamps_are_exact_far_from_1970(tmp_path: Path) -> None:
    step = 2**-20  # about a microsecond: float64 seconds since 1970 would give steps of 0.95 or 1.19
    stored = [picture(2, 8, 255, k) for k in range(9)]
    stamps = [(2_000_000_000, 4096 * k) for k in range(9)]
    source = CineSource(write_cine(tmp_path / "a.cine", stored, stamps=stamps, rate=2**20, trigger=stamps[0]))
    assert source.info.time.stamps is not None
    assert source.info.time.stamps.tolist() == [k * step for k in range(9)]
    assert source.info.time.fps == 2**20
    assert source.info.warnings == ()
    source.close()


def test_stamps_win_over_the_nominal_rate(tmp_path: Path) -> None:
    stored = [picture(2, 8, 255, k) for k in range(12)]
    source = CineSource(write_cine(tmp_path / "a.cine", stored, stamps=steady(12, 10 / 90000), rate=90000))
    assert source.info.time.fps == pytest.approx(9000, rel=1e-5)
    assert source.info.time.origin == "stamps"
    assert "every 10th frame" in source.info.warnings[0]
    source.close()


@pytest.mark.parametrize("broken", [0, 4, 11])
def test_one_broken_stamp_is_mended_and_said(tmp_path: Path, broken: int) -> None:
    stored = [picture(2, 8, 255, k) for k in range(12)]
    stamps = steady(12, 0.001)
    stamps[broken] = (stamps[broken][0] + 25_000_000, 0)
    source = CineSource(write_cine(tmp_path / "a.cine", stored, stamps=stamps))
    assert source.info.time.stamps is not None
    np.testing.assert_allclose(source.info.time.stamps, np.arange(12) * 0.001, atol=1e-6)
    assert f"frame {broken}" in source.info.warnings[0]
    source.close()


def test_a_real_pause_is_kept(tmp_path: Path) -> None:
    stored = [picture(2, 8, 255, k) for k in range(12)]
    stamps = steady(6, 0.001) + steady(6, 0.001, 1_500_000_060)
    source = CineSource(write_cine(tmp_path / "a.cine", stored, stamps=stamps))
    assert source.info.time.time(6) == pytest.approx(60.0)
    assert "uneven" in source.info.warnings[0]
    source.close()


def test_stamps_that_run_backwards_are_refused(tmp_path: Path) -> None:
    stored = [picture(2, 8, 255, k) for k in range(8)]
    source = CineSource(write_cine(tmp_path / "a.cine", stored, stamps=steady(8, 0.001)[::-1], rate=500))
    assert (source.info.time.fps, source.info.time.origin) == (500, "header")
    assert "stamps" in source.info.warnings[0]
    source.close()


def test_short_file_serves_whole_frames(tmp_path: Path) -> None:
    stored = [picture(4, 8, 255, k) for k in range(5)]
    path = write_cine(tmp_path / "a.cine", stored)
    path.write_bytes(path.read_bytes()[:-50])  # the last frame (8 + 32 bytes) and part of the one before
    source = CineSource(path)
    assert (source.info.frames, source.info.declared_frames) == (3, 5)
    assert "3 of 5" in source.info.warnings[0]
    assert np.array_equal(source.read(2), stored[2])
    with pytest.raises(IndexError):
        source.read(3)
    source.close()


def test_one_broken_offset_is_one_bad_frame(tmp_path: Path) -> None:
    stored = [picture(4, 8, 255, k) for k in range(5)]
    path = write_cine(tmp_path / "a.cine", stored)
    data = bytearray(path.read_bytes())
    struct.pack_into("<q", data, 84 + 10412 + 8, 1 << 60)
    path.write_bytes(data)
    source = CineSource(path)
    assert source.info.frames == 5
    assert "1 of 5" in source.info.warnings[0]
    with pytest.raises(BadFrame) as caught:
        source.read(1)
    assert caught.value.index == 1
    assert np.array_equal(source.read(2), stored[2])
    source.close()


def test_file_that_shrinks_while_open(tmp_path: Path) -> None:
    path = write_cine(tmp_path / "a.cine", [picture(64, 128, 255, k) for k in range(5)])
    source = CineSource(path)
    with path.open("r+b") as file:
        file.truncate(30000)
    with pytest.raises(BadFrame):
        source.read(4)
    source.close()


def test_read_into_out(tmp_path: Path) -> None:
    stored = [picture(4, 8, 4095, k) for k in range(2)]
    source = CineSource(write_cine(tmp_path / "a.cine", stored, bits=16, real_bpp=12, flip_v=True))
    out = np.zeros((4, 8), np.uint16)
    assert source.read(1, out) is out
    assert np.array_equal(out, stored[1][::-1])
    with pytest.raises(TypeError):
        source.read(1, np.zeros((4, 8), np.uint8))
    with pytest.raises(ValueError, match="shape"):
        source.read(1, np.zeros((3, 4, 8), np.uint16))
    assert not source.read(1).flags.writeable
    source.close()


@pytest.mark.parametrize(
    ("offset", "code", "value", "said"),
    [
        (4, "H", 1, "JPEG"),
        (20, "I", 0, "no frames"),
        (24, "I", 10**9, "bitmap header"),
        (32, "I", 4 * 10**9, "table of images"),
        (48, "i", 0, "size 0 x"),
        (48, "i", 2**30, "picture size"),
        (48, "i", 4096, "damaged"),
        (58, "H", 12, "biBitCount 12"),
        (60, "I", 3, "biCompression 3"),
        (64, "I", 5, "damaged"),
    ],
)
def test_damaged_headers_are_refused(tmp_path: Path, offset: int, code: str, value: int, said: str) -> None:
    path = write_cine(tmp_path / "a.cine", [picture(4, 8, 255, k) for k in range(3)])
    data = bytearray(path.read_bytes())
    struct.pack_into("<" + code, data, offset, value)
    path.write_bytes(data)
    with pytest.raises(SourceError, match=said) as caught:
        CineSource(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_oversized_image_size_is_taken_as_padding(tmp_path: Path) -> None:
    stored = [picture(4, 8, 255, k) for k in range(3)]
    path = write_cine(tmp_path / "a.cine", stored)
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, 64, 2**31)
    path.write_bytes(data)
    source = CineSource(path)
    assert source.info.frames == 3
    assert "would do" in source.info.warnings[0]
    assert np.array_equal(source.read(2), stored[2])
    source.close()


@pytest.mark.parametrize("first", [-5, 0, 40])
def test_times_count_from_the_trigger_by_its_own_stamp(tmp_path: Path, first: int) -> None:
    """Number 0 is exposed within a frame after the trigger; 0.3 ms after it here."""
    stored = [picture(4, 8, 255, k) for k in range(9)]
    stamps = steady(9, 1e-3)
    ticks = (stamps[0][0] << 32) + stamps[0][1] - round((first * 1e-3 + 3e-4) * 2**32)
    told = {"first": first, "stamps": stamps, "trigger": (ticks >> 32, ticks & 0xFFFFFFFF)}
    info = CineSource(write_cine(tmp_path / "a.cine", stored, **told)).info  # type: ignore[arg-type]
    assert info.first_number == first
    wanted = [(first + k) * 1e-3 + 3e-4 for k in range(9)]
    assert [info.time.time(k) for k in range(9)] == pytest.approx(wanted, abs=1e-8)
    assert info.warnings == ()
    # A stamp that cannot be the trigger's is named and not used: number 0 is the beginning.
    told["trigger"] = (stamps[0][0] + 7, 0)
    info = CineSource(write_cine(tmp_path / "b.cine", stored, **told)).info  # type: ignore[arg-type]
    assert info.time.time(0) == pytest.approx(first * 1e-3, abs=1e-8)
    assert "do not fit the frames' numbers" in " ".join(info.warnings)
    told["trigger"] = (0, 0)
    info = CineSource(write_cine(tmp_path / "c.cine", stored, **told)).info  # type: ignore[arg-type]
    assert info.time.time(0) == pytest.approx(first * 1e-3, abs=1e-8)
    assert info.warnings == ()


def test_times_without_stamps_count_from_number_zero(tmp_path: Path) -> None:
    source = CineSource(write_cine(tmp_path / "a.cine", [picture(4, 8, 255, k) for k in range(3)], first=-500))
    assert [source.info.time.time(k) for k in range(3)] == pytest.approx([-0.5, -0.499, -0.498])
    source.override_rate(2000.0)
    assert source.info.time.time(0) == -0.25
