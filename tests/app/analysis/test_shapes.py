"""`fusetrack shapes`: what it prints, writes, draws and refuses, and the modes of a simulated beam."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.exports.tables import write_tracks_parquet
from app.sources.simulated.scenes.beam import mode_shape
from app.sources.simulated.source import make_scene
from kernels.opencv import cv2
from tests.pipelines.analysis.swinging import POINTS, TONES, shape, swinging


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the tracks of a bar that swings."""
    write_tracks_parquet(tmp_path / "tracks.parquet", swinging(1), {})
    return tmp_path


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def fails(capsys, *words: str) -> str:
    assert main(["shapes", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
    return said.err


@pytest.mark.sharp
def test_table_and_figure(folder, capsys):
    assert main(["shapes", str(folder)]) == 0
    said = capsys.readouterr().out
    assert said.count("\npeak ") == 3
    rows = table(folder / "shapes.csv")
    assert len(rows) == 3 * POINTS * 2
    first = [row for row in rows if row["peak"] == "0" and row["axis"] == "y"]
    assert {row["reference_track"] for row in first} == {str(POINTS - 1)}
    assert {row["reference_axis"] for row in first} == {"y"}
    for row in first:
        wanted = shape(0)[int(row["track"])]
        assert float(row["frequency_hz"]) == pytest.approx(TONES[0][0], abs=0.02)
        assert abs(float(row["relative_real"]) - wanted) <= 5 * float(row["relative_sigma"])
        assert abs(float(row["amplitude_px"]) - TONES[0][1] * wanted) < 5 * float(row["amplitude_sigma_px"])
    assert cv2.imread(str(folder / "shapes.png")) is not None


def test_lengths_reference_and_frequencies(folder, tmp_path, capsys):
    out = tmp_path / "other"
    words = ["--scale", "0.5 mm/px", "--reference", "3", "--at", "31.3", "-o", str(out)]
    assert main(["shapes", str(folder), *words]) == 0
    assert " mm in y" in capsys.readouterr().out
    rows = [row for row in table(out / "shapes.csv") if row["axis"] == "y"]
    assert len(rows) == POINTS
    assert float(rows[3]["relative"]) == 1.0
    assert float(rows[3]["phase_sigma_deg"]) == 0.0
    assert float(rows[8]["amplitude_mm"]) == pytest.approx(0.25, rel=0.01)
    assert float(rows[8]["relative_real"]) == pytest.approx(shape(0)[8] / shape(0)[3], rel=0.02)


def test_json_and_notes(folder, capsys):
    rows = swinging(1, lost=0.02)
    rows["sigma"] = np.nan
    write_tracks_parquet(folder / "tracks.parquet", rows, {})
    assert main(["shapes", str(folder), "--json", "--peaks", "2"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["peaks_hz"]) == 2
    assert told["shapes"][1]["amplitude_sigma_px"] is None
    assert any("bridged" in note for note in told["notes"])
    assert any("sigma" in note for note in told["notes"])
    assert not (folder / "shapes.csv").exists()


@pytest.mark.parametrize(("words", "told"), [
    (["--peaks", "0"], "--peaks must be 1 or more"),
    (["--at", "five"], "--at takes frequencies"),
    (["--at", "300"], "tells of"),
    (["--reference", "77"], "no such track"),
    (["--resolution", "-3"], "--resolution must lie"),
    (["--scale", "3"], "--scale takes a length"),
])  # fmt: skip
def test_refusals(folder, capsys, words, told):
    assert told in fails(capsys, str(folder), *words)


def test_without_a_rate_or_a_record(folder, capsys):
    (folder / "summary.json").write_text(json.dumps({"source": {"metadata": {}, "time_base": {"fps": None}}}))
    assert "--fps" in fails(capsys, str(folder))
    rows = swinging(1)
    write_tracks_parquet(folder / "tracks.parquet", rows[rows["frame"] < 20], {})
    assert "record of 32 frames" in fails(capsys, str(folder), "--fps", "500")


def test_a_table_without_tracks(folder, capsys):
    write_tracks_parquet(folder / "tracks.parquet", swinging(1)[:0], {})
    assert "has no tracks" in fails(capsys, str(folder))


def test_points_that_stand_still(folder, capsys):
    rows = swinging(1)
    rows["x"], rows["y"] = 5.0, 6.0
    write_tracks_parquet(folder / "tracks.parquet", rows, {})
    assert "does not move at all at 60 Hz" in fails(capsys, str(folder), "--at", "60")
    assert main(["shapes", str(folder)]) == 0
    assert "none stands out" in capsys.readouterr().out


def test_the_modes_of_a_beam_from_its_frames(tmp_path, capsys):
    """Both bending modes of a short beam, whose true shapes are known. Near its tip 2 px are 7 % of the second mode:
    amplitudes are not those of the points, but of the places where the windows measure (and of means around these)."""
    spec = "sim:beam?frames=220&points=10&width=160&height=96&seed=21"
    scene = make_scene(spec)
    stations = scene.clamp + scene.length * np.linspace(0.1, 0.97, 10)
    lines = ["x_px,y_px", *(f"{x},{(scene.height - 1) / 2}" for x in stations)]
    (tmp_path / "points.csv").write_text("\n".join(lines) + "\n")
    out = tmp_path / "out"
    assert main(["run", spec, "-p", "vibration", "--points", str(tmp_path / "points.csv"), "--no-overlay", "-q",
                 "-o", str(out)]) == 0  # fmt: skip
    assert main(["shapes", str(out)]) == 0
    capsys.readouterr()
    rows = [row for row in table(out / "shapes.csv") if row["axis"] == "y"]
    assert len(rows) == 30
    at = np.array([float(row["measured_at_x_px"]) for row in rows[:10]])
    along, asked = ((x - scene.clamp) / scene.length for x in (at, stations))
    for number, (mode, frequency, amplitude, _) in enumerate(scene.tones):
        mine = rows[10 * number : 10 * number + 10]
        real, imaginary, size = (np.array([float(row[name]) for row in mine])
                                 for name in ("relative_real", "relative_imaginary", "amplitude_px"))  # fmt: skip
        wanted, blur = mode_shape(along, mode), np.sinc(frequency * scene.exposure / scene.fps)
        assert float(mine[0]["frequency_hz"]) == pytest.approx(frequency, abs=0.1)
        assurance = (real @ wanted) ** 2 / ((real @ real) * (wanted @ wanted))  # Allemang's modal assurance criterion
        assert assurance > 0.999
        np.testing.assert_allclose(imaginary, 0.0, atol=0.02)
        off, off_asked = (np.sqrt(np.mean((size / (amplitude * blur) - np.abs(mode_shape(x, mode))) ** 2))
                          for x in (along, asked))  # fmt: skip
        tip, tip_asked = (abs(size[-1] / (amplitude * blur) - abs(mode_shape(x, mode)[-1])) for x in (along, asked))
        assert off < (0.004, 0.005, 0.013)[number]
        assert off < 0.35 * off_asked
        assert tip < 0.15 * tip_asked
