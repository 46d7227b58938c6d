"""Pages of a TIFF file that are no frames, long and broken chains of pages, odd types of values."""

from __future__ import annotations

import struct
from contextlib import closing
from pathlib import Path
from typing import Any

import imagecodecs
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


def _pieces(path: Path, strips: list[bytes], rows: int, compression: int) -> Path:
    """A picture of 48 columns and 32 rows whose strips are given as they are stored, `rows` a strip."""
    tifffile.imwrite(path, iter(strips), shape=(32, 48), dtype=np.uint8, compression=compression, rowsperstrip=rows,
                     photometric="minisblack", metadata=None)  # fmt: skip
    return path


@pytest.mark.parametrize(("compression", "encode"), [(5, imagecodecs.lzw_encode), (32773, imagecodecs.packbits_encode)])
def test_pieces_that_decode_to_another_length_are_damaged(tmp_path: Path, compression: int, encode: Any) -> None:
    image = np.add.outer(np.arange(32), np.arange(48) // 5).astype(np.uint8)
    lines = image.tobytes()
    first, last = encode(lines[: 20 * 48]), encode(lines[20 * 48 :])
    rest = encode(lines[20 * 48 :] + bytes(8 * 48))  # filled up to as many rows as the others have
    for strips in ([first, last], [first, rest]):
        served(_pieces(tmp_path / "a.tif", strips, 20, compression), image[None])
    more = encode(lines[: 20 * 48] + b"\7")
    path = _pieces(tmp_path / "a.tif", [more, last], 20, compression)
    with closing(open_source(path)) as source, pytest.raises(BadFrame, match="a piece of 960 bytes holds 961"):
        source.read(0)


def test_lzw_without_its_last_code(tmp_path: Path) -> None:
    """What fills up the last byte may then be read as one value more."""
    image = np.arange(16 * 48, dtype=np.uint8).reshape(16, 48)
    data = imagecodecs.lzw_encode(image.tobytes())
    open_end = int.from_bytes(data[-3:], "big")
    codes = [k for k in range(8) if open_end >> k & 0x1FF == 257]
    assert codes
    cut = data[:-3] + (open_end >> codes[0] + 10 << codes[0] + 10).to_bytes(3, "big")
    tifffile.imwrite(tmp_path / "a.tif", iter([cut + b"\0"]), shape=image.shape, dtype=np.uint8, compression=5,
                     photometric="minisblack", metadata=None)  # fmt: skip
    assert len(imagecodecs.lzw_decode(cut + b"\0", out=900)) > image.size
    served(tmp_path / "a.tif", image[None])


@pytest.mark.parametrize("code", [f"{257:09b}", f"{257:010b}", f"{257:011b}"])
def test_lzw_whose_last_code_has_a_bit_too_few_or_too_many(tmp_path: Path, code: str) -> None:
    """Programs differ in when codes become longer, which the last one alone may show."""
    image = (np.arange(15 * 17, dtype=np.uint8) * 7 % 251).reshape(15, 17)  # 255 codes: the next one has 10 bits
    data = imagecodecs.lzw_encode(image.tobytes())
    text = f"{int.from_bytes(data, 'big'):0{8 * len(data)}b}"
    text = text[: text.rindex(f"{257:010b}")] + code
    text += "0" * (-len(text) % 8)
    tifffile.imwrite(tmp_path / "a.tif", iter([int(text, 2).to_bytes(len(text) // 8, "big")]), shape=image.shape,
                     dtype=np.uint8, compression=5, photometric="minisblack", metadata=None)  # fmt: skip
    served(tmp_path / "a.tif", image[None])


@pytest.mark.parametrize("seed", range(6))
def test_directories_at_equal_distances_are_looked_at_together(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is found is as one by one, wherever the distances, the tags or the kinds of pages change."""
    rng, path = np.random.default_rng(seed), tmp_path / "a.tif"
    with tifffile.TiffWriter(path, **OPTIONS[seed % 4]) as writer:
        for _ in range(5):
            small, told = bool(rng.integers(2)), "" if rng.integers(2) else "!" * int(rng.integers(30))
            for _ in range(int(rng.integers(1, 9))):
                writer.write(SMALL, subfiletype=int(small), photometric="minisblack", metadata=None, contiguous=False,
                             description=told or None)  # fmt: skip
    data = bytearray(path.read_bytes())
    with closing(Directories(path)) as directories:
        sizes = directories._count.size, directories._entry.size
        places = [int(place) for place in directories.chain().frames]
        after = [p + sizes[0] + sizes[1] * len(list(directories.entries(p)[0])) for p in places]
    for cut in (len(data), len(data) // 2, len(data) - 40):
        for place in (0, int(rng.integers(8, cut)), *(p for p in after if p < cut)):
            damaged = data[:cut]
            if place:
                damaged[place] ^= 1 << int(rng.integers(8))
            path.write_bytes(damaged)
            monkeypatch.setattr("app.sources.tiff_directories._AT_ONCE", int(rng.integers(1, 5)))
            together = _chain(path)
            with monkeypatch.context() as patch:
                patch.setattr(Directories, "_alike", lambda self, place, stride: range(0))
                assert together == _chain(path)


def _chain(path: Path) -> Any:
    with closing(Directories(path)) as directories:
        return directories.chain()
