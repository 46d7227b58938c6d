"""The table of mergers and splits of a run."""

from __future__ import annotations

import csv
from pathlib import Path

from app.controller import run_clip
from app.exports.tables import read_tracks


def test_mergers_and_splits_are_a_table_of_tracks_that_there_are(tmp_path: Path) -> None:
    spec = "sim:blobs?count=60&width=200&height=200&snr=40"
    outcome = run_clip(spec, "blobs", frames=(0, 60), out=tmp_path, overlay=False)
    path = tmp_path / "merges_and_splits.csv"
    assert path in outcome.files
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["event"] for row in rows} == {"merge", "split"}
    assert [int(row["frame"]) for row in rows] == sorted(int(row["frame"]) for row in rows)
    tracks = read_tracks(tmp_path / "tracks.parquet")
    known = set(tracks["track"].tolist())
    assert all({int(row["track"]), int(row["other_track"])} <= known for row in rows)
    together: set[frozenset[str]] = set()
    for row in rows:  # whichever of both has the detection, a merger is told once until they part
        pair = frozenset((row["track"], row["other_track"]))
        assert row["event"] == "split" or pair not in together
        together ^= {pair} if row["event"] == "merge" or pair in together else set()
    for row in rows:
        of = tracks[(tracks["track"] == int(row["track"])) & (tracks["frame"] == int(row["frame"]))]
        assert len(of) == 1
        assert (of["reason"][0] == 7) == (row["event"] == "merge")  # Reason.MERGED
        assert abs(of["x"][0] - float(row["x_px"])) < 12


def test_those_of_an_earlier_run_go(tmp_path: Path) -> None:
    (tmp_path / "merges_and_splits.csv").write_text("frame\n")
    run_clip("sim:ball", "objects", frames=(0, 5), out=tmp_path, overlay=False)
    assert not (tmp_path / "merges_and_splits.csv").exists()
