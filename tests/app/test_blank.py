"""Clips in which nothing can be followed, whatever the settings."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from app.blank import blank_words
from app.hints import run_hints
from app.sources.opening import open_source
from pipelines.definition import load
from pipelines.frontend import Roi
from pipelines.streaming.preparing import prepare


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
