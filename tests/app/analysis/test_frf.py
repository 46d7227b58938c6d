"""`fusetrack frf`: what it prints, writes, draws and refuses."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from app.cli import main
from app.exports.tables import write_tracks_parquet
from kernels.opencv import cv2
from tests.pipelines.analysis.driven import FPS, MODES, as_tracks, driven, truth

START = 2.5
"""Time of the first frame, s."""


@pytest.fixture
def folder(tmp_path):
    """The tracks of three points that a force drives, 0.1 px for 1 N; the force beside it, at the frames' own times."""
    places, force = driven(1, 6000, 0.1)
    write_tracks_parquet(tmp_path / "tracks.parquet", as_tracks(0.1 * places, start=START), {})
    write_force(tmp_path / "force.csv", START + np.arange(6000) / FPS, force)
    return tmp_path


def write_force(path, times, force, more=""):
    head, tail = ("time_s,force (N)", "") if not more else (f"time_s,force (N),{more}", ",0")
    rows = (f"{t:.9f},{f:.9g}{tail}" for t, f in zip(times.tolist(), force.tolist(), strict=True))
    path.write_text("\n".join([head, *rows]) + "\n")


def table(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def fails(capsys, *words):
    assert main(["frf", *map(str, words)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
    return said.err


@pytest.mark.sharp
def test_tables_and_figure(folder, capsys):
    assert main(["frf", str(folder), "--input", str(folder / "force.csv"), "--scale", "0.5 mm/px"]) == 0
    said = capsys.readouterr().out
    assert said.count("\nmode ") == 2
    assert " mm/N, coherence" in said
    modes = table(folder / "modes.csv")
    for row, (frequency, damping, _) in zip(modes, MODES, strict=True):
        assert abs(float(row["frequency_hz"]) - frequency) < 5 * float(row["frequency_sigma_hz"])
        assert abs(float(row["damping_ratio"]) - damping) < 5 * float(row["damping_ratio_sigma"])
        assert float(row["damping_ratio_sigma"]) < 0.02 * damping
        assert (row["track"], row["axis"]) in (("0", "y"), ("2", "y"))
    rows = [row for row in table(folder / "frf.csv") if (row["track"], row["axis"]) == ("1", "y")]
    f, real, imaginary, size, sigma, phase, coherence, low, high = (
        np.array([float(row[name]) for row in rows])
        for name in ("frequency_hz", "real_mm_per_force__N", "imaginary_mm_per_force__N", "magnitude_mm_per_force__N",
                     "magnitude_sigma_mm_per_force__N", "phase_deg", "coherence", "coherence_low95",
                     "coherence_high95")
    )  # fmt: skip
    wanted = 0.05 * truth(f)[1]
    calm = (np.abs(f - 60) > 15) & (np.abs(f - 140) > 15)
    z = np.abs(real + 1j * imaginary - wanted)[calm] / sigma[calm]
    assert np.mean(z**2) == pytest.approx(2.0, rel=0.25)
    np.testing.assert_allclose(size * np.exp(1j * np.radians(phase)), real + 1j * imaginary, atol=1e-7)
    assert ((low <= coherence) & (coherence <= high)).mean() > 0.97
    assert float(f[-1]) < 0.42 * FPS
    assert cv2.imread(str(folder / "frf.png")) is not None


def test_an_input_with_a_clock_of_its_own(folder, capsys):
    """The force at 7 times the rate, later than the frames say; what it has above the frames' rate drives nothing."""
    rng = np.random.default_rng(2)
    rate = 7 * FPS
    whole = np.fft.rfft(rng.normal(size=42_000))
    whole[int(0.35 / 7 * 42_000) :] = 0.0
    slow = np.fft.irfft(whole) * 5
    from scipy import signal

    from tests.pipelines.analysis.driven import filters

    y = sum(share[:, None] * signal.lfilter(b, a, slow) for b, a, share in filters(rate))[:, ::7]
    places = np.stack((np.zeros_like(y), 0.001 * y), axis=1)
    write_tracks_parquet(folder / "tracks.parquet", as_tracks(places, start=START), {})
    hum = np.sin(2 * np.pi * 900.0 * np.arange(42_000) / rate)
    write_force(folder / "fast.csv", START + 0.25 + np.arange(42_000) / rate, slow + 10 * hum, "other")
    words = [str(folder), "--input", str(folder / "fast.csv"), "--column", "force (N)", "--delay", "-0.25", "--json"]
    assert main(["frf", *words]) == 0
    told = json.loads(capsys.readouterr().out)
    found = [(one["frequency_hz"], one["damping_ratio"]) for one in told["modes"]]
    np.testing.assert_allclose(found, [mode[:2] for mode in MODES], rtol=5e-3)
    columns = {name: np.array(values) for name, values in told["responses"].items()}
    mine = (columns["track"] == 0) & (columns["axis"] == "y")
    f = columns["frequency_hz"][mine].astype(float)
    band = (f > 10) & (f < 160) & (np.abs(f - 60) > 20) & (np.abs(f - 140) > 20)
    h = (columns["real_px_per_force__N"] + 1j * columns["imaginary_px_per_force__N"])[mine][band]
    np.testing.assert_allclose(h, 0.001 * truth(f[band], rate=rate)[0], rtol=0.02, atol=1e-4)


def test_exposures_are_taken_out(folder, capsys):
    summary = {"source": {"metadata": {"exposure_s": 0.0016}, "time_base": {"fps": FPS}}}
    words = ["frf", str(folder), "--input", str(folder / "force.csv"), "--json"]
    assert main(words) == 0
    plain = json.loads(capsys.readouterr().out)["responses"]
    (folder / "summary.json").write_text(json.dumps(summary))
    assert main(words) == 0
    made = json.loads(capsys.readouterr().out)["responses"]
    name = "magnitude_px_per_force__N"
    np.testing.assert_allclose(np.array(made[name]) * np.sinc(np.array(made["frequency_hz"]) * 0.0016), plain[name])


def test_a_point_as_the_reference(folder, capsys):
    """A table that is shaken, and what stands on it: transmissibility."""
    places, force = driven(3, 6000, 0.0)
    places[0, 1] = force
    write_tracks_parquet(folder / "tracks.parquet", as_tracks(0.1 * places + 0.01 * driven(4, 6000)[0][:, ::-1]), {})
    assert main(["frf", str(folder), "--reference", "0:y", "--resolution", "1", "-o", str(folder / "out")]) == 0
    said = capsys.readouterr().out
    assert "beside track 0 y" in said
    assert "note     these are resonances of the structure if track 0 y is what drives it" in said
    (frequency, damping, _), *_ = MODES
    row = table(folder / "out" / "modes.csv")[0]
    assert float(row["frequency_hz"]) == pytest.approx(frequency, rel=1e-3)
    assert float(row["damping_ratio"]) == pytest.approx(damping, rel=0.02)
    own = [row for row in table(folder / "out" / "frf.csv") if (row["track"], row["axis"]) == ("0", "y")]
    assert {(row["magnitude"], row["magnitude_sigma"], row["coherence"]) for row in own} == {("1", "0", "1")}
    assert float(own[0]["frequency_hz"]) == pytest.approx(1.0)
    assert main(["frf", str(folder), "--reference", "0", "--estimator", "h2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["estimator"] == "h2"


def test_a_universal_file(folder, capsys):
    pyuff = pytest.importorskip("pyuff")
    words = [str(folder), "--input", str(folder / "force.csv"), "--scale", "0.5 mm/px"]
    assert main(["frf", *words, "--uff"]) == 0
    assert "frf.uff" in capsys.readouterr().out
    nodes, *sets = pyuff.UFF(str(folder / "frf.uff")).read_sets()
    assert list(nodes["node_nums"]) == [1, 2, 3]
    np.testing.assert_allclose(nodes["x"], (40, 70, 100), atol=0.01)
    assert [(one["func_type"], one["rsp_node"], one["rsp_dir"]) for one in sets] == [
        (kind, node, axis) for node in (1, 2, 3) for axis in (1, 2) for kind in (4, 6)]  # fmt: skip
    rows = [row for row in table(folder / "frf.csv") if (row["track"], row["axis"]) == ("2", "y")]
    response, coherence = sets[-2:]
    np.testing.assert_allclose(response["x"], [float(row["frequency_hz"]) for row in rows], rtol=1e-4)
    np.testing.assert_allclose(response["data"].real, [float(row["real_mm_per_force__N"]) for row in rows], rtol=1e-6)
    np.testing.assert_allclose(coherence["data"], [float(row["coherence"]) for row in rows], rtol=1e-6)
    assert response["ordinate_axis_units_lab"].strip() == "mm"
    assert response["orddenom_axis_units_lab"].strip() == "N"


def test_no_universal_file_of_an_earlier_run_stays(folder, capsys):
    """Of other settings, it would be taken for that of these tables; what is only printed touches nothing."""
    (folder / "frf.uff").write_text("of an earlier run")
    words = ["frf", str(folder), "--input", str(folder / "force.csv")]
    assert main([*words, "--json"]) == 0
    assert (folder / "frf.uff").exists()
    assert main(words) == 0
    assert "frf.uff" not in capsys.readouterr().out
    assert not (folder / "frf.uff").exists()
    assert (folder / "frf.csv").exists()


@pytest.fixture
def measured(folder):
    """The words for a run that left windows.csv: where the texture of each window is, along x not where along y."""
    places = "track,x_px,y_px,x_measured_at_x_px,x_measured_at_y_px,y_measured_at_x_px,y_measured_at_y_px"
    (folder / "windows.csv").write_text(f"{places}\n1,70,50,68,51.5,73.25,49\n2,100,50,100,50,,\n")
    return ["frf", str(folder), "--input", str(folder / "force.csv")]


def test_responses_say_where_they_are_measured(folder, measured, capsys):
    assert main(measured) == 0
    said, rows = {}, table(folder / "frf.csv")
    for row in rows:
        said[row["track"], row["axis"]] = [row[name] and float(row[name]) for name in (
            "x_px", "y_px", "measured_at_x_px", "measured_at_y_px")]  # fmt: skip
    x, y = said["1", "x"][:2]
    assert (x, y) == pytest.approx((70, 50), abs=0.01)
    assert said["1", "x"][2:] == pytest.approx((x - 2, y + 1.5))
    assert said["1", "y"] == pytest.approx((x, y, x + 3.25, y - 1))
    assert said["0", "x"][2:] == ["", ""] == said["2", "y"][2:]
    assert said["2", "x"][2:] == pytest.approx(said["2", "x"][:2])
    capsys.readouterr()
    assert main([*measured, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["responses"]
    assert told["measured_at_y_px"][0] is None
    assert told["measured_at_y_px"][len(told["track"]) // 2] == pytest.approx(y - 1)


def test_a_universal_file_says_where_responses_are_measured(folder, measured):
    pyuff = pytest.importorskip("pyuff")
    assert main([*measured, "--uff"]) == 0
    row = next(row for row in table(folder / "frf.csv") if (row["track"], row["axis"]) == ("1", "x"))
    x, y = float(row["x_px"]), float(row["y_px"])
    _, *sets = pyuff.UFF(str(folder / "frf.uff")).read_sets()
    words = {(one["rsp_node"], one["rsp_dir"]): one["id2"].strip() for one in sets}
    assert words[2, 1] == f"measured at {x - 2:.3f}, {y + 1.5:.3f} px"
    assert "measured" not in words[3, 2]


def test_a_universal_file_without_its_package(folder, capsys, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "pyuff", None)
    assert "pip install" in fails(capsys, folder, "--reference", "0", "--uff")


@pytest.mark.parametrize(("words", "told"), [
    (["--reference", "77"], "no such track"),
    (["--reference", "y"], "--reference takes a track"),
    (["--reference", "\u00b2"], "--reference takes a track"),
    (["--reference", "0:z"], "--reference takes a track"),
    (["--reference", "0", "--delay", "1"], "are of a table"),
    (["--reference", "0", "--resolution", "60"], "32 are fewest"),
    (["--reference", "0", "--resolution", "0.1"], "of which 4 are needed"),
    (["--reference", "0", "--resolution", "-1"], "--resolution must be"),
    (["--reference", "0", "--peaks", "0"], "--peaks must be"),
    (["--reference", "0", "--scale", "3"], "--scale takes a length"),
    (["--input", "force.csv", "--delay", "nan"], "--delay must be"),
    (["--input", "force.csv", "--column", "volt"], "there is no column 'volt' (--column): force (N)"),
    (["--input", "missing.csv"], "does not exist"),
    (["--input", "two.csv"], "say which column (--column): force (N), other"),
    (["--input", "late.csv"], "no frame has"),
    (["--input", "gap.csv"], "are not even"),
    (["--input", "hole.csv"], "rows without a number"),
    (["--input", "words.csv"], "not a number"),
    (["--input", "timeless.csv"], "has no column of times"),
    (["--input", "still.csv"], "does not move"),
    ([], "required"),
    (["--reference", "0", "--input", "force.csv"], "not allowed"),
])  # fmt: skip
def test_refusals(folder, capsys, monkeypatch, words, told):
    monkeypatch.chdir(folder)
    times, force = START + np.arange(6000) / FPS, np.random.default_rng(1).normal(size=6000)
    write_force(folder / "two.csv", times, force, "other")
    write_force(folder / "late.csv", times + 900, force)
    write_force(folder / "gap.csv", np.delete(times, slice(50, 99)), np.delete(force, slice(50, 99)))
    write_force(folder / "still.csv", times, 0 * force)
    (folder / "hole.csv").write_text("t,f\n0,1\n0.1,\n0.2,3\n")
    (folder / "words.csv").write_text("t,f\n0,1\n0.1,two\n0.2,3\n")
    (folder / "timeless.csv").write_text("f,g\n0,1\n1,2\n")
    assert told in fails(capsys, folder, *words)


def test_two_resonances_in_one_peak_are_said(folder, capsys):
    places, force = driven(3, 6000, 0.1, ((60.0, 0.01, (1.0, 0.5, -0.7)), (61.2, 0.01, (1.0, -0.5, 0.7))))
    write_tracks_parquet(folder / "tracks.parquet", as_tracks(0.1 * places, start=START), {})
    write_force(folder / "force.csv", START + np.arange(6000) / FPS, force)
    assert main(["frf", str(folder), "--input", str(folder / "force.csv"), "--resolution", "2"]) == 0
    said = capsys.readouterr().out
    assert said.count("\nmode ") == 1
    assert "one resonance is not all that follows force (N) around mode 0" in said


@pytest.mark.parametrize("rate", [2.0, 5.0, 15.0])
def test_an_input_slower_than_the_bins_is_refused(folder, capsys, rate):
    times = START + np.arange(-40.0, 60.0, 1.0 / rate)
    write_force(folder / "slow.csv", times, np.random.default_rng(1).normal(size=len(times)))
    said = fails(capsys, folder, "--input", folder / "slow.csv", "--resolution", "8", "-o", folder)
    assert "up to which the reference is known" in said
