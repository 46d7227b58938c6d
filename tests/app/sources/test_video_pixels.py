"""Pixels of videos that are hard to decode: the same whichever way a frame is reached, or refused by name."""

from __future__ import annotations

from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from app.sources.opening import open_source
from app.sources.video import VideoSource
from kernels.errors import BadFrame
from tests.app.sources.writers import moving_square, write_video


def all_of(path: Path) -> tuple[list[Any], tuple[str, ...]]:
    """Every frame, or None where it is refused, and the warnings."""
    source, found = VideoSource(path), list[Any]()
    for k in range(source.info.frames):
        try:
            found.append(source.read(k).copy())
        except BadFrame:
            found.append(None)
    source.close()
    return found, source.info.warnings


@pytest.mark.parametrize("seed", range(4))
def test_damaged_jpegs_are_refused_or_whole_and_the_same_each_time(tmp_path: Path, seed: int) -> None:
    path = write_video(tmp_path / "a.avi", moving_square(20), "mjpeg", "yuvj420p", qscale="3")
    good, _ = all_of(path)
    data, rng = bytearray(path.read_bytes()), np.random.default_rng(seed)
    for at in rng.integers(data.index(b"\xff\xda"), data.index(b"idx1"), 6):
        data[at : at + 3] = rng.integers(0, 256, 3).astype(np.uint8).tobytes()
    (tmp_path / "b.avi").write_bytes(data)
    found, _ = all_of(tmp_path / "b.avi")
    source = VideoSource(tmp_path / "b.avi")
    for k in rng.permutation(len(found)):
        try:
            again = source.read(int(k))
        except BadFrame:
            assert found[k] is None
        else:
            np.testing.assert_array_equal(again, found[k])
    source.close()
    assert sum(one is None or not np.array_equal(one, good[k]) for k, one in enumerate(found)) <= 6


def test_jpegs_whose_chroma_is_sampled_otherwise_are_one_clip(tmp_path: Path) -> None:
    pictures = moving_square(12)
    with av.open(str(tmp_path / "a.avi"), "w") as container:
        stream: Any = container.add_stream("mjpeg", rate=500)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuvj422p"
        coders = []
        for pixel_format in ("yuvj422p", "yuvj420p"):
            coder: Any = av.CodecContext.create("mjpeg", "w")
            coder.width, coder.height, coder.pix_fmt, coder.time_base = 64, 48, pixel_format, Fraction(1, 500)
            coders.append((coder, pixel_format))
        for k, image in enumerate(pictures):
            coder, pixel_format = coders[k >= 6]
            frame = av.VideoFrame.from_ndarray(image, format="rgb24").reformat(format=pixel_format)
            frame.pts = k
            for packet in coder.encode(frame):
                packet.stream, packet.pts, packet.dts, packet.time_base = stream, k, k, Fraction(1, 500)
                container.mux(packet)
    found, _ = all_of(tmp_path / "a.avi")
    assert len(found) == 12
    for one, image in zip(found, pictures, strict=True):
        assert one is not None
        assert np.abs(one.astype(int) - image).mean() < 12


def test_points_of_intra_refresh_are_no_entries(tmp_path: Path) -> None:
    options = {"bf": "0", "g": "12", "x264-params": "intra-refresh=1:keyint=12"}
    texture = np.random.default_rng(0).integers(0, 256, (160, 320, 3)).astype(np.uint8)  # wrong pixels show in it
    pictures = [np.roll(texture, (k, 2 * k), (0, 1)) for k in range(70)]
    path = write_video(tmp_path / "a.mp4", pictures, "libx264", "yuv420p", **options)
    sequential, _ = all_of(path)
    source = VideoSource(path)
    for k in np.random.default_rng(3).permutation(70)[:25]:
        np.testing.assert_array_equal(source.read(int(k)), sequential[k])
    source.close()
    for k in (69, 40, 13):
        source = VideoSource(path)
        np.testing.assert_array_equal(source.read(k), sequential[k])
        source.close()


def test_what_people_who_measure_must_know_is_said(tmp_path: Path) -> None:
    pictures = moving_square(20)
    options = {"x264-params": "tff=1", "flags": "+ilme+ildct"}
    path = write_video(tmp_path / "i.mp4", pictures, "libx264", "yuv420p", **options)
    assert any("interlaced" in warning for warning in all_of(path)[1])
    path = write_video(tmp_path / "p.mp4", pictures, "libx264", "yuv420p", **{"x264-params": "sar=4/3"})
    assert any("4:3 as wide as high" in warning for warning in all_of(path)[1])
    with av.open(str(tmp_path / "s.mkv"), "w") as container:
        streams: list[Any] = [container.add_stream("ffv1", rate=100) for _ in range(2)]
        for stream in streams:
            stream.width, stream.height, stream.pix_fmt = 64, 48, "bgr0"
        for image in pictures:
            for stream in streams:
                container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="rgb24").reformat(format="bgr0")))
        for stream in streams:
            container.mux(stream.encode(None))
    said = all_of(tmp_path / "s.mkv")[1]
    assert any("2 video streams; the first one is read" in warning for warning in said)
    whole = write_video(tmp_path / "w.mkv", moving_square(60, channels=1), "ffv1", "gray")
    data = whole.read_bytes()
    (tmp_path / "c.mkv").write_bytes(data[: len(data) * 2 // 3])
    assert not all_of(whole)[1]
    assert any("the file is cut short" in warning for warning in all_of(tmp_path / "c.mkv")[1])


@pytest.mark.parametrize("pixel_format", ["grayf32le", "gbrpf32le"])
def test_floats_stay_floats(tmp_path: Path, pixel_format: str) -> None:
    """OpenEXR in QuickTime, whose values go beyond white."""
    path, planes = tmp_path / "a.mov", 1 if pixel_format.startswith("gray") else 3
    values = [np.linspace(-1, 4, 48 * 64 * planes, dtype=np.float32).reshape(planes, 48, 64) + k for k in range(3)]
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream("exr", rate=100)
        stream.width, stream.height, stream.pix_fmt = 64, 48, pixel_format
        for value in values:
            frame = av.VideoFrame(64, 48, pixel_format)
            for plane, one in zip(frame.planes, value, strict=True):
                plane.update(one.tobytes())
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    with closing(open_source(path)) as source:
        for k, value in enumerate(values):
            right = value[0] if planes == 1 else np.stack((value[2], value[0], value[1]), -1)
            np.testing.assert_array_equal(source.read(k), right)


@pytest.mark.parametrize("codec", ["png", "tiff", "dpx"])
def test_colour_of_sixteen_bits_stays_so(tmp_path: Path, codec: str) -> None:
    values = [np.random.default_rng(k).integers(0, 1 << 16, (48, 64, 3)).astype(np.uint16) for k in range(3)]
    pixel_format = "rgb48be" if codec == "png" else "rgb48le"
    with av.open(str(tmp_path / "a.mov"), "w") as container:
        stream: Any = container.add_stream(codec, rate=100)
        stream.width, stream.height, stream.pix_fmt = 64, 48, pixel_format
        for value in values:
            frame = av.VideoFrame.from_ndarray(value, format="rgb48le")
            container.mux(stream.encode(frame.reformat(format=pixel_format)))
        container.mux(stream.encode(None))
    with closing(open_source(tmp_path / "a.mov")) as source:
        for k, value in enumerate(values):
            np.testing.assert_array_equal(source.read(k), value)


def test_stamps_without_data_are_no_damage(tmp_path: Path) -> None:
    """What Theora's encoder leaves for pictures that look like the one before."""
    pictures, path = moving_square(12), tmp_path / "a.nut"
    with av.open(str(path), "w") as container:
        stream: Any = container.add_stream("mpeg4", rate=30, options={"flags": "+qscale", "global_quality": "236"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for k, image in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(image, format="rgb24").reformat(format="yuv420p")
            frame.pts = k if k < 5 else k + 3
            container.mux(stream.encode(frame))
            for stamp in range(5, 8) if k == 4 else ():
                empty = av.Packet(0)
                empty.stream, empty.pts, empty.dts, empty.time_base = stream, stamp, stamp, Fraction(1, 30)
                container.mux(empty)
        container.mux(stream.encode(None))
    with av.open(str(path)) as plain:
        assert sum(not packet.size and packet.pts is not None for packet in plain.demux(video=0)) == 3
    found, _ = all_of(path)
    assert len(found) == 12
    assert all(one is not None and np.abs(one.astype(int) - image).mean() < 12
               for one, image in zip(found, pictures, strict=True))  # fmt: skip


def test_a_decoder_that_takes_all_for_damage(tmp_path: Path) -> None:
    """FFmpeg's for TIFF refuses whole pictures; what comes with them (EXIF) is of a kind that PyAV does not know."""
    path = write_video(tmp_path / "a.mov", moving_square(3), "tiff", "rgb24")
    with closing(open_source(path)) as source:
        assert [np.array_equal(source.read(k), image) for k, image in enumerate(moving_square(3))] == [True] * 3
