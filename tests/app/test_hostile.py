"""Odd ways to call a run, and what a run leaves when something breaks in the middle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.controller import run_clip
from kernels.host.opencv import cv2


def spots(frames: int, height: int = 24, width: int = 32) -> np.ndarray:
    y, x = np.mgrid[:height, :width]
    return np.array(
        [np.clip(10 + 200 * np.exp(-((x - 8 - t / 4) ** 2 + (y - 12) ** 2) / 5), 0, 255) for t in range(frames)]
    ).astype(np.uint8)


@pytest.mark.parametrize("place", [".", "./", "../here"])
def test_a_folder_of_images_may_be_the_one_in_which_one_stands(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = tmp_path / "here"
    here.mkdir()
    for i, picture in enumerate(spots(5)):
        cv2.imwrite(str(here / f"f_{i}.png"), picture)
    monkeypatch.chdir(here)
    assert main(["run", place, "--quiet", "--no-overlay", "--out", str(tmp_path / "out")]) == 0


def test_the_same_clip_gives_the_same_bytes_in_any_batch(tmp_path: Path) -> None:
    np.save(tmp_path / "clip.npy", spots(19))
    made: dict[str, list[bytes]] = {}
    for batch in (1, 3, 16, 16):
        run_clip(tmp_path / "clip.npy", "blobs", fps=1000.0, batch=batch, out=tmp_path / "out", overlay=False)
        files = [(tmp_path / "out" / name).read_bytes() for name in ("tracks.csv", "tracks.parquet")]
        assert made.setdefault("first", files) == files
    assert made["first"][0].count(b"\n") > 10
