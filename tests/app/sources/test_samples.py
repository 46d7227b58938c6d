"""Real camera files: size, depth, frames and effective rate as known; exact pixels where a reference exists."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.sources.opening import open_source
from pipelines.frame import FrameSource
from tests.app.sources.writers import SAMPLES, unpack

pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="no camera samples here")


@dataclass(frozen=True)
class Known:
    kind: str
    width: int
    height: int
    frames: int
    fps: float
    bits: int
    packing: str = "none"
    first: int = 0
    declared: int = 0
    color: str = "mono"


KNOWN = {
    "mraw/ball_12bit.mraw": Known("mraw", 384, 384, 15, 30000, 12, "msb12", 52),
    "mraw/beam.mraw": Known("mraw", 1024, 80, 4, 20, 12),
    "mraw/data_showcase.mraw": Known("mraw", 640, 40, 75, 150, 8),
    "cine/cine_781.cine": Known("cine", 256, 256, 15, 9003.2, 12, first=-5417),
    "cine/phantom_v611_raw_16bpp.cine": Known("cine", 256, 128, 6, 2000, 12, first=151325),
    "cine/phantom_v1610.cine": Known("cine", 256, 128, 6, 100, 8, first=-85),
    "cine/packed_12bpp.cine": Known("cine", 256, 128, 6, 100, 12, "msb10", 60),
    "cine/8bpp.cine": Known("cine", 128, 16, 202, 10000, 8, first=-100),
    "mechanism_tif": Known("images", 640, 480, 20, float("nan"), 8, first=4870),
    "video/mouse_250fps.mp4": Known("video", 396, 406, 994, 250, 8, color="rgb"),
    "video/opencv_box.mp4": Known("video", 640, 480, 455, 29.97, 8, declared=456, color="rgb"),
    "video/bulk-water.mov": Known("video", 640, 424, 480, 23.976, 8, color="rgb"),
}


@pytest.mark.parametrize("name", KNOWN)
def test_each_sample_is_what_it_is_known_to_be(name: str) -> None:
    known = KNOWN[name]
    source = open_source(SAMPLES / name)
    info = source.info
    assert (info.kind, info.width, info.height, info.frames) == (known.kind, known.width, known.height, known.frames)
    assert info.declared_frames == (known.declared or known.frames)
    assert (info.format.bits, info.format.packing, info.format.color) == (known.bits, known.packing, known.color)
    assert info.first_number == known.first
    assert info.time.fps == pytest.approx(known.fps, rel=2e-4, nan_ok=True)
    stamps = info.time.stamps
    if np.isfinite(known.fps):  # of the sequence's numbers none is a trigger's
        assert info.time.time(0) == pytest.approx(known.first / known.fps, abs=2 / known.fps, rel=1e-3)
    assert stamps is None or ((np.diff(stamps) > 0).all() and len(stamps) == info.frames)
    frame = source.read(info.frames - 1)
    assert (frame.shape, frame.dtype) == (info.image.shape, info.image.dtype.numpy)
    source.close()


@pytest.mark.parametrize("name", KNOWN)
def test_random_access_equals_sequential(name: str) -> None:
    source = open_source(SAMPLES / name)
    count = min(source.info.frames, 100)
    sequential = [hash(source.read(k).tobytes()) for k in range(count)]
    if not name.startswith("cine/phantom_v1610"):  # a scene at rest
        assert len(set(sequential)) > count // 2
    for k in np.random.default_rng(3).permutation(count)[:12].tolist():
        assert hash(source.read(k).tobytes()) == sequential[k]
    source.close()


def rawi(name: str) -> Any:
    data = (SAMPLES / "cine" / name).read_bytes()
    width, height, size = struct.unpack_from("<3I", data)
    assert size == 8
    return np.frombuffer(data, "<f8", offset=12).reshape(height, width) * 4095 / 255


def first_frame(name: str) -> tuple[FrameSource, Any]:
    source = open_source(SAMPLES / "cine" / name)
    return source, np.array(source.read(0))


def test_sixteen_bit_cine_is_exact() -> None:
    source, frame = first_frame("phantom_v611_raw_16bpp.cine")
    np.testing.assert_allclose(frame, rawi("phantom_v611_raw_16bpp_d_0.rawi"), atol=1e-9)
    source.close()


def test_packed_ten_bit_cine_is_exact_after_its_table() -> None:
    source, frame = first_frame("packed_12bpp.cine")
    codes = np.array([unpack(row, 256, 10) for row in frame])
    linear = np.asarray(source.info.format.lut)[codes]
    np.testing.assert_allclose(linear, rawi("packed_12bpp_d_0.rawi"), atol=1e-9)
    source.close()


def test_flip_of_the_operator_is_said() -> None:
    source, _ = first_frame("cine_781.cine")
    assert source.info.metadata["flipped_vertically"] is True
    assert "every 10th frame was saved" in source.info.warnings[0]
    assert source.info.metadata["camera"] == "Phantom v2012"
    source.close()


def test_packed_twelve_bit_mraw_shows_the_ball() -> None:
    source = open_source(SAMPLES / "mraw" / "ball_12bit.cihx")
    image = np.array([unpack(row, 384, 12) for row in source.read(0)[::8]])
    assert image.max() <= 4095
    # Neighbouring pixels of a picture resemble each other; a wrong nibble order would not.
    assert np.abs(np.diff(image, axis=1)).mean() < 0.1 * image.std() + 40
    source.close()


def test_save_steps_are_said() -> None:
    for name, step in (("beam.cihx", "2500"), ("data_showcase.cih", "100")):
        source = open_source(SAMPLES / "mraw" / name)
        assert step in source.info.time.note
        source.close()


def test_disordered_video_is_said() -> None:
    source = open_source(SAMPLES / "video" / "opencv_box.mp4")
    said = " ".join(source.info.warnings)
    assert "leaves out 1 of the 456 frames" in said
    assert "sorted" in said
    source.close()


def test_short_copies_of_the_samples_serve_whole_frames(tmp_path: Path) -> None:
    data = (SAMPLES / "cine" / "8bpp.cine").read_bytes()
    (tmp_path / "a.cine").write_bytes(data[: len(data) // 2])
    source = open_source(tmp_path / "a.cine")
    assert 90 < source.info.frames < 101
    assert source.info.declared_frames == 202
    source.close()
