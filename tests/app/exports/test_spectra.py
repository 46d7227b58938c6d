"""Spectra as a table and as a picture."""

from __future__ import annotations

import csv

import numpy as np

from app.controller import run_clip
from app.exports.shapes import Line, Words
from app.exports.spectra import drawing, write_spectra
from app.exports.spectra_words import spectra_words
from pipelines.trackers.vibration import SPECTRA_DTYPE


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
    assert float(read[40]["frequency_hz"]) == 9 * 15.625
    assert read[95]["track"] == "2"


def test_the_picture_has_those_that_move_most_and_the_noise():
    made = drawing(rows(11), "clip")
    assert sum(isinstance(part, Line) for part in made.parts) == 2 * (8 + 1) + 1
    assert any(isinstance(part, Words) and "11 points" in part.text for part in made.parts)


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
