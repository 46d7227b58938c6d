"""What a run's tables say besides places: sizes, directions, rotations, in what units, and what their columns are."""

import json

import numpy as np
import pandas as pd
import pytest

from app.controller import run_clip
from app.exports.tables import read_tracks
from app.runs import read_run
from kernels.errors import InputError
from kernels.opencv import cv2
from pipelines.features import TRACK_DTYPE

FINE = 4


def drawn(size, inside):
    """How much of each pixel of a square picture lies inside a shape, told by a function of x and y."""
    place = (np.arange(size * FINE) + 0.5) / FINE - 0.5
    cover = inside(*np.meshgrid(place, place)).astype(np.float64)
    return cover.reshape(size, FINE, size, FINE).mean((1, 3))


def frame(rng, cover, ground=200.0, thing=60.0, blur=0.8):
    light = ground + (thing - ground) * cv2.GaussianBlur(cover, (0, 0), blur)
    return np.clip(np.rint(light + rng.normal(0.0, 2.0, cover.shape)), 0, 255).astype(np.uint8)


@pytest.fixture(scope="module")
def drop(tmp_path_factory):
    """A dark drop that swells and shrinks, and its areas, px^2."""
    rng, frames, areas = np.random.default_rng(3), [], []
    for k in range(40):
        a, b = 13.0 + 2.0 * np.sin(k / 5), 12.0 - 1.5 * np.sin(k / 5)
        x, y = 31.7 + 0.1 * k / 40, 32.2
        frames.append(frame(rng, drawn(64, lambda u, v: ((u - x) / a) ** 2 + ((v - y) / b) ** 2 <= 1.0)))  # noqa: B023
        areas.append(np.pi * a * b)
    path = tmp_path_factory.mktemp("drop") / "drop.npy"
    np.save(path, np.array(frames))
    return path, np.array(areas)


@pytest.fixture(scope="module")
def needle(tmp_path_factory):
    """A needle that turns by 270 degrees about one end, and its direction, degrees from x towards y."""
    rng, frames = np.random.default_rng(4), []
    angles = 20.0 + np.linspace(0.0, 270.0, 90)
    for angle in np.radians(angles):
        def inside(x, y, along=angle):
            u = (x - 48.2) * np.cos(along) + (y - 47.6) * np.sin(along)
            v = -(x - 48.2) * np.sin(along) + (y - 47.6) * np.cos(along)
            return (abs(v) <= 2.5) & (u >= -4.0) & (u <= 36.0)

        frames.append(frame(rng, drawn(96, inside)))
    path = tmp_path_factory.mktemp("needle") / "needle.npy"
    np.save(path, np.array(frames))
    return path, angles


def run(path, pipeline, out, **options):
    return run_clip(path, pipeline, fps=1000.0, out=out, overlay=False, device="cpu", **options)


@pytest.mark.parametrize(("pipeline", "settings"), [
    ("pupil", {}), ("objects", {"bodies.centre": "shape", "bodies.max_share": 0.5})])  # fmt: skip
def test_areas_of_a_drop(drop, tmp_path, pipeline, settings):
    path, areas = drop
    run(path, pipeline, tmp_path, settings=settings)
    rows = pd.read_csv(tmp_path / "tracks.csv")
    rows = rows[rows.state == "tracked"]
    wrong = rows.area_px2 / areas[rows.frame] - 1.0
    assert len(rows) >= 36
    assert abs(wrong).max() < 0.01
    # Sigma holds how well it is known where an edge lies (EDGE px all along it), which is off by less at this drop.
    assert 0.02 < np.mean(((rows.area_px2 - areas[rows.frame]) / rows.sigma_area_px2) ** 2) < 3.0
    np.testing.assert_allclose(rows.diameter_px, np.sqrt(4 * rows.area_px2 / np.pi), rtol=1e-4)
    np.testing.assert_allclose(rows.major_px * rows.minor_px * np.pi / 4, rows.area_px2, rtol=0.02)


def test_a_needle_is_followed_past_half_a_turn(needle, tmp_path):
    path, angles = needle
    run(path, "objects", tmp_path, settings={"bodies.max_share": 0.5})
    rows = pd.read_csv(tmp_path / "tracks.csv")
    assert rows.track.nunique() == 1
    rows = rows[rows.state.isin(["tracked", "tentative"])]
    wrong = rows.orientation_deg - angles[rows.frame]
    wrong -= 180.0 * np.rint(wrong.iloc[0] / 180.0)
    assert np.ptp(rows.orientation_deg) > 269.0
    assert np.sqrt(np.mean(wrong**2)) < 0.1


def test_columns_units_and_the_key(drop, tmp_path):
    path, areas = drop
    run(path, "pupil", tmp_path, columns="area,diameter", key=True, scale="0.5 mm/px", origin=(31.7, 32.2), y_up=True)
    rows = pd.read_csv(tmp_path / "tracks.csv", comment="#")
    assert [*rows.columns[-2:]] == ["area_mm2", "diameter_mm"]
    assert {"x_mm", "vx_mm_per_s", "sigma_mm", "time_s", "score"} <= {*rows.columns}
    np.testing.assert_allclose(rows.area_mm2[5], 0.25 * areas[5], rtol=0.01)
    lines = (tmp_path / "tracks.csv").read_text().splitlines()
    assert [line.split(" ")[1].rstrip(":") for line in lines if line.startswith("#")] == [*rows.columns]
    assert "# x_mm [mm]: position, along x of the axes" in lines
    exact = read_tracks(tmp_path / "tracks.parquet")
    assert exact.dtype.names[-2:] == ("area", "diameter")
    np.testing.assert_allclose(rows.x_mm, 0.5 * (exact["x"] - 31.7), atol=1e-6)
    np.testing.assert_allclose(rows.y_mm, 0.5 * (32.2 - exact["y"]), atol=1e-6)
    np.testing.assert_allclose(rows.vy_mm_per_s, -0.5 * exact["vy"], atol=1e-6)
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert summary["units"] == {"scale": "0.5 mm/px", "origin_px": [31.7, 32.2], "y_up": True}
    assert summary["columns"]["area_px2"]["unit"] == "px2"


def test_the_window_takes_the_rows_of_a_run_with_their_measures(drop, tmp_path):
    path, _ = drop
    outcome = run(path, "pupil", tmp_path, frames=(0, 6))
    assert len(outcome.tracks.dtype) > len(TRACK_DTYPE)
    rows = read_run(tmp_path).tracks()
    assert rows.dtype == outcome.tracks.dtype
    for name in rows.dtype.names:
        np.testing.assert_array_equal(rows[name], outcome.tracks[name], err_msg=name)


def test_places_alone_and_a_column_that_there_is_not(drop, tmp_path):
    path, _ = drop
    run(path, "pupil", tmp_path, columns="none", frames=(0, 4))
    assert "area_px2" not in pd.read_csv(tmp_path / "tracks.csv")
    with pytest.raises(InputError, match="rotation is not measured by this pipeline; besides places it has area"):
        run(path, "pupil", tmp_path, columns="rotation", frames=(0, 4))
    with pytest.raises(InputError, match="colour is no column"):
        run(path, "pupil", tmp_path, columns="colour", frames=(0, 4))


def test_measures_do_not_depend_on_batches_or_change_rows(needle, tmp_path):
    path, _ = needle
    options = {"settings": {"bodies.max_share": 0.5}, "frames": (0, 30)}
    made = [read_tracks(run(path, "objects", tmp_path / str(k), batch=k, **options).folder / "tracks.parquet")
            for k in (1, 7, 16)]  # fmt: skip
    for other in made[1:]:
        assert other.tobytes() == made[0].tobytes()
    plain = run(path, "objects", tmp_path / "plain", columns="none", **options).tracks
    for name in plain.dtype.names:
        np.testing.assert_array_equal(plain[name], made[0][name])


def test_a_window_that_turns(tmp_path):
    rng = np.random.default_rng(5)
    texture = cv2.GaussianBlur(rng.normal(0.0, 1.0, (128, 128)), (0, 0), 2.0)
    texture = (texture - texture.min()) / np.ptp(texture) * 220 + 15
    angles, frames = np.linspace(0.0, 200.0, 120), []
    for angle in angles:
        turn = cv2.getRotationMatrix2D((64.0, 64.0), -angle, 1.0 + 1e-3 * angle / 20)
        frames.append(np.rint(cv2.warpAffine(texture, turn, (128, 128), flags=cv2.INTER_CUBIC)).clip(0, 255))
    np.save(tmp_path / "disc.npy", np.array(frames, np.uint8))
    made = {}
    for batch in (1, 16):
        run(tmp_path / "disc.npy", "template", tmp_path / str(batch), points=[(64.0, 64.0)], batch=batch,
            settings={"track.window": 41, "track.model": "affine"})  # fmt: skip
        made[batch] = pd.read_csv(tmp_path / str(batch) / "tracks.csv")
    rows = made[16]
    pd.testing.assert_frame_equal(rows, made[1])
    assert len(rows) == len(frames)
    turning = rows[rows.frame > 10]
    assert abs(turning.rotation_deg - angles[turning.frame]).max() < 0.2
    assert abs(turning.scale - 1.0 - 1e-3 * angles[turning.frame] / 20).max() < 3e-3  # drawn to 1/32 px


def test_tapped_tables_are_written(drop, tmp_path):
    path, areas = drop
    (tmp_path / "own.toml").write_text("""
name = "own"
summary = "a drop, and what is found of it"
taps = ["bodies", "gray"]
[stages.gray]
[stages.mask]
use = "threshold"
level = 130
polarity = "dark"
[stages.bodies]
use = "components"
inputs = { mask = "mask", weights = "gray" }
polarity = "dark"
min_area = 30
[trackers.follow]
use = "blob"
inputs = "bodies"
""")
    outcome = run(path, str(tmp_path / "own.toml"), tmp_path / "out", roi=(4, 6, 58, 56))
    assert {"bodies.csv", "bodies.parquet"} <= {file.name for file in outcome.files}
    rows, exact = pd.read_csv(tmp_path / "out" / "bodies.csv"), pd.read_parquet(tmp_path / "out" / "bodies.parquet")
    assert [*rows.columns[:5]] == ["frame", "time_s", "x_px", "y_px", "mass"]
    assert [*exact.columns] == [*rows.columns]
    assert [*rows.frame] == [*range(40)]
    np.testing.assert_allclose(rows.x_px, exact.x_px, atol=1e-6)
    np.testing.assert_allclose(rows.area_px2, areas, rtol=0.06)
    tracks = outcome.tracks
    np.testing.assert_allclose(tracks["x"][:3], rows.x_px[:3], atol=0.1)  # both are px of the whole picture
