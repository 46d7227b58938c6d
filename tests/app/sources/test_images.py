"""TIFF stacks, image sequences and arrays written by the tests."""

from __future__ import annotations

import math
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile

from app.sources.numbering import natural_key
from app.sources.opening import open_source
from kernels.errors import BadFrame, SourceError
from kernels.opencv import cv2
from tests.app.sources.writers import picture


def write_images(folder: Path, numbers: list[int], ending: str = ".png", white: int = 255, prefix: str = "s_") -> Any:
    pictures = {n: picture(6, 9, white, n) for n in numbers}
    for n, image in pictures.items():
        assert cv2.imwrite(str(folder / f"{prefix}{n}{ending}"), image)
    return pictures


@pytest.mark.parametrize("white", [255, 65535])
@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("options", [{}, {"compression": "lzw"}, {"bigtiff": True}, {"byteorder": ">"}])
def test_tiff_stack(tmp_path: Path, white: int, channels: int, options: dict[str, Any]) -> None:
    stored = np.stack([picture(6, 9, white, k, channels) for k in range(5)])
    path = tmp_path / "a.tif"
    tifffile.imwrite(path, stored, photometric="rgb" if channels == 3 else "minisblack", metadata=None, **options)
    source = open_source(path)
    info = source.info
    assert (info.kind, info.frames, info.width, info.height) == ("tiff", 5, 9, 6)
    assert (info.format.color, info.format.bits) == ("rgb" if channels == 3 else "mono", 8 if white == 255 else 16)
    assert math.isnan(info.time.fps)
    assert "--fps" in info.time.note
    for k in (4, 0, 2, 1, 3):
        frame = source.read(k)
        assert frame.dtype == info.image.dtype.numpy
        assert np.array_equal(frame, stored[k])
    source.close()


def test_tiff_page_of_another_size_is_a_bad_frame(tmp_path: Path) -> None:
    with tifffile.TiffWriter(tmp_path / "a.tif") as writer:
        for width in (9, 9, 7, 9):
            writer.write(np.full((6, width), width, np.uint8), metadata=None)
    source = open_source(tmp_path / "a.tif")
    assert source.info.frames == 4
    with pytest.raises(BadFrame, match="frame 2: the page is 7 x 6"):
        source.read(2)
    assert source.read(3).shape == (6, 9)
    source.close()


def test_imagej_stack_behind_a_single_page(tmp_path: Path) -> None:
    stored = np.stack([picture(6, 9, 65535, k) for k in range(4)])
    path = tmp_path / "a.tif"
    with tifffile.TiffWriter(path, byteorder=">") as writer:  # how ImageJ saves what exceeds 4 GiB
        writer.write(stored[0], contiguous=True, metadata=None, description="ImageJ=1.53\nimages=4\nslices=4\n")
    page = tifffile.TiffFile(path)
    start = page.pages[0].dataoffsets[0]
    page.close()
    path.write_bytes(path.read_bytes()[:start] + stored.astype(">u2").tobytes())
    with tifffile.TiffFile(path) as check:
        assert len(check.pages) == 1
    source = open_source(path)
    assert source.info.frames == 4
    for k in (3, 0):
        assert np.array_equal(source.read(k), stored[k])
    source.close()


def test_tiff_palette_and_float(tmp_path: Path) -> None:
    indices = picture(6, 9, 255, 1)
    table = np.random.default_rng(1).integers(0, 65536, (3, 256)).astype(np.uint16)
    tifffile.imwrite(tmp_path / "p.tif", indices, photometric="palette", colormap=table)
    source = open_source(tmp_path / "p.tif")
    assert np.array_equal(source.read(0), (table[:, indices] >> 8).transpose(1, 2, 0))
    source.close()
    values = np.linspace(-1, 1, 54, dtype=np.float32).reshape(6, 9)
    tifffile.imwrite(tmp_path / "f.tif", values)
    source = open_source(tmp_path / "f.tif")
    assert np.array_equal(source.read(0), values)
    source.close()


def test_tiff_of_an_unknown_type_is_refused(tmp_path: Path) -> None:
    tifffile.imwrite(tmp_path / "a.tif", np.zeros((6, 9), np.complex64))
    with pytest.raises(SourceError, match="not supported"):
        open_source(tmp_path / "a.tif")


def test_cut_tiff(tmp_path: Path) -> None:
    stored = np.stack([picture(60, 90, 255, k) for k in range(5)])
    tifffile.imwrite(tmp_path / "a.tif", stored, compression="zlib", metadata=None)
    data = (tmp_path / "a.tif").read_bytes()
    for size in (3, 9, 100, len(data) // 2, len(data) - 3):
        (tmp_path / "a.tif").write_bytes(data[:size])
        try:
            source = open_source(tmp_path / "a.tif")
        except SourceError as error:
            assert "\n" not in str(error)  # noqa: PT017 - either outcome is right
            continue
        for k in range(source.info.frames):
            try:
                assert np.array_equal(source.read(k), stored[k])
            except BadFrame:
                continue
        source.close()


@pytest.mark.parametrize("ending", [".png", ".bmp", ".tif", ".pgm"])
def test_sequence_in_natural_order(tmp_path: Path, ending: str) -> None:
    pictures = write_images(tmp_path, [8, 9, 10, 11], ending)
    (tmp_path / "notes.txt").write_text("x")
    opened = (tmp_path, tmp_path / f"s_*{ending}", tmp_path / f"s_%d{ending}", tmp_path / f"s_#{ending}")
    for path in (*opened, tmp_path / f"s_8{ending}"):
        source = open_source(path)
        assert (source.info.frames, source.info.first_number) == (4, 8)
        for k, n in enumerate((8, 9, 10, 11)):
            assert np.array_equal(source.read(k), pictures[n])
        assert np.array_equal(source.read(1), pictures[9])
        assert source.info.warnings == ()
        source.close()


def test_sequence_keeps_sixteen_bits_and_colour(tmp_path: Path) -> None:
    pictures = write_images(tmp_path, [1, 2], ".png", 65535)
    source = open_source(tmp_path / "s_1.png")
    assert source.info.format.bits == 16
    assert np.array_equal(source.read(1), pictures[2])
    source.close()
    (tmp_path / "color").mkdir()
    image = picture(6, 9, 255, 3, 3)
    cv2.imwrite(str(tmp_path / "color" / "a1.png"), image)
    source = open_source(tmp_path / "color")
    assert source.info.format.color == "bgr"
    assert np.array_equal(source.read(0), image)
    source.close()


def test_opening_in_the_middle_leaves_the_earlier_out(tmp_path: Path) -> None:
    write_images(tmp_path, [1, 2, 3, 4])
    source = open_source(tmp_path / "s_3.png")
    assert (source.info.frames, source.info.first_number) == (2, 3)
    assert "2 earlier files" in source.info.warnings[0]
    source.close()


def test_gaps_are_reported_and_kept_in_time(tmp_path: Path) -> None:
    write_images(tmp_path, [10, 20, 30, 60, 70])
    source = open_source(tmp_path, fps=100)
    assert "2 files missing, the first after 30" in source.info.warnings[0]
    assert [round(source.info.time.time(k), 6) for k in range(5)] == [0, 0.01, 0.02, 0.05, 0.06]
    source.close()


def test_other_images_in_the_folder_are_said(tmp_path: Path) -> None:
    write_images(tmp_path, [1, 2, 3])
    write_images(tmp_path, [1], prefix="dark_")
    source = open_source(tmp_path)
    assert source.info.frames == 3
    assert "1 other image" in source.info.warnings[0]
    source.close()


def test_files_that_differ_are_bad_frames(tmp_path: Path) -> None:
    pictures = write_images(tmp_path, [1, 2, 3, 4, 5])
    cv2.imwrite(str(tmp_path / "s_2.png"), np.zeros((4, 4), np.uint8))
    (tmp_path / "s_3.png").write_bytes(b"")
    (tmp_path / "s_4.png").write_bytes((tmp_path / "s_4.png").read_bytes()[:40])
    source = open_source(tmp_path)
    assert "1 of 5 files" in " ".join(source.info.warnings)
    for k in (1, 2, 3):
        with pytest.raises(BadFrame, match=f"s_{k + 1}.png"):
            source.read(k)
    assert np.array_equal(source.read(4), pictures[5])
    source.close()


def test_stacks_inside_a_sequence_are_said_and_hidden_files_skipped(tmp_path: Path) -> None:
    for n in (1, 2):
        tifffile.imwrite(
            tmp_path / f"s_{n}.tif", np.stack([picture(6, 9, 255, n)] * 3), photometric="minisblack", metadata=None
        )
    (tmp_path / "._s_1.tif").write_bytes(b"Mac OS X        ")
    source = open_source(tmp_path)
    assert source.info.frames == 2
    assert "holds 3 pages" in source.info.warnings[0]
    source.close()
    source = open_source(tmp_path / "s_1.tif")
    assert (source.info.kind, source.info.frames) == ("tiff", 3)
    source.close()


def test_natural_key_orders_mixed_names() -> None:
    names = ["b1", "a10", "a2", "a02b", "a", "10", "9", "²"]
    assert sorted(names, key=natural_key)[:2] != sorted(names)[:2]
    assert [n for n in sorted(names, key=natural_key) if n.startswith("a")] == ["a", "a2", "a02b", "a10"]


@pytest.mark.parametrize("shape", [(5, 6, 9), (5, 6, 9, 1), (5, 6, 9, 3), (5, 6, 9, 4)])
@pytest.mark.parametrize("dtype", ["u1", "<u2", ">u2", "f4", "f8", "?"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays(tmp_path: Path, shape: tuple[int, ...], dtype: str, order: Any) -> None:
    values = np.random.default_rng(2).integers(0, 2 if dtype == "?" else 200, shape)
    np.save(tmp_path / "a.npy", np.asarray(values.astype(dtype), order=order))
    source = open_source(tmp_path / "a.npy")
    assert (source.info.frames, source.info.height, source.info.width) == (5, 6, 9)
    for k in (4, 0, 2):
        frame = source.read(k)
        assert frame.shape == source.info.image.shape
        assert frame.dtype == source.info.image.dtype.numpy
        assert np.array_equal(frame, values[k].reshape(frame.shape))
    source.close()


@pytest.mark.parametrize(
    ("dtype", "white"), [("i4", "2147483647"), ("i8", "9223372036854775807"), ("i2", ""), ("f8", "")]
)
def test_what_is_white_of_long_integers_is_said(tmp_path: Path, dtype: str, white: str) -> None:
    """Analyses often leave pictures of 8 bits as int64, which are black by its full scale."""
    np.save(tmp_path / "a.npy", np.full((2, 6, 9), 200, dtype))
    with closing(open_source(tmp_path / "a.npy")) as source:
        said = [text for text in source.info.warnings if "as white" in text]
        assert len(said) == bool(white)
        assert not white or f"pipelines take {white} as white" in said[0]
        assert source.read(1).max() == 200


def test_single_pictures_as_arrays(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.arange(54, dtype=np.uint8).reshape(6, 9))
    source = open_source(tmp_path / "a.npy")
    assert (source.info.frames, source.info.image.shape) == (1, (6, 9))
    source.close()
    np.save(tmp_path / "b.npy", np.zeros((6, 9, 3), np.uint8))
    source = open_source(tmp_path / "b.npy")
    assert (source.info.frames, source.info.image.shape) == (1, (6, 9, 3))
    assert "one colour picture" in source.info.warnings[0]
    source.close()


def test_cut_array_serves_whole_frames(tmp_path: Path) -> None:
    values = np.arange(5 * 54, dtype=np.uint16).reshape(5, 6, 9)
    np.save(tmp_path / "a.npy", values)
    (tmp_path / "a.npy").write_bytes((tmp_path / "a.npy").read_bytes()[:-120])
    source = open_source(tmp_path / "a.npy")
    assert (source.info.frames, source.info.declared_frames) == (3, 5)
    assert "3 of 5" in source.info.warnings[0]
    assert np.array_equal(source.read(2), values[2])
    source.close()


@pytest.mark.parametrize(
    "values",
    [
        np.zeros((0, 6, 9), np.uint8),
        np.zeros((2, 6, 9, 2), np.uint8),
        np.zeros(9, np.uint8),
        np.zeros((2, 6, 9), np.complex128),
        np.zeros((2, 6, 9), "U3"),
        np.zeros((2, 6, 9), [("a", "u1")]),
    ],
)
def test_arrays_that_are_no_pictures(tmp_path: Path, values: Any) -> None:
    np.save(tmp_path / "a.npy", values)
    with pytest.raises(SourceError, match=r"a\.npy"):
        open_source(tmp_path / "a.npy")


def test_array_header_with_absurd_size(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.zeros((2, 6, 9), np.uint8))
    data = (tmp_path / "a.npy").read_bytes()
    for text in (b"(2, 99999, 99999), ", b"(9999999999, 6, 9), ", b"(2, 6, 99999999999), "):
        changed = data.replace(b"(2, 6, 9), ", text)
        changed = changed[:10] + changed[10:].replace(b" " * (len(text) - 11) + b"\n", b"\n", 1)
        (tmp_path / "a.npy").write_bytes(changed)
        try:
            source = open_source(tmp_path / "a.npy")
        except SourceError:
            continue
        assert source.info.frames == 2  # more frames promised than there are
        source.close()


@pytest.mark.parametrize("ending", [".pfm", ".hdr"])
def test_pictures_of_floats(tmp_path: Path, ending: str) -> None:
    channels = 1 if ending == ".pfm" else 3  # Radiance's have three, rounded to 8 bits
    pictures = [np.linspace(-1 if channels == 1 else 0, 4, 54 * channels, dtype=np.float32) + k for k in range(3)]
    shape = (6, 9) if channels == 1 else (6, 9, 3)
    for k, image in enumerate(pictures):
        assert cv2.imwrite(str(tmp_path / f"a_{k}{ending}"), image.reshape(shape))
    with closing(open_source(tmp_path)) as source:
        assert source.info.frames == 3
        for k, image in enumerate(pictures):
            np.testing.assert_allclose(source.read(k), image.reshape(shape), atol=0 if channels == 1 else 0.05)


def test_a_folder_of_pictures_that_are_not_read_names_the_way_in(tmp_path: Path) -> None:
    for k in range(3):
        (tmp_path / f"a_{k}.jxl").write_bytes(b"\xff\x0a" + bytes(40))
    with pytest.raises(SourceError, match="is a JPEG XL picture, which fusetrack does not read: make PNG files"):
        open_source(tmp_path)
