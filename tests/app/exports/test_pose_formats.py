"""Key points in the formats of programs for poses: DeepLabCut, SLEAP, COCO, NWB with ndx-pose."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pynwb
import pytest

from app.exports.export import export_results
from app.exports.formats.coco import write_coco
from app.exports.formats.deeplabcut import write_dlc, write_dlc_hdf5
from app.exports.formats.nwb import write_nwb
from app.exports.formats.sleap import write_sleap
from app.exports.pandas_hdf5 import read_table
from app.exports.poses import poses
from app.exports.table import TrackTable
from app.keypoints import KEYPOINTS_CSV, SKELETON_CSV, Keypoints, read_keypoints, write_keypoints
from kernels.errors import DefinitionError, InputError
from kernels.skeleton import skeleton
from pipelines.features import TRACK_DTYPE, State
from pipelines.trackers.keypoints import EDGE_DTYPE, NAMED_DTYPE

FRAMES, ANIMALS, POINTS = range(5, 15), 2, 3
NAMES = {0: "nose", 1: 'left, "ear"', 2: "tail"}
WANTED = ["nose", "left_ _ear_", "tail"]


def table(animals: int = ANIMALS, **more: object) -> tuple[TrackTable, np.ndarray]:
    """Two animals of three points; the tail of the second is lost after half of the clip and found as another track.

    Returns:
        The table, and (T, A, P, 3): x, y, score, NaN where nothing was seen.
    """
    rng = np.random.default_rng(3)
    truth = rng.uniform(0, 100, (len(FRAMES), animals, POINTS, 3))
    truth[..., 2] = rng.uniform(0.3, 1, truth.shape[:3])
    truth[4:6, animals - 1, 2] = np.nan
    rows, tracks = [], {}
    for t, frame in enumerate(FRAMES):
        for a in range(animals):
            for p in range(POINTS):
                track = 100 if (a, p) == (animals - 1, 2) and t >= 6 else 10 + POINTS * a + p
                tracks[track] = a, p
                seen = np.isfinite(truth[t, a, p, 0])
                row = np.zeros((), TRACK_DTYPE)
                row["frame"], row["time"], row["track"] = frame, frame / 500, track
                row["x"], row["y"], row["score"] = truth[t, a, p] if seen else (1, 1, 0)
                row["state"] = State.TRACKED if seen else State.PREDICTED
                rows.append(row)
    other = np.zeros((), TRACK_DTYPE)  # a track of something else
    other["frame"], other["track"], other["time"], other["state"] = 7, 50, 7 / 500, State.TRACKED
    known = Keypoints(tracks, NAMES, tuple((a, 0, p) for a in range(animals) for p in (1, 2)))
    made = np.stack([*rows, other])
    return TrackTable(made, fps=500.0, name="mouse", size=(128, 96), keypoints=known, **more), truth  # type: ignore[arg-type]


def test_poses_join_the_tracks_of_a_point() -> None:
    given, truth = table()
    made = poses(given)
    assert made.points == tuple(WANTED)
    assert made.edges.tolist() == [[0, 1], [0, 2]]
    np.testing.assert_array_equal(made.frames, FRAMES)
    np.testing.assert_allclose(made.times, np.array(FRAMES) / 500)
    np.testing.assert_array_equal(made.x, truth[..., 0])
    np.testing.assert_array_equal(made.y, truth[..., 1])
    np.testing.assert_allclose(made.score, np.nan_to_num(truth[..., 2]), rtol=1e-6)
    plain = poses(replace(given, keypoints=Keypoints()))  # without key points each track is a point of one animal
    assert plain.x.shape == (len(FRAMES), 1, 8)
    assert plain.points[0] == "track_10"
    nothing = poses(replace(given, rows=np.zeros(0, TRACK_DTYPE)))
    assert nothing.x.shape == (0, 0, 3)


@pytest.mark.parametrize("animals", [1, 2])
def test_deeplabcut(tmp_path: Path, animals: int) -> None:
    given, truth = table(animals)
    write_dlc(given, tmp_path / "t.csv")
    read = pd.read_csv(tmp_path / "t.csv", header=list(range(2 + animals)), index_col=0)
    levels = ["scorer", "individuals", "bodyparts", "coords"]
    assert read.columns.names == (levels if animals > 1 else [name for name in levels if name != "individuals"])
    assert list(dict.fromkeys(read.columns.get_level_values("bodyparts"))) == WANTED
    wanted = truth.copy()
    wanted[..., 2] = np.nan_to_num(wanted[..., 2])
    np.testing.assert_allclose(read.to_numpy().reshape(truth.shape), wanted, atol=1e-6)
    assert read.index.tolist() == list(FRAMES)
    write_dlc_hdf5(given, tmp_path / "t.h5")
    same = read_table(tmp_path / "t.h5", "")
    assert (same.levels, same.columns) == (tuple(read.columns.names), read.columns.tolist())
    np.testing.assert_array_equal(same.values, read.to_numpy())
    assert [int(one) for (one,) in same.index] == list(FRAMES)
    with pytest.raises(InputError, match="no tracks"):
        write_dlc_hdf5(replace(given, rows=given.rows[:0]), tmp_path / "n.h5")


def test_sleap(tmp_path: Path) -> None:
    given, truth = table()
    write_sleap(given, tmp_path / "t.h5")
    with h5py.File(tmp_path / "t.h5") as file:
        data = {name: file[name][()] for name in file}
    tracks = data["tracks"].T  # frames, points, 2, animals
    assert np.isnan(tracks[: FRAMES[0]]).all()
    np.testing.assert_array_equal(tracks[FRAMES[0] :], truth[..., :2].transpose(0, 2, 3, 1))
    np.testing.assert_allclose(data["point_scores"].T[FRAMES[0] :], truth[..., 2].transpose(0, 2, 1), rtol=1e-6)
    np.testing.assert_allclose(data["instance_scores"].T[FRAMES[0] :], np.nanmean(truth[..., 2], axis=2), rtol=1e-6)
    assert data["track_occupancy"].shape == (FRAMES[-1] + 1, ANIMALS)
    assert (data["track_occupancy"].sum(axis=0) == len(FRAMES)).all()
    assert [name.decode() for name in data["node_names"]] == WANTED
    assert data["edge_inds"].tolist() == [[0, 1], [0, 2]]
    assert data["edge_names"][1].tolist() == [b"nose", b"tail"]
    assert len(data["track_names"]) == ANIMALS


def test_coco(tmp_path: Path) -> None:
    given, truth = table()
    write_coco(given, tmp_path / "t.json")
    found = json.loads((tmp_path / "t.json").read_text())
    assert len(found) == len(FRAMES) * ANIMALS
    for one in found:
        wanted = truth[one["image_id"] - FRAMES[0], one["track_id"]]
        np.testing.assert_allclose(np.reshape(one["keypoints"], (POINTS, 3)), np.nan_to_num(wanted), atol=6e-4)
        np.testing.assert_allclose(one["score"], np.nanmean(wanted[:, 2]), atol=6e-4)


def test_nwb_with_poses(tmp_path: Path) -> None:
    pytest.importorskip("ndx_pose")
    given, truth = table(start=datetime(2026, 5, 1, tzinfo=UTC))
    write_nwb(given, tmp_path / "t.nwb")
    with pynwb.NWBHDF5IO(tmp_path / "t.nwb", "r") as file:
        behavior = file.read().processing["behavior"]
        for a in range(ANIMALS):
            pose = behavior[f"PoseEstimation_animal_{a + 1}"]
            assert pose.skeleton.nodes[:].tolist() == WANTED
            assert pose.skeleton.edges[:].tolist() == [[0, 1], [0, 2]]
            for p, name in enumerate(WANTED):
                series = pose.pose_estimation_series[name]
                np.testing.assert_array_equal(series.data[:], truth[:, a, p, :2])
                np.testing.assert_allclose(series.confidence[:], np.nan_to_num(truth[:, a, p, 2]), rtol=1e-6)
                assert (series.rate, series.starting_time) == (500.0, 0.01)
    assert not pynwb.validate(path=str(tmp_path / "t.nwb"))


def test_tables_of_a_run_are_read_back_and_name_tracks_in_exports(tmp_path: Path) -> None:
    named = np.array([(3, 0, 0, "nose"), (4, 0, 1, ""), (5, 1, 0, "nose")], NAMED_DTYPE)
    edges = np.array([(0, 0, 1), (1, 0, 1)], EDGE_DTYPE)
    assert write_keypoints(tmp_path, {"keypoints": named, "edges": edges}) == [KEYPOINTS_CSV, SKELETON_CSV]
    read = read_keypoints(tmp_path)
    assert read == Keypoints({3: (0, 0), 4: (0, 1), 5: (1, 0)}, {0: "nose"}, ((0, 0, 1), (1, 0, 1)))
    assert read.track_names() == {3: "nose 1", 5: "nose 2"}
    (tmp_path / "tracks.csv").write_text("frame,time_s,track,x_px,y_px\n0,0,3,1,2\n1,0.5,3,2,2\n0,0,5,9,9\n")
    (made,) = export_results(tmp_path / "tracks.csv", "wide", tmp_path / "out.csv").files
    assert made.read_text().startswith("frame,time_s,track_3_x_px")  # a table alone says nothing of key points
    (tmp_path / "summary.json").write_text("{}")
    (made,) = export_results(tmp_path, "wide", tmp_path / "two.csv").files
    assert made.read_text().splitlines()[0] == "frame,time_frames,nose_1_x_px,nose_1_y_px,nose_2_x_px,nose_2_y_px"
    assert write_keypoints(tmp_path, {}) == []
    assert read_keypoints(tmp_path) == Keypoints()
    head = "track,animal,point,name\n"
    for damaged in ("track,animal\n1,2\n", f"{head}1,x,2,nose\n", f"{head}1,2\n", ""):
        (tmp_path / KEYPOINTS_CSV).write_text(damaged)
        with pytest.raises(InputError, match="run the clip again"):
            read_keypoints(tmp_path)


def test_a_skeleton_as_it_is_written() -> None:
    made = skeleton("nose, left-ear, tail", "nose-left-ear, 1-2,, 0 - left-ear")
    assert made.edges == ((0, 1), (1, 2))
    assert (made.name(1), made.name(7)) == ("left-ear", "")
    assert skeleton("", "").names == ()
    for edges, words in (("nose-tial", "did you mean tail"), ("0-0", "itself"), ("0-1-2", "no pair")):
        with pytest.raises(DefinitionError, match=words):
            skeleton("nose, left-ear, tail", edges)


def test_key_points_that_nobody_can_tell_are_said(tmp_path: Path) -> None:
    (tmp_path / "tracks.csv").write_text("frame,time_s,track,x_px,y_px\n0,0,3,1,2\n1,0.5,3,2,2\n")
    for use, said in (("keypoints", True), ("blob", False)):
        (tmp_path / "summary.json").write_text(json.dumps({"pipeline": {"nodes": [{"id": "a", "use": use}]}}))
        notes = export_results(tmp_path, ["coco", "csv"], f"{tmp_path / use}/").notes
        assert any("which key point each track is" in note for note in notes) == said
    made = export_results(tmp_path, "coco", tmp_path / "in_mm.json", scale="2 mm/px")
    assert any("counts in pixels" in note for note in made.notes)
    assert json.loads(made.files[0].read_text())[0]["keypoints"][:2] == [1, 2]
