"""What a run's folder tells: its clip, moved or not, how it was read, its pipeline; and the commands that take it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.controller import run_clip
from app.exports.tables import read_tracks
from app.files.summary import json_text
from app.given_tracks import given_tracks
from app.provenance import pipeline_facts
from app.results import SUMMARY
from app.run_pipeline import pipeline_of, written
from app.runs import read_run
from app.sources.reading import Reading
from kernels.errors import InputError
from pipelines.definition import library, load, loads
from pipelines.features import TRACK_DTYPE
from tests.app.live.made import record
from tests.app.test_path_kinds import a_batch


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clip, and beside it the folder of its run: .../clips/spots.npy, .../out/spots."""
    top = tmp_path_factory.mktemp("runs")
    (top / "clips").mkdir()
    y, x = np.mgrid[:48, :64]
    frames = [200 * np.exp(-((x - 20 - k) ** 2 + (y - 24) ** 2) / 8) + 20 for k in range(12)]
    np.save(top / "clips" / "spots.npy", np.array(frames).astype(np.uint8))
    (top / "clips" / "spots.truth.csv").write_text(
        "frame,track,x_px,y_px\n" + "".join(f"{k},0,{20 + k},24\n" for k in range(12)))  # fmt: skip
    run_clip(top / "clips" / "spots.npy", "blobs", settings={"follow.gate": 4.0}, fps=500.0, frames=(2, None),
             roi=(2, 4, 60, 40), out=top / "out" / "spots", overlay=False)  # fmt: skip
    return top


def moved(made: Path, tmp_path: Path) -> Path:
    """The same in another place; the first one seems to be gone."""
    shutil.copytree(made, tmp_path / "new")
    summary = tmp_path / "new" / "out" / "spots" / SUMMARY
    summary.write_text(summary.read_text().replace(str(made), str(tmp_path / "old")))
    return tmp_path / "new" / "out" / "spots"


def test_a_run_tells_its_clip_how_it_was_read_and_its_pipeline(made: Path) -> None:
    record = read_run(made / "out" / "spots")
    assert (record.clip, record.there, record.note) == (str(made / "clips" / "spots.npy"), True, "")
    assert (record.reading, record.roi, record.frames) == (Reading(fps=500.0), (2, 4, 60, 40), (2, 12))
    asked = load("blobs").with_settings({"follow.gate": 4.0})
    assert pipeline_of(record) == asked
    written = read_tracks(made / "out" / "spots" / "tracks.parquet")
    assert record.tracks().dtype == written.dtype
    assert record.tracks().tobytes() == written.tobytes()
    assert read_run(made / "out" / "spots" / "tracks.csv").table.name == "tracks.csv"


def test_runs_of_earlier_versions_tell_their_pipeline_by_its_nodes(made: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(made / "out" / "spots", tmp_path / "old")
    facts = json.loads((folder / SUMMARY).read_text())
    del facts["definition"], facts["clip"]
    (folder / SUMMARY).write_text(json.dumps(facts))
    record = read_run(folder)
    assert pipeline_of(record).digest == load("blobs").with_settings({"follow.gate": 4.0}).digest
    assert record.clip == str(made / "clips" / "spots.npy")


@pytest.mark.parametrize("name", library())
def test_every_pipeline_comes_back_from_what_a_summary_tells(name: str) -> None:
    pipeline = load(name)
    facts = json.loads(json_text(pipeline_facts(pipeline)))
    assert loads(written(facts, name), name, recorded=True).digest == pipeline.digest


def test_a_clip_that_moved_with_its_results_is_found(made: Path, tmp_path: Path) -> None:
    folder = moved(made, tmp_path)
    record = read_run(folder)
    assert record.there
    assert record.clip == str(tmp_path / "new" / "clips" / "spots.npy")
    assert record.note == f"the clip is no longer at {tmp_path}/old/clips/spots.npy; {record.clip} is taken"


def test_a_clip_that_is_nowhere_is_named(made: Path, tmp_path: Path, capsys) -> None:
    folder = moved(made, tmp_path)
    clip = tmp_path / "new" / "clips" / "spots.npy"
    clip.write_bytes(clip.read_bytes()[:-64])  # another one of the same name
    record = read_run(folder)
    assert not record.there
    assert record.note == f"the clip of {folder} is no longer at {tmp_path}/old/clips/spots.npy"
    assert read_run(folder, str(made / "clips" / "spots.npy")).there
    assert main(["info", str(folder)]) == 0
    assert record.note in capsys.readouterr().out
    assert main(["evaluate", str(folder)]) == 2
    assert capsys.readouterr().err == f"fusetrack: {record.note}, so that no truth is found beside it; give the table\n"


def test_a_clip_that_has_changed_is_told(made: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(made, tmp_path / "new") / "out" / "spots"
    clip = tmp_path / "new" / "clips" / "spots.npy"
    summary = folder / SUMMARY
    summary.write_text(summary.read_text().replace(str(made), str(tmp_path / "new")))
    assert read_run(folder).note == ""
    with clip.open("ab") as file:
        file.write(b"more")
    assert "has changed since the run" in read_run(folder).note


def test_a_folder_with_a_table_alone_is_no_run(tmp_path: Path, made: Path) -> None:
    shutil.copy(made / "out" / "spots" / "tracks.csv", tmp_path)
    with pytest.raises(InputError, match=r"no summary\.json that tells of which clip"):
        read_run(tmp_path)
    with pytest.raises(InputError, match="is a clip, and a folder of a run's results is wanted here"):
        read_run(made / "clips" / "spots.npy")


def test_info_tells_of_runs_batches_and_tables(made: Path, tmp_path: Path, capsys) -> None:
    folder = made / "out" / "spots"
    assert main(["info", str(folder)]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert lines["clip"].endswith(str(made / "clips" / "spots.npy"))
    assert lines["frames"].endswith("10 of 10 processed")
    assert lines["part"].endswith("frames 2 to 11, x, y, width, height = 2, 4, 60, 40 px")
    assert lines["tracks"].split()[1] == "1"
    assert main(["info", str(folder), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["kind"] == "a folder of a run's results"
    assert facts["rows"] == len(read_tracks(folder / "tracks.csv"))
    assert main(["info", str(a_batch(tmp_path / "batch"))]) == 0
    told = capsys.readouterr().out
    assert f"a.npy  2 tracks in 4 frames  {tmp_path}/batch/a\n" in told
    assert "2 done" in told
    assert main(["info", str(made / "clips" / "spots.truth.csv")]) == 0
    assert "rows      12" in capsys.readouterr().out
    assert main(["info", str(folder), "--verify"]) == 2


def test_a_run_is_compared_with_the_truth_beside_its_clip(made: Path, tmp_path: Path, capsys) -> None:
    assert main(["evaluate", str(made / "out" / "spots"), "--json", "--frames", "2:12"]) == 0
    found = capsys.readouterr().out
    truth = str(made / "clips" / "spots.truth.csv")
    assert main(["evaluate", str(made / "out" / "spots"), truth, "--json", "--frames", "2:12"]) == 0
    assert found == capsys.readouterr().out
    assert json.loads(found)["matches"] >= 9
    shutil.copy(made / "out" / "spots" / "tracks.csv", tmp_path / "mine.csv")
    assert main(["evaluate", str(tmp_path / "mine.csv")]) == 2
    assert "say with what to compare" in capsys.readouterr().err


def test_the_tracks_of_a_session_are_analysed_as_those_of_a_run(tmp_path: Path, monkeypatch, capsys) -> None:
    rows = record(tmp_path / "run.mcap", "blobs")
    monkeypatch.chdir(tmp_path)
    given = given_tracks("run.mcap")
    assert all(np.array_equal(given.rows[name], rows[name], equal_nan=True) for name in TRACK_DTYPE.names or ())
    assert "area" in (given.rows.dtype.names or ())
    assert main(["msd", "run.mcap", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)
    assert main(["msd", "run.mcap"]) == 0
    assert (tmp_path / "fusetrack-out" / "run" / "msd.csv").is_file()
