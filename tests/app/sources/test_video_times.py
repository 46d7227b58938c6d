"""Times of videos: rounded stamps become the camera's grid, what is missing is named, and only rates that are known."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from app.sources.opening import open_source
from pipelines.frame import SourceInfo
from tests.app.sources.writers import index_in, moving_square, write_video

FRAMES = 60
CODECS = {"mkv": ("ffv1", "gray"), "webm": ("libvpx", "yuv420p"), "flv": ("libx264", "yuv420p"),
          "wmv": ("wmv2", "yuv420p"), "mov": ("libx264", "yuv420p"), "mp4": ("libx264", "yuv420p")}  # fmt: skip


def write_at(path: Path, numbers: Sequence[int], rate: int, tags: dict[str, str] | None = None) -> Path:
    """A video whose frames bear the stamps number / rate, as the container rounds them."""
    codec, pixel_format = CODECS[path.suffix[1:]]
    options = {"movflags": "use_metadata_tags"} if tags else {}
    with av.open(str(path), "w", options=options) as container:
        container.metadata.update(tags or {})
        stream: Any = container.add_stream(codec, rate=rate, options={"bf": "0"} if codec == "libx264" else {})
        stream.width, stream.height, stream.pix_fmt = 64, 48, pixel_format
        stream.time_base = stream.codec_context.time_base = Fraction(1, rate)
        for number, image in zip(numbers, moving_square(len(numbers)), strict=True):
            frame = av.VideoFrame.from_ndarray(image, format="rgb24").reformat(format=pixel_format)
            frame.pts, frame.time_base = number, Fraction(1, rate)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def info_of(path: Path, fps: float | None = None) -> SourceInfo:
    source = open_source(path, fps=fps)
    source.close()
    return source.info


def times(info: SourceInfo) -> Any:
    return np.array([info.time.time(k) for k in range(info.frames)])


@pytest.mark.parametrize("rate", [240, 600, 700, 800])
@pytest.mark.parametrize("ending", CODECS)
def test_stamps_that_are_rounded_are_the_even_grid(tmp_path: Path, ending: str, rate: int) -> None:
    info = info_of(write_at(tmp_path / f"a.{ending}", range(FRAMES), rate))
    assert info.frames == FRAMES
    assert info.time.fps == pytest.approx(rate, rel=1e-5)
    np.testing.assert_allclose(times(info), np.arange(FRAMES) / rate, rtol=1e-5, atol=1e-12)
    assert not any("missing" in warning or "uneven" in warning for warning in info.warnings)


@pytest.mark.parametrize("ending", ["mkv", "mp4", "flv"])
def test_missing_frames_are_named_and_keep_their_room(tmp_path: Path, ending: str) -> None:
    numbers = np.array([*range(30), *range(33, 60), *range(61, 90)])
    path = write_at(tmp_path / f"a.{ending}", numbers.tolist(), 500)
    info = info_of(path)
    np.testing.assert_allclose(times(info), numbers / 500, atol=1e-9)
    assert any("4 frames are missing: 3 after frame 29, 1 after frame 56" in warning for warning in info.warnings)
    given = info_of(path, fps=1000.0)
    np.testing.assert_allclose(times(given), numbers / 1000, atol=1e-9)
    assert "room is left for 4 frames that are missing" in given.time.note


def test_a_pace_that_changes_is_said(tmp_path: Path) -> None:
    numbers = np.cumsum([0, *[1] * 30, *[8] * 30])
    info = info_of(write_at(tmp_path / "a.mp4", numbers.tolist(), 240))
    np.testing.assert_allclose(times(info), numbers / 240, atol=1e-4)
    assert any("the pace changes: 240 fps up to frame 30, then 30 fps" in warning for warning in info.warnings)


def test_stamps_of_the_rate_that_is_given_stay(tmp_path: Path) -> None:
    at = np.cumsum([0, 0.001, 0.0012, 0.0008, 0.003, 0.001])
    np.save(tmp_path / "x.npy", np.zeros((6, 4, 5), np.uint8))
    rows = "".join(f"{k},{k},{t}\n" for k, t in enumerate(at))
    (tmp_path / "x.npy.times.csv").write_text(f"frame,number,time_s\n{rows}")
    for fps in (1000.0, 1001.0):
        info = info_of(tmp_path / "x.npy", fps=fps)
        np.testing.assert_allclose(times(info), at)
        assert info.time.origin == "user"
    assert info_of(tmp_path / "x.npy", fps=500.0).time.stamps is None  # no grid, and another rate


def test_the_rate_of_slow_motion_is_the_cameras(tmp_path: Path) -> None:
    path = write_at(tmp_path / "a.mp4", range(FRAMES), 30, {"com.android.capture.fps": "240.000000"})
    info = info_of(path)
    assert (info.time.fps, info.time.origin) == (240.0, "header")
    assert "played at 30 fps" in info.time.note
    np.testing.assert_allclose(times(info), np.arange(FRAMES) / 240)


@pytest.mark.parametrize(("name", "codec", "pixel_format"), [
    ("a.h264", "libx264", "yuv420p"), ("a.mjpeg", "mjpeg", "yuvj420p"), ("a.hevc", "libx265", "yuv420p"),
])  # fmt: skip
def test_raw_streams_have_all_frames_and_no_rate(tmp_path: Path, name: str, codec: str, pixel_format: str) -> None:
    info = info_of(write_video(tmp_path / name, moving_square(40), codec, pixel_format))
    assert (info.kind, info.frames, info.time.origin) == ("video", 40, "unknown")
    assert not info.time.fps > 0


@pytest.mark.parametrize(("written", "name", "codec", "pixel_format"), [
    ("b.apng", "a.apng", "apng", "rgb24"), ("b.apng", "a.png", "apng", "rgb24"),
    ("b.ivf", "a.ivf", "libvpx", "yuv420p"), ("b.hevc", "a.265", "libx265", "yuv420p"),
])  # fmt: skip
def test_moving_pictures_that_are_called_otherwise(
    tmp_path: Path, written: str, name: str, codec: str, pixel_format: str
) -> None:
    path = write_video(tmp_path / written, moving_square(9), codec, pixel_format, rate=50)
    source = open_source(path.rename(tmp_path / name))
    assert (source.info.kind, source.info.frames) == ("video", 9)
    assert [index_in(source.read(k)) for k in (8, 0, 5)] == [8, 0, 5]
    assert source.info.time.fps == 50 or name == "a.265"
    source.close()


def test_a_list_of_edits_is_no_damage(tmp_path: Path) -> None:
    info = info_of(write_at(tmp_path / "a.mp4", range(-4, FRAMES - 4), 500))
    assert info.frames == FRAMES - 4
    assert "by its list of edits the file leaves out 4 of the 60 frames that it holds" in info.warnings
    assert not any("promises" in warning for warning in info.warnings)


def test_times_in_frames_stay_uneven_at_a_rate_that_is_given(tmp_path: Path) -> None:
    """Also where no whole frame is missing."""
    at = np.array([0.0, 0.9, 2.1, 3.0])
    np.save(tmp_path / "x.npy", np.zeros((4, 4, 5), np.uint8))
    rows = "".join(f"{k},{k},{t}\n" for k, t in enumerate(at))
    (tmp_path / "x.npy.times.csv").write_text(f"frame,number,time_frames\n{rows}")
    np.testing.assert_allclose(times(info_of(tmp_path / "x.npy", fps=100.0)), at / 100)


@pytest.mark.parametrize(("matrix", "said"), [
    ((1, 0, 0, 1), ""), ((0, 1, -1, 0), "turned by 90 degrees clockwise; frames come as stored, --turn 90 turns them"),
    ((-1, 0, 0, -1), "turned by 180 degrees clockwise"), ((0, -1, 1, 0), "turned by 270 degrees clockwise"),
    ((-1, 0, 0, 1), "mirrored left to right"), ((1, 0, 0, -1), "mirrored top to bottom"),
    ((0, 1, 1, 0), "mirrored and turned"),
])  # fmt: skip
def test_how_the_file_asks_to_be_shown_is_said(tmp_path: Path, matrix: tuple[int, ...], said: str) -> None:
    path = write_video(tmp_path / "a.mp4", moving_square(3), "mpeg4", "yuv420p")
    data = path.read_bytes()
    at = data.index(b"tkhd") + 44  # of the track's header, behind times, layer and volume
    a, b, c, d = (value << 16 for value in matrix)
    path.write_bytes(data[:at] + struct.pack(">9i", a, b, 0, c, d, 0, 0, 0, 1 << 30) + data[at + 36 :])
    warnings = [w for w in open_source(path).info.warnings if "asks to be shown" in w]
    assert len(warnings) == bool(said)
    assert said in " ".join(warnings)


SONY = b'<NonRealTimeMeta><VideoFormat><VideoFrame captureFps="119.88p" formatFps="23.98p"/></VideoFormat>'


@pytest.mark.parametrize("where", ["box", "beside"])
def test_the_capture_rate_of_sony(tmp_path: Path, where: str) -> None:
    path = write_at(tmp_path / "C0001.mp4", range(FRAMES), 24)
    if where == "beside":
        (tmp_path / "C0001M01.XML").write_bytes(SONY)
    else:
        with path.open("ab") as file:
            file.write(struct.pack(">I4s", 8 + len(SONY), b"meta") + SONY)
    info = info_of(path)
    assert info.frames == FRAMES
    assert (info.time.origin, info.time.fps) == ("header", pytest.approx(120000 / 1001))
    assert "played at 24 fps" in info.time.note


def test_two_frames_have_the_rate_that_the_file_names(tmp_path: Path) -> None:
    info = info_of(write_at(tmp_path / "a.mkv", range(2), 700))
    assert info.time.fps == 700
    assert info.time.stamps is None
    assert "" not in info.warnings
    assert info_of(write_at(tmp_path / "b.mkv", [0, 20], 700)).time.stamps is not None


@pytest.mark.parametrize("rate", [1200, 2000])
def test_pauses_between_stamps_that_are_too_coarse(tmp_path: Path, rate: int) -> None:
    """Matroska's milliseconds cannot tell these frames apart, but they can tell that some are missing."""
    even = info_of(write_at(tmp_path / "a.mkv", range(FRAMES), rate))
    assert even.time.fps == rate
    assert not [w for w in even.warnings if "pause" in w]
    info = info_of(write_at(tmp_path / "b.mkv", [*range(20), *range(50, 50 + FRAMES - 20)], rate))
    (said,) = [w for w in info.warnings if "there is a pause of" in w]
    assert "after frame 19: frames are missing there" in said
