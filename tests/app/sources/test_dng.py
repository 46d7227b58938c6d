"""Camera raw files: the raw picture behind the preview, its colour filters, depth, linearization and rate."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile

from app.cli import main
from app.exports.frame_stack import FrameStack
from app.sources.opening import open_source
from kernels.errors import SourceError
from pipelines.frontend import front_nodes
from tests.app.sources.tiff_writers import CFA, PATTERNS, pattern_tags, raw_picture, write_dng


@pytest.mark.parametrize("preview", [False, True])
@pytest.mark.parametrize(
    ("bits", "how"),
    [*((b, "packed") for b in (8, 10, 12, 14, 16)), *((b, "ljpeg strip") for b in (12, 14, 16)), (12, "ljpeg")],
)  # fmt: skip
def test_the_raw_picture_is_read(tmp_path: Path, bits: int, how: str, preview: bool) -> None:
    raw = raw_picture(bits)
    path = write_dng(tmp_path / "a.dng", raw, bits, how, pattern=PATTERNS["gbrg"], preview=preview)
    with closing(open_source(path)) as source:
        info = source.info
        assert (info.frames, info.width, info.height) == (1, 32, 16)
        assert (info.format.color, info.format.bits) == ("gbrg", bits)
        assert not info.warnings
        np.testing.assert_array_equal(source.read(0), raw)


@pytest.mark.parametrize("how", ["packed", "ljpeg"])
def test_a_folder_is_a_clip(tmp_path: Path, how: str) -> None:
    rate = (51044, 10, 1, (24000, 1001), True)
    pictures = [raw_picture(12, k) for k in range(4)]
    for k, raw in enumerate(pictures):
        write_dng(tmp_path / f"frame_{k + 7:06}.dng", raw, 12, how, preview=True, first_tags=[rate])
    for path in (tmp_path, tmp_path / "frame_######.dng", tmp_path / "frame_000007.dng"):
        with closing(open_source(path)) as source:
            info = source.info
            assert (info.kind, info.frames, info.first_number) == ("images", 4, 7)
            assert (info.format.color, info.format.bits) == ("rggb", 12)
            assert info.time.fps == pytest.approx(24000 / 1001)
            assert "FrameRate" in info.time.note
            for k in (3, 0, 2, 1):
                np.testing.assert_array_equal(source.read(k), pictures[k])


def test_numbers_that_are_missing_keep_their_room(tmp_path: Path) -> None:
    for n in (1, 2, 3, 5):
        write_dng(tmp_path / f"f{n}.dng", raw_picture(12, n), 12, first_tags=[(51044, 10, 1, (100, 1), True)])
    with closing(open_source(tmp_path)) as source:
        assert [round(source.info.time.time(k), 9) for k in range(4)] == [0, 0.01, 0.02, 0.04]


@pytest.mark.parametrize("name", PATTERNS)
def test_a_stack_of_mosaics_in_a_plain_tiff(tmp_path: Path, name: str) -> None:
    stored = np.stack([raw_picture(16, k) for k in range(5)])
    with tifffile.TiffWriter(tmp_path / "a.tif") as writer:
        for page in stored:
            writer.write(page, photometric=CFA, metadata=None, extratags=pattern_tags(PATTERNS[name]))
    with closing(open_source(tmp_path / "a.tif")) as source:
        assert source.info.format.color == name
        assert [node.stage for node in front_nodes(source.info)] == ["bayer"]
        for k in (4, 0, 3):
            np.testing.assert_array_equal(source.read(k), stored[k])


def test_a_camera_without_colours(tmp_path: Path) -> None:
    raw = raw_picture(12)
    with tifffile.TiffWriter(tmp_path / "a.dng") as writer:
        tags = [(50706, 1, 4, bytes([1, 4, 0, 0]), True), (50717, 4, 1, 4095, True)]
        writer.write(raw, photometric="minisblack", metadata=None, extratags=tags)
    with closing(open_source(tmp_path / "a.dng")) as source:
        assert (source.info.format.color, source.info.format.bits) == ("mono", 12)
        np.testing.assert_array_equal(source.read(0), raw)


def test_white_level_says_the_bits(tmp_path: Path) -> None:
    path = write_dng(tmp_path / "a.dng", raw_picture(12), 16, tags=[(50717, 4, 1, 4000, True)])
    with closing(open_source(path)) as source:
        assert source.info.format.bits == source.info.image.bits == 12


@pytest.mark.parametrize(("stored", "entries"), [(8, 256), (10, 1024), (12, 3000)])
def test_linearization_is_a_table(tmp_path: Path, stored: int, entries: int) -> None:
    table = np.minimum(np.arange(entries) ** 2 // 20, 16000).astype(np.uint16)
    raw = raw_picture(stored)
    tags = [(50712, 3, entries, table.tolist(), True), (50717, 4, 1, 16383, True)]
    path = write_dng(tmp_path / "a.dng", raw, stored, tags=tags)
    with closing(open_source(path)) as source:
        assert source.info.format.bits == 14
        assert len(source.info.format.lut) == 1 << stored
        np.testing.assert_array_equal(source.read(0), raw)
        exported = next(iter(FrameStack(source)))
        np.testing.assert_array_equal(exported, table[np.minimum(raw, entries - 1)])


def test_only_the_active_area_is_a_picture(tmp_path: Path) -> None:
    raw = raw_picture(12)
    path = write_dng(tmp_path / "a.dng", raw, 12, tags=[(50829, 3, 4, (1, 3, 15, 23), True)])
    with closing(open_source(path)) as source:
        assert (source.info.width, source.info.height) == (20, 14)
        assert "20 x 14 from x 3, y 1" in source.info.warnings[0]
        np.testing.assert_array_equal(source.read(0), raw[1:15, 3:23])


@pytest.mark.parametrize("byteorder", ["<", ">"])
@pytest.mark.parametrize("bits", [10, 12, 14])
def test_samples_that_are_not_packed_although_they_could_be(tmp_path: Path, bits: int, byteorder: str) -> None:
    raw = raw_picture(bits)
    path = write_dng(tmp_path / "a.dng", raw, 16, byteorder=byteorder)
    with tifffile.TiffFile(path, mode="r+") as file:
        file.pages[0].tags[258].overwrite(bits)
    with closing(open_source(path)) as source:
        assert source.info.format.bits == bits
        np.testing.assert_array_equal(source.read(0), raw)


X_TRANS = (1, 1, 0, 1, 1, 2, 1, 1, 2, 1, 1, 0, 2, 0, 1, 0, 2, 1) * 2


@pytest.mark.parametrize(
    ("pattern", "size", "words"),
    [(X_TRANS, (6, 6), "6 x 6"), ((3, 4, 5, 1), (2, 2), "cyan, magenta, yellow"), ((0, 1, 2, 1), (2, 2), "Bayer"),
     ((0, 1, 6, 2), (2, 2), "white")],
)  # fmt: skip
def test_other_mosaics_are_refused_by_name(tmp_path: Path, pattern: Any, size: Any, words: str) -> None:
    with tifffile.TiffWriter(tmp_path / "a.dng") as writer:
        writer.write(raw_picture(12), photometric=CFA, metadata=None, extratags=pattern_tags(pattern, size))
    with pytest.raises(SourceError, match="colour mosaic") as caught:
        open_source(tmp_path / "a.dng")
    assert words in str(caught.value)


def test_a_mosaic_without_a_pattern_is_said(tmp_path: Path) -> None:
    tifffile.imwrite(tmp_path / "a.tif", raw_picture(12), photometric=CFA, metadata=None)
    with closing(open_source(tmp_path / "a.tif")) as source:
        assert source.info.format.color == "mono"
        assert "does not name" in source.info.warnings[0]


def test_orientation_and_time_code(tmp_path: Path) -> None:
    tags = [(51043, 1, 8, bytes([0x12, 0x34, 0x56, 1, 0, 0, 0, 0]), True), (274, 3, 1, 6, True)]
    path = write_dng(tmp_path / "a.dng", raw_picture(12), 12, first_tags=tags)
    with closing(open_source(path)) as source:
        assert source.info.metadata["time_code"] == "01:56:34:12"
        assert "turned by 90 degrees clockwise" in source.info.warnings[0]


@pytest.mark.parametrize("form", ["tiff", "ffv1"])
def test_an_export_stays_a_mosaic(tmp_path: Path, form: str) -> None:
    pictures = [raw_picture(12, k) for k in range(3)]
    for k, raw in enumerate(pictures):
        write_dng(tmp_path / f"f{k}.dng", raw, 12, pattern=PATTERNS["bggr"])
    out = tmp_path / f"out.{'tif' if form == 'tiff' else 'mkv'}"
    assert main(["export", str(tmp_path / "f#.dng"), "--to", form, "-o", str(out), "--fps", "100"]) == 0
    with closing(open_source(out)) as source:
        assert (source.info.format.color, source.info.format.bits) == ("bggr", 12)
        for k in (2, 0, 1):
            np.testing.assert_array_equal(source.read(k), pictures[k])
