"""Photron's headers beside videos and numbered pictures."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile

from app.batch.finding import find
from app.batch.identity import identity
from app.sources.opening import open_source
from kernels.errors import SourceError
from kernels.opencv import cv2
from tests.app.sources.writers import cih_text, cihx_text, moving_square, picture, write_mraw, write_video

NAME = "ball_C001H001S0001"


def write_header(path: Path, **fields: Any) -> Path:
    values = {"width": 64, "height": 48, "frames": 6, "rate": "20,000", "step": 1, "start": -2, "depth": 8,
              "side": "Lower", "bits": 8, "color": "Mono", "camera": "FASTCAM SA-Z type 480K-M", "format": "AVI",
              **fields}  # fmt: skip
    text = (cih_text if path.suffix.lower() == ".cih" else cihx_text)(values, "")
    path.write_text(text)
    return path


def write_pictures(folder: Path, ending: str, pictures: list[Any], first: int = 1) -> list[Path]:
    files = []
    for k, image in enumerate(pictures, first):
        files.append(folder / f"{NAME}{k:06d}{ending}")
        if ending == ".tif":
            tifffile.imwrite(files[-1], image, metadata=None)
        else:
            assert cv2.imwrite(str(files[-1]), image)
    return files


@pytest.mark.parametrize("header", [".cih", ".CIH", ".cihx"])
@pytest.mark.parametrize("opened", ["clip", "header"])
def test_beside_a_video(tmp_path: Path, header: str, opened: str) -> None:
    clip = write_video(tmp_path / f"{NAME}.avi", moving_square(6), "mjpeg", "yuvj420p")
    named = write_header(tmp_path / f"{NAME}{header}")
    with closing(open_source(clip if opened == "clip" else named)) as source:
        info = source.info
        assert (info.kind, info.name, info.frames, info.first_number) == ("video", f"{NAME}.avi", 6, -2)
        assert (info.time.fps, info.time.origin, info.warnings) == (20_000, "header", ())
        assert named.name in info.time.note
        assert info.time.time(0) == pytest.approx(-1e-4)
        assert info.identity["header"] == str(named)
        assert info.metadata["camera"] == "FASTCAM SA-Z type 480K-M"


@pytest.mark.parametrize(("ending", "kind"), [(".png", "PNG"), (".bmp", "BMP"), (".tif", "TIFF"), (".jpg", "JPEG")])
def test_beside_numbered_pictures(tmp_path: Path, ending: str, kind: str) -> None:
    files = write_pictures(tmp_path, ending, moving_square(6, channels=1))
    header = write_header(tmp_path / f"{NAME}.cih", format=kind)
    for opened in (files[0], header, tmp_path, tmp_path / f"{NAME}%06d{ending}"):
        with closing(open_source(opened)) as source:
            assert (source.info.kind, source.info.frames, source.info.first_number) == ("images", 6, -2)
            assert (source.info.time.fps, source.info.time.begin) == (20_000, -1e-4)
            assert source.info.warnings == ()
    with closing(open_source(files[3])) as source:  # from a later one on
        assert (source.info.frames, source.info.first_number) == (3, 1)
        assert source.info.time.time(0) == pytest.approx(5e-5)
    files[2].unlink()
    with closing(open_source(files[0])) as source:
        time = source.info.time
        assert [time.time(k) * 20_000 for k in range(5)] == pytest.approx([-2, -1, 1, 2, 3])
        assert any("promises 6 frames, 5 are there" in one for one in source.info.warnings)


@pytest.mark.parametrize(
    ("side", "shift", "white", "bits"), [("Lower", 0, 4095, 12), ("Higher", 4, 4095, 12), ("Lower", 0, 65535, 16)]
)
def test_bits_are_those_of_the_header_where_the_pixels_agree(
    tmp_path: Path, side: str, shift: int, white: int, bits: int
) -> None:
    stored = [picture(48, 64, white, k) << shift for k in range(6)]
    files = write_pictures(tmp_path, ".tif", stored)
    write_header(tmp_path / f"{NAME}.cih", format="TIFF", depth=12, side=side, bits=16)
    with closing(open_source(files[0])) as source:
        assert (source.info.format.bits, source.info.format.shift) == (bits, shift)
        assert np.array_equal(source.read(4), stored[4])


def test_a_mosaic_is_named(tmp_path: Path) -> None:
    files = write_pictures(tmp_path, ".tif", moving_square(6, channels=1))
    write_header(tmp_path / f"{NAME}.cih", format="TIFF", color="Bayer_GBRG")
    with closing(open_source(files[0])) as source:
        assert source.info.format.color == "gbrg"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"width": 80}, "is of pictures of 80 x 48 and is not used"),
        ({"frames": 5}, "is of 5 frames, not of 6, and is not used"),
    ],
)
def test_a_header_of_something_else_is_not_used(tmp_path: Path, fields: dict[str, int], words: str) -> None:
    clip = write_video(tmp_path / f"{NAME}.avi", moving_square(6), "mjpeg", "yuvj420p")
    write_header(tmp_path / f"{NAME}.cih", **fields)
    with closing(open_source(clip)) as source:
        assert (source.info.time.origin, source.info.first_number) == ("container", 0)
        assert words in source.info.warnings[-1]
    (tmp_path / f"{NAME}.cih").write_text("no header at all")
    with closing(open_source(clip)) as source:
        assert "is not a Photron header" in source.info.warnings[-1]


def test_the_kind_that_the_header_names_is_opened(tmp_path: Path) -> None:
    write_video(tmp_path / "a.avi", moving_square(6), "mjpeg", "yuvj420p")
    write_mraw(tmp_path / "a.mraw", moving_square(6, channels=1))
    with closing(open_source(tmp_path / "a.cih")) as source:
        assert source.info.kind == "mraw"
    write_header(tmp_path / "a.cih")
    with closing(open_source(tmp_path / "a.cih")) as source:
        assert source.info.kind == "video"
    with pytest.raises(SourceError, match=r"a\.cih describes AVI files, not a\.mraw; open those instead"):
        open_source(tmp_path / "a.mraw")
    for name in ("a.avi", "a.mraw"):
        (tmp_path / name).unlink()
    with pytest.raises(SourceError, match=r"a\.cih lacks the file with its pixels: put a\.mraw, or what .* \(AVI\)"):
        open_source(tmp_path / "a.cih")


def test_a_pair_is_one_clip_of_a_batch(tmp_path: Path) -> None:
    for folder in ("v", "p"):
        (tmp_path / folder).mkdir()
    write_video(tmp_path / "v" / f"{NAME}.avi", moving_square(6), "mjpeg", "yuvj420p")
    files = write_pictures(tmp_path / "p", ".tif", moving_square(6, channels=1))
    for folder in ("v", "p"):
        write_header(tmp_path / folder / f"{NAME}.cih", format="AVI" if folder == "v" else "TIFF")
    found = find([str(tmp_path)], tmp_path / "out")
    assert [clip.name for clip in found.clips] == [f"p/{files[0].name}", f"v/{NAME}.avi"]
    assert [identity(clip.path)["files"] for clip in found.clips] == [7, 2]
    assert len(find([str(tmp_path / "v" / f"{NAME}.cih")], tmp_path / "out").clips) == 1
