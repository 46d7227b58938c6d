"""Spectra as a table and as a picture."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from app.controller import run_clip
from app.exports.export import export_results
from app.exports.scale import Scale
from app.exports.spectra import draw_spectra, plot_spectra, write_spectra
from app.run_spectra import spectra_words
from kernels.errors import InputError
from pipelines.trackers.vibration import SPECTRA_DTYPE

pytestmark = pytest.mark.sharp


def rows(tracks=3):
    made = np.zeros((tracks, 32), SPECTRA_DTYPE)
    made["track"], made["frequency"], made["pieces"] = np.arange(tracks)[:, None], np.arange(1, 33) * 15.625, 4
    made["x"], made["y"], made["noise_x"], made["noise_y"] = 1e-3, 2e-3, 1e-4, 2e-4
    made["x"][:, 5] = 0.5
    return made.ravel()


def test_the_table_names_its_units(tmp_path):
    write_spectra(tmp_path / "spectra.csv", rows())
    with open(tmp_path / "spectra.csv", newline="", encoding="utf-8") as file:
        read = list(csv.DictReader(file))
    assert len(read) == 96
    assert float(read[5]["x_px_per_sqrt_hz"]) == 0.5
    assert float(read[5]["x_sigma_px_per_sqrt_hz"]) == pytest.approx(0.5 * 0.25, rel=0.03)  # of four pieces
    assert float(read[5]["y_sigma_px_per_sqrt_hz"]) == pytest.approx(2e-3 * 0.25, rel=0.03)
    assert float(read[40]["frequency_hz"]) == 9 * 15.625
    assert read[95]["track"] == "2"


def test_a_run_s_table_is_exported_as_lengths(tmp_path):
    write_spectra(tmp_path / "spectra.csv", rows(), names={1: "tip, left"})
    made = export_results(tmp_path / "spectra.csv", "csv", scale="0.25 mm/px")
    assert (made.files, made.tracks, made.rows) == ((tmp_path / "spectra_mm.csv",), 3, 96)
    write_spectra(tmp_path / "wanted.csv", rows(), Scale(0.25, "mm"), {1: "tip, left"})
    assert (tmp_path / "spectra_mm.csv").read_text() == (tmp_path / "wanted.csv").read_text()
    with open(tmp_path / "spectra_mm.csv", newline="", encoding="utf-8") as file:
        read = list(csv.DictReader(file))
    assert (float(read[5]["x_mm_per_sqrt_hz"]), float(read[0]["noise_y_mm_per_sqrt_hz"])) == (0.125, 5e-5)
    assert float(read[5]["x_sigma_mm_per_sqrt_hz"]) == pytest.approx(0.125 * 0.25, rel=0.03)
    assert export_results(tmp_path / "spectra.csv", out=tmp_path / "m.csv", scale="1 m/px").files[0].name == "m.csv"


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("spectra.csv", {"to": "csv"}, "say how long a pixel is"),
        ("spectra.csv", {"to": "mat", "scale": "1 mm/px"}, "--to csv and --scale are known"),
        ("spectra.csv", {"to": "csv", "scale": "1 mm/px", "frames": (1, 9)}, "--to csv and --scale are known"),
        ("spectra.csv", {"to": "csv", "scale": "1 mm/px", "out": "spectra.csv"}, "is the input itself"),
        ("spectra.csv", {"to": "csv", "scale": "1 mm/px", "out": "there.csv"}, "exists already"),
        ("mm.csv", {"to": "csv", "scale": "1 mm/px"}, "has no column x_px_per_sqrt_hz"),
        ("bad.csv", {"to": "csv", "scale": "1 mm/px"}, "numbers in every row"),
    ],
)
def test_spectra_that_cannot_be_exported(tmp_path, monkeypatch, name, options, words):
    monkeypatch.chdir(tmp_path)
    write_spectra("spectra.csv", rows())
    write_spectra("mm.csv", rows(), Scale(0.25, "mm"))
    text = Path("spectra.csv").read_text()
    Path("bad.csv").write_text(text.replace("2.0000e-03", "two"))
    Path("there.csv").touch()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(InputError, match=words):
        export_results(name, **options)
    assert sorted(tmp_path.iterdir()) == before
    assert Path("spectra.csv").read_text() == text


def test_the_picture_has_those_that_move_most_and_the_noise():
    table = rows(11)
    table["x"][table["track"] < 3] = 0.0
    top, bottom = plot_spectra(table, unit="um", names={5: "left brow"})
    for panel, name in ((top, "x"), (bottom, "y")):
        lines = {line.get_label(): line for line in panel.lines}
        others = (f"point {k}" for k in (3, 4, 6, 7, 8, 9, 10))
        assert lines.keys() == {"left brow", *others, "median noise of all points"}
        own = table[table["track"] == 5]
        np.testing.assert_array_equal(lines["left brow"].get_xydata(), np.stack((own["frequency"], own[name]), axis=1))
        assert set(lines["median noise of all points"].get_ydata()) == {table[f"noise_{name}"][0]}
        assert (panel.get_xscale(), panel.get_yscale()) == ("log", "log")
        assert panel.get_ylabel() == f"{name} (µm/√Hz)"
        assert len({(line.get_color(), line.get_linestyle()) for line in panel.lines}) == 9
    colours = [[line.get_color() for line in panel.lines] for panel in (top, bottom)]
    assert colours[0] == colours[1]
    assert bottom.get_xlabel() == "frequency (Hz)"


def test_the_figure_is_written_as_its_name_says(tmp_path):
    draw_spectra(tmp_path / "a.pdf", rows(), "clip", Scale(0.25, "mm"))
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")


def test_a_run_leaves_them_beside_its_tracks_and_clears_those_of_another(tmp_path):
    clip = "sim:plate?frames=80&width=96&height=96&fps=1000"
    outcome = run_clip(clip, "vibration", out=tmp_path, overlay=False)
    assert {"spectra.csv", "spectra.png"} <= {file.name for file in outcome.files}
    first = (tmp_path / "spectra.csv").read_text().splitlines()
    assert len(first) > 40
    run_clip(clip, "blobs", out=tmp_path, overlay=False)
    assert not (tmp_path / "spectra.csv").exists()


def test_a_run_says_of_which_points_it_has_no_spectrum(tmp_path):
    clip = "sim:plate?width=96&height=96&fps=1000&frames="
    outcome = run_clip(clip + "40", "vibration", out=tmp_path, overlay=False)
    (hint,) = [hint for hint in outcome.summary["hints"] if "spectra" in hint]
    assert hint.startswith("no spectra were written: ")
    assert "--set follow.spectrum=64" in hint
    outcome = run_clip(clip + "70", "vibration", out=tmp_path, overlay=False)
    assert not any("spectra" in hint for hint in outcome.summary["hints"])
    assert spectra_words(rows(3), 3, 1000.0, ["a"]) == []
    assert spectra_words(rows(3), 5, 1000.0, ["a"])[0].startswith("no spectra of 2 of 5 points: ")
    assert "--fps" in spectra_words(rows(3)[:0], 5, 0.0, ["a"])[0]
