"""What `fusetrack info --verify` looks at besides reading each frame: where the data of pictures end, the codes of JPEG
and LZW. Nothing is found in whole clips of many kinds, and what damage leaves readable is named."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import av
import imagecodecs
import numpy as np
import pytest
import tifffile

from app.cli import main
from app.sources.examining import h264_ends, hevc_ends, jpeg_codes
from app.sources.examining.lzw_codes import LzwTables
from app.sources.examining.units import described, end_of, guarded, packet_of, payload, units_of
from app.sources.flv_tags import broken_tags
from app.sources.integrity import Integrity
from app.sources.nal_lengths import length_bytes
from app.sources.opening import open_source
from app.verifying import verify
from kernels.opencv import cv2
from tests.app.sources.mutations import MAKERS as MUTATED
from tests.app.sources.mutations import left
from tests.app.sources.writers import moving_square, write_seq, write_video

FRAMES = 24


def _clip(path: Path, codec: str, pixel_format: str = "yuv420p", **options: str) -> Path:
    return write_video(path, moving_square(FRAMES, 80, 128), codec, pixel_format, rate=500, **options)


def _stream(path: Path) -> tuple[bytes, list[tuple[int, bytes]]]:
    with av.open(str(path)) as container:
        description = bytes(container.streams.video[0].codec_context.extradata or b"")
        return description, [(p.pts, bytes(p)) for p in container.demux(video=0) if p.size]


def _silent(step: int) -> None:
    del step


def _h264(description: bytes, packets: Sequence[tuple[int, bytes]]) -> dict[int, str] | None:
    return h264_ends.Ends(length_bytes("h264", description), description, lambda: packets, _silent).look()


def test_units() -> None:
    packet = b"\0\0\0\2ab\0\0\0\1c"
    assert units_of(packet, 4) == [b"ab", b"c"] == units_of(b"\0\0\0\1ab\0\0\1c\0", 0)
    assert packet_of([b"ab", b"c"], 4) == packet
    assert units_of(b"\0\0\0\1a\0\0\0\7b", 4) == [b"a"]
    assert payload(b"a\0\0\3\1b\0\0\3\0\0\3") == b"a\0\0\1b\0\0\0\0"
    assert guarded(b"a\0\0\1b\0\0\0\0") == b"a\0\0\3\1b\0\0\3\0\0"
    assert end_of(b"abc\0\0\3\0\0\3") == end_of(b"abc\0") == end_of(b"abc") == 3
    assert described(b"", bytes.upper) == b""
    assert described(b"\1abcd\xe1\0\2ef\1\0\1gxyz", bytes.upper) == b"\1abcd\xe1\0\2EF\1\0\1Gxyz"


@pytest.mark.parametrize("options", [
    {"bf": "0"}, {"slices": "3"}, {"x264-params": "cabac=0"}, {"x264-params": "interlaced=1"},
    {"x264-params": "scenecut=0:intra-refresh=1"}, {"x264-params": "8x8dct=1:cqm=jvt:open-gop=1", "profile": "high"},
])  # fmt: skip
def test_whole_h264(tmp_path: Path, options: dict[str, str]) -> None:
    description, packets = _stream(_clip(tmp_path / "a.mp4", "libx264", g="8", threads="1", **options))
    assert _h264(description, packets) == {}


def test_whole_h264_of_other_kinds(tmp_path: Path) -> None:
    for name, pixel_format in (("a.ts", "yuv420p"), ("a.mkv", "yuv444p"), ("a.mov", "yuv422p10le")):
        assert _h264(*_stream(_clip(tmp_path / name, "libx264", pixel_format, threads="1"))) == {}, name


def test_ends_of_h264(tmp_path: Path) -> None:
    """Data that go on behind the picture, and data that end before it; those of a group alone are named."""
    description, packets = _stream(_clip(tmp_path / "a.mp4", "libx264", g="8", bf="0", threads="1"))
    for mode in ("more", "less"):
        copy = list(packets)
        stamp, data = copy[11]
        (unit,) = units_of(data, 4)
        half = len(unit) // 2
        copy[11] = (
            stamp,
            packet_of([unit + b"\x5a" * 40 if mode == "more" else unit[:half] + unit[half - 30 : half]], 4),
        )
        found = _h264(description, copy)
        assert found is not None
        assert stamp in found
        assert set(found) <= {stamp for stamp, _ in packets[11:16]}


@pytest.mark.parametrize("options", [
    "wpp=1", "wpp=0:bframes=0", "keyint=1", "hash=1", "slices=2", "ctu=16:min-cu-size=8",
])  # fmt: skip
def test_whole_hevc(tmp_path: Path, options: str) -> None:
    params = {"g": "8", "x265-params": "log-level=none:" + options}
    description, packets = _stream(_clip(tmp_path / "a.mp4", "libx265", **params))
    ends = hevc_ends.Ends(length_bytes("hevc", description), description, lambda: packets, _silent)
    assert ends.look() == {}


def test_flat_pictures_end_where_they_do(tmp_path: Path) -> None:
    """Of black pictures nobody sees which bytes were read."""
    pictures = [np.zeros((128, 256, 3), np.uint8)] * 12
    for codec in ("libx264", "libx265"):
        options = {"x265-params": "log-level=none"} if codec == "libx265" else {}
        path = write_video(tmp_path / f"{codec}.mp4", pictures, codec, "yuv420p", rate=500, g="4", **options)
        with closing(open_source(path)) as source:
            assert verify(source, quiet=True).whole


@pytest.mark.parametrize("codec", ["libx264", "libx265"])
def test_frames_without_stamps_are_named_by_their_place(tmp_path: Path, codec: str) -> None:
    """A raw stream, whose pictures are not coded in the order in which they are shown."""
    path, options = tmp_path / "a.mp4", {"x265-params": "log-level=none"} if codec == "libx265" else {"threads": "1"}
    description, packets = _stream(_clip(path, codec, g="24", **options))
    raw, size = tmp_path / "a.h26x", length_bytes("h264" if codec == "libx264" else "hevc", description)
    order = sorted(stamp for stamp, _ in packets)
    key, rest = packets[0], packets[1:]
    stamp, data = next((s, d) for s, d in rest if len(d) > 60)
    (unit,) = units_of(data, size)
    copy = packet_of([unit[:-9] + bytes(byte ^ 0x5A for byte in unit[-9:-3]) + unit[-3:]], size)
    sets = _parameter_sets(path)
    stream = [(s, copy if s == stamp else d) for s, d in packets]
    raw = raw.with_suffix(".h264" if codec == "libx264" else ".h265")
    raw.write_bytes(sets + b"".join(packet_of(units_of(d, size), 0) for _, d in stream))
    assert key[0] == order[0]
    with closing(open_source(raw)) as source:
        assert source.info.frames == FRAMES
        flaws = verify(source, quiet=True).flaws
    assert order.index(stamp) in flaws


def _parameter_sets(path: Path) -> bytes:
    """The parameters of a stream between start codes."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        name = f"{'h264' if stream.codec_context.name == 'h264' else 'hevc'}_mp4toannexb"
        made = av.bitstream.BitStreamFilterContext(name, stream)
        units = units_of(bytes(made.filter(next(container.demux(stream)))[0]), 0)
        return packet_of([unit for unit in units if not _is_picture(unit, name)], 0)


def _is_picture(unit: bytes, name: str) -> bool:
    return unit[0] & 31 in (1, 5) if name.startswith("h264") else unit[0] >> 1 & 63 < 32


def _jpegs() -> list[bytes]:
    rng = np.random.default_rng(0)
    found = []
    for k in range(60):
        height, width = rng.integers(1, 90, 2)
        image = rng.integers(0, 256, (height, width) if k % 4 == 0 else (height, width, 3)).astype(np.uint8)
        image = cv2.GaussianBlur(image, (9, 9), 3) if k % 3 else image
        options = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(1, 101)), cv2.IMWRITE_JPEG_OPTIMIZE, k % 2,
                   cv2.IMWRITE_JPEG_RST_INTERVAL, int(rng.integers(0, 4))]  # fmt: skip
        if k % 4:
            sampling = (0x411111, 0x221111, 0x211111, 0x121111, 0x111111)[k % 5]
            options += [cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling]
        found.append(cv2.imencode(".jpg", image, options)[1].tobytes())
    return found


def test_whole_jpegs() -> None:
    for data in _jpegs():
        assert jpeg_codes.check(data)
        steps, codes = jpeg_codes.check(data)
        assert jpeg_codes.check(data + data) == (2 * steps, 2 * codes)


def test_jpegs_of_kinds_that_are_not_walked() -> None:
    image = np.zeros((20, 30, 3), np.uint8)
    data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_PROGRESSIVE, 1])[1].tobytes()
    with pytest.raises(jpeg_codes.OtherJpegError):
        jpeg_codes.check(data)


def test_jpeg_without_tables_has_the_usual_ones() -> None:
    data = cv2.imencode(".jpg", cv2.GaussianBlur(_noise(40, 60), (5, 5), 2))[1].tobytes()
    while (at := data.find(b"\xff\xc4")) > 0:
        data = data[:at] + data[at + 2 + int.from_bytes(data[at + 2 : at + 4], "big") :]
    assert jpeg_codes.check(data)


def _noise(height: int, width: int) -> Any:
    return np.random.default_rng(1).integers(0, 256, (height, width, 3)).astype(np.uint8)


def test_damaged_jpegs() -> None:
    """Of changed bits those are told that leave no valid codes. A byte more or less is always told."""
    image, rng = cv2.GaussianBlur(_noise(64, 96), (0, 0), 1), np.random.default_rng(2)
    data = cv2.imencode(".jpg", image)[1].tobytes()
    scan = data.index(b"\xff\xda") + 14

    def told(copy: bytes) -> bool:
        try:
            jpeg_codes.check(copy)
        except ValueError:
            return True
        return False

    flips = [told(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]) for at in
             rng.integers(scan, len(data) - 2, 200)]  # fmt: skip
    print(np.mean(flips))
    assert np.mean(flips) > 0.2
    assert told(data[:-2] + b"\0\0\xff\xd9")
    assert told(data[: len(data) // 2] + b"\xff\xd9")
    assert told(data[:-40])


def test_a_table_that_no_other_picture_has(tmp_path: Path) -> None:
    path = _clip(tmp_path / "a.avi", "mjpeg", "yuvj420p", qmin="3", qmax="3")
    data = bytearray(path.read_bytes())
    with av.open(str(path)) as container:
        place = [p.pos for p in container.demux(video=0) if p.size][7]
    data[data.index(b"\xff\xdb", place) + 40] ^= 8
    path.write_bytes(data)
    with closing(open_source(path)) as source:
        assert source.integrity is Integrity.PACKED  # type: ignore[attr-defined]
        assert source.read(7).any()
        assert verify(source, quiet=True).flaws == {
            7: "its data are damaged: its tables are unlike those of all other frames"
        }


def test_lzw_codes_that_no_encoder_writes(tmp_path: Path) -> None:
    """Bytes that decode to as many are told by the codes behind them."""
    tables, rng, told, silent = LzwTables(), np.random.default_rng(0), 0, 0
    image = cv2.GaussianBlur(_noise(80, 100)[..., 0], (0, 0), 2)
    data = bytes(imagecodecs.lzw_encode(image.tobytes()))
    assert tables.count(data) == 0
    for at in rng.integers(2, len(data) - 2, 300):
        copy = data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]
        try:
            plain = bytes(imagecodecs.lzw_decode(copy, out=image.size + 64))
        except imagecodecs.LzwError:
            continue
        if len(plain) == image.size and plain != image.tobytes():
            silent += 1
            told += tables.count(copy) != 0
            # What is not told is what an encoder writes for those pixels: nobody can tell it.
            assert tables.count(copy) or imagecodecs.lzw_encode(plain) == copy
    assert 0.15 * silent < told < silent
    for name, pages in (("a.tif", moving_square(9, channels=1)), ("flat.tif", [np.zeros((64, 64), np.uint8)] * 3)):
        with tifffile.TiffWriter(tmp_path / name) as writer:
            for page in pages:
                writer.write(page, compression="lzw", metadata=None)
        with closing(open_source(tmp_path / name)) as source:
            assert verify(source, quiet=True).whole


def test_encoders_that_take_shorter_codes_are_no_damage() -> None:
    """Codes of nine bits, one for each byte, with a new table every 250: TIFF allows it."""
    codes: list[int] = []
    for k, byte in enumerate(b"\7" * 600):
        codes += [*([256] if k % 250 == 0 else []), byte]
    text = "".join(format(code, "09b") for code in [*codes, 257])
    text += "0" * (-len(text) % 8)
    data = int(text, 2).to_bytes(len(text) // 8, "big")
    assert imagecodecs.lzw_decode(data) == b"\7" * 600
    assert LzwTables().count(data) > 500  # all pages of such a file are alike, and none is named


def test_tags_of_flv(tmp_path: Path) -> None:
    path = _clip(tmp_path / "a.flv", "flv")
    data = path.read_bytes()
    with av.open(str(path)) as container:
        places = [p.pos for p in container.demux(video=0) if p.size]
    assert broken_tags(path, places) == set()
    path.write_bytes(data[: places[3] + 60] + data[places[3] + 75 :])
    assert broken_tags(path, places[:5]) & {places[3]} == {places[3]}
    path.write_bytes(data[: places[4] - 2] + b"\x77" + data[places[4] - 1 :])
    assert broken_tags(path, places) == set()  # the size behind it alone is another


def test_what_stays_silent_in_h263_is_a_picture_by_its_rules(tmp_path: Path) -> None:
    """A changed sign leaves a picture that ends at its last byte, as the decoder finds: one byte less is an error."""
    _, packets = _stream(_clip(tmp_path / "a.flv", "flv", g="1"))
    data, silent = packets[0][1], 0
    for at in range(60, 120):
        copy = data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]
        if _decodes(copy):
            silent += 1
            assert not _decodes(copy[:-1])
            assert not _decodes(copy + b"\x5a\xa5\x5a")
    assert silent


def _decodes(data: bytes) -> bool:
    context: Any = av.CodecContext.create("flv", "r")
    context.width, context.height, context.thread_count = 128, 80, 1
    context.options = {"err_detect": "crccheck+explode", "bug": "0"}
    try:
        return [frame.is_corrupt for frame in context.decode(av.Packet(data))] == [False]
    except av.error.FFmpegError:
        return False


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frames = moving_square(6, channels=1)
    path = write_seq(tmp_path / "a.seq", frames, kind="jpeg")
    assert main(["info", "--verify", str(path)]) == 0
    said = capsys.readouterr().out
    assert "integrity no check sums, compressed" in said
    assert "no damage found in 6 frames: each was decoded; looked at besides: each code of each picture" in said
    data = bytearray(path.read_bytes())
    place = data.index(b"\xff\xda", data.index(b"\xff\xda") + 2) + 60
    data[place : place + 8] = bytes(8)
    path.write_bytes(data)
    assert main(["info", "--verify", str(path)]) == 1
    said = capsys.readouterr().out
    assert "frame 1: a code, or what it stands for, cannot be" in said
    assert "1 of 6 frames damaged" in said
    assert main(["info", "--json", "--verify", str(path)]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["verified"]["damaged"].keys() == {"1"}
    assert main(["info", str(path)]) == 0
    assert "verified" not in capsys.readouterr().out


def test_a_file_that_is_cut_short_is_damaged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_video(tmp_path / "a.mkv", moving_square(40, channels=1), "ffv1", "gray", rate=500)
    path.write_bytes(path.read_bytes()[:-9000])
    assert main(["info", "--verify", str(path)]) == 1
    assert "verified  the header promises" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["mp4 h264", "mov h264", "mp4 hevc", "avi mjpeg"])
def test_damaged_copies(tmp_path: Path, name: str) -> None:
    """What plain reading serves wrong and silently is named, but for what is valid by the format's rules."""
    assert name in MUTATED
    silent, unnamed, good = left(name, 14, tmp_path)
    print(name, silent, unnamed, good)
    assert unnamed <= silent // 2 + 1  # which bytes an encoder writes, and so what is hit, depends on the processor
    assert good <= 1  # changed bytes need not change pixels
