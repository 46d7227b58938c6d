"""`fusetrack msd`: what it prints, writes, draws and refuses, and that it finds the D of a simulated clip."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from app.analysis.motion import motion_of, words_of
from app.analysis.msd_figure import MOST, plot_msd
from app.cli import main
from app.exports.scale import parse_scale
from app.exports.tables import write_tracks_parquet
from app.plots.figures import sheet
from app.plots.look import DARK, LIGHT, look_of
from kernels.opencv import cv2
from tests.pipelines.analysis.walks import walks
from tests.tracks_csv import write_tracks_csv


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of results with tracks of D = 2 px^2/s."""
    write_tracks_parquet(tmp_path / "tracks.parquet", walks(1, exposure=0.5), {})
    source = {"metadata": {"exposure_s": 0.005}, "time_base": {"fps": 100.0}}
    (tmp_path / "summary.json").write_text(json.dumps({"source": source}))
    return tmp_path


def fails(capsys, *words: str) -> str:
    assert main(["msd", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
    return said.err


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.sharp
def test_tables_and_figure(folder, capsys):
    assert main(["msd", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "an exposure of 0.005 s" in said
    whole = table(folder / "msd.csv")
    areas = [f"{name}_px2" for name in ("msd", "standard_error", "low95", "high95", "raw", "floor")]
    assert list(whole[0]) == ["lag_s", *areas, "tracks", "pairs"]
    lag, msd, raw, floor = (np.array([float(row[name]) for row in whole])
                            for name in ("lag_s", "msd_px2", "raw_px2", "floor_px2"))  # fmt: skip
    np.testing.assert_allclose(lag, 0.01 * np.arange(1, 100))
    np.testing.assert_allclose(msd, raw - floor, rtol=1e-7)
    assert whole[0]["pairs"] == str(30 * 99)
    each = table(folder / "msd-tracks.csv")
    assert len(each) == 30 * 99
    own, sigma = (np.array([float(row[name]) for row in each[::99]]) for name in ("msd_px2", "standard_error_px2"))
    assert 0.6 < np.sqrt(np.mean(np.square((own - msd[0]) / sigma))) < 1.5, "of 30 tracks"
    rows = table(folder / "diffusion.csv")
    d = np.array([float(row["d_px2_per_s"]) for row in rows])
    assert abs(d.mean() - 2.0) < 4 * d.std() / np.sqrt(30)
    picture = cv2.imread(str(folder / "msd.png"))
    assert picture.shape[:2] == (1116, 1800)


def test_help_says_of_which_tracks_the_standard_errors_hold(capsys):
    with pytest.raises(SystemExit):
        main(["msd", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    assert ("the standard error that free diffusion has in theory: too large for straight ways and for long lags of "
            "confined ones, too small for ways that turn slowly") in said  # fmt: skip


def test_lengths_in_place_of_pixels(folder, tmp_path, capsys):
    out = tmp_path / "new" / "lengths"
    assert main(["msd", str(folder / "tracks.parquet"), "--scale", "0.5 um/px", "-o", str(out), "--lags", "7"]) == 0
    assert "um^2/s" in capsys.readouterr().out
    assert main(["msd", str(folder), "--lags", "7"]) == 0
    ours, theirs = table(out / "msd.csv"), table(folder / "msd.csv")
    assert len(ours) == 7
    assert float(ours[3]["msd_um2"]) == pytest.approx(0.25 * float(theirs[3]["msd_px2"]), rel=1e-6)
    assert "d_um2_per_s" in table(out / "diffusion.csv")[0]


def test_json(folder, capsys, monkeypatch):
    monkeypatch.setattr("app.analysis.motion.own_errors", None)  # nobody asks for those of single tracks
    assert main(["msd", str(folder), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert abs(told["diffusion"]["d"] - 2.0) < 4 * told["diffusion"]["d_error"]
    assert len(told["msd"]["lag_s"]) == 99
    assert len(told["each"]) == 30
    assert told["notes"] == []
    assert not (folder / "msd.csv").exists()


def test_what_is_odd_is_said():
    def said(rows, **options):
        return " ".join(words_of(motion_of(rows, **options)))

    assert said(walks(2)) == ""
    flowing = walks(2, flow=(40.0, 0.0))
    assert "drift together" in said(flowing)
    assert said(flowing, drift=True) == ""
    straight = walks(2, d=1e-6, flow=(40.0, 0.0))
    assert "not free diffusion" in said(straight)
    wrong = walks(2, noise=0.3)
    wrong["sigma"] *= 0.5
    assert "another noise" in said(wrong)
    assert said(wrong, noise="seen") == ""
    uneven = walks(2, frames=40)
    uneven["time"] += 0.004 * np.sin(uneven["frame"] ** 2)
    assert "even clock" in said(uneven)
    assert "only 3 tracks" in said(walks(2, tracks=3))
    assert "a single track: the errors" in said(walks(2, tracks=1))


def test_tables_without_sigma_take_what_the_steps_show(tmp_path, capsys):
    rows = walks(3, noise=0.3, frames=400)
    lines = ["frame,particle,x,y", *(f"{r['frame']},{r['track']},{r['x']},{r['y']}" for r in rows)]
    (tmp_path / "theirs.csv").write_text("\n".join(lines) + "\n")
    assert main(["msd", str(tmp_path / "theirs.csv"), "--fps", "100", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["noise_taken_away"] == "seen"
    assert abs(told["diffusion"]["d"] - 2.0) < 4 * told["diffusion"]["d_error"]
    assert told["diffusion"]["d_stated"] is None
    assert "sigma" in fails(capsys, str(tmp_path / "theirs.csv"), "--noise", "stated")


def test_without_a_rate_frames_are_the_unit(folder, capsys):
    (folder / "summary.json").write_text(json.dumps({"source": {"metadata": {}, "time_base": {"fps": None}}}))
    assert main(["msd", str(folder)]) == 0
    assert "px^2/frame" in capsys.readouterr().out
    assert float(table(folder / "msd.csv")[0]["lag_frames"]) == 1.0


def test_the_figure_shows_every_track_and_all_of_them():
    found = motion_of(walks(4, tracks=12), scale=parse_scale("0.5 um/px"))
    axes = plot_msd(found, title="of $5")
    lag = found.interval * np.arange(1, len(found.msd.msd) + 1)
    by_name = {line.get_label(): line for line in axes.lines}
    assert sum(line.get_color() == LIGHT.faint for line in axes.lines) == 12 <= MOST
    np.testing.assert_array_equal(by_name["all, as measured"].get_xydata(), np.stack((lag, found.msd.raw), axis=1))
    line = next(curve for name, curve in by_name.items() if name == "4 D lag")
    np.testing.assert_allclose(line.get_ydata(), 4 * found.all.d * lag, rtol=1e-12)
    (bars,) = axes.containers
    points, _, (reach,) = bars.lines
    np.testing.assert_array_equal(points.get_ydata()[0], found.msd.msd[0])
    low, high = reach.get_segments()[0][:, 1]
    np.testing.assert_allclose((high - low) / 2, found.spread * found.msd.error[0])
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("lag (s)", "mean squared displacement (µm²)")
    assert axes.get_xscale() == axes.get_yscale() == "log"
    key = axes.get_legend()
    assert key.get_title().get_text().startswith("12 tracks, exponent ")
    assert f"D = {found.all.d:.2f}" in key.get_title().get_text()
    assert key.get_title().get_text().endswith(" µm²/s")
    assert axes.get_title(loc="left") == r"of \$5"


def test_axes_of_a_reader_are_drawn_into(tmp_path):
    found = motion_of(walks(4, tracks=3))
    axes = sheet(DARK, 3.0).add_subplot()
    assert plot_msd(found, axes, "a title", look_of("paper")) is axes
    assert axes.get_title(loc="left") == ""  # a caption says it


@pytest.mark.parametrize("how", ["paper,pdf", "double,svg"])
def test_other_files(folder, how, capsys):
    assert main(["msd", str(folder), "--lags", "5", "--figure", how]) == 0
    suffix = how.split(",")[1]
    assert capsys.readouterr().out.splitlines()[-1].endswith(f"msd.{suffix}")
    assert (folder / f"msd.{suffix}").read_bytes().startswith({"pdf": b"%PDF", "svg": b"<?xml"}[suffix])
    assert not (folder / "msd.png").exists()


@pytest.mark.parametrize(("words", "told"), [
    (["--min-frames", "2"], "--min-frames must be 3 or more"),
    (["--lags", "0"], "--lags must be 1 or more"),
    (["--min-frames", "500"], "none of the 30 tracks was seen in 500 frames"),
    (["--exposure", "0.02"], "does not fit"),
    (["--exposure", "-1"], "--exposure must be a time"),
    (["--scale", "3 px"], "--scale takes a length"),
    (["--figure", "poster"], "--figure takes paper, double, png, svg and pdf"),
])  # fmt: skip
def test_refusals(folder, capsys, words, told):
    assert told in fails(capsys, str(folder), *words)


def test_a_folder_without_tracks(tmp_path, capsys):
    assert "is a folder without pictures or results, and a run's folder, a table" in fails(capsys, str(tmp_path))
    write_tracks_csv(tmp_path / "tracks.csv", walks(1)[:0])
    assert "has no tracks" in fails(capsys, str(tmp_path))


def test_things_that_stand_still(folder, capsys):
    rows = walks(1)
    rows["x"], rows["y"], rows["sigma"] = 5.0, 6.0, 0.0
    write_tracks_parquet(folder / "tracks.parquet", rows, {})
    assert main(["msd", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "D        0 +- 0" in said
    assert "the steps show 0 px" in said


def test_drift_that_nobody_knows(folder, capsys):
    write_tracks_parquet(folder / "tracks.parquet", walks(1, tracks=1), {})
    assert "the drift is unknown" in fails(capsys, str(folder), "--drift")
    rows = walks(1, tracks=3)
    rows = rows[(rows["frame"] < 60) | (rows["track"] == 0)]
    write_tracks_parquet(folder / "tracks.parquet", rows, {})
    assert main(["msd", str(folder), "--drift"]) == 0
    assert "40 steps that only one track saw are left out" in capsys.readouterr().out
    told = table(folder / "diffusion.csv")
    assert [row["steps"] for row in told] == ["59", "59", "59"]


def test_tracks_that_were_never_seen_twice_within_the_lags(folder, capsys):
    rows = walks(1, tracks=40, frames=200)
    rows = rows[(rows["frame"] - rows["track"]) % 40 == 0]  # some thing in every frame, each only every 40th
    write_tracks_parquet(folder / "tracks.parquet", rows, {})
    assert "no track was seen twice within 20 frames" in fails(capsys, str(folder), "--min-frames", "3", "--lags", "20")


def test_damaged_tables_are_refused(folder, capsys):
    rows = walks(1)
    rows["time"] = 0.0
    write_tracks_parquet(folder / "tracks.parquet", rows, {})
    assert "do not rise" in fails(capsys, str(folder))
    assert main(["msd", str(folder), "--fps", "100"]) == 0


def test_pixels_to_d(tmp_path, capsys):
    """From frames of noise to D: within four of its standard errors."""
    clip = "sim:brownian?frames=120&count=30&width=192&height=160&diffusion=40&seed=5"
    assert main(["run", clip, "-p", "blobs", "--no-overlay", "-q", "-o", str(tmp_path)]) == 0
    capsys.readouterr()
    assert main(["msd", str(tmp_path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["exposure"] == pytest.approx(0.0005)
    for name in ("d", "d_stated"):
        assert abs(told["diffusion"][name] - 40.0) < 4 * told["diffusion"][f"{name}_error"]
    assert abs(told["exponent"] - 1.0) < 4 * told["exponent_standard_error"]
