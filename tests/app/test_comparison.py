"""A run beside its truth where the clip lacks frames, or some cannot be read."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.controller import run_clip
from kernels.opencv import cv2

FRAMES, LOST, DAMAGED = 60, (7, 8, 31), 40


def pictures(folder: Path) -> Path:
    """A spot that moves by 0.5 px a frame: frames 7, 8 and 31 were never saved, 40 is no picture."""
    folder.mkdir()
    y, x = np.mgrid[:48, :64]
    for frame in range(FRAMES):
        if frame not in LOST:
            spot = 20 + 180 * np.exp(-((x - 15 - 0.5 * frame) ** 2 + (y - 24) ** 2) / 4.5)
            cv2.imwrite(str(folder / f"f{frame:03d}.png"), spot.astype(np.uint8))
    (folder / f"f{DAMAGED:03d}.png").write_bytes(b"no picture")
    rows = [f"{frame},{frame / 500},0,{15 + 0.5 * frame},24" for frame in range(FRAMES)]
    truth = folder.parent / "truth.csv"
    truth.write_text("\n".join(["frame,time_s,track,x_px,y_px", *rows]) + "\n")
    return truth


def test_frames_that_the_clip_lacks_shift_no_truth(tmp_path):
    truth = pictures(tmp_path / "clip")
    for fps in (500.0, None):
        outcome = run_clip(tmp_path / "clip", fps=fps, truth=truth, out=tmp_path / "out", overlay=False)
        scores = outcome.scores
        assert scores is not None
        assert scores.rmse < 0.05
        assert (scores.false, scores.id_switches) == (0, 0)
        assert scores.misses == 1  # the frame that is there and cannot be read
        assert "3 frames that the tracks' clip lacks are left out" in outcome.compared
    part = run_clip(tmp_path / "clip", fps=500, frames=(20, None), truth=truth, out=tmp_path / "part", overlay=False)
    assert part.scores is not None
    assert part.scores.rmse < 0.05
    assert (part.scores.false, part.scores.misses) == (0, 1)
