"""Key points of a network as tracks of a run, and the table that says which point each is."""

from __future__ import annotations

import csv
from pathlib import Path

from app.controller import run_clip
from app.exports.tables import read_tracks

PIPELINE = """
name = "points"
[stages.gray]
[stages.even]
use = "local_contrast"
size = 25
floor = 0.005
[stages.heat]
use = "network"
model = "shipped:quadrant_targets.onnx"
normalize = "none"
[stages.found]
use = "heatmap_peaks"
threshold = 0.6
instances = 64
separation = 6
[trackers.follow]
use = "keypoints"
inputs = "found.points"
sorting = "peak"
names = "centre"
"""


def test_peaks_of_a_network_are_tracks_with_names(tmp_path: Path) -> None:
    (tmp_path / "points.toml").write_text(PIPELINE)
    out = tmp_path / "out"
    spec = "sim:targets?width=160&height=120&count=4&seed=5"
    outcome = run_clip(spec, str(tmp_path / "points.toml"), frames=(0, 30), out=out, overlay=False)
    assert out / "keypoints.csv" in outcome.files
    with (out / "keypoints.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    tracks = read_tracks(out / "tracks.parquet")
    known = set(tracks["track"].tolist())
    named = {int(row["track"]) for row in rows}
    assert known <= named
    assert len(known) >= 3
    assert {(row["point"], row["name"]) for row in rows} == {("0", "centre")}
    seen = tracks[tracks["state"] == 1]
    assert len(seen) > 60
    assert seen["sigma"].max() < 3.0
    (out / "keypoints.csv").write_text("track\n")
    run_clip("sim:ball", "objects", frames=(0, 5), out=out, overlay=False)
    assert not (out / "keypoints.csv").exists()
