"""Points, polygons and boxes count from the whole picture's corner, also where a region is processed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.controller import run_clip
from app.desk.jobs.child import outcome
from app.desk.jobs.orders import RunOrder
from app.desk.jobs.stopping import Stop
from app.desk.pipeline.detecting import taker, with_template
from app.desk.services.regions import with_polygon
from app.exports.tables import read_tracks
from app.live.recording import record_clip
from app.live.replay import Wish, replay
from app.live.wanted import Wanted
from app.sources.opening import open_source
from app.sources.reading import AS_STORED
from kernels.errors import DefinitionError
from pipelines.definition import load, loads
from pipelines.features import Tracks
from pipelines.frontend import Roi, in_region, seen_from
from pipelines.streaming.common.changes import Change
from pipelines.streaming.common.preparing import prepare
from pipelines.streaming.engine.tracking import with_tracker_param
from pipelines.writing import dumps
from tests.shipped import fixed

CLIP = Path(__file__).parents[2] / "sample_videos" / "beam_1000fps.avi"
POINTS = ((121.4, 95.5), (309.1, 95.5))
ROI: Roi = (40, 30, 340, 130)
WINDOW = taker(load("template")).window  # type: ignore[union-attr]


def test_points_of_a_region_are_those_of_the_whole_picture(tmp_path: Path) -> None:
    whole, part = (
        run_clip(CLIP, "template", points=POINTS, roi=roi, frames=(0, 3), out=tmp_path / name, overlay=False).tracks
        for name, roi in (("whole", None), ("part", ROI))
    )
    for rows in (whole, part):
        first = rows[rows["frame"] == 0]
        np.testing.assert_allclose(np.stack([first["x"], first["y"]], 1), POINTS, atol=0.2)
    np.testing.assert_allclose(part["x"], whole["x"], atol=0.02)
    np.testing.assert_allclose(part["y"], whole["y"], atol=0.02)


def test_window_file_command_line_and_session_mean_the_same_places(tmp_path: Path) -> None:
    """What the window's tool makes, run by the window, from its saved file, with --points, and recorded and replayed:
    the same rows, to the last bit."""
    made = with_template(load("template"), POINTS, WINDOW)
    told: list[object] = []
    window = outcome(RunOrder(str(CLIP), dumps(made), (0, 6), AS_STORED, ROI, str(tmp_path / "window"), overlay=False),
                     lambda *what: told.append(what), Stop())  # fmt: skip
    assert "result" in window, window
    file = tmp_path / "placed.toml"
    file.write_text(dumps(made))
    roi = ",".join(map(str, ROI))
    common = [str(CLIP), "--frames", "0:6", "--roi", roi, "--no-overlay"]
    assert main(["run", *common, "--pipeline", str(file), "--out", str(tmp_path / "file")]) == 0
    table = tmp_path / "points.csv"
    table.write_text("x_px,y_px\n" + "".join(f"{x},{y}\n" for x, y in POINTS))
    assert main(["run", *common, "--pipeline", "template", "--out", str(tmp_path / "points"),
                 "--points", str(table)]) == 0  # fmt: skip
    rows = [rows_of(tmp_path / name) for name in ("window", "file", "points")]
    assert len(rows[0]) == 12
    first = rows[0][rows[0]["frame"] == 0]
    np.testing.assert_allclose(np.stack([first["x"], first["y"]], 1), POINTS, atol=0.2)
    assert rows[0].tobytes() == rows[1].tobytes() == rows[2].tobytes()


def rows_of(folder: Path) -> Tracks:
    return read_tracks(folder / "tracks.parquet")


def test_a_changed_point_and_a_replay_mean_the_whole_picture(tmp_path: Path) -> None:
    moved_to = ((121.4, 95.5), (215.0, 95.5))
    changes = (Change(3, "track", "points", moved_to),)
    file = tmp_path / "placed.toml"
    file.write_text(dumps(with_template(load("template"), POINTS, WINDOW)))
    wanted = Wanted(str(CLIP), tmp_path / "a.mcap", str(file), frames=6, roi=ROI, changes=changes)
    recorded = record_clip(wanted)
    assert recorded.problems == ()
    again = replay(Wish(tmp_path / "a.mcap", out=tmp_path / "again", overlay=False))
    assert again.identical, again.remarks
    rows = rows_of(tmp_path / "again")
    there = rows[rows["frame"] == 3]
    np.testing.assert_allclose(sorted(there["x"]), [121.4, 215.0], atol=0.5)


def test_sessions_of_older_versions_count_from_the_corner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    placed = with_template(load("template"), POINTS, WINDOW)
    file = tmp_path / "old.toml"
    file.write_text(dumps(seen_from(placed, *ROI[:2])))  # as they were written
    monkeypatch.setattr("app.live.wanted.PLACES", "region")
    monkeypatch.setattr("pipelines.streaming.common.preparing.in_region", lambda pipeline, roi: pipeline)
    record_clip(Wanted(str(CLIP), tmp_path / "a.mcap", str(file), frames=4, roi=ROI))
    monkeypatch.undo()
    again = replay(Wish(tmp_path / "a.mcap", out=tmp_path / "again", overlay=False))
    assert again.identical, again.remarks
    rows = rows_of(tmp_path / "again")
    first = rows[rows["frame"] == 0]
    np.testing.assert_allclose(np.stack([first["x"], first["y"]], 1), POINTS, atol=0.2)


def test_all_places_are_moved_and_nothing_else() -> None:
    blobs = with_polygon(fixed("blobs"), [(50.0, 40.0), (90.0, 40.0), (70.0, 80.0)], "outside")
    inner = in_region(blobs, (10, 20, 100, 100))
    (mask,) = [node for node in inner.nodes if node.stage == "mask"]
    assert mask.params["points"] == ((40.0, 20.0), (80.0, 20.0), (60.0, 60.0))
    assert seen_from(inner, -10, -20) == blobs
    assert in_region(blobs, None) is blobs
    text = """
name = "sharp"
[stages.sharp]
use = "conv"
kernel = [[0, -1, 0], [-1, 5, -1], [0, -1, 0]]
[stages.sums]
use = "moments"
inputs = { image = "sharp" }
boxes = [[30, 40, 16, 16]]
"""
    made = loads(text)
    conv, sums = in_region(made, (10, 20, 100, 100)).nodes
    assert conv == made.nodes[0]
    assert sums.params["boxes"] == ((20.0, 20.0, 16.0, 16.0),)
    placed = with_template(load("template"), POINTS, WINDOW, [None, 7])
    points = in_region(placed, ROI).trackers[0].params["points"]
    assert isinstance(points, tuple)
    np.testing.assert_allclose(np.array(points[1]), (269.1, 65.5, 7.0))


def test_a_point_outside_the_region_is_refused_while_it_runs() -> None:
    source = open_source(str(CLIP))
    bound = prepare(with_template(load("template"), POINTS, WINDOW), source, ROI)
    with_tracker_param(bound, "track", "points", ((360.0, 95.5),), 1000.0, ROI[:2])  # the region ends at 380
    with pytest.raises(DefinitionError):
        with_tracker_param(bound, "track", "points", ((20.0, 95.5),), 1000.0, ROI[:2])
    source.close()
