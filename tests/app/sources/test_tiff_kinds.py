"""Pages of a TIFF file that are no frames, long and broken chains of pages, odd types of values."""

from __future__ import annotations

import struct
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile

from app.sources.opening import open_source
from app.sources.tiff_directories import Directories
from kernels.errors import BadFrame, SourceError

STACK = np.random.default_rng(5).integers(0, 200, (5, 32, 48)).astype(np.uint8)
SMALL = STACK[0, ::4, ::4].copy()
OPTIONS = [{}, {"bigtiff": True}, {"byteorder": ">"}, {"bigtiff": True, "byteorder": ">"}]


def served(path: Path, stored: Any) -> tuple[str, ...]:
    """The warnings of a clip that delivers these frames, in any order."""
    with closing(open_source(path)) as source:
        assert source.info.frames == len(stored)
        for k in (len(stored) - 1, *range(len(stored))):
            np.testing.assert_array_equal(source.read(k), stored[k])
        return source.info.warnings


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("compression", [None, "zlib"])
def test_small_copies_are_no_frames(tmp_path: Path, options: dict[str, Any], compression: str | None) -> None:
    with tifffile.TiffWriter(tmp_path / "a.tif", **options) as writer:
        kinds = {"photometric": "minisblack", "metadata": None, "compression": compression}
        writer.write(SMALL, subfiletype=1, **kinds)
        for page in STACK:
            writer.write(page, **kinds)
            writer.write(SMALL, subfiletype=1, **kinds)
    said = served(tmp_path / "a.tif", STACK)
    assert said == ("beside 5 frames the file holds 6 small copies, which are left out",)


def test_the_old_tag_for_small_copies(tmp_path: Path) -> None:
    with tifffile.TiffWriter(tmp_path / "a.tif") as writer:
        writer.write(SMALL, metadata=None, extratags=[(255, 3, 1, 2, True)])
        for page in STACK:
            writer.write(page, metadata=None, extratags=[(255, 3, 1, 3, True)])
    assert "1 small copy," in served(tmp_path / "a.tif", STACK)[0]


def test_masks_are_no_frames(tmp_path: Path) -> None:
    with tifffile.TiffWriter(tmp_path / "a.tif") as writer:
        for page in STACK:
            writer.write(page, metadata=None)
            writer.write(page > 99, subfiletype=4, metadata=None)
    assert "5 masks," in served(tmp_path / "a.tif", STACK)[0]


def test_pyramids_are_one_frame_each(tmp_path: Path) -> None:
    with tifffile.TiffWriter(tmp_path / "a.tif") as writer:
        for page in STACK:
            writer.write(page, subifds=2, metadata=None)
            writer.write(page[::2, ::2].copy(), subfiletype=1, metadata=None)
            writer.write(page[::4, ::4].copy(), subfiletype=1, metadata=None)
    assert served(tmp_path / "a.tif", STACK) == ()


@pytest.mark.parametrize("options", OPTIONS)
def test_frames_behind_previews(tmp_path: Path, options: dict[str, Any]) -> None:
    with tifffile.TiffWriter(tmp_path / "a.tif", **options) as writer:
        for page in STACK:
            writer.write(SMALL, subfiletype=1, subifds=2, metadata=None)
            writer.write(SMALL, subfiletype=1, metadata=None)
            writer.write(page, metadata=None)
    assert served(tmp_path / "a.tif", STACK) == ()


def test_small_copies_alone_are_all_there_is(tmp_path: Path) -> None:
    with tifffile.TiffWriter(tmp_path / "a.tif") as writer:
        for page in STACK:
            writer.write(page, subfiletype=1, metadata=None)
    assert served(tmp_path / "a.tif", STACK) == ()


@pytest.mark.parametrize("compression", [None, "zlib"])
def test_opening_looks_at_each_page_once(tmp_path: Path, compression: str | None, monkeypatch: Any) -> None:
    """What compares pages with each other takes minutes for the 30 000 of a long clip."""
    stack = np.zeros((300, 8, 8), np.uint8)
    stack[:, 0, 0] = 1
    with tifffile.TiffWriter(tmp_path / "a.tif") as writer:
        for page in stack:
            writer.write(page, contiguous=False, photometric="minisblack", compression=compression)
    looks = {"directories": 0, "pages": 0}
    entries, make = Directories.entries, tifffile.TiffPage.__init__

    def counted(self: Any, place: int) -> Any:
        looks["directories"] += 1
        return entries(self, place)

    def made(self: Any, *args: Any, **kwargs: Any) -> None:
        looks["pages"] += 1
        make(self, *args, **kwargs)

    monkeypatch.setattr(Directories, "entries", counted)
    monkeypatch.setattr(tifffile.TiffPage, "__init__", made)
    with closing(open_source(tmp_path / "a.tif")) as source:
        assert source.info.frames == 300
        assert looks["directories"] <= 302
        assert looks["pages"] <= 4
        for k in range(300):
            source.read(k)
        assert looks["directories"] <= 604
        assert looks["pages"] <= 304


def _next_places(data: bytes) -> list[int]:
    """Where the place of the next directory is written, by directory."""
    found, (place,) = [], struct.unpack_from("<I", data, 4)
    while place:
        (count,) = struct.unpack_from("<H", data, place)
        found.append(place + 2 + 12 * count)
        (place,) = struct.unpack_from("<I", data, found[-1])
    return found


@pytest.mark.parametrize(("target", "frames"), [("first", 5), ("itself", 3), ("beyond", 3), ("pixels", 3)])
def test_broken_chains_are_said(tmp_path: Path, target: str, frames: int) -> None:
    with tifffile.TiffWriter(tmp_path / "a.tif") as writer:
        for page in STACK:
            writer.write(page, contiguous=False, metadata=None)
    data = bytearray((tmp_path / "a.tif").read_bytes())
    places = _next_places(bytes(data))
    (third,) = struct.unpack_from("<I", data, places[1])
    filled = data.find(bytes(STACK[4]))
    data[filled : filled + 2] = b"\xff\xff"  # as many entries as no directory has
    at, to = {"first": (places[4], struct.unpack_from("<I", data, 4)[0]), "itself": (places[2], third),
              "beyond": (places[2], len(data) + 9), "pixels": (places[2], filled)}[target]  # fmt: skip
    struct.pack_into("<I", data, at, to)
    (tmp_path / "a.tif").write_bytes(data)
    with closing(open_source(tmp_path / "a.tif")) as source:
        assert source.info.frames == frames
        assert f"{frames} frames are there, and it names more" in source.info.warnings[-1]
        np.testing.assert_array_equal(source.read(2), STACK[2])


def _saved(folder: Path, ending: str, stack: Any) -> Path:
    if ending == ".npy":
        np.save(folder / "a.npy", stack)
    else:
        tifffile.imwrite(folder / "a.tif", stack, photometric="minisblack", metadata=None)
    return folder / f"a{ending}"


@pytest.mark.parametrize("ending", [".npy", ".tif"])
@pytest.mark.parametrize(
    ("stored", "delivered"),
    [("f2", "f4"), ("u4", "i4"), ("u8", "i8"), ("i4", "i4"), ("i8", "i8"), ("i2", "i2"), ("i1", "i1"), ("f8", "f8"),
     ("?", "?")],
)  # fmt: skip
def test_values_are_delivered_exactly(tmp_path: Path, ending: str, stored: str, delivered: str) -> None:
    kind = np.dtype(stored).kind
    values = STACK - (100.0 if kind in "if" else 0.0)
    values = values / 8 if kind == "f" else values % 2 if kind == "b" else values
    stack = values.astype(stored)
    with closing(open_source(_saved(tmp_path, ending, stack))) as source:
        for k in (4, 0):
            assert source.read(k).dtype == source.info.image.dtype.numpy == np.dtype(delivered)
            np.testing.assert_array_equal(source.read(k), stack[k])


@pytest.mark.parametrize("ending", [".npy", ".tif"])
@pytest.mark.parametrize("dtype", ["u4", "u8"])
def test_values_that_do_not_fit_are_refused(tmp_path: Path, ending: str, dtype: str) -> None:
    stack = STACK.astype(dtype)
    stack[3, 0, 0] = np.iinfo(dtype).max
    with closing(open_source(_saved(tmp_path, ending, stack))) as source:
        np.testing.assert_array_equal(source.read(2), stack[2])
        with pytest.raises(BadFrame, match=r"numpy\.save"):
            source.read(3)
    stack[0, 0, 0] = np.iinfo(dtype).max
    with pytest.raises(SourceError, match=r"float32"):
        open_source(_saved(tmp_path, ending, stack))
