"""TIFF stacks: what is missing is said, what takes turns is no clip, and intervals have units."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tifffile

from app.sources.opening import open_source
from kernels.errors import SourceError

STACK = np.random.default_rng(3).integers(0, 255, (40, 30, 50)).astype(np.uint8)


def written(path: Path, kind: str) -> Path:
    options: dict[str, dict[str, Any]] = {
        "tifffile": {},  # the first page, all pictures, all other pages
        "one page": {"metadata": {"axes": "TYX"}, "contiguous": True},
        "imagej": {"imagej": True, "metadata": {"axes": "TYX"}},
        "zlib": {"compression": "zlib"},
        "ome": {"metadata": {"axes": "TYX"}, "ome": True},
        "big": {"bigtiff": True, "compression": "zlib"},
    }
    if kind == "page by page":
        with tifffile.TiffWriter(path) as writer:
            for picture in STACK:
                writer.write(picture, contiguous=False)
    else:
        tifffile.imwrite(path, STACK, photometric="minisblack", **options[kind])
    return path


KINDS = ("tifffile", "one page", "imagej", "zlib", "ome", "big", "page by page")


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_stack_has_no_warning(tmp_path, kind):
    source = open_source(str(written(tmp_path / "a.tif", kind)))
    assert source.info.frames == source.info.declared_frames == 40
    assert not source.info.warnings
    for index in (39, 0, 17):
        np.testing.assert_array_equal(source.read(index), STACK[index])
    source.close()


@pytest.mark.parametrize("share", [0.3, 0.5, 0.9])
@pytest.mark.parametrize("kind", KINDS)
def test_a_cut_stack_says_so_and_serves_what_is_there(tmp_path, kind, share):
    path = written(tmp_path / "a.tif", kind)
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    source = open_source(str(path))
    assert source.info.frames < 40
    assert any("cut short" in words for words in source.info.warnings), source.info.warnings
    if kind in ("tifffile", "one page", "imagej"):  # raw pictures one behind the other
        assert source.info.frames == pytest.approx(40 * share, abs=4)  # the other pages lie behind
        assert f"{source.info.frames} of 40" in source.info.warnings[0]
    for index in range(source.info.frames - 1):
        np.testing.assert_array_equal(source.read(index), STACK[index])
    source.close()


@pytest.mark.parametrize("axes", ["TCYX", "TZYX", "CZYX"])
@pytest.mark.parametrize("kind", ["imagej", "ome"])
def test_pages_of_several_channels_or_depths_are_refused(tmp_path, kind, axes):
    stack = STACK.reshape(20, 2, 30, 50)
    if kind == "imagej" and axes == "CZYX":
        stack, axes = stack.swapaxes(0, 1), "ZCYX"
    tifffile.imwrite(tmp_path / "a.tif", stack, photometric="minisblack", metadata={"axes": axes}, **{kind: True})
    with pytest.raises(SourceError, match="no frames of one clip"):
        open_source(str(tmp_path / "a.tif"))


@pytest.mark.parametrize("kind", ["imagej", "ome"])
def test_slices_alone_are_frames_and_channels_alone_are_named(tmp_path, kind):
    """ImageJ opens videos as slices."""
    tifffile.imwrite(tmp_path / "z.tif", STACK, photometric="minisblack", metadata={"axes": "ZYX"}, **{kind: True})
    tifffile.imwrite(tmp_path / "c.tif", STACK[:3], photometric="minisblack", metadata={"axes": "CYX"}, **{kind: True})
    slices, channels = (open_source(str(tmp_path / name)) for name in ("z.tif", "c.tif"))
    assert (slices.info.frames, slices.info.warnings) == (40, ())
    assert channels.info.frames == 3
    assert "its pages are 3 channels" in channels.info.warnings[0]


@pytest.mark.parametrize(
    ("options", "fps"),
    [
        ({"imagej": True, "metadata": {"axes": "TYX", "finterval": 0.002}}, 500),
        ({"imagej": True, "metadata": {"axes": "TYX", "finterval": 2.0, "tunit": "ms"}}, 500),
        ({"imagej": True, "metadata": {"axes": "TYX", "finterval": 40.0, "tunit": "usec"}}, 25000),
        ({"imagej": True, "metadata": {"axes": "TYX", "finterval": 2.0, "tunit": "fortnight"}}, np.nan),
        ({"ome": True, "metadata": {"axes": "TYX", "TimeIncrement": 0.002, "TimeIncrementUnit": "s"}}, 500),
        ({"ome": True, "metadata": {"axes": "TYX", "TimeIncrement": 40.0, "TimeIncrementUnit": "\u00b5s"}}, 25000),
        ({"ome": True, "metadata": {"axes": "TYX"}}, np.nan),
    ],
)
def test_frame_intervals_have_units(tmp_path, options, fps):
    tifffile.imwrite(tmp_path / "a.tif", STACK, photometric="minisblack", **options)
    np.testing.assert_allclose(open_source(str(tmp_path / "a.tif")).info.time.fps, fps)
