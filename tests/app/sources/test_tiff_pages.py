"""Plain TIFF pages read from the mapped file are those that tifffile reads, and what is not plain is left to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile

from app.sources.tiff import TiffSource
from kernels.errors import BadFrame


def _stack(dtype: str, frames: int = 7) -> Any:
    values = np.random.default_rng(0).integers(0, 200, (frames, 11, 13))
    return (values - (100 if np.dtype(dtype).kind == "i" else 0)).astype(dtype)


def _reads(path: Path, stored: Any, plain: int) -> None:
    """A source delivers what is stored, in any order, and `plain` of the pages without tifffile."""
    source = TiffSource(path)
    assert source.info.frames == len(stored)
    order = [len(stored) - 1, *range(len(stored)), 2]
    for k in order:
        pixels = source.read(k)
        np.testing.assert_array_equal(pixels, stored[k])
        assert pixels.dtype == stored.dtype
    pages = source._plain
    known = [] if pages is None else [k for k in range(len(stored)) if pages.read(k) is not None]
    assert len(known) == plain
    source.close()


@pytest.mark.parametrize("dtype", ["u1", "u2", "i2", "i4", "f4"])
@pytest.mark.parametrize("options", [{}, {"bigtiff": True}, {"byteorder": ">"}, {"bigtiff": True, "byteorder": ">"}])
def test_plain_pages(tmp_path: Path, dtype: str, options: dict[str, Any]) -> None:
    stored = _stack(dtype)
    with tifffile.TiffWriter(tmp_path / "a.tif", **options) as writer:
        for k, page in enumerate(stored):
            writer.write(page, photometric="minisblack", metadata=None, description=f"frame {k}" + "!" * k)
    _reads(tmp_path / "a.tif", stored, len(stored))


PALETTE = {"photometric": "palette", "colormap": np.zeros((3, 256), np.uint16)}


@pytest.mark.parametrize("options", [{"rowsperstrip": 2}, {"tile": (16, 16)}, {"compression": "lzw"}, PALETTE])
def test_other_pages_are_left_to_tifffile(tmp_path: Path, options: dict[str, Any]) -> None:
    stored = _stack("u1")
    tifffile.imwrite(tmp_path / "a.tif", stored, metadata=None, **{"photometric": "minisblack", **options})
    if "colormap" in options:
        stored = np.zeros((*stored.shape, 3), np.uint8)
    _reads(tmp_path / "a.tif", stored, 0)


def test_one_page_may_be_otherwise(tmp_path: Path) -> None:
    stored = _stack("u2")
    with tifffile.TiffWriter(tmp_path / "a.tif") as writer:
        for k, page in enumerate(stored):
            writer.write(page, photometric="minisblack", metadata=None, compression="zlib" if k == 3 else None)
    _reads(tmp_path / "a.tif", stored, len(stored) - 1)


@pytest.mark.parametrize("odd", [np.zeros((11, 12), np.uint8), np.zeros((11, 13), np.uint16),
                                 np.zeros((11, 13), np.int8)])  # fmt: skip
def test_a_page_of_another_kind_is_a_bad_frame(tmp_path: Path, odd: Any) -> None:
    stored = _stack("u1")
    with tifffile.TiffWriter(tmp_path / "a.tif") as writer:
        for k, page in enumerate(stored):
            writer.write(odd if k == 4 else page, photometric="minisblack", metadata=None)
    source = TiffSource(tmp_path / "a.tif")
    with pytest.raises(BadFrame, match="the first is"):
        source.read(4)
    np.testing.assert_array_equal(source.read(5), stored[5])
    source.close()


def test_a_file_that_is_cut_short_while_it_is_read(tmp_path: Path) -> None:
    stored = _stack("u1", 40)
    with tifffile.TiffWriter(tmp_path / "a.tif") as writer:
        for page in stored:
            writer.write(page, photometric="minisblack", metadata=None)
    source = TiffSource(tmp_path / "a.tif")
    np.testing.assert_array_equal(source.read(0), stored[0])
    places = [page.dataoffsets[0] for page in source._tiff.pages]
    with (tmp_path / "a.tif").open("r+b") as file:
        file.truncate(places[30] + 5)
    np.testing.assert_array_equal(source.read(29), stored[29])
    with pytest.raises(BadFrame):
        source.read(30)
    with pytest.raises(BadFrame):
        source.read(35)
    source.close()
