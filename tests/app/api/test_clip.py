"""`fusetrack.open`: clips iterate, index and slice as sequences of plain pictures."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app import launcher as fusetrack
from kernels.errors import InputError
from tests.app.api.moving import spots

CLIP = Path(__file__).parents[3] / "sample_videos/vortex_600fps.avi"


@pytest.fixture
def pixels() -> np.ndarray:
    return spots(9)


def test_a_clip_is_a_sequence_of_pictures(pixels: np.ndarray, tmp_path: Path) -> None:
    np.save(tmp_path / "clip.npy", pixels)
    with fusetrack.open(tmp_path / "clip.npy", fps=250) as clip:
        assert len(clip) == 9
        assert clip.shape == pixels.shape
        assert (clip.ndim, clip.dtype, clip.fps) == (3, np.uint8, 250)
        np.testing.assert_array_equal(clip.times, np.arange(9) / 250)
        np.testing.assert_array_equal(clip[3], pixels[3])
        np.testing.assert_array_equal(clip[-1], pixels[-1])
        np.testing.assert_array_equal(np.stack([*clip]), pixels)
        np.testing.assert_array_equal(np.asarray(clip), pixels)
        np.testing.assert_array_equal(np.asarray(clip, np.float32), pixels.astype(np.float32))
        np.testing.assert_array_equal(np.mean(clip, axis=0), pixels.mean(axis=0))
        np.testing.assert_array_equal(clip[1:3] - pixels[0], pixels[1:3] - pixels[0])
        assert "9 frames, 80 x 64, uint8, 250 fps" in repr(clip)


@pytest.mark.parametrize(
    "key",
    [slice(2, 7), slice(None, None, 2), slice(-3, None), slice(None, None, -1), slice(4, 4), [1, 5, -1],
     np.array([2, 0]), np.arange(9) % 2 == 0, (slice(1, 4), slice(5, 9), 3), (2, 4), (2, slice(3, 5), slice(None)),
     (..., 4), ...],
)  # fmt: skip
def test_every_way_of_indexing_is_that_of_an_array(pixels: np.ndarray, key: Any) -> None:
    clip = fusetrack.open(pixels)
    np.testing.assert_array_equal(np.asarray(clip[key]), pixels[key])


def test_parts_of_parts_and_their_times(pixels: np.ndarray) -> None:
    clip = fusetrack.open(pixels, fps=100)
    part = clip[1:8][::2]
    assert [*part.numbers] == [1, 3, 5, 7]
    assert part.fps == 50
    np.testing.assert_allclose(part.times, [0.01, 0.03, 0.05, 0.07])
    np.testing.assert_array_equal(part[1:][0], pixels[3])
    assert "1:8:2 of 9" in repr(part)


def test_a_part_lives_on_when_the_clip_is_let_go(tmp_path: Path, pixels: np.ndarray) -> None:
    np.save(tmp_path / "clip.npy", pixels)
    part = fusetrack.open(tmp_path / "clip.npy")[2:5]
    gc.collect()
    np.testing.assert_array_equal(part[0], pixels[2])
    part.close()
    with pytest.raises(ValueError, match="closed"):
        part[1]


def test_pictures_are_plain(pixels: np.ndarray) -> None:
    colours = np.stack([pixels, pixels // 2, pixels // 3], axis=-1)
    clip = fusetrack.open(colours[..., ::-1], color="bgr")
    assert clip.shape == (9, 64, 80, 3)
    np.testing.assert_array_equal(clip[4], colours[4])
    mosaic = fusetrack.open(pixels, color="rggb")
    assert mosaic.shape == (9, 64, 80, 3)
    np.testing.assert_array_equal(mosaic[2], fusetrack.apply(pixels, "bayer", pattern="rggb")[2])
    turned = fusetrack.open(pixels, turn=90)
    np.testing.assert_array_equal(turned[1], np.rot90(pixels[1], -1))


def test_videos_and_scenes_open(tmp_path: Path) -> None:
    with fusetrack.open(CLIP) as clip:
        assert clip[10:20].shape == (10, 288, 384)
        assert clip.fps == 600
        assert clip.info.kind == "video"
    scene = fusetrack.open("sim:vortex?frames=4&width=64&height=48")
    assert scene.shape == (4, 48, 64)


@pytest.mark.parametrize(
    ("key", "kind", "words"),
    [("x", TypeError, "not by 'x'"), (1.5, TypeError, "not by 1.5"), (9, IndexError, "frames 0 to 8, not 9"),
     (-10, IndexError, "not -10"), ([0, 99], IndexError, "not 99"), (np.ones(3, bool), IndexError, "does not fit 9"),
     ([[1]], TypeError, "by their numbers or by a mask")],
)  # fmt: skip
def test_wrong_keys_are_refused(pixels: np.ndarray, key: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind) as caught:
        fusetrack.open(pixels)[key]
    assert words in str(caught.value)


def test_what_is_told_twice_is_refused(pixels: np.ndarray, tmp_path: Path) -> None:
    np.save(tmp_path / "clip.npy", pixels)
    with pytest.raises(InputError, match=r"fps= is for .* give it to fusetrack\.open"):
        fusetrack.track(fusetrack.open(pixels), fps=3)
    with pytest.raises(InputError, match="times= is for arrays"):
        fusetrack.open(tmp_path / "clip.npy", times=np.arange(9))
    with pytest.raises(InputError, match="fusetrack record"):
        fusetrack.open("cam:0")


def test_values_that_are_no_numbers_are_noted(pixels: np.ndarray) -> None:
    broken = pixels.astype(np.float32)
    broken[3, 5, 5] = np.nan
    made = fusetrack.track(broken, "blobs", fps=100, bright__level=30)
    assert any("no numbers" in note for note in made.notes)
