"""`fusetrack evaluate`: what it prints, writes, draws and refuses."""

from __future__ import annotations

import csv
import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.evaluation.figure import figure
from app.evaluation.panels import over_time, s_curves, spectrum, timeline
from app.exports.tables import write_tracks_parquet
from app.plots.look import DARK, LIGHT, look_of
from kernels.opencv import cv2
from pipelines.evaluation.complete import evaluate_all
from pipelines.features import State
from tests.pipelines.evaluation.cases import Crowd, tracks, truth
from tests.tracks_csv import write_tracks_csv


def save(folder: Path, mine, real) -> list[str]:
    paths = [str(folder / name) for name in ("tracks.csv", "truth.csv")]
    write_tracks_csv(paths[0], mine)
    lines = ["frame,time_s,track,x_px,y_px,visible"]
    lines += [f"{r['frame']},{r['time']},{r['track']},{r['x']},{r['y']},{int(r['visible'])}" for r in real]
    Path(paths[1]).write_text("\n".join(lines) + "\n")
    return paths


@pytest.fixture
def crowd(tmp_path):
    """The two files of a crowd, and its tables."""
    mine, real = Crowd(frames=120, things=8, side=90.0, noise=0.2, swap=0.01, renew=0.01, hide=0.05).draw(3)
    return save(tmp_path, mine, real), mine, real


def fails(capsys, *words: str) -> str:
    assert main(["evaluate", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
    assert "Traceback" not in said.err
    return said.err


def test_a_table_with_every_family(crowd, capsys):
    paths, mine, real = crowd
    assert main(["evaluate", *paths]) == 0
    said = capsys.readouterr().out
    found = evaluate_all(mine, real)
    for name, value in (("MOTA", found.clear.mota), ("IDF1", found.identity.idf1), ("HOTA", found.hota.hota),
                        ("beta", found.challenge.beta), ("JSC_theta", found.challenge.jsc_theta)):  # fmt: skip
        line = next(line for line in said.splitlines() if line.startswith(f"  {name} "))
        assert float(line.split()[1]) == pytest.approx(value, abs=6e-5)
    for words in ("S-curve", "noise density", "variance of z", "coverage", "similarity 1 - distance / 3 px"):
        assert words in said
    rows = [line.split() for line in said.splitlines() if line[:7].strip().isdigit()]
    assert [row[0] for row in rows] == [str(k) for k in range(8)]
    assert sum(int(row[5]) for row in rows) == found.clear.id_switches > 0


def test_a_run_s_folder_stands_for_its_table(crowd, tmp_path, capsys):
    paths, mine, _ = crowd
    assert main(["evaluate", *paths, "--json"]) == 0
    wanted = json.loads(capsys.readouterr().out)
    assert main(["evaluate", str(tmp_path), paths[1], "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == wanted
    fewer = mine[mine["track"] != mine["track"][0]]
    write_tracks_parquet(tmp_path / "tracks.parquet", fewer, {})  # the exact one is taken first
    assert main(["evaluate", str(tmp_path), paths[1], "--json"]) == 0
    assert json.loads(capsys.readouterr().out) != wanted


def test_a_folder_without_tracks_is_refused(crowd, tmp_path, capsys):
    (tmp_path / "empty").mkdir()
    no_run = "is a folder without pictures or results, and a run's folder, a table"
    assert no_run in fails(capsys, str(tmp_path / "empty"), crowd[0][1])


def test_predicted_places_and_their_sigma_are_judged(tmp_path, capsys):
    real = truth([(f, 0, 10.0 + f, 5.0) for f in range(40)])
    mine = tracks([(f, 0, 10.0 + f + (0.3 if f in (20, 21) else 0.0), 5.0) for f in range(40)])
    mine["sigma"] = 0.1
    mine["state"][20:22] = State.PREDICTED
    paths = save(tmp_path, mine, real)
    assert main(["evaluate", *paths]) == 0
    said = capsys.readouterr().out
    (line,) = (line for line in said.splitlines() if line.startswith("  guesses "))
    assert "0.3000 px" in line
    assert "RMSE of 2 predicted places, unseen; variance of z 0.00, 50 % within 2 sigma" in line


def test_json_has_everything_as_numbers(crowd, capsys):
    paths, mine, real = crowd
    assert main(["evaluate", *paths, "--json", "--gate", "2", "--epsilon", "4"]) == 0
    said = json.loads(capsys.readouterr().out)
    found = evaluate_all(mine, real, gate=2.0, epsilon=4.0)
    assert said["mota"] == pytest.approx(found.clear.mota)
    assert said["hota"]["by_alpha"]["hota"] == pytest.approx(found.hota.by_alpha["hota"], abs=1e-6)
    assert said["particle_challenge"]["alpha"] == pytest.approx(found.challenge.alpha, abs=1e-6)
    assert said["identity"]["idtp"] == found.identity.idtp
    assert said["displacement"]["density"]["length"] == found.displacement.density.length
    assert said["calibration"]["rows"] == found.calibration.rows
    assert len(said["things"]) == 8
    assert said["gate_px"] == 2


def test_csv_has_a_row_a_thing(crowd, capsys, tmp_path):
    paths, mine, real = crowd
    assert main(["evaluate", *paths, "--csv", str(tmp_path / "things.csv")]) == 0
    assert "wrote" in capsys.readouterr().out
    rows = list(csv.DictReader((tmp_path / "things.csv").open()))
    expected = evaluate_all(mine, real).things
    assert [int(row["thing"]) for row in rows] == expected["thing"].tolist()
    assert [float(row["rmse_px"]) for row in rows] == pytest.approx(expected["rmse"].tolist(), abs=1e-5)
    assert "drift_x_px_per_s" in rows[0]


@pytest.mark.sharp
def test_pictures(crowd, tmp_path, capsys):
    paths, _, _ = crowd
    for name in ("a.png", "a.svg", "a.html"):
        assert main(["evaluate", *paths, "--plot", str(tmp_path / name)]) == 0
    picture = cv2.imread(str(tmp_path / "a.png"))
    assert picture.shape[0] > 2000
    assert len(np.unique(picture[::3, ::3].reshape(-1, 3), axis=0)) > 100
    texts = [e.text for e in ElementTree.fromstring((tmp_path / "a.svg").read_text()).iter() if e.tag.endswith("text")]
    for title in ("errors over time", "distribution of errors", "S-curve", "noise density", "reliability of sigma",
                  "stated and observed error", "HOTA by threshold", "distances", "identities"):  # fmt: skip
        assert title in texts
    page = (tmp_path / "a.html").read_text("utf-8")
    assert page.partition("<body>")[2].count(" against ") == 1  # the title stands above the figure only
    (line,) = [text for text in texts if text and text.startswith("MOTA ")]
    assert " · HOTA" in line
    assert "   " not in line  # it would collapse
    assert line in page
    assert page.count("<svg") == 1
    assert "JSC_theta" in page
    assert page.count("<tr>") > 30


@pytest.mark.parametrize(
    ("mine", "real"),
    [
        (tracks([(0, 0, 1, 1)], 0.1), truth([(0, 0, 1, 1)])),
        (tracks([(f, 0, 900, 1) for f in range(3)]), truth([(f, 0, 1, 1) for f in range(3)])),
        (tracks([]), truth([(f, 0, 1, 1, False) for f in range(3)])),
        (tracks([(f, f, 5, 5) for f in range(40)]), truth([(f, k, 5 * k, 5) for f in range(40) for k in range(60)])),
    ],
    ids=["one row", "far away", "nothing at all", "many things"],
)
def test_little_data_is_told_and_drawn(mine, real, tmp_path, capsys):
    paths = save(tmp_path, mine, real)
    assert main(["evaluate", *paths, "--plot", str(tmp_path / "p.svg")]) == 0
    said = capsys.readouterr().out
    assert not re.search(r"\bnan\b", said)
    ElementTree.fromstring((tmp_path / "p.svg").read_text())
    assert not re.search(r"\bnan\b", (tmp_path / "p.svg").read_text())
    assert main(["evaluate", *paths, "--json"]) == 0
    json.loads(capsys.readouterr().out)


def test_the_timeline_shows_who_was_whom():
    real = truth([(f, 0, 0, 0) for f in range(30)])
    mine = tracks([(f, 0 if f < 10 else 4, 0, 0) for f in range(20)])
    axes = timeline(evaluate_all(mine, real, fps=10.0))
    (row,) = axes.collections
    seen, first, second = (path.get_extents() for path in row.get_paths())
    assert (seen.x0, seen.x1) == (0.0, 3.0)
    assert (first.x0, first.x1) == (0.0, pytest.approx(1.0))
    assert (second.x0, second.x1) == (pytest.approx(1.0), pytest.approx(2.0))
    assert len({tuple(colour) for colour in row.get_facecolors()}) == 3
    assert axes.get_xlabel() == "time (s)"
    assert [label.get_text() for label in axes.get_yticklabels()] == ["0"]


def test_a_part_of_the_frames(crowd, capsys):
    paths, mine, real = crowd
    half = save(Path(paths[0]).parent, mine[mine["frame"] < 60], real)
    assert main(["evaluate", *half]) == 0
    said = capsys.readouterr().out
    assert "the tracks cover frames 0 to 59, and 480 of 960 true positions lie outside; --frames 0:60" in said
    assert main(["evaluate", *half, "--frames", ":60"]) == 0
    assert "lie outside" not in capsys.readouterr().out
    assert main(["evaluate", *half, "--frames", "-100:60", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["frames"] == 40


def test_the_truth_of_something_else_is_named(crowd, tmp_path, capsys):
    _, mine, _ = crowd
    _, other = Crowd(frames=120, things=8, side=300.0, noise=0.2, swap=0.0, renew=0.0, hide=0.0).draw(4)
    (tmp_path / "other").mkdir()
    paths = save(tmp_path / "other", mine, other)
    assert main(["evaluate", *paths, "--gate", "6"]) == 0
    said = re.sub(r"\s+", " ", capsys.readouterr().out)
    assert "places come near a true position, as chance would have it: is this the truth of that clip" in said
    assert main(["evaluate", *paths, "--gate", "6", "--json"]) == 0
    assert "as chance would have it" in json.loads(capsys.readouterr().out)["note"]
    assert main(["evaluate", *crowd[0]]) == 0
    assert "chance would have it" not in capsys.readouterr().out


def test_tracks_that_were_never_believed_are_left_out(tmp_path, capsys):
    mine = tracks([(0, 1, 0, 0), (1, 1, 0, 0), (0, 2, 50, 50, State.TENTATIVE)])
    paths = save(tmp_path, mine, truth([(f, 0, 0, 0) for f in range(2)]))
    assert main(["evaluate", *paths, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["false"] == 0


def test_what_is_wrong_is_one_sentence(crowd, capsys, tmp_path):
    paths, _, _ = crowd
    assert "--gate must be a positive distance in pixels, not 0" in fails(capsys, *paths, "--gate", "0")
    assert "--gate must be a positive distance in pixels, not inf" in fails(capsys, *paths, "--gate", "inf")
    assert "--epsilon must be a positive" in fails(capsys, *paths, "--epsilon", "-2")
    for fps in ("nan", "0", "1e-300", "1e300"):
        assert "--fps must be a positive" in fails(capsys, *paths, "--fps", fps)
    assert "--plot writes .png, .svg, .pdf or .html, not 'p.jpg'" in fails(capsys, *paths, "--plot", "p.jpg")
    assert "gone.csv does not exist" in fails(capsys, paths[0], "gone.csv")
    assert "has no rows in --frames 900:" in fails(capsys, *paths, "--frames", "900:")
    assert "--frames takes a:b" in fails(capsys, *paths, "--frames", "x")
    (tmp_path / "none.csv").write_text("frame,track,x_px,y_px\n")
    assert "none.csv has no rows, so there is nothing to compare" in fails(capsys, paths[0], str(tmp_path / "none.csv"))
    (tmp_path / "hole.csv").write_text("frame,track,x_px,y_px\n3,7,,2\n")
    assert "true positions have no position for 7 in frame 3" in fails(capsys, paths[0], str(tmp_path / "hole.csv"))
    assert "is a folder" in fails(capsys, *paths, "--csv", str(tmp_path))


def test_help_has_examples(capsys):
    with pytest.raises(SystemExit):
        main(["evaluate", "--help"])
    said = capsys.readouterr().out
    assert "examples:" in said
    assert "fusetrack evaluate tracks.csv truth.csv --plot report.html" in said


def test_panels_show_what_was_found_and_take_axes(crowd):
    _, mine, real = crowd
    found = evaluate_all(mine, real)
    axes = over_time(found)
    for line, name in zip(axes.lines, ("dx", "dy"), strict=False):
        assert set(line.get_ydata().tolist()) <= set(found.errors[name].tolist())
        assert len(line.get_ydata()) > min(len(found.errors), 3000) / 2
    colours = [line.get_color() for line in axes.lines[:2]]
    assert colours == [LIGHT.colour(0), LIGHT.colour(1)]
    curves = s_curves(found)
    assert [bars.lines[0].get_color() for bars in curves.containers] == colours  # x and y are the same in every panel
    np.testing.assert_allclose(curves.containers[0].lines[0].get_ydata(), found.displacement.s_x.error)
    density = spectrum(found, curves, DARK)
    assert density is curves
    assert density.get_ylabel() == "px/√Hz"


def test_a_figure_for_a_paper_has_its_panels_below_one_another(crowd):
    _, mine, real = crowd
    found = evaluate_all(mine, real)
    wide, narrow = (figure(found, "a title", look) for look in (LIGHT, look_of("paper")))
    assert [len(made.axes) for made in (wide, narrow)] == [9, 9]
    assert wide.get_suptitle().startswith("a title\nMOTA ")
    assert narrow.get_suptitle() == ""
    assert {axes.get_subplotspec().colspan.start for axes in wide.axes} == {0, 1}
    assert {axes.get_subplotspec().colspan.start for axes in narrow.axes} == {0}
