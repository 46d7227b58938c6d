"""The main job on the shipped clips and on real camera files: the accuracy that the README promises."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.controller import Outcome, run_clip
from pipelines.evaluation import Scores
from pipelines.features import State

ROOT = Path(__file__).parents[2]
CLIPS = ROOT / "sample_videos"
SAMPLES = Path(os.environ.get("FUSETRACK_SAMPLES", ROOT.parent / "shared" / "samples"))
real = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the real camera files are not here")


def run(clip: Path | str, pipeline: str, out: Path, **options: Any) -> Outcome:
    return run_clip(clip, pipeline, out=out, overlay=False, **options)


def good(scores: Scores | None, rmse: float) -> None:
    assert scores is not None
    assert scores.recall >= 0.98, asdict(scores)
    assert scores.precision >= 0.98, asdict(scores)
    assert scores.id_switches == 0, asdict(scores)
    assert scores.rmse <= rmse, asdict(scores)


def test_markers_on_a_face(tmp_path: Path) -> None:
    outcome = run(CLIPS / "face_markers_800fps.avi", "facial-markers", tmp_path)
    good(outcome.scores, 0.10)
    assert outcome.source.time.fps == 800


def test_particles_in_a_vortex(tmp_path: Path) -> None:
    good(run(CLIPS / "vortex_600fps.avi", "blobs", tmp_path).scores, 0.10)


def test_points_on_a_beam(tmp_path: Path) -> None:
    clip = CLIPS / "beam_1000fps.avi"
    truth = np.genfromtxt(clip.with_suffix(".truth.csv"), delimiter=",", names=True)
    first = truth[truth["frame"] == 0]
    points = tuple(zip(first["x_px"].tolist(), first["y_px"].tolist(), strict=True))
    good(run(clip, "template", tmp_path, points=points).scores, 0.05)


def test_a_falling_ball_gives_g(tmp_path: Path) -> None:
    outcome = run(CLIPS / "falling_ball_1000fps.avi", "objects", tmp_path)
    good(outcome.scores, 0.10)
    rows = outcome.tracks[outcome.tracks["state"] == State.TRACKED]
    assert len(np.unique(rows["track"])) == 1
    half_g = np.polyfit(rows["time"], rows["y"] / PIXELS_PER_METRE, 2)[0]
    assert 2 * half_g == pytest.approx(9.81, rel=0.01)


PIXELS_PER_METRE = 500.0
"""The ruler's centimetres stand 5 px apart in the clip (sample_videos/README.md)."""


@real
def test_the_parts_of_a_mechanism(tmp_path: Path) -> None:
    gold = [np.genfromtxt(SAMPLES / "mechanism_tif" / "gold" / f"DICe_solution_{k}.txt", delimiter=",", names=True)
            for k in range(3)]  # fmt: skip
    starts = tuple((float(g["COORDINATE_X"][0]), float(g["COORDINATE_Y"][0])) for g in gold)
    outcome = run(SAMPLES / "mechanism_tif", "template", tmp_path, points=starts,
                  settings={"track.window": 41, "track.model": "rigid"})  # fmt: skip
    tracks = outcome.tracks
    for k, g in enumerate(gold):
        rows = tracks[tracks["track"] == k]
        assert len(rows) == 20
        assert (rows["state"] == State.TRACKED).all()
        error = np.hypot(rows["x"] - g["COORDINATE_X"][:20] - g["DISPLACEMENT_X"][:20],
                         rows["y"] - g["COORDINATE_Y"][:20] - g["DISPLACEMENT_Y"][:20])  # fmt: skip
        assert error.max() < 0.3


BALL = """
[stages.gray]
[stages.dark]
use = "{use}"
polarity = "dark"
{level}
[stages.bodies]
use = "components"
min_area = 1000
max_area = 20000
[trackers.follow]
use = "blob"
inputs = "bodies"
"""
"""The reference is the centroid of the pixels below a level. Its note says 2000 of 4095; at that level it cannot be
reproduced (a constant 0.33 px in y, because the rim of the highlight inside the ball counts or does not). Levels from
2900 to 3600 stay within 0.2 px everywhere; Otsu's level, which nobody chose, stays within 0.2 px rms."""


@real
@pytest.mark.parametrize(("use", "level"), [("threshold", "level = 3200"), ("otsu", "")])
def test_a_ball_in_twelve_packed_bits(tmp_path: Path, use: str, level: str) -> None:
    (tmp_path / "ball.toml").write_text(BALL.format(use=use, level=level))
    outcome = run(SAMPLES / "mraw" / "ball_12bit.mraw", str(tmp_path / "ball.toml"), tmp_path / "o")
    reference = np.genfromtxt(SAMPLES / "mraw" / "ball_12bit_reference_track.csv", delimiter=",", names=True,
                              skip_header=1)  # fmt: skip
    tracks = outcome.tracks
    ball = max((tracks[tracks["track"] == i] for i in np.unique(tracks["track"])), key=lambda r: np.ptp(r["y"]))
    assert ball["frame"].tolist() == list(range(15))
    error = np.hypot(ball["x"] - reference["x"], ball["y"] - reference["y"])
    assert np.sqrt(np.mean(error**2)) < 0.2
    if use == "threshold":
        assert error.max() < 0.2
    assert outcome.source.time.fps == 30_000


@real
def test_every_real_clip_runs(tmp_path: Path) -> None:
    for name in ("cine/8bpp.cine", "cine/packed_12bpp.cine", "cine/phantom_v611_raw_16bpp.cine", "mraw/beam.cihx"):
        outcome = run(SAMPLES / name, "corners", tmp_path / name.replace("/", "_"), frames=(0, 4))
        assert outcome.report.ledger.processed == 4
