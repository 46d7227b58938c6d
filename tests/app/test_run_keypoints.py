"""Key points of a network as tracks of a run, and the table that says which point each is."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from app.controller import run_clip
from app.exports.material import open_material
from app.exports.tables import read_tracks
from app.keypoints import Keypoints, keypoint_facts, read_keypoints, recorded_keypoints
from app.live.recording import record_clip
from app.live.replay import Wish, replay
from app.live.wanted import Wanted
from app.sessions.events import KEYPOINTS, event, read_event

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


def test_a_session_keeps_which_key_point_a_track_is(tmp_path: Path) -> None:
    """For exports of the session itself, and as a replay tells it; whatever it holds besides."""
    (tmp_path / "points.toml").write_text(PIPELINE)
    path, spec = tmp_path / "a.mcap", "sim:targets?width=160&height=120&count=4&seed=5"
    record_clip(Wanted(spec, path, str(tmp_path / "points.toml"), frames=30))
    material = open_material(path)
    names = material.keypoints.track_names()
    assert set(material.tracks()["track"].tolist()) == set(names)
    assert {name.split()[0] for name in names.values()} == {"centre"}
    assert not material.is_recorded_keypoints
    replay(Wish(path, out=tmp_path / "again", overlay=False))
    assert read_keypoints(tmp_path / "again") == material.keypoints


def test_key_points_come_in_short_events_and_go_together_again() -> None:
    """The second time only what is new is told; what is no such event says nothing."""
    few = Keypoints({k: (k // 2, k % 2) for k in range(1500)}, {0: "nose"}, ((0, 0, 1), (1, 0, 1)))
    more = Keypoints({**few.tracks, 9999: (9, 3)}, {0: "nose", 3: "tail"}, (*few.edges, (9, 0, 3)))
    first, second = list(keypoint_facts(few, Keypoints())), list(keypoint_facts(more, few))
    assert [len(one["tracks"]) for one in (*first, *second)] == [1000, 500, 1]
    assert list(keypoint_facts(more, more)) == []
    told = [read_event(event(KEYPOINTS, 1, **facts)) for facts in (*first, *second)]
    odd: list[dict[str, Any]] = [{"kind": KEYPOINTS}, {"kind": KEYPOINTS, "tracks": [[1, 2]], "names": {}, "edges": []}]
    assert recorded_keypoints([*told[:1], *odd, *told[1:]]) == more
