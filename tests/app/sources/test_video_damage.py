"""Damage in videos that a decoder does not speak of: what containers and codecs tell besides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from app.sources import video
from app.sources.matroska_sums import torn_clusters
from app.sources.nal_lengths import WHOLE, breaks, doubtful, length_bytes
from app.sources.opening import open_source
from app.sources.video import VideoSource
from app.sources.video_index import VideoIndex
from app.sources.video_walk import Walk
from kernels.errors import BadFrame
from tests.app.sources.writers import moving_square, write_video

FRAMES = 24


def _clip(path: Path, codec: str, **options: str) -> Path:
    return write_video(path, moving_square(FRAMES), codec, "yuv420p", rate=500, **options)


def _frames(source: Any, order: Any = range(FRAMES)) -> list[bytes]:
    """The pixels of frames in this order; of bad ones nothing."""
    found = []
    for k in order:
        try:
            found.append(source.read(int(k)).tobytes())
        except BadFrame:
            found.append(b"")
    return found


def _places(path: Path) -> list[tuple[int, int]]:
    """First byte and size of each packet, in the file's order."""
    with av.open(str(path)) as container:
        return [(p.pos, p.size) for p in container.demux(video=0) if p.size]


def test_check_sums_of_matroska(tmp_path: Path) -> None:
    """What can be decoded is served, and the sentence names the frames among which there is damage."""
    path = _clip(tmp_path / "a.mkv", "libx264", g="8", threads="1")
    data, (place, size) = path.read_bytes(), _places(path)[-1]
    assert torn_clusters(path) == []
    for at in (place + size // 2, place - 20):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        with closing(open_source(path)) as source:
            assert any("check sums in the file there is damage in frames 0 to 23" in w for w in source.info.warnings)
    head = data.index(b"\x1f\x43\xb6\x75")
    path.write_bytes(data[:head] + b"\0" + data[head + 1 :])
    assert torn_clusters(path) == [(head, len(data))]  # nothing leads through what is behind
    path.write_bytes(data[: place + 3])
    assert torn_clusters(path) == []  # cut short is another thing


def test_pictures_before_the_first_key_frame_are_named(tmp_path: Path) -> None:
    path = _clip(tmp_path / "a.mkv", "libx264", g="8", bf="0", threads="1")
    data, place = bytearray(path.read_bytes()), _places(path)[0][0]
    begin = data.index(b"\x81\0\0\x80", place - 8)
    data[begin + 3 : begin + 8] = b"\0\x7f\xff\xff\xff"  # it is no key frame by its flags, and no unit of H.264
    path.write_bytes(data)
    with closing(open_source(path)) as source:
        assert source.info.frames == FRAMES - 8
        assert any("8 pictures before the first key frame are left out" in text for text in source.info.warnings)


def test_lengths_of_units() -> None:
    assert length_bytes("h264", b"\1abc\xff") == 4
    assert length_bytes("h264", b"\0\0\0\1\x67") == length_bytes("vp9", b"") == 0
    assert length_bytes("hevc", b"\1" + bytes(20) + b"\1") == 2
    assert breaks(b"\0\2ab\0\1c", 2) == WHOLE
    assert [breaks(packet, 2) for packet in (b"\0\2a", b"\0\2ab\0", b"\0\1ab\0\1c")] == [0, 1, 1]
    assert doubtful([WHOLE, WHOLE, 0, 0, WHOLE]) == {1, 2, 3}
    assert doubtful([WHOLE, WHOLE, 1, WHOLE, 0]) == {2, 3, 4}
    assert doubtful([0, WHOLE]) == set()


def test_a_byte_too_many(tmp_path: Path) -> None:
    """The frame in which it is may be decoded to something: the frames behind it show that it is not what it was."""
    path = _clip(tmp_path / "a.mov", "libx264", g="24", bf="0", threads="1", movflags="faststart")
    with closing(open_source(path)) as source:
        whole = _frames(source)
    data, (place, size) = path.read_bytes(), _places(path)[9]
    for at in (place + size - 2, place + size // 2):
        path.write_bytes(data[:at] + b"\x5a" + data[at:])
        with closing(open_source(path)) as source:
            assert _frames(source) == whole[:9] + [b""] * (FRAMES - 9)


def _same_in_any_order(path: Path, copies: Iterable[bytes]) -> None:
    for copy in copies:
        path.write_bytes(copy)
        with closing(open_source(path)) as source:
            count = min(source.info.frames, FRAMES)
            in_order, order = _frames(source, range(count)), [5, 1, 2, 0, 17, 18, 12, 14]
            assert _frames(source, order) == [in_order[k] for k in order]


@pytest.mark.parametrize(("name", "codec", "bits"), [
    ("a.flv", "flv", ((0, 274), (0, 589), (1, 22))), ("a.mp4", "mpeg4", ((2, 64),)),
])  # fmt: skip
def test_what_is_damage_is_not_learnt_on_the_way(
    tmp_path: Path, name: str, codec: str, bits: Sequence[tuple[int, int]]
) -> None:
    """By FFmpeg's habit bits behind a picture's end are damage once pictures without them have come by."""
    path = _clip(tmp_path / name, codec, g="8")
    data, places = path.read_bytes(), _places(path)
    flipped = [(places[packet][0] + at) for packet, at in bits]
    _same_in_any_order(path, [data[:at] + bytes([data[at] ^ 16]) + data[at + 1 :] for at in flipped])


def test_what_is_shown_before_a_key_frame_harms_nothing_behind_it(tmp_path: Path) -> None:
    options = {"g": "8", "x265-params": "log-level=none"}
    path = _clip(tmp_path / "a.mp4", "libx265", **options)
    data = path.read_bytes()
    _same_in_any_order(path, [data[:at] + b"\x80" + data[at + 1 :] for at, size in _places(path)[13:17]])


def test_a_part_of_a_picture_that_never_came(tmp_path: Path) -> None:
    """A slice whose unit says that it is something else."""
    path = _clip(tmp_path / "a.mp4", "libx264", g="8", bf="0", slices="3", threads="1")
    with closing(open_source(path)) as source:
        whole = _frames(source)
    data, (place, _) = bytearray(path.read_bytes()), _places(path)[13]
    unit = place + 4 + int.from_bytes(data[place : place + 4], "big") + 4
    data[unit] = data[unit] & 0xE0 | 12  # the second slice
    path.write_bytes(data)
    with closing(open_source(path)) as source:
        assert _frames(source) == whole[:13] + [b""] * 3 + whole[16:]


def test_a_packet_that_is_cut_short_is_a_bad_frame(tmp_path: Path) -> None:
    path = _clip(tmp_path / "a.avi", "ffvhuff")
    with closing(open_source(path)) as source:
        whole = _frames(source)
    data, (place, size) = path.read_bytes(), _places(path)[9]
    path.write_bytes(data[: place + size // 2])
    with closing(open_source(path)) as source:
        assert _frames(source, (9, 3, 9)) == [b"", whole[3], b""]


def test_a_container_that_cannot_seek(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged list of edits or entry points: frames are read from the start."""
    path = _clip(tmp_path / "a.mp4", "libx264", g="4", threads="1")
    with closing(open_source(path)) as source:
        whole = _frames(source)
        monkeypatch.setattr(VideoSource, "_seek", lambda self, entry: False)
        assert _frames(source, (22, 9, 17)) == [whole[k] for k in (22, 9, 17)]


def test_random_reading_where_groups_are_open(tmp_path: Path) -> None:
    """Whole frames: entered at some key frames the decoder misses pictures that it is told to let go of."""
    path = write_video(tmp_path / "a.mkv", moving_square(60), "libx264", "yuv420p", rate=500, threads="1",
                       **{"x264-params": "open-gop=1:keyint=12:bframes=3"})  # fmt: skip
    with closing(open_source(path)) as source:
        whole = _frames(source, range(60))
        assert all(whole)
        order = np.random.default_rng(0).permutation(60)
        assert _frames(source, order) == [whole[k] for k in order]


def test_a_clock_that_cannot_be(tmp_path: Path) -> None:
    path = _clip(tmp_path / "a.mp4", "libx264", bf="0")
    data = bytearray(path.read_bytes())
    data[data.index(b"mdhd") + 16] = 16  # ticks a second
    path.write_bytes(data)
    with closing(open_source(path)) as source:
        assert any("fps is no video's: the file's clock is damaged" in warning for warning in source.info.warnings)


def test_a_container_that_loses_its_way_after_a_seek(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _clip(tmp_path / "a.mp4", "libx264", g="8", threads="1")
    with closing(open_source(path)) as source:
        whole, seek = _frames(source), VideoSource._seek

        def lost(self: VideoSource, entry: int) -> bool:
            with monkeypatch.context() as patch:
                packets = video.packets_of

                def few(*given: Any) -> Iterator[Any]:
                    yield from islice(packets(*given), 3)

                patch.setattr(video, "packets_of", few)
                return seek(self, entry)

        monkeypatch.setattr(VideoSource, "_seek", lost)
        assert _frames(source, (22, 14, 23, 5)) == [whole[k] for k in (22, 14, 23, 5)]


def test_check_sums_of_png(tmp_path: Path) -> None:
    path = write_video(tmp_path / "a.mov", moving_square(4), "png", "rgb24")
    with closing(open_source(path)) as source:
        whole = _frames(source, range(4))
    data, (place, size) = bytearray(path.read_bytes()), _places(path)[2]
    for at in (place + 25, place + size - 26):
        damaged = data.copy()
        damaged[at] ^= 4
        path.write_bytes(damaged)
        with closing(open_source(path)) as source:
            assert _frames(source, range(4)) == [whole[0], whole[1], b"", whole[3]]


@dataclass(frozen=True)
class _Picture:
    """A packet that decodes to a frame of the same stamp, or the frame."""

    pts: int
    size: int = 1
    is_corrupt: bool = False
    key_frame: bool = False


class _Stream:
    """A decoder that refuses one packet."""

    def decode(self, packet: _Picture) -> list[_Picture]:
        if packet.pts == 2:
            raise ValueError("damaged")
        return [packet]


def test_a_picture_that_never_comes_out_harms_those_behind_it() -> None:
    """Where only frames are known, for the stamps of packets do not follow them."""
    first, order = np.zeros(1, np.int64), np.array([0, 1, 3, 4])
    index = VideoIndex(4, order, first, first, first, first, by_stamp=np.arange(4), rank=order, key_ranks=first,
                       key_ordinals=first)  # fmt: skip
    walked = list(Walk(index, _Stream(), [_Picture(k) for k in range(5)], 0))
    assert [one.ordinal for one in walked] == [0, 1, 2, 3]
    assert [bool(one.flaw) for one in walked] == [False, False, True, True]
    assert "built on a picture that never comes out" in walked[2].flaw
