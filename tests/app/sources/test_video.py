"""Videos made by FFmpeg in the tests: exact counts, exact order, random access, damaged files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from app.sources.opening import open_source
from app.sources.video import VideoSource
from kernels.errors import BadFrame, SourceError
from tests.app.sources.writers import index_in, moving_square, picture, write_video

FRAMES = 150


@pytest.fixture(scope="module")
def square() -> list[Any]:
    return moving_square(FRAMES)


CASES = [
    ("a.mp4", "libx264", "yuv420p", {"bf": "3", "g": "40"}),
    ("a.mkv", "libx264", "yuv420p", {"bf": "4", "g": "30", "x264-params": "open-gop=1:b-pyramid=normal"}),
    ("a.mov", "libx264", "yuv444p", {"bf": "0", "g": "20"}),
    ("a.ts", "libx264", "yuv420p", {"bf": "3", "g": "25"}),
    ("a.avi", "mpeg4", "yuv420p", {"bf": "2", "g": "12"}),
    ("b.avi", "mjpeg", "yuvj420p", {}),
    ("c.avi", "rawvideo", "bgr24", {}),
    ("a.mpg", "mpeg2video", "yuv420p", {"bf": "2", "g": "15"}),
    ("a.webm", "libvpx-vp9", "yuv420p", {"g": "30", "cpu-used": "8", "deadline": "realtime"}),
    ("a.wmv", "wmv2", "yuv420p", {"g": "12"}),
    ("b.mkv", "ffv1", "bgr0", {}),
]


@pytest.mark.parametrize(("name", "codec", "pixel_format", "options"), CASES, ids=[f"{c[0]}-{c[1]}" for c in CASES])
def test_random_access_equals_sequential(
    tmp_path: Path, square: list[Any], name: str, codec: str, pixel_format: str, options: dict[str, str]
) -> None:
    source = VideoSource(write_video(tmp_path / name, square, codec, pixel_format, **options))
    info = source.info
    assert info.frames == FRAMES
    assert (info.image.shape, info.format.color, info.format.bits) == ((48, 64, 3), "rgb", 8)
    assert (info.time.fps, info.time.origin) == (30.0, "container")
    assert "--fps" in info.time.note
    sequential = [source.read(k).copy() for k in range(FRAMES)]
    assert [index_in(image) for image in sequential] == list(range(FRAMES))
    rng = np.random.default_rng(5)
    for k in [FRAMES - 1, 0, *rng.integers(0, FRAMES, 12).tolist(), 0]:
        assert np.array_equal(source.read(k), sequential[k]), k
    assert info.time.stamps is None or (np.diff(info.time.stamps) > 0).all()
    for index in (-1, FRAMES):
        with pytest.raises(IndexError):
            source.read(index)
    source.close()


@pytest.mark.parametrize(("pixel_format", "white"), [("gray", 255), ("gray10le", 1023), ("gray12le", 4095)])
def test_gray_streams_keep_their_values(tmp_path: Path, pixel_format: str, white: int) -> None:
    stored = [picture(20, 37, white, k) for k in range(5)]
    source = VideoSource(write_video(tmp_path / "a.mkv", stored, "ffv1", pixel_format))
    bits = white.bit_length()
    assert (source.info.format.color, source.info.format.bits, source.info.image.bits) == ("mono", bits, bits)
    for k in (4, 0, 3):
        assert np.array_equal(source.read(k), stored[k])
    source.close()


def test_deep_colour_keeps_sixteen_bits(tmp_path: Path, square: list[Any]) -> None:
    source = VideoSource(write_video(tmp_path / "a.mkv", square[:4], "ffv1", "gbrp16le"))
    assert (source.info.image.dtype.name, source.info.format.bits) == ("u16", 16)
    values = source.read(2).astype(np.int64)
    np.testing.assert_allclose(values, square[2].astype(np.int64) * 257, atol=257)
    source.close()


def test_gif(tmp_path: Path, square: list[Any]) -> None:
    source = open_source(write_video(tmp_path / "a.gif", square[:20], "gif", "rgb8", rate=20))
    assert source.info.frames == 20
    first = source.read(3).copy()
    source.read(19)
    assert np.array_equal(source.read(3), first)
    source.close()


def test_given_rate_replaces_the_container(tmp_path: Path, square: list[Any]) -> None:
    source = open_source(write_video(tmp_path / "a.mp4", square[:30], "libx264", "yuv420p"), fps=1000)
    time = source.info.time
    assert (time.fps, time.origin) == (1000.0, "user")
    assert "30 fps" in time.note
    assert time.time(20) == pytest.approx(0.02)
    source.close()


def test_out_is_filled(tmp_path: Path, square: list[Any]) -> None:
    source = VideoSource(write_video(tmp_path / "a.mp4", square[:10], "libx264", "yuv420p"))
    out = np.zeros((48, 64, 3), np.uint8)
    assert source.read(7, out) is out
    assert np.array_equal(out, source.read(7))
    source.close()


def test_cut_before_its_index_is_refused(tmp_path: Path, square: list[Any]) -> None:
    path = write_video(tmp_path / "a.mp4", square, "libx264", "yuv420p")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(SourceError, match="cut short") as caught:
        VideoSource(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["a.avi", "a.mkv"])
def test_cut_video_serves_the_frames_it_holds(tmp_path: Path, square: list[Any], name: str) -> None:
    path = write_video(tmp_path / name, square, "mjpeg", "yuvj420p")
    whole = VideoSource(path)
    expected = [whole.read(k).copy() for k in range(60)]
    whole.close()
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    source = VideoSource(path)
    assert 60 < source.info.frames < FRAMES
    assert np.array_equal(source.read(59), expected[59])
    good = 0
    for k in range(source.info.frames):
        try:
            source.read(k)
            good += 1
        except BadFrame:
            pass
    assert good >= source.info.frames - 1
    source.close()


def test_broken_packets_are_counted_and_the_next_served(tmp_path: Path, square: list[Any]) -> None:
    path = write_video(tmp_path / "a.mkv", square, "ffv1", "bgr0")
    whole = VideoSource(path)
    expected = [whole.read(k).copy() for k in range(FRAMES)]
    whole.close()
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 64] = b"\xff" * 64
    path.write_bytes(data)
    source = VideoSource(path)
    assert source.info.frames == FRAMES
    bad, served = [], 0
    for k in range(FRAMES):
        try:
            shown = source.read(k)
        except BadFrame as error:
            bad.append(error.index)
        else:
            if k < 60 or k > 90:
                assert np.array_equal(shown, expected[k])
            served += 1
    assert all(60 <= k <= 90 for k in bad)
    assert served + len(set(bad)) == FRAMES
    source.close()


@pytest.mark.parametrize("seed", range(6))
def test_no_picture_built_on_a_damaged_one_is_served(tmp_path: Path, square: list[Any], seed: int) -> None:
    path = write_video(tmp_path / "a.mp4", square, "libx264", "yuv420p", bf="3", g="30", crf="12")
    whole = VideoSource(path)
    expected = [whole.read(k).copy() for k in range(FRAMES)]
    whole.close()
    rng = np.random.default_rng(seed)
    with av.open(str(path)) as container:
        packets = [(p.pos, p.size) for p in container.demux(video=0) if p.size]
    position, size = packets[int(rng.integers(0, FRAMES))]
    data = bytearray(path.read_bytes())
    at = position + size // 2
    data[at : position + size] = bytes(position + size - at)  # zeros never pass for entropy-coded data
    path.write_bytes(data)
    source = VideoSource(path)
    served: dict[int, Any] = {}
    for k in [*range(FRAMES), *rng.integers(0, FRAMES, 10).tolist()]:
        try:
            shown = source.read(k)
        except BadFrame:
            assert k not in served
        else:
            assert np.array_equal(shown, expected[k]), k
            served[k] = True
    assert len(served) in range(FRAMES - 45, FRAMES)
    source.close()


def test_edit_list_that_begins_inside_a_group(tmp_path: Path, square: list[Any]) -> None:
    whole = write_video(tmp_path / "a.mp4", square, "libx264", "yuv420p", bf="2", g="40")
    with av.open(str(whole)) as source_file, av.open(str(tmp_path / "b.mp4"), "w") as cut:
        stream = cut.add_stream_from_template(source_file.streams.video[0])
        for packet in source_file.demux(video=0):
            if packet.dts is not None:
                shift = round(50 / 30 / packet.time_base)
                packet.pts, packet.dts, packet.stream = packet.pts - shift, packet.dts - shift, stream
                if packet.pts >= -shift + round(40 / 30 / packet.time_base) or packet.dts >= 0:
                    cut.mux(packet)
    source = VideoSource(tmp_path / "b.mp4")
    found = [index_in(source.read(k)) for k in range(source.info.frames)]
    with av.open(str(tmp_path / "b.mp4")) as plain:
        assert found == [index_in(f.to_ndarray(format="rgb24")) for f in plain.decode(video=0)]
    assert [index_in(source.read(k)) for k in (60, 3, 0)] == [found[60], found[3], found[0]]
    source.close()


def test_text_and_noise_are_no_videos(tmp_path: Path) -> None:
    for name, content in (("a.mp4", b"hello" * 500), ("b.avi", bytes(range(256)) * 40)):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(SourceError, match="video"):
            open_source(tmp_path / name)


@pytest.mark.parametrize("key_every", [1, 12])
def test_damage_that_only_a_check_sum_shows(tmp_path: Path, key_every: int) -> None:
    pictures = [picture(32, 48, 255, k) for k in range(36)]
    options = {"level": "3", "slices": "4", "g": str(key_every)}
    path = write_video(tmp_path / "a.mkv", pictures, "ffv1", "gray", slicecrc="1", **options)
    data = bytearray(path.read_bytes())
    with av.open(str(path)) as container:
        packet = next(p for p in container.demux(video=0) if p.pts is not None and p.pts * p.time_base * 30 >= 17)
        start = data.index(bytes(packet))
    data[start + packet.size // 2] ^= 4
    (tmp_path / "b.mkv").write_bytes(data)
    source = VideoSource(tmp_path / "b.mkv")
    lost = [17] if key_every == 1 else list(range(17, 24))
    for k in [*range(36), 20, 16, 17, 30]:
        if k in lost:
            with pytest.raises(BadFrame, match="check sum" if k == 17 else "built on frame 17"):
                source.read(k)
        else:
            assert np.array_equal(source.read(k), pictures[k])
    source.close()
    plain = write_video(tmp_path / "c.mkv", pictures, "ffv1", "gray", slicecrc="0", **options)
    source = VideoSource(plain)  # without sums nothing is held against the frames
    assert all(np.array_equal(source.read(k), pictures[k]) for k in range(36))
    source.close()


@pytest.mark.parametrize("size", [(48, 64), (47, 61), (99, 33), (200, 513)])
@pytest.mark.parametrize(("pixel_format", "codec"), [("yuv420p", "mpeg4"), ("yuvj420p", "mjpeg"), ("yuv444p", "ffv1")])
def test_frames_without_colour_are_those_that_ffmpeg_converts(
    tmp_path: Path, pixel_format: str, codec: str, size: tuple[int, int]
) -> None:
    height, width = size
    rng = np.random.default_rng(3)
    path = tmp_path / "a.avi"
    with av.open(str(path), "w") as made:
        stream = made.add_stream(codec, rate=30)
        stream.width, stream.height, stream.pix_fmt = width, height, pixel_format
        for k in range(6):
            frame = av.VideoFrame(width, height, pixel_format)
            for plane, level in zip(frame.planes, (None, 128, 128), strict=True):
                shape = plane.height, plane.line_size
                values = rng.integers(0, 256, shape, np.uint8) if level is None else np.full(shape, level, np.uint8)
                if level and k == 4:
                    values[-1, plane.width // 2 :] = 250  # it is wanted there
                plane.update(values.tobytes())
            frame.pts = k
            made.mux(stream.encode(frame))
        made.mux(stream.encode(None))
    with av.open(str(path)) as plain:
        expected = [frame.to_ndarray(format="rgb24") for frame in plain.decode(video=0)]
    source = VideoSource(path)
    greys = source._greys
    assert greys is not None
    filled: list[bool] = []
    fill = greys.fill
    greys.fill = lambda frame, out: filled.append(fill(frame, out)) or filled[-1]  # type: ignore[method-assign, func-returns-value]
    out = np.empty((height, width, 3), np.uint8)
    for k, wanted in enumerate(expected):
        np.testing.assert_array_equal(source.read(k), wanted)
        assert source.read(k, out) is out
        np.testing.assert_array_equal(out, wanted)
    assert any(filled)
    assert not filled[8]
    assert not filled[9]
    strided = np.empty((height, width, 6), np.uint8)[:, :, ::2]
    np.testing.assert_array_equal(source.read(0, strided), expected[0])
    with pytest.raises(ValueError, match="shape"):
        source.read(0, np.empty((1, height, width, 3), np.uint8))
    source.close()
