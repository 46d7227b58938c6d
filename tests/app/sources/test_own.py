"""What exports say beside the pixels is read again: rate, times, bits; what does not fit is not believed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import tifffile

from app.exports.export import export_results
from app.exports.formats.ffv1 import write_ffv1
from app.exports.formats.tiff import write_tiff
from app.exports.frame_stack import FrameStack
from app.sources.opening import open_source
from pipelines.frame import FrameSource, PixelFormat, SourceInfo, TimeBase
from tests.app.exports.clips import Clip, noise

TIMES = np.array([0.5, 0.501, 0.502, 0.505, 0.506, 0.507, 0.508])
"""Two frames are missing; the first is not at 0."""


def info_of(path: Path, **options: float) -> SourceInfo:
    source = open_source(path, **options)
    source.close()
    return source.info


def stack(bits: int = 12, time: TimeBase | None = None) -> FrameStack:
    clip = Clip(noise(7, 12, 18, bits), PixelFormat("mono", bits), stamps=TIMES.tolist())
    clip.info = clip.info if time is None else replace(clip.info, time=time)
    return FrameStack(clip)


def classic(frames: FrameStack, path: Path) -> None:
    write_tiff(frames, path)


def big(frames: FrameStack, path: Path) -> None:
    write_tiff(frames, path, most_classic=0)


@pytest.mark.parametrize(("name", "write"), [("x.mkv", write_ffv1), ("x.tif", classic), ("y.tif", big)])
def test_files_that_hold_their_times(tmp_path: Path, name: str, write: Callable[[FrameStack, Path], None]) -> None:
    path = tmp_path / name
    write(stack(), path)
    info = info_of(path)
    assert info.time.origin == "stamps"
    assert info.time.fps == 1000.0
    np.testing.assert_allclose([info.time.time(k) for k in range(7)], TIMES - 0.5, rtol=0, atol=1e-9)
    assert (info.image.bits, info.format.bits) == (12, 12)
    assert info_of(path, fps=250.0).time.time(4) == (4 + 2) / 250  # those that are missing keep their room


@pytest.mark.parametrize(("name", "write"), [("x.mkv", write_ffv1), ("x.tif", classic), ("y.tif", big)])
def test_an_even_beat_is_exact(tmp_path: Path, name: str, write: Callable[[FrameStack, Path], None]) -> None:
    write(stack(8, TimeBase(600.0, "header", "")), tmp_path / name)
    time = info_of(tmp_path / name).time
    assert time.fps == pytest.approx(600.0, rel=1e-11)
    np.testing.assert_allclose([time.time(k) for k in range(7)], np.arange(7) / 600, rtol=1e-11)


def test_slow_motion_keeps_the_capture_rate(tmp_path: Path) -> None:
    write_ffv1(stack(8), tmp_path / "x.mkv", playback=25.0)
    time = info_of(tmp_path / "x.mkv").time
    assert (time.fps, time.origin) == (1000.0, "header")
    assert "played at 25 fps" in time.note


def test_nobody_knows_the_rate(tmp_path: Path) -> None:
    unknown = TimeBase(float("nan"), "unknown", "")
    write_ffv1(stack(8, unknown), tmp_path / "x.mkv")
    assert info_of(tmp_path / "x.mkv").time.origin == "container"
    write_tiff(stack(8, unknown), tmp_path / "x.tif")
    assert not info_of(tmp_path / "x.tif").time.fps > 0


def test_imagej_stacks_of_others_have_their_frame_interval(tmp_path: Path) -> None:
    frames = np.zeros((4, 8, 8), np.uint8)
    tifffile.imwrite(tmp_path / "x.tif", frames, imagej=True, metadata={"axes": "TYX", "finterval": 0.004})
    time = info_of(tmp_path / "x.tif").time
    assert (time.fps, time.origin) == (250.0, "header")
    tifffile.imwrite(tmp_path / "y.tif", frames, imagej=True, metadata={"axes": "TYX", "finterval": 0.0})
    assert info_of(tmp_path / "y.tif").time.origin == "unknown"


@pytest.fixture
def clip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A clip with stamps, as the exports see it."""
    made = Clip(noise(7, 12, 18, 8), PixelFormat("mono", 8), stamps=TIMES.tolist())

    def opened(path: object, *args: object, **more: object) -> FrameSource:
        return made

    monkeypatch.setattr("app.exports.material.open_source", opened)
    (tmp_path / "clip.cine").write_bytes(b"it is not read")
    return tmp_path / "clip.cine"


@pytest.mark.parametrize("name", ["x.npy", "x.mraw", "pictures"])
def test_tables_of_times(tmp_path: Path, clip: Path, name: str) -> None:
    path = tmp_path / name
    export_results(clip, "png" if name == "pictures" else name[2:], path)
    for given in {path, path.with_suffix(".cih") if name == "x.mraw" else path}:
        time = info_of(given).time
        assert (time.fps, time.origin) == (1000.0, "stamps")
        assert f"{name}.times.csv" in time.note
        begin = 0.0 if name == "x.mraw" else TIMES[0]  # a .mraw knows the number of its first frame
        np.testing.assert_array_equal([time.time(k) for k in range(7)], TIMES - begin)
    assert info_of(path, fps=500.0).time.time(3) == pytest.approx((5 - 5 * (name == "x.mraw")) / 500)  # two are missing


HEADER = "frame,number,time_s\n"


@pytest.mark.parametrize("text", [
    "", HEADER, f"{HEADER}0,0,0.0\n1,1,0.1\n", "a,b\n1,2\n", "\0\xff",
    HEADER + "".join(f"{k},{k},0.0\n" for k in range(7)), HEADER + "".join(f"{k},{k},nan\n" for k in range(7)),
])  # fmt: skip
def test_a_table_that_does_not_fit_is_named(tmp_path: Path, text: str) -> None:
    np.save(tmp_path / "x.npy", np.zeros((7, 8, 8), np.uint8))
    (tmp_path / "x.npy.times.csv").write_bytes(text.encode("latin-1"))
    info = info_of(tmp_path / "x.npy")
    assert info.time.origin == "unknown"
    assert any("x.npy.times.csv is no table of the times of these 7 frames" in said for said in info.warnings)


@pytest.mark.parametrize(("rate", "decimals"), [(700.0, 3), (240.0, 3), (600.0, 4), (60_000.0, 6)])
def test_times_that_a_table_rounds_are_the_even_grid(tmp_path: Path, rate: float, decimals: int) -> None:
    """Missing frames keep their room; spectra need steps that are the same."""
    numbers = np.delete(np.arange(60), [20, 21])
    np.save(tmp_path / "x.npy", noise(58, 8, 8, 8))
    rows = [f"{k},{number},{number / rate:.{decimals}f}" for k, number in enumerate(numbers)]
    (tmp_path / "x.npy.times.csv").write_text("frame,number,time_s\n" + "\n".join(rows) + "\n")
    time = info_of(tmp_path / "x.npy").time
    assert time.fps == pytest.approx(rate, rel=1e-3)
    assert "2 frames are missing: 2 after frame 19" in time.note
    steps = np.diff([time.time(k) for k in range(58)]) * time.fps
    np.testing.assert_allclose(np.delete(steps, 19), 1, atol=1e-9)
    assert steps[19] == pytest.approx(3)
