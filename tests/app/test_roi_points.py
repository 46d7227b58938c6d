"""Points that the user gives count from the whole picture's corner, also where a region is processed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from app.controller import run_clip

CLIP = Path(__file__).parents[2] / "sample_videos" / "beam_1000fps.mp4"
POINTS = ((121.4, 95.5), (309.1, 95.5))


def test_points_of_a_region_are_those_of_the_whole_picture(tmp_path: Path) -> None:
    whole, part = (
        run_clip(CLIP, "template", points=POINTS, roi=roi, frames=(0, 3), out=tmp_path / name, overlay=False).tracks
        for name, roi in (("whole", None), ("part", (40, 30, 340, 130)))
    )
    for rows in (whole, part):
        first = rows[rows["frame"] == 0]
        np.testing.assert_allclose(np.stack([first["x"], first["y"]], 1), POINTS, atol=0.2)
    np.testing.assert_allclose(part["x"], whole["x"], atol=0.02)
    np.testing.assert_allclose(part["y"], whole["y"], atol=0.02)
