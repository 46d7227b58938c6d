"""`fusetrack export` from end to end: every kind of input, what it refuses, and that nothing is lost."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from app.cli import main
from app.controller import run_clip
from app.exports import export as module
from app.exports.export import export_results
from app.exports.formats.catalogue import FORMATS
from app.exports.frame_stack import FrameStack
from app.exports.tables import read_tracks
from app.sources.opening import open_source
from kernels.errors import InputError
from pipelines.features import State
from pipelines.trackers.base import confirmed
from tests.app.exports.clips import Clip, noise
from tests.app.exports.made import assert_same, lives, random_tracks
from tests.app.sessions.made import picture, pixels, write
from tests.tracks_csv import write_tracks_csv


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run on frames 5 to 35 of a clip of 40."""
    folder = tmp_path_factory.mktemp("run")
    source = open_source("sim:vortex?width=96&height=80&frames=40&fps=2000")
    np.save(folder / "shot.npy", np.stack([source.read(k) for k in range(40)]))
    run_clip(folder / "shot.npy", fps=2000.0, frames=(5, 35), out=folder / "out", overlay=False, device="cpu")
    return folder / "out"


@pytest.fixture
def folder(results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the run that a test may change."""
    shutil.copytree(results.parent, tmp_path / "run")
    summary = tmp_path / "run/out/summary.json"
    summary.write_text(summary.read_text().replace(str(results.parent), str(tmp_path / "run")))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "run/out"


def listing(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*")}


def test_tracks_of_a_run(folder: Path) -> None:
    made = export_results(folder, ("csv", "wide", "parquet", "mat", "trc", "trackmate"), scale="0.5 mm/px")
    rows = read_tracks(folder / "tracks.parquet")
    assert (made.tracks, made.rows) == (len(np.unique(rows["track"])), len(rows))
    assert {file.parent for file in made.files} == {folder}
    assert {file.name for file in made.files} == {
        "shot.tracks.csv", "shot.wide.csv", "shot.parquet", "shot.mat", "shot.trc", "shot.xml",
    }  # fmt: skip
    read = pd.read_csv(folder / "shot.tracks.csv")
    np.testing.assert_allclose(read["x_mm"], rows["x"] / 2, atol=1e-6)
    np.testing.assert_allclose(read["time_s"], rows["frame"] / 2000, rtol=1e-12)


@pytest.mark.parametrize("slash", ["", "/"])
def test_several_formats_into_a_folder(folder: Path, slash: str) -> None:
    place = folder.parent / "elsewhere"
    place.mkdir()
    made = export_results(folder, ["csv", "mat"], out=f"{place}{slash}")
    assert {path.name for path in made.files} == listing(place) == {path.name for path in made.files if path.is_file()}
    assert len(made.files) == 2
    made = export_results(folder, ["csv", "mat"], out=f"{folder.parent}/a/new/")  # its slash says what it is
    assert {path.parent for path in made.files} == {folder.parent / "a/new"}
    assert listing(folder.parent / "a/new") == listing(place)
    with pytest.raises(InputError, match="no format 'nothing'"):
        export_results(folder, "nothing", out=f"{folder.parent}/nowhere/")
    assert not (folder.parent / "nowhere").exists()
    with pytest.raises(InputError, match="several formats; give -o a folder"):
        export_results(folder, ["csv", "mat"], out=folder.parent / "tracks.csv")


def test_a_part_of_the_tracks(folder: Path) -> None:
    rows = read_tracks(folder / "tracks.parquet")
    export_results(folder, out="part.parquet", frames=(10, 20), roi=(20, 0, 40, 80), min_frames=3, fps=1000.0)
    read = read_tracks("part.parquet")
    inside = (rows["x"] >= 19.5) & (rows["x"] < 59.5) & (rows["frame"] >= 10) & (rows["frame"] < 20)
    wanted = rows[inside & (rows["y"] < 79.5)]
    ids, counts = np.unique(wanted["track"][wanted["state"] <= State.TRACKED], return_counts=True)
    wanted = wanted[np.isin(wanted["track"], ids[counts >= 3])]
    assert 0 < len(wanted) < len(rows)
    np.testing.assert_array_equal(read["x"], wanted["x"])
    np.testing.assert_array_equal(read["time"], wanted["time"] * 2)  # half as fast
    np.testing.assert_array_equal(read["vx"], wanted["vx"] / 2)


def test_frames_of_a_run_are_those_that_it_saw(folder: Path) -> None:
    made = export_results(folder, ["mraw", "tiff", "mp4"], bits=8)
    frames = np.load(folder.parent / "shot.npy")[5:35]
    for name in ("shot.mraw", "shot.tif"):
        source = open_source(folder / name)
        np.testing.assert_array_equal(np.stack([f.copy() for f in FrameStack(source)]), frames)
        source.close()
    assert (folder / "shot.overlay.mp4").stat().st_size > 1000
    assert made.frames == 30
    (folder.parent / "shot.npy").rename(folder.parent / "moved.npy")
    with pytest.raises(InputError, match="--clip"):
        export_results(folder, "npy", "x.npy")
    export_results(folder, "npy", "x.npy", clip=str(folder.parent / "moved.npy"))
    np.testing.assert_array_equal(np.load("x.npy"), frames)


def test_a_simulated_clip_is_found_again(tmp_path: Path) -> None:
    spec = "sim:vortex?width=64&height=48&frames=6&seed=3"
    run_clip(spec, out=tmp_path / "out", overlay=False, device="cpu")
    export_results(tmp_path / "out", "npy", tmp_path / "x.npy")
    source = open_source(spec)
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), np.stack([source.read(k) for k in range(6)]))


def test_a_session(tmp_path: Path) -> None:
    session, form = tmp_path / "s.mcap", picture(24, 16, "u16")
    numbers = [0, 1, 2, 5, 6, 7, 8, 9]  # two frames were not recorded
    write(session, numbers, form, every=4)
    made = export_results(session, "npy", tmp_path / "s.npy", frames=(2, 6))
    np.testing.assert_array_equal(np.load(tmp_path / "s.npy"), np.stack([pixels(form, k) for k in numbers[2:6]]))
    times = pd.read_csv(tmp_path / "s.npy.times.csv")
    assert times["time_s"].tolist() == [0.002, 0.005, 0.006, 0.007]
    assert [file.name for file in made.files] == ["s.npy", "s.npy.times.csv"]
    export_results(session, "csv", tmp_path / "all.csv", tracks="all", frames=(3, 8))
    source = open_source(session)
    rows = source.session.tracks()  # type: ignore[attr-defined]
    source.close()
    read = pd.read_csv(tmp_path / "all.csv")
    assert len(rows) == 12
    assert read["frame"].tolist() == sorted(k for k in rows["frame"].tolist() if 5 <= k <= 9)


def test_tables_by_themselves(tmp_path: Path) -> None:
    rows = np.concatenate(lives(40, 2))
    write_tracks_csv(tmp_path / "mine.csv", rows)
    made = export_results(tmp_path / "mine.csv", "parquet")
    assert made.files == (tmp_path / "mine.parquet",)
    kept = confirmed(rows)
    np.testing.assert_array_equal(read_tracks(made.files[0])["track"], kept["track"])
    made = export_results(tmp_path / "mine.csv", "trc", tracks="all")
    assert "\n1000.0\t" in made.files[0].read_text()  # the rate that its times tell
    (tmp_path / "plain.csv").write_text("frame,track,x,y\n0,1,2,3\n4,1,3,3\n")
    made = export_results(tmp_path / "plain.csv", "wide", fps=100.0)
    assert pd.read_csv(made.files[0])["time_s"].tolist() == [0, 0.01, 0.02, 0.03, 0.04]
    with pytest.raises(InputError, match="--clip"):
        export_results(tmp_path / "plain.csv", "npy")


def test_nothing_is_overwritten(folder: Path) -> None:
    before = listing(folder)
    Path("x.mat").write_text("mine")
    Path("y.cih").write_text("mine")
    for to, out in (("mat", "x.mat"), ("mraw", "y.mraw")):
        with pytest.raises(InputError, match="--force"):
            export_results(folder, to, out)
    assert Path("x.mat").read_text() == Path("y.cih").read_text() == "mine"
    assert not Path("y.mraw").exists()
    export_results(folder, "mat", "x.mat", force=True)
    assert Path("x.mat").read_bytes()[:6] == b"MATLAB"
    clip = folder.parent / "shot.npy"
    size = clip.stat().st_size
    for source in (folder, clip):
        with pytest.raises(InputError, match="is the input itself"):
            export_results(source, "npy", clip, force=True)
    assert clip.stat().st_size == size
    assert listing(folder) == before


def test_a_folder_with_other_things_is_kept(folder: Path) -> None:
    export_results(folder, "png", "pictures", frames=(5, 8))
    export_results(folder, "png", "pictures", frames=(5, 7), force=True)
    assert listing(Path("pictures")) == {"frame_000005.png", "frame_000006.png"}
    Path("pictures/thesis.tex").write_text("all my work")
    with pytest.raises(InputError, match=r"thesis\.tex"):
        export_results(folder, "png", "pictures", force=True)
    assert Path("pictures/thesis.tex").exists()


@pytest.mark.parametrize("to", ["mraw", "npy", "png"])
def test_ctrl_c_leaves_nothing(folder: Path, to: str, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    clip = Clip(noise(40, 8, 8, 8), stamps=np.arange(40) / 500, stop=20)
    monkeypatch.setattr(module.Material, "open", lambda self: clip)
    before = listing(folder)
    assert main(["export", str(folder), "--to", to, "-o", f"x.{to}", "-q"]) == 130
    assert "no file is left half written" in capsys.readouterr().err
    assert listing(Path()) == set()
    assert listing(folder) == before


@pytest.mark.parametrize(("to", "package", "extra"), [("hdf5", "h5py", "hdf5"), ("nwb", "pynwb", "nwb"),
                                                      ("c3d", "ezc3d", "c3d")])  # fmt: skip
def test_a_missing_package_is_named(
    folder: Path, to: str, package: str, extra: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    assert main(["export", str(folder), "--to", to, "-o", "x.x"]) == 2
    said = capsys.readouterr().err
    assert f"the package {package}, which is not installed" in said
    assert f'pip install "fusetrack[{extra}]"' in said
    assert listing(Path()) == set()


@pytest.mark.parametrize(("last", "package"), [("c3d", "ezc3d"), ("nwb", "pynwb"), ("hdf5", "h5py")])
def test_what_the_last_of_several_formats_lacks_is_noticed_before_the_first(
    folder: Path, last: str, package: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    before = listing(folder)
    assert main(["export", str(folder), "--to", "csv", "--to", "mat", "--to", last]) == 2
    assert f"needs the package {package}" in capsys.readouterr().err
    assert listing(folder) == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "say what to export"),
        (["nothing.cine", "--to", "csv"], "does not exist"),
        (["RUN"], "--to FORMAT or -o FILE"),
        (["RUN", "--to", "cvs"], "did you mean csv?"),
        (["RUN", "-o", "x.foo"], "does not tell its format"),
        (["RUN", "--to", "csv", "--to", "mat", "-o", "x.csv"], "-o names one file"),
        (["RUN", "--to", "csv", "-o", "x.mat"], "named as a file of mat and csv is wanted; let it end in .csv"),
        (["RUN", "--to", "png", "-o", "x.mkv"], "named as a file of mkv and png is wanted; name a folder"),
        (["RUN", "-o", "x.csv", "--scale", "12"], "--scale takes"),
        (["RUN", "-o", "x.csv", "--frames", "60:70"], "outside the clip"),
        (["RUN", "-o", "x.csv", "--min-frames", "0"], "--min-frames must be a positive number"),
        (["RUN", "-o", "x.csv", "--meta", "subject_id=1"], "NWB alone"),
        (["RUN", "-o", "x.nwb", "--meta", "subject_id"], "--meta takes KEY=VALUE"),
        (["RUN", "-o", "x.nwb", "--start", "today"], "--start takes"),
        (["RUN", "-o", "x.mkv", "--roi", "90,0,20,20"], "reaches outside the picture"),
        (["RUN", "-o", "x.mkv", "--bits", "17"], "--bits must be 1 to 16"),
        (["RUN", "-o", "no/x.mkv"], "does not exist"),
        (["CLIP", "-o", "x.csv"], "holds frames and no tracks"),
        (["RUN/../words.txt", "-o", "x.csv"], "no clip that fusetrack knows"),
    ],
)
def test_one_sentence_and_exit_code_2(folder: Path, arguments: list[str], words: str, capsys: Any) -> None:
    (folder.parent / "words.txt").write_text("words")
    given = [a.replace("RUN", str(folder)).replace("CLIP", str(folder.parent / "shot.npy")) for a in arguments]
    assert main(["export", *given]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1
    assert listing(Path()) == set()


def test_a_summary_stands_for_its_folder(folder: Path) -> None:
    made = export_results(folder, "csv", "x.csv")
    assert export_results(folder / "summary.json", "csv", "y.csv").rows == made.rows > 0


def test_a_damaged_summary_is_one_sentence(folder: Path) -> None:
    (folder / "summary.json").write_text("{")
    with pytest.raises(InputError, match=r"summary\.json cannot be read"):
        export_results(folder, "csv")
    (folder / "summary.json").write_text(json.dumps({"tracks": {}}))
    made = export_results(folder, "csv", "x.csv")  # what is whole is of use
    assert made.rows == len(read_tracks(folder / "tracks.parquet"))


def test_command(folder: Path, capsys: Any) -> None:
    assert main(["export", "--list"]) == 0
    said = capsys.readouterr().out
    assert all(f" {one.name} " in said for one in FORMATS)
    assert main(["export", str(folder), "-o", "a.csv", "--frames", "-10:", "--scale", "2 px/mm", "--y-up"]) == 0
    said = capsys.readouterr().out
    rows = read_tracks(folder / "tracks.parquet")
    rows = rows[rows["frame"] >= 30]
    assert f"tracks   {len(np.unique(rows['track']))} in {len(rows)} rows" in said
    np.testing.assert_allclose(pd.read_csv("a.csv")["y_mm"], (79 - rows["y"]) / 2, atol=1e-6)
    assert main(["export", str(folder.parent / "shot.npy"), "-o", "a.mkv", "--fps", "2000"]) == 0
    progress = capsys.readouterr()
    assert "40/40 frames" in progress.err
    assert "frames   40" in progress.out
    source = open_source("a.mkv")
    assert source.info.time.fps == 2000
    np.testing.assert_array_equal(
        np.stack([source.read(k) for k in range(40)]), np.load(folder.parent / "shot.npy")
    )  # fmt: skip
    source.close()


def test_rows_are_not_changed_by_an_export() -> None:
    rows = random_tracks(20, 2)
    before = rows.copy()
    module.physical(rows, module.parse_scale("1 mm/px"), fps=10.0, was=20.0, up=True, size=(8, 8))
    assert_same(rows, before)


def test_a_run_is_exported_as_it_counted_and_with_velocities_of_motion(tmp_path: Path) -> None:
    """Its scale and axes hold where none are given; px counts in pixels; velocities agree with `fusetrack motion`."""
    places = np.cumsum(np.random.default_rng(3).normal(0.4, 0.02, (40, 2)), axis=0) + 12.0
    y, x = np.mgrid[:48, :48]
    frames = [np.clip(20 + 180 * np.exp(-((x - px) ** 2 + (y - py) ** 2) / 8.0), 0, 255).astype(np.uint8)
              for px, py in places]  # fmt: skip
    np.save(tmp_path / "dot.npy", np.array(frames))
    run = run_clip(tmp_path / "dot.npy", "blobs", fps=500.0, out=tmp_path / "run", overlay=False, scale="0.5 mm/px",
                   origin=(10.0, 20.0), y_up=True)  # fmt: skip
    assert len(run.tracks)
    made = export_results(tmp_path / "run", "csv", tmp_path / "own.csv")
    assert any("those that the run was given" in note for note in made.notes)
    own, theirs = (pd.read_csv(path, comment="#") for path in (tmp_path / "own.csv", tmp_path / "run" / "tracks.csv"))
    assert [*own.columns] == [*theirs.columns]
    np.testing.assert_allclose(own[["x_mm", "y_mm"]], theirs[["x_mm", "y_mm"]], atol=1e-6)
    export_results(tmp_path / "run", "csv", tmp_path / "px.csv", scale="px")
    pixels = pd.read_csv(tmp_path / "px.csv", comment="#")
    np.testing.assert_allclose(own.x_mm, 0.5 * (pixels.x_px - 10.0), atol=1e-4)
    made = export_results(tmp_path / "run", "csv", tmp_path / "smooth.csv", smooth=True)
    assert any("velocities are those of polynomials of order" in note for note in made.notes)
    smooth = pd.read_csv(tmp_path / "smooth.csv", comment="#")
    assert main(["motion", str(tmp_path / "run"), "-o", str(tmp_path / "motion")]) == 0
    motion = pd.read_csv(tmp_path / "motion" / "motion.csv")
    both = smooth[smooth.state == "tracked"].merge(motion, on=["frame", "track"])
    assert len(both) > 30
    np.testing.assert_allclose(both.vx_mm_per_s_x, both.vx_mm_per_s_y, atol=1e-3)
    np.testing.assert_allclose(both.vy_mm_per_s_x, both.vy_mm_per_s_y, atol=1e-3)
