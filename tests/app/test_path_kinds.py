"""What a path is: one function for all commands, which refuse the wrong kind in one sentence."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.path_kinds import BATCH_REPORT, NO_CLIPS, Kind, runs_below, what_is
from app.results import SUMMARY, TABLES
from app.sources.opening import open_source
from kernels.errors import SourceError
from kernels.opencv import cv2
from tests.app.exports.made import random_tracks
from tests.tracks_csv import write_tracks_csv

SAMPLES = Path(__file__).parents[2] / "sample_videos"
FACTS = {"source": {"name": "a.npy", "kind": "npy", "identity": {"path": "/gone/a.npy"}}, "pipeline": {"name": "blobs"}}


def a_run(folder: Path, facts: dict[str, object] = FACTS) -> Path:
    """A folder that looks like a run's, with a picture in it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / SUMMARY).write_text(json.dumps(facts))
    write_tracks_csv(str(folder / "tracks.csv"), random_tracks(4, 2, mixed=False))
    cv2.imwrite(str(folder / "trajectories.png"), np.zeros((8, 8), np.uint8))
    return folder


def a_batch(folder: Path) -> Path:
    a_run(folder / "b")
    a_run(folder / "a")
    rows = [{"name": f"{name}.npy", "status": "done", "folder": name, "tracks": 2, "frames": {"processed": 4}}
            for name in "ab"]  # fmt: skip
    (folder / BATCH_REPORT).write_text(json.dumps({"clips": rows, "totals": {"processed": 8, "tracks": 4, "rows": 16}}))
    return folder


def test_every_kind_is_known(tmp_path: Path) -> None:
    run, batch, pictures = a_run(tmp_path / "run"), a_batch(tmp_path / "batch"), tmp_path / "pictures"
    pictures.mkdir()
    for k in range(3):
        cv2.imwrite(str(pictures / f"shot_{k:04d}.png"), np.full((8, 8), k, np.uint8))
    np.save(tmp_path / "clip.npy", np.zeros((3, 8, 8), np.uint8))
    dlc, sleap, coco, mine = (tmp_path / name for name in ("dlc.csv", "a.csv", "c.json", "mine.toml"))
    dlc.write_text("scorer,me,me\nbodyparts,nose,nose\ncoords,x,y\n")
    sleap.write_text("track,frame_idx,instance.score,nose.x,nose.y,nose.score\n")
    coco.write_text('{"images": [], "annotations": [], "categories": [{"keypoints": ["nose"]}]}')
    mine.write_text('name = "mine"\n[stages.gray]\n')
    (tmp_path / "words.txt").write_text("words")
    (tmp_path / "study.ftproj").write_text("damaged, maybe")
    (tmp_path / "project" / "labeled-data").mkdir(parents=True)
    (tmp_path / "project" / "config.yaml").write_text("scorer: me\n")
    kinds = {
        run: Kind.RUN, run / SUMMARY: Kind.RUN, run / "tracks.csv": Kind.RUN, batch: Kind.BATCH,
        batch / BATCH_REPORT: Kind.BATCH, pictures: Kind.IMAGES, pictures / "shot_####.png": Kind.IMAGES,
        tmp_path / "study.ftproj": Kind.OWN_PROJECT,
        pictures / "shot_0000.png": Kind.IMAGES, tmp_path / "clip.npy": Kind.CLIP, dlc: Kind.LABELS, sleap: Kind.LABELS,
        coco: Kind.LABELS, mine: Kind.PIPELINE, tmp_path / "words.txt": Kind.FILE, tmp_path / "project": Kind.PROJECT,
        tmp_path: Kind.FOLDER, tmp_path / "nothing": Kind.MISSING, SAMPLES / "vortex_600fps.avi": Kind.CLIP,
        SAMPLES / "vortex_600fps.truth.csv": Kind.TABLE, Path("sim:vortex"): Kind.SCENE, Path("cam:0"): Kind.CAMERA,
        Path("null\0byte"): Kind.MISSING,
    }  # fmt: skip
    assert {path: what_is(path).kind for path in kinds} == kinds
    assert what_is("http://a.b/c.mp4").kind is Kind.ADDRESS
    assert set(kinds.values()) | {Kind.ADDRESS, Kind.SESSION} == set(Kind)


def test_a_runs_table_is_the_exacter_one_or_the_one_that_was_given(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    assert what_is(run).table == run / "tracks.csv"
    (run / TABLES[0]).write_bytes(b"PAR1")
    assert what_is(run).table == run / "tracks.parquet"
    assert what_is(run / "tracks.csv").table == run / "tracks.csv"
    (run / SUMMARY).unlink()
    assert (what_is(run).kind, what_is(run).table) == (Kind.IMAGES, run / "tracks.parquet")  # a figure beside a table
    (run / SUMMARY).write_text(json.dumps(FACTS))
    assert what_is(run / "tracks.csv").home == what_is(run / SUMMARY).home == run


def test_results_among_the_pictures_that_they_are_of_leave_these_a_clip(tmp_path: Path) -> None:
    for k in range(3):
        cv2.imwrite(str(tmp_path / f"shot_{k:04d}.png"), np.full((8, 8), k, np.uint8))
    identity = {"path": str((tmp_path / "shot_0000.png").resolve())}
    a_run(tmp_path, {"source": {"kind": "images", "identity": identity}, "pipeline": {}})
    assert what_is(tmp_path).kind is Kind.IMAGES
    with closing(open_source(tmp_path)) as source:
        assert source.info.frames == 3


def test_a_damaged_summary_makes_no_run(tmp_path: Path) -> None:
    (tmp_path / SUMMARY).write_text("{")
    assert what_is(tmp_path).kind is Kind.FOLDER
    (tmp_path / SUMMARY).write_text('{"source": 3}')
    assert what_is(tmp_path).kind is Kind.FOLDER


def test_nothing_without_frames_opens_as_a_clip(tmp_path: Path) -> None:
    run, batch = a_run(tmp_path / "run"), a_batch(tmp_path / "batch")
    (tmp_path / "mine.toml").write_text("[stages.gray]\n")
    for path in (run, batch, tmp_path / "mine.toml", run / "tracks.csv", SAMPLES / "vortex_600fps.truth.csv"):
        assert what_is(path).kind in NO_CLIPS
        with pytest.raises(SourceError) as caught:
            open_source(path)
        assert f"{path} is {what_is(path).kind.value}, and a clip is wanted here; " in str(caught.value)
    with pytest.raises(SourceError, match=f"such as {batch / 'a'}"):
        open_source(batch)
    assert runs_below(batch) == [batch / "a", batch / "b"]


@pytest.mark.parametrize(("words", "wanted"), [
    (["ledger", "RUN"], "a recorded session"), (["replay", "CLIP"], "a recorded session"),
    (["labels", "RUN", "-o", "x.slp"], "a file of labels"), (["train", "RUN", "--out", "x.onnx"], "a file of labels"),
    (["run", "CLIP", "-p", "template", "--points", "RUN"], "a table of points"),
    (["run", "CLIP", "-p", "template", "--points", "CLIP"], "a table of points"),
    (["record", "RUN", "-o", "x.mcap"], "a clip"), (["run", "RUN"], "a clip"), (["gui", "BATCH"], "a clip, a session"),
])  # fmt: skip
def test_every_command_says_what_it_got_and_wants(words: list[str], wanted: str, tmp_path: Path, capsys) -> None:
    places = {"RUN": a_run(tmp_path / "run"), "BATCH": a_batch(tmp_path / "batch"), "CLIP": tmp_path / "clip.npy"}
    np.save(places["CLIP"], np.zeros((3, 8, 8), np.uint8))
    given = [str(places.get(word, word)) for word in words]
    assert main(given) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    got = next(place for place in given[::-1] if place in map(str, places.values()))
    assert f"{got} is {what_is(got).kind.value}, and {wanted}" in said


@pytest.mark.parametrize("command", ["msd", "motion", "shapes", "frf", "evaluate", "export"])
def test_commands_refuse_the_wrong_kind_in_one_sentence(command: str, tmp_path: Path, capsys) -> None:
    batch = a_batch(tmp_path / "batch")
    more = {"evaluate": ["truth.csv"], "export": ["--to", "csv"], "frf": ["--reference", "0"]}.get(command, [])
    wrong = [str(batch), str(SAMPLES / "vortex_600fps.avi")] if command != "export" else [str(batch)]
    for given in wrong:
        assert main([command, given, *more]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert len(said.err.splitlines()) == 1
        assert f"{given} is {what_is(given).kind.value}, and a run's folder, " in said.err
