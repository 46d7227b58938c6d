"""`fusetrack.msd`, `shapes` and `frf`: the numbers of the commands, of tracks in memory, runs and tables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app import launcher as fusetrack
from app.cli import main
from kernels.errors import InputError
from pipelines.features import TRACK_DTYPE, State

FPS = 500.0


def rows_of(x: np.ndarray, y: np.ndarray, sigma: float) -> np.ndarray:
    """Rows of (tracks, frames) places."""
    tracks, frames = x.shape
    rows = np.zeros(x.size, TRACK_DTYPE)
    rows["track"], rows["frame"] = np.repeat(np.arange(tracks), frames), np.tile(np.arange(frames), tracks)
    rows["time"], rows["x"], rows["y"] = rows["frame"] / FPS, x.ravel(), y.ravel()
    rows["state"], rows["sigma"], rows["score"] = State.TRACKED, sigma, 1.0
    return rows


@pytest.fixture(scope="module")
def diffusing() -> Any:
    rng = np.random.default_rng(3)
    steps = rng.normal(0, np.sqrt(2 * 20.0 / FPS), (2, 25, 200))
    return fusetrack.Tracks(rows_of(*np.cumsum(steps, axis=2) + 50, 0.01), fps=FPS, name="beads")


@pytest.fixture(scope="module")
def swinging() -> tuple[Any, np.ndarray, np.ndarray]:
    """Three points of a lightly damped beam beside the force that drives it."""
    rng = np.random.default_rng(8)
    t = np.arange(1500) / FPS
    force = rng.normal(0, 1, t.size)
    w, damping = 2 * np.pi * 40.0, 0.02
    answer = np.exp(-damping * w * t) * np.sin(w * np.sqrt(1 - damping**2) * t)
    motion = np.convolve(force, answer)[: t.size] * 0.3
    y = 40 + np.outer([0.5, 1.0, -0.7], motion) + rng.normal(0, 0.002, (3, t.size))
    x = np.full((3, t.size), 10.0) + np.arange(3)[:, None] * 20 + rng.normal(0, 0.002, (3, t.size))
    return fusetrack.Tracks(rows_of(x, y, 0.002), fps=FPS, name="beam"), t, force


def test_msd_is_that_of_the_command(diffusing: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = fusetrack.msd(diffusing, scale="0.5 um/px", lags=20)
    diffusing.save(tmp_path / "tracks.parquet")
    assert main(["msd", str(tmp_path / "tracks.parquet"), "--scale", "0.5 um/px", "--lags", "20", "--json"]) == 0
    theirs = json.loads(capsys.readouterr().out)
    assert found.d == theirs["diffusion"]["d"]
    assert abs(found.d - 20 * 0.25) < 4 * found.d_error
    assert abs(found.exponent - 1) < 0.1
    for name, values in theirs["msd"].items():
        np.testing.assert_array_equal(found.table[name], values)
    assert len(found.each) == 25
    assert "um^2/s" in repr(found)
    assert not [*tmp_path.glob("msd*")]


def test_what_is_analysed_may_be_anything_with_tracks(diffusing: Any, tmp_path: Path) -> None:
    whole = fusetrack.msd(diffusing, lags=5)
    diffusing.save(tmp_path / "tracks.parquet")
    for given in (tmp_path, tmp_path / "tracks.parquet", diffusing.rows, diffusing.to_dict()):
        assert fusetrack.msd(given, lags=5).d == whole.d
    pandas = pytest.importorskip("pandas")
    trackpy = pandas.DataFrame({"frame": diffusing["frame"], "particle": diffusing["track"], "x": diffusing["x"],
                                "y": diffusing["y"]})  # fmt: skip
    assert fusetrack.msd(trackpy, fps=FPS, lags=5).d == pytest.approx(whole.d, rel=1e-9)
    assert "frame" in repr(fusetrack.msd(trackpy, lags=5))
    assert fusetrack.msd(diffusing, lags=5).to_pandas().shape == (5, 9)


def test_files_are_written_where_they_are_asked_for(diffusing: Any, tmp_path: Path) -> None:
    fusetrack.msd(diffusing, lags=5, out=tmp_path / "there")
    assert {"msd.csv", "msd-tracks.csv", "diffusion.csv"} <= {path.name for path in (tmp_path / "there").iterdir()}
    assert [path.suffix for path in (tmp_path / "there").glob("msd.*")].count(".png") == 1


def test_shapes_are_those_of_the_command(swinging: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tracks, _, _ = swinging
    found = fusetrack.shapes(tracks, at=[40.0], reference=1)
    tracks.save(tmp_path / "tracks.parquet")
    command = ["shapes", str(tmp_path / "tracks.parquet"), "--at", "40", "--reference", "1", "--json"]
    assert main(command) == 0
    theirs = json.loads(capsys.readouterr().out)["shapes"]
    assert found.table["amplitude_px"].tolist() == [row["amplitude_px"] for row in theirs]
    np.testing.assert_allclose(found.ratio[0, :, 1].real, [0.5, 1.0, -0.7], atol=0.01)
    assert found.frequencies.tolist() == [40.0]
    assert found.amplitude.shape == (1, 3, 2)
    assert fusetrack.shapes(tracks, at=40.0, reference=1).amplitude.tolist() == found.amplitude.tolist()
    fusetrack.shapes(tracks, at=40.0, out=tmp_path / "out")
    assert (tmp_path / "out" / "shapes.csv").exists()


def test_responses_to_a_force_in_memory_are_those_to_its_file(swinging: Any, tmp_path: Path) -> None:
    tracks, t, force = swinging
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"time_s": t, "force (N)": force})
    table.to_csv(tmp_path / "hammer.csv", index=False)
    from_file = fusetrack.frf(tracks, tmp_path / "hammer.csv", resolution=2.0)
    for given in (table, {"time_s": t, "force (N)": force}):
        made = fusetrack.frf(tracks, given, resolution=2.0)
        np.testing.assert_array_equal(made.response, from_file.response)
    pair = fusetrack.frf(tracks, (t, force), resolution=2.0)
    np.testing.assert_array_equal(pair.response, from_file.response)
    modes = from_file.modes
    assert modes["frequency_hz"][0] == pytest.approx(40.0, rel=0.002)
    assert modes["damping_ratio"][0] == pytest.approx(0.02, rel=0.05)
    beside = fusetrack.frf(tracks, reference="0:y", scale="0.1 mm/px")
    assert np.nanmedian(beside.response[1, 1].real) == pytest.approx(2.0, rel=0.02)
    fusetrack.frf(tracks, reference=0, out=tmp_path / "out")
    assert (tmp_path / "out" / "frf.csv").exists()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda t: fusetrack.msd(t, least=1), "least must be 3 or more"),
        (lambda t: fusetrack.msd(t, exposure=5.0), "does not fit into the"),
        (lambda t: fusetrack.msd(t, scale="long"), "long"),
        (lambda t: fusetrack.msd(t, least=1000), "least="),
        (lambda t: fusetrack.msd(t[:0]), "beads has no tracks"),
        (lambda t: fusetrack.msd("nowhere"), "nowhere does not exist"),
        (lambda t: fusetrack.shapes(t, peaks=0), "peaks must be 1 or more"),
        (lambda t: fusetrack.shapes(t, at="high"), "at= takes frequencies in Hz"),
        (lambda t: fusetrack.shapes(t, at=[None]), "at is a frequency in Hz or a list of them"),
        (lambda t: fusetrack.shapes(t, reference=99), "reference="),
        (lambda t: fusetrack.frf(t), "either input (what drives the structure) or reference"),
        (lambda t: fusetrack.frf(t, 3), "input is a table's path, a DataFrame"),
        (lambda t: fusetrack.frf(t, ([0, 1], [1])), "of several lengths"),
        (lambda t: fusetrack.frf(t, (["a"], ["b"])), "no numbers"),
        (lambda t: fusetrack.frf(t, reference=0, delay=1.0), "column and delay are of a table"),
        (lambda t: fusetrack.shapes(t, fps=-2), "fps must be a positive number"),
    ],
)
def test_mistakes_are_said_in_a_sentence(diffusing: Any, call: Any, words: str) -> None:
    with pytest.raises(InputError) as caught:
        call(diffusing)
    assert words in str(caught.value)
    assert "--" not in str(caught.value)
