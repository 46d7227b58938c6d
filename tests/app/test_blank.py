"""Clips in which nothing can be followed, whatever the settings."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from app.blank import blank_words, contrast_words, lost_words
from app.hinting.look import look_at
from app.hints import run_hints
from app.sources.opening import open_source
from pipelines.definition import load
from pipelines.frontend import Roi
from pipelines.streaming.common.preparing import prepare
from tests.shipped import fixed


def hints(clip: Path, pipeline: str, roi: Roi | None = None) -> list[str]:
    with closing(open_source(str(clip))) as source:
        return run_hints(source, prepare(load(pipeline), source, roi), 0, source.info.frames)


@pytest.mark.parametrize("pipeline", ["template", "vibration", "corners", "background-motion"])
def test_clips_without_anything_in_them(tmp_path: Path, pipeline: str) -> None:
    clip = tmp_path / "clip.npy"
    for value in (0, 90):
        np.save(clip, np.full((12, 48, 64), value, np.uint8))
        (hint,) = hints(clip, pipeline)
        assert hint.startswith(f"in each of frames 2 to 9 all pixels have the same value, {value}: ")
    frames = np.zeros((12, 48, 64), np.uint8)
    frames[:, :, 40:] = np.random.default_rng(2).integers(0, 255, (12, 48, 24))
    np.save(clip, frames)
    (hint,) = hints(clip, pipeline, (0, 0, 32, 48))
    assert "have the same value, 0: " in hint


def test_a_still_clip_has_nothing_that_moves(tmp_path: Path) -> None:
    still = np.random.default_rng(3).integers(0, 255, (1, 48, 64)).astype(np.uint8)
    np.save(tmp_path / "clip.npy", np.repeat(still, 12, 0))
    (hint,) = hints(tmp_path / "clip.npy", "background-motion")
    assert hint.startswith("frames 2 to 9 are the same in every pixel, so nothing moves there; ")


def test_words() -> None:
    flat, texture = np.full((4, 5), 7, np.uint8), np.arange(20, dtype=np.uint8).reshape(4, 5)
    assert blank_words([3], [flat])[0].startswith("all pixels of frame 3 have the same value, 7: ")
    (words,) = blank_words([3, 4], [flat, flat + 1])
    assert words.startswith("in each of frames 3 to 4 all pixels have the same value: ")
    assert "have the same value: " in blank_words([0], [np.full((4, 5, 3), (1, 2, 3), np.uint8)])[0]
    assert blank_words([3, 4], [flat, texture]) == []
    assert blank_words([3, 4], [texture, texture + 1]) == []
    assert blank_words([3], [texture]) == []
    assert blank_words([], []) == []
    assert blank_words([0, 1], [np.full((2, 2), np.nan)] * 2) == []


def spots(scale: float, kind: type) -> np.ndarray:
    """Three spots that move, in noise, 0 to about 1 times `scale`."""
    y, x = np.mgrid[:64, :96]
    frames = 0.05 + 0.01 * np.random.default_rng(3).normal(size=(12, 64, 96))
    for k in range(12):
        for u, v in ((20 + 0.7 * k, 20), (60 - 0.5 * k, 40 + 0.3 * k), (40, 50 - 0.4 * k)):
            frames[k] += np.exp(-((x - u) ** 2 + (y - v) ** 2) / (2 * 1.4**2))
    with np.errstate(over="ignore"):
        return np.asarray(frames * scale, kind)


@pytest.mark.parametrize("pipeline", ["blobs", "template"])
@pytest.mark.parametrize("scale", [1e-308, 1e40, 1e300])
def test_numbers_that_single_precision_does_not_hold(tmp_path: Path, pipeline: str, scale: float) -> None:
    np.save(tmp_path / "clip.npy", spots(scale, np.float64))
    (hint,) = hints(tmp_path / "clip.npy", pipeline)
    assert "single precision" in hint
    assert "bring them to about 0 to 1" in hint


@pytest.mark.parametrize("pipeline", ["blobs", "template", "vibration"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_pictures_without_a_number(tmp_path: Path, pipeline: str, value: float) -> None:
    np.save(tmp_path / "clip.npy", np.full((12, 48, 64), value, np.float32))
    (hint,) = hints(tmp_path / "clip.npy", pipeline)
    assert "no pixel of frames 2 to 9 is a number" in hint


def test_contrasts_of_which_no_squares_can_be_summed(tmp_path: Path) -> None:
    np.save(tmp_path / "clip.npy", spots(1e-39, np.float32))
    (hint,) = hints(tmp_path / "clip.npy", "vibration")
    assert "contrasts must lie between" in hint


@pytest.mark.parametrize("scale", [2.0**-60, 1e10])
def test_a_threshold_is_told_in_any_unit(tmp_path: Path, scale: float) -> None:
    """With the level that the hint names the same is found as in numbers from 0 to 1."""
    np.save(tmp_path / "clip.npy", spots(scale, np.float32))
    words = " ".join(hints(tmp_path / "clip.npy", "blobs"))
    level = float(words.split("--set bright.level=")[1].split()[0].rstrip(";")) if scale < 1 else 0.1 * scale
    with closing(open_source(str(tmp_path / "clip.npy"))) as source:
        bound = prepare(fixed("blobs").with_settings({"bright.level": level}), source, None)
        rows = look_at(source, bound, 0, 12, [ref for one in bound.trackers for ref in one.inputs.values()]).values
    assert [len(table) for table in next(iter(rows.values()))] == [3] * 8


def test_words_about_ranges() -> None:
    texture = np.arange(20.0).reshape(4, 5)
    for fine in (texture, texture * 1e-14, np.where(texture > 7, texture, np.nan), texture.astype(np.uint8)):
        assert lost_words([0], [fine]) == contrast_words([0], [fine]) == []
    assert lost_words([], []) == []
    assert "from 0 to 1.9e+41" in lost_words([0], [texture * 1e40])[0]
    assert contrast_words([0], [np.zeros((3, 3))]) == []  # that is blank
