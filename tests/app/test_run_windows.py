"""Where windows measure: what a run leaves of it, and says before."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from app.controller import run_clip
from app.run_windows import read_windows
from kernels.errors import InputError

CLIP = "sim:beam?frames=24&width=160&height=96&seed=21"
EDGE, MIDDLE = (145.0, 47.5), (90.0, 47.5)


def test_a_run_leaves_the_places_and_clears_those_of_another(tmp_path):
    told = []
    outcome = run_clip(CLIP, "vibration", points=(MIDDLE, EDGE), out=tmp_path, overlay=False, notify=told.append)
    assert tmp_path / "windows.csv" in outcome.files
    (hint,) = [words for words in told if "measures where its texture is, 1 of 2 far" in words]
    assert "of point 1 at (1" in hint
    with open(tmp_path / "windows.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["track"] for row in rows] == ["0", "1"]
    assert float(rows[1]["x_px"]) == pytest.approx(EDGE[0], abs=0.1)
    assert float(rows[1]["y_measured_at_x_px"]) < EDGE[0] - 2.0
    assert float(rows[1]["x_measured_at_x_px"]) > EDGE[0]  # the end of the beam is all that tells of x there
    whole = read_windows(tmp_path)
    assert np.abs(whole[0]).max() < 2.6
    # A part of the picture is another picture with the same places.
    told.clear()
    run_clip(CLIP, "vibration", points=(MIDDLE, EDGE), roi=(20, 8, 140, 80), out=tmp_path, overlay=False,
             notify=told.append)  # fmt: skip
    assert hint in told
    part = read_windows(tmp_path)
    for track in (0, 1):
        np.testing.assert_allclose(part[track], whole[track], atol=0.002)
    run_clip(CLIP, "blobs", out=tmp_path, overlay=False)
    assert read_windows(tmp_path) == {}


def test_points_that_the_tracker_chose_or_that_begin_later_are_not_spoken_of(tmp_path):
    told = []
    run_clip(CLIP, "vibration", points=(MIDDLE, (*EDGE, 9)), out=tmp_path, overlay=False, notify=told.append)
    assert not any("texture" in words for words in told)
    assert sorted(read_windows(tmp_path)) == [0, 1]


def test_a_damaged_table_is_named(tmp_path):
    (tmp_path / "windows.csv").write_text("track,x_px\n0,1\n")
    with pytest.raises(InputError, match=r"windows\.csv is damaged"):
        read_windows(tmp_path)


def test_given_corners_are_spoken_of_where_they_are_measured_against_a_reference(tmp_path):
    told = []
    options = {"points": (MIDDLE, EDGE), "out": tmp_path, "overlay": False, "notify": told.append}
    run_clip(CLIP, "corners", settings={"follow.max_points": 5}, **options)
    (hint,) = [words for words in told if "measures where its texture is, 1 of 2 far" in words]
    assert "of point 1 at (1" in hint
    rows = read_windows(tmp_path)
    assert sorted(rows) == [0, 1]  # not those that the tracker found
    assert np.abs(rows[1]).max() > 2.6
    told.clear()
    run_clip(CLIP, "corners", settings={"follow.anchor": False}, **options)
    assert not any("texture" in words for words in told)
    assert read_windows(tmp_path) == {}


@pytest.mark.parametrize("pipeline", ["template", "vibration", "corners"])
def test_a_point_without_texture_has_no_place_that_is_far(tmp_path, pipeline):
    told, frames = [], np.full((3, 64, 96), 90, np.uint8)
    frames[:, :, :40] = np.random.default_rng(3).integers(60, 120, (64, 40))
    np.save(tmp_path / "half.npy", frames)
    run_clip(str(tmp_path / "half.npy"), pipeline, points=((20.0, 32.0), (70.0, 32.0)), out=tmp_path / "out",
             overlay=False, notify=told.append)  # fmt: skip
    assert not any("texture is" in words for words in told)


@pytest.mark.parametrize(("pipeline", "noise"), [("template", 1.0), ("vibration", 0.3)])
def test_a_point_on_a_stripe_is_named_before_the_run(tmp_path, pipeline, noise):
    y, x = np.mgrid[:90, :120].astype(float)
    clip = np.stack([160 - 90 / (1 + np.exp(-(y - 45 - 0.5 * (x - 60) - 0.2 * k))) for k in range(12)])
    clip += np.random.default_rng(0).normal(0, noise, clip.shape)
    np.save(tmp_path / "edge.npy", clip.round().astype(np.uint8))
    told = []
    outcome = run_clip(tmp_path / "edge.npy", pipeline, points=((60.0, 45.0),), out=tmp_path / "out", overlay=False,
                       notify=told.append)  # fmt: skip
    (hint,) = [words for words in told if "along a stripe" in words]
    assert "point 0 at (60, 45), whose stripes run at 153 degrees" in hint  # 1 down on 2 to the right
    setting = {"template": "track.stripes", "vibration": "follow.along"}[pipeline]
    assert f"if they move up and down alone, try --set {setting}=y" in hint
    rows = outcome.tracks[1:]
    assert (rows["correlation"] > 0.99).all()
    assert (rows["sigma"] > 10).all()
