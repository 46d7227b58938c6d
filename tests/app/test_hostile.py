"""Odd ways to call a run, and what a run leaves when something breaks in the middle."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.controller import run_clip
from kernels.opencv import cv2
from tests.app.batch.made import torn


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


def test_what_a_run_finds_in_the_frames_stands_in_its_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pixels = spots(8).astype(np.float32) / 255
    pixels[5, 0, 0] = np.nan
    np.save(tmp_path / "clip.npy", pixels)
    outcome = run_clip(tmp_path / "clip.npy", "blobs", fps=1000.0, out=tmp_path / "a", overlay=False)
    assert "frame 5 holds values that are no numbers" in str(outcome.summary["source"])
    words = ["run", str(tmp_path / "clip.npy"), "--no-overlay", "-q", "--out", str(tmp_path / "b")]
    assert main(words) == 0
    assert "warning  frame 5 holds values that are no numbers" in capsys.readouterr().out


def test_ctrl_c_promises_only_what_the_command_keeps(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def pressed(*_given: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("app.commands.info.open_source", pressed)
    monkeypatch.setattr("app.commands.run.run_clip", pressed)
    assert main(["info", "clip.npy"]) == 130
    assert capsys.readouterr().err == "fusetrack: stopped\n"
    assert main(["run", "clip.npy"]) == 130
    assert capsys.readouterr().err.endswith("stopped; the rows and frames written so far are kept\n")


def test_a_clip_without_any_frame_that_can_be_read_is_bad_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    torn(tmp_path / "clips/torn.avi", 0)
    assert main(["run", str(tmp_path / "clips/torn.avi"), "--quiet", "--no-overlay", "--out", str(tmp_path)]) == 2
    assert "none of its 8 frames could be read; the first: its data are damaged" in capsys.readouterr().err
