"""`fusetrack motion`: g, frequency, damping and velocities of rendered clips, what it prints, writes and refuses."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest

from app.analysis.kinematics import Wanted, kinematics_of
from app.cli import main
from app.controller import run_clip
from app.exports.scale import parse_scale
from app.exports.tables import write_tracks_parquet
from kernels.opencv import cv2
from pipelines.features import TRACK_DTYPE, State, Tracks
from tests.app.analysis.rendered import rendered

G = 4905.0
"""px/s^2 of the falling ball: 9.81 m/s^2 at 2 mm/px."""


def tracked(folder: Path, where, frames: int, fps: float, size: tuple[int, int], seed: int = 1) -> Tracks:
    np.save(folder / "clip.npy", rendered(where, frames, fps, size, seed=seed))
    return run_clip(folder / "clip.npy", "objects", fps=fps, out=folder / "run", overlay=False).tracks


def swing(frequency: float, damping: float, amplitude: float, times: np.ndarray) -> np.ndarray:
    turn = 2.0 * math.pi * frequency
    return amplitude * np.exp(-damping * turn * times) * np.cos(turn * math.sqrt(1.0 - damping**2) * times)


def velocity_error(found, where) -> float:
    """Root mean square a coordinate."""
    times, step = found.tracks[0].trail.times, 1e-5
    true = (where(times + step) - where(times - step)) / (2.0 * step)
    return float(np.sqrt(np.square(found.tracks[0].smoothed.values[1] - true).mean()))


def test_a_pendulum(tmp_path):
    """Its arc is not a line; the frequency to .01 %, the damping to 2 %."""

    def where(times):
        angle = swing(2.0, 0.02, 0.1, times)
        return np.stack((32.0 + 200.0 * np.sin(angle), -182.0 + 200.0 * np.cos(angle)))

    rows = tracked(tmp_path, where, 800, 500.0, (64, 36))
    found = kinematics_of(rows, Wanted(models=("damped-sine",)))
    fit = found.fits[0].parameters
    assert fit["frequency"].value == pytest.approx(2.0, rel=1e-4)
    assert fit["damping_ratio"].value == pytest.approx(0.02, rel=0.02)
    assert velocity_error(found, where) < 0.4
    raw = np.gradient(rows["x"], rows["time"])
    assert np.abs(raw - np.gradient(where(rows["time"])[0], rows["time"])).mean() > 2.0


def test_a_string(tmp_path):
    """110 Hz whose damping is weak: within 5 % of .002."""

    def where(times):
        return np.stack((24.3 + 0.0 * times, 24.3 + swing(110.0, 0.002, 3.0, times)))

    rows = tracked(tmp_path, where, 800, 1000.0, (48, 48))
    found = kinematics_of(rows, Wanted(models=("damped-sine",)))
    fit = found.fits[0].parameters
    assert fit["frequency"].value == pytest.approx(110.0, rel=1e-4)
    assert fit["damping_ratio"].value == pytest.approx(0.002, rel=0.05)
    assert found.fits[0].axis == pytest.approx((0.0, 1.0), abs=0.01)


def test_a_falling_ball_gives_g_with_its_error(tmp_path, capsys):
    def where(times):
        return np.stack((16.3 + 0.0 * times, 10.0 + 0.5 * G * times**2))

    off = []
    for seed in range(2):
        folder = tmp_path / str(seed)
        folder.mkdir()
        rows = tracked(folder, where, 250, 1000.0, (32, 180), seed)
        found = kinematics_of(rows, Wanted(models=("parabola",)))
        fit = found.fits[0].parameters["acceleration"]
        assert fit.value == pytest.approx(G, rel=1e-3)
        off.append((fit.value - G) / fit.error)
        assert velocity_error(found, where) < 0.08, "errors that come with the pixel are no bends"
    assert np.sqrt(np.square(off).mean()) < 2.0
    assert fit.error < 1e-3 * G
    capsys.readouterr()
    assert main(["motion", str(folder / "run"), "--scale", "2 mm/px", "--fit", "parabola", "--y-up"]) == 0
    assert "m/s^2" in capsys.readouterr().out
    told = json.loads((folder / "run" / "fits.json").read_text())["fits"][0]["parameters"]
    assert told["acceleration_si"]["value"] == pytest.approx(9.81, rel=1e-3)
    assert told["acceleration_y"]["value"] == pytest.approx(-9810.0, rel=1e-3)
    assert told["acceleration_y"]["unit"] == "mm/s2"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of four tracks: two still ones, one on a circle about the first, one that goes along x; they shake."""
    rng = np.random.default_rng(1)
    frames = np.arange(300)
    times = frames / 100.0
    shake = np.stack((np.sin(40.0 * times), np.cos(31.0 * times)))
    still, other = np.array([[50.0], [40.0]]), np.array([[90.0], [44.0]])
    places = [still + 0.0 * shake, other + 0.0 * shake,
              still + 20.0 * np.stack((np.cos(3.0 * times), np.sin(3.0 * times))),
              np.stack((10.0 + 30.0 * times, 70.0 + 0.0 * times))]  # fmt: skip
    rows = np.zeros((4, 300), TRACK_DTYPE)
    for track, place in enumerate(places):
        rows["x"][track], rows["y"][track] = place + shake + rng.normal(0.0, 0.02, (2, 300))
    rows["frame"], rows["time"], rows["track"] = frames, times, np.arange(4)[:, None]
    rows["sigma"], rows["state"] = 0.02, State.TRACKED
    write_tracks_parquet(tmp_path / "tracks.parquet", rows.ravel(), {})
    (tmp_path / "summary.json").write_text(json.dumps({"source": {"time_base": {"fps": 100.0}, "metadata": {}}}))
    return tmp_path


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def fails(capsys, *words: str) -> str:
    assert main(["motion", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
    return said.err


@pytest.mark.sharp
def test_tables_and_figure(folder, capsys):
    words = ["--reference", "0,1", "--distance", "0,2", "--angle", "1,0,2", "--angle", "0,3", "--fit", "sine",
             "--region", "gate=rect:20,60,30,20", "--region", "circle:50,40,5"]  # fmt: skip
    assert main(["motion", str(folder), *words]) == 0
    said = capsys.readouterr().out
    assert "ground   moved by" in said
    assert "motion.csv, motion-tracks.csv, speeds.csv, measures.csv, fits.json, motion.png" in said
    rows = table(folder / "motion.csv")
    assert len(rows) == 1200
    going = [row for row in rows if row["track"] == "3"]
    speed = np.array([float(row["vx_px_per_s"]) for row in going])
    sigma = np.array([float(row["sigma_vx_px_per_s"]) for row in going])
    assert np.abs(speed - 30.0).max() < 6.0 * sigma.max()
    whole = table(folder / "motion-tracks.csv")
    assert float(whole[3]["path_px"]) == pytest.approx(89.7, rel=0.01)
    assert float(whole[3]["gate_time_s"]) == pytest.approx(1.0, abs=0.02)
    assert whole[3]["gate_visits"] == "1"
    assert float(whole[0]["region2_share"]) == 1.0
    assert float(whole[2]["region2_time_s"]) == 0.0
    turning = [row for row in table(folder / "measures.csv") if row["measure"] == "angle 1-0-2"]
    rate = np.array([float(row["rate_per_s"]) for row in turning])
    assert np.median(rate) == pytest.approx(math.degrees(3.0), rel=2e-3)
    assert {row["unit"] for row in table(folder / "measures.csv")} == {"px", "deg"}
    assert cv2.imread(str(folder / "motion.png")) is not None
    assert main(["motion", str(folder), "--track", "3"]) == 0
    assert not (folder / "measures.csv").exists()
    assert not (folder / "fits.json").exists()


def test_json_units_axes_and_frames(folder, capsys):
    words = ["--scale", "2 mm/px", "--origin", "50,40", "--y-up", "--reference", "0,1", "--track", "2", "--fit",
             "circle", "--frames", ":-50", "--window", "0.2", "--order", "3", "--json"]  # fmt: skip
    assert main(["motion", str(folder), *words]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["window"] == {"width_s": 0.2, "order": 3, "chosen": False, "expected_velocity_error": None}
    assert told["tracks"][0]["samples"] == 250
    circle = told["fits"][0]["parameters"]
    assert circle["radius"]["value"] == pytest.approx(40.0, abs=5 * circle["radius"]["standard_error"])
    assert circle["angular_velocity"]["value"] == pytest.approx(-3.0, rel=1e-3)
    assert abs(circle["centre_x"]["value"]) < 3.0
    assert not (folder / "motion.csv").exists()


def test_lengths_scale_all_alike(folder):
    from app.exports.tables import read_tracks

    rows = read_tracks(folder / "tracks.parquet")
    one, two = (kinematics_of(rows, Wanted(tracks=(3,)), scale=scale) for scale in (None, parse_scale("0.5 mm/px")))
    assert one.window == two.window
    np.testing.assert_allclose(two.tracks[0].smoothed.values, 0.5 * one.tracks[0].smoothed.values)
    np.testing.assert_allclose(two.tracks[0].smoothed.variances, 0.25 * one.tracks[0].smoothed.variances)


@pytest.mark.parametrize(("words", "told"), [
    (["--track", "9"], "no track 9"),
    (["--track", "a"], "--track takes tracks"),
    (["--distance", "0"], "--distance takes two tracks"),
    (["--angle", "0,0,1"], "names a track twice"),
    (["--angle", "0"], "two or three tracks"),
    (["--reference", "0", "--ground", "rigid"], "needs 2 reference points"),
    (["--ground", "rigid"], "--reference"),
    (["--region", "circle:1,2"], "--region takes"),
    (["--region", "a=circle:1,2,3", "--region", "a=circle:1,2,3"], "two called 'a'"),
    (["--window", "0"], "--window must be"),
    (["--order", "9"], "--order must be 1 to 6"),
    (["--frames", "900:"], "no track was seen in these frames"),
    (["--min-frames", "1000"], "none of 4 tracks"),
    (["--origin", "1"], "--origin takes two numbers"),
    (["--y-up"], "--origin x,y"),
])  # fmt: skip
def test_refusals(folder, capsys, words, told):
    assert told in fails(capsys, str(folder), *words)


def test_without_a_rate(folder, capsys):
    (folder / "summary.json").write_text(json.dumps({"source": {"time_base": {"fps": None}, "metadata": {}}}))
    assert "--fps" in fails(capsys, str(folder))


def test_a_fit_that_is_not_all_says_so(folder, capsys):
    assert main(["motion", str(folder), "--track", "2", "--fit", "line"]) == 0
    assert "it is not all that moves there" in capsys.readouterr().out


def test_the_others_name_the_way_for_what_swings_freely(folder, capsys):
    assert main(["frf", str(folder)]) == 2
    assert f"fusetrack motion {folder} --fit damped-sine" in capsys.readouterr().err
    for command in ("msd", "shapes", "frf"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        assert "--fit damped-sine" in capsys.readouterr().out


def test_python_says_what_the_command_says(folder, tmp_path, capsys):
    from app.api.motion import motion
    from kernels.errors import ArgumentError

    made = motion(folder, fit="circle", only=(2,), reference=(0, 1), out=tmp_path / "own")
    assert main(["motion", str(folder), "--fit", "circle", "--track", "2", "--reference", "0,1"]) == 0
    assert (tmp_path / "own" / "motion.csv").read_bytes() == (folder / "motion.csv").read_bytes()
    assert made.fits[0]["parameters"]["radius"]["value"] == pytest.approx(20.0, abs=0.02)
    assert len(made.table["vx_px_per_s"]) == 300
    assert made.plot().get_ylabel() == "speed (px/s)"
    with pytest.raises(ArgumentError, match="fit takes"):
        motion(folder, fit="cubic")
    with pytest.raises(TypeError, match=r"motion has no option 'distance'; did you mean distances=\?"):
        motion(folder, distance=(0, 1))
