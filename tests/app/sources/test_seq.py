"""NorPix sequences, written by the tests after what is known of the format."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.sources.opening import open_source
from kernels.errors import BadFrame, SourceError
from kernels.opencv import cv2
from pipelines.frame import FrameSource
from tests.app.sources.writers import picture, write_seq


def frames_of(source: FrameSource) -> list[Any]:
    return [source.read(k).copy() for k in range(source.info.frames)]


@pytest.mark.parametrize("version", [3, 5])
@pytest.mark.parametrize(
    ("kind", "white", "channels", "bits", "color"),
    [
        ("mono", 255, 1, 8, "mono"), ("mono", 1023, 1, 10, "mono"), ("mono", 4095, 1, 12, "mono"),
        ("mono", 65535, 1, 16, "mono"), ("bgr", 255, 3, 8, "bgr"), ("bayer", 255, 1, 8, "gbrg"),
        ("swapped", 65535, 1, 16, "mono"),
    ],
)  # fmt: skip
def test_pixels_and_times(
    tmp_path: Path, version: int, kind: str, white: int, channels: int, bits: int, color: str
) -> None:
    stored = [picture(6, 9, white, k, channels) for k in range(5)]
    with closing(open_source(write_seq(tmp_path / "a.seq", stored, kind=kind, bits=bits, version=version))) as source:
        info = source.info
        assert (info.kind, info.width, info.height, info.frames, info.warnings) == ("seq", 9, 6, 5, ())
        assert (info.format.color, info.format.bits, info.format.shift) == (color, bits, 0)
        assert (info.time.fps, info.time.origin, info.time.stamps) == (500.0, "stamps", None)
        assert info.metadata["description"] == "a run"
        assert info.metadata["first_frame_utc"] == "2017-07-14T02:40:00Z"
        for k in (4, 0, 2, 1, 3):
            frame = source.read(k)
            assert frame.dtype == info.image.dtype.numpy
            assert np.array_equal(frame, stored[k])


def test_left_justified_samples_are_shifted(tmp_path: Path) -> None:
    stored = [picture(6, 9, 1023, k) << 6 for k in range(2)]
    with closing(open_source(write_seq(tmp_path / "a.seq", stored, kind="msb", bits=10))) as source:
        assert (source.info.format.bits, source.info.format.shift, source.info.image.bits) == (10, 6, 16)
        assert np.array_equal(source.read(1), stored[1])


@pytest.mark.parametrize("gap", [8, 6, 16])
@pytest.mark.parametrize("version", [3, 5])
@pytest.mark.parametrize("channels", [1, 3])
def test_jpeg(tmp_path: Path, gap: int, version: int, channels: int) -> None:
    stored = [cv2.GaussianBlur(picture(24, 32, 255, k, channels), (0, 0), 3) for k in range(6)]
    path = write_seq(tmp_path / "a.seq", stored, kind="jpeg", gap=gap, version=version)
    with closing(open_source(path)) as source:
        info = source.info
        assert (info.frames, info.format.color, info.warnings) == (6, "bgr" if channels == 3 else "mono", ())
        assert (info.time.fps, info.time.origin) == (500.0, "stamps")
        made = frames_of(source)
        for k, (frame, image) in enumerate(zip(made, stored, strict=True)):
            assert np.abs(frame.astype(int) - image).max() < 6, k
            assert np.array_equal(source.read(k), frame)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) - 60])
    with closing(open_source(path)) as source:
        assert source.info.frames == 5
        assert "5 of 6 frames are there" in source.info.warnings[0]


def test_another_programs_jpegs_without_a_word_on_compression(tmp_path: Path) -> None:
    stored = [picture(24, 32, 255, k) for k in range(3)]
    path = write_seq(tmp_path / "a.seq", stored, kind="jpeg", version=3, compression=0, format=102)
    with closing(open_source(path)) as source:
        assert source.info.frames == 3


@pytest.mark.parametrize(("method", "word"), [(2, "RLE"), (8, "H.264"), (77, "method 77")])
def test_other_compressions_are_refused_by_name(tmp_path: Path, method: int, word: str) -> None:
    path = write_seq(tmp_path / "a.seq", [picture(6, 8, 255, 0)], compression=method)
    with pytest.raises(SourceError, match=rf"compressed \({word}\).*export it there"):
        open_source(path)


@pytest.mark.parametrize(
    ("code", "word"), [(300, "planes"), (600, "YUV 4:2:2"), (131, "packed samples"), (7, "format 7")]
)
def test_other_formats_are_refused_by_name(tmp_path: Path, code: int, word: str) -> None:
    path = write_seq(tmp_path / "a.seq", [picture(6, 8, 255, 0)], format=code)
    with pytest.raises(SourceError, match=f"{word}, which cannot be read"):
        open_source(path)


@pytest.mark.parametrize(("counted", "words"), [(0, ()), (3, ("the header counts 3 frames, the file holds 5",)),
                                                (9, ("the file is cut short: 5 of 9 frames",)), (5, ())])  # fmt: skip
def test_the_file_knows_better_how_many_frames_there_are(tmp_path: Path, counted: int, words: tuple[str, ...]) -> None:
    path = write_seq(tmp_path / "a.seq", [picture(6, 8, 255, k) for k in range(5)], frames=counted)
    with closing(open_source(path)) as source:
        assert source.info.frames == 5
        assert [one[: len(word)] for one, word in zip(source.info.warnings, words, strict=True)] == list(words)


def test_frames_that_were_never_recorded_are_left_out(tmp_path: Path) -> None:
    path = write_seq(tmp_path / "a.seq", [picture(6, 8, 255, k) for k in range(6)])
    data = bytearray(path.read_bytes())
    data[8192 + 4 * 512 :] = bytes(2 * 512)
    path.write_bytes(data)
    with closing(open_source(path)) as source:
        assert source.info.frames == 4
        assert source.info.warnings[0].startswith("2 frames at the end without a time stamp were never recorded")


def test_a_loop_is_read_from_its_oldest_frame_on(tmp_path: Path) -> None:
    stored = [picture(6, 8, 255, k) for k in range(5)]
    times = [3000 + 1000 * k for k in range(2)] + [1000 * k for k in range(3)]
    path = write_seq(tmp_path / "a.seq", stored, oldest=2, times_us=times, rate=1000)
    with closing(open_source(path)) as source:
        assert all(np.array_equal(source.read(k), stored[(k + 2) % 5]) for k in range(5))
        assert (source.info.time.fps, source.info.warnings) == (1000, ())


@pytest.mark.parametrize(
    ("times", "version", "rate", "fps", "missing"),
    [
        ([0, 2000, 4000, 10000, 12000, 14000, 16000], 5, 500.0, 500, 2),
        ([0, 1000, 3000, 4000, 6000, 7000, 9000, 10000], 3, 700.0, 700, 0),  # 700 frames/s in whole ms
        ([0, 1980, 4010, 6003, 7991, 10008, 12000], 5, 30.0, 500, 0),  # of a computer's clock, beside a playing rate
        ([k * 1_000_000 // 2500 // 1000 * 1000 for k in range(60)], 3, 2500.0, 2500, 0),  # coarser than the frames
    ],
)
def test_times(tmp_path: Path, times: list[int], version: int, rate: float, fps: float, missing: int) -> None:
    stored = [picture(6, 8, 255, k) for k in range(len(times))]
    path = write_seq(tmp_path / "a.seq", stored, times_us=times, version=version, rate=rate)
    with closing(open_source(path)) as source:
        time = source.info.time
        assert (time.origin, round(time.fps)) == ("stamps", fps)
        at = np.array([time.time(k) for k in range(len(times))])
        assert np.abs(at - np.array(times) * 1e-6).max() < 1.1e-3
        assert (np.diff(at) > 0).all()
        assert any(f"{missing} frames are missing" in one for one in source.info.warnings) == bool(missing)
        assert any("the header says 30 fps" in one for one in source.info.warnings) == (rate == 30)


def test_stamps_that_are_all_zero_leave_the_rate_of_the_header(tmp_path: Path) -> None:
    path = write_seq(tmp_path / "a.seq", [picture(6, 8, 255, k) for k in range(4)], rate=250.0)
    data = bytearray(path.read_bytes())
    for k in range(4):
        data[8192 + 512 * k + 48 : 8192 + 512 * k + 56] = bytes(8)
    path.write_bytes(data)
    with closing(open_source(path)) as source:
        assert (source.info.frames, source.info.time.fps, source.info.time.origin) == (4, 250, "header")


@pytest.mark.parametrize("rate", [0.0, -1.0, 2.8e-306, 1e300, float("inf"), float("nan")])
def test_rates_that_cannot_be_and_stamps_of_two_paces(tmp_path: Path, rate: float) -> None:
    stored = [picture(6, 8, 255, k) for k in range(3)]
    for times, told in (([0, 2000, 4000], 500), ([0, 1000, 900_000], 2.2222)):
        path = write_seq(tmp_path / "a.seq", stored, rate=rate, times_us=times)
        with closing(open_source(path)) as source:
            assert (source.info.time.origin, round(source.info.time.fps, 4)) == ("stamps", told)


@pytest.mark.parametrize("field", [{"step": 40}, {"step": 0}, {"image_bytes": 40}, {"image_bytes": 49}, {"depth": 13},
                                   {"width": 0}, {"width": 1 << 30}, {"depth": 32}])  # fmt: skip
def test_headers_that_cannot_be(tmp_path: Path, field: dict[str, int]) -> None:
    path = write_seq(tmp_path / "a.seq", [picture(6, 8, 255, 0)], **field)
    with pytest.raises(SourceError, match="header"):
        open_source(path)


SIZES = ((28, 32), (548, 572), (580, 584), (608, 612), (620, 624), (656, 660))
"""Bytes of the header by which pixels are found and told."""

CHANGES = st.tuples(
    st.sampled_from(["flip", "zero", "insert", "cut"]),
    st.one_of(st.integers(0, 664), st.integers(0, 9000), st.integers(8192, 8192 + 6 * 512)),
    st.integers(0, 255),
)


@dataclass(repr=False)
class Undamaged:
    """A sequence before it is damaged (of which Hypothesis need not print all bytes)."""

    kind: str
    data: bytes
    frames: list[Any]


@pytest.fixture(scope="module", params=["mono", "jpeg"])
def undamaged(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Undamaged:
    pictures = [picture(6, 8, 255, k) for k in range(6)]
    path = write_seq(tmp_path_factory.mktemp("seq") / "a.seq", pictures, kind=request.param)
    with closing(open_source(path)) as source:
        return Undamaged(request.param, path.read_bytes(), frames_of(source))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(CHANGES, min_size=1, max_size=3))
@example(changes=[("cut", 1023, 0)])
def test_damage_is_a_sentence_or_leaves_what_is_undamaged(
    tmp_path: Path, undamaged: Undamaged, changes: list[tuple[str, int, int]]
) -> None:
    kind, frames = undamaged.kind, undamaged.frames
    copy, moved, touched = bytearray(undamaged.data), len(undamaged.data), set[int]()
    for how, place, value in changes:
        at = min(place, len(copy) - 1)
        touched.add(at)
        if how == "flip":
            copy[at] ^= 1 << value % 8
        elif how == "zero":
            copy[at : at + 4] = bytes(len(copy[at : at + 4]))
            touched.update(range(at, at + 4))
        elif how == "insert":
            copy[at:at] = bytes([value])
            moved = min(moved, at)
        else:
            del copy[at:]
            moved = min(moved, at)
        if not copy:
            copy = bytearray(b"\0")
    path = tmp_path / "a.seq"
    path.write_bytes(copy)
    try:
        source = open_source(path)
    except SourceError:
        return
    with closing(source):
        served = {}
        for k in (*range(source.info.frames), *reversed(range(source.info.frames))):
            try:
                frame = source.read(k).copy()
            except BadFrame:
                continue
            assert np.array_equal(served.setdefault(k, frame), frame)
        if kind != "mono" or moved < 8192 or any(a <= at < b for at in touched for a, b in SIZES):
            return  # it may be another clip, or JPEGs that decode to something else
        for k, frame in served.items():
            start = 8192 + 512 * k
            if start + 48 <= moved and k < len(frames) and not touched & set(range(start, start + 48)):
                assert np.array_equal(frame, frames[k])
