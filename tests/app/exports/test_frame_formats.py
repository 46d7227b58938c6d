"""Exported frames are read back by the ecosystem's readers and by our own: the same bits."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import pytest
import tifffile
from hypothesis import given, settings
from hypothesis import strategies as st

from app.exports.formats.array import write_npy
from app.exports.formats.ffv1 import write_ffv1
from app.exports.formats.mraw import pack_msb12, write_mraw
from app.exports.formats.overlay_video import write_overlay
from app.exports.formats.png import write_png
from app.exports.formats.tiff import write_tiff
from app.exports.frame_stack import FrameStack
from app.exports.scale import Scale
from app.sources.opening import open_source
from kernels.errors import InputError
from kernels.opencv import cv2
from pipelines.frame import PixelFormat, Pixels
from tests.app.exports.clips import Clip, noise, packed
from tests.app.exports.made import random_tracks

Write = Callable[[FrameStack, Path], None]
WRITERS: dict[str, tuple[str, Write]] = {
    "mkv": ("x.mkv", write_ffv1),
    "mraw": ("x.mraw", write_mraw),
    "tiff": ("x.tif", write_tiff),
    "bigtiff": ("x.tif", lambda stack, path: write_tiff(stack, path, most_classic=0)),
    "npy": ("x.npy", write_npy),
    "png": ("pictures", write_png),
}


def back(path: Path) -> Pixels:
    """What our own reader delivers, plain."""
    source = open_source(path)
    try:
        return np.stack([frame.copy() for frame in FrameStack(source)])
    finally:
        source.close()


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("bits", [8, 10, 12, 14, 16])
def test_our_own_reader_reads_the_same_bits(tmp_path: Path, name: str, bits: int) -> None:
    frames = noise(7, 12, 18, bits)
    clip = Clip(frames, PixelFormat("mono", bits))
    target, write = WRITERS[name]
    write(FrameStack(clip), tmp_path / target)
    np.testing.assert_array_equal(back(tmp_path / target), frames)
    assert {file.name for file in tmp_path.iterdir()} <= {target, "x.cih"}


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("channels", [3, 4])
def test_colour_keeps_its_bits(tmp_path: Path, name: str, bits: int, channels: int) -> None:
    frames = noise(3, 9, 14, bits, channels)
    form = PixelFormat({3: "bgr", 4: "bgra"}[channels], bits)
    target, write = WRITERS[name]
    stack = FrameStack(Clip(frames, form))
    wanted = frames[..., [2, 1, 0, 3][:channels]]
    if (name == "mraw" and channels == 4) or (name == "mkv" and channels == 4 and bits == 16):
        with pytest.raises(InputError, match="write --to tiff"):
            write(stack, tmp_path / target)
        assert not list(tmp_path.iterdir())
        return
    write(stack, tmp_path / target)
    if name == "mkv" and channels == 4:  # our reader shows video without alpha
        with av.open(str(tmp_path / target)) as file:
            decoded = np.stack([frame.to_ndarray(format="rgba") for frame in file.decode(video=0)])
        np.testing.assert_array_equal(decoded, wanted)
    else:
        np.testing.assert_array_equal(back(tmp_path / target), wanted)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_stack_is_what_the_camera_measured(data: st.DataObject) -> None:
    bits = data.draw(st.sampled_from([10, 12]))
    width, height = 4 * data.draw(st.integers(1, 5)), data.draw(st.integers(1, 6))
    values = noise(3, height, width, bits, seed=data.draw(st.integers(0, 99)))
    how = data.draw(st.sampled_from(["packed", "shifted", "table"]))
    if how == "packed":
        clip = Clip(packed(values, bits), PixelFormat("mono", bits, f"msb{bits}"), width)
        wanted = values
    elif how == "shifted":
        clip, wanted = Clip(values << (16 - bits), PixelFormat("mono", bits, "none", 16 - bits)), values
    else:
        table = np.sort(np.random.default_rng(1).integers(0, 4096, 1 << bits))
        table[-1] = 4095
        clip = Clip(packed(values, bits), PixelFormat("mono", bits, f"msb{bits}", 0, tuple(table.tolist())), width)
        wanted, bits = table[values].astype(np.uint16), 12
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, height - 1))
    w, h = data.draw(st.integers(1, width - x)), data.draw(st.integers(1, height - y))
    stack = FrameStack(clip, (1, None), (x, y, w, h))
    assert (len(stack), stack.bits, stack.shape, stack.dtype) == (2, bits, (h, w), np.uint16)
    np.testing.assert_array_equal(np.stack([f.copy() for f in stack]), wanted[1:, y : y + h, x : x + w])


@pytest.mark.parametrize("bits", [8, 12, 16])
def test_pymraw_reads_the_same_bits(tmp_path: Path, bits: int) -> None:
    pymraw = pytest.importorskip("pyMRAW")
    frames = noise(6, 8, 20, bits)
    path = tmp_path / "shot.mraw"
    stack = FrameStack(Clip(frames, PixelFormat("mono", bits), fps=2500.5, metadata={"camera": "A : B"}), (1, 6))
    for use_packed in (False, True) if bits == 12 else (False,):
        write_mraw(stack, path, use_packed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "Not 12bit image!"
            images, header = pymraw.load_video(str(tmp_path / "shot.cih"))
        np.testing.assert_array_equal(np.asarray(images), frames[1:])
        assert header["Record Rate(fps)"] == 2500.5
        assert (header["Total Frame"], header["Start Frame"]) == (5, -4)
        assert header["Color Bit"] == (12 if use_packed else bits if bits == 8 else 16)
        assert header["EffectiveBit Depth"] == bits
        del images
        assert path.stat().st_size == 5 * 160 * (3 if use_packed else 2 * (1 + (bits > 8))) // 2
        source = open_source(path)
        assert source.info.time.fps == 2500.5
        assert source.info.first_number == -4
        assert source.info.format.packing == ("msb12" if use_packed else "none")
        np.testing.assert_array_equal(np.stack([f.copy() for f in FrameStack(source)]), frames[1:])
        source.close()


def test_packing_is_bit_by_bit() -> None:
    values = noise(1, 6, 10, 12)
    np.testing.assert_array_equal(pack_msb12(values[0]), packed(values[0].reshape(1, -1), 12)[0])


def test_mraw_says_what_does_not_fit(tmp_path: Path) -> None:
    for clip, how in (
        (Clip(np.zeros((2, 4, 4), np.float32)), False),
        (Clip(noise(2, 4, 4, 14), PixelFormat("mono", 14)), True),
        (Clip(noise(2, 3, 5, 12), PixelFormat("mono", 12)), True),
    ):
        with pytest.raises(InputError):
            write_mraw(FrameStack(clip), tmp_path / "x.mraw", how)
    stack = FrameStack(Clip(noise(2, 4, 4, 13), PixelFormat("mono", 16)), bits=12)
    with pytest.raises(InputError, match="more than 12 bits"):
        write_mraw(stack, tmp_path / "x.mraw", True)
    assert not list(tmp_path.iterdir())


def test_gray_video_is_one_channel(tmp_path: Path) -> None:
    frames = noise(4, 8, 10, 8)
    colour = np.repeat(frames[..., None], 3, axis=3)
    write_mraw(FrameStack(Clip(colour), gray=True), tmp_path / "x.mraw")
    np.testing.assert_array_equal(back(tmp_path / "x.mraw"), frames)
    colour[2, 3, 4, 1] ^= 1
    with pytest.raises(InputError, match=r"frame 2 of made\.cine has colours"):
        write_mraw(FrameStack(Clip(colour), gray=True), tmp_path / "x.mraw")
    np.testing.assert_array_equal(back(tmp_path / "x.mraw"), frames)  # the old one stays


def test_mosaic_is_named(tmp_path: Path) -> None:
    stack = FrameStack(Clip(noise(2, 8, 8, 12), PixelFormat("rggb", 12)), None, (1, 0, 6, 6))
    write_mraw(stack, tmp_path / "x.mraw")
    assert stack.mosaic == "grbg"
    source = open_source(tmp_path / "x.mraw")
    assert source.info.format.color == "grbg"
    source.close()


@pytest.mark.parametrize(("bits", "fps"), [(8, 1000.0), (12, 15000.0), (16, 59.94), (8, 240_000.0)])
def test_ffv1_has_exact_times(tmp_path: Path, bits: int, fps: float) -> None:
    frames = noise(30, 16, 22, bits)
    path = tmp_path / "x.mkv"
    stamps = np.arange(30) / fps
    stamps[10:] += 7.3 / fps  # dropped frames
    write_ffv1(FrameStack(Clip(frames, PixelFormat("mono", bits), fps=fps, stamps=stamps.tolist())), path)
    with av.open(str(path)) as file:
        stream = file.streams.video[0]
        assert (stream.codec_context.name, stream.format.name) == ("ffv1", f"gray{f'{bits}le' if bits > 8 else ''}")
        assert float(file.metadata["CAPTURE_RATE"]) == fps
        decoded = [(float(f.pts * f.time_base), f.to_ndarray()) for f in file.decode(video=0)]
    tick = 1e-6 if fps <= 1000 else 1e-8 if fps > 10_000 else 1e-7
    np.testing.assert_allclose([time for time, _ in decoded], stamps, rtol=0, atol=0.51 * tick)
    np.testing.assert_array_equal(np.stack([pixels for _, pixels in decoded]), frames)
    source = open_source(path)
    np.testing.assert_allclose(source.info.time.stamps, stamps, rtol=0, atol=0.51 * tick)
    assert np.array_equal(source.read(17), frames[17])  # at random, after the index alone
    source.close()


def test_ffv1_can_be_played_slowly(tmp_path: Path) -> None:
    write_ffv1(FrameStack(Clip(noise(4, 8, 8, 8), fps=5000.0)), tmp_path / "x.mkv", playback=25)
    with av.open(str(tmp_path / "x.mkv")) as file:
        assert file.streams.video[0].average_rate == 25
        assert file.metadata["CAPTURE_RATE"] == "5000.0"


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize(("width", "height"), [(1, 1), (2, 1), (1, 3), (5, 3), (7, 9), (1030, 1025)])
def test_any_size(tmp_path: Path, name: str, width: int, height: int) -> None:
    frames = noise(2, height, width, 12)
    target, write = WRITERS[name]
    if (width == 1 and "tiff" in name) or (name, width, height) == ("mkv", 1, 3):
        with pytest.raises(InputError, match="write --to npy"):
            write(FrameStack(Clip(frames, PixelFormat("mono", 12))), tmp_path / target)
        assert not list(tmp_path.iterdir())
        return
    write(FrameStack(Clip(frames, PixelFormat("mono", 12))), tmp_path / target)
    np.testing.assert_array_equal(back(tmp_path / target), frames)


@pytest.mark.parametrize("big", [False, True])
def test_tiff_tells_its_times(tmp_path: Path, big: bool) -> None:
    frames, path = noise(5, 6, 9, 16), tmp_path / "x.tif"
    stack = FrameStack(Clip(frames, fps=500.0), (1, 5))
    write_tiff(stack, path, Scale(0.25, "mm"), **({"most_classic": 0} if big else {}))
    np.testing.assert_array_equal(tifffile.imread(path), frames[1:])
    np.testing.assert_array_equal(tifffile.memmap(path, mode="r"), frames[1:])
    with tifffile.TiffFile(path) as file:
        assert file.is_bigtiff == big
        assert file.is_imagej != big
        told = file.imagej_metadata if file.is_imagej else file.shaped_metadata[0]
        assert told["finterval"] == 0.002
        assert told["unit"] == "mm"
        assert file.pages[0].tags["XResolution"].value[0] / file.pages[0].tags["XResolution"].value[1] == 4.0
        if big:
            assert told["times_s"] == [0.002, 0.004, 0.006, 0.008]
        else:  # ImageJ takes the first page and believes that all pictures follow it
            assert told["images"] == 4
            assert told["Labels"][1] == "frame 2 t=0.004 s"
            start = file.pages[0].dataoffsets[0]
            raw = path.read_bytes()[start : start + frames[1:].nbytes]
            np.testing.assert_array_equal(np.frombuffer(raw, "<u2").reshape(4, 6, 9), frames[1:])


def test_floats_stay_floats(tmp_path: Path) -> None:
    frames = np.random.default_rng(0).normal(size=(3, 5, 7)).astype(np.float32)
    for name, path in (("tiff", tmp_path / "x.tif"), ("npy", tmp_path / "x.npy")):
        WRITERS[name][1](FrameStack(Clip(frames)), path)
        np.testing.assert_array_equal(back(path), frames)
    for name in ("mkv", "png"):
        with pytest.raises(InputError, match="write --to tiff"):
            WRITERS[name][1](FrameStack(Clip(frames)), tmp_path / "no.x")


def test_png_and_npy_by_their_own_readers(tmp_path: Path) -> None:
    frames = noise(3, 6, 5, 16)
    write_png(FrameStack(Clip(frames), (1, 3)), tmp_path / "p")
    assert sorted(file.name for file in (tmp_path / "p").iterdir()) == ["frame_000001.png", "frame_000002.png"]
    np.testing.assert_array_equal(cv2.imread(str(tmp_path / "p/frame_000002.png"), cv2.IMREAD_UNCHANGED), frames[2])
    write_npy(FrameStack(Clip(frames)), tmp_path / "x.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), frames)


def test_a_killed_export_of_pictures_is_cleared_away(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    for number in (dead.pid, os.getppid()):
        (tmp_path / f".p.{number}.part").mkdir()
        (tmp_path / f".p.{number}.part" / "frame_000000.png").write_bytes(b"half")
    write_png(FrameStack(Clip(noise(2, 4, 4, 8))), tmp_path / "p")
    assert {file.name for file in tmp_path.iterdir()} == {"p", f".p.{os.getppid()}.part"}


def test_overlay_draws_the_rows_of_its_frames(tmp_path: Path) -> None:
    rows = random_tracks(6, 1, mixed=False)
    rows["x"], rows["y"] = 40.0, 30.0
    frames = np.full((6, 64, 96), 100, np.uint8)
    frames[:, 0, :2] = 0, 255
    for name, tracks in (("with.mp4", rows), ("without.mp4", None)):
        write_overlay(FrameStack(Clip(frames), (2, 6), (16, 16, 64, 32)), tmp_path / name, tracks)
    with av.open(str(tmp_path / "with.mp4")) as a, av.open(str(tmp_path / "without.mp4")) as b:
        drawn, plain = ([f.to_ndarray(format="rgb24").astype(int) for f in file.decode(video=0)] for file in (a, b))
    assert len(drawn) == len(plain) == 4
    factor = drawn[0].shape[1] / 64
    y, x = np.argwhere(np.abs(drawn[3] - plain[3]).max(2)[: round(32 * factor)] > 60).mean(0)
    # A ring around (40 - 16, 30 - 16), its number to the upper right.
    assert abs(x / factor - 24) < 3
    assert abs(y / factor - 14) < 3


@pytest.mark.parametrize("name", [*WRITERS, "mp4"])
def test_nothing_half_is_left(tmp_path: Path, name: str) -> None:
    frames = noise(9, 40, 64, 8)
    target, write = WRITERS.get(name, ("x.mp4", lambda stack, path: write_overlay(stack, path, None)))
    with pytest.raises(KeyboardInterrupt):
        write(FrameStack(Clip(frames, stop=7)), tmp_path / target)
    with pytest.raises(InputError, match="frame 7: it is broken"):
        write(FrameStack(Clip(frames, bad=(7,))), tmp_path / target)
    assert not list(tmp_path.iterdir())
    stack = FrameStack(Clip(frames, bad=(7,)), blank=True)
    write(stack, tmp_path / target)
    assert stack.bad == [(7, "it is broken")]
    if name not in ("mp4",):
        wanted = frames.copy()
        wanted[7] = 0
        np.testing.assert_array_equal(back(tmp_path / target), wanted)


@pytest.mark.parametrize("name", [*WRITERS, "mp4"])
def test_a_full_disk_is_one_sentence(small_disk: Path, name: str) -> None:
    frames = noise(60, 100, 100, 8)  # 600 kB that do not compress
    target, write = WRITERS.get(name, ("x.mp4", lambda stack, path: write_overlay(stack, path, None)))
    with pytest.raises(InputError, match="the disk is full") as caught:
        write(FrameStack(Clip(frames)), small_disk / target)
    assert "\n" not in str(caught.value)
    assert not list(small_disk.iterdir())


def test_ctrl_c_in_ffv1_prints_nothing_and_leaves_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """libav has frames in hand then, and prints a failure of its own if their file is closed before it is."""
    stack = FrameStack(Clip(noise(40, 64, 64, 8), stop=30))
    with pytest.raises(KeyboardInterrupt):
        write_ffv1(stack, tmp_path / "a.mkv")
    assert capfd.readouterr() == ("", "")
    assert not list(tmp_path.iterdir())
